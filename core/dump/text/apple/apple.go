// Package apple reads the crash reports of macOS and iOS: .ips files, whose body is JSON, the older text (.crash,
// also as PLCrashReporter writes it), and what the tools sample and spindump print.
//
// A report has all threads, the registers of the one that crashed, and all images with base and UUID. The innermost
// address of a thread is exact, and the others are return addresses. Addresses of arm64e may have a
// signature in their upper bits, which is removed.
//
// Source: LLVM, lldb/examples/python/crashlog.py, which reads all of these; Apple, "Examining the fields in a crash
// report" and "Interpreting the JSON format of a crash report".
//
// Read this file first, which has what all forms share, then crash.go, ips.go, system.go and sample.go.
package apple

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "Apple crash report"

// Family reads reports.
var Family = text.Family{
	Kinds: []string{kind},
	Marks: []string{`"bug_type":"`, `"bug_type": "`, "Process:  ", "Incident Identifier: ", "Hardware Model: ", "Analysis of sampling ", panicMark},
	Read:  read,
}

func read(l *text.Lines) []*process.Process {
	switch first := l.First(); {
	case strings.Contains(first, `"bug_type"`):
		return readIPS(l)
	case strings.Contains(first, "Analysis of sampling "):
		return readSample(l)
	case strings.Contains(first, panicMark):
		return readPanic(l)
	}
	return readCrash(l)
}

// cpus are the CPUs by the names of both forms.
var cpus = []struct {
	begins string
	arch   *cpu.Arch
}{
	{"X86-64", &cpu.AMD64}, {"x86_64", &cpu.AMD64}, {"X86", &cpu.X86}, {"i386", &cpu.X86}, {"ARM-64", &cpu.ARM64}, {"ARM64", &cpu.ARM64}, {"arm64", &cpu.ARM64},
	{"ARM", &cpu.ARM}, {"arm", &cpu.ARM}, {"PPC-64", &cpu.PPC64}, {"PPC", &cpu.PPC},
}

func cpuOf(name string) *cpu.Arch {
	for _, c := range cpus {
		if strings.HasPrefix(name, c.begins) {
			return c.arch
		}
	}
	return nil
}

// systemOf is the system by the name of its version: "macOS 12.4 (21F79)", "iPhone OS 15.0".
func systemOf(version string) process.OS {
	for _, name := range []string{"iPhone OS", "iOS", "iPadOS", "tvOS", "watchOS", "xrOS", "visionOS"} {
		if strings.HasPrefix(version, name) {
			return process.IOS
		}
	}
	return process.Mac
}

func setSystem(d *text.Draft, version, cpuName string) {
	d.System(systemOf(version), cpuOf(cpuName))
	if version != "" {
		d.Process.System.Version = version
		d.Process.Lacks &^= process.SystemVersion
	}
}

// excCrash is the number of EXC_CRASH.
const excCrash = 10

// signals are the exceptions and signal numbers behind signals, bsd/sys/signal.h.
var signals = map[string]struct{ exception, number uint32 }{
	"SIGSEGV": {1, 11}, "SIGBUS": {1, 10}, "SIGILL": {2, 4}, "SIGFPE": {3, 8}, "SIGTRAP": {6, 5}, "SIGABRT": {excCrash, 6}, "SIGKILL": {excCrash, 9}, "SIGSYS": {excCrash, 12},
}

// eventOf makes the event of an exception and a signal, each of which may be missing.
func eventOf(exception, signal string) *process.Event {
	sig, isSignal := signals[signal]
	code, known := text.Mach.Number(exception)
	if !known && !isSignal {
		return nil
	}
	e := &process.Event{Code: code}
	if !known {
		e.Code = sig.exception
	}
	if e.Code == excCrash {
		e.Flags = sig.number << 24 // <kern/exc_guard.h>, EXC_CRASH: the signal is in bits 24 to 31
	}
	return e
}

// setCode sets the code and the address of an exception: "KERN_INVALID_ADDRESS at 0x1", "0x0000000000000001, 0x0000000000000001",
// "1 (0x1)". Numbers of EXC_CRASH are left out: they are those of the exception before it.
func setCode(e *process.Event, s string) {
	name, at, _ := strings.Cut(s, " at ")
	if e == nil || e.Code == excCrash {
		return
	}
	if code, ok := text.Codes.Number(name); ok {
		e.Flags = code
		e.Address, _, ok = text.Hex(at)
		e.NoAddress = !ok
		return
	}
	first, second, two := strings.Cut(s, ", ")
	code, _, ok := text.Hex(first)
	addr, _, also := text.Hex(second)
	if ok && two && also {
		e.Flags, e.Address = uint32(code), addr
	}
}

// debugID is a UUID as Breakpad writes it, "" for one of zeros.
func debugID(uuid string) string {
	id := strings.ToUpper(strings.ReplaceAll(uuid, "-", ""))
	if len(id) != 32 || strings.Trim(id, "0") == "" {
		return ""
	}
	return id + "0"
}

func imageOf(path, uuid string, base, size uint64) text.Image {
	id := debugID(uuid)
	return text.Image{Path: path, DebugID: id, CodeID: strings.ToLower(strings.TrimSuffix(id, "0")), Base: base, HasBase: true, Size: size}
}

// said keeps what the program and its libraries said about the end. The text of an exception that nothing caught is the problem.
func said(d *text.Draft, lines []string) {
	if len(lines) == 0 {
		return
	}
	d.Process.Message = strings.Join(lines, " ")
	for _, line := range lines {
		if strings.Contains(line, "due to uncaught exception") {
			d.Process.Problem = &process.Problem{Kind: process.Uncaught, Text: line}
			d.Process.Message = ""
			return
		}
	}
}
