package elf

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// Parts of code are the sections of code that have bytes and cannot be written. A file has none if its code changes where it runs.
func TestCodeParts(t *testing.T) {
	const progbits, code, written = 1, secExecutable | 2, secWritable
	text := made{name: ".text", kind: progbits, flags: code, addr: 0x1000, data: make([]byte, 0x20)}
	dynamic := func(words ...uint64) []byte { return asm.At(0).U64(words...).Build(t) }
	for _, tt := range []struct {
		name    string
		more    made
		dynamic []byte
		want    string
	}{
		{"alone", made{name: ".data", kind: progbits, flags: 3, addr: 0x3000}, nil, "[{4096 32}]"},
		{"code that is written", made{name: ".plt", kind: progbits, flags: code | written, addr: 0x2000, data: []byte{1}}, nil, "[{4096 32}]"},
		{"a second one", made{name: ".init", kind: progbits, flags: code, addr: 0x2000, data: []byte{1}}, nil, "[{4096 32} {8192 1}]"},
		{"stubs of GL", made{name: "wtext", kind: progbits, flags: code, addr: 0x2000, data: []byte{1}}, nil, "[{4096 32}]"},
		{"alternatives", made{name: ".altinstructions", kind: progbits, flags: 2, addr: 0x2000, data: []byte{1}}, nil, "[]"},
		{"XRay", made{name: "xray_instr_map", kind: progbits, flags: 2, addr: 0x2000, data: []byte{1}}, nil, "[]"},
		{"relocations of text", made{name: ".d", kind: progbits}, dynamic(dynTextRelocs, 0, 0, 0), "[]"},
		{"the flag for them", made{name: ".d", kind: progbits}, dynamic(dynFlags, flagTextRelocs, 0, 0), "[]"},
		{"another flag", made{name: ".d", kind: progbits}, dynamic(dynFlags, 8, 0, 0), "[{4096 32}]"},
	} {
		if tt.dynamic != nil {
			tt.more.data = tt.dynamic
		}
		r := recipe{machine: 62, sections: []made{text, tt.more}}
		r.segments = func(s *asm.Section, off map[string]uint64) int {
			s.U32(segLoad, 5).U64(0, 0, 0, 0x8000, 0x8000, 0x1000)
			s.U32(segDynamic, 6).U64(off[".d"], 0x4000, 0x4000, uint64(len(tt.dynamic)), uint64(len(tt.dynamic)), 8)
			return 2
		}
		if got := fmt.Sprint(r.open(t).CodeParts()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
