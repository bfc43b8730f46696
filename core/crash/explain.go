package crash

import "fmt"

// explain says in one sentence what a reason means; "" when its name is all
// that there is to say.
func explain(e *Exception, os string) string {
	switch os {
	case "windows":
		return windowsNotes.of(e.Code)
	case "linux", "android":
		if text := signalCodeNotes[[2]uint32{e.Code, e.Flags}]; text != "" {
			return text
		}
		return signalNotes.of(e.Code)
	case "mac", "ios":
		if text := machCodeNotes[[2]uint32{e.Code, e.Flags}]; text != "" {
			return text
		}
		return machNotes.of(e.Code)
	}
	return ""
}

// note is what the reason means here: where a signal was sent, nothing failed.
func (s *state) note() string {
	switch {
	case s.Event.Kind == Sent && faultSignals[s.Event.Signal]:
		return "The signal was sent; no instruction failed."
	case s.Event.Kind == Raised && faultSignals[s.Event.Signal]:
		return "The program raised the signal; no instruction failed."
	case s.Event.Signal == sigABRT && s.Event.Kind == Raised:
		return "The program ended itself with abort."
	case s.apple() && s.Event.Signal != 0:
		return signalNotes.of(s.Event.Signal)
	}
	return explain(s.e, s.in.OS)
}

