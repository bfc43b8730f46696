package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// TestDetail: the mechanism in plain words, with the values that prove it.
func TestDetail(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"null", "`mov dword [rax], 0x5` writes 4 bytes at 0x0; rax is 0x0.", crashAt(t, movStore).reg(cpu.RAX, 0)},
		{"a field of null", "`mov rax, qword [rbx + 0x10]` reads 8 bytes at 0x10; rbx is 0x0. The address is 0x10 away from null: most likely a field or an element of an object that is not there.",

			crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10)},
		{"through the index", "`mov qword [rax + rcx * 1], 0x41414141` writes 8 bytes at 0x1234567812345678; rcx is 0x1234567812345678. No pointer of this CPU has such a value: bits 48 to 63 differ from bit 47.",

			crashAt(t, "48 c7 04 08 41 41 41 41").reg(cpu.RAX, 0).reg(cpu.RCX, 0x1234_5678_1234_5678).gpf()},
		{"both ways", "`xchg qword [rdi], rax` reads and writes 8 bytes at 0x610008; rdi is 0x610008. It lies 8 bytes behind the end of [heap].",
			crashAt(t, "48 87 07").reg(cpu.RDI, heapBase+0x1_0008).fault(heapBase + 0x1_0008)},
		{"in front of a mapping", "`mov dword [rax], 0x5` writes 4 bytes at 0x3fff00; rax is 0x3fff00. It lies 256 bytes in front of app.",
			crashAt(t, movStore).reg(cpu.RAX, appBase-0x100).fault(appBase - 0x100)},
		{"far from everything", "`mov dword [rax], 0x5` writes 4 bytes at 0x900000000; rax is 0x900000000. Nothing is mapped there.",
			crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).fault(0x9_0000_0000)},
		{"no code", "The program accessed 0x900000000. It is not known whether it read or wrote: the code is not in the dump. Nothing is mapped there.",
			crashAt(t, "").fault(0x9_0000_0000)},
		{"no code on Windows", "The program wrote to 0x900000000. Nothing is mapped there.", crashAt(t, "").windows(1, 0x9_0000_0000)},
		{"a call", "`call rax` goes to 0x4141000000000001. The system reports 0x0 instead: the CPU does not tell it a non-canonical address.",
			crashAt(t, callReg).reg(cpu.RAX, 0x4141_0000_0000_0001).gpf()},
		{"stack", "`push rbp` writes 8 bytes at 0x7ffcfffffff8; rsp is 0x7ffd00000000. The stack pointer is 0x7ffd00000000, and the stack ends at 0x7ffd00000000: the access lies 8 bytes below it.",

			crashAt(t, push).reg(cpu.RSP, stackLow).fault(stackLow - 8)},
		{"reserved memory", "`mov dword [rax], 0x5` writes 4 bytes at 0x300000; rax is 0x300000. The memory from 0x300000 to 0x33ffff is reserved and allows nothing.",
			func() *scene {
				s := crashAt(t, movStore).reg(cpu.RAX, 0x30_0000).fault(0x30_0000)
				s.Regions = slices.Insert(s.Regions, 0, process.Region{Start: 0x30_0000, Last: 0x33_ffff})
				return s
			}()},
		{"division", "An integer was divided by zero. The instruction is `idiv ecx` with 0 in ecx.", crashAt(t, "f7 f9").reg(cpu.RCX, 0).raise("linux", sigFPE, fpeIntDiv)},
		{"division by memory", "An integer was divided by zero. The instruction is `idiv dword [rax]` with 0 at 0x600000.",
			crashAt(t, "f7 38").reg(cpu.RAX, heapBase).put(heapBase, 0).raise("linux", sigFPE, fpeIntDiv)},
		{"sent", "No instruction failed.",
			crashAt(t, "89 df").fault(0x3e8_0000_5eb8).raise("linux", sigSEGV, siTkill)},
		{"in a library", "`abort` is on the stack. The innermost frame is `raise` of libc.so.6.",
			crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work")},
		{"asked for", "The requesting thread was in `middle` of app.", crashAt(t, "").raise("linux", dumpRequested, 0)},
		{"without regions", "`mov dword [rax], 0x5` writes 4 bytes at 0x900000000; rax is 0x900000000. The mapping at the address does not allow the access.",
			func() *scene {
				s := crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).fault(0x9_0000_0000)
				s.Regions, s.Exception.Flags = nil, segvAccErr
				return s
			}()},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).Detail; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestMachFindings(t *testing.T) {
	tests := []struct {
		code, flags uint32
		want        Kind
	}{
		{nsException, 0, Thrown}, {excSoftware, uncaughtNSException, Thrown}, {excSoftware, machSIGABRT, Aborted},
		{excArithmetic, 1, DivideByZero}, {excArithmetic, 2, Arithmetic}, {excBadInstruction, 1, Illegal},
		{excBreakpoint, 2, Trapped}, {excResource, 3 << 29, Resource}, {excGuard, 0, Resource},
		{7, 0, RaisedException}, {simulatedMac, 0, OnRequest}, {excBadAccess, i386GPFault, NonCanonical},
	}
	for _, tt := range tests {
		s := crashAt(t, "").raise("mac", tt.code, tt.flags).stack("!abort", "work")
		if a := Analyze(s.Input); len(a.Findings) == 0 || a.Findings[0].Kind != tt.want {
			t.Errorf("%#x, %#x: %+v, want %s", tt.code, tt.flags, a.Findings, tt.want)
		}
	}
}

