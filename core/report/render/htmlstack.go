package render

import (
	"fmt"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// openFrames is the number of frames that are shown at first, those of a recursion counted as one.
const openFrames = 100

// crashingThread writes the stack that the report is about, with registers and evidence. A dump of
// a whole process that did not crash may have none.
func (h htmler) crashingThread() {
	i := h.r.Subject()
	if i < 0 {
		return
	}
	th := &h.r.Threads[i]
	how := "requested this dump"
	if th.Crashed {
		how = "crashed"
	}
	h.printf("<section class=\"main\">\n<h2>Thread %d %s <small>%s</small></h2>\n", th.ID, str(th.Name), how)
	h.waits(th.Waits)
	h.stack(th, true)
	h.printf("</section>\n")
}

// stack writes frames and their inlined calls as rows, with the numbers of the page. Frames of an
// important thread can be opened.
func (h htmler) stack(th *report.Thread, whole bool) {
	row, all := 0, frameFolds(th.Frames)
	h.printf("<ol class=\"stack\" start=\"0\">\n")
	for i, f := range all {
		if i == openFrames {
			left := len(th.Frames) - f.first
			h.printf("</ol>\n<details><summary>%d more %s</summary>\n<ol class=\"stack\" start=\"%d\">\n", left, plural(uint64(left), "frame", "frames"), row)
		}
		first := row
		for j := range f.length {
			h.frame(&th.Frames[f.first+j], whole)
			row += len(th.Frames[f.first+j].Inlines) + 1
		}
		if f.times > 1 {
			row += (f.times - 1) * (row - first)
			h.printf("<li class=\"again\" value=\"%d\">… %s …</li>\n", row-1, repeats(f.length, f.times-1))
		}
	}
	h.printf("</ol>\n")
	if len(all) > openFrames {
		h.printf("</details>\n")
	}
	if reason := endSentence(&th.End); reason != "" {
		end := "Stack complete"
		if !th.End.Complete {
			end = unfinished(th)
		}
		h.printf("<p class=\"end\">%s: %s</p>\n", end, prose(reason))
	}
}

// frame writes the row of a frame after the rows of its inlined calls, which are the inner ones. If
// whole is set, the frame's registers, variables and evidence unfold.
func (h htmler) frame(f *report.Frame, whole bool) {
	class, inline := "", "inline"
	if isGuess(f) {
		class, inline = " class=\"guess\"", "inline guess"
	}
	for i := range f.Inlines {
		in := &f.Inlines[i]
		h.printf("<li class=\"%s\"><div class=\"row\"><b>%s</b> <i>%s</i> <code></code> <span>%s%s</span></div>", inline, esc(f.RowMark(true)+inlineName(in)),
			esc(where(in.File, in.Line)), inlined(in), after("; ", mismatched(f)))
		h.variables(in.Variables)
		h.printf("</li>\n")
	}
	h.printf("<li%s>", class)
	row := fmt.Sprintf("<b>%s</b> <i>%s</i> <code>%s</code> <span>%s</span>", esc(frameName(f)), esc(where(f.File, f.Line)), esc(frameModuleOffset(f)), esc(found(f)))
	if whole && (len(f.Registers) > 0 || len(f.Evidence) > 0 || len(f.Variables) > 0) {
		h.printf("<details><summary class=\"row\">%s</summary>\n", row)
		if f.Linkage != nil {
			h.printf("<p>Linkage name: <code>%s</code></p>\n", esc(*f.Linkage))
		}
		h.variables(f.Variables)
		h.registers(f.Registers)
		h.evidence(f.Evidence)
		h.printf("</details>")
	} else {
		h.printf("<div class=\"row\">%s</div>", row)
	}
	h.printf("</li>\n")
}

// frameName returns the function with its mark or, failing that, module or address.
func frameName(f *report.Frame) string {
	name := string(f.Offset)
	switch {
	case f.Readable != nil:
		name = *f.Readable
	case f.Function != nil:
		name = *f.Function
	case f.Module != nil:
		name = *f.Module
	}
	return f.RowMark(false) + name
}

// frameModuleOffset returns the place of a frame: its offset in the module or, outside of modules,
// its address.
func frameModuleOffset(f *report.Frame) string {
	if f.Module == nil {
		return string(f.Offset)
	}
	if f.ModuleOffset == nil {
		return *f.Module
	}
	return fmt.Sprintf("%s + %#x", *f.Module, number(*f.ModuleOffset))
}

// isGuess reports whether a frame may be wrong: it, or one before it, was found by scanning.
func isGuess(f *report.Frame) bool { return f.Guess || f.Trust.Scanned() }

// found says how a frame was found, and marks guesses.
func found(f *report.Frame) string {
	by := string(f.FoundBy)
	if f.Trust.Scanned() {
		by = "guess (" + by + ")"
	}
	return by + behindGuess(f) + after("; ", doubts(f))
}

// behindGuess marks a frame that a sound step found from a frame that may be wrong.
func behindGuess(f *report.Frame) string {
	if f.Guess && !f.Trust.Scanned() {
		return ", after a guess"
	}
	return ""
}

// where returns the source line without folders, or "". The whole path is in the JSON.
func where(file *string, line *uint32) string {
	if file == nil || *file == "" {
		return ""
	}
	name := module.Basename(module.SourcePath(*file))
	if line == nil {
		return name
	}
	return fmt.Sprintf("%s:%d", name, *line)
}

// registers writes the known registers of a frame, in the CPU's order.
func (h htmler) registers(regs report.Registers) {
	if len(regs) == 0 {
		return
	}
	h.printf("<dl class=\"regs\">")
	for _, r := range regs {
		h.printf("<div><dt>%s</dt><dd>%s</dd></div>", esc(r.Name), esc(string(r.Value)))
	}
	h.printf("</dl>\n")
}

// evidence writes the methods that were tried to find a frame, with the memory that each read.
func (h htmler) evidence(steps []report.Step) {
	if len(steps) == 0 {
		return
	}
	h.printf("<h3>Why this frame</h3>\n<ul class=\"why\">\n")
	for _, s := range steps {
		h.printf("<li class=\"%s\">%s: %s<pre>%s", esc(string(s.Result)), esc(string(s.Method)), esc(string(s.Result)), lines(s.Text))
		for _, r := range s.Reads {
			h.printf("\n[%s] = %s", esc(string(r.Address)), esc(string(r.Value)))
		}
		h.printf("</pre></li>\n")
	}
	h.printf("</ul>\n")
}

// lines escapes text that has lines of its own.
func lines(s string) string {
	out := strings.Split(s, "\n")
	for i, line := range out {
		out[i] = esc(line)
	}
	return strings.Join(out, "\n")
}

type group struct {
	threads []int
	stack   *report.Thread
}

// otherThreads writes the stacks of the other threads, closed at first. Threads that were not
// walked are left out.
func (h htmler) otherThreads() {
	groups := groups(h.r)
	if len(groups) == 0 {
		return
	}
	h.printf("<section>\n<h2>Other threads</h2>\n")
	for _, g := range groups {
		h.printf("<details class=\"thread\"><summary>")
		if n := len(g.threads); n > 1 {
			h.printf("<small>%d threads</small> ", n)
		}
		h.printf("%s <b>%s</b></summary>\n", esc(h.threadNames(g)), esc(top(g.stack)))
		if len(g.threads) == 1 {
			h.waits(g.stack.Waits)
		}
		h.stack(g.stack, false)
		h.printf("</details>\n")
	}
	h.printf("</section>\n")
}

// groups puts threads with identical stacks together, in the dump's order.
func groups(r *report.Report) (out []group) {
	index := map[string]int{}
	for i := range r.Threads {
		th := &r.Threads[i]
		if i == r.Subject() || th.End.Kind == report.NotWalked {
			continue
		}
		key := stackKey(th)
		n, known := index[key]
		if !known {
			n = len(out)
			index[key] = n
			out = append(out, group{stack: th})
		}
		out[n].threads = append(out[n].threads, i)
	}
	return out
}

// stackKey returns a text that is equal for equal stacks: their frames and the end.
func stackKey(th *report.Thread) string {
	var b strings.Builder
	for i := range th.Frames {
		b.WriteString(frameKey(&th.Frames[i]) + "\n")
	}
	b.WriteString(endSentence(&th.End))
	return b.String()
}

// mostNames bounds the threads of a group that are named.
const mostNames = 8

func (h htmler) threadNames(g group) string {
	var names []string
	for _, i := range g.threads[:min(len(g.threads), mostNames)] {
		name := fmt.Sprintf("Thread %d", h.r.Threads[i].ID)
		if n := h.r.Threads[i].Name; n != nil && *n != "" {
			name += " " + *n
		}
		names = append(names, name)
	}
	if more := len(g.threads) - mostNames; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func top(th *report.Thread) string {
	if len(th.Frames) == 0 {
		return ""
	}
	return frameName(&th.Frames[0])
}
