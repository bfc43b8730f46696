package main

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal, also behind a console.
func isTerminal(w io.Writer) bool {
	if _, ok := w.(*console); ok {
		return true
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// speaksANSI reports whether a terminal supports colours. Each terminal of Windows has its own
// environment variable for that.
func speaksANSI() bool {
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != "" || os.Getenv("ANSICON") != ""
}

// columns returns the width of the terminal w in characters, or 0 if w is no terminal: output for
// another program is not wrapped.
func columns(w io.Writer) int {
	file, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
