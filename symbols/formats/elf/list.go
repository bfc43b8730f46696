package elf

import (
	"crashglass/core/stack/symbolize"
)

var _ symbolize.Lister = (*File)(nil)

// EachFunction lists the functions that DWARF knows.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	return f.info().EachFunction(add)
}

// EachPublic lists the symbols that are in no function, in the order of their
// addresses.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	return f.info().EachOutside(f.names(), add)
}
