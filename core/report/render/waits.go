package render

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/report"
)

// waitWords names what a thread waits for.
var waitWords = map[report.WaitKind]string{
	"mutex": "a mutex", "read_lock": "read access to a reader-writer lock", "write_lock": "write access to a reader-writer lock", "condition": "a condition variable",
	"semaphore": "a semaphore", "barrier": "the other threads at a barrier", "once": "an initialization by another thread", "join": "a thread to end",
	"futex": "a word to change", "critical_section": "a critical section", "srw_lock": "a slim reader-writer lock", "address": "a word to change",
	"object": "a kernel object", "objects": "kernel objects", "completion_port": "an I/O completion", "worker": "work for a thread pool",
	"ui_message": "a window message", "message": "a message", "poll": "files to become ready", "sleep": "a timeout to expire", "read": "data", "write": "space to write",
	"accept": "a connection", "connect": "a peer to answer", "file_lock": "a file lock", "signal": "a signal", "child": "a child process to end",
	"channel_receive": "a value from a channel", "channel_send": "a receiver, or room, in a channel",
	"park": "a wake-up by its runtime", "io": "asynchronous I/O to end",
}

// inside are the kinds for which only the address of the futex word is known, not that of the
// object around it.
var inside = map[report.WaitKind]bool{"condition": true, "barrier": true, "once": true, "park": true, "join": true}

// holderWords describe the thread that can end a wait. Each has that thread as its argument.
var holderWords = map[report.WaitHolder]string{
	report.WaitHeld:        ", held by %s",
	report.WaitJoined:      ": %s",
	report.WaitGone:        ", held by %s, which is not in the dump",
	report.WaitFree:        ", which no thread holds any more",
	report.WaitReaders:     ", held by readers",
	report.WaitNotRecorded: ", which does not record its holder",
	report.WaitNotCaptured: ", whose holder was not captured",
	report.WaitNotFound:    "; its holder is not known",
	report.WaitNoHolder:    "",
}

// joinWords are the holderWords for a wait for a thread's end.
var joinWords = map[report.WaitHolder]string{
	report.WaitGone:        ": %s, which is not in the dump",
	report.WaitFree:        ", which has ended",
	report.WaitNotCaptured: ", which was not captured",
	report.WaitNotFound:    "; which one is not known",
}

// waitSentence describes a wait: "a mutex at 0x5000, held by thread 77".
func waitSentence(r *report.Report, w *report.Wait) string {
	words := cmp.Or(waitWords[w.Kind], string(w.Kind))
	if w.Name != "" {
		words += " " + quoted(w.Name)
	}
	switch {
	case w.Kind == report.WaitJoin && (w.ThreadID != nil || w.Holder == report.WaitFree): // the thread is clearer than its control block
	case w.Object != nil && inside[w.Kind]: // the futex word is one field of the object
		words += ", at the word " + short(w.Object)
	case w.Object != nil:
		words += " at " + short(w.Object)
	case w.Descriptor != nil:
		words += fmt.Sprintf(", file descriptor %d", *w.Descriptor)
	}
	format := holderWords[w.Holder]
	if words, ok := joinWords[w.Holder]; ok && w.Kind == report.WaitJoin {
		format = words
	}
	if strings.Contains(format, "%s") {
		return words + fmt.Sprintf(format, holderName(r, w))
	}
	return words + format
}

func holderName(r *report.Report, w *report.Wait) string {
	name := "a thread"
	if w.ThreadID != nil {
		name = fmt.Sprintf("thread %d", *w.ThreadID)
	}
	if w.Thread == nil || *w.Thread < 0 || *w.Thread >= len(r.Threads) {
		return name
	}
	return name + after(" ", report.Text(r.Threads[*w.Thread].Name))
}

