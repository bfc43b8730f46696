package render

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/report"
)

// A taskGroup is the tasks that have one state, creator and stack.
type taskGroup struct {
	title string // "400 goroutines [chan receive], created by main.main"
	ids   string
	stack *report.Thread
	size  int
}

// mostGroups bounds the groups that are written, and mostIDs the numbers of a group's tasks.
const (
	mostGroups = 256
	mostIDs    = 16
)

// taskGroups returns the groups of tasks, the largest first, and how many tasks are in the groups that are left out.
func taskGroups(r *report.Report) (out []taskGroup, left int) {
	index := map[string]int{}
	var members [][]*report.Task
	rows := newFrameNumbers()
	for i := range r.Tasks {
		task := &r.Tasks[i]
		stack := rows.stack(task.Frames) + endSentence(&task.End)
		key := strings.Join([]string{string(task.Kind), string(task.State), exception(task), told(task), report.Text(task.Creator), stack}, "\n")
		n, known := index[key]
		if !known {
			n, index[key] = len(members), len(members)
			members = append(members, nil)
		}
		members[n] = append(members[n], task)
	}
	sorting.Stable(members, func(a, b []*report.Task) int { return cmp.Compare(len(b), len(a)) })
	for n, tasks := range members {
		if n >= mostGroups {
			left += len(tasks)
			continue
		}
		out = append(out, groupOf(tasks))
	}
	return out, left
}

// frameNumbers numbers the frames of tasks, equal ones alike. Thousands of tasks stand at a few places, whose frames share their texts: a text is only made for
// frames whose parts are others.
type frameNumbers struct {
	parts map[frameParts]uint64
	texts map[string]uint64
}

// frameParts are the parts of a frame without inlined calls that frameKey shows.
type frameParts struct {
	offset                           report.Address
	trust                            report.Trust
	guess                            bool
	module, function, file           *string
	moduleOffset, atFunction, atLine *report.Address
	line, column                     *uint32
	kind                             report.FrameKind
}

func newFrameNumbers() *frameNumbers {
	return &frameNumbers{map[frameParts]uint64{}, map[string]uint64{}}
}

// stack returns a text that is equal for equal frames.
func (n *frameNumbers) stack(frames []report.Frame) string {
	key := make([]byte, 0, 4*len(frames))
	for i := range frames {
		key = binary.AppendUvarint(key, n.of(&frames[i]))
	}
	return string(key) + "\n"
}

func (n *frameNumbers) of(f *report.Frame) uint64 {
	parts := frameParts{f.Offset, f.Trust, f.Guess, f.Module, f.Function, f.File, f.ModuleOffset, f.FunctionOffset, f.LineOffset, f.Line, f.Column, f.Kind}
	shares := len(f.Inlines) == 0 && len(f.Unloaded) == 0
	if number, known := n.parts[parts]; known && shares {
		return number
	}
	text := frameKey(f)
	number, known := n.texts[text]
	if !known {
		number = uint64(len(n.texts))
		n.texts[text] = number
	}
	if shares {
		n.parts[parts] = number
	}
	return number
}

func groupOf(tasks []*report.Task) taskGroup {
	first := tasks[0]
	kind, state := kindWords(first), Escape(string(first.State))
	g := taskGroup{title: fmt.Sprintf("%s [%s]", kind, state), stack: &report.Thread{Frames: first.Frames, End: first.End}, size: len(tasks)}
	if len(tasks) > 1 {
		g.title = fmt.Sprintf("%d %ss [%s]", len(tasks), kind, state)
	}
	if first.Creator != nil {
		g.title += ", created by " + Escape(shorten(*first.Creator))
	}
	g.title += exception(first) + told(first)
	var ids []string
	for _, t := range tasks[:min(len(tasks), mostIDs)] {
		ids = append(ids, fmt.Sprint(t.ID))
	}
	if more := len(tasks) - len(ids); more > 0 {
		ids = append(ids, fmt.Sprintf("%d more", more))
	}
	g.ids = strings.Join(ids, ", ")
	return g
}

// kindWords is the kind of a task in words.
func kindWords(t *report.Task) string { return strings.ReplaceAll(Escape(string(t.Kind)), "_", " ") }

// exception says what is raised in a task, or handled.
func exception(t *report.Task) string {
	e := t.Exception
	if e == nil {
		return ""
	}
	verb := ", raising "
	if e.Handled {
		verb = ", handling "
	}
	return verb + Escape(e.Type) + after(": ", e.Message)
}

// told has the labels of a task and what it has deferred.
func told(t *report.Task) string {
	var labels, deferred []string
	for _, l := range t.Labels {
		labels = append(labels, l.Name+"="+l.Value)
	}
	for _, name := range t.Deferred {
		deferred = append(deferred, shorten(name))
	}
	return after(", labels ", strings.Join(labels, " ")) + after(", deferred ", strings.Join(deferred, ", "))
}

// taskNoun is the word for that many tasks: that of their kind, if they have one.
func taskNoun(r *report.Report, n int) string {
	noun := "task"
	if other := func(t report.Task) bool { return t.Kind != r.Tasks[0].Kind }; len(r.Tasks) > 0 && !slices.ContainsFunc(r.Tasks, other) {
		noun = kindWords(&r.Tasks[0])
	}
	return plural(uint64(n), noun, noun+"s")
}

func (t texter) tasks() {
	groups, left := taskGroups(t.r)
	for _, g := range groups {
		t.printf("\n%s: %s\n%s", g.title, g.ids, stack(g.stack))
	}
	if left > 0 {
		t.printf("\n%d more %s left out\n", left, taskNoun(t.r, left)+plural(uint64(left), " is", " are"))
	}
}

// tasks writes the goroutines as the other threads, folded, in the room that those leave.
func (m markdown) tasks(room int) {
	groups, left := taskGroups(m.r)
	var b strings.Builder
	part := markdown{newPrinter(&b), m.r, m.opt}
	for _, g := range groups {
		text := stack(g.stack)
		if room -= len(text) + len(g.title) + len(g.ids); room < 0 {
			left += g.size
			continue
		}
		part.printf("\n%s: %s\n\n", codeSpan(g.title), g.ids)
		part.fenced(text)
	}
	if part.flush() == nil && b.Len() > 0 {
		shown := len(m.r.Tasks) - left
		m.printf("\n<details>\n<summary>%d %s</summary>\n%s\n</details>\n", shown, taskNoun(m.r, shown), b.String())
	}
	if left > 0 {
		m.printf("\n%d more %s left out: an issue has no room for them.\n", left, taskNoun(m.r, left)+plural(uint64(left), " is", " are"))
	}
}

func (h htmler) tasks() {
	groups, left := taskGroups(h.r)
	if len(groups) == 0 {
		return
	}
	title := taskNoun(h.r, 2)
	h.printf("<section>\n<h2>%s%s</h2>\n", strings.ToUpper(title[:1]), title[1:])
	for _, g := range groups {
		h.printf("<details class=\"thread\"><summary>%s: %s</summary>\n", esc(g.title), esc(g.ids))
		h.printf("<pre>%s</pre>\n</details>\n", htmlEscaper.Replace(stack(g.stack)))
	}
	if left > 0 {
		h.printf("<p>%d more are left out.</p>\n", left)
	}
	h.printf("</section>\n")
}
