package cpu

// Is386, IsAMD64 and the others report whether a CPU is that one. A nil Arch is none.
func (a *Arch) Is386() bool     { return a == &X86 }
func (a *Arch) IsAMD64() bool   { return a == &AMD64 }
func (a *Arch) IsARM() bool     { return a == &ARM }
func (a *Arch) IsARM64() bool   { return a == &ARM64 }
func (a *Arch) IsSPARC() bool   { return a == &SPARC }
func (a *Arch) IsRISCV64() bool { return a == &RISCV64 }

// IsX86, IsMIPS and IsPPC report whether a CPU is of that family, of 32 or 64 bits.
func (a *Arch) IsX86() bool  { return a == &X86 || a == &AMD64 }
func (a *Arch) IsMIPS() bool { return a == &MIPS || a == &MIPS64 }
func (a *Arch) IsPPC() bool  { return a == &PPC || a == &PPC64 }

// MostlyBigEndian reports whether a CPU is nearly always big-endian, if the byte order is not known.
func (a *Arch) MostlyBigEndian() bool { return a.IsPPC() || a.IsSPARC() }

// Flags returns the register of the flags and of the processor's state, None for a CPU without one.
func (a *Arch) Flags() Reg {
	for _, name := range []string{"eflags", "cpsr"} {
		if r, ok := a.Reg(name); ok {
			return r
		}
	}
	return None
}
