package unwind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

func TestParseValue(t *testing.T) {
	tests := []struct {
		text string
		want Value
	}{
		{"$rsp", At("$rsp", 0)},
		{"$rsp 16 +", At("$rsp", 16)},
		{"rsp 16 -", At("rsp", -16)},
		{" .cfa\t-8 + ^ ", Word(CFA, -8)},
		{".cfa ^", Word(CFA, 0)},
		{"sp -8 -", At("sp", 8)},
		{"sp +8 +", At("sp", 8)},
		{"sp 9223372036854775807 -", At("sp", -1<<63+1)},
		{".undef", Value{}},
	}
	for _, tt := range tests {
		if got := ParseValue(tt.text); got != tt.want {
			t.Errorf("%q is %+v, want %+v", tt.text, got, tt.want)
		}
	}
	for _, text := range []string{
		"", "^", "16", "16 rsp +", "rsp 16", "rsp 16 + 8 +", "rsp 16 + ^ ^", "rsp rbp +", "rsp 0x10 +", "rsp 1_0 +", "rsp 16 *",
		".ra", ".and 1 +", "$ 1 +", "rsp 9223372036854775808 +", "rsp -9223372036854775808 +", "rsp\u00a016\u00a0+",
	} {
		if v := ParseValue(text); v.Expr == nil || v.String() != text {
			t.Errorf("%q is the place %+v", text, v)
		}
	}
}

// A ruleTester evaluates rules as a walk does, and texts as package postfix does.
type ruleTester struct {
	w     *walk
	frame Frame
}

func newRuleTester(t testing.TB, arch *cpu.Arch) *ruleTester {
	p := picture{arch: arch, stack: asm.At(0x1000).Word(arch.Word, 0x1008, 7, ^uint64(0), 0x1000)}
	for i, name := range arch.Regs[:len(arch.Regs)-1] { // the last one is not known
		if p.regs == nil {
			p.regs = map[string]uint64{}
		}
		p.regs[name] = 0x1000 + uint64(i%5)*4
	}
	r := &ruleTester{w: newWalk(p.input(t))}
	r.frame.Regs = r.w.in.Regs
	r.w.exec.callee, r.w.exec.cfa, r.w.exec.hasCFA = &r.frame, 0x1010, true
	return r
}

// check checks that a text means the same when it is parsed, written and parsed again, compiled,
// and evaluated directly.
func (r *ruleTester) check(t *testing.T, text string) {
	t.Helper()
	v := ParseValue(text)
	if again := ParseValue(v.String()); !again.Equal(v) {
		t.Errorf("%q is %+v, and its text %q is %+v", text, v, v.String(), again)
	}
	machine := postfix.Machine{Env: &r.w.exec, Size: r.w.Word}
	want, err := machine.Value(text)
	if got, ok := r.w.exec.value(Rule{"x", v}); got != want || ok != (err == nil) {
		t.Errorf("%s: %q is %#x (%v), and as a text %#x (%v)", r.w.Name, text, got, ok, want, err)
	}
	compiled, errCompiled := machine.Eval(postfix.Compile(text))
	if compiled != want || (errCompiled == nil) != (err == nil) {
		t.Errorf("%s: %q compiled is %#x (%v), and as a text %#x (%v)", r.w.Name, text, compiled, errCompiled, want, err)
	}
}

// Random texts of the words that rules are made of.
func TestRulesMeanWhatTheirTextDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, arch := range []*cpu.Arch{&cpu.AMD64, &cpu.X86, &cpu.ARM64, &cpu.MIPS} {
		r := newRuleTester(t, arch)
		sp, last := arch.RegName(arch.SP), arch.Regs[len(arch.Regs)-1]
		words := []string{
			sp, "$" + sp, last, CFA, RA, lost, "x", "$", "0", "4", "8", "-8", "+16", "4096", "4294967295", "9223372036854775807",
			"9223372036854775808", "-9223372036854775808", "18446744073709551616", "+", "-", "*", "/", "%", "@", "^", "^", "=", "=" + sp,
			".and", ".shl", ".lt", ".abs", "\t", "\u00a0", "\u0085", "\v",
		}
		for range 20_000 {
			text := ""
			for range rng.IntN(7) {
				text += words[rng.IntN(len(words))] + " "
			}
			r.check(t, text)
		}
		for n := postfix.MaxSteps - 2; n < postfix.MaxSteps+3; n++ {
			r.check(t, strings.Repeat("1 ", n/2)+strings.Repeat("+ ", n-n/2-1))
		}
	}
}

func FuzzValue(f *testing.F) {
	for _, text := range []string{"$rsp 16 +", ".cfa -8 + ^", ".undef", "rsp 16 @ ^", "1 2", "=$rsp", "rsp\u00a08\u00a0+"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		newRuleTester(t, &cpu.AMD64).check(t, text)
		newRuleTester(t, &cpu.X86).check(t, text)
	})
}

