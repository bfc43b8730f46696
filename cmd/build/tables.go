package main

import (
	"os"
	"path/filepath"
	"strings"
)

// The disassembler of PowerPC has a table of 1,300 instructions, and before it two errors that a call makes. Once a call has run, Go's compiler
// (cmd/compile/internal/staticinit, seenMutation) fills a table by code, here of 490 KB. With constants for errors the table is data.
const (
	disassemblers = "golang.org/x/arch"
	ofPowerPC     = "ppc64/ppc64asm/decode.go"
	calledErrors  = "= fmt.Errorf("
	constants     = "\ntype constant string\n\nfunc (c constant) Error() string { return string(c) }\n\nvar _ = fmt.Errorf\n"
)

// tablesAsData copies the disassemblers to build/, changes the errors there, and returns the module file that names the copy.
func tablesAsData() string {
	const folder, file, checksums = "build/arch", "build/wasm.mod", "build/wasm.sum"
	run("go", "mod", "download", disassemblers)
	must(os.RemoveAll(folder))
	must(os.CopyFS(folder, os.DirFS(output("go", "list", "-m", "-f", "{{.Dir}}", disassemblers))))
	text, ok := withConstants(string(get(os.ReadFile(filepath.Join(folder, ofPowerPC)))))
	need(ok, "%s has no error that a call makes; a copy is no longer needed", ofPowerPC)
	write(filepath.Join(folder, ofPowerPC), []byte(text), 0o644)
	copyFile("go.mod", file, 0o644)
	copyFile("go.sum", checksums, 0o644)
	run("go", "mod", "edit", "-replace", disassemblers+"=./"+folder, file)
	return file
}

// withConstants makes the errors of a file constants, and reports whether it had any that a call makes.
func withConstants(text string) (string, bool) {
	return strings.ReplaceAll(text, calledErrors, "error = constant(") + constants, strings.Contains(text, calledErrors)
}
