package crash

import (
	"cmp"
	"fmt"
)

// Signals that the package uses by name.
const (
	sigINT  = 2
	sigILL  = 4
	sigTRAP = 5
	sigABRT = 6
	sigBUS  = 7
	sigFPE  = 8
	sigKILL = 9
	sigSEGV = 11
	sigSYS  = 31

	// dumpRequested replaces the signal in a dump that was requested. Sources: Breakpad's
	// minidump_exception_linux.h, which its writer uses (MD_EXCEPTION_CODE_LIN_DUMP_REQUESTED), and
	// Crashpad's util/posix/signals.h (kSimulatedSigno).
	dumpRequested = 0xffff_ffff
)

// Values of si_code for signals that were sent.
const (
	siUser   = 0
	siKernel = 0x80
	siQueue  = 0xffff_ffff // -1
	siTimer  = 0xffff_fffe // -2
	siMesgq  = 0xffff_fffd // -3
	siAsync  = 0xffff_fffc // -4
	siTkill  = 0xffff_fffa // -6
)

// Values of si_code that the package uses by name, by signal.
const (
	fpeIntDiv  = 1
	fpeFltDiv  = 3
	segvMapErr = 1
	segvAccErr = 2
	segvKey    = 4
	busAdrAln  = 1
	busAdrErr  = 2

	busReadBroken = 4 // BUS_MCEERR_AR
	busBroken     = 5 // BUS_MCEERR_AO

	// The memory tagging extension of arm64. rust-minidump's tables do not have it, so the note
	// explains it and the reason does not name it.
	segvMTEAsync = 8
	segvMTESync  = 9
	segvControl  = 10 // SEGV_CPERR: the shadow stack does not have the return address
)

// linuxReason returns the signal, and the si_code unless that is SI_USER, which has no information:
// writers that do not know si_code leave it 0.
func linuxReason(e *Exception) string {
	signal := signals.of(e.Code)
	if signal == "" {
		return ""
	}
	code := signalCodes.in(e.Code).of(e.Flags)
	if code == "" && e.Flags == siUser {
		return signal
	}
	return signal + " / " + named(cmp.Or(code, siCodes.of(e.Flags)), e.Flags)
}

// Signals that Linux on most CPUs does not have. Their numbers are chosen here.
const (
	sigEMT  = 0x107 // mips, sparc, Apple
	sigLOST = 0x11d // sparc
	sigINFO = 0x21d // Apple
)

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
	switch name := cmp.Or(signals.of(signal), otherSignals.of(signal)); {
	case name != "":
		return name
	case s.unix() && signal >= firstRealTime && signal <= last:
		return fmt.Sprintf("Real-time signal %d", signal)
	}
	return fmt.Sprintf("Signal %d", signal)
}
