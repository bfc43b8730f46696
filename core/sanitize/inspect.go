package sanitize

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// maxSecrets bounds the secrets that are listed.
const maxSecrets = 1000

// chunk is the number of bytes of memory that are searched at once.
const chunk = 1 << 20

// inspect searches all of the dump for people's names and secrets.
func (c *cleaner) inspect() {
	if !c.opt.Names {
		c.findPeople()
	}
	var seen seenBytes
	inMemory := map[minidump.StreamType]bool{minidump.MemoryListStream: true, minidump.Memory64ListStream: true}
	for _, s := range sorting.Sorted(slices.Values(c.f.Streams()), byPlace) {
		if inMemory[s.Type] || seen.skip(&s.Location) {
			continue
		}
		data, _ := c.f.Bytes("stream", s.Location)
		c.search(data, func(h hit) { c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("stream %s", s.Type)}) })
	}
	mem, _ := c.f.Memory()
	c.inspectTexts(mem)
	c.inspectMemory(mem)
}

// inspectTexts searches the bytes between streams and memory: the texts that streams point to, such
// as names of threads, handles and modules.
func (c *cleaner) inspectTexts(mem *process.Memory) {
	var known []minidump.Location
	for _, s := range c.f.Streams() {
		known = append(known, s.Location)
	}
	for _, r := range mem.Ranges() {
		known = append(known, r.Location)
	}
	sorting.Stable(known, func(a, b minidump.Location) int { return cmp.Compare(a.RVA, b.RVA) })
	end := uint64(c.f.Size())
	from := uint64(0)
	for _, l := range append(known, minidump.Location{RVA: end}) {
		for ; from < min(l.RVA, end); from += min(chunk, l.RVA-from) {
			data, _ := c.f.Bytes("texts", minidump.Location{RVA: from, Size: min(chunk, l.RVA-from)})
			c.search(data, func(h hit) {
				c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("text at %#x", from+uint64(h.from))})
			})
		}
		if next := l.RVA + min(l.Size, 1<<62); next > l.RVA {
			from = max(from, next)
		}
	}
}

// search finds the secrets in bytes until the list is full: a text may have nothing else.
func (c *cleaner) search(data []byte, see func(hit)) {
	if c.isFull() {
		return
	}
	for h := range everySecret(data) {
		if see(h); c.isFull() {
			return
		}
	}
}

func (c *cleaner) isFull() bool { return len(c.out.Secrets) >= maxSecrets }

func byPlace(a, b minidump.Stream) int { return cmp.Compare(a.RVA, b.RVA) }

// seenBytes is the offset up to which a file was searched. Callers proceed in the order of offsets,
// and a damaged file may refer to the same bytes thousands of times.
type seenBytes uint64

// skip removes the bytes of a range that were searched before, and reports whether nothing is left.
func (seen *seenBytes) skip(l *minidump.Location) bool {
	end := l.RVA + min(l.Size, 1<<62)
	if end < l.RVA || end <= uint64(*seen) {
		return true
	}
	if old := uint64(*seen); old > l.RVA {
		l.RVA, l.Size = old, end-old
	}
	*seen = seenBytes(end)
	return false
}

// secret records a secret, and reports whether there was room for it. Most memory has many e-mail
// addresses, so their number is limited to leave room for keys and passwords.
func (c *cleaner) secret(s Secret) bool {
	if s.Kind == mailKind {
		c.mails++
	}
	if c.isFull() || s.Kind == mailKind && c.mails > maxMails {
		return false
	}
	c.out.Secrets = append(c.out.Secrets, s)
	return true
}

// maxMails bounds the e-mail addresses that are listed.
const maxMails = 100
