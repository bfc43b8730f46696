package decompress

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"crashglass/core/testkit/asm"
)

// The vectors of xxHash's xxhsum.c, XSUM_sanityCheck, as of version 0.7.
func TestXXH32OfSanityCheck(t *testing.T) {
	buffer := make([]byte, 101)
	for i, gen := 0, uint32(2654435761); i < len(buffer); i++ {
		buffer[i] = byte(gen >> 24)
		gen *= gen
	}
	for n, want := range map[int]uint32{0: 0x02cc5d05, 1: 0xb85cbee5, 14: 0xe5aa0ab4, 101: 0x1f1aa412} {
		if got := sum32(buffer[:n]); got != want {
			t.Errorf("%d bytes: %#08x, want %#08x", n, got, want)
		}
		for cut := range n { // in two writes
			var x xxh32
			x.write(buffer[:cut])
			x.write(buffer[cut:n])
			if got := x.sum(); got != want {
				t.Errorf("%d and %d bytes: %#08x, want %#08x", cut, n-cut, got, want)
			}
		}
	}
}

// An lz4Frame is a frame of LZ4 being written, as its format describes it.
type lz4Frame struct {
	flags, size byte
	blocks      []string // stored
	wrongBlock  bool     // sums of blocks
	wrongSum    bool     // of the content
}

const lz4Version = 1 << 6

func (f lz4Frame) build(t *testing.T) []byte {
	s := asm.At(0).U32(lz4Magic).U8(f.flags, f.size<<4)
	content := strings.Join(f.blocks, "")
	if f.flags&lz4ContentSize != 0 {
		s.U64(uint64(len(content)))
	}
	s.U8(0) // the checksum of the header
	wrong := func(yes bool) uint32 {
		if yes {
			return 1
		}
		return 0
	}
	for _, b := range f.blocks {
		s.U32(lz4Stored | uint32(len(b))).Text(b)
		if f.flags&lz4BlockChecksum != 0 {
			s.U32(sum32([]byte(b)) ^ wrong(f.wrongBlock))
		}
	}
	s.U32(0)
	if f.flags&lz4Checksum != 0 {
		s.U32(sum32([]byte(content)) ^ wrong(f.wrongSum))
	}
	return s.Build(t)
}

// What a frame has beside its blocks depends on its flags.
func TestLz4Frames(t *testing.T) {
	blocks := []string{"abc", "defgh", strings.Repeat("x", 100)}
	want := strings.Join(blocks, "")
	for _, flags := range []byte{0, lz4BlockChecksum, lz4ContentSize, lz4Checksum, lz4BlockChecksum | lz4ContentSize | lz4Checksum, 1 << 5} {
		for size := byte(4); size <= 7; size++ {
			data := lz4Frame{flags: lz4Version | flags, size: size, blocks: blocks}.build(t)
			if got, err := read(unpackLZ4, data); err != nil || got != want {
				t.Errorf("flags %#x, blocks of %d: %q, %v", flags, size, got, err)
			}
			if got, err := read(unpackLZ4, append(data, data...)); err != nil || got != want+want {
				t.Errorf("flags %#x, twice: %q, %v", flags, got, err)
			}
			for n := 1; n < len(data); n++ {
				if _, err := read(unpackLZ4, data[:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("flags %#x, %d of %d bytes: %v", flags, n, len(data), err)
				}
			}
		}
	}
}

// The error names the checksum or size that is wrong. Frames that other programs put between (skippable
// frames) are left out.
func TestLz4Sums(t *testing.T) {
	all := byte(lz4Version | lz4BlockChecksum | lz4Checksum)
	skipped := func(magic uint32, n int) string { return string(asm.At(0).U32(magic, uint32(n)).Zeros(n).Build(t)) }
	good := string(lz4Frame{flags: all, size: 4, blocks: []string{"abc"}}.build(t))
	for _, tt := range []struct{ name, data, want, fails string }{
		{"a wrong block", string(lz4Frame{flags: all, size: 4, blocks: []string{"abc"}, wrongBlock: true}.build(t)), "", "lz4: checksum of the block is 0x32d153ff, not 0x32d153fe"},
		{"wrong content", string(lz4Frame{flags: all, size: 4, blocks: []string{"abc"}, wrongSum: true}.build(t)),
			"abc", "lz4: checksum of the content is 0x32d153ff, not 0x32d153fe"},
		{"blocks of 3", string(lz4Frame{flags: all, size: 3}.build(t)), "", "lz4: block size 3 is not one of 4 to 7"},
		{"version 0", string(lz4Frame{flags: 0, size: 4}.build(t)), "", "lz4: version 0 of a frame is not 1"},
		{"another magic", "abcd", "", "lz4: magic 0x64636261 is not 0x184d2204"},
		{"skipped before", skipped(0x184d2a50, 5) + good, "abc", ""},
		{"skipped behind", good + skipped(0x184d2a5f, 0), "abc", ""},
		{"only skipped", skipped(0x184d2a50, 3), "", "unexpected EOF"},
		{"skipped, and cut", good + skipped(0x184d2a50, 100)[:50], "abc", "unexpected EOF"},
		{"noise behind", good + "noise", "abc", "lz4: magic 0x73696f6e is not 0x184d2204"},
		{"nothing", "", "", "unexpected EOF"},
	} {
		got, err := read(unpackLZ4, []byte(tt.data))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if got != tt.want || said != tt.fails {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, got, said, tt.want, tt.fails)
		}
	}
}

