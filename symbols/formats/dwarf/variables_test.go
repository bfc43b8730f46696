package dwarf

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// Kinds of entries of a location list (DW_LLE, section 7.7.3) that have another number in range lists.
const (
	locBase     = 6
	locStartEnd = 7
)

// Codes of the abbreviations that the programs here are made of.
const (
	aUnit = iota + 1
	aFunction
	aBase
	aVariable
	aParameter
	aListed
	aBlock
	aConstant
	aStruct
	aMember
	aPointer
	aInlined
	aCall
	aPassed
	aInstance
	aLost
	aTail
	aSpace
	aArray
	aBound
	aCounted
	aPlaced
)

var programAbbrevs = abbrevs(
	decl(aUnit, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}, attr{atLanguage, formData1}),
	decl(aFunction, tagSubprogram, 1, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}, attr{atFrameBase, formExprloc}, attr{atAllCalls, formFlagPresent}),
	decl(aBase, tagBase, 0, attr{atName, formString}, attr{atEncoding, formData1}, attr{atByteSize, formData1}),
	decl(aVariable, tagVariable, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atLocation, formExprloc}),
	decl(aParameter, tagParameter, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atLocation, formExprloc}),
	decl(aListed, tagVariable, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atLocation, formSecOffset}),
	decl(aBlock, tagBlock, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
	decl(aConstant, tagVariable, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atConstValue, formSdata}),
	decl(aStruct, tagStruct, 1, attr{atName, formString}, attr{atByteSize, formUdata}),
	decl(aMember, tagMember, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atMemberAt, formUdata}),
	decl(aPointer, tagPointer, 0, attr{atType, formRef4}),
	decl(aInlined, tagInlined, 1, attr{atAbstractOrigin, formRef4}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
	decl(aCall, tagCallSite, 1, attr{atCallReturn, formAddr}, attr{atCallOrigin, formRef4}),
	decl(aPassed, tagCallValue, 0, attr{atLocation, formExprloc}, attr{atCallValue, formExprloc}),
	decl(aInstance, tagVariable, 0, attr{atAbstractOrigin, formRef4}, attr{atLocation, formExprloc}),
	decl(aLost, tagVariable, 0, attr{atName, formString}, attr{atType, formRef4}),
	decl(aArray, tagArray, 1, attr{atType, formRef4}),
	decl(aBound, tagSubrange, 0, attr{atUpperBound, formExprloc}),
	decl(aCounted, tagSubrange, 0, attr{atCount, formRef4}),
	decl(aSpace, tagNamespace, 1, attr{atName, formString}),
	decl(aPlaced, tagVariable, 0, attr{atName, formString}, attr{atType, formRef4}, attr{atConstValue, formSdata}, attr{atDeclLine, formData1}),
	decl(aTail, tagCallSite, 0, attr{atTailCall, formFlagPresent}, attr{atCallOrigin, formRef4}),
)

func expr(ops ...byte) []byte { return append(asm.ULEB(uint64(len(ops))), ops...) }

// named begins an entry with its code and its name.
func named(s *asm.Section, code uint8, name string) *asm.Section {
	return s.U8(code).Bytes(text(name))
}

// program is a unit in version 4 or 5 with functions from body on, and the types int and P.
func program(t *testing.T, version uint16, more map[string][]byte, body func(s *asm.Section)) *File {
	t.Helper()
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(version)
	if version == 5 {
		s.U8(1, 8).U32(0)
	} else {
		s.U32(0).U8(8)
	}
	s.U8(aUnit).U64(0x1000).Bytes(asm.ULEB(0x1000)).U8(0x21)
	named(s.Mark("int"), aBase, "int").U8(encodingSigned, 4)
	named(s.Mark("P"), aStruct, "P").Bytes(asm.ULEB(16))
	named(s, aMember, "x").Ref32("int").Bytes(asm.ULEB(0))
	named(s, aMember, "next").Ref32("*P").Bytes(asm.ULEB(8)).U8(0)
	s.Mark("*P").U8(aPointer).Ref32("P")
	body(s)
	s.U8(0).Mark("to")
	sections := map[string][]byte{"info": s.Build(t), "abbrev": programAbbrevs}
	for name, data := range more {
		sections[name] = data
	}
	return open(sections, Options{Base: 0})
}

