package dwarf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
)

// Blocks of all forms hold an expression (section 7.5.5). One that is longer than its unit is none.
func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name  string
		place raw
		want  string
	}{
		{"DW_FORM_block1", raw{formBlock1, []byte{2, opLit0 + 7, opStackValue}}, "= 7"},
		{"DW_FORM_block2", raw{formBlock2, []byte{2, 0, opLit0 + 7, opStackValue}}, "= 7"},
		{"DW_FORM_block4", raw{formBlock4, []byte{2, 0, 0, 0, opLit0 + 7, opStackValue}}, "= 7"},
		{"DW_FORM_block", raw{formBlock, []byte{0x82, 0, opLit0 + 7, opStackValue}}, "= 7"},
		{"DW_FORM_exprloc", raw{formExprloc, []byte{2, opLit0 + 7, opStackValue}}, "= 7"},
		{"DW_FORM_data16", raw{formData16, append([]byte{opLit0 + 7, opStackValue}, bytes.Repeat([]byte{opNop}, 14)...)}, "= 7"},
		{"an empty one", raw{formBlock1, []byte{0}}, "<optimized_out>"},
		{"DW_FORM_string", raw{formString, text("lit7")}, "<unreadable>"},
	} {
		d := newTree().unit(4, cplus(base("int", encodingSigned, 4), body(tag(tagVariable, "v", of("int"), says{atLocation, test.place}))))
		if got := values.Shown(frame(d.open(t), 0x1010, nil)); got != "f: v "+test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	n := &node{unit: &unit{group: &group{}}, data: []byte{3, 1, 2, 3}}
	for _, test := range []struct {
		v    value
		want string
		ok   bool
	}{
		{v: value{formBlock1, 0}, want: "[1 2 3]", ok: true},
		{v: value{formBlock1, 1}, want: "[2]", ok: true},
		{v: value{formBlock1, 2}, want: "[]"},
		{v: value{formBlock1, 4}, want: "[]"},
		{v: value{formBlock4, 1}, want: "[]"},
		{v: value{formExprloc, 1 << 63}, want: "[]"},
	} {
		if b, ok := n.block(test.v); fmt.Sprint(b) != test.want || ok != test.ok {
			t.Errorf("%+v: %v, %v", test.v, b, ok)
		}
	}
}

// Entries of a type that is not wanted are passed over by their sibling, if they say one that is behind
// them, and entry by entry if not.
func TestSiblings(t *testing.T) {
	deep := func(parts ...any) ent {
		return tag(tagFunctionType, append(parts, tag(tagParameter, tag(tagBlock)), tag(tagParameter))...)
	}
	for name, sibling := range map[string]any{
		"the next one":   ref4("v"),
		"none":           nil,
		"itself":         raw{formRef1, []byte{1}},
		"another unit's": far("v"),
		"the end":        raw{formRef4, []byte{0xff, 0xff, 0, 0}},
	} {
		parts := []any{}
		if sibling != nil {
			parts = append(parts, says{atSibling, sibling})
		}
		d := newTree().unit(5, cplus(base("int", encodingSigned, 4), body(deep(parts...), tag(tagVariable, "v", of("int"), says{atConstValue, 7}))))
		want := "f: v = 7"
		if name == "the end" {
			want = "" // what the file says
		}
		got := ""
		if scopes := d.open(t).Scopes(0x1010); len(scopes) > 0 && len(scopes[0].Variables) > 0 {
			got = values.Shown(frame(d.open(t), 0x1010, nil))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// What is shown of a function: not what compilers add, apart from this, self and what a lambda captured, and not declarations.
func TestShownVariables(t *testing.T) {
	artificial, seven := says{name: atArtificial, value: true}, says{atConstValue, 7}
	function := body(
		tag(tagParameter, "this", of("int"), artificial, seven),
		tag(tagParameter, "self", of("int"), artificial, seven),
		tag(tagParameter, "__in_chrg", of("int"), artificial, seven),
		tag(tagVariable, "captured", of("int"), artificial, seven),
		tag(tagVariable, "__begin1", of("int"), artificial, seven),
		tag(tagParameter, of("int"), seven).at("no name"),
		tag(tagVariable, of("int"), seven).at("no name either"),
		tag(tagVariable, "extern", of("int"), says{name: atDeclaration, value: true}),
		tag(tagSubprogram, "nested", tag(tagVariable, "inside", of("int"), seven)),
		tag(tagStruct, "local", tag(tagMember, "member", of("int"))),
		tag(tagVariable, "v", of("int"), seven))
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4), function)).open(t)
	if got, want := values.Shown(frame(f, 0x1010, nil)), "f: (this) = 7, (self) = 7, () = 7, captured = 7, v = 7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A variable of Go that is on the heap has a place for its address, and "&" before its name.
func TestEscapedVariables(t *testing.T) {
	function := body(
		tag(tagVariable, "&n", of("p"), says{atConstValue, 0x4000}),
		tag(tagVariable, "&lost", of("p"), says{atConstValue, 0x5000}),
		tag(tagVariable, "&odd", of("int"), says{atConstValue, 7}),
		tag(tagVariable, "&gone", of("p")))
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4), tag(tagPointer, of("int")).at("p"), function)).open(t)
	if got, want := values.Shown(frame(f, 0x1010, captured{0x4000: 8})), "f: n = 8, lost <not_captured>, &odd = 7, &gone <optimized_out>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A block counts from its first address up to its last, and a function has no variables outside.
