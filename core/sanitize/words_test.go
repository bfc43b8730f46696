package sanitize

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// A word of memory is a piece of a text when at least half of it are characters and
// the rest is zeros; three characters are the least.
func TestTextInWords(t *testing.T) {
	for _, tt := range []struct {
		word string
		want bool
	}{
		{word: "password", want: true},
		{word: "pass\x00\x00\x00\x00", want: true},
		{word: "pas\x00\x00\x00\x00\x00"}, // less than half
		{word: "pass\x00\x00\x00\x01"},
		{word: "passwor\x7f"},
		{word: "passwor\x1f"},
		{word: " ~ ~ ~ ~", want: true}, // the first and the last character
		{word: "p\x00a\x00s\x00s\x00", want: true},
		{word: "p\x00a\x00\x00\x00\x00\x00", want: true},
		{word: "p\x00\x00\x00\x00\x00\x00\x00"},
		{word: "p\x00a\x00s\x01s\x00"},
		{word: "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{word: "pass", want: true},
		{word: "pas\x00", want: true},
		{word: "pa\x00\x00"},
		{word: "p\x00a\x00", want: true},
		{word: ""},
	} {
		if got := isText([]byte(tt.word)); got != tt.want {
			t.Errorf("%q is text: %t", tt.word, got)
		}
		b := []byte(tt.word)
		switch len(b) {
		case 4:
			if got := isTextNumber(uint64(binary.LittleEndian.Uint32(b)), 4, binary.LittleEndian); got != tt.want {
				t.Errorf("%q as a number is text: %t", tt.word, got)
			}
			if isTextNumber(1<<32|uint64(binary.LittleEndian.Uint32(b)), 4, binary.LittleEndian) {
				t.Errorf("%q is text in a number that has more than 4 bytes", tt.word)
			}
		case 8:
			if got := isTextNumber(binary.BigEndian.Uint64(b), 8, binary.BigEndian); got != tt.want {
				t.Errorf("%q as a number is text: %t", tt.word, got)
			}
		}
	}
}

// Runs of nine characters are texts, in bytes or in UTF-16. What overlaps one for more
// than its half is part of it.
func TestTextsOverlap(t *testing.T) {
	list := texts{{8, 24}, {40, 49}}
	for _, tt := range []struct {
		off, n int
		want   bool
	}{
		{off: 0, n: 8}, {off: 4, n: 8}, {off: 5, n: 8, want: true}, {off: 8, n: 8, want: true}, {off: 16, n: 8, want: true},
		{off: 19, n: 8, want: true}, {off: 20, n: 8}, {off: 24, n: 8},
		{off: 32, n: 8}, {off: 36, n: 8}, {off: 37, n: 8, want: true}, {off: 44, n: 8, want: true}, {off: 45, n: 8}, {off: 48, n: 1, want: true}, {off: 49, n: 1}, {off: 100, n: 8},
	} {
		if got := list.overlaps(tt.off, tt.n); got != tt.want {
			t.Errorf("%d bytes at %d: %t", tt.n, tt.off, got)
		}
	}
	for _, tt := range []struct {
		data string
		want texts
	}{
		{"\x01eightchr\x01", nil},
		{"\x01ninechars\x01", texts{{1, 10}}},
		{"ninechars", texts{{0, 9}}},
		{wide("eightchr"), nil},
		{"\x01" + wide("ninechars"), texts{{1, 19}}},
		{"ninechars\x00ninechars", texts{{0, 9}, {10, 19}}},
		{"", nil},
	} {
		if got := textIn([]byte(tt.data)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.data, got, tt.want)
		}
	}
}

