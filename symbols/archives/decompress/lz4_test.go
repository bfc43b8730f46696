package decompress

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// Blocks refer to what came before them, in the same block or in the last, and
// overlap what they become.
func TestLz4Blocks(t *testing.T) {
	head := func() *asm.Section { return asm.At(0).U32(0x184d_2204).U8(0x40, 0x40, 0) } // no checksums, 64 KiB
	for _, tt := range []struct {
		name string
		file *asm.Section
		want string
	}{
		{"stored", head().U32(1<<31 | 3).Text("abc").U32(0), "abc"},
		{"a run", head().U32(6).U8(0x1a).Text("a").U16(1).U8(0x10).Text("b").U32(0), "a" + strings.Repeat("a", 14) + "b"},
		{"long literals", head().U32(22).U8(0xf0, 5).Text("0123456789abcdefghij").U32(0), "0123456789abcdefghij"},
		{"across blocks", head().U32(1<<31 | 4).Text("abcd").U32(5).U8(0x00).U16(4).U8(0x10).Text("!").U32(0), "abcdabcd!"},
		{"two frames", head().U32(1<<31|1).Text("a").U32(0).U32(0x184d_2a51, 2).Text("..").Append(head().U32(1<<31 | 1).Text("b").U32(0)), "ab"},
	} {
		if got, err := read(unpackLZ4, tt.file.Build(t)); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestLz4Damage(t *testing.T) {
	head := func() *asm.Section { return asm.At(0).U32(0x184d_2204).U8(0x40, 0x40, 0) }
	for _, tt := range []struct {
		file *asm.Section
		want string
	}{
		{head().U32(1 << 30), "lz4: block of 1073741824 bytes exceeds the 65536 of the frame"},
		{head().U32(4).U8(0x00).U16(1).U8(0), "lz4: a block is damaged"},           // before the beginning
		{head().U32(5).U8(0x10).Text("a").U16(0).U8(0), "lz4: a block is damaged"}, // offset 0
		{head().U32(4).U8(0xf0, 255, 255, 255).U32(0), "lz4: a block is damaged"},  // a length without an end
		{head().U32(1<<31 | 3).Text("a"), "unexpected EOF"},                        // cut
		{asm.At(0).U32(0x184d_2204).U8(0x80, 0x40, 0), "lz4: version 2 of a frame is not 1"},
		{asm.At(0).U32(0x184d_2204).U8(0x41, 0x40, 0), "lz4: a frame with a dictionary cannot be read without it"},
	} {
		if _, err := read(unpackLZ4, tt.file.Build(t)); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// The vectors are those of the specification's reference program.
func TestXXH32(t *testing.T) {
	for text, want := range map[string]uint32{
		"": 0x02cc5d05, "a": 0x550d7456, "abc": 0x32d153ff, "Nobody inspects the spammish repetition": 0xe2293b2f,
	} {
		var x xxh32
		for i := range len(text) {
			x.write([]byte{text[i]})
		}
		if got := x.sum(); got != want || sum32([]byte(text)) != want {
			t.Errorf("%q: %#08x and %#08x, want %#08x", text, got, sum32([]byte(text)), want)
		}
	}
}

// The checksum goes on behind 4 GiB, where a size of 32 bits is 0 again: lz4 ends
// a block there, so that a write begins at that size.
func TestXXH32Behind4GiB(t *testing.T) {
	const block = "0123456789abcdef"
	x := xxh32{lanes: [4]uint32{1, 2, 3, 4}, size: 1<<32 - 16}
	y := xxh32{lanes: x.lanes}
	for range 2 {
		x.write([]byte(block))
		y.stripe([]byte(block))
	}
	if x.lanes != y.lanes {
		t.Errorf("%x, want %x", x.lanes, y.lanes)
	}
	short := xxh32{lanes: y.lanes, size: 1<<32 + 3, tail: []byte("abc")}
	if got, none := short.sum(), sum32([]byte("abc")); got == none {
		t.Errorf("of 4 GiB and three bytes: %#08x, which is that of the three", got)
	}
}

func FuzzLz4(f *testing.F) {
	f.Add([]byte("\x04\x22\x4d\x18\x40\x40\x00\x03\x00\x00\x80abc\x00\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, data []byte) { read(unpackLZ4, data) })
}
