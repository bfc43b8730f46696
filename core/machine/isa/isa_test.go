package isa

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// A row is an instruction in an assembler's syntax (LLVM's, if it knows the instruction), with its
// effect at 0x1000.
type row struct{ text, code, want string }

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		set  *Set
		rows []row
	}{
		{ARM64, arm64Rows}, {ARM, armRows}, {Thumb, thumbRows}, {Thumb, thumb8Rows},
		{RISCV32, riscvRows}, {RISCV64, riscv64Rows}, {MIPS, mipsRows}, {MIPS64, mips64Rows},
		{PPC, ppcRows}, {PPC64, ppc64Rows}, {X86, x86Rows}, {AMD64, amd64Rows},
		{ARM, armEdges}, {Thumb, thumbEdges}, {RISCV32, riscvEdges}, {RISCV64, riscv64Edges},
		{MIPS, mipsEdges}, {MIPS64, mips64Edges}, {PPC, ppcEdges}, {PPC64, ppc64Edges},
		{X86, x86Edges}, {AMD64, amd64Edges},
	} {
		for _, r := range tt.rows {
			code := unhex(t, r.code)
			i := tt.set.Decode(append(code, 0xcc, 0xcc), 0x1000)
			if got := describe(tt.set, i); got != r.want {
				t.Errorf("%s: %s %s: %s, want %s", tt.set.Name, r.code, r.text, got, r.want)
			}
			if i.Flow != Unknown && i.Size != len(code) {
				t.Errorf("%s: %s %s has %d bytes", tt.set.Name, r.code, r.text, i.Size)
			}
			for n := range code {
				if i := tt.set.Decode(code[:n], 0x1000); i != (Insn{}) && i.Size > n {
					t.Errorf("%s: %s %s: %d bytes of %d", tt.set.Name, r.code, r.text, i.Size, n)
				}
			}
		}
	}
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	code, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

var flowNames = map[Flow]string{
	Unknown: "unknown", Next: "next", Call: "call", CondBranch: "branch", Jump: "jump",
	JumpReg: "jump register", JumpMem: "jump memory", Return: "return", Trap: "trap",
}

// describe writes an instruction's effect. Stores come after a move of sp, and loads before it.
func describe(s *Set, i Insn) string {
	out := flowNames[i.Flow]
	if i.HasTarget {
		out += fmt.Sprintf(" %#x", i.Target)
	}
	for _, flag := range []struct {
		on   bool
		name string
	}{{i.Delay, "delay"}, {i.Hint, "hint"}, {i.Auth, "auth"}} {
		if flag.on {
			out += "; " + flag.name
		}
	}
	var parts []string
	e := i.Stack
	switch e.Kind {
	case Nothing:
		return out
	case Moves:
		parts = []string{moved(e)}
	case Stores:
		parts = []string{moved(e), fmt.Sprintf("%s at %d", regNames(s, e), e.Off)}
	case Loads:
		parts = []string{fmt.Sprintf("%s from %d", regNames(s, e), e.Off), moved(e)}
	case SetsSP:
		parts = []string{fmt.Sprintf("sp = %s%+d", regName(s, e.Base), e.Off)}
		if len(e.Regs()) > 0 {
			parts = append(parts, regNames(s, e)+" from 0", moved(e))
		}
	case SetsFP:
		parts = []string{fmt.Sprintf("%s = sp%+d", regName(s, e.Base), e.Off)}
	case MovesFP:
		parts = []string{fmt.Sprintf("%s%+d", regName(s, e.Base), e.Off)}
	case LosesLR:
		parts = []string{"lr lost"}
	case CopiesLR:
		parts = []string{regName(s, e.Base) + " = lr"}
	case SetsLR:
		parts = []string{"lr = " + regName(s, e.Base)}
	case Unreadable:
		parts = []string{"unreadable"}
	}
	return out + "; " + strings.TrimSuffix(strings.TrimPrefix(strings.Join(parts, ", "), ", "), ", ")
}

func moved(e Effect) string {
	if e.Move == 0 {
		return ""
	}
	return fmt.Sprintf("sp %+d", e.Move)
}

func regNames(s *Set, e Effect) string {
	var names []string
	for _, reg := range e.Regs() {
		names = append(names, regName(s, reg))
	}
	return strings.Join(names, " ")
}

func regName(s *Set, reg cpu.Reg) string {
	if reg == cpu.None {
		return "?"
	}
	return s.Arch.RegName(reg)
}
