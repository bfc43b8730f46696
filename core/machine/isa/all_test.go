package isa

// All are the instruction sets.
func All() []*Set {
	return []*Set{X86, AMD64, ARM64, ARM, Thumb, RISCV32, RISCV64, MIPS, MIPS64, PPC, PPC64}
}
