package archive

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// rest returns what a budget still has, in MiB: bytes that may be kept, and decompressed.
func rest(b *Budget) [2]int64 { return [2]int64{b.left >> 20, b.work >> 20} }

// Opening a compressed member takes memory and work from the budget until it is released. A stored member
// takes none, and neither does one that is only looked at.
func TestMemoryOfMembers(t *testing.T) {
	noise := bytes.Repeat([]byte("noise..."), 5<<20/8)
	data := zipOf(t, packed{"deflated", noise, zip.Deflate}, packed{"stored", noise, zip.Store})
	for _, test := range []struct {
		name  string
		use   func(m *Member) error
		after [2][2]int64 // of the deflated member, of the stored one
	}{
		{"head", func(m *Member) error { _, err := m.Head(100); return err }, [2][2]int64{{10, 40}, {10, 40}}},
		{"open", func(m *Member) error { _, err := m.Open(); return err }, [2][2]int64{{5, 35}, {10, 40}}},
		{"open and release", func(m *Member) error { _, err := m.Open(); m.Release(); m.Release(); return err }, [2][2]int64{{10, 40}, {10, 40}}},
		{"release without open", func(m *Member) error { m.Release(); return nil }, [2][2]int64{{10, 40}, {10, 40}}},
		{"look", func(m *Member) error { return m.Peek(func(bin.Source) {}) }, [2][2]int64{{10, 35}, {10, 40}}},
	} {
		for i := range 2 {
			b := NewBudget(Limits{Total: 10 << 20})
			members, err := List("x.zip", source(data), b)
			if err != nil {
				t.Fatal(err)
			}
			if err := test.use(&members[i]); err != nil || rest(b) != test.after[i] {
				t.Errorf("%s of the %s one: %v MiB are left, want %v; %v", test.name, members[i].Name, rest(b), test.after[i], err)
			}
		}
	}
}

// Peek hands on the whole member, or what is before the damage with an error. It does not call back for
// one that is refused.
func TestLook(t *testing.T) {
	whole := gzipped(bytes.Repeat([]byte("line\n"), 1000))
	for _, test := range []struct {
		name  string
		data  []byte
		limit int64
		want  string
		err   string
	}{
		{"whole", whole, 0, "5000 line", ""},
		{"damaged at its end", append(whole[:len(whole)-8:len(whole)-8], 1, 2, 3, 4, 5, 6, 7, 8), 0, "5000 line", "archive: x in gzip: gzip: invalid checksum"},
		{"cut in its header", whole[:5], 0, "", "archive: x in gzip: unexpected EOF"},
		{"refused", whole, 1, "", "archive: x in gzip: decompressed files exceed 1 bytes together"},
		{"stored in a zip file", zipOf(t, packed{"x", []byte("line"), zip.Store}), 0, "4 line", ""},
		{"encrypted", replaceFlag(zipOf(t, packed{"x", []byte("line"), zip.Store})), 0, "", "archive: x in zip: it is encrypted"},
	} {
		members, err := List("x.gz", source(test.data), NewBudget(Limits{Total: test.limit}))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		err = members[0].Peek(func(src bin.Source) {
			head, _ := src.Read("x", 0, 4)
			got = strings.TrimSpace(fmt.Sprint(src.Size()) + " " + string(head))
		})
		if got != test.want || errString(err) != test.err {
			t.Errorf("%s: %q, %q; want %q, %q", test.name, got, errString(err), test.want, test.err)
		}
	}
}

// replaceFlag says in the directory of a zip file that its member is encrypted.
func replaceFlag(data []byte) []byte {
	data[bytes.Index(data, []byte("PK\x01\x02"))+8] |= 1
	return data
}

