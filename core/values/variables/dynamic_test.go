package variables

import (
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/values/types"
)

// vptr is the pointer to a vtable that objects begin with.
func vptr() types.Member {
	m := member("_vptr.B", 0, pointer(nil))
	m.Artificial = true
	return m
}

func baseOf(t *types.Type, off uint64) types.Member {
	return types.Member{Base: true, Offset: off, Type: to(t)}
}

// A pointer to a base shows the object that its vtable says. In the Itanium ABI
// the offset to top lies two words before the first function: section 2.5.2.
func TestDynamicTypes(t *testing.T) {
	first := structure("First", 16, vptr(), member("a", 8, long))
	second := structure("Second", 16, vptr(), member("b", 8, long))
	whole := structure("Whole", 40, baseOf(first, 0), baseOf(second, 16), member("c", 32, long))
	gone := structure("Gone", 16)
	gone.Incomplete = true
	classes := map[string]*types.Type{"First": first, "Second": second, "Whole": whole, "Gone": gone}
	names := map[uint64]string{0x1000: "Whole", 0x2000: "Gone", 0x3000: "Second", 0x4000: "Unknown"}
	const image = 0x40_0000
	m := memory{
		0x100:          words(0x500, 0x510, 0x600, 0x700, 0x800, 0x900, 0x9000),
		0x500:          words(image+0x1010, 1, image+0x1030, 2, 3), // a Whole, whose Second is at 0x510
		0x600:          words(image+0x2010, 4),
		0x700:          words(image+0x3010, 5),
		0x800:          words(image+0x4010, 6),
		0x900:          words(image+0x1038, 7), // no offset before it
		image + 0x1020: words(^uint64(15)),
	}
	for _, tt := range []struct {
		name string
		at   uint64
		of   *types.Type
		want string
	}{
		{"its first base", 0x100, first, "p = 0x0000000000000500 {First {a = 1}, Second {b = 2}, c = 3}"},
		{"its second base", 0x108, second, "p = 0x0000000000000500 (Second at 0x0000000000000510) {First {a = 1}, Second {b = 2}, c = 3}"},
		{"a class that is only declared", 0x110, second, "p = 0x0000000000000600 {b = 4}"},
		{"the class that the pointer says", 0x118, second, "p = 0x0000000000000700 {b = 5}"},
		{"a class that is not known", 0x120, second, "p = 0x0000000000000800 {b = 6}"},
		{"an offset that is not captured", 0x128, second, "p = 0x0000000000000900 {b = 7}"},
		{"an object that is not captured", 0x130, second, "p = 0x0000000000009000"},
	} {
		f := frameOf(m)
		f.Module = &module.Module{Base: image}
		f.Symbols = vtableNames{scopes: scopes{at("p", tt.at, pointer(tt.of))}, names: names, classes: classes}.symbols()
		if got := read(f); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// An offset of a vtable is read from the file of the module where the dump does
// not have it: vtables never change.
func TestVtableOfTheFile(t *testing.T) {
	second := structure("Second", 16, vptr(), member("b", 8, long))
	whole := structure("Whole", 32, vptr(), member("c", 8, long), baseOf(second, 16))
	f := frameOf(memory{0x100: words(0x510), 0x500: words(0x1010, 1, 0x1030, 2)})
	f.Symbols = vtableNames{
		scopes:  scopes{at("p", 0x100, pointer(second))},
		names:   map[uint64]string{0x1000: "Whole"},
		classes: map[string]*types.Type{"Whole": whole},
		words:   map[uint64]uint64{0x1020: ^uint64(15)},
	}.symbols()
	if got, want := read(f), "p = 0x0000000000000500 (Second at 0x0000000000000510) {c = 1, Second {b = 2}}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Microsoft's vftables begin with functions: the pointer leads to their start.
func TestDynamicTypesOfMicrosoft(t *testing.T) {
	second := structure("Second", 16, vptr(), member("b", 8, long))
	whole := structure("Whole", 32, vptr(), member("c", 8, long), baseOf(second, 16))
	f := frameOf(memory{0x100: words(0x510), 0x500: words(0x1000, 1, 0x2000, 2)})
	f.Symbols = vtableNames{
		scopes:  scopes{at("p", 0x100, pointer(second))},
		names:   map[uint64]string{0x2000: "Whole"},
		classes: map[string]*types.Type{"Whole": whole},
	}.symbols()
	if got, want := read(f), "p = 0x0000000000000500 (Second at 0x0000000000000510) {c = 1, Second {b = 2}}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A reference is read as the whole object, too.
func TestDynamicReference(t *testing.T) {
	first := structure("First", 16, vptr(), member("a", 8, long))
	whole := structure("Whole", 24, baseOf(first, 0), member("c", 16, long))
	f := frameOf(memory{0x100: words(0x500), 0x500: words(0x1010, 1, 3)})
	f.Symbols = vtableNames{
		scopes:  scopes{at("r", 0x100, &types.Type{Kind: types.Reference, Elem: to(first), Size: 8, Sized: true})},
		names:   map[uint64]string{0x1000: "Whole"},
		classes: map[string]*types.Type{"Whole": whole},
	}.symbols()
	if got, want := read(f), "r = 0x0000000000000500 {First {a = 1}, c = 3}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A virtual base is at an offset that the vtable of the object has.
func TestVirtualBases(t *testing.T) {
	virtual := structure("V", 8, member("v", 0, long))
	class := func(known bool, slot int64) *types.Type {
		return structure("D", 24, vptr(), member("d", 8, long),
			types.Member{Base: true, Virtual: true, Type: to(virtual), VBase: types.VBase{Known: known, Slot: slot}})
	}
	m := memory{0x100: words(0x1018, 1, 7), 0x1000: words(16, 0, 0), 0x200: words(0x9000, 1, 7)}
	check(t, m, []library{
		{at("d", 0x100, class(true, -24)), "d {d = 1, V {v = 7}}"},
		{at("d", 0x100, class(false, 0)), "d {d = 1, V <unreadable>}"},
		{at("d", 0x200, class(true, -24)), "d {d = 1, V <not_captured>}"},
		{at("d", 0x900, class(true, -24)), "d {d <not_captured>, V <not_captured>}"},
	})
	p := debugged{scopes: scopes{at("d", 0x100, class(true, -24))}}
	if v := Evaluate(p.frame(m, "app"), 0, "d.v + 1", Limits{}); v.Text != "8" {
		t.Errorf("a member of a virtual base: %s (%s)", v.Text, v.Why)
	}
	inRegisters := Variable{Name: "d", Type: to(class(true, -24)), Rule: fixed{place: Const(words(0x1018, 1, 7))}}
	if got := read(frameOf(m, inRegisters)); got != "d {d = 1, V {v = 7}}" {
		t.Errorf("an object in no memory: %s", got)
	}
}

// Objects of these classes begin with a vtable; of the others, they do not.
func TestPolymorphic(t *testing.T) {
	plain := structure("Plain", 8, member("a", 0, long))
	poly := structure("Poly", 8, vptr())
	later := vptr()
	later.Offset = 8
	static := vptr()
	static.Static = true
	for _, tt := range []struct {
		name string
		t    *types.Type
		want bool
	}{
		{name: "nothing"},
		{name: "a number", t: long},
		{name: "no virtual functions", t: plain},
		{name: "a vtable first", t: poly, want: true},
		{name: "a vtable behind members", t: structure("Later", 16, member("a", 0, long), later)},
		{name: "a static member", t: structure("Static", 8, static)},
		{name: "of its first base", t: structure("D", 8, baseOf(poly, 0)), want: true},
		{name: "of a later base", t: structure("D", 16, baseOf(plain, 0), baseOf(poly, 8))},
		{name: "a virtual base", t: structure("D", 16, types.Member{Base: true, Virtual: true, Type: to(plain)}), want: true},
	} {
		if got := polymorphic(tt.t, into(8)); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	loop := structure("Loop", 8)
	loop.Members = []types.Member{baseOf(loop, 0)}
	if polymorphic(loop, into(8)) || simpleVtable(loop, into(8)) {
		t.Error("a class that is its own base")
	}
	if simpleVtable(structure("D", 16, types.Member{Base: true, Virtual: true, Type: to(plain)}), into(8)) {
		t.Error("offsets of virtual bases lie before the offset to top")
	}
}

// Go's slices and functions.
func TestGoValues(t *testing.T) {
	slice := inGo(structure("[]int", 24, member("array", 0, inGo(pointer(goInt))), member("len", 8, goInt), member("cap", 16, goInt)))
	function := inGo(&types.Type{Kind: types.Function, Name: "func()", Size: 8, Sized: true})
	m := memory{
		0x100: words(0x1000, 2, 4), 0x1000: words(1, 2, 3, 4), 0x200: words(0x1000, 5, 4), 0x300: words(0, 0, 0), 0x400: words(0x9000, 1, 1),
		0x500: words(0x2000), 0x2000: words(0x40_1000), 0x508: words(0), 0x510: words(0x9000),
	}
	checkVisible(t, m, []library{
		{at("s", 0x100, slice), "s = size=2 {[0] = 1, [1] = 2}"},
		{at("s", 0x200, slice), "s = size=5 <inconsistent>"}, // longer than its room
		{at("s", 0x300, slice), "s = size=0"},
		{at("s", 0x400, slice), "s by its members"},
	})
	for at0, want := range map[uint64]string{
		0x500: "f = 0x0000000000002000 (main.run)",
		0x508: "f = nil",
		0x510: "f = 0x0000000000009000",
		0x900: "f <not_captured>",
	} {
		f := frameOf(m, at("f", at0, function))
		f.Describe = func(addr uint64) string {
			return map[uint64]string{0x40_1000: "main.run"}[addr]
		}
		if got := read(f); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := read(frameOf(m, at("f", 0x500, &types.Type{Kind: types.Function, Size: 8, Sized: true}))); got != "f <unreadable>" {
		t.Errorf("a function of C: %s", got)
	}
}

// What an interface holds itself, and what it holds the address of:
// cmd/compile/internal/types, IsDirectIface.
func TestGoDirect(t *testing.T) {
	p := inGo(pointer(goInt))
	loop := inGo(structure("loop", 8))
	loop.Members = []types.Member{member("l", 0, loop)}
	for _, tt := range []struct {
		name          string
		t             *types.Type
		direct, known bool
	}{
		{name: "a pointer", t: p, direct: true, known: true},
		{name: "a function", t: &types.Type{Kind: types.Function}, direct: true, known: true},
		{name: "a number", t: goInt, known: true},
		{name: "a small number", t: inGo(base(types.Signed, "int32", 4)), known: true},
		{name: "an array of one pointer", t: array(p, 1), direct: true, known: true},
		{name: "an array of two", t: array(p, 2), known: true},
		{name: "an array of one number", t: array(goInt, 1), known: true},
		{name: "a structure of a pointer", t: structure("s", 8, member("p", 0, p)), direct: true, known: true},
		{name: "a structure of a number", t: structure("s", 8, member("n", 0, goInt)), known: true},
		{name: "a pointer with company of no size", t: structure("s", 8, member("p", 0, p), member("e", 8, structure("", 0)))},
		{name: "two halves", t: structure("s", 8, member("a", 0, integer), member("b", 4, integer)), known: true},
		{name: "a structure in itself", t: loop},
		{name: "nothing"},
	} {
		if direct, known := goDirect(tt.t, 8, maxDirect); direct != tt.direct || known != tt.known {
			t.Errorf("%s: %t, %t", tt.name, direct, known)
		}
	}
}

// A pointer to a function of a class has the function, and what is added to this.
func TestMethodPointers(t *testing.T) {
	method := &types.Type{Kind: types.MemberPointer, Elem: to(&types.Type{Kind: types.Function}), Class: to(structure("C", 8)), Size: 16, Sized: true, Language: types.CPlusPlus}
	f := frameOf(memory{0x100: words(0x20000, 0), 0x110: words(0x11, 0)}, at("plain", 0x100, method), at("virtual", 0x110, method))
	f.Describe = func(addr uint64) string { return map[uint64]string{0x20000: "app!C::run()"}[addr] }
	if got, want := read(f), "plain = 0x0000000000020000 (app!C::run()), virtual = 0x00000000000000000000000000000011"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
