package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

func TestLine(t *testing.T) {
	name := func(addr uint64) string {
		if addr == 0x1006 {
			return "middle"
		}
		return ""
	}
	tests := []struct {
		arch *cpu.Arch
		code string
		name func(uint64) string
		want string
	}{
		{&cpu.AMD64, "e8 01 00 00 00", name, "call 0x1006 <middle>"},
		{&cpu.AMD64, "75 05", name, "jnz 0x1007"},
		{&cpu.AMD64, "75 05", nil, "jnz 0x1007"},
		{&cpu.AMD64, "c7 00 05 00 00 00", name, "mov dword [rax], 0x5"},
		{&cpu.AMD64, "ff d0", name, "call rax"},
		{&cpu.ARM64, "04 00 00 14", nil, "b 0x1010"},
		{&cpu.ARM64, "e2 00 00 f0", nil, "adrp x2, 0x20000"},
		{&cpu.RISCV64, "19 a0", name, "j 0x1006 <middle>"},
	}
	for _, tt := range tests {
		inst, ok := Decode(tt.arch, unhex(t, tt.code), 0x1000)
		if got := Line(&inst, tt.name); !ok || got != tt.want {
			t.Errorf("%s: %q, want %q", tt.code, got, tt.want)
		}
	}
}
