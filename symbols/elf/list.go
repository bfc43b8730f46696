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
	covered, err := f.info().Extents()
	if err != nil {
		return err
	}
	t := f.names()
	for _, s := range t.list {
		if covered.Has(s.addr) {
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
