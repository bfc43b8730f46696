package crash

// An attachment is an annotation that says what happened.
type attachment struct {
	name string
	kind Kind
	text string
}

// attachments are the annotations of Chromium and Electron that name a cause.
// Sources: Chromium's ReportV8OOMError (v8-oom-*) and crash keys of
// PartitionAlloc; Electron's shell/common/node_bindings.cc (electron.v8-*).
var attachments = []attachment{
	{"electron.v8-oom.location", OutOfMemory, "Out of memory: JavaScript heap"},
	{"electron.v8-oom.is_heap_oom", OutOfMemory, "Out of memory: JavaScript heap"},
	{"v8-oom-location", OutOfMemory, "Out of memory: JavaScript heap"},
	{"v8-oom-stack", OutOfMemory, "Out of memory: JavaScript heap"},
	{"oom-size", OutOfMemory, "Out of memory"},
	{"OOMAllocationSize", OutOfMemory, "Out of memory"},
	{"electron.v8-fatal.message", Asserted, "Fatal error of V8"},
	{"MozCrashReason", Asserted, "MOZ_CRASH"},
	{"mojo-message-error", Asserted, "Bad message between processes"},
	{"bad_message_reason", Asserted, "Bad message between processes"},
}

// findAttachment uses an annotation as the cause if no access to memory failed: programs attach
// these just before they end themselves. MozCrashReason also counts with a write to address 0,
// because Mozilla's programs end themselves with one.
func (s *facts) findAttachment() []candidate {
	if s.fault.memory && !(s.fault.known && s.fault.addr == 0) {
		return nil
	}
	for _, known := range attachments {
		if v := s.annotation(known.name); v != "" && (!s.fault.memory || known.name == "MozCrashReason") {
			return explanation(Finding{Kind: known.kind, Text: known.text, Confidence: 0.9, Evidence: []string{
				"The program attached " + known.name + ": " + sentenceOf(v), s.mechanismOr("The exception is " + s.Reason + ".")}})
		}
	}
	return nil
}

// mechanismOr is the mechanism, or a sentence where there is none.
func (s *facts) mechanismOr(text string) string {
	if m := s.mechanism(); m != "" {
		return m
	}
	return text
}

// annotation returns the value of an annotation, "" when there is none.
func (s *facts) annotation(name string) string {
	for _, a := range s.in.Annotations {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}