// meaningWords name an observed value.
var meaningWords = map[report.WaitMeaning]string{
	"system_call": "number of the system call", "interrupted": "mark of an interrupted system call", "futex": "address of the word that the thread waits at",
	"operation": "futex operation", "expected": "value that the thread expects there", "lock": "state of the lock", "owner": "ID of the thread that holds it",
	"users": "threads that use it", "lock_kind": "type of the lock", "thread_id": "ID of the thread until it ends", "self": "the thread's block points to itself",
	"descriptor": "file descriptor", "section": "address of the critical section", "recursion": "number of times that the owner holds it",
	"debug_record": "its debug record points back", "waits_in": "waits",
}

// observed returns one line of a wait's evidence: "[0x5008] = 0x0000004d, ID of the thread that holds
// it".
func observed(e *report.WaitEvidence) string {
	meaning := after(", ", meaningWords[e.Meaning])
	switch {
	case e.Frame != nil: // the function that waits
		return fmt.Sprintf("frame %d is in %s", *e.Frame, Escape(e.Name))
	case e.Kind == "word" && e.Address != nil && e.Value != nil:
		return fmt.Sprintf("[%s] = %s%s", *e.Address, *e.Value, meaning)
	case e.Kind == "code" && e.Address != nil && e.Value != nil:
		return fmt.Sprintf("the code at %s loads %s%s", *e.Address, *e.Value, meaning)
	case e.Value != nil && e.Name != "": // a register
		return fmt.Sprintf("%s = %s%s", Escape(e.Name), *e.Value, meaning)
	case e.Value != nil: // the number of the system call, which the kernel saved
		return fmt.Sprintf("%s%s, according to the kernel", *e.Value, meaning)
	}
	return Escape(e.Name)
}

func (t texter) waits(w *report.Wait) {
	if w == nil {
		return
	}
	t.printf("    Waits for %s\n", Escape(waitSentence(t.r, w)))
	if !t.opt.Evidence {
		return
	}
	for i := range w.Evidence {
		t.printf("      %s\n", observed(&w.Evidence[i]))
	}
}

// waiting lists the threads that wait for each other or for one of these, each with its wait and
// the evidence.
func waiting(r *report.Report) (out []int) {
	if r.Hang == nil {
		return nil
	}
	for _, ring := range r.Hang.Cycles {
		out = append(out, ring...)
	}
	out = append(out, r.Hang.Behind...)
	kept := out[:0]
	for _, i := range out {
		if i >= 0 && i < len(r.Threads) && r.Threads[i].Waits != nil {
			kept = append(kept, i)
		}
	}
	return kept[:min(len(kept), mostWaiting)]
}

// mostWaiting bounds the threads in the list of a hang.
const mostWaiting = 100

func (m markdown) hang() {
	list := waiting(m.r)
	if len(list) == 0 {
		return
	}
	m.printf("**Threads that wait for each other**\n\n")
	for _, i := range list {
		w := m.r.Threads[i].Waits
		m.printf("- %s waits for %s\n", m.title(i), mdProse(waitSentence(m.r, w)))
		for j := range w.Evidence {
			m.printf("  - %s\n", codeSpan(observed(&w.Evidence[j])))
		}
	}
	m.printf("\n")
}

func (h htmler) hang() {
	list := waiting(h.r)
	h.section("Threads that wait for each other", len(list), func() {
		h.table([]string{"Thread", "Waits for", "Evidence"}, func(row func(...string)) {
			for _, i := range list {
				th := &h.r.Threads[i]
				var lines []string
				for j := range th.Waits.Evidence {
					lines = append(lines, observed(&th.Waits.Evidence[j]))
				}
				row(strings.TrimSpace(fmt.Sprintf("%d %s", th.ID, report.Text(th.Name))), waitSentence(h.r, th.Waits), strings.Join(lines, "; "))
			}
		})
	})
}

func (h htmler) waits(w *report.Wait) {
	if w != nil {
		h.printf("<p>Waits for %s</p>\n", esc(waitSentence(h.r, w)))
	}
}
