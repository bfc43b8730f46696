package formats

import (
	"io"
	"strings"

	"crashglass/symbols/breakpad"
)

// A Content is what Write writes.
type Content = breakpad.Content

// Write writes a symbol file: see [breakpad.Write].
func Write(w io.Writer, c Content) error { return breakpad.Write(w, c) }

// archWords are dump_syms' words for CPUs in MODULE records, where package cpu has others.
var archWords = map[string]string{"amd64": "x86_64"}

// A Header has the fields of the MODULE and INFO records of a symbol file.
type Header = breakpad.Module

// Header returns the MODULE record of a build. Only the records of Windows have the library's name.
func (f Format) Header(b Build) Header {
	m := Header{OS: f.System, Arch: b.Arch, ID: b.ID, Name: b.Name, CodeID: strings.ToUpper(b.CodeID)}
	if word, ok := archWords[m.Arch]; ok {
		m.Arch = word
	}
	if m.OS == "windows" {
		m.CodeFile = b.CodeFile
	}
	return m
}
