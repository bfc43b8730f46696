package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
)

// TestRegisterRanges has the first and last number of each group of registers, and
// the numbers beside them.
//
// Source: CV_HREG_e of microsoft-pdb's include/cvconst.h.
func TestRegisterRanges(t *testing.T) {
	for _, tt := range []struct {
		machine, number uint16
		want            string // name, first bit, bits
	}{
		{machineX86, 0, ""}, {machineX86, 1, "eax 0 8"}, {machineX86, 4, "ebx 0 8"}, {machineX86, 5, "eax 8 8"}, {machineX86, 8, "ebx 8 8"},
		{machineX86, 9, "eax 0 16"}, {machineX86, 16, "edi 0 16"}, {machineX86, 17, "eax 0 32"}, {machineX86, 22, "ebp 0 32"}, {machineX86, 24, "edi 0 32"}, {machineX86, 25, ""},
		{machineX86, 153, ""}, {machineX86, 154, "xmm0 0 128"}, {machineX86, 161, "xmm7 0 128"}, {machineX86, 162, ""},
		{machineX86, 193, ""}, {machineX86, 194, "xmm0 0 64"}, {machineX86, 201, "xmm7 0 64"}, {machineX86, 202, ""}, {machineX86, 328, ""},
		{machineAMD64, 1, "rax 0 8"}, {machineAMD64, 8, "rbx 8 8"}, {machineAMD64, 16, "rdi 0 16"}, {machineAMD64, 19, "rdx 0 32"}, {machineAMD64, 154, "xmm0 0 128"},
		{machineAMD64, 251, ""}, {machineAMD64, 252, "xmm8 0 128"}, {machineAMD64, 259, "xmm15 0 128"}, {machineAMD64, 260, ""},
		{machineAMD64, 323, ""}, {machineAMD64, 324, "rsi 0 8"}, {machineAMD64, 325, "rdi 0 8"}, {machineAMD64, 326, "rbp 0 8"}, {machineAMD64, 327, "rsp 0 8"},
		{machineAMD64, 328, "rax 0 64"}, {machineAMD64, 329, "rbx 0 64"}, {machineAMD64, 334, "rbp 0 64"}, {machineAMD64, 335, "rsp 0 64"},
		{machineAMD64, 336, "r8 0 64"}, {machineAMD64, 343, "r15 0 64"}, {machineAMD64, 344, "r8 0 8"}, {machineAMD64, 351, "r15 0 8"},
		{machineAMD64, 352, "r8 0 16"}, {machineAMD64, 359, "r15 0 16"}, {machineAMD64, 360, "r8 0 32"}, {machineAMD64, 367, "r15 0 32"},
		{machineAMD64, 368, "ymm0 0 256"}, {machineAMD64, 383, "ymm15 0 256"}, {machineAMD64, 384, ""},
		{machineARM64, 9, ""}, {machineARM64, 10, "x0 0 32"}, {machineARM64, 40, "x30 0 32"}, {machineARM64, 41, ""}, {machineARM64, 49, ""},
		{machineARM64, 50, "x0 0 64"}, {machineARM64, 78, "x28 0 64"}, {machineARM64, 79, "fp 0 64"},
		{machineARM64, 80, "lr 0 64"}, {machineARM64, 81, "sp 0 64"}, {machineARM64, 82, ""},
		{machineARM64, 99, ""}, {machineARM64, 100, "v0 0 32"}, {machineARM64, 131, "v31 0 32"}, {machineARM64, 132, ""},
		{machineARM64, 140, "v0 0 64"}, {machineARM64, 171, "v31 0 64"},
		{machineARM64, 172, ""}, {machineARM64, 180, "v0 0 128"}, {machineARM64, 211, "v31 0 128"}, {machineARM64, 212, ""},
		{machineARM, 9, ""}, {machineARM, 10, "r0 0 32"}, {machineARM, 22, "r12 0 32"}, {machineARM, 23, "sp 0 32"}, {machineARM, 24, "lr 0 32"}, {machineARM, 25, ""},
		{0x1234, 17, ""},
	} {
		got := ""
		if r, ok := registerOf(tt.machine, tt.number); ok {
			got = fmt.Sprint(r.name, " ", r.at, " ", r.bits)
		}
		if got != tt.want {
			t.Errorf("machine %#x, register %d: %q, want %q", tt.machine, tt.number, got, tt.want)
		}
	}
	for number, want := range map[uint16]string{cvVFRAME: "$T0", 335: "rsp", 9999: "register 9999"} {
		if got := registerName(machineAMD64, number); got != want {
			t.Errorf("register %d is called %s, want %s", number, got, want)
		}
	}
}

