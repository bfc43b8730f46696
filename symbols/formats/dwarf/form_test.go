package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// payloads are values of all forms, as they are written in a unit of version 5
// with addresses of 8 and offsets of 4 bytes.
var payloads = map[uint64][]byte{
	formAddr: make([]byte, 8), formBlock2: {2, 0, 9, 9}, formBlock4: {1, 0, 0, 0, 9}, formData2: {1, 2}, formData4: {1, 2, 3, 4},
	formData8: make([]byte, 8), formString: text("skipped"), formBlock: {3, 1, 2, 3}, formBlock1: {1, 9}, formData1: {7}, formFlag: {1},
	formSdata: {0xff, 0x7f}, formStrp: {0, 0, 0, 0}, formUdata: {0x80, 0x80, 1}, formRefAddr: make([]byte, 4), formRef1: {1},
	formRef2: {1, 0}, formRef4: {1, 0, 0, 0}, formRef8: make([]byte, 8), formRefUdata: {0x81, 1}, formIndirect: {formData2, 1, 2},
	formSecOffset: make([]byte, 4), formExprloc: {2, 0x91, 0}, formFlagPresent: {}, formStrx: {0x80, 1}, formAddrx: {5}, formRefSup4: make([]byte, 4),
	formStrpSup: make([]byte, 4), formData16: make([]byte, 16), formLineStrp: make([]byte, 4), formRefSig8: make([]byte, 8),
	formLoclistx: {3}, formRnglistx: {3}, formRefSup8: make([]byte, 8), formStrx1: {1}, formStrx2: {1, 2}, formStrx3: {1, 2, 3}, formStrx4: {1, 2, 3, 4},
	formAddrx1: {1}, formAddrx2: {1, 2}, formAddrx3: {1, 2, 3}, formAddrx4: {1, 2, 3, 4},
	formGNUAddrIndex: {9}, formGNUStrIndex: {9}, formGNURefAlt: make([]byte, 4), formGNUStrpAlt: make([]byte, 4),
}

// TestSkipsAllForms puts a value of each form, twice, before the attributes
// that matter, in a function and in a variable before it.
func TestSkipsAllForms(t *testing.T) {
	const other = 0x3fff // an unknown attribute
	if len(payloads) != 46 {
		t.Errorf("%d forms", len(payloads))
	}
	for form, payload := range payloads {
		table := abbrevs(
			decl(1, tagCompileUnit, 1, attr{other, form}, attr{atLowPC, formAddr}, attr{atHighPC, formData2}),
			decl(2, 0x34, 0, attr{other, form}, attr{other, form}, attr{other, formData1}),
			decl(3, tagSubprogram, 0, attr{other, form}, attr{other, form}, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
		)
		info := unit5(func(s *asm.Section) {
			s.U8(1).Bytes(payload).U64(0x1000).U16(0x100)
			s.U8(2).Bytes(payload).Bytes(payload).U8(1)
			s.U8(3).Bytes(payload).Bytes(payload).Bytes(text("f")).U64(0x1000).U8(0x10)
			s.U8(0)
		})
		f := open(map[string][]byte{"info": info.Build(t), "abbrev": table}, Options{})
		if loc, ok := f.Locate(0x100f); !ok || loc.Function != "f" || loc.Size != 0x10 {
			t.Errorf("form %#x: %+v, %v", form, loc, ok)
		}
		check(t, f)
	}
}

func TestUnknownForms(t *testing.T) {
	for _, form := range []uint64{0x02, 0x2d, 0x1f03, 0x7fff} {
		table := abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData2}),
			decl(3, tagSubprogram, 0, attr{0x3fff, form}, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
		)
		info := unit5(func(s *asm.Section) {
			s.U8(1).U64(0x1000).U16(0x100).U8(3).Bytes(text("f")).U64(0x1000).U8(0x10).U8(0)
		})
		f := open(map[string][]byte{"info": info.Build(t), "abbrev": table}, Options{})
		if loc, ok := f.Locate(0x1000); ok {
			t.Errorf("form %#x: %+v", form, loc)
		}
		want := "dwarf: .debug_info at 0x17: the entry is damaged, or reaches beyond its unit at 0x24"
		if notes := fmt.Sprint(f.Notes()); notes != "["+want+"]" {
			t.Errorf("form %#x: %s", form, notes)
		}
	}
}

// TestNames reads a name by each form that strings have.
func TestNames(t *testing.T) {
	str := []byte("\x00wrong\x00right\x00")
	sections := map[string][]byte{
		"str": str, "line_str": []byte("right\x00"),
		"str_offsets": append(make([]byte, 8), asm.At(0).U32(1, 7).Build(t)...), // a header of 8 bytes, and two
	}
	for form, payload := range map[uint64][]byte{
		formString: text("right"), formStrp: {7, 0, 0, 0}, formLineStrp: {0, 0, 0, 0}, formStrx: {1}, formStrx1: {1}, formStrx2: {1, 0},
		formStrx3: {1, 0, 0}, formStrx4: {1, 0, 0, 0}, formGNUStrIndex: {1}, formIndirect: {formStrp, 7, 0, 0, 0},
		formGNUStrpAlt: {1, 0, 0, 0}, formStrpSup: {1, 0, 0, 0},
	} {
		sections["abbrev"] = abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData2}, attr{atStrOffsetsBase, formSecOffset}),
			decl(3, tagSubprogram, 0, attr{atName, form}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
		)
		sections["info"] = unit5(func(s *asm.Section) {
			s.U8(1).U64(0x1000).U16(0x100).U32(8).U8(3).Bytes(payload).U64(0x1000).U8(0x10).U8(0)
		}).Build(t)
		f := open(sections, Options{})
		f.Supplement(Sections{"str": source([]byte("\x00right\x00"))})
		if loc, ok := f.Locate(0x1000); !ok || loc.Function != "right" {
			t.Errorf("form %#x: %+v, %v", form, loc, ok)
		}
		check(t, f)
	}
}

// TestAddresses reads the start of a function by each form that addresses have.
func TestAddresses(t *testing.T) {
	sections := map[string][]byte{"addr": append(make([]byte, 8), asm.At(0).U64(0x9999, 0x1000).Build(t)...)}
	for form, payload := range map[uint64][]byte{
		formAddr: {0, 0x10, 0, 0, 0, 0, 0, 0}, formAddrx: {1}, formAddrx1: {1}, formAddrx2: {1, 0}, formAddrx3: {1, 0, 0},
		formAddrx4: {1, 0, 0, 0}, formGNUAddrIndex: {1},
	} {
		sections["abbrev"] = abbrevs(
			decl(1, tagCompileUnit, 1, attr{atAddrBase, formSecOffset}, attr{atLowPC, form}, attr{atHighPC, formUdata}),
			decl(3, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, form}, attr{atHighPC, formImplicitConst, 0x10}),
		)
		sections["info"] = unit5(func(s *asm.Section) {
			s.U8(1).U32(8).Bytes(payload).U8(0x20).U8(3).Bytes(text("f")).Bytes(payload).U8(0)
		}).Build(t)
		f := open(sections, Options{})
		if loc, ok := f.Locate(0x100f); !ok || loc.Start != 0x1000 || loc.Size != 0x10 {
			t.Errorf("form %#x: %+v, %v", form, loc, ok)
		}
		check(t, f)
	}
}
