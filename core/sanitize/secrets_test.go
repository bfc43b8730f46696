package sanitize

import (
	"slices"
	"strings"
	"testing"
)

// every returns the finders of everything, to be tried at each byte.
func every() *finders {
	all := &finders{at: finding().everything.at}
	for i := range all.pairs {
		all.pairs[i] = [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	return all
}

// The search by pairs of bytes finds the same secrets as a search at each byte, for each name and mark in
// both cases.
func TestPairsHideNothing(t *testing.T) {
	const value = "AKIAabcDEF0123456789abcDEF0123456789abcDEF0123456789"
	var texts []string
	for _, k := range tables().keys {
		for _, prefix := range []string{"", "?", "&", "--db-"} {
			texts = append(texts, prefix+k.name+"="+value, prefix+strings.ToUpper(k.name)+": "+value, prefix+k.name+" "+value)
		}
	}
	for _, p := range tables().patterns {
		texts = append(texts, p.mark+value, strings.ToUpper(p.mark)+value, p.mark)
	}
	texts = append(texts, "postgres://jane:secret@host/", "jane@example.org", "a@", ":", "p")
	found := 0
	for _, text := range texts {
		got, want := finding().everything.find([]byte(text)), every().find([]byte(text))
		found += len(want)
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if found < len(tables().keys)+len(tables().patterns) {
		t.Errorf("%d secrets in %d texts", found, len(texts))
	}
}

// A letter that is repeated begins no name, whatever letters beyond ASCII are in names: such texts are
// skipped, however long they are. "ss" begins "ssh_key", and "pp" "pplx-".
func TestRepeatedLettersAreSkipped(t *testing.T) {
	for c := byte('a'); c <= 'z'; c++ {
		for _, text := range []string{strings.Repeat(string(c), 2), strings.Repeat(strings.ToUpper(string(c)), 2)} {
			if got, want := finding().everything.has([]byte(text), 0), c == 's' || text == "pp"; got != want {
				t.Errorf("%q may begin a secret: %t, want %t", text, got, want)
			}
		}
	}
}

// A letter beyond ASCII in a name is found in either case, and as URLs and JSON encode it.
func TestSecondLetterBeyondASCII(t *testing.T) {
	for _, text := range []string{"aðgangsorð=hunter2", "AÐGANGSORÐ=hunter2", "a%C3%B0gangsor%C3%B0=hunter2", `a\u00f0gangsor\u00f0=hunter2`, "mật khẩu: hunter2", "MẬT_KHẨU=hunter2", "x-amz-signature=hunter2", "XAmzSignature: hunter2"} {
		if got := finding().everything.find([]byte(text)); len(got) != 1 || got[0].to-got[0].from != len("hunter2") {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// find lists the secrets in a text, in order.
func (t *finders) find(data []byte) []hit {
	return slices.Collect(t.each(data))
}
