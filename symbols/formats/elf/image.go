package elf

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/stack/symbolize"
)

// ReadImage copies the bytes at rel of segments that the program cannot write
// to. A file of debug information has the headers of its program's segments
// without their bytes, and returns none.
func (f *File) ReadImage(rel uint64, p []byte) (n int) {
	if f.isDebugOnly() {
		return 0
	}
	return f.src.CopyParts(p, func(n uint64) (int64, uint64) { return f.loaded(f.base+rel+n, false) })
}

// ReadLoaded implements symbolize.Image. Code of ELF files that a loader changes is in none of CodeParts.
func (f *File) ReadLoaded(_, rel uint64, p []byte) int { return f.ReadImage(rel, p) }

// loaded finds an address in the file, and how much of its segment follows. Segments that the program writes to are not searched
// unless writable is set.
func (f *File) loaded(addr uint64, writable bool) (off int64, size uint64) {
	for _, s := range f.segs {
		if s.kind != segLoad || s.flags&segWritable != 0 && !writable || addr < s.addr || addr-s.addr >= s.size {
			continue
		}
		at := s.off + (addr - s.addr)
		if at >= s.off && f.src.Has(int64(at), 1) {
			return int64(at), min(s.size-(addr-s.addr), uint64(f.src.Size())-at)
		}
	}
	return 0, 0
}

// changers are the sections of files whose code changes where it runs: the alternatives of the kernel and the vDSO
// (Documentation/arch/x86/features), and the sleds of XRay (compiler-rt/lib/xray/xray_powerpc64.cpp and others).
var changers = []string{".altinstructions", "xray_instr_map"}

// stubsOfGL is the section of GL dispatchers that they write their jumps into. It does not have the flag for that.
//
// Source: libglvnd, src/GLdispatch/vnd-glapi/entry_x86-64.c; Mesa, src/mapi/entry_x86-64_tls.h.
const stubsOfGL = "wtext"

// CodeParts implements symbolize.Image by the sections of code. The headers are no part of them: strip changes these.
func (f *File) CodeParts() (out []symbolize.Range) {
	if f.isDebugOnly() || f.textRelocs || slices.ContainsFunc(changers, func(name string) bool { return f.section(name) != nil }) {
		return nil
	}
	for i := range f.sects {
		s := &f.sects[i]
		if s.executable() && s.flags&secWritable == 0 && s.kind != secNothing && s.addr >= f.base && strings.TrimPrefix(s.name, ".") != stubsOfGL {
			out = append(out, symbolize.Range{Start: s.addr - f.base, Size: s.size})
		}
	}
	return out
}

// isDebugOnly reports whether the code was left out (objcopy
// --only-keep-debug): the sections that are loaded have no bytes.
func (f *File) isDebugOnly() bool {
	i := slices.IndexFunc(f.sects, func(s section) bool { return s.executable() && s.size > 0 })
	return i >= 0 && f.sects[i].kind == secNothing
}

// sectionAt is the executable section of an address of the module.
func (f *File) sectionAt(rel uint64) *section {
	for i := range f.sects {
		if s := &f.sects[i]; s.executable() && cmp.Compare(f.base+rel, s.addr) >= 0 && f.base+rel-s.addr < s.size {
			return s
		}
	}
	return nil
}

// HasNames implements unwind.Rules: symbol tables name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a file that has the beginning of the image
// has its code.
func (f *File) HasCode() bool { return f.ReadImage(0, make([]byte, 1)) > 0 }
