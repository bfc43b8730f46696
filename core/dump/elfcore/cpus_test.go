package elfcore

import (
	"maps"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// Each CPU by the words of its elf_gregset_t. Sources: Linux,
// arch/x86/include/asm/user_64.h and user_32.h, arch/arm/include/uapi/asm/ptrace.h,
// arch/arm64/include/uapi/asm/ptrace.h, arch/riscv/include/uapi/asm/ptrace.h,
// arch/mips/include/uapi/asm/reg.h, arch/powerpc/include/uapi/asm/ptrace.h,
// arch/sparc/include/asm/elf_32.h.
var gregsets = []struct {
	name  string
	core  sketch
	words int
	regs  map[string]int // by their words
}{
	{"x86", sketch{machine: 3, word: 4}, 17, map[string]int{"ebx": 0, "ebp": 5, "eax": 6, "eip": 12, "eflags": 14, "esp": 15}},
	{"amd64", sketch{machine: 62, word: 8}, 27, map[string]int{"r15": 0, "rbp": 4, "rax": 10, "rdi": 14, "rip": 16, "rsp": 19}},
	{"arm", sketch{machine: 40, word: 4}, 18, map[string]int{"r0": 0, "r11": 11, "sp": 13, "lr": 14, "pc": 15, "cpsr": 16}},
	{"arm64", sketch{machine: 183, word: 8}, 34, map[string]int{"x0": 0, "x29": 29, "x30": 30, "sp": 31, "pc": 32}},
	{"riscv", sketch{machine: 243, word: 4}, 32, map[string]int{"pc": 0, "ra": 1, "sp": 2, "s0": 8, "t6": 31}},
	{"riscv64", sketch{machine: 243, word: 8}, 32, map[string]int{"pc": 0, "ra": 1, "sp": 2, "s0": 8, "t6": 31}},
	{"mips", sketch{machine: 8, word: 4}, 45, map[string]int{"at": 7, "sp": 35, "ra": 37, "pc": 40}},
	{"mips, big-endian", sketch{machine: 8, word: 4, big: true}, 45, map[string]int{"sp": 35, "ra": 37, "pc": 40}},
	{"mips64", sketch{machine: 8, word: 8, big: true}, 45, map[string]int{"at": 1, "sp": 29, "ra": 31, "pc": 34}},
	{"ppc", sketch{machine: 20, word: 4, big: true}, 48, map[string]int{"r0": 0, "r1": 1, "r31": 31, "srr0": 32, "ctr": 35, "lr": 36}},
	{"ppc64", sketch{machine: 21, word: 8, big: true}, 48, map[string]int{"r1": 1, "srr0": 32, "lr": 36, "cr": 38}},
	{"ppc64, little-endian", sketch{machine: 21, word: 8}, 48, map[string]int{"r1": 1, "srr0": 32, "lr": 36}},
	{"sparc", sketch{machine: 2, word: 4, big: true}, 38, map[string]int{"g1": 1, "o6": 14, "i6": 30, "i7": 31, "pc": 33, "npc": 34}},
}

// The registers of a thread, its number and its signal, on each CPU.
func TestRegistersOfEachCPU(t *testing.T) {
	for _, tt := range gregsets {
		t.Run(tt.name, func(t *testing.T) {
			k := tt.core
			k.notes = func(n *asm.Section) { note(n, "CORE", 1, k.status(t, 77, 6, tt.words, nil)) }
			f := open(t, k.build(t))
			sys, err := f.SystemInfo()
			if err != nil {
				t.Fatal(err)
			}
			threads, err := f.Threads()
			if err != nil || len(threads) != 1 || threads[0].ID != 77 {
				t.Fatalf("threads %+v, %v", threads, err)
			}
			ctx, err := f.Context(threads[0].Context, sys)
			if err != nil {
				t.Fatal(err)
			}
			for name, word := range tt.regs {
				reg, ok := ctx.Arch.Reg(name)
				if got, known := ctx.Regs.Get(reg); !ok || !known || got != 0x1000+uint64(word) {
					t.Errorf("%s is %#x, want %#x", name, got, 0x1000+word)
				}
			}
			// Without siginfo the program counter stands for the address.
			pc := ctx.Regs.Value(ctx.Arch.PC)
			if x, err := f.Exception(); err != nil || x.Code != 6 || x.Flags != 0 || x.Address != pc || x.ThreadID != 77 {
				t.Errorf("exception %+v, %v; pc %#x", x, err, pc)
			}
			if notes := defects(f.Process); len(notes) > 0 {
				t.Errorf("%v", notes)
			}
		})
	}
}

// siginfo_t has si_code behind si_errno, on mips before it.
// Sources: Linux, include/uapi/asm-generic/siginfo.h, arch/mips/include/uapi/asm/siginfo.h.
func TestSiginfoOfEachCPU(t *testing.T) {
	for _, tt := range gregsets {
		k := tt.core
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 77, 11, tt.words, nil))
			info := k.section(0).U32(11, 5, 2)
			if k.word == 8 {
				info.U32(0)
			}
			note(n, "CORE", noteSignal, info.Word(k.word, 0xbad0).Zeros(64).Build(t))
		}
		want := uint32(2)
		if k.machine == 8 {
			want = 5
		}
		x, err := open(t, k.build(t)).Exception()
		if err != nil || x.Code != 11 || x.Flags != want || x.Address != 0xbad0 {
			t.Errorf("%s: %+v, %v", tt.name, x, err)
		}
	}
}

