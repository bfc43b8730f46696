package crash

import (
	"fmt"
	"slices"
	"strings"
)

// A Goroutine is one that has a part in the crash, with its stack.
type Goroutine struct {
	ID      uint64
	Address uint64 // of its structure
	State   string // in the runtime's words: "chan receive"
	Frames  []Row
}

// A WhichGoroutine says which goroutine is wanted.
type WhichGoroutine uint8

// Goroutines that have a part in a crash.
const (
	MainGoroutine     WhichGoroutine = iota
	CallingGoroutine                 // that called C on the crashing thread
	CrashingGoroutine                // that the crashing thread runs
)

// goAsleep begins the texts of Go's deadlocks. Source: Go, src/runtime/proc.go (checkdead).
const goAsleep = "all goroutines are asleep"

// goCalls is the function of Go's runtime that runs C on another stack than the goroutine's. Source: Go, src/runtime/asm_amd64.s.
const goCalls = "runtime.asmcgocall"

// goroutine returns the goroutine that shows the place of a crash whose own stack does not: the main one of a deadlock or of a program that
// another process ended, or the one that called C. why says so. It returns nil if there is none.
func (s *facts) goroutine(cause *Finding) (g *Goroutine, why string) {
	if s.in.Goroutine == nil {
		return nil, ""
	}
	text, _ := s.goMessage()
	asleep := strings.HasPrefix(text, goAsleep)
	if !asleep && s.running(goCalls) {
		if g = s.in.Goroutine(CallingGoroutine); g != nil {
			why = fmt.Sprintf("Goroutine %d called the C code.", g.ID)
		}
		return g, why
	}
	if asleep || cause != nil && (cause.Kind == FromOutside || cause.Text == goSignal) {
		if g = s.in.Goroutine(MainGoroutine); g != nil && slices.ContainsFunc(waitsInGo, func(w string) bool { return strings.HasPrefix(g.State, w) }) {
			return g, fmt.Sprintf("The main goroutine waits: %s.", g.State)
		}
	}
	return nil, ""
}

// waitsInGo begin the states of goroutines that wait for others, or for a time or an event. Source: Go, src/runtime/runtime2.go (waitReasonStrings).
var waitsInGo = []string{"chan ", "select", "sync.", "semacquire", "sleep", "IO wait", "wait for"}

// running reports whether a function is certainly on the stack.
func (s *facts) running(function string) bool {
	return slices.ContainsFunc(s.in.Frames, func(f Row) bool { return !f.Guess && f.certain() && f.function() == function })
}

// sigpanic is the function of Go's runtime that a failed access is made to call. Source: Go, src/runtime/signal_unix.go.
const sigpanic = "runtime.sigpanic"

// goFault says which address an access of Go code had: the runtime keeps it in the goroutine's structure between the signal's code and its
// program counter. Source: Go, src/runtime/runtime2.go (sigcode0, sigcode1, sigpc).
func (s *facts) goFault() string {
	const size = 512 // more than the size of the structure
	i := slices.IndexFunc(s.in.Frames, func(f Row) bool { return f.Inline == nil && f.certain() && f.function() == sigpanic })
	if i < 0 || i+1 >= len(s.in.Frames) || s.in.Goroutine == nil {
		return ""
	}
	pc, known := s.in.Frames[i+1].Walked().Regs.Get(s.in.Arch.PC)
	g := s.in.Goroutine(CrashingGoroutine)
	if !known || g == nil {
		return ""
	}
	for at := g.Address + 16; at < g.Address+size; at += 8 {
		if word, ok := s.word(at); !ok || word != pc {
			continue
		}
		addr, _ := s.word(at - 8)
		switch code, _ := s.word(at - 16); {
		case code == siKernel && addr == 0:
			return "The CPU did not tell the address: it is not canonical."
		case (code == segvMapErr || code == segvAccErr) && addr != 0 && addr < nullZone:
			return fmt.Sprintf("The address was %#x: most likely an offset from a nil pointer.", addr)
		case code == segvMapErr || code == segvAccErr || code == siKernel:
			return fmt.Sprintf("The address was %#x.", addr)
		}
	}
	return ""
}

// inGoroutine names the program's innermost function in a goroutine, if the crashing thread's stack has none.
func (r *Result) inGoroutine(s *facts) {
	if r.Frame >= 0 && ownFrame(s.in, &s.in.Frames[r.Frame]) {
		return
	}
	g, why := s.goroutine(causeOf(s.Analysis))
	if g == nil {
		return
	}
	for i := range g.Frames {
		if f := &g.Frames[i]; f.function() != "" && f.certain() && ownFrame(s.in, f) && !isStub(f.function()) {
			r.Frame, r.Guess, r.Goroutine = -1, false, g.ID
			r.Where, r.At, r.Detail = f.name(), f.sourceLine(), join(sentenceOf(r.Detail), why)
			return
		}
	}
}

// isStub reports whether a function is one that cgo wrote for a function of C. Source: Go, src/cmd/cgo/out.go.
func isStub(name string) bool {
	return strings.Contains(name, "._Cfunc_") || strings.Contains(name, "._C2func_")
}
