package sanitize

import (
	"fmt"
	"slices"

	"crashglass/core/report"
)

// maxChanges bounds the differences that are listed.
const maxChanges = 20

// A changes has the differences between reports.
type changes struct {
	said []string
	more int // differences that are not listed

	words *wordReader
}

func (c *changes) say(format string, args ...any) {
	if len(c.said) < maxChanges {
		c.said = append(c.said, fmt.Sprintf(format, args...))
	} else {
		c.more++
	}
}

// compare lists the differences between two reports, in the crash and in the stacks.
func (c *changes) compare(prefix string, before, after *report.Report) {
	crashed := before.Verdict.Crashed || after.Verdict.Crashed // sentences about damage disappear with the damage
	if b, a := before.Verdict.What, after.Verdict.What; crashed && b != a {
		c.say("%swhat happened was %q and is now %q", prefix, b, a)
	}
	if len(before.Threads) != len(after.Threads) {
		c.say("%sthere were %d threads and now there are %d", prefix, len(before.Threads), len(after.Threads))
		return
	}
	for i := range before.Threads {
		b, a := &before.Threads[i], &after.Threads[i]
		if !c.sameStack(b, a) {
			c.stack(prefix, b, a)
		}
	}
}

// sameStack compares all results of a walk.
func (c *changes) sameStack(b, a *report.Thread) bool {
	same := func(x, y report.Frame) bool {
		return frame(&x) == frame(&y) && sameRegisters(x.Registers, y.Registers, c.words)
	}
	return b.End.Complete == a.End.Complete && b.End.Kind == a.End.Kind && slices.EqualFunc(b.Frames, a.Frames, same)
}

// stack describes how a thread's stack differs.
func (c *changes) stack(prefix string, b, a *report.Thread) {
	if len(b.Frames) != len(a.Frames) {
		c.say("%sthread %d had %d frames and now has %d", prefix, b.ID, len(b.Frames), len(a.Frames))
	}
	for n := range min(len(b.Frames), len(a.Frames)) {
		if was, is := frame(&b.Frames[n]), frame(&a.Frames[n]); was != is {
			if at := b.Frames[n].ReturnAddress; at != nil && c.words.hasText(number(*at), c.words.size) {
				was = "a text"
			}
			c.say("%sframe %d of thread %d was %s and is now %s", prefix, n, b.ID, was, is)
			return
		}
		if !sameRegisters(b.Frames[n].Registers, a.Frames[n].Registers, c.words) {
			c.say("%sframe %d of thread %d has other registers", prefix, n, b.ID)
			return
		}
	}
	if len(b.Frames) == len(a.Frames) {
		c.say("%sthread %d ended with %q and now with %q", prefix, b.ID, b.End.Kind, a.End.Kind)
	}
}

// frame returns the parts of a frame that must not change.
func frame(f *report.Frame) string {
	return fmt.Sprintf("%s %s %s (%s)", f.Offset, str(f.Module), str(f.Function), f.Trust)
}

func str(s *string) string {
	if s == nil {
		return "?"
	}
	return *s
}
