package crash

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

var update = flag.Bool("update", false, "write testdata/headlines.txt anew; read every line of the difference")

// Process numbers in the table: that of the dump, and another one.
const (
	ownPID   = 4242
	otherPID = 24248
)

// A row is an exception with its sentences.
type row struct {
	name string
	s    *scene
}

// Every kind of exception in dumps, by system, with its sentences for people. The file is the
// expectation: read all of it, and ask whether a colleague would understand each sentence.
func TestHeadlines(t *testing.T) {
	var b strings.Builder
	for _, part := range []struct {
		title string
		rows  []row
	}{
		{"Linux: faults", linuxFaults(t)}, {"Linux: signals that can be sent", linuxSent(t)}, {"Linux: other signals", linuxOthers(t)},
		{"Linux: other CPUs", linuxCPUs(t)}, {"Apple: faults", appleFaults(t)}, {"Apple: EXC_CRASH and signals", appleCrashes(t)},
		{"Apple: EXC_RESOURCE", appleResources(t)}, {"Apple: EXC_GUARD", appleGuards(t)}, {"Windows", windowsRows(t)},
		{"Windows: __fastfail", fastFailRows(t)}, {"Fuchsia and Solaris", otherRows(t)},
	} {
		fmt.Fprintf(&b, "# %s\n", part.title)
		for _, r := range part.rows {
			r.s.PID = ownPID
			a := Analyze(r.s.Input)
			v := Verdict(r.s.Input, a)
			fmt.Fprintf(&b, "%s [%s]: %s. %s\n", r.name, a.ReasonName, v.What, v.Detail)
			said(t, r.s)
		}
		b.WriteString("\n")
	}
	golden(t, filepath.Join("testdata", "headlines.txt"), b.String())
}