// The note with vector registers of a CPU, as far as a context has room for it, at
// the places that Breakpad's minidump_cpu_*.h have them at. One that is too short
// is left out, and the context does not say that it has it.
func TestStateOfEachCPU(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kind   uint32
		size   int
		group  uint32         // of the context's flags
		places map[int][2]int // offsets in the note: in the context, and bytes
	}{
		{"x86", 0x46e6_2b7f, 512, 0x20, map[int][2]int{0: {204, 512}}},
		{"amd64", 2, 512, 0x8, map[int][2]int{0: {256, 512}, 24: {52, 4}}},
		{"arm", 0x400, 260, 0x4, map[int][2]int{0: {80, 256}, 256: {72, 4}}},
		{"arm64", 2, 528, 0x4, map[int][2]int{0: {272, 512}, 512: {788, 4}, 516: {784, 4}}},
		{"riscv64", 2, 264, 0x4, map[int][2]int{0: {264, 256}, 256: {520, 4}}},
	} {
		i := 0
		for gregsets[i].name != tt.name {
			i++
		}
		k, words := gregsets[i].core, gregsets[i].words
		state := make([]byte, tt.size)
		for i := range state {
			state[i] = byte(i*7 + 1)
		}
		for _, cut := range []int{0, 9} {
			k.notes = func(n *asm.Section) {
				note(n, "CORE", 1, k.status(t, 77, 6, words, nil))
				note(n, "LINUX", tt.kind, state[:tt.size-cut])
			}
			f := open(t, k.build(t))
			threads, err := f.Threads()
			if err != nil {
				t.Fatal(err)
			}
			context, err := f.Bytes("context", threads[0].Context)
			if err != nil {
				t.Fatal(err)
			}
			l := findMachine(k.machine, k.word).layout
			if flags, _ := l.ReadFlags(context, k.order()); cut == 0 && flags&tt.group == 0 {
				t.Errorf("%s: flags %#x lack %#x", tt.name, flags, tt.group)
			}
			for from, to := range tt.places {
				got, want := string(context[to[0]:to[0]+to[1]]), string(state[from:from+to[1]])
				if from+to[1] > tt.size-cut {
					want = string(make([]byte, to[1]))
				}
				if got != want {
					t.Errorf("%s, %d bytes short: bytes %d to %d of the context are\n%x, want\n%x", tt.name, cut, to[0], to[0]+to[1], got, want)
				}
			}
		}
	}
}

