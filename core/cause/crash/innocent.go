package crash

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// guilty reports whether the instruction can have raised the signal: it
// accesses the address, divides, or is a trap.
func (s *facts) guilty() bool {
	switch s.signal() {
	case sigSEGV, sigBUS:
		return s.pcAt(s.at()) && !s.pcInPlace() || s.Inst.Privileged || s.unreported() ||
			slices.ContainsFunc(s.Accesses, func(a Access) bool {
				return s.at() != 0 && a.reaches(s.at()) || s.unreachable(a)
			})
	case sigILL:
		return s.decoded && s.isTrap()
	case sigFPE:
		return s.Inst.Division || isFloat(s.Inst.Mnemonic)
	case sigTRAP:
		return s.breakpoint().proven()
	}
	return false
}

// innocent reports whether the instruction cannot have raised the signal. An instruction that was
// not captured, or whose address is unknown, may have raised it.
func (s *facts) innocent() bool {
	switch s.signal() {
	case sigSEGV, sigBUS:
		return s.Accesses != nil && !s.touches() && (len(s.Accesses) == 0 || s.sender().PID != 0)
	case sigILL:
		return s.decoded && !isExtension(s.Inst.Mnemonic)
	case sigFPE:
		return s.decoded
	case sigTRAP:
		return s.breakpoint() == breakpointNone || s.decoded && s.sender().PID != 0
	}
	return false
}

// touches reports whether the instruction can access memory beyond its listed accesses: by a jump,
// or by entering the kernel.
func (s *facts) touches() bool {
	return s.Inst.Flow == cpu.Trap || s.Inst.Privileged || s.IPUpdate != nil
}

// unreachable reports whether an access must fail, because nothing is ever mapped at the address.
func (s *facts) unreachable(a Access) bool {
	return a.Address < nullZone || s.in.Arch.IsAMD64() && nonCanonical(a.Address)
}

func (s *facts) pcAt(addr uint64) bool {
	pc, ok := s.pc()
	return ok && pc == addr
}

// isTrap reports whether the instruction exists to raise an exception: a breakpoint, or a
// permanently undefined one.
func (s *facts) isTrap() bool { return slices.Contains(trapNames, s.Inst.Mnemonic) }

// trapNames are the instructions that compilers emit for __builtin_trap, __debugbreak and
// assertions, on any CPU.
var trapNames = []string{
	"ud2", "ud1", "ud0", "int3", "int1", "icebp", "int", // x86: int 0x3, int 0x29
	"udf", "brk", "bkpt", "hlt", // ARM
	"unimp", "c.unimp", "ebreak", "c.ebreak", // RISC-V
	"break", "teq", "trap", "tw", "twi", "td", "tdi", "ta", // MIPS, PowerPC, SPARC
}

// isFloat reports whether an instruction of x86 computes with floating-point numbers. It can raise
// SIGFPE if the program has unmasked the exceptions.
func isFloat(mnemonic string) bool {
	return slices.Contains([]string{"ss", "sd", "ps", "pd"}, mnemonic[max(0, len(mnemonic)-2):]) ||
		strings.HasPrefix(mnemonic, "f") || strings.HasPrefix(mnemonic, "cvt") || strings.HasPrefix(mnemonic, "vcvt") || mnemonic == "ldmxcsr"
}

// extensions are legal instructions that some processors lack and refuse. Those of AVX begin with a
// v.
var extensions = []string{
	"adcx", "adox", "aesdec", "aesdeclast", "aesenc", "aesenclast", "andn", "bextr", "blsi", "blsmsk", "blsr", "bzhi",
	"cas", "clwb", "crc32", "endbr64", "ldadd", "lzcnt", "movbe", "mulx", "pclmulqdq", "pdep", "pext", "popcnt", "rdfsbase",
	"rdgsbase", "rdpid", "rdrand", "rdseed", "rdtscp", "rorx", "sarx", "sha1msg1", "sha256rnds2", "shlx", "shrx", "swp",
	"tzcnt", "wrfsbase", "wrgsbase", "xbegin", "xgetbv", "xsave", "xsavec",
}

func isExtension(mnemonic string) bool {
	return strings.HasPrefix(mnemonic, "v") || slices.Contains(extensions, mnemonic)
}
