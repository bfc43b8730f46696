package analyze

import (
	"fmt"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/report"
)

// annotations lists the annotations of the program and its crash reporter.
func (s *Session) annotations() []report.Annotation {
	out := []report.Annotation{}
	if c := keep(&s.notes, s.file.Crashpad); c != nil {
		out = append(out, s.crashpad(c)...)
	}
	for _, text := range keep(&s.notes, s.file.Comments) {
		out = append(out, report.Annotation{Name: "comment", Value: text, Source: "Comment"})
	}
	for _, t := range facebookTexts {
		if !s.file.Has(t) {
			continue
		}
		text := keep(&s.notes, func() (string, error) { return s.file.Text(t) })
		out = append(out, report.Annotation{Name: t.Name(), Value: text, Source: t.Name()})
	}
	return out
}

// facebookTexts are Facebook's streams that are text, as LLDB lists them.
var facebookTexts = []minidump.StreamType{
	0xface_dead, 0xface_cafa, 0xface_cafb, 0xface_cafc, 0xface_cafd, 0xface_cafe,
	0xface_cb00, 0xface_cccc, 0xface_e000, 0xface_1ca7,
}

// crashpad lists the annotations of a Crashpad client: those of the process,
// then those of each module.
func (s *Session) crashpad(c *minidump.CrashpadInfo) []report.Annotation {
	const source = "CrashpadInfo"
	var out []report.Annotation
	for _, id := range []struct {
		name string
		guid minidump.GUID
	}{{"report id", c.ReportID}, {"client id", c.ClientID}} {
		if id.guid != (minidump.GUID{}) {
			out = append(out, report.Annotation{Name: id.name, Value: id.guid.Dashed(), Source: source})
		}
	}
	for _, kv := range c.Annotations {
		out = append(out, report.Annotation{Name: kv.Key, Value: kv.Value, Source: source})
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		add := func(name, value string) {
			out = append(out, report.Annotation{Name: name, Value: value, Source: source, Module: ptr(s.listedName(m.Module))})
		}
		for _, text := range m.List {
			add("", text)
		}
		for _, kv := range m.Simple {
			add(kv.Key, kv.Value)
		}
		for j := range m.Objects {
			add(m.Objects[j].Name, annotationValue(&m.Objects[j]))
		}
	}
	return out
}

// annotationValue is the text of a string, and the beginning of anything else
// in hex: its type is the program's own.
func annotationValue(a *minidump.Annotation) string {
	if text, ok := a.Text(); ok {
		return text
	}
	const shown = 64
	if len(a.Value) > shown {
		return fmt.Sprintf("% x… (%d bytes of type %#x)", a.Value[:shown], len(a.Value), uint16(a.Type))
	}
	return fmt.Sprintf("% x (type %#x)", a.Value, uint16(a.Type))
}

// lastWords are the names of annotations in which programs store why they ended themselves:
// Chromium's and Android's, Mozilla's, Crashpad's for iOS.
var lastWords = []string{"LOG_FATAL", "abort_message", "MozCrashReason", "exceptionReason", "exception_reason", "FacebookAbortReason"}

// readMessage finds the message with which the program ended itself: a failed assertion, the crash
// info of macOS' libraries, or an annotation.
func (s *Session) readMessage(r *report.Report) {
	if a := keep(&s.notes, s.file.Assertion); a != nil {
		s.message, s.check = assertionText(a), checks[a.Type]
		return
	}
	if r.MacCrashInfo != nil {
		for i := range r.MacCrashInfo.Records {
			if m := r.MacCrashInfo.Records[i].Message; m != nil {
				s.message = strings.TrimSpace(*m)
				return
			}
		}
	}
	for _, name := range lastWords {
		for _, a := range r.Annotations {
			if a.Name == name && a.Value != "" {
				s.message = strings.TrimSpace(a.Value)
				return
			}
		}
	}
}
