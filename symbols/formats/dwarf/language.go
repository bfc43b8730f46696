package dwarf

import (
	"slices"

	"crashglass/core/values/types"
)

// A language is what the language of a unit decides.
type language struct {
	names   []uint16 // DW_LNAME
	codes   []uint16 // DW_LANG, one for each version up to DWARF 5
	shown   types.Language
	low     int64 // the default lower bound of arrays
	columns bool  // arrays of several dimensions are in the order of columns, so that the first dimension is the innermost
}

// languages are those that differ from C. All others have arrays from 0 on and are shown as C.
//
// Source: dwarfstd.org/languages.html and languages-v6.html. 0x9000 is rustc's code for Rust from
// before there was a number.
var languages = []language{
	// C++98, 03, 11, 14, 17, 20 and 23, Objective-C++, HIP, OpenCL C++, C++ for OpenCL, SYCL, Metal.
	{
		names: []uint16{0x04, 0x12, 0x29, 0x23, 0x24, 0x25, 0x2c},
		codes: []uint16{0x04, 0x19, 0x1a, 0x21, 0x2a, 0x2b, 0x3a, 0x11, 0x30, 0x37, 0x38, 0x39, 0x3d}, shown: types.CPlusPlus,
	},
	{names: []uint16{0x11}, codes: []uint16{0x10}, shown: types.ObjectiveC},
	{names: []uint16{0x19}, codes: []uint16{0x1c, 0x9000}, shown: types.Rust},
	{names: []uint16{0x0a}, codes: []uint16{0x16}, shown: types.Go},
	{names: []uint16{0x1a}, codes: []uint16{0x1e}, shown: types.Swift},
	// Fortran 77, 90, 95, 2003, 2008, 2018 and 2023.
	{names: []uint16{0x09}, codes: []uint16{0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d, 0x3f}, low: 1, columns: true},
	// Ada 83, 95, 2005 and 2012, COBOL 74 and 85, Pascal, Modula-2, PL/I, Modula-3, Julia, Algol 68, Erlang, Elixir.
	{
		names: []uint16{0x01, 0x05, 0x15, 0x0f, 0x16, 0x10, 0x0d, 0x2e, 0x30, 0x31},
		codes: []uint16{0x03, 0x0d, 0x2e, 0x2f, 0x05, 0x06, 0x09, 0x0a, 0x0f, 0x17, 0x1f, 0x44, 0x46, 0x47}, low: 1,
	},
}

// likeC is every other language.
var likeC language

// speaks is the language of the unit. DWARF 6 has a name and a version, which newer compilers write in
// version 5 as well, beside the code for consumers that do not know the name. No version differs from
// another one here.
func (u *unit) speaks() *language {
	is := func(l language) bool { return slices.Contains(l.names, u.languageName) }
	if u.languageName == 0 || !slices.ContainsFunc(languages, is) {
		is = func(l language) bool { return slices.Contains(l.codes, u.language) }
	}
	if i := slices.IndexFunc(languages, is); i >= 0 {
		return &languages[i]
	}
	return &likeC
}

// languageOf is the language that types of the unit are shown in.
func (u *unit) languageOf() types.Language { return u.speaks().shown }

// from is the unit as one that refers to it sees it. The partial units that dwz makes state no language:
// theirs is that of the units that they were moved out of.
func (n *node) from(by *node) *node {
	if n.tag != tagPartialUnit || n.language != 0 || n.languageName != 0 {
		return n
	}
	u := *n.unit
	u.language, u.languageName = by.language, by.languageName
	return &node{&u, n.data, n.table, n.scopes}
}
