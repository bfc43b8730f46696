package unreal

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// exceptions are the names that Unreal Engine gives to exceptions of Windows, with their numbers. winnt.h.
var exceptions = map[string]uint32{
	"EXCEPTION_ACCESS_VIOLATION": 0xc0000005, "EXCEPTION_ARRAY_BOUNDS_EXCEEDED": 0xc000008c, "EXCEPTION_DATATYPE_MISALIGNMENT": 0x80000002,
	"EXCEPTION_FLT_DENORMAL_OPERAND": 0xc000008d, "EXCEPTION_FLT_DIVIDE_BY_ZERO": 0xc000008e, "EXCEPTION_FLT_INVALID_OPERATION": 0xc0000090,
	"EXCEPTION_ILLEGAL_INSTRUCTION": 0xc000001d, "EXCEPTION_INT_DIVIDE_BY_ZERO": 0xc0000094, "EXCEPTION_PRIV_INSTRUCTION": 0xc0000096,
	"EXCEPTION_STACK_OVERFLOW": 0xc00000fd,
}

// signals are the signals of Linux, asm-generic/signal.h.
var signals = map[string]uint32{"SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGBUS": 7, "SIGFPE": 8, "SIGSEGV": 11, "SIGSYS": 31}

const unhandled = "Unhandled Exception: "

// exception reports whether an exception ended the game, and no check of its own.
func (r *properties) exception() bool {
	return r.Assert != "true" && r.Ensure != "true" && (r.Type == "" || r.Type == "Crash" || r.Type == "GPUCrash")
}

// event sets why the game ended:
//
//	Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x0000000000000000
//	Unhandled Exception: 0xc0000409
//	Access violation - code c0000005 (first/second chance not available)
//	Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x0000000000000003
//	Assertion failed: Ptr [File:d:\a.cpp] [Line: 12]
func (r *properties) event(p *process.Process) {
	message := strings.TrimSpace(r.Message)
	what := strings.TrimPrefix(message, unhandled)
	word, rest, _ := strings.Cut(what, " ")
	word = strings.TrimSuffix(word, ":")
	code, known := exceptions[word]
	if !known {
		code, known = signals[word]
		known = known && p.OS().IsLinux()
	}
	if v, hex := text.IsHex(word); !known && hex && strings.HasPrefix(word, "0x") && v > 0 && v <= 0xffffffff {
		code, known = uint32(v), true
	}
	if _, number, ok := strings.Cut(what, " - code "); !known && ok {
		v, _, hex := text.Hex(number)
		code, known = uint32(v), hex && v <= 0xffffffff
	}
	switch {
	case known && r.exception():
		p.Event = &process.Event{Code: code, NoAddress: true}
		access(p.Event, rest)
	case message != "" || r.Type != "":
		p.Problem = &process.Problem{Kind: r.problem(), Text: message}
	}
}

// access reads the access of an exception.
func access(e *process.Event, s string) {
	for _, a := range []struct {
		words  string
		access process.Access
		kind   uint64 // ExceptionInformation[0] of EXCEPTION_RECORD, winnt.h
	}{
		{"reading address ", process.Read, 0}, {"writing address ", process.Write, 1},
		{"attempt to read memory at address ", process.Read, 0}, {"attempt to write memory at address ", process.Write, 1},
	} {
		_, at, ok := strings.Cut(s, a.words)
		if addr, _, hex := text.Hex(at); ok && hex {
			e.Access, e.Address, e.NoAddress = a.access, addr, false
			if e.Code == exceptions["EXCEPTION_ACCESS_VIOLATION"] {
				e.Parameters = []uint64{a.kind, addr}
			}
		}
	}
}

// problem is what the kind of a crash means that is no exception.
func (r *properties) problem() process.ProblemKind {
	switch r.Type {
	case "Hang", "Stall":
		return process.Hang
	case "OutOfMemory":
		return process.OutOfMemory
	}
	return process.FailedCheck
}
