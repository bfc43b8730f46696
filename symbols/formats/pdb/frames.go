package pdb

import (
	"cmp"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// A frameData is a record of how to unwind a run of x86 code: FRAMEDATA or FPO_DATA.
type frameData struct {
	start, end            uint32
	prolog                uint32 // how much of it is the prolog
	params, saved, locals uint32 // in bytes
	program               uint32 // in /names
	data                  bool   // frame data, which has a program; otherwise FPO
	ebp                   bool   // the code uses ebp for something of its own; FPO only
}

// A frameTable is the records of both streams: frame data is preferred where
// both have one.
type frameTable struct {
	data, fpo frameList
}

// A frameList is in the order of addresses.
type frameList struct {
	list   []frameData
	byAddr ranges.Table
}

// frameRecords reads both streams.
func (f *File) frameRecords() *frameTable {
	if f.frames == nil {
		f.frames = &frameTable{}
		if c := f.optionalStream(optFrameData, "frame data"); c != nil {
			f.frames.data = newFrameList(parseFrameData(c, f.notes))
		}
		if c := f.optionalStream(optFPO, "FPO"); c != nil {
			f.frames.fpo = newFrameList(parseFPO(c, f.notes))
		}
	}
	return f.frames
}

func newFrameList(list []frameData) (l frameList) {
	slices.SortStableFunc(list, func(a, b frameData) int { return cmp.Compare(a.start, b.start) })
	l.list = list
	for i, r := range list {
		addRun(&l.byAddr, r.start, r.end, i)
	}
	l.byAddr.Finish()
	return l
}

func (l *frameList) find(rva uint32) (frameData, bool) {
	r, ok := l.byAddr.Find(uint64(rva))
	if !ok {
		return frameData{}, false
	}
	return l.list[r.Value], true
}

// find returns the record for an address.
func (t *frameTable) find(rva uint32) (frameData, bool) {
	if r, ok := t.data.find(rva); ok {
		return r, true
	}
	return t.fpo.find(rva)
}

const frameDataSize = 32

// parseFrameData reads FRAMEDATA records.
//
// Spec: FRAMEDATA of microsoft-pdb's include/cvinfo.h.
func parseFrameData(c *bin.Cursor, notes *notes) []frameData {
	out := make([]frameData, 0, c.Len()/frameDataSize)
	for c.Len() >= frameDataSize {
		at := c.Offset()
		r := frameData{start: c.U32(), data: true}
		size := c.U32()
		r.locals, r.params = c.U32(), c.U32()
		c.Skip(4) // the most that is ever pushed
		r.program = c.U32()
		r.prolog = uint32(c.U16())
		r.saved = uint32(c.U16())
		c.Skip(4) // flags: exception handling, start of a function
		out = appendFrame(out, r, size, at, c, notes)
	}
	restOf(c, notes)
	return out
}

const fpoSize = 16

// parseFPO reads FPO_DATA records. Sizes are in words of four bytes.
//
// Kinds of frame other than FPO are not for unwinding: 1 and 2 are frames of a
// kernel, which have their own layout, and 3 is code that uses ebp as usual.
//
// Spec: https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-fpo_data
func parseFPO(c *bin.Cursor, notes *notes) []frameData {
	out := make([]frameData, 0, c.Len()/fpoSize)
	for c.Len() >= fpoSize {
		at := c.Offset()
		r := frameData{start: c.U32()}
		size := c.U32()
		r.locals = 4 * c.U32()
		r.params = 4 * uint32(c.U16())
		bits := uint32(c.U16())
		r.prolog = bits & 0xff
		r.saved, r.ebp = 4*(bits>>8&7), bits&(1<<12) != 0
		if kind := bits >> 14; kind == 0 {
			out = appendFrame(out, r, size, at, c, notes)
		}
	}
	restOf(c, notes)
	return out
}

// appendFrame adds a record that has a size. In some PDBs records near the end of a function have
// sizes that are almost 2^32, like 0xffffff6e; their meaning is unknown, and dump_syms omits them,
// too.
func appendFrame(out []frameData, r frameData, size uint32, at int64, c *bin.Cursor, notes *notes) []frameData {
	if size == 0 || size >= 1<<31 {
		return out
	}
	if r.start+size < r.start {
		notes.add("frame record at %#x: %d bytes at %#x reach beyond 4 GiB", at, size, r.start)
		return out
	}
	r.end = r.start + size
	return append(out, r)
}

func restOf(c *bin.Cursor, notes *notes) {
	if n := c.Len(); n > 0 {
		c.Fail("%d bytes are left over behind the last record", n)
		notes.error(c.Err())
	}
}
