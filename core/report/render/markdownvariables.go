package render

import (
	"fmt"
	"strings"
)

// mostVariables bounds the bytes of variables in an issue, which needs room for the stacks as well.
const mostVariables = 12000

// variables writes the variables of the crashing thread: a block for each row of its stack, under
// the row's number.
func (m markdown) variables() {
	subject := m.r.Subject()
	if subject < 0 {
		return
	}
	th := &m.r.Threads[subject]
	var b strings.Builder
	t := texter{newPrinter(&b), m.r, m.opt}
	all, row, left := rows(th), 0, 0
	for i := range th.Frames {
		f := &th.Frames[i]
		for j := 0; j <= len(f.Inlines); j++ {
			list := f.Variables
			if j < len(f.Inlines) {
				list = f.Inlines[j].Variables
			}
			before := b.Len()
			if len(list) > 0 && before < mostVariables {
				t.printf("%3d  %s\n", all[row].number, all[row].name)
				t.variables(list)
				_ = t.flush() // a strings.Builder returns no error
			} else if len(list) > 0 {
				left++
			}
			row++
		}
	}
	if b.Len() == 0 {
		return
	}
	m.printf("\n<details>\n<summary>Variables</summary>\n\n")
	m.fenced(cutLines(b.String(), mostVariables))
	m.printf("\n</details>\n")
	if left > 0 {
		m.printf("\nThe variables of %d more %s are left out: an issue has no room for them.\n", left, plural(uint64(left), "row", "rows"))
	}
}

// cutLines returns the first lines of a text, as many as fit.
func cutLines(s string, most int) string {
	if len(s) <= most {
		return s
	}
	kept := s[:strings.LastIndexByte(s[:most], '\n')+1]
	left := strings.Count(s[len(kept):], "\n")
	return kept + fmt.Sprintf("     … %d more %s …\n", left, plural(uint64(left), "line", "lines"))
}
