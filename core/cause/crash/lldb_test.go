package crash

import (
	"encoding/binary"
	"testing"
)

// lldb makes the exception one of LLDB with a description.
func (s *scene) lldb(signal uint32, text string) *scene {
	raw := append([]byte(text), make([]byte, 120-len(text))...)
	var params []uint64
	for i := 0; i < len(raw); i += 8 {
		params = append(params, binary.LittleEndian.Uint64(raw[i:]))
	}
	s.fault(codeAddr)
	return s.raise("linux", signal, lldbFlag, params...)
}

func TestDescribed(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"an address that was not mapped", "Null pointer access in middle", crashAt(t, "").lldb(sigSEGV, "signal SIGSEGV: address not mapped to object (fault address=0x10)")},
		{"a general protection fault", "General protection fault in middle", crashAt(t, "").lldb(sigSEGV, "signal SIGSEGV: invalid address (fault address=0x0)")},
		{"sent", "SIGSEGV was sent by process 649752 of user 2667; this thread was running in middle", crashAt(t, "").lldb(sigSEGV, "SIGSEGV: sent by tkill system call (sender pid=649752, uid=2667)")},
		{"kill", "SIGILL was sent by process 77; this thread was running in middle", crashAt(t, "").lldb(sigILL, "signal SIGILL: sent by kill, sigsend or raise (sender pid=77, uid=0)")},
		{"abort", "abort() called in work", crashAt(t, "").lldb(sigABRT, "SIGABRT: sent by tkill system call (sender pid=1, uid=0)").stack("!raise", "!abort", "work")},
		{"a division", "Division by zero, or division overflow in middle", crashAt(t, "").lldb(sigFPE, "signal SIGFPE: integer divide by zero")},
		{"no more than the signal", "Invalid memory access: address unknown in middle", crashAt(t, "").lldb(sigSEGV, "signal SIGSEGV")},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if got := v.What + " in " + v.Where; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
