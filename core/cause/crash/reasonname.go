package crash

import (
	"cmp"
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
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
	return cmp.Or(name, s.Reason)
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
	}
	return name + " / " + named(cmp.Or(signalCodes.in(signal).of(code), newerCodes.in(signal).of(code), siCodes.of(code)), code)
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
	name, flavor := resourceTypes.of(kind), resourceFlavors.in(kind).of(uint32(code>>58&7))
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
	family := s.machFamily()
	name := newerMachCodes.in(e.Code).in(uint32(family)).of(e.Flags)
	if !(ppcOnly[e.Flags] && e.Code == excSoftware && family != ppcMac) {
		name = cmp.Or(name, machCodes.in(e.Code).of(e.Flags), macCodes.in(e.Code).in(uint32(family)).of(e.Flags))
	}
	return exception + " / " + named(name, e.Flags)
}

// ppcOnly are codes of EXC_SOFTWARE that rust-minidump has for all CPUs.
var ppcOnly = map[uint32]bool{1: true, 0x1_0100: true}

// Reason returns the operating system's name of the exception, as rust-minidump spells it
// (crash_info.type): "EXCEPTION_ACCESS_VIOLATION_READ", "SIGSEGV / SEGV_MAPERR", "EXC_BAD_ACCESS /
// KERN_INVALID_ADDRESS".
func Reason(e *Exception, os process.OS, arch *cpu.Arch) string {
	if text := systemOf(os).reason(e, arch); text != "" {
		return text
	}
	return fmt.Sprintf("unknown 0x%08x / 0x%08x", e.Code, e.Flags)
}

// Address returns the address of an exception (crash_info.address): the address that could not be
// accessed, if the system reports it, otherwise the instruction's address.
//
// On 32-bit CPUs the upper half is dropped, because Breakpad on Windows wrote sign-extended
// addresses.
func Address(e *Exception, os process.OS, arch *cpu.Arch) uint64 {
	addr := e.Address
	if os.IsWindows() && len(e.Params) >= 2 && (e.Code == accessViolation || e.Code == inPageError) {
		addr = e.Params[1]
	}
	if arch != nil {
		addr &= arch.Mask()
	}
	return addr
}
