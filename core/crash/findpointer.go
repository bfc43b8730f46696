package crash

import (
	"fmt"
	"math/bits"

	"crashglass/core/cpu"
)

// arm64Address masks the bits of a user space address on arm64; the bits above are a tag (top byte
// ignore, memory tagging) or a signature.
const arm64Address = 1<<48 - 1

// pacErrors are the values that a failed authentication puts into the upper half of a pointer: an
// error code in bits 62:61, or in 54:53 if the top byte is ignored. ARM ARM, AArch64.Auth.
var pacErrors = [...]uint64{0x2000 << 48, 0x4000 << 48, 0x0020 << 48, 0x0040 << 48}

// findPointerAuth recognizes pointers of arm64 with a wrong signature, or with one that was not
// removed.
func (s *state) findPointerAuth() {
	if s.in.Arch != &cpu.ARM64 {
		return
	}
	e := s.in.Exception
	if (s.in.OS == "mac" || s.in.OS == "ios") && e.Code == excBadAccess && e.Flags == armPACFail {
		s.cause(Finding{Kind: PointerAuth, Text: "Pointer authentication failed", Confidence: 1,
			Evidence: s.evidence("The CPU found a wrong signature in a pointer: it was overwritten, or signed for something else.")})
		return
	}
	f := &s.fault
	if !f.memory || !f.known || s.caused() {
		return
	}
	addr := f.addr & arm64Address
	for _, bad := range pacErrors {
		if f.addr&^arm64Address == bad && s.mapped(addr) {
			s.cause(Finding{Kind: PointerAuth, Text: "Pointer authentication failed", Confidence: 0.9,
				Evidence: s.evidence(fmt.Sprintf("Without the upper bits the address is %s, in %s; these upper bits are what a failed authentication leaves.", hex(addr), s.describe(addr)))})
			return
		}
	}
	if upper := f.addr >> 48; upper != 0 && upper != 0xffff && bits.OnesCount64(upper) > 2 && s.mapped(addr) {
		s.cause(Finding{Kind: PointerAuth, Text: "Signed pointer used without authentication", Confidence: 0.6,
			Evidence: s.evidence(fmt.Sprintf("Without the upper bits the address is %s, in %s: the upper bits may be a signature or a tag that was not taken off.", hex(addr), s.describe(addr)))})
	}
}

// findTag recognises the memory tagging extension.
func (s *state) findTag() {
	e := s.in.Exception
	if s.in.OS != "linux" && s.in.OS != "android" || e.Code != sigSEGV || s.in.Arch != &cpu.ARM64 ||
		e.Flags != segvMTEAsync && e.Flags != segvMTESync {
		return
	}
	s.cause(Finding{Kind: Tag, Text: "Memory tag mismatch", Confidence: 1,
		Evidence: s.evidence(s.Note, "The memory was freed, or belongs to another allocation.")})
}

// mapped reports whether an address is known to be mapped.
func (s *state) mapped(addr uint64) bool {
	g := s.regionAt(addr)
	return s.in.Modules.IndexAt(addr) >= 0 || g != nil && !g.Free && g.accessible()
}

// describe names the memory at an address.
func (s *state) describe(addr uint64) string {
	if m := s.in.Modules.At(addr); m != nil {
		return m.Name()
	}
	if s.in.StackLow <= addr && addr < s.in.StackHigh {
		return "the stack"
	}
	if g := s.regionAt(addr); g != nil && g.Name != "" {
		return g.Name
	}
	return "mapped memory"
}

// findBitFlip reports the best candidate, if it is probable enough and nothing else explains the
// address.
func (s *state) findBitFlip() {
	best := -1
	for i := range s.BitFlips {
		if best < 0 || s.BitFlips[i].Confidence > s.BitFlips[best].Confidence {
			best = i
		}
	}
	if best < 0 || !s.fault.memory || !s.fault.known || !s.flipExplains() {
		return
	}
	b := &s.BitFlips[best]
	// The program counter is always near a module; alone it supports nothing.
	supported := b.NearbyRegisters > 1 || b.NearbyRegisters == 1 && !b.nearPC
	if b.Confidence < 0.5 || !supported && !b.NonCanonical {
		return
	}
	text := fmt.Sprintf("The address is one bit away from %s", hex(b.Address))
	if b.Register != "" {
		text = fmt.Sprintf("Register %s is one bit away from %s", b.Register, hex(b.Address))
	}
	text += map[bool]string{true: ", which is null.", false: ", in " + s.describe(b.Address) + "."}[b.Null]
	evidence := []string{text}
	if b.NearbyRegisters > 0 {
		evidence = append(evidence, fmt.Sprintf("Registers with values close to that: %d.", b.NearbyRegisters))
	}
	s.add(Finding{Kind: BitFlipped, Text: "Possible bit flip", Confidence: b.Confidence, Evidence: evidence})
}

// flipExplains reports whether a flipped bit can explain anything: the address is bad for no known
// reason.
func (s *state) flipExplains() bool {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Cause {
			return f.Kind == Unmapped || f.Kind == Inaccessible || f.Kind == NonCanonical || f.Kind == BadJump
		}
	}
	return true
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
func (s *state) findInconsistent() {
	for _, name := range s.Inconsistencies {
		s.add(Finding{Kind: Inconsistent, Text: "Exception contradicts the code", Confidence: 0.5, Evidence: []string{
			inconsistencyTexts[name], "That happens with bad memory or an unstable CPU, with modified code, and with registers of another moment."}})
	}
}

