package macho

import "crashglass/symbols/formats/gopclntab"

// openGo opens Go's table of functions, nil if there is none.
func (f *File) openGo() *gopclntab.Table {
	s := f.find("__gopclntab")
	if s == nil {
		return nil
	}
	t, err := gopclntab.Open(f.section(s.name), gopclntab.Options{Arch: f.arch(), Addr: s.addr, Base: f.base, Image: goImage{f}})
	if err != nil {
		f.note("macho: %v", err)
	}
	return t
}

// A goImage is the file as package gopclntab reads it.
type goImage struct{ *File }

// Initial implements gopclntab.Image: what the table refers to is constant.
func (f goImage) Initial(addr uint64, p []byte) int { return f.ReadImage(addr-f.base, p) }

// Words of a program that can be moved are chained fixups, if Apple's linker has made it: the lower bits are the address, or its distance from the base.
//
// Source: <mach-o/fixup-chains.h>, dyld_chained_ptr_64_rebase.
const (
	chainedTarget = 1<<36 - 1
	chainedBind   = 1 << 63
)

// Pointers implements gopclntab.Image.
func (f goImage) Pointers(add func(at, value uint64) bool) {
	for _, s := range f.segs {
		if s.initial&protWrite == 0 {
			continue
		}
		if !gopclntab.EachWord(f.source("segment "+s.name, s.file), f.h.order, f.h.wordSize(), s.addr, func(at, value uint64) bool {
			if target := value & chainedTarget; value > chainedTarget && value < chainedBind {
				if value = target; target < f.base {
					value += f.base
				}
			}
			return add(at, value)
		}) {
			return
		}
	}
}
