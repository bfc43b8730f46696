package text

import (
	"bytes"
	"encoding/json"
)

// messages are the keys of the text in a line of JSON, in the order in which they are searched. Docker's json-file driver has "log".
var messages = [][]byte{[]byte(`"log":`), []byte(`"message":`), []byte(`"msg":`)}

// further are the keys of a stack beside the text.
var further = [][]byte{[]byte(`"stack":`), []byte(`"stack_trace":`), []byte(`"stacktrace":`)}

// unpack queues the lines of the text in a line that a logger has written as JSON, {"level":"error","message":"panic: no dock\n\ngoroutine 1"}, and
// reports whether the line is one. The journal's field has the key "MESSAGE": its family reads the whole value.
func (s *scanner) unpack(line Line) bool {
	said, ok := line.packed()
	if !ok {
		return false
	}
	if stack, ok := member(line.Text, further); ok {
		said = append(append(said, '\n'), stack...)
	}
	var lines []Line
	for part := range bytes.SplitSeq(bytes.TrimSuffix(said, []byte("\n")), []byte("\n")) {
		lines = append(lines, Line{Text: plain(bytes.TrimSuffix(part, []byte("\r"))), Number: line.Number, Start: line.Start, End: line.End, unpacked: true})
	}
	s.queued = append(lines, s.queued...)
	return true
}

// packed returns the text in a line of JSON.
func (l *Line) packed() ([]byte, bool) {
	trimmed := bytes.TrimLeft(l.Text, " \t")
	if l.unpacked || len(trimmed) < 2 || trimmed[0] != '{' || bytes.HasPrefix(trimmed, []byte("{{{")) {
		return nil, false
	}
	return member(trimmed, messages)
}

// message returns the text of a line, that in it if it is one of JSON.
func (l *Line) message() []byte {
	if said, ok := l.packed(); ok {
		return bytes.TrimRight(said, "\r\n")
	}
	return l.Text
}

// member returns the text behind the first of the keys that a line has.
func member(line []byte, keys [][]byte) ([]byte, bool) {
	for _, key := range keys {
		_, rest, ok := bytes.Cut(line, key)
		rest = bytes.TrimLeft(rest, " ")
		if !ok || len(rest) == 0 || rest[0] != '"' {
			continue
		}
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end < len(rest) && bytes.IndexByte(rest[:end], '\\') < 0 {
			return bytes.Clone(rest[1:end]), true
		}
		var said string
		if end < len(rest) && json.Unmarshal(rest[:end+1], &said) == nil {
			return []byte(said), true
		}
	}
	return nil, false
}
