// lean IN OUT removes from a Go program for WebAssembly what only the lines of a traceback use, and writes its data in few segments.
//
// The program runs as before. Tracebacks keep the functions' names and offsets, and lose files and lines. What is removed is zeroed
// or no longer pointed to, so no address changes: the tables of files and lines of each function, the names of files, and the points
// where a goroutine may not be preempted, which no program for js/wasm is. Go's linker begins a new segment wherever eight bytes are
// zero, up to 100,000 of them; their headers compress badly, and zeros compress well.
//
// The layout is that of Go 1.20 and later (runtime/symtab.go, runtime/runtime2.go and cmd/link/internal/ld/pcln.go): another one is an error.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: lean IN OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "lean:", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	program, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	if program, err = lean(program); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, program, 0o644)
}

// lean returns the program without what only lines of tracebacks use.
func lean(program []byte) ([]byte, error) {
	m, err := readModule(program)
	if err != nil {
		return nil, err
	}
	t, err := findTable(m.memory)
	if err != nil {
		return nil, err
	}
	if err := t.dropLines(); err != nil {
		return nil, err
	}
	return m.bytes(), nil
}
