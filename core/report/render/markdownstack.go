package render

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"crashglass/core/report"
)

// A stack in an issue shows the first and the last rows, because the rows between them in a
// recursion are many and all alike.
const (
	firstRows = 60
	lastRows  = 10
)

// mostThreads bounds the bytes of the other threads and of the goroutines together: GitHub refuses
// issues of more than 65536 characters.
const mostThreads = 30000

// A stackRow is a line of a stack. Inlined calls have rows of their own.
type stackRow struct {
	number int
	name   string // "" when it has no name
	place  string
	again  int // how often the rows above it, as many as alike, are repeated
	alike  int
}

// rows lists a stack as the page does: the same numbers, names and offsets.
func rows(th *report.Thread) (out []stackRow) {
	for i := range th.Frames {
		f := &th.Frames[i]
		for j := range f.Inlines {
			in := &f.Inlines[j]
			place := strings.TrimSpace(inlineModule(f, in) + " " + Escape(where(in.File, in.Line)))
			name := Escape(shorten(cmp.Or(report.Text(in.Function), "<name omitted>")))
			out = append(out, stackRow{number: len(out), name: f.RowMark(true) + name, place: place + " (" + inlined(in) + ")"})
		}
		row := stackRow{number: len(out), name: rowName(f), place: rowPlace(f)}
		if f.Inlined {
			row.place += " (inlined)"
		}
		out = append(out, row)
	}
	return out
}

// rowName returns a function's name without long arguments.
func rowName(f *report.Frame) string {
	if f.Function == nil {
		return ""
	}
	return Escape(shorten(frameName(f)))
}

// rowPlace returns the module with the source line or, if that is unknown, with the offset in it.
func rowPlace(f *report.Frame) string {
	place := ""
	switch at := where(f.File, f.Line); {
	case at != "":
		place = strings.TrimSpace(frameModule(f) + " " + Escape(at))
	case f.ModuleOffset != nil:
		place = fmt.Sprintf("%s + %#x", frameModule(f), number(*f.ModuleOffset))
	case len(f.Unloaded) > 0 && len(f.Unloaded[0].Offsets) > 0:
		place = fmt.Sprintf("%s (unloaded) + %#x", frameModule(f), number(f.Unloaded[0].Offsets[0]))
	default:
		place = short(&f.Offset)
	}
	if f.Function == nil {
		place = f.RowMark(false) + place
	}
	if doubt := doubts(f); doubt != "" {
		place += " (" + Escape(doubt) + ")"
	}
	return place
}

// widestName bounds the width of the column of names. A longer name moves only the place in its own
// row to the right.
const widestName = 48

// stack writes a stack with one line a frame, and its end. Rows that may be wrong have a mark.
func stack(th *report.Thread) string {
	all := rows(th)
	width := 0
	for _, r := range all {
		if n := utf8.RuneCountInString(r.name); n <= widestName { // trackers show stacks in a font of one width
			width = max(width, n)
		}
	}
	var b strings.Builder
	all = folded(all)
	for i, r := range all {
		// one hidden row would need a line as well
		if hidden := len(all) - firstRows - lastRows; hidden > 1 && i >= firstRows && i < firstRows+hidden {
			if i == firstRows {
				fmt.Fprintf(&b, "     … %d more frames …\n", hidden)
			}
			continue
		}
		r.draw(&b, width)
	}
	if reason := endSentence(&th.End); reason != "" {
		fmt.Fprintf(&b, "     (%s)\n", Escape(reason))
	}
	return b.String()
}

// folded joins the rows of functions that call each other in a circle.
func folded(all []stackRow) (out []stackRow) {
	for _, f := range folds(len(all), func(a, b int) bool { return all[a].same(&all[b]) }) {
		out = append(out, all[f.first:f.first+f.length]...)
		if f.times > 1 {
			out = append(out, stackRow{again: f.times - 1, alike: f.length})
		}
	}
	return out
}

// same reports whether two rows look alike but for their numbers.
func (r *stackRow) same(other *stackRow) bool {
	return r.name == other.name && r.place == other.place
}

// draw writes a row: the number, the name in a column of a width, and the place.
func (r *stackRow) draw(b *strings.Builder, width int) {
	if r.again > 0 {
		fmt.Fprintf(b, "     … %s …\n", repeats(r.alike, r.again))
		return
	}
	if r.name == "" {
		fmt.Fprintf(b, " %3d  %s\n", r.number, r.place)
		return
	}
	fmt.Fprintf(b, " %3d  %-*s  %s\n", r.number, width, r.name, r.place)
}

// crashingThread writes the stack that the dump is about. If the thread is unknown, it says so only
// for a crash.
func (m markdown) crashingThread() {
	i := m.r.Subject()
	if i < 0 {
		if m.r.Verdict.Crashed {
			m.printf("The thread that crashed is unknown.\n")
		}
		return
	}
	th := &m.r.Threads[i]
	how := "requested this dump"
	if th.Crashed {
		how = "crashed"
	}
	m.printf("**%s %s**\n\n", m.title(i), how)
	m.fenced(stack(th))
}

// fenced writes text as a code block, with a fence longer than any in it.
func (m markdown) fenced(text string) {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.printf("%stext\n%s%s\n", fence, text, fence)
}

// title returns a thread's number, which microdumps do not have, and its name.
func (m markdown) title(i int) string {
	th := &m.r.Threads[i]
	n := fmt.Sprint(th.ID)
	if m.r.Dump.Kind == "microdump" {
		n = fmt.Sprint(i)
	}
	return strings.TrimSpace("Thread " + n + " " + codeSpan(report.Text(th.Name)))
}

// otherThreads writes the other threads, folded, and returns how many bytes of mostThreads are left. Threads with equal
// stacks are joined.
func (m markdown) otherThreads() (room int) {
	var b strings.Builder
	left, shown := 0, 0
	for _, g := range groups(m.r) {
		if len(g.stack.Frames) == 0 { // nothing to show but its end
			continue
		}
		text := stack(g.stack)
		if b.Len()+len(text) > mostThreads {
			left += len(g.threads)
			continue
		}
		shown += len(g.threads)
		part := markdown{newPrinter(&b), m.r, m.opt}
		part.group(g, text)
		if part.flush() != nil { // a strings.Builder returns no error
			return 0
		}
	}
	if shown > 0 {
		m.printf("\n<details>\n<summary>%d other %s</summary>\n%s\n</details>\n", shown, plural(uint64(shown), "thread", "threads"), b.String())
	}
	if left > 0 {
		m.printf("\n%d more %s left out: an issue has no room for them.\n", left, plural(uint64(left), "thread is", "threads are"))
	}
	return mostThreads - b.Len()
}

// group writes the stack of threads that share it, under the title of the first one.
func (m markdown) group(g group, text string) {
	m.printf("\n%s", m.title(g.threads[0]))
	if more := len(g.threads) - 1; more > 0 {
		m.printf(" and %d more with the same stack", more)
	}
	m.printf("\n\n")
	m.fenced(text)
}
