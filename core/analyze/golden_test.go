package analyze

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

var update = flag.Bool("update", false, "write the golden reports anew; read the difference before committing it")

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// fakeSymbols name functions of modules by the name of their debug file, and
// have nothing else: frames are found by frame pointer.
type fakeSymbols map[string][]symbolize.Location

func (f fakeSymbols) For(m *module.Module) (Source, report.Symbols) {
	locs, ok := f[module.Basename(m.DebugFile)]
	if !ok {
		return nil, report.Symbols{State: "missing"}
	}
	return symbolsource.Bare{Source: fakeSource(locs)}, report.Symbols{State: "matched", Lines: true}
}

type fakeSource []symbolize.Location

func (f fakeSource) Locate(rel uint64) (symbolize.Location, bool) {
	for _, l := range f {
		if rel-l.Start < l.Size {
			return l, true
		}
	}
	return symbolize.Location{}, false
}

func (f fakeSource) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }
func (f fakeSource) WinFrame(uint64) (unwind.WinFrame, bool)   { return unwind.WinFrame{}, false }
func (f fakeSource) HasNames() bool                            { return true }
func (f fakeSource) HasCode() bool                             { return false }
func (f fakeSource) Function(rel uint64) (unwind.Function, bool) {
	l, ok := f.Locate(rel)
	return unwind.Function{Name: l.Function, Start: l.Start, Size: l.Size, Public: l.Public}, ok
}

var symbols = fakeSymbols{
	"app": {
		{
			Function: "crash(int*)", Start: 0x100, Size: 0x40, File: "/src/app.cc", Line: 12, LineStart: 0x110,
			Inlines: []symbolize.Inline{{Function: "inlined()", File: "/src/app.h", Line: 3}},
		},
		{Function: "main", Start: 0x200, Size: 0x40, File: "/src/app.cc", Line: 30, LineStart: 0x210},
		{Function: "poll_forever", Start: 0x300, Size: 0x40, Public: true},
		{Function: "__poll", Start: 0x400, Size: 0x40},
	},
}

// A linuxDump is an amd64 process with two threads that both have frame
// pointers; the second one crashed.
func linuxDump(t *testing.T) *dump.Builder {
	b := dump.New().Time(1_700_000_100).System(dump.AMD64, dump.Linux, "Linux 6.1.0 #1 SMP x86_64")
	stack := asm.At(0x7fff_0000).U64(0, 0).
		Mark("rbp0").Ref("rbp1").U64(0x40_0220). // into main
		Mark("rbp1").U64(0, 0)
	other := asm.At(0x7ffe_0000).
		Mark("rbp0").U64(0, 0x40_0310). // into poll_forever
		U64(0, 0)
	crashed := b.Context(t, dump.AMD64, map[string]uint64{
		"rip": 0x40_0118, "rsp": 0x7fff_0000, "rbp": 0x7fff_0010, "rax": 0x8, "eflags": 0x246,
	})
	waits := b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0410, "rsp": 0x7ffe_0000, "rbp": 0x7ffe_0000})
	b.Thread(dump.Thread{ID: 11, Name: "waits", StackBase: 0x7ffe_0000, Stack: other.Build(t), Context: waits})
	b.Thread(dump.Thread{ID: 12, Name: "main", StackBase: 0x7fff_0000, Stack: stack.Build(t), Context: waits})
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)})
	b.Module(dump.Module{Base: 0x7f00_0000, Size: 0x1000, Name: "/lib/x86_64-linux-gnu/libc.so.6"})
	b.Exception(dump.Exception{Thread: 12, Code: 11, Flags: 1, Address: 0x8, Context: crashed})
	b.Misc(4242, 1_700_000_000)
	b.Stream(0x47670004, b.Section().Text("Name:\tapp\nPid:\t99\n"))
	b.Stream(0x47670005, b.Section().Text("DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=24.04\n"))
	b.Stream(0x47670007, b.Section().Text("HOME=/root\x00TOKEN=secret\x00"))
	b.Stream(0x47670009, b.Section().Text("00400000-00401000 r-xp 00000000 08:01 131 /opt/app\n7fff0000-7fff1000 rw-p 00000000 00:00 0 [stack]\n"))
	b.Stream(0x47670003, b.Section().Text("processor : 0\nmicrocode\t: 0x2b\n"))
	return b
}

