package elf

import (
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
	t := f.names()
	return f.info().EachOutside(len(t.list), func(i int) uint64 { return t.list[i].addr }, func(i int) symbolize.Public {
		s := t.list[i]
		return symbolize.Public{Name: t.nameOf(s), Start: s.addr, Multiple: s.multiple}
	}, add)
}
