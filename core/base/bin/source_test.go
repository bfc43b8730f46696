package bin

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func source(text string) Source {
	return NewSource(bytes.NewReader([]byte(text)), int64(len(text)))
}

func TestSourceHas(t *testing.T) {
	tests := []struct {
		off  int64
		n    uint64
		want bool
	}{
		{off: 0, n: 0, want: true}, {off: 0, n: 5, want: true}, {off: 0, n: 6}, {off: 5, n: 0, want: true}, {off: 5, n: 1}, {off: 6, n: 0}, {off: 4, n: 1, want: true},
		{off: -1, n: 1}, {off: 1, n: ^uint64(0)}, {off: 1 << 62, n: 1 << 63},
	}
	for _, tt := range tests {
		if got := source("hello").Has(tt.off, tt.n); got != tt.want {
			t.Errorf("%d bytes at %d: %v", tt.n, tt.off, got)
		}
	}
}

func TestSourceRead(t *testing.T) {
	tests := []struct {
		name string
		src  Source
		off  int64
		n    uint64
		want string
		err  string
	}{
		{"all", source("hello"), 0, 5, "hello", ""},
		{"end", source("hello"), 3, 2, "lo", ""},
		{"nothing", source("hello"), 5, 0, "", ""},
		{"too much", source("hello"), 3, 3, "", "thing at 0x3: 3 bytes reach beyond the end of the file at 0x5"},
		{"far too much", source("hello"), 0, 1 << 60, "", "thing at 0x0: 1152921504606846976 bytes reach beyond the end of the file at 0x5"},
		{"negative", source("hello"), -2, 1, "", "thing at 0xfffffffffffffffe: 1 bytes reach beyond the end of the file at 0x5"},
		{"empty file", Source{}, 0, 1, "", "thing at 0x0: 1 bytes reach beyond the end of the file at 0x0"},
		{"nothing of an empty file", Source{}, 0, 0, "", ""},
		{"negative size", NewSource(nil, -5), 0, 1, "", "thing at 0x0: 1 bytes reach beyond the end of the file at 0x0"},
		{"shorter than it says", NewSource(bytes.NewReader([]byte("hell")), 5), 0, 5, "", "thing at 0x4: reading failed: unexpected EOF"},
		{"broken", NewSource(broken{}, 5), 1, 2, "", "thing at 0x1: reading failed: broken"},
		{"stuck", NewSource(stuck{}, 5), 1, 2, "", "thing at 0x1: reading failed: unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.src.Read("thing", tt.off, tt.n)
			if string(got) != tt.want || errString(err) != tt.err {
				t.Errorf("%q, %v", got, err)
			}
			var typed *Error
			if err != nil && !errors.As(err, &typed) {
				t.Errorf("%T is no *Error", err)
			}
		})
	}
}

type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errors.New("broken") }

// stuck breaks the contract of io.ReaderAt: nothing read and no error.
type stuck struct{}

func (stuck) ReadAt([]byte, int64) (int, error) { return 0, nil }

func TestSourceReadUpTo(t *testing.T) {
	tests := []struct {
		off  int64
		n    uint64
		want string
		err  string
	}{
		{0, 2, "he", ""},
		{3, 100, "lo", ""},
		{3, ^uint64(0), "lo", ""},
		{5, 1, "", "thing at 0x5: lies beyond the end of the file at 0x5"},
		{-1, 1, "", "thing at 0xffffffffffffffff: lies beyond the end of the file at 0x5"},
	}
	for _, tt := range tests {
		got, err := source("hello").ReadUpTo("thing", tt.off, tt.n)
		if string(got) != tt.want || errString(err) != tt.err {
			t.Errorf("%d bytes at %d: %q, %v", tt.n, tt.off, got, err)
		}
	}
}

func TestSourceReadAt(t *testing.T) {
	p := make([]byte, 3)
	if n, err := source("hello").ReadAt(p, 3); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("across the end: %d, %v", n, err)
	}
	if n, err := source("hello").ReadAt(p, 5); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if n, err := (Source{}).ReadAt(p, 0); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("an empty file: %d, %v", n, err)
	}
}
