package sanitize

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
	"crashglass/core/dump/minidump"
	"crashglass/core/report"
)

// maxChanges bounds the differences that are listed.
const maxChanges = 20

type changes struct {
	said []string
	more int // differences that are not listed

	words *wordReader
	texts []uint64 // words that were masked
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
		return frame(&x) == frame(&y) && c.sameRegisters(x.Registers, y.Registers)
	}
	return b.End.Complete == a.End.Complete && b.End.Kind == a.End.Kind && slices.EqualFunc(b.Frames, a.Frames, same)
}

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
		if !c.sameRegisters(b.Frames[n].Registers, a.Frames[n].Registers) {
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

// findLeft searches the new dump for secrets, and marks those that it still has.
func (c *cleaner) findLeft() error {
	f, err := minidump.Open(bin.NewSource(reader(c.out.Data), int64(len(c.out.Data))))
	if err != nil {
		return err
	}
	c.leftInMemory(f)
	c.leftElsewhere(f)
	return nil
}

// leftInMemory marks the secrets whose bytes are unchanged.
func (c *cleaner) leftInMemory(f *minidump.File) {
	before, _ := c.f.Memory()
	after, _ := f.Memory()
	for _, s := range c.inMemory {
		was, is := make([]byte, s.size), make([]byte, s.size)
		n, m := before.Read(s.addr, was), after.Read(s.addr, is)
		if n == m && bytes.Equal(was[:n], is[:m]) {
			c.out.Secrets[s.secret].Stays = true
		}
	}
}

// leftElsewhere searches everything but memory.
func (c *cleaner) leftElsewhere(f *minidump.File) {
	ranges := sorting.Sorted(slices.Values(c.ranges), func(a, b minidump.Range) int { return cmp.Compare(a.RVA, b.RVA) })
	from := uint64(0)
	for _, r := range append(ranges, minidump.Range{Location: minidump.Location{RVA: uint64(len(c.out.Data))}}) {
		if r.RVA > from {
			for h := range everySecret(c.out.Data[from:r.RVA]) {
				c.stays(h.kind, place(f, from+uint64(h.from)))
			}
		}
		from = max(from, r.RVA+r.Size)
	}
}

// stays records that the new dump has a secret. It replaces the entry that says the secret was
// removed.
func (c *cleaner) stays(kind, where string) {
	said := Secret{Kind: kind, Where: where}
	if i := slices.Index(c.out.Secrets, said); i >= 0 {
		c.out.Secrets[i].Stays = true
		return
	}
	said.Stays = true
	c.secret(said)
}

// place returns the name of the stream at an offset, or the offset.
func place(f *minidump.File, at uint64) string {
	for _, s := range f.Streams() {
		if at-s.RVA < s.Size {
			return fmt.Sprintf("stream %s", s.Type)
		}
	}
	return fmt.Sprintf("text at %#x of the new dump", at)
}