// function begins a function whose frame base is the CFA.
func function(s *asm.Section, name string, low, size uint64) *asm.Section {
	return named(s.Mark(name), aFunction, name).U64(low).Bytes(asm.ULEB(size)).Bytes(expr(opCallFrameCFA))
}

type captured = values.Captured

// frame is one of the program, whose module is loaded at 0x7000_0000.
func frame(f *File, rel uint64, m captured) *variables.Context {
	at := &process.Frame{Module: &module.Module{Base: 0x7000_0000}, Instruction: 0x7000_0000 + rel, ReturnAddress: 0x7000_0001 + rel}
	at.Regs.Set(cpu.RBX, 0x55)
	at.Regs.Set(cpu.RSP, 0x8000)
	symbols := variables.Symbols{Scopes: f, CallSites: f, Statics: f, RuntimeTypes: f, Languages: f}
	return &variables.Context{
		Frame: at, Arch: &cpu.AMD64, Memory: m, Symbols: symbols,
		CFA: func() (uint64, bool) { return 0x9000, true },
	}
}

func TestScopes(t *testing.T) {
	for _, version := range []uint16{4, 5} {
		f := program(t, version, nil, func(s *asm.Section) {
			named(s.Mark("inner"), aFunction, "inner").U64(0).Bytes(asm.ULEB(0)).Bytes(expr()) // an origin of inlined calls
			named(s.Mark("t"), aLost, "t").Ref32("int").U8(0)
			function(s, "f", 0x1000, 0x100)
			named(s, aParameter, "n").Ref32("int").Bytes(expr(append([]byte{opFbreg}, asm.SLEB(-16)...)...))
			named(s, aVariable, "p").Ref32("P").Bytes(expr(append([]byte{opFbreg}, asm.SLEB(-32)...)...))
			named(s, aVariable, "r").Ref32("int").Bytes(expr(opReg0 + 3))
			named(s, aVariable, "lost").Ref32("int").Bytes(expr(opReg0))
			named(s, aLost, "gone").Ref32("int")
			named(s, aConstant, "k").Ref32("int").Bytes(asm.SLEB(-7))
			named(s, aVariable, "g").Ref32("int").Bytes(expr(append([]byte{opAddr}, words(0x5000)...)...))
			s.U8(aBlock).U64(0x1010).Bytes(asm.ULEB(0x10))
			named(s, aPlaced, "k").Ref32("int").Bytes(asm.SLEB(1)).U8(13)
			named(s, aPlaced, "here").Ref32("int").Bytes(asm.SLEB(2)).U8(12)
			s.U8(aBlock).U64(0x1010).Bytes(asm.ULEB(0x10))
			named(s, aPlaced, "deeper").Ref32("int").Bytes(asm.SLEB(3)).U8(14).U8(0).U8(0)
			s.U8(aBlock).U64(0x1020).Bytes(asm.ULEB(0x10))
			named(s, aConstant, "elsewhere").Ref32("int").Bytes(asm.SLEB(2)).U8(0)
			s.U8(aInlined).Ref32("inner").U64(0x1010).Bytes(asm.ULEB(4))
			s.U8(aInstance).Ref32("t").Bytes(expr(opLit0+9, opStackValue)).U8(0)
			s.U8(0)
		})
		m := captured{0x8ff0: 5, 0x8fe0: 6, 0x8fe8: 0, 0x7000_5000: 8}
		want := "inner: t = 9 | f: (n) = 5, p {x = 6} {next = nullptr}, r = 85, lost <optimized_out>, gone <optimized_out>, k hidden = -7, g = 8, k@12 = 1, here@12 = 2, deeper@14 = 3"
		if got := values.Shown(frame(f, 0x1012, m)); got != want {
			t.Errorf("version %d:\n%s\nwant %s", version, got, want)
		}
		if got := values.Shown(frame(f, 0x2000, m)); got != "" {
			t.Errorf("outside: %s", got)
		}
		check(t, f)
	}
}

