package macho

import "crashglass/core/stack/symbolize"

var _ symbolize.Image = (*File)(nil)

// ReadImage copies the bytes at rel of segments that the program cannot write
// to. A dSYM has none, and of code that is encrypted in the file none is given.
func (f *File) ReadImage(rel uint64, p []byte) (n int) {
	if !f.hasCode() {
		return 0
	}
	for n < len(p) {
		off, size := f.constant(f.base + rel + uint64(n))
		if size == 0 {
			break
		}
		part := p[n:]
		if uint64(len(part)) > size {
			part = part[:size]
		}
		got, _ := f.src.ReadAt(part, f.at+int64(off))
		n += max(got, 0)
		if got < len(part) {
			break
		}
	}
	return n
}

// hasCode reports whether the file has the code of the program. A dSYM has its section headers alone.
func (f *File) hasCode() bool { return f.h.kind != typeDSYM }

// constant finds an address in the file, and how much of its segment follows.
func (f *File) constant(addr uint64) (off, size uint64) {
	for _, s := range f.segs {
		if s.initial&protWrite != 0 || addr < s.addr || addr-s.addr >= min(s.size, s.file.size) {
			continue
		}
		off, size = s.file.off+(addr-s.addr), min(s.size, s.file.size)-(addr-s.addr)
		if off < s.file.off || off >= uint64(f.size) {
			return 0, 0
		}
		size = min(size, uint64(f.size)-off)
		if e := f.encrypted; e.size > 0 && off+size > e.off && off-e.off < e.size {
			return 0, 0
		} else if e.size > 0 && off < e.off {
			size = min(size, e.off-off)
		}
		return off, size
	}
	return 0, 0
}

// code reads up to n bytes of code at rel; fewer where there are no more.
func (f *File) code(rel uint64, n int) []byte {
	buf := make([]byte, n)
	return buf[:f.ReadImage(rel, buf)]
}

// HasNames implements unwind.Rules: symbol tables name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a file that has the beginning of the image
// has its code.
func (f *File) HasCode() bool { return f.ReadImage(0, make([]byte, 1)) > 0 }
