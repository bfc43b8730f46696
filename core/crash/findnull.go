package crash

import (
	"fmt"

	"crashglass/core/cpu"
)

// nullZone is never mapped: Windows keeps the first 64 KiB free, Linux the addresses below
// vm.mmap_min_addr (64 KiB), and macOS more than that.
const nullZone = 0x1_0000

// findNull recognises a null pointer, alone or with an offset of a field or
// element, forwards or backwards.
func (s *state) findNull() {
	f := &s.fault
	if !f.memory || !f.known || s.caused() {
		return
	}
	offset := s.signed(f.addr)
	null := f.op >= 0 && s.Accesses[f.op].null
	switch {
	case offset >= 0 && offset < nullZone:
	case null && offset < 0 && offset > -nullZone: // in front of it
	default:
		return
	}
	finding := Finding{Kind: NullPointer, Text: nullText(offset), Confidence: 0.8}
	finding.Evidence = s.evidence(s.nullReason(null, offset))
	if f.access == execute {
		finding.Evidence = s.evidence(s.nullReason(null, offset), s.jumpOrigin())
	}
	if null || offset == 0 {
		finding.Confidence = 1
	}
	s.cause(finding)
}

// signed returns an address as its distance from null.
func (s *state) signed(addr uint64) int64 {
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

// nullReason says why the address counts as a null pointer.
func (s *state) nullReason(null bool, offset int64) string {
	if null && s.fault.access != execute && offset != 0 {
		return fmt.Sprintf("The address is %#x away from null: most likely a field or an element of an object that is not there.", max(offset, -offset))
	}
	if offset != 0 {
		return "Nothing is ever mapped at so low an address: most likely an offset from a null pointer, or a small number used as a pointer."
	}
	return ""
}

// findNonCanonical recognises an address that no pointer can have.
func (s *state) findNonCanonical() {
	f := &s.fault
	if !f.memory || s.in.Arch != &cpu.AMD64 {
		return
	}
	if !f.known {
		if !s.caused() && s.protectionFault() {
			s.cause(Finding{
				Kind: NonCanonical, Text: "General protection fault", Confidence: 0.9,
				Evidence: []string{"The CPU does not say which address was bad. Most often it is one that is not canonical: " +
					"bits 48 to 63 differ from bit 47."},
			})
		}
		return
	}
	if !nonCanonical(f.addr) || s.has(Poison, TextAsPointer, BadJump) {
		return
	}
	s.cause(Finding{
		Kind: NonCanonical, Text: "Non-canonical address", Confidence: 0.95,
		Evidence: s.evidence("No pointer of this CPU has such a value: bits 48 to 63 differ from bit 47."),
	})
}

// findMisaligned recognizes an address with a wrong alignment.
func (s *state) findMisaligned() {
	switch e := s.e; {
	case s.unix() && s.signal() == sigBUS && e.Flags == busAdrAln && s.Event.Kind == Faulted,
		s.in.OS == "windows" && e.Code == misaligned,
		s.in.OS == "fuchsia" && e.Code == fuchsiaUnaligned,
		s.apple() && e.Code == excBadAccess && misalignedCodes[macCode{e.Code, s.machFamily()}][e.Flags]:
		s.cause(Finding{Kind: Misaligned, Text: "Misaligned address", Confidence: 1, Evidence: s.evidence(s.Note)})
		return
	}
	if s.caused() || !s.decoded || !s.Inst.Aligned || s.fault.known && !s.protectionFault() {
		return
	}
	for _, a := range s.Accesses {
		if a.Size > 0 && a.Address%uint64(a.Size) != 0 {
			s.cause(Finding{
				Kind: Misaligned, Text: "Misaligned address", Confidence: 0.95,
				Evidence: []string{fmt.Sprintf("`%s` requires an address that is a multiple of %d, but has %s.",
					s.Instruction, a.Size, hex(a.Address))},
			})
			return
		}
	}
}
