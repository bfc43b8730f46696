// Package macho reads Mach-O files: programs, libraries and bundles of macOS
// and iOS, and the companion file in a .dSYM bundle that has their debug
// information.
//
//	files, err := macho.OpenAll(src, macho.Options{}) // one for each CPU
//	f := files[0]
//	f.Module().DebugID // the UUID as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//	f.CallFrame(rel)   // from __unwind_info, __eh_frame and the code itself
//
// A program and its dSYM are two files that know different things. Package
// symbols asks both.
//
// Opening a file reads its load commands. Everything else is read when it is
// asked for. What is damaged costs itself: a section that reaches beyond the
// file is as good as absent, a page of __unwind_info that contradicts itself
// has no rules, and a note says so.
//
// Compact unwinding (__unwind_info) says how a function's body is unwound, and
// nothing of its first and last instructions. Where the code is at hand, these
// are looked at: what has been pushed so far, what is still to be popped. A
// return address may be signed (arm64e); rules give it as it is on the stack,
// and whoever walks removes the signature.
//
// Addresses are relative to the __TEXT segment. Names of C and C++ lose the
// underscore that Mach-O has in front of them, as DWARF and dump_syms spell
// them. Object files and core files are refused.
//
// Read file.go first, then fat.go, header.go and commands.go; symbols.go,
// exports.go, starts.go and symbolmap.go have names, debuginfo.go opens
// package dwarf, locate.go asks them, and compact.go with intel.go and arm.go
// makes rules of compact unwinding.
//
// Layouts: Apple's mach-o/loader.h, mach-o/fat.h, mach-o/nlist.h and
// mach-o/compact_unwind_encoding.h. This package does not bind, rebase or
// look for other files, and does not read dyld's shared cache.
package macho
