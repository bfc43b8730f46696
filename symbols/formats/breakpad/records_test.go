package breakpad

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestKinds has each tag whole, with one letter less, and alone at the end of a line.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		line string
		want kind
		rest string
	}{
		{"FUNC x", kindFunc, "x"}, {"FUNC ", kindFunc, ""}, {"FUNC", kindLine, "FUNC"}, // F is a hex digit
		{"FILE x", kindFile, "x"}, {"FILE ", kindFile, ""}, {"FILEx 1", kindLine, "FILEx 1"},
		{"PUBLIC x", kindPublic, "x"}, {"PUBLIC ", kindPublic, ""}, {"PUBLIC", kindNone, "PUBLIC"}, {"PUBLICS 1", kindNone, "PUBLICS 1"},
		{"MODULE x", kindModule, "x"}, {"MODULE ", kindModule, ""}, {"MODULE", kindNone, "MODULE"}, {"MODULES 1", kindNone, "MODULES 1"},
		{"INFO x", kindInfo, "x"}, {"INFO ", kindInfo, ""}, {"INFOS", kindNone, "INFOS"},
		{"INLINE x", kindInline, "x"}, {"INLINE ", kindInline, ""}, {"INLINE", kindNone, "INLINE"},
		{"INLINE_ORIGIN x", kindOrigin, "x"}, {"INLINE_ORIGIN ", kindOrigin, ""}, {"INLINE_ORIGIN", kindNone, "INLINE_ORIGIN"},
		{"STACK WIN x", kindWin, "x"}, {"STACK WIN ", kindWin, ""}, {"STACK WIN", kindNone, "STACK WIN"},
		{"STACK CFI x", kindCFI, "x"}, {"STACK CFI ", kindCFI, ""}, {"STACK CFI INIT", kindCFI, "INIT"},
		{"STACK CFI INIT ", kindInit, ""}, {"STACK CFI INIT x", kindInit, "x"}, {"STACK ", kindNone, "STACK "}, {"STACK CAT 1", kindNone, "STACK CAT 1"},
		{"0 1 2 3", kindLine, "0 1 2 3"}, {"9", kindLine, "9"}, {"a", kindLine, "a"}, {"f 1", kindLine, "f 1"}, {"A", kindLine, "A"}, {"F", kindLine, "F"},
		{"", kindNone, ""}, {"g", kindNone, "g"}, {"G 1", kindNone, "G 1"}, {"/ 1", kindNone, "/ 1"}, {": 1", kindNone, ": 1"}, {"@ 1", kindNone, "@ 1"}, {"` 1", kindNone, "` 1"},
	} {
		if got, rest := kindOf(slices.Clip([]byte(tt.line))); got != tt.want || string(rest) != tt.rest {
			t.Errorf("%q: kind %d and %q, want %d and %q", tt.line, got, rest, tt.want, tt.rest)
		}
	}
}

// TestFields reads words and numbers up to their limits.
func TestFields(t *testing.T) {
	for _, tt := range []struct {
		text       string
		hex, hex32 string
		dec        string
	}{
		{"0", "0", "0", "0"}, {"9", "9", "9", "9"}, {"10 x", "10", "10", "10"}, {"  7", "7", "7", "7"},
		{"a", "a", "a", "bad"}, {"F", "f", "f", "bad"}, {"g", "bad", "bad", "bad"}, {"", "bad", "bad", "bad"}, {"1x", "bad", "bad", "bad"}, {"1\t", "bad", "bad", "bad"},
		{"ffffffff", "ffffffff", "ffffffff", "bad"}, {"100000000", "100000000", "bad", "100000000"},
		{"4294967295", "4294967295", "bad", "4294967295"}, {"4294967296", "4294967296", "bad", "bad"},
		{"ffffffffffffffff", "ffffffffffffffff", "bad", "bad"}, {"10000000000000000", "bad", "bad", "bad"},
		{"00000000000000001", "1", "1", "1"}, {"-1", "bad", "bad", "bad"},
	} {
		say := func(format string, read func(*fields) uint64) string {
			f := fieldsOf([]byte(tt.text))
			if v := read(&f); !f.bad {
				return fmt.Sprintf(format, v)
			}
			return "bad"
		}
		hex := say("%x", (*fields).hex)
		hex32 := say("%x", func(f *fields) uint64 { return uint64(f.hex32()) })
		dec := say("%d", func(f *fields) uint64 { return uint64(f.dec()) })
		if hex != tt.hex || hex32 != tt.hex32 || dec != tt.dec {
			t.Errorf("%q: hex %s, hex32 %s, dec %s, want %s, %s, %s", tt.text, hex, hex32, dec, tt.hex, tt.hex32, tt.dec)
		}
	}
}

