package symbols

import (
	"fmt"
	"testing"

	"crashglass/core/symbolize"
)

// TestClones names the function itself, and beside it what the compiler made of
// it. A name of C is left as it is, for a .sym has it so.
func TestClones(t *testing.T) {
	for _, tt := range []struct{ file, function, linkage, readable string }{
		{"_Z1fv.constprop.0.cold", "f()", "_Z1fv.constprop.0.cold", ""},
		{"_Z1fv", "f()", "_Z1fv", ""},
		{"f.part.0", "f.part.0", "", "f"},
		{"f", "f", "", ""},
		{"f.0", "f.0", "", ""},
	} {
		loc := spell(&part{}, symbolize.Location{Function: tt.file})
		if got, want := fmt.Sprint(loc.Function, ", ", loc.Linkage, ", ", loc.Readable), tt.function+", "+tt.linkage+", "+tt.readable; got != want {
			t.Errorf("%s: %s, want %s", tt.file, got, want)
		}
	}
	loc := spell(&part{}, symbolize.Location{Function: "_Z1fv", Linkage: "_Z1fv.isra.0"})
	if loc.Function != "f()" || loc.Linkage != "_Z1fv.isra.0" || loc.Clone != ".isra.0" {
		t.Errorf("%+v", loc)
	}
	if got := readable("_Z1fv.isra.0"); got != "f()" {
		t.Error(got)
	}
}