// What the given files allow: two hundred times their size beyond what is free, and four times as much
// work (budget.go). The size counts when it is more than is possible, and not at all when it is negative.
func TestGiven(t *testing.T) {
	for _, test := range []struct {
		name             string
		sizes            []int64
		room, toil, hole int64 // MiB
	}{
		{"nothing", nil, 64, 256, 64 << 10},
		{"an empty file", []int64{0}, 64, 256, 64 << 10},
		{"1 MiB", []int64{1 << 20}, 64 + 200, 256 + 800, 64<<10 + 800},
		{"two files", []int64{1 << 20, 2 << 20}, 64 + 600, 256 + 2400, 64<<10 + 2400},
		{"a negative size", []int64{-1 << 20}, 64, 256, 64 << 10},
		{"more than files have", []int64{1 << 62}, 64 + 200<<20, 256 + 800<<20, 64<<10 + 800<<20},
	} {
		b := NewBudget(Limits{Entries: 5})
		b.count, b.exceeded = 0, errors.New("over")
		for _, size := range test.sizes {
			b.AddInput(size)
		}
		if b.room>>20 != test.room || b.toil>>20 != test.toil || b.holes>>20 != test.hole {
			t.Errorf("%s: room for %d MiB, work for %d, holes for %d; want %d, %d, %d", test.name, b.room>>20, b.toil>>20, b.holes>>20, test.room, test.toil, test.hole)
		}
		if hasInput := len(test.sizes) > 0; b.hasInput != hasInput || (b.count == 5) != hasInput || (b.Exceeded() == nil) != hasInput {
			t.Errorf("%s: given %v, %d members, %v", test.name, b.hasInput, b.count, b.Exceeded())
		}
	}
}

// The limits of a Budget one by one, with exactly as much left as is taken, and one byte less.
func TestBudgetIsSpent(t *testing.T) {
	const piece = pieceLen
	for _, test := range []struct {
		name   string
		budget *Budget
		use    func(b *Budget) error
		want   string
		after  [4]int64 // left, room, work and toil
	}{
		{"enough", &Budget{left: piece, work: piece}, (*Budget).reserve, "", [4]int64{0, -piece, 0, -piece}},
		{"enough of what is given", &Budget{hasInput: true, left: piece, room: piece, work: piece, toil: piece}, (*Budget).reserve, "", [4]int64{}},
		{"too much in total", &Budget{total: 9, left: piece - 1, work: piece}, (*Budget).reserve, "decompressed files exceed 9 bytes together", [4]int64{piece - 1, 0, piece, 0}},
		{"too much for what is given", &Budget{hasInput: true, left: piece, room: piece - 1, work: piece, toil: piece}, (*Budget).reserve,
			"decompressed files are more than 200 times larger than the archives that were given: a decompression bomb", [4]int64{piece, piece - 1, piece, piece}},
		{"too much work", &Budget{total: 9, left: piece, work: piece - 1}, (*Budget).reserve,
			"decompressing took more than 36 bytes together, of which most were no use", [4]int64{piece, 0, piece - 1, 0}},
		{"too much work for what is given", &Budget{hasInput: true, left: piece, room: piece, work: piece, toil: piece - 1}, (*Budget).reserve,
			"looking into its members took more than 800 times what was given", [4]int64{piece, piece, piece, piece - 1}},
		{"opening a member", &Budget{hasInput: true, toil: memberWork + 1000}, func(b *Budget) error { return b.opening(4000) }, "", [4]int64{}},
		{"opening one too many", &Budget{hasInput: true, work: 1 << 30, toil: memberWork + 999}, func(b *Budget) error { return b.opening(4000) },
			"looking into its members took more than 800 times what was given", [4]int64{0, 0, 1 << 30, memberWork + 999}},
		{"opening where nothing was given", &Budget{}, func(b *Budget) error { return b.opening(1 << 40) }, "", [4]int64{}},
		{"memory", &Budget{left: 10, room: 10}, func(b *Budget) error { return b.memory(10) }, "", [4]int64{}},
		{"too much memory", &Budget{total: 9, left: 9}, func(b *Budget) error { return b.memory(10) }, "decompressed files exceed 9 bytes together", [4]int64{9}},
		{"what is given back", &Budget{}, func(b *Budget) error { b.giveBack(3, 5); return nil }, "", [4]int64{3, 3, 5, 5}},
		{"a hole", &Budget{holes: 10}, func(b *Budget) error { return b.hole(10) }, "", [4]int64{}},
		{"too large a hole", &Budget{holes: 9}, func(b *Budget) error { return b.hole(10) }, "the files of this run become more than 64 GiB: decompress this one first", [4]int64{}},
		{"the last member", &Budget{count: 1}, func(b *Budget) error { return b.member("zip") }, "", [4]int64{}},
		{"a member too many", &Budget{entries: 7}, func(b *Budget) error { return b.member("zip") }, "archive: zip: more than 7 members", [4]int64{}},
	} {
		b := test.budget
		if err := test.use(b); errString(err) != test.want {
			t.Errorf("%s: %q, want %q", test.name, errString(err), test.want)
		}
		if after := [4]int64{b.left, b.room, b.work, b.toil}; after != test.after {
			t.Errorf("%s: %d are left, want %d", test.name, after, test.after)
		}
	}
}

// A reader that returns nothing, and no error, is read a hundred times.
func TestReaderWithoutProgress(t *testing.T) {
	for _, test := range []struct {
		idle int
		want string
		err  error
	}{{0, "data", io.EOF}, {100, "data", io.EOF}, {101, "", io.ErrNoProgress}} {
		p := make([]byte, 10)
		n, err := readPiece(&idling{test.idle, strings.NewReader("data")}, p)
		if string(p[:n]) != test.want || err != test.err {
			t.Errorf("after %d empty reads: %q, %v", test.idle, p[:n], err)
		}
	}
}

// idling reads nothing a number of times, then what is in r.
type idling struct {
	times int
	r     io.Reader
}

func (i *idling) Read(p []byte) (int, error) {
	if i.times > 0 {
		i.times--
		return 0, nil
	}
	return i.r.Read(p)
}

// A stream that becomes more than 64 MiB and 200 times its size is refused, and gives its memory back.
func TestRatioOfOneStream(t *testing.T) {
	b := NewBudget(Limits{})
	u, err := b.read("x", io.LimitReader(endless{}, 66<<20), 65<<20/maxRatio-1)
	if want := "340786 bytes become more than 68157440: a decompression bomb"; errString(err) != want || u.size != 0 || b.left != b.total {
		t.Errorf("%d bytes, %v, want %s; %d are left of %d", u.size, err, want, b.left, b.total)
	}
}

// A file is read back from memory, the scratch and patterns, over the borders between them.
func TestUnpacked(t *testing.T) {
	disk := &disk{open: func() (Scratch, error) { return &memoryScratch{}, nil }}
	put := func(text string) int64 { at, _ := disk.put([]byte(text)); return at }
	u := &unpacked{}
	u.inMemory([]byte("memory"))
	u.inMemory(nil) // adds nothing
	u.onDisk(disk, put("disk"), 4)
	put("of another file")
	u.onDisk(disk, put("far"), 3)
	u.onDisk(disk, put("near"), 4) // directly behind it: one extent
	u.filled(0, 8)
	u.filled(0x4847_4645_4443_4241, 8)
	u.filled(0x4847_4645_4443_4241, 4) // the same pattern goes on
	u.filled(0x4847_4645_4443_4241, 4) // and begins anew behind half of it
	want := "memory" + "disk" + "farnear" + strings.Repeat("\x00", 8) + "ABCDEFGH" + "ABCD" + "ABCD"
	if u.size != int64(len(want)) || len(u.extents) != 6 {
		t.Fatalf("%d bytes in %d extents, want %d in 6", u.size, len(u.extents), len(want))
	}
	for from := range want {
		for to := from; to <= len(want); to++ {
			p := make([]byte, to-from)
			if n, err := u.ReadAt(p, int64(from)); n != len(p) || err != nil || string(p) != want[from:to] {
				t.Fatalf("%d to %d: %q, %d, %v", from, to, p, n, err)
			}
		}
	}
	p := make([]byte, 9)
	if n, err := u.ReadAt(p, u.size-4); n != 4 || err != io.EOF || string(p[:4]) != "ABCD" {
		t.Errorf("over the end: %q, %v", p[:n], err)
	}
	if n, err := u.ReadAt(p, u.size+1); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if n, err := u.ReadAt(p, -1); n != 0 || errString(err) != "negative offset" {
		t.Errorf("before the start: %d, %v", n, err)
	}
	if n, err := new(unpacked).ReadAt(p, 0); n != 0 || err != io.EOF {
		t.Errorf("an empty file: %d, %v", n, err)
	}
	if want := []span{{0, 4}, {19, 26}}; !slices.Equal(u.onScratch(), want) {
		t.Errorf("the file uses %v of the scratch, want %v: another one is between", u.onScratch(), want)
	}
}

// Released parts of the scratch are used again where the bytes fit. Parts beside each other become one.
func TestScratchIsUsedAgain(t *testing.T) {
	d := &disk{open: func() (Scratch, error) { return &memoryScratch{}, nil }}
	first, _ := d.put([]byte("first"))
	second, _ := d.put([]byte("second"))
	d.release([]span{{first, first + 5}, {second + 6, second + 6}})
	for _, test := range []struct {
		text string
		want int64
	}{{"longer", 11}, {"3rd", 0}, {"4th", 17}, {"in", 3}, {"5", 20}} {
		if at, ok := d.put([]byte(test.text)); !ok || at != test.want {
			t.Errorf("%s is at %d, want %d", test.text, at, test.want)
		}
	}
	d.release([]span{{second, 11}, {17, 20}})
	d.release([]span{{11, 17}, {0, 3}})
	if want := []span{{0, 3}, {5, 20}}; !slices.Equal(d.gaps, want) || d.end != 21 {
		t.Errorf("the gaps are %v before %d, want %v before 21", d.gaps, d.end, want)
	}
	d.release([]span{{20, 21}, {3, 5}})
	if len(d.gaps) != 0 || d.end != 0 {
		t.Errorf("nothing is used, the gaps are %v before %d", d.gaps, d.end)
	}
	large := &disk{open: func() (Scratch, error) { return bottomless{}, nil }, end: maxScratch - 3}
	for _, test := range []struct {
		text string
		fits bool
	}{{text: "full"}, {text: "fit", fits: true}, {text: "x"}} {
		if _, ok := large.put([]byte(test.text)); ok != test.fits {
			t.Errorf("%q on a scratch with 3 bytes left: %v", test.text, ok)
		}
	}
	none := &disk{open: func() (Scratch, error) { return nil, errors.New("no room") }}
	if _, ok := none.put([]byte("x")); ok {
		t.Error("a scratch that cannot be opened takes bytes")
	}
}

// bottomless is a scratch that takes everything and keeps nothing.
type bottomless struct{ io.ReaderAt }

func (bottomless) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }

// Head reads no more of a member than is wanted.
func TestHead(t *testing.T) {
	deflated := gzipped(bytes.Repeat([]byte("0123456789"), 1<<20))
	members, err := List("x.gz", source(deflated), NewBudget(Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{0: "", 1: "0", 12: "012345678901"} {
		if head, err := members[0].Head(n); string(head) != want || err != nil {
			t.Errorf("%d bytes: %q, %v", n, head, err)
		}
	}
	short, _ := List("x.gz", source(gzipped([]byte("short"))), NewBudget(Limits{}))
	if head, err := short[0].Head(10); string(head) != "short" || err != nil {
		t.Errorf("%q, %v", head, err)
	}
	damaged, _ := List("x.gz", source(deflated[:1000]), NewBudget(Limits{}))
	if head, err := damaged[0].Head(20 << 20); len(head) < 1000 || errString(err) != "archive: x in gzip: unexpected EOF" {
		t.Errorf("%d bytes before the damage, %v", len(head), err)
	}
}

// Any number of files may be opened one after another, on a scratch and off it, dense ones and those that state their
// size: closed ones cost nothing.
func TestReleasedMembersCostNothing(t *testing.T) {
	limits := sparseLimits(&memoryScratch{})
	b := NewBudget(limits)
	left, work, holes := b.left, b.work, b.holes
	for _, data := range [][]byte{bytes.Repeat([]byte("no pattern of eight bytes, "), 1<<18), append([]byte("sparse"), bytes.Repeat([]byte("and so on, "), 1<<20)...)} {
		var opened []*Member
		for range 3 {
			members, err := List("x.gz", source(compressed(t, gzip.BestSpeed, data)), b)
			if err != nil {
				t.Fatal(err)
			}
			if file, err := members[0].Open(); err != nil || file.Size() != int64(len(data)) {
				t.Fatalf("%d bytes, %v", file.Size(), err)
			}
			opened = append(opened, &members[0])
		}
		for _, i := range []int{1, 0, 2} {
			opened[i].Release()
		}
		if b.left != left || b.work != work || b.holes != holes || b.scratch.end != 0 || len(b.scratch.gaps) != 0 {
			t.Errorf("of %d bytes, %d of work and %d of holes are left %d, %d and %d; the scratch ends at %d",
				left, work, holes, b.left, b.work, b.holes, b.scratch.end)
		}
	}
}
