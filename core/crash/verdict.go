package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/cpu"
	"crashglass/core/module"
)

// Verdict puts an analysis into one sentence: what happened, and in which
// function. a is what Analyze made of in.
func Verdict(in *Input, a *Analysis) Result {
	if in.Exception == nil || hasKind(a, OnRequest) {
		return withoutException(in, a)
	}
	r := Result{Crashed: true, Frame: -1}
	cause := causeOf(a)
	r.What = what(in, a, cause)
	if i := blame(in, cause); i >= 0 {
		f := &in.Frames[i]
		r.Frame, r.Where, r.At = i, f.name(), at(f)
	}
	r.Detail = detail(in, a, cause, r.Frame)
	r.Badges = badges(a)
	return r
}

// causeOf is the finding that explains the crash, or nil.
func causeOf(a *Analysis) *Finding {
	if len(a.Findings) > 0 && a.Findings[0].Cause {
		return &a.Findings[0]
	}
	return nil
}

func hasKind(a *Analysis, kind Kind) bool {
	return slices.ContainsFunc(a.Findings, func(f Finding) bool { return f.Kind == kind })
}

// withoutException is the verdict on a dump that was not written for a crash.
func withoutException(in *Input, a *Analysis) Result {
	r := Result{Frame: -1, Badges: badges(a), What: "No exception in this dump"}
	if in.Lost {
		r.What = "The exception cannot be read"
		r.Detail = "This dump has one, but that part of the file is damaged or missing, so that it does not say what happened."
		return r
	}
	requested := hasKind(a, OnRequest)
	switch {
	case in.Exception != nil:
		r.What = "No crash: the dump was written on request"
	case requested:
		r.What = "No exception in this dump: written on request"
	}
	switch {
	case in.Exception == nil && !requested:
		r.Detail = "It does not say that anything crashed: most likely it was written on request, of a process that ran or hung."
	case len(in.Frames) > 0 && requested:
		r.Detail = fmt.Sprintf("The thread that asked was in %s.", in.Frames[0].place())
	}
	if in.Assertion != "" {
		r.Detail = strings.TrimSpace(r.Detail + " " + in.Assertion)
	}
	return r
}

// what is the first half of the sentence.
func what(in *Input, a *Analysis, cause *Finding) string {
	verb := accessWord(in, a)
	if cause == nil {
		if verb != "" {
			return fmt.Sprintf("Invalid %s of %s", verb, hex(a.Address))
		}
		if a.Reason == "" {
			return "Crash of an unknown kind"
		}
		return "Crash: " + a.Reason
	}
	switch cause.Kind {
	case NullPointer:
		return "Null pointer " + verb
	case NonCanonical:
		if verb == "call" {
			return "Jump to an invalid address"
		}
		return strings.TrimSpace("Invalid pointer " + verb)
	case Unmapped, GuardPage:
		if cause.Text == "File could not be read" {
			return cause.Text
		}
		return fmt.Sprintf("Invalid %s of %s", verb, hex(a.Address))
	}
	return cause.Text
}

// accessWord is "read", "write", "call" or "access"; "" for crashes of
// another kind.
func accessWord(in *Input, a *Analysis) string {
	s := stateOf(in, a)
	if !s.fault.memory || hasKind(a, FromOutside) {
		return ""
	}
	return s.fault.verb()
}

// stateOf goes back to what an analysis knew of the fault.
func stateOf(in *Input, a *Analysis) *state {
	s := &state{in: in, Analysis: a, regs: in.Regs, decoded: a.Inst.Len > 0}
	if s.regs == nil {
		s.regs = &cpu.Regs{}
	}
	if s.decoded && a.Accesses != nil {
		s.ops = s.memOps()
	}
	s.classify()
	return s
}

// blame is the frame to name: the innermost that is not part of how programs
// end themselves or are ended, nor the system's, if there is one that can be
// relied on.
func blame(in *Input, cause *Finding) int {
	if len(in.Frames) == 0 {
		return -1
	}
	first := 0
	if cause != nil && cause.Kind == BadJump || in.Frames[0].ModuleIndex < 0 && len(in.Frames) > 1 {
		first = caller(in.Frames)
	}
	if cause != nil && cause.Kind == Aborted {
		first = behindAbort(in.Frames)
	}
	memory := cause == nil || slices.Contains(memoryKinds, cause.Kind)
	if f := &in.Frames[first]; !f.System && !isMachinery(f) && (memory && !f.Inline || !isLibrary(f)) {
		return first
	}
	for i := first; i < len(in.Frames); i++ {
		f := &in.Frames[i]
		if f.Guess {
			break
		}
		if f.ModuleIndex >= 0 && !f.System && !isMachinery(f) && (memory && !f.Inline || !isLibrary(f)) {
			return i
		}
	}
	return first
}

// behindAbort is the frame that called abort or raise, where the innermost one
// is below it: the function that makes the system call may have the name of
// whatever public symbol lies in front of it.
func behindAbort(frames []Frame) int {
	for i := range frames[:min(len(frames), 4)] {
		if frames[i].Guess {
			break
		}
		if isMachinery(&frames[i]) && i+1 < len(frames) {
			return i
		}
	}
	return 0
}

// memoryKinds are the causes that happen at one instruction. In others a
// standard library may be the messenger: an unwrap, an at of a vector.
var memoryKinds = []Kind{NullPointer, NonCanonical, StackOverflow, GuardPage, Poison, BadJump, PointerAuth, Tag,
	ReadOnly, Unmapped, Misaligned, TextAsPointer, DivideByZero, Illegal, Trapped, UnloadedCode}

// caller is the first frame in a module: who jumped to where no code is.
func caller(frames []Frame) int {
	for i := range frames {
		if frames[i].ModuleIndex >= 0 { // even a scanned one: the address lay on top of the stack
			return i
		}
	}
	return 0
}

// at is the source line.
func at(f *Frame) string {
	if f.File == "" {
		return ""
	}
	if f.Line == 0 {
		return module.Basename(f.File)
	}
	return fmt.Sprintf("%s:%d", module.Basename(f.File), f.Line)
}

// detail is the mechanism in one or two sentences, with the values that prove it.
func detail(in *Input, a *Analysis, cause *Finding, frame int) string {
	var text []string
	switch {
	case cause != nil && len(cause.Evidence) > 0:
		text = append(text, cause.Evidence[:min(len(cause.Evidence), 2)]...)
	default:
		for _, t := range []string{stateOf(in, a).mechanism(), a.Note} {
			if t != "" {
				text = append(text, t)
			}
		}
	}
	if len(text) == 0 && in.Exception.Unknown {
		text = append(text, "The dump says neither by which signal the program crashed nor at which address.")
	}
	if frame > 0 && len(text) < 2 && in.Frames[0].Module != "" {
		text = append(text, fmt.Sprintf("The innermost frame is %s.", in.Frames[0].place()))
	}
	return strings.Join(text, " ")
}

// badges are the findings as the page shows them.
func badges(a *Analysis) []Badge {
	out := []Badge{}
	for i := range a.Findings {
		f := &a.Findings[i]
		b := Badge{Kind: "plain", Finding: f.Kind, Text: f.Text, Evidence: f.Evidence,
			Confidence: f.Confidence, HasConfidence: f.Confidence < 1}
		switch {
		case f.Cause:
			b.Kind = "cause"
		case f.Confidence < 0.6 || slices.Contains(doubts, f.Kind):
			b.Kind = "doubt"
		}
		out = append(out, b)
	}
	return out
}

// doubts are the findings that cast doubt on others.
var doubts = []Kind{BitFlipped, Inconsistent, UntrustedStack, BadStackPointer}
