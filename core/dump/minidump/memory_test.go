package minidump

import (
	"io"
	"slices"
	"sync"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// TestMemorySources reads memory from each kind of list.
func TestMemorySources(t *testing.T) {
	b := dump.New().
		Memory(0x1000, []byte("list")).
		Memory64(0x2000, []byte("first")).Memory64(0x3000, []byte("second")).
		Thread(dump.Thread{ID: 1, StackBase: 0x4000, Stack: []byte("stack")}).
		Thread(dump.Thread{ID: 2, StackBase: 0x5000}) // no bytes
	m, err := build(t, b).Memory()
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64]string{0x1000: "list", 0x2000: "first", 0x3000: "second", 0x3003: "ond", 0x4000: "stack", 0x5000: "", 0xfff: ""} {
		p := make([]byte, 10)
		if got := string(p[:m.Read(addr, p)]); got != want {
			t.Errorf("%#x has %q, want %q", addr, got, want)
		}
	}
	if m.Total() != 20 {
		t.Errorf("total %d", m.Total())
	}
	base, size, ok := m.Range(0x3004)
	if base != 0x3000 || size != 6 || !ok {
		t.Errorf("range %#x %d %v", base, size, ok)
	}
	if _, _, ok := m.Range(0x3006); ok {
		t.Error("a range behind the last byte")
	}
	if _, _, ok := m.Range(0); ok {
		t.Error("a range before the first byte")
	}
}

func TestMemoryWord(t *testing.T) {
	tests := []struct {
		b    *dump.Builder
		size int
		want uint64
	}{
		{dump.New(), 8, 0x0807060504030201},
		{dump.New(), 4, 0x04030201},
		{dump.New(), 2, 0x0201},
		{dump.New(), 1, 0x01},
		{dump.New().BigEndian(), 8, 0x0102030405060708},
		{dump.New().BigEndian(), 4, 0x01020304},
		{dump.New().BigEndian(), 2, 0x0102},
	}
	for _, tt := range tests {
		m, err := build(t, tt.b.Memory(0x1000, []byte{1, 2, 3, 4}).Memory(0x1004, []byte{5, 6, 7, 8})).Memory()
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := m.Word(0x1000, tt.size); !ok || v != tt.want {
			t.Errorf("%d bytes are %#x (%v), want %#x", tt.size, v, ok, tt.want)
		}
		if _, ok := m.Word(0x1008-uint64(tt.size)+1, tt.size); ok {
			t.Errorf("%d bytes across the end", tt.size)
		}
	}
	m, _ := build(t, dump.New().Memory(0x1000, make([]byte, 16))).Memory()
	for _, size := range []int{-1, 0, 3, 5, 9} {
		if _, ok := m.Word(0x1000, size); ok {
			t.Errorf("a word of %d bytes", size)
		}
	}
	var none *process.Memory
	if _, ok := none.Word(0, 8); ok || none.Total() != 0 || none.Ranges() != nil {
		t.Error("the nil Memory has memory")
	}
}

// TestMemoryTop reads at the top of the address space, and a range whose size
// reaches beyond it.
func TestMemoryTop(t *testing.T) {
	m, err := build(t, dump.New().Memory(^uint64(0)-3, []byte("abcdefgh"))).Memory()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 8)
	if n := m.Read(^uint64(0)-3, p); string(p[:n]) != "abcd" {
		t.Errorf("read %q", p[:n])
	}
	if _, ok := m.Word(^uint64(0), 8); ok {
		t.Error("a word wraps to address 0")
	}
}

func TestMemoryOverlap(t *testing.T) {
	// The first in the list has an address; the stack comes before lists.
	m, err := build(t, dump.New().
		Memory(0x1004, []byte("BBBB")).Memory(0x1000, []byte("aaaaaaaaaaaa")).Memory(0x100a, []byte("cccc")).
		Thread(dump.Thread{ID: 1, StackBase: 0x1001, Stack: []byte("S")})).Memory()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 20)
	if n := m.Read(0x1000, p); string(p[:n]) != "aSaaBBBBaaaacc" {
		t.Errorf("read %q", p[:n])
	}
	if base, size, _ := m.Range(0x1005); base != 0x1000 || size != 14 {
		t.Errorf("range %#x %d", base, size)
	}
}

