package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// structs are n types of so many bytes each, without the name's: "T0", "T1" and so on.
func structs(t testing.TB, n, pad int) (out [][]byte) {
	for i := range n {
		name := fmt.Sprintf("T%d%s", i, strings.Repeat("x", pad))
		out = append(out, rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(1).Text(name).U8(0)))
	}
	return out
}

// TestTypeHeader has streams of types whose header is damaged: there are no types then.
//
// Spec: https://llvm.org/docs/PDB/TpiStream.html#tpi-header
func TestTypeHeader(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"whole", func(b []byte) []byte { return b }, ""},
		{"another version", func(b []byte) []byte { return wordAt(b, 0, 20040202) }, "stream 2 (types) at 0x0: version 20040202, 90 bytes of records at 0x38 and numbers 0x1000 to 0x1003; want version 20040203, it has 146 bytes"},
		{"a header that is too short", func(b []byte) []byte { return wordAt(b, 4, 55) }, "90 bytes of records at 0x37"},
		{"a longer header", func(b []byte) []byte { return wordAt(b, 4, 57) }, "90 bytes of records at 0x39"},
		{"numbers that end before they begin", func(b []byte) []byte { return wordAt(b, 12, 0xfff) }, "numbers 0x1000 to 0xfff"},
		{"one byte of records too many", func(b []byte) []byte { return wordAt(b, 16, 91) }, "91 bytes of records at 0x38"},
		{"cut in the header", func(b []byte) []byte { return b[:55] }, "stream 2 (types) at 0x0: 56 bytes reach beyond the end of the file at 0x37"},
		{"nothing", func([]byte) []byte { return nil }, ""},
	} {
		p := x86(t)
		p.types = structs(t, 3, 1)
		p.extra = map[int][]byte{streamTPI: tt.change(typesStream(t, p.types, hasTypeHash, nil, 0))}
		f := openBytes(t, p.build(t))
		if got := strings.Join(f.Notes(), "\n"); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: notes %q, want %q", tt.name, got, tt.want)
		}
		_, err := f.typeAt(&unit{}, 0x1000)
		if want := map[bool]string{true: "", false: "types at 0x0: type 0x1000 is asked for, but there are none"}[tt.name == "whole"]; errorText(err) != want {
			t.Errorf("%s: %v, want %s", tt.name, err, want)
		}
	}
}

