package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/lzxpack"
)

// A testCab is a cabinet to be made: data, cut into files.
type testCab struct {
	method  uint16
	data    []byte
	block   int // bytes in each block of data; 0 is the format's own
	reserve int // bytes in each place that allows it
	files   []cabFile
	sums    bool
	mutate  func(n int, block []byte) []byte // the n-th block as it goes into the file
}

type cabFile struct {
	name   string
	size   uint32
	off    uint32
	folder uint16
	attr   uint16
}

// build writes the cabinet as [MS-CAB] 2 describes it.
func (c testCab) build(t testing.TB) []byte {
	blocks := c.blocks(t)
	flags := uint16(0)
	if c.reserve > 0 {
		flags = 4
	}
	s := asm.At(0).Text("MSCF").U32(0, 0, 0).Ref32("files").U32(0).U8(3, 1).
		U16(1, uint16(len(c.files)), flags, 7, 0)
	if c.reserve > 0 {
		s.U16(uint16(c.reserve)).U8(uint8(c.reserve), uint8(c.reserve)).Zeros(c.reserve)
	}
	s.Ref32("data").U16(uint16(len(blocks)), c.method).Zeros(c.reserve)
	s.Mark("files")
	for _, f := range c.files {
		s.U32(f.size, f.off).U16(f.folder, 0, 0, f.attr).Text(f.name).U8(0)
	}
	s.Mark("data")
	for _, b := range blocks {
		head := asm.At(0).U16(uint16(len(b.packed)), b.size).Build(t)
		sum := uint32(0)
		if c.sums {
			sum = xor(b.packed) ^ xor(head)
		}
		s.U32(sum).Bytes(head).Zeros(c.reserve).Bytes(b.packed)
	}
	return s.Build(t)
}

// xor is the checksum, by bytes: byte i goes to place i%4, but for the last
// incomplete word, which is turned round.
func xor(b []byte) (sum uint32) {
	whole := len(b) &^ 3
	for i, c := range b[:whole] {
		sum ^= uint32(c) << (8 * (i % 4))
	}
	for i, c := range b[whole:] {
		sum ^= uint32(c) << (8 * (len(b) - whole - 1 - i))
	}
	return sum
}

type cabBlock struct {
	packed []byte
	size   uint16
}

func (c testCab) blocks(t testing.TB) (out []cabBlock) {
	size := c.block
	if size == 0 {
		size = 32 << 10
	}
	for at := 0; at < len(c.data); at += size {
		plain := c.data[at:min(at+size, len(c.data))]
		packed := bytes.Clone(plain)
		if c.method&0xf == 1 {
			var b bytes.Buffer
			w, err := flate.NewWriterDict(&b, 9, c.data[max(0, at-32<<10):at])
			if err != nil {
				t.Fatal(err)
			}
			w.Write(plain)
			w.Close()
			packed = append([]byte("CK"), b.Bytes()...)
		}
		if c.mutate != nil {
			packed = c.mutate(len(out), packed)
		}
		out = append(out, cabBlock{packed, uint16(len(plain))})
	}
	return out
}

// cabText is data that only a reader with history decompresses.
func cabText(n int) []byte {
	rnd := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "FUNC %x 10 0 name_%d\n", rnd.IntN(1<<24), rnd.IntN(500))
	}
	return b.Bytes()[:n]
}

// byGcab is what `gcab -c -z` makes of two files.
const byGcab = "4d5343460000000088000000000000002c000000000000000301010002000000000000005a000000010001001a000000000000000000755d636f20006170702e73796d00" +
	"120000001a0000000000755d636f2000622e74787400a4f4ad8c26002c00434bf3f57709f57155f0c9cc2bad50a8b0308b3733513050482c28e0ca48cdc9c9574022b900"

