package crash

import (
	"fmt"
)

// reasonName returns the name in the header that defines the exception's numbers. It differs from
// Reason, which is rust-minidump's, in three cases: rust-minidump does not know a number, uses the
// names of another CPU, or names a placeholder of the dump's writer.
func (s *facts) reasonName() string {
	if s.in.Exception.Unknown {
		return ""
	}
	name := ""
	switch {
	case s.unix():
		name = s.signalReason()
	case s.apple():
		name = s.machReason()
	case s.in.OS.IsFuchsia():
		name = fuchsiaExceptions.of(s.e.Code)
	case s.in.OS.IsSolaris():
		name = s.solarisReason()
	case s.in.OS.IsWindows():
		name = windowsNames.of(s.e.Code)
		if s.e.Code&luaMask == luaError {
			name = fmt.Sprintf("Lua error 0x%08x", s.e.Code)
		}
		if name == "" && windowsReason(s.e) == fmt.Sprintf("unknown 0x%08x", s.e.Code) {
			name = fmt.Sprintf("0x%08x", s.e.Code)
		}
	}
	if name == "" {
		return s.Reason
	}
	return name
}

// windowsNames are codes that rust-minidump does not name, or names wrongly after an error code.
var windowsNames = names{
	{0, "0x00000000"}, {triggered, "Crashpad: triggered by another process"}, {delphiThrow, "Delphi exception"}, {builderThrow, "C++Builder exception"},
	{gccThrow, "STATUS_GCC_THROW"}, {0x4008_0201, "EXCEPTION_RO_ORIGINATEERROR"}, {0x4008_0202, "EXCEPTION_RO_TRANSFORMERROR"}, {threadName, "MS_VC_EXCEPTION"},
	{appHang, "Application hang"}, {oldCLR, "MANAGED_EXCEPTION_CODE"}, {clrOverflow, "CLR stack overflow"},
	{sanitizerError, "Sanitizer error"}, {sanitizerAsan, "AddressSanitizer error"},
}

// signalReason returns a signal with its si_code, by the numbers of the CPU.
func (s *facts) signalReason() string {
	signal, code := s.signal(), s.siCode()
	if signals.of(signal) == "" && otherSignals.of(signal) == "" && signal < firstRealTime {
		return ""
	}
	name := s.nameOf(signal)
	switch {
	case code == siUser || signal == dumpRequested:
		return name
	case signalCodes[signal].of(code) != "":
		return name + " / " + signalCodes[signal].of(code)
	case newerCodes[signal].of(code) != "":
		return name + " / " + newerCodes[signal].of(code)
	case siCodes.of(code) != "":
		return name + " / " + siCodes.of(code)
	}
	return fmt.Sprintf("%s / 0x%08x", name, code)
}

// solarisReason returns a signal of Solaris. Its numbers are those of mips, because both come from
// System V. Source: Breakpad's minidump_exception_solaris.h, whose numbers its handler writes.
func (s *facts) solarisReason() string {
	signal, ok := mipsSignals[s.e.Code]
	switch {
	case ok:
		return s.nameOf(signal)
	case s.e.Code <= 15 || s.e.Code == 21:
		return signals.of(s.e.Code)
	}
	return ""
}

// newerCodes are values of si_code that rust-minidump does not know.
// Source: include/uapi/asm-generic/siginfo.h of Linux 6.12.
var newerCodes = map[uint32]names{
	sigFPE: {{14, "FPE_FLTUNK"}, {15, "FPE_CONDTRAP"}},
	sigSEGV: {
		{5, "SEGV_ACCADI"}, {6, "SEGV_ADIDERR"}, {7, "SEGV_ADIPERR"}, {segvMTEAsync, "SEGV_MTEAERR"},
		{segvMTESync, "SEGV_MTESERR"}, {segvControl, "SEGV_CPERR"},
	},
	sigEMT: {{1, "EMT_TAGOVF"}},
}

// machReason returns a Mach exception, or the signal in place of one, in the form of Apple's
// reports.
func (s *facts) machReason() string {
	signal, isSignal := s.machSignal()
	_, crash := crashOf(s.e)
	switch e := s.e; {
	case isSignal && crash:
		return fmt.Sprintf("EXC_CRASH (%s)", s.nameOf(signal))
	case isSignal:
		return s.nameOf(signal)
	case e.Code == nsException || e.Code == excSoftware && e.Flags == uncaughtNSException:
		return "Uncaught NSException"
	case e.Code == simulatedMac:
		return "Simulated exception"
	case crash && e.Code == 0 || e.Code == excCrash:
		return "EXC_CRASH"
	case e.Code == excCorpse:
		return "EXC_CORPSE_NOTIFY"
	case e.Code == 0:
		return "unknown: code 0 stands for no exception"
	case wholeCode[e.Code]:
		return s.limitReason()
	}
	return s.machCodeReason()
}

// limitReason returns an EXC_RESOURCE or EXC_GUARD with its kind.
func (s *facts) limitReason() string {
	code, _ := code64(s.e)
	exception, kind := machExceptions.of(s.e.Code), uint32(code>>61)
	name, flavor := resourceTypes.of(kind), resourceFlavors[kind].of(uint32(code>>58&7))
	if s.e.Code == excGuard {
		name, flavor = guardTypes.of(kind), s.flavorName(kind, uint32(code>>32&0x1fff_ffff))
	}
	switch {
	case code == 0:
		return exception
	case name == "":
		return fmt.Sprintf("%s / 0x%016x", exception, code)
	case flavor == "" || kind == guardUser && s.e.Code == excGuard || kind == guardRejectedSC && s.e.Code == excGuard:
		return exception + " / " + name
	}
	return exception + " / " + name + " / " + flavor
}

// machCodeReason returns a Mach exception with the code of its CPU.
func (s *facts) machCodeReason() string {
	e := s.e
	exception := machExceptions.of(e.Code)
	if exception == "" {
		return fmt.Sprintf("Mach exception %d / 0x%08x", e.Code, e.Flags)
	}
	here := macCode{e.Code, s.machFamily()}
	name := newerMachCodes[here].of(e.Flags)
	for _, n := range []names{machCodes[e.Code], macCodes[here]} {
		if name == "" && !(ppcOnly[e.Flags] && e.Code == excSoftware && here.family != ppcMac) {
			name = n.of(e.Flags)
		}
	}
	if name == "" {
		name = fmt.Sprintf("0x%08x", e.Flags)
	}
	return exception + " / " + name
}

// machCodes are the codes that all CPUs share.
var machCodes = map[uint32]names{excBadAccess: kernErrors, excSoftware: softwareCodes}

// ppcOnly are codes of EXC_SOFTWARE that rust-minidump has for all CPUs.
var ppcOnly = map[uint32]bool{1: true, 0x1_0100: true}

// newerMachCodes are codes that rust-minidump does not know, or names differently. Sources:
// osfmk/mach/{arm,ppc,i386}/exception.h, osfmk/i386/trap.c for BOUND.
var newerMachCodes = map[macCode]names{
	{excArithmetic, ppcMac}: {{3, "EXC_PPC_FLT_INEXACT"}},
	{excBreakpoint, armMac}: {{0x102, "EXC_ARM_DA_DEBUG"}},
	{excArithmetic, armMac}: {{0, "EXC_ARM_FP_UNDEFINED"}},
	{excSoftware, x86Mac}:   {{7, "EXC_I386_BOUND"}},
	{excBadAccess, x86Mac}:  {{vmReadExecute, "VM_PROT_READ | VM_PROT_EXECUTE"}},
}
