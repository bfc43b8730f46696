package crash

import (
	"fmt"
	"math/bits"
	"slices"

	"crashglass/core/machine/cpu"
)

// nullZone is rarely mapped: Windows keeps the first 64 KiB free, Linux the addresses below
// vm.mmap_min_addr (64 KiB), and macOS more than that. Emulators such as Wine's DOS set
// vm.mmap_min_addr to 0.
const nullZone = 0x1_0000

// nullReach is the largest offset from a base register that holds 0.
const nullReach = 1 << 24

// findNull recognises a null pointer, alone or with an offset of a field or
// element, forwards or backwards.
func (s *facts) findNull() []candidate {
	f := &s.fault
	if !f.memory || !f.known {
		return nil
	}
	offset := s.signed(f.addr)
	null := f.op >= 0 && s.Accesses[f.op].null
	switch {
	case offset >= 0 && offset < nullZone && (null || !s.inUse(f.addr) || s.windowsAccess() == execute): // Wine writes zeros for memory that is not there
	case null && offset < 0 && offset > -nullZone: // in front of it
	case null && offset >= 0 && offset < nullReach && !s.inUse(f.addr): // a large object, or a large index
	default:
		return nil
	}
	finding := Finding{Kind: NullPointer, Text: nullText(offset), Confidence: 0.8}
	finding.Evidence = s.evidence(s.nullReason(null, offset))
	if f.access == execute {
		finding.Evidence = s.evidence(s.nullReason(null, offset), s.jumpOrigin())
	}
	if null && offset < nullZone || offset == 0 {
		finding.Confidence = 1
	}
	return explanation(finding)
}

// inUse reports whether the dump shows that something is mapped at an address: the list of mappings
// or the captured memory has it, or the system reports its protection.
func (s *facts) inUse(addr uint64) bool {
	e := s.in.Exception
	return s.listed(addr) ||
		s.in.OS.IsWindows() && (e.Code == guardPage || e.Code == inPageError) ||
		s.reportedMapped()
}

// listed reports whether the list of mappings or the captured memory has an address.
func (s *facts) listed(addr uint64) bool { return s.mapped(addr) || s.existed(addr) }

// signed returns an address as its distance from null.
func (s *facts) signed(addr uint64) int64 {
	if s.in.Arch != nil && s.in.Arch.Word == 4 {
		return int64(int32(addr))
	}
	return int64(addr)
}

// nullText is the title of a null pointer at a distance: "Null pointer + 0x10".
func nullText(offset int64) string {
	switch {
	case offset == 0:
		return "Null pointer"
	case offset < 0:
		return fmt.Sprintf("Null pointer - %#x", -offset)
	}
	return fmt.Sprintf("Null pointer + %#x", offset)
}

func (s *facts) nullReason(null bool, offset int64) string {
	if null && s.fault.access != execute && offset != 0 {
		return fmt.Sprintf("The address is %#x away from null: most likely a field or an element of an object that is not there.", max(offset, -offset))
	}
	if offset != 0 {
		return "So low an address is most likely an offset from a null pointer, or a small number used as a pointer."
	}
	return ""
}

// findNonCanonical recognises an address that no pointer can have.
func (s *facts) findNonCanonical() []candidate {
	f := &s.fault
	if !f.memory || !s.in.Arch.IsAMD64() {
		return nil
	}
	switch {
	case f.known && nonCanonical(f.addr):
		return statement(Finding{
			Kind: NonCanonical, Text: "Non-canonical address", Confidence: 0.95,
			Evidence: s.evidence("No pointer of this CPU has such a value: bits 48 to 63 differ from bit 47."),
		})
	case f.known || !s.protectionFault():
		return nil
	case s.decoded && s.Inst.Privileged: // that alone raises the fault
		return orNothing(s.privileged())
	case s.badTarget():
		return explanation(Finding{
			Kind: BadJump, Text: "Jump to a bad address", Confidence: 0.9,
			Evidence: []string{fmt.Sprintf("`%s` failed. It could read its target at %s, which the dump does not have; the target is not canonical: bits 48 to 63 differ from bit 47.",
				s.Instruction, hex(s.Accesses[0].Address))},
		})
	case s.usesPointer():
		return explanation(Finding{
			Kind: NonCanonical, Text: "General protection fault", Confidence: 0.9,
			Evidence: []string{fmt.Sprintf("`%s` failed, and the CPU does not say at which address.", s.Instruction),
				"Most often it is one that is not canonical: bits 48 to 63 differ from bit 47."},
		})
	}
	return explanation(Finding{Kind: NonCanonical, Text: "General protection fault", Confidence: 0.5, Evidence: s.protectionWays()})
}

// badTarget reports whether an indirect jump or call could read its target, which the dump does not have: only the target can be wrong.
func (s *facts) badTarget() bool {
	if !s.decoded || s.Inst.Flow != cpu.Call && s.Inst.Flow != cpu.Jump || s.Inst.Aligned || len(s.memOps()) == 0 || len(s.Accesses) == 0 {
		return false
	}
	if _, known := s.word(s.Accesses[0].Address); known {
		return false
	}
	return !slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) || a.Address < nullZone })
}

