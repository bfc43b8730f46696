package pe

import (
	"runtime"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// EachFunction lists the functions in DWARF or, without DWARF, in Go's table, and further functions of the unwind table that have a
// name.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	if err := f.info().EachFunction(add); err != nil {
		return err
	}
	if f.info().Empty() {
		if err := f.golang().EachFunction(add); err != nil {
			return err
		}
	}
	return f.eachEntry(0, len(f.functions().entries), func(begin uint64) error {
		fn, multiple, ok := f.functionAt(begin)
		if f.known(begin) || !ok || fn.Start != begin {
			return nil
		}
		return add(&symbolize.Function{Name: fn.Name, Start: fn.Start, Size: fn.Size, Multiple: multiple})
	})
}

// EachUnnamed lists the ranges of functions in the unwind table that have no name. dump_syms writes
// these, too.
func (f *File) EachUnnamed(add func(start, size uint64) error) error {
	return f.eachEntry(0, len(f.functions().entries), func(begin uint64) error {
		fn, _, named := f.functionAt(begin)
		if f.known(begin) || named || fn.Size == 0 || fn.Start != begin || f.names().in(begin, begin+fn.Size) {
			return nil
		}
		return add(fn.Start, fn.Size)
	})
}

// EachPublic lists the exports and COFF symbols outside of functions, one for each address.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	all := f.names().sorted
	for len(all) > 0 {
		rva := uint64(all[0].rva)
		n := 1
		for n < len(all) && uint64(all[n].rva) == rva {
			n++
		}
		all = all[n:]
		if fn, ok := f.Function(rva); ok && fn.Public {
			if p, ok := f.publicAt(rva); ok {
				if err := add(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachEntry goes through a range of the unwind table.
func (f *File) eachEntry(from, to int, use func(begin uint64) error) error {
	entries := f.functions().entries
	for i := from; i < to; i++ {
		e := entries[i]
		if f.opt.Progress != nil && i%1024 == 0 {
			if err := f.opt.Progress(int64(i), int64(len(entries))); err != nil {
				return err
			}
		}
		if i > 0 && e.begin == entries[i-1].begin {
			continue // the first of them is asked for
		}
		if f.work.Exceeded() {
			f.notes.add(errWork)
			return nil
		}
		if err := use(uint64(e.begin)); err != nil {
			return err
		}
	}
	return nil
}

// EachCallFrame lists the rules of each function with unwind codes: at its first instruction, and
// where they change in prologs and epilogs. They are the same as those of CallFrame. Leaves are not
// listed, because their extent is unknown, nor epilogs that undo only a part of the prolog.
func (f *File) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	if t := f.frames(); t != nil {
		return t.EachCallFrame(add)
	}
	if err := f.golang().EachCallFrame(add); err != nil {
		return err
	}
	n := len(f.functions().entries)
	first := n
	if runtime.GOMAXPROCS(0) > 1 {
		first = min(n, batchAfter)
	}
	if err := f.tables(0, first, add); err != nil {
		return err
	}
	return f.tablesInBatches(first, n, add)
}
