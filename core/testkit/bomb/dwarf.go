package bomb

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// Attributes, forms and tags, as DWARF numbers them (DWARF 4, 7.5).
const (
	name, low, high, ranges, origin, typed, place, frameBase, size, memberAt, encoding, stmts = 0x03, 0x11, 0x12, 0x55, 0x31, 0x49, 0x02, 0x40, 0x0b, 0x38, 0x3e, 0x10

	addr, data4, strp, ref4, offset, exprloc, data1, udata = 0x01, 0x06, 0x0e, 0x13, 0x17, 0x18, 0x0b, 0x0f

	unit, namespace, subprogram, inlined, variable, structure, member, baseType, array, function, parameter, pointer = 0x11, 0x39, 0x2e, 0x1d, 0x34,
		0x13, 0x0d, 0x24, 0x01, 0x15, 0x05, 0x0f
)

// decl is a declaration of an abbreviation: pairs of an attribute and its form. DWARF 4, 7.5.3.
func decl(code, tag uint64, children byte, pairs ...uint64) []byte {
	out := append(append(asm.ULEB(code), asm.ULEB(tag)...), children)
	for _, v := range pairs {
		out = append(out, asm.ULEB(v)...)
	}
	return append(out, 0, 0)
}

// Codes of the abbreviations below.
const (
	aUnit = iota + 1
	aNamespace
	aFunction
	aLeaf
	aInlined
	aVariable
	aStruct
	aMember
	aBase
	aRanged
	aPointer
	aFunctionType
	aParameter
)

// abbrevs is .debug_abbrev, the same for every file.
var abbrevs = append(bytes.Join([][]byte{
	decl(aUnit, unit, 1, low, addr, high, data4),
	decl(aNamespace, namespace, 1, name, strp),
	decl(aFunction, subprogram, 1, name, strp, low, addr, high, data4, frameBase, exprloc),
	decl(aLeaf, subprogram, 0, name, strp, low, addr, high, data4),
	decl(aInlined, inlined, 1, origin, ref4, low, addr, high, data4),
	decl(aVariable, variable, 0, name, strp, typed, ref4, place, exprloc),
	decl(aStruct, structure, 1, name, strp, size, data4),
	decl(aMember, member, 0, name, strp, typed, ref4, memberAt, udata),
	decl(aBase, baseType, 0, name, strp, encoding, data1, size, data1),
	decl(aRanged, inlined, 1, origin, ref4, ranges, offset),
	decl(aPointer, pointer, 0, typed, ref4),
	decl(aFunctionType, function, 1, typed, ref4),
	decl(aParameter, parameter, 0, typed, ref4),
}, nil), 0)

// debug is an ELF file with code bytes of code, one string at offset 0 of .debug_str, and one unit of
// DWARF 4 whose entries body writes. Every name of the unit is that string.
func debug(t testing.TB, code int, str string, more []elfSection, body func(s *asm.Section)) []byte {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(4).U32(0).U8(8)
	s.U8(aUnit).U64(0x100).U32(0x10_0000)
	body(s)
	s.U8(0).Mark("to")
	parts := []elfSection{
		{name: ".debug_info", kind: progbits, data: s.Build(t)}, {name: ".debug_abbrev", kind: progbits, data: abbrevs},
		{name: ".debug_str", kind: progbits, data: append([]byte(str), 0)},
	}
	return elf(t, code, append(parts, more...)...)
}

