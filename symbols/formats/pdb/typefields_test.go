package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
)

// TestFields reads each kind of field, and the one behind it: so that its size is right.
//
// Source: lfMember, lfSTMember, lfBClass, lfVBClass, lfEnumerate, lfVFuncTab, lfVFuncOff,
// lfMethod, lfOneMethod, lfNestType, lfNestTypeEx, lfFriendCls, lfFriendFcn, lfMemberModify and
// lfIndex of microsoft-pdb's include/cvinfo.h.
func TestFields(t *testing.T) {
	const intro, pureIntro, virtual, pure = 4 << 2, 6 << 2, 1 << 2, 5 << 2
	last := member(0x75, 0x7f, "last").Build(t)
	for _, tt := range []struct {
		name string
		in   *asm.Section
		want field
	}{
		{"LF_MEMBER", member(0x74, 8, "x"), field{kind: 0x150d, typ: 0x74, off: 8, name: "x"}},
		{"LF_MEMBER at a large offset", asm.At(0).U16(0x150d, 3).U32(0x74).U16(0x8004).U32(1 << 20).Text("x\x00"), field{kind: 0x150d, typ: 0x74, off: 1 << 20, name: "x"}},
		{"LF_STMEMBER", asm.At(0).U16(0x150e, 3).U32(0x74).Text("s\x00"), field{kind: 0x150e, typ: 0x74, name: "s"}},
		{"LF_BCLASS", asm.At(0).U16(0x1400, 3).U32(0x1000).U16(16), field{kind: 0x1400, typ: 0x1000, off: 16}},
		{"LF_BINTERFACE", asm.At(0).U16(0x151a, 3).U32(0x1000).U16(16), field{kind: 0x151a, typ: 0x1000, off: 16}},
		{"LF_VBCLASS", asm.At(0).U16(0x1401, 3).U32(0x1000, 0x1001).U16(8, 2), field{kind: 0x1401, typ: 0x1000, vbptr: 8, index: 2}},
		{"LF_IVBCLASS", asm.At(0).U16(0x1402, 3).U32(0x1000, 0x1001).U16(8, 3), field{kind: 0x1402, typ: 0x1000, vbptr: 8, index: 3}},
		{"LF_ENUMERATE", asm.At(0).U16(0x1502, 3, 7).Text("E\x00"), field{kind: 0x1502, off: 7, name: "E"}},
		{"LF_VFUNCTAB", asm.At(0).U16(0x1409, 0).U32(0x1002), field{kind: 0x1409, typ: 0x1002}},
		{"LF_VFUNCOFF", asm.At(0).U16(0x140c, 0).U32(0x1002, 24), field{kind: 0x140c, typ: 0x1002, off: 24}},
		{"LF_FRIENDCLS", asm.At(0).U16(0x140a, 0).U32(0x1003), field{kind: 0x140a, typ: 0x1003}},
		{"LF_FRIENDFCN", asm.At(0).U16(0x150c, 0).U32(0x1003).Text("f\x00"), field{kind: 0x150c, typ: 0x1003, name: "f"}},
		{"LF_METHOD", asm.At(0).U16(0x150f, 2).U32(0x1004).Text("m\x00"), field{kind: 0x150f, typ: 0x1004, name: "m"}},
		{"LF_ONEMETHOD", asm.At(0).U16(0x1511, 3).U32(0x1005).Text("m\x00"), field{kind: 0x1511, typ: 0x1005, name: "m"}},
		{"that overrides", asm.At(0).U16(0x1511, 3|virtual).U32(0x1005).Text("m\x00"), field{kind: 0x1511, typ: 0x1005, name: "m"}},
		{"that is pure", asm.At(0).U16(0x1511, 3|pure).U32(0x1005).Text("m\x00"), field{kind: 0x1511, typ: 0x1005, name: "m"}},
		{"that introduces", asm.At(0).U16(0x1511, 3|intro).U32(0x1005, 8).Text("m\x00"), field{kind: 0x1511, typ: 0x1005, name: "m"}},
		{"that introduces a pure one", asm.At(0).U16(0x1511, 3|pureIntro).U32(0x1005, 8).Text("m\x00"), field{kind: 0x1511, typ: 0x1005, name: "m"}},
		{"LF_NESTTYPE", asm.At(0).U16(0x1510, 0).U32(0x1006).Text("N\x00"), field{kind: 0x1510, typ: 0x1006, name: "N"}},
		{"LF_NESTTYPEEX", asm.At(0).U16(0x1512, 3).U32(0x1006).Text("N\x00"), field{kind: 0x1512, typ: 0x1006, name: "N"}},
		{"LF_MEMBERMODIFY", asm.At(0).U16(0x1513, 3).U32(0x1006).Text("M\x00"), field{kind: 0x1513, typ: 0x1006, name: "M"}},
		{"a name of nothing", asm.At(0).U16(0x150d, 3).U32(0x74).U16(8).U8(0), field{kind: 0x150d, typ: 0x74, off: 8}},
	} {
		body := tt.in.Build(t)
		for n := len(body); n%4 != 0; n++ {
			body = append(body, uint8(0xf4-n%4)) // LF_PAD3 to LF_PAD1
		}
		var got []field
		left := maxFields
		c := bin.NewCursor("fields", 0, append(body, last...))
		more := fieldsOf(c, &left, func(d *field) bool { got = append(got, *d); return true })
		if len(got) != 2 || got[0] != tt.want || got[1].name != "last" || got[1].off != 0x7f || more != 0 || c.Err() != nil || left != maxFields-2 {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, c.Err(), tt.want)
		}
		for n := range len(tt.in.Build(t)) {
			c := bin.NewCursor("fields", 0, body[:n])
			left := maxFields
			if fieldsOf(c, &left, func(*field) bool { t.Errorf("%s: %d bytes make a field", tt.name, n); return true }); n >= minField && c.Err() == nil {
				t.Errorf("%s: %d of its bytes are no error", tt.name, n)
			}
		}
	}
}

