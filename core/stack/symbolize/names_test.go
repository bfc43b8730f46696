package symbolize

import "testing"

// Names that sections and files have in the symbol tables of linkers, and names
// of functions that look alike.
func TestNotFunctions(t *testing.T) {
	for name, far := range map[string]bool{
		// GNU ld's and lld's: "ld --verbose".
		"__executable_start": true, "_etext": true, "__etext": true, "__bss_start": true, "_end": true, "__dso_handle": true,
		"_init": true, "_fini": true,
		// Apple's ld: mach-o/ldsyms.h.
		"_mh_execute_header": true, "__mh_execute_header": true, "_mh_dylib_header": true, "__mh_dylib_header": true,
		// Microsoft's link.
		"__ImageBase": true,
		// Sections, also as dump_syms names them.
		".init": true, ".plt": true, "<.text ELF section in libc.so.6>": true,

		"main": false, "_start": false, "_initialize": false, "init": false, "_end_of_line": false, "etext": false,
		"<alloc::vec::Vec<T> as Drop>::drop": false, "<lambda_1>::operator()": false,
		"operator<": false, "": false,
	} {
		l := Location{Function: name, Public: true, Start: 0x1000}
		if got := l.Certainty(0x1000, Setting{}) == Beyond; got != far {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// A linker symbol is believed up to 64 KiB behind it, in whichever part of a
// module it lies. A function's end is known to its reader.
func TestFarAtTheBounds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		public bool
		start  uint64
		rel    uint64
		want   bool
	}{
		{name: "at its start", public: true, start: 0x1000, rel: 0x1000},
		{name: "64 KiB behind", public: true, start: 0x1000, rel: 0x1_1000},
		{name: "one more", public: true, start: 0x1000, rel: 0x1_1001, want: true},
		{name: "at the end of memory", public: true, start: ^uint64(0) - 0x10, rel: ^uint64(0)},
		{name: "the whole of memory behind", public: true, start: 0, rel: ^uint64(0), want: true},
		{name: "a function, as far away", start: 0, rel: ^uint64(0)},
	} {
		l := Location{Function: "f", Public: tt.public, Start: tt.start}
		if got := l.Certainty(tt.rel, Setting{}) == Beyond; got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// A symbol that is no function does not count, with or without a size.
func TestFarWithASize(t *testing.T) {
	l := Location{Function: "_end", Start: 0x1000, Size: 0x10}
	if l.Certainty(0x1008, Setting{}) != Beyond {
		t.Error("_end is a function")
	}
}
