package decompress

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"crashglass/core/base/bin"
)

func sourceOf(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// seekableZstd writes frames and the table behind them.
func seekableZstd(t testing.TB, parts ...[]byte) []byte {
	var file, table []byte
	for _, p := range parts {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(p)
		w.Close()
		file = append(file, b.Bytes()...)
		table = binary.LittleEndian.AppendUint32(table, uint32(b.Len()))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(p)))
	}
	table = append(binary.LittleEndian.AppendUint32(table, uint32(len(parts))), 0)
	table = binary.LittleEndian.AppendUint32(table, seekFooterMagic)
	file = binary.LittleEndian.AppendUint32(file, seekTableMagic)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(table)))
	return append(file, table...)
}

// storedXz writes blocks of LZMA2 that are stored, with CRC32, and the index.
func storedXz(parts ...[]byte) []byte {
	sum := func(b []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) }
	padded := func(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }
	flags := []byte{0, 1}
	file := append(append([]byte("\xfd7zXZ\x00"), flags...), sum(flags)...)
	index := binary.AppendUvarint([]byte{0}, uint64(len(parts)))
	for _, p := range parts {
		block := []byte{2, 0, 0x21, 1, 22, 0, 0, 0} // a header of 12 bytes, a dictionary of 8 MiB
		block = append(block, sum(block)...)
		for control, rest := byte(1), p; len(rest) > 0; control = 2 {
			n := min(len(rest), 1<<16)
			block = binary.BigEndian.AppendUint16(append(block, control), uint16(n-1))
			block, rest = append(block, rest[:n]...), rest[n:]
		}
		block = append(block, 0)
		index = binary.AppendUvarint(binary.AppendUvarint(index, uint64(len(block)+4)), uint64(len(p)))
		file = append(append(file, padded(block)...), sum(p)...)
	}
	index = padded(index)
	index = append(index, sum(index)...)
	foot := append(binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1)), flags...)
	return append(append(append(append(file, index...), sum(foot)...), foot...), "YZ"...)
}

func parts(n int) (out [][]byte) {
	for i := range n {
		out = append(out, bytes.Repeat([]byte{byte(i), 1, 2, 3, byte(i >> 8), 5, 6}, 3000+i))
	}
	return out
}

// Every piece of the contents reads as it was, in any order.
func TestSeek(t *testing.T) {
	all := parts(9)
	want := bytes.Join(all, nil)
	for _, tt := range []struct {
		list func(bin.Source) (*blocks, bool)
		file []byte
	}{{zstdBlocks, seekableZstd(t, all...)}, {xzBlocks, storedXz(all...)}} {
		b, ok := tt.list(sourceOf(tt.file))
		if !ok || b.size != int64(len(want)) {
			t.Fatalf("%v, want %d bytes", ok, len(want))
		}
		for off := len(want) - 1; off >= 0; off -= 997 {
			p := make([]byte, 30000)
			n, err := b.ReadAt(p, int64(off))
			if exp := want[off:min(len(want), off+len(p))]; !bytes.Equal(p[:n], exp) || (err == io.EOF) != (n < len(p)) {
				t.Fatalf("%d bytes at %d: %v", n, off, err)
			}
		}
	}
}

// Small files, and files of one block, are as well unpacked.
func TestSeekers(t *testing.T) {
	large := make([]byte, leastSeeked/2+1)
	for name, tt := range map[string]struct {
		format string
		file   []byte
		want   bool
	}{
		"two large": {format: "zstd", file: seekableZstd(t, large, large), want: true},
		"two small": {format: "zstd", file: seekableZstd(t, parts(2)...)},
		"no table":  {format: "zstd", file: seekableZstd(t, large, large)[:3000]},
		"xz":        {format: "xz", file: storedXz(large, large), want: true},
		"one block": {format: "xz", file: storedXz(append(large, large[:leastSeeked/2-1]...))},
	} {
		if _, _, ok := Seekers()[tt.format](sourceOf(tt.file)); ok != tt.want {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

// A table that lies makes an error of the block, or none of the file at all.
func TestSeekLies(t *testing.T) {
	for _, tt := range []struct {
		list func(bin.Source) (*blocks, bool)
		file []byte
	}{{zstdBlocks, seekableZstd(t, parts(3)...)}, {xzBlocks, storedXz(parts(3)...)}} {
		for at := len(tt.file) - seekFooter - 24; at < len(tt.file); at++ {
			data := bytes.Clone(tt.file)
			data[at] ^= 0x41
			if b, ok := tt.list(sourceOf(data)); ok {
				if _, err := b.ReadAt(make([]byte, b.size), 0); err == nil || !strings.Contains(err.Error(), "compressed block at 0x") {
					t.Errorf("byte %d: %v", at, err)
				}
			}
		}
		for n := range tt.file {
			if _, ok := tt.list(sourceOf(tt.file[:n])); ok {
				t.Errorf("%d bytes of %d are a seekable file", n, len(tt.file))
			}
		}
	}
}

// Blocks that were not used for longest are let go.
func TestSeekHolds(t *testing.T) {
	opened := 0
	b := &blocks{list: make([]block, 3), open: func(k block) (io.Reader, error) {
		opened++
		return bytes.NewReader(make([]byte, k.size)), nil
	}}
	for i := range b.list {
		b.list[i].size = mostCached / 2
	}
	for i, want := range []struct{ block, opened int }{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}, {1, 4}} {
		if data, err := b.block(want.block); err != nil || len(data) != mostCached/2 || opened != want.opened {
			t.Errorf("read %d: %d bytes, %v, %d blocks are decompressed, want %d", i, len(data), err, opened, want.opened)
		}
	}
}
