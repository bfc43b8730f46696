package sanitize

import (
	"strings"
	"testing"
)

// every returns the finders of everything, to be tried at each byte.
func every() *finders {
	all := &finders{at: everything.at}
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
	for _, k := range keys {
		for _, prefix := range []string{"", "?", "&", "--db-"} {
			texts = append(texts, prefix+k.name+"="+value, prefix+strings.ToUpper(k.name)+": "+value, prefix+k.name+" "+value)
		}
	}
	for _, p := range patterns {
		texts = append(texts, p.mark+value, strings.ToUpper(p.mark)+value, p.mark)
	}
	texts = append(texts, "postgres://jane:secret@host/", "jane@example.org", "a@", ":", "p")
	found := 0
	for _, text := range texts {
		got, want := findSecrets([]byte(text)), every().find([]byte(text))
		found += len(want)
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if found < len(keys)+len(patterns) {
		t.Errorf("%d secrets in %d texts", found, len(texts))
	}
}
