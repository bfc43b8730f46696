package dwarf

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
)

// typeOf is the type of a variable v, of the label that the test gives it,
// among other entries of a unit.
func typeOf(t *testing.T, language int, label string, entries ...ent) *types.Type {
	t.Helper()
	entries = append(entries, body(tag(tagVariable, "v", of(label))))
	return variableType(t, newTree().unit(5, compiled(language, entries...)).open(t))
}

// variableType is the type of the only variable of the function at 0x1000.
func variableType(t *testing.T, f *File) *types.Type {
	t.Helper()
	scopes := f.Scopes(0x1010)
	if len(scopes) != 1 || len(scopes[0].Variables) != 1 {
		t.Fatalf("%+v, %v", scopes, f.Notes())
	}
	check(t, f)
	return scopes[0].Variables[0].Type.Get()
}

// Languages (DWARF 5, table 7.17, and LLVM's for Rust before it had a number).
const (
	langC11       = 0x1d
	langCPlusPlus = 0x21
	langRust      = 0x1c
	langGo        = 0x16
	langFortran90 = 0x08
)

// Base types are made of an encoding and a size (section 5.1.1, table 7.11).
func TestBaseTypes(t *testing.T) {
	for _, test := range []struct {
		name           string
		encoding, size int
		want           string
	}{
		{"bool", 0x02, 1, "bool bool 1"},
		{"complex double", 0x03, 16, "complex complex double 16"},
		{"float", 0x04, 4, "float float 4"},
		{"long double", 0x04, 16, "float long double 16"},
		{"int", 0x05, 4, "signed int 4"},
		{"__int128", 0x05, 16, "signed __int128 16"},
		{"signed char", 0x06, 1, "signed signed char 1 minus"},
		{"i8", 0x05, 1, "signed i8 1"},
		{"unsigned", 0x07, 4, "unsigned unsigned 4"},
		{"unsigned char", 0x08, 1, "unsigned unsigned char 1"},
		{"char", 0x06, 1, "char char 1 minus"},
		{"char", 0x08, 1, "char char 1"},
		{"char8_t", 0x10, 1, "wide char8_t 1"}, // Clang
		{"char8_t", 0x07, 1, "wide char8_t 1"}, // GCC has it as an integer
		{"char16_t", 0x10, 2, "wide char16_t 2"},
		{"char32_t", 0x10, 4, "wide char32_t 4"},
		{"ucs", 0x11, 4, "wide ucs 4"},
		{"ascii", 0x12, 1, "char ascii 1"},
		{"wchar_t", 0x05, 4, "wide wchar_t 4 minus"}, // GCC and Clang have it as an integer
		{"wide unsigned char", 0x08, 2, "unsigned wide unsigned char 2"},
		{"decimal", 0x0f, 8, "decimal decimal 8"}, // DW_ATE_decimal_float
		{"packed", 0x0a, 3, "decimal packed 3"},   // DW_ATE_packed_decimal
		{"vendor", 0x85, 4, "decimal vendor 4"},
		{"()", 0x07, 0, "struct () 0"}, // of Rust
	} {
		got := typeOf(t, langCPlusPlus, test.name, base(test.name, test.encoding, test.size))
		if drawn(got) != test.want || got.Language != types.CPlusPlus {
			t.Errorf("%s, want %s", drawn(got), test.want)
		}
	}
	bits := tag(tagBase, "_BitInt(17)", says{atEncoding, 5}, says{atBitSize, 17}) // without a size in bytes
	if got := drawn(typeOf(t, langC11, "_BitInt(17)", bits)); got != "signed _BitInt(17) 3" {
		t.Error(got)
	}
}

// fromOne are the languages that count array elements from 1: the codes of DW_AT_language and of
// DW_AT_language_name. Source: dwarfstd.org/languages.html and languages-v6.html.
var (
	fromOne = []int{
		0x03, 0x0d, 0x2e, 0x2f, 0x05, 0x06, 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d, 0x3f, // Ada, COBOL, Fortran
		0x09, 0x0a, 0x0f, 0x17, 0x1f, 0x44, 0x46, 0x47, // Pascal, Modula-2, PL/I, Modula-3, Julia, Algol 68, Erlang, Elixir
	}
	namedFromOne = []int{0x01, 0x05, 0x09, 0x0d, 0x0f, 0x10, 0x15, 0x16, 0x2e, 0x30, 0x31}
)

