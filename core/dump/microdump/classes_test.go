package microdump

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/classes"
	"crashglass/core/testkit/dump"
)

// A microdump of each CPU that Breakpad writes them for is in testdata, as lines of Android's log. The
// thread crashed in a function that the address on its stack and in its link register called.
//
// Source: Breakpad, client/linux/microdump_writer/microdump_writer.cc.
func TestClasses(t *testing.T) {
	const program, pc, caller, stack = 0x1_0000, 0x1_0100, 0x1_0204, 0x20_0000
	for _, c := range []struct {
		name, breakpad string
		processor      uint16
		word           int
		pc, sp, link   string
	}{
		{"x86", "x86", dump.X86, 4, "eip", "esp", ""},
		{"amd64", "x86_64", dump.AMD64, 8, "rip", "rsp", ""},
		{"arm", "arm", dump.ARM, 4, "pc", "sp", "lr"},
		{"arm64", "arm64", dump.ARM64, 8, "pc", "sp", "lr"},
		{"mips", "mips", dump.MIPS, 4, "pc", "sp", "ra"},
		{"mips64", "mips64", dump.MIPS64, 8, "pc", "sp", "ra"},
		{"riscv", "riscv32", dump.RISCV, 4, "pc", "sp", "ra"},
		{"riscv64", "riscv64", dump.RISCV64, 8, "pc", "sp", "ra"},
	} {
		regs := map[string]uint64{c.pc: pc, c.sp: stack}
		if c.link != "" {
			regs[c.link] = caller
		}
		digits := 2 * c.word
		log := microLog(tag, Begin,
			"V App:1.0",
			"O A "+c.breakpad+" 04 "+c.breakpad+" brand/device:14/user/release-keys",
			"P app",
			fmt.Sprintf("R 0000000B SIGSEGV %0*X", digits, 0),
			fmt.Sprintf("S 0 %0*X %0*X %08X", digits, stack, digits, stack, 64),
			fmt.Sprintf("S %0*X %X", digits, stack, asm.At(0).Word(c.word, caller).Zeros(64-c.word).Build(t)),
			fmt.Sprintf("C %X", dump.New().Context(t, c.processor, regs)),
			fmt.Sprintf("M %0*X %0*X %0*X 0403020106050807090A0B0C0D0E0F100 libapp.so", digits, program, digits, 0, digits, 0x1000),
			microEnd)
		classes.Same(t, "testdata/classes/android-"+c.name+".log", []byte(log))
		for _, f := range openLog(t, log) {
			if len(f.Process.Notes) > 0 {
				t.Errorf("%s: %v", c.name, f.Process.Notes)
			}
			sys, err := f.SystemInfo()
			if err != nil || sys.Processor.Arch() == nil || sys.Processor.Arch().Name != c.name {
				t.Fatalf("%s: system %+v, %v", c.name, sys, err)
			}
			threads, err := f.Threads()
			if err != nil || len(threads) != 1 {
				t.Fatalf("%s: threads %v, %v", c.name, threads, err)
			}
			ctx, err := f.Context(threads[0].Context, sys)
			if got, ok := ctx.Regs.Get(ctx.Arch.PC); err != nil || !ok || got != pc {
				t.Errorf("%s: program counter %#x, %v", c.name, got, err)
			}
		}
	}
}
