// Package elf reads ELF files: programs, shared libraries, and their separate debug files.
//
//	f, err := elf.Open(src, elf.Options{})
//	if err != nil {
//		return err // not ELF, or no header that could be read
//	}
//	f.Module().DebugID // as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//
// Opening a file reads its headers and its build id. Everything else is read on demand, so a file
// of hundreds of megabytes opens at once. Damage costs only the damaged part: a section that
// reaches beyond the file counts as absent, and a note says so.
//
// Names come from DWARF (package dwarf) if there is any, then from Go's table (package gopclntab), and
// otherwise from the linker's symbol tables. Stubs for calls of other modules are named by their
// relocations ("malloc@plt"). Unwind rules of Go's functions come from Go's table, those of others from
// .eh_frame, .debug_frame and .ARM.exidx.
//
// Addresses are relative to the module's base: the page of the lowest segment that is loaded.
// Relocatable files (.o) have no base and are refused.
//
// Read file.go first, then header.go, segment.go and section.go; symbol.go and plt.go read names,
// file.go, frames.go and gotable.go open packages dwarf, cfi and gopclntab, locate.go queries them in
// turn, and attach.go joins files.
//
// Layouts: System V ABI, chapters 4 and 5, https://gabi.xinuos.com, which elf(5) repeats. This
// package does not relocate, does not load, and does not look for other files: Attach joins the
// given ones.
package elf
