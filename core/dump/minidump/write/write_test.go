package write

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// written opens what a writer made.
func written(t *testing.T, w *Writer) *minidump.File {
	t.Helper()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	expect.Error(t, f.Damage(), "")
	return f
}

// bothOrders runs a test for each byte order.
func bothOrders(t *testing.T, test func(t *testing.T, big bool)) {
	t.Run("little", func(t *testing.T) { test(t, false) })
	t.Run("big", func(t *testing.T) { test(t, true) })
}

// same compares what was read with what was written.
func same[T any](t *testing.T, read func() (T, error), want T) {
	t.Helper()
	got, err := read()
	expect.Error(t, err, "")
	if g, w := content(got), content(want); g != w {
		t.Errorf("read    %s\nwritten %s", g, w)
	}
}

// placing matches the fields that the writer determines: offset, length and format of a record's parts.
// It matches the byte order, too, which the reader keeps with the system info.
var placing = regexp.MustCompile(`(NameRVA|CSDVersionRVA|Count|Signature):\d+ |(Debug|Misc):\{[^}]*\}| order:(\{\}|<nil>)`)

// content returns a value without the fields that the writer determines.
func content(v any) string { return placing.ReplaceAllString(fmt.Sprintf("%+v", v), "") }

func TestWriteHeader(t *testing.T) {
	bothOrders(t, func(t *testing.T, big bool) {
		h := minidump.Header{Version: 0x1234_a793, Checksum: 1, Time: 2, Flags: 3 << 32, BigEndian: big}
		w := New(h)
		w.Stream(0x99, []byte("abc"))
		w.Stream(minidump.CommentAStream, nil)
		f := written(t, w)
		h.Streams, h.Directory = 2, f.Header().Directory
		same(t, func() (minidump.Header, error) { return f.Header(), nil }, h)
		if f.Header().Directory%align != 0 {
			t.Errorf("the directory is at %#x", f.Header().Directory)
		}
		same(t, func() ([]byte, error) { return f.Stream(0x99) }, []byte("abc"))
		want := []minidump.Stream{{Type: 0x99, Location: minidump.Location{RVA: format.HeaderSize, Size: 3}}, {Type: minidump.CommentAStream, Location: minidump.Location{}}}
		if !reflect.DeepEqual(f.Streams(), want) {
			t.Errorf("streams %v, want %v", f.Streams(), want)
		}
	})
}

func TestWriteVersion(t *testing.T) {
	w := New(minidump.Header{Version: 0x0001_0000})
	if v := written(t, w).Header().Version; v != 0x0001_a793 {
		t.Errorf("version %#x", v)
	}
}

func TestWriteSystemInfo(t *testing.T) {
	bothOrders(t, func(t *testing.T, big bool) {
		for _, csd := range []string{"", "Linux 6.1 ünï 😀"} {
			w := New(minidump.Header{BigEndian: big})
			sys := minidump.SystemInfo{
				Processor: minidump.ProcessorARM64, Level: 1, Revision: 2, Processors: 3, ProductType: 4, Major: 5, Minor: 6, Build: 7,
				Platform: minidump.PlatformAndroid, CSDVersion: csd, SuiteMask: 8, CPU: [24]byte{0: 9, 23: 10},
			}
			w.SystemInfo(&sys)
			same(t, written(t, w).SystemInfo, &sys)
		}
	})
}

func TestWriteThreadsAndMemory(t *testing.T) {
	bothOrders(t, func(t *testing.T, big bool) {
		w := New(minidump.Header{BigEndian: big})
		stack := minidump.Range{Base: 0x7fff_ffff_0000, Location: w.Put([]byte("stack"))}
		threads := []minidump.Thread{
			{ID: 1, Suspend: 2, PriorityClass: 3, Priority: 4, TEB: 5, Stack: stack, Context: w.Put([]byte("context"))},
			{ID: 6},
		}
		w.Threads(threads)
		w.MemoryList([]minidump.Range{stack})
		f := written(t, w)
		same(t, f.Threads, threads)
		same(t, f.MemoryList, []minidump.Range{stack})
		same(t, func() ([]byte, error) { return f.Bytes("context", threads[0].Context) }, []byte("context"))
		m, err := f.Memory()
		expect.Error(t, err, "")
		got := make([]byte, 8)
		if n := m.Read(stack.Base, got); string(got[:n]) != "stack" {
			t.Errorf("memory %q", got[:n])
		}
		if threads[0].Context.RVA%align != 0 {
			t.Errorf("a context at %#x", threads[0].Context.RVA)
		}
	})
}