// TestPackedNumbers reads the numbers of annotations, of one, two and four bytes.
//
// Source: CVUncompressData of microsoft-pdb's include/cvinfo.h.
func TestPackedNumbers(t *testing.T) {
	for _, tt := range []struct {
		bytes string
		want  uint32
		left  int
		bad   bool
	}{
		{bytes: "\x00", want: 0, left: 0}, {bytes: "\x7f\x01", want: 0x7f, left: 1},
		{bytes: "\x80\x80", want: 0x80, left: 0}, {bytes: "\xbf\xff", want: 0x3fff, left: 0}, {bytes: "\x80\x01\x02", want: 1, left: 1},
		{bytes: "\xc0\x00\x40\x00", want: 0x4000, left: 0}, {bytes: "\xdf\xff\xff\xff", want: 0x1fffffff, left: 0},
		{bytes: "\xe0\x00\x00\x00", want: 0, left: 4, bad: true}, {bytes: "\xff", want: 0, left: 1, bad: true}, // no such size
		{bytes: "", want: 0, left: 0, bad: true}, {bytes: "\x80", want: 0, left: 1, bad: true}, {bytes: "\xc0\x00\x40", want: 0, left: 3, bad: true}, // cut
	} {
		r := annotationReader{b: []byte(tt.bytes)}
		if n := r.number(); n != tt.want || len(r.b) != tt.left || r.bad != tt.bad {
			t.Errorf("%x: %#x, %d bytes left, bad %v, want %#x, %d, %v", tt.bytes, n, len(r.b), r.bad, tt.want, tt.left, tt.bad)
		}
	}
	for packed, want := range map[uint32]int32{0: 0, 1: 0, 2: 1, 3: -1, 4: 2, 5: -2, 0x1ffffffe: 0xfffffff, 0x1fffffff: -0xfffffff} {
		if got := signed(packed); got != want {
			t.Errorf("signed(%#x) is %d, want %d", packed, got, want)
		}
	}
}

