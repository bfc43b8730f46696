package sanitize

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
)

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
	ranges := slices.SortedFunc(slices.Values(c.ranges), func(a, b minidump.Range) int { return cmp.Compare(a.RVA, b.RVA) })
	from := uint64(0)
	for _, r := range append(ranges, minidump.Range{Location: minidump.Location{RVA: uint64(len(c.out.Data))}}) {
		if r.RVA > from {
			for _, h := range everySecret(c.out.Data[from:r.RVA]) {
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
