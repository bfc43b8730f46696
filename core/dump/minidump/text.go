package minidump

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"crashglass/core/base/bin"
)

const (
	// maxText is the longest string, in bytes: the longest path that Windows
	// allows has 32767 characters of two bytes.
	maxText = 1 << 16

	// maxUTF8 is the limit of Crashpad's strings, which programs use for data of any kind.
	maxUTF8 = 1 << 20
)

// texts reads the strings that one list points to. It caches them, because a list of handles names
// the same ten types ten thousand times. It stops when it has read more bytes than the file has: in
// a hostile file each entry may point one byte further into the same megabyte.
type texts struct {
	f    *File
	seen map[uint64]string
	left int64

	repeated  int64 // bytes of cached texts that may be returned again
	shortened int   // texts that were shortened
}

// A text that thousands of records share would be thousands of texts in a report. If these exceed
// the file by much, only the first one is complete. shortText is about the size of a record.
const (
	longText      = 256
	shortText     = 32 // once there are more than maxShortened
	maxShortened  = 1 << 12
	leastRepeated = 1 << 20
)

func newTexts(f *File) texts {
	return texts{f: f, seen: map[uint64]string{}, left: 2*f.src.Size() + 4096, repeated: f.src.Size() + leastRepeated}
}

// utf16 reads a MINIDUMP_STRING: a u32 of bytes, then UTF-16. No alignment can
// be relied on: Breakpad aligns strings to 8, Windows to 4 and LLDB not at all.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_string
func (t *texts) utf16(rva uint64) (string, error) { return t.read(rva, 0, maxText, utf16Text) }

// utf8 reads a MinidumpUTF8String of Crashpad: a u32 of bytes, then UTF-8.
func (t *texts) utf8(rva uint64) (string, error) {
	return t.read(rva, 1, maxUTF8, func(b []byte, _ binary.ByteOrder) string { return utf8Text(b) })
}

// read reads a string with a length in front. Kinds share no remembered text.
func (t *texts) read(rva, kind uint64, limit uint64, decode func([]byte, binary.ByteOrder) string) (string, error) {
	key := rva<<1 | kind
	if text, ok := t.seen[key]; ok {
		return t.again(text), nil
	}
	head, err := t.f.src.Read("string", offset(rva), 4)
	if err != nil {
		return "", err
	}
	n := uint64(t.f.order.Uint32(head))
	data, err := t.spend("string", offset(rva)+4, min(n, limit))
	if err != nil {
		return "", err
	}
	text := decode(data, t.f.order)
	t.f.traceLong("string", offset(rva), n, data, []byte(text))
	if n > limit {
		return text, &bin.Error{What: "string", Off: offset(rva), Why: fmt.Sprintf("length %d exceeds %d", n, limit)}
	}
	t.seen[key] = text
	return text, nil
}

// again returns a cached text, or its beginning.
func (t *texts) again(text string) string {
	if len(text) <= shortText {
		return text
	}
	if t.repeated >= int64(len(text)) {
		t.repeated -= int64(len(text))
		return text
	}
	kept := min(longText, len(text))
	if t.shortened++; t.shortened > maxShortened {
		kept = shortText
	}
	if kept == len(text) {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes, whole where it is first)", strings.ToValidUTF8(text[:kept], ""), len(text))
}

// bytes reads a record that a list points to, at most maxText bytes.
func (t *texts) bytes(what string, loc Location) ([]byte, error) {
	return t.spend(what, offset(loc.RVA), min(loc.Size, maxText))
}

// spend reads bytes until the limit is used up.
func (t *texts) spend(what string, off int64, n uint64) ([]byte, error) {
	if t.f.src.Has(off, n) { // a read beyond the file reports its defect, and costs nothing
		if err := t.charge(what, off, n); err != nil {
			return nil, err
		}
	}
	return t.f.src.Read(what, off, n)
}

// charge counts bytes before they are read.
func (t *texts) charge(what string, off int64, n uint64) error {
	if t.left < int64(n) {
		return &bin.Error{What: what, Off: off, Why: "what this list points to is longer than the file altogether"}
	}
	t.left -= int64(n)
	return nil
}

// utf16Text drops half pairs, an odd last byte, and terminators, which some writers include in the length.
func utf16Text(b []byte, order binary.ByteOrder) string {
	var text strings.Builder
	text.Grow(len(b) / 2) // most text is ASCII
	for ; len(b) >= 2; b = b[2:] {
		r := rune(order.Uint16(b))
		if utf16.IsSurrogate(r) {
			var low rune
			if len(b) >= 4 {
				low = rune(order.Uint16(b[2:]))
			}
			if r = utf16.DecodeRune(r, low); r != unicode.ReplacementChar {
				b = b[2:]
			}
		}
		text.WriteRune(r)
	}
	return strings.TrimRight(text.String(), "\x00")
}

// utf8Text makes bytes valid UTF-8 and removes terminators.
func utf8Text(b []byte) string {
	return strings.ToValidUTF8(strings.TrimRight(string(b), "\x00"), "\ufffd")
}

// cstring returns the text before the first NUL.
func cstring(b []byte) string {
	text, _, _ := strings.Cut(string(b), "\x00")
	return strings.ToValidUTF8(text, "\ufffd")
}

// fixedUTF16 returns the text before the first NUL of a fixed array.
func fixedUTF16(b []byte, order binary.ByteOrder) string {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == 0 && b[i+1] == 0 {
			b = b[:i]
			break
		}
	}
	return utf16Text(b, order)
}
