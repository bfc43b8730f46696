package formats

import (
	"io"
	"strings"

	"crashglass/core/process"
	"crashglass/symbols/formats/breakpad"
)

// A Content is what Write writes.
type Content = breakpad.Content

// Write writes a symbol file: see [breakpad.Write].
func Write(w io.Writer, c Content) error { return breakpad.Write(w, c) }

// A Header has the fields of the MODULE and INFO records of a symbol file.
type Header = breakpad.Module

// Header returns the MODULE record of a build. Only the records of Windows have the library's name.
func (f Format) Header(b Build) Header {
	m := Header{OS: f.System, Arch: breakpad.ArchWord(b.Arch), ID: b.ID, Name: b.Name, CodeID: strings.ToUpper(b.CodeID)}
	if process.OS(m.OS).IsWindows() {
		m.CodeFile = b.CodeFile
	}
	return m
}
