package swift

import "strings"

// A table says what letters mean. It is written as text, "key=value|key=value",
// because as a map literal every entry is code.
type table map[string]string

// tableOf reads a table. Space around an entry does not count, so that it can have lines.
func tableOf(text string) table {
	t := table{}
	for entry := range strings.SplitSeq(text, "|") {
		if key, value, ok := strings.Cut(strings.Trim(entry, "\n\t"), "="); ok {
			t[key] = value
		}
	}
	return t
}

// of is what a letter means, and whether it means anything.
func (t table) of(c byte) (string, bool) {
	text, ok := t[string(rune(c))]
	return text, ok
}
