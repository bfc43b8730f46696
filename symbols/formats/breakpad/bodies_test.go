package breakpad

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// TestInterruptedBodies has lines and rows that other records separate from their FUNC or STACK CFI INIT.
// They belong to it all the same, and to no other one.
func TestInterruptedBodies(t *testing.T) {
	const init = "STACK CFI INIT 1000 20 .cfa: $rsp 8 +\n"
	for _, tt := range []struct{ name, text, want string }{
		{"the FUNC begins the file", "FUNC 1000 20 0 f\nFILE 0 a.c\n1000 20 7 0\n", "f a.c:7"},
		{"only INLINE is behind the other record", "FUNC 1000 20 0 f\nFILE 0 a.c\nINLINE 0 7 0 0 1000 20\nINLINE_ORIGIN 0 in\n", "in :0 f a.c:7"},
		{"lines of the next FUNC that cover this one", "FUNC 1000 20 0 f\nFILE 0 a.c\n1000 20 7 0\nFUNC 2000 20 0 g\nFILE 1 b.c\n1008 8 9 1\n", "f a.c:7"},
		{"two interruptions", "FUNC 1000 20 0 f\n1000 4 1 0\nFILE 0 a.c\n1004 4 2 0\nFILE 1 b.c\n1008 18 3 1\n", "f b.c:3"},
		{"an origin is none", "FUNC 1000 20 0 f\nINLINE_ORIGIN 0 in\nINLINE 0 7 0 0 1000 20\nFILE 0 a.c\n", "in :0 f a.c:7"},
		{"a row of no STACK CFI INIT", "FUNC 1000 20 0 f\nSTACK CFI 1004 .cfa: 1\n1000 20 7 0\nFILE 0 a.c\n", "f a.c:7"},
		{"lines in the wrong order", "FILE 0 a.c\nFUNC 1000 20 0 f\n1010 10 9 0\n1008 8 7 0\n1000 8 5 0\n", "f a.c:7"},
		{"inlined calls in the wrong order", "FILE 0 a.c\nFUNC 1000 20 0 f\nINLINE 0 9 0 2 1010 10\nINLINE 0 7 0 1 1008 8\nINLINE 0 5 0 0 1000 8\nINLINE_ORIGIN 1 in\n",
			"in :0 f a.c:7"},
		{"rules of a file's first record", init + "FILE 0 a.c\nSTACK CFI 1004 .cfa: $rsp 16 +\n", "$rsp 16 +"},
		{"a line of no FUNC between rules", init + "1000 10 1 0\nSTACK CFI 1004 .cfa: $rsp 16 +\n", "$rsp 16 +"},
		{"rules and lines by turns", init + "FUNC 1000 20 0 f\nFILE 0 a.c\n1000 20 7 0\nSTACK CFI 1004 .cfa: $rsp 16 +\n", "f a.c:7 $rsp 16 +"},
	} {
		f := openString(t, tt.text, Options{Parts: 1})
		if got := said(f, 0x1008); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if s := f.Stats(); s.Lines != (s.Funcs > 0 && strings.Contains(tt.text, "\n1")) || s.Inlines != strings.Contains(tt.text, "INLINE 0") {
			t.Errorf("%s: lines %v, inlined calls %v", tt.name, s.Lines, s.Inlines)
		}
	}
}

// said is what a file says at an address: calls with their places, and the first rule.
func said(f *File, addr uint64) string {
	var out []string
	if loc, ok := f.Locate(addr); ok {
		for _, in := range loc.Inlines {
			out = append(out, fmt.Sprintf("%s %s:%d", in.Function, in.File, in.Line))
		}
		out = append(out, fmt.Sprintf("%s %s:%d", loc.Function, loc.File, loc.Line))
	}
	if frame, ok := f.CallFrame(addr); ok {
		out = append(out, frame.Rules[0].Text())
	}
	return strings.Join(out, " ")
}

// TestEachPartIsBounded reads the two parts of a body.
func TestEachPartIsBounded(t *testing.T) {
	const before = "FILE 7 before it is a long file of another function.c\n"
	const text = before + "FUNC 1 8 0 f\n" + "1 1 1 10\n" + "FILE 0 a.c\n" + "2 1 2 10\n" + "FUNC 9 1 0 g\n"
	const first = int64(len("FUNC 1 8 0 f\n1 1 1 10\nFILE 0 a.c\n"))
	for _, tt := range []struct {
		name  string
		limit int64
		want  string
		notes int
	}{
		{"both", 1 << 10, "1 1 1 10, 2 1 2 10", 0},
		{"up to the second", first, "1 1 1 10", 0},
		{"all but the record behind the second", first + 9, "1 1 1 10, 2 1 2 10", 1},
		{"up to inside of a number", first + 7, "1 1 1 10", 1}, // half a record is none
		{"up to inside of the first", 13 + 7, "", 1},
	} {
		f := openString(t, text, Options{Parts: 1})
		var got []string
		err := f.eachPart(int64(len(before)), tt.limit, func(line []byte, at int64) bool {
			k, _ := kindOf(line)
			if k == kindLine {
				got = append(got, string(line))
			}
			return k == kindLine
		})
		if s := strings.Join(got, ", "); s != tt.want || err != nil || len(f.Notes()) != tt.notes {
			t.Errorf("%s: %q, %v, notes %v, want %q", tt.name, s, err, f.Notes(), tt.want)
		}
	}
}

