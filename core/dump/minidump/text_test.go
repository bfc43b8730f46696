package minidump

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestSharedText has records that share one long text: all have its beginning, and only a few the
// whole text.
func TestSharedText(t *testing.T) {
	const n = 4000
	data := asm.At(0).U32(20000).Bytes(bytes.Repeat([]byte("x\x00"), 10000)).Build(t)
	f := &File{src: bin.NewSource(bytes.NewReader(data), int64(len(data))), order: binary.LittleEndian}
	texts, size := newTexts(f), 0
	for range n {
		text, err := texts.utf16(0)
		if err != nil || !strings.HasPrefix(text, strings.Repeat("x", shortText)) {
			t.Fatalf("%.20q, %v", text, err)
		}
		size += len(text)
	}
	if size > leastRepeated+len(data)+n*(longText+64)+10000 {
		t.Errorf("%d bytes of text", size)
	}
}
