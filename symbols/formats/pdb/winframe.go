package pdb

import (
	"strings"

	"crashglass/core/stack/unwind"
)

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
	for _, w := range f.winFrames() {
		if err := add(w); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) winFrames() (out []unwind.WinFrame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.frameRecords()
	for _, l := range []*frameList{&t.data, &t.fpo} {
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
