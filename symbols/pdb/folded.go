package pdb

import "encoding/binary"

// A fold is an address of a unit where several functions begin: they have the
// same code, and the linker kept it once (identical code folding, ICF). Each of
// them still has a record, and lines of its own.
type fold struct {
	functions int
	nth       int // the function that is reported for the code
	blocks    int // of lines
	seen      int // blocks by now
}

// findFolds finds the functions that share code with another one of the unit.
// Only the first run of each counts: it may have code elsewhere, too.
func (u *unit) findFolds() {
	first := make(map[uint32]int, len(u.funcs))
	for i, fn := range u.funcs {
		j, ok := first[fn.start]
		if !ok {
			first[fn.start] = i
			continue
		}
		if u.funcs[j].at == fn.at {
			continue
		}
		u.funcs[i].shared, u.funcs[j].shared = true, true
		if u.folds == nil {
			u.folds = map[uint32]*fold{}
		}
		if u.folds[fn.start] == nil {
			u.folds[fn.start] = &fold{functions: 1}
		}
		d := u.folds[fn.start]
		if s, ok := u.byAddr.Find(uint64(fn.start)); ok && int(s.Value) == i {
			d.nth = d.functions
		}
		d.functions++
	}
}

// countBlocks finds out how many blocks of lines there are for folded code.
func (u *unit) countBlocks(f *File, data []byte) {
	if u.folds == nil {
		return
	}
	eachSubsection(data, func(kind uint32, body []byte) {
		if d := u.foldOf(f, body); kind == subLines && d != nil {
			d.blocks++
		}
	})
}

// foldOf is the fold that a block of lines is for, if any.
func (u *unit) foldOf(f *File, block []byte) *fold {
	if u.folds == nil || len(block) < 6 {
		return nil
	}
	start, ok := f.addr.rva(binary.LittleEndian.Uint16(block[4:]), binary.LittleEndian.Uint32(block))
	if !ok {
		return nil
	}
	return u.folds[start]
}

// ownLines reports whether a block of lines, in the order of the file, belongs to the reported
// function. Compilers write functions and their lines in the same order; if their numbers differ,
// the first lines are used.
func (u *unit) ownLines(f *File, block []byte) bool {
	d := u.foldOf(f, block)
	if d == nil {
		return true
	}
	want := 0
	if d.blocks == d.functions {
		want = d.nth
	}
	d.seen++
	return d.seen-1 == want
}
