package log

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"crashglass/core/base/bin"
)

// The encoding of a log by its first bytes: a mark, or zeros at every second of the first six.
func TestLogEncodings(t *testing.T) {
	text, none := Encoding{1, 0, 0}, Encoding{}
	little, big := Encoding{2, 0, 0}, Encoding{2, 1, 0}
	for head, want := range map[string]Encoding{
		"":                                 none,
		"M":                                text,
		"MDM":                              text,
		"MDMP":                             none,
		"MDMP and text":                    none,
		"PMDM, the other byte order":       none,
		"a line\n":                         text,
		"a NUL\x00":                        none,
		"\x00a NUL before":                 none,
		"\xff\xfe":                         {2, 0, 2},
		"\xff\xfea\x00":                    {2, 0, 2},
		"\xfe\xff\x00a":                    {2, 1, 2},
		"\xfe\xfe":                         text,
		"a\x00b\x00c\x00d\x00":             little,
		"a\x00b\x00c\x00dd":                little,
		"a\x00b\x00c\x00d":                 none, // too short to be sure
		"a\x00b\x00cc\x00d":                none,
		"a\x00bb\x00c\x00d":                none,
		"aa\x00b\x00c\x00d":                none,
		"\x00\x00b\x00c\x00d\x00":          none,
		"\x00a\x00b\x00c\x00d":             big,
		"\x00a\x00b\x00cdd":                big,
		"\x00a\x00b\x00c\x00":              none,
		"\x00a\x00bc\x00\x00d":             none,
		"\x00ab\x00\x00c\x00d":             none,
		"\x00\x00\x00b\x00c\x00d":          none,
		strings.Repeat("a", 4095) + "\x00": none,
		strings.Repeat("a", 4096) + "\x00": text, // only the beginning is read
	} {
		enc, ok := Sniff(bin.NewSource(strings.NewReader(head), int64(len(head))))
		if ok != (want != none) || ok && enc != want {
			t.Errorf("%.30q: %+v, %t; want %+v", head, enc, ok, want)
		}
	}
}

// UTF-16 becomes bytes, however its reader cuts it. What is not ASCII becomes a question mark.
func TestNarrowReaderInPieces(t *testing.T) {
	for _, tt := range []struct {
		low      int
		in, want string
	}{
		{0, "", ""}, {0, "a", ""}, {0, "a\x00", "a"}, {1, "\x00a", "a"}, {0, "a\x00b", "a"}, {0, "a\x00b\x00c\x00", "abc"}, {1, "\x00a\x00b\x00c\x00", "abc"},
		{0, "a\x01\x00\x00\xff\x00b\x00", "?\x00\xffb"}, {1, "\x01a\x00\x00\x00\xff\x00b", "?\x00\xffb"},
	} {
		for name, cut := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "single bytes": iotest.OneByteReader, "halves": iotest.HalfReader, "the end with the last bytes": iotest.DataErrReader,
		} {
			for _, room := range []int{1, 2, 3, 512} {
				var got bytes.Buffer
				n := &narrowReader{r: cut(strings.NewReader(tt.in)), low: tt.low}
				if _, err := io.CopyBuffer(&got, struct{ io.Reader }{n}, make([]byte, room)); err != nil || got.String() != tt.want {
					t.Errorf("%q as %s into %d bytes: %q, %v; want %q", tt.in, name, room, got.String(), err, tt.want)
				}
			}
		}
	}
}