// randomRules are up to six rules, of registers whose names may have a '$'.
func randomRules(rng *rand.Rand) []Rule {
	rules := []Rule{{CFA, At("$rsp", rng.Int64N(4)*8)}, {RA, Word(CFA, -8)}}
	for _, reg := range []string{"rbx", "rbp", "r12", "r13"} {
		if rng.IntN(2) == 0 {
			continue
		}
		if rng.IntN(4) == 0 {
			reg = "$" + reg
		}
		values := []Value{Word(CFA, -16), Word(CFA, -24), At("rax", 0), {}, ParseValue("1 2 *"), ParseValue("1 3 *")}
		rules = append(rules, Rule{reg, values[rng.IntN(len(values))]})
	}
	rng.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	return rules
}

// The row between two sets of rules turns the one into the other, in which a
// register without a rule is as the callee has it. Equal rules need no row.
func TestApplyUndoesDiff(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		before, now := randomRules(rng), randomRules(rng)
		if got, want := meaning(Apply(slices.Clone(before), Diff(nil, before, now), 0)), meaning(now); got != want {
			t.Fatalf("from %s\nto %s\nit is %s", RuleText(before), want, got)
		}
		if row := Diff(nil, now, now); len(row) != 0 {
			t.Fatalf("from %s to itself: %s", RuleText(now), RuleText(row))
		}
	}
}

// meaning writes rules in one order, without '$' and without those of
// registers that stay as they are.
func meaning(rules []Rule) string {
	var lines []string
	for _, r := range rules {
		reg := strings.TrimPrefix(r.Reg, "$")
		if !sameReg(r.From.Base, reg) || r.From.Off != 0 || r.From.Load {
			lines = append(lines, reg+": "+r.From.String())
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// More rules than the limit are not kept, and those that are there change.
func TestApplyLimit(t *testing.T) {
	rules := Apply([]Rule{{"rbx", At("rax", 0)}}, []Rule{{"rbp", At("rax", 8)}, {"$rbx", At("rax", 16)}}, 1)
	if got := RuleText(rules); got != "$rbx: rax 16 +" {
		t.Errorf("rules %q", got)
	}
}

// A rule that fails in any way leaves its register unknown, never with the callee's value. All
// other callee-saved registers stay.
func TestFailedRulesForget(t *testing.T) {
	for _, arch := range cpu.All() {
		for reg := range cpu.Reg(len(arch.Regs)) {
			if !arch.CalleeSaved.Has(reg) {
				continue
			}
			for _, text := range []string{lost, "1 ^", "x", "x 8 + ^", CFA + " 8 + ^ ^ ^", "1 0 /", "1 2", ""} {
				checkForgotten(t, arch, reg, ParseValue(text))
			}
		}
	}
}

func checkForgotten(t *testing.T, arch *cpu.Arch, reg cpu.Reg, v Value) {
	t.Helper()
	p := picture{arch: arch, stack: asm.At(0x1000).Word(arch.Word, image+0x210, 1, 2, 3), regs: map[string]uint64{arch.RegName(arch.SP): 0x1000}}
	for r := range cpu.Reg(len(arch.Regs)) {
		if arch.CalleeSaved.Has(r) {
			p.regs[arch.RegName(r)] = 0xca11
		}
	}
	w := newWalk(p.input(t))
	sp, word := arch.RegName(arch.SP), int64(arch.Word)
	d := decision{trust: CFI, keep: arch.CalleeSaved, rules: []Rule{{arch.RegName(reg), v}, {RA, Word(CFA, -word)}, {CFA, At(sp, word)}}}
	c, ok := w.execute(&Frame{Frame: process.Frame{Regs: w.in.Regs}, base: 0x1000}, &d)
	want := arch.CalleeSaved&^cpu.SetOf(reg) | cpu.SetOf(arch.PC, arch.SP)
	if !ok || c.Regs.Known() != want {
		t.Errorf("%s: %s: %s: the caller knows %s", arch.Name, arch.RegName(reg), v.String(), known(arch, &c.Regs))
	}
}

// If the rule of the CFA or the return address fails, there is no caller.
func TestFailedCFA(t *testing.T) {
	w := newWalk(picture{arch: &cpu.AMD64, stack: asm.At(0x1000).U64(image+0x210, 0), regs: map[string]uint64{"rsp": 0x1000}}.input(t))
	for _, rules := range [][]Rule{
		{{CFA, Value{}}, {RA, Word("rsp", 0)}},
		{{CFA, Word("rsp", 0x1000)}, {RA, Word("rsp", 0)}},
		{{CFA, At("rsp", 8)}, {RA, Word("rbx", 0)}},
		{{CFA, At("rsp", 8)}, {RA, Value{}}},
		{{CFA, At("rsp", 8)}},
		{{CFA, At("rsp", -0x1000)}, {RA, Word("rsp", 0)}},
	} {
		if c, ok := w.execute(&Frame{Frame: process.Frame{Regs: w.in.Regs}}, &decision{rules: rules}); ok {
			t.Errorf("%s: caller %s", RuleText(rules), known(&cpu.AMD64, &c.Regs))
		}
	}
	if got := fmt.Sprint(w.hasUncaptured, w.uncaptured); got != "true 8192" {
		t.Errorf("uncaptured: %s", got)
	}
}
