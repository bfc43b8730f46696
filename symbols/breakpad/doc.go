// Package breakpad reads and writes Breakpad symbol files: the text that
// dump_syms makes out of debug information.
//
// Opening a file scans it once, at about the speed of memory, and keeps where
// each record is and which addresses it is about: some 4 % of the file's size.
// What a record says (names, source lines, inlined calls, unwinding rules) is
// read again and parsed when an address asks for it.
//
//	f, err := breakpad.Open(src, breakpad.Options{})
//	if err != nil {
//		return err // the file could not be read, or the caller cancelled
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the module's base
//
// With [Options.Ask] nothing is scanned at first. A search reads the pages in
// which a record must be if the file is in order, as writers leave it, and
// answers what it is certain of: that a record covers the address, and has all
// that belongs to it. It never says that there is none. It looks at every run of
// ascending addresses that 32 probes show, from a lower record to a higher one,
// and at nothing that is out of order. It cannot see a single record that is far
// from its place and about the same address; the scan, when there is one,
// compares the answers and notes the difference.
//
// No content makes Open fail. A record that is malformed costs itself and a
// [Note]; records in any order, overlapping, doubled, or with lying sizes give
// the answers that are described at [File.Locate]. Memory is bounded by the
// number of records, never by a number that a record states, and time is
// linear in the size of the file.
//
// Nothing here evaluates an unwinding rule, and nothing demangles a name.
//
// Read kind.go and fields.go first, which tell records apart, then scan.go and
// index.go, which find them; function.go, lines.go, inline.go, cfi.go and
// win.go parse one record each for locate.go. ask.go begins the search that
// needs no index, parts.go the scan by several, saved.go what is kept of an
// index, and write.go the way back.
//
// Format: Breakpad's docs/symbol_files.md. It leaves open what overlapping
// records mean; what Breakpad's basic_source_line_resolver.cc and
// rust-minidump's breakpad-symbols do with them is noted where we decide.
package breakpad