// dwarfs are debug files for a recursion. Each frame searches for the function, the inlined calls and,
// where values is set, the variables at one address.
func dwarfs(t testing.TB) []Bomb {
	const deep = 4000
	long := strings.Repeat("n", 1000)
	// within begins the function that contains every frame; its frame base is DW_OP_call_frame_cfa.
	within := func(s *asm.Section) *asm.Section {
		return s.U8(aFunction).U32(0).U64(0x100).U32(0x1000).Bytes(asm.ULEB(1)).U8(0x9c)
	}
	// variables adds n variables of one type, whose location is an expression.
	variables := func(s *asm.Section, n int, expr []byte) {
		for range n {
			s.U8(aVariable).U32(0).Ref32("type").Bytes(asm.ULEB(uint64(len(expr)))).Bytes(expr)
		}
	}
	files := []struct {
		name   string
		more   []elfSection
		values bool
		body   func(s *asm.Section)
	}{
		// 20,000 names with a prefix of 60,000 characters each.
		{name: "namespaces", body: func(s *asm.Section) {
			for range 60 {
				s.U8(aNamespace).U32(0)
			}
			for i := range 20000 {
				s.U8(aLeaf).U32(0).U64(0x100 + uint64(i)).U32(1)
			}
			s.Zeros(60)
		}},
		// 3,000 inlined calls at each frame.
		{name: "inlined-in-each-other", body: func(s *asm.Section) {
			s.Mark("f").U8(aLeaf).U32(0).U64(0x9000).U32(1)
			within(s)
			for range 3000 {
				s.U8(aInlined).Ref32("f").U64(0x100).U32(0x1000)
			}
			s.Zeros(3001)
		}},
		// 3,000 inlined calls share one list of 20,000 ranges.
		{name: "ranges-shared", more: []elfSection{{name: ".debug_ranges", kind: progbits, data: repeat(asm.At(0), 20000, func(s *asm.Section, i int) { s.U64(uint64(2*i), uint64(2*i+1)) }).U64(0, 0).Build(t)}}, body: func(s *asm.Section) {
			s.Mark("f").U8(aLeaf).U32(0).U64(0x9000).U32(1)
			within(s)
			for range 3000 {
				s.U8(aRanged).Ref32("f").U32(0).U8(0)
			}
			s.U8(0)
		}},
		// Five levels of 300 members: one variable has 300^5 values.
		{name: "structures", values: true, body: func(s *asm.Section) {
			s.Mark("int").U8(aBase).U32(0).U8(5, 4)
			s.Mark("type")
			for level := range 5 {
				s.Mark("level" + string(rune('0'+level))).U8(aStruct).U32(0).U32(64)
				for range 300 {
					s.U8(aMember).U32(0)
					if level == 4 {
						s.Ref32("int")
					} else {
						s.Ref32("level" + string(rune('1'+level)))
					}
					s.Bytes(asm.ULEB(0))
				}
				s.U8(0)
			}
			within(s)
			variables(s, 300, []byte{0x91, 0})
			s.U8(0)
		}},
		// Loops that never end, and 30 expressions of 60,000 steps.
		{name: "expressions", values: true, body: func(s *asm.Section) {
			s.Mark("type").U8(aBase).U32(0).U8(5, 4)
			within(s)
			variables(s, 3000, []byte{0x30, 0x2f, 0xfc, 0xff}) // DW_OP_lit0, DW_OP_skip -4
			variables(s, 30, append(bytes.Repeat([]byte{0x30, 0x13}, 30000), 0x91, 0))
			s.U8(0)
		}},
		// The name of the type contains itself 201 times.
		{name: "function-types", values: true, body: func(s *asm.Section) {
			s.Mark("type").U8(aPointer).Ref32("fn").Mark("fn").U8(aFunctionType).Ref32("type")
			for range 200 {
				s.U8(aParameter).Ref32("type")
			}
			s.U8(0)
			within(s)
			variables(s, 3000, []byte{0x91, 0})
			s.U8(0)
		}},
		// A function at each byte.
		{name: "many-functions-of-one-name", body: func(s *asm.Section) {
			for i := range 100000 {
				s.U8(aLeaf).U32(0).U64(0x100 + uint64(i)).U32(1)
			}
		}},
	}
	var all []Bomb
	for _, f := range files {
		all = append(all, Bomb{Name: "dwarf-" + f.name, Dump: recursed(t, deep), Symbols: debug(t, 0x20000, long, f.more, f.body), File: "app.so", Values: f.values})
	}
	return all
}

// SmallDWARF are debug files with entries of each kind, to be damaged.
func SmallDWARF(t testing.TB) [][]byte {
	body := func(s *asm.Section) {
		s.Mark("int").U8(aBase).U32(0).U8(5, 4).Mark("fn").U8(aFunctionType).Ref32("int").U8(aParameter).Ref32("int").U8(0)
		s.Mark("type").U8(aStruct).U32(0).U32(64).U8(aMember).U32(0).Ref32("int").Bytes(asm.ULEB(0)).U8(aMember).U32(0).Ref32("int").Bytes(asm.ULEB(8)).U8(0)
		s.U8(aNamespace).U32(0).Mark("f").U8(aLeaf).U32(0).U64(0x9000).U32(1).U8(0)
		s.U8(aFunction).U32(0).U64(0x100).U32(0x1000).Bytes(asm.ULEB(1)).U8(0x9c)
		s.U8(aInlined).Ref32("f").U64(0x110).U32(0x10).U8(aRanged).Ref32("f").U32(0).U8(0).U8(0)
		s.U8(aVariable).U32(0).Ref32("type").Bytes(asm.ULEB(2)).U8(0x91, 0).U8(aVariable).U32(0).Ref32("fn").Bytes(asm.ULEB(2)).U8(0x91, 8).U8(0)
	}
	list := elfSection{name: ".debug_ranges", kind: progbits, data: asm.At(0).U64(0x20, 0x28, 0, 0).Build(t)}
	return [][]byte{debug(t, 0x200, "name", []elfSection{list}, body)}
}
