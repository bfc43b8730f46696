package cfi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// A function is code that is made up together with what is true of its frame
// at each of its addresses.
type function struct {
	start uint64
	truth []frameTruth // by offset
	prog  []byte
}

// A frameTruth is what a debugger would know: the distance from the base
// register to the CFA, and where registers are saved, from the CFA.
type frameTruth struct {
	base  string
	cfa   int64
	saved map[string]int64
}

func (f frameTruth) clone() frameTruth {
	saved := map[string]int64{}
	for k, v := range f.saved {
		saved[k] = v
	}
	return frameTruth{f.base, f.cfa, saved}
}

// saveable are registers with their DWARF numbers.
var saveable = []struct {
	name string
	n    byte
}{{"$rbx", 3}, {"$rbp", 6}, {"$r12", 12}, {"$r13", 13}, {"$r14", 14}, {"$r15", 15}}

// random makes up a function: pushes, a frame, perhaps a frame pointer, an
// early epilogue between remembered states, and the last epilogue.
func random(rnd *rand.Rand, f *frames, start uint64) function {
	fn := function{start: start}
	now := frameTruth{base: "$rsp", cfa: 8, saved: map[string]int64{}}
	pass := func() { // some bytes of code with the frame as it is
		n := 1 + rnd.IntN(300)
		for range n {
			fn.truth = append(fn.truth, now.clone())
		}
		fn.prog = append(fn.prog, advance(rnd, f, start+uint64(len(fn.truth)), n)...)
	}
	pass()
	for _, i := range rnd.Perm(len(saveable))[:rnd.IntN(len(saveable)+1)] {
		now.cfa += 8
		now.saved[saveable[i].name] = -now.cfa
		fn.prog = append(fn.prog, join([]byte{0x0e}, asm.ULEB(uint64(now.cfa)))...)
		fn.prog = append(fn.prog, join([]byte{0x80 | saveable[i].n}, asm.ULEB(uint64(now.cfa/8)))...)
		pass()
	}
	if rnd.IntN(2) == 0 {
		now.base = "$rbp"
		fn.prog = append(fn.prog, 0x0d, 6)
	} else {
		now.cfa += 8 * rnd.Int64N(1000)
		fn.prog = append(fn.prog, join([]byte{0x13}, asm.SLEB(-now.cfa/8))...)
	}
	pass()
	for range rnd.IntN(4) { // returns in the middle
		body := now.clone()
		fn.prog = append(fn.prog, 0x0a)
		now = epilogue(rnd, &fn, now)
		pass()
		fn.prog = append(fn.prog, 0x0b)
		now = body
		pass()
	}
	now = epilogue(rnd, &fn, now)
	pass()
	return fn
}

func epilogue(rnd *rand.Rand, fn *function, now frameTruth) frameTruth {
	now = now.clone()
	for _, r := range saveable {
		if _, ok := now.saved[r.name]; ok && rnd.IntN(3) > 0 {
			delete(now.saved, r.name)
			fn.prog = append(fn.prog, 0xc0|r.n)
		}
	}
	now.base, now.cfa = "$rsp", 8
	fn.prog = append(fn.prog, 0x0c, 7, 8)
	return now
}

// advance moves by n bytes of code, in any of the ways.
func advance(rnd *rand.Rand, f *frames, to uint64, n int) []byte {
	switch kind := rnd.IntN(4); {
	case n < 64 && kind == 0:
		return []byte{0x40 | byte(n)}
	case n < 256 && kind <= 1:
		return []byte{2, byte(n)}
	case kind == 2:
		return join([]byte{4}, f.u32(uint32(n)))
	}
	return []byte{3, byte(n), byte(n >> 8)}
}

// describe writes a frame as rules in a fixed order.
func (f frameTruth) describe() string {
	out := fmt.Sprintf(".cfa: %s %d + .ra: .cfa -8 + ^", f.base, f.cfa)
	for _, r := range saveable {
		if off, ok := f.saved[r.name]; ok {
			out += fmt.Sprintf(" %s: .cfa %d + ^", r.name, off)
		}
	}
	return out
}

func inOrder(rules []unwind.Rule) string {
	out := unwind.RuleText(rules[:2])
	for _, r := range saveable {
		for _, rule := range rules[2:] {
			if rule.Reg == r.name && !rule.From.Equal(unwind.At(r.name, 0)) {
				out += " " + unwind.RuleText([]unwind.Rule{rule})
			}
		}
	}
	return out
}

// TestRandomFunctions asks at every address of random functions, and applies
// the listed tables row by row.
func TestRandomFunctions(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		f := ehFrame(0x50_0000)
		cie := f.cie(amd64CIE(0x1b))
		var fns []function
		next := uint64(0x40_1000)
		for range 1 + rnd.IntN(5) {
			fn := random(rnd, f, next)
			here := f.s.Here() + 8
			f.fde(cie, f.u32(uint32(fn.start-here), uint32(len(fn.truth))), []byte{0}, fn.prog)
			fns = append(fns, fn)
			next += uint64(len(fn.truth)) + rnd.Uint64N(100)
		}
		table := mustOpen(t, amd64(t, f))
		for _, fn := range fns {
			for i, truth := range fn.truth {
				rel := fn.start - 0x40_0000 + uint64(i)
				frame, ok := table.CallFrame(rel)
				if !ok || inOrder(frame.Rules) != truth.describe() || frame.Start != fn.start-0x40_0000 {
					t.Fatalf("seed %d, %#x: %s, want %s", seed, rel, inOrder(frame.Rules), truth.describe())
				}
			}
		}
		listsTheSame(t, table)
		if notes := table.Notes(); len(notes) > 0 {
			t.Fatalf("seed %d: %q", seed, notes)
		}
	}
}

// listsTheSame applies the listed rows and compares with CallFrame. Rows may
// keep a register that nothing is said of any more as itself.
func listsTheSame(t testing.TB, table *Table) {
	t.Helper()
	compact := func(rules []unwind.Rule) string {
		var words []string
		for _, r := range rules {
			if !r.From.Equal(unwind.At(r.Reg, 0)) {
				words = append(words, r.String())
			}
		}
		sortStrings(words)
		return strings.Join(words, " ")
	}
	err := table.EachCallFrame(func(x *unwind.CallFrameTable) error {
		rules := x.Rules
		for i, at := 0, x.Start; ; i++ {
			frame, ok := table.CallFrame(at)
			sayable := len(rules) > 0 && !rules[0].From.IsLost()
			if frame.Start == x.Start && (ok != sayable || ok && compact(frame.Rules) != compact(rules)) {
				t.Fatalf("%#x: CallFrame has %s, %v, and the listing %s", at, compact(frame.Rules), ok, compact(rules))
			}
			if i == len(x.Rows) {
				return nil
			}
			at = x.Rows[i].Addr
			rules = apply(rules, x.Rows[i].Rules)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
