package text

import (
	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
)

// An excerpt is the lines of a report, without those of other writers of the log.
type excerpt struct {
	src      bin.Source
	encoding log.Encoding
	parts    []part // in order
}

// A part is lines that follow one another, by their offsets in the file.
type part struct{ from, to int64 }

// maxExcerpt bounds the bytes of a report that is written again.
const maxExcerpt = 64 << 20

// read returns the lines, of a file in UTF-16 as ASCII.
func (e *excerpt) read() (out []byte, err error) {
	end := int64(0)
	for _, p := range e.parts {
		p.from = max(p.from, end)
		if p.to <= p.from {
			continue
		}
		if end = p.to; int64(len(out))+p.to-p.from > maxExcerpt {
			return nil, &bin.Error{What: "report", Off: p.from, Why: "has too many bytes"}
		}
		data, err := e.src.Read("report", p.from, uint64(p.to-p.from))
		if err != nil {
			return nil, err
		}
		if out = append(out, e.encoding.Plain(data)...); len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out, nil
}

// own takes a line for one of the report.
func (l *Lines) own(line Line) {
	if n := len(l.parts); n > 0 && l.parts[n-1].to == line.Start {
		l.parts[n-1].to = line.End
	} else {
		l.parts = append(l.parts, part{line.Start, line.End})
	}
}

// disown takes the line that was read last for none of the report.
func (l *Lines) disown() {
	if n := len(l.parts); n > 0 && l.parts[n-1].to == l.last.End {
		l.parts[n-1].to = l.last.Start
		if n > 1 && l.parts[n-1].from == l.parts[n-1].to {
			l.parts = l.parts[:n-1]
		}
	}
}
