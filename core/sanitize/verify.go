package sanitize

import (
	"fmt"

	"crashglass/core/report"
)

// maxChanges is how many differences are named.
const maxChanges = 20

// differences says how two reports differ in what happened and in their frames.
func differences(before, after *report.Report) (out []string) {
	say := func(format string, args ...any) {
		if len(out) < maxChanges {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if b, a := verdict(before), verdict(after); b != a {
		say("what happened was %q and is now %q", b, a)
	}
	if len(before.Threads) != len(after.Threads) {
		say("there were %d threads and now there are %d", len(before.Threads), len(after.Threads))
		return out
	}
	for i := range before.Threads {
		b, a := &before.Threads[i], &after.Threads[i]
		if len(b.Frames) != len(a.Frames) {
			say("thread %d had %d frames and now has %d", b.ID, len(b.Frames), len(a.Frames))
		}
		for n := range min(len(b.Frames), len(a.Frames)) {
			if was, is := frame(&b.Frames[n]), frame(&a.Frames[n]); was != is {
				say("frame %d of thread %d was %s and is now %s", n, b.ID, was, is)
				break
			}
		}
	}
	return out
}

func verdict(r *report.Report) string { return r.Verdict.What }

// frame is what must not change of a frame.
func frame(f *report.Frame) string {
	return fmt.Sprintf("%s %s %s (%s)", f.Offset, str(f.Module), str(f.Function), f.Trust)
}

func str(s *string) string {
	if s == nil {
		return "?"
	}
	return *s
}
