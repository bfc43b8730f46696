package sniff

import (
	"bytes"

	"crashglass/core/base/bin"
)

// microdumpBegin is the first line of a microdump.
const microdumpBegin = "-----BEGIN BREAKPAD MICRODUMP-----"

// logMarks stand near the beginning of logs of Android: of what logcat prints,
// and of a bug report. A text with one of them is worth a look at all of it.
var logMarks = []string{"google-breakpad", "--------- beginning of ", "== dumpstate: "}

// Log reports whether a file of that kind may be a log.
func (k Kind) Log() bool { return k == Text || k == Tombstone }

// LikeLog reports whether the beginning of a text is like that of a log.
func LikeLog(head []byte) bool {
	for _, mark := range logMarks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

// searchChunk is how much of a text is searched at once.
const searchChunk = 1 << 20

// HasMicrodump searches a whole text for a microdump, which may be anywhere in a log. It stops
// without a result if the text cannot be read or progress ends it.
func HasMicrodump(src bin.Source, progress func(done int64) error) bool {
	patterns := [][]byte{[]byte(microdumpBegin)}
	if head, err := src.ReadUpTo("text", 0, 2); err == nil && isUTF16(head) {
		patterns = [][]byte{inUTF16(microdumpBegin, 0), inUTF16(microdumpBegin, 1)}
	}
	overlap := len(patterns[0]) - 1
	for off := int64(0); off < src.Size(); off += searchChunk {
		if progress != nil && progress(off) != nil {
			return false
		}
		data, err := src.ReadUpTo("text", off, uint64(searchChunk+overlap))
		if err != nil {
			return false
		}
		for _, p := range patterns {
			if bytes.Contains(data, p) {
				return true
			}
		}
	}
	return false
}

// isUTF16 looks at the mark, or at the first character, which is ASCII.
func isUTF16(head []byte) bool {
	return len(head) == 2 && (head[0] == 0 || head[1] == 0 || string(head) == "\xff\xfe" || string(head) == "\xfe\xff")
}

// inUTF16 is ASCII as UTF-16, with the character in the first or second byte of
// each unit.
func inUTF16(text string, at int) []byte {
	out := make([]byte, 2*len(text))
	for i := range len(text) {
		out[2*i+at] = text[i]
	}
	return out
}