func TestWriteModules(t *testing.T) {
	id := minidump.GUID{Data1: 0x01020304, Data2: 0x0506, Data3: 0x0708, Data4: [8]byte{9, 10, 11, 12, 13, 14, 15, 16}}
	bothOrders(t, func(t *testing.T, big bool) {
		w := New(minidump.Header{BigEndian: big})
		modules := []minidump.ModuleRecord{
			{Base: 1 << 40, Size: 0x1000, Checksum: 1, TimeStamp: 2, Name: `C:\a b\ä.exe`,
				Version: minidump.VersionInfo{Signature: format.VersionSignature, Struct: format.VersionStruct, FileHi: 1, FileLo: 2, ProductHi: 3, ProductLo: 4,
					FlagsMask: 5, Flags: 6, FileOS: 7, FileType: 8, FileSubType: 9},
				CodeView: minidump.CodeView{Kind: minidump.PDB70, GUID: id, Age: 3, File: "ä.pdb"}, DebugFile: "x.dbg"},
			{Base: 2, CodeView: minidump.CodeView{Kind: minidump.PDB20, Stamp: 4, Age: 5, File: "b.pdb"}},
			{Base: 3, CodeView: minidump.CodeView{Kind: minidump.ELFBuildID, BuildID: []byte{1, 2, 3, 4, 5}}},
			{Base: 4, CodeView: minidump.CodeView{Kind: minidump.UnknownCodeView, Raw: []byte("raw record")}},
			{Base: 5},
		}
		modules[2].CodeView.GUID = elfGUID(modules[2].CodeView.BuildID, w.order)
		w.Modules(modules)
		same(t, written(t, w).ModuleRecords, modules)
	})
}

func TestWriteException(t *testing.T) {
	bothOrders(t, func(t *testing.T, big bool) {
		w := New(minidump.Header{BigEndian: big})
		x := minidump.Exception{ThreadID: 1, Code: 2, Flags: 3, Record: 4, Address: 5, Parameters: []uint64{6, 7}, Context: w.Put([]byte("x"))}
		w.Exception(&x)
		same(t, written(t, w).Exception, &x)
	})
	w := New(minidump.Header{})
	w.Exception(&minidump.Exception{Parameters: make([]uint64, 20)})
	same(t, written(t, w).Exception, &minidump.Exception{Parameters: make([]uint64, format.MaxParameters)})
}

// A dump that is read and written again is the same dump.
func TestWriteAgain(t *testing.T) {
	f := build(t, dump.Everything(t))
	w := New(f.Header())
	var threads []minidump.Thread
	copied := func(loc minidump.Location) minidump.Location {
		data, err := f.Bytes("copy", loc)
		expect.Error(t, err, "")
		return w.Put(data)
	}
	list, _ := f.Threads()
	for _, th := range list {
		th.Stack.Location, th.Context = copied(th.Stack.Location), copied(th.Context)
		threads = append(threads, th)
	}
	sys, _ := f.SystemInfo()
	modules, _ := f.ModuleRecords()
	x, _ := f.Exception()
	w.SystemInfo(sys)
	w.Threads(threads)
	w.Modules(modules)
	w.Exception(x)
	g := written(t, w)
	same(t, g.SystemInfo, sys)
	same(t, g.Threads, threads)
	same(t, g.ModuleRecords, modules)
	same(t, g.Exception, x)
	ctx, err := g.Context(threads[0].Context, sys)
	expect.Error(t, err, "")
	if ctx.Arch != sys.Processor.Arch() {
		t.Errorf("context of %v", ctx.Arch)
	}
}

// Offsets of 32 bits end at 4 GiB.
func TestWriteTooMuch(t *testing.T) {
	expect.Error(t, reachable(1<<32-1), "")
	expect.Error(t, reachable(1<<32), "minidump: 4294967296 bytes are more than a minidump's offsets reach")
}

// A version info's signature is content, and not the writer's to decide.
func TestWriteVersionSignature(t *testing.T) {
	w := New(minidump.Header{})
	w.SystemInfo(&minidump.SystemInfo{Platform: minidump.PlatformLinux})
	w.Modules([]minidump.ModuleRecord{{Version: minidump.VersionInfo{Signature: format.VersionSignature, Struct: format.VersionStruct, FileHi: 7}}})
	modules, err := written(t, w).Modules()
	expect.Error(t, err, "")
	if version := modules[0].Version; version != "7.0.0.0" {
		t.Errorf("version %q", version)
	}
}

// FuzzWrite writes any text and reads it back.
func FuzzWrite(f *testing.F) {
	f.Add("libfoo.so", []byte{1, 2, 3}, true)
	f.Fuzz(func(t *testing.T, name string, id []byte, big bool) {
		name = strings.ToValidUTF8(strings.TrimRight(name, "\x00"), "")
		name, id = name[:min(len(name), 1000)], id[:min(len(id), 1000)]
		name = strings.ToValidUTF8(name, "")
		w := New(minidump.Header{BigEndian: big})
		want := minidump.ModuleRecord{Base: 1, Name: strings.TrimRight(name, "\x00"), CodeView: minidump.CodeView{Kind: minidump.ELFBuildID, BuildID: id}}
		want.CodeView.GUID = elfGUID(id, w.order)
		w.Modules([]minidump.ModuleRecord{want})
		if id == nil {
			want.CodeView.BuildID = []byte{}
		}
		same(t, written(t, w).ModuleRecords, []minidump.ModuleRecord{want})
	})
}
