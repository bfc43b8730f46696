package text

import (
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// note is a family of reports that begin with "NOTE name" and end with "END". Each other line is a frame's
// name. A report without "END" is none.
var note = Family{Kinds: []string{"note"}, Marks: []string{"NOTE "}, Read: func(l *Lines) []*process.Process {
	d := NewDraft("note")
	first, _ := l.Next()
	d.Thread(process.Thread{Name: strings.TrimPrefix(first, "NOTE ")})
	for {
		line, ok := l.Next()
		switch {
		case !ok:
			return nil
		case line == "END":
			return []*process.Process{d.Finish()}
		}
		d.Frame(Frame{Names: process.Names{Function: line}})
	}
}}

func source(s string) bin.Source { return bin.NewSource(strings.NewReader(s), int64(len(s))) }

// notes lists the reports of a log as "name: frame frame", with the text that each is of.
func notes(log string) (out []string) {
	all, _, _ := OpenAll([]Family{{Marks: []string{"NOTHING ", "NOTE b"}, Read: func(*Lines) []*process.Process { return nil }}, note})(source(log))
	for _, p := range all {
		var b strings.Builder
		fmt.Fprintf(&b, "%s:", p.Threads[0].Name)
		for _, f := range p.Threads[0].Frames {
			fmt.Fprintf(&b, " %s", f.Stated.Function)
		}
		out = append(out, b.String())
	}
	return out
}
