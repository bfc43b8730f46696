package cfi

import (
	"slices"
	"strconv"
)

// registers are the names that symbol files use, by DWARF's numbers; "" where a number has no
// register. Vector and floating point registers are written to symbol files, as dump_syms does; a
// walk does not use them.
//
// Sources: the ABI of each CPU, and where they differ what compilers write:
// System V ABI for i386, table 2.14, and AMD64, figure 3.36; DWARF for the Arm
// Architecture and for the Arm 64-bit Architecture, section 4.1; RISC-V psABI,
// "DWARF register numbers"; GCC's registers of MIPS, PowerPC and SPARC.
var registers = map[string][]string{
	"x86": slices.Concat(
		[]string{"$eax", "$ecx", "$edx", "$ebx", "$esp", "$ebp", "$esi", "$edi", "$eip", "$eflags", ""},
		numbered("$st", 8), make([]string, 2), numbered("$xmm", 8), numbered("$mm", 8)),
	"amd64": slices.Concat(
		[]string{"$rax", "$rdx", "$rcx", "$rbx", "$rsi", "$rdi", "$rbp", "$rsp"},
		numbered("$r", 16)[8:], []string{"$rip"},
		numbered("$xmm", 16), numbered("$st", 8), numbered("$mm", 8), []string{"$rflags"}),
	"arm": slices.Concat(numbered("r", 13), []string{"sp", "lr", "pc"}),
	"arm64": slices.Concat(numbered("x", 31), []string{"sp"}, make([]string, 32),
		numbered("v", 32)),
	"mips":    mips,
	"mips64":  mips,
	"ppc":     ppc,
	"ppc64":   ppc,
	"riscv":   riscv,
	"riscv64": riscv,
	"sparc":   slices.Concat(numbered("g", 8), numbered("o", 8), numbered("l", 8), numbered("i", 8)),
}

var mips = slices.Concat(
	[]string{"$zero", "$at", "$v0", "$v1", "$a0", "$a1", "$a2", "$a3"},
	numbered("$t", 8), numbered("$s", 8),
	[]string{"$t8", "$t9", "$k0", "$k1", "$gp", "$sp", "$fp", "$ra"},
	numbered("$f", 32), []string{"$hi", "$lo"})

var ppc = slices.Concat(numbered("r", 32), numbered("f", 32), []string{"", "lr", "ctr"})

var riscv = slices.Concat(
	[]string{"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"},
	numbered("a", 8), numbered("s", 12)[2:], numbered("t", 7)[3:], numbered("f", 32))

// linked are the CPUs whose calls leave the return address in a register. It
// stays there until an instruction says otherwise.
var linked = map[string]bool{
	"arm": true, "arm64": true, "mips": true, "mips64": true, "ppc": true, "ppc64": true,
	"riscv": true, "riscv64": true, "sparc": true,
}

// numbered returns the names prefix0 to prefix(n-1).
func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = prefix + strconv.Itoa(i)
	}
	return out
}

// Register returns the name that symbol files use for the register with a DWARF number, "" if there
// is none.
func Register(arch string, number uint64) string {
	if names := registers[arch]; number < uint64(len(names)) {
		return names[number]
	}
	return ""
}