func TestEdgesOfBlocks(t *testing.T) {
	seven := says{atConstValue, 7}
	function := body(tag(tagBlock, says{atLowPC, addr(0x1010)}, says{atHighPC, 0x10}, tag(tagVariable, "v", of("int"), seven)))
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4), function)).open(t)
	for rel, want := range map[uint64]int{0x100f: 0, 0x1010: 1, 0x101f: 1, 0x1020: 0} {
		if scopes := f.Scopes(rel); len(scopes) != 1 || len(scopes[0].Variables) != want {
			t.Errorf("%#x: %+v", rel, scopes)
		}
	}
	for _, rel := range []uint64{0xfff, 0x1100, 1 << 63} {
		if scopes := f.Scopes(rel); scopes != nil {
			t.Errorf("%#x: %+v", rel, scopes)
		}
	}
	for rel := range uint64(3 * maxKnownScopes) { // more than are remembered
		if scopes := f.Scopes(0x1000 + rel); len(scopes) != 1 || f.scopes.Limit != maxKnownScopes {
			t.Fatalf("%#x: %+v, of %d scopes kept", rel, scopes, f.scopes.Limit)
		}
	}
}

// Limits of types: what is beyond is left out.
func TestLimitsOfTypes(t *testing.T) {
	many := func(n int, e ent) (out []ent) { return slices.Repeat([]ent{e}, n) }
	i := base("int", encodingSigned, 4)
	dimensions := typeOf(t, langC11, "a", i, tag(tagArray, of("int"), many(maxDimensions+1, tag(tagSubrange, says{atCount, 1}))).at("a"))
	if len(dimensions.Counts) != maxDimensions {
		t.Errorf("%d dimensions", len(dimensions.Counts))
	}
	params := typeOf(t, langC11, "type", i, tag(tagFunctionType, many(maxParams+1, tag(tagParameter, of("int")))).at("type"))
	if len(params.Params) != maxParams {
		t.Errorf("%d parameters", len(params.Params))
	}
	f := newTree().unit(5, cplus(i, body(many(maxVariables+1, tag(tagVariable, "v", of("int")))))).open(t)
	if n := len(f.Scopes(0x1010)[0].Variables); n != maxVariables {
		t.Errorf("%d variables", n)
	}
	if got := drawn(typeOf(t, langC11, "a", i, tag(tagArray, of("int"), says{0x2e, 7}, tag(tagSubrange, says{atCount, 1})).at("a"))); got != "unknown (array with a stride)" {
		t.Error(got)
	}
}