// A windowsDump is an x86 process that has almost everything that Windows
// writes, an unloaded module under its stack included.
func windowsDump(t *testing.T) *dump.Builder {
	b := dump.New().System(dump.X86, dump.Windows, "Service Pack 1")
	stack := asm.At(0x10_0000).
		Mark("ebp0").Ref32("ebp1").U32(0x60_0010). // into the unloaded module
		Mark("ebp1").U32(0, 0)
	teb := b.Section().Zeros(0x34).U32(5)
	context := b.Context(t, dump.X86, map[string]uint64{"eip": 0x40_0118, "esp": 0x10_0000, "ebp": 0x10_0000, "eax": 0x45})
	b.Thread(dump.Thread{ID: 1, TEB: 0x7ffd_0000, StackBase: 0x10_0000, Stack: stack.Build(t), Context: context})
	b.Thread(dump.Thread{ID: 2})
	b.Memory(0x7ffd_0000, teb.Build(t))
	pdb := b.PDB70([16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 2, `C:\build\app.pdb`)
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: `C:\app\app.exe`, Stamp: 0x4a5b_db00, Version: [4]uint32{1<<16 | 2, 3<<16 | 4, 0, 0}, CodeView: pdb})
	b.Module(dump.Module{Base: 0x50_0000, Size: 0, Name: `C:\app\nothing.dll`})
	b.Unloaded(dump.Module{Base: 0x60_0000, Size: 0x1000, Name: "gone.dll", Stamp: 7})
	b.Exception(dump.Exception{Thread: 1, Code: 0xc000_0005, Address: 0x40_0118, Parameters: []uint64{1, 0x45}, Context: context})
	b.Stream(16, b.Section().U32(16, 48).U64(2).
		U64(0x10_0000, 0x10_0000).U32(4, 0).U64(0x1000).U32(0x1000, 4, 0x2_0000, 0).
		U64(0x20_0000, 0).U32(0, 0).U64(0x1000).U32(0x1_0000, 1, 0, 0))
	b.Stream(12, b.Section().U32(16, 32, 1, 0).U64(0x24).Ref32(b.Text("File")).Ref32(b.Text(`\Device\x`)).U32(0, 0, 1, 1))
	b.Stream(10, b.Section().Text("taken by hand\x00"))
	return b
}

// damaged is a Linux dump with a different defect in each part.
func damaged(t *testing.T) *dump.Builder {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Stream(3, b.Section().U32(4_000_000_000))                              // a thread list that lies
	b.Stream(4, b.Section().U32(1).U64(0x40_0000).U32(0x1000, 0, 0, 0xffff)) // and ends early
	b.Entry(5, 100, 0xffff_ff00)
	context := b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x1000, "rsp": 0x2000})
	b.Exception(dump.Exception{Thread: 7, Code: 6, Context: context})
	return b
}

