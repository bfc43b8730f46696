// Package breakpad reads and writes Breakpad symbol files: the text that dump_syms makes from debug
// information.
//
// Opening a file scans it once, at about the speed of memory, and keeps the offset and the address
// range of each record: about 4 % of the file's size. The content of a record (names, source lines,
// inlined calls, unwind rules) is read and parsed when a lookup needs it.
//
//	f, err := breakpad.Open(src, breakpad.Options{})
//	if err != nil {
//		return err // the file could not be read, or the caller cancelled
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the module's base
//
// With [Options.Search] the file is not scanned at first. A search reads the pages that must contain a
// record if the file is sorted, as writers leave it. It answers only when it is certain: a record
// covers the address, and its body is complete. It never answers that there is no record. The
// search covers every run of ascending addresses that 32 probes show. It does not see a single
// misplaced record for the same address; a later scan compares the answers and notes the
// difference.
//
// No content makes Open fail. A malformed record is skipped and causes a [Note]. Records in any
// order, overlapping, duplicated, or with wrong sizes give the answers that [File.Locate]
// describes. Memory is bounded by the number of records, never by a number that a record states,
// and time is linear in the size of the file.
//
// The package evaluates no unwind rules and demangles no names.
//
// Read fields.go first, which identifies records, then scan.go and index.go, which find
// them. function.go, body.go and cfi.go parse records for locate.go and rules.go. search.go and block.go are the search without an index, parts.go the parallel scan, saved.go the
// saved index, and write.go writes symbol files.
//
// Format: Breakpad's docs/symbol_files.md. It does not define overlapping records. Comments at each
// decision say what Breakpad's basic_source_line_resolver.cc and rust-minidump's breakpad-symbols
// do.
package breakpad
