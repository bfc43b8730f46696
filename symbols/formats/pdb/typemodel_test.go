package pdb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// drawn writes a type and what it is made of, one level deep.
func drawn(t *types.Type) string {
	if t == nil {
		return "void"
	}
	out := fmt.Sprintf("%s [%d]", types.Spell(t), t.Size)
	for _, m := range t.Members {
		out += fmt.Sprintf(" %s %s@%d", types.Spell(m.Type.Get()), m.Name, m.Offset)
		for _, f := range []struct {
			set  bool
			name string
		}{{m.Base, " base"}, {m.Virtual, " virtual"}, {m.Static, " static"}, {m.Artificial, " artificial"}} {
			if f.set {
				out += f.name
			}
		}
		if m.Bits > 0 {
			out += fmt.Sprintf(":%d at bit %d", m.Bits, m.BitOffset)
		}
		out += ";"
	}
	for _, e := range t.Enumerators {
		out += fmt.Sprintf(" %s=%d", e.Name, e.Value)
	}
	if t.Incomplete {
		out += " (declared)"
	}
	return out
}

func TestTypeModel(t *testing.T) {
	p := x86(t)
	p.machine, p.types = machineAMD64, nil
	class := func(kind uint16, fields, size uint16, name string) []byte {
		return rec(t, kind, asm.At(0).U16(1, 0).U32(uint32(fields), 0, 0).U16(size).Text(name).U8(0))
	}
	tests := []struct {
		record []byte
		want   string // "" for what is part of others
	}{
		{rec(t, 0x1001, asm.At(0).U32(0x70).U16(1)), "const char [0]"},                        // 1000
		{rec(t, 0x1002, asm.At(0).U32(0x1000, 0x1000c)), "const char * [8]"},                  // 1001
		{rec(t, 0x1002, asm.At(0).U32(0x1000, 0x1040c)), "const char *const [0]"},             // 1002
		{rec(t, 0x1002, asm.At(0).U32(0x74, 0x1008c)), "int && [8]"},                          // 1003
		{rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(12).U8(0)), "int[3] [12]"},              // 1004
		{rec(t, 0x1503, asm.At(0).U32(0x1004, 0x23).U16(24).U8(0)), "int[2][3] [24]"},         // 1005
		{rec(t, 0x1205, asm.At(0).U32(0x75).U8(5, 3)), ""},                                    // 1006: five bits from the third
		{fields(t, member(0x74, 0x10, "z")), ""},                                              // 1007
		{fields(t, member(0x1006, 4, "bits"), asm.At(0).U16(0x1404, 0).U32(0x1007)), ""},      // 1008, goes on in 1007
		{class(0x1505, 0x1008, 24, "S"), "S [24] unsigned int bits@4:5 at bit 35; int z@16;"}, // 1009
		{fields(t, asm.At(0).U16(0x1400, 3).U32(0x1009).U16(0), asm.At(0).U16(0x150e, 3).U32(0x74).Text("count\x00"), // 100a
			asm.At(0).U16(0x1409, 0).U32(0x1001), asm.At(0).U16(0x1511, 4<<2).U32(0x74, 8).Text("m\x00"),
			asm.At(0).U16(0x150f, 2).U32(0x74).Text("n\x00"), asm.At(0).U16(0x1510, 0).U32(0x74).Text("T\x00"),
			asm.At(0).U16(0x1401, 3).U32(0x1009, 0x1001).U16(8, 1), asm.At(0).U16(0x1402, 3).U32(0x1009, 0x1001).U16(8, 2),
			member(0x76, 32, "last")), ""},
		{class(0x1504, 0x100a, 40, "D"), "D [40] S @0 base; int count@0 static; const char * __vfptr@0 artificial; S @0 base virtual; int64_t last@32;"}, // 100b
		{fields(t, asm.At(0).U16(0x1502, 3, 0x8000).U8(0xfe).Text("LOW\x00"), asm.At(0).U16(0x1502, 3, 7).Text("HIGH\x00")), ""},                         // 100c
		{rec(t, 0x1507, asm.At(0).U16(2, 0).U32(0x74, 0x100c).Text("E\x00")), "E [4] LOW=-2 HIGH=7"},                                                     // 100d
		{rec(t, 0x1506, asm.At(0).U16(1, 0).U32(0x1007).U16(20).Text("U\x00")), "U [20] int z@16;"},                                                      // 100e
		{rec(t, 0x1505, asm.At(0).U16(0, 0x80).U32(0, 0, 0).U16(0).Text("Fwd\x00")), "Fwd [0] (declared)"},                                               // 100f
		{rec(t, 0x1609, asm.At(0).U32(0, 0x1007, 0, 0).U16(1, 20).Text("New\x00")), "New [20] int z@16;"},                                                // 1010: LF_STRUCTURE2
		{rec(t, 0x1201, asm.At(0).U32(1, 0x40)), "(type that is not known) [0]"},                                                                         // 1011
		{rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1011)), "void (float) [0]"},                                                               // 1012
		{rec(t, 0x1002, asm.At(0).U32(0x74, 0x1004c, 0x1009).U16(1)), "int S::* [8]"},                                                                    // 1013
		{rec(t, 0x150a, asm.At(0).U32(0x74).Text("alias\x00")), "alias [0]"},                                                                             // 1014
		{class(0x1505, 0x1007, 20, "<unnamed-tag>"), "(unnamed struct) [20] int z@16;"},                                                                  // 1015
	}
	for _, tt := range tests {
		p.types = append(p.types, tt.record)
	}
	f := openBytes(t, p.build(t))
	for i, tt := range tests {
		number := uint32(0x1000 + i)
		got := drawn(f.ref(number, types.CPlusPlus).Get())
		if tt.want != "" && got != tt.want {
			t.Errorf("%#x: got  %s\nwant %s (%v)", number, got, tt.want, f.Notes())
		}
	}
	if d := f.ref(0x100b, types.CPlusPlus).Get(); len(d.Members) != 5 || !d.Members[3].VBase.Table || d.Members[3].VBase.At != 8 || d.Members[3].VBase.Slot != 4 {
		t.Errorf("the class: %s, %+v", drawn(d), d.Members)
	}
}

