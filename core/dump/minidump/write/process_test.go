package write

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// crashed is a process of Linux with a thread that crashed behind another one, two modules and a stack.
func crashed(big bool, arch *cpu.Arch) *process.Process {
	var regs cpu.Regs
	regs.Set(arch.SP, 0x7000_0100)
	regs.Set(arch.PC, 0x40_1010)
	pid, cpus, call := uint32(7), uint32(300), uint64(202)
	p := &process.Process{
		System: &process.System{OS: process.Linux, Name: "Linux", Version: "6.12.3", CPUs: &cpus}, Arch: arch, BigEndian: big, Subject: 1,
		Threads: []process.Thread{{ID: 7, Name: "main", Call: &call}, {ID: 9, Registers: &process.Registers{Arch: arch, Regs: regs}}},
		Event:   &process.Event{Code: 11, Flags: 1, Address: 0x18},
		Modules: []module.Module{{Base: 0x40_0000, Size: 0x2000, CodeFile: "/opt/demo", DebugFile: "/opt/demo"}, {Base: 0x50_0000, Size: 0x1000, CodeFile: "a.so", DebugFile: "b.so", DebugID: "0123456789ABCDEF00112233445566771"}},
		Facts: process.Facts{
			PID: &pid, Files: []process.TextFile{{Name: process.CmdLine, Text: "demo\x00--fast"}, {Name: "/proc/other", Text: "x"}},
			Auxv: []process.AuxValue{{Type: 6, Value: 4096}},
		},
	}
	p.Modules[0].SetBuildID([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, byteOrder(big))
	pages := process.NewPager(bin.NewSource(bytes.NewReader(bytes.Repeat([]byte("stack..."), 0x40)), 0x200))
	p.Memory = process.NewMemory(pages, big, []process.Range{rangeAt(0x7000_0000, 0, 0x200)}, func(error) {})
	p.Regions = []process.Region{{Start: 0x7000_0000, Last: 0x7000_017f, Access: "rw-"}}
	return p
}

func byteOrder(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// A process is the same when it is read from the minidump that was made of it, in both byte orders.
func TestProcess(t *testing.T) {
	for _, tt := range []struct {
		arch *cpu.Arch
		big  bool
	}{{arch: &cpu.AMD64}, {arch: &cpu.X86}, {arch: &cpu.ARM}, {arch: &cpu.ARM64}, {arch: &cpu.MIPS, big: true}, {arch: &cpu.PPC64, big: true}, {arch: &cpu.RISCV64}} {
		p := crashed(tt.big, tt.arch)
		got := readBack(t, p)
		if got.Arch != tt.arch || got.BigEndian != tt.big || got.System.OS != process.Linux || got.System.Version != "6.12.3" || *got.System.CPUs != 255 || *got.PID != 7 {
			t.Errorf("%s: %v %t, %+v, process %d", tt.arch.Name, got.Arch, got.BigEndian, got.System, *got.PID)
		}
		if len(got.Threads) != 2 || got.Threads[0].Name != "main" || got.Subject != 1 || got.Threads[1].Registers.Regs.Value(tt.arch.SP) != 0x7000_0100 {
			t.Fatalf("%s: subject %d of %+v", tt.arch.Name, got.Subject, got.Threads)
		}
		if c := got.Threads[0].Call; c == nil || *c != 202 || got.Threads[1].Call != nil {
			t.Errorf("%s: system calls %v, %v", tt.arch.Name, c, got.Threads[1].Call)
		}
		if e := got.Event; e == nil || e.Code != 11 || e.Flags != 1 || e.Address != 0x18 {
			t.Errorf("%s: event %+v", tt.arch.Name, e)
		}
		for i, m := range got.Modules {
			if want := p.Modules[i]; m.CodeID != want.CodeID && want.CodeID != "" || m.DebugID != want.DebugID || m.CodeFile != want.CodeFile || m.DebugFile != want.DebugFile || m.ByName {
				t.Errorf("%s: module %+v, want %+v", tt.arch.Name, m, want)
			}
		}
		if len(got.Files) != 1 || got.Files[0].Text != "demo\x00--fast" || !slices.Equal(got.Auxv, p.Auxv) {
			t.Errorf("%s: files %+v, auxiliary vector %+v", tt.arch.Name, got.Files, got.Auxv)
		}
		if v, ok := got.Memory.Word(0x7000_0108, 1); !ok || v != 's' || got.Memory.Total() != 0x200 || len(got.Notes) > 0 {
			t.Errorf("%s: memory %#x, %t, %v", tt.arch.Name, v, ok, got.Notes)
		}
	}
}

// A stack in the thread list ends with its mapping.
func TestStackEndsWithItsMapping(t *testing.T) {
	p := crashed(false, &cpu.AMD64)
	if got, want := mappedStack(p, 1), rangeAt(0x7000_0000, 0, 0x180); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	p.Regions = nil
	if got, want := mappedStack(p, 1), rangeAt(0x7000_0000, 0, 0x200); got != want {
		t.Errorf("without mappings: %+v, want %+v", got, want)
	}
}

// What a process lacks is absent in the minidump, too.
func TestProcessWithout(t *testing.T) {
	got := readBack(t, &process.Process{Subject: -1})
	if got.System != nil || got.Event != nil || got.PID != nil || len(got.Threads)+len(got.Modules)+len(got.Files) > 0 || got.Memory.Total() > 0 {
		t.Errorf("%+v", got)
	}
	p := &process.Process{Subject: -1, System: &process.System{Name: "unknown", Version: "brand/device:7.1.1"}, Lacks: process.SystemVersion}
	if got := readBack(t, p); got.System.OS != "" || got.System.Version != "0.0.0 brand/device:7.1.1" {
		t.Errorf("%+v", got.System)
	}
}

func readBack(t *testing.T, p *process.Process) *process.Process {
	t.Helper()
	view, err := Whole(p)
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(view)
	if err != nil {
		t.Fatal(err)
	}
	return f.Process()
}

func TestNumbersOf(t *testing.T) {
	for version, want := range map[string][3]uint32{"10.0.19045": {10, 0, 19045}, "6.8.0-45-generic #45": {6, 8, 0}, "6.08.1.9": {6, 8, 1}} {
		if got, ok := numbersOf(version); !ok || got != want {
			t.Errorf("%q: %v, %t", version, got, ok)
		}
	}
	for _, version := range []string{"", "6", "6.8", "6.8.", "6.8-1", "v6.8.1", "6.8.-1", "4294967296.0.0"} {
		if got, ok := numbersOf(version); ok {
			t.Errorf("%q: %v", version, got)
		}
	}
}

// A driver is known by its time stamp and size. It has no record of a PDB if that is not known.
func TestDrivers(t *testing.T) {
	p := crashed(false, &cpu.AMD64)
	p.Event.Kind, p.System.OS = process.BugCheck, process.Windows
	p.Modules = []module.Module{{Base: 0x40_0000, Size: 0x3000, CodeFile: "a.sys", CodeID: "5f0000013000"},
		{Base: 0x50_0000, Size: 0x1000, CodeFile: "b.sys", CodeID: "5f0000021000", DebugFile: "b.pdb", DebugID: "0123456789ABCDEF00112233445566771"}}
	list := records(p)
	if list[0].CodeView.Kind != minidump.NoCodeView || list[0].TimeStamp != 0x5f00_0001 {
		t.Errorf("without a PDB: %+v", list[0])
	}
	if cv := list[1].CodeView; cv.Kind != minidump.PDB70 || cv.File != "b.pdb" || cv.Age != 1 || list[1].TimeStamp != 0x5f00_0002 {
		t.Errorf("with a PDB: %+v", list[1])
	}
	for i, m := range readBack(t, p).Modules {
		if m.CodeID != p.Modules[i].CodeID || m.DebugID != p.Modules[i].DebugID || m.DebugFile != p.Modules[i].DebugFile {
			t.Errorf("%+v, want %+v", m, p.Modules[i])
		}
	}
}
