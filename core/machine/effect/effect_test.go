package effect_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/machine/effect"
)

// TestOf: what instructions write, set and store. The expectations are those of the manuals.
func TestOf(t *testing.T) {
	for _, test := range []struct {
		arch *cpu.Arch
		code string
		want string
	}{
		{&cpu.AMD64, "488b4308", "rax; rax=[rbx+8]"},
		{&cpu.AMD64, "8b4308", "rax;"},
		{&cpu.AMD64, "4889c8", "rax; rax=rcx"},
		{&cpu.AMD64, "89c8", "rax;"},
		{&cpu.AMD64, "488d440b10", "rax; rax=rbx+rcx*1+16"},
		{&cpu.AMD64, "31c0", "rax; rax=0"},
		{&cpu.AMD64, "30c0", "rax;"},
		{&cpu.AMD64, "4883e810", "rax; rax=rax-16"},
		{&cpu.AMD64, "488945f8", "; store [rbp-8]=rax"},
		{&cpu.AMD64, "48c745f800000000", "; store [rbp-8]=0"},
		{&cpu.AMD64, "f7f9", "rax rdx rcx;"},
		{&cpu.AMD64, "480fa2", "rax rdx rcx rbx;"},
		{&cpu.AMD64, "f348a5", "rcx rsi rdi;"},
		{&cpu.AMD64, "4839c8", ";"},
		{&cpu.AMD64, "4887c8", "rax rcx;"},
		{&cpu.AMD64, "0f05", "unknown"},
		{&cpu.AMD64, "e800000000", "rax rdx rcx rsi rdi r8 r9 r10 r11 rip eflags;"},
		{&cpu.AMD64, "64488b042528000000", "rax;"},
		{&cpu.X86, "8b4508", "eax; eax=[ebp+8]"},
		{&cpu.X86, "50", "esp; store [esp-4]=eax"},
		{&cpu.ARM64, "000440f9", "x0; x0=[x0+8]"},
		{&cpu.ARM64, "e00741a9", "x0 x1; x0=[sp+16]; x1=[sp+24]"},
		{&cpu.ARM64, "fd7bbfa9", "sp; store [sp-16]=fp; store [sp-8]=lr"},
		{&cpu.ARM64, "200440b9", "x0;"},
		{&cpu.ARM64, "e00301aa", "x0; x0=x1"},
		{&cpu.ARM64, "2040008b", "x0;"},
		{&cpu.ARM64, "200c028b", "x0; x0=x1+x2*8"},
		{&cpu.ARM64, "20400091", "x0; x0=x1+16"},
		{&cpu.ARM64, "000080d2", "x0; x0=0"},
		{&cpu.ARM64, "5f00006b", ";"},
		{&cpu.ARM64, "ff6323cb", "sp;"},
		{&cpu.ARM, "080090e5", "r0; r0=[r0+8]"},
		{&cpu.ARM, "08009015", "r0;"}, // ldrne
		{&cpu.ARM, "04c09de4", "r12 sp;"},
		{&cpu.ARM, "0100a0e1", "r0; r0=r1"},
		{&cpu.ARM, "01108de2", "r1; r1=sp+1"},
		{&cpu.ARM, "83e705e1", "r5 lr;"}, // smlabb r5, r3, r7, lr
		{&cpu.ARM, "0f00bde8", "r0 r1 r2 r3 sp;"},
	} {
		code, err := hex.DecodeString(test.code)
		if err != nil {
			t.Fatal(err)
		}
		inst, ok := disasm.Decode(test.arch, code, 0x1000)
		if !ok {
			t.Errorf("%s: not decoded", test.code)
			continue
		}
		if got := spell(test.arch, effect.Of(test.arch, &inst, code)); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.arch.Name, inst.Text, got, test.want)
		}
	}
}

func spell(arch *cpu.Arch, e effect.Effect) string {
	if !e.Known {
		return "unknown"
	}
	var names []string
	for r := range arch.Regs {
		if e.Writes.Has(cpu.Reg(r)) {
			names = append(names, arch.Regs[r])
		}
	}
	out := strings.Join(names, " ") + ";"
	for _, m := range e.Sets {
		switch m.Kind {
		case effect.Load:
			out += fmt.Sprintf(" %s=[%s]", arch.RegName(m.Reg), sum(arch, &m.Mem))
		case effect.Sum:
			out += fmt.Sprintf(" %s=%s", arch.RegName(m.Reg), sum(arch, &m.Mem))
		default:
			out += fmt.Sprintf(" %s=%d", arch.RegName(m.Reg), m.Value)
		}
		out += ";"
	}
	for _, m := range e.Stored {
		what := fmt.Sprint(m.Value)
		if m.Reg != cpu.None {
			what = arch.RegName(m.Reg)
		}
		out += fmt.Sprintf(" store [%s]=%s;", sum(arch, &m.Mem), what)
	}
	if len(e.Sets)+len(e.Stored) > 0 {
		out = strings.TrimSuffix(out, ";")
	}
	return out
}

func sum(arch *cpu.Arch, m *cpu.MemOp) string {
	out := arch.RegName(m.Base)
	if m.Index != cpu.None {
		out += fmt.Sprintf("+%s*%d", arch.RegName(m.Index), m.Scale)
	}
	if m.Disp != 0 {
		out += fmt.Sprintf("%+d", m.Disp)
	}
	return out
}