// TestBaseTypes has types without a record, and pointers to them.
func TestBaseTypes(t *testing.T) {
	p := x86(t)
	f := openBytes(t, p.build(t))
	for _, tt := range []struct {
		number   uint32
		language types.Language
		kind     types.Kind
		want     string
	}{
		{0x74, types.C, types.Signed, "int [4]"},
		{0x70, types.C, types.Char, "char [1]"},
		{0x10, types.Rust, types.Signed, "i8 [1]"},
		{0x77, types.Rust, types.Unsigned, "u64 [8]"},
		{0x674, types.C, types.Pointer, "int * [8]"},
		{0x403, types.C, types.Pointer, "void * [4]"},
		{0x103, types.C, types.Void, "std::nullptr_t [4]"},
		{0x44, types.C, types.Decimal, "float48_t [6]"},
		{0, types.C, types.Unknown, "(type that is not known) [0]"},
	} {
		if got := f.ref(tt.number, tt.language).Get(); drawn(got) != tt.want || got.Kind != tt.kind {
			t.Errorf("%#x: %s of kind %d, want %s of kind %d", tt.number, drawn(got), got.Kind, tt.want, tt.kind)
		}
	}
	if got := f.ref(3, types.C).Get(); got != nil {
		t.Errorf("void is %+v", got)
	}
}

// globals makes the table of global symbols for records with such names, which
// begin at such places.
func globals(t testing.TB, names []string, at []uint32) []byte {
	buckets := map[uint32][]uint32{}
	for i, name := range names {
		b := hashName(name) % globalBuckets
		buckets[b] = append(buckets[b], at[i]+1)
	}
	records, used, places := asm.At(0), make([]byte, 4*(globalBuckets/32+1)), asm.At(0)
	n := uint32(0)
	for b := range uint32(globalBuckets) {
		if len(buckets[b]) == 0 {
			continue
		}
		used[b/8] |= 1 << (b % 8)
		places.U32(n * globalOffset)
		for _, where := range buckets[b] {
			records.U32(where, 1)
			n++
		}
	}
	return asm.At(0).U32(0xffffffff, globalVersion, 8*n, 0).Bytes(records.Build(t)).Bytes(used).Bytes(places.Build(t)).Build(t)
}

