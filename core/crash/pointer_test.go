package crash

import (
	"testing"

	"crashglass/core/cpu"
)

func TestPointerRegister(t *testing.T) {
	tests := []struct {
		name, code string
		regs       map[cpu.Reg]uint64
		address    uint64
		want       string
	}{
		{"the base of a field", "48 8b 43 10", map[cpu.Reg]uint64{cpu.RBX: 0x4e3c9}, 0x4e3d9, "rbx"},                                        // mov rax, [rbx + 0x10]
		{"of base and index the nearer one", "48 8b 04 cf", map[cpu.Reg]uint64{cpu.RDI: 0x4e389, cpu.RCX: 8}, 0x4e3c9, "rdi"},               // mov rax, [rdi + rcx * 8]
		{"an element of null: the base, not the index", "48 8b 04 cf", map[cpu.Reg]uint64{cpu.RDI: 0, cpu.RCX: 8}, 0x40, "rdi"},             // mov rax, [rdi + rcx * 8]
		{"the other access failed", "ff 14 cf", map[cpu.Reg]uint64{cpu.RDI: 0x5000_0000, cpu.RCX: 7, cpu.RSP: 0x6f_fff8}, 0x6f_fff0, "rsp"}, // call [rdi + rcx * 8]
		{"no register", "48 8b 04 25 40 00 00 00", nil, 0x40, ""},                                                                           // mov rax, [0x40]
		{"relative to the code", "48 8b 05 00 00 10 00", nil, codeAddr + 7 + 0x10_0000, ""},                                                 // mov rax, [rip + 0x100000]
		{"a register that was not saved", "48 8b 43 10", nil, 0x4e3d9, ""},                                                                  // mov rax, [rbx + 0x10]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := crashAt(t, tt.code).raise("linux", sigSEGV, segvMapErr)
			s.Exception.Address = tt.address
			for r, v := range tt.regs {
				s.reg(r, v)
			}
			if got := Analyze(s.Input).PointerRegister; got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
