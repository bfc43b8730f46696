package analyze

import (
	"fmt"

	"crashglass/core/base/bug"
	"crashglass/core/report"
)

// stage makes a part of a report. A panic in it costs that part alone and becomes a note; the rest
// of the report stays right.
func (n *notes) stage(what string, part func()) (made bool) {
	var err error
	func() {
		defer bug.Catch(&err)
		part()
	}()
	if err != nil {
		n.odd(what, err.Error())
	}
	return err == nil
}

// threadSafely makes a thread of the report.
func (a *analysis) threadSafely(i int) (out report.Thread) {
	t := &a.p.Threads[i]
	if !a.notes.stage(fmt.Sprintf("stack of thread %d", t.ID), func() { out = a.thread(i) }) {
		delete(a.walked, i)
		return report.Thread{ID: t.ID, Frames: []report.Frame{}, Crashed: i == a.p.Subject && a.crashed(), End: report.End{Kind: report.NotWalked}}
	}
	return out
}
