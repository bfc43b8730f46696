// Package breakpaddump writes a minidump as Breakpad's minidump_dump prints it. Sections, names and
// widths are the same, so that scripts which parse that text keep working. A part that is damaged
// is left out, as the original leaves it out, and the size of the output is bounded by the size of
// the dump. It decodes nothing by itself: package minidump reads the streams, and crashglass dump
// explains defects.
//
// Source: Breakpad's src/processor/minidump_dump.cc, minidump.cc (the Print
// methods) and dump_context.cc.
//
// Read printer.go first, then head.go. Each other file writes the streams that its name says.
package breakpaddump

import (
	"io"

	"crashglass/core/minidump"
)

// Options select how memory is shown. The zero value is one line of digits for each range, as
// without -x.
type Options struct {
	Rows bool // rows of 16 bytes with their text, as with -x
}

// Write writes a dump. Streams that cannot be read are left out, as the original leaves them out.
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
