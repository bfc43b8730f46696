package minidump

import (
	"strings"
	"testing"
)

func TestMicrocode(t *testing.T) {
	for text, want := range map[string]string{
		"microcode\t: 0x2b000590\n": "0x2b000590",
		"microcode : 0x0001\n":      "0x1",
		"microcode : 12\n":          "", // not how the kernel writes it
		"microcode : 0xzz\n":        "",
		"flags : fpu\n":             "",
		"":                          "",
	} {
		if got := microcode(KeyValues(text, ":")); got != want {
			t.Errorf("%q: microcode %q, want %q", text, got, want)
		}
	}
}

// An annotation of Crashpad is a text or, of a type of the program's own, bytes.
func TestAnnotationValues(t *testing.T) {
	long := make([]byte, 65)
	for _, tt := range []struct {
		a    Annotation
		want string
	}{
		{Annotation{Type: AnnotationString, Value: []byte("text")}, "text"},
		{Annotation{Type: AnnotationUser, Value: []byte{1, 0xab}}, "01 ab (type 0x8000)"},
		{Annotation{Type: AnnotationInvalid}, " (type 0x0)"},
		{Annotation{Type: 0x8001, Value: long[:64]}, strings.TrimSpace(strings.Repeat("00 ", 64)) + " (type 0x8001)"},
		{Annotation{Type: 0x8001, Value: long}, strings.TrimSpace(strings.Repeat("00 ", 64)) + "… (65 bytes of type 0x8001)"},
	} {
		if got := tt.a.shown(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
