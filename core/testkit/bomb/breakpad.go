package bomb

import (
	"fmt"
	"strings"
	"testing"
)

// module is the first line of each file. Its ID is that of the program in [recursed].
const module = "MODULE Linux x86_64 " + debugID + " app\n"

// breakpads are symbol files for a recursion: each frame of the deep stack looks up one address, and
// the records for that address are expensive.
//
// Source of the records: docs/symbol_files.md of Breakpad.
func breakpads(t testing.TB) []Bomb {
	const deep = 8000
	long := strings.Repeat("n", 4000)
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
			b.WriteByte('\n')
		}
		return b.String()
	}
	texts := []struct{ name, text string }{
		// A thousand inlined calls within each other, at each of the frames, with a long name.
		{"inlines", "FILE 0 /a\nINLINE_ORIGIN 0 " + long + "\nFUNC 0 1000 0 f\n" + lines(1000, func(i int) string { return fmt.Sprintf("INLINE %d 1 0 0 0 1000", i) }) + "0 1000 1 0\n"},
		// One record of 100,000 ranges, and 2,000 records of one range in three levels.
		{"inlines-wide", "FILE 0 /a\nINLINE_ORIGIN 0 f\nFUNC 0 1000 0 f\nINLINE 0 1 0 0 " + strings.Repeat("0 1000 ", 100000) + "\n" + lines(2000, func(i int) string { return fmt.Sprintf("INLINE %d 1 0 0 0 1000", i%3) }) + "0 1000 1 0\n"},
		// A name of 80,000 characters for each frame, as the function and as the file.
		{"long-names", "FILE 0 /" + strings.Repeat(long, 20) + "\nFUNC 0 1000 0 " + strings.Repeat(long, 20) + "\n0 1000 1 0\n"},
		// Short names of characters that a report has to escape.
		{"control-names", "FILE 0 /" + strings.Repeat(control, 250) + "\nFUNC 0 1000 0 " + strings.Repeat(control, 250) + "\n0 1000 1 0\n"},
		// 3,000 unwind rules for one register, and 375 addresses with eight changes each.
		{"rules", "FUNC 0 1000 0 f\nSTACK CFI INIT 0 1000 .cfa: $rbp 16 + .ra: .cfa 8 - ^ " + strings.Repeat("$rbx: .cfa 16 - ^ ", 3000) + "\n" + lines(3000, func(i int) string { return fmt.Sprintf("STACK CFI %x $rbp: .cfa 16 - ^", i/8) })},
		// One rule whose expression has 100,000 steps and a stack of 50,000 values.
		{"expressions", "FUNC 0 1000 0 f\nSTACK CFI INIT 0 1000 .cfa: $rbp 16 + .ra: .cfa 8 - ^ $rbp: .cfa 16 - ^ $rbx: " + strings.Repeat("1 ", 50000) + strings.Repeat("+ ", 49999) + "\n"},
		// A symbol at each byte.
		{"publics", lines(100000, func(i int) string { return fmt.Sprintf("PUBLIC %x 0 p", i) })},
		// Functions that begin at each byte, so that 60,000 of them overlap at one address.
		{"functions-over-each-other", lines(60000, func(i int) string { return fmt.Sprintf("FUNC %x 10000 0 f%d\n%x 10000 1 0", i, i, i) })},
		// Names whose demangled form is longer than the name.
		{"demangled", "FUNC 0 1000 0 _Z" + strings.Repeat("1a", 1) + "\n" + lines(3000, func(i int) string {
			return fmt.Sprintf("PUBLIC %x 0 _Z1fI%sEvv", i, strings.Repeat("St4pairIiS0_", 200)+strings.Repeat("E", 200))
		})},
	}
	var all []Bomb
	for _, f := range texts {
		all = append(all, Bomb{Name: "sym-" + f.name, Dump: recursed(t, deep), Symbols: []byte(module + f.text), File: "app.sym"})
	}
	return all
}
