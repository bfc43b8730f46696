// Package gopclntab reads the table of functions that every Go program has, because its runtime needs
// it: names, files, lines, inlined calls and the size of the stack frame at every instruction. Stripped
// programs have it, too.
//
//	t, err := gopclntab.Open(data, gopclntab.Options{Arch: "amd64", Addr: 0x4b4208, Base: 0x400000})
//	t.Locate(rel)    // function, file, line and inlined calls
//	t.CallFrame(rel) // unwind rules
//
// The table is read in pages. A lookup bisects the list of functions and decodes the tables of one
// function, so a large program costs no more than a small one. Damaged records are left out; a
// [bin.Budget] bounds the work of all lookups.
//
// The layouts are those of Go 1.2, 1.16, 1.18 and 1.20. Sources: Go, src/runtime (pcHeader, moduledata,
// pcvalue, _func, inlinedCall), src/internal/abi (magic numbers and flags), src/cmd/link/internal/ld
// (pclntab), and the same of older releases. In Go 1.26 the start of the text is no longer in the table,
// but in moduledata.
//
// Read this file first, then table.go and function.go; value.go decodes tables, locate.go, rules.go and
// list.go use them, moduledata.go finds what the table refers to.
package gopclntab