// The language decides how values are written, and where arrays begin. Every code of DWARF 5 and of
// the draft of DWARF 6 is tried.
func TestLanguages(t *testing.T) {
	codes := map[int]types.Language{
		0x04: types.CPlusPlus, 0x19: types.CPlusPlus, 0x1a: types.CPlusPlus, 0x21: types.CPlusPlus, 0x2a: types.CPlusPlus, 0x2b: types.CPlusPlus, 0x3a: types.CPlusPlus, // 98, 03, 11, 14, 17, 20, 23
		0x11: types.CPlusPlus, 0x30: types.CPlusPlus, 0x37: types.CPlusPlus, 0x38: types.CPlusPlus, 0x39: types.CPlusPlus, 0x3d: types.CPlusPlus, // Objective-C++, HIP, OpenCL C++, C++ for OpenCL, SYCL, Metal
		0x10: types.ObjectiveC, 0x1c: types.Rust, 0x9000: types.Rust, 0x16: types.Go, 0x1e: types.Swift,
	}
	for code := 1; code <= 0x48; code++ {
		checkLanguage(t, fmt.Sprintf("DW_AT_language %#x", code), codes[code], slices.Contains(fromOne, code), says{atLanguage, code})
	}
	checkLanguage(t, "LLVM's code for Rust", types.Rust, false, says{atLanguage, 0x9000})
	names := map[int]types.Language{
		0x04: types.CPlusPlus, 0x12: types.CPlusPlus, 0x23: types.CPlusPlus, 0x24: types.CPlusPlus, 0x25: types.CPlusPlus, 0x29: types.CPlusPlus, 0x2c: types.CPlusPlus,
		0x11: types.ObjectiveC, 0x19: types.Rust, 0x0a: types.Go, 0x1a: types.Swift,
	}
	for name := 1; name <= 0x32; name++ {
		version := says{0x91, 202302}
		checkLanguage(t, fmt.Sprintf("DW_AT_language_name %#x", name), names[name], slices.Contains(namedFromOne, name), says{atLanguageName, name}, version)
		// DWARF 5 requires the code as well: in either order.
		if names[name] != types.C {
			checkLanguage(t, fmt.Sprintf("both, %#x first", name), names[name], false, says{atLanguageName, name}, version, says{atLanguage, 0x08})
			checkLanguage(t, fmt.Sprintf("both, %#x last", name), names[name], false, says{atLanguage, 0x08}, says{atLanguageName, name}, version)
		}
	}
	checkLanguage(t, "a name that is not known", types.CPlusPlus, false, says{atLanguageName, 0x1234}, says{atLanguage, 0x2a})
}

// checkLanguage checks the language of a unit's code and types, and whether its arrays begin at 1.
func checkLanguage(t *testing.T, name string, want types.Language, one bool, unit ...any) {
	t.Helper()
	three := tag(tagArray, of("int"), tag(tagSubrange, says{atUpperBound, 3})).at("it")
	entry := tag(tagCompileUnit, append(unit, says{atLowPC, addr(0x1000)}, says{atHighPC, 0x1000}, base("int", encodingSigned, 4), three, body(tag(tagVariable, "v", of("it"))))...)
	f := newTree().unit(5, entry).open(t)
	if got := f.Language(0x1010); got != want {
		t.Errorf("%s: %d, want %d", name, got, want)
	}
	if got := f.Language(0x5000); got != types.C {
		t.Errorf("%s: %d outside", name, got)
	}
	array := variableType(t, f)
	low := int64(0)
	if one {
		low = 1
	}
	if got := array.Counts[0]; array.Language != want || got.Low != low || got.N != uint64(4-low) {
		t.Errorf("%s: %d, %d elements from %d, want %d from %d", name, array.Language, got.N, got.Low, 4-low, low)
	}
}

// A partial unit of dwz states no language. Its types have that of the unit that refers to them, also if
// units of several languages do.
func TestLanguageOfPartialUnits(t *testing.T) {
	shared := tag(tagPartialUnit, base("int", encodingSigned, 4), tag(tagArray, of("int"), tag(tagSubrange, says{atUpperBound, 3})).at("shared"), tag(tagStruct, "S", says{atByteSize, 16}, tag(tagMember, "m", of("shared"))).at("S"))
	user := func(language, low int, label string) ent {
		f := tag(tagSubprogram, "f", says{atLowPC, addr(low)}, says{atHighPC, 0x100}, tag(tagVariable, "v", says{atType, far(label)}))
		return tag(tagCompileUnit, says{atLanguage, language}, says{atLowPC, addr(low)}, says{atHighPC, 0x100}, f)
	}
	f := newTree().unit(4, shared).unit(4, user(0x2a, 0x1000, "S")).unit(4, user(langFortran90, 0x2000, "S")).unit(4, user(langC11, 0x3000, "S")).open(t)
	for rel, want := range map[uint64]string{0x1010: "1, array of int [4]", 0x2010: "0, array of int [3]", 0x3010: "0, array of int [4]"} {
		s := f.Scopes(rel)[0].Variables[0].Type.Get()
		if got := fmt.Sprintf("%d, %s", s.Language, drawn(s.Members[0].Type.Get())); got != want {
			t.Errorf("%#x: %s, want %s", rel, got, want)
		}
	}
}