// TestTypeNumbers finds types by the first and last number, and none beside them.
func TestTypeNumbers(t *testing.T) {
	p := x86(t)
	p.types = structs(t, 3, 1)
	f := openBytes(t, p.build(t))
	for number, want := range map[uint32]string{0x1000: "T0x", 0x1001: "T1x", 0x1002: "T2x"} {
		if got, err := f.typeAt(&unit{}, number); got.name != want || err != nil {
			t.Errorf("%#x: %q, %v", number, got.name, err)
		}
	}
	for _, number := range []uint32{0x1003, 0x7fffffff} {
		want := fmt.Sprintf("stream 2 (types) at 0x0: type %#x is asked for, it has 0x1000 to 0x1003", number)
		if _, err := f.typeAt(&unit{}, number); errorText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	f.types.begin = 0x1001
	if _, err := f.types.find(0x1000); !strings.HasSuffix(errorText(err), "it has 0x1001 to 0x1003") {
		t.Errorf("%v", err)
	}
}

// TestFewerTypes has a header that promises more types than there are records, and a record
// that is cut off.
func TestFewerTypes(t *testing.T) {
	for _, marks := range [][][2]uint32{nil, {}} {
		p := x86(t)
		p.types, p.marks = append(structs(t, 2, 1), nil, nil), marks
		f := openBytes(t, p.build(t))
		if _, err := f.typeAt(&unit{}, 0x1002); !strings.HasSuffix(errorText(err), "type 0x1002 is not where it is said to be") {
			t.Errorf("%v", err)
		}
		p.types[2] = asm.At(0).U16(100, 0x1505).Build(t)
		f = openBytes(t, p.build(t))
		for range 2 {
			if _, err := f.typeAt(&unit{}, 0x1002); err == nil {
				t.Error("a type that is cut off")
			}
		}
		if got, err := f.typeAt(&unit{}, 0x1001); got.name != "T1x" || err != nil {
			t.Errorf("%q, %v", got.name, err)
		}
	}
}

// TestMarks has lists of places; one that cannot be right is left out, and the records are
// counted.
func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		name  string
		marks []typeMark
		size  int64 // of the records
		want  int   // places that are taken
		note  string
	}{
		{"one", []typeMark{{0x1000, 0}}, 100, 1, ""},
		{"two", []typeMark{{0x1000, 0}, {0x1001, 50}}, 100, 2, ""},
		{"up to the last type and byte", []typeMark{{0x1000, 0}, {0x10ff, 99}}, 100, 2, ""},
		{"none", nil, 100, 0, ""},
		{"the first is another type", []typeMark{{0x1001, 0}}, 100, 0, "type 0x1001 is said to begin at 0x0, which cannot be"},
		{"the first is elsewhere", []typeMark{{0x1000, 4}}, 100, 0, "hashes at 0x0: type 0x1000 is said to begin at 0x4, which cannot be"},
		{"a type twice", []typeMark{{0x1000, 0}, {0x1000, 50}}, 100, 0, "hashes at 0x8: type 0x1000 is said to begin at 0x32, which cannot be"},
		{"a place twice", []typeMark{{0x1000, 0}, {0x1001, 0}}, 100, 0, "hashes at 0x8: type 0x1001 is said to begin at 0x0, which cannot be"},
		{"behind the last type", []typeMark{{0x1000, 0}, {0x1100, 50}}, 100, 0, "type 0x1100 is said to begin at 0x32"},
		{"behind the records", []typeMark{{0x1000, 0}, {0x1001, 100}}, 100, 0, "type 0x1001 is said to begin at 0x64"},
		{"as far apart as may be", []typeMark{{0x1000, 0}, {0x1001, maxChunk}}, 2 * maxChunk, 2, ""},
		{"one byte more", []typeMark{{0x1000, 0}, {0x1001, maxChunk + 1}}, 2 * maxChunk, 0, "type 0x1001 is said to begin at 0x14001"},
		{"too far from the end", []typeMark{{0x1000, 0}}, maxChunk + 1, 0, ""},
	} {
		in := asm.At(0)
		for _, m := range tt.marks {
			in.U32(m.first, m.off)
		}
		p := x86(t)
		p.optional, p.extra = nil, map[int][]byte{hasTypeHash: in.Build(t)}
		f := openBytes(t, p.build(t))
		f.notes = &notes{}
		got := f.readMarks(&typeStream{s: &stream{what: "types"}, begin: 0x1000, end: 0x1100, size: tt.size}, hasTypeHash, 0, uint32(8*len(tt.marks)))
		said := strings.Replace(strings.Join(f.notes.all(), "\n"), "stream 8 (hashes of types)", "hashes", 1)
		if len(got) != tt.want || !strings.Contains(said, tt.note) || tt.note == "" && said != "" {
			t.Errorf("%s: %v, notes %q, want %d places, %q", tt.name, got, said, tt.want, tt.note)
		}
	}
	f := openBytes(t, x86(t).build(t))
	types := &typeStream{s: &stream{what: "types"}}
	for _, tt := range []struct {
		stream int
		size   uint32
		want   string
	}{{noStream, 8, ""}, {99, 8, "stream 99 (hashes of types) at 0x0: is not there"}, {hasTypeHash, 1 << 20, "1048576 bytes reach beyond the end of the file"}} {
		f.notes = &notes{}
		got := f.readMarks(types, tt.stream, 0, tt.size)
		if said := strings.Join(f.notes.all(), "\n"); got != nil || !strings.Contains(said, tt.want) || tt.want == "" && said != "" {
			t.Errorf("stream %d: %v, %q, want %q", tt.stream, got, said, tt.want)
		}
	}
}

