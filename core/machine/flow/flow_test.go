package flow_test

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/machine/flow"
)

// Functions of amd64 at 0x1000, beside what leads out of them.
func TestFollow(t *testing.T) {
	for name, tt := range map[string]struct {
		code []byte
		exit uint64
		want flow.Facts
		not  bool // it is not known
	}{
		"a return":              {code: []byte{0x90, 0xc3}, want: flow.Facts{Returns: true}},
		"a trap":                {code: []byte{0x0f, 0x0b, 0xc3}},
		"a system call returns": {code: []byte{0x0f, 0x05, 0xc3}, want: flow.Facts{Returns: true}},
		"a call at the end":     {code: []byte{0xe8, 0, 0, 0, 0}},
		"a tail call":           {code: []byte{0xe9, 0, 1, 0, 0}, want: flow.Facts{Leaves: true}},
		"a jump to a register":  {code: []byte{0xff, 0xe0}, want: flow.Facts{Unknown: true}},
		"a table":               {code: []byte{0x48, 0x63, 0x04, 0x81, 0x48, 0x01, 0xc8, 0xff, 0xe0, 0x90, 0xc3}, want: flow.Facts{Returns: true, Loops: true}},
		"a table of addresses":  {code: []byte{0xff, 0x24, 0xc1, 0xe9, 0, 1, 0, 0}, want: flow.Facts{Leaves: true, Loops: true}},
		"an added address":      {code: []byte{0x48, 0x63, 0x01, 0x48, 0x01, 0xc8, 0xff, 0xe0}, want: flow.Facts{Unknown: true}},
		"a branch out":          {code: []byte{0x74, 0x7e, 0xc3}, want: flow.Facts{Leaves: true, Returns: true}},
		"a branch within":       {code: []byte{0x74, 0x02, 0x0f, 0x0b, 0xc3}, want: flow.Facts{Returns: true}},
		"an endless loop":       {code: []byte{0xeb, 0xfe}},
		"a loop with a call":    {code: []byte{0xe8, 0, 0, 0, 0, 0xeb, 0xf9}, want: flow.Facts{Loops: true}},
		"a call before a loop":  {code: []byte{0xe8, 0, 0, 0, 0, 0xeb, 0xfe}},
		"a call behind a loop":  {code: []byte{0x74, 0xfe, 0xe8, 0, 0, 0, 0}},
		"a known exit":          {code: []byte{0xe8, 0, 0, 0, 0, 0xeb, 0xf9}, exit: 0x1005},
		"no instruction":        {code: []byte{0x06}, not: true},
		"the end is missing":    {code: []byte{0x90, 0x74}, not: true},
	} {
		read := func(addr uint64) (cpu.Inst, bool) {
			if addr-0x1000 >= uint64(len(tt.code)) {
				return cpu.Inst{}, false
			}
			return disasm.Decode(&cpu.AMD64, tt.code[addr-0x1000:], addr)
		}
		got, ok := flow.Follow(read, 0x1000, 0x1000, 0x1000+uint64(len(tt.code)), tt.exit)
		if ok == tt.not || ok && got != tt.want {
			t.Errorf("%s: %+v, %t, want %+v", name, got, ok, tt.want)
		}
	}
}

// A function that is too long gives no answer.
func TestFollowIsBounded(t *testing.T) {
	reads := 0
	_, ok := flow.Follow(func(uint64) (cpu.Inst, bool) { reads++; return cpu.Inst{Len: 1}, true }, 0, 0, 1<<40, 0)
	if ok || reads > 1<<13 {
		t.Errorf("%t after %d instructions", ok, reads)
	}
}