// TestRustEnum has the union that rustc writes for
//
//	enum E { A(i32), B, C { x: i32 } }
//
// with the tag of C in a range that goes past the end of the numbers.
func TestRustEnum(t *testing.T) {
	structure := func(fields uint32, name string) []byte {
		return rec(t, 0x1505, asm.At(0).U16(1, 0).U32(fields, 0, 0).U16(8).Text(name).U8(0))
	}
	p := functionScene(t, machineAMD64, func(s scene) { s.regRel(0, 0x100a, cvRSP, "e") })
	p.modules[0].symbols = symbolRecords()
	s := scene{p.modules[0].symbols, t}
	s.add(symCompile3, asm.At(0).U32(0x15).U16(0xd0).Zeros(16).Text("rustc\x00"))
	addProc(t, s.Section, "f", 0, 1, 0, 0x100)
	s.frameProc(0x38, 1, 1).regRel(0, 0x100a, cvRSP, "e")
	addEnd(t, s.Section, 6)
	p.types = [][]byte{
		fields(t, member(0x74, 4, "__0")), structure(0x1000, "enum2$<E>::A"), fields(t, member(0x1001, 0, "value")), structure(0x1002, "enum2$<E>::Variant0"), // 1003
		fields(t), structure(0x1004, "enum2$<E>::B"), fields(t, member(0x1005, 0, "value")), structure(0x1006, "enum2$<E>::Variant1"), // 1007
		fields(t, member(0x1003, 0, "variant0"), member(0x1007, 0, "variant1"), member(0x1003, 0, "variant2"), member(0x20, 0, "tag")), // 1008
		rec(t, 0x1203, asm.At(0)),
		rec(t, 0x1506, asm.At(0).U16(4, 0).U32(0x1008).U16(8).Text("enum2$<E>\x00")), // 100a
	}
	constants := []struct {
		name  string
		value uint16
	}{{"enum2$<E>::Variant1::DISCR_EXACT", 5}, {"enum2$<E>::Variant0::DISCR_BEGIN", 250}, {"enum2$<E>::Variant0::DISCR_END", 2}}
	records, names, at := asm.At(0), []string{}, []uint32{}
	for _, c := range constants {
		names, at = append(names, c.name), append(at, uint32(len(records.Build(t))))
		records.Bytes(rec(t, symConstant, asm.At(0).U32(0x20).U16(c.value).Text(c.name).U8(0)))
	}
	p.extra = map[int][]byte{hasRecords: records.Build(t)}
	p.globals = globals(t, names, at)
	f := openBytes(t, p.build(t))
	for tag, want := range map[uint64]string{
		5: "f: e = B", 255: "f: e = A {A {__0 = 9}}", 1: "f: e = A {A {__0 = 9}}", 100: "f: e <unreadable>",
	} {
		if got := values.Shown(frameAt(f, 0x1010, captured{0x8000: 9<<32 | tag})); got != want {
			t.Errorf("tag %d: %s, want %s (%v)", tag, got, want, f.Notes())
		}
	}
}

