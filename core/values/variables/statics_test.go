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
		{name: "ns::value", want: "ns::value", is: true},
		{name: "ns::value", want: "value", is: true},
		{name: "main.count", want: "count", is: true},
		{name: "ns::myvalue", want: "value"},
		{name: "ns::value", want: ""},
		{name: "ns::value", want: "*", is: true},
		{name: "ns::value", want: "ns::*", is: true},
		{name: "ns::value", want: "*val*", is: true},
		{name: "ns::value", want: "n*s*e", is: true},
		{name: "ns::value", want: "n*x*e"},
		{name: "aba", want: "ab*ba"}, // the parts do not overlap
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