func TestStackPointer(t *testing.T) {
	find := func(s *scene) []string {
		var out []string
		for _, f := range Analyze(s.Input).Findings {
			if f.Kind == BadStackPointer {
				out = append(out, f.Evidence...)
			}
		}
		return out
	}
	tests := []struct {
		name, want string
		sp         uint64
	}{
		{"in the stack", "", stackLow + 0x100},
		{"nowhere", "The list of mappings has nothing at the stack pointer, 0x1000.", 0x1000},
		{"in code", "The memory at the stack pointer, 0x401000, cannot be written to.", codeAddr},
		{"in captured memory that is on no list", "", 0x9_0000_0000},
	}
	for _, tt := range tests {
		s := crashAt(t, movStore).reg(cpu.RAX, 0).reg(cpu.RSP, tt.sp).put(0x9_0000_0000, 1)
		if got := strings.Join(find(s), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestForeign(t *testing.T) {
	tests := []struct {
		os            process.OS
		program, file string
		want          bool
	}{
		{os: "windows", program: `C:\App\app.exe`, file: `C:\App\plugins\p.dll`},
		{os: "windows", program: `C:\App\app.exe`, file: `c:\app\P.DLL`},
		{os: "windows", program: `C:\App\app.exe`, file: `C:\Other\hook.dll`, want: true},
		{os: "windows", program: `app.exe`, file: `C:\Other\hook.dll`}, // where the program is, is not known
		{os: "mac", program: "/Applications/App.app/Contents/MacOS/App", file: "/Applications/App.app/Contents/Frameworks/F"},
		{os: "mac", program: "/Applications/App.app/Contents/MacOS/App", file: "/Library/Input Methods/x.dylib", want: true},
		{os: "linux", program: "/opt/app/bin/app", file: "/opt/other/lib.so"}, // libraries are anywhere
	}
	for _, tt := range tests {
		s := crashAt(t, movStore).reg(cpu.RAX, 0)
		s.OS = tt.os
		s.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x1000, CodeFile: tt.program}, {Base: libBase, Size: 0x1000, CodeFile: tt.file}})
		s.Frames[0].ModuleIndex = new(1)
		got := slices.ContainsFunc(Analyze(s.Input).Findings, func(f Finding) bool { return f.Kind == ForeignModule })
		if got != tt.want {
			t.Errorf("%s in %s: %v", tt.file, tt.program, got)
		}
	}
}

// TestEvidenceIsProse: what people read has no empty sentence, and ends like one.
func TestEvidenceIsProse(t *testing.T) {
	for _, s := range []*scene{
		crashAt(t, movStore).reg(cpu.RAX, 0), crashAt(t, "").gpf(), crashAt(t, push).reg(cpu.RSP, stackLow).fault(stackLow - 8),
		crashAt(t, movStore).reg(cpu.RAX, 0xdddd_dddd_dddd_dddd).gpf(), crashAt(t, "").raise("windows", stackBufferOverrun, 0, 2),
		crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!__assert_fail", "work"),
	} {
		for _, f := range Analyze(s.Input).Findings {
			for _, e := range f.Evidence {
				if !strings.HasSuffix(e, ".") || strings.Contains(e, "  ") || strings.Contains(e, "%!") {
					t.Errorf("%s: %q", f.Kind, e)
				}
			}
		}
	}
	for _, t2 := range []table{windowsNotes, signalNotes, machNotes} {
		for _, n := range codes()[t2] {
			if !strings.HasSuffix(n.text, ".") {
				t.Errorf("%#x: %q", n.code, n.text)
			}
		}
	}
}
