package breakpad

import "crashglass/core/base/ranges"

// An idTable has the offset of the record with a number: FILE or INLINE_ORIGIN. Writers number from
// 0 without gaps, and then a number costs four bytes. Any other numbers are kept as pairs, because
// a number in the file must not decide how much memory is allocated.
//
// Of two records with one number the first is used, as in Breakpad; rust-minidump uses the last.
type idTable struct {
	dense ranges.Grid // offset of the record with the number that is the index
	other pairs
}

func (t *idTable) add(id uint32, off int64) {
	if int64(id) == int64(t.dense.Len()) {
		t.dense.Add(1, uint64(off), 0, 0)
		return
	}
	t.other.add(uint64(id), off)
}

func (t *idTable) reset() {
	t.dense.Reset()
	t.other.reset()
}

func (t *idTable) finish() { t.other.finish() }

// find returns the offset of the first record with a number.
func (t *idTable) find(id uint32) (off int64, ok bool) {
	if int64(id) < int64(t.dense.Len()) {
		off, ok = int64(t.dense.At(int(id), 0)), true
	}
	if key, o, found := t.other.below(uint64(id)); found && key == uint64(id) && (!ok || o < off) {
		off, ok = o, true
	}
	return off, ok
}

func (t *idTable) bytes() int { return t.dense.Bytes() + t.other.Bytes() }
