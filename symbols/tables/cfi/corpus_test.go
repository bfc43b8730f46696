package cfi

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
)

// TestAgainstSymbolFiles compares with the symbol files that dump_syms made of
// the same images: at every address where either changes, the rules of both
// are evaluated. DIFFERENCES.md explains the classes.
func TestAgainstSymbolFiles(t *testing.T) {
	needCorpus(t)
	all := difference{classes: map[string]int{}}
	for _, pair := range pairs(t) {
		t.Run(filepath.Base(pair.image), func(t *testing.T) {
			table := mustOpen(t, pair.sections(t, pair.image))
			diff := compare(t, table, pair.symbols)
			t.Logf("%d addresses: %v", diff.addresses, diff.classes)
			if notes := table.Notes(); len(notes) > 0 {
				t.Errorf("notes %q", notes)
			}
			for class, example := range diff.examples {
				if !slices.Contains(explained, class) {
					t.Errorf("%s: %d of %d addresses, such as %s", class, diff.classes[class], diff.addresses, example)
				}
			}
			all.addresses += diff.addresses
			for class, n := range diff.classes {
				all.classes[class] += n
			}
		})
	}
	// .ra: .ra is no rule at all, and all others together are rare.
	rest := all.differ() - all.classes[itself]
	t.Logf("%d of %d addresses differ, %d apart from those where %s", all.differ(), all.addresses, rest, itself)
	if all.addresses < 10000 || rest*100 > all.addresses {
		t.Errorf("%d of %d addresses differ, want 1 %% at most: %v", rest, all.addresses, all.classes)
	}
}

type pair struct {
	image, symbols string
	sections       func(testing.TB, string) Sections
}

func pairs(t *testing.T) []pair {
	var out []pair
	images, _ := filepath.Glob(corpus + "real/native/*")
	for _, image := range images {
		syms, _ := filepath.Glob(corpus + "real/symbols/" + filepath.Base(image) + "/*/*.sym")
		if len(syms) != 1 {
			t.Errorf("%s has %d symbol files", image, len(syms))
			continue
		}
		out = append(out, pair{image: image, symbols: syms[0], sections: elfSections})
	}
	native := corpus + "public/native/"
	return append(out,
		pair{image: native + "dump_syms/linux/basic.full", symbols: native + "dump_syms/linux/basic.full.sym", sections: elfSections},
		pair{image: native + "symbolic/linux/crash", symbols: native + "symbolic/linux/crash.sym", sections: elfSections},
		pair{image: native + "symbolic/macos/crash", symbols: native + "symbolic/macos/crash.sym", sections: machoSections})
}

type difference struct {
	addresses int
	classes   map[string]int
	examples  map[string]string
}

func (d *difference) differ() (n int) {
	for _, k := range d.classes {
		n += k
	}
	return n
}

func compare(t *testing.T, table *Table, path string) difference {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sym, err := breakpad.Open(source(data), breakpad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := difference{classes: map[string]int{}, examples: map[string]string{}}
	arch := cpu.ByName(table.s.Arch)
	for _, rel := range boundaries(t, table, data) {
		d.addresses++
		ours, ok := table.CallFrame(rel)
		theirs, okSym := sym.CallFrame(rel)
		if class := classify(arch, ours, theirs, ok, okSym); class != "" {
			d.classes[class]++
			d.examples[class] = fmt.Sprintf("%#x: %v and %v", rel, ours.Rules, theirs.Rules)
		}
	}
	return d
}

// boundaries are the addresses where the rules of either change.
func boundaries(t *testing.T, table *Table, sym []byte) []uint64 {
	seen := map[uint64]bool{}
	err := table.EachCallFrame(func(x *unwind.CallFrameTable) error {
		seen[x.Start], seen[x.Start+x.Size], seen[x.Start+x.Size-1] = true, true, true
		for _, r := range x.Rows {
			seen[r.Addr] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(sym))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || fields[0] != "STACK" || fields[1] != "CFI" {
			continue
		}
		if fields[2] == "INIT" {
			start, _ := strconv.ParseUint(fields[3], 16, 64)
			size, _ := strconv.ParseUint(fields[4], 16, 64)
			seen[start], seen[start+size], seen[start+size-1] = true, true, true
			continue
		}
		addr, _ := strconv.ParseUint(fields[2], 16, 64)
		seen[addr] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// classify names the way in which two answers differ, or "".
func classify(arch *cpu.Arch, ours, theirs unwind.CallFrame, ok, okSym bool) string {
	switch {
	case !ok && !okSym:
		return ""
	case !ok:
		return "only the symbol file has rules"
	case !okSym:
		return "only the image has rules"
	case ours.Start != theirs.Start || ours.Size != theirs.Size:
		return "ranges"
	}
	a, b := newState(arch, 1).caller(ours.Rules), newState(arch, 1).caller(theirs.Rules)
	for _, name := range append([]string{".cfa", ".ra"}, arch.Regs...) {
		if a[name] != b[name] {
			return why(arch, ours, theirs, name)
		}
	}
	return ""
}

// why says how a rule differs.
func why(arch *cpu.Arch, ours, theirs unwind.CallFrame, name string) string {
	a, b := ruleOf(arch, ours.Rules, name), ruleOf(arch, theirs.Rules, name)
	switch words := strings.Fields(a); {
	case name == ".ra" && a == lost:
		return undefinedReturn
	case name == ".ra" && b == name:
		return itself
	case name == ".cfa" && len(words) > 3, len(words) > 0 && strings.HasSuffix(words[0], "bp"):
		return expressions
	case a == "" && strings.HasPrefix(b, ".cfa "):
		return restored
	case a == "" && strings.TrimPrefix(b, "$") == name:
		return scratch
	}
	return name + " differs"
}

// explained are the classes of DIFFERENCES.md.
var explained = []string{undefinedReturn, itself, expressions, restored, scratch}

const (
	undefinedReturn = "no return address"
	itself          = "a restored return address is itself"
	expressions     = "DWARF expressions"
	restored        = "restored registers"
	scratch         = "restored scratch registers"
)

func ruleOf(arch *cpu.Arch, rules []unwind.Rule, name string) string {
	want, isReg := arch.Reg(name)
	for _, r := range rules {
		reg, ok := arch.Reg(r.Reg)
		if r.Reg == name || ok && isReg && reg == want {
			return r.Text()
		}
	}
	return ""
}
