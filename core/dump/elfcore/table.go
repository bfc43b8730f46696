package elfcore

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/base/bin"
)

// table returns the program headers of the module at base, whose first page is head. They follow the
// ELF header, unless patchelf or llvm-bolt has moved them into a segment of their own, behind all
// others. It returns none if that memory was not captured.
func (c *core) table(base uint64, head []byte, h header) []program {
	size := uint64(programSize(c.word)) * min(h.count, mostPrograms)
	if h.programs < uint64(len(head)) {
		return programsIn(head[h.programs:min(h.programs+size, uint64(len(head)))], c.order, c.word)
	}
	for _, at := range c.tablePlaces(base, h.programs) {
		list := programsIn(c.bytes(at, int(size)), c.order, c.word)
		if mapsAt(list, base, h.programs, at) {
			return list
		}
	}
	return nil
}

// tablePlaces are the addresses where an offset of the file at base can be mapped: by AT_PHDR, by
// NT_FILE, and as far behind base as it is in the file.
func (c *core) tablePlaces(base, offset uint64) []uint64 {
	places := []uint64{c.aux(auxPrograms), base + offset}
	i := c.fileFrom(base)
	if i < 0 {
		return places
	}
	first := c.files[i]
	for _, f := range c.files[i:min(i+mostPrograms, len(c.files))] {
		if f.name == first.name && offset+first.offset-f.offset < f.end-f.start {
			places = append(places, f.start+(offset+first.offset-f.offset))
		}
	}
	return places
}

// programsIn parses complete program headers.
func programsIn(data []byte, order binary.ByteOrder, word int) []program {
	size := programSize(word)
	list := make([]program, 0, len(data)/size)
	for ; len(data) >= size; data = data[size:] {
		list = append(list, parseProgram(bin.NewOrderedCursor("module", 0, data, order), word))
	}
	return list
}

// mapsAt reports whether program headers map their own offset of the file to the address at which
// they were read.
func mapsAt(list []program, base, offset, at uint64) bool {
	m := image{base: base, programs: list}
	m.measure()
	for _, p := range list {
		if p.kind == typeLoad && offset-p.off < p.have && m.at(p.addr+(offset-p.off)) == at {
			return true
		}
	}
	return false
}

// strayBuildID searches the first page of a module for the note of its build ID, for a module without program headers:
// linkers put it behind the headers, and the tools that move these leave it there. Go's linker (1.26) puts it behind its
// own note, and its segment of notes ends in front of it.
func (c *core) strayBuildID(head []byte) []byte {
	name := []byte("GNU\x00")
	for at := 0; ; {
		i := bytes.Index(head[at:], name)
		if i < 0 {
			return nil
		}
		at += i + len(name)
		if start := at - len(name) - noteHead; start >= 0 {
			size := int(c.order.Uint32(head[start+4:]))
			if c.order.Uint32(head[start:]) == 4 && c.order.Uint32(head[start+8:]) == noteBuildID && size >= minBuildID && size <= min(maxBuildID, len(head)-at) {
				return bytes.Clone(head[at : at+size])
			}
		}
	}
}

// minBuildID is the size of the shortest build ID that linkers make, lld's --build-id=fast.
const minBuildID = 8
