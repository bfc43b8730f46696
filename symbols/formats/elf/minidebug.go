package elf

import (
	"bytes"
	"io"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
)

// maxMiniDebug bounds the file inside .gnu_debugdata, which has no more than a
// table of symbols.
const maxMiniDebug = 64 << 20

// miniDebug opens the file inside .gnu_debugdata: symbols of a stripped
// program, compressed with xz. nil when there is none.
//
// Source: https://sourceware.org/gdb/current/onlinedocs/gdb.html/MiniDebugInfo.html
func (f *File) miniDebug() *File {
	s := f.find(".gnu_debugdata")
	if s == nil {
		return nil
	}
	raw := f.raw(s)
	r, err := decompress.Xz(io.NewSectionReader(raw, 0, raw.Size()))
	if err == nil {
		var out bytes.Buffer
		if _, err = io.Copy(&out, io.LimitReader(r, maxMiniDebug)); err == nil {
			var mini *File
			src := bin.NewSource(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if mini, err = Open(src, Options{}); err == nil {
				return mini
			}
		}
	}
	f.note("elf: section .gnu_debugdata at %#x: %v", s.off, err)
	return nil
}