// golden compares with a file line by line.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	have, expected := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(have), len(expected)) {
		if i >= len(have) || i >= len(expected) || have[i] != expected[i] {
			t.Fatalf("%s:%d:\n got %s\nwant %s", file, i+1, lineAt(have, i), lineAt(expected, i))
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// faulting are instructions that can raise a signal.
var faulting = map[uint32]string{
	sigSEGV: movLoad, sigBUS: movLoad, sigILL: "0f 0b", sigTRAP: "cc", sigFPE: "f7 f9", sigSYS: movRegister, sigABRT: movRegister,
}

// signalRow is a signal at an instruction.
func signalRow(t *testing.T, name string, signal, code uint32, instruction string, address uint64) row {
	s := crashAt(t, instruction).reg(cpu.RBX, heapBase+0x2_0000).fault(address).raise("linux", signal, code)
	return row{fmt.Sprintf("%s, code %d, %s", signals.of(signal), int32(code), name), s}
}

// mostCodes are the last values of si_code; include/uapi/asm-generic/siginfo.h.
var mostCodes = map[uint32]uint32{sigSEGV: 10, sigBUS: 5, sigILL: 9, sigFPE: 15, sigTRAP: 6, sigSYS: 2}

// linuxFaults are the signals of the processor with each of their codes.
func linuxFaults(t *testing.T) (out []row) {
	for _, signal := range []uint32{sigSEGV, sigBUS, sigILL, sigFPE, sigTRAP, sigSYS} {
		for code := uint32(1); code <= 15; code++ {
			if name := signalCodes.in(signal).of(code); name == "" && code > mostCodes[signal] {
				break
			}
			out = append(out, signalRow(t, "at its instruction", signal, code, faulting[signal], heapBase+0x2_0010))
			mapped := signalRow(t, "not captured, mapped", signal, code, "", heapBase+0x10)
			out = append(out, mapped)
		}
		out = append(out, signalRow(t, "at its instruction", signal, siKernel, faulting[signal], 0),
			signalRow(t, "code unknown", signal, 2, "", heapBase+0x2_0010))
	}
	return out
}

// linuxSent are the signals that can be a fault, an abort, or sent.
func linuxSent(t *testing.T) (out []row) {
	for _, signal := range []uint32{sigSEGV, sigBUS, sigILL, sigFPE, sigTRAP, sigABRT, sigSYS} {
		for _, code := range []uint32{siUser, siTkill, siQueue, siTimer} {
			for _, sender := range []struct {
				name string
				pid  uint64
			}{{"other process", otherPID | 1000<<32}, {"own process", ownPID | 1000<<32}} {
				out = append(out, signalRow(t, sender.name, signal, code, movRegister, sender.pid))
				if code != siUser { // then the instruction does not matter
					continue
				}
				in := signalRow(t, sender.name+", in a system call", signal, code, movRegister, sender.pid)
				in.s.behindSyscall()
				out = append(out, in, signalRow(t, sender.name+", restarts a system call", signal, code, "0f 05", sender.pid),
					signalRow(t, sender.name+", no code", signal, code, "", sender.pid))
			}
		}
	}
	return out
}

// linuxOthers are the signals that are never a fault.
func linuxOthers(t *testing.T) (out []row) {
	for _, signal := range []uint32{1, 2, 3, 9, 10, 13, 14, 15, 16, 24, 25, 29, 32, 34, 64, 77, dumpRequested} {
		r := signalRow(t, "Crashpad's process and user", signal, siUser, "", 0)
		r.s.Exception.Params = []uint64{otherPID, 0, 0}
		own := signalRow(t, "own process", signal, siUser, "", 0)
		own.s.Exception.Params = []uint64{ownPID, 0, 0}
		kernel := signalRow(t, "by the kernel", signal, siKernel, "", 0)
		kernel.s.Exception.Params = []uint64{0, 0, 0}
		timer := signalRow(t, "by a timer with the number 3", signal, siTimer, "", 0)
		timer.s.Exception.Params = []uint64{3, 0, 0}
		out = append(out, r, own, kernel, timer)
	}
	io := signalRow(t, "Crashpad's band and descriptor", 29, 1, "", 0)
	io.s.Exception.Params = []uint64{0x41, 7}
	alarm := signalRow(t, "Crashpad's timer and overrun", 14, siTimer, "", 0)
	alarm.s.Exception.Params = []uint64{3, 1, 0}
	seccomp := signalRow(t, "call and CPU by Crashpad", sigSYS, 1, "", codeAddr)
	seccomp.s.Exception.Params = []uint64{41, 0xc000_003e}
	return append(out, io, alarm, seccomp)
}

// linuxCPUs are signals whose numbers or words differ between CPUs.
func linuxCPUs(t *testing.T) (out []row) {
	for _, c := range []struct {
		arch         *cpu.Arch
		signal, code uint32
	}{
		{&cpu.MIPS, 7, siTkill}, {&cpu.MIPS, 10, 1}, {&cpu.MIPS64, 10, 2}, {&cpu.MIPS, 12, 1}, {&cpu.MIPS, 16, siTkill}, {&cpu.MIPS, 30, siKernel}, {&cpu.MIPS, 31, siKernel},
		{&cpu.MIPS, 15, 0xffff_fffe}, {&cpu.MIPS, 15, 0xffff_fffd}, {&cpu.MIPS, 15, 0xffff_fffc}, {&cpu.MIPS, 11, siTkill}, {&cpu.MIPS64, 11, siTkill},
		{&cpu.SPARC, 7, 1}, {&cpu.SPARC, 10, 1}, {&cpu.SPARC, 12, 1}, {&cpu.SPARC, 16, siTkill}, {&cpu.SPARC, 29, siTkill}, {&cpu.SPARC, 30, siTkill},
		{&cpu.X86, 11, siTkill}, {&cpu.ARM, 7, 1}, {&cpu.ARM, 11, siTkill}, {&cpu.ARM64, 11, 9}, {&cpu.ARM64, 11, 8}, {&cpu.PPC, 11, siTkill}, {&cpu.PPC64, 11, siTkill}, {&cpu.RISCV64, 11, siTkill},
	} {
		s := crashAt(t, "").fault(otherPID).raise("linux", c.signal, c.code)
		s.Arch, s.Regs, s.Decode = c.arch, &cpu.Regs{}, nil
		s.reg(c.arch.PC, codeAddr)
		out = append(out, row{fmt.Sprintf("%s, signal %d, code %d", c.arch.Name, c.signal, int32(c.code)), s})
	}
	return out
}

// machRow is a Mach exception as Crashpad writes it.
func machRow(t *testing.T, name string, arch *cpu.Arch, code, flags uint32, params ...uint64) row {
	s := crashAt(t, "").fault(heapBase+0x2_0010).raise("mac", code, flags, params...)
	if arch != &cpu.AMD64 {
		s.Arch, s.Regs, s.Decode = arch, &cpu.Regs{}, nil
		s.reg(arch.PC, codeAddr)
	}
	return row{name, s}
}

func appleFaults(t *testing.T) (out []row) {
	for _, arch := range []*cpu.Arch{&cpu.AMD64, &cpu.ARM64, &cpu.PPC} {
		for _, code := range []uint32{excBadAccess, excBadInstruction, excArithmetic, excSoftware, excBreakpoint, 7} {
			for _, flags := range []uint32{0, 1, 2, 5, 7, 10, 13, 50, 0x101, 0x102, 0x103, 0x105} {
				if flags <= 2 && code != 7 || flags == 0 || code == excBadAccess || code == excArithmetic && flags <= 7 || code == excSoftware && flags == 7 ||
					code == excBadInstruction && flags <= 13 {
					out = append(out, machRow(t, fmt.Sprintf("%s %s %#x", arch.Name, machExceptions.of(code), flags), arch, code, flags))
				}
			}
		}
	}
	for _, flags := range []uint32{0x1_0000, 0x1_0001, 0x1_0002, 0x1_0003, uncaughtNSException} {
		out = append(out, machRow(t, fmt.Sprintf("EXC_SOFTWARE %#x", flags), &cpu.AMD64, excSoftware, flags))
	}
	child := crashAt(t, movRegister).raise("mac", excBreakpoint, 2)
	child.bytes[codeAddr-1] = 0x90
	out = append(out, row{"Breakpad, of another process", child})
	behind := crashAt(t, movRegister).raise("mac", excBreakpoint, 2)
	behind.bytes[codeAddr-1] = 0xcc
	out = append(out, row{"behind int3", behind})
	return append(out, machRow(t, "CPnx", &cpu.ARM64, nsException, 0, nsException, 0, 0), machRow(t, "CPsx", &cpu.ARM64, simulatedMac, 0, simulatedMac, 0, 0))
}

func appleCrashes(t *testing.T) (out []row) {
	for signal := uint64(0); signal < 32; signal++ {
		out = append(out, machRow(t, fmt.Sprintf("EXC_CRASH by Crashpad, signal %d", signal), &cpu.ARM64, 0, 0, excCrash, signal<<24, 0))
	}
	for exception := uint64(1); exception < 13; exception++ {
		out = append(out, machRow(t, fmt.Sprintf("EXC_CRASH as it is, exception %d", exception), &cpu.ARM64, excCrash, uint32(11<<24|exception<<20|1),
			excCrash, 11<<24|exception<<20|1, 0))
	}
	return append(out,
		machRow(t, "EXC_CRASH without code", &cpu.ARM64, excCrash, 0),
		machRow(t, "EXC_CORPSE_NOTIFY, with the address of the crash info", &cpu.ARM64, excCorpse, 0xb00_0000, excCorpse, 0x1_0b00_0000, 0x4000),
		machRow(t, "EXC_CORPSE_NOTIFY of EXC_CRASH", &cpu.ARM64, excCorpse, excCrash, excCorpse, excCrash, 3<<32|2),
		machRow(t, "EXC_SOFT_SIGNAL with its signal", &cpu.ARM64, excSoftware, excSoftSignal, excSoftware, excSoftSignal, 6),
		machRow(t, "EXC_SOFT_SIGNAL as exception", &cpu.ARM64, excSoftSignal, 6),
		machRow(t, "0 and 0", &cpu.ARM64, 0, 0))
}

// resourceRow is an EXC_RESOURCE or EXC_GUARD by Crashpad.
func resourceRow(t *testing.T, name string, exception uint32, code, subcode uint64) row {
	return machRow(t, name, &cpu.ARM64, exception, uint32(code>>32), uint64(exception), code, subcode)
}

func appleResources(t *testing.T) (out []row) {
	return []row{
		resourceRow(t, "CPU", excResource, 1<<61|1<<58|180<<7|50, 98),
		resourceRow(t, "CPU, fatal", excResource, 1<<61|2<<58|180<<7|50, 98),
		resourceRow(t, "wakeups", excResource, 2<<61|1<<58|300<<20|150, 5000),
		resourceRow(t, "memory", excResource, 3<<61|1<<58|1400, 0),
		resourceRow(t, "memory, diagnostic", excResource, 3<<61|2<<58|1400, 0),
		resourceRow(t, "physical writes", excResource, 4<<61|1<<58|86400<<15|2000, 2147),
		resourceRow(t, "logical writes", excResource, 4<<61|2<<58|86400<<15|2000, 2147),
		resourceRow(t, "threads", excResource, 5<<61|1<<58|512, 0),
		resourceRow(t, "ports", excResource, 6<<61|1<<58|0x2_0000, 0),
		resourceRow(t, "unknown type", excResource, 7<<61, 0),
		resourceRow(t, "unknown flavor", excResource, 1<<61|7<<58, 0),
		machRow(t, "without parameters", &cpu.ARM64, excResource, 0x2400_0000),
		machRow(t, "iOS: the lower half in the flags", &cpu.ARM64, excResource, 180<<7|50, excResource, 1<<61|2<<58|180<<7|50, 98),
	}
}

func appleGuards(t *testing.T) (out []row) {
	return []row{
		resourceRow(t, "port", excGuard, 1<<61|0x200<<32|9987, 0),
		resourceRow(t, "port, new flavor", excGuard, 1<<61|7<<32, 9987),
		resourceRow(t, "descriptor closed", excGuard, 2<<61|1<<32|12, 0x55),
		resourceRow(t, "descriptor written to", excGuard, 2<<61|0x40<<32|12, 0x55),
		resourceRow(t, "user", excGuard, 3<<61|18, 5),
		resourceRow(t, "vnode", excGuard, 4<<61|4<<32|99, 5),
		resourceRow(t, "memory", excGuard, 5<<61|1<<32, 0x1_0000_4000),
		resourceRow(t, "memory tag", excGuard, 5<<61|200<<32, 0x1_0000_4000),
		resourceRow(t, "system call", excGuard, 6<<61, 31),
		resourceRow(t, "mach trap", excGuard, 6<<61|1, 31),
		resourceRow(t, "unknown type", excGuard, 7<<61, 31),
		machRow(t, "without parameters", &cpu.ARM64, excGuard, 0x4000_0001),
		machRow(t, "iOS: the lower half in the flags", &cpu.ARM64, excGuard, 12, excGuard, 2<<61|1<<32|12, 0x55),
		machRow(t, "in an EXC_CRASH", &cpu.ARM64, excGuard, 0, excCrash, 9<<24|excGuard<<20|0x203, 0),
	}
}

// windowsRow is an exception of Windows at an instruction that does nothing.
func windowsRow(t *testing.T, name string, code uint32, instruction string, params ...uint64) row {
	s := crashAt(t, instruction).reg(cpu.RBX, heapBase+0x2_0000).fault(codeAddr).raise("windows", code, 0, params...)
	return row{fmt.Sprintf("%#x %s", code, name), s}
}

func windowsRows(t *testing.T) (out []row) {
	for _, w := range []struct {
		code   uint32
		name   string
		params []uint64
	}{
		{0x0517_a7ed, "Crashpad, simulated", nil}, {0x0cca_11ed, "Crashpad, by another process", []uint64{0, 0}},
		{0x0eed_fade, "Delphi", []uint64{0x401000, 0x5000}}, {0x0eef_face, "C++Builder", nil}, {0x2047_4343, "GCC", nil},
		{0x4000_0015, "abort of old runtimes", nil}, {0x4000_001e, "WOW64 single step", nil}, {0x4000_001f, "WOW64 breakpoint", nil},
		{0x4001_0005, "Ctrl-C in a debugger", nil}, {0x4001_0006, "OutputDebugString", nil}, {0x4008_0201, "WinRT originated an error", nil},
		{0x406d_1388, "thread name", []uint64{0x1000, 0x5000, 0xffff_ffff, 0}}, {guardPage, "", []uint64{1, heapBase + 0x10}}, {misaligned, "", nil},
		{0x8000_0007, "", nil}, {0x8000_0026, "", nil}, {0x8000_0029, "", nil}, {0xc000_0008, "", nil}, {0xc000_000d, "", nil}, {0xc000_0017, "", nil},
		{0xc000_0025, "", nil}, {0xc000_0026, "", nil}, {0xc000_008c, "", nil}, {0xc000_008e, "", nil}, {0xc000_008f, "", nil}, {0xc000_0090, "", nil},
		{0xc000_0092, "", nil}, {0xc000_0095, "", nil}, {0xc000_0096, "", nil}, {0xc000_00fd, "", []uint64{1, 0x5000}}, {0xc000_012d, "", nil}, {0xc000_0135, "", nil}, {0xc000_0138, "", nil},
		{0xc000_0139, "", nil}, {0xc000_013a, "", nil}, {0xc000_0142, "", nil}, {0xc000_0194, "", nil}, {0xc000_01a5, "", nil}, {0xc000_01ad, "", nil},
		{0xc000_0235, "", nil}, {0xc000_0264, "", nil}, {0xc000_027b, "", nil}, {0xc000_02b4, "", nil}, {0xc000_02b5, "", nil}, {0xc000_0374, "", []uint64{0x7fff_0000}}, {0xc000_0409, "without code", nil},
		{0xc000_0417, "", nil}, {0xc000_041d, "", nil}, {0xc000_0420, "", nil}, {0xc000_0602, "", nil}, {0xc000_0604, "", nil}, {0xc06d_007e, "", nil}, {0xc06d_007f, "", nil}, {0xcfff_ffff, "", nil},
		{0xe000_0008, "Chromium", []uint64{0x1000_0000}}, {0xe043_4352, ".NET", []uint64{0x8000_4003}}, {0xe043_4f4d, ".NET before 4", nil},
		{0xe06d_7363, "Visual C++", []uint64{0x1993_0520, 0x5000, 0x6000, 0}}, {0xe073_616e, "", nil}, {0xe073_6171, "", nil}, {0xe24c_4a02, "LuaJIT", nil}, {0xe24c_4a04, "LuaJIT", nil},
		{0x6ba, "RPC", nil}, {0x8001_010d, "COM", nil}, {0x1234_5678, "unknown", nil}, {0, "none", nil},
	} {
		out = append(out, windowsRow(t, w.name, w.code, "90", w.params...))
	}
	for _, kind := range []uint64{0, 1, 8, 2} {
		out = append(out, windowsRow(t, fmt.Sprintf("kind %d", kind), accessViolation, movLoad, kind, heapBase+0x2_0010))
	}
	out = append(out, windowsRow(t, "at int3", breakpoint, "cc"), windowsRow(t, "elsewhere", breakpoint, "90"), windowsRow(t, "", singleStep, "90"),
		windowsRow(t, "at ud2", illegalInstruction, "0f 0b"), windowsRow(t, "at a legal one", illegalInstruction, "90"), windowsRow(t, "not captured", illegalInstruction, ""),
		windowsRow(t, "at a division", intDivideByZero, "f7 f9"),
		windowsRow(t, "read, bad sector", inPageError, movLoad, 0, heapBase+0x2_0010, 0xc000_009c),
		windowsRow(t, "execute, network", inPageError, "", 8, codeAddr, 0xc000_00c4))
	raised := windowsRow(t, "raised", accessViolation, "90", 0, 0)
	raised.s.stack("!RaiseException", "work")
	dep := windowsRow(t, "on the heap", accessViolation, "", 8, heapBase)
	dep.s.reg(cpu.RIP, heapBase)
	request := windowsRow(t, "Breakpad, on request", nonContinuable, "90")
	request.s.Exception.Address = 0
	pure := windowsRow(t, "Breakpad, pure virtual call", nonContinuable, "90", 0x5000, 0x6000, 0)
	pure.s.Check, pure.s.Assertion = PureVirtualCall, "Pure virtual function called"
	pure.s.Exception.Address = 0
	invalid := windowsRow(t, "Breakpad, invalid argument", 0xc000_000d, "90", 0x5000, 0x6000, 12)
	invalid.s.Check, invalid.s.Assertion = InvalidArgument, "Invalid parameter passed to library function in function f"
	child := windowsRow(t, "Breakpad, of another process", breakpoint, "89 df")
	child.s.bytes[codeAddr-1] = 0x90
	return append(out, raised, dep, request, pure, invalid, child)
}

func fastFailRows(t *testing.T) (out []row) {
	for code := uint64(0); code <= 78; code++ {
		out = append(out, windowsRow(t, fmt.Sprintf("%d", code), stackBufferOverrun, "cd 29", code))
	}
	return append(out, windowsRow(t, "of no code", stackBufferOverrun, "cd 29", 0xffff_ffff))
}

func otherRows(t *testing.T) (out []row) {
	for _, n := range codes()[fuchsiaExceptions] {
		for _, flags := range []uint32{0, 2, 0x10} {
			if flags == 0 || n.code == fuchsiaPageFault {
				s := crashAt(t, "").fault(heapBase+0x2_0010).raise("fuchsia", n.code, flags, uint64(n.code), uint64(flags), 14, heapBase+0x2_0010)
				out = append(out, row{fmt.Sprintf("fuchsia %s, error code %#x", n.text, flags), s})
			}
		}
	}
	arm := crashAt(t, "").fault(heapBase+0x2_0010).raise("fuchsia", fuchsiaPageFault, 0x24<<26|1<<6|7).of(&cpu.ARM64)
	out = append(out, row{"fuchsia arm64, data abort of a write", arm})
	for _, signal := range []uint32{6, 7, 10, 11, 16} {
		out = append(out, row{fmt.Sprintf("solaris, signal %d", signal), crashAt(t, "").raise("solaris", signal, 1).of(&cpu.SPARC)})
	}
	return out
}

// TestTablesAreSorted: names.of needs it of every table.
func TestTablesAreSorted(t *testing.T) {
	tables := maps.Clone(codes())
	tables["winerror.txt"], tables["ntstatus.txt"] = winErrors(), ntStatuses()
	for name, list := range tables {
		for i := range list {
			if i > 0 && list[i-1].code >= list[i].code {
				t.Errorf("%s: %#x follows %#x", name, list[i].code, list[i-1].code)
			}
		}
	}
}