// TestFieldsEnd has lists that are not read to their end.
func TestFieldsEnd(t *testing.T) {
	three := func() *asm.Section {
		s := asm.At(0)
		for _, name := range []string{"a", "b", "c"} {
			s.Bytes(member(0x74, 0, name).Build(t)).U8(0xf1)
		}
		return s
	}
	for _, tt := range []struct {
		name string
		in   *asm.Section
		left int
		stop string
		want string
		more uint32
		err  string
	}{
		{"all", three(), 9, "", "abc", 0, ""},
		{"until it is told to stop", three(), 9, "b", "ab", 0, ""},
		{"as many as may be", three(), 3, "", "abc", 0, ""},
		{"one more", three(), 2, "", "ab", 0, ""},
		{"goes on elsewhere", three().U16(0x1404, 0).U32(0x1234).Bytes(member(0x74, 0, "d").Build(t)), 9, "", "abc", 0x1234, ""},
		{"a kind that is not known", three().U16(0x1234, 0).U32(0), 9, "", "abc", 0, "fields at 0x2f: a field of kind 0x1234"},
		{"a name without an end", three().U16(0x150d, 3).U32(0x74).U16(0).Text("dd"), 9, "", "abc", 0, "fields at 0x31: a name without an end"},
		{"three bytes too many", three().U8(1, 2, 3), 9, "", "abc", 0, ""},
		{"padding of nothing", asm.At(0).Bytes(member(0x74, 0, "a").Build(t)).U8(0xf0).Bytes(member(0x74, 0, "d").Build(t)), 9, "", "ad", 0, ""},
	} {
		got := ""
		c := bin.NewCursor("fields", 0, tt.in.Build(t))
		more := fieldsOf(c, &tt.left, func(d *field) bool { got += d.name; return d.name != tt.stop })
		if got != tt.want || more != tt.more || errorText(c.Err()) != tt.err {
			t.Errorf("%s: %q, goes on in %#x, %v; want %q, %#x, %s", tt.name, got, more, c.Err(), tt.want, tt.more, tt.err)
		}
	}
}

