package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/types"
)

// inRBX adds a variable of a number that rbx holds in all of the function: 7.
func inRBX(s scene, flags uint16, name string) {
	s.local(0x74, flags, name).ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0, 0x100)
}

// block adds a block of size bytes at off, with what is in it.
func block(s scene, off, size uint32, sect uint16, in func()) {
	s.add(symBlock, asm.At(0).U32(0, 0, size, off).U16(sect).U8(0))
	in()
	addEnd(s.t, s.Section, 6)
}

// inlined adds an inlined call of size bytes at off, with what is in it.
func inlined(s scene, off, size uint8, in func()) {
	addInline(s.t, s.Section, 0x1000, 3, off, 4, size)
	in()
	addEnd(s.t, s.Section, 0x114e)
}

// TestScopes has records in each other, and what is shown at an address.
func TestScopes(t *testing.T) {
	for _, tt := range []struct {
		name string
		rel  uint64
		body func(scene)
		want string
	}{
		{"the first byte of a block", 0x1010, func(s scene) { block(s, 0x10, 0x10, 1, func() { inRBX(s, 0, "v") }) }, "f: v = 7"},
		{"its last", 0x101f, func(s scene) { block(s, 0x10, 0x10, 1, func() { inRBX(s, 0, "v") }) }, "f: v = 7"},
		{"before it", 0x100f, func(s scene) { block(s, 0x10, 0x10, 1, func() { inRBX(s, 0, "v") }) }, "f: "},
		{"behind it", 0x1020, func(s scene) { block(s, 0x10, 0x10, 1, func() { inRBX(s, 0, "v") }) }, "f: "},
		{"a block of no section", 0x1010, func(s scene) { block(s, 0x10, 0x10, 0, func() { inRBX(s, 0, "v") }) }, "f: "},
		{"a block that is cut off", 0x1010, func(s scene) {
			s.add(symBlock, asm.At(0).U32(0, 0, 0x10))
			inRBX(s, 0, "v")
			addEnd(t, s.Section, 6)
			inRBX(s, 0, "w")
		}, "f: w = 7"},
		{"a block within one that is elsewhere", 0x1010, func(s scene) {
			block(s, 0x40, 0x10, 1, func() { block(s, 0x10, 0x10, 1, func() { inRBX(s, 0, "v") }) })
		}, "f: "},
		{"arguments are outside of blocks", 0x1010, func(s scene) {
			s.add(symFrameProc, asm.At(0).U32(0x38, 0, 0, 0, 0).U16(0).U32(1<<14|1<<16))
			block(s, 0x10, 0x10, 1, func() { s.regRel(0, 0x74, cvRSP, "v") })
			s.regRel(0, 0x74, cvRSP, "a")
		}, "f: (a) = 1, v = 1"},
		{"the frame record of a block is none", 0x1010, func(s scene) {
			s.frameProc(0x38, 1, 1).local(0x74, 0, "v").add(symRangeAllFrame, asm.At(0).U32(0))
			block(s, 0x10, 0x10, 1, func() { s.frameProc(0x1000, 2, 2) })
		}, "f: v = 1"},
		{"two calls in turn: the first", 0x1012, func(s scene) {
			inlined(s, 0x10, 8, func() { inRBX(s, 0, "a") })
			inlined(s, 0x20, 8, func() { inRBX(s, 0, "b") })
		}, "inner: a = 7 | f: "},
		{"the second", 0x1022, func(s scene) {
			inlined(s, 0x10, 8, func() { inRBX(s, 0, "a") })
			inlined(s, 0x20, 8, func() { inRBX(s, 0, "b") })
		}, "inner: b = 7 | f: "},
		{"calls in blocks and behind them", 0x1032, func(s scene) {
			block(s, 0x10, 0x10, 1, func() { inlined(s, 0x10, 8, func() { inRBX(s, 0, "a") }) })
			block(s, 0x20, 0x10, 1, func() { inlined(s, 0x20, 8, func() { inRBX(s, 0, "b") }) })
			inlined(s, 0x30, 8, func() { inRBX(s, 0, "c") })
		}, "inner: c = 7 | f: "},
		{"the call in the second block", 0x1022, func(s scene) {
			block(s, 0x10, 0x10, 1, func() { inlined(s, 0x10, 8, func() { inRBX(s, 0, "a") }) })
			block(s, 0x20, 0x10, 1, func() { inlined(s, 0x20, 8, func() { inRBX(s, 0, "b") }) })
			inlined(s, 0x30, 8, func() { inRBX(s, 0, "c") })
		}, "inner: b = 7 | f: "},
		{"a call in a call", 0x1012, func(s scene) {
			inlined(s, 0x10, 0x20, func() {
				inRBX(s, 0, "a")
				inlined(s, 0x20, 4, func() { inRBX(s, 0, "b") })
				inlined(s, 0x10, 4, func() { inRBX(s, 0, "c") })
			})
		}, "inner: c = 7 | inner: a = 7 | f: "},
		{"results and what has no name are no variables", 0x1010, func(s scene) {
			inRBX(s, localIsResult, "result")
			inRBX(s, 0, "")
			inRBX(s, 0, "v")
		}, "f: v = 7"},
		{"a range behind a variable with a place of its own is of none", 0x1010, func(s scene) {
			inRBX(s, 0, "v")
			s.add(symRegister, asm.At(0).U32(0x74).U16(cvRCX).Text("w\x00")).ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0, 0x100)
		}, "f: (w) = 32800, v = 7"},
		{"a range of nothing", 0x1010, func(s scene) {
			s.ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0, 0x100)
			inRBX(s, 0, "v")
		}, "f: v = 7"},
		{"a variable in thread-local storage, with LLVM's name", 0x1010, func(s scene) { s.add(symLocalTLS, asm.At(0).U32(0x74, 0x10).U16(2).Text("f::t\x00")) }, "f: t <unreadable>"},
		{"behind the end of the function", 0x1010, func(s scene) {
			addEnd(t, s.Section, 6)
			inRBX(s, 0, "v")
		}, "f: "},
		{"a function that begins in this one", 0x1010, func(s scene) {
			inRBX(s, 0, "v")
			addProc(t, s.Section, "g", 0, 1, 0x200, 8)
			inRBX(s, 0, "w")
		}, "f: v = 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := openBytes(t, functionScene(t, machineAMD64, tt.body).build(t))
			got := strings.ReplaceAll(values.Shown(frameAt(f, tt.rel, captured{0x8000: 1})), "(int, P): ", ": ")
			if got != tt.want {
				t.Errorf("got  %s\nwant %s (%q)", got, tt.want, f.Notes())
			}
		})
	}
}

