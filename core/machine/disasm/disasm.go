// Package disasm decodes single instructions: their length, text, accesses to memory and branch
// targets.
//
//	inst, ok := disasm.Decode(&cpu.AMD64, code, addr)
//	if !ok {
//		// no instruction of this CPU, or not all of it is in code
//	}
//	fmt.Println(inst.Text) // mov dword [rax], 0x5
//
// It decodes x86, amd64, arm, arm64, ppc64 and riscv64 (with compressed instructions), and reports
// false for other CPUs and for Thumb. The decoders are those of golang.org/x/arch. They decode some
// instructions wrongly, mostly without an error. This package decodes those itself: endbr64, for
// example, is in front of every function of a modern Linux.
//
// Text is written as rust-minidump writes it for x86 and amd64 (the report's
// crash_info.instruction is compared with it), and as the GNU tools write it
// for the others.
//
// Any bytes give an answer: nothing panics, and a decoded instruction is never longer than the
// bytes. Bytes that decode need not be code: from a wrong address the result is nonsense.
//
// Read this file first, then a CPU: x86.go, with x86text.go for the text, x86access.go for what it
// reads and writes, x86reg.go for names, x86repair.go and x86trap.go for what the
// decoder gets wrong; arm64.go with arm64mem.go, arm64atomic.go and arm64trap.go; arm.go, ppc.go,
// riscv.go. All of them use line.go.
package disasm

import (
	"sync"

	"crashglass/core/machine/cpu"
)

// MaxLen is the longest instruction of any CPU.
const MaxLen = 15

// Decode decodes the instruction at addr, whose bytes are the first of code.
// It reports false when there is none, or only a part of one.
func Decode(arch *cpu.Arch, code []byte, addr uint64) (inst cpu.Inst, ok bool) {
	if arch == nil || len(code) == 0 {
		return cpu.Inst{}, false
	}
	defer func() {
		if recover() != nil {
			inst, ok = cpu.Inst{}, false
		}
	}()
	code = code[:min(len(code), MaxLen)]
	decode := decoders[arch]
	if decode == nil {
		return cpu.Inst{}, false
	}
	inst, ok = decode(code, addr)
	if !ok || inst.Len <= 0 || inst.Len > len(code) {
		return cpu.Inst{}, false
	}
	return inst, true
}

// decoders are the CPUs whose instructions are decoded.
//
// The decoders of golang.org/x/arch are not written for hostile input. No fuzz run made one panic,
// but a table with an index that is off by one would. So Decode recovers from panics of all of
// them.
var decoders = map[*cpu.Arch]func(code []byte, addr uint64) (cpu.Inst, bool){
	&cpu.AMD64:   func(code []byte, addr uint64) (cpu.Inst, bool) { return decodeX86(&cpu.AMD64, code, addr) },
	&cpu.X86:     func(code []byte, addr uint64) (cpu.Inst, bool) { return decodeX86(&cpu.X86, code, addr) },
	&cpu.ARM64:   decodeARM64,
	&cpu.ARM:     decodeARM,
	&cpu.PPC64:   decodePPC64,
	&cpu.RISCV64: decodeRISCV64,
}

// decoding guards the decoders of fixed-length CPUs, which record the formats that they used in a
// package variable.
var decoding sync.Mutex

// alone calls such a decoder while no other runs. It releases the lock also after a panic, because
// otherwise the next call would wait for ever.
func alone[T any](decode func() (T, error)) (T, error) {
	decoding.Lock()
	defer decoding.Unlock()
	return decode()
}
