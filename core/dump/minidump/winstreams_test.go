package minidump

import (
	"reflect"
	"strings"
	"testing"

	"crashglass/core/dump/minidump/format"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func TestMemoryInfo(t *testing.T) {
	for _, b := range []*dump.Builder{dump.New(), dump.New().BigEndian()} {
		s := b.Section().U32(16, 48).U64(3).
			U64(0x1000, 0x1000).U32(4, 0).U64(0x2000).U32(0x1000, 0x104, 0x20000, 0).
			U64(0x3000, 0x3000).U32(0x80, 0).U64(0x1000).U32(0x1000, 0x20, 0x100_0000, 0).
			U64(0x4000, 0).U32(0, 0).U64(0x1000).U32(0x1_0000, 1, 0, 0)
		infos, err := build(t, b.Stream(16, s)).MemoryInfo()
		if err != nil || len(infos) != 3 {
			t.Fatalf("%+v, %v", infos, err)
		}
		if want := (MemoryInfo{0x1000, 0x2000, 0x1000, 4, 0x1000, 0x104, 0x20000}); infos[0] != want {
			t.Errorf("%+v", infos[0])
		}
		var words []string
		for _, m := range infos {
			words = append(words, strings.Join([]string{m.Access(), m.StateName(), m.Kind()}, ","))
		}
		if want := []string{"rw-,committed,private", "r-x,committed,image", ",free,"}; !reflect.DeepEqual(words, want) {
			t.Errorf("%q, want %q", words, want)
		}
		if !infos[0].Guard() || infos[1].Guard() || infos[2].Guard() {
			t.Error("guard pages")
		}
	}
	_, err := build(t, dump.New().Stream(16, asm.At(0).U32(16, 48).U64(1<<60))).MemoryInfo()
	expect.Error(t, err, "minidump: memory info list at 0x34: count 1152921504606846976 exceeds stream size 16")
}

func TestHandles(t *testing.T) {
	b := dump.New()
	event, file, name := b.Text("Event"), b.Text("File"), b.Text(`\Device\x`)
	last := b.Extra(asm.At(0).U32(0, 2, 3).Text("abc"))
	first := b.Extra(asm.At(0).Ref32(last).U32(1, 4).U32(0x1234))
	loop := b.Extra(asm.At(0).Mark("loop").Ref32("loop").U32(5, 0))
	s := asm.At(0).U32(16, 40, 3, 0).
		U64(4).Ref32(event).U32(0, 1, 2, 3, 4).Ref32(first).U32(0).
		U64(8).Ref32(file).Ref32(name).U32(0, 0, 1, 1, 0, 0).
		U64(12).Ref32(event).U32(0, 0, 0, 1, 1).Ref32(loop).U32(0)
	handles, err := build(t, b.Stream(12, s)).Handles()
	if err != nil || len(handles) != 3 {
		t.Fatalf("%+v, %v", handles, err)
	}
	want := Handle{Value: 4, Type: "Event", Attributes: 1, Access: 2, HandleCount: 3, PointerCount: 4,
		Info: []HandleInfo{{1, []byte{0x34, 0x12, 0, 0}}, {2, []byte("abc")}}}
	if !reflect.DeepEqual(handles[0], want) {
		t.Errorf("%+v", handles[0])
	}
	if handles[1].Type != "File" || handles[1].Name != `\Device\x` || handles[1].Info != nil {
		t.Errorf("%+v", handles[1])
	}
	if len(handles[2].Info) != maxHandleInfo {
		t.Errorf("a chain that bites its tail has %d entries", len(handles[2].Info))
	}

	// Descriptors of the first version have no further information.
	s = asm.At(0).U32(16, 32, 1, 0).U64(4).U32(0, 0xffff_0000, 1, 2, 3, 4)
	handles, err = build(t, dump.New().Stream(12, s)).Handles()
	expect.Error(t, err, "minidump: string at 0xffff0000: 4 bytes reach beyond the end of the file at 0x5c")
	if len(handles) != 1 || handles[0].PointerCount != 4 {
		t.Errorf("%+v", handles)
	}
}

func TestHandleOperations(t *testing.T) {
	op := func(s *asm.Section, handle uint64, depth uint32) *asm.Section {
		s.U64(handle).U32(10, 20, 2, 0, depth, 99)
		for i := range uint64(32) {
			s.U64(0x1000 + i)
		}
		return s
	}
	s := op(op(asm.At(0).U32(16, 288, 2, 0), 4, 3), 8, 0xffff_ffff)
	ops, err := build(t, dump.New().Stream(18, s)).HandleOperations()
	if err != nil || len(ops) != 2 {
		t.Fatalf("%+v, %v", ops, err)
	}
	want := HandleOperation{4, 10, 20, 2, []uint64{0x1000, 0x1001, 0x1002}}
	if !reflect.DeepEqual(ops[0], want) || len(ops[1].Stack) != 32 {
		t.Errorf("%+v", ops)
	}
}

func TestThreadInfos(t *testing.T) {
	s := asm.At(0).U32(12, 64, 1).U32(7, 2, 3, 259).U64(1, 2, 3, 4, 0x1234, 15)
	infos, err := build(t, dump.New().Stream(17, s)).ThreadInfos()
	want := []ThreadInfo{{7, ThreadWritesDump, 3, 259, 1, 2, 3, 4, 0x1234, 15}}
	if err != nil || !reflect.DeepEqual(infos, want) {
		t.Errorf("%+v, %v", infos, err)
	}
}

func TestComments(t *testing.T) {
	b := dump.New().Stream(10, asm.At(0).Text("narrow").U8(0, 'x')).Stream(11, asm.At(0).UTF16("wide").U16(0, 'x'))
	texts, err := build(t, b).Comments()
	if err != nil || !reflect.DeepEqual(texts, []string{"wide", "narrow"}) {
		t.Errorf("%q, %v", texts, err)
	}
	_, err = build(t, dump.New()).Comments()
	expect.Error(t, err, "minidump: comment w: no such stream")
	texts, err = build(t, dump.New().Entry(10, 100, 1<<20)).Comments()
	expect.Error(t, err, "minidump: comment a at 0x100000: lies beyond the end of the file at 0x2c")
	if !reflect.DeepEqual(texts, []string{""}) {
		t.Errorf("%q", texts)
	}
}

func TestCounters(t *testing.T) {
	// The size that Windows writes says that no field is missing.
	size := 4
	for _, f := range format.SystemMemory {
		size += f.Width
	}
	if size != 492 {
		t.Errorf("the system memory info has %d bytes, want 492", size)
	}
	all, err := build(t, dump.New().Stream(21, asm.At(0).U16(1, 0).U32(156250, 4096, 1000))).SystemMemory()
	want := []Counter{{"TimerResolution", 156250}, {"PageSize", 4096}, {"NumberOfPhysicalPages", 1000}}
	if err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v, %v", all, err)
	}

	for _, tt := range []struct {
		revision uint16
		size, at int // of the structure, and of PrivateUsage in it
	}{{1, 80, 72}, {2, 152, 88}} {
		s := asm.At(0).U16(tt.revision, 0).U32(5)
		for i := s.Here(); i < uint64(tt.size); i += 8 {
			s.U64(i)
		}
		all, err := build(t, dump.New().Stream(22, s)).ProcessVMCounters()
		if err != nil || len(all) != 1+(tt.size-8)/8 || all[0] != (Counter{"PageFaultCount", 5}) {
			t.Errorf("revision %d: %v, %v", tt.revision, all, err)
		}
		found := false
		for _, c := range all {
			found = found || c == Counter{"PrivateUsage", uint64(tt.at)}
		}
		if !found {
			t.Errorf("revision %d: %v", tt.revision, all)
		}
	}
}

