package pdb

import "encoding/binary"

// findFolds finds functions of the unit that begin at one address: they have the same code, and the
// linker kept it once (identical code folding, ICF). Each of them still has a record, and lines of
// its own. Only the first run of each counts: it may have code elsewhere, too.
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
			u.folds = map[uint32]bool{}
		}
		u.folds[fn.start] = false
	}
}

// ownLines reports whether a block of lines belongs to the reported function, which is the first of
// those that share its code. Compilers write functions and their lines in the same order, so the
// first lines of folded code are used.
func (u *unit) ownLines(f *File, block []byte) bool {
	if u.folds == nil || len(block) < 6 {
		return true
	}
	start, ok := f.addr.rva(binary.LittleEndian.Uint16(block[4:]), binary.LittleEndian.Uint32(block))
	used, folded := u.folds[start]
	if !ok || !folded {
		return true
	}
	u.folds[start] = true
	return !used
}
