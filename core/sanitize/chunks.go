package sanitize

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// inspectMemory searches all memory, and then the borders that the order of the file hides.
func (c *cleaner) inspectMemory(mem *process.Memory) {
	eachChunk(mem, func(base uint64, data []byte) {
		c.search(data, func(h hit) {
			if at := base + uint64(h.from); h.from >= overlap || !c.isListed(at, overlap) {
				c.secretAt(at, h)
			}
		})
	})
	eachBorder(mem, uint64(c.f.Size()), func(base uint64, data []byte, border int) {
		c.search(data, func(h hit) {
			if at := base + uint64(h.from); h.from < border && h.to > border && !c.isListed(at, maxSecrets) {
				c.secretAt(at, h)
			}
		})
	})
}

func (c *cleaner) secretAt(at uint64, h hit) {
	if c.secret(Secret{Kind: h.kind, Where: fmt.Sprintf("memory at %#x", at)}) {
		c.inMemory = append(c.inMemory, spot{len(c.out.Secrets) - 1, at, h.to - h.from})
	}
}

// isListed reports whether a secret at an address is among the last n. The end of the piece before
// has at most one for each byte of the overlap.
func (c *cleaner) isListed(addr uint64, n int) bool {
	last := c.inMemory[max(0, len(c.inMemory)-n):]
	return slices.ContainsFunc(last, func(s spot) bool { return s.addr == addr })
}

// A spot is the place of a secret in memory.
type spot struct {
	secret int // index of it
	addr   uint64
	size   int
}

// overlap is the number of bytes that two pieces of memory share, so that the search finds a secret
// at their border.
const overlap = 256

// eachChunk reads all memory in slightly overlapping pieces, in the order of the file. It reads
// bytes that belong to several addresses once. Ranges that are adjacent in memory and in the file are
// one range, so that a secret in two pages is found.
func eachChunk(mem *process.Memory, see func(base uint64, data []byte)) {
	var seen seenBytes
	buf := make([]byte, chunk)
	for _, r := range sorting.Sorted(slices.Values(mem.Ranges()), func(a, b minidump.Range) int { return cmp.Compare(a.RVA, b.RVA) }) {
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

// eachBorder reads the bytes around the borders of ranges that are adjacent in memory but not in the
// file. It reads at most most bytes: a damaged file may have millions of ranges of a few bytes.
func eachBorder(mem *process.Memory, most uint64, see func(base uint64, data []byte, border int)) {
	var before minidump.Range
	buf := make([]byte, 2*overlap)
	for _, r := range mem.Ranges() {
		if before.Size > 0 && before.Base+before.Size == r.Base && before.RVA+before.Size != r.RVA && most >= uint64(len(buf)) {
			run, _, _ := mem.Range(r.Base)
			base := max(run, r.Base-min(r.Base, overlap))
			see(base, buf[:mem.Read(base, buf)], int(r.Base-base))
			most -= uint64(len(buf))
		}
		before = r
	}
}
