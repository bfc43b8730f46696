package pdb

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestBlockSizes has the sizes that blocks may have: powers of two from 512 to 65536.
func TestBlockSizes(t *testing.T) {
	for size, want := range map[int]bool{256: false, 512: true, 1024: true, 4096: true, 65536: true, 131072: false} {
		p := x86(t)
		p.block = size
		got := openError(p.build(t))
		if want != (got == "") || !want && got != fmt.Sprintf("pdb: superblock at 0x34: blocks of %d bytes, want a power of two from 512 to 65536", size) {
			t.Errorf("blocks of %d bytes: %q", size, got)
		}
	}
	if got := openError(wordAt(x86(t).build(t), atBlockSize, 768)); got != "pdb: superblock at 0x34: blocks of 768 bytes, want a power of two from 512 to 65536" {
		t.Errorf("%q", got)
	}
}

// TestStreamNumbers asks for streams that are there, deleted, and outside.
func TestStreamNumbers(t *testing.T) {
	m := &msf{blockSize: blockSize, blocks: 8, sizes: []uint32{0, nilSize, 5}, lists: []int64{16, 16, 16},
		dir: streamOf(t, "directory", asm.At(0).U32(3, 0, nilSize, 5, 7))}
	for i, want := range map[int]string{0: "", 1: "stream 1 (x) at 0x0: is not there: the directory has 3 streams", 2: "", 3: "stream 3 (x) at 0x0: is not there: the directory has 3 streams", -1: "stream -1 (x) at 0x0: is not there: the directory has 3 streams"} {
		s, err := m.stream(i, "x")
		if errorText(err) != want || m.has(i) != (want == "") {
			t.Errorf("%d: %v, has %v, want %q", i, err, m.has(i), want)
		}
		if i == 2 && (s.size != 5 || len(s.blocks) != 1 || s.blocks[0] != 7) {
			t.Errorf("%+v", s)
		}
	}
}

// TestStreamSizes has directories whose streams are larger than the file or the directory.
func TestStreamSizes(t *testing.T) {
	const rest = "; this stream and those after it are left out"
	for _, tt := range []struct {
		name  string
		dir   *asm.Section
		want  int // streams
		err   string
		notes string
	}{
		{"three", asm.At(0).U32(3, 0, 600, 1).U32(4, 5, 6), 3, "", ""},
		{"none", asm.At(0).U32(0), 0, "", ""},
		{"one that was deleted", asm.At(0).U32(2, nilSize, 512, 4), 2, "", ""},
		{"more than the directory has", asm.At(0).U32(4, 0, 0, 0), 0, "directory at 0x0: 4 streams, but it has 16 bytes", ""},
		{"all blocks of the file", asm.At(0).U32(1, 8*blockSize).U32(0, 1, 2, 3, 4, 5, 6, 7), 1, "", ""},
		{"one block more", asm.At(0).U32(2, 0, 8*blockSize+1).U32(0, 1, 2, 3, 4, 5, 6, 7, 8), 1, "",
			"directory at 0x8: stream 1 has 4097 bytes: with it the streams take 9 blocks, the file has 8, and 48 bytes of directory, which has 48" + rest},
		{"a list that is cut off", asm.At(0).U32(3, 512, 512, 512, 1, 2), 2, "",
			"directory at 0xc: stream 2 has 512 bytes: with it the streams take 3 blocks, the file has 8, and 28 bytes of directory, which has 24" + rest},
	} {
		m := &msf{blockSize: blockSize, blocks: 8, dir: streamOf(t, "directory", tt.dir)}
		n := &notes{}
		err := m.readSizes(n)
		if errorText(err) != tt.err || err == nil && (len(m.sizes) != tt.want || len(m.lists) != tt.want) || strings.Join(n.all(), "\n") != tt.notes {
			t.Errorf("%s: %d streams, %v, notes %q", tt.name, len(m.sizes), err, n.all())
		}
	}
}

// A fault is a file that cannot be read from an offset on.
type fault struct {
	data []byte
	from int64
	err  error
}

func (f fault) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p[:min(int64(len(p)), max(f.from-off, 0))], f.data[off:])
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

// TestStreamReadAt reads as an io.ReaderAt: to the end, behind it, and from files that fail.
func TestStreamReadAt(t *testing.T) {
	data := make([]byte, 4*blockSize)
	for i := range data {
		data[i] = byte(i / 3)
	}
	for _, tt := range []struct {
		name      string
		from      int64 // what fails
		err       error
		off, size int64
		n         int
		want      error
	}{
		{"all", 4 * blockSize, nil, 0, 700, 700, nil}, {"up to the end", 4 * blockSize, nil, 690, 10, 10, nil}, {"beyond it", 4 * blockSize, nil, 690, 11, 10, io.EOF},
		{"at the end", 4 * blockSize, nil, 700, 1, 0, io.EOF}, {"behind it", 4 * blockSize, nil, 900, 1, 0, io.EOF}, {"before the start", 4 * blockSize, nil, -1, 1, 0, io.EOF},
		{"a file that ends", 2*blockSize + 8, io.EOF, 0, 700, 520, io.ErrUnexpectedEOF}, {"one that says nothing", 2*blockSize + 8, nil, 0, 700, 520, io.ErrUnexpectedEOF},
		{"one that fails", 2*blockSize + 8, errPending, 0, 700, 520, errPending}, {"before it fails", 2*blockSize + 8, errPending, 0, 520, 520, nil},
	} {
		m := &msf{src: bin.NewSource(fault{data, tt.from, tt.err}, int64(len(data))), blockSize: blockSize, blocks: 4}
		s := &stream{m: m, what: "stream", size: 700, blocks: []uint32{1, 2}}
		p := make([]byte, tt.size)
		n, err := s.ReadAt(p, tt.off)
		if n != tt.n || err != tt.want || n > 0 && !slices.Equal(p[:n], data[blockSize+tt.off:][:n]) {
			t.Errorf("%s: %d bytes, %v, want %d, %v", tt.name, n, err, tt.n, tt.want)
		}
	}
	s := &stream{m: &msf{blockSize: blockSize, blocks: 4}, what: "stream", size: 2 * maxWhole, blocks: make([]uint32, 1)}
	if _, err := s.read(16, maxWhole+1); errorText(err) != "stream at 0x10: 536870913 bytes, at most 536870912 are read at once" {
		t.Errorf("%v", err)
	}
}
