package crash

import (
	"fmt"
	"strings"
)

// withoutException returns the verdict on a dump without a crash: the dump was requested, it has no
// exception, or the exception was lost.
func withoutException(in *Input, a *Analysis) Result {
	r := Result{Frame: -1, Badges: badges(a)}
	requested := in.Requested || a.Event.Kind == Requested
	switch {
	case in.Lost:
		r.What = "The exception cannot be read"
		r.Detail = "This dump has one, but that part of the file is damaged or missing, so the cause is not known."
	case len(in.Waits.Rings) > 0:
		r.What = in.Waits.deadlock()
	case in.Debugger != "" && in.File.Threads > 0:
		r.What = fmt.Sprintf("No crash: %s had stopped the process", in.Debugger)
		r.Detail = in.stopped()
	case a.Event.brokenInto():
		r.What, r.Detail = "No crash: a debugger had stopped the process", a.Note
	case in.Exception != nil:
		r.What = "No crash: the dump was written on request"
	case requested:
		r.What = "No exception in this dump: written on request"
	case in.File.missing():
		r.What = "The dump is truncated"
		r.Detail = "The lost part may show whether something crashed."
	case !in.File.System && in.File.Threads == 0:
		// Not "damaged" alone: what cleans a dump drops the streams that cannot
		// be read, and the headline stays the same.
		r.What = "The dump is damaged or empty"
		r.Detail = "It could not be read far enough to say whether something crashed."
	case in.File.Defect != "" && in.File.Threads == 0:
		r.What = "The dump is damaged"
		r.Detail = "It could not be read far enough to say whether something crashed."
	case in.File.Threads == 0:
		r.What = "No threads in this dump"
		r.Detail = "It has neither threads nor an exception, so there is nothing to analyze."
		if in.File.Writer == "LLDB" {
			r.Detail += " LLDB leaves both out of dumps of i386."
		}
	default:
		r.What = "No exception in this dump"
		r.Detail = "Nothing in it shows a crash: most likely it was written on request, of a running or hung process."
	}
	if requested && in.Debugger == "" && !a.Event.brokenInto() && len(in.Frames) > 0 {
		r.Detail = fmt.Sprintf("The requesting thread was in %s.", in.Frames[0].place())
	}
	if in.Waits.Waiting > 0 && len(in.Waits.Rings) == 0 {
		r.Detail += fmt.Sprintf(" %d of %d threads wait.", in.Waits.Waiting, in.Waits.Threads)
	}
	r.Detail = strings.TrimSpace(r.Detail + " " + in.File.state(requested))
	if in.Assertion != "" {
		r.Detail = strings.TrimSpace(r.Detail + " " + in.Assertion)
	}
	return r
}

// stopped says where a debugger stopped the process.
func (in *Input) stopped() string {
	if len(in.Frames) == 0 {
		return ""
	}
	return fmt.Sprintf("The first thread was in %s.", in.Frames[0].place())
}

// missing reports whether the file ends before the streams in its directory.
func (f *File) missing() bool { return f.Need > f.Size }

// state describes the defect of a file; it is "" if there is none, or if the dump has a cause.
func (f *File) state(enough bool) string {
	switch {
	case enough:
		return ""
	case f.missing():
		return fmt.Sprintf("The file is truncated: %s of at least %s. Ask for the file again.", sizeOf(f.Size), sizeOf(f.Need))
	case f.Defect != "":
		return fmt.Sprintf("The first defect: %s.", strings.TrimSuffix(f.Defect, "."))
	}
	return ""
}

func sizeOf(n int64) string {
	if n < 10<<10 {
		return plural(uint64(n), "byte")
	}
	return fmt.Sprintf("%d KiB", (n+1023)>>10)
}

// deadlock returns the verdict for threads that wait for each other.
func (h *Waits) deadlock() string {
	waits := fmt.Sprintf("No crash: %d of %d threads wait; %s", h.Waiting, h.Threads, ringText(h.Rings[0]))
	if more := len(h.Rings) - 1; more > 0 {
		waits += fmt.Sprintf("; %d more such %s", more, map[bool]string{true: "ring", false: "rings"}[more == 1])
	}
	return waits
}

// aside is deadlock for a process that a signal ended, as hung ones often are.
func (h *Waits) aside() string {
	return sentenceOf(capital(ringText(h.Rings[0])))
}

// mostNamed is the number of threads of a ring that are named.
const mostNamed = 4

func ringText(ring []uint32) string {
	if len(ring) == 1 {
		return fmt.Sprintf("thread %d waits for itself", ring[0])
	}
	if len(ring) > mostNamed {
		return fmt.Sprintf("%d threads wait for each other in a ring", len(ring))
	}
	var names []string
	for _, id := range ring {
		names = append(names, fmt.Sprint(id))
	}
	last := len(names) - 1
	return fmt.Sprintf("threads %s and %s wait for each other", strings.Join(names[:last], ", "), names[last])
}
