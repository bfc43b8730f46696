package crash

import "crashglass/core/machine/cpu"

// Exceptions of Fuchsia that the package uses. Bit 15 marks those that no processor raises. Source:
// zircon/syscalls/exception.h.
const (
	fuchsiaPageFault = 0x108
	fuchsiaUndefined = 0x208
	fuchsiaBreak     = 0x308
	fuchsiaWatch     = 0x408
	fuchsiaUnaligned = 0x508
	fuchsiaSynthetic = 0x8000
)

func (s *facts) findFuchsiaReason() []candidate {
	switch s.e.Code {
	case fuchsiaUndefined:
		return s.findIllegal()
	case fuchsiaBreak:
		return s.findTrap()
	case fuchsiaWatch:
		return s.generic(reason{Trapped, "Hardware breakpoint or watchpoint"})
	case 0x8208:
		return s.generic(reason{RaisedException, "Policy error"})
	}
	return nil
}

// fuchsiaAccess returns the refused access. Crashpad writes the error code of x86 and the syndrome
// register of arm64 as the flags (exception_snapshot_fuchsia.cc). Sources: Intel SDM, volume 3,
// 4.7; Arm ARM, ESR_EL1.
func (s *facts) fuchsiaAccess() cpu.Access {
	flags := s.e.Flags
	if s.e.Code != fuchsiaPageFault {
		return 0
	}
	switch s.in.Arch {
	case &cpu.AMD64:
		switch {
		case flags&0x10 != 0:
			return execute
		case flags&2 != 0:
			return cpu.Write
		}
		return cpu.Read
	case &cpu.ARM64:
		switch flags >> 26 {
		case 0x20, 0x21: // instruction abort
			return execute
		case 0x24, 0x25: // data abort
			if flags&(1<<6) != 0 {
				return cpu.Write
			}
			return cpu.Read
		}
	}
	return 0
}
