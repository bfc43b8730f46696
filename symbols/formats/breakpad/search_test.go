package breakpad

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestEveryRecordIsFound asks for each record of a file in order. The search is
// certain of all of them, whatever the size of its pages, and reads few blocks.
func TestEveryRecordIsFound(t *testing.T) {
	for _, tt := range []struct{ page, most int64 }{{128, 330}, {512, 90}, {4096, 12}} {
		f := searching(t, []byte(joinLines(orderly()...)), tt.page)
		for i := range 200 {
			at := uint64(0x1000 + i*0x20)
			want := fmt.Sprintf("function%d", i)
			for _, rel := range []uint64{at, at + 7, at + 8, at + 0xf, at + 0x10, at + 0x1f} {
				loc, ok := f.Locate(rel)
				if !ok || loc.Function != want || loc.Start != at || loc.Size != 0x20 || (len(loc.Inlines) == 1) != (rel-at >= 8 && rel-at < 16) {
					t.Fatalf("pages of %d: %#x is %+v, %v, want %s", tt.page, rel, loc, ok, want)
				}
			}
			if cf, ok := f.CallFrame(at + 4); !ok || cf.Start != at {
				t.Errorf("pages of %d: rules at %#x: %+v, %v", tt.page, at+4, cf, ok)
			}
			if win, ok := f.WinFrame(at); ok != (i < 100) || ok && win.Start != at {
				t.Errorf("pages of %d: frame at %#x: %+v, %v", tt.page, at, win, ok)
			}
		}
		s := f.searched
		if int64(s.Reads) > tt.most {
			t.Errorf("pages of %d: %d blocks were read of %d, want at most %d", tt.page, s.Reads, s.Count, tt.most)
		}
	}
}

// lopsided is a file in which one section is much larger than the other: functions, with lines and an inlined
// call, and rules in two runs, as linkers write them for .text and .plt.
func lopsided(funcs, rules int) []string {
	lines := []string{"MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app"}
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("FILE %d /src/file%d.c", i, i))
	}
	lines = append(lines, "INLINE_ORIGIN 0 inlined")
	for i := range funcs {
		at := 0x1000 + i*0x20
		lines = append(lines, fmt.Sprintf("FUNC %x 20 0 function%d", at, i), fmt.Sprintf("INLINE 0 1 0 0 %x 8", at+8), fmt.Sprintf("%x 20 %d 0", at, i))
	}
	for i := range rules {
		at := 0x1000 + (2*i+1)%rules*0x20 // an odd number of rules: every other one, and then the rest
		lines = append(lines, fmt.Sprintf("STACK CFI INIT %x 20 .cfa: $rsp 8 + .ra: .cfa 8 - ^", at), fmt.Sprintf("STACK CFI %x .cfa: $rsp %d +", at+4, i*8))
	}
	return lines
}

// TestLopsided asks for each record of files in which few of the probes that are spread evenly, or none, are in
// one section. All answers are found, and are those of a scan.
func TestLopsided(t *testing.T) {
	for _, tt := range []struct {
		name         string
		funcs, rules int
		end          string // of the file
	}{
		{"few rules", 6000, 101, ""},
		{"few rules, the last of which has many rows", 6000, 101, strings.Repeat("STACK CFI 1c89 .cfa: $rsp 8 +\n", 12)},
		{"few functions", 301, 9001, ""},
		{"very few functions", 61, 9001, ""},
	} {
		data := joinLines(lopsided(tt.funcs, tt.rules)...) + tt.end
		searched, scanned := openString(t, data, Options{Search: true, Page: 256}), openString(t, data, Options{Parts: 1})
		for i := range min(tt.funcs, tt.rules) {
			if searched.searched == nil {
				t.Errorf("%s: scanned at record %d", tt.name, i)
				break
			}
			at := uint64(0x1000 + i*0x20)
			loc, _ := searched.Locate(at + 9)
			rules, _ := searched.CallFrame(at + 9)
			wantLoc, _ := scanned.Locate(at + 9)
			wantRules, _ := scanned.CallFrame(at + 9)
			if !reflect.DeepEqual(loc, wantLoc) || !reflect.DeepEqual(rules, wantRules) {
				t.Errorf("%s: %#x is %+v, %+v, and by a scan %+v, %+v", tt.name, at+9, loc, rules, wantLoc, wantRules)
			}
			if searched.searched != nil {
				searched.searched.Reads = 0
			}
		}
	}
}

// TestFirstFileIsNear asks for a FILE of symbols that have all of them in their
// first block. The search does not halve the whole file until it is there.
func TestFirstFileIsNear(t *testing.T) {
	text := []byte("MODULE Linux x86_64 000000000000000000000000000000000 near\n")
	for i := range 3 {
		text = fmt.Appendf(text, "FILE %d /near/%d.c\n", i, i)
	}
	text = append(text, "INLINE_ORIGIN 0 near::call\n"...)
	for i := range 20_000 {
		at := (i + 1) << 8
		text = fmt.Appendf(text, "FUNC %x 100 0 near::function_%d\nINLINE 0 1 1 0 %x 10\n%x 100 1 2\n", at, i, at, at)
	}
	text = append(text, "STACK CFI INIT 100 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"...)
	s := searching(t, text, 2<<10).searched
	before := s.Reads
	if _, ok := s.Find(byFile, 2); !ok {
		t.Fatal("FILE 2 is not found")
	}
	if n := s.Reads - before; n > 6 {
		t.Errorf("FILE 2 took %d blocks, want at most 6", n)
	}
}

// TestSearchLearns asks for two functions that are near each other. The second search
// begins with the blocks that the first one read.
func TestSearchLearns(t *testing.T) {
	f := searching(t, warmSymbols(), 2<<10)
	s := f.searched
	for _, addr := range []uint64{0x20000, 0x22000} {
		before := s.Reads
		if _, ok := s.Find(byFunc, addr); !ok {
			t.Fatalf("%#x is not found", addr)
		}
		t.Logf("%#x: %d blocks", addr, s.Reads-before)
		if addr == 0x22000 && s.Reads > before+2 {
			t.Errorf("%#x took %d blocks, want at most 2", addr, s.Reads-before)
		}
	}
}
