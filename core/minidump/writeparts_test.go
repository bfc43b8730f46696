package minidump

import (
	"bytes"
	"testing"

	"crashglass/core/testkit/expect"
)

// Words are as long as the processor's addresses.
func TestWriteWords(t *testing.T) {
	auxv := []AuxValue{{6, 4096}, {3, 0x8000_0034}}
	dso := DSODebug{Version: 1, Break: 2, Base: 3, Dynamic: 4, Links: []LinkMap{{5, "libc.so", 6}, {7, "", 8}}}
	words := map[Processor]int{ProcessorX86: 4, ProcessorAMD64: 8}
	bothOrders(t, func(t *testing.T, big bool) {
		for processor, word := range words {
			w := NewWriter(Header{BigEndian: big})
			w.SystemInfo(&SystemInfo{Processor: processor})
			w.Auxv(auxv, word)
			w.DSODebug(&dso, word)
			f := written(t, w)
			same(t, f.Auxv, auxv)
			same(t, f.DSODebug, &dso)
			if size := f.Streams()[1].Size; size != uint64(3*2*word) {
				t.Errorf("%d bytes of auxv", size)
			}
		}
	})
}

// The ranges of a 64-bit list lie in the file as they were put there.
func TestWriteMemory64(t *testing.T) {
	bothOrders(t, func(t *testing.T, big bool) {
		w := NewWriter(Header{BigEndian: big})
		at := w.Put([]byte("onetwo")).RVA
		list := []Range{{1 << 40, Location{at, 3}}, {2 << 40, Location{at + 3, 3}}}
		w.Memory64List(list)
		f := written(t, w)
		same(t, f.Memory64List, list)
		m, err := f.Memory()
		expect.Error(t, err, "")
		got := make([]byte, 3)
		if m.Read(2<<40, got); string(got) != "two" {
			t.Errorf("memory %q", got)
		}
	})
}

// All tables have the sizes of the first one; each begins aligned.
func TestWriteFunctionTables(t *testing.T) {
	w := NewWriter(Header{})
	w.FunctionTables([]FunctionTable{
		{1, 2, 3, []byte("natv"), 3, []byte("onetwox")},
		{4, 5, 6, []byte("longer"), 3, []byte("six")},
		{7, 8, 9, nil, 3, []byte{}},
	})
	f := written(t, w)
	if size := f.Streams()[0].Size; size != 24+(32+4+6+6)+(32+4+3+1)+(32+4+4) {
		t.Errorf("%d bytes", size)
	}
	same(t, f.FunctionTables, []FunctionTable{
		{1, 2, 3, []byte("natv"), 3, []byte("onetwo")},
		{4, 5, 6, []byte("long"), 3, []byte("six")},
		{7, 8, 9, make([]byte, 4), 3, []byte{}},
	})
}

// Information of a handle keeps its order; no text has no place.
func TestWriteHandles(t *testing.T) {
	list := []Handle{
		{Value: 4, Type: "File", Name: `\Device\ü`, Info: []HandleInfo{{1, []byte("first")}, {2, []byte{}}, {3, []byte("third")}}},
		{Value: 8},
	}
	w := NewWriter(Header{})
	w.Handles(list)
	f := written(t, w)
	same(t, f.Handles, list)
	data, err := f.Stream(HandleDataStream)
	expect.Error(t, err, "")
	if second := data[16+handle2Size+8:]; !bytes.Equal(second, make([]byte, handle2Size-8)) {
		t.Errorf("a handle without anything is % x", second)
	}
}

// Parts without room in a structure are left out, and the rest is readable.
func TestWriteTooLong(t *testing.T) {
	w := NewWriter(Header{})
	w.HandleOperations([]HandleOperation{{Handle: 1, Stack: make([]uint64, 40)}, {Handle: 2}})
	w.MacCrashInfo(make([]MacCrashRecord, 30))
	f := written(t, w)
	same(t, f.HandleOperations, []HandleOperation{{Handle: 1, Stack: make([]uint64, maxTrace)}, {Handle: 2}})
	same(t, f.MacCrashInfo, make([]MacCrashRecord, maxMacRecords))
}

// Each version of a record has the fields that it had.
func TestWriteMacVersions(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	records := []MacCrashRecord{
		{Version: 1},
		{Version: 4, Thread: n(1), DialogMode: n(2), Module: "m", Backtrace: "b"},
		{Version: 5, Thread: n(3), DialogMode: n(4), AbortCause: n(5), Message: "x", Signature: "s", Message2: "y"},
	}
	bothOrders(t, func(t *testing.T, big bool) {
		w := NewWriter(Header{BigEndian: big})
		w.MacCrashInfo(records)
		f := written(t, w)
		compare(t, MacCrashInfoStream, f, records, f)
	})
}

// Annotations without a value differ from those with an empty one.
func TestWriteCrashpad(t *testing.T) {
	info := CrashpadInfo{
		Version: 1, AddressMask: 1<<56 - 1, Annotations: []KeyValue{{"", "ü"}, {"k", ""}},
		Modules: []ModuleAnnotations{
			{Module: 3, Version: 1, List: []string{"a", ""}, Objects: []Annotation{{"none", 1, nil}, {"empty", 1, []byte{}}, {"b", 0x8001, []byte{0, 1, 0}}}},
			{Module: 4},
		},
	}
	bothOrders(t, func(t *testing.T, big bool) {
		w := NewWriter(Header{BigEndian: big})
		w.Crashpad(&info)
		f := written(t, w)
		compare(t, CrashpadInfoStream, f, &info, f)
	})
}