// What a system calls its version stays; what else stands in the field goes.
func TestSystemVersions(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "Service Pack 1": true, "Linux 5.4.0 #1 SMP x86_64": true, "Darwin Kernel Version 20": true, "#1 SMP": true,
		"19F101": true, "-fc-v669 #1 SMP PREEMPT_DYNAMIC @0 x86_64": true, "6.1.0-hidden #1": true, "-x": false, "6.1 of alice": false, "6.1.0-alice's #1": false, "alice #1": false,
		"21A5248u": true, "10.0.19041": true, "1234567890": true,
		"12345678901":   false, // longer than every build
		"Linuxoid":      false,
		"build":         false, // no digit
		"7 of alice":    false,
		"alice's 7":     false,
		"Service-Pack1": false,
	} {
		if got := isSystem(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Passwords of addresses, and addresses that have none.
func TestPasswordsOfURLs(t *testing.T) {
	long := strings.Repeat("a", maxURLPassword)
	for text, want := range map[string]string{
		"https://alice:hunter2@example.org/":   "https://alice:[removed]@example.org/",
		"x://:p@h":                             "x://:[removed]@h", // no name
		"https://alice:a:b@h":                  "https://alice:[removed]@h",
		"https://alice:p@ss@h":                 "https://alice:[removed]@h", // up to the last
		"https://alice:p@ss@h/bob@h":           "https://alice:[removed]@h/bob@h",
		"https://alice:p@h?to=bob@h":           "https://alice:[removed]@h?to=bob@h",
		"https://alice:p@h#bob@h":              "https://alice:[removed]@h#bob@h",
		"https://alice:p?q@h":                  "https://alice:[removed]@h",
		"https://alice:@h":                     "https://alice:@h",
		"https://alice@h":                      "https://alice@h",
		"https://h:8080/a@b":                   "https://h:8080/a@b", // a port
		"https://h:8080/ alice:x@h":            "https://h:8080/ alice:x@h",
		"https://alice:" + long + "@h":         "https://alice:" + long + "@h",
		"https://a:" + long[:500] + "@h":       "https://a:[removed]@h",
		"http:/alice:p@h":                      "http:/alice:p@h",
		"://":                                  "://",
		"a://b:c@d e://f:g@h":                  "a://b:[removed]@d e://f:[removed]@h",
		"https://alice:" + maskedSecret + "@h": "https://alice:" + maskedSecret + "@h", // masked already
	} {
		if got := finding().forms.mask(text); got != want {
			t.Errorf("%.60q: %.60q, want %.60q", text, got, want)
		}
	}
}

// Secrets in text of one and of two bytes a character, at even and at odd offsets.
func TestSecretsOfEitherWidth(t *testing.T) {
	const url = "ftp://bob:secret@h"
	at := strings.Index(url, "secret")
	for _, tt := range []struct {
		data     string
		from, to int
	}{
		{url, at, at + 6},
		{wide(url), 2 * at, 2 * (at + 6)},
		{"\x01" + wide(url), 1 + 2*at, 1 + 2*(at+6)},
		{"\x00\x00" + wide(url), 2 + 2*at, 2 + 2*(at+6)},
	} {
		var found bool
		for h := range everySecret([]byte(tt.data)) {
			found = found || h.kind == "a password in a URL" && h.from == tt.from && h.to == tt.to
		}
		if !found {
			t.Errorf("%q: %+v, want %d to %d", tt.data, slices.Collect(everySecret([]byte(tt.data))), tt.from, tt.to)
		}
	}
}

// Names are replaced in texts and in the folders of paths. The name of a file stays,
// since symbols are found by it, and so do short names, which are parts of words.
func TestNamesInPaths(t *testing.T) {
	m := &masks{people: []string{"alice-smith", "alice", "bob"}}
	for in, want := range map[string]string{
		"/srv/alice/app":       "/srv/user/app",
		"/srv/alice/alice.so":  "/srv/user/alice.so",
		`D:\alice\alice.pdb`:   `D:\user\alice.pdb`,
		"/srv/alice-smith/app": "/srv/user/app", // the longest first
		"/srv/bob/app":         "/srv/bob/app",
		"alice":                "alice",
		"":                     "",
	} {
		if got := m.path(in); got != want {
			t.Errorf("path %q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"hello alice": "hello user", "bobsled": "bobsled", "alice-smith": "user"} {
		if got := m.text(in); got != want {
			t.Errorf("text %q: %q, want %q", in, got, want)
		}
	}
	m.names = true
	if got := m.path("/srv/alice/app") + m.text("alice"); got != "/srv/alice/appalice" {
		t.Errorf("names that stay: %q", got)
	}
}
