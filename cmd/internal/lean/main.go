// lean IN OUT removes from a Go program for WebAssembly what only tracebacks use, and writes its data in few segments.
//
// The program runs as before. Tracebacks keep the functions' names and offsets, and lose files, lines, arguments and inlined calls. What is
// removed is zeroed or no longer pointed to, so no table moves: the tables of files and lines of each function, the names of files, what
// is printed of arguments, and the points where a goroutine may not be preempted, which no program for js/wasm is. What stays of the
// table of functions is written anew, so that it compresses well. Go's linker begins a new segment wherever eight bytes are
// zero, up to 100,000 of them; their headers compress badly, and zeros compress well.
//
// The layout is that of Go 1.26 (moduledata and _func of package runtime, pclntab of cmd/link): another one is an error.
//
// Read module.go first, which has the program's parts, then table.go, which finds the table of functions, and functions.go, which writes it anew.
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

// lean returns the program without what only tracebacks use.
func lean(program []byte) ([]byte, error) {
	m, err := readModule(program)
	if err != nil {
		return nil, err
	}
	t, err := findTable(m.memory)
	if err != nil {
		return nil, err
	}
	if err := t.shorten(); err != nil {
		return nil, err
	}
	t.coarsen()
	return m.bytes(), nil
}
