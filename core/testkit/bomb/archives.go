package bomb

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// Blocks of deflate without output, RFC 1951, 3.2.3: a stored one in 5 bytes, and one with two trees
// in 101 bits, which take a thousand times as long to build as to read. Eight of the latter are 101
// bytes. lastBlock is the end of a stream.
const (
	emptyBlock = "\x00\x00\x00\xff\xff"
	lastBlock  = "\x01\x00\x00\xff\xff"
)

// Archives are archives and compressed files that are small, and expensive to list: members that
// share their data, thousands of members, and streams without output. Each is a bomb for a reader
// whose cost is that of the members, and not that of the file.
func Archives(t testing.TB) []Bomb {
	blocks := strings.Repeat(emptyBlock, 60000) + lastBlock
	trees := strings.Repeat(emptyTrees(), 6000) + lastBlock
	upload := "--abc\r\nContent-Disposition: form-data; name=\"x\"; filename=\"y\"\r\n\r\n" + strings.Repeat("z\n", 1<<19)
	tiny := "MDMP" + strings.Repeat("\x00", 28)
	noText := packed(t, "")
	return []Bomb{
		// 1,000 members are one stream of 60,000 empty blocks.
		{Name: "zip-of-empty-blocks", Dump: shared(t, 1000, zipEntry{method: 8, data: blocks})},
		// 1,000 members are one stream of 48,000 empty blocks with trees.
		{Name: "zip-of-empty-trees", Dump: shared(t, 1000, zipEntry{method: 8, data: trees})},
		// 1,000 members are one upload of 1 MB that a reader searches.
		{Name: "zip-of-uploads", Dump: shared(t, 1000, zipEntry{data: upload})},
		// 1,000 members are one compressed file of 60,000 empty blocks.
		{Name: "zip-of-gzip", Dump: shared(t, 1000, zipEntry{data: noText[:10] + blocks + noText[len(noText)-8:]})},
		// 60 MB of empty blocks, compressed.
		{Name: "gzip-of-gzip", Dump: []byte(packed(t, noText[:10]+strings.Repeat(emptyBlock, 12<<20)+lastBlock+noText[len(noText)-8:]))},
		// 60,000 members, each of one empty block.
		{Name: "zip-of-members", Dump: apart(t, 60000, zipEntry{method: 8, data: lastBlock})},
		// 20,000 members, each a compressed file of nothing.
		{Name: "zip-of-small-gzip", Dump: apart(t, 20000, zipEntry{data: noText})},
		{Name: "zip-of-small-zstd", Dump: apart(t, 20000, zipEntry{data: "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00"})},
		{Name: "zip-of-small-lz4", Dump: apart(t, 20000, zipEntry{data: "\x04\x22\x4d\x18\x60\x40\x82\x00\x00\x00\x00"})},
		// 20,000 dumps of a header alone.
		{Name: "zip-of-small-dumps", Dump: apart(t, 20000, zipEntry{data: tiny, method: 8, deflated: stored(tiny)})},
		// 5,000 folders with a window of 2 MiB each share a block. Its data are no LZX, or are not
		// compressed.
		{Name: "cab-of-folders", Dump: folders(t, 5000, 0x1503)},
		{Name: "cab-of-stored-folders", Dump: folders(t, 5000, 0)},
		{Name: "cab-of-mszip-folders", Dump: folders(t, 5000, 1)},
	}
}

// emptyTrees is eight blocks of two trees each, with one code for the end of the block.
func emptyTrees() string {
	var bits strings.Builder
	put := func(v, n int) {
		for i := range n {
			bits.WriteByte('0' + byte(v>>i&1))
		}
	}
	for range 8 {
		put(0, 1)  // not the last block
		put(2, 2)  // dynamic trees
		put(0, 10) // 257 and 1 codes
		put(14, 4) // 18 lengths of codes for lengths follow, of which 18 (zeros) and 1 have a code
		for _, symbol := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1} {
			if symbol == 18 || symbol == 1 {
				put(1, 3)
			} else {
				put(0, 3)
			}
		}
		put(1, 1)
		put(138-11, 7) // zeros
		put(1, 1)
		put(118-11, 7) // zeros, up to the end of the block
		put(0, 3)      // its length, that of a distance, and the end
	}
	var out strings.Builder
	for text := bits.String(); text != ""; text = text[8:] {
		var b byte
		for i := range 8 {
			b |= (text[i] - '0') << i
		}
		out.WriteByte(b)
	}
	return out.String()
}

// stored is a stream of deflate for a short text.
func stored(text string) string {
	n := byte(len(text))
	return "\x01" + string([]byte{n, 0, ^n, 0xff}) + text
}

// packed is a gzip file.
func packed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A zipEntry is data in a zip file, PKWARE's APPNOTE.TXT 4.3. method is 0 for data as they are, and 8
// for deflate.
type zipEntry struct {
	method   uint16
	data     string
	deflated string // of data, if it is a text; otherwise data is a stream without output
}

// shared is a zip file of n members, which are all at one place.
func shared(t testing.TB, n int, m zipEntry) []byte {
	return zipOf(t, n, m, func(int) int { return 0 })
}

// apart is a zip file of n equal members.
func apart(t testing.TB, n int, m zipEntry) []byte {
	return zipOf(t, n, m, func(i int) int { return i })
}

func zipOf(t testing.TB, n int, m zipEntry, place func(int) int) []byte {
	bytesOf, text := m.data, ""
	switch {
	case m.deflated != "":
		bytesOf, text = m.deflated, m.data
	case m.method == 0:
		text = m.data
	}
	facts := func(s *asm.Section) *asm.Section {
		return s.U16(m.method).U32(0, crc32.ChecksumIEEE([]byte(text)), uint32(len(bytesOf)), uint32(len(text)))
	}
	zip := asm.At(0)
	var at []uint64
	for i := range n {
		if place(i) == len(at) {
			at = append(at, zip.Here())
			facts(zip.U32(0x04034b50).U16(20, 0)).U16(1, 0).U8('x').Text(bytesOf)
		}
	}
	directory := zip.Here()
	for i := range n {
		name := fmt.Sprintf("%d.dmp", i)
		facts(zip.U32(0x02014b50).U16(20, 20, 0)).U16(uint16(len(name)), 0, 0, 0, 0).U32(0, uint32(at[place(i)])).Text(name)
	}
	end := zip.Here()
	return zip.U32(0x06054b50).U16(0, 0, uint16(n), uint16(n)).U32(uint32(end-directory), uint32(directory)).U16(0).Build(t)
}

// folders is a cabinet of n folders and a file in each, [MS-CAB] 2. All have the same block, of 16
// bytes that are said to become 32 KiB.
func folders(t testing.TB, n int, method uint16) []byte {
	cab := asm.At(0).Text("MSCF").U32(0, 0, 0).Ref32("files").U32(0).U8(3, 1).U16(uint16(n), uint16(n), 0, 7, 0)
	repeat(cab, n, func(s *asm.Section, _ int) { s.Ref32("data").U16(1, method) })
	repeat(cab.Mark("files"), n, func(s *asm.Section, i int) { s.U32(32<<10, 0).U16(uint16(i), 0, 0, 0).Text("a.dmp\x00") })
	return cab.Mark("data").U32(0).U16(16, 32<<10).Text("CK").Zeros(14).Build(t)
}
