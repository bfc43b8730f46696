package disasm

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// facts writes what an instruction says besides its text: the flow with a direct target, each
// operand, and the properties. A register is its name and the register of a context that holds it,
// - for none; "mem" is an operand in memory, whose accesses other tests check.
func facts(arch *cpu.Arch, inst *cpu.Inst) string {
	flow := [...]string{"next", "jump", "cond", "call", "ret", "trap"}[inst.Flow]
	if inst.HasTarget {
		flow += fmt.Sprintf(" %#x", inst.Target)
	}
	var ops, flags []string
	for _, op := range inst.Operands {
		switch op.Kind {
		case cpu.Register:
			reg := "-"
			if op.Reg != cpu.None {
				reg = arch.RegName(op.Reg)
			}
			ops = append(ops, op.Name+"="+reg)
		case cpu.Memory:
			ops = append(ops, "mem")
		case cpu.Immediate:
			ops = append(ops, fmt.Sprintf("#%d", op.Imm))
		case cpu.Branch:
			ops = append(ops, fmt.Sprintf("->%#x", uint64(op.Imm)))
		}
	}
	for _, p := range []struct {
		has  bool
		name string
	}{{inst.Division, "division"}, {inst.Privileged, "privileged"}, {inst.Aligned, "aligned"}} {
		if p.has {
			flags = append(flags, p.name)
		}
	}
	text := flow + ": " + strings.Join(ops, ", ")
	if len(flags) > 0 {
		text += "; " + strings.Join(flags, " ")
	}
	return text
}

// A factRow is an instruction at 0x1000: its bytes, its assembly, and its facts.
type factRow struct{ code, asm, want string }

func checkFacts(t *testing.T, arch *cpu.Arch, rows []factRow) {
	t.Helper()
	for _, row := range rows {
		inst, ok := Decode(arch, append(unhex(t, row.code), 0, 0, 0, 0), 0x1000)
		if got := facts(arch, &inst); !ok || strings.TrimSpace(got) != row.want {
			t.Errorf("%s: %s %s: %s, want %s", arch.Name, row.code, row.asm, got, row.want)
		}
	}
}
