package dwarf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
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

// A file that is searched finds what another unit says: the unit of the set below, and those that follow
// it, are read.
func TestSearchedReferences(t *testing.T) {
	d := threeUnits()
	sections := d.sections(t, nil)
	second := int(d.info.Addr("unit " + fmt.Sprint(firstLength(sections["info"]))))
	for name, aranges := range map[string][]byte{
		"sets of both units with code": slices.Concat(set(t, 0, 0x1000, 0x100), set(t, second, 0x2000, 0x10)),
		"a set of the first":           set(t, 0, 0x1000, 0x100),
	} {
		sections["aranges"] = aranges
		f := open(sections, waiting())
		loc, ok := f.Locate(0x1018)
		if !ok || loc.Function != "far" || len(loc.Inlines) != 1 || loc.Inlines[0].Function != "inlined" {
			t.Errorf("%s: %+v, %v", name, loc, ok)
		}
		if f.x != nil || f.Unanswered() != 0 {
			t.Errorf("%s: all headers were read, %d questions are open", name, f.Unanswered())
		}
	}
}

// A reference to a unit that is not found among the next ones needs all headers.
func TestSearchedReferenceTooFar(t *testing.T) {
	d := newTree().unit(4, cplus(tag(tagSubprogram, says{atAbstractOrigin, far("far")}, says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100})))
	for range maxNextUnit {
		d.unit(4, tag(tagPartialUnit))
	}
	d.unit(4, tag(tagPartialUnit, tag(tagSubprogram, "far")))
	sections := d.sections(t, map[string][]byte{"aranges": set(t, 0, 0x1000, 0x100)})
	f := open(sections, waiting())
	if loc, ok := f.Locate(0x1018); ok || f.Unanswered() != 1 {
		t.Errorf("%+v, %v, %d questions are open", loc, ok, f.Unanswered())
	}
	f = open(sections, Options{Search: true})
	if loc, _ := f.Locate(0x1018); loc.Function != "far" || f.x == nil { // the name was not kept as missing
		t.Errorf("%+v", loc)
	}
	check(t, f)
}

// Variables of a file that is searched are read with the types of other units.
func TestSearchedVariables(t *testing.T) {
	d := threeUnits()
	sections := d.sections(t, map[string][]byte{"aranges": set(t, 0, 0x1000, 0x100)})
	for name, opt := range map[string]Options{"searched": {Search: true}, "waiting": waiting(), "whole": {}} {
		f := open(sections, opt)
		if got, want := values.Shown(frame(f, 0x1080, nil)), "far: v = 7"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// firstLength is where the first unit ends.
func firstLength(info []byte) int {
	r := buffer{b: info}
	n, _ := r.length()
	return int(n) + r.at
}

// Files whose hints cannot be used read all headers for the first question.
func TestNotAsked(t *testing.T) {
	right := set(t, 0, 0x1000, 0x100)
	for name, test := range map[string]struct {
		aranges  []byte
		opt      Options
		extra    bool
		searches bool
	}{
		"searched":                 {aranges: right, opt: Options{Search: true}, searches: true},
		"not wanted":               {aranges: right, opt: Options{}},
		"no section":               {opt: Options{Search: true}},
		"no range":                 {aranges: set(t, 0), opt: Options{Search: true}},
		"a damaged section":        {aranges: append(slices.Clone(right), 9), opt: Options{Search: true}},
		"addresses of 2 bytes":     {aranges: replaced(right, 10, 2), opt: Options{Search: true}},
		"with a supplementary one": {aranges: right, opt: Options{Search: true}, extra: true},
	} {
		f := open(threeUnits().sections(t, map[string][]byte{"aranges": test.aranges}), test.opt)
		if test.extra {
			f.Supplement(Sections{})
		}
		f.mu.Lock()
		if searching := f.searching(); searching != test.searches {
			t.Errorf("%s: searched %v", name, searching)
		}
		f.mu.Unlock()
		if loc, _ := f.Locate(0x1018); loc.Function != "far" {
			t.Errorf("%s: %+v", name, loc)
		}
	}
}

// An address in the hints is answered only if the unit says so itself, and has a function there.
func TestHintsAreChecked(t *testing.T) {
	for name, test := range map[string]struct {
		unit    int
		pairs   []uint64
		rel     uint64
		certain bool
	}{
		"right":                          {unit: 0, pairs: []uint64{0x1000, 0x100}, rel: 0x1018, certain: true},
		"where the unit has no code":     {unit: 0, pairs: []uint64{0x5000, 0x100}, rel: 0x5000},
		"behind the code of the unit":    {unit: 0, pairs: []uint64{0x1000, 0x2000}, rel: 0x2000},
		"where the unit has no function": {unit: 0, pairs: []uint64{0x1000, 0x1000}, rel: 0x1100},
		"of no unit":                     {unit: 3, pairs: []uint64{0x1000, 0x100}, rel: 0x1018},
		"behind the section":             {unit: 1 << 20, pairs: []uint64{0x1000, 0x100}, rel: 0x1018},
	} {
		f := open(threeUnits().sections(t, map[string][]byte{"aranges": set(t, test.unit, test.pairs...)}), waiting())
		if _, ok := f.Function(test.rel); ok != test.certain || f.Unanswered() != map[bool]int{false: 1}[test.certain] {
			t.Errorf("%s: an answer: %v, %d questions are open", name, ok, f.Unanswered())
		}
	}
}

// EachFirst of a searched file reads unit by unit and no headers of later ones.
func TestEachFirstReadsUnitByUnit(t *testing.T) {
	sections, _ := inOrder(t, 50, 4000)
	for name, opt := range map[string]Options{"searched": waiting(), "whole": {}} {
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
		if name == "searched" && (f.x != nil || read.calls > 12) {
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

// Where functions of two units contain an address the one that begins last counts, searched or not.
func TestSearchedOverlap(t *testing.T) {
	info := slices.Concat(
		unit4(func(s *asm.Section) {
			s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(2).Bytes(text("outer")).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(0)
		}).Build(t),
		unit4(func(s *asm.Section) {
			s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(2).Bytes(text("inner")).U64(0x1040).Bytes(asm.ULEB(0x40)).U8(0)
		}).Build(t))
	second := firstLength(info)
	whole := openInfo(info)
	f := openInfo(info)
	f.opt = waiting()
	f.main.sections["aranges"] = newSection("aranges", source(slices.Concat(set(t, 0, 0x1000, 0x100), set(t, second, 0x1040, 0x40))))
	for rel, name := range map[uint64]string{0x1000: "outer", 0x103f: "outer", 0x1040: "inner", 0x107f: "inner", 0x1080: "outer"} {
		want, _ := whole.Function(rel)
		if fn, ok := f.Function(rel); !ok || fn.Name != name || fn != want {
			t.Errorf("%#x: %+v, want %+v", rel, fn, want)
		}
	}
	if n, err := f.Scan(); n != 0 || err != nil {
		t.Errorf("%d answers differ, %v", n, err)
	}
}

// Variables that were queried before all headers could be read are found afterwards: that there were
// none is not remembered.
func TestScopesAfterWaiting(t *testing.T) {
	sections := threeUnits().sections(t, nil) // no .debug_aranges: every question needs all headers
	wait := true
	f := open(sections, Options{Search: true, BeforeRead: func(int64) error {
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
