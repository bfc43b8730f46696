package crash

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A table is the name of a table of codes.txt. A line that begins with "=" names a table there: one of these or, with numbers behind the
// name, that of one signal, exception or kind. Each other line has a code in hex, or nothing for the code that follows the last one, and a
// text. Codes ascend. The rows of messages and attachments have no code, and count from 0. Those of messages, attachments and poisons
// have columns, with | between them.
type table string

// The tables, with their sources.
const (
	windowsCodes      table = "windowsCodes"      // WinBase.h and WinNT.h; and of programs: base/process/memory.h (Chromium), "msc" below 0xe0000000, "CCR" (CLR), Crashpad
	windowsNames      table = "windowsNames"      // codes that rust-minidump does not name, or names wrongly after an error code
	windowsReasons    table = "windowsReasons"    // kinds and headlines of exceptions that explain themselves
	windowsNotes      table = "windowsNotes"      // https://learn.microsoft.com/windows/win32/debug/getexceptioncode, and the headers' comments
	windowsParameters table = "windowsParameters" // meanings of parameters; C++: ehdata.h of Visual C++, delay loader: delayimp.h
	windowsAccess     table = "windowsAccess"     // ExceptionInformation[0]: https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-exception_record
	facilities        table = "facilities"        // of an HRESULT that wraps a Windows error; FACILITY_VISUALCPP is the delay loader's (delayimp.h)
	fastFails         table = "fastFails"         // arguments of __fastfail: winnt.h of the Windows 11 SDK 10.0.26100, which spells EXCEPTON so
	newerFastFails    table = "newerFastFails"    // those that rust-minidump does not name: wdm.h of the Windows 11 WDK, and winnt.h for the last
	fastFailNotes     table = "fastFailNotes"     // winnt.h's comments at FAST_FAIL_*, and Microsoft's documentation of bug check 0x139, which has the same codes
	fastFailReasons   table = "fastFailReasons"   // those that name the failed check
	results           table = "results"           // HRESULTs of .NET: src/coreclr/inc/corerror.xml and HResults.cs of dotnet/runtime
	luaCodes          table = "luaCodes"          // lua.h
	signals           table = "signals"           // include/uapi/asm-generic/signal.h, for all CPUs but mips and sparc; rust-minidump and Breakpad use them for mips as well
	otherSignals      table = "otherSignals"      // signals that Linux on most CPUs does not have
	signalNotes       table = "signalNotes"       // signal(7)
	siCodes           table = "siCodes"           // with every signal: asm-generic/siginfo.h, the negative ones as the u32 that a dump holds
	signalCodes       table = "signalCodes"       // of one signal each: asm-generic/siginfo.h
	newerCodes        table = "newerCodes"        // the same of Linux 6.12, which rust-minidump does not know
	signalCodeNotes   table = "signalCodeNotes"   // sigaction(2)
	trapTitles        table = "trapTitles"        // of SIGTRAP without a breakpoint; asm-generic/siginfo.h, and include/uapi/linux/ptrace.h for an event and SIGTRAP
	auditArchs        table = "auditArchs"        // CPUs of a system call: AUDIT_ARCH_* of include/uapi/linux/audit.h with elf-em.h
	ubsanChecks       table = "ubsanChecks"       // those that -fsanitize-trap numbers: clang/lib/CodeGen/SanitizerHandler.h, LIST_SANITIZER_CHECKS
	machExceptions    table = "machExceptions"    // osfmk/mach/exception_types.h
	machNotes         table = "machNotes"
	machCodes         table = "machCodes" // on every CPU: osfmk/mach/kern_return.h, bsd/sys/ux_exception.h; UNCAUGHT_NS_EXCEPTION is Breakpad's
	machCodeNotes     table = "machCodeNotes"
	macCodes          table = "macCodes"          // by exception and macFamily: osfmk/mach/{arm,ppc,i386}/exception.h
	newerMachCodes    table = "newerMachCodes"    // those that rust-minidump does not know, or names differently; the same headers, and osfmk/i386/trap.c for BOUND
	resourceTypes     table = "resourceTypes"     // osfmk/kern/exc_resource.h
	resourceFlavors   table = "resourceFlavors"   // by type
	guardTypes        table = "guardTypes"        // osfmk/kern/exc_guard.h
	guardFlavors      table = "guardFlavors"      // operations by type: osfmk/mach/port.h, bsd/sys/guarded.h, osfmk/mach/vm_statistics.h, osfmk/kern/exc_guard.h
	newerFlavors      table = "newerFlavors"      // those that rust-minidump does not know: osfmk/mach/port.h of the SDK of macOS 26, osfmk/mach/vm_statistics.h of XNU 12377
	fuchsiaExceptions table = "fuchsiaExceptions" // zircon/syscalls/exception.h
	fuchsiaNotes      table = "fuchsiaNotes"
)