// findRegion describes the memory at the address.
func (s *state) findRegion() {
	f := &s.fault
	if !f.memory || !f.known || s.has(NullPointer, NonCanonical, StackOverflow, Poison, TextAsPointer, BadJump, UnloadedCode, FromOutside, PointerAuth, Tag, Deliberate, FileGone, BrokenMemory) {
		return
	}
	if s.in.OS == "windows" && s.in.Exception.Code == guardPage { // PAGE_GUARD in addition to the page's permissions
		s.cause(Finding{Kind: GuardPage, Text: "Guard page", Confidence: 1, Evidence: s.evidence(s.Note)})
		return
	}
	g := s.regionAt(f.addr)
	if f.op >= 0 && s.Accesses[f.op].LikelyGuard && g != nil && !g.Free {
		s.cause(Finding{Kind: GuardPage, Text: "Guard page", Confidence: 0.8, Evidence: s.evidence(
			"The page has no permissions and is adjacent to accessible memory: it is there to catch out-of-bounds accesses.")})
		return
	}
	switch {
	case len(s.in.Regions) == 0:
		s.findUnmapped()
	case g == nil || g.Free:
		s.cause(Finding{Kind: Unmapped, Text: "Unmapped address", Confidence: 1, Evidence: s.evidence(s.neighbours(f.addr))})
	case f.access == cpu.Write && g.Read && !g.Write:
		s.cause(Finding{Kind: ReadOnly, Text: "Write to read-only memory", Confidence: 1, Evidence: s.evidence(
			fmt.Sprintf("The memory from %s to %s, in %s, can %s.", hex(g.Start), hex(g.Last), s.describe(f.addr),
				map[bool]string{true: "be read and executed, but not written to", false: "only be read"}[g.Exec]))})
	case s.unix() && s.signal() == sigSEGV && s.e.Flags == segvKey:
		s.cause(Finding{Kind: Inaccessible, Text: "Memory protection key", Confidence: 1, Evidence: s.evidence(s.Note)})
	case !g.accessible():
		s.cause(Finding{Kind: Inaccessible, Text: "Memory without access", Confidence: 1, Evidence: s.evidence(
			fmt.Sprintf("The memory from %s to %s is reserved and allows nothing.", hex(g.Start), hex(g.Last)))})
	case s.allowed():
		s.add(Finding{Kind: Inconsistent, Text: "Signal contradicts the list of mappings", Confidence: 0.5, Evidence: []string{s.mappingsDiffer()}})
	}
}

// allowed reports whether the dump's list of mappings allows an access that the kernel refused.
func (s *state) allowed() bool {
	f := &s.fault
	if !s.unix() || s.signal() != sigSEGV || s.e.Flags != segvMapErr && s.e.Flags != segvAccErr || !f.memory || !f.known || f.access == 0 {
		return false
	}
	g := s.regionAt(f.addr)
	return g != nil && !g.Free && g.allows(f.access)
}

// mappingsDiffer describes that contradiction.
func (s *state) mappingsDiffer() string {
	return fmt.Sprintf("The kernel reports %s, and the list of mappings has %s at the address, which allows the access: the list or the registers are of another moment.",
		s.ReasonName, s.describe(s.fault.addr))
}

// findUnmapped trusts the system's report if the dump has no list of regions.
func (s *state) findUnmapped() {
	e := s.in.Exception
	unix, mach := s.in.OS == "linux" || s.in.OS == "android", s.in.OS == "mac" || s.in.OS == "ios"
	switch {
	case s.in.OS == "windows" && e.Code == accessViolation && !s.caused():
		s.cause(Finding{Kind: Inaccessible, Text: "Access violation", Confidence: 1, Evidence: s.evidence(
			"The dump has no list of mappings, so it is not known whether the memory was free or protected.")})
	case unix && e.Code == sigSEGV && e.Flags == segvMapErr, mach && e.Flags == kernInvalidAddress:
		s.cause(Finding{Kind: Unmapped, Text: "Unmapped address", Confidence: 1, Evidence: s.evidence(s.Note)})
	case unix && e.Code == sigSEGV && e.Flags == segvAccErr, mach && e.Flags == kernProtectionFailure:
		s.cause(Finding{Kind: ReadOnly, Text: "Protected memory", Confidence: 1, Evidence: s.evidence(s.Note)})
	}
}

// neighbours names the mapping closest to an unmapped address.
func (s *state) neighbours(addr uint64) string {
	const close = 1 << 16
	var before *Region
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if !g.accessible() {
			continue
		}
		if g.Last < addr {
			before = g
			continue
		}
		if before != nil && addr-before.Last <= close {
			break
		}
		if g.Start > addr && g.Start-addr <= close {
			return fmt.Sprintf("It lies %s in front of %s.", bytesText(g.Start-addr), s.describe(g.Start))
		}
		break
	}
	if before != nil && addr-before.Last <= close {
		return fmt.Sprintf("It lies %s behind the end of %s.", bytesText(addr-before.Last-1), s.describe(before.Last))
	}
	return "Nothing is mapped there."
}
