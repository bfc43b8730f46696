package variables

import (
	"testing"

	"crashglass/core/process"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		name, want string
		is         bool
	}{
		{"ns::value", "ns::value", true},
		{"ns::value", "value", true},
		{"main.count", "count", true},
		{"ns::myvalue", "value", false},
		{"ns::value", "", false},
		{"ns::value", "*", true},
		{"ns::value", "ns::*", true},
		{"ns::value", "*val*", true},
		{"ns::value", "n*s*e", true},
		{"ns::value", "n*x*e", false},
		{"aba", "ab*ba", false}, // the parts do not overlap
	} {
		if got := isNamed(test.name, test.want); got != test.is {
			t.Errorf("isNamed(%q, %q) = %t", test.name, test.want, got)
		}
	}
}

// Static variables are read through the module and the memory; no frame is needed.
func TestStatics(t *testing.T) {
	f := frameOf(memory{0x100: words(7)})
	f.Frame, f.Symbols = &process.Frame{}, vtables{one: at("ns::count", 0x100, integer)}.symbols()
	if got := shown(Named([]string{"count"}, Limits{})(f)); got != "ns::count = 7" {
		t.Error(got)
	}
	if got := shown(Named([]string{"other"}, Limits{})(f)); got != "" {
		t.Error(got)
	}
	f.Symbols = vtables{one: Variable{Name: "held", Type: to(integer), Rule: fixed{place: inRegister("$rbx")}}}.symbols()
	if got := shown(Named([]string{"held"}, Limits{})(f)); got != "held <optimized_out>" {
		t.Errorf("a register of no frame: %s", got)
	}
}
