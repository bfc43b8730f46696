package crash

import (
	"fmt"

	"crashglass/core/process"
)

// explain returns one sentence about the meaning of a reason, or "" if the name says all.
func explain(e *Exception, os process.OS) string { return systemOf(os).note(e.Code, e.Flags) }

// machNote explains a Mach exception by its code, if that has a meaning of its own.
func machNote(exception, code uint32) string {
	if text := machCodeNotes[[2]uint32{exception, code}]; text != "" {
		return text
	}
	return machNotes.of(exception)
}

// signalNote explains a signal by its number on most CPUs.
func signalNote(signal, code uint32) string {
	if text := signalCodeNotes[[2]uint32{signal, code}]; text != "" {
		return text
	}
	return signalNotes.of(signal)
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
	return explain(s.e, s.in.OS)
}

// breakpointNote is true of every breakpoint exception, whether or not the code shows the breakpoint.
const breakpointNote = "The system reports a breakpoint instruction."

// windowsNotes explain codes of Windows.
// Source: https://learn.microsoft.com/windows/win32/debug/getexceptioncode and the headers' comments.
var windowsNotes = names{
	{unrealAssert, "A check of Unreal failed."},
	{unrealGPU, "Unreal lost the graphics device."},
	{unrealMemory, "Unreal could not allocate memory."},
	{simulatedWindows, "The program asked Crashpad for a dump; nothing had failed."},
	{triggered, "Another process asked Crashpad for a dump of this one, and ended it: Chromium does that with processes that hang."},
	{delphiThrow, "A Delphi exception was thrown."},
	{builderThrow, "A C++Builder exception was thrown."},
	{gccThrow, "A C++ exception of GCC or Clang was thrown."},
	{0x4000_0015, "The program called abort, or ended itself for an error that it could not handle."},
	{0x4000_001e, "A 32-bit program executed one instruction in single-step mode, or hit a hardware breakpoint or watchpoint."},
	{breakpoint32, "The system reports a breakpoint instruction of a 32-bit program on 64-bit Windows."},
	{0x4001_0005, "The console sent it, for a debugger."},
	{0x4001_0006, "The program wrote a line for a debugger; nothing had failed."},
	{0x4001_0008, "The console sent it, for a debugger."},
	{0x4001_000a, "The program wrote a line for a debugger; nothing had failed."},
	{0x4008_0201, "A component of the Windows Runtime reported an error to a debugger."},
	{0x4008_0202, "A component of the Windows Runtime reported an error to a debugger."},
	{threadName, "The program told a debugger the name of a thread; nothing had failed."},
	{guardPage, "A guard page was accessed for the first time."},
	{misaligned, "The address is not a multiple of the access size, which the CPU requires."},
	{breakpoint, breakpointNote},
	{singleStep, "One instruction was executed in single-step mode, or a hardware breakpoint or watchpoint was hit."},
	{0x8000_0007, "The dump was written for a debugger; nothing had failed."},
	{accessViolation, "The memory may not be accessed in this way."},
	{inPageError, "The page belongs to a file that could not be read: a removed disk, a network that went away, a bad sector."},
	{0xc000_0008, "A handle was used that is not open."},
	{0xc000_000d, "An argument was out of range."},
	{0xc000_0017, "There was not enough memory."},
	{0xc000_001c, "There is no system call of that number."},
	{illegalInstruction, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
	{nonContinuable, "A handler tried to go on after an exception that does not allow it."},
	{0xc000_0026, "An exception handler returned a value that does not exist."},
	{0xc000_008c, "An index was out of the array's bounds."},
	{0xc000_008d, "A floating-point operand is denormal."},
	{0xc000_008e, "A floating-point number was divided by zero."},
	{0xc000_008f, "The result of a floating-point operation is not exact. Visual Basic 6 raises its own errors with this code."},
	{0xc000_0090, "A floating-point operation has no result, or a conversion does not fit."},
	{0xc000_0091, "The result of a floating-point operation is too large."},
	{0xc000_0092, "The floating-point registers were used like a stack that is too small."},
	{0xc000_0093, "The result of a floating-point operation is too small."},
	{intDivideByZero, "An integer was divided by zero."},
	{0xc000_0095, "The result of an integer operation was too large."},
	{privInstruction, "The instruction may be executed by the kernel only."},
	{stackOverflow, "The thread used up its stack."},
	{0xc000_012d, "The system could not commit more memory: its page file is full or limited."},
	{0xc000_0135, "A DLL that the program needs was not found."},
	{0xc000_0138, "A DLL does not have a function of the number that the program asked for."},
	{0xc000_0139, "A DLL does not have a function that the program asked for."},
	{0xc000_013a, "The console ended the program."},
	{0xc000_0142, "A DLL refused to start."},
	{0xc000_0194, "A thread waited for a lock longer than the system allows."},
	{0xc000_01a5, "An exception handler is not in the table of handlers: the stack was probably overwritten."},
	{0xc000_01ad, "An allocation failed, and the program ended itself."},
	{0xc000_0235, "A handle is protected from being closed."},
	{0xc000_0264, "A lock or mutex is owned by another thread."},
	{0xc000_027b, "A Windows Runtime component stored an exception and ended the program."},
	{0xc000_02b4, "An SSE instruction failed in several ways; floating-point exceptions are enabled."},
	{0xc000_02b5, "An SSE instruction failed; floating-point exceptions are enabled."},
	{heapCorruption, "The heap's bookkeeping is damaged. What damaged it ran earlier."},
	{stackBufferOverrun, "It used __fastfail, whose exception is called a stack buffer overrun whatever the reason."},
	{invalidCRTParam, "A function of the C library was called with an invalid argument."},
	{0xc000_041d, "An exception in a callback from the kernel was not handled; the exception itself came earlier."},
	{assertionFailure, "An assertion failed."},
	{0xc000_0421, "Application Verifier found an error."},
	{0xc000_0602, "The program ended itself with RaiseFailFastException."},
	{0xc000_0604, "The process may not make code at run time, and tried to."},
	{0xc06d_007e, "A DLL that is loaded on demand was not found."},
	{0xc06d_007f, "A DLL that is loaded on demand does not have a function that was asked for."},
	{appHang, "Windows reports a program that no longer responds to input with this code."},
	{outOfMemory, "An allocation failed, and Chromium's allocator ended the program."},
	{clrException, "A .NET exception was thrown."},
	{oldCLR, "A .NET exception was thrown; the CLR is one before version 4."},
	{clrOverflow, "The CLR noticed that the stack is used up."},
	{cppException, "A C++ exception was thrown."},
	{sanitizerError, "A sanitizer found an error; its report is in the program's output."},
	{sanitizerAsan, "AddressSanitizer found an error; its report is in the program's output."},
}

// signalNotes explain signals, signalCodeNotes values of si_code; signal(7) and sigaction(2).
var (
	signalNotes = names{
		{1, "The terminal was closed."},
		{2, "Ctrl-C was pressed."},
		{3, "Ctrl-\\ was pressed."},
		{sigILL, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
		{sigTRAP, breakpointNote},
		{sigABRT, "The signal of abort; it can be sent as well."},
		{sigBUS, "The address cannot be accessed, though it is mapped."},
		{sigFPE, "An arithmetic operation has no result."},
		{sigKILL, "No handler can catch it. The kernel also sends it when memory runs out."},
		{sigSEGV, "The memory may not be accessed in this way."},
		{13, "The other end of a pipe or socket was closed."},
		{14, "A timer of the program ran out."},
		{15, "The signal asks the program to end."},
		{16, "Linux does not send it by itself."},
		{24, "The limit of CPU time was reached."},
		{25, "The limit of a file's size was reached."},
		{sigSYS, "A system call is not allowed here."},
		{dumpRequested, "The program asked for a dump; nothing had failed."},
	}
	signalCodeNotes = map[[2]uint32]string{
		{sigSEGV, segvMapErr}:   "Nothing is mapped at the address.",
		{sigSEGV, segvAccErr}:   "The mapping at the address does not allow the access.",
		{sigSEGV, siKernel}:     "A general protection fault: the CPU does not say at which address.",
		{sigSEGV, 3}:            "A bounds check of the CPU failed.",
		{sigSEGV, 4}:            "A memory protection key does not allow the access.",
		{sigSEGV, 5}:            "The memory has no version tags, and was accessed as if it had (ADI of SPARC).",
		{sigSEGV, 6}:            "The version tag of a pointer does not match that of its memory; the instruction is an earlier one (ADI of SPARC).",
		{sigSEGV, 7}:            "The version tag of a pointer does not match that of its memory (ADI of SPARC).",
		{sigSEGV, segvMTEAsync}: "The tag of a pointer does not match that of its memory; the instruction is an earlier one.",
		{sigSEGV, segvControl}:  "The shadow stack of the CPU does not have the return address: it was overwritten.",
		{sigSEGV, segvMTESync}:  "The tag of a pointer does not match that of its memory.",
		{sigBUS, busAdrAln}:     "The address is not a multiple of the size of the access.",
		{sigBUS, busAdrErr}:     "There is no memory behind the mapping: a file became shorter, or a disk or memory is full.",
		{sigBUS, 3}:             "The hardware reports an error of its own.",
		{sigBUS, busReadBroken}: "The memory of the computer is broken there: the CPU found an error that it cannot correct, and the program used the data.",
		{sigBUS, busBroken}:     "The memory of the computer is broken there: the CPU found an error that it cannot correct. The program had not used the data yet.",
		{sigILL, 1}:             "The CPU does not know the instruction.",
		{sigILL, 2}:             "The CPU does not accept an operand of the instruction.",
		{sigILL, 3}:             "The CPU does not accept an addressing mode of the instruction.",
		{sigILL, 4}:             "The instruction is a trap that nothing handles.",
		{sigILL, 5}:             "The instruction may be executed by the kernel only.",
		{sigILL, 6}:             "The instruction uses a register of the kernel.",
		{sigILL, 7}:             "A coprocessor refused the instruction.",
		{sigILL, 8}:             "The CPU found an error in its stack.",
		{sigILL, 9}:             "Execution went to an address that the CPU does not have.",
		{sigTRAP, 2}:            "One instruction had been executed in single-step mode.",
		{sigTRAP, 3}:            "A jump was taken while jumps are traced.",
		{sigTRAP, 4}:            "A hardware breakpoint or watchpoint was hit.",
		{sigTRAP, 6}:            "A performance counter sent it, because the program asked for that (perf_event_open).",
		{sigFPE, fpeIntDiv}:     "An integer was divided by zero.",
		{sigFPE, 2}:             "The result of an integer operation was too large.",
		{sigFPE, fpeFltDiv}:     "A floating-point number was divided by zero.",
		{sigFPE, 4}:             "The result of a floating-point operation is too large.",
		{sigFPE, 5}:             "The result of a floating-point operation is too small.",
		{sigFPE, 6}:             "The result of a floating-point operation is not exact.",
		{sigFPE, 7}:             "A floating-point operation has no result.",
		{sigFPE, 8}:             "An index is out of range.",
		{sigFPE, 14}:            "A floating-point operation failed; the CPU does not say how.",
		{sigFPE, 15}:            "A conditional trap was taken.",
		{sigSYS, 1}:             "A seccomp filter does not allow the system call.",
		{sigSYS, 2}:             "The program asked to be told of its system calls (prctl, PR_SET_SYSCALL_USER_DISPATCH).",
	}
)

// machNotes and machCodeNotes explain Mach exceptions.
var (
	machNotes = names{
		{excBadAccess, "The memory may not be accessed in this way."},
		{excBadInstruction, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
		{excArithmetic, "An arithmetic operation has no result."},
		{excSoftware, "The program raised the exception itself."},
		{excBreakpoint, "The system reports a breakpoint instruction: a trap of Swift or of the compiler, or a debugger's."},
		{excCrash, "The process ended after a signal that no handler took."},
		{excResource, "The process went over a limit of the system."},
		{excGuard, "A protected file descriptor, port or address range was used in a way that its owner forbids."},
		{excCorpse, "The process had ended; the system kept its memory for a report."},
		{nsException, "An Objective-C exception was not caught."},
		{simulatedMac, "The program asked Crashpad for a dump; nothing had failed."},
	}
	machCodeNotes = map[[2]uint32]string{
		{excBadAccess, kernInvalidAddress}:    "Nothing is mapped at the address.",
		{excBadAccess, kernProtectionFailure}: "The mapping at the address does not allow the access.",
		{excBadAccess, kernCodesign}:          "The page's code signature is wrong.",
		{excBadAccess, i386GPFault}:           "A general protection fault: the CPU does not say at which address.",
		{excBadAccess, armPACFail}:            "The signature of a pointer is wrong.",
		{excBadAccess, 0x101}:                 "The address is not a multiple of the size of the access.",
		{excBadAccess, 0x103}:                 "The address is not a multiple of the size of the access.",
		{excSoftware, machSIGABRT}:            "The signal of abort.",
		{excSoftware, uncaughtNSException}:    "An Objective-C exception was not caught.",
	}
)

// hex formats an address for a sentence.
func hex(v uint64) string { return fmt.Sprintf("%#x", v) }

// bytesText is a number of bytes.
func bytesText(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
