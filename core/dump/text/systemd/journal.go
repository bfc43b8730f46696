package systemd

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const (
	maxEntry  = 32 << 20 // bytes of an entry of the journal
	maxPretty = 1 << 14  // lines of one
)

// readJournal reads an entry of the journal: one line of JSON, or several that begin and end with a brace. Other entries than those of
// crashes are no reports.
func readJournal(l *text.Lines) []*process.Process {
	var entry map[string]json.RawMessage
	data, err := entryOf(l)
	if err != nil {
		return nil
	}
	r := newReport()
	if err := text.Decode(json.NewDecoder(bytes.NewReader(data)), &entry); err != nil {
		r.d.Note(l, "the entry cannot be read up to its end: %v", err)
	}
	if entry["COREDUMP_PID"] == nil {
		return nil
	}
	r.exe = value(entry["COREDUMP_EXE"])
	if n, _, ok := text.Decimal(value(entry["COREDUMP_PID"])); ok {
		r.d.PID(n)
	}
	if n, rest, ok := text.Decimal(value(entry["COREDUMP_SIGNAL"])); ok && rest == "" {
		r.signal(n)
	}
	for name, key := range map[string]string{"process": "COREDUMP_COMM", "Executable": "COREDUMP_EXE", "Unit": "COREDUMP_UNIT", "Package": "COREDUMP_PACKAGE_NAME"} {
		r.d.Annotate(name, value(entry[key]))
	}
	sorting.Stable(r.d.Process.Annotations, func(a, b process.Annotation) int { return strings.Compare(a.Name, b.Name) })
	r.d.Maps(strings.Split(value(entry["COREDUMP_PROC_MAPS"]), "\n"))
	r.packages(value(entry["COREDUMP_PACKAGE_JSON"]))
	for line := range strings.SplitSeq(value(entry["MESSAGE"]), "\n") {
		r.message(strings.TrimSpace(line))
	}
	return r.finish()
}

// entryOf returns the bytes of an entry. One that is on several lines begins with the brace before the first line.
func entryOf(l *text.Lines) ([]byte, error) {
	first := l.First()
	if at := strings.IndexByte(first, '{'); at >= 0 && at < strings.IndexByte(first, '"') {
		if !strings.Contains(first, `"COREDUMP_`) && len(first) < text.MaxLine {
			return nil, nil
		}
		l.Next()
		data, err := l.Raw(maxEntry)
		return data[min(at, len(data)):], err
	}
	l.Begin(0)
	data := []byte("{")
	for range maxPretty {
		line, ok := l.Next()
		if !ok {
			break
		}
		data = append(append(data, line...), '\n')
		if line == "}" {
			break
		}
	}
	return data, nil
}

// packages reads the build IDs of modules: {"elfType": "coredump", "/opt/knob/knob": {"buildId": "68a7"}}.
func (r *report) packages(s string) {
	var all map[string]json.RawMessage
	if text.Unmarshal([]byte(s), &all) != nil {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		var m struct {
			BuildID string `json:"buildId"`
		}
		if json.Unmarshal(all[path], &m) == nil && m.BuildID != "" {
			r.d.Image(text.Image{Path: r.path(path), BuildID: m.BuildID})
		}
	}
}

// value is the value of a field: a text, a list of bytes if it is not UTF-8, the first value of several, or null if it is too long.
func value(raw json.RawMessage) string {
	var s string
	var codes []byteOrText
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &codes) != nil || len(codes) == 0:
		return ""
	case codes[0].isText:
		return codes[0].text
	}
	var b bytes.Buffer
	for _, c := range codes {
		b.WriteByte(c.code)
	}
	return b.String()
}

// A byteOrText is an element of a list.
type byteOrText struct {
	code   byte
	text   string
	isText bool
}

// UnmarshalJSON reads a number or a text.
func (b *byteOrText) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		b.isText = true
		return json.Unmarshal(data, &b.text)
	}
	return json.Unmarshal(data, &b.code)
}
