// Package cpu describes processors as data: the registers that matter to a
// stack, what each is called, and where a dump's context keeps them.
//
// A CPU is an [Arch] value, and CPUs that differ by data differ only in these values. A register
// file ([Regs]) records which of its values are known. Unknown is not zero: a frame far up a stack
// has only the registers that rules restored.
//
// A context may be short or damaged: a register whose bytes are missing is unknown, and no method
// panics. Nothing here walks a stack; package unwind finds callers.
//
// Read this file first, then x86.go and amd64.go, after which the other CPUs
// read alike. context.go says how a context is laid out, contextlayouts.go has
// the layouts; inst.go is a decoded instruction, syscall.go a system call.
package cpu

import (
	"iter"
	"strconv"
	"strings"
)

// A Reg is a register's position in its Arch's list.
type Reg int8

// None is no register.
const None Reg = -1

// maxRegs is the longest list of registers of any CPU (ppc).
const maxRegs = 48

// An Arch is one kind of processor.
type Arch struct {
	Name string   // as rust-minidump's schema spells it
	Word int      // bytes of an address
	Regs []string // in the order of reports

	// Aliases are other names that symbol files and manuals use.
	Aliases map[string]Reg

	PC, SP Reg
	FP     Reg // the usual frame pointer, or None
	LR     Reg // the link register, or None: the return address is on the stack

	// CalleeSaved are the registers that a function preserves, apart from PC and SP. If unwind
	// rules do not mention one, the caller has the callee's value.
	CalleeSaved Set

	// CallSize is subtracted from a return address to get an address inside the call. It is one on
	// CPUs with instructions of variable length, otherwise the size of the call (and its delay
	// slot).
	CallSize uint64

	// Align is the smallest alignment of an instruction.
	Align uint64

	// Programs have no addresses above lowEnd and below highStart. 0 is no limit:
	// see Canonical.
	lowEnd, highStart uint64
}

// ByName returns the Arch of that Name, or nil.
func ByName(name string) *Arch {
	for _, a := range All() {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// All returns every Arch.
func All() []*Arch {
	return []*Arch{&X86, &AMD64, &ARM, &ARM64, &MIPS, &MIPS64, &PPC, &PPC64, &SPARC, &RISCV, &RISCV64}
}

// Layouts returns every context layout.
func Layouts() []*Layout {
	return []*Layout{
		&ContextAMD64, &ContextX86, &ContextARM64, &ContextARM64Old, &ContextARM, &ContextARMWindows,
		&ContextMIPS, &ContextMIPS64, &ContextPPC, &ContextPPC64, &ContextSPARC, &ContextRISCV, &ContextRISCV64,
	}
}

// Reg finds a register by name or alias, with or without the '$' that symbol
// files of some CPUs put in front.
func (a *Arch) Reg(name string) (Reg, bool) {
	if len(name) > 0 && name[0] == '$' {
		name = name[1:]
	}
	for i, n := range a.Regs {
		if n == name {
			return Reg(i), true
		}
	}
	r, ok := a.Aliases[name]
	return r, ok
}

// RegName is a register's name, or "" for None.
func (a *Arch) RegName(r Reg) string {
	if r < 0 || int(r) >= len(a.Regs) {
		return ""
	}
	return a.Regs[r]
}

// Mask keeps the bits that an address or register of this CPU has.
func (a *Arch) Mask() uint64 {
	if a.Word == 4 {
		return 0xffff_ffff
	}
	return ^uint64(0)
}

// Canonical reports whether an address can exist in a program. amd64 copies bit 47 to the bits
// above it (Intel SDM, volume 1, 3.3.7.1). arm64 uses at most 52 bits, and may have a tag or a
// signature above them.
func (a *Arch) Canonical(addr uint64) bool {
	return a.lowEnd == 0 || addr <= a.lowEnd || a.highStart > 0 && addr >= a.highStart
}

// A Set is a set of registers.
type Set uint64

// SetOf returns the set of the given registers.
func SetOf(regs ...Reg) Set {
	var s Set
	for _, r := range regs {
		s |= 1 << r
	}
	return s
}

func span(first, last Reg) Set {
	var s Set
	for r := first; r <= last; r++ {
		s |= 1 << r
	}
	return s
}

// Has reports whether r is in the set.
func (s Set) Has(r Reg) bool { return r >= 0 && s&(1<<r) != 0 }

// Regs is a register file. The zero value knows nothing.
type Regs struct {
	values [maxRegs]uint64
	known  Set
}

// Get returns a register's value, and whether it is known.
func (r *Regs) Get(reg Reg) (uint64, bool) {
	if !r.known.Has(reg) {
		return 0, false
	}
	return r.values[reg], true
}

// Value is Get for callers that want 0 for an unknown register.
func (r *Regs) Value(reg Reg) uint64 {
	v, _ := r.Get(reg)
	return v
}

// Set makes a register known. None is ignored.
func (r *Regs) Set(reg Reg, v uint64) {
	if reg < 0 || reg >= maxRegs {
		return
	}
	r.values[reg] = v
	r.known |= 1 << reg
}

// Forget makes a register unknown.
func (r *Regs) Forget(reg Reg) {
	if reg >= 0 {
		r.known &^= 1 << reg
	}
}

// Known is the set of known registers.
func (r *Regs) Known() Set { return r.known }

// Keep returns a copy that knows only the registers of s.
func (r *Regs) Keep(s Set) Regs {
	kept := *r
	kept.known &= s
	return kept
}

// All yields the known registers in the Arch's order.
func (r *Regs) All() iter.Seq2[Reg, uint64] {
	return func(yield func(Reg, uint64) bool) {
		for i := range r.values {
			if r.known.Has(Reg(i)) && !yield(Reg(i), r.values[i]) {
				return
			}
		}
	}
}

// Numbered returns the names prefix0 to prefix(n-1), with a space behind each, for tables that have registers in rows of text.
func Numbered(prefix string, n int) string {
	var row strings.Builder
	for i := range n {
		row.WriteString(prefix + strconv.Itoa(i) + " ")
	}
	return row.String()
}

func numbered(prefix string, n int) []string { return strings.Fields(Numbered(prefix, n)) }

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
