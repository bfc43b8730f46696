package elf

import (
	"cmp"
	"slices"

	"crashglass/core/symbolize"
)

var _ symbolize.Lister = (*File)(nil)

// EachFunction lists the functions that DWARF knows.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	return f.info().EachFunction(add)
}

// EachPublic lists the symbols that are in no function, in the order of their
// addresses.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	covered, err := f.covered()
	if err != nil {
		return err
	}
	t := f.names()
	for _, s := range t.list {
		i, at := slices.BinarySearchFunc(covered, s.addr, func(r symbolize.Range, addr uint64) int { return cmp.Compare(r.Start, addr) })
		if at || i > 0 && s.addr-covered[i-1].Start < covered[i-1].Size {
			continue
		}
		if name := t.nameOf(s); name != "" {
			if err := add(symbolize.Public{Name: name, Start: s.addr, Multiple: s.multiple}); err != nil {
				return err
			}
		}
	}
	return nil
}

// covered returns where functions are, in the order of addresses, joined where
// they overlap.
func (f *File) covered() (out []symbolize.Range, err error) {
	all, err := f.info().Covered()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b symbolize.Range) int { return cmp.Compare(a.Start, b.Start) })
	for _, r := range all {
		if n := len(out); n > 0 && r.Start-out[n-1].Start <= out[n-1].Size {
			out[n-1].Size = max(out[n-1].Size, r.Start-out[n-1].Start+r.Size)
			continue
		}
		out = append(out, r)
	}
	return out, nil
}