// Types that are made of one other type (sections 5.2 to 5.4).
func TestDerivedTypes(t *testing.T) {
	i := base("int", encodingSigned, 4)
	for _, test := range []struct {
		of   ent
		want string
	}{
		{tag(tagPointer, of("int")), "pointer 8 of int"},
		{tag(tagPointer, of("int"), says{atByteSize, 4}), "pointer 4 of int"}, // __ptr32, x32
		{tag(tagPointer), "pointer 8"},                                        // void *
		{tag(tagReference, of("int")), "reference 8 of int"},
		{tag(tagRValue, of("int")), "rvalue 8 of int"},
		{tag(tagConst, of("int")), "qualified const of int"},
		{tag(tagConst), "qualified const"}, // const void
		{tag(tagVolatile, of("int")), "qualified volatile of int"},
		{tag(tagRestrict, of("int")), "qualified restrict of int"},
		{tag(tagAtomic, of("int")), "qualified _Atomic of int"},
		{tag(tagPacked, of("int")), "qualified packed of int"},
		{tag(tagShared, of("int")), "qualified shared of int"},
		{tag(tagImmutable, of("int")), "qualified immutable of int"},
		{tag(tagUnspecified, "decltype(nullptr)"), "void decltype(nullptr)"},
		{tag(tagTypedef, "T", of("int")), "typedef T of int"},
		{tag(tagTypedef, "T"), "typedef T"},
		{tag(tagTemplateAlias, "A<int>", of("int")), "typedef A<int> of int"},
		{tag(tagTypedef, "wchar_t", of("int")), "wide wchar_t 4 minus"},
		{tag(tagTypedef, "char16_t", of("int")), "wide char16_t 4"},
		{tag(tagTypedef, "char32_t", of("p")), "typedef char32_t of pointer of int"},
		{tag(tagSubrange, "Small", of("int"), says{atUpperBound, 9}), "typedef Small of int"}, // of Ada
		{tag(tagFunctionType, of("int"), tag(tagParameter, of("int")), tag(tagParameter, of("p")), tag(0x18)), "function of int (int; pointer of int)"},
		{tag(tagFunctionType), "function"},
		{tag(tagMemberPointer, of("int"), says{atContaining, ref4("C")}), "member pointer 8 of int in C"},
		{tag(tagMemberPointer, of("fn"), says{atContaining, ref4("C")}), "member pointer 16 of function in C"}, // Itanium ABI, section 2.3
		{tag(tagMemberPointer, of("fn"), says{atByteSize, 4}), "member pointer 4 of function"},
		{tag(tagString, "character"), "unknown character"}, // of Fortran
		{tag(0x4300, "vendor's"), "unknown vendor's"},
	} {
		got := typeOf(t, langCPlusPlus, "it", i, tag(tagPointer, of("int")).at("p"), tag(tagFunctionType).at("fn"), tag(tagClass, "C", says{atByteSize, 1}), test.of.at("it"))
		if drawn(got) != test.want {
			t.Errorf("%s, want %s", drawn(got), test.want)
		}
	}
}