// in returns the table of one of the numbers that the tables of this name are by.
func (t table) in(number uint32) table {
	return t + " " + table(strconv.FormatUint(uint64(number), 10))
}

// of returns the text of a code, or "".
func (t table) of(code uint32) string { return codes()[t].of(code) }

// of64 is of for values that may be wider than any code.
func (t table) of64(code uint64) string {
	if code > 0xffff_ffff {
		return ""
	}
	return t.of(uint32(code))
}

func (t table) reason(code uint64) (r reason, ok bool) {
	kind, text, ok := strings.Cut(t.of64(code), "|")
	return reason{Kind(kind), text}, ok
}

// named returns a constant's name, or its number.
func (t table) named(code uint32) string { return named(t.of(code), code) }

func named(name string, code uint32) string {
	if name == "" {
		return fmt.Sprintf("0x%08x", code)
	}
	return name
}

// names is a table of constants, sorted by code.
type names []name

type name struct {
	code uint32
	text string
}

// of returns the constant's name, or "".
func (n names) of(code uint32) string {
	if i, ok := slices.BinarySearchFunc(n, code, func(e name, c uint32) int { return cmp.Compare(e.code, c) }); ok {
		return n[i].text
	}
	return ""
}

// The two long tables are text: a line with a colon sets the code of the next name, and each
// following name has the next code. As Go data they would be twice as large, and the page has to
// load them. Most names of a table begin alike, and are without that beginning; a line with = is a whole name.
//
// winerror.txt is winerror.h, ntstatus.txt is ntstatus.h, both of the Windows
// 11 SDK 10.0.26100: ERROR_ and RPC_ constants of the one, everything of
// severity 0, 4, 8 and 12 of the other.
var (
	//go:embed codes.txt
	codesText string
	//go:embed winerror.txt
	winErrorText string
	//go:embed ntstatus.txt
	ntStatusText string

	codes      = sync.OnceValue(func() map[table]names { return parseCodes(codesText) })
	winErrors  = sync.OnceValue(func() names { return parseNames(winErrorText, "ERROR_") })
	ntStatuses = sync.OnceValue(func() names { return parseNames(ntStatusText, "STATUS_") })
)

// parseNames reads one of the tables above.
func parseNames(text, prefix string) names {
	list := make(names, 0, strings.Count(text, "\n"))
	next := uint32(0)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if digits, ok := strings.CutPrefix(line, ":"); ok {
			next = codeOf(digits)
			continue
		}
		whole, ok := strings.CutPrefix(line, "=")
		if !ok {
			whole = prefix + line
		}
		list = append(list, name{next, whole})
		next++
	}
	return list
}

func parseCodes(text string) map[table]names {
	out := map[table]names{}
	at, next := table(""), uint32(0)
	for line := range strings.Lines(text) {
		first, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch first {
		case "=":
			at, next = table(rest), 0
			continue
		case "":
		default:
			next = codeOf(first)
		}
		out[at] = append(out[at], name{next, rest})
		next++
	}
	return out
}

func codeOf(digits string) uint32 {
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		panic(fmt.Sprintf("crash: table of names: %v", err)) // our own text; a test reads it all
	}
	return uint32(code)
}
