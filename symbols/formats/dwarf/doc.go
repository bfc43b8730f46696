// Package dwarf reads the DWARF debug information of versions 2 to 5: which
// function is at an address, on which line, and which calls were inlined there.
//
//	f := dwarf.Open(dwarf.Sections{"info": info, "abbrev": abbrev, "line": line, "str": str}, dwarf.Options{})
//	loc, ok := f.Locate(rel)
//
// The first query reads the headers of all units. After that a unit is read when an address in
// it is looked up. A bounded cache keeps units; EachFunction reads the file unit by unit.
//
// Damage costs only the damaged part and causes a note: a broken entry ends its unit, but the
// functions before it stay; a broken line program loses the lines after the defect. Behind a hole
// of zeros, or a length that is wrong, the next unit is searched for. Circular references, ranges at
// 0, -1 and -2 (code that the linker dropped), and line numbers of 0 are expected.
//
// A name is the mangled linkage name, if DWARF or the linker's tables have it, and otherwise
// DW_AT_name without enclosing scopes. Mozilla's dump_syms writes the same into .sym files.
//
// Variables are read separately, entry by entry ([File.Scopes]): their types, including type units,
// their locations, and the arguments of calls. Such a unit is kept as a whole; the amount of
// reading is bounded.
//
// It does not read macros or .debug_names. .debug_aranges is only a hint which unit to try first,
// because not all compilers write it. Package cfi reads call frame information. The readers of
// containers (ELF, Mach-O, PE) find and decompress the sections, and pass them in.
//
// Read file.go first, which lists the concerns of a File and the order of their locks, then group.go,
// unit.go and abbrev.go, which read the structure of .debug_info, and form.go and die.go, which read entries. index.go finds the units of an address, code.go and parsed.go
// their functions, program.go and line.go their lines, and locate.go joins them. nextunit.go finds
// units behind damage, and resync.go entries. scopes.go begins with variables, types.go with types,
// expr.go with locations; work.go bounds the work.
//
// Specification: https://dwarfstd.org/doc/DWARF5.pdf, with sections named in
// the code; GNU's extensions: https://gcc.gnu.org/wiki/DebugFission and
// https://sourceware.org/dwz.
package dwarf
