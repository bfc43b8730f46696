package write

import (
	"bytes"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
	"crashglass/core/testkit/expect"
)

// Words are as long as the processor's addresses.
func TestWriteWords(t *testing.T) {
	auxv := []minidump.AuxValue{{Type: 6, Value: 4096}, {Type: 3, Value: 0x8000_0034}}
	dso := minidump.DSODebug{Version: 1, Break: 2, Base: 3, Dynamic: 4, Links: []minidump.LinkMap{{Addr: 5, Name: "libc.so", Dynamic: 6}, {Addr: 7, Name: "", Dynamic: 8}}}
	words := map[minidump.Processor]int{minidump.ProcessorX86: 4, minidump.ProcessorAMD64: 8}
	bothOrders(t, func(t *testing.T, big bool) {
		for processor, word := range words {
			w := New(minidump.Header{BigEndian: big})
			w.SystemInfo(&minidump.SystemInfo{Processor: processor})
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
		w := New(minidump.Header{BigEndian: big})
		at := w.Put([]byte("onetwo")).RVA
		list := []minidump.Range{{Base: 1 << 40, Location: minidump.Location{RVA: at, Size: 3}}, {Base: 2 << 40, Location: minidump.Location{RVA: at + 3, Size: 3}}}
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
	w := New(minidump.Header{})
	w.FunctionTables([]minidump.FunctionTable{
		{First: 1, Last: 2, Base: 3, Native: []byte("natv"), EntrySize: 3, Entries: []byte("onetwox")},
		{First: 4, Last: 5, Base: 6, Native: []byte("longer"), EntrySize: 3, Entries: []byte("six")},
		{First: 7, Last: 8, Base: 9, Native: nil, EntrySize: 3, Entries: []byte{}},
	})
	f := written(t, w)
	if size := f.Streams()[0].Size; size != 24+(32+4+6+6)+(32+4+3+1)+(32+4+4) {
		t.Errorf("%d bytes", size)
	}
	same(t, f.FunctionTables, []minidump.FunctionTable{
		{First: 1, Last: 2, Base: 3, Native: []byte("natv"), EntrySize: 3, Entries: []byte("onetwo")},
		{First: 4, Last: 5, Base: 6, Native: []byte("long"), EntrySize: 3, Entries: []byte("six")},
		{First: 7, Last: 8, Base: 9, Native: make([]byte, 4), EntrySize: 3, Entries: []byte{}},
	})
}

// Information of a handle keeps its order; no text has no place.
func TestWriteHandles(t *testing.T) {
	list := []minidump.Handle{
		{Value: 4, Type: "File", Name: `\Device\ü`, Info: []minidump.HandleInfo{{Kind: 1, Data: []byte("first")}, {Kind: 2, Data: []byte{}}, {Kind: 3, Data: []byte("third")}}},
		{Value: 8},
	}
	w := New(minidump.Header{})
	w.Handles(list)
	f := written(t, w)
	same(t, f.Handles, list)
	data, err := f.Stream(minidump.HandleDataStream)
	expect.Error(t, err, "")
	if second := data[16+format.Handle2Size+8:]; !bytes.Equal(second, make([]byte, format.Handle2Size-8)) {
		t.Errorf("a handle without anything is % x", second)
	}
}

// Parts without room in a structure are left out, and the rest is readable.
func TestWriteTooLong(t *testing.T) {
	w := New(minidump.Header{})
	w.HandleOperations([]minidump.HandleOperation{{Handle: 1, Stack: make([]uint64, 40)}, {Handle: 2}})
	w.MacCrashInfo(make([]process.MacCrashRecord, 30))
	f := written(t, w)
	same(t, f.HandleOperations, []minidump.HandleOperation{{Handle: 1, Stack: make([]uint64, format.MaxTrace)}, {Handle: 2}})
	same(t, f.MacCrashInfo, make([]process.MacCrashRecord, format.MaxMacRecords))
}

// Each version of a record has the fields that it had.
func TestWriteMacVersions(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	records := []process.MacCrashRecord{
		{Version: 1},
		{Version: 4, Thread: n(1), DialogMode: n(2), Module: "m", Backtrace: "b"},
		{Version: 5, Thread: n(3), DialogMode: n(4), AbortCause: n(5), Message: "x", Signature: "s", Message2: "y"},
	}
	bothOrders(t, func(t *testing.T, big bool) {
		w := New(minidump.Header{BigEndian: big})
		w.MacCrashInfo(records)
		f := written(t, w)
		compare(t, minidump.MacCrashInfoStream, f, records, f)
	})
}

// Annotations without a value differ from those with an empty one.
func TestWriteCrashpad(t *testing.T) {
	info := minidump.CrashpadInfo{
		Version: 1, AddressMask: 1<<56 - 1, Annotations: []minidump.KeyValue{{Key: "", Value: "ü"}, {Key: "k", Value: ""}},
		Modules: []minidump.ModuleAnnotations{
			{Module: 3, Version: 1, List: []string{"a", ""}, Objects: []minidump.Annotation{{Name: "none", Type: 1, Value: nil}, {Name: "empty", Type: 1, Value: []byte{}}, {Name: "b", Type: 0x8001, Value: []byte{0, 1, 0}}}},
			{Module: 4},
		},
	}
	bothOrders(t, func(t *testing.T, big bool) {
		w := New(minidump.Header{BigEndian: big})
		w.wholeCrashpad(&info)
		f := written(t, w)
		compare(t, minidump.CrashpadInfoStream, f, &info, f)
	})
}