// TestOwnFile has INLINE records of the old form. The call is in the file of the first line that is not inlined.
func TestOwnFile(t *testing.T) {
	f := openString(t, "FILE 0 in.h\nFILE 1 own.c\nFILE 2 other.c\nINLINE_ORIGIN 0 in\nFUNC 1000 40 0 f\nINLINE 0 5 0 1000 10\n1000 10 1 0\n1010 10 2 1\n1020 10 3 2\n", Options{})
	if got, want := said(f, 0x1008), "in in.h:1 f own.c:5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyRows has more rows than are applied for an address. Those that are left out are in a checkpoint.
func TestManyRows(t *testing.T) {
	text := "STACK CFI INIT 1000 1000 .cfa: $rsp 0 + $r0: 0\n"
	const rows = 3*checkpoint + 2
	for i := 1; i < rows; i++ {
		text += fmt.Sprintf("STACK CFI %x .cfa: $rsp %d + $r%d: %d\n", 0x1000+i, 8*i, i%4, i)
	}
	f := openString(t, text, Options{})
	for i := 1; i < rows; i++ {
		frame, _ := f.CallFrame(uint64(0x1000 + i))
		got := map[string]string{}
		for _, r := range frame.Rules {
			got[r.Reg] = r.Text()
		}
		want := map[string]string{".cfa": fmt.Sprintf("$rsp %d +", 8*i)}
		for k := max(0, i-3); k <= i; k++ {
			want[fmt.Sprint("$r", k%4)] = fmt.Sprint(k)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("row %d: %v, want %v", i, got, want)
		}
	}
}

// TestMostRules has as many rules in a record as are read, and one more.
func TestMostRules(t *testing.T) {
	for _, tt := range []struct {
		count int
		ok    bool
	}{{count: maxRules, ok: true}, {count: maxRules + 1}} {
		rules, ok := parseRules([]byte(strings.Repeat("$r: 1 ", tt.count)))
		if ok != tt.ok || ok && len(rules) != tt.count {
			t.Errorf("%d rules: %d, %v, want %v", tt.count, len(rules), ok, tt.ok)
		}
	}
}

// TestUnreadableRecords opens a file, of which then nothing can be read from a record on. What was asked
// about it is not answered, or is answered in part, and a note says why.
func TestUnreadableRecords(t *testing.T) {
	filler := strings.Repeat("PUBLIC 9000 0 filler\n", 60) // more than is read at once for a line
	text := "FUNC 1000 400 0 f\n" + strings.Repeat("1000 4 7 0\n", 100) + "1004 4 8 0\nINLINE 0 3 0 0 1004 4\n" + filler +
		"STACK CFI INIT 1000 400 .cfa: $rsp 8 +\n" + strings.Repeat("STACK CFI 1004 .cfa: $rsp 16 +\n", 60) + filler +
		"FILE 0 a.c\n" + filler + "INLINE_ORIGIN 0 in\n" + filler + "STACK WIN 0 1000 400 0 0 0 0 0 0 0 1\n"
	win := func(f *File) string { w, ok := f.WinFrame(0x1004); return fmt.Sprint(w.Start, ok) }
	name := func(f *File) string { fn, _ := f.Function(0x1004); return fn.Name }
	rules := func(f *File) string { _, ok := f.CallFrame(0x1004); return fmt.Sprint(ok) }
	for _, tt := range []struct {
		name, from string
		ask        func(*File) string
		want       string
	}{
		{"the function", "FUNC", name, ""},
		{"its lines", "1004 4 8", func(f *File) string { loc, _ := f.Locate(0x1004); return loc.Function }, "f"},
		{"the rules", "STACK CFI INIT", rules, "false"},
		{"rows", filler + "FILE 0", rules, "false"},
		{"the file", "FILE 0", func(f *File) string { return f.fileName(0) }, ""},
		{"the origin", "INLINE_ORIGIN", func(f *File) string { return f.originOf(0).name }, ""},
		{"STACK WIN", "STACK WIN", win, "0 false"},
	} {
		r := &unplugged{bytes.NewReader([]byte(text)), int64(len(text))}
		f, err := Open(bin.NewSource(r, int64(len(text))), Options{Parts: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.from = int64(strings.Index(text, tt.from))
		before := len(f.Notes())
		if got := tt.ask(f); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if notes := fmt.Sprint(f.Notes()); len(f.Notes()) != before+1 || !strings.Contains(notes, "the disk is gone") {
			t.Errorf("%s: %s", tt.name, notes)
		}
		r.from = int64(len(text)) // it is there again
		if got := tt.ask(f); got == tt.want && tt.want != "f" {
			t.Errorf("%s: still %q", tt.name, got)
		}
	}
}
