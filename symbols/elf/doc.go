// Package elf reads ELF files: programs, shared libraries, and the files that
// hold their debug information apart.
//
//	f, err := elf.Open(src, elf.Options{})
//	if err != nil {
//		return err // not ELF, or no header that could be read
//	}
//	f.Module().DebugID // as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//
// Opening a file reads its headers and its build id. Everything else is read
// when it is asked for, so a file of hundreds of megabytes opens at once. What
// is damaged costs itself: a section that reaches beyond the file is as good
// as absent, and a note says so.
//
// Names come from DWARF where there is some (package dwarf), and from the
// tables of the linker where there is not; code that calls of other modules go
// through is named by its relocations ("malloc@plt"). Rules for unwinding come
// from .eh_frame, .debug_frame and .ARM.exidx.
//
// Addresses are relative to the module's base: the page of the lowest segment
// that is loaded. Relocatable files (.o) have no such thing and are refused.
//
// Read file.go first, then header.go, segment.go and section.go; symbol.go and
// plt.go have names, debuginfo.go and frames.go open package dwarf and package
// cfi, locate.go asks them in turn, and attach.go joins files.
//
// Layouts: System V ABI, chapters 4 and 5, https://gabi.xinuos.com, which
// elf(5) repeats. This package does not relocate, does not load, and does not
// look for other files: Attach joins those that it is given.
package elf