// Sequences of a block (lz4_Block_format.md): lengths, and how far back a match is.
func TestLz4Sequences(t *testing.T) {
	long := func(n int) []byte { // what follows 15
		return append(bytes.Repeat([]byte{255}, (n-15)/255), byte((n-15)%255))
	}
	xs := strings.Repeat("x", 300)
	for _, tt := range []struct {
		name   string
		before string
		block  []byte
		limit  int
		want   string // or "" for damage
	}{
		{"nothing", "ab", nil, 10, "ab"},
		{"literals", "", append([]byte{0x30}, "abc"...), 10, "abc"},
		{"15 literals", "", append([]byte{0xf0, 0}, xs[:15]...), 20, xs[:15]},
		{"270 literals", "", append(append([]byte{0xf0}, long(270)...), xs[:270]...), 300, xs[:270]},
		{"a match of 4", "abcd", []byte{0x00, 4, 0, 0x00}, 10, "abcdabcd"},
		{"a match of 19", "ab", append([]byte{0x0f, 2, 0}, append(long(15), 0x00)...), 30, strings.Repeat("ab", 10) + "a"},
		{"a match of 300", "x", append([]byte{0x0f, 1, 0}, append(long(296), 0x00)...), 400, xs + "x"},
		{"up to the limit", "abcd", []byte{0x00, 4, 0, 0x00}, 8, "abcdabcd"},
		{"beyond it", "abcd", []byte{0x00, 4, 0, 0x00}, 7, ""},
		{"literals beyond it", "", append([]byte{0x30}, "abc"...), 2, ""},
		{"fewer literals than said", "", append([]byte{0x40}, "abc"...), 10, ""},
		{"an offset of 0", "abcd", []byte{0x00, 0, 0, 0x00}, 10, ""},
		{"an offset before the beginning", "abcd", []byte{0x00, 5, 0, 0x00}, 10, ""},
		{"half an offset", "abcd", []byte{0x00, 4}, 10, ""},
		{"a length without an end", "abcd", []byte{0x0f, 4, 0, 255}, 1000, ""},
		{"literals' length without an end", "abcd", []byte{0xf0, 255, 255}, 1000, ""},
	} {
		got, err := lz4Block([]byte(tt.before), tt.block, tt.limit)
		if tt.want == "" && tt.block != nil {
			if err != errLz4 {
				t.Errorf("%s: %q, %v", tt.name, got, err)
			}
			continue
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// A section that is damaged has what came before, and says how far that goes.
func TestDamagedSections(t *testing.T) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	fmt.Fprint(w, strings.Repeat("0123456789", 100))
	w.Close()
	full := packed.Bytes()
	for _, tt := range []struct {
		name string
		data []byte
		size uint64
		want string
	}{
		{"whole", full, 1000, ""},
		{"fewer than it holds", full, 10, ""},
		{"more than it holds", full, 1001, "s: decompressing failed after 1000 of 1001 bytes: unexpected EOF"},
		{"cut", full[:len(full)-8], 1000, "s: decompressing failed after"},
		{"no header", []byte("no zlib at all"), 100, "s: decompressing failed after 0 of 100 bytes: zlib: invalid header"},
		{"nothing", nil, 0, ""},
		{"too much", full[:10], 10*mostInflated + 1, "s: 10321 bytes cannot be what 10 were compressed from, which are at most 10320: they are left out"},
	} {
		var notes []string
		s := NewSections(1<<10, func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) })
		src := s.Open("s", source(tt.data), 0, tt.size, Zlib)
		got := make([]byte, 2000)
		n, _ := src.ReadAt(got, 0)
		if !strings.HasPrefix(strings.Repeat("0123456789", 101), string(got[:n])) {
			t.Errorf("%s: %q", tt.name, got[:n])
		}
		if said := strings.Join(notes, "; "); !strings.HasPrefix(said, tt.want) || tt.want == "" && said != "" {
			t.Errorf("%s: %q, want %q", tt.name, said, tt.want)
		}
	}
}