// TestCountedPlaces counts records where no list of places is: a place about every 8 KB.
func TestCountedPlaces(t *testing.T) {
	p := x86(t)
	p.types, p.marks = structs(t, 700, 100), [][2]uint32{}
	f := openBytes(t, p.build(t))
	if _, err := f.typeAt(&unit{}, 0x1000); err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, r := range p.types {
		size += int64(len(r))
	}
	marks := f.types.marks
	if want := int(size / (8<<10 + 140)); len(marks) < want || len(marks) > want+2 {
		t.Errorf("%d places in %d bytes, want %d or so", len(marks), size, want)
	}
	for i, m := range marks[1:] {
		if gap := m.off - marks[i].off; gap < 8<<10 || gap > 8<<10+140 {
			t.Errorf("place %d is %d bytes behind the one before", i+1, gap)
		}
	}
	for _, n := range []uint32{0, 59, 60, 61, 350, 699} {
		if got, err := f.typeAt(&unit{}, 0x1000+n); !strings.HasPrefix(got.name, fmt.Sprintf("T%dx", n)) || err != nil {
			t.Errorf("type %d: %.9s, %v", n, got.name, err)
		}
	}
}

// TestTypesOfAFork are found by both, whose caches are their own.
func TestTypesOfAFork(t *testing.T) {
	f := openBytes(t, x86(t).build(t))
	g := f.types.fork()
	r, err := g.find(0x1002)
	if _, shared := f.types.chunks.Get(0); err != nil || shared || r.kind != 0x1505 {
		t.Errorf("%+v, %v, %v", r, err, shared)
	}
	f.defined(typ{kind: leafStruct, forward: true, name: "Pair"})
	if h := f.types.fork().hashes.found; len(f.types.hashes.found) != 1 || h != nil {
		t.Errorf("the fork has %v", h)
	}
	if (*typeStream)(nil).fork() != nil {
		t.Error("the fork of no types is one")
	}
}

// TestIDs reads id records, whole and cut off.
//
// Source: lfFuncId, lfMFuncId and lfStringId of cvinfo.h.
func TestIDs(t *testing.T) {
	p := example(t)
	p.ids = [][]byte{
		rec(t, 0x1601, asm.At(0).U32(0x1002, 0x1001).Text("f\x00")), rec(t, 0x1602, asm.At(0).U32(0x1003, 0x1008).Text("m\x00")),
		rec(t, 0x1605, asm.At(0).U32(0x1005).Text("geo\x00")), rec(t, 0x1606, asm.At(0).U32(1, 2, 3)), rec(t, 0x1601, asm.At(0).U32(7)),
	}
	f := openBytes(t, p.build(t))
	for i, want := range []funcID{{0x1601, 0x1002, 0x1001, "f"}, {0x1602, 0x1003, 0x1008, "m"}, {0x1605, 0x1005, 0, "geo"}, {kind: 0x1606}} {
		if got, err := f.idAt(&unit{}, uint32(0x1000+i)); got != want || err != nil {
			t.Errorf("%d: %+v, %v, want %+v", i, got, err, want)
		}
	}
	if _, err := f.idAt(&unit{}, 0x1004); !strings.Contains(errorText(err), "id record at ") || !strings.Contains(errorText(err), "need 4 bytes, have 2") {
		t.Errorf("%v", err)
	}
	f.ids = nil
	if _, err := f.idAt(&unit{}, 0x1000); errorText(err) != "types at 0x0: type 0x1000 is asked for, but there are none" {
		t.Errorf("%v", err)
	}
}

