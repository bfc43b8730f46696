package render

import (
	"cmp"
	"strings"

	"crashglass/core/report"
)

// Limits of the short form.
const (
	briefGroups = 20 // groups of threads
	briefFiles  = 8  // missing files
)

// brief writes what follows the verdict in the short form: the crashing stack, a line for each group of other threads, and
// what is missing.
func (t texter) brief() {
	t.globals()
	if i := t.r.Subject(); i >= 0 {
		t.thread(i, howOf(&t.r.Threads[i]))
	}
	t.otherThreads()
	t.unused()
	t.missing()
	t.notes()
}

// otherThreads writes a line for each group of threads with one stack. The thread that wrote the dump is left out.
func (t texter) otherThreads() {
	lines := 0
	for _, g := range groups(t.r) {
		if g.stack.Writer {
			continue
		}
		if lines++; lines == 1 {
			t.printf("\nOther threads:\n")
		}
		if lines <= briefGroups {
			t.printf("  %s: %s\n", t.threadNames(g), t.doing(g.stack))
		}
	}
	if more := lines - briefGroups; more > 0 {
		t.printf("  and %d more %s\n", more, plural(uint64(more), "group", "groups"))
	}
}

// threadNames names the threads of a group by their numbers in the report.
func (t texter) threadNames(g group) string {
	first := g.threads[0]
	name := threadName(t.r, first)
	if more := len(g.threads) - 1; more > 0 {
		name += " and " + grouped(more) + " more with the same stack"
	}
	return name
}

// doing says in one line what a thread does: its innermost function, the first function of the program, and its wait.
func (t texter) doing(th *report.Thread) string {
	if len(th.Frames) == 0 {
		return cmp.Or(Escape(endSentence(&th.End)), "no frames")
	}
	parts := []string{Escape(shorten(top(th)))}
	for i := range th.Frames {
		if f := &th.Frames[i]; i > 0 && !f.System && f.Function != nil {
			parts = append(parts, "called from "+Escape(shorten(frameName(f))))
			break
		}
	}
	if th.Waits != nil {
		parts = append(parts, "waits for "+Escape(waitSentence(t.r, th.Waits)))
	}
	return strings.Join(parts, ", ")
}

// missing lists the symbol files that would name more frames, each on one line.
func (t texter) missing() {
	if len(t.r.WantedSymbols) == 0 {
		return
	}
	t.printf("\nSymbols that would help:\n")
	for i := range t.r.WantedSymbols[:min(len(t.r.WantedSymbols), briefFiles)] {
		t.wantedLine(&t.r.WantedSymbols[i])
	}
	if more := len(t.r.WantedSymbols) - briefFiles; more > 0 {
		t.printf("and %d more\n", more)
	}
	t.printf("To download them, run crashglass fetch with this dump.\n")
	t.servers()
}
