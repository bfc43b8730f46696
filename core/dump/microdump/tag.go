package microdump

import "bytes"

// breakpadTag is the tag of a microdump's writer in Android's log.
const breakpadTag = "google-breakpad"

// split finds the message in a log line with Breakpad's tag, and the process that wrote it: two
// processes may write at once.
//
//	F/google-breakpad( 3745): message                                brief, and with the time before it: time
//	02-23 15:49:14.700  1740  1739 F google-breakpad: message        threadtime
//	F/google-breakpad: message                                       tag
//
// Source: logcat(1), "Control the log output format".
func split(line []byte) (writer string, message []byte, ok bool) {
	i := bytes.Index(line, []byte(breakpadTag))
	if i < 0 {
		return "", nil, false
	}
	before, rest := line[:i], line[i+len(breakpadTag):]
	if bytes.HasPrefix(rest, []byte("(")) {
		pid, after, closed := bytes.Cut(rest[1:], []byte(")"))
		if !closed {
			return "", nil, false
		}
		writer, rest = string(bytes.TrimSpace(pid)), after
	} else {
		writer = numbers(before)
	}
	message, ok = bytes.CutPrefix(rest, []byte(":"))
	return writer, bytes.TrimPrefix(message, []byte(" ")), ok
}

// numbers returns the words at a line's beginning that are numbers: process and thread, but not the
// time.
func numbers(before []byte) string {
	var out []byte
	for _, word := range bytes.Fields(before) {
		if len(bytes.Trim(word, "0123456789")) == 0 {
			out = append(append(out, word...), ' ')
		}
	}
	return string(out)
}
