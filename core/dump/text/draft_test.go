package text

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Images get the base that their frames agree on, and frames of images without one an address that is
// made up.
func TestDraft(t *testing.T) {
	d := NewDraft("test")
	d.System(process.Linux, &cpu.AMD64)
	d.Frame(Frame{Address: 0x5050, Image: "/opt/game", Offset: 0x1050, HasOffset: true})
	d.Frame(Frame{Image: "game", Offset: 0x1100, HasOffset: true, Return: true})
	d.Frame(Frame{Image: "libc.so.6", Offset: 0x2222, HasOffset: true, Return: true})
	d.Frame(Frame{Names: process.Names{Function: "inner"}, Inlined: true})
	d.Frame(Frame{Names: process.Names{Function: "outer"}})
	d.Frame(Frame{Address: 0x77, Return: true})
	d.Image(Image{Path: "/lib/libc.so.6", BuildID: "ABCD"})
	p := d.Finish()

	want := []module.Module{
		{Base: 0x4000, Size: 0x1101, CodeFile: "/opt/game", DebugFile: "/opt/game", ByName: true, Arch: "amd64"},
		{Base: madeUp, Size: 0x2223, CodeFile: "/lib/libc.so.6", DebugFile: "/lib/libc.so.6", CodeID: "abcd", DebugID: "0000CDAB0000000000000000000000000", Floating: true, Arch: "amd64"},
	}
	if len(p.Modules) != len(want) {
		t.Fatalf("%+v", p.Modules)
	}
	for i := range want {
		if p.Modules[i] != want[i] {
			t.Errorf("%+v, want %+v", p.Modules[i], want[i])
		}
	}
	for i, w := range []struct {
		at, back uint64
		place    process.Place
		inlines  int
	}{{0x5050, 0x5050, process.Absolute, 0}, {0x50ff, 0x50ff, process.Absolute, 0}, {madeUp + 0x2221, madeUp + 0x2221, process.Relative, 0}, {0, 0, process.Unplaced, 1}, {0x76, 0x77, process.Absolute, 0}} {
		f := p.Threads[0].Frames[i]
		if f.Instruction != w.at || f.ReturnAddress != w.back || f.Stated.Place != w.place || len(f.Stated.Inlines) != w.inlines {
			t.Errorf("frame %d: %#x, %#x, %+v; want %+v", i, f.Instruction, f.ReturnAddress, f.Stated, w)
		}
	}
}

// What is above the limits is left out, and a thread that is left out is not the subject.
func TestDraftIsBounded(t *testing.T) {
	d := NewDraft("test")
	d.frames, d.Process.Subject = maxStated-1, maxStated
	d.Process.Threads = make([]process.Thread, maxStated-1)
	for range 2 {
		d.Thread(process.Thread{})
		d.Frame(Frame{Address: 1})
	}
	p := d.Finish()
	if frames := p.Threads[maxStated-1].Frames; len(p.Threads) != maxStated || len(frames) != 1 || p.Subject != -1 || len(p.Notes) != 1 {
		t.Errorf("%d threads, %d frames, subject %d, %v", len(p.Threads), len(frames), p.Subject, p.Notes)
	}
}

func TestSource(t *testing.T) {
	for s, want := range map[string]struct {
		file string
		line uint32
	}{"a.c:12:5": {"a.c", 12}, "a.c:12": {"a.c", 12}, "a.c": {"a.c", 0}, `C:\b.c:7`: {`C:\b.c`, 7}, "": {"", 0}, "a:b": {"a:b", 0}, "x:99999999999": {"x", 1<<32 - 1}} {
		if file, line := Source(s); file != want.file || line != want.line {
			t.Errorf("%q: %q %d, want %+v", s, file, line, want)
		}
	}
}

// The program is the first of the modules, whatever the order of the report.
func TestProgram(t *testing.T) {
	for path, want := range map[string]string{"/opt/game": "/opt/game", "game": "/opt/game", "/private/opt/game": "/opt/game", "/lib/libc.so": "/lib/libc.so", "other": "/lib/libc.so", "": "/lib/libc.so"} {
		d := NewDraft("test")
		for i, path := range []string{"/lib/libc.so", "/lib/libm.so", "/opt/game"} {
			d.Image(Image{Path: path, Base: uint64(i+1) << 16, HasBase: true, Size: 0x1000})
		}
		d.Program(path)
		if got := d.Finish().Modules; len(got) != 3 || got[0].CodeFile != want || got[1].CodeFile == got[2].CodeFile {
			t.Errorf("%q: %+v", path, got)
		}
	}
}