// TestNoScopes has addresses without a function that has variables: a symbol, a thunk, code of
// no module, and code that a tool added.
func TestNoScopes(t *testing.T) {
	p := x86(t)
	p.optional[optOmapFromSrc] = asm.At(0).U32(0x1000, 0x1000).Build(t)
	p.optional[optOmapToSource] = asm.At(0).U32(0x1000, 0x1000, 0x1008, 0x8000_0000, 0x100c, 0x1008).Build(t)
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]int{0x1004: 1, 0x1008: 0 /* added */, 0x100c: 1, 0x1056: 0 /* the thunk */, 0x1064: 0 /* a symbol */, 0x1090: 0, 0x9000: 0, 1 << 40: 0} {
		if got := len(f.Scopes(rel)); got != want {
			t.Errorf("%#x: %d scopes, want %d", rel, got, want)
		}
	}
}

// TestLanguages reads the language of a module from S_COMPILE2 and S_COMPILE3.
//
// Source: CV_CFL_LANG of cvinfo.h; SourceLanguage of LLVM's CodeView.h.
func TestLanguages(t *testing.T) {
	for code, want := range map[uint32]types.Language{0: types.C, 1: types.CPlusPlus, 3: types.C /* MASM */, 0x11: types.ObjectiveC, 0x12: types.CPlusPlus, 0x13: types.Swift, 0x15: types.Rust, 0x16: types.Go, 'S': types.Swift, 'D': types.C} {
		for _, kind := range []uint16{symCompile2, symCompile3} {
			p := functionScene(t, machineAMD64, func(scene) {})
			s := scene{symbolRecords(), t}
			s.add(kind, asm.At(0).U32(0xff00|code).U16(0xd0).Zeros(16).Text("test\x00"))
			addProc(t, s.Section, "f", 0, 1, 0, 0x100)
			addEnd(t, s.Section, 6)
			p.modules[0].symbols = s.Section
			f := openBytes(t, p.build(t))
			if got := f.Language(0x1010); got != want {
				t.Errorf("%#x in a record of kind %#x: %v, want %v", code, kind, got, want)
			}
			if got := f.Language(0x1200); got != types.C {
				t.Errorf("where no function is: %v", got)
			}
		}
	}
}

