package elfcore

import (
	"bytes"

	"crashglass/core/base/bin"
)

// An image is a module in memory: a program, a library, the vDSO.
type image struct {
	base, size uint64
	name       string
	buildID    []byte
	byGo       bool      // Go's linker made it
	kernel     uint32    // LINUX_VERSION_CODE, which the vDSO has a note about
	programs   []program // only of an image that was just read
	low        uint64    // the address that base has in the file
	entry      uint64    // e_entry, and the offset of the program headers: only of one that headOf has read
	table      uint64
}

// headSize is the number of bytes that are read of a module: the kernel captures its first page
// even when it leaves out the rest.
const headSize = 4 << 10

// mostPrograms bounds the program headers of a module.
const mostPrograms = headSize / 32

// moduleNotes bounds the segments of notes of a module; linkers make one for each
// alignment. Thousands of modules may share a page that is full of them.
const moduleNotes = 8

// image reads the module at an address from captured memory, or returns nil if its head was not
// captured.
//
// Source: System V ABI, "Program Loading".
func (c *core) image(base uint64) *image {
	head := c.headOf(base, headSize)
	h, ok := c.elfHeader(head)
	if !ok {
		return nil
	}
	m := &image{base: base, programs: c.table(base, head, h)}
	m.measure()
	notes := 0
	for _, p := range m.programs {
		if p.kind == typeNote && notes < moduleNotes {
			notes++
			c.readIdentity(m, p)
		}
	}
	if len(m.programs) == 0 || m.byGo && len(m.buildID) == 0 {
		m.buildID = c.strayBuildID(head)
	}
	return m
}

// headOf reads up to size bytes of the head of a module, into a buffer that the next call uses again.
func (c *core) headOf(base uint64, size int) []byte {
	if c.page == nil {
		c.page = make([]byte, headSize)
	}
	return c.page[:c.read(base, c.page[:size])]
}

func (c *core) headerAt(base uint64) (header, bool) { return c.elfHeader(c.headOf(base, header64)) }

func (c *core) elfHeader(head []byte) (header, bool) {
	order, word := identity(head)
	if word != c.word || order != c.order {
		return header{}, false
	}
	cursor := bin.NewOrderedCursor("module", 0, head, order)
	h := parseHeader(cursor, word)
	return h, cursor.Err() == nil && h.machine == c.head.machine && h.kind != typeCore
}

// measure computes a module's range: from its lowest segment, which has the header, to the end of
// its highest.
func (m *image) measure() {
	const page = 4 << 10
	low, high := ^uint64(0), uint64(0)
	for _, p := range m.programs {
		if p.kind == typeLoad {
			low, high = min(low, p.addr&^(page-1)), max(high, addClipped(p.addr, p.size))
		}
	}
	if high > low {
		m.low, m.size = low, high-low
	}
}

// at converts an address of the file to one in memory.
func (m *image) at(addr uint64) uint64 { return m.base + (addr - m.low) }

// Types of notes of a module, by the owners that they belong to.
const (
	noteBuildID = 3 // NT_GNU_BUILD_ID of "GNU"
	noteVersion = 0 // of "Linux", in the vDSO
)

// maxBuildID is longer than any digest.
const maxBuildID = 64

// readIdentity reads the build ID, and the kernel's version from the vDSO.
func (c *core) readIdentity(m *image, p program) {
	n := bin.NewOrderedCursor("notes of a module", 0, c.bytes(m.at(p.addr), int(min(p.size, headSize))), c.order)
	for n.Len() >= noteHead {
		nameSize, size, kind := int64(n.U32()), int64(n.U32()), n.U32()
		name := bytes.TrimRight(n.Bytes(int(aligned(nameSize))), "\x00")
		data := n.Bytes(int(min(aligned(size), int64(n.Len())))) // the last one may lack its padding
		switch {
		case n.Err() != nil || int64(len(data)) < size:
			return
		case string(name) == "GNU" && kind == noteBuildID && size <= maxBuildID:
			m.buildID = bytes.Clone(data[:size])
		case string(name) == "Go":
			m.byGo = true
		case string(name) == "Linux" && kind == noteVersion && size == 4:
			m.kernel = c.order.Uint32(data)
		}
	}
}

// access returns the permissions of an address by the module's program headers.
func (m *image) access(addr uint64) (flags uint32, ok bool) {
	for _, p := range m.programs {
		if p.kind == typeLoad && addr-m.at(p.addr)&^(headSize-1) < addClipped(p.size, p.addr&(headSize-1)) {
			flags, ok = p.flags, true
		}
	}
	return flags, ok
}
