package isa

import "testing"

// EndsInCall reports whether code of x86 or amd64 ends in a call.
func (s *Set) EndsInCall(code []byte) bool {
	_, direct, indirect := s.CallBefore(code)
	return direct || indirect
}

func TestEndsInCall(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       bool
	}{
		{"call rel32", "e800000000", true},
		{"call rax", "ffd0", true},
		{"call r12", "41ffd4", true},
		{"call [rax+58h]", "ff5058", true},
		{"call [rsp+10h]", "ff542410", true},
		{"call [rip+20h]", "ff1520000000", true},
		{"call [rax*8+1000h]", "ff14c500100000", true},
		{"jmp rax", "ffe0", false},
		{"call [rax+58h]; ret", "ff5058c3", false},
		{"nothing", "", false},
		{"the end of an operand", "00000000", false},
	} {
		if got := AMD64.EndsInCall(unhex(t, tt.code)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	far := unhex(t, "9a000000000000") // call far, which is no instruction of amd64
	if !X86.EndsInCall(far) || AMD64.EndsInCall(far) {
		t.Error("call far")
	}
	if rel, direct, indirect := AMD64.CallBefore(unhex(t, "90e8f0ffffff")); rel != -16 || !direct || indirect {
		t.Errorf("%d %v %v", rel, direct, indirect)
	}
}

// Clang checks a return address that autibsp has authenticated before it jumps
// to another function.
func TestAuthCheck(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       int
	}{
		{"eor x16, x30, x30, lsl #1; tbz x16, #62, .+8; brk #0xc471", "d0071eca5000f0b6208e38d4", 12},
		{"eor x17, x30, x30, lsl #1; tbz x17, #62, .+8; brk #0xc470", "d1071eca5100f0b6008e38d4", 12},
		{"tbz x16, #62, .+8; brk #0xc471", "5000f0b6208e38d4", 8},
		{"brk #0xc471", "208e38d4", 4},
		{"brk #0xc472: authentication of data", "408e38d4", 0},
		{"brk #1", "200020d4", 0},
		{"tbz x16, #62, .+8; nop", "5000f0b61f2003d5", 0},
		{"not all of it", "d0071eca5000f0b6", 0},
		{"nothing", "", 0},
	} {
		if got := AuthCheck(unhex(t, tt.code)); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}