// TestInlineRecords looks up what INLINE records of both forms say, and those
// that are left out.
func TestInlineRecords(t *testing.T) {
	const head = "FILE 3 call.c\nFILE 4 def.c\nINLINE_ORIGIN 1 in\nINLINE_ORIGIN 2 deep\nINLINE_ORIGIN 5 -1 old\nINLINE_ORIGIN 6 4 older\nINLINE_ORIGIN 7 12\nFUNC 1000 100 0 f\n"
	for _, tt := range []struct{ name, records, want string }{
		{"one range", "INLINE 0 9 3 1 1010 10\n", "in@call.c:20 f@call.c:9"},
		{"the second range", "INLINE 0 9 3 1 1050 4 1010 10\n", "in@call.c:20 f@call.c:9"},
		{"of no size", "INLINE 0 9 3 1 1018 0\n", "f@call.c:20"},
		{"beyond the address space", "INLINE 0 9 3 1 fffffffffffffff0 20 1010 10\n", "in@call.c:20 f@call.c:9"},
		{"and nothing else", "INLINE 0 9 3 1 1010 fffffffffffff000\n", "f@call.c:20"},
		{"an even number of fields is the old form", "INLINE 0 9 3 1 1010 10 1030\n", "@call.c:20 f@call.c:9"},
		{"a range that is no number", "INLINE 0 9 3 1 1010 10 1030 x\n", "f@call.c:20"},
		{"several spaces between the fields", "INLINE 0  9 3   1 1010 10\n", "in@call.c:20 f@call.c:9"},
		{"two levels, the deeper first", "INLINE 1 8 4 2 1014 8\nINLINE 0 9 3 1 1010 10\n", "deep@call.c:20 in@def.c:8 f@call.c:9"},
		{"a level is missing", "INLINE 1 8 4 2 1014 8\n", "f@call.c:20"},
		{"a level is missing above the second", "INLINE 2 8 4 2 1014 8\nINLINE 0 9 3 1 1010 10\n", "in@call.c:20 f@call.c:9"},
		{"the last level of all", fmt.Sprintf("INLINE %d 8 4 2 1014 8\nINLINE 0 9 3 1 1010 10\n", maxDepth-1), "in@call.c:20 f@call.c:9"},
		{"a name of an unknown number", "INLINE 0 9 3 77 1010 10\n", "@call.c:20 f@call.c:9"},
		{"a file of an unknown number", "INLINE 0 9 77 1 1010 10\n", "in@call.c:20 f@:9"},
		{"an origin of the old form without a file", "INLINE 0 9 3 5 1010 10\n", "old@call.c:20 f@call.c:9"},
		{"an origin of the old form", "INLINE 0 9 3 6 1010 10\n", "older@call.c:20 f@call.c:9"},
		{"a name that is a number", "INLINE 0 9 3 7 1010 10\n", "12@call.c:20 f@call.c:9"},
	} {
		f := openString(t, head+tt.records+"1000 100 20 3\n", Options{})
		for range 2 { // the second time from memory
			loc, _ := f.Locate(0x1018)
			var got []string
			for _, in := range loc.Inlines {
				got = append(got, fmt.Sprintf("%s@%s:%d", in.Function, in.File, in.Line))
			}
			got = append(got, fmt.Sprintf("%s@%s:%d", loc.Function, loc.File, loc.Line))
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
			}
		}
	}
}

