package analyze

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/core/report"
)

// maxNotes bounds the list; the last note counts the rest.
const maxNotes = 1000

// notes collects defects. A defect that is found twice, because two parts of a report need one
// stream, is one note.
type notes struct {
	list []report.Note
	more int
}

// file records a defect of the file.
func (n *notes) file(d process.Note) {
	if d.Where != "" {
		n.odd(d.Where, d.Err.Error())
		return
	}
	note := report.Note{Kind: report.NoteDamage, Where: "dump", Text: d.Err.Error(), Count: 1 + d.More}
	var at *bin.Error
	if errors.As(d.Err, &at) {
		note.Where, note.Text, note.Offset = at.What, at.Why, &at.Off
		if at.Beyond {
			note.Kind = report.NoteTruncated
		}
	}
	n.add(note)
}

// odd records a defect without a place in the file.
func (n *notes) odd(where, text string) {
	n.add(report.Note{Kind: report.NoteOdd, Where: where, Text: text, Count: 1})
}

// add records a note once. The same defect is often met by several readers of one stream.
func (n *notes) add(note report.Note) {
	note.Text = oneLine(note.Text)
	for i := range n.list {
		if old := &n.list[i]; old.Where == note.Where && old.Text == note.Text && sameOffset(old.Offset, note.Offset) {
			return
		}
	}
	if len(n.list) >= maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, note)
}

// sameOffset compares offsets that may be missing.
func sameOffset(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// all lists the notes, never null.
func (n *notes) all() []report.Note {
	out := append([]report.Note{}, n.list...)
	if n.more > 0 {
		out = append(out, report.Note{Kind: report.NoteOdd, Where: "dump", Text: "further notes are left out", Count: n.more})
	}
	return out
}

// oneLine returns a sentence without line ends and control characters, which names from a damaged
// dump may hold.
func oneLine(text string) string {
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if unprintable(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// unprintable reports whether a character would disturb a line of text.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }
