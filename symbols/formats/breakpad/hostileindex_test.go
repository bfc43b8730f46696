package breakpad

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// indexed is the file that the indexes below are about.
const indexed = "MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\nFUNC 1000 10 0 f\n"

func textOf(t *testing.T, data string) text {
	t.Helper()
	out, err := newText(asSource([]byte(data)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSignedIndex has indexes with a right checksum, of which each has one wrong number.
func TestSignedIndex(t *testing.T) {
	size := int64(len(indexed))
	index := func(from, to int64, change func(*scanner)) []byte {
		s := newScanner(textOf(t, indexed))
		s.line, s.module = 2, 0
		change(s)
		return s.save(from, to)
	}
	whole := func(change func(*scanner)) []byte { return index(0, size, change) }
	two := func(change func(*scanner)) []byte {
		return append(index(0, 60, func(*scanner) {}), index(60, size, change)...)
	}
	none := func(*scanner) {}
	at := func(i int, v byte) []byte {
		b := whole(none)
		b[i] = v
		return signed(b)
	}
	note := func(n int) []byte {
		return whole(func(s *scanner) { s.notes.list = []Note{{Text: strings.Repeat("x", n), Count: 1}} })
	}
	for _, tt := range []struct {
		name  string
		index []byte
		used  bool
	}{
		{name: "nothing wrong", index: whole(none), used: true},
		{name: "nothing wrong in two parts", index: two(func(s *scanner) { s.funcs.Add(1, 1, 60); s.rest.add(1, size-1) }), used: true},
		{name: "a larger file", index: at(savedHead, byte(size+1))},
		{name: "units of two bytes", index: at(savedHead+8, 2)},
		{name: "a part that needs the one before it", index: whole(func(s *scanner) { s.lost = true })},
		{name: "beyond the end of the text", index: index(0, size+1, none)},
		{name: "a part of no units before the whole", index: append(index(0, 0, none), whole(none)...)},
		{name: "MODULE in the last unit", index: whole(func(s *scanner) { s.module = size - 1 }), used: true},
		{name: "MODULE behind the text", index: whole(func(s *scanner) { s.module = size })},
		{name: "INFO CODE_ID in the last unit", index: whole(func(s *scanner) { s.codeID = size - 1 }), used: true},
		{name: "INFO CODE_ID behind the text", index: whole(func(s *scanner) { s.codeID = size })},
		{name: "a note as long as is read", index: note(loadStep), used: true},
		{name: "a longer note", index: note(loadStep + 1)},
		{name: "FUNC without code", index: whole(func(s *scanner) { s.funcs.Rows().Add(3, 1, 0, 1) })},
		{name: "FUNC beyond the address space", index: whole(func(s *scanner) { s.funcs.Rows().Add(3, math.MaxUint64, 2, 1) })},
		{name: "FUNC behind the text", index: whole(func(s *scanner) { s.funcs.Add(1, 1, size) })},
		{name: "STACK CFI INIT behind the text", index: whole(func(s *scanner) { s.inits.Add(1, 1, size) })},
		{name: "STACK WIN 4 behind the text", index: whole(func(s *scanner) { s.frames.Add(1, 1, size) })},
		{name: "STACK WIN 0 behind the text", index: whole(func(s *scanner) { s.fpo.Add(1, 1, size) })},
		{name: "PUBLIC behind the text", index: whole(func(s *scanner) { s.publics.add(1, size) })},
		{name: "a line behind the text", index: whole(func(s *scanner) { s.rest.add(1, size) })},
		{name: "FILE 0 behind the text", index: whole(func(s *scanner) { s.files.add(0, size) })},
		{name: "FILE 7 behind the text", index: whole(func(s *scanner) { s.files.add(7, size) })},
		{name: "INLINE_ORIGIN 0 behind the text", index: whole(func(s *scanner) { s.origins.add(0, size) })},
		{name: "INLINE_ORIGIN 7 behind the text", index: whole(func(s *scanner) { s.origins.add(7, size) })},
		{name: "FUNC before its part", index: two(func(s *scanner) { s.funcs.Add(1, 1, 59) })},
		{name: "PUBLIC before its part", index: two(func(s *scanner) { s.publics.add(1, 59) })},
		{name: "FILE before its part", index: two(func(s *scanner) { s.files.add(0, 59) })},
		{name: "FUNC of two numbers", index: whole(func(s *scanner) { s.funcs.Rows().Add(2, 1, 1, 0) })},
		{name: "PUBLIC of three numbers", index: whole(func(s *scanner) { s.publics.Grid.Add(3, 1, 1, 1) })},
	} {
		x, _, ok := loadIndex(textOf(t, indexed), kept(tt.index))
		if ok != tt.used {
			t.Errorf("%s: used %v; %d functions", tt.name, ok, x.funcs.Len())
		}
	}
}

// TestIndexOfParts joins the indexes of parts. They are the index of the whole file, whatever stands in which part.
func TestIndexOfParts(t *testing.T) {
	for name, text := range map[string]string{"addresses of 32 bits": partly, "of 64 bits": strings.NewReplacer("FUNC 10", "FUNC 7fff00010", "INIT 10", "INIT 7fff00010", "PUBLIC ", "PUBLIC 7fff0000").Replace(partly)} {
		f := openString(t, text, Options{Parts: 1})
		want, used := f.Index(), 0
		for n := 1; n <= 12; n++ {
			parts := scanned(t, text, n)
			x, list, ok := loadIndex(f.whole, kept(bytes.Join(parts, nil)))
			if !ok {
				continue
			}
			used++
			s := &scanner{t: f.t, index: x, notes: notes{list: list}}
			if got := s.save(0, f.t.size()); !bytes.Equal(got, want) {
				t.Errorf("%s, in %d parts: another index", name, n)
			}
		}
		if used < 4 {
			t.Errorf("%s: %d indexes were used", name, used)
		}
	}
}

// TestPartsThatNeedOthers cuts a file where no part should begin: the index of such parts is not used.
func TestPartsThatNeedOthers(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		used                bool
	}{
		{name: "before a FUNC", before: "FUNC 1000 10 0 f\n1000 10 1 0\n", after: "FUNC 1010 10 0 g\n1010 10 1 0\n", used: true},
		{name: "before a line", before: "FUNC 1000 10 0 f\n", after: "1000 10 1 0\n"},
		{name: "before a line, and then a FUNC", before: "FUNC 1000 10 0 f\n", after: "1000 10 1 0\nFUNC 1010 10 0 g\n1010 10 1 0\n"},
		{name: "before an inlined call", before: "FUNC 1000 10 0 f\n", after: "INLINE 0 1 1 1 1000 10\n"},
		{name: "before a row", before: "STACK CFI INIT 1000 10 .cfa: 1\n", after: "STACK CFI 1004 .cfa: 1\n"},
		{name: "before MODULE", before: "FUNC 1000 10 0 f\n", after: "MODULE a b c d\n"},
		{name: "a line without FUNC in the first part", before: "1000 10 1 0\n", after: "FUNC 1000 10 0 f\n", used: true},
	} {
		src := asSource([]byte(tt.before + tt.after))
		cut, size := int64(len(tt.before)), src.Size()
		var index []byte
		for _, part := range [][2]int64{{0, cut}, {cut, size}} {
			one, err := ScanPart(src, part[0], part[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			index = append(index, one...)
		}
		f, err := Open(src, Options{Index: kept(index)})
		if err != nil || f.saved != tt.used {
			t.Errorf("%s: used %v, %v", tt.name, f.saved, err)
		}
	}
}

// TestPartsOfOneBody is cut at a FUNC, behind which a row of the part before it stands. The parts are scanned
// as one.
func TestPartsOfOneBody(t *testing.T) {
	text := "STACK CFI INIT 1000 10 .cfa: $rsp 8 +\nFUNC 1000 10 0 " + strings.Repeat("f", 80) + "\nSTACK CFI 1004 .cfa: $rsp 16 +\n"
	for parts := 1; parts <= 3; parts++ {
		f := openString(t, text, Options{Parts: parts})
		if frame, ok := f.CallFrame(0x1008); !ok || frame.Rules[0].Text() != "$rsp 16 +" {
			t.Errorf("in %d parts: %v", parts, frame.Rules)
		}
	}
}

// TestPartProgress counts the bytes of a part, also of one in UTF-16.
func TestPartProgress(t *testing.T) {
	for _, wide := range []int64{1, 2} {
		text := []byte(partly)
		if wide == 2 {
			text = []byte(utf16Text(partly))
		}
		var got [][2]int64
		_, err := ScanPart(asSource(text), 58, 158, func(done, total int64) error {
			got = append(got, [2]int64{done, total})
			return nil
		})
		if want := [][2]int64{{100 * wide, 100 * wide}}; err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("units of %d: %v, %v, want %v", wide, got, err, want)
		}
	}
}

// TestJoinedNumbers adds the numbers of two parts. The joined list is that of a file in one piece.
func TestJoinedNumbers(t *testing.T) {
	for _, numbers := range [][2][]uint32{
		{{0, 1}, {2, 3, 4}},
		{{0, 1}, {0, 2, 1, 3}}, // again, between those that go on
		{{0, 1}, {5, 0, 2, 1, 3, 4, 5}},
		{{}, {1, 0, 1, 2}},
		{{7, 0}, {0, 1}},
	} {
		var whole, first, second pairs
		off := int64(0)
		for i, part := range numbers {
			for _, id := range part {
				off++
				whole.add(uint64(id), off)
				[]*pairs{&first, &second}[i].add(uint64(id), off)
			}
		}
		first.join(&second)
		if got, want := fmt.Sprint(first.ranges()), fmt.Sprint(whole.ranges()); got != want {
			t.Errorf("%v: %s, want %s", numbers, got, want)
		}
	}
}

// TestScannerAgain scans two parts in turn with one scanner, as a search does. Nothing of the first is left.
func TestScannerAgain(t *testing.T) {
	first := partly + "FUNC 1 1 0 " + strings.Repeat("x", 100)
	whole := textOf(t, first+"\nFILE 5 five\nPUBLIC 10 0 p\n1 1 1 1\nSTACK CFI 1 .cfa: 1\n")
	from := int64(len(first) + 1)
	run := func(s *scanner, from, to int64) string {
		if err := s.run(from, to, progressOf(whole, nil)); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(*s.index.block(), s.publics.Len(), s.publics.disorder, s.rest.Len(), s.notes.list, s.line, s.fn, s.cfi, s.body, s.lost, s.open)
	}
	s := newPart(whole, 0)
	for i, part := range [][2]int64{{0, from}, {from, whole.size()}, {0, from}} {
		want := run(newPart(whole, part[0]), part[0], part[1])
		s.again(part[0])
		if got := run(s, part[0], part[1]); got != want || s.lost != (i == 1) {
			t.Errorf("scan %d: %s, want %s", i, got, want)
		}
	}
}

// TestLongLineInChunks has a line that is too long go on in the next chunks. One note is about it, and the
// record behind it is read.
func TestLongLineInChunks(t *testing.T) {
	s := newScanner(text{src: bin.NewSource(bytes.NewReader(nil), 0), unit: 1})
	long := bytes.Repeat([]byte("x"), maxLine)
	if used := s.chunk(long, 0, false); used != 0 || len(s.notes.list) != 0 {
		t.Errorf("a line that may end in the next chunk: %d used, %v", used, s.notes.list)
	}
	if used := s.chunk(append(long, 'x'), 0, false); used != maxLine+1 {
		t.Errorf("a line that is too long: %d used", used)
	}
	if used := s.chunk([]byte("it goes on"), maxLine+1, false); used != 10 || !s.skipping {
		t.Errorf("and goes on: %d used, skipping %v", used, s.skipping)
	}
	last := "its end\nFUNC 1000 10 0 f\n"
	if used := s.chunk([]byte(last), maxLine+11, true); used != len(last) || s.skipping || s.line != 2 {
		t.Errorf("and ends: %d used, skipping %v, line %d", used, s.skipping, s.line)
	}
	r, ok := s.funcs.Find(0x1000)
	if got, want := fmt.Sprint(r.Value, ok, s.notes.list), fmt.Sprintf("%d true [{line is too long for a record 1 0 1}]", maxLine+11+8); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
