package crash

import (
	"fmt"
)

// Signals that Linux on most CPUs does not have. Their numbers are chosen here.
const (
	sigEMT  = 0x107 // mips, sparc, Apple
	sigLOST = 0x11d // sparc
	sigINFO = 0x21d // Apple
)

// otherSignals are the names of those.
var otherSignals = names{{sigEMT, "SIGEMT"}, {sigLOST, "SIGLOST"}, {sigINFO, "SIGINFO"}}

// mipsSignals maps the numbers of signals on mips to those of most CPUs. Source:
// arch/mips/include/uapi/asm/signal.h.
var mipsSignals = map[uint32]uint32{
	7: sigEMT, 10: sigBUS, 12: sigSYS, 16: 10, 17: 12, 18: 17, 19: 30, 20: 28, 21: 23, 22: 29, 23: 19, 24: 20, 25: 18,
	26: 21, 27: 22, 28: 26, 29: 27, 30: 24, 31: 25,
}

// sparcSignals maps the numbers of signals on sparc to those of most CPUs. Source:
// arch/sparc/include/uapi/asm/signal.h.
var sparcSignals = map[uint32]uint32{
	7: sigEMT, 10: sigBUS, 12: sigSYS, 16: 23, 17: 19, 18: 20, 19: 18, 20: 17, 21: 21, 22: 22, 23: 29, 24: 24, 25: 25,
	26: 26, 27: 27, 28: 28, 29: sigLOST, 30: 10, 31: 12,
}

// mipsCodes maps values of si_code on mips to those of most CPUs. Source:
// arch/mips/include/uapi/asm/siginfo.h.
var mipsCodes = map[uint32]uint32{0xffff_fffe: siAsync, 0xffff_fffd: siTimer, 0xffff_fffc: siMesgq}

// signal returns the signal's number on most CPUs. Analysis.Reason has rust-minidump's names, which
// has one table for all CPUs.
func (s *facts) signal() uint32 {
	numbers := map[uint32]uint32(nil)
	switch {
	case s.unix() && s.in.Arch.IsMIPS():
		numbers = mipsSignals
	case s.unix() && s.in.Arch.IsSPARC():
		numbers = sparcSignals
	}
	if n, ok := numbers[s.e.Code]; ok {
		return n
	}
	return s.e.Code
}

// siCode returns the value of si_code on most CPUs.
func (s *facts) siCode() uint32 {
	if code, ok := mipsCodes[s.e.Flags]; ok && s.in.Arch.IsMIPS() {
		return code
	}
	return s.e.Flags
}

// Bounds of real-time signals: SIGRTMIN of include/uapi/asm-generic/signal.h
// and _NSIG, which is 128 on mips.
const (
	firstRealTime = 32
	lastRealTime  = 64
	lastOfMIPS    = 127
)

// nameOf returns the name of a signal of any system, by the number that this package uses.
func (s *facts) nameOf(signal uint32) string {
	last := uint32(lastRealTime)
	if s.in.Arch.IsMIPS() {
		last = lastOfMIPS
	}
	switch name := signals.of(signal); {
	case name != "":
		return name
	case otherSignals.of(signal) != "":
		return otherSignals.of(signal)
	case s.unix() && signal >= firstRealTime && signal <= last:
		return fmt.Sprintf("Real-time signal %d", signal)
	}
	return fmt.Sprintf("Signal %d", signal)
}