// TestDamagedVariables has records that end too early: they are noted, and the others are there.
func TestDamagedVariables(t *testing.T) {
	f := openBytes(t, functionScene(t, machineAMD64, func(s scene) {
		inRBX(s, 0, "v")
		s.add(symRegRel, asm.At(0).U16(1)).add(symFrameProc, asm.At(0).U16(1))
		s.local(0x74, 0, "w").add(symRangeReg, asm.At(0).U16(1))
	}).build(t))
	if got := values.Shown(frameAt(f, 0x1010, nil)); got != "f(int, P): v = 7, w <optimized_out>" {
		t.Error(got)
	}
	notes := strings.Join(f.Notes(), "\n")
	for _, want := range []string{"variable record at ", "frame record at ", "range of a variable at "} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
}

// TestManyVariables has one variable more than are listed, and blocks in each other deeper than
// is read.
func TestManyVariables(t *testing.T) {
	f := openBytes(t, functionScene(t, machineAMD64, func(s scene) {
		for i := range maxVariables + 1 {
			s.local(0x74, localOptimized, fmt.Sprint("v", i))
		}
	}).build(t))
	if got := len(f.Scopes(0x1010)[0].Variables); got != maxVariables {
		t.Errorf("%d variables, want %d", got, maxVariables)
	}
	f = openBytes(t, functionScene(t, machineAMD64, func(s scene) {
		for i := range maxDepth + 5 {
			s.local(0x74, localOptimized, fmt.Sprint("v", i)).add(symBlock, asm.At(0).U32(0, 0, 0x100, 0).U16(1).U8(0))
		}
	}).build(t))
	if got := len(f.Scopes(0x1010)[0].Variables); got != maxDepth {
		t.Errorf("%d variables in blocks in each other, want %d", got, maxDepth)
	}
}

