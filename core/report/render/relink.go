package render

import (
	"slices"

	"crashglass/core/report"
)

// relinkThreads gives the references to threads the new indexes, and removes those to dropped
// threads.
func relinkThreads(r *report.Report, renamed func(int) int) {
	for i := range r.NextSteps {
		relinkThread(&r.NextSteps[i].Thread, renamed)
	}
	for i := range r.Threads {
		relinkWait(r.Threads[i].Waits, renamed)
	}
	for i := range r.Tasks {
		relinkThread(&r.Tasks[i].Thread, renamed)
	}
	if r.CrashingThread != nil {
		relinkWait(r.CrashingThread.Waits, renamed)
	}
	if r.Hang != nil {
		relinkHang(r.Hang, renamed)
	}
}

// relinkWait renames the thread that a wait is for. The sentence keeps its ID.
func relinkWait(w *report.Wait, renamed func(int) int) {
	if w != nil {
		relinkThread(&w.Thread, renamed)
	}
}

// relinkThread replaces an index, or removes it.
func relinkThread(index **int, renamed func(int) int) {
	if *index == nil {
		return
	}
	if i := renamed(**index); i >= 0 {
		*index = &i
	} else {
		*index = nil
	}
}

// relinkHang keeps the cycles whose threads all stay: with one less they are no cycles.
func relinkHang(h *report.Hang, renamed func(int) int) {
	dropped := func(i int) bool { return i < 0 }
	kept := h.Cycles[:0]
	for _, ring := range h.Cycles {
		if renameAll(ring, renamed); !slices.ContainsFunc(ring, dropped) {
			kept = append(kept, ring)
		}
	}
	h.Cycles = kept
	renameAll(h.Behind, renamed)
	h.Behind = slices.DeleteFunc(h.Behind, dropped)
}

// renameAll replaces each index by its new one, or by -1.
func renameAll(indexes []int, renamed func(int) int) {
	for i := range indexes {
		indexes[i] = renamed(indexes[i])
	}
}

// relinkModules removes references to modules that are not in the copy.
func relinkModules(r *report.Report) {
	n := len(r.Modules)
	if r.MainModule >= n {
		r.MainModule = 0
	}
	r.UnusedSymbols = slices.DeleteFunc(r.UnusedSymbols, func(u report.Unused) bool { return u.Module != nil && *u.Module >= n })
	r.WantedSymbols = slices.DeleteFunc(r.WantedSymbols, func(w report.Wanted) bool { return w.Module >= n })
	for i := range r.NextSteps {
		r.NextSteps[i].Module = below(r.NextSteps[i].Module, n)
	}
	for i := range r.Threads {
		relinkFrames(&r.Threads[i], n)
	}
	if r.CrashingThread != nil {
		relinkFrames(&r.CrashingThread.Thread, n)
	}
}

// relinkFrames counts the frames that are left, and removes the indexes of dropped modules.
func relinkFrames(th *report.Thread, n int) {
	th.FrameCount = len(th.Frames)
	for i := range th.Frames {
		th.Frames[i].ModuleIndex = below(th.Frames[i].ModuleIndex, n)
	}
}

// below returns an index if it is below n, else nil.
func below(index *int, n int) *int {
	if index == nil || *index >= n {
		return nil
	}
	return index
}
