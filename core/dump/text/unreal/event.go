package unreal

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const (
	unhandled       = "Unhandled Exception: "
	accessViolation = 0xc0000005 // winnt.h
)

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
	exception, windows := strings.CutPrefix(word, "EXCEPTION_")
	code, known := text.Exceptions.Number(exception)
	if known = known && windows; !known {
		code, known = text.Signals.Number(word)
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

func access(e *process.Event, s string) {
	for _, a := range []struct {
		words  string
		access process.Access
	}{
		{"reading address ", process.Read}, {"writing address ", process.Write},
		{"attempt to read memory at address ", process.Read}, {"attempt to write memory at address ", process.Write},
	} {
		_, at, ok := strings.Cut(s, a.words)
		if addr, _, hex := text.Hex(at); ok && hex {
			e.Address, e.NoAddress = addr, false
			text.Refused(e, a.access, e.Code == accessViolation)
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
