package sanitize

import (
	"fmt"

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
	inMemory := map[minidump.StreamType]bool{minidump.MemoryListStream: true, minidump.Memory64ListStream: true}
	for _, s := range c.f.Streams() {
		if inMemory[s.Type] {
			continue
		}
		data, _ := c.f.Stream(s.Type)
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

func (c *cleaner) secret(s Secret) {
	if len(c.out.Secrets) < maxSecrets {
		c.out.Secrets = append(c.out.Secrets, s)
	}
}

// eachChunk reads all memory in pieces that overlap by a little.
func eachChunk(mem *minidump.Memory, see func(base uint64, data []byte)) {
	const overlap = 256
	buf := make([]byte, chunk)
	for _, r := range mem.Ranges() {
		for at := uint64(0); at < r.Size; at += chunk - overlap {
			n := mem.Read(r.Base+at, buf[:min(chunk, r.Size-at)])
			see(r.Base+at, buf[:n])
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
