package symbols

import (
	"fmt"
	"testing"

	"crashglass/core/stack/symbolize"
)

// TestClones names copies and parts of functions as c++filt does. A name of C is left as it is, for a
// .sym has it so.
func TestClones(t *testing.T) {
	for _, tt := range []struct{ file, function, linkage, clone string }{
		{"_Z1fv.constprop.0.cold", "f() [clone .constprop.0] [clone .cold]", "_Z1fv.constprop.0.cold", ".constprop.0.cold"},
		{"_Z1fv.resume", "f() [clone .resume]", "_Z1fv.resume", ""},
		{"_Z1fv.llvm.123", "f() [clone .llvm.123]", "_Z1fv.llvm.123", ""},
		{"_Z1fv.cold@plt", "f() [clone .cold]@plt", "_Z1fv.cold@plt", ""},
		{"_RNvC6_123foo3bar.llvm.1234", "123foo::bar", "_RNvC6_123foo3bar.llvm.1234", ""},
		{"_f@12.cold", "f.cold", "_f@12.cold", ".cold"},
		{"main.part", "main.part", "", ""},
		{"_Z1fv", "f()", "_Z1fv", ""},
		{"f.part.0", "f.part.0", "", ".part.0"},
		{"f", "f", "", ""},
		{"f.0", "f.0", "", ""},
	} {
		loc := newNamer(0).spell(fileOf("", &part{}).reader, symbolize.Location{Function: tt.file})
		if got, want := fmt.Sprint(loc.Function, ", ", loc.Linkage, ", ", loc.Clone), tt.function+", "+tt.linkage+", "+tt.clone; got != want || loc.Readable != "" {
			t.Errorf("%s: %s, want %s", tt.file, got, want)
		}
	}
	for _, tt := range []struct{ function, linker, want, linkage, clone string }{
		{"_Z1fv", "_Z1fv.isra.0", "f() [clone .isra.0]", "_Z1fv.isra.0", ".isra.0"}, // DWARF and the symbol table
		{"_Z1fv", "_Z1fv.resume", "f() [clone .resume]", "_Z1fv.resume", ""},
		{"f", "f.part.0", "f", "f.part.0", ".part.0"},
		{"_ZN3foo3bar17h0123456789abcdefE", "_ZN3foo3bar17h0123456789abcdefE.cold", "foo::bar", "_ZN3foo3bar17h0123456789abcdefE.cold", ".cold"},
		{"f", "?f@@YAXXZ", "f", "?f@@YAXXZ", ""}, // a PDB
	} {
		loc := newNamer(0).spell(fileOf("", &part{}).reader, symbolize.Location{Function: tt.function, Linkage: tt.linker})
		if loc.Function != tt.want || loc.Linkage != tt.linkage || loc.Clone != tt.clone {
			t.Errorf("%s: %+v, want %+v", tt.linker, loc, tt)
		}
	}
	if got := newNamer(0).readable("_Z1fv.isra.0"); got != "f() [clone .isra.0]" {
		t.Error(got)
	}
}
