package sniff

import "bytes"

// logMarks stand near the beginning of logs of Android: of what logcat prints,
// and of a bug report. A text with one of them is searched as a whole.
var logMarks = []string{"google-breakpad", "--------- beginning of ", "== dumpstate: "}

// Text reports whether a file of that kind is text in which a report may be.
func (k Kind) Text() bool { return k == Text || k == Tombstone || k == IPS }

// InText returns the kind of a text with a dump or a report of a kind of package container in it, or k if
// there is none.
func InText(found string, k Kind) Kind {
	switch {
	case found == "":
		return k
	case Kind(found) == Microdump:
		return Microdump
	}
	return Report
}

// LikeLog reports whether the beginning of a text is like that of a log.
func LikeLog(head []byte) bool {
	for _, mark := range logMarks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}
