package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// sparseFile is a file that is mostly zeros: pages with a word here and there,
// and megabytes of a pattern.
func sparseFile() []byte {
	data := make([]byte, 90<<20+123)
	copy(data, "sparse")
	for at := 3 << 20; at < len(data); at += 1 << 20 {
		copy(data[at-5:], "a word across pages")
	}
	copy(data[40<<20:], bytes.Repeat([]byte("\xba\xad\xf0\x0d\xba\xad\xf0\x0d"), 1<<20))
	return data
}

// sparseLimits know that file, and have a scratch.
func sparseLimits(s Scratch) Limits {
	stated := func(head []byte) int64 {
		if bytes.HasPrefix(head, []byte("sparse")) {
			return 1 << 40
		}
		return 0
	}
	return Limits{Stated: stated, Scratch: func() (Scratch, error) { return s, nil }}
}

// A file of a stated size may be mostly zeros, which take no memory.
func TestStated(t *testing.T) {
	want := sparseFile()
	packed := compressed(t, gzip.DefaultCompression, want)
	b := NewBudget(sparseLimits(nil))
	b.AddInput(int64(len(packed)))
	members, _ := List("a.gz", source(packed), b)
	file, err := members[0].Open()
	if err != nil || file.Size() != int64(len(want)) {
		t.Fatalf("%d bytes, %v", file.Size(), err)
	}
	if got, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size())); err != nil || !bytes.Equal(got, want) {
		t.Errorf("other contents, %v", err)
	}
	for _, at := range []int64{40<<20 + 3, 48<<20 - 4, 3<<20 - 6, 4095} {
		p := make([]byte, 5000)
		if n, err := file.ReadAt(p, at); err != nil || !bytes.Equal(p[:n], want[at:at+5000]) {
			t.Errorf("other contents at %#x, %v", at, err)
		}
	}
	if used := int64(defaultTotal) - b.left; used > 1<<20 {
		t.Errorf("%d bytes of memory are used", used)
	}
	b = NewBudget(Limits{})
	b.AddInput(int64(len(packed)))
	members, _ = List("a.gz", source(packed), b)
	if _, err := members[0].Open(); err == nil || !strings.HasSuffix(err.Error(), "a decompression bomb") {
		t.Errorf("of another file: %v", err)
	}
}

// What exceeds the budget is left out, and that is no damage.
func TestStatedInPart(t *testing.T) {
	b := NewBudget(sparseLimits(nil))
	b.holes = 5 << 20
	members, _ := List("a.gz", source(compressed(t, gzip.BestSpeed, sparseFile())), b)
	file, err := members[0].Open()
	if partial := (Partial{}); file.Size() != 5<<20 || !errors.As(err, &partial) {
		t.Errorf("%d bytes, %v", file.Size(), err)
	}
}

// What is too much for memory lies on the scratch.
func TestScratch(t *testing.T) {
	noise := make([]byte, 1<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	want := append([]byte("sparse"), bytes.Repeat(noise, 80)...)
	for name, contents := range map[string][]byte{"stated": want, "plain": want[1:]} {
		disk := &memoryScratch{}
		b := NewBudget(sparseLimits(disk))
		members, _ := List("a.gz", source(compressed(t, gzip.NoCompression, contents)), b)
		file, err := members[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size())); err != nil || !bytes.Equal(got, contents) {
			t.Errorf("%s: other contents, %v", name, err)
		}
		if used := defaultTotal - b.left; used > inMemory+2*pieceLen || len(disk.data) < 15<<20 {
			t.Errorf("%s: %d bytes in memory, %d on the scratch", name, used, len(disk.data))
		}
	}
}

// A scratch that is full is one that is not there.
func TestScratchFull(t *testing.T) {
	noise := bytes.Repeat([]byte("no pattern of eight bytes, "), 3<<20)
	b := NewBudget(sparseLimits(&memoryScratch{full: 5 << 20}))
	members, _ := List("a.gz", source(compressed(t, gzip.BestSpeed, append([]byte("sparse"), noise...))), b)
	file, err := members[0].Open()
	if err != nil || file.Size() != int64(len(noise)+6) {
		t.Errorf("%d bytes, %v", file.Size(), err)
	}
}

func TestScratchEnds(t *testing.T) {
	d := disk{open: func() (Scratch, error) { return &memoryScratch{}, nil }}
	first, _ := d.put([]byte("one"))
	second, ok := d.put([]byte("two"))
	d.release([]span{{first, first + 3}}) // not the last
	third, _ := d.put([]byte("three"))
	d.release([]span{{third, third + 5}})
	if fourth, _ := d.put([]byte("four")); !ok || second != 3 || third != 6 || fourth != 6 {
		t.Errorf("at %d, %d, %d, %d", first, second, third, fourth)
	}
}

// A list of the parts of a file is memory, too.
func TestAlternatingPages(t *testing.T) {
	two := make([]byte, 2*page)
	copy(two, "no pattern of eight bytes")
	contents := append([]byte("sparse\x00\x00"), make([]byte, page-8)...)
	contents = append(contents, bytes.Repeat(two, 4<<10)...)
	packed := compressed(t, gzip.BestSpeed, contents)
	limits := sparseLimits(&memoryScratch{})
	b := NewBudget(limits)
	members, _ := List("a.gz", source(packed), b)
	file, err := members[0].Open()
	const parts = 8 << 10
	if want := int64(4<<10*page + parts*extentCost); err != nil || file.Size() != int64(len(contents)) || defaultTotal-b.left < want {
		t.Errorf("%d bytes take %d, want at least %d, %v", file.Size(), defaultTotal-b.left, want, err)
	}
	limits.Total = 8 << 20
	members, _ = List("a.gz", source(packed), NewBudget(limits))
	file, err = members[0].Open()
	if partial := (Partial{}); file.Size() >= int64(len(contents)) || !errors.As(err, &partial) {
		t.Errorf("%d of %d bytes, %v", file.Size(), len(contents), err)
	}
}

// Equal records compress as well as zeros; there may be a lot of them, but no
// more than that.
func TestStatedBomb(t *testing.T) {
	b := NewBudget(Limits{})
	u := &unpacked{data: freeKept - 5000}
	page := []byte(strings.Repeat("noise", 1000))
	if err := b.keepData(u, page, 1000); err != nil {
		t.Error(err)
	}
	if err := b.keepData(u, page, 1000); err == nil || err.Error() != "1000 bytes become more than 1073746824 that are no zeros: a decompression bomb" {
		t.Error(err)
	}
	if err := b.hole(freeHoles + 1); err == nil {
		t.Error("no bound of zeros")
	}
}

type memoryScratch struct {
	data []byte
	full int
}

func (s *memoryScratch) WriteAt(p []byte, off int64) (int, error) {
	if s.full > 0 && int(off)+len(p) > s.full {
		return 0, errors.New("disk full")
	}
	s.data = append(s.data[:off], p...)
	return len(p), nil
}

func (s *memoryScratch) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.data).ReadAt(p, off)
}

func compressed(t *testing.T, level int, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