// A type that is declared in a unit is found where it is defined: by its name in C and C++, the first of
// several, and not in a language whose names are not unique.
func TestDefinitionsOfDeclared(t *testing.T) {
	declared := tag(tagStruct, "S", says{name: atDeclaration, value: true}).at("declaration")
	defined := func(size int) ent { return tag(tagStruct, "S", says{atByteSize, size}, tag(tagTypedef, "T")) }
	unit := func(language int, kids ...ent) ent {
		return tag(tagCompileUnit, says{atLanguage, language}, says{atLowPC, addr(0x5000)}, says{atHighPC, 0x10}, kids)
	}
	inside := tag(tagNamespace, "ns", defined(3).at("ns::S"))
	for _, test := range []struct {
		name     string
		language int
		others   []ent
		want     string
	}{
		{"in another unit", langCPlusPlus, []ent{unit(langCPlusPlus, defined(8))}, "struct S 8"},
		{"in two", langCPlusPlus, []ent{unit(langCPlusPlus, defined(8)), unit(langCPlusPlus, defined(9))}, "struct S 8"},
		{"in a namespace", langCPlusPlus, []ent{unit(langCPlusPlus, inside)}, "none"},
		{"nowhere", langCPlusPlus, []ent{unit(langCPlusPlus, declared.at("again"))}, "none"},
		{"in Rust", langRust, []ent{unit(langRust, defined(8))}, "none"},
	} {
		d := newTree().unit(5, compiled(test.language, declared, body(tag(tagVariable, "v", of("declaration")))))
		for _, u := range test.others {
			d.unit(5, u)
		}
		declaration := variableType(t, d.open(t))
		if got := drawn(declaration); got != "struct S declared" {
			t.Errorf("%s: %s", test.name, got)
		}
		if got := drawn(declaration.Complete.Get()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	f := newTree().unit(5, cplus(defined(8), inside)).open(t)
	for name, want := range map[string]string{"S": "struct S 8", "ns::S": "struct ns::S 3", "T": "none"} {
		for range 2 { // the second time it is known
			if got := drawn(f.Class(name)); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

// Statics are those that match, up to a limit, and those with a place.
func TestStaticsAreChosen(t *testing.T) {
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4), global("a1", 0x20), global("b", 0x30), global("a2", 0x40),
		tag(tagVariable, "a3", of("int")), tag(tagNamespace, "n", global("a4", 0x50)), body(global("a5", 0x60)))).open(t)
	for _, test := range []struct {
		limit int
		want  string
	}{{0, ""}, {1, "a1"}, {2, "a1 a2"}, {9, "a1 a2 n::a4"}} {
		var names []string
		for _, v := range f.Statics(func(name string) bool { return strings.Contains(name, "a") }, test.limit) {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("up to %d: %s, want %s", test.limit, got, test.want)
		}
	}
}

// Neighbouring rows of one line are listed as one, those of other lines or files are not, and neither are
// rows with a gap between.
func TestJoinedLines(t *testing.T) {
	end := func(s *asm.Section) { s.U8(lineAdvancePC, 2, 0, 1, lineEndSequence) }
	for _, test := range []struct {
		name string
		body func(s *asm.Section)
		want string
	}{
		{"one line", func(s *asm.Section) { s.U8(lineCopy, lineAdvancePC, 2, lineCopy, lineAdvancePC, 2, lineCopy); end(s) }, "1000-1006 /comp/first.c:1"},
		{"another line between", func(s *asm.Section) {
			s.U8(lineCopy, lineAdvancePC, 2, lineAdvanceLine, 1, lineCopy, lineAdvancePC, 2, lineAdvanceLine, 0x7f, lineCopy)
			end(s)
		}, "1000-1002 /comp/first.c:1, 1002-1004 /comp/first.c:2, 1004-1006 /comp/first.c:1"},
		{"the same line of another file", func(s *asm.Section) { s.U8(lineCopy, lineAdvancePC, 2, lineSetFile, 2, lineCopy); end(s) },
			"1000-1002 /comp/first.c:1, 1002-1004 /comp/sub/second.h:1"},
		{"a gap", func(s *asm.Section) {
			s.U8(lineCopy)
			end(s)
			s.U8(0, 9, lineSetAddress).U64(0x1004).U8(lineCopy)
			end(s)
		}, "1000-1002 /comp/first.c:1, 1004-1006 /comp/first.c:1"},
	} {
		if got := listed(t, lineFile(t, header{4, 1, 1}.program(t, test.body))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Units beyond those that are read in any case count if their line programs are more than headers: with
// LTO most are not.
func TestHasRows(t *testing.T) {
	full := header{4, 1, 1}.program(t, func(s *asm.Section) { s.U8(lineCopy) })
	only := func(version uint16) []byte {
		s := asm.At(0).Dist32("from", "to").Mark("from").U16(version)
		if version >= 5 {
			s.U8(8, 0)
		}
		return s.Dist32("head", "to").Mark("head").Zeros(20).Mark("to").Build(t)
	}
	for _, test := range []struct {
		name string
		line []byte
		want bool
	}{
		{name: "a program", line: full, want: true},
		{name: "version 5", line: header{5, 1, 1}.program(t, func(s *asm.Section) { s.U8(lineCopy) }), want: true},
		{name: "a header alone", line: only(4)},
		{name: "a header of version 5 alone", line: only(5)},
		{name: "a header and one byte", line: append(replaced(only(4), 0, 27), 1), want: true},
		{name: "nothing"},
		{name: "a length that is truncated", line: full[:3]},
		{name: "a header that is longer than the program", line: replaced(only(4), 6, 0xff, 0xff, 0xff, 0xff)},
	} {
		g := open(map[string][]byte{"line": test.line}, Options{}).main
		if got := g.hasRows(0); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// Where functions are is the same before and after they were listed.
func TestCoveredTwice(t *testing.T) {
	f := open(everything(t), Options{Base: 0x1000})
	first, err := f.Covered()
	if err != nil || len(first) != 3 || !slices.Contains(first, symbolize.Range{Start: 0x2000, Size: 0x80}) {
		t.Fatalf("%x, %v", first, err)
	}
	if err := f.EachFunction(func(*symbolize.Function) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if second, err := f.Covered(); err != nil || fmt.Sprint(second) != fmt.Sprint(first) {
		t.Errorf("%x after %x, %v", second, first, err)
	}
}
