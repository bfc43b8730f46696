package analyze

import (
	"encoding/json"
	"fmt"
	"strings"

	"crashglass/core/crash"
	"crashglass/core/minidump"
	"crashglass/core/report"
)

// handles lists open handles.
func (s *Session) handles() []report.Handle {
	if !s.file.Has(minidump.HandleDataStream) {
		return nil
	}
	out := []report.Handle{}
	for _, h := range keep(&s.notes, s.file.Handles) {
		out = append(out, report.Handle{Handle: h.Value, TypeName: some(h.Type), ObjectName: some(h.Name)})
	}
	return out
}

// checks are the kinds of assertions in package crash's words.
var checks = map[uint32]crash.Check{minidump.InvalidParameter: crash.InvalidArgument, minidump.PureVirtualCall: crash.PureVirtualCall}

// assertionText makes Breakpad's sentence from the known parts of an assertion.
func assertionText(a *minidump.Assertion) string {
	var b strings.Builder
	switch a.Type {
	case minidump.InvalidParameter:
		b.WriteString("Invalid parameter passed to library function")
	case minidump.PureVirtualCall:
		b.WriteString("Pure virtual function called")
	default:
		fmt.Fprintf(&b, "Assertion of type %d failed", a.Type)
	}
	if a.Expression != "" {
		fmt.Fprintf(&b, " %s", a.Expression)
	}
	if a.Function != "" {
		fmt.Fprintf(&b, " in function %s", a.Function)
	}
	if a.File != "" {
		fmt.Fprintf(&b, ", in file %s", a.File)
	}
	if a.Line != 0 {
		fmt.Fprintf(&b, " at line %d", a.Line)
	}
	return b.String()
}

// softErrors lists the errors of the dump's writer, whatever the shape of its JSON.
func (s *Session) softErrors() any {
	if !s.file.Has(minidump.SoftErrorsStream) {
		return nil
	}
	text := keep(&s.notes, func() (string, error) { return s.file.Text(minidump.SoftErrorsStream) })
	if !json.Valid([]byte(text)) {
		s.notes.odd("moz soft errors", "is not JSON")
		return nil
	}
	return json.RawMessage(text)
}
