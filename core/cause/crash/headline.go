package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/report"
)

// what returns the first half of the sentence.
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

// withoutCause returns the headline of a crash without a known cause.
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
		text = slices.DeleteFunc([]string{s.mechanism(), s.noteOrDoubt()}, func(t string) bool { return t == "" })
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
