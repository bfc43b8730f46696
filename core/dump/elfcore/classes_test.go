package elfcore

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/classes"
)

// A core of each CPU is in testdata: one thread that crashed in a function of its program, which the
// address on its stack and in its link register called, and the mapped file NT_FILE names. The last one
// is a core as gdb and the kernel write it, with two threads and its modules' build IDs.
func TestClasses(t *testing.T) {
	const program, pc, caller, stack = 0x1_0000, 0x1_0100, 0x1_0204, 0x20_0000
	places := map[string]struct{ pc, sp, link int }{ // words of elf_gregset_t, as in gregsets
		"x86": {12, 15, -1}, "amd64": {16, 19, -1}, "arm": {15, 13, 14}, "arm64": {32, 31, 30},
		"riscv": {0, 2, 1}, "riscv64": {0, 2, 1}, "mips": {40, 35, 37}, "mips, big-endian": {40, 35, 37}, "mips64": {34, 29, 31},
		"ppc": {32, 1, 36}, "ppc64": {32, 1, 36}, "ppc64, little-endian": {32, 1, 36}, "sparc": {33, 14, 15},
	}
	for _, tt := range gregsets {
		at, k := places[tt.name], tt.core
		regs := map[int]uint64{at.pc: pc, at.sp: stack}
		if at.link >= 0 {
			regs[at.link] = caller
		}
		for i := range tt.words {
			if _, given := regs[i]; !given {
				regs[i] = 0
			}
		}
		head := func(base uint64) *asm.Section { return k.section(base) }
		k.notes = func(n *asm.Section) {
			note(n, "CORE", 1, k.status(t, 1, 11, tt.words, regs))
			note(n, "CORE", 0x4649_4c45, head(0).Word(k.word, 1, 0x1000, program, program+0x1000, 0).Text("/opt/app\x00").Build(t))
		}
		k.mappings = []mapped{
			{data: head(program), size: 0x1000, flags: 5},
			{data: head(stack).Word(k.word, caller).Zeros(64 - k.word), size: 0x1000, flags: 6},
		}
		data := k.build(t)
		name := strings.NewReplacer(", ", "-", " ", "-").Replace(tt.name)
		classes.Same(t, "testdata/classes/linux-"+name+".core", data)
		f := open(t, data)
		sys, err := f.SystemInfo()
		if err != nil {
			t.Fatal(err)
		}
		threads, err := f.Threads()
		if err != nil || len(threads) != 1 {
			t.Fatalf("%s: threads %v, %v", tt.name, threads, err)
		}
		ctx, err := f.Context(threads[0].Context, sys)
		if got, ok := ctx.Regs.Get(ctx.Arch.PC); err != nil || !ok || got != pc {
			t.Errorf("%s: program counter %#x, %v", tt.name, got, err)
		}
		m, err := f.Memory()
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := m.Word(stack, k.word); !ok || got != caller {
			t.Errorf("%s: %#x on the stack", tt.name, got)
		}
		if modules, err := f.Modules(); err != nil || len(modules) != 1 || modules[0].CodeFile != "/opt/app" {
			t.Errorf("%s: modules %+v, %v", tt.name, modules, err)
		}
	}
	classes.Same(t, "testdata/classes/linux-amd64-threads.core", coreFile(t))
}
