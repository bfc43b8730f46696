package text

import (
	"strings"

	"crashglass/core/process"
)

// Signals are the numbers of signals on Linux by name, asm-generic/signal.h.
var Signals = map[string]uint32{
	"SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGBUS": 7, "SIGFPE": 8, "SIGKILL": 9, "SIGSEGV": 11, "SIGPIPE": 13, "SIGALRM": 14,
	"SIGTERM": 15, "SIGXCPU": 24, "SIGXFSZ": 25, "SIGSYS": 31,
}

// Exceptions are the codes of exceptions of Windows by name, without EXCEPTION_. winnt.h.
var Exceptions = map[string]uint32{
	"ACCESS_VIOLATION": 0xc0000005, "IN_PAGE_ERROR": 0xc0000006, "ILLEGAL_INSTRUCTION": 0xc000001d, "ARRAY_BOUNDS_EXCEEDED": 0xc000008c, "FLT_DENORMAL_OPERAND": 0xc000008d,
	"FLT_DIVIDE_BY_ZERO": 0xc000008e, "FLT_INVALID_OPERATION": 0xc0000090, "INT_DIVIDE_BY_ZERO": 0xc0000094, "INT_OVERFLOW": 0xc0000095, "PRIV_INSTRUCTION": 0xc0000096,
	"STACK_OVERFLOW": 0xc00000fd, "DATATYPE_MISALIGNMENT": 0x80000002, "BREAKPOINT": 0x80000003, "SINGLE_STEP": 0x80000004, "STACK_BUFFER_OVERRUN": 0xc0000409,
}

// Mach are the numbers of exceptions of macOS by name, <mach/exception_types.h>.
var Mach = map[string]uint32{
	"EXC_BAD_ACCESS": 1, "EXC_BAD_INSTRUCTION": 2, "EXC_ARITHMETIC": 3, "EXC_EMULATION": 4, "EXC_SOFTWARE": 5, "EXC_BREAKPOINT": 6,
	"EXC_SYSCALL": 7, "EXC_MACH_SYSCALL": 8, "EXC_RPC_ALERT": 9, "EXC_CRASH": 10, "EXC_RESOURCE": 11, "EXC_GUARD": 12, "EXC_CORPSE_NOTIFY": 13,
}

// Codes are those of EXC_BAD_ACCESS by name: of Mach (<mach/kern_return.h>), and of POSIX as PLCrashReporter has them, which are those of Linux, too.
var Codes = map[string]uint32{"KERN_INVALID_ADDRESS": 1, "KERN_PROTECTION_FAILURE": 2, "SEGV_MAPERR": 1, "SEGV_ACCERR": 2, "BUS_ADRERR": 2, "BUS_ADRALN": 0x101}

// accessNumbers are the first of the parameters of an access violation, EXCEPTION_RECORD in winnt.h.
var accessNumbers = map[process.Access]uint64{process.Read: 0, process.Write: 1, process.Execute: 8}

// Refused sets the access of an event, if the report states the address, too. Windows has both as parameters.
func Refused(e *process.Event, access process.Access, windows bool) {
	e.Access = access
	if number, known := accessNumbers[access]; known && windows && !e.NoAddress {
		e.Parameters = []uint64{number, e.Address}
	}
}

// Fault makes the event of a reason as minidump_stackwalk writes it, nil for an unknown one: "SIGSEGV /SEGV_MAPERR", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS",
// "EXCEPTION_ACCESS_VIOLATION_READ".
func Fault(reason string, address uint64) *process.Event {
	e := &process.Event{Address: address}
	name, code, _ := strings.Cut(reason, "/")
	name = strings.TrimSpace(name)
	e.Flags = Codes[strings.TrimSpace(code)]
	if exception, windows := strings.CutPrefix(name, "EXCEPTION_"); windows {
		for end, access := range map[string]process.Access{"_READ": process.Read, "_WRITE": process.Write, "_EXEC": process.Execute} {
			if before, ok := strings.CutSuffix(exception, end); ok {
				exception = before
				Refused(e, access, true)
			}
		}
		e.Code = Exceptions[exception]
	} else {
		e.Code = Signals[name] | Mach[name]
	}
	if e.Code == 0 {
		return nil
	}
	return e
}
