package crash

import (
	"cmp"

	"crashglass/core/machine/cpu"
)

// Mach exceptions that the package uses by name.
const (
	excBadAccess      = 1
	excBadInstruction = 2
	excArithmetic     = 3
	excSoftware       = 5
	excBreakpoint     = 6
	excResource       = 11
	excGuard          = 12

	simulatedMac = 0x4350_7378 // "CPsx": a dump without a crash, by Crashpad
	nsException  = 0x4350_6e78 // "CPnx": an uncaught NSException, by Crashpad
)

const (
	kernInvalidAddress    = 1
	kernProtectionFailure = 2
	kernCodesign          = 50
	i386GPFault           = 13
	vmReadExecute         = 5 // VM_PROT_READ | VM_PROT_EXECUTE, where an error is expected
	armPACFail            = 0x105
	uncaughtNSException   = 0xdead_c0de
	machSIGABRT           = 0x0001_0002
)

// macFamily is a set of CPUs with the same codes.
type macFamily uint8

const (
	otherMac macFamily = iota
	armMac
	ppcMac
	x86Mac
)

// macFamilyOf follows rust-minidump, which does not apply the codes of arm64 to arm, nor those of
// ppc to ppc64.
func macFamilyOf(arch *cpu.Arch) macFamily {
	return macFamilies[arch]
}

var macFamilies = map[*cpu.Arch]macFamily{&cpu.ARM64: armMac, &cpu.PPC: ppcMac, &cpu.X86: x86Mac, &cpu.AMD64: x86Mac}

type macCode struct {
	exception uint32
	family    macFamily
}

// misalignedCodes are the codes of a misaligned access. Sources: osfmk/mach/arm/exception.h,
// osfmk/mach/ppc/exception.h.
var misalignedCodes = map[macCode]map[uint32]bool{
	{excBadAccess, armMac}: {0x101: true, 0x103: true}, // EXC_ARM_DA_ALIGN, EXC_ARM_SP_ALIGN
	{excBadAccess, ppcMac}: {0x103: true},              // EXC_PPC_UNALIGNED
}

// machFamily returns the family of codes that the kernel uses: arm64's also on arm, and ppc's also
// on ppc64.
func (s *facts) machFamily() macFamily {
	return cmp.Or(kernelFamilies[s.in.Arch], macFamilyOf(s.in.Arch))
}

// kernelFamilies are those that rust-minidump leaves out.
var kernelFamilies = map[*cpu.Arch]macFamily{&cpu.ARM: armMac, &cpu.PPC64: ppcMac}

// macReason returns the Mach exception with its code, if that has a name.
func macReason(e *Exception, arch *cpu.Arch) string {
	if e.Code == simulatedMac {
		return "Simulated Exception"
	}
	exception := machExceptions.of(e.Code)
	if exception == "" {
		return ""
	}
	code := machCodes.in(e.Code).of(e.Flags)
	switch e.Code {
	case excResource:
		code = macResource(e)
	case excGuard:
		code = macGuard(e)
	}
	if code == "" {
		code = macCodes.in(e.Code).in(uint32(macFamilyOf(arch))).named(e.Flags)
	}
	return exception + " / " + code
}

// Exceptions that the kernel raises when a process ends abnormally, after every
// handler of the original exception declined. Source: exception_types.h.
const (
	excCrash  = 10
	excCorpse = 13

	// Codes of EXC_SOFTWARE; bsd/sys/ux_exception.h and osfmk/mach/exception_types.h.
	unixBadSyscall = 0x1_0000
	unixBadPipe    = 0x1_0001
	excSoftSignal  = 0x1_0003 // the signal is the second code
)

// machSignals are the signals of Apple by their numbers on Linux.
// Source: bsd/sys/signal.h.
var machSignals = map[uint32]uint32{
	1: 1, 2: 2, 3: 3, 4: sigILL, 5: sigTRAP, 6: sigABRT, 7: sigEMT, 8: sigFPE, 9: sigKILL, 10: sigBUS, 11: sigSEGV,
	12: sigSYS, 13: 13, 14: 14, 15: 15, 16: 23, 17: 19, 18: 20, 19: 18, 20: 17, 21: 21, 22: 22, 23: 29,
	24: 24, 25: 25, 26: 26, 27: 27, 28: 28, 29: sigINFO, 30: 10, 31: 12,
}

// A machCrash has the parts of an EXC_CRASH code.
type machCrash struct {
	signal    uint32 // of Apple; 0 when the process ended without one
	exception uint32 // the original exception; 0 for a signal that was none
	code      uint32 // its code, the lowest 20 bits
}

