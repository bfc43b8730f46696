package sanitizer

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// registersMark ends the line before the registers that newer runtimes of LLVM print behind the stack of a fault:
//
//	==29001==Register values:
//	rax = 0x0000000000000000  rbx = 0x00007ffe00000118  rcx = 0x000055d000001129  rdx = 0x0000000000000001
//
// Source: LLVM, compiler-rt/lib/sanitizer_common/sanitizer_linux.cpp and sanitizer_mac.cpp (SignalContext::DumpAllRegisters).
const registersMark = "Register values:"

// registerCPUs are the CPUs by the first register that is printed.
const registerCPUs text.Table = ";rax=amd64;eax=x86;x0=arm64;x[0]=arm64;r0=arm"

// registers reads a line of registers, and reports false for others.
func (r *report) registers(line string) bool {
	if strings.HasSuffix(line, registersMark) {
		r.printed = true
		return true
	}
	name, _, ok := strings.Cut(line, " = 0x")
	if !ok || !r.printed {
		r.printed = false
		return false
	}
	if r.arch == nil {
		name, _ = registerCPUs.Of(name)
		r.arch = cpu.ByName(name)
	}
	if r.arch != nil {
		text.Registers(strings.NewReplacer("[", "", "]", "").Replace(line), r.arch, &r.regs)
	}
	return true
}

// setRegisters gives the thread of the fault its registers. The program counter is in the headline.
func (r *report) setRegisters(p *process.Process) {
	if r.arch == nil || r.regs.Known() == 0 || p.Subject < 0 || p.Subject >= len(p.Threads) {
		return
	}
	if r.h.pc != 0 {
		r.regs.Set(r.arch.PC, r.h.pc)
	}
	p.Threads[p.Subject].Registers = &process.Registers{Arch: r.arch, Regs: r.regs}
}
