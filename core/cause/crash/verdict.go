package crash

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// Verdict summarizes an analysis in one sentence: what happened, and in which function. a is the
// result of Analyze(in).
func Verdict(in *Input, a *Analysis) Result {
	if in.Stop != nil {
		return stopVerdict(in, a)
	}
	if in.Exception == nil && in.Problem != nil && causeOf(a) != nil {
		return reported(in, a)
	}
	if in.Exception == nil || a.Event.Kind == Requested {
		return withoutException(in, a)
	}
	s := factsOf(in, a)
	r := Result{Crashed: true, Frame: -1}
	cause := causeOf(a)
	r.What = what(s, cause)
	if i := blame(in, cause); i >= 0 {
		f := &in.Frames[i]
		r.Frame, r.Where, r.At, r.Guess = i, f.name(), f.sourceLine(), f.Guess
	}
	r.Detail = detail(s, cause, r.Frame)
	if a.Event.Kind == Sent && len(in.Waits.Rings) > 0 {
		r.Detail = strings.TrimSpace(r.Detail + " " + in.Waits.aside())
	}
	if in.Handler != "" {
		r.Detail = join(sentenceOf(r.Detail), in.Handler)
	}
	r.Badges = badges(a)
	return r
}

// causeOf returns the finding that explains the crash, or nil.
func causeOf(a *Analysis) *Finding {
	if len(a.Findings) > 0 && a.Findings[0].Cause {
		return &a.Findings[0]
	}
	return nil
}

// factsOf restores the state of an analysis from its result.
func factsOf(in *Input, a *Analysis) *facts {
	s := &facts{in: in, Analysis: a, regs: in.Regs, decoded: a.Inst.Len > 0}
	if s.regs == nil {
		s.regs = &cpu.Regs{}
	}
	if s.decoded && a.Accesses != nil {
		s.ops = s.memOps()
	}
	s.e = effective(in)
	s.classify()
	return s
}

// badges converts the findings for the page.
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

// doubts are the findings that make others doubtful.
var doubts = []Kind{BitFlipped, Inconsistent, UntrustedStack, BadStackPointer}
