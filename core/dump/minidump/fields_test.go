package minidump

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// fieldsOf is the layout of the only stream of a type.
func fieldsOf(t *testing.T, f *File, kind StreamType) Layout {
	t.Helper()
	i := slices.IndexFunc(f.Streams(), func(s Stream) bool { return s.Type == kind })
	layout, err := f.Fields(i)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

func TestFields(t *testing.T) {
	b := dump.New().Name(7, "hi").Name(9, "o")
	f := build(t, b)
	at := int64(f.Streams()[0].RVA)
	list, err := f.ThreadNameList()
	if err != nil {
		t.Fatal(err)
	}
	hi, o := list[0].RVA, list[1].RVA
	number := func(v uint64) string { return fmt.Sprintf("%d (%#x)", v, v) }
	want := []bin.Field{
		{Off: at, Size: 4, Name: "Count", Value: "2 (0x2)"},
		{Off: at + 4, Size: 4, Name: "ThreadId", Value: "7 (0x7)", Record: "thread name 0"},
		{Off: at + 8, Size: 8, Name: "RvaOfThreadName", Value: number(hi), Record: "thread name 0"},
		{Off: int64(hi), Size: 4, Name: "length of string", Value: "4 (0x4)", Record: "thread name 0"},
		{Off: int64(hi) + 4, Size: 4, Name: "string", Value: "hi", Record: "thread name 0"},
		{Off: at + 16, Size: 4, Name: "ThreadId", Value: "9 (0x9)", Record: "thread name 1"},
		{Off: at + 20, Size: 8, Name: "RvaOfThreadName", Value: number(o), Record: "thread name 1"},
		{Off: int64(o), Size: 4, Name: "length of string", Value: "2 (0x2)", Record: "thread name 1"},
		{Off: int64(o) + 4, Size: 2, Name: "string", Value: "o", Record: "thread name 1"},
	}
	if got := fieldsOf(t, f, ThreadNamesStream); got.Cut || !slices.Equal(got.Fields, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got.Fields, want)
	}
}

// A reader's lookups in other streams are no fields of its stream.
func TestFieldsOfOneStream(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "Linux")
	b.Module(dump.Module{Base: 0x1000, Size: 0x1000, Name: "app"})
	f := build(t, b)
	for _, field := range fieldsOf(t, f, ModuleListStream).Fields {
		if field.Name == "ProcessorArchitecture" {
			t.Errorf("the list of modules has %+v", field)
		}
	}
}

// Of two streams of a type each has its own fields.
func TestFieldsOfEach(t *testing.T) {
	b := dump.New().Stream(3, asm.At(0).U32(0)).Stream(0x4d7a0004, asm.At(0).Text("one")).Stream(0x4d7a0004, asm.At(0).Text("two"))
	f := build(t, b)
	for i, want := range []string{"one", "two"} {
		layout, err := f.Fields(i + 1)
		if err != nil || len(layout.Fields) != 1 || layout.Fields[0].Value != want {
			t.Errorf("stream %d: %+v, %v; want %q", i+1, layout.Fields, err, want)
		}
	}
	for _, i := range []int{-1, 3} {
		if _, err := f.Fields(i); !errors.Is(err, ErrNoStream) {
			t.Errorf("stream %d: %v", i, err)
		}
	}
}

func TestFieldsAreCut(t *testing.T) {
	const n = 6000 // of three fields each
	list := asm.At(0).U32(n)
	for range n {
		list.U64(1).U32(0, 0)
	}
	layout := fieldsOf(t, build(t, dump.New().Stream(5, list)), MemoryListStream)
	if !layout.Cut || len(layout.Fields) != 1<<14 {
		t.Errorf("%d fields, cut %v", len(layout.Fields), layout.Cut)
	}
}

// gaps are kinds whose readers skip bytes: reserved ones, and entries after the last valid one.
var gaps = map[StreamType]bool{
	HandleDataStream: true, HandleOperationListStream: true, MacCrashInfoStream: true, LinuxAuxvStream: true,
	TokenStream: true, ThreadExListStream: true, MiscInfoStream: true, SystemMemoryInfoStream: true, ProcessVMCountersStream: true,
}

// checkFields checks the invariants of every stream's fields: they have names, lie in the file, do
// not overlap within a record, and together cover the stream.
func checkFields(t *testing.T, f *File, whole bool) {
	t.Helper()
	for i, s := range f.Streams() {
		layout, err := f.Fields(i)
		seen := map[string][]bin.Field{}
		for _, field := range layout.Fields {
			if field.Name == "" || field.Size <= 0 || field.Off < 0 || field.Off+int64(field.Size) > f.Size() {
				t.Fatalf("%s: field %+v of a file of %d bytes", s.Type, field, f.Size())
			}
			seen[field.Record] = append(seen[field.Record], field)
		}
		for record, fields := range seen {
			checkApart(t, s.Type, record, fields)
		}
		if whole && err == nil && !layout.Cut && !gaps[s.Type] && byNumber[s.Type].read != nil {
			checkCovered(t, s, layout.Fields)
		}
	}
}

func checkApart(t *testing.T, kind StreamType, record string, fields []bin.Field) {
	t.Helper()
	slices.SortFunc(fields, func(a, b bin.Field) int { return cmp.Compare(a.Off, b.Off) })
	for i := 1; i < len(fields); i++ {
		if a := fields[i-1]; a.Off+int64(a.Size) > fields[i].Off {
			t.Errorf("%s, %s: %+v overlaps %+v", kind, record, a, fields[i])
		}
	}
}

func checkCovered(t *testing.T, s Stream, fields []bin.Field) {
	t.Helper()
	fields = slices.Clone(fields)
	slices.SortFunc(fields, func(a, b bin.Field) int { return cmp.Compare(a.Off, b.Off) })
	at, end := int64(s.RVA), int64(s.RVA+s.Size)
	for _, field := range fields {
		if field.Off <= at {
			at = max(at, field.Off+int64(field.Size))
		}
	}
	if at < end {
		t.Errorf("%s: nothing says what the byte at %#x is, of %#x to %#x", s.Type, at, s.RVA, end)
	}
}

func TestFieldsOfEverything(t *testing.T) {
	checkFields(t, build(t, dump.Everything(t)), true)
}

func FuzzFields(f *testing.F) {
	f.Add(dump.Everything(f).Build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(source(data))
		if err != nil {
			return
		}
		for i, s := range file.Streams() {
			layout, _ := file.Fields(i)
			for _, field := range layout.Fields {
				if field.Size <= 0 || field.Off < 0 || field.Off+int64(field.Size) > file.Size() {
					t.Fatalf("%s: field %+v of a file of %d bytes", s.Type, field, file.Size())
				}
			}
		}
	})
}

// TestFieldsOfCorpus checks dumps of all writers; damaged ones may leave bytes out.
func TestFieldsOfCorpus(t *testing.T) {
	for _, k := range corpusDumps(t) {
		if f, err := openFile(t, k.dump); err == nil {
			t.Run(k.name, func(t *testing.T) { checkFields(t, f, f.Damage() == nil) })
		}
	}
}
