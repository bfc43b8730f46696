package symbolize

import (
	"testing"

	"crashglass/core/process"
)

// A name is certain where its extent, the size of its symbol or the unwind rules that begin with it
// cover the address. It is none behind the end of its symbol.
func TestCertainty(t *testing.T) {
	const start = 0x1000
	function, bare := Location{Function: "f", Start: start, Size: 0x40}, Location{Function: "f", Start: start, Public: true}
	sized := bare
	sized.Stated = 0x36
	own, other, before := &Extent{start, 0x80}, &Extent{start + 0x40, 0x80}, &Extent{start - 0x100, 0x1000}
	for _, tt := range []struct {
		name  string
		loc   Location
		rel   uint64
		rules *Extent
		want  Certainty
	}{
		{"in a function", function, start + 0x3f, nil, Inside},
		{"in a function that has rules of its own in the middle", function, start + 0x3f, other, Inside},
		{"in a function in several parts", function, start + 1<<20, nil, Inside},
		{"in the size of a symbol", sized, start + 0x35, nil, Inside},
		{"at the end of a symbol", sized, start + 0x36, nil, Beyond},
		{"behind a symbol whose rules are longer than it", sized, start + 0x36, own, Beyond},
		{"pthread_key_delete + 0x14c", sized, start + 0x14c, other, Beyond},
		{"in the rules that begin with the symbol", bare, start + 0x7f, own, Covered},
		{"far behind, in the rules that begin with the symbol", bare, start + reach + 1, &Extent{start, 2 * reach}, Covered},
		{"in rules that begin behind the symbol", bare, start + 0x41, other, Nearest},
		{"in rules that begin before the symbol", bare, start + 0x41, before, Nearest},
		{"without rules", bare, start + 0x41, nil, Nearest},
		{"at the symbol, without rules", bare, start, nil, Covered},
		{"64 KiB behind", bare, start + reach, nil, Nearest},
		{"one more", bare, start + reach + 1, nil, Beyond},
		{"without a name", Location{Start: start}, start, own, Unnamed},
		{"a section", Location{Function: ".text"}, 0, nil, Beyond},
		{"a section as dump_syms names it", Location{Function: "<.plt ELF section in driver>", Public: true}, 0, nil, Beyond},
		{"a section without a dot", Location{Function: "<__libc_freeres_fn ELF section in libc.so.6>", Public: true}, 0, nil, Beyond},
		{"the stubs of a MIPS library", Location{Function: "_MIPS_STUBS_", Public: true}, 0x20, nil, Beyond},
		{"a method that begins like a section", Location{Function: "<T as Trait>::f"}, 0, nil, Inside},
		{"a section by its parts", Location{Function: ".text.unlikely", Public: true}, 0, nil, Beyond},
		{"a group of PE sections", Location{Function: ".text$mn", Public: true}, 0, nil, Beyond},
		{"a parallel region, as clang named it before 17", Location{Function: ".omp_outlined."}, 0, nil, Inside},
		{"the same without debug information", Location{Function: ".omp_outlined._debug__", Public: true, Stated: 8}, 7, nil, Inside},
		{"the entry of a function on 64-bit PowerPC", Location{Function: ".main", Public: true}, 4, nil, Nearest},
		{"a program's own _init", Location{Function: "_init"}, 0, nil, Inside},
		{"the same without debug information", Location{Function: "_init", Public: true, Stated: 8}, 7, nil, Inside},
		{"the _init of the C runtime", Location{Function: "_init", Public: true}, 0x40, nil, Beyond},
		{"the file", Location{Function: "_mh_execute_header", Public: true}, 0, nil, Beyond},
	} {
		if got := tt.loc.Certainty(tt.rel, Setting{Rules: tt.rules}); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Names are used up to Beyond, and are proved by what covers the address.
func TestCertainAndNamed(t *testing.T) {
	for c, want := range map[Certainty]struct{ certain, named bool }{
		Unnamed: {}, Inside: {certain: true, named: true}, Covered: {certain: true, named: true}, Nearest: {named: true}, Beyond: {}, Forced: {named: true},
	} {
		if c.Certain() != want.certain || c.Named() != want.named {
			t.Errorf("%d: %t, %t", c, c.Certain(), c.Named())
		}
	}
}

// A stub of a system call of Windows is covered by the size of all stubs. Forced symbols prove nothing, and disprove as others do.
func TestCertaintyInSettings(t *testing.T) {
	stub := Location{Function: "NtWaitForSingleObject", Start: 0x1000, Public: true}
	for _, tt := range []struct {
		name string
		loc  Location
		rel  uint64
		in   Setting
		want Certainty
	}{
		{"in a stub", stub, 0x1014, Setting{OS: process.Windows}, Covered},
		{"behind a stub", stub, 0x1020, Setting{OS: process.Windows}, Nearest},
		{"on another system", stub, 0x1014, Setting{OS: process.Linux}, Nearest},
		{"a function of a class", Location{Function: "Nt::f", Start: 0x1000, Public: true}, 0x1014, Setting{OS: process.Windows}, Nearest},
		{"forced", stub, 0x1014, Setting{OS: process.Windows, Wrong: true}, Forced},
		{"forced, behind the end", Location{Function: "f", Start: 0x1000, Public: true, Stated: 8}, 0x1014, Setting{Wrong: true}, Beyond},
		{"forced, without a name", Location{}, 0x1014, Setting{Wrong: true}, Unnamed},
	} {
		if got := tt.loc.Certainty(tt.rel, tt.in); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