// TestTypeArguments finds the types that the arguments of a template mean.
func TestTypeArguments(t *testing.T) {
	f := openBytes(t, x86(t).build(t))
	m := &modeling{f: f, l: types.CPlusPlus}
	for name, want := range map[string]string{
		"V<int>":                      "int",
		"V<char const *,unsigned>":    "const char * nil",
		"V<4,bool>":                   "4 bool",
		"V<A<int,char>,void *,int&&>": "nil void * int &&",
		"V<" + strings.Repeat("const ", 30) + "X" + strings.Repeat(" volatile", 30) + ">": "nil",
		"V":         "",
		"operator<": "",
	} {
		var list []string
		for _, a := range m.arguments(name) {
			switch {
			case a.Value != nil:
				list = append(list, fmt.Sprint(*a.Value))
			case a.Type.Get() == nil:
				list = append(list, "nil")
			default:
				list = append(list, types.Spell(a.Type.Get()))
			}
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestRegisters(t *testing.T) {
	for _, tt := range []struct {
		machine, number uint16
		want            string
	}{
		{machineX86, 1, "al 8 at 0"}, {machineX86, 8, "bh 8 at 8"}, {machineX86, 16, "di 16 at 0"}, {machineX86, 22, "ebp 32 at 0"},
		{machineAMD64, 335, "rsp 64 at 0"}, {machineAMD64, 360, "r8 32 at 0"}, {machineAMD64, 351, "r15 8 at 0"}, {machineAMD64, 325, "rdi 8 at 0"},
		{machineAMD64, 23, "rsi 32 at 0"}, {machineAMD64, 160, "xmm6 128 at 0"}, {machineAMD64, 259, "xmm15 128 at 0"}, {machineAMD64, 383, "ymm15 256 at 0"},
		{machineARM64, 69, "x19 64 at 0"}, {machineARM64, 29, "x19 32 at 0"}, {machineARM64, 81, "sp 64 at 0"}, {machineARM64, 148, "v8 64 at 0"},
		{machineARM, 14, "r4 32 at 0"}, {machineARM, 23, "sp 32 at 0"}, {machineAMD64, 999, "none"},
	} {
		r, ok := registerOf(tt.machine, tt.number)
		got := fmt.Sprintf("%s %d at %d", r.name, r.bits, r.at)
		if !ok {
			got = "none"
		}
		if got = strings.NewReplacer("eax 8", "al 8", "ebx 8", "bh 8", "edi 16", "di 16").Replace(got); got != tt.want {
			t.Errorf("%#x %d: %s, want %s", tt.machine, tt.number, got, tt.want)
		}
	}
}

// hostileVariables is a file with variables of types that hold themselves, and
// of a thousand structures in each other.
func hostileVariables(t testing.TB) []byte {
	p := functionScene(t, machineAMD64, func(s scene) {
		s.frameProc(0x38, 1, 1)
		for i := range uint32(40) {
			s.local(0x1000+i%12, 0, fmt.Sprint("v", i)).add(symRangeAllFrame, asm.At(0).U32(8*(i%8)))
			s.local(0x1006, 0, fmt.Sprint("p", i)).ranged(symRangePartReg, asm.At(0).U16(cvRBX, 0).U32(i), 0, 0x100)
		}
		s.local(0x1100+2000, 0, "deep").add(symRangeAllFrame, asm.At(0).U32(0))
	})
	p.types = append(p.types, fields(t, member(0x100d, 0, "self"), member(0x100c, 0, "list"), asm.At(0).U16(0x1404, 0).U32(0x100b)))
	p.types = append(p.types, rec(t, 0x1505, asm.At(0).U16(1, 0).U32(0x100b, 0, 0).U16(8).Text("Self\x00")))
	for len(p.types) < 0x100 {
		p.types = append(p.types, rec(t, 0x1503, asm.At(0).U32(0x1000+uint32(len(p.types)), 0x23).U16(8).U8(0))) // an array of itself
	}
	for i := range uint32(1100) {
		p.types = append(p.types, fields(t, member(0x1100+2*i-1, 0, "in")), rec(t, 0x1505, asm.At(0).U16(1, 0).U32(0x1100+2*i, 0, 0).U16(8).Text(fmt.Sprint("S", i, "\x00"))))
	}
	return p.build(t)
}

// readAll reads all variables of a file, damaged or not.
func readAll(data []byte) {
	f, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
	if err != nil {
		return
	}
	m := captured{}
	for at := uint64(0x7f00); at < 0x8200; at += 8 {
		m[at] = 0x8000 + at&0xff
	}
	variables.Read(frameAt(f, 0x1010, m), variables.Limits{Values: 1 << 12})
	f.Class("Self")
	f.DataAt(0x2000)
	f.Statics(func(string) bool { return true }, 10)
}

// TestVariablesHostile damages that file.
func TestVariablesHostile(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	words := []uint32{0x1203, 0x1404, 0x1505, 0x1506, 0x1503, 0x1002, 0xffff, 0x8000, 0x1000, 0x1009, 0x100b, 0x103f}
	values.Damage(t, rounds, words, [][]byte{hostileVariables(t)}, func(p [][]byte) { readAll(p[0]) })
}

// The same for any bytes.
func FuzzVariables(f *testing.F) {
	f.Add(hostileVariables(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := time.Now()
		readAll(data)
		if took := time.Since(begin); took > 10*time.Second {
			t.Fatalf("%v", took)
		}
	})
}

// TestMembersAreBounded has a class of bases that all have one long list of members.
func TestMembersAreBounded(t *testing.T) {
	p := x86(t)
	p.machine, p.types = machineAMD64, nil
	long := asm.At(0)
	for range 3000 {
		long.Bytes(member(0x74, 0, "m").Align(4).Build(t))
	}
	p.types = append(p.types, rec(t, 0x1203, long)) // 1000
	bases := asm.At(0)
	for i := range uint32(4000) {
		p.types = append(p.types, rec(t, 0x1505, asm.At(0).U16(1, 0).U32(0x1000, 0, 0).U16(8).Text(fmt.Sprint("B", i, "\x00")))) // 1001 on
		bases.Bytes(asm.At(0).U16(0x1400, 3).U32(0x1001+i).U16(0).U8(0xf2, 0xf1).Build(t))
	}
	p.types = append(p.types, rec(t, 0x1203, bases), rec(t, 0x1505, asm.At(0).U16(1, 0).U32(0x1001+4000, 0, 0).U16(8).Text("D\x00")))
	f := openBytes(t, p.build(t))
	total := 0
	for _, m := range f.ref(0x1001+4001, types.CPlusPlus).Get().Members {
		total += len(m.Type.Get().Members)
	}
	if total == 0 || total > memberWork/8 || len(f.Notes()) != 1 {
		t.Errorf("%d members, notes %q", total, f.Notes())
	}
}
