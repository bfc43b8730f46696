package text

import "bytes"

// A prefix is what a log collector writes before each line: time, host, process, tag, level.
//
//	2026-11-23T05:09:58.1234567Z                          GitHub Actions, Docker
//	Nov 23 05:09:58 server kernel: [ 5097.700255]         syslog
//	03-02 10:11:12.346  4400  4400 F DEBUG   :            logcat, threadtime
//	app-1  |                                              Docker Compose
//
// Numbers may change from line to line, and everything else is the same. The numbers of a process and a
// thread are the same, too, so that lines of other writers are told apart. If the second line has no
// prefix, the log has one for each message, and the report is the rest of the message.
type prefix struct {
	text  []byte
	known bool // the second line was read
	first bool // only the first line has it
}

// cut returns the line behind the prefix. It reports false for a line of another writer.
func (p *prefix) cut(line []byte) ([]byte, bool) {
	if len(p.text) == 0 {
		return line, true
	}
	rest, own := p.match(line)
	if !p.known {
		p.known, p.first = true, !own && !p.stamped(line)
	}
	if p.first {
		return line, !p.stamped(line)
	}
	return rest, own
}

func (p *prefix) match(line []byte) ([]byte, bool) {
	i, j, seenTime := 0, 0, false
	for i < len(p.text) {
		a, b := digits(p.text[i:]), digits(line[min(j, len(line)):])
		switch {
		case a > 0 && b > 0:
			if p.writer(i, i+a, seenTime) && string(p.text[i:i+a]) != string(line[j:j+b]) {
				return nil, false
			}
			seenTime = seenTime || i+a < len(p.text) && p.text[i+a] == ':'
			i, j = i+a, j+b
		case p.text[i] == ' ':
			// Numbers are aligned with spaces, and a line without text may lose those at its end.
			n, m := spaces(p.text[i:]), spaces(line[min(j, len(line)):])
			if m == 0 && j < len(line) && digits(p.text[i+n:]) == 0 {
				return nil, false
			}
			if i+n == len(p.text) {
				m = min(n, m) // what is behind belongs to the message
			}
			i, j = i+n, j+m
		case j < len(line) && p.text[i] == line[j]:
			i, j = i+1, j+1
		default:
			return nil, false
		}
	}
	return line[min(j, len(line)):], true
}

// stamped reports whether a line begins like the prefix, up to the time in it, whoever wrote it. A prefix
// without a time is compared as a whole.
func (p *prefix) stamped(line []byte) bool {
	stamp := p.text
	if colon := bytes.IndexByte(stamp, ':'); colon >= 0 && colon+1 < len(stamp) && digits(stamp[colon+1:]) > 0 {
		if end := bytes.IndexByte(stamp[colon:], ' '); end >= 0 {
			stamp = stamp[:colon+end]
		}
	}
	i, j := 0, 0
	for i < len(stamp) {
		if stamp[i] == ' ' { // numbers are aligned with spaces
			i, j = i+spaces(stamp[i:]), j+spaces(line[min(j, len(line)):])
			continue
		}
		if j >= len(line) || class(stamp[i]) != class(line[j]) {
			return false
		}
		n, m := run(stamp[i:]), run(line[j:])
		i, j = i+n, j+m
	}
	return true
}

// class is 'a' for letters, '0' for digits, and the byte itself for others.
func class(b byte) byte {
	switch {
	case b >= '0' && b <= '9':
		return '0'
	case b|0x20 >= 'a' && b|0x20 <= 'z':
		return 'a'
	}
	return b
}

// run is the number of bytes of one class at the beginning of s.
func run(s []byte) int {
	n := 1
	for n < len(s) && class(s[n]) == class(s[0]) {
		n++
	}
	return n
}

// writer reports whether a number of the prefix is that of a process or a thread: one in brackets
// behind a name, in parentheses, or between spaces behind the time.
func (p *prefix) writer(from, to int, seenTime bool) bool {
	before := bytes.TrimRight(p.text[:from], " ")
	if len(before) == 0 || to == len(p.text) {
		return false
	}
	switch open, after := before[len(before)-1], p.text[to]; {
	case open == '(':
		return after == ')'
	case open == '[':
		return after == ']' && len(before) > 1 && before[len(before)-2] != ' '
	default:
		return seenTime && len(before) < from && after == ' '
	}
}

func digits(s []byte) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func spaces(s []byte) (n int) {
	for n < len(s) && s[n] == ' ' {
		n++
	}
	return n
}
