package crash

import (
	"fmt"
	"slices"
	"strings"
)

// A Goroutine is one that has a part in the crash, with its stack.
type Goroutine struct {
	ID     uint64
	State  string // in the runtime's words: "chan receive"
	Frames []Row
}

// goAsleep begins the texts of Go's deadlocks. Source: Go, src/runtime/proc.go (checkdead).
const goAsleep = "all goroutines are asleep"

// goCalls is the function of Go's runtime that runs C on another stack than the goroutine's. Source: Go, src/runtime/asm_amd64.s.
const goCalls = "runtime.asmcgocall"

// goroutine returns the goroutine that shows the place of a crash whose own stack does not: the main one of a deadlock, or the one that called
// C. why says so. It returns nil if there is none.
func (s *facts) goroutine() (g *Goroutine, why string) {
	if s.in.Goroutine == nil {
		return nil, ""
	}
	if text, _ := s.goMessage(); strings.HasPrefix(text, goAsleep) {
		if g = s.in.Goroutine(false); g != nil {
			why = fmt.Sprintf("The main goroutine waits: %s.", g.State)
		}
		return g, why
	}
	if slices.ContainsFunc(s.in.Frames, func(f Row) bool { return !f.Guess && f.certain() && f.function() == goCalls }) {
		if g = s.in.Goroutine(true); g != nil {
			why = fmt.Sprintf("Goroutine %d called the C code.", g.ID)
		}
	}
	return g, why
}

// inGoroutine names the program's innermost function in a goroutine, if the crashing thread's stack has none.
func (r *Result) inGoroutine(s *facts) {
	if r.Frame >= 0 && ownFrame(s.in, &s.in.Frames[r.Frame]) {
		return
	}
	g, why := s.goroutine()
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
