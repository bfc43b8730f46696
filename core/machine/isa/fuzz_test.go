package isa

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
)

// FuzzDecode checks what Decode promises for any bytes: it does not panic, an
// instruction is no longer than the bytes, and its registers are of its CPU.
func FuzzDecode(f *testing.F) {
	for i, rows := range [][]row{x86Rows, amd64Rows, arm64Rows, armRows, thumbRows, riscvRows, riscv64Rows, mipsRows, mips64Rows, ppcRows, ppc64Rows} {
		for _, r := range rows {
			f.Add(uint8(i), unhex(f, r.code), uint64(0x1000))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, code []byte, addr uint64) {
		s := All()[int(which)%len(All())]
		i := s.Decode(code, addr)
		if i.Size < 0 || i.Size > len(code) || i.Flow != Unknown && i.Size < s.Min {
			t.Fatalf("%d bytes of %d, flow %d", i.Size, len(code), i.Flow)
		}
		if i.Flow == Unknown && i.Stack != (Effect{}) || i.Target != 0 && !i.HasTarget {
			t.Fatalf("%+v", i)
		}
		for _, reg := range append(slices.Clone(i.Stack.Regs()), i.Stack.Base) {
			if reg != cpu.None && int(reg) >= len(s.Arch.Regs) {
				t.Fatalf("%+v: register %d", i, reg)
			}
		}
		if i.Size > 0 && s.Decode(code[:i.Size], addr) != i {
			t.Fatalf("%x is another instruction alone", code[:i.Size])
		}
		AuthCheck(code)
		s.EndsInCall(code)
	})
}
