package sanitize

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/minidump"
)

// maxSecrets is how many secrets are named.
const maxSecrets = 1000

// chunk is how much of the memory is looked through at once.
const chunk = 1 << 20

// inspect looks for people's names and for secrets in all of the dump.
func (c *cleaner) inspect() {
	if !c.opt.Names {
		c.findPeople()
	}
	var seen seenBytes
	inMemory := map[minidump.StreamType]bool{minidump.MemoryListStream: true, minidump.Memory64ListStream: true}
	for _, s := range slices.SortedStableFunc(slices.Values(c.f.Streams()), byPlace) {
		if inMemory[s.Type] || seen.skip(&s.Location) {
			continue
		}
		data, _ := c.f.Bytes("stream", s.Location)
		for _, h := range everySecret(data) {
			c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("stream %s", s.Type)})
		}
	}
	mem, _ := c.f.Memory()
	c.inspectTexts(mem)
	eachChunk(mem, func(base uint64, data []byte) {
		for _, h := range everySecret(data) {
			at := base + uint64(h.from)
			if c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("memory at %#x", at)}) {
				c.inMemory = append(c.inMemory, spot{len(c.out.Secrets) - 1, at, h.to - h.from})
			}
		}
	})
}

// inspectTexts looks through what lies between streams and memory: the texts
// that streams point to, such as names of threads, of handles and of modules.
func (c *cleaner) inspectTexts(mem *minidump.Memory) {
	var known []minidump.Location
	for _, s := range c.f.Streams() {
		known = append(known, s.Location)
	}
	for _, r := range mem.Ranges() {
		known = append(known, r.Location)
	}
	slices.SortFunc(known, func(a, b minidump.Location) int { return cmp.Compare(a.RVA, b.RVA) })
	end := uint64(c.f.Size())
	from := uint64(0)
	for _, l := range append(known, minidump.Location{RVA: end}) {
		for ; from < min(l.RVA, end); from += min(chunk, l.RVA-from) {
			data, _ := c.f.Bytes("texts", minidump.Location{RVA: from, Size: min(chunk, l.RVA-from)})
			for _, h := range everySecret(data) {
				c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("text at %#x", from+uint64(h.from))})
			}
		}
		if next := l.RVA + min(l.Size, 1<<62); next > l.RVA {
			from = max(from, next)
		}
	}
}

// A spot is where a secret is in memory.
type spot struct {
	secret int // index of it
	addr   uint64
	size   int
}

func byPlace(a, b minidump.Stream) int { return cmp.Compare(a.RVA, b.RVA) }

// seenBytes is how far a file was looked through by those who come in the order
// of its bytes. A damaged one names the same bytes thousands of times.
type seenBytes uint64

// skip takes from a place what was looked through before, and reports whether
// nothing is left.
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

// secret notes one, and reports whether there was room for it. Addresses of
// people are many in most memory: they leave room for what opens doors.
func (c *cleaner) secret(s Secret) bool {
	if s.Kind == mailKind {
		c.mails++
	}
	if len(c.out.Secrets) >= maxSecrets || s.Kind == mailKind && c.mails > maxMails {
		return false
	}
	c.out.Secrets = append(c.out.Secrets, s)
	return true
}

// maxMails is how many addresses are named.
const maxMails = 100

// eachChunk reads all memory in pieces that overlap by a little, in the order
// of the file. Bytes that are the memory of several places are read for one.
func eachChunk(mem *minidump.Memory, see func(base uint64, data []byte)) {
	const overlap = 256
	var seen seenBytes
	buf := make([]byte, chunk)
	for _, r := range slices.SortedStableFunc(slices.Values(mem.Ranges()), func(a, b minidump.Range) int { return cmp.Compare(a.RVA, b.RVA) }) {
		from := r.RVA
		if seen.skip(&r.Location) {
			continue
		}
		base := r.Base + (r.RVA - from)
		for at := uint64(0); at < r.Size; at += chunk - overlap {
			n := mem.Read(base+at, buf[:min(chunk, r.Size-at)])
			see(base+at, buf[:n])
			if r.Size-at <= chunk {
				break
			}
		}
	}
}