// orig_rax and orig_eax have the number of the system call, and -1 in none.
func TestCallsOfThreads(t *testing.T) {
	for _, tt := range []struct {
		core  sketch
		words int
		at    int
		value uint64
		want  map[uint32]uint64
	}{
		{sketch{machine: 62, word: 8}, 27, 15, 202, map[uint32]uint64{77: 202}}, // futex
		{sketch{machine: 62, word: 8}, 27, 15, 0, map[uint32]uint64{77: 0}},     // read
		{sketch{machine: 62, word: 8}, 27, 15, ^uint64(0), map[uint32]uint64{}},
		{sketch{machine: 3, word: 4}, 17, 11, 240, map[uint32]uint64{77: 240}},
		{sketch{machine: 3, word: 4}, 17, 11, 0xffff_ffff, map[uint32]uint64{}},
		{sketch{machine: 3, word: 4}, 10, 0, 0, map[uint32]uint64{}},    // the note ends before it
		{sketch{machine: 183, word: 8}, 34, 8, 98, map[uint32]uint64{}}, // x8 has it
	} {
		k := tt.core
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 77, 6, tt.words, map[int]uint64{tt.at: tt.value}))
		}
		if got := calls(open(t, k.build(t)).Process); !maps.Equal(got, tt.want) {
			t.Errorf("machine %d, word %d = %#x: %v, want %v", k.machine, tt.at, tt.value, got, tt.want)
		}
	}
}

// What stopped the process: a debugger's own stop is no crash, and the kernel's
// number of it differs on mips.
func TestStops(t *testing.T) {
	for _, tt := range []struct {
		name     string
		machine  uint16
		word     int
		sections uint16
		signal   uint16
		info     uint32 // si_signo, 0 for no note
		want     uint32 // 0 for no exception
		writer   string
	}{
		{"the kernel's", 62, 8, 0, 11, 11, 11, ""},
		{"a signal without siginfo", 62, 8, 0, 6, 0, 6, ""},
		{"siginfo alone", 62, 8, 0, 0, 7, 7, ""},
		{"siginfo of another signal", 62, 8, 0, 11, 7, 11, ""},
		{"gdb's, without a crash", 62, 8, 30, 0, 19, 0, "gdb"},
		{"gdb's, stopped", 62, 8, 30, 19, 19, 0, "gdb"},
		{"gdb's, after a crash", 62, 8, 30, 11, 11, 11, "gdb"},
		{"one section header, which counts segments", 62, 8, 1, 11, 11, 11, ""},
		{"SIGSTOP of mips", 8, 4, 0, 23, 0, 0, ""},
		{"SIGCONT of x86", 3, 4, 0, 23, 0, 23, ""},
		{"SIGSTOP of x86", 3, 4, 0, 19, 0, 0, ""},
	} {
		k := sketch{machine: tt.machine, word: tt.word, sections: tt.sections}
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 77, tt.signal, 45, nil))
			if tt.info != 0 {
				note(n, "CORE", noteSignal, k.section(0).U32(tt.info, 0, 1, 0).Zeros(112).Build(t))
			}
		}
		f := open(t, k.build(t))
		x, err := f.Exception()
		if got := uint32(0); err == nil {
			if got = x.Code; got != tt.want {
				t.Errorf("%s: signal %d, want %d", tt.name, got, tt.want)
			}
		} else if tt.want != 0 || f.Has(minidump.ExceptionStream) {
			t.Errorf("%s: %v, want signal %d", tt.name, err, tt.want)
		}
		if got := f.Process.Writer; got != tt.writer {
			t.Errorf("%s: written by %q, want %q", tt.name, got, tt.writer)
		}
	}
}

// calls are the system calls of threads by their IDs.
func calls(p *process.Process) map[uint32]uint64 {
	out := map[uint32]uint64{}
	for _, t := range p.Threads {
		if t.Call != nil {
			out[t.ID] = *t.Call
		}
	}
	return out
}