// crashCode decodes the code of EXC_CRASH. Sources: proc_prepareexit of bsd/kern/kern_exit.c, and
// Crashpad's ExcCrashRecoverOriginalException (util/mach/exception_types.cc).
func crashCode(code uint64) machCrash {
	return machCrash{signal: uint32(code >> 24 & 0xff), exception: uint32(code >> 20 & 0xf), code: uint32(code & 0xf_ffff)}
}

// crashOf finds an EXC_CRASH. Crashpad writes the original exception into the record, or 0 for a
// signal without one, and keeps EXC_CRASH with its code in the parameters
// (exception_snapshot_mac.cc). Other writers copy the record. EXC_CORPSE_NOTIFY has other codes:
// the address of the crash information or, since macOS 10.13, the kind of exception
// (task_deliver_crash_notification of osfmk/kern/task.c).
func crashOf(e *Exception) (machCrash, bool) {
	switch {
	case len(e.Params) >= 2 && e.Params[0] == excCrash:
		return crashCode(e.Params[1]), true
	case e.Code == excCrash:
		return crashCode(uint64(e.Flags)), true
	}
	return machCrash{}, false
}

// wholeCode are the exceptions with their kind in the highest bits of the code.
var wholeCode = map[uint32]bool{excResource: true, excGuard: true}

// recovered returns the exception within an EXC_CRASH, if the record does not have it already.
func recovered(e *Exception) *Exception {
	c, ok := crashOf(e)
	switch {
	case !ok || c.exception == 0:
		return e
	case wholeCode[e.Code] || wholeCode[c.exception]:
		// Of their 64 bits of code the kernel kept the lowest 20.
		return &Exception{Code: c.exception, Address: e.Address}
	case e.Code != 0 && e.Code != excCrash:
		return e
	}
	return &Exception{Code: c.exception, Flags: c.code, Address: e.Address, Params: e.Params}
}

// machSignal returns the signal that ended a process on Apple's systems, if there was one:
// EXC_CRASH without another exception, a signal that became an exception, Breakpad's SIGABRT, or a
// signal of Crashpad on iOS, which writes signals like exceptions without parameters
// (exception_snapshot_ios_intermediate_dump.cc).
func (s *facts) machSignal() (uint32, bool) {
	e := s.e
	if c, ok := crashOf(e); ok && c.exception == 0 && c.signal != 0 {
		return machSignals[c.signal], machSignals[c.signal] != 0
	}
	switch {
	case e.Code == excSoftSignal: // Crashpad on iOS, crash_xcuitest.mm
		return machSignals[e.Flags], machSignals[e.Flags] != 0
	case e.Code == excSoftware && e.Flags == unixBadSyscall:
		return sigSYS, true
	case e.Code == excSoftware && e.Flags == unixBadPipe:
		return 13, true
	case e.Code == excSoftware && e.Flags == excSoftSignal && len(e.Params) >= 3:
		return machSignals[uint32(e.Params[2])], machSignals[uint32(e.Params[2])] != 0
	case e.Code == excSoftware && e.Flags == machSIGABRT:
		return sigABRT, true
	case s.in.OS.IsIOS() && s.in.Crashpad && len(e.Params) == 0 && !(e.Code == excSoftware && e.Flags == uncaughtNSException):
		return machSignals[e.Code], machSignals[e.Code] != 0
	}
	return 0, false
}

// weighMach decides what a Mach exception was. A fault always comes from the kernel: a sent signal
// becomes no exception other than EXC_CRASH.
func (s *facts) weighMach() Event {
	signal, isSignal := s.machSignal()
	switch e := s.e; {
	case isSignal && signal == sigABRT:
		return s.weighAbort(Sender{})
	case isSignal && (signal == sigKILL || signal == sigSYS):
		return Event{Kind: Killed, By: ByRecord, Signal: signal}
	case isSignal && e.Code == excSoftware && e.Flags != excSoftSignal:
		return Event{Kind: Raised, By: ByRecord, Signal: signal} // the kernel, because of the thread's own action
	case isSignal:
		return s.raisedBySelf(Event{Kind: Sent, By: ByRecord, Signal: signal})
	case e.Code == simulatedMac:
		return Event{Kind: Requested, By: ByRecord}
	case e.Code == nsException, e.Code == excSoftware:
		return Event{Kind: Raised, By: ByRecord}
	case wholeCode[e.Code]:
		return Event{Kind: Killed, By: ByRecord}
	case machExceptions.of(e.Code) == "" || e.Code == excCrash || e.Code == excCorpse:
		return Event{}
	}
	return Event{Kind: Faulted, By: ByRecord}
}