func TestCab(t *testing.T) {
	gcab, err := hex.DecodeString(byGcab)
	if err != nil {
		t.Fatal(err)
	}
	text := cabText(100_000)
	two := []cabFile{{name: `d\a.sym`, size: 6}, {name: "b", size: 7, off: 6}}
	small := testCab{method: 1, data: []byte("MODULEcontent"), files: two}
	with := func(change func(*testCab)) []byte {
		c := small
		c.files = slices.Clone(two)
		change(&c)
		return c.build(t)
	}
	large := testCab{method: 1, data: text, sums: true, files: []cabFile{{name: "a", size: 40_000}, {name: "b", size: 50_000, off: 40_000}, {name: "c", size: 10_000, off: 90_000}}}
	broken := large
	broken.mutate = func(n int, b []byte) []byte {
		if n == 2 {
			return []byte("KC...")
		}
		return b
	}
	start := func(at, n int) string { return fmt.Sprintf("%s... (%d)", text[at:at+40], n) }
	lzx := lzxpack.Options{Bits: 16, Kinds: []int{lzxpack.Aligned, lzxpack.Uncompressed, lzxpack.Verbatim}, Sizes: []int{30_000, 501}}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"another program's", gcab, "app.sym=MODULE Linux x86_64 0 app\n; b.txt=hello hello hello\n"},
		{"MSZIP", small.build(t), "d/a.sym=MODULE; b=content"},
		{"stored", with(func(c *testCab) { c.method = 0 }), "d/a.sym=MODULE; b=content"},
		{"sums", with(func(c *testCab) { c.sums = true }), "d/a.sym=MODULE; b=content"},
		{"reserved areas", with(func(c *testCab) { c.reserve, c.sums = 9, true }), "d/a.sym=MODULE; b=content"},
		{"names", with(func(c *testCab) {
			c.files = []cabFile{{name: `..\..\x`, size: 1}, {name: "gr\xf6\xdfe", size: 1}, {name: "größe", size: 1, attr: 0x80}, {name: "", size: 1}}
		}), "x=M; gr\ufffd\ufffde=M; größe=M; =M"},
		{"many blocks", large.build(t), "a=" + start(0, 40_000) + "; b=" + start(40_000, 50_000) + "; c=" + start(90_000, 10_000)},
		{"small blocks", testCab{method: 1, data: text[:300], block: 7, files: []cabFile{{name: "a", size: 300}}}.build(t), "a=" + start(0, 300)},
		{"a block damaged", broken.build(t), "a=" + start(0, 40_000) +
			"; b=" + start(40_000, 2<<15-40_000) + " error: archive: b in CAB: an MSZIP block begins with \"KC\", want \"CK\"" +
			"; c= error: archive: c in CAB: an MSZIP block begins with \"KC\", want \"CK\""},
		{"cut short", large.build(t)[:200], "a= error: archive: a in CAB: unexpected EOF; b= error: archive: b in CAB: unexpected EOF; c= error: archive: c in CAB: unexpected EOF"},
		{"file beyond its folder", with(func(c *testCab) { c.files = []cabFile{{name: "a", size: 20}, {name: "b", size: 1, off: 99}} }),
			"a=MODULEcontent error: archive: a in CAB: its data end at 0x14, beyond the 0xd that its folder has" +
				"; b= error: archive: b in CAB: its data end at 0x64, beyond the 0xd that its folder has"},
		{"no such folder", with(func(c *testCab) { c.files[0].folder = 3 }), "d/a.sym= error: archive: d/a.sym in CAB: folder 3 is not among the 1 there are; b=content"},
		{"another cabinet", with(func(c *testCab) { c.files = []cabFile{{name: "a", size: 1, folder: 0xfffe}} }),
			"a= error: archive: a in CAB: it goes on in another cabinet of the set: unpack all of them together with expand or cabextract"},
		{"LZX", lzxpack.Cabinet("app.pdb", text, lzx), "app.pdb=" + start(0, 100_000)},
		{"LZX, cut short", lzxpack.Cabinet("app.pdb", text, lzx)[:9_000], "app.pdb= error: archive: app.pdb in CAB: unexpected EOF"},
		{"LZX that is none", with(func(c *testCab) { c.method = 3 | 15<<8 }), "d/a.sym= error: archive: d/a.sym in CAB: lzx: output at 0x0: a block of type 4, known are 1 to 3; b= error: archive: b in CAB: lzx: output at 0x0: a block of type 4, known are 1 to 3"},
		{"LZX of a window that is not known", with(func(c *testCab) { c.method = 3 | 22<<8 }), "d/a.sym= error: archive: d/a.sym in CAB: lzx: a window of 22 bits, known are 15 to 21; b= error: archive: b in CAB: lzx: a window of 22 bits, known are 15 to 21"},
		{"Quantum", with(func(c *testCab) { c.method = 2 }), "error: archive: cabinet: it is compressed with Quantum, which is not read here: unpack it with expand or cabextract"},
		{"another method", with(func(c *testCab) { c.method = 9 }), "error: archive: cabinet: compression method 9 is unknown"},
		{"stored of another size", with(func(c *testCab) {
			c.method, c.mutate = 0, func(_ int, b []byte) []byte { return b[1:] }
		}), "d/a.sym= error: archive: d/a.sym in CAB: stored block of 12 bytes is to become 13; b= error: archive: b in CAB: stored block of 12 bytes is to become 13"},
		{"less than stated", with(func(c *testCab) { c.mutate = func(int, []byte) []byte { return []byte("CK\x03\x00") } }),
			"d/a.sym= error: archive: d/a.sym in CAB: unexpected EOF; b= error: archive: b in CAB: unexpected EOF"},
		{"header alone", []byte("MSCF\x00\x00\x00\x00...."), "error: archive: cabinet: header at 0x0: need 16 bytes, have 12"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(contents(t, "x.cab", tt.data, Limits{}), "; "); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestCabSum damages each byte of the data of a cabinet with sums.
func TestCabSum(t *testing.T) {
	for n := range 9 {
		data := testCab{method: 0, data: []byte("somedata!")[:n+1], sums: true, files: []cabFile{{name: "a", size: uint32(n + 1)}}}.build(t)
		data[len(data)-1] ^= 0x40
		got := strings.Join(contents(t, "x.cab", data, Limits{}), "; ")
		if !strings.HasPrefix(got, "a= error: archive: a in CAB: checksum of a block is 0x") {
			t.Errorf("%d bytes: %q", n+1, got)
		}
	}
}

func TestCabLimits(t *testing.T) {
	bomb := testCab{method: 1, data: make([]byte, 12<<20), files: []cabFile{{name: "a", size: 12 << 20}, {name: "b", size: 5}}}.build(t)
	for name, tt := range map[string]struct {
		limits Limits
		want   string
	}{
		"total":   {Limits{Total: 10 << 20}, "decompressed files exceed 10485760 bytes together"},
		"entries": {Limits{Entries: 1}, "error: archive: cabinet: more than 1 members"},
		"none":    {Limits{}, "b=\x00\x00\x00\x00\x00"},
	} {
		if got := strings.Join(contents(t, "x.cab", bomb, tt.limits), "; "); !strings.Contains(got, tt.want) || tt.limits.Entries == 1 && strings.Contains(got, "b=") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	stop := true
	b := NewBudget(Limits{Progress: func(string, int64) error {
		if stop {
			return errors.New("enough")
		}
		return nil
	}})
	members, err := List("x.cab", source(bomb), b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := members[1].Open(); errString(err) != "archive: b in CAB: enough" {
		t.Errorf("stopped: %v", err)
	}
	stop = false
	if src, err := members[1].Open(); src.Size() != 5 || err != nil {
		t.Errorf("afterwards: %d bytes, %v", src.Size(), err)
	}
}

// TestWork names one bomb many times: each is refused, and so is the time.
func TestWork(t *testing.T) {
	work := int64(0)
	limits := Limits{Total: 8 << 20, Progress: func(string, int64) error { work += 1 << 20; return nil }}
	one := zipOf(t, packed{"a", make([]byte, 16<<20), zip.Deflate})
	members, err := List("x.zip", source(one), NewBudget(limits))
	if err != nil {
		t.Fatal(err)
	}
	last := error(nil)
	for range 1000 {
		_, last = members[0].Open()
	}
	if want := "archive: a in zip: decompressing took more than 33554432 bytes together, of which most were no use"; errString(last) != want {
		t.Errorf("got %v, want %s", last, want)
	}
	if work > 40<<20 {
		t.Errorf("%d bytes were decompressed", work)
	}
}

// TestManySmallFiles is a folder of more files than the budget has megabytes.
func TestManySmallFiles(t *testing.T) {
	b := NewBudget(Limits{Total: 2 << 20})
	data := gzipped([]byte("MODULE"))
	for i := range 1000 {
		members, err := List("x.gz", source(data), b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := members[0].Open(); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
	}
}

func FuzzCab(f *testing.F) {
	small := testCab{method: 1, data: []byte("MODULEcontent"), files: []cabFile{{name: "a", size: 6}, {name: "b", size: 7, off: 6}}}
	f.Add(small.build(f))
	small.reserve, small.method, small.sums = 3, 0, true
	f.Add(small.build(f))
	f.Add(testCab{method: 1, data: cabText(300), block: 50, files: []cabFile{{name: "a", size: 300}}}.build(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4 { // past the magic
			copy(data, "MSCF\x00\x00\x00\x00")
		}
		check(t, data)
	})
}
