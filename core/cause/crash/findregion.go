package crash

import (
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

func (s *facts) mapped(addr uint64) bool {
	g := s.regionAt(addr)
	return s.in.Modules.IndexAt(addr) >= 0 || g != nil && !g.Free() && g.Accessible()
}

func (s *facts) describe(addr uint64) string {
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

func (s *facts) findRegion() []candidate {
	f := &s.fault
	if !f.memory || !f.known {
		return nil
	}
	if s.in.OS.IsWindows() && s.in.Exception.Code == guardPage { // PAGE_GUARD in addition to the page's permissions
		return statement(Finding{Kind: GuardPage, Text: "Guard page", Confidence: 1, Evidence: s.evidence(s.Note)})
	}
	g := s.regionAt(f.addr)
	if f.op >= 0 && s.Accesses[f.op].LikelyGuard && g != nil && !g.Free() {
		return statement(Finding{Kind: GuardPage, Text: "Guard page", Confidence: 0.8, Evidence: s.evidence(
			"The page has no permissions and is adjacent to accessible memory: it is there to catch out-of-bounds accesses.")})
	}
	switch {
	case len(s.in.Regions) == 0, (g == nil || g.Free()) && s.reportedMapped():
		return s.findUnmapped()
	case (g == nil || g.Free()) && s.existed(f.addr):
		return observation(Finding{Kind: Inconsistent, Text: "Captured memory is not in the list of mappings", Confidence: 0.5, Evidence: []string{
			fmt.Sprintf("The dump has the memory at %s, so that it was mapped when the dump was written.", hex(f.addr))}})
	case g == nil || g.Free():
		return statement(Finding{Kind: Unmapped, Text: "Unmapped address", Confidence: 1, Evidence: s.evidence(s.neighbours(f.addr))})
	case f.access == cpu.Write && g.Allows('r') && !g.Allows('w'):
		return statement(Finding{Kind: ReadOnly, Text: "Write to read-only memory", Confidence: 1, Evidence: s.evidence(
			fmt.Sprintf("The memory from %s to %s, in %s, can %s.", hex(g.Start), hex(g.Last), s.describe(f.addr),
				map[bool]string{true: "be read and executed, but not written to", false: "only be read"}[g.Allows('x')]))})
	case s.unix() && s.signal() == sigSEGV && s.e.Flags == segvKey:
		return statement(Finding{Kind: Inaccessible, Text: "Memory protection key", Confidence: 1, Evidence: s.evidence(s.Note)})
	case !g.Accessible():
		return statement(Finding{Kind: Inaccessible, Text: "Memory without access", Confidence: 1, Evidence: s.evidence(
			fmt.Sprintf("The memory from %s to %s is reserved and allows nothing.", hex(g.Start), hex(g.Last)))})
	case s.allowed():
		return observation(Finding{Kind: Inconsistent, Text: "Signal contradicts the list of mappings", Confidence: 0.5, Evidence: []string{s.mappingsDiffer()}})
	}
	return nil
}

// reportedMapped reports whether the kernel of Linux says that there is a mapping at the address: one that does not allow the access, or
// that has no memory behind it. Sources: bad_area_access_error and do_sigbus of arch/x86/mm/fault.c.
func (s *facts) reportedMapped() bool {
	switch {
	case !s.unix():
		return false
	case s.signal() == sigBUS:
		return s.e.Flags == busAdrErr || s.e.Flags == busReadBroken || s.e.Flags == busBroken
	}
	return s.signal() == sigSEGV && (s.e.Flags == segvAccErr || s.e.Flags >= segvKey && s.e.Flags <= segvMTESync)
}

// ofKernel reports whether the mapping at an address is one that the kernel makes for its own code and data. What the list says of them is not what a
// program may do there. Source: vsyscall_64.c and vdso/vma.c of arch/x86/entry.
func (s *facts) ofKernel(addr uint64) bool {
	g := s.regionAt(addr)
	return g != nil && (g.Name == "[vsyscall]" || strings.HasPrefix(g.Name, "[vvar"))
}

// allowed reports whether the dump's list of mappings allows an access that the kernel refused. Any
// mapping contradicts SEGV_MAPERR.
func (s *facts) allowed() bool {
	f := &s.fault
	if !s.unix() || s.signal() != sigSEGV || s.e.Flags != segvMapErr && s.e.Flags != segvAccErr || !f.memory || !f.known || f.access == 0 && s.e.Flags == segvAccErr {
		return false
	}
	g := s.regionAt(f.addr)
	return g != nil && !g.Free() && !s.ofKernel(f.addr) && allows(g, f.access) && (f.access != 0 || g.Accessible())
}

func (s *facts) mappingsDiffer() string {
	allows := ", which allows the access"
	if s.fault.access == 0 {
		allows = ""
	}
	return fmt.Sprintf("The kernel reports %s, and the list of mappings has %s at the address%s: the list or the registers are of another moment.",
		s.ReasonName, s.describe(s.fault.addr), allows)
}

// findUnmapped trusts the system's report if the dump has no list of regions, or an incomplete one.
func (s *facts) findUnmapped() []candidate {
	e := s.in.Exception
	unix, mach := s.in.OS.IsLinux(), s.in.OS.IsApple()
	switch {
	case s.in.OS.IsWindows() && e.Code == accessViolation && s.fault.access == cpu.Write && s.in.Modules.IndexAt(s.fault.addr) >= 0:
		return explanation(Finding{Kind: ReadOnly, Text: "Write to read-only memory", Confidence: 0.9, Evidence: s.evidence(
			fmt.Sprintf("The address is in %s, whose constants and code can only be read.", s.describe(s.fault.addr)))})
	case s.in.OS.IsWindows() && e.Code == accessViolation:
		return explanation(Finding{Kind: Inaccessible, Text: "Access violation", Confidence: 1, Evidence: s.evidence(
			"The dump has no list of mappings, so it is not known whether the memory was free or protected.")})
	case s.existed(s.fault.addr) && (unix && e.Flags == segvMapErr || mach && e.Flags == kernInvalidAddress):
		return observation(Finding{Kind: Inconsistent, Text: "Exception contradicts the captured memory", Confidence: 0.5, Evidence: []string{
			fmt.Sprintf("The system reports that nothing is mapped at %s, and the dump has the memory there: it was mapped later, or one of both is wrong.", hex(s.fault.addr))}})
	case unix && e.Code == sigSEGV && e.Flags == segvMapErr, mach && e.Flags == kernInvalidAddress:
		return statement(Finding{Kind: Unmapped, Text: "Unmapped address", Confidence: 1, Evidence: s.evidence(s.Note)})
	case unix && e.Code == sigSEGV && e.Flags == segvAccErr, mach && e.Flags == kernProtectionFailure:
		return statement(Finding{Kind: ReadOnly, Text: "Protected memory", Confidence: 1, Evidence: s.evidence(s.Note)})
	}
	return nil
}

// neighbours names the mapping closest to an unmapped address.
func (s *facts) neighbours(addr uint64) string {
	const close = 1 << 16
	var before *process.Region
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if !g.Accessible() {
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
			return fmt.Sprintf("It lies %s in front of %s.", plural(g.Start-addr, "byte"), s.describe(g.Start))
		}
		break
	}
	if before != nil && addr-before.Last <= close {
		return fmt.Sprintf("It lies %s behind the end of %s.", plural(addr-before.Last-1, "byte"), s.describe(before.Last))
	}
	return "Nothing is mapped there."
}

// findBus explains SIGBUS for a valid mapping without memory behind it.
func (s *facts) findBus() []candidate {
	if !s.unix() || s.signal() != sigBUS || !s.fault.memory {
		return nil
	}
	switch s.e.Flags {
	case busReadBroken, busBroken:
		return explanation(Finding{Kind: BrokenMemory, Text: "Broken memory", Confidence: 1, Evidence: s.evidence(s.Note)})
	case busAdrErr:
		null := s.fault.op >= 0 && s.Accesses[s.fault.op].null
		if s.fault.known && (s.mapped(s.fault.addr) || !null) && !s.ofKernel(s.fault.addr) {
			return explanation(Finding{Kind: FileGone, Text: "No memory behind the mapping", Confidence: 0.9, Evidence: s.evidence(s.Note)})
		}
	}
	return nil
}