// TestFieldLists has lists that go on in others, in themselves, and in what is no list.
func TestFieldLists(t *testing.T) {
	goOn := func(name string, to uint32) []byte {
		return fields(t, member(0x74, 0, name), asm.At(0).U16(0x1404, 0).U32(to))
	}
	p := x86(t)
	p.types = [][]byte{
		goOn("a", 0x1001), fields(t, member(0x74, 0, "b")), // 1000
		goOn("self", 0x1002),                            // 1002
		goOn("c", 0x1004),                               // 1003
		rec(t, 0x1201, asm.At(0).U32(0)),                // 1004
		goOn("d", 0x5000),                               // 1005
		goOn("e", 0x74),                                 // 1006
		rec(t, 0x1203, asm.At(0).U16(0x1234, 0).U32(0)), // 1007
		rec(t, 0x1203, asm.At(0).U16(0x150d).U8(1)),     // 1008, too short
	}
	for _, tt := range []struct {
		number uint32
		want   string
		note   string
	}{
		{0x1000, "ab", ""}, {0x1001, "b", ""}, {0x1003, "c", "type 0x1004 is of kind 0x1201, a list of fields is wanted"},
		{0x1005, "d", "type 0x5000 is asked for, it has 0x1000 to 0x1009"}, {0x1006, "e", ""}, {0, "", ""}, {0xfff, "", ""},
		{0x1007, "", "list of fields at 0xd6: a field of kind 0x1234"},
	} {
		f := openBytes(t, p.build(t))
		got := ""
		f.eachField(tt.number, func(d *field) bool { got += d.name; return true })
		notes := strings.Join(f.Notes(), "\n")
		if i := strings.Index(tt.note, " at 0x"); i > 0 {
			tt.note = tt.note[strings.Index(tt.note, ": "):]
		}
		if got != tt.want || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%#x: %q, notes %q, want %q, %q", tt.number, got, notes, tt.want, tt.note)
		}
	}
	f := openBytes(t, p.build(t))
	n := 0
	if f.eachField(0x1002, func(*field) bool { n++; return true }); n != maxFieldLists {
		t.Errorf("a list that goes on in itself has %d fields", n)
	}
}

