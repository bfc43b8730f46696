package text

import (
	"strings"

	"crashglass/core/process"
)

// Signals are the numbers of signals on Linux by name, asm-generic/signal.h.
const Signals Table = ";SIGHUP=1;SIGINT=2;SIGQUIT=3;SIGILL=4;SIGTRAP=5;SIGABRT=6;SIGBUS=7;SIGFPE=8;SIGKILL=9;SIGSEGV=11;SIGPIPE=13;SIGALRM=14;SIGTERM=15" +
	";SIGXCPU=24;SIGXFSZ=25;SIGSYS=31"

// Exceptions are the codes of exceptions of Windows by name, without EXCEPTION_. winnt.h.
const Exceptions Table = ";ACCESS_VIOLATION=0xc0000005;IN_PAGE_ERROR=0xc0000006;ILLEGAL_INSTRUCTION=0xc000001d;ARRAY_BOUNDS_EXCEEDED=0xc000008c" +
	";FLT_DENORMAL_OPERAND=0xc000008d;FLT_DIVIDE_BY_ZERO=0xc000008e;FLT_INVALID_OPERATION=0xc0000090;INT_DIVIDE_BY_ZERO=0xc0000094;INT_OVERFLOW=0xc0000095" +
	";PRIV_INSTRUCTION=0xc0000096;STACK_OVERFLOW=0xc00000fd;DATATYPE_MISALIGNMENT=0x80000002;BREAKPOINT=0x80000003;SINGLE_STEP=0x80000004" +
	";STACK_BUFFER_OVERRUN=0xc0000409"

// Mach are the numbers of exceptions of macOS by name, <mach/exception_types.h>.
const Mach Table = ";EXC_BAD_ACCESS=1;EXC_BAD_INSTRUCTION=2;EXC_ARITHMETIC=3;EXC_EMULATION=4;EXC_SOFTWARE=5;EXC_BREAKPOINT=6;EXC_SYSCALL=7;EXC_MACH_SYSCALL=8" +
	";EXC_RPC_ALERT=9;EXC_CRASH=10;EXC_RESOURCE=11;EXC_GUARD=12;EXC_CORPSE_NOTIFY=13"

// Codes are those of EXC_BAD_ACCESS by name: of Mach (<mach/kern_return.h>), and of POSIX as PLCrashReporter has them, which are those of Linux, too.
const Codes Table = ";KERN_INVALID_ADDRESS=1;KERN_PROTECTION_FAILURE=2;SEGV_MAPERR=1;SEGV_ACCERR=2;BUS_ADRERR=2;BUS_ADRALN=0x101"

// Refused sets the access of an event, if the report states the address, too. Windows has both as parameters.
func Refused(e *process.Event, access process.Access, windows bool) {
	if e.Access = access; !windows || e.NoAddress {
		return
	}
	switch access { // ExceptionInformation[0] of EXCEPTION_RECORD, winnt.h
	case process.Read:
		e.Parameters = []uint64{0, e.Address}
	case process.Write:
		e.Parameters = []uint64{1, e.Address}
	case process.Execute:
		e.Parameters = []uint64{8, e.Address}
	}
}

// Fault makes the event of a reason as minidump_stackwalk writes it, nil for an unknown one: "SIGSEGV /SEGV_MAPERR", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS",
// "EXCEPTION_ACCESS_VIOLATION_READ".
func Fault(reason string, address uint64) *process.Event {
	e := &process.Event{Address: address}
	name, code, _ := strings.Cut(reason, "/")
	name = strings.TrimSpace(name)
	e.Flags, _ = Codes.Number(strings.TrimSpace(code))
	if exception, windows := strings.CutPrefix(name, "EXCEPTION_"); windows {
		for _, end := range []struct {
			text   string
			access process.Access
		}{{"_READ", process.Read}, {"_WRITE", process.Write}, {"_EXEC", process.Execute}} {
			if before, ok := strings.CutSuffix(exception, end.text); ok {
				exception = before
				Refused(e, end.access, true)
			}
		}
		e.Code, _ = Exceptions.Number(exception)
	} else {
		e.Code, _ = (Signals + Mach).Number(name)
	}
	if e.Code == 0 {
		return nil
	}
	return e
}
