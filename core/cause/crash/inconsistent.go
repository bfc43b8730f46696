package crash

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// inconsistencies lists contradictions between the exception and the instruction, which hint at bad
// hardware or a wrong context. The rules are rust-minidump's, for the instructions that it judges.
// Two differences: mov counts as privileged only where it concerns a control register, and
// addresses relative to rip count from the next instruction.
func (s *facts) inconsistencies() {
	if !s.decoded || !s.in.Arch.IsAMD64() {
		return
	}
	e := s.in.Exception
	switch {
	case s.divisionByZero():
		if !s.Inst.Division {
			s.inconsistent("int_div_by_zero_not_possible")
		}
	case !s.in.OS.IsWindows():
	case e.Code == privInstruction:
		if !s.Inst.Privileged {
			s.inconsistent("priv_instruction_crash_without_priv_instruction")
		}
	case e.Code == stackOverflow || s.windowsAccess() != 0:
		s.inconsistentAccess()
	}
}

func (s *facts) inconsistent(name string) { s.Inconsistencies = append(s.Inconsistencies, name) }

// divisionByZero reports whether the system reports a division by zero.
func (s *facts) divisionByZero() bool {
	return systemOf(s.in.OS).divisionByZero(s.in.Exception, s.in.Arch)
}

// inconsistentAccess compares the reported access with those of the instruction and with the list
// of mappings.
func (s *facts) inconsistentAccess() {
	missing := s.accessMissing()
	if s.in.Stop != nil && s.protectionFault() {
		return // in the kernel, an access to a device's register causes one, too
	}
	if s.windowsAccess() == cpu.Read && s.protectionFault() && missing {
		if s.derivable() && s.Inst.Mnemonic != "movaps" && s.noNonCanonical() {
			s.inconsistent("non_canonical_address_falsely_reported")
		}
		return
	}
	if missing {
		s.inconsistent("crashing_access_not_found_in_memory_accesses")
	}
	if op := s.windowsAccess(); op != 0 {
		if g := s.regionAt(s.Address); g != nil && allows(g, op) {
			s.inconsistent("access_violation_when_access_allowed")
		}
	}
}

// derivableNames are the instructions whose accesses are certain.
var derivableNames = []string{
	"add", "call", "cmp", "dec", "inc", "ja", "jb", "jg", "jge", "jl", "jle", "jmp", "jmpf", "jna", "jnb", "jno",
	"jnp", "jns", "jnz", "jo", "jp", "js", "jz", "lea", "mov", "movaps", "movups", "pop", "push", "ret", "retf",
	"sub", "ucomiss",
}

// derivable reports whether all accesses of the instruction are known from its operands.
func (s *facts) derivable() bool {
	_, ok := slices.BinarySearch(derivableNames, s.Inst.Mnemonic)
	return ok
}

// accessMissing reports whether the instruction cannot have made the reported access.
func (s *facts) accessMissing() bool {
	if s.Accesses == nil {
		return false
	}
	switch op := s.windowsAccess(); op {
	case execute:
		pc, ok := s.regs.Get(s.in.Arch.PC)
		return ok && pc != s.Address
	case 0: // a stack overflow: any access fits
		return s.derivable() && len(s.Accesses) == 0
	default:
		return s.derivable() && !slices.ContainsFunc(s.Accesses, func(a Access) bool {
			return a.Kind&op != 0 && a.covers(s.Address)
		})
	}
}

// covers reports whether addr is among the bytes of an access, which may wrap.
func (a *Access) covers(addr uint64) bool { return addr-a.Address < uint64(a.Size) }

// noNonCanonical reports whether no address of the instruction is non-canonical.
func (s *facts) noNonCanonical() bool {
	if s.Accesses == nil {
		return false
	}
	switch s.Inst.Flow {
	case cpu.CondJump: // whether it jumps is not known
		return false
	case cpu.Jump, cpu.Call, cpu.Ret:
		if s.IPUpdate == nil || nonCanonical(s.IPUpdate.Address) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) })
}

// inconsistencyTexts describe the contradictions.
var inconsistencyTexts = map[string]string{
	"int_div_by_zero_not_possible":                    "The exception is a division by zero, and the instruction does not divide.",
	"priv_instruction_crash_without_priv_instruction": "The exception is about a privileged instruction, and this one is not.",
	"non_canonical_address_falsely_reported":          "The exception is about a non-canonical address, and the instruction uses none.",
	"access_violation_when_access_allowed":            "The memory at the address allows the access.",
	"crashing_access_not_found_in_memory_accesses":    "The instruction does not make the access that the exception is about.",
}

// findInconsistent reports contradictions, which hint at bad hardware or a bad dump.
func (s *facts) findInconsistent() (all []candidate) {
	for _, name := range s.Inconsistencies {
		all = append(all, observation(Finding{Kind: Inconsistent, Text: "Exception contradicts the code", Confidence: 0.5, Evidence: []string{
			inconsistencyTexts[name], "That happens with bad memory or an unstable CPU, with modified code, and with registers of another moment."}})...)
	}
	return all
}
