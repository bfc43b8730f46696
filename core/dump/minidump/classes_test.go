package minidump

import (
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/classes"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// A classCPU is a CPU of the dumps in testdata: the registers of a thread that crashed in a function of
// its program, called from the address on its stack or in its link register.
type classCPU struct {
	name      string
	processor uint16
	big       bool
	word      int
	pc, sp    string
	link      string // the register with the return address, "" if it is on the stack
	saved     int    // the offset of the return address on the stack
}

var classCPUs = map[string]classCPU{
	"x86":     {name: "x86", processor: dump.X86, word: 4, pc: "eip", sp: "esp", link: "", saved: 0},
	"amd64":   {name: "amd64", processor: dump.AMD64, word: 8, pc: "rip", sp: "rsp", link: "", saved: 0},
	"arm":     {name: "arm", processor: dump.ARM, word: 4, pc: "pc", sp: "sp", link: "lr", saved: 0},
	"arm64":   {name: "arm64", processor: dump.ARM64, word: 8, pc: "pc", sp: "sp", link: "lr", saved: 0},
	"mips":    {name: "mips", processor: dump.MIPS, word: 4, pc: "pc", sp: "sp", link: "ra", saved: 0},
	"mips64":  {name: "mips64", processor: dump.MIPS64, word: 8, pc: "pc", sp: "sp", link: "ra", saved: 0},
	"ppc":     {name: "ppc", processor: dump.PPC, big: true, word: 4, pc: "srr0", sp: "r1", link: "lr", saved: 32 + 4},
	"ppc64":   {name: "ppc64", processor: dump.PPC64, big: true, word: 8, pc: "srr0", sp: "r1", link: "lr", saved: 32 + 16},
	"sparc":   {name: "sparc", processor: dump.SPARC, big: true, word: 8, pc: "pc", sp: "o6", link: "o7", saved: 0},
	"riscv":   {name: "riscv", processor: dump.RISCV, word: 4, pc: "pc", sp: "sp", link: "ra", saved: 0},
	"riscv64": {name: "riscv64", processor: dump.RISCV64, word: 8, pc: "pc", sp: "sp", link: "ra", saved: 0},
}

// A classSystem is a system of these dumps, and how it reports a read of address 0.
type classSystem struct {
	name        string
	platform    uint32
	code, flags uint32
	parameters  []uint64
	program     string
	cpus        []string
}

// Sources of the codes: winnt.h, STATUS_ACCESS_VIOLATION; signal.h, SIGSEGV and SEGV_MAPERR; mach's
// exception_types.h, EXC_BAD_ACCESS and KERN_INVALID_ADDRESS; zircon's syscalls/exception.h,
// ZX_EXCP_FATAL_PAGE_FAULT.
var classSystems = []classSystem{
	{"windows", dump.Windows, 0xc000_0005, 0, []uint64{0, 0}, `C:\app\app.exe`, []string{"x86", "amd64", "arm", "arm64"}},
	{"linux", dump.Linux, 11, 1, nil, "/opt/app", []string{"x86", "amd64", "arm", "arm64", "mips", "mips64", "ppc", "ppc64", "riscv", "riscv64"}},
	{"android", dump.Android, 11, 1, nil, "/data/app/lib/libapp.so", []string{"x86", "amd64", "arm", "arm64"}},
	{"macos", dump.Mac, 1, 1, nil, "/Applications/App.app/Contents/MacOS/App", []string{"x86", "amd64", "arm64", "ppc"}},
	{"ios", dump.IOS, 1, 1, nil, "/var/containers/App.app/App", []string{"arm", "arm64"}},
	{"fuchsia", uint32(PlatformFuchsia), 0x108, 0, nil, "/pkg/bin/app", []string{"amd64", "arm64"}},
	{"solaris", dump.Solaris, 11, 1, nil, "/opt/app", []string{"sparc"}},
}

// Where the parts of the process are.
const (
	classProgram = 0x1_0000
	classPC      = classProgram + 0x100
	classCaller  = classProgram + 0x204
	classStack   = 0x20_0000
)

// dump builds the process. full keeps its memory in the 64-bit list, as a dump with all memory does.
func (c classCPU) dump(t *testing.T, s classSystem, full bool) *dump.Builder {
	b := dump.New()
	if c.big {
		b.BigEndian()
	}
	b.Time(1_700_000_000).System(c.processor, s.platform, "")
	regs := map[string]uint64{c.pc: classPC, c.sp: classStack}
	if c.link != "" {
		regs[c.link] = classCaller
	}
	stack := c.stack(t, b)
	context := b.Context(t, c.processor, regs)
	thread := dump.Thread{ID: 1, StackBase: classStack, Stack: stack, Context: context}
	if full {
		thread.Stack = nil
		b.Memory64(classStack, stack).Memory64(classProgram, make([]byte, 0x400))
	}
	b.Thread(thread)
	b.Exception(dump.Exception{Thread: 1, Code: s.code, Flags: s.flags, Parameters: s.parameters, Context: context})
	return b.Module(dump.Module{Base: classProgram, Size: 0x1000, Name: s.program,
		CodeView: b.PDB70([16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 1, "app.pdb")})
}

// stack is 64 bytes with the return address. A PowerPC stack begins with the address of the caller's frame,
// which has the return address behind its own link (System V ABI, PowerPC Processor Supplement, "The Stack
// Frame"; 64-bit ELF ABI, 3.2.2).
func (c classCPU) stack(t *testing.T, b *dump.Builder) []byte {
	s := b.Section()
	if c.saved > 0 {
		s.Word(c.word, classStack+32).Zeros(c.saved - c.word)
	}
	return s.Word(c.word, classCaller).Zeros(64 - c.word - c.saved).Build(t)
}

// A dump of each class that Crashglass reads is in testdata: each system with its CPUs, a dump with all
// memory, and one of Crashpad.
func TestClasses(t *testing.T) {
	for _, s := range classSystems {
		for _, name := range s.cpus {
			c := classCPUs[name]
			data := c.dump(t, s, false).Build(t)
			classes.Same(t, "testdata/classes/"+s.name+"-"+name+".dmp", data)
			checkClass(t, data, s, c)
		}
	}
	windows, linux, amd64 := classSystems[0], classSystems[1], classCPUs["amd64"]
	full := amd64.dump(t, windows, true).Flags(2).Build(t) // MiniDumpWithFullMemory
	classes.Same(t, "testdata/classes/windows-amd64-full.dmp", full)
	checkClass(t, full, windows, amd64)
	for _, s := range []classSystem{windows, linux} {
		crashpad := amd64.dump(t, s, false)
		info := asm.At(0).U32(1).U32(1).U16(2, 3).U8(4, 5, 6, 7, 8, 9, 10, 11).Zeros(16)
		annotations := crashpad.Extra(asm.At(0).U32(1).Ref32(crashpad.UTF8("ver")).Ref32(crashpad.UTF8("1.0")))
		dump.Location(info, annotations).Zeros(8 + 12)
		data := crashpad.Stream(uint32(CrashpadInfoStream), info).Build(t)
		classes.Same(t, "testdata/classes/"+s.name+"-amd64-crashpad.dmp", data)
		checkClass(t, data, s, amd64)
	}
}

// checkClass reads what each class has in common.
func checkClass(t *testing.T, data []byte, s classSystem, c classCPU) {
	t.Helper()
	f, err := Open(source(data))
	expect.Error(t, err, "")
	expect.Error(t, f.Damage(), "")
	sys, err := f.SystemInfo()
	expect.Error(t, err, "")
	if sys.Processor.Arch().Name != c.name || uint32(sys.Platform) != s.platform {
		t.Errorf("%s of %s, want %s of %s", sys.Processor, sys.Platform, c.name, s.name)
	}
	threads, err := f.Threads()
	expect.Error(t, err, "")
	ctx, err := f.Context(threads[0].Context, sys)
	expect.Error(t, err, "")
	if pc, ok := ctx.Regs.Get(ctx.Arch.PC); !ok || pc != classPC {
		t.Errorf("%s-%s: program counter %#x", s.name, c.name, pc)
	}
	m, err := f.Memory()
	expect.Error(t, err, "")
	if caller, ok := m.Word(classStack+uint64(c.saved), c.word); !ok || caller != classCaller {
		t.Errorf("%s-%s: %#x on the stack", s.name, c.name, caller)
	}
	if x, err := f.Exception(); err != nil || x.Code != s.code || x.ThreadID != 1 {
		t.Errorf("%s-%s: exception %+v, %v", s.name, c.name, x, err)
	}
}