// usesPointer reports whether the instruction accesses memory of any alignment at an address that is not known, or goes to one.
func (s *facts) usesPointer() bool {
	return s.decoded && !s.Inst.Aligned && (len(s.memOps()) > 0 && len(s.Accesses) == 0 || s.Inst.Flow != cpu.Next)
}

// protectionWays are the ways in which a program gets the fault, for an instruction that does not tell. Sources: Intel SDM, volume 3,
// Interrupt 13; Linux, force_sigsegv in kernel/signal.c.
func (s *facts) protectionWays() []string {
	ways := "The most frequent is an address that is not canonical (bits 48 to 63 differ from bit 47); others are an operand of SSE that is not aligned"
	switch {
	case s.in.OS.IsWindows():
	case s.in.OS.IsLinux():
		ways += ", an instruction for the kernel alone, as `hlt`, and a signal for whose handler the stack has no room"
	default:
		ways += ", and an instruction for the kernel alone, as `hlt`"
	}
	return []string{"The CPU does not say why it refused the instruction, and " + s.noInstruction() + ".", ways + "."}
}

func (s *facts) findMisaligned() []candidate {
	switch e := s.e; {
	case s.unix() && s.signal() == sigBUS && e.Flags == busAdrAln && s.Event.Kind == Faulted,
		s.in.OS.IsWindows() && e.Code == misaligned,
		s.in.OS.IsFuchsia() && e.Code == fuchsiaUnaligned,
		s.apple() && e.Code == excBadAccess && misalignedCodes[macCode{e.Code, s.machFamily()}][e.Flags]:
		return statement(Finding{Kind: Misaligned, Text: "Misaligned address", Confidence: 1, Evidence: s.evidence(s.Note)})
	}
	if !s.decoded || !s.Inst.Aligned || s.fault.known && !s.protectionFault() {
		return nil
	}
	for _, a := range s.Accesses {
		if a.Size > 0 && a.Address%uint64(a.Size) != 0 {
			return explanation(Finding{
				Kind: Misaligned, Text: "Misaligned address", Confidence: 0.95,
				Evidence: []string{fmt.Sprintf("`%s` requires an address that is a multiple of %d, but has %s.",
					s.Instruction, a.Size, hex(a.Address))},
			})
		}
	}
	return nil
}

// arm64Address masks the bits of a user space address on arm64; the bits above are a tag (top byte
// ignore, memory tagging) or a signature.
const arm64Address = 1<<48 - 1

// pacErrors are the values that a failed authentication puts into the upper half of a pointer: an
// error code in bits 62:61, or in 54:53 if the top byte is ignored. ARM ARM, AArch64.Auth.
var pacErrors = [...]uint64{0x2000 << 48, 0x4000 << 48, 0x0020 << 48, 0x0040 << 48}

// findPointerAuth recognizes pointers of arm64 with a wrong signature, or with one that was not
// removed.
func (s *facts) findPointerAuth() []candidate {
	if !s.in.Arch.IsARM64() {
		return nil
	}
	e := s.in.Exception
	if s.in.OS.IsApple() && e.Code == excBadAccess && e.Flags == armPACFail {
		return statement(Finding{Kind: PointerAuth, Text: "Pointer authentication failed", Confidence: 1,
			Evidence: s.evidence("The CPU found a wrong signature in a pointer: it was overwritten, or signed for something else.")})
	}
	f := &s.fault
	if !f.memory || !f.known {
		return nil
	}
	addr := f.addr & arm64Address
	for _, bad := range pacErrors {
		if f.addr&^arm64Address == bad && s.mapped(addr) {
			return explanation(Finding{Kind: PointerAuth, Text: "Pointer authentication failed", Confidence: 0.9,
				Evidence: s.evidence(fmt.Sprintf("Without the upper bits the address is %s, in %s; these upper bits are what a failed authentication leaves.", hex(addr), s.describe(addr)))})
		}
	}
	if upper := f.addr >> 48; upper != 0 && upper != 0xffff && bits.OnesCount64(upper) > 2 && s.mapped(addr) {
		return explanation(Finding{Kind: PointerAuth, Text: "Signed pointer used without authentication", Confidence: 0.6,
			Evidence: s.evidence(fmt.Sprintf("Without the upper bits the address is %s, in %s: "+
				"the upper bits may be a signature or a tag that was not taken off.", hex(addr), s.describe(addr)))})
	}
	return nil
}

// findTag recognises the memory tagging extension.
func (s *facts) findTag() []candidate {
	e := s.in.Exception
	if !s.in.OS.IsLinux() || e.Code != sigSEGV || !s.in.Arch.IsARM64() ||
		e.Flags != segvMTEAsync && e.Flags != segvMTESync {
		return nil
	}
	return statement(Finding{Kind: Tag, Text: "Memory tag mismatch", Confidence: 1,
		Evidence: s.evidence(s.Note, "The memory was freed, or belongs to another allocation.")})
}
