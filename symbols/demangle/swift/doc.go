// Package swift demangles the names of Swift's functions: those of Swift 5 and
// later ($s), 4.2 ($S), 4 (_T0) and embedded Swift ($e).
//
//	text, err := swift.Name("$s4main3FooV3bar1xySi_tF") // "Foo.bar(x: Int)"
//
// The text is the one that dump_syms writes and a stack needs: enclosing types, the function's
// name, labels and types of parameters. Modules, results, where clauses and the details of
// specializations are omitted.
//
// A mangled name is a program for a stack machine: operands come first, and an operator takes them
// off the stack and puts a node on it. So the parser is a loop over operators (parser.go), most of
// which tables describe (operators.go). The last node is printed (print.go).
//
// Substitutions share nodes, so a short name may have an enormous text. Nodes, words, nesting and
// text have limits; a name beyond them is an error.
//
// Source: Swift's docs/ABI/Mangling.rst and lib/Demangling.
//
// Read parser.go first, then operators.go, which makes nodes (node.go); print.go, printentity.go and printtypes.go write them. The
// other files are groups of operators.
package swift
