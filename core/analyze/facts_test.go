package analyze

import (
	"crashglass/core/testkit/symbolsource"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/cause/crash"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/dump"
)

// reportOf makes the report of a dump without symbols.
func reportOf(t *testing.T, b *dump.Builder) *report.Report {
	t.Helper()
	r, err := Dump(source(b.Build(t)), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestProcessID(t *testing.T) {
	status := func(b *dump.Builder) *dump.Builder {
		return b.Stream(uint32(minidump.LinuxProcStatusStream), b.Section().Text("Name:\tx\nPid:\t77\n"))
	}
	tests := []struct {
		name string
		b    *dump.Builder
		want *uint32
	}{
		{"nothing", dump.New(), nil},
		{"misc info", dump.New().Misc(5, 0), ptr(uint32(5))},
		{"proc status", status(dump.New()), ptr(uint32(77))},
		{"both", status(dump.New().Misc(5, 0)), ptr(uint32(5))},
		{"misc info without an id", status(dump.New().Stream(15, dump.New().Section().U32(24, 0, 9, 0, 0, 0))), nil},
	}
	for _, tt := range tests {
		if got := reportOf(t, tt.b).PID; deref(got) != deref(tt.want) || (got == nil) != (tt.want == nil) {
			t.Errorf("%s: pid %d, want %d", tt.name, deref(got), deref(tt.want))
		}
	}
}

func TestUptime(t *testing.T) {
	for _, tt := range []struct {
		written, created uint32
		want             uint64
	}{{100, 40, 60}, {100, 100, 0}, {100, 200, 0}} {
		r := reportOf(t, dump.New().Time(tt.written).Misc(1, tt.created))
		if r.ProcessUptime == nil || *r.ProcessUptime != tt.want {
			t.Errorf("created %d, written %d: uptime %d, want %d", tt.created, tt.written, deref(r.ProcessUptime), tt.want)
		}
	}
}

func TestLimits(t *testing.T) {
	b := dump.New()
	b.Stream(uint32(minidump.LinuxLimitsStream), b.Section().Text(
		"Limit                     Soft Limit           Hard Limit           Units     \n"+
			"Max cpu time              unlimited            unlimited            seconds   \n"+
			"Max nice priority         0                    20                   \n"))
	got := reportOf(t, b).ProcLimits
	want := []report.ProcLimit{
		{Name: "Max cpu time", Soft: "unlimited", Hard: "unlimited", Unit: "seconds"},
		{Name: "Max nice priority", Soft: uint64(0), Hard: uint64(20), Unit: "n/a"},
	}
	if got == nil || !slices.Equal(got.Limits, want) {
		t.Errorf("limits %+v, want %+v", got, want)
	}
}

func TestLinuxFiles(t *testing.T) {
	b := dump.New()
	b.Stream(uint32(minidump.LinuxEnvironStream), b.Section().Text("HOME=/\x00TOKEN=x\x00"))
	b.Stream(uint32(minidump.LinuxProcUptimeStream), b.Section().Text("12.5 3.0\n"))
	want := []report.TextFile{
		{Name: "/proc/PID/environ", Text: "HOME=/\nTOKEN=x", Sensitive: true},
		{Name: "/proc/uptime", Text: "12.5 3.0\n"},
	}
	if got := reportOf(t, b).LinuxFiles; !slices.Equal(got, want) {
		t.Errorf("files %+v, want %+v", got, want)
	}
}

func TestSoftErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[{"InitErrors": [1]}]`: `[{"InitErrors":[1]}]`,
		`not JSON`:              `null`,
	} {
		b := dump.New()
		b.Stream(uint32(minidump.SoftErrorsStream), b.Section().Text(text))
		r := reportOf(t, b)
		got, err := json.Marshal(r.SoftErrors)
		if err != nil || string(got) != want {
			t.Errorf("%q: soft errors %s, %v; want %s", text, got, err, want)
		}
		if noted := len(r.Notes) > 2; noted != (want == "null") { // two notes are of what else is missing
			t.Errorf("%q: notes %+v", text, r.Notes)
		}
	}
}

// The crashing thread is the exception's, else the one that requested the dump.
func TestCrashingThread(t *testing.T) {
	threads := func(b *dump.Builder) *dump.Builder {
		for _, id := range []uint32{10, 11, 12} {
			b.Thread(dump.Thread{ID: id, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0000 + uint64(id)})})
		}
		return b
	}
	context := func(b *dump.Builder) []byte {
		return b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x99_0000})
	}
	system := func() *dump.Builder { return dump.New().System(dump.AMD64, dump.Linux, "") }
	b1, b4 := threads(system()), system()
	tests := []struct {
		name    string
		b       *dump.Builder
		index   int // -1 for none
		crashed bool
		writer  int
		pc      string // of the thread's first frame
		threads int
	}{
		{name: "nobody", b: threads(system()), index: -1, writer: -1, pc: "", threads: 3},
		{name: "requested", b: threads(system().Breakpad(10, 11)), index: 1, writer: 0, pc: "0x000000000040000b", threads: 3},
		{name: "wrote and requested", b: threads(system().Breakpad(11, 11)), index: 1, writer: -1, pc: "0x000000000040000b", threads: 3},
		{name: "exception", b: b1.Breakpad(10, 11).Exception(dump.Exception{Thread: 12, Code: 11, Context: context(b1)}),
			index: 2, crashed: true, writer: 0, pc: "0x0000000000990000", threads: 3},
		{name: "exception without registers", b: threads(system()).Exception(dump.Exception{Thread: 12, Code: 11}),
			index: 2, crashed: true, writer: -1, pc: "0x000000000040000c", threads: 3},
		{name: "exception of a thread that is not listed", b: b4.Exception(dump.Exception{Thread: 99, Code: 11, Context: context(b4)}),
			index: 0, crashed: true, writer: -1, pc: "0x0000000000990000", threads: 1},
		{name: "exception of nobody", b: threads(system()).Exception(dump.Exception{Thread: 99, Code: 11}), index: -1, writer: -1, pc: "", threads: 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reportOf(t, tt.b)
			if len(r.Threads) != tt.threads {
				t.Fatalf("%d threads, want %d", len(r.Threads), tt.threads)
			}
			for i := range r.Threads {
				if th := &r.Threads[i]; th.Writer != (i == tt.writer) || th.Crashed != (tt.crashed && i == tt.index) {
					t.Errorf("thread %d: wrote the dump %v, crashed %v", i, th.Writer, th.Crashed)
				}
			}
			if tt.index < 0 {
				if r.CrashInfo.CrashingThread != nil || r.CrashingThread != nil {
					t.Errorf("crashing thread %d", deref(r.CrashInfo.CrashingThread))
				}
				return
			}
			if r.CrashInfo.CrashingThread == nil || *r.CrashInfo.CrashingThread != tt.index || r.CrashingThread.Index != tt.index {
				t.Fatalf("crashing thread %v, want %d", r.CrashInfo.CrashingThread, tt.index)
			}
			if got := string(r.CrashingThread.Frames[0].Offset); got != tt.pc {
				t.Errorf("pc %s, want %s", got, tt.pc)
			}
		})
	}
}

// Without a system info the registers determine the CPU.
func TestNoSystemInfo(t *testing.T) {
	b := dump.New()
	b.Thread(dump.Thread{ID: 1, Context: b.Context(t, dump.X86, map[string]uint64{"eip": 0x1234_5678})})
	r := reportOf(t, b)
	if deref(r.SystemInfo.CPU) != "x86" || r.SystemInfo.PointerWidth != 4 || r.Threads[0].Frames[0].Offset != "0x12345678" || r.SystemInfo.OS != nil {
		t.Errorf("system %+v, frame %+v", r.SystemInfo, r.Threads[0].Frames)
	}
}

func TestAccessesKnownOrNot(t *testing.T) {
	a := &analysis{Session: &Session{p: &process.Process{}, width: 4}}
	none := a.crashInfo(&crash.Analysis{Accesses: []crash.Access{}})
	unknown := a.crashInfo(&crash.Analysis{})
	if none.MemoryAccesses == nil || unknown.MemoryAccesses != nil {
		t.Errorf("no accesses %v, unknown ones %v", none.MemoryAccesses, unknown.MemoryAccesses)
	}
	got := a.crashInfo(&crash.Analysis{
		Adjusted: &crash.Adjusted{Null: true, Value: 8},
		Accesses: []crash.Access{{Address: 8, Size: 4, Kind: cpu.Write}, {Address: 9, Size: 512}},
		IPUpdate: &crash.IPUpdate{Address: 0x10, LikelyGuard: true},
	})
	text, err := json.Marshal([]any{got.AdjustedAddress, got.MemoryAccesses, got.InstructionPointerUpdate})
	want := `[{"kind":"null-pointer","offset":"0x00000008"},` +
		`[{"address":"0x00000008","size":4,"access_type":"write"},{"address":"0x00000009","size":null}],` +
		`{"address":"0x00000010","is_likely_guard_page":true}]`
	if err != nil || string(text) != want {
		t.Errorf("crash info\n got %s\nwant %s (%v)", text, want, err)
	}
}

// Files that would name frames are wanted: the crashing thread's first, then those that name the
// most.
func TestWanted(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	for i, name := range []string{"quiet", "other", "crashed", "public", "matched"} {
		b.Module(dump.Module{Base: uint64(i+1) << 20, Size: 0x1000, Name: "/opt/" + name, CodeView: dump.BuildID(byte(i+1), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	}
	at := func(id uint32, pc uint64) []byte {
		c := b.Context(t, dump.AMD64, map[string]uint64{"rip": pc})
		b.Thread(dump.Thread{ID: id, Context: c})
		return c
	}
	b.Exception(dump.Exception{Thread: 1, Code: 11, Context: at(1, 3<<20)})
	for id, pc := range []uint64{2 << 20, 2<<20 + 4, 4 << 20, 5 << 20} {
		at(uint32(id)+2, pc)
	}
	syms := fakeSymbols{
		"public":  {{Function: "near", Start: 0, Size: 0x1000, Public: true}},
		"matched": nil, // knows nothing, but is the right file
	}
	r, err := Dump(source(b.Build(t)), SymbolsFunc(func(m *module.Module) (Source, report.Symbols) {
		s, state := syms.For(m)
		if m.Name() == "public" {
			state.State = "public_only"
		}
		return s, state
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range r.WantedSymbols {
		got = append(got, fmt.Sprintf("%s %d %v %s", w.CodeFile, w.Frames, w.Crashing, w.State))
	}
	want := []string{"crashed 1 true missing", "other 2 false missing", "public 1 false public_only"}
	if !slices.Equal(got, want) {
		t.Errorf("wanted\n got %q\nwant %q", got, want)
	}
}

// Names of forced mismatched symbols are marked, and the right file stays wanted.
func TestForcedSymbols(t *testing.T) {
	forced := SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
		return symbolsource.Bare{Source: fakeSource{{Function: "guess", Start: 0, Size: 0x1000}}}, report.Symbols{State: "wrong_build"}
	})
	r, err := Dump(source(linuxDump(t).Build(t)), forced, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := r.CrashingThread.Frames[0]
	if !f.UsedAnyway || deref(f.Function) != "guess" || len(r.WantedSymbols) == 0 {
		t.Errorf("frame %+v, wanted %+v", f, r.WantedSymbols)
	}
}

// Mismatched symbols, too, name no code that they have no name for, and none behind the end of a symbol.
func TestForcedCertainty(t *testing.T) {
	const at = 0x118 // of the crash in its module
	for _, tt := range []struct {
		name string
		loc  symbolize.Location
		want string
	}{
		{"in a function", symbolize.Location{Function: "f"}, "forced f "},
		{"near a symbol", symbolize.Location{Function: "f", Public: true}, "forced f "},
		{"behind the end of a symbol", symbolize.Location{Function: "f", Public: true, Stated: at}, "beyond  f"},
		{"in a section", symbolize.Location{Function: ".text"}, "beyond  .text"},
		{"with a line, and without a name", symbolize.Location{File: "a.c", Line: 1}, "unnamed  "},
	} {
		tt.loc.Size = 0x1000 // of what the source finds
		r, err := Dump(source(linuxDump(t).Build(t)), SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
			return symbolsource.Bare{Source: fakeSource{tt.loc}}, report.Symbols{State: report.SymbolsWrongBuild}
		}), Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, after := r.CrashingThread.Frames[0], ""
		if f.After != nil {
			after = f.After.Name
		}
		if f.Function != nil && *f.Function == "" {
			t.Errorf("%s: an empty name", tt.name)
		}
		if got := fmt.Sprintf("%s %s %s", f.Certainty, deref(f.Function), after); got != tt.want || !f.UsedAnyway {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A name that several functions share is marked as one of several if the linker folds functions. On
// Linux, and for system calls, several names are aliases.
func TestFoldedName(t *testing.T) {
	for _, tt := range []struct {
		name     string
		multiple bool
		dump     *dump.Builder
		want     bool
	}{
		{name: "memcpy", dump: windowsDump(t)},
		{name: "memcpy", multiple: true, dump: windowsDump(t), want: true},
		{name: "ZwClose", multiple: true, dump: windowsDump(t)},
		{name: "Ntlm::close()", multiple: true, dump: windowsDump(t), want: true},
		{name: "memcpy", multiple: true, dump: linuxDump(t)},
	} {
		syms := SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
			return symbolsource.Bare{Source: fakeSource{{Function: tt.name, Start: 0, Size: 0x1000, Multiple: tt.multiple}}}, report.Symbols{State: "matched"}
		})
		r, err := Dump(source(tt.dump.Build(t)), syms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f := r.CrashingThread.Frames[0]; f.Folded != tt.want || deref(f.Function) != tt.name {
			t.Errorf("%+v: %+v", tt, f)
		}
	}
}

// LLDB's dumps of i386 have no thread list. The report is of everything else,
// and says why there is no stack.
func TestNoThreads(t *testing.T) {
	r := reportOf(t, dump.New().System(dump.X86, dump.Linux, "").Module(dump.Module{Base: 0x1000, Size: 0x1000, Name: "/a"}))
	if len(r.Threads) != 0 || len(r.Modules) != 1 {
		t.Errorf("%d threads, %d modules", len(r.Threads), len(r.Modules))
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "no registers were saved") {
		t.Errorf("notes %+v", r.Notes)
	}
}

func TestOverlap(t *testing.T) {
	a := dump.Module{Base: 0x1000, Size: 0x2000, Name: "/a"}
	for _, tt := range []struct {
		base  uint64
		size  uint32
		index int
		want  string
	}{
		{0x2000, 0x1000, 0, "cut at 0x2000, where b begins"},
		{0x2000, 0x4000, 0, "cut at 0x2000, where b begins"},
		{0x2000, 0x800, 0, "without 0x2000 to 0x27ff, where b lies"},
		{0x1000, 0x800, 1, "listed at the same address as a, which keeps it"},
	} {
		r := reportOf(t, dump.New().System(dump.AMD64, dump.Linux, "").Module(a).Module(dump.Module{Base: tt.base, Size: tt.size, Name: "/b"}))
		if got := deref(r.Modules[tt.index].Overlap); got != tt.want {
			t.Errorf("overlap %q, want %q", got, tt.want)
		}
		note := r.Modules[tt.index].CodeFile + ": " + tt.want
		if !slices.ContainsFunc(r.Notes, func(n report.Note) bool { return n.Text == note }) {
			t.Errorf("notes %+v", r.Notes)
		}
	}
}

// The offset of a known line counts from the line's first address.
func TestLineOffset(t *testing.T) {
	a := &analysis{Session: &Session{p: &process.Process{}, width: 8}}
	mod := &module.Module{Base: 0x40_0000}
	a.lookup = newLookup(fakeSymbols{"": {{Function: "f", Start: 0x100, Size: 0x100, Line: 7, LineStart: 0x120}}})
	var out report.Frame
	a.name(&out, mod, 0x40_0128)
	if deref(out.LineOffset) != "0x0000000000000008" || deref(out.FunctionOffset) != "0x0000000000000028" || out.File != nil {
		t.Errorf("frame %+v", out)
	}
	if got := (&analysis{budget: budget{text: maxText}}).inlines([]symbolize.Inline{{}}); len(got) != 1 || got[0].Function != nil || got[0].Line != nil {
		t.Errorf("an unknown inlined call is %+v", got)
	}
}

// The program is the first module that is no dynamic loader.
func TestProgram(t *testing.T) {
	for want, paths := range map[string][]string{
		"":                {},
		`C:\a\app.exe`:    {`C:\a\app.exe`, `C:\Windows\ntdll.dll`},
		"/x/App.app/App":  {"/runtime/usr/lib/dyld_sim", "/x/App.app/App", "/x/UIKit"},
		"/usr/lib/dyld":   {"/usr/lib/dyld"},
		"/data/app/prog":  {"/system/bin/linker64", "/data/app/prog"},
		"/opt/linker64.d": {"/opt/linker64.d", "/lib/libc.so.6"},
	} {
		var mods []module.Module
		for _, path := range paths {
			mods = append(mods, module.Module{CodeFile: path})
		}
		if got := program(mods); got != want {
			t.Errorf("%q: %q, want %q", paths, got, want)
		}
	}
}
