package pdb

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/stack/unwind"
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

// A frameTable is the records of both streams, frame data and FPO: the former is preferred where both have
// one.
type frameTable [2]frameList

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
			f.frames[0].set(parseFrameData(c, f.notes))
		}
		if c := f.optionalStream(optFPO, "FPO"); c != nil {
			f.frames[1].set(parseFPO(c, f.notes))
		}
	}
	return f.frames
}

func (l *frameList) set(list []frameData) {
	slices.SortStableFunc(list, func(a, b frameData) int { return cmp.Compare(a.start, b.start) })
	l.list = list
	for i, r := range list {
		addRun(&l.byAddr, r.start, r.end, i)
	}
	l.byAddr.Finish()
}

func (t *frameTable) find(rva uint32) (frameData, bool) {
	for i := range t {
		if r, ok := t[i].byAddr.Find(uint64(rva)); ok {
			return t[i].list[r.Value], true
		}
	}
	return frameData{}, false
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

// WinFrame returns how to unwind x86 code: frame data where there is some,
// otherwise FPO. Of records inside each other the innermost counts.
func (f *File) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rva, _, ok := f.addr.internal(rel)
	if !ok {
		return unwind.WinFrame{}, false
	}
	r, ok := f.frameRecords().find(rva)
	if !ok {
		return unwind.WinFrame{}, false
	}
	p, ok := pieceAt(f.addr.framePieces(r), rel)
	if !ok {
		return unwind.WinFrame{}, false
	}
	return f.winFrame(r, p)
}

// winFrame returns the record for the range of code p. It reports false if the record's program
// cannot be read.
func (f *File) winFrame(r frameData, p piece) (w unwind.WinFrame, ok bool) {
	w = unwind.WinFrame{
		Start: uint64(p.start), Size: uint64(p.end - p.start), FrameData: r.data, Prolog: p.prolog,
		ParamSize: r.params, SavedRegs: r.saved, Locals: r.locals, AllocatesEBP: r.ebp,
	}
	if r.data {
		text, err := f.names.at(r.program)
		if err != nil || strings.TrimSpace(text) == "" {
			f.notes.error(err)
			return unwind.WinFrame{}, false
		}
		w.Program = strings.TrimSpace(text) // most end with a space
	}
	return w, true
}

// CallFrame returns nothing: the rules of x64 and ARM64 are in the image.
func (f *File) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }

// EachCallFrame lists nothing: see CallFrame.
func (f *File) EachCallFrame(func(*unwind.CallFrameTable) error) error { return nil }

// EachWinFrame lists the records, the frame data first. Of several with the
// same range the first is the one that counts, and the only one listed: PDBs
// of Windows repeat records.
func (f *File) EachWinFrame(add func(unwind.WinFrame) error) error {
	return eachOf(f.winFrames(), add)
}

func (f *File) winFrames() (out []unwind.WinFrame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.frameRecords()
	for _, l := range t {
		for i, r := range l.list {
			if i > 0 && l.list[i-1].start == r.start && l.list[i-1].end == r.end {
				continue
			}
			for _, p := range f.addr.framePieces(r) {
				if w, ok := f.winFrame(r, p); ok {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// HasNames implements unwind.Rules: functions and public symbols name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a PDB has none.
func (f *File) HasCode() bool { return false }