// TestTypeRecords reads the records that only some compilers write.
func TestTypeRecords(t *testing.T) {
	const unique = 0x200
	for _, tt := range []struct {
		name string
		kind uint16
		in   *asm.Section
		want typ
	}{
		{"LF_STRUCTURE with a decorated name", 0x1505, asm.At(0).U16(2, unique).U32(0x1001, 0, 0).U16(8).Text("S\x00.?AUS@@\x00"), typ{kind: 0x1505, name: "S", unique: ".?AUS@@", size: 8, fields: 0x1001, hasUnique: true}},
		{"that lacks it", 0x1505, asm.At(0).U16(2, unique).U32(0x1001, 0, 0).U16(8).Text("S"), typ{kind: 0x1505, name: "S", size: 8, fields: 0x1001, hasUnique: true}},
		{"a second name without the flag", 0x1505, asm.At(0).U16(2, 0).U32(0x1001, 0, 0).U16(8).Text("S\x00.?AUS@@\x00"), typ{kind: 0x1505, name: "S", size: 8, fields: 0x1001}},
		{"LF_CLASS_ST", 0x1004, asm.At(0).U16(2, 0x80).U32(0x1001, 0, 0).U16(0).U8(2).Text("Cx"), typ{kind: 0x1504, name: "Cx", fields: 0x1001, forward: true}},
		{"LF_UNION_ST", 0x1006, asm.At(0).U16(2, 0).U32(0x1001).U16(8).U8(1).Text("U"), typ{kind: 0x1506, name: "U", size: 8, fields: 0x1001}},
		{"LF_ENUM_ST", 0x1007, asm.At(0).U16(2, 0).U32(0x74, 0x1001).U8(1).Text("E"), typ{kind: 0x1507, name: "E", of: 0x74, fields: 0x1001}},
		{"LF_ARRAY_ST", 0x1003, asm.At(0).U32(0x74, 0x23).U16(12).U8(0), typ{kind: 0x1503, of: 0x74, size: 12}},
		{"LF_STRUCTURE2", 0x1609, asm.At(0).U32(unique|0x80, 0x1001, 0, 0).U16(3, 8).Text("N\x00.?AUN@@\x00"), typ{kind: 0x1609, name: "N", unique: ".?AUN@@", size: 8, fields: 0x1001, forward: true, hasUnique: true}},
		{"LF_UNION2", 0x160a, asm.At(0).U32(unique, 0x1001).U16(3, 8).Text("N\x00.?ATN@@\x00"), typ{kind: 0x160a, name: "N", unique: ".?ATN@@", size: 8, fields: 0x1001, hasUnique: true}},
		{"a reference", 0x1002, asm.At(0).U32(0x74, 0x1002c), typ{kind: 0x1002, of: 0x74, mode: modeReference, bytes: 8}},
		{"a volatile pointer of 4 bytes", 0x1002, asm.At(0).U32(0x74, 4<<13|1<<9|0xa), typ{kind: 0x1002, of: 0x74, volatile: true, bytes: 4}},
		{"a pointer to a member", 0x1002, asm.At(0).U32(0x74, 8<<13|2<<5|0xc, 0x1003), typ{kind: 0x1002, of: 0x74, mode: modeMember, bytes: 8, class: 0x1003}},
		{"whose class is not there", 0x1002, asm.At(0).U32(0x74, 8<<13|3<<5|0xc).U16(1), typ{kind: 0x1002, of: 0x74, mode: modeMethod, bytes: 8}},
		{"a pointer with more behind it", 0x1002, asm.At(0).U32(0x74, 8<<13|0xc, 0x1003), typ{kind: 0x1002, of: 0x74, bytes: 8}},
		{"LF_MODIFIER_EX", 0x1518, asm.At(0).U32(0x74).U16(3, 2, 0x200, 1), typ{kind: 0x1518, of: 0x74, isConst: true, volatile: true}},
		{"cut in its list", 0x1518, asm.At(0).U32(0x74).U16(9, 1), typ{kind: 0x1518, of: 0x74, isConst: true}},
		{"a method", 0x1009, asm.At(0).U32(3, 0x1003, 0x1005).U8(11, 1).U16(2).U32(0x1007, 4), typ{kind: 0x1009, of: 3, class: 0x1003, this: 0x1005, call: 11, structOut: true, args: 0x1007}},
		{"a kind that is not read", 0x1234, asm.At(0).U32(1, 2, 3), typ{kind: 0x1234}},
	} {
		got, err := parseTyp(record{kind: tt.kind, data: tt.in.Build(t)})
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", tt.want) || err != nil {
			t.Errorf("%s: %+v, %v\nwant %+v", tt.name, got, err, tt.want)
		}
	}
	long := asm.At(0).U32(2000)
	for i := range uint32(2000) {
		long.U32(i)
	}
	if got, err := parseTyp(record{kind: leafArguments, data: long.Build(t)}); len(got.list) != maxTypeSteps+1 || got.list[9] != 9 || err != nil {
		t.Errorf("%d arguments, %v", len(got.list), err)
	}
	if _, err := parseTyp(record{kind: leafArguments, data: asm.At(0).U32(3, 1, 2).Build(t)}); errorText(err) != "type record at 0x4: count 3 exceeds stream size 12" {
		t.Errorf("%v", err)
	}
}