// TestIdentify reads the head of a file, and not beyond its first record.
func TestIdentify(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"MODULE Linux x86_64 AB app name\nINFO CODE_ID CD app.exe\n", "Linux x86_64 AB app name|CD app.exe"},
		{"MODULE Linux x86_64 AB app", "Linux x86_64 AB app| "},
		{"\n# made by hand\nMODULE Linux x86_64 AB app\n", "Linux x86_64 AB app| "},
		{"INFO GENERATOR x\nINFO CODE_ID CD\nMODULE Linux x86_64 AB app\n", "Linux x86_64 AB app|CD "},
		{"MODULE Linux x86_64 AB app\nMODULE mac arm64 CD other\n", "Linux x86_64 AB app| "}, // the first counts
		{"MODULE Linux x86_64\nMODULE mac arm64 CD other\n", "mac arm64 CD other| "},         // that is whole
		{"INFO CODE_ID CD a\nINFO CODE_ID EF b\n", "   |CD a"},                               // the first counts, too
		{"INFO CODE_ID\nINFO CODE_IDX EF\n", "   | "},                                        // no words
		{"INFO GENERATOR by hand\nINFO CODE_ID CD a\n", "   |CD a"},
		{"FILE 0 a.c\nMODULE Linux x86_64 AB app\n", "   | "},                                    // comes too late
		{"MODULE Linux x86_64 AB app\nFILE 0 a.c\nINFO CODE_ID CD a\n", "Linux x86_64 AB app| "}, // comes too late
		{"", "   | "},
	} {
		for _, wide := range []bool{false, true} {
			text := tt.text
			if wide {
				text = "\xfe\xff" + encode16(text, binary.BigEndian)
			}
			m, utf16, err := Identify(asSource([]byte(text)))
			got := fmt.Sprintf("%s %s %s %s|%s %s", m.OS, m.Arch, m.ID, m.Name, m.CodeID, m.CodeFile)
			if got != tt.want || utf16 != wide || err != nil {
				t.Errorf("%q: %q, %v, %v, want %q, %v", tt.text, got, utf16, err, tt.want, wide)
			}
		}
	}
}

// TestLongLines reads a text line by line. A line that is longer than a record
// may be is left out, wherever it stands, and the others keep their places.
func TestLongLines(t *testing.T) {
	line := func(n int) string { return strings.Repeat("x", n) }
	for _, tt := range []struct{ name, text, want string }{
		{"short ones", "a\nbb\n\nccc\n", "0:1 2:2 5:0 6:3"},
		{"no end", "a\nbb", "0:1 2:2"},
		{"CRLF", "a\r\nbb\r\n", "0:1 3:2"},
		{"as long as the first read", line(firstRead) + "\nb\n", "0:512 513:1"},
		{"as long as may be", line(maxLine) + "\nb\n", fmt.Sprintf("0:%d %d:1", maxLine, maxLine+1)},
		{"longer by one", "a\n" + line(maxLine+1) + "\nb\n", fmt.Sprintf("0:1 %d:1", maxLine+4)},
		{"longer by several reads, and again at the end", "a\n" + line(maxLine+3*mostRead) + "\nb\n" + line(maxLine+3*mostRead), fmt.Sprintf("0:1 %d:1", maxLine+3*mostRead+3)},
	} {
		for _, wide := range []bool{false, true} {
			if wide && len(tt.text) > maxLine { // a long time, and no other way
				continue
			}
			text := tt.text
			if wide {
				text = "\xff\xfe" + encode16(text, binary.LittleEndian)
			}
			whole, err := newText(asSource([]byte(text)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			r := whole.linesFrom(0, whole.size())
			for line, at, ok := r.next(); ok; line, at, ok = r.next() {
				got = append(got, fmt.Sprintf("%d:%d", at, len(line)))
			}
			if s := strings.Join(got, " "); s != tt.want || r.err != nil {
				t.Errorf("%s, wide %v: %s, %v, want %s", tt.name, wide, s, r.err, tt.want)
			}
		}
	}
}

// TestNotesAreCounted sums defects of one sort, and forgets none of the sorts
// that it has room for.
func TestNotesAreCounted(t *testing.T) {
	var n notes
	n.addLate("late", 50)
	n.addLate("late", 50) // a body that is read again
	n.addLate("late", 40)
	n.add("b", 2, 30, 2)
	n.add("a", 3, 30, 1)
	n.add("b", 9, 90, 3)
	if got, want := fmt.Sprint(n.sorted()), "[{a 3 30 1} {b 2 30 5} {late 0 50 2}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for i := range 2 * maxNotes {
		n.add(fmt.Sprint("sort ", i), 1, 1, 1)
	}
	if len(n.list) != maxNotes {
		t.Errorf("%d sorts, want %d", len(n.list), maxNotes)
	}
	for off := range int64(2 * maxLate) {
		n.addLate("late", 1000+off)
	}
	if n.list[0].Count != maxLate || len(n.late) != maxLate {
		t.Errorf("%d counted, %d remembered, want %d", n.list[0].Count, len(n.late), maxLate)
	}
}

// TestHasNames tells files that name code from those that only unwind.
func TestHasNames(t *testing.T) {
	for text, want := range map[string]bool{
		"FUNC 1000 10 0 f\n": true, "PUBLIC 1000 0 p\n": true, "STACK CFI INIT 1000 10 .cfa: $rsp 8 +\n": false, "MODULE a b c d\n": false, "": false,
	} {
		if f := openString(t, text, Options{}); f.HasNames() != want || f.HasCode() {
			t.Errorf("%q: names %v, code %v", text, f.HasNames(), f.HasCode())
		}
	}
}

// withoutLines leaves out all line records.
func withoutLines(text string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line != "" && hexDigit[line[0]] != 0 && line[0] != 'F' }), "")
}