// windowsNotes explain codes of Windows.
// Source: https://learn.microsoft.com/windows/win32/debug/getexceptioncode and the headers' comments.
var windowsNotes = names{
	{unrealAssert, "A check of Unreal failed."},
	{unrealGPU, "Unreal lost the graphics device."},
	{unrealMemory, "Unreal could not allocate memory."},
	{simulatedWindows, "The program asked Crashpad for a dump; nothing had failed."},
	{0x4000_001f, "A breakpoint of a 32-bit program on 64-bit Windows."},
	{0x406d_1388, "The program told a debugger the name of a thread; nothing had failed."},
	{guardPage, "A guard page was accessed for the first time."},
	{0x8000_0002, "An access to an address that is not a multiple of the size, where the CPU wants it to be."},
	{breakpoint, "A breakpoint instruction ran, and no debugger was there to take it."},
	{singleStep, "One instruction had been executed in single-step mode."},
	{accessViolation, "The memory may not be accessed in this way."},
	{inPageError, "The page belongs to a file that could not be read: a removed disk, a network that went away, a bad sector."},
	{0xc000_0008, "A handle was used that is not open."},
	{0xc000_000d, "An argument was out of range."},
	{0xc000_0017, "There was not enough memory."},
	{illegalInstruction, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
	{0xc000_0025, "A handler tried to go on after an exception that does not allow it."},
	{0xc000_0026, "An exception handler returned a value that does not exist."},
	{0xc000_008c, "An index was out of the array's bounds."},
	{0xc000_008e, "A floating-point number was divided by zero."},
	{intDivideByZero, "An integer was divided by zero."},
	{0xc000_0095, "The result of an integer operation was too large."},
	{privInstruction, "The instruction may be executed by the kernel only."},
	{stackOverflow, "The thread used up its stack."},
	{0xc000_0135, "A DLL that the program needs was not found."},
	{0xc000_0138, "A DLL does not have a function of the number that the program asked for."},
	{0xc000_0139, "A DLL does not have a function that the program asked for."},
	{0xc000_0142, "A DLL refused to start."},
	{0xc000_0194, "A lock was waited for longer than the system allows."},
	{0xc000_027b, "A Windows Runtime component stored an exception and ended the program."},
	{heapCorruption, "The heap's bookkeeping is damaged. What damaged it ran earlier."},
	{stackBufferOverrun, "It ended itself at once with __fastfail, whose exception is called a stack buffer overrun whatever the reason."},
	{invalidCRTParam, "A function of the C library was called with an invalid argument."},
	{0xc000_041d, "An exception in a callback from the kernel was not handled; the exception itself came earlier."},
	{assertionFailure, "An assertion failed."},
	{0xc000_0602, "The program ended itself with RaiseFailFastException."},
	{0xc06d_007e, "A DLL that is loaded on demand was not found."},
	{0xc06d_007f, "A DLL that is loaded on demand does not have a function that was asked for."},
	{outOfMemory, "An allocation failed, and Chromium's allocator ended the program."},
	{clrException, "A .NET exception was not caught."},
	{cppException, "A C++ exception was not caught."},
}

// signalNotes explain signals, signalCodeNotes what si_code adds; signal(7)
// and sigaction(2).
var (
	signalNotes = names{
		{1, "The terminal was closed."},
		{2, "Ctrl-C was pressed."},
		{3, "Ctrl-\\ was pressed."},
		{sigILL, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
		{sigTRAP, "A breakpoint instruction ran, and no debugger was there to take it."},
		{sigABRT, "The signal of abort; it can be sent as well."},
		{sigBUS, "The address cannot be accessed, though it is mapped."},
		{sigFPE, "An arithmetic operation has no result."},
		{sigSEGV, "The memory may not be accessed in this way."},
		{13, "The other end of a pipe or socket was closed."},
		{15, "The program was asked to end."},
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
		{sigSEGV, segvMTEAsync}: "The tag of a pointer does not match that of its memory; the instruction is an earlier one.",
		{sigSEGV, segvControl}:  "The shadow stack of the CPU does not have the return address: it was overwritten.",
		{sigSEGV, segvMTESync}:  "The tag of a pointer does not match that of its memory.",
		{sigBUS, busAdrAln}:     "The address is not a multiple of the size of the access.",
		{sigBUS, busAdrErr}:     "There is no memory behind the mapping: a file became shorter, or a disk or memory is full.",
		{sigBUS, 4}:             "The memory is broken, and the program read it.",
		{sigBUS, 5}:             "The memory is broken.",
		{sigFPE, fpeIntDiv}:     "An integer was divided by zero.",
		{sigFPE, 2}:             "The result of an integer operation was too large.",
		{sigFPE, fpeFltDiv}:     "A floating-point number was divided by zero.",
		{sigSYS, 1}:             "A seccomp filter does not allow the system call.",
	}
)

// machNotes and machCodeNotes explain Mach exceptions.
var (
	machNotes = names{
		{excBadAccess, "The memory may not be accessed in this way."},
		{excBadInstruction, "The CPU refused the instruction: one that it does not have, or a trap of the compiler."},
		{excArithmetic, "An arithmetic operation has no result."},
		{excSoftware, "The program raised the exception itself."},
		{excBreakpoint, "A breakpoint instruction ran: a trap of Swift or of the compiler, or a debugger's."},
		{excCrash, "The process ended after a signal that no handler took."},
		{excResource, "The process went over a limit of the system."},
		{excGuard, "A protected file descriptor, port or address range was used in a way that its owner forbids."},
		{nsException, "An Objective-C exception was not caught."},
		{simulatedMac, "The program asked Crashpad for a dump; nothing had failed."},
	}
	machCodeNotes = map[[2]uint32]string{
		{excBadAccess, kernInvalidAddress}:    "Nothing is mapped at the address.",
		{excBadAccess, kernProtectionFailure}: "The mapping at the address does not allow the access.",
		{excBadAccess, kernCodesign}:          "The page's code signature is wrong.",
		{excBadAccess, i386GPFault}:           "A general protection fault: the CPU does not say at which address.",
		{excBadAccess, armPACFail}:            "The signature of a pointer is wrong.",
		{excSoftware, machSIGABRT}:            "The signal of abort.",
		{excSoftware, uncaughtNSException}:    "An Objective-C exception was not caught.",
	}
)

// parameters gives the words of an exception record their meaning.
func parameters(e *Exception, in *Input) []Parameter {
	var out []Parameter
	for i, v := range e.Params[:min(len(e.Params), 15)] {
		p := Parameter{Value: v}
		switch in.OS {
		case "windows":
			p.Meaning = windowsParameter(e.Code, i, v)
		case "mac", "ios":
			if i < len(machParameters) {
				p.Meaning = machParameters[i]
			}
		}
		out = append(out, p)
	}
	return out
}

var machParameters = [...]string{"Mach exception", "code", "subcode"}

func windowsParameter(code uint32, i int, v uint64) string {
	switch {
	case (code == accessViolation || code == inPageError) && i == 0:
		return map[uint64]string{0: "read", 1: "write", 8: "execute"}[v]
	case code == inPageError && i == 2:
		return ntStatus(uint32(v))
	case code == stackBufferOverrun && i == 0:
		return named(fastFails, uint32(v))
	}
	if list := windowsParameters[code]; i < len(list) {
		return list[i]
	}
	return ""
}

// windowsParameters are the parameters of codes for which they mean something.
// Those of C++ are in the Visual C++ sources (ehdata.h), the delay loader's in delayimp.h.
var windowsParameters = map[uint32][]string{
	guardPage:       {"access", "address"},
	accessViolation: {"access", "address"},
	inPageError:     {"access", "address", "status"},
	cppException:    {"magic number", "thrown object", "type of the object", "module that threw it"},
	clrException:    {"HRESULT", "", "", "", "base of the runtime"},
	0x406d_1388:     {"type", "name", "thread", "flags"},
	0xc06d_007e:     {"delay load information"},
	0xc06d_007f:     {"delay load information"},
	outOfMemory:     {"bytes asked for"},
}

// hex writes an address as prose has it.
func hex(v uint64) string { return fmt.Sprintf("%#x", v) }

// bytesText is a number of bytes.
func bytesText(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
