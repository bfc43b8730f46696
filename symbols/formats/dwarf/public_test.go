package dwarf

import (
	"errors"
	"fmt"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// symbolsAt are the symbols of a linker: functions of DWARF at 0x1000 and
// 0x1200, code of assembly at 0x1100 and 0x1300.
func symbolsAt(rel uint64) (p symbolize.Public, ok bool) {
	for _, p = range []symbolize.Public{{Name: "asm2", Start: 0x1300, Stated: 8}, {Name: "g", Start: 0x1200},
		{Name: "asm", Start: 0x1100, Multiple: true}, {Name: "f", Start: 0x1000}} {
		if p.Start <= rel {
			return p, true
		}
	}
	return symbolize.Public{}, false
}

// twoFunctions is a tree of two functions of 0x80 bytes.
func twoFunctions() *tree {
	function := func(name string, low int) ent {
		return tag(tagSubprogram, name, says{atLowPC, addr(low)}, says{atHighPC, 0x80})
	}
	return newTree().unit(5, cplus(function("f", 0x1000), function("g", 0x1200)))
}

// Where DWARF has no function, the linker's symbol is used. It is not used behind the end of its own
// function.
func TestPublicSymbolsBesideDWARF(t *testing.T) {
	f := twoFunctions().open(t)
	for rel, want := range map[uint64]symbolize.Location{
		0x0fff: {},
		0x1000: {Function: "f", Start: 0x1000, Size: 0x80},
		0x107f: {Function: "f", Start: 0x1000, Size: 0x80},
		0x1080: {}, // behind f
		0x10ff: {},
		0x1100: {Function: "asm", Start: 0x1100, Public: true, Multiple: true},
		0x11ff: {Function: "asm", Start: 0x1100, Public: true, Multiple: true},
		0x1200: {Function: "g", Start: 0x1200, Size: 0x80},
		0x1280: {},
		0x1308: {Function: "asm2", Start: 0x1300, Public: true, Stated: 8},
	} {
		loc, ok := f.LocateOr(rel, symbolsAt)
		if fmt.Sprint(loc) != fmt.Sprint(want) || ok != (want.Function != "") {
			t.Errorf("%#x: %+v, %v; want %+v", rel, loc, ok, want)
		}
		wanted := unwind.Function{Name: want.Function, Start: want.Start, Size: want.Size, Public: want.Public, Stated: want.Stated}
		if fn, ok := f.FunctionOr(rel, symbolsAt); fn != wanted || ok != (want.Function != "") {
			t.Errorf("%#x: %+v, %v; want %+v", rel, fn, ok, wanted)
		}
	}
}

// Symbols are listed where no function is, and not where a function has its own or that of another one.
func TestEachOutside(t *testing.T) {
	function := func(name string, low, size int) ent {
		return tag(tagSubprogram, name, says{atLowPC, addr(low)}, says{atHighPC, size})
	}
	f := newTree().unit(5, cplus(function("d", 0x1800, 0x10), function("a", 0x1000, 0x40), function("inside", 0x1010, 0x10), function("b", 0x1040, 0x10),
		function("c", 0x1051, 1))).open(t)
	var got []uint64
	err := f.EachOutside(startList{0, 0xfff, 0x1000, 0x104f, 0x1050, 0x1051, 0x1052, 0x180f, 0x1810, 1<<64 - 1}, func(p symbolize.Public) error {
		got = append(got, p.Start)
		return nil
	})
	if want := "[0 fff 1050 1052 1810 ffffffffffffffff]"; err != nil || fmt.Sprintf("%x", got) != want {
		t.Errorf("%x, %v; want %s", got, err, want)
	}
	if err := newTree().open(t).EachOutside(startList{0}, func(symbolize.Public) error { return errors.New("outside") }); err == nil {
		t.Error("without functions an address is in one")
	}
}

// startList is a linker's table of symbols.
type startList []uint64

func (s startList) Len() int           { return len(s) }
func (s startList) Start(i int) uint64 { return s[i] }
func (s startList) Public(i int) symbolize.Public {
	return symbolize.Public{Name: "public", Start: s[i]}
}

// A caller that wants a few functions ends the listing by an error, and gets them
// in the order of the file.
func TestEachFirst(t *testing.T) {
	enough := errors.New("enough")
	for _, test := range []struct {
		want int
		list string
		err  error
	}{{1, "[f]", enough}, {2, "[f g]", enough}, {3, "[f g]", nil}} {
		var names []string
		err := twoFunctions().open(t).EachFirst(func(fn *symbolize.Function) error {
			names = append(names, fn.Name)
			if len(names) == test.want {
				return enough
			}
			return nil
		})
		if fmt.Sprint(names) != test.list || err != test.err {
			t.Errorf("%v, %v", names, err)
		}
	}
}

// A file without units is empty; that a unit is damaged does not make it so.
func TestEmpty(t *testing.T) {
	for _, test := range []struct {
		sections map[string][]byte
		want     bool
	}{
		{want: true},
		{sections: map[string][]byte{"info": {}}, want: true},
		{sections: map[string][]byte{"line": {1, 2, 3}}, want: true},
		{sections: map[string][]byte{"info": {1}}},
	} {
		if got := open(test.sections, Options{}).Empty(); got != test.want {
			t.Errorf("%v: %v", test.sections, got)
		}
	}
}

// Split units that are not there are counted, and the first are named without
// folders. A unit without code refers to a module, which has no function.
func TestMissingSplitUnits(t *testing.T) {
	d := newTree()
	unit := func(name string, code bool) {
		parts := []any{says{atDwoName, name}}
		if code {
			parts = append(parts, says{atLowPC, addr(0x1000 + 0x100*len(d.decls))}, says{atHighPC, 0x10})
		}
		d.unit(5, tag(tagSkeletonUnit, parts...).at(name))
	}
	for _, name := range []string{"/build/a.dwo", "obj/b.dwo", "c.dwo", "d.dwo"} {
		unit(name, true)
	}
	unit("module.pcm", false)
	f := d.open(t)
	if got := f.Missing(); got.Units != 0 {
		t.Errorf("before a question: %+v", got)
	}
	f.Locate(0x1000)
	if got := fmt.Sprintf("%+v", f.Missing()); got != "{Units:4 Files:[a.dwo b.dwo c.dwo]}" {
		t.Error(got)
	}
}

// A readTable records the symbols whose names were read.
type readTable struct {
	list []symbolize.Public
	read []uint64
}

func (t *readTable) Len() int           { return len(t.list) }
func (t *readTable) Start(i int) uint64 { return t.list[i].Start }
func (t *readTable) Public(i int) symbolize.Public {
	t.read = append(t.read, t.list[i].Start)
	return t.list[i]
}

// The symbols outside of functions are listed. The names of the others are not read, and an error
// ends the listing.
func TestSymbolsOutsideOfFunctions(t *testing.T) {
	f := twoFunctions().open(t)
	list := []symbolize.Public{{Name: "before", Start: 0xfff}, {Name: "f", Start: 0x1000}, {Name: "label", Start: 0x107f}, {Name: "asm", Start: 0x1080, Multiple: true}, {Start: 0x1100}, {Name: "after", Start: 0x1280}}
	table := &readTable{list: list}
	var got []symbolize.Public
	err := f.EachOutside(table, func(p symbolize.Public) error { got = append(got, p); return nil })
	if want := []symbolize.Public{list[0], list[3], list[5]}; err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if fmt.Sprintf("%x", table.read) != "[fff 1080 1100 1280]" {
		t.Errorf("names read at %x", table.read)
	}
	calls := 0
	if err := f.EachOutside(table, func(symbolize.Public) error { calls++; return unwantedError }); err != unwantedError || calls != 1 {
		t.Errorf("%v after %d", err, calls)
	}
	broken := twoFunctions().open(t)
	broken.opt.Progress = func(int64, int64) error { return unwantedError }
	if err := broken.EachOutside(table, nil); err != unwantedError {
		t.Errorf("%v where functions cannot be listed", err)
	}
}