// TestSearchedOnly opens files for questions without a scan: it takes a file that
// has everything, and is told where one is cut.
func TestSearchedOnly(t *testing.T) {
	late := Options{Search: true, Page: 512}
	whole := joinLines(orderly()...)
	without := func(tag string) string {
		var lines []string
		for _, line := range orderly() {
			if !strings.HasPrefix(line, tag) {
				lines = append(lines, line)
			}
		}
		return joinLines(lines...)
	}
	for _, tt := range []struct {
		name, text string
		searched   bool
		notes      string
	}{
		{name: "everything", text: whole, searched: true, notes: "[]"},
		{name: "MODULE in the second line", text: "INFO GENERATOR by hand\n" + whole, searched: true, notes: "[]"},
		{name: "no lines", text: withoutLines(whole), notes: "[]"},
		{name: "cut", text: strings.TrimSuffix(whole, "\n"), searched: true, notes: fmt.Sprintf("[{%s 0 %d 1}]", NoteCut, len(whole)-2)},
		{name: "no inlined calls", text: without("INLINE"), notes: "[]"},
		{name: "no STACK CFI", text: without("STACK CFI"), searched: true, notes: "[]"},
		{name: "no STACK WIN", text: without("STACK WIN"), searched: true, notes: "[]"},
		{name: "no rules", text: strings.ReplaceAll(strings.ReplaceAll(whole, "STACK CFI", "#"), "STACK WIN", "#"), notes: ""},
		{name: "no MODULE", text: without("MODULE"), notes: "[]"},
	} {
		f := openString(t, tt.text, late)
		if (f.searched != nil) != tt.searched {
			t.Errorf("%s: searched is %v", tt.name, f.searched != nil)
		}
		if got := fmt.Sprint(f.Notes()); tt.notes != "" && got != tt.notes {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.notes)
		}
		if tt.searched && (!f.HasNames() || f.Module().ID != "000102030405060708090A0B0C0D0E0F0") {
			t.Errorf("%s: %v, %+v", tt.name, f.HasNames(), f.Module())
		}
	}
}

// After a field that is no number all numbers are 0, so that no half of one is used.
func TestFieldsAfterDefect(t *testing.T) {
	for _, text := range []string{"x 5", "12345678901234567 5", "5x 5"} {
		for what, read := range map[string]func(*fields) uint64{
			"hex": (*fields).hex, "hex32": func(f *fields) uint64 { return uint64(f.hex32()) }, "dec": func(f *fields) uint64 { return uint64(f.dec()) },
		} {
			f := fieldsOf([]byte(text))
			if first, second := read(&f), read(&f); first != 0 || second != 0 || !f.bad || f.more() {
				t.Errorf("%q: %s are %d and %d, bad %v", text, what, first, second, f.bad)
			}
		}
	}
}

