// Command build is for this repository alone: it makes what is built from the source.
//
//	go run ./cmd/build embed    the page in dist/, in the form that the program has inside
package main

import (
	"fmt"
	"os"

	"crashglass/cmd/internal/page"
)

func main() {
	if len(os.Args) != 2 || os.Args[1] != "embed" {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/build embed")
		os.Exit(2)
	}
	if err := page.Store(os.DirFS("dist"), "cmd/crashglass/page"); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}
