package pdb

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

func openError(data []byte) string {
	_, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
	if err == nil {
		return ""
	}
	return err.Error()
}

// Where the numbers of the superblock are.
const (
	atBlockSize = 0x20 + 4*iota
	atFreeMap
	atBlockCount
	atDirSize
	atZero
	atBlockMap
)

func TestRefused(t *testing.T) {
	whole := example(t).build(t)
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "pdb: superblock at 0x0: lies beyond the end of the file at 0x0"},
		{"text", []byte("hello"), "pdb: file at 0x0: not a PDB: the first bytes are not those of an MSF file"},
		{"2.00", asm.At(0).Text("Microsoft C/C++ program database 2.00\r\n\x1aJG\x00\x00").Zeros(1000).Build(t),
			"pdb: file at 0x0: a PDB of format 2.00, which Visual Studio wrote until 2001; only format 7.00 can be read"},
		{"portable", asm.At(0).Text("BSJB\x01\x00\x01\x00").Zeros(100).Build(t),
			"pdb: file at 0x0: a portable PDB: it describes .NET code, which has no native addresses"},
		{"magic only", whole[:40], "pdb: superblock at 0x28: need 4 bytes, have 0"},
		{"blocks of 7", wordAt(whole, atBlockSize, 7), "pdb: superblock at 0x34: blocks of 7 bytes, want a power of two from 512 to 65536"},
		{"large directory", wordAt(whole, atDirSize, 1<<30), "pdb: superblock at 0x2c: a directory of 1073741824 bytes, the file has 9216"},
		{"no directory", wordAt(whole, atDirSize, 0), "pdb: directory at 0x0: 4 bytes reach beyond the end of the file at 0x0"},
		{"block map outside", wordAt(whole, atBlockMap, 5000), "pdb: block map at 0x0: reading failed: block 5000, the file has 18"},
	}
	for _, tt := range tests {
		if got := openError(tt.data); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestFreeMaps has either map in use, and one that cannot be.
func TestFreeMaps(t *testing.T) {
	whole := example(t).build(t)
	for _, which := range []uint32{1, 2, 77} {
		f := openBytes(t, wordAt(whole, atFreeMap, which))
		if loc, _ := f.Locate(0x1000); loc.Line != 10 || len(f.Notes()) > 0 {
			t.Errorf("map %d: %+v, notes %q", which, loc, f.Notes())
		}
	}
}

// directoryAt is where the directory of a built file begins: its blocks are
// in one piece, before the block map.
func directoryAt(data []byte) int {
	le := func(at int) int { return int(data[at]) | int(data[at+1])<<8 | int(data[at+2])<<16 }
	return le(le(atBlockMap)*blockSize) * blockSize
}

// TestLies changes the directory, and names the functions that still can be.
func TestLies(t *testing.T) {
	whole := example(t).build(t)
	dir := directoryAt(whole)
	streams := int(whole[dir])
	sizeOf := func(i int) int { return dir + 4 + 4*i }
	list := dir + 4 + 4*streams // of stream 1, which has one block; stream 0 is empty
	tests := []struct {
		name string
		data []byte
		note string // or error
	}{
		{"too many streams", wordAt(whole, dir, 1<<20), "pdb: directory at 0x0: 1048576 streams, but it has"},
		{"a stream larger than the file", wordAt(whole, sizeOf(streams-1), 1<<29), "this stream and those after it are left out"},
		{"a stream that was deleted", wordAt(whole, sizeOf(0), nilSize), ""},
		{"info outside", wordAt(whole, list, 9999), "pdb: stream 1 (PDB info) at 0x0: reading failed: block 9999, the file has"},
		{"types outside", wordAt(whole, list+4, 9999), "stream 2 (types) at 0x0: reading failed: block 9999, the file has"},
		{"types are the superblock", wordAt(whole, list+4, 0), "stream 2 (types) at 0x0: version 1919117645"},
		{"DBI is info", wordAt(whole, list+8, 0), "stream 3 (DBI) at 0x0: signature"},
		{"cut short", whole[:len(whole)-10], "it is cut short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Open(bin.NewSource(bytes.NewReader(tt.data), int64(len(tt.data))), Options{})
			if err != nil {
				if !strings.HasPrefix(err.Error(), tt.note) || tt.note == "" {
					t.Errorf("%v, want %q", err, tt.note)
				}
				return
			}
			loc, ok := f.Locate(0x1000)
			if ok && !strings.HasPrefix(loc.Function, "main") {
				t.Errorf("%+v", loc)
			}
			if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// A sparse file has blocks, and zeros elsewhere. It counts what is read.
type sparse struct {
	size   int64
	blocks map[int64][]byte
	read   int64
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	s.read += int64(len(p))
	for i := range p {
		at := off + int64(i)
		if at >= s.size {
			return i, io.EOF
		}
		p[i] = 0
		if b := s.blocks[at/blockSize]; b != nil {
			p[i] = b[at%blockSize]
		}
	}
	return len(p), nil
}

// scatter lays streams out in a file of 3 GB: every block is far from the
// others. Stream 0, whose blocks nothing reads, is large: so the directory has
// blocks enough for several blocks of the block map, and the lists of the other
// streams are in the last of them.
func scatter(t *testing.T, streams [][]byte, adjacent bool) *sparse {
	const total = 3 << 30 / blockSize
	s := &sparse{size: total * blockSize, blocks: map[int64][]byte{}}
	next := uint32(3)
	put := func(b []byte, step uint32) (list []uint32) {
		for ; len(b) > 0; b = b[min(len(b), blockSize):] {
			block := make([]byte, blockSize)
			copy(block, b)
			s.blocks[int64(next)] = block
			list = append(list, next)
			next += step
		}
		return list
	}
	const large = 64 << 20
	dir := asm.At(0).U32(uint32(len(streams)), large)
	for _, b := range streams[1:] {
		dir.U32(uint32(len(b)))
	}
	for i := range large / blockSize {
		dir.U32(2_000_000 + uint32(i))
	}
	for _, b := range streams[1:] {
		dir.U32(put(b, 40_001)...)
	}
	dirBytes := dir.Build(t)
	dirList := put(dirBytes, 3)
	step := uint32(5)
	if adjacent {
		step = 1
	}
	maps := put(asm.At(0).U32(dirList...).Build(t), step)
	if len(maps) < 2 {
		t.Fatal("the block map has one block")
	}
	super := asm.At(0).Text(magic7).U32(blockSize, 1, total, uint32(len(dirBytes)), 0)
	if adjacent {
		maps = maps[:1] // as LLVM writes it
	}
	super.U32(maps...)
	s.blocks[0] = super.Zeros(blockSize - len(super.Build(t))).Build(t)
	return s
}

// TestHugeFile opens a file of 3 GB, and reads little of it.
func TestHugeFile(t *testing.T) {
	whole := openBytes(t, example(t).build(t))
	var streams [][]byte
	for i := range whole.msf.sizes {
		s, err := whole.msf.stream(i, "any")
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.read(0, uint64(s.size))
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, data)
	}
	for _, adjacent := range []bool{false, true} {
		src := scatter(t, streams, adjacent)
		f, err := Open(bin.NewSource(src, src.size), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range exampleAnswers() {
			if loc, ok := f.Locate(k.Rel); ok == k.None || loc.Line != k.Location.Line {
				t.Errorf("%#x: %+v, want %+v", k.Rel, loc, k.Location)
			}
		}
		if src.read > 64<<10 {
			t.Errorf("%d bytes were read", src.read)
		}
	}
}

// TestStreamReads reads every range of a stream whose blocks are partly
// adjacent.
func TestStreamReads(t *testing.T) {
	file := make([]byte, 8*blockSize)
	for i := range file {
		file[i] = byte(i * 7 / 3)
	}
	m := &msf{src: bin.NewSource(bytes.NewReader(file), int64(len(file))), blockSize: blockSize, blocks: 8}
	s := &stream{m: m, what: "stream", size: 3*blockSize + 100, blocks: []uint32{5, 6, 2, 3}}
	var want []byte
	for _, b := range s.blocks {
		want = append(want, file[b*blockSize:(b+1)*blockSize]...)
	}
	want = want[:s.size]
	for _, off := range []int64{0, 1, 500, 512, 600, 1024, 1530, 1635} {
		for _, n := range []int64{0, 1, 12, 512, 513, 1024, 1636} {
			if off+n > s.size {
				continue
			}
			if got, err := s.read(off, uint64(n)); err != nil || !slices.Equal(got, want[off:off+n]) {
				t.Errorf("%d bytes at %d: %v", n, off, err)
			}
		}
	}
	if _, err := s.read(1600, 100); err == nil {
		t.Error("bytes beyond the end were read")
	}
}
