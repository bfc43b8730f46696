package breakpad

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
	"crashglass/symbols/search"
)

// orderly is a file as writers make it: 200 functions of 0x20 bytes, each with
// two lines, an inlined call and rules. A block of 512 bytes has about five.
func orderly() []string {
	lines := []string{"MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("FILE %d /src/file%d.c", i, i))
	}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("INLINE_ORIGIN %d inlined%d", i, i))
	}
	for i := range 200 {
		at := 0x1000 + i*0x20
		lines = append(lines, fmt.Sprintf("FUNC %x 20 8 function%d", at, i),
			fmt.Sprintf("INLINE 0 %d %d %d %x 8", i+1, i%40, i%60, at+8),
			fmt.Sprintf("%x 10 %d %d", at, i+1, i%40), fmt.Sprintf("%x 10 %d %d", at+0x10, i+2, i%40))
	}
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("PUBLIC %x 0 public%d", 0x4000+i*0x10, i))
	}
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("STACK WIN 4 %x 20 1 0 8 0 0 0 1 $eip %d =", 0x1000+i*0x20, i))
	}
	for i := range 200 {
		at := 0x1000 + i*0x20
		lines = append(lines, fmt.Sprintf("STACK CFI INIT %x 20 .cfa: $rsp 8 + .ra: .cfa 8 - ^", at), fmt.Sprintf("STACK CFI %x .cfa: $rsp %d +", at+4, i*8))
	}
	return lines
}

