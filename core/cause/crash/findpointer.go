package crash

import (
	"fmt"
	"math/bits"
)

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