// The dimensions of an array are entries of their own (section 5.5).
func TestArrays(t *testing.T) {
	bound := func(says ...any) ent { return tag(tagSubrange, says...) }
	for _, test := range []struct {
		name string
		of   ent
		want string
	}{
		{"a count", tag(tagArray, of("int"), bound(says{atCount, 5})), "array of int [5]"},
		{"an upper bound", tag(tagArray, of("int"), bound(says{atUpperBound, 4})), "array of int [5]"},
		{"a count of none", tag(tagArray, of("int"), bound(says{atCount, 0})), "array of int [0]"},
		{"GCC's of none", tag(tagArray, of("int"), bound(says{atUpperBound, -1})), "array of int [0]"},
		{"a lower bound", tag(tagArray, of("int"), bound(says{atLowerBound, 3}, says{atUpperBound, 7})), "array of int [5]"},
		{"a negative lower bound", tag(tagArray, of("int"), bound(says{atLowerBound, -1}, says{atUpperBound, 1})), "array of int [3]"},
		{"bounds of all numbers", tag(tagArray, of("int"), bound(says{atLowerBound, -1 << 63}, says{atUpperBound, 1<<63 - 1})), "array of int []"},
		{"a lower bound at run time", tag(tagArray, of("int"), bound(says{atLowerBound, ops{opLit0 + 3}}, says{atUpperBound, 7})), "array of int []"},
		{"an order of columns", tag(tagArray, of("int"), says{atOrdering, 1}, bound(says{atCount, 2}), bound(says{atCount, 3})), "array of int [3] [2]"},
		{"a lower bound beyond", tag(tagArray, of("int"), bound(says{atLowerBound, 9}, says{atUpperBound, 7})), "array of int []"},
		{"two dimensions", tag(tagArray, of("int"), bound(says{atCount, 2}), bound(says{atUpperBound, 2})), "array of int [2] [3]"},
		{"int a[]", tag(tagArray, of("int"), bound()), "array of int []"},
		{"no dimension", tag(tagArray, of("int")), "array of int"},
		{"an expression", tag(tagArray, of("int"), bound(says{atUpperBound, ops{opLit0 + 3}})), "array of int [run time]"},
		{"something else inside", tag(tagArray, of("int"), tag(tagVariable, "x"), bound(says{atCount, 2})), "array of int [2]"},
		{"a string of Fortran", tag(tagString, says{atByteSize, 5}), "array 5 of character [5]"},
		{"a string of any length", tag(tagString, says{atByteSize, 5}, says{atStringLength, ops{opLit0 + 3}}), "unknown (string of any length) 5"},
		{"a stride of bits", tag(tagArray, of("int"), says{0x2e, 5}, bound(says{atCount, 2})), "unknown (array with a stride)"},
		{"a stride of bytes", tag(tagArray, of("int"), says{0x51, 5}, bound(says{atCount, 2})), "unknown (array with a stride)"},
		{"a stride of a dimension", tag(tagArray, of("int"), bound(says{atCount, 2}), bound(says{0x51, 8}, says{atCount, 2})), "unknown (array with a stride)"},
		{"a stride of the index's type", tag(tagArray, of("int"), bound(of("index"), says{atCount, 2})), "unknown (array with a stride)"},
		{"a size", tag(tagArray, of("int"), says{atByteSize, 16}, bound(says{atCount, 3})), "array 16 of int [3]"}, // Clang's vectors
	} {
		if got := drawn(typeOf(t, langC11, "it", base("int", encodingSigned, 4), tag(tagSubrange, of("int"), says{0x51, 8}).at("index"), test.of.at("it"))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	// Fortran's first dimension is the innermost, unless the array says otherwise.
	for order, want := range map[int]string{-1: "array of int [3] [2]", 0: "array of int [2] [3]", 1: "array of int [3] [2]"} {
		matrix := tag(tagArray, of("int"), bound(says{atUpperBound, 2}), bound(says{atUpperBound, 3})).at("it")
		if order >= 0 {
			matrix.says = append(matrix.says, says{atOrdering, order})
		}
		if got := drawn(typeOf(t, langFortran90, "it", base("int", encodingSigned, 4), matrix)); got != want {
			t.Errorf("Fortran, order %d: %s, want %s", order, got, want)
		}
	}
	// Fortran's 1:-5 has no elements, and neither has Ada's; that of C is damage.
	const langAda2012 = 0x2f
	for lang, want := range map[int]string{langFortran90: "array of int [0]", langAda2012: "array of int [0]", langC11: "array of int []"} {
		none := tag(tagArray, of("int"), bound(says{atLowerBound, 1}, says{atUpperBound, -5})).at("it")
		if got := drawn(typeOf(t, lang, "it", base("int", encodingSigned, 4), none)); got != want {
			t.Errorf("language %#x, from 1 to -5: %s, want %s", lang, got, want)
		}
	}
	many := tag(tagArray, of("int")).at("it")
	for range maxDimensions + 10 {
		many.kids = append(many.kids, bound(says{atCount, 1}))
	}
	if got := typeOf(t, langC11, "it", base("int", encodingSigned, 4), many); len(got.Counts) != maxDimensions {
		t.Errorf("%d dimensions", len(got.Counts))
	}
}

// Members, base classes and what is not in an object (section 5.7).
func TestStructures(t *testing.T) {
	i := base("int", encodingSigned, 4)
	member := func(parts ...any) ent { return tag(tagMember, append(parts, of("int"))...) }
	at := func(n int) says { return says{atMemberAt, n} }
	for _, test := range []struct {
		name string
		of   ent
		want string
	}{
		{"a struct", tag(tagStruct, "S", says{atByteSize, 8}, member("x", at(0)), member("y", at(4))), "struct S 8 {x int @0; y int @4}"},
		{"a class", tag(tagClass, "S", says{atByteSize, 1}), "class S 1"},
		{"a union", tag(tagUnion, "S", says{atByteSize, 4}, member("a"), member("b")), "union S 4 {a int @0; b int @0}"},
		{"an interface", tag(tagInterface, "S"), "class S"},
		{"without a name", tag(tagStruct, says{atByteSize, 4}, member(at(0))), "struct 4 {int @0}"},
		{"an expression of version 2", tag(tagStruct, "S", member("x", says{atMemberAt, raw{formBlock1, []byte{2, opPlusUconst, 12}}})), "struct S {x int @12}"},
		{"a place in an expression", tag(tagStruct, "S", member("x", says{atMemberAt, ops{opDup, opDeref, opPlus}})), "struct S {x int @0 virtual}"},
		{"a damaged expression", tag(tagStruct, "S", member("x", says{atMemberAt, ops{0xff}})), "struct S {x int @0 virtual}"},
		{"a base class", tag(tagStruct, "S", tag(tagInheritance, of("B"), at(8))), "struct S {B @8 base}"},
		{"static members", tag(tagStruct, "S", member("old", says{name: atDeclaration, value: true}, says{name: atExternal, value: true}), tag(tagVariable, "new", of("int"), says{name: atDeclaration, value: true})),

			"struct S {old int @0 static; new int @0 static}"},
		{"a pointer to the vtable", tag(tagStruct, "S", member("_vptr.S", says{name: atArtificial, value: true}, at(0))), "struct S {_vptr.S int @0 artificial}"},
		{"what is no member", tag(tagStruct, "S", tag(tagSubprogram, "method", member("no")), tag(tagTypedef, "T", of("int")), member("x", at(0))), "struct S {x int @0}"},
		{"template arguments", tag(tagStruct, "S<int, 3>", tag(tagTypeArg, "T", of("int")), tag(tagValueArg, "N", of("int"), says{atConstValue, -3})),
			"struct S<int, 3> <T int; N int=-3>"},
		{"a pack of GNU", tag(tagStruct, "S", tag(tagGNUPack, "Ts", tag(tagTypeArg, of("int")), tag(tagTypeArg, of("B")))), "struct S < int;  B>"},
		{"only declared", tag(tagStruct, "S", says{name: atDeclaration, value: true}, member("x", at(0))), "struct S declared"},
	} {
		if got := drawn(typeOf(t, langCPlusPlus, "it", i, tag(tagStruct, "B", says{atByteSize, 4}), test.of.at("it"))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Where a virtual base is lies in the vtable: GCC and Clang write "dup, deref,
// constant, minus, deref, plus" (Itanium C++ ABI, section 2.5.2).
func TestVirtualBases(t *testing.T) {
	const isVirtual = 1 // DW_VIRTUALITY_virtual
	for _, test := range []struct {
		code ops
		want string
	}{
		{ops{opDup, opDeref, opLit0 + 24, opMinus, opDeref, opPlus}, "@0 base virtual slot -24"},
		{ops{opDup, opDeref, opConst1u, 24, opMinus, opDeref, opPlus}, "@0 base virtual slot -24"},
		{ops{opDup, opDeref, opConst2u, 0, 1, opMinus, opDeref, opPlus}, "@0 base virtual slot -256"},
		{ops{opDup, opDeref, opConst4u, 0, 0, 1, 0, opMinus, opDeref, opPlus}, "@0 base virtual slot -65536"},
		{ops{opDup, opDeref, opConstu, 0x80, 1, opMinus, opDeref, opPlus}, "@0 base virtual slot -128"},
		{ops{opDup, opDeref, opConst1s, 0xe8, opPlus, opDeref, opPlus}, "@0 base virtual slot -24"},
		{ops{opDup, opDeref, opConsts, 0x68, opPlus, opDeref, opPlus}, "@0 base virtual slot -24"},
		{ops{opDup, opDeref, opLit0 + 24, opMul, opDeref, opPlus}, "@0 base virtual"},
		{ops{opDup, opDeref, opDup, opMinus, opDeref, opPlus}, "@0 base virtual"},
		{ops{opDup, opDeref, opLit0 + 24, opMinus, opDeref, opMinus}, "@0 base virtual"},
		{ops{opDup, opDup, opLit0 + 24, opMinus, opDeref, opPlus}, "@0 base virtual"},
		{ops{opOver, opDeref, opLit0 + 24, opMinus, opDeref, opPlus}, "@0 base virtual"},
		{ops{opDup, opDeref, opLit0 + 24, opMinus, opDup, opPlus}, "@0 base virtual"},
		{ops{opDup, opDeref, opLit0 + 24, opMinus, opDeref}, "@0 base virtual"},
		{ops{opDup, opDeref, opLit0 + 24, opMinus, opDeref, opPlus, opNop}, "@0 base virtual"},
		{ops{opNop, opNop, opNop, opNop, opNop, opNop, opNop, opNop, opNop}, "@0 base virtual"},
		{ops{opPlusUconst, 16}, "@16 base virtual"},
	} {
		derived := tag(tagClass, "D", tag(tagInheritance, of("B"), says{atVirtuality, isVirtual}, says{atMemberAt, test.code}))
		want := "class D {B " + test.want + "}"
		if got := drawn(typeOf(t, langCPlusPlus, "D", tag(tagClass, "B"), derived)); got != want {
			t.Errorf("% x: %s, want %s", test.code, got, want)
		}
	}
}

// Bits are counted from the first of the structure (version 4 on), or from the
// most significant one of their storage (section 5.7.6; version 3, section 5.6.6).
func TestBitFields(t *testing.T) {
	for _, test := range []struct {
		name  string
		parts []any
		want  string
	}{
		{"data_bit_offset", []any{says{atBitSize, 3}, says{atDataBits, 37}}, "b int bits 37+3"},
		{"data_bit_offset of 0", []any{says{atBitSize, 3}, says{atDataBits, 0}}, "b int bits 0+3"},
		{"only a place", []any{says{atBitSize, 3}, says{atMemberAt, 4}}, "b int bits 32+3"},
		// Bits 5 to 7 of the 32 at byte 4: 24 bits are above them.
		{"bit_offset", []any{says{atBitSize, 3}, says{atByteSize, 4}, says{atBitOffset, 24}, says{atMemberAt, 4}}, "b int bits 37+3"},
		{"the storage is the type's", []any{says{atBitSize, 3}, says{atBitOffset, 24}, says{atMemberAt, 4}}, "b int bits 37+3"},
		{"all of the storage", []any{says{atBitSize, 32}, says{atByteSize, 4}, says{atBitOffset, 0}, says{atMemberAt, 8}}, "b int bits 64+32"},
		{"no bits", []any{says{atBitSize, 0}, says{atMemberAt, 4}}, "b int @4"},
	} {
		s := tag(tagStruct, "S", says{atByteSize, 12}, tag(tagMember, append([]any{"b", of("int")}, test.parts...)...))
		want := "struct S 12 {" + test.want + "}"
		if got := drawn(typeOf(t, langC11, "S", base("int", encodingSigned, 4), s)); got != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
	}
}

// Enumerations have values with a sign, and the size of their type.
func TestEnumerations(t *testing.T) {
	value := func(name string, n any) ent { return tag(tagEnumerator, name, says{atConstValue, n}) }
	for _, test := range []struct {
		of   ent
		want string
	}{
		{tag(tagEnum, "E", says{atByteSize, 4}, value("a", 0), value("b", -1), value("c", 300)), "enum E 4 {a=0; b=-1; c=300}"},
		{tag(tagEnum, "E", of("char"), value("a", 1)), "enum E 1 of char {a=1}"},
		{tag(tagEnum, "E", of("char"), says{atByteSize, 2}), "enum E 2 of char"},
		{tag(tagEnum, says{atByteSize, 4}, value("a", raw{formData8, words(1 << 63)})), "enum 4 {a=-9223372036854775808}"},
		{tag(tagEnum, "E", says{atByteSize, 4}, tag(tagEnumerator, "no value"), tag(tagSubprogram, "method"), value("a", 7)), "enum E 4 {a=7}"},
		{tag(tagEnum, "E", says{name: atDeclaration, value: true}, says{atByteSize, 4}, value("a", 7)), "enum E 4 declared"},
	} {
		if got := drawn(typeOf(t, langCPlusPlus, "it", base("char", encodingUnsignedChar, 1), test.of.at("it"))); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// The alternatives of Rust's enums (section 5.7.10). A variant without a value
// is what all others are not.
func TestVariantParts(t *testing.T) {
	block := func(b ...byte) raw { return raw{formBlock1, append([]byte{byte(len(b))}, b...)} }
	discr := tag(tagMember, of("u8"), says{atMemberAt, 0}, says{name: atArtificial, value: true}).at("discriminant")
	by := says{atDiscr, ref4("discriminant")}
	some := tag(tagMember, "Some", of("u8"), says{atMemberAt, 1})
	variant := func(parts ...any) ent { return tag(tagVariant, append(parts, some)...) }
	for _, test := range []struct {
		name string
		part ent
		want string
	}{
		{"a value", tag(tagVariantPart, by, discr, variant(says{atDiscrValue, 3})), " by u8 @0 artificial | 3..3: Some u8 @1"},
		{"one with a sign", tag(tagVariantPart, by, discr, variant(says{atDiscrValue, -1})), " by u8 @0 artificial | 18446744073709551615..18446744073709551615: Some u8 @1"},
		{"the rest", tag(tagVariantPart, by, discr, variant(says{atDiscrValue, 0}), variant()), " by u8 @0 artificial | 0..0: Some u8 @1 |: Some u8 @1"},
		// DW_DSC_label is 0 and has a value, DW_DSC_range is 1 and has two (section 7.23).
		{"a list", tag(tagVariantPart, by, discr, variant(says{atDiscrList, block(0, 7, 1, 9, 12)})), " by u8 @0 artificial | 7..7 9..12: Some u8 @1"},
		{"128 bits that fit 64", tag(tagVariantPart, by, discr, variant(says{atDiscrValue, block(1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)})),
			" by u8 @0 artificial | 513..513: Some u8 @1"},
		// A range in wrong order holds no value.
		{"128 bits that do not", tag(tagVariantPart, by, discr, variant(says{atDiscrValue, block(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)})),
			" by u8 @0 artificial | 1..0: Some u8 @1"},
		{"no discriminant", tag(tagVariantPart, variant()), " |: Some u8 @1"},
		{"an empty variant", tag(tagVariantPart, by, discr, tag(tagVariant, says{atDiscrValue, 3})), " by u8 @0 artificial | 3..3: void @0"},
	} {
		got := drawn(typeOf(t, langRust, "E", base("u8", encodingUnsigned, 1), tag(tagStruct, "E", says{atByteSize, 2}, test.part)))
		if want := "struct E 2 variants" + test.want; got != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
	}
}

// rustc says of what type a vtable is (DW_AT_containing_type, LLVM's
// DWARF extension for Rust's trait objects).
func TestVtablesOfRust(t *testing.T) {
	vtable := tag(tagStruct, "<u8 as T>::{vtable_type}", says{atByteSize, 24}, says{atContaining, ref4("u8")})
	for language, want := range map[int]string{
		langRust:      "struct <u8 as T>::{vtable_type} 24 in u8",
		langCPlusPlus: "struct <u8 as T>::{vtable_type} 24",
	} {
		if got := drawn(typeOf(t, language, "<u8 as T>::{vtable_type}", base("u8", encodingUnsigned, 1), vtable)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A type has the names of what it is in.
func TestNamesOfTypes(t *testing.T) {
	s := func(name string) ent { return tag(tagStruct, name, says{atByteSize, 1}) }
	for _, test := range []struct {
		in   ent
		want string
	}{
		{s("S"), "S"},
		{tag(tagNamespace, "a", s("S")), "a::S"},
		{tag(tagNamespace, "a", tag(tagNamespace, "b", s("S"))), "a::b::S"},
		{tag(tagNamespace, s("S")), "(anonymous namespace)::S"},
		{tag(tagClass, "C", s("S")), "C::S"},
		{tag(tagUnion, s("S")), "(anonymous)::S"},
		{tag(tagSubprogram, "g", s("S")), "S"}, // in a function
		{tag(tagNamespace, "a", tag(tagSubprogram, "g", tag(tagClass, "C", s("S")))), "C::S"},
	} {
		if got := typeOf(t, langCPlusPlus, "S", test.in); got.Name != test.want {
			t.Errorf("%s, want %s", got.Name, test.want)
		}
	}
}

// A type that refers to no entry is damaged, and says so.
func TestDamagedTypes(t *testing.T) {
	entries := []ent{body(tag(tagVariable, "v", says{atType, raw{formRef4, []byte{0xff, 0xff, 0, 0}}}))}
	if got := drawn(variableType(t, newTree().unit(5, cplus(entries...)).open(t))); got != "unknown (damaged type)" {
		t.Error(got)
	}
}

// A declared type leads to its definition in another unit, by its full name.
func TestDefinitionElsewhere(t *testing.T) {
	declared := tag(tagStruct, "S", says{name: atDeclaration, value: true})
	x := tag(tagMember, "x", says{atMemberAt, 4})
	define := func(language int, name string, parts ...any) ent {
		return tag(tagCompileUnit, says{atLanguage, language}, tag(tagNamespace, "a", tag(tagStruct, append([]any{name, x}, parts...)...).at("the other")))
	}
	size := says{atByteSize, 8}
	for _, test := range []struct {
		name     string
		language int
		other    ent
		want     string
	}{
		{"in C++", langCPlusPlus, define(langCPlusPlus, "S", size), "struct a::S 8 {x void @4}"},
		{"in C", langC11, define(langC11, "S", size), "struct a::S 8 {x void @4}"},
		{"a union of the name", langCPlusPlus, tag(tagCompileUnit, tag(tagNamespace, "a", tag(tagUnion, "S", size, x).at("the other"))), "union a::S 8 {x void @4}"},
		{"in what dwz took out of several units", langCPlusPlus,
			tag(tagPartialUnit, tag(tagNamespace, "a", tag(tagStruct, "S", size, x).at("the other"))), "struct a::S 8 {x void @4}"},
		{"another name", langCPlusPlus, define(langCPlusPlus, "T", size), "none"},
		{"declared there, too", langCPlusPlus, define(langCPlusPlus, "S", says{name: atDeclaration, value: true}), "none"},
		{"in another namespace", langCPlusPlus, tag(tagCompileUnit, tag(tagStruct, "S", size, x).at("the other")), "none"},
		{"a typedef of the name", langCPlusPlus, tag(tagCompileUnit, tag(tagNamespace, "a", tag(tagTypedef, "S", x).at("the other"))), "none"},
		{"in Rust, where names are no keys", langRust, define(langRust, "S", size), "none"},
	} {
		main := compiled(test.language, tag(tagNamespace, "a", declared), body(tag(tagVariable, "v", of("S"))))
		got := variableType(t, newTree().unit(5, main).unit(4, test.other).open(t))
		if drawn(got) != "struct a::S declared" || drawn(got.Complete.Get()) != test.want {
			t.Errorf("%s: %s, completed by %s, want %s", test.name, drawn(got), drawn(got.Complete.Get()), test.want)
		}
	}
}

// A type unit is found by its signature: of version 4 in .debug_types, of
// version 5 among the other units (section 7.5.1.3).
func TestTypeUnits(t *testing.T) {
	const signature = 0x1122334455667788
	for version, section := range map[uint16]string{4: "types", 5: "info"} {
		for _, test := range []struct {
			name string
			sig  uint64
			tag  uint64
			want string
		}{
			{"found", signature, tagStruct, "struct S 8 {x int @0}"},
			{"another signature", signature + 1, tagStruct, "unknown (damaged type)"},
		} {
			main := newTree().unit(version, cplus(body(tag(tagVariable, "v", says{atType, raw{formRefSig8, words(test.sig)}}))))
			abbrevs := len(abbrevs(main.decls...)) // of the unit of the type, behind those of the other
			unit := typeUnitOf(t, version, signature, abbrevs)
			sections := main.sections(t, nil)
			sections["abbrev"] = append(sections["abbrev"], unit.abbrev...)
			sections[section] = append(sections[section], unit.info...)
			if got := drawn(variableType(t, open(sections, Options{}))); got != test.want {
				t.Errorf("version %d, %s: %s, want %s", version, test.name, got, test.want)
			}
		}
	}
}

// A unit of a type is found by its signature and by the name of the type, and is
// searched once: it is none of the units that may have variables.
func TestTypeUnitsAreListedOnce(t *testing.T) {
	for version, section := range map[uint16]string{4: "types", 5: "info"} {
		main := newTree().unit(version, cplus(body()))
		unit := typeUnitOf(t, version, 0x1122, len(abbrevs(main.decls...)))
		sections := main.sections(t, nil)
		sections["abbrev"] = append(sections["abbrev"], unit.abbrev...)
		sections[section] = append(sections[section], unit.info...)
		f := open(sections, Options{})
		if got := drawn(f.Class("S")); got != "struct S 8 {x int @0}" {
			t.Errorf("version %d: the class S is %s", version, got)
		}
		if n := len(f.x.all()) + len(f.allTypeUnits()); n != 2 {
			t.Errorf("version %d: %d units are searched, want 2", version, n)
		}
	}
}

// Behind a hole of zeros the units of types are found, too.
func TestTypeUnitsBehindHole(t *testing.T) {
	main := newTree().unit(5, cplus(body()))
	unit := typeUnitOf(t, 5, 0x1122, len(abbrevs(main.decls...)))
	sections := main.sections(t, nil)
	sections["abbrev"] = append(sections["abbrev"], unit.abbrev...)
	sections["info"] = slices.Concat(sections["info"], make([]byte, 100_001), unit.info)
	f := open(sections, Options{})
	if got := drawn(f.Class("S")); got != "struct S 8 {x int @0}" {
		t.Errorf("the class S is %s; %q", got, f.Notes())
	}
}

// typeUnitOf is a unit of the struct S, whose abbreviations are at an offset.
func typeUnitOf(t *testing.T, version uint16, signature uint64, abbrev int) (out struct{ info, abbrev []byte }) {
	s := asm.At(0).Mark("unit").Dist32("from", "to").Mark("from").U16(version)
	if version == 5 {
		s.U8(unitType, 8).U32(uint32(abbrev))
	} else {
		s.U32(uint32(abbrev)).U8(8)
	}
	s.U64(signature).Dist32("unit", "type")
	s.U8(1, langCPlusPlus).Mark("type")
	s.U8(2).Bytes(text("S")).U8(8)
	s.U8(3).Bytes(text("x")).Dist32("unit", "int").U8(0).U8(0)
	s.Mark("int").U8(4).Bytes(text("int")).U8(encodingSigned, 4).U8(0).Mark("to")
	out.info = s.Build(t)
	out.abbrev = abbrevs(
		decl(1, tagTypeUnit, 1, attr{atLanguage, formData1}),
		decl(2, tagStruct, 1, attr{atName, formString}, attr{atByteSize, formData1}),
		decl(3, tagMember, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atMemberAt, formData1}),
		decl(4, tagBase, 0, attr{atName, formString}, attr{atEncoding, formData1}, attr{atByteSize, formData1}),
	)
	return out
}

// Go's runtime knows a type by where its descriptor is (DW_AT_go_runtime_type).
func TestRuntimeTypes(t *testing.T) {
	f := newTree().unit(4, compiled(langGo,
		tag(tagStruct, "main.T", says{atByteSize, 16}, says{atGoRuntimeType, addr(0x4a0)}),
		tag(tagStruct, "main.U", says{atByteSize, 8}, says{atGoRuntimeType, addr(0)}), // the linker dropped its descriptor
		tag(tagStruct, "main.V", says{atByteSize, 8}, says{atGoRuntimeType, 0x500}),   // no address
		body())).open(t)
	for off, want := range map[uint64]string{0x4a0: "struct main.T 16", 0: "none", 0x500: "none", 0x4a1: "none"} {
		if got := drawn(f.RuntimeType(off)); got != want {
			t.Errorf("%#x: %s, want %s", off, got, want)
		}
	}
	check(t, f)
}