// TestMembersOfEnums has enumerations and structures whose records are declarations, damaged,
// or of a kind that has no members.
func TestMembersOfEnums(t *testing.T) {
	p := x86(t)
	p.machine, p.optional, p.types = machineAMD64, nil, nil
	tests := []struct {
		record []byte
		want   string
	}{
		{fields(t, asm.At(0).U16(0x1502, 3, 1).Text("ONE\x00"), asm.At(0).U16(0x1502, 3, 0x800a).U64(1<<63).Text("TOP\x00"), member(0x74, 0, "none")), ""}, // 1000
		{rec(t, 0x1507, asm.At(0).U16(2, 0).U32(0x77, 0x1000).Text("Big\x00")), "Big [8] ONE=1 TOP=-9223372036854775808"},
		{rec(t, 0x1507, asm.At(0).U16(0, 0x80).U32(0x74, 0x1000).Text("Fwd\x00")), "Fwd [4] (declared)"},
		{rec(t, 0x1507, asm.At(0).U16(0, 0).U32(0, 0).Text("Sizeless\x00")), "Sizeless [0]"},
		{rec(t, 0x1001, asm.At(0).U32(0x74).U16(2)), "volatile int [0]"},
		{rec(t, 0x1001, asm.At(0).U32(0x74).U16(3)), "const volatile int [0]"},
		{rec(t, 0x1001, asm.At(0).U32(0x74).U16(4)), "__unaligned int [0]"},
		{rec(t, 0x1002, asm.At(0).U32(0x74, 0x1020c)), "int *volatile [0]"},
		{rec(t, 0x1002, asm.At(0).U32(0x74, 0x1060c)), "int *const volatile [0]"},
		{rec(t, 0x1002, asm.At(0).U32(3, 0x1000c)), "void * [8]"},
		{rec(t, 0x1002, asm.At(0).U32(0x74, 0xc)), "int * [8]"},         // no size is said
		{rec(t, 0x1002, asm.At(0).U32(0x74, 24<<13|0x2c)), "int & [8]"}, // LLVM's size of an argument by reference
		{rec(t, 0x1002, asm.At(0).U32(0x74, 4<<13|0xc)), "int * [4]"},
		{rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(0).U8(0)), "int[0] [0]"},
		{rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(7).U8(0)), "int[] [7]"}, // no whole number of elements
		{rec(t, 0x1503, asm.At(0).U32(0x5000, 0x23).U16(8).U8(0)), "(damaged type)[] [8]"},
		{rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x5000)), "void () [0]"}, // 1010
		{rec(t, 0x1505, asm.At(0).U16(1, 0).U32(0x5000, 0, 0).U16(4).Text("Lost\x00")), "Lost [4]"},
		{rec(t, 0x1505, asm.At(0).U16(1)), "(damaged type) [0]"},
		{rec(t, 0x1203, asm.At(0)), "(type that is not known) [0]"},
		{fields(t, asm.At(0).U16(0x140c, 0).U32(0x1009, 8), asm.At(0).U16(0x151a, 3).U32(0x1011).U16(16), asm.At(0).U16(0x150d, 3).U32(0x1016).U16(4).Text("b\x00")), ""}, // 1014
		{rec(t, 0x1504, asm.At(0).U16(1, 0).U32(0x1014, 0, 0).U16(24).Text("C\x00")), "C [24] void * __vfptr@8 artificial; Lost @16 base; unsigned int b@4:3 at bit 37;"},
		{rec(t, 0x1205, asm.At(0).U32(0x75).U8(3, 5)), ""}, // 1016
	}
	for _, tt := range tests {
		p.types = append(p.types, tt.record)
	}
	f := openBytes(t, p.build(t))
	for i, tt := range tests {
		number := uint32(0x1000 + i)
		if got := drawn(f.ref(number, types.CPlusPlus).Get()); tt.want != "" && got != tt.want {
			t.Errorf("%#x: %s, want %s", number, got, tt.want)
		}
	}
	first := f.ref(0x1001, types.CPlusPlus).Get()
	if f.ref(0x1001, types.CPlusPlus).Get() != first || f.ref(0x1001, types.Rust).Get() == first {
		t.Error("a type is made twice for a language, or once for two")
	}
	if got := fmt.Sprint(f.typeRef(&unit{what: "module 1"}, 0x8000_0000, types.C).Get().Name, " ", f.Notes()[len(f.Notes())-1]); got != "(damaged type) cross module references of module 1 at 0x0: 0x80000000 leads nowhere" {
		t.Error(got)
	}
}

// TestVirtualBases says where the offset of a virtual base is, in the tables of Microsoft's ABI
// and before the vtable of the Itanium C++ ABI.
func TestVirtualBases(t *testing.T) {
	for _, tt := range []struct {
		unique       string
		vbptr, index uint64
		want         types.VBase
	}{
		{".?AUD@@", 8, 2, types.VBase{Slot: 8, At: 8, Table: true, Known: true}},
		{"", 0, 1, types.VBase{Slot: 4, At: 0, Table: true, Known: true}},
		{"_ZTS1D", 8, 6, types.VBase{Slot: -24, Known: true}},
		{".?AUD@@", 8, maxFields, types.VBase{}}, {".?AUD@@", maxObject, 1, types.VBase{}},
		{".?AUD@@", maxObject - 1, maxFields - 1, types.VBase{Slot: 4 * (maxFields - 1), At: maxObject - 1, Table: true, Known: true}},
	} {
		m := &modeling{t: typ{unique: tt.unique}}
		if got := m.virtualBase(&field{vbptr: tt.vbptr, index: tt.index}); got != tt.want {
			t.Errorf("%q, entry %d at %d: %+v, want %+v", tt.unique, tt.index, tt.vbptr, got, tt.want)
		}
	}
}
