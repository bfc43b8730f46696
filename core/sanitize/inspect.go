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
	eachChunk(mem, func(base uint64, data []byte) {
		for _, h := range everySecret(data) {
			c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("memory at %#x", base+uint64(h.from))})
		}
	})
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

func (c *cleaner) secret(s Secret) {
	if len(c.out.Secrets) < maxSecrets {
		c.out.Secrets = append(c.out.Secrets, s)
	}
}

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

// findLeft marks the secrets that are in the new dump all the same.
func (c *cleaner) findLeft() {
	for _, h := range everySecret(c.out.Data) {
		c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("offset %#x of the new dump", h.from), Stays: true})
	}
}