func TestMemoryDamage(t *testing.T) {
	tests := []struct {
		name string
		b    *dump.Builder
		have string // at 0x1000
		err  string
	}{
		{name: "null location", b: dump.New().Stream(5, asm.At(0).U32(1).U64(0x1000).U32(16, 0))},
		{
			name: "outside the file", b: dump.New().Stream(5, asm.At(0).U32(1).U64(0x1000).U32(16, 0x999)),
			err: "minidump: memory at 0x999: 16 bytes of memory at 0x1000 reach beyond the end of the file at 0x40",
		},
		{
			name: "cut", b: dump.New().Stream(5, asm.At(0).U32(1).U64(0x1000).U32(16, 0x3c)), have: "\x3c\x00\x00\x00",
			err: "minidump: memory at 0x3c: 16 bytes of memory at 0x1000 reach beyond the end of the file at 0x40",
		},
		{
			name: "count is a lie", b: dump.New().Stream(5, asm.At(0).U32(9).U64(0x1000).U32(4, 0x3c)), have: "\x3c\x00\x00\x00",
			err: "minidump: memory list at 0x2c: count 9 exceeds stream size 20",
		},
		{
			name: "64-bit count is a lie", b: dump.New().Stream(9, asm.At(0).U64(1<<60, 0x20).U64(0x1000, 4)), have: "\x09\x00\x00\x00",
			err: "minidump: 64-bit memory list at 0x2c: count 1152921504606846976 exceeds stream size 32",
		},
		{
			name: "64-bit sizes overflow", b: dump.New().Stream(9, asm.At(0).U64(2, 0x20).U64(0x1000, 4, 0x2000, ^uint64(0))), have: "\x09\x00\x00\x00",
			err: "minidump: 64-bit memory list at 0x54: size 0xffffffffffffffff of range 1 does not fit behind offset 0x24",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := build(t, tt.b).Memory()
			expect.Error(t, err, tt.err)
			p := make([]byte, 16)
			if n := m.Read(0x1000, p); string(p[:n]) != tt.have {
				t.Errorf("read %q, want %q", p[:n], tt.have)
			}
		})
	}
}

// sparse is a file of zeros of any size, with a few other bytes.
type sparse struct {
	size  int64
	parts map[int64][]byte
}

func (s sparse) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	for at, data := range s.parts {
		for i, b := range data {
			if k := at + int64(i) - off; k >= 0 && k < int64(len(p)) {
				p[k] = b
			}
		}
	}
	if off+int64(len(p)) > s.size {
		return int(s.size - off), io.EOF
	}
	return len(p), nil
}

// TestHugeFile reads memory that lies 6 GiB into the file.
func TestHugeFile(t *testing.T) {
	const far = 6 << 30
	head := dump.New().Stream(9, asm.At(0).U64(3, 1<<20).
		U64(0x10000, far-1<<20).
		U64(0x7fff_0000_0000, 8).
		U64(0x7fff_0000_1000, 1<<40)).Build(t)
	f, err := Open(bin.NewSource(sparse{far + 100, map[int64][]byte{0: head, far: []byte("farfaraway")}}, far+100))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Memory()
	expect.Error(t, err, "minidump: memory at 0x180000008: 1099511627776 bytes of memory at 0x7fff00001000 reach beyond the end of the file at 0x180000064")
	if v, ok := m.Word(0x7fff_0000_0000, 8); !ok || v != 0x7761726166726166 {
		t.Errorf("word %#x %v", v, ok)
	}
	if v, ok := m.Word(0x7fff_0000_1000, 1); !ok || v != 'a' {
		t.Errorf("byte %#x %v", v, ok)
	}
	if _, size, _ := m.Range(0x10000); size != far-1<<20 {
		t.Errorf("range of %d bytes", size)
	}
}

// TestConcurrentReads shares one file between goroutines, with more pages
// than the cache holds.
func TestConcurrentReads(t *testing.T) {
	const pageSize, pages = 64 << 10, 64
	data := make([]byte, pages*pageSize)
	for i := range data {
		data[i] = byte(i >> 16)
	}
	m, err := build(t, dump.New().Memory(0, data)).Memory()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			for i := range uint64(1000) {
				addr := (i*7 + g) % pages * pageSize
				if v, ok := m.Word(addr, 1); !ok || v != addr>>16 {
					t.Errorf("%#x is %d", addr, v)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Ranges are disjoint, in the order of addresses, and have their places in the file.
func TestRangesAreWhereTheyAre(t *testing.T) {
	data := dump.New().Memory(0x3000, []byte("third")).Memory(0x1000, []byte("first")).Memory(0x1005, []byte("second")).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Memory()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range m.Ranges() {
		got = append(got, string(data[r.RVA:r.RVA+r.Size]))
	}
	if want := []string{"first", "second", "third"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for addr, want := range map[uint64]uint64{0: 0x1000, 0x1000: 0x1000, 0x100a: 0x100a, 0x100b: 0x3000, 0x3004: 0x3004} {
		if next, ok := m.Next(addr); !ok || next != want {
			t.Errorf("behind %#x is %#x, %t; want %#x", addr, next, ok, want)
		}
	}
	if next, ok := m.Next(0x3005); ok {
		t.Errorf("%#x is behind the last", next)
	}
	p := make([]byte, 4)
	if n := m.Read(0x1003, p); string(p[:n]) != "stse" {
		t.Errorf("across two captures: %q", p[:n])
	}
}
