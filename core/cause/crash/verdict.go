package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/report"
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
	r.inGoroutine(s)
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
	s := &facts{in: in, Analysis: a, regs: cmp.Or(in.Regs, &cpu.Regs{}), decoded: a.Inst.Len > 0}
	if s.decoded && a.Accesses != nil {
		s.ops = s.memOps()
	}
	s.e = effective(in)
	s.classify()
	return s
}

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
var doubts = []Kind{BitFlipped, FlippedCode, ChangedCode, Inconsistent, UntrustedStack, BadStackPointer}

func what(s *facts, cause *Finding) string {
	text := headline(s, cause)
	if s.Event.doubtful() && s.at() >= nullPage { // below, a null pointer is far more frequent
		text += fmt.Sprintf(", or %s sent by %s", s.signalName(), s.Event.Sender.text())
	}
	return text
}

// headline returns what happened, by the witness that is believed.
func headline(s *facts, cause *Finding) string {
	if cause == nil {
		return s.withoutCause()
	}
	switch cause.Kind {
	case NullPointer:
		return "Null pointer " + s.fault.verb()
	case NonCanonical:
		switch {
		case s.fault.known:
			return s.accessTo("a non-canonical address")
		case s.usesPointer():
			return "Invalid pointer " + s.fault.verb()
		}
		return cause.Text
	case Unmapped, Inaccessible:
		if !s.fault.known {
			return cause.Text
		}
		kind := map[Kind]string{Unmapped: "unmapped", Inaccessible: "inaccessible"}[cause.Kind]
		return s.accessTo(kind + " address " + hex(s.fault.addr))
	case GuardPage:
		return s.accessTo("a guard page")
	}
	return cause.Text
}

func (s *facts) withoutCause() string {
	switch {
	case s.fault.memory && s.fault.known:
		return s.accessTo("address " + hex(s.fault.addr))
	case s.fault.memory && s.in.Exception.NoAddress:
		return "Invalid memory access (" + s.ReasonName + "): address not stated"
	case s.fault.memory:
		return "Invalid memory access: address unknown"
	case s.apple() && (s.e.Code == excCrash || s.e.Code == excCorpse):
		return "Abnormal end of the process"
	case s.apple() && s.e.Code == 0 || s.Reason == "":
		return "Crash of an unknown kind"
	}
	return "Crash: " + s.ReasonName
}

// accessTo names an access and its target: "Write to a guard page".
func (s *facts) accessTo(target string) string {
	return map[string]string{"read": "Read from ", "write": "Write to ", "call": "Jump to ", "access": "Access to "}[s.fault.verb()] + target
}

// detail returns the mechanism in one or two sentences, with the values that prove it.
func detail(s *facts, cause *Finding, frame int) string {
	var text []string
	if cause != nil && len(cause.Evidence) > 0 {
		text = append(text, cause.Evidence[:min(len(cause.Evidence), 2)]...)
	} else {
		text = compact(s.mechanism(), s.noteOrDoubt())
	}
	if len(text) == 0 && s.in.Exception.Unknown {
		text = append(text, "The dump has neither the signal nor the address of the crash.")
	}
	if len(text) == 0 && s.e.Code == 0 {
		text = append(text, "The exception has the code 0, which stands for none, and nothing else in the dump shows the cause.")
	}
	if frame > 0 && (len(text) < 2 || s.in.Frames[0].FoundBy == report.ByFile) && s.in.Frames[0].module() != "" {
		text = append(text, s.innermost()+".")
	}
	if frame >= 0 && s.in.Frames[frame].Guess && !isJump(cause) {
		text = append(text, fmt.Sprintf("The place is probably `%s`: its frame was found by scanning the stack.", s.in.Frames[frame].name()))
	}
	if from := originText(s.in.Origin); from != "" && len(text) > 0 {
		text = slices.Insert(text, 1, from)
	}
	for i := range max(len(text)-1, 0) {
		text[i] = sentenceOf(text[i]) // a message of the program has no full stop
	}
	return strings.Join(text, " ")
}

// noteOrDoubt returns the meaning of the reason, or the evidence against it.
func (s *facts) noteOrDoubt() string {
	if s.allowed() {
		return s.mappingsDiffer()
	}
	return s.Note
}

// innermost names the innermost frame. It names a function of a system library only if the name is
// certain: all code behind the last public symbol has that symbol's name.
func (s *facts) innermost() string {
	f := &s.in.Frames[0]
	if f.function() == "" || !f.certain() && s.isSystem(f) && f.FoundBy != report.ByFile {
		return "The innermost frame is in " + f.module()
	}
	return "The innermost frame is " + f.place()
}