func TestGolden(t *testing.T) {
	tests := []struct {
		name  string
		build func(*testing.T) *dump.Builder
		syms  Symbols
		opt   Options
	}{
		{"linux", linuxDump, symbols, Options{}},
		{"nosymbols", linuxDump, nil, Options{Threads: Crashing()}},
		{"explain", linuxDump, symbols, Options{Threads: Crashing(), Explain: true}},
		{"windows", windowsDump, nil, Options{}},
		{"damaged", damaged, nil, Options{}},
		{"empty", func(*testing.T) *dump.Builder { return dump.New() }, nil, Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Dump(source(tt.build(t).Build(t)), tt.syms, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			render.Sentences(r)
			got, err := json.MarshalIndent(r, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", tt.name+".json")
			if *update {
				if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(append(got, '\n'), want) {
				t.Errorf("%s differs (go test -update, then read the difference)\n%s", file, firstDifference(string(got), string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}

// A report with symbols keeps nothing of an earlier report without them, nor the other way round.
func TestReportsAreIndependent(t *testing.T) {
	data := linuxDump(t).Build(t)
	marshal := func(r *report.Report, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	s, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	bare := marshal(s.Report(nil, Options{}))
	named := marshal(s.Report(symbols, Options{}))
	if bare == named {
		t.Error("symbols change nothing")
	}
	if again := marshal(s.Report(nil, Options{})); again != bare {
		t.Errorf("a second report differs from the first: %s", firstDifference(again, bare))
	}
	if fresh := marshal(Dump(source(data), symbols, Options{})); fresh != named {
		t.Errorf("a new session's report differs: %s", firstDifference(fresh, named))
	}
}

func TestCancelled(t *testing.T) {
	s, err := Open(source(linuxDump(t).Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	var seen [][2]int
	asked := 0
	r, err := s.Report(nil, Options{
		Progress:  func(done, total int) { seen = append(seen, [2]int{done, total}) },
		Cancelled: func() bool { asked++; return asked == 2 },
	})
	if r != nil || !errors.Is(err, ErrCancelled) {
		t.Errorf("Report = %v, %v; want nil and %v", r, err, ErrCancelled)
	}
	if len(seen) != 1 || seen[0] != [2]int{0, 2} {
		t.Errorf("progress %v, want one call with 0 of 2", seen)
	}
}

func TestNotADump(t *testing.T) {
	_, err := Open(source([]byte("hello, this is no dump at all, but text")))
	const want = "minidump: header at 0x0: signature 0x6c6c6568 is not MDMP"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestQuestions(t *testing.T) {
	s, err := Open(source(linuxDump(t).Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ReadMemory(0x7fff_0010, 1<<30); len(got) != 0x20 {
		t.Errorf("%d bytes of memory at the stack, want 32", len(got))
	}
	for _, size := range []int{0, -1} {
		if got := s.ReadMemory(0x7fff_0010, size); got != nil {
			t.Errorf("%d bytes were asked for: %x", size, got)
		}
	}
	if got := s.ReadMemory(0x1234, 8); got != nil {
		t.Errorf("memory that is not in the dump: %x", got)
	}
	f := s.Resolve(symbols, 0x40_0118)
	if deref(f.Function) != "crash(int*)" || deref(f.Line) != 12 || deref(f.ModuleOffset) != "0x0000000000000118" || f.Trust != "" {
		t.Errorf("Resolve = %+v", f)
	}
	if f := s.Resolve(nil, 0x1234); f.Module != nil || f.Function != nil || f.Offset != "0x0000000000001234" {
		t.Errorf("Resolve of nowhere = %+v", f)
	}
	th, err := s.Explain(symbols, 1, Options{})
	if err != nil || len(th.Frames) < 2 || len(th.Frames[1].Evidence) == 0 {
		t.Errorf("Explain = %+v, %v; want evidence of the second frame", th, err)
	}
	if _, err := s.Explain(symbols, 2, Options{}); err == nil || err.Error() != "analyze: no thread 2: the dump has 2" {
		t.Errorf("Explain of a thread that is not there: %v", err)
	}
}

// Any bytes give a report or an error, and never a panic.
func FuzzDump(f *testing.F) {
	f.Add([]byte{})
	for _, build := range []func(*testing.T) *dump.Builder{linuxDump, windowsDump, damaged} {
		f.Add(build(&testing.T{}).Build(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Dump(source(data), symbols, Options{Frames: 64})
		if err != nil {
			return
		}
		if r.ThreadCount != len(r.Threads) {
			t.Errorf("%d threads are counted, %d listed", r.ThreadCount, len(r.Threads))
		}
		for _, n := range r.Notes {
			if strings.Contains(n.Text, "this is a bug in") {
				t.Error(n.Text)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