func TestTokens(t *testing.T) {
	s := asm.At(0).U32(100, 2, 16, 16).U32(19, 7).U64(0x1234).Text("abc").U32(16, 8).U64(0)
	tokens, err := build(t, dump.New().Stream(19, s)).Tokens()
	want := []Token{{7, 0x1234, []byte("abc")}, {8, 0, []byte{}}}
	if err != nil || !reflect.DeepEqual(tokens, want) {
		t.Errorf("%+v, %v", tokens, err)
	}
	tokens, err = build(t, dump.New().Stream(19, asm.At(0).U32(100, 9, 16, 16).U32(16, 7).U64(0).U32(8, 7).U64(0))).Tokens()
	expect.Error(t, err, "minidump: token at 0x30: count 9 exceeds stream size 48; and 1 more defect")
	if len(tokens) != 1 {
		t.Errorf("%+v", tokens)
	}
}

func TestFunctionTables(t *testing.T) {
	table := func(s *asm.Section, base uint64) *asm.Section {
		return s.U64(base, base+0x100, base).U32(2, 4).Text("native__").Text("entry1__entry2__").Zeros(4)
	}
	s := table(table(asm.At(0).U32(24, 32, 8, 8, 2, 8).U64(0), 0x1000), 0x2000)
	tables, err := build(t, dump.New().Stream(13, s)).FunctionTables()
	want := []FunctionTable{
		{0x1000, 0x1100, 0x1000, []byte("native__"), 8, []byte("entry1__entry2__")},
		{0x2000, 0x2100, 0x2000, []byte("native__"), 8, []byte("entry1__entry2__")},
	}
	if err != nil || !reflect.DeepEqual(tables, want) {
		t.Errorf("%+v, %v", tables, err)
	}
	lie := table(asm.At(0).U32(24, 32, 8, 0xffff_ffff, 0xffff_ffff, 0), 0x1000)
	tables, err = build(t, dump.New().Stream(13, lie)).FunctionTables()
	expect.Error(t, err, "minidump: function table at 0x3c: count 4294967295 exceeds stream size 84")
	if len(tables) != 0 {
		t.Errorf("%+v", tables)
	}
	_, err = build(t, dump.New().Stream(13, asm.At(0).U32(0, 32, 8, 8, 2, 8))).FunctionTables()
	expect.Error(t, err, "minidump: function table at 0x2c: sizes 0 of the header and 32 of a descriptor are less than 24 and 32")
}
