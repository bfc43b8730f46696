package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// FuzzDecode checks what Decode promises for any bytes: it does not panic, an
// instruction is no longer than the bytes and has a text, and its addresses
// can be computed.
func FuzzDecode(f *testing.F) {
	for i, row := range amd64Texts {
		f.Add(uint8(i%6), unhex(f, row.code), uint64(0x1000))
	}
	for i := range uint8(6) {
		f.Add(i, []byte{0xf3, 0x48, 0x0f, 0x1e, 0xc8, 0x66, 0x0f, 0x38, 0xf6, 0x05, 1, 2, 3, 4, 5}, ^uint64(0))
	}
	arches := []*cpu.Arch{&cpu.AMD64, &cpu.X86, &cpu.ARM64, &cpu.ARM, &cpu.PPC64, &cpu.RISCV64}
	f.Fuzz(func(t *testing.T, which uint8, code []byte, addr uint64) {
		arch := arches[int(which)%len(arches)]
		inst, ok := Decode(arch, code, addr)
		if !ok {
			return
		}
		if inst.Len <= 0 || inst.Len > len(code) || inst.Len > MaxLen {
			t.Fatalf("%d bytes of %d", inst.Len, len(code))
		}
		if inst.Text == "" || inst.Mnemonic == "" {
			t.Fatalf("%x has no text", code[:inst.Len])
		}
		var regs cpu.Regs
		for i := range arch.Regs {
			regs.Set(cpu.Reg(i), addr*uint64(i+3))
		}
		_ = accesses(&inst, arch, &regs)
		// The same bytes alone are the same instruction.
		again, ok := Decode(arch, code[:inst.Len], addr)
		if !ok || again.Text != inst.Text || again.Len != inst.Len {
			t.Fatalf("%x: %q, and alone %q, %v", code[:inst.Len], inst.Text, again.Text, ok)
		}
	})
}