// TestIsDamage tells notes on lines that are lost from others.
func TestIsDamage(t *testing.T) {
	for _, tt := range []struct {
		note Note
		want bool
	}{
		{note: Note{Text: "FUNC is malformed", Line: 1}, want: true},
		{note: Note{Text: "FUNC records overlap"}},
		{note: Note{Text: notePublicZero, Line: 1}},
		{note: Note{Text: winFlaws.empty, Line: 7}},
		{note: Note{Text: winFlaws.beyond, Line: 7}, want: true},
	} {
		if got := tt.note.IsDamage(); got != tt.want {
			t.Errorf("%+v: %v", tt.note, got)
		}
	}
}

// TestFirstOfTwo has two records of which the first counts, also where it begins the file and where the other one
// is scanned in another part.
func TestFirstOfTwo(t *testing.T) {
	text := "INFO CODE_ID AA a\nINFO CODE_ID BB b\nFUNC 1000 10 0 f\nINFO CODE_ID CC c\n"
	for parts := 1; parts < 3; parts++ {
		if m := openString(t, text, Options{Parts: parts}).Module(); m.CodeID != "AA" || m.CodeFile != "a" {
			t.Errorf("in %d parts: %+v", parts, m)
		}
	}
	if m := openString(t, "INFO GENERATOR by hand\nINFO CODE_ID AA a\n", Options{}).Module(); m.CodeID != "AA" {
		t.Errorf("after another INFO: %+v", m)
	}
}

// TestUnsortedNumbers has INLINE_ORIGIN records whose numbers descend, and are far apart.
func TestUnsortedNumbers(t *testing.T) {
	f := openString(t, "INLINE_ORIGIN 900 a\nINLINE_ORIGIN 500 b\nINLINE_ORIGIN 700 c\nINLINE_ORIGIN 3 d\n", Options{})
	for id, want := range map[uint32]string{900: "a", 500: "b", 700: "c", 3: "d", 4: "", 0: "", 901: ""} {
		if got := f.originOf(id).name; got != want {
			t.Errorf("origin %d is %q, want %q", id, got, want)
		}
	}
}

// TestEncodings detects how a text is encoded, with a byte order mark and without.
func TestEncodings(t *testing.T) {
	const text16 = "MODULE a b c d"
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", "", "base 0, unit 1, big false, 0 units"},
		{"bytes", "MODULE a b c d", "base 0, unit 1, big false, 14 units"},
		{"UTF-8 with a mark", "\xef\xbb\xbfMODULE a b c d", "base 3, unit 1, big false, 14 units"},
		{"UTF-16", "\xff\xfe" + encode16(text16, binary.LittleEndian), "base 2, unit 2, big false, 14 units"},
		{"UTF-16, high bytes first", "\xfe\xff" + encode16(text16, binary.BigEndian), "base 2, unit 2, big true, 14 units"},
		{"UTF-16 without a mark", encode16(text16, binary.LittleEndian), "base 0, unit 2, big false, 14 units"},
		{"UTF-16 without a mark, high bytes first", encode16(text16, binary.BigEndian), "base 0, unit 2, big true, 14 units"},
		{"UTF-16 with half a unit at the end", encode16(text16, binary.LittleEndian) + "x", "base 0, unit 2, big false, 14 units"},
		{"four units", encode16("MODU", binary.LittleEndian), "base 0, unit 2, big false, 4 units"},
		{"three units are too few to tell", encode16("MOD", binary.LittleEndian), "base 0, unit 1, big false, 6 units"},
		{"zeros", strings.Repeat("\x00", 40), "base 0, unit 1, big false, 40 units"},
		{"a letter that has no zero", encode16("MODULE ", binary.LittleEndian) + "ab", "base 0, unit 1, big false, 16 units"},
	} {
		x, err := newText(asSource([]byte(tt.data)))
		if got := fmt.Sprintf("base %d, unit %d, big %v, %d units", x.base, x.unit, x.big, x.size()); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
		if m, wide, err := Identify(asSource([]byte(tt.data))); err != nil || strings.Contains(tt.want, " 14 units") && (m.Name != "d" || wide != (x.unit == 2)) {
			t.Errorf("%s: %+v, UTF-16 %v, %v", tt.name, m, wide, err)
		}
	}
}
