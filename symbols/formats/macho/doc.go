// Package macho reads Mach-O files: programs, libraries and bundles of macOS and iOS, and the debug
// file in a .dSYM bundle.
//
//	files, err := macho.OpenAll(src, macho.Options{}) // one for each CPU
//	f := files[0]
//	f.Module().DebugID // the UUID as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//	f.CallFrame(rel)   // from __unwind_info, __eh_frame and the code itself
//
// A program and its dSYM are two files with different information. Package symbols uses both. Without a dSYM, the DWARF is
// in the object files, which Attach joins by the program's debug map (debugmap.go).
//
// Opening a file reads its load commands. Everything else is read on demand. Damage costs only the
// damaged part: a section that reaches beyond the file counts as absent, a contradictory page of
// __unwind_info has no rules, and a note says so.
//
// Compact unwinding (__unwind_info) describes a function's body, but not its prolog and epilog. If
// the code is available, it is decoded for these: which registers are pushed so far, which are
// still to be popped. A return address may be signed (arm64e); rules return it as it is on the
// stack, and the walk removes the signature.
//
// Addresses are relative to the __TEXT segment. Names of C and C++ lose the
// underscore that Mach-O has in front of them, as DWARF and dump_syms spell
// them. Core files and object files without DWARF are refused.
//
// Read file.go first, then header.go and commands.go; symbols.go, exports.go and symbolmap.go read names,
// debuginfo.go opens package dwarf, locate.go queries them, and compact.go with intel.go and arm.go makes rules from compact unwinding.
//
// Layouts: Apple's mach-o/loader.h, mach-o/fat.h, mach-o/nlist.h and
// mach-o/compact_unwind_encoding.h. This package does not bind, rebase or
// look for other files, and does not read dyld's shared cache.
package macho
