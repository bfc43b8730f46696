// Package breakpaddump writes a minidump as Breakpad's minidump_dump prints it:
// the same sections, names and widths, so that scripts which search that text
// find what they look for.
//
// Source: Breakpad's src/processor/minidump_dump.cc, minidump.cc (the Print
// methods) and dump_context.cc.
//
// Read printer.go first, then head.go; each other file writes the streams that
// it is called after.
package breakpaddump

import (
	"io"

	"crashglass/core/minidump"
)

// Options say how memory is shown. The zero value is one line of digits for
// each range, as without -x.
type Options struct {
	Rows bool // rows of 16 bytes with their text, as with -x
}

// Write writes a dump. What cannot be read is left out, as the original leaves
// it out.
func Write(w io.Writer, f *minidump.File, opt Options) error {
	p := newPrinter(w, f, opt)
	for _, section := range []func(*printer){
		header, directory, streams, threads, threadNames, modules, memoryList,
		exception, assertion, systemInfo, miscInfo, breakpadInfo, memoryInfo, crashpad, texts,
	} {
		section(p)
	}
	return p.end()
}
