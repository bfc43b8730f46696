package main

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// isTerminal reports whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	if _, ok := w.(*console); ok {
		return true
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// speaksANSI reports whether a terminal knows colours. Those of Windows say so
// in the environment, each in its own way.
func speaksANSI() bool {
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != "" || os.Getenv("ANSICON") != ""
}

// columns is how wide the terminal of w is, or 0 where there is none: what is
// read by another program is not wrapped.
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
