package variables

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// knownOf are the texts of values that are known, by the names that lead to them.
func knownOf(out map[string]string, path string, v *Value) map[string]string {
	path += "." + v.Name
	if v.Said && v.State == Known {
		out[path] = v.Text
	}
	for _, c := range v.Children {
		knownOf(out, path, c)
	}
	return out
}

// withLess checks that a dump with less memory has fewer values, and no different ones.
func withLess(t *testing.T, m memory, v Variable) {
	t.Helper()
	whole := knownOf(map[string]string{}, "", Read(frameOf(m, v), Limits{})[0].Values[0])
	for base, data := range m {
		for _, n := range []int{0, len(data) / 2, len(data) - 1} {
			less := maps.Clone(m)
			less[base] = data[:max(n, 0)]
			for path, text := range knownOf(map[string]string{}, "", Read(frameOf(less, v), Limits{})[0].Values[0]) {
				if of, ok := whole[path]; ok && text != of && !beginsSo(of, text) {
					t.Errorf("%s with %d of %d bytes at %#x: %s, and %s with all", path, n, len(data), base, text, of)
				}
			}
		}
	}
}

// beginsSo reports whether a text is the beginning of another: of a string that
// ends where the dump does.
func beginsSo(whole, text string) bool {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "…"), `"`)
	return strings.HasPrefix(whole, text)
}

// everyMember calls visit with each member that a type leads to.
func everyMember(t *types.Type, seen map[*types.Type]bool, visit func(*types.Member)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	for i := range t.Members {
		visit(&t.Members[i])
		everyMember(t.Members[i].Type.Get(), seen, visit)
	}
	everyMember(t.Elem.Get(), seen, visit)
	for _, a := range t.Args {
		everyMember(a.Type.Get(), seen, visit)
	}
	if t.Variants != nil {
		for i := range t.Variants.List {
			everyMember(t.Variants.List[i].Member.Type.Get(), seen, visit)
		}
	}
}

// tells is a member whose absence has a meaning: strings of libc++ before LLVM 15 have none.
const tells = "__is_long_"

// withoutMembers checks that a type of another version of its library, in which one member has
// another name, gives the same meaning or none.
func withoutMembers(t *testing.T, m memory, v Variable) {
	t.Helper()
	m = maps.Clone(m)
	m[0] = make([]byte, 0x10) // a missing pointer must not be taken for one to 0
	whole := Read(frameOf(m, v), Limits{})[0].Values[0]
	everyMember(v.Type.Get(), map[*types.Type]bool{}, func(of *types.Member) {
		name := of.Name
		if name == tells {
			return
		}
		of.Name += "?"
		got := Read(frameOf(m, v), Limits{})[0].Values[0]
		of.Name = name
		if got.Said && got.Text != whole.Text && !isLess(got.Text) {
			t.Errorf("%s without %s: %q, and %q with it", types.Spell(v.Type.Get()), name, got.Text, whole.Text)
		}
	})
}

// isLess reports whether a text says less than another meaning, but nothing wrong: the address of a
// map, or how many own an object.
func isLess(text string) bool {
	return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "strong=")
}

// withLimits checks that limits omit values, and change none.
func withLimits(t *testing.T, m memory, v Variable) {
	t.Helper()
	all := Read(frameOf(m, v), Limits{})[0].Values[0]
	whole := knownOf(map[string]string{}, "", all)
	for _, l := range []Limits{{Elements: 1}, {Elements: 2}, {Depth: 1}, {Depth: 2}, {Values: 1}, {Values: 2}, {Values: 5}, {Bytes: 8}, {Bytes: 40}} {
		got := Read(frameOf(m, v), l)[0].Values[0]
		for path, text := range knownOf(map[string]string{}, "", got) {
			if of, ok := whole[path]; ok && text != of && !beginsSo(of, text) && !isLess(text) {
				t.Errorf("%s with %+v: %s, and %s without", path, l, text, of)
			}
		}
		n := 0
		for _, c := range got.Children {
			if !c.Raw {
				n++
			}
		}
		if _, sized := strings.CutPrefix(got.Text, "size="); sized && l.Elements > 0 && n > l.Elements {
			t.Errorf("%s with %+v has %d elements", types.Spell(v.Type.Get()), l, n)
		} else if of := n + int(got.More); sized && got.State != Inconsistent && got.Text == all.Text && got.Text != "size="+strconv.Itoa(of) {
			t.Errorf("%s with %+v: %s of %d", types.Spell(v.Type.Get()), l, got.Text, of)
		}
		if n := count([]*Value{got}); l.Values > 0 && n > l.Values+8 {
			t.Errorf("%s with %+v: %d values", types.Spell(v.Type.Get()), l, n)
		}
	}
}

// withDamage checks that a word with any value makes a value smaller, larger or unknown, but keeps
// it consistent: the elements that are shown and those that are omitted are as many as it says. Only
// the first words of each range are damaged: those of a header or a node.
func withDamage(t *testing.T, m memory, v Variable) {
	t.Helper()
	if runtime.GOOS == "js" {
		return // it is the same code, and thousands of reads
	}
	for base, data := range m {
		for off := 0; off+8 <= min(len(data), 48); off += 8 {
			for _, bad := range []uint64{0, 12, 1 << 40, ^uint64(0)} {
				damaged := maps.Clone(m)
				damaged[base] = slices.Concat(data[:off], words(bad), data[off+8:])
				got := Read(frameOf(damaged, v), Limits{Values: 200, Bytes: 1 << 13})[0].Values[0]
				n := uint64(0)
				for _, c := range got.Children {
					if !c.Raw {
						n++
					}
				}
				if size, err := strconv.ParseUint(strings.TrimPrefix(got.Text, "size="), 10, 64); err == nil && size >= 1<<40 && got.State == Known {
					t.Errorf("%#x at %#x: %s is plausible", bad, base+uint64(off), got.Text)
				}
				if size, sized := strings.CutPrefix(got.Text, "size="); sized && size != unsigned(n+got.More) && got.State != Inconsistent {
					t.Errorf("%#x at %#x: %s of %d and %d", bad, base+uint64(off), got.Text, n, got.More)
				}
				if n := count([]*Value{got}); n > 220 {
					t.Errorf("%#x at %#x: %d values", bad, base+uint64(off), n)
				}
			}
		}
	}
}