// A section is read at any place, and begins where the file says.
func TestSectionReadAt(t *testing.T) {
	var packed bytes.Buffer
	packed.WriteString("head")
	w := zlib.NewWriter(&packed)
	fmt.Fprint(w, "0123456789")
	w.Close()
	s := NewSections(1<<10, func(format string, args ...any) { t.Errorf(format, args...) })
	src := s.Open("s", source(packed.Bytes()), 4, 10, Zlib)
	for off, want := range []string{"0123", "1234", "2345", "3456", "4567", "5678", "6789", "789", "89", "9", ""} {
		p := make([]byte, 4)
		n, err := src.ReadAt(p, int64(off))
		if string(p[:n]) != want || (err != nil) != (n < 4) {
			t.Errorf("at %d: %q, %v", off, p[:n], err)
		}
	}
	if again := s.Open("s", source(nil), 0, 99, Zlib); again.Size() != 10 {
		t.Errorf("opened again it has %d bytes", again.Size())
	}
	if n, err := (&unpacked{unpack: func() ([]byte, error) { return []byte("x"), nil }}).ReadAt(make([]byte, 1), -1); n != 0 || err == nil {
		t.Errorf("at -1: %d bytes, %v", n, err)
	}
}

// A table of the seekable format may have sums of its frames, which are not read.
func TestSeekableWithSums(t *testing.T) {
	frame := func(text string) []byte {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll([]byte(text), nil)
	}
	one, two := frame("first "), frame("second")
	for _, tt := range []struct {
		name       string
		descriptor byte
		count      uint32
		sums       bool
		want       bool
	}{
		{name: "with sums", descriptor: 0x80, count: 2, sums: true, want: true},
		{name: "without", descriptor: 0, count: 2, want: true},
		{name: "a table of the other kind", descriptor: 0x80, count: 2},
		{name: "reserved bits", descriptor: 0x84, count: 2, sums: true},
		{name: "unused bits", descriptor: 0x83, count: 2, sums: true, want: true},
		{name: "more frames", descriptor: 0, count: 3},
		{name: "fewer frames", descriptor: 0, count: 1},
		{name: "too many frames", descriptor: 0, count: maxBlocks + 1},
	} {
		table := asm.At(0)
		for _, f := range [][]byte{one, two} {
			if table.U32(uint32(len(f)), 6); tt.sums {
				table.U32(0xdeadbeef)
			}
		}
		table.U32(tt.count).U8(tt.descriptor).U32(0x8f92eab1)
		body := table.Build(t)
		file := append(append(append([]byte{}, one...), two...), asm.At(0).U32(0x184d2a5e, uint32(len(body))).Build(t)...)
		b, ok := zstdBlocks(sourceOf(append(file, body...)))
		if ok != tt.want {
			t.Errorf("%s: %v", tt.name, ok)
			continue
		}
		if ok {
			got := make([]byte, 12)
			if n, err := b.ReadAt(got, 0); n != 12 || err != nil || string(got) != "first second" || b.largest != 6 {
				t.Errorf("%s: %q, %v", tt.name, got[:n], err)
			}
			if _, err := b.ReadAt(got, -1); err == nil {
				t.Errorf("%s: bytes before the first", tt.name)
			}
			if n, err := b.ReadAt(got, 12); n != 0 || err != io.EOF {
				t.Errorf("%s: %d bytes behind the last, %v", tt.name, n, err)
			}
		}
	}
}

// Numbers of an xz index have 7 bits a byte; what is cut is 0.
func TestVarints(t *testing.T) {
	data := append(binary.AppendUvarint(binary.AppendUvarint([]byte{5}, 300), 1<<62), 0x80)
	for i, want := range []uint64{5, 300, 1 << 62, 0, 0} {
		if got := takeVarint(&data); got != want {
			t.Errorf("number %d: %d, want %d", i, got, want)
		}
	}
}

// Decompressors read from readers that give a byte at a time, and pass errors on.
func TestReaders(t *testing.T) {
	failed := errors.New("the disk is gone")
	data := lz4Frame{flags: lz4Version | lz4Checksum, size: 4, blocks: []string{"abc", "def"}}.build(t)
	r, err := unpackLZ4(iotest.OneByteReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(iotest.OneByteReader(r)); err != nil || string(got) != "abcdef" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := unpackLZ4(iotest.ErrReader(failed)); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}