// TestFunctionsByID has functions whose record names an id and not a type, as compilers since
// Visual Studio 2012 write them: its arguments are those of the id's type.
func TestFunctionsByID(t *testing.T) {
	for _, tt := range []struct {
		name string
		ids  [][]byte
		want string
	}{
		{"a function", [][]byte{rec(t, 0x1601, asm.At(0).U32(0, 0x1001).Text("f\x00"))}, "f(int, P): (a) = 1, (b) = 2, c = 3"},
		{"a method, which has this, too", [][]byte{rec(t, 0x1602, asm.At(0).U32(0x1003, 0x100b).Text("f\x00"))}, "f(int, P): (a) = 1, (b) = 2, (c) = 3"},
		{"a static method, which has not", [][]byte{rec(t, 0x1602, asm.At(0).U32(0x1003, 0x100c).Text("f\x00"))}, "f(int, P): (a) = 1, (b) = 2, c = 3"},
		{"an id that is no function's", [][]byte{rec(t, 0x1605, asm.At(0).U32(0).Text("f\x00"))}, "f: a = 1, b = 2, c = 3"},
		{"an id that is not there", nil, "f: a = 1, b = 2, c = 3"},
	} {
		p := functionScene(t, machineAMD64, func(scene) {})
		p.types = append(p.types,
			rec(t, 0x1009, asm.At(0).U32(3, 0x1003, 0x1004).U8(0, 0).U16(2).U32(0x1000, 0)), rec(t, 0x1009, asm.At(0).U32(3, 0x1003, 0).U8(0, 0).U16(2).U32(0x1000, 0)))
		p.ids = tt.ids
		s := scene{symbolRecords(), t}
		s.Bytes(rec(t, symProcID, asm.At(0).U32(0, 0, 0, 0x100, 0, 0, 0x1000, 0).U16(1).U8(0).Text("f\x00")))
		s.frameProc(0x38, 1, 1).regRel(0, 0x74, cvRSP, "a").regRel(8, 0x74, cvRSP, "b").regRel(16, 0x74, cvRSP, "c")
		addEnd(t, s.Section, 0x114f)
		p.modules[0].symbols = s.Section
		f := openBytes(t, p.build(t))
		if got := values.Shown(frameAt(f, 0x1010, captured{0x8000: 1, 0x8008: 2, 0x8010: 3})); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestRustEnums has enums of one variant, of variants whose tags are not known, and unions that
// only have such a name.
func TestRustEnums(t *testing.T) {
	structure := func(kind uint16, prop uint16, fields uint32, name string) []byte {
		s := asm.At(0).U16(1, prop).U32(fields)
		if kind == leafStruct {
			s.U32(0, 0)
		}
		return rec(t, kind, s.U16(8).Text(name).U8(0))
	}
	p := x86(t)
	p.machine, p.optional = machineAMD64, nil
	p.types = [][]byte{
		fields(t, member(0x74, 4, "__0")), structure(leafStruct, 0, 0x1000, "enum2$<E>::A"), // 1001
		fields(t, member(0x74, 0, "other"), member(0x1001, 2, "value"), member(0x1001, 6, "value")), structure(leafStruct, 0, 0x1002, "enum2$<E>::Variant0"), // 1003
		fields(t, member(0x1003, 1, "variant0")), structure(leafUnion, 0, 0x1004, "enum2$<One>"), // 1005
		fields(t, member(0x1003, 0, "variant0"), member(0x20, 7, "tag"), asm.At(0).U16(0x150e, 3).U32(0x1003).Text("variant9\x00"), asm.At(0).U16(0x150e, 3).U32(0x20).Text("tag\x00")),
		structure(leafUnion, 0, 0x1006, "enum2$<Two>"),                                       // 1007
		fields(t, member(0x74, 0, "value")), structure(leafUnion, 0, 0x1008, "enum2$<None>"), // 1009
		fields(t, member(0x5000, 3, "variant0")), structure(leafUnion, 0, 0x100a, "enum2$<Damaged>"), // 100b
		structure(leafStruct, 0x80, 0, "enum2$<E>::Variant0"), fields(t, member(0x100c, 0, "variant0")), // 100c, 100d
		structure(leafUnion, 0, 0x100d, "enum2$<Declared>"), structure(leafUnion, 0, 0x1006, "plain<E>"), // 100e, 100f
	}
	p.hashed = make([]string, len(p.types))
	p.hashed[3] = "enum2$<E>::Variant0"
	f := openBytes(t, p.build(t))
	for number, want := range map[uint32]string{
		0x1005: "One: A@3 of all tags", 0x1007: "Two tag@7: A@2 of [{1 0}]", 0x1009: "None", 0x100b: "Damaged: variant0@0 of all tags", 0x100e: "Declared: A@2 of all tags", 0x100f: "plain<E>",
	} {
		typ := f.ref(number, types.Rust).Get()
		got := typ.Name
		if typ.Variants != nil {
			if d := typ.Variants.Discr; d != nil {
				got += fmt.Sprintf(" %s@%d", d.Name, d.Offset)
			}
			got += ":"
			for _, v := range typ.Variants.List {
				tags := "all tags"
				if v.Values != nil {
					tags = fmt.Sprint(v.Values)
				}
				got += fmt.Sprintf(" %s@%d of %s", v.Member.Name, v.Member.Offset, tags)
			}
		}
		if got != want {
			t.Errorf("%#x: %s, want %s", number, got, want)
		}
	}
}
