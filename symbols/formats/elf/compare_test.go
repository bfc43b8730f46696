package elf

import (
	"cmp"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
)

// A comparison is what both say of one address.
type comparison struct {
	f            *File
	rel          uint64
	ours, theirs symbolize.Location // with names made plain
	raw          symbolize.Location // ours as it is
	ok, theirOK  bool
}

func (c *comparison) same() bool { return c.ok == c.theirOK && reflect.DeepEqual(c.ours, c.theirs) }

// A class of differences. Each has its heading in DIFFERENCES.md.
type class struct {
	name string
	is   func(c *comparison) bool
}

var classes = []class{
	{"The code of a section", func(c *comparison) bool {
		return c.raw.Public && strings.HasSuffix(c.raw.Function, " ELF section in "+c.f.opt.Name+">") && (c.theirs.Public || !c.theirOK)
	}},
	{"Stubs for calls of other modules", func(c *comparison) bool {
		_, _, ok := c.f.stubs().at(c.rel)
		return ok && c.raw.Public && strings.HasSuffix(c.raw.Function, "@plt") && (c.theirs.Public || !c.theirOK)
	}},
	{"Behind all code", func(c *comparison) bool { return !c.ok && c.theirs.Public && c.f.sectionAt(c.rel) == nil }},
	{originsLater, func(c *comparison) bool {
		// What is left of both is the same place in the innermost function.
		return innermost(c.ours) == innermost(c.theirs) && len(c.ours.Inlines) == 1 && len(c.theirs.Inlines) == 0 && c.ours.Function == c.theirs.Function
	}},
	{"Calls without a line of their own", func(c *comparison) bool {
		if len(c.ours.Inlines) == 0 || c.ours.Inlines[0].Line != 0 {
			return false
		}
		ours := c.ours
		ours.Inlines = ours.Inlines[1:]
		return reflect.DeepEqual(ours, c.theirs)
	}},
	{"Inherited constructors", func(c *comparison) bool {
		if len(c.ours.Inlines) != len(c.theirs.Inlines) {
			return false
		}
		ours := c.ours
		ours.Inlines = append([]symbolize.Inline(nil), ours.Inlines...)
		for i := range ours.Inlines {
			if strings.Contains(c.raw.Inlines[i].Function, "CI") {
				ours.Inlines[i].Function = c.theirs.Inlines[i].Function
			}
		}
		return reflect.DeepEqual(ours, c.theirs)
	}},
	{elsewhere, func(c *comparison) bool {
		theirs := c.theirs
		theirs.File = strings.TrimPrefix(theirs.File, "/")
		theirs.Inlines = append([]symbolize.Inline(nil), theirs.Inlines...)
		for i := range theirs.Inlines {
			theirs.Inlines[i].File = strings.TrimPrefix(theirs.Inlines[i].File, "/")
		}
		return c.ours.File != "" && reflect.DeepEqual(c.ours, theirs)
	}},
	{severalNames, func(c *comparison) bool {
		start := func(s symbol, rel uint64) int { return cmp.Compare(s.addr, rel) }
		all := c.f.names().aliases
		at, _ := slices.BinarySearchFunc(all, c.ours.Start, start)
		named := func(s symbol) bool { return s.addr == c.ours.Start && c.f.names().nameOf(s) == c.ours.Function }
		theirs := c.theirs
		theirs.Function = c.ours.Function
		return slices.ContainsFunc(all[at:], named) && reflect.DeepEqual(c.ours, theirs)
	}},
	{scopes, func(c *comparison) bool {
		ours := c.ours
		ours.Inlines = append([]symbolize.Inline(nil), ours.Inlines...)
		for i := range min(len(ours.Inlines), len(c.theirs.Inlines)) {
			if strings.HasSuffix(ours.Inlines[i].Function, "::"+c.theirs.Inlines[i].Function) {
				ours.Inlines[i].Function = c.theirs.Inlines[i].Function
			}
		}
		return reflect.DeepEqual(ours, c.theirs)
	}},
	{"The lowest bit of Thumb code", func(c *comparison) bool {
		return c.f.h.machine == machineARM && (c.ours.Start == c.theirs.Start&^1 && c.theirs.Start&1 != 0 || c.rel == c.ours.Start && c.theirs.Start < c.ours.Start)
	}},
}

// innermost is the file and line of an address itself.
func innermost(l symbolize.Location) (at struct {
	File string
	Line uint32
}) {
	at.File, at.Line = l.File, l.Line
	if len(l.Inlines) > 0 {
		at.File, at.Line = l.Inlines[0].File, l.Inlines[0].Line
	}
	return at
}

// Two classes are those where the answer of dump_syms is wrong, one those where both are right, and one where dump_syms says less.
const (
	scopes       = "Scopes of inlined functions"
	severalNames = "Several names of one function"
	originsLater = "Origins that come later"
	elsewhere    = "Files in a folder that is elsewhere"
)

// TestSameAsSym asks at every address where an answer changes. At least 98 of
// 100 answers are what dump_syms wrote, apart from those that it has wrong and other names of one function, and
// each that is not is of a class that DIFFERENCES.md explains.
func TestSameAsSym(t *testing.T) {
	all, same := 0, 0
	counts := map[string]int{}
	for _, p := range pairs() {
		t.Run(p.file, func(t *testing.T) {
			f, sym, addrs := p.open(t)
			all += len(addrs)
			for _, rel := range addrs {
				c := comparison{f: f, rel: rel}
				c.raw, c.ok = f.Locate(rel)
				c.theirs, c.theirOK = sym.Locate(rel)
				c.ours, c.theirs = comparable(c.raw), comparable(c.theirs)
				if c.same() {
					same++
					continue
				}
				name := c.class()
				counts[name]++
				if name == "" {
					t.Errorf("%#x:\n  %+v\n  %+v", rel, c.ours, c.theirs)
				}
			}
		})
	}
	t.Logf("%d of %d addresses have the same answer; %v", same, all, counts)
	if right := all - counts[originsLater] - counts[elsewhere] - counts[severalNames] - counts[scopes]; 100*same < 98*right {
		t.Errorf("only %d of %d are the same", same, right)
	}
	text, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range classes {
		if !strings.Contains(string(text), "\n## "+class.name+"\n") {
			t.Errorf("DIFFERENCES.md does not explain %q", class.name)
		}
		if all > 0 && counts[class.name] == 0 {
			t.Errorf("nothing differs by %q any more", class.name)
		}
	}
}

func (c *comparison) class() string {
	for _, class := range classes {
		if class.is(c) {
			return class.name
		}
	}
	return ""
}
