package dwarf

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/values"
)

// threeUnits has a function and an inlined call in the first unit whose origins are in the third, which
// has no code. The second one has nothing to do with them.
func threeUnits() *tree {
	return newTree().
		unit(4, cplus(tag(tagSubprogram, says{atAbstractOrigin, far("far")}, says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100},
			tag(tagInlined, says{atAbstractOrigin, far("inlined")}, says{atLowPC, addr(0x1010)}, says{atHighPC, 0x10}),
			tag(tagVariable, "v", says{atType, far("int")}, says{atConstValue, 7})))).
		unit(4, tag(tagCompileUnit, says{atLowPC, addr(0x2000)}, says{atHighPC, 0x10}, tag(tagSubprogram, "other", says{atLowPC, addr(0x2000)}, says{atHighPC, 0x10}))).
		unit(4, tag(tagPartialUnit, tag(tagSubprogram, "far"), tag(tagSubprogram, "inlined"), base("int", encodingSigned, 4)))
}

// Variables of a large file are read with the types of other units.
func TestSearchedVariables(t *testing.T) {
	d := threeUnits()
	sections := d.sections(t, map[string][]byte{"aranges": set(t, 0, 0x1000, 0x100)})
	for name, opt := range map[string]Options{"large": {Waits: true}, "whole": {}} {
		f := open(sections, opt)
		if got, want := values.Shown(frame(f, 0x1080, nil)), "far: v = 7"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// EachFirst of a large file reads unit by unit and no headers of later ones.
func TestEachFirstReadsUnitByUnit(t *testing.T) {
	sections, _ := inOrder(t, 50, 4000)
	for name, opt := range map[string]Options{"large": waiting(), "whole": {}} {
		f, read := openCounted(sections, opt)
		var names []string
		err := f.EachFirst(func(fn *symbolize.Function) error {
			if names = append(names, fn.Name); len(names) == 3 {
				return unwantedError
			}
			return nil
		})
		if err != unwantedError || strings.Join(names, " ") != "f0 f1 f2" {
			t.Errorf("%s: %q, %v", name, names, err)
		}
		if name == "large" && (f.x != nil || read.calls > 12) {
			t.Errorf("%d reads for three functions", read.calls)
		}
	}
	all := 0
	f := open(sections, waiting())
	if err := f.EachFirst(func(*symbolize.Function) error { all++; return nil }); err != nil || all != 50 || f.x != nil {
		t.Errorf("%d functions, %v", all, err)
	}
	// Units without code are passed over, and a damaged header ends the list.
	d := newTree().unit(4, tag(tagPartialUnit, tag(tagSubprogram, "no"))).unit(4, cplus(tag(tagSubprogram, "yes", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x10})))
	damaged := d.sections(t, map[string][]byte{"aranges": set(t, 0, 0x1000, 0x10)})
	damaged["info"] = append(damaged["info"], 0xff, 0, 0, 0)
	var names []string
	f = open(damaged, waiting())
	if err := f.EachFirst(func(fn *symbolize.Function) error { names = append(names, fn.Name); return nil }); err != nil || fmt.Sprint(names) != "[yes]" {
		t.Errorf("%q, %v", names, err)
	}
}

// Variables that were queried before all headers could be read are found afterwards: that there were
// none is not remembered.
func TestScopesAfterWaiting(t *testing.T) {
	sections := threeUnits().sections(t, nil)
	wait := true
	f := open(sections, Options{Waits: true, BeforeRead: func(int64) error {
		if wait {
			return errPending
		}
		return nil
	}})
	if got := values.Shown(frame(f, 0x1080, nil)); got != "" {
		t.Errorf("before the headers were read: %s", got)
	}
	wait = false
	if got, want := values.Shown(frame(f, 0x1080, nil)), "far: v = 7"; got != want {
		t.Errorf("%q, want %s", got, want)
	}
}
