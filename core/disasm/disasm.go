// Package disasm decodes single instructions: how long they are, how they are
// written, what memory they touch and where they go.
//
//	inst, ok := disasm.Decode(&cpu.AMD64, code, addr)
//	if !ok {
//		// no instruction of this CPU, or not all of it is in code
//	}
//	fmt.Println(inst.Text) // mov dword [rax], 0x5
//
// x86, amd64, arm, arm64, ppc64 and riscv64 are decoded, the last with its
// compressed instructions, arm without Thumb; for other CPUs, and for Thumb,
// the answer is no. The decoders are those of golang.org/x/arch. Some
// instructions they get wrong, most of them without saying so, and these are
// caught here first: endbr64 is in front of every function of a modern Linux.
//
// Text is written as rust-minidump writes it for x86 and amd64 (the report's
// crash_info.instruction is compared with it), and as the GNU tools write it
// for the others.
//
// Any bytes give an answer: nothing panics, and a decoded instruction is never
// longer than the bytes. What is decoded as one instruction need not be one
// that a compiler made; who decodes from the wrong address gets nonsense.
package disasm

import "crashglass/core/cpu"

// MaxLen is the longest instruction of any CPU.
const MaxLen = 15

// Decode decodes the instruction at addr, whose bytes are the first of code.
// It reports false when there is none, or only a part of one.
func Decode(arch *cpu.Arch, code []byte, addr uint64) (inst cpu.Inst, ok bool) {
	if arch == nil || len(code) == 0 {
		return cpu.Inst{}, false
	}
	// The decoders are not written for hostile input. None was seen to panic
	// in a fuzz run, but a table with an index that is off by one would.
	defer func() {
		if recover() != nil {
			inst, ok = cpu.Inst{}, false
		}
	}()
	code = code[:min(len(code), MaxLen)]
	switch arch {
	case &cpu.AMD64, &cpu.X86:
		inst, ok = decodeX86(arch, code, addr)
	case &cpu.ARM64:
		inst, ok = decodeARM64(code, addr)
	case &cpu.ARM:
		inst, ok = decodeARM(code, addr)
	case &cpu.PPC64:
		inst, ok = decodePPC64(code, addr)
	case &cpu.RISCV64:
		inst, ok = decodeRISCV64(code, addr)
	}
	if !ok || inst.Len <= 0 || inst.Len > len(code) {
		return cpu.Inst{}, false
	}
	return inst, true
}
