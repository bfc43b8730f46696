package pe

import (
	"errors"
	"fmt"
	"slices"

	"crashglass/core/base/bin"
)

// An armRecord has the unwind codes of a range of ARM64 code, from a packed .pdata entry or a
// record in .xdata. Codes are in the order of undoing.
type armRecord struct {
	words   uint32 // instructions in the code
	prolog  []armCode
	epilogs []armEpilog

	codes []byte // of an .xdata record
	base  int64  // their offset in the file
}

// An armEpilog is the start of an epilog, in instructions, and its codes.
type armEpilog struct {
	start uint32
	index int       // into the codes of an .xdata record
	seq   []armCode // of a packed entry
}

// Flags of entries: where the rest of the second word points to an .xdata
// record, or is one in itself.
const (
	armFull     = 0
	armPacked   = 1
	armFragment = 2
)

func (f *File) armSize(e entry) (uint64, error) {
	switch e.data & 3 {
	case armFull:
		data, err := f.read(unwindRecord, uint64(e.data), 4)
		if err != nil {
			return 0, e.in(unwindRecord, err)
		}
		return 4 * uint64(bin.NewCursor("", 0, data).U32()&0x3ffff), nil
	case armPacked, armFragment:
		return 4 * uint64(e.data>>2&0x7ff), nil
	}
	return 0, e.in(unwindRecord, errors.New("flag 3 is reserved"))
}

// unwindRecord names what an entry says, in errors.
const unwindRecord = "unwind record"

func (f *File) armRecord(e entry) (r *armRecord, err error) {
	if e.data&3 != armFull {
		r, err = unpack(e.data)
	} else {
		r, err = f.readArmRecord(uint64(e.data))
	}
	if err != nil {
		return nil, e.in(unwindRecord, err)
	}
	return r, nil
}

// readArmRecord reads a record in .xdata.
func (f *File) readArmRecord(rva uint64) (*armRecord, error) {
	off, n, ok := f.offset(rva)
	if !ok {
		return nil, defect(unwindRecord, int64(rva), "this address is not in the file")
	}
	data, err := f.readUpTo(unwindRecord, rva, 8)
	if err != nil {
		return nil, err
	}
	c := bin.NewCursor(unwindRecord, off, data)
	r, scopes, codeWords, err := armHeader(c)
	if err != nil {
		return nil, err
	}
	rest := c.Offset()
	size := 4 * uint64(scopes+codeWords)
	if uint64(rest-off)+size > n {
		return nil, defect(unwindRecord, off, "need %d bytes, have %d", uint64(rest-off)+size, n)
	}
	if data, err = f.read(unwindRecord, rva+uint64(rest-off), size); err != nil {
		return nil, err
	}
	c = bin.NewCursor(unwindRecord, rest, data)
	atEnd := len(r.epilogs) > 0
	r.epilogs = slices.Grow(r.epilogs, int(scopes)) // which the record has room for
	for range scopes {
		w := c.U32()
		r.epilogs = append(r.epilogs, armEpilog{start: w & 0x3ffff, index: int(w >> 22)})
	}
	r.base = c.Offset()
	r.codes = c.Bytes(c.Len())
	if r.prolog, err = r.sequence(0); err == nil && atEnd {
		err = r.placeLast()
	}
	return r, err
}

// armHeader reads the one or two words in front, and how many epilogs and
// words of codes follow. The first word may tell of an epilog at the end.
func armHeader(c *bin.Cursor) (r *armRecord, scopes, codeWords uint32, err error) {
	at := c.Offset()
	word := c.U32()
	r = &armRecord{words: word & 0x3ffff}
	if v := word >> 18 & 3; v != 0 {
		return nil, 0, 0, defect(unwindRecord, at, "version %d is not 0", v)
	}
	scopes, codeWords = word>>22&31, word>>27
	if scopes == 0 && codeWords == 0 {
		ext := c.U32()
		scopes, codeWords = ext&0xffff, ext>>16&0xff
	}
	if word>>21&1 != 0 {
		r.epilogs = []armEpilog{{index: int(scopes)}}
		scopes = 0
	}
	if scopes > r.words {
		return nil, 0, 0, defect(unwindRecord, at, "%d epilogs in %d instructions", scopes, r.words)
	}
	return r, scopes, codeWords, c.Err()
}

// placeLast finds where an epilog begins that is the last thing in the code.
func (r *armRecord) placeLast() error {
	e := &r.epilogs[0]
	seq, err := r.sequence(e.index)
	if err != nil {
		return err
	}
	size := instructions(seq) + 1 // the return
	if size > r.words {
		return fmt.Errorf("an epilog of %d instructions in %d", size, r.words)
	}
	e.start = r.words - size
	return nil
}

func (r *armRecord) sequence(index int) ([]armCode, error) {
	var out []armCode
	for at := index; at < len(r.codes); {
		code, size, err := decodeArm(r.codes[at:])
		if err != nil {
			return nil, defect("codes", r.base+int64(at), "%v", err)
		}
		out = append(out, code)
		if code.kind == armEnd {
			return out, nil
		}
		at += size
	}
	return nil, defect("codes", r.base+int64(index), "no end in %d bytes", len(r.codes))
}

// instructions counts those that a sequence is about, in this scope.
func instructions(seq []armCode) (n uint32) {
	for _, c := range seq {
		if c.kind == armEnd || c.kind == armEndChained {
			break
		}
		if c.kind < armTrapFrame { // others stand for no instruction
			n++
		}
	}
	return n
}

// epilogAt finds the epilog that the n-th instruction is in, with its codes.
func (r *armRecord) epilogAt(n uint32) (e armEpilog, ok bool, err error) {
	i, found := slices.BinarySearchFunc(r.epilogs, n, func(e armEpilog, n uint32) int { return int(e.start) - int(n) })
	if !found {
		i--
	}
	if i < 0 {
		return e, false, nil
	}
	e = r.epilogs[i]
	if e.seq == nil {
		e.seq, err = r.sequence(e.index)
	}
	return e, n <= e.start+instructions(e.seq), err
}

// remaining are the codes to follow at the n-th instruction: in a prolog not
// those of instructions that are still to come, in an epilog not those of
// instructions that are done.
func (r *armRecord) remaining(n uint32) ([]armCode, error) {
	if size := instructions(r.prolog); n < size {
		return skip(r.prolog, size-n), nil
	}
	e, ok, err := r.epilogAt(n)
	if ok && err == nil {
		return skip(e.seq, n-e.start), nil
	}
	return r.prolog, err
}

// skip leaves out n codes, but none behind an end.
func skip(seq []armCode, n uint32) []armCode {
	for n > 0 && len(seq) > 0 && seq[0].kind != armEnd && seq[0].kind != armEndChained {
		seq = seq[1:]
		n--
	}
	return seq
}
