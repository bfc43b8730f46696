package breakpad

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
)

func TestNotes(t *testing.T) {
	tests := []struct {
		name, data string
		want       string // text@line+offset x count
	}{
		{"nothing wrong", "MODULE a b c d\nFUNC 1 1 0 f\n1 1 1 0\n\n\r\nPUBLIC 5 0 p\n", ""},
		{"empty", "", ""},
		{"no record", "hello\nFUNCTION\nSTACK\nSTACK WAR 1\nFUN\n", "line is no known record@1+0 x3; line record belongs to no FUNC@2+6 x2"},
		{"no end", "FUNC 1 1 0 f\nPUBLIC 5 0 cut shor", "last line has no end: the file may be cut short@2+31 x1"},
		{"two modules", "MODULE a b c d\nMODULE a b c d\n", "MODULE is there twice: the first counts@2+15 x1"},
		{"MODULE", "MODULE a b\n", "MODULE is malformed@0+0 x1"},
		{"FUNC", "FUNC x 1 0 f\nFUNC 1 1 0\nFUNC 1 1\nFUNC m 1 1 0 \nFUNC 1 1 100000000 f\nFUNC 11112222333344445 1 0 f\nFUNC 1,1 0 f\n", "FUNC is malformed@1+0 x7"},
		{"FUNC of size 0", "FUNC 1 0 0 f\n1 1 1 0\n", "FUNC has size 0 and covers nothing@1+0 x1"},
		{"FUNC beyond the top", "FUNC ffffffffffffffff 2 0 f\n", "FUNC reaches beyond the address space@1+0 x1"},
		{"FUNC up to the top", "FUNC ffffffffffffffff 1 0 f\n", ""},
		{"FUNCs overlap", "FUNC 1 10 0 f\nFUNC 2 1 0 f\nFUNC 3 1 0 f\n", "FUNC records overlap: of those that cover an address the last to start is used@0+0 x2"},
		{"PUBLIC", "PUBLIC x 0 p\nPUBLIC 1 0\nPUBLIC 1 p\n", "PUBLIC is malformed@1+0 x3"},
		{"PUBLIC 0", "PUBLIC 0 0 p\n", "PUBLIC has the address 0@1+0 x1"},
		{"FILE", "FILE x y\nFILE 1\nFILE 4294967296 x\nFILE -1 x\n", "FILE is malformed@1+0 x4"},
		{"INLINE_ORIGIN", "INLINE_ORIGIN x y\nINLINE_ORIGIN 1 \n", "INLINE_ORIGIN is malformed@1+0 x2"},
		{"before any FUNC", "1 1 1 1\nINLINE 0 1 1 1 1 1\n", "line record belongs to no FUNC@1+0 x1; INLINE belongs to no FUNC@2+8 x1"},
		{"after PUBLIC", "FUNC 1 1 0 f\nPUBLIC 2 0 p\n1 1 1 1\n", "line record belongs to no FUNC@3+26 x1"},
		{"after a bad FUNC", "FUNC 1 1 0 f\nFUNC bad\n1 1 1 1\n", "FUNC is malformed@2+13 x1; line record belongs to no FUNC@3+22 x1"},
		{"lines", "FUNC 1 10 0 f\n1 1 x 1\n1 1 1\n1 1 1 4294967296\nffffffffffffffff 2 1 1\n1 0 1 1\n", "line record is malformed@0+14 x3; line record reaches beyond the address space@0+45 x1"},
		{"INLINE", "FUNC 1 10 0 f\nINLINE 0 1 1 x 1\nINLINE 0 1 1 1 x 1\nINLINE 0\nINLINE 1024 1 1 1 1 1\n", "INLINE is malformed@0+14 x3; INLINE is nested too deeply@0+59 x1"},
		{"STACK WIN", "STACK WIN 4 1 1\nSTACK WIN 4 1 1 0 0 0 0 0 0 1\nSTACK WIN 0 1 1 0 0 0 0 0 0 0 x\nSTACK WIN 4 1 0 0 0 0 0 0 0 1 p\n",
			"STACK WIN is malformed@1+0 x3; STACK WIN has size 0 and covers nothing@4+78 x1"},
		{"STACK CFI INIT", "STACK CFI INIT 1 1\nSTACK CFI INIT x 1 .cfa: 1\nSTACK CFI 1 .cfa: 1\n", "STACK CFI INIT is malformed@1+0 x2; STACK CFI row belongs to no STACK CFI INIT@3+46 x1"},
		{"lines that begin like those of a function", "FUNC 1 10 0 f\nINLINED 0 1 1 1 1 1\nINFO 1 2 3 4\n", "line is no known record@2+14 x1"},
		{"lines that begin like rows", "STACK CFI INIT 1 10 .cfa: 1\nSTACK CFG 2 .cfa: 1\nSTACKXCFI 2 .cfa: 1\n", "line is no known record@2+28 x2"},
		{"a word before the first register", "STACK CFI INIT 1 10 5 .cfa: 1\n", "STACK CFI INIT has malformed rules@0+0 x1"},
		{"STACK WIN records nest", "STACK WIN 4 1 10 0 0 0 0 0 0 1 p\nSTACK WIN 4 2 1 0 0 0 0 0 0 1 p\nSTACK WIN 0 1 10 0 0 0 0 0 0 0 1\nSTACK WIN 0 2 1 0 0 0 0 0 0 0 1\n", ""},
		{"two FUNCs at one address, and one inside", "FUNC 1 10 0 f\nFUNC 1 10 0 g\nFUNC 5 1 0 h\n", "FUNC records overlap: of those that cover an address the last to start is used@0+0 x2"},
		{"rules", "STACK CFI INIT 1 10 .cfa 1\n", "STACK CFI INIT has malformed rules@0+0 x1"},
		{"rows", "STACK CFI INIT 1 10 .cfa: 1\nSTACK CFI x .cfa: 1\nSTACK CFI 2 .cfa:\nSTACK CFI 3\nSTACK CFI 4 a: b: 1\nSTACK CFI 0 .cfa: 1\nSTACK CFI 11 .cfa: 1\n",
			"STACK CFI row is malformed@0+28 x4; STACK CFI row lies outside of its STACK CFI INIT@0+98 x2"},
		{"NULs", "FUNC 1 1 0 f\n" + strings.Repeat("\x00", 100) + "\nPUBLIC 5 0 p\n", "line is no known record@2+13 x1"},
		{"long lines", "FUNC 1 1 0 " + strings.Repeat("f", maxLine-11) + "\nFUNC 2 1 0 " + strings.Repeat("f", maxLine-10) + "\n", "line is too long for a record@2+1048577 x1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := openString(t, tt.data, Options{})
			for rel := range uint64(0x20) { // so that bodies are read, and twice
				f.Locate(rel)
				f.CallFrame(rel)
			}
			var got []string
			for _, n := range f.Notes() {
				got = append(got, fmt.Sprintf("%s@%d+%d x%d", n.Text, n.Line, n.Offset, n.Count))
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// TestOverlaps pins what overlapping records mean.
func TestOverlaps(t *testing.T) {
	tests := []struct {
		name, data string
		want       string // names at 0x10, 0x20, ... 0x80
	}{
		{"one inside the other", "FUNC 10 70 0 a\nFUNC 30 20 0 b\n", "a a b b a a a -"},
		{"the other way round", "FUNC 30 20 0 b\nFUNC 10 70 0 a\n", "a a b b a a a -"},
		{"side by side inside a third", "FUNC 10 80 0 a\nFUNC 20 10 0 b\nFUNC 40 10 0 c\n", "a b a c a a a a"},
		{"one reaches into the next", "FUNC 10 40 0 a\nFUNC 30 40 0 b\n", "a a b b b b - -"},
		{"a lying size", "FUNC 10 ffffffff 0 a\nFUNC 30 10 0 b\nFUNC 40 10 0 c\n", "a a b c a a a a"},
		{"twice the same", "FUNC 10 20 0 a\nFUNC 10 20 0 b\n", "a a - - - - - -"},
		{"same start, the second is longer", "FUNC 10 20 0 a\nFUNC 10 40 0 b\n", "a a b b - - - -"},
		{"same start, the first is longer", "FUNC 10 40 0 a\nFUNC 10 20 0 b\n", "a a a a - - - -"},
		{"three deep, ends crossed", "FUNC 10 50 0 a\nFUNC 20 60 0 b\nFUNC 30 10 0 c\n", "a b c b b b b -"},
		{"unsorted, apart", "FUNC 50 10 0 b\nFUNC 10 10 0 a\nFUNC 30 10 0 c\n", "a - c - b - - -"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := openString(t, tt.data, Options{})
			var got []string
			for rel := uint64(0x10); rel <= 0x80; rel += 0x10 {
				loc, ok := f.Locate(rel)
				if !ok {
					loc.Function = "-"
				}
				got = append(got, loc.Function)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}

// TestOldInline reads the form of 2021, in which the call's file follows from
// where the function around it is defined.
func TestOldInline(t *testing.T) {
	f := openString(t, "FILE 0 main.cc\nFILE 1 outer.h\nFILE 2 inner.h\nINLINE_ORIGIN 0 1 outer()\nINLINE_ORIGIN 1 2 inner() 3\nINLINE_ORIGIN 2 -1 made()\n"+
		"FUNC 100 40 0 main\nINLINE 0 7 0 110 20\nINLINE 1 8 1 118 8\nINLINE 2 9 2 11c 4\n100 10 5 0\n110 20 6 2\n", Options{})
	tests := map[uint64]string{
		0x100: "main@main.cc:5",
		0x110: "outer()@inner.h:6 < main@main.cc:7",
		0x118: "inner() 3@inner.h:6 < outer()@outer.h:8 < main@main.cc:7",
		0x11c: "made()@inner.h:6 < inner() 3@inner.h:9 < outer()@outer.h:8 < main@main.cc:7",
	}
	for rel, want := range tests {
		loc, _ := f.Locate(rel)
		var got []string
		for _, in := range loc.Inlines {
			got = append(got, fmt.Sprintf("%s@%s:%d", in.Function, in.File, in.Line))
		}
		got = append(got, fmt.Sprintf("%s@%s:%d", loc.Function, loc.File, loc.Line))
		if s := strings.Join(got, " < "); s != want {
			t.Errorf("%#x: got %s, want %s", rel, s, want)
		}
	}
}

func TestNumberedRecords(t *testing.T) {
	// 5 comes before the list is dense up to it, and again when it is.
	f := openString(t, "FILE 5 five\nFILE 0 zero\nFILE 1 one\nFILE 0 again\nFILE 4000000000 far\nFILE 2 two\nFILE 3 three\nFILE 4 four\nFILE 5 again\nFILE 7 seven\n", Options{})
	for id, want := range map[uint32]string{0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "", 7: "seven", 4000000000: "far"} {
		if got := f.fileName(id); got != want {
			t.Errorf("file %d is %q, want %q", id, got, want)
		}
	}
}

// failing reads zeros of a text up to some offset and then fails.
type failing struct {
	text string
	at   int64
	err  error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.at {
		return 0, f.err
	}
	return strings.NewReader(f.text).ReadAt(p, off)
}

func TestReadErrors(t *testing.T) {
	text := strings.Repeat("FUNC 1000 10 0 function\n1000 10 1 0\n", 1000)
	gone := errors.New("the disk is gone")
	src := func(at int64) bin.Source { return bin.NewSource(&failing{text, at, gone}, int64(len(text))) }
	for _, at := range []int64{0, 64, 1000} {
		_, err := Open(src(at), Options{})
		if err == nil || !strings.HasSuffix(err.Error(), "reading failed: the disk is gone") {
			t.Errorf("readable up to %d: %v", at, err)
		}
	}
	if _, err := Open(bin.NewSource(strings.NewReader(text), int64(len(text))+5), Options{}); err == nil ||
		!strings.HasSuffix(err.Error(), "reading failed: "+io.ErrUnexpectedEOF.Error()) {
		t.Errorf("a file that is shorter than its size: %v", err)
	}
	// The file goes away after it was opened.
	r := &failing{text, int64(len(text)), gone}
	f, err := Open(bin.NewSource(r, int64(len(text))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.at = 0
	if loc, ok := f.Locate(0x1000); ok {
		t.Errorf("found %+v in a file that is gone", loc)
	}
	notes := f.Notes()
	if n := notes[len(notes)-1]; n.Text != "symbol file at 0x0: reading failed: the disk is gone" {
		t.Errorf("notes %+v", notes)
	}
}

func TestProgress(t *testing.T) {
	text := strings.Repeat("FUNC 1000 10 0 function\n1000 10 1 0\n", 500_000)
	for _, parts := range []int{1, 3} {
		var last int64
		calls := 0
		openString(t, text, Options{Parts: parts, Progress: func(done, total int64) error {
			if done <= last || total != int64(len(text)) {
				t.Errorf("progress %d after %d of %d", done, last, total)
			}
			last = done
			calls++
			return nil
		}})
		if last != int64(len(text)) || calls < 4 {
			t.Errorf("%d calls, the last at %d of %d", calls, last, len(text))
		}
		enough := errors.New("enough")
		_, err := Open(bin.NewSource(strings.NewReader(text), int64(len(text))), Options{Parts: parts, Progress: func(int64, int64) error { return enough }})
		if err != enough {
			t.Errorf("error %v, want the one of the progress", err)
		}
	}
}

// repeated is a file of n times the same text, which takes no memory.
type repeated struct {
	text string
}

func (r repeated) ReadAt(p []byte, off int64) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], r.text[(off+int64(n))%int64(len(r.text)):])
	}
	return len(p), nil
}

// TestNoise opens large files without symbols, and with the worst records, and checks the memory that
// stays in use.
func TestNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 256 MB")
	}
	size := int64(sample.Of(32 << 20))
	for name, text := range map[string]string{
		"no records":           "What is this?\n",
		"empty lines":          "\n",
		"one line":             "abc",
		"NULs":                 "\x00",
		"lines without a FUNC": "1 1 1 1\n",
		"malformed FUNCs":      "FUNC x\n",
		"rows without an INIT": "STACK CFI 1 a: 1\n",
		"files of one number":  "FILE\n",
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		f, err := Open(bin.NewSource(repeated{text}, size), Options{})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 32<<20 {
			t.Errorf("%s: allocated %d bytes", name, grown)
		}
		if len(f.Notes()) > 3 {
			t.Errorf("%s: notes %+v", name, f.Notes())
		}
		f.Locate(1)
		f.CallFrame(1)
		t.Logf("%s: %v", name, time.Since(start))
	}
}

// TestHugeBodies has a function and rules with more records than are read.
func TestHugeBodies(t *testing.T) {
	lines := "FUNC 1000 10 0 f\n" + strings.Repeat("1000 10 1 0\n", maxBody/12) + "1004 4 99 0\nPUBLIC 5000 0 p\n"
	f := openString(t, lines, Options{})
	if loc, ok := f.Locate(0x1000); !ok || loc.Line != 1 {
		t.Errorf("got %+v, %v", loc, ok)
	}
	if n := f.Notes(); len(n) != 1 || n[0].Text != "record is longer than what is read of one" {
		t.Errorf("notes %+v", n)
	}
	if loc, ok := f.Locate(0x5000); !ok || loc.Function != "p" {
		t.Errorf("behind it: got %+v, %v", loc, ok)
	}
	rows := new(strings.Builder)
	rows.WriteString("STACK CFI INIT 1000 100000 .cfa: 0\n")
	for i := range 20000 {
		fmt.Fprintf(rows, "STACK CFI %x .cfa: %d r%d: 1\n", 0x1000+i, i, i%200)
	}
	f = openString(t, rows.String(), Options{})
	cf, ok := f.CallFrame(0x1000 + 15000)
	if !ok || cf.Rules[0].Text() != "15000" || len(cf.Rules) != maxRules {
		t.Errorf("got %d rules, %v, the first %+v", len(cf.Rules), ok, cf.Rules[0])
	}
}
