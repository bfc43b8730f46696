package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// columns is how wide the terminal of w is, or 0 where there is none: what is
// read by another program is not wrapped.
func columns(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}