// TestAnnotationOperations runs the operations over code at 1000, of line 10 of file 7.
//
// Source: BinaryAnnotationOpcode of microsoft-pdb's include/cvinfo.h.
func TestAnnotationOperations(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"nothing", nil, ""}, {"padding", []byte{0, 0, 0}, ""},
		{"one row", []byte{annAdvance, 4, annLength, 8}, "1004-100c 7:10"},
		{"two rows, the first ends where the second begins", []byte{annAdvance, 4, annAdvance, 2, annLength, 8}, "1004-1006 7:10 1006-100e 7:10"},
		{"a line later", []byte{annLine, 6, annAdvance, 4, annLength, 8}, "1004-100c 7:13"},
		{"a line before", []byte{annLine, 7, annAdvance, 4, annLength, 8}, "1004-100c 7:7"},
		{"another file", []byte{annFile, 9, annAdvance, 4, annLength, 8}, "1004-100c 9:10"},
		{"the code is set", []byte{annAdvance, 4, annCodeOffset, 0x20, annAdvance, 1, annLength, 2}, "1004-1021 7:10 1021-1023 7:10"},
		{"code and line at once", []byte{annAdvanceLine, 2<<4 | 5, annLength, 3}, "1005-1008 7:11"},
		{"back a line", []byte{annAdvanceLine, 3<<4 | 5, annLength, 3}, "1005-1008 7:9"},
		{"code and length at once", []byte{annLengthAdvance, 8, 4}, "1004-100c 7:10"},
		{"and again, counted from the start of the row", []byte{annLengthAdvance, 8, 4, annLengthAdvance, 2, 4}, "1004-100c 7:10 1008-100a 7:10"},
		{"a length that was given changes nothing", []byte{annLengthAdvance, 8, 4, annLength, 2}, "1004-100c 7:10"},
		{"after a length the code goes on behind it", []byte{annAdvance, 4, annLength, 8, annAdvance, 1, annLength, 1}, "1004-100c 7:10 100d-100e 7:10"},
		{"a length without an offset", []byte{annLength, 8}, "1000-1008 7:10"},
		{"and one behind it", []byte{annLength, 8, annLine, 2, annLength, 4}, "1000-1008 7:10 1008-100c 7:11"},
		{"without an end", []byte{annAdvance, 4}, "1004-1004 7:10"},
		{"the first separated code is this one", []byte{annCodeBase, 0, annAdvance, 4, annLength, 8}, "1004-100c 7:10"},
		{"what is separated is left out", []byte{annAdvance, 4, annLength, 8, annCodeBase, 1, annAdvance, 4, annLength, 8}, "1004-100c 7:10"},
		{"what has no meaning for lines", []byte{7, 1, 8, 1, 9, 2, 10, 1, 13, 1, annAdvance, 4, annLength, 8}, "1004-100c 7:10"},
		{"an operation that is not known", []byte{annAdvance, 4, annLength, 8, 14, 1, annAdvance, 4}, "1004-100c 7:10"},
		{"cut in an operand", []byte{annAdvance, 4, annLength, 8, annAdvance, 0x80}, "1004-100c 7:10"},
		{"beyond 4 GiB", []byte{annAdvance, 4, annLength, 0xdf, 0xff, 0xff, 0xff}, "1004-20001003 7:10"},
	} {
		var got []string
		for _, r := range (inlinee{file: 7, line: 10}).rows(tt.bytes, 0x1000, nil) {
			got = append(got, fmt.Sprintf("%x-%x %d:%d", r.start, r.end, r.file, r.line))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// TestNumeric reads numbers of variable size: LF_NUMERIC and what follows it in cvinfo.h.
func TestNumeric(t *testing.T) {
	neg := func(n int64) uint64 { return uint64(n) }
	for _, tt := range []struct {
		bytes *asm.Section
		want  uint64
		err   string
	}{
		{asm.At(0).U16(0), 0, ""}, {asm.At(0).U16(0x7fff), 0x7fff, ""},
		{asm.At(0).U16(0x8000).U8(0xfe), neg(-2), ""}, {asm.At(0).U16(0x8000).U8(0x7f), 0x7f, ""},
		{asm.At(0).U16(0x8001, 0xfffe), neg(-2), ""}, {asm.At(0).U16(0x8002, 0xfffe), 0xfffe, ""},
		{asm.At(0).U16(0x8003).U32(0xffff_fffe), neg(-2), ""}, {asm.At(0).U16(0x8004).U32(0xffff_fffe), 0xffff_fffe, ""},
		{asm.At(0).U16(0x8009).U64(neg(-2)), neg(-2), ""}, {asm.At(0).U16(0x800a).U64(1 << 63), 1 << 63, ""},
		{asm.At(0).U16(0x8017).U64(5, 6), 5, ""}, {asm.At(0).U16(0x8018).U64(7, 0), 7, ""},
		{asm.At(0).U16(0x8005).U32(1), 0, "number at 0x2: a number of kind 0x8005"}, // LF_REAL32
		{asm.At(0).U8(1), 0, "number at 0x0: need 2 bytes, have 1"}, {asm.At(0).U16(0x8004).U16(1), 0, "number at 0x2: need 4 bytes, have 2"},
		{asm.At(0).U16(0x8017).U64(5), 5, "number at 0xa: need 8 bytes, have 0"},
	} {
		data := tt.bytes.Build(t)
		c := bin.NewCursor("number", 0, data)
		if got := numeric(c); got != tt.want || errorText(c.Err()) != tt.err || tt.err == "" && c.Len() > 0 {
			t.Errorf("%x: %#x, %v, %d bytes left, want %#x, %s", data, got, c.Err(), c.Len(), tt.want, tt.err)
		}
	}
}

// TestRanges says whether a variable is where S_DEFRANGE records say, in a section at
// 1000: the range begins at 1010 and has 20 bytes, with gaps at 1014-1017 and 101e-1020.
//
// Source: CV_LVAR_ADDR_RANGE and CV_LVAR_ADDR_GAP of cvinfo.h.
func TestRanges(t *testing.T) {
	f := &File{}
	f.addr.sections = []section{{start: 0x1000, size: 0x100}}
	area := func(s *asm.Section) []byte { return s.U32(0x10).U16(1, 0x14).U16(4, 4, 14, 2).Build(t) }
	r := record{kind: symRangeReg, data: area(asm.At(0).U16(328, 0))}
	for rva, want := range map[uint32]bool{0x100f: false, 0x1010: true, 0x1013: true, 0x1014: false, 0x1017: false, 0x1018: true, 0x101d: true, 0x101e: false, 0x101f: false, 0x1020: true, 0x1023: true, 0x1024: false} {
		if _, covers, err := f.rangedPlace(r, rva); covers != want || err != nil {
			t.Errorf("%#x: %v, %v, want %v", rva, covers, err, want)
		}
	}
	for _, tt := range []struct {
		name string
		kind uint16
		head *asm.Section
		want place
	}{
		{"a register", symRangeReg, asm.At(0).U16(328, 0), place{kind: inRegister, reg: 328}},
		{"perhaps a register", symRangeReg, asm.At(0).U16(328, 1), place{kind: inRegister, reg: 328, maybe: true}},
		{"a part in a register", symRangePartReg, asm.At(0).U16(328, 0).U32(0xffff_f008), place{kind: inRegister, reg: 328, part: true, parent: 8}},
		{"in the frame", symRangeFrame, asm.At(0).U32(0xffff_fff8), place{kind: atFrame, off: -8}},
		{"behind a register", symRangeRegRel, asm.At(0).U16(335, 0).U32(0x20), place{kind: atRegister, reg: 335, off: 0x20}},
		{"a part behind a register", symRangeRegRel, asm.At(0).U16(335, 4<<4|1).U32(0x20), place{kind: atRegister, reg: 335, off: 0x20, part: true, parent: 4}},
		{"behind a pointer", symRangeIndirect, asm.At(0).U16(335, 0).U32(0x20, 0xffff_fffc), place{kind: behindPointer, reg: 335, off: 0x20, then: -4}},
		{"by a program of the debugger's", symRange, asm.At(0).U32(1), place{kind: unsupported}},
		{"a part by such a program", symRangePart, asm.At(0).U32(1, 2), place{kind: unsupported}},
	} {
		tt.want.rule = tt.kind
		if p, covers, err := f.rangedPlace(record{kind: tt.kind, data: area(tt.head)}, 0x1010); p != tt.want || !covers || err != nil {
			t.Errorf("%s: %+v, %v, %v, want %+v", tt.name, p, covers, err, tt.want)
		}
		if _, covers, _ := f.rangedPlace(record{kind: tt.kind, data: area(tt.head)}, 0x1024); covers {
			t.Errorf("%s: it is said to be behind its range, too", tt.name)
		}
	}
	whole := record{kind: symRangeAllFrame, data: asm.At(0).U32(0xffff_fff8).Build(t)}
	if p, covers, err := f.rangedPlace(whole, 0x9999); !covers || err != nil || p.off != -8 {
		t.Errorf("in all of the function: %+v, %v, %v", p, covers, err)
	}
}

// TestLeafSize has the bytes that belong to the member at an offset:
//
//	struct { int a; struct { char b; short c[3]; } s; union { long u; char v; }; unsigned d : 3, e : 13; }
//	         0               4       6                12                         20
func TestLeafSize(t *testing.T) {
	ref := func(t *types.Type) types.Ref { return func() *types.Type { return t } }
	number := func(size uint64) *types.Type { return &types.Type{Kind: types.Signed, Size: size, Sized: true} }
	array := &types.Type{Kind: types.Array, Size: 6, Sized: true, Elem: ref(number(2))}
	inner := &types.Type{Kind: types.Struct, Size: 8, Sized: true, Members: []types.Member{{Name: "b", Type: ref(number(1))}, {Name: "c", Type: ref(array), Offset: 2}}}
	either := &types.Type{Kind: types.Union, Size: 8, Sized: true, Members: []types.Member{{Name: "u", Type: ref(number(8))}, {Name: "v", Type: ref(number(1))}}}
	outer := &types.Type{Kind: types.Struct, Size: 24, Sized: true, Members: []types.Member{
		{Name: "a", Type: ref(number(4))}, {Name: "s", Type: ref(inner), Offset: 4}, {Type: ref(either), Offset: 12},
		{Name: "d", Type: ref(number(4)), Bits: 3, BitOffset: 160}, {Name: "e", Type: ref(number(4)), Bits: 13, BitOffset: 163},
		{Name: "count", Type: ref(number(1)), Offset: 1, Static: true},
	}}
	for off, want := range map[uint64]uint64{0: 4, 1: 3, 3: 1, 4: 1, 5: 0, 6: 2, 7: 1, 10: 2, 11: 1, 12: 1, 13: 7, 19: 1, 20: 1, 21: 1, 22: 0, 24: 0} {
		if got := leafSize(outer, off, 8); got != want {
			t.Errorf("at %d: %d bytes, want %d", off, got, want)
		}
	}
	if got := leafSize(outer, 6, 2); got != 0 {
		t.Errorf("too deep: %d bytes, want none", got)
	}
	if got := leafSize(nil, 0, 8); got != 0 {
		t.Errorf("no type: %d bytes", got)
	}
}
