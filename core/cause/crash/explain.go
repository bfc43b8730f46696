package crash

import (
	"cmp"
	"fmt"
)

// machNote explains a Mach exception by its code, if that has a meaning of its own.
func machNote(exception, code uint32) string {
	return cmp.Or(machCodeNotes.in(exception).of(code), machNotes.of(exception))
}

// signalNote explains a signal by its number on most CPUs.
func signalNote(signal, code uint32) string {
	return cmp.Or(signalCodeNotes.in(signal).of(code), signalNotes.of(signal))
}

// note returns the meaning of the reason in this crash: if a signal was sent, nothing failed.
func (s *facts) note() string {
	switch {
	case s.in.Debugger != "" && s.Event.Kind == Requested:
		return fmt.Sprintf("The signal is how %s stops a process: a breakpoint, a step, or Ctrl-C.", s.in.Debugger)
	case s.in.OS.IsWindows() && s.Event.Kind == Requested && s.e.Code == breakpoint:
		return fmt.Sprintf("`%s` is on the stack, which runs a breakpoint only while a debugger is attached.", s.breakIn().name())
	case s.reportsBreakpoint() && !s.breakpoint().proven():
	case s.in.Debugger != "" && s.Event.Signal == sigTRAP && s.Event.Kind == Faulted:
		return fmt.Sprintf("A breakpoint instruction ran under %s: the program's own, or one that %[1]s had put there.", s.in.Debugger)
	case s.reportsBreakpoint() && s.apple():
		return "A breakpoint instruction ran: a trap of Swift or of the compiler, or a debugger's."
	case s.reportsBreakpoint():
		return "A breakpoint instruction ran."
	case s.Event.Kind == Sent && faultSignals[s.Event.Signal]:
		return "The signal was sent; no instruction failed."
	case s.Event.Kind == Raised && faultSignals[s.Event.Signal]:
		return "The program raised the signal; no instruction failed."
	case s.in.OS.IsWindows() && s.Event.Kind == Raised && processorCodes[s.e.Code]:
		return "The program raised the exception with RaiseException; no instruction failed."
	case s.in.OS.IsWindows() && s.in.Check == PureVirtualCall:
		return "A function was called that the class of the object does not define: the object is being constructed or destroyed, or is none."
	case s.in.OS.IsWindows() && s.in.Check == InvalidArgument:
		return windowsNotes.of(invalidCRTParam)
	case s.in.OS.IsWindows() && s.e.Code == stackBufferOverrun && len(s.e.Params) == 0:
		return "The guard value between the locals and the return address was overwritten (/GS)."
	case s.Event.Signal == sigABRT && s.Event.Kind == Raised:
		return "The program ended itself with abort."
	case s.apple() && s.watchpoint():
		return "One instruction had been executed in single-step mode, or a watchpoint was hit."
	case s.apple() && s.Event.Signal == sigKILL:
		return "The kernel ended the process. It also does so for an invalid code signature."
	case s.apple() && s.Event.Signal == sigSYS:
		return "There is no system call of that number."
	case s.apple() && s.Event.Signal != 0:
		return signalNotes.of(s.Event.Signal)
	case s.unix() && s.e.Flags == siKernel && (s.Event.Signal == sigSEGV || s.Event.Signal == sigBUS) && !s.in.Arch.IsX86():
		return "The kernel sent it without an address: most often it could not put the frame of a signal handler on the stack."
	case (s.unix() && s.Event.Signal == sigSEGV && s.e.Flags == segvMapErr || s.apple() && s.e.Code == excBadAccess && s.e.Flags == kernInvalidAddress) && s.listed(s.at()):
		return "The kernel reports that nothing is mapped at the address."
	case s.unix() && s.Event.Signal == sigBUS && s.e.Flags == busAdrErr && s.ofKernel(s.at()):
		return "The kernel has no memory at this address of its own mapping."
	case s.unix() && s.Event.Signal != 0:
		return signalNote(s.Event.Signal, s.e.Flags)
	}
	return systemOf(s.in.OS).note(s.e.Code, s.e.Flags)
}

// breakpointNote is true of every breakpoint exception, whether or not the code shows the breakpoint.
const breakpointNote = "The system reports a breakpoint instruction."

func hex(v uint64) string { return fmt.Sprintf("%#x", v) }