// What follows an inlined call is not the call's.
func TestVariablesBehindCalls(t *testing.T) {
	f := program(t, 5, nil, func(s *asm.Section) {
		named(s.Mark("inner"), aFunction, "inner").U64(0).Bytes(asm.ULEB(0)).Bytes(expr()).U8(0)
		function(s, "f", 0x1000, 0x100)
		s.U8(aBlock).U64(0x1010).Bytes(asm.ULEB(0x10))
		named(s, aPlaced, "before").Ref32("int").Bytes(asm.SLEB(1)).U8(13)
		s.U8(aInlined).Ref32("inner").U64(0x1010).Bytes(asm.ULEB(4))
		named(s, aPlaced, "inside").Ref32("int").Bytes(asm.SLEB(2)).U8(20).U8(0)
		named(s, aPlaced, "behind").Ref32("int").Bytes(asm.SLEB(3)).U8(12).U8(0)
		named(s, aPlaced, "last").Ref32("int").Bytes(asm.SLEB(4)).U8(15)
		s.U8(0)
	})
	want := "inner: inside = 2 | f: last = 4, before@12 = 1, behind@12 = 3"
	if got := values.Shown(frame(f, 0x1012, nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func words(list ...uint64) (out []byte) {
	for _, w := range list {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

func TestLocationLists(t *testing.T) {
	pairs := func(begin, end uint64, ops ...byte) []byte {
		return append(append(words(begin, end), byte(len(ops)), 0), ops...)
	}
	list := func(parts ...[]byte) (out []byte) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	// A base address entry of version 4 has no expression.
	old := list(pairs(0, 0x10, opLit0+1, opStackValue), words(^uint64(0), 0x1080), pairs(0, 0x10, opLit0+2, opStackValue), pairs(0x10, 0x20), words(0, 0))
	five := list([]byte{rangeOffsetPair, 0, 0x10, 2, opLit0 + 1, opStackValue}, []byte{locBase}, words(0x1080), []byte{locViewPair, 0, 0, rangeOffsetPair, 0, 0x10, 2, opLit0 + 2, opStackValue},
		[]byte{locStartLength}, words(0x1090), []byte{0x10, 0, locStartEnd}, words(0x10c0, 0x10d0), []byte{2, opLit0 + 3, opStackValue, rangeEnd})
	for _, test := range []struct {
		version uint16
		section string
		data    []byte
		want    map[uint64]string
	}{
		{4, "loc", old, map[uint64]string{0x1008: "v = 1", 0x1088: "v = 2", 0x1098: "v <optimized_out>", 0x10c8: "v <optimized_out>"}},
		{5, "loclists", five, map[uint64]string{0x1008: "v = 1", 0x1088: "v = 2", 0x1098: "v <optimized_out>", 0x10c8: "v = 3", 0x10e0: "v <optimized_out>"}},
		{4, "loc", old[:10], map[uint64]string{0x1088: "v <unreadable>"}},
		{5, "loclists", five[:3], map[uint64]string{0x1088: "v <unreadable>"}},
		{5, "loc", old, map[uint64]string{0x1008: "v <unreadable>"}},
	} {
		f := program(t, test.version, map[string][]byte{test.section: test.data}, func(s *asm.Section) {
			function(s, "f", 0x1000, 0x100)
			named(s, aListed, "v").Ref32("int").U32(0)
			s.U8(0)
		})
		for rel, want := range test.want {
			if got := values.Shown(frame(f, rel, nil)); got != "f: "+want {
				t.Errorf("version %d at %#x: %s, want %s", test.version, rel, got, want)
			}
		}
	}
}

func TestExpressions(t *testing.T) {
	for _, test := range []struct {
		ops  []byte
		want string
	}{
		{[]byte{opLit0 + 7, opLit0 + 3, opMinus, opStackValue}, "4"},
		{[]byte{opConst1s, 0xff, opStackValue}, "-1"},
		{[]byte{opConst1s, 0xf8, opLit0 + 2, opDiv, opStackValue}, "-4"},
		{[]byte{opLit0 + 1, opLit0 + 2, opLit0 + 3, opRot, opStackValue}, "2"},
		{[]byte{opLit0 + 1, opLit0 + 2, opPick, 1, opStackValue}, "1"},
		{[]byte{opLit0 + 1, opBra, 1, 0, opNop, opLit0 + 5, opStackValue}, "5"},
		{[]byte{opConst1u, 0x80, opLit0 + 4, opShl, opLit0 + 4, opShr, opStackValue}, "128"},
		{[]byte{opConst1s, 0xff, opLit0, opLt, opStackValue}, "1"},
		{[]byte{opBreg0 + 3, 1, opStackValue}, "86"},
		{[]byte{opBreg0, 1, opStackValue}, "<optimized_out>"},
		{[]byte{opConst2u, 0, 0x10, opDeref, opStackValue}, "77"},
		{[]byte{opConst2u, 0, 0x20, opDeref, opStackValue}, "<not_captured>"},
		{[]byte{opConst2u, 0, 0x10}, "77"},
		{[]byte{opImplicitValue, 4, 1, 2, 0, 0}, "513"},
		{[]byte{opLit0 + 1, opStackValue, opPiece, 2, opLit0 + 2, opStackValue, opPiece, 2}, "131073"},
		{[]byte{opLit0 + 1, opStackValue, opPiece, 2, opPiece, 2}, "<optimized_out>"},
		{[]byte{}, "<optimized_out>"},
		{[]byte{opPlus}, "<unreadable>"},
		{[]byte{opLit0, opLit0, opDiv, opStackValue}, "<unreadable>"},
		{[]byte{opSkip, 0xfd, 0xff}, "<unreadable>"}, // an endless loop
		{[]byte{opFormTLS}, "<unreadable>"},
		{[]byte{0xff}, "<unreadable>"},
		{[]byte{opConst8u, 1}, "<unreadable>"},
		{[]byte{opEntryValue, 1, opReg0 + 5, opStackValue}, "<optimized_out>"},
	} {
		f := program(t, 5, nil, func(s *asm.Section) {
			function(s, "f", 0x1000, 0x100)
			named(s, aVariable, "v").Ref32("int").Bytes(expr(test.ops...))
			s.U8(0)
		})
		got := strings.TrimPrefix(strings.TrimPrefix(values.Shown(frame(f, 0x1010, captured{0x1000: 77})), "f: v"), " ")
		if got = strings.TrimPrefix(got, "= "); got != test.want {
			t.Errorf("% x: %s, want %s", test.ops, got, test.want)
		}
	}
}

// What a caller passed is known where its call says so, and where the function
// cannot have been entered in another way.
func TestEntryValues(t *testing.T) {
	for _, test := range []struct {
		name   string
		callee string // that the call names
		tail   string // what the function jumps to at its end
		want   string
	}{
		{"called", "f", "", "v = 86"},
		{"another function was called", "other", "", "v <optimized_out>"},
		{"it may have jumped to itself", "f", "f", "v <optimized_out>"},
		{"it may have jumped elsewhere", "f", "other", "v = 86"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := program(t, 5, nil, func(s *asm.Section) {
				function(s, "f", 0x1000, 0x100)
				named(s, aVariable, "v").Ref32("int").Bytes(expr(opEntryValue, 1, opReg0+5, opStackValue))
				if test.tail != "" {
					s.U8(aTail).Ref32(test.tail)
				}
				s.U8(0)
				function(s, "other", 0x1200, 0x100).U8(0)
				function(s, "caller", 0x1400, 0x100).U8(aCall).U64(0x1421).Ref32(test.callee)
				s.U8(aPassed).Bytes(expr(opReg0 + 5)).Bytes(expr(opBreg0+3, 1)).U8(0)
				s.U8(0)
			})
			at := frame(f, 0x1010, nil)
			at.Caller = frame(f, 0x1420, nil)
			if got := values.Shown(at); got != "f: "+test.want {
				t.Errorf("%s, want f: %s", got, test.want)
			}
		})
	}
}

// GCC asks for what a register of floats held at entry with a type.
func TestEntryValueOfAFloat(t *testing.T) {
	const xmm0 = 17
	f := program(t, 5, nil, func(s *asm.Section) {
		double := byte(s.Here())
		named(s.Mark("double"), aBase, "double").U8(encodingFloat, 8)
		function(s, "f", 0x1000, 0x100)
		named(s, aVariable, "v").Ref32("double").Bytes(expr(opEntryValue, 3, opRegvalType, xmm0, double, opStackValue)).U8(0)
		function(s, "caller", 0x1400, 0x100).U8(aCall).U64(0x1421).Ref32("f")
		s.U8(aPassed).Bytes(expr(opRegx, xmm0)).Bytes(expr(opConst8u, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f)).U8(0)
		s.U8(0)
	})
	at := frame(f, 0x1010, nil)
	at.Caller = frame(f, 0x1420, nil)
	if got := values.Shown(at); got != "f: v = 1.5" {
		t.Error(got)
	}
}

// How many elements an array has may be known at run time only: GCC has an
// expression for it, and Clang a variable.
func TestBounds(t *testing.T) {
	f := program(t, 5, nil, func(s *asm.Section) {
		function(s, "f", 0x1000, 0x100)
		s.Mark("gcc").U8(aArray).Ref32("int").U8(aBound).Bytes(expr(opFbreg, 0, opDeref)).U8(0)
		named(s, aVariable, "a").Ref32("gcc").Bytes(expr(opFbreg, 8))
		s.Mark("clang").U8(aArray).Ref32("int").U8(aCounted).Ref32("n").U8(0)
		named(s, aVariable, "b").Ref32("clang").Bytes(expr(opFbreg, 8))
		named(s.Mark("n"), aVariable, "n").Ref32("int").Bytes(expr(opFbreg, 0))
		s.U8(0)
	})
	for first, want := range map[uint64]string{
		2:       "f: a {[0] = 5} {[1] = 0} {[2] <not_captured>}, b {[0] = 5} {[1] = 0}, n = 2",
		1 << 60: "",
	} {
		got := values.Shown(frame(f, 0x1010, captured{0x9000: first, 0x9008: 5}))
		if want != "" && got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Variables outside of functions are found by their full names, in namespaces, too.
func TestStatics(t *testing.T) {
	f := program(t, 5, nil, func(s *asm.Section) {
		named(s, aSpace, "ns")
		named(s, aVariable, "count").Ref32("int").Bytes(expr(opAddr, 0, 0x20, 0, 0, 0, 0, 0, 0)).U8(0)
		named(s, aConstant, "limit").Ref32("int").U8(5)
		named(s, aLost, "gone").Ref32("int")
		function(s, "f", 0x1000, 0x100)
		named(s, aVariable, "local").Ref32("int").Bytes(expr(opAddr, 0, 0x20, 0, 0, 0, 0, 0, 0)).U8(0)
	})
	at := frame(f, 0, captured{0x7000_2000: 7})
	var list []string
	for _, v := range variables.Named([]string{"*"}, variables.Limits{})(at) {
		list = append(list, values.One(v))
	}
	if got := strings.Join(list, ", "); got != "ns::count = 7, limit = 5" {
		t.Error(got)
	}
	for rel, want := range map[uint64][]string{0x1010: {"ns::count", "limit"}, 0x2000: nil} {
		var names []string
		for _, v := range f.StaticsAt(rel, variables.MaxStatics) {
			names = append(names, v.Name)
		}
		if !slices.Equal(names, want) || len(f.StaticsAt(rel, 1)) != min(len(want), 1) {
			t.Errorf("of the unit at %#x: %q, want %q", rel, names, want)
		}
	}
}

// In a prologue the frame pointer is still the caller's.
func TestFrameBaseInPrologue(t *testing.T) {
	f := program(t, 5, nil, func(s *asm.Section) {
		named(s, aFunction, "f").U64(0x1000).Bytes(asm.ULEB(0x100)).Bytes(expr(opReg0 + 6))
		named(s, aVariable, "v").Ref32("int").Bytes(expr(opFbreg, 0)).U8(0)
	})
	for base, want := range map[string]string{"$rbp": "f: v = 3", "$rsp": "f: v <unreadable>"} {
		at := frame(f, 0x1001, captured{0x8100: 3})
		at.Regs.Set(cpu.RBP, 0x8100)
		at.Interrupted, at.CFABase = true, func() string { return base }
		if got := values.Shown(at); got != want {
			t.Errorf("CFA by %s: %s, want %s", base, got, want)
		}
	}
}

// damageable is a unit with one of everything that is read for variables.
func damageable(t testing.TB) (info, abbrev, loclists []byte) {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(5).U8(1, 8).U32(0)
	s.U8(aUnit).U64(0x1000).Bytes(asm.ULEB(0x1000)).U8(0x21)
	named(s.Mark("int"), aBase, "int").U8(encodingSigned, 4)
	named(s.Mark("P"), aStruct, "P").Bytes(asm.ULEB(16))
	named(s, aMember, "x").Ref32("int").Bytes(asm.ULEB(0))
	named(s, aMember, "next").Ref32("*P").Bytes(asm.ULEB(8)).U8(0)
	s.Mark("*P").U8(aPointer).Ref32("P")
	function(s, "f", 0x1000, 0x100)
	named(s, aParameter, "p").Ref32("*P").Bytes(expr(opFbreg, 0))
	named(s, aVariable, "q").Ref32("P").Bytes(expr(opBreg0+3, 1, opPiece, 8, opReg0, opPiece, 8))
	named(s, aListed, "l").Ref32("int").U32(0)
	named(s, aVariable, "e").Ref32("int").Bytes(expr(opEntryValue, 1, opReg0+5, opStackValue))
	s.U8(aBlock).U64(0x1000).Bytes(asm.ULEB(0x100))
	named(s, aConstant, "k").Ref32("P").Bytes(asm.SLEB(1)).U8(0)
	s.U8(aCall).U64(0x1011).Ref32("f").U8(aPassed).Bytes(expr(opReg0 + 5)).Bytes(expr(opLit0)).U8(0).U8(0).U8(0).Mark("to")
	return s.Build(t), programAbbrevs, []byte{rangeOffsetPair, 0, 0x20, 2, opLit0 + 1, opStackValue, rangeEnd}
}

// readAll reads all variables of a program, damaged or not.
func readAll(info, abbrev, loclists []byte) {
	f := open(map[string][]byte{"info": info, "abbrev": abbrev, "loclists": loclists}, Options{})
	at := frame(f, 0x1010, captured{0x9000: 0x9000, 0x9008: 0x9000})
	at.Caller = frame(f, 0x1010, nil)
	variables.Read(at, variables.Limits{Values: 1000})
	f.Statics(func(string) bool { return true }, 10)
	f.StaticsAt(0x1010, 10)
}

// Whatever the bytes are, reading ends, and nothing panics.
func TestMutatedVariables(t *testing.T) {
	info, abbrev, loclists := damageable(t)
	words := []uint32{0, 1, 0x7f, tagInlined, tagVariable, atType, formRef4, formExprloc, 0xffff, 0x1000, 0xffff_ffff}
	values.Damage(t, 20000, words, [][]byte{info, abbrev, loclists}, func(p [][]byte) { readAll(p[0], p[1], p[2]) })
}

// The same for any bytes.
func FuzzVariables(f *testing.F) {
	info, abbrev, loclists := damageable(f)
	f.Add(info, abbrev, loclists)
	f.Fuzz(func(t *testing.T, info, abbrev, loclists []byte) {
		begin := time.Now()
		readAll(info, abbrev, loclists)
		if took := time.Since(begin); took > 10*time.Second {
			t.Fatalf("%v", took)
		}
	})
}

// A declared class is found where it is defined.
func TestDeclared(t *testing.T) {
	f := program(t, 5, nil, func(s *asm.Section) { function(s, "f", 0x1000, 0x100).U8(0) })
	if c := f.Class("P"); c == nil || c.Kind != types.Struct || len(c.Members) != 2 {
		t.Errorf("P is %+v", c)
	}
	if c := f.Class("Q"); c != nil {
		t.Errorf("Q is %+v", c)
	}
}

// Calls that are inlined into each other end somewhere, whatever their number.
func TestManyCalls(t *testing.T) {
	const many = 200_000
	f := program(t, 5, nil, func(s *asm.Section) {
		named(s.Mark("inner"), aFunction, "inner").U64(0).Bytes(asm.ULEB(0)).Bytes(expr()).U8(0)
		function(s, "f", 0x1000, 0x100)
		for range many {
			s.U8(aInlined).Ref32("inner").U64(0x1010).Bytes(asm.ULEB(4))
		}
		s.Zeros(many + 1)
	})
	if n := len(f.Scopes(0x1012)); n > maxChain+1 {
		t.Errorf("%d scopes", n)
	}
}