func joinLines(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// replaced is orderly with other lines in place of the one that begins so.
func replaced(t *testing.T, prefix string, lines ...string) string {
	t.Helper()
	all := orderly()
	for i, line := range all {
		if strings.HasPrefix(line, prefix) {
			return joinLines(append(append(all[:i:i], lines...), all[i+1:]...)...)
		}
	}
	t.Fatalf("no line begins with %q", prefix)
	return ""
}

// TestFound shows what a search is certain of, and what needs a scan.
func TestFound(t *testing.T) {
	const func100 = "FUNC 1c80 " // function100
	for what, test := range map[string]struct {
		data   string
		addr   uint64
		name   string // "" where the search is not certain
		inline string
	}{
		"a function":                       {joinLines(orderly()...), 0x1c80, "function100", ""},
		"with an inlined call":             {joinLines(orderly()...), 0x1c88, "function100", "inlined40"},
		"the first one":                    {joinLines(orderly()...), 0x1000, "function0", ""},
		"the last one, PUBLIC follows":     {joinLines(orderly()...), 0x28e1, "function199", ""},
		"a public symbol":                  {joinLines(orderly()...), 0x4010, "", ""},
		"nothing":                          {joinLines(orderly()...), 0x3000, "", ""},
		"no end of the last line":          {strings.TrimSuffix(joinLines(orderly()...), "\n"), 0x1c80, "function100", ""},
		"CRLF":                             {strings.ReplaceAll(joinLines(orderly()...), "\n", "\r\n"), 0x1c80, "function100", ""},
		"UTF-16":                           {"\xff\xfe" + encode16(joinLines(orderly()...), binary.LittleEndian), 0x1c88, "function100", "inlined40"},
		"identical code":                   {replaced(t, func100, "FUNC m 1c80 20 8 function100"), 0x1c80, "function100", ""},
		"a line of 1 MiB":                  {replaced(t, func100, "FUNC 1c80 20 8 "+strings.Repeat("x", maxLine-20)), 0x22c0, "function150", ""},
		"twice: the first counts":          {replaced(t, func100, "FUNC 1c80 20 8 first", "FUNC 1c80 20 8 second"), 0x1c80, "first", ""},
		"inside another: the last counts":  {replaced(t, func100, "FUNC 1c80 20 8 outer", "FUNC 1c84 4 8 inner"), 0x1c85, "inner", ""},
		"and the rest is the outer one's":  {replaced(t, func100, "FUNC 1c80 20 8 outer", "FUNC 1c84 4 8 inner"), 0x1c88, "outer", ""},
		"its lines go on after a FILE":     {replaced(t, func100, func100+"20 8 function100", "FILE 99 late.c"), 0x1c80, "", ""},
		"its FILE is not there":            {replaced(t, "1c80 10 ", "1c80 10 1 77"), 0x1c80, "", ""},
		"its FILE is there twice":          {replaced(t, "FILE 20 ", "FILE 20 first", "FILE 20 second"), 0x1c80, "function100", ""},
		"a neighbour is out of place":      {replaced(t, "FUNC 1ca0 ", "FUNC 9000 20 8 elsewhere"), 0x1c80, "", ""},
		"and is not found where it is not": {replaced(t, "FUNC 1ca0 ", "FUNC 9000 20 8 elsewhere"), 0x9000, "", ""},
	} {
		page := int64(512)
		if len(test.data) > maxLine {
			page = 64 << 10
		}
		f := searching(t, []byte(test.data), page)
		loc, ok := f.Locate(test.addr)
		inline := ""
		if len(loc.Inlines) > 0 {
			inline = loc.Inlines[0].Function
		}
		if ok != (test.name != "") || loc.Function != test.name || inline != test.inline {
			t.Errorf("%s: %#x is %q, %q, %v, want %q, %q", what, test.addr, loc.Function, inline, ok, test.name, test.inline)
		}
	}
}

// TestFoundRules does so for unwind rules.
func TestFoundRules(t *testing.T) {
	const init100 = "STACK CFI INIT 1c80 "
	for what, test := range map[string]struct {
		data     string
		cfi, win bool
	}{
		"in order":                      {data: joinLines(orderly()...), cfi: true, win: true},
		"rows go on after a STACK WIN":  {data: replaced(t, init100, init100+"20 .cfa: $rsp 8 +", "STACK WIN 0 9000 10 0 0 0 0 0 0 0 1"), win: true},
		"the rules are malformed":       {data: replaced(t, init100, init100+"20 .cfa:"), win: true},
		"STACK WIN 0: a 4 may be, too":  {data: replaced(t, "STACK WIN 4 1b80 ", "STACK WIN 0 1b80 20 1 0 8 0 0 0 0 1"), cfi: true},
		"and a cold part is out of its": {data: replaced(t, "STACK CFI INIT 1c60 ", "STACK CFI INIT 8000 10 .cfa: $rsp 8 +"), win: true},
	} {
		f := searching(t, []byte(test.data), 512)
		_, cfi := f.CallFrame(0x1c80)
		_, win := f.WinFrame(0x1b80)
		if cfi != test.cfi {
			t.Errorf("%s: call frame %v, want %v", what, cfi, test.cfi)
		}
		if win != test.win {
			t.Errorf("%s: STACK WIN %v, want %v", what, win, test.win)
		}
	}
}

// TestFoundIsWhatAScanSays compares files that are odd in every way.
func TestFoundIsWhatAScanSays(t *testing.T) {
	var all tally
	for seed := range uint64(sample.Of(750)) {
		rnd, lines := rand.New(rand.NewPCG(seed, 5)), orderly()
		if seed%5 == 4 {
			lines = lopsided(200, 11)
		}
		data := []byte(oddFile(rnd, lines))
		scanned, rows := openString(t, string(data), Options{Parts: 1}), rowsOf(t, data)
		searched := searching(t, data, []int64{64, 256, 2048}[seed%3])
		for range 150 {
			all.add(compareSearched(t, fmt.Sprint("seed ", seed), searched, scanned, &rows, 0xff0+rnd.Uint64N(0x1a00)))
		}
		if t.Failed() {
			t.Fatalf("%s", data)
		}
	}
	t.Logf("%+v", all)
	if all.found < sample.Of(50_000) {
		t.Errorf("only %+v", all)
	}
}

// TestSecondSection has functions behind the rules that lie inside of the last
// one before them: where a section seems to end is no end.
func TestSecondSection(t *testing.T) {
	lines := strings.Split(replaced(t, "FUNC 28e0 ", "FUNC 28e0 2000 8 around"), "\n")
	for i := range 40 {
		lines = append(lines[:len(lines)-1], fmt.Sprintf("FUNC %x 10 8 inside%d", 0x2a00+i*0x20, i), "")
	}
	data := []byte(strings.Join(lines, "\n"))
	scanned, rows := openString(t, string(data), Options{Parts: 1}), rowsOf(t, data)
	for _, page := range []int64{128, 512, 2048} {
		searched := searching(t, data, page)
		for addr := uint64(0x28e0); addr < 0x3000; addr += 8 {
			compareSearched(t, fmt.Sprint("pages of ", page), searched, scanned, &rows, addr)
		}
	}
}

// oddFile is a file with a few things wrong with it.
func oddFile(rnd *rand.Rand, lines []string) string {
	for range rnd.IntN(6) {
		i, j := 1+rnd.IntN(len(lines)-1), 1+rnd.IntN(len(lines)-1)
		switch rnd.IntN(7) {
		case 0: // a record is out of place
			lines[i], lines[j] = lines[j], lines[i]
		case 1: // and again
			lines = append(lines[:i:i], append([]string{lines[j]}, lines[i:]...)...)
		case 2: // lost
			lines = append(lines[:i:i], lines[i+1:]...)
		case 3: // damaged
			b := []byte(lines[i])
			b[rnd.IntN(len(b))] = " 0f1m9"[rnd.IntN(6)]
			lines[i] = string(b)
		case 4: // larger
			lines[i] = strings.Replace(lines[i], " 20 ", " 240 ", 1)
		case 5: // of another writer
			m := &maker{Rand: rnd, at: 0x1000}
			lines = append(lines[:i:i], append(strings.Split(m.file(), "\n"), lines[i:]...)...)
		case 6: // two runs
			lines = append(lines[i:len(lines):len(lines)], lines[:i]...)
		}
	}
	if rnd.IntN(20) == 0 {
		rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	data := strings.Join(lines, []string{"\n", "\n", "\n", "\r\n"}[rnd.IntN(4)])
	if rnd.IntN(8) == 0 {
		return "\xfe\xff" + encode16(data, binary.BigEndian)
	}
	return data
}

// TestSearchedThenScanned opens a file as callers do.
func TestSearchedThenScanned(t *testing.T) {
	f := openString(t, joinLines(orderly()...), Options{Search: true, Page: 128})
	f.Locate(0x1c80)
	f.CallFrame(0x1c80)
	if f.searched == nil || f.Index() != nil || !f.HasNames() || f.Module().Name != "app" {
		t.Fatalf("searched %v, module %+v", (f.searched != nil), f.Module())
	}
	if loc, ok := f.Locate(0x4010); !ok || loc.Function != "public1" || (f.searched != nil) {
		t.Errorf("what needs a scan is %+v, %v", loc, ok)
	}
	if n, err := f.Scan(); n != 0 || err != nil {
		t.Errorf("%d answers differ, %v", n, err)
	}
}

// TestFarRecord shows the one thing that a search cannot see, and that the
// scan does not keep it to itself.
func TestFarRecord(t *testing.T) {
	lines := orderly()
	far := joinLines(append(lines[:len(lines)-300:len(lines)-300], append([]string{"FUNC 1c82 4 8 far"}, lines[len(lines)-300:]...)...)...)
	f := openString(t, far, Options{Search: true, Page: 128})
	if loc, _ := f.Locate(0x1c83); loc.Function != "function100" || f.searched == nil {
		t.Fatalf("found %+v, searched %v", loc, (f.searched != nil))
	}
	n, err := f.Scan()
	if loc, _ := f.Locate(0x1c83); n != 1 || err != nil || loc.Function != "far" {
		t.Errorf("%d answers differ, %v; now %+v", n, err, loc)
	}
	if notes := f.Notes(); len(notes) == 0 || !strings.Contains(fmt.Sprint(notes), NoteDiffers) {
		t.Errorf("notes %+v", notes)
	}
}

// TestConfirmed asks each question before a scan, and then scans: nothing differs, and no note is made.
func TestConfirmed(t *testing.T) {
	f := openString(t, joinLines(orderly()...), Options{Search: true, Page: 128})
	_, loc := f.Locate(0x1c80)
	_, fn := f.Function(0x1c80)
	_, frame := f.CallFrame(0x1c80)
	_, win := f.WinFrame(0x1a00)
	if !loc || !fn || !frame || !win || f.searched == nil || len(f.state.Answers) != 4 {
		t.Fatalf("answers %v %v %v %v, searched %v", loc, fn, frame, win, f.searched != nil)
	}
	if n, err := f.Scan(); n != 0 || err != nil || len(f.Notes()) > 0 {
		t.Errorf("%d answers differ, %v, %v", n, err, f.Notes())
	}
}

// TestConfirmedByWrongIndex compares answers with an index of another file. It is found out, and the answers are
// compared with the file's own.
func TestConfirmedByWrongIndex(t *testing.T) {
	data := joinLines(orderly()...)
	wrong := kept(openString(t, strings.Replace(data, "FUNC 1c80 20 8 function100", "FUNC 1c80 10 8 function999", 1)[:len(data)], Options{}).Index())
	moved := kept(openString(t, strings.Replace(data, "FUNC 1c80 20", "FUNC 1c70 20", 1), Options{}).Index())
	for what, index := range map[string]bin.Source{"a shorter function": wrong, "a function elsewhere": moved} {
		f := openString(t, data, Options{Search: true, Page: 128, BeforeScan: func() (bin.Source, error) { return index, nil }})
		if loc, ok := f.Locate(0x1c98); !ok || loc.Function != "function100" {
			t.Fatalf("%s: %+v", what, loc)
		}
		if n, err := f.Scan(); n != 0 || err != nil {
			t.Errorf("%s: %d answers differ, %v, notes %v", what, n, err, f.Notes())
		}
		if loc, ok := f.Locate(0x1c98); !ok || loc.Function != "function100" {
			t.Errorf("%s: then %+v", what, loc)
		}
	}
}

// TestLateNotes scans by a late index. Its notes are there once, and no longer the ones from before.
func TestLateNotes(t *testing.T) {
	data := replaced(t, "FUNC 1c80 ", "FUNC 1c80 20 8 function100", "noise") + "cut"
	whole := openString(t, data, Options{})
	f := openString(t, data, Options{Search: true, Page: 128, BeforeScan: func() (bin.Source, error) { return kept(whole.Index()), nil }})
	if _, err := f.Scan(); err != nil || !f.saved || fmt.Sprint(f.Notes()) != fmt.Sprint(whole.Notes()) {
		t.Errorf("%v, saved %v, notes %v, want %v", err, f.saved, f.Notes(), whole.Notes())
	}
}

// TestProbesOfSmallFile has fewer blocks than are probed. Each is probed once.
func TestProbesOfSmallFile(t *testing.T) {
	f := searching(t, []byte("FUNC 1000 10 0 f\nFUNC 1010 10 0 g\nFUNC 1020 10 0 h\n"), 17)
	if got := fmt.Sprint(f.searched.Seen[byFunc], f.searched.Reads); got != "3 3" {
		t.Errorf("records and blocks: %s", got)
	}
}

// TestLate postpones the scan, and asks again when there is an index.
func TestLate(t *testing.T) {
	data := joinLines(orderly()...)
	index := kept(openString(t, data, Options{}).Index())
	for what, late := range map[string]bin.Source{"nothing": {}, "an index": index, "noise": kept([]byte("noise"))} {
		var err error = errors.New("later")
		f := openString(t, data, Options{Search: true, Page: 128, BeforeScan: func() (bin.Source, error) { return late, err }})
		if loc, ok := f.Locate(0x4010); ok || f.searched == nil || f.Unanswered() != 1 || len(f.Notes()) > 0 {
			t.Errorf("%s: before %+v, %v, %d unanswered, notes %v", what, loc, ok, f.Unanswered(), f.Notes())
		}
		if loc, ok := f.Locate(0x1c80); !ok || loc.Function != "function100" {
			t.Errorf("%s: meanwhile %+v, %v", what, loc, ok)
		}
		err = nil
		if loc, ok := f.Locate(0x4010); !ok || loc.Function != "public1" || (f.searched != nil) || f.Unanswered() != 1 {
			t.Errorf("%s: after %+v, %v, %d unanswered", what, loc, ok, f.Unanswered())
		}
		if f.saved != (what == "an index") {
			t.Errorf("%s: saved is %v", what, f.saved)
		}
	}
}

// TestLateOpen does so for a file that cannot be searched: it has no INLINE.
func TestLateOpen(t *testing.T) {
	data := "MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\nFUNC 1000 10 0 f\n"
	late := errors.New("later")
	open := func(index bin.Source, err error) (*File, error) {
		src := bin.NewSource(strings.NewReader(data), int64(len(data)))
		return Open(src, Options{Search: true, BeforeScan: func() (bin.Source, error) { return index, err }})
	}
	if _, err := open(bin.Source{}, late); !errors.Is(err, late) {
		t.Errorf("before: %v", err)
	}
	if f, err := open(kept(openString(t, data, Options{}).Index()), nil); err != nil || !f.saved {
		t.Errorf("after: %v", err)
	}
}

// TestNotToBeAsked has files that only a scan can prove to lack something.
func TestNotToBeAsked(t *testing.T) {
	without := func(prefix string) string {
		var lines []string
		for _, line := range orderly() {
			if !strings.HasPrefix(line, prefix) {
				lines = append(lines, line)
			}
		}
		return joinLines(lines...)
	}
	for _, data := range []string{"", "x", without("FUNC"), without("INLINE "), without("STACK")} {
		f := openString(t, data, Options{Search: true, Page: 128})
		if want := openString(t, data, Options{}); (f.searched != nil) || fmt.Sprint(answers(f)) != fmt.Sprint(answers(want)) {
			t.Errorf("a file of %d bytes: searched %v", len(data), (f.searched != nil))
		}
	}
}

func FuzzSearch(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte(oddFile(rand.New(rand.NewPCG(seed, 6)), orderly())), uint8(seed), uint16(seed*0x100))
	}
	f.Fuzz(func(t *testing.T, data []byte, page uint8, addr uint16) {
		scanned := openString(t, string(data), Options{Parts: 1})
		searched := searching(t, data, 16+2*int64(page))
		if searched == nil {
			return
		}
		rows := rowsOf(t, data)
		for i := range uint64(8) {
			compareSearched(t, "mutated", searched, scanned, &rows, uint64(addr)+i*0x1f)
		}
		whole := openString(t, string(data), Options{Search: true, Page: 16 + 2*int64(page)})
		if m, want := whole.Module(), scanned.Module(); whole.searched != nil && m.ID != want.ID {
			t.Errorf("module %+v, want %+v", m, want)
		}
	})
}

// unplugged is a file that cannot be read from some byte on.
type unplugged struct {
	*bytes.Reader
	from int64
}

func (f unplugged) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errors.New("the disk is gone")
	}
	return f.Reader.ReadAt(p, off)
}

// TestSearchedUnreadable is not certain of anything that cannot be read.
func TestSearchedUnreadable(t *testing.T) {
	data := []byte(joinLines(orderly()...))
	r := &unplugged{bytes.NewReader(data), int64(len(data))}
	f, err := Open(bin.NewSource(r, int64(len(data))), Options{Search: true, Page: 128})
	if err != nil || f.searched == nil {
		t.Fatal(err)
	}
	r.from = 0
	*f.searched.blocks.pages = *search.NewPages(bin.NewSource(r, int64(len(data))), 128)
	open := 0
	for i := range 200 {
		loc, ok := f.Locate(uint64(0x1000 + i*0x20))
		if ok && loc.Function != fmt.Sprint("function", i) {
			t.Errorf("%+v", loc)
		}
		if !ok {
			open++
		}
	}
	if open < 100 || len(f.Notes()) == 0 {
		t.Errorf("%d queries are open, notes %v", open, f.Notes())
	}
}
