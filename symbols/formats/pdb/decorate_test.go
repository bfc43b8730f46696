package pdb

import "testing"

func TestUndecorate(t *testing.T) {
	tests := []struct {
		name      string
		x86       string
		size      uint32
		sized     bool
		elsewhere string
	}{
		{name: "_main", x86: "main", size: 0, elsewhere: ""},
		{name: "__tmainCRTStartup", x86: "_tmainCRTStartup", size: 0, elsewhere: ""},
		{name: "_WinMain@16", x86: "WinMain", size: 16, sized: true, elsewhere: ""},
		{name: "@quick@12", x86: "quick", size: 4, sized: true, elsewhere: ""},
		{name: "@quick@4", x86: "quick", size: 0, sized: true, elsewhere: ""},
		{name: "vector@@32", x86: "vector", size: 24, sized: true, elsewhere: "vector"},
		{name: "?f@@YAXXZ", x86: "", size: 0, elsewhere: ""},
		{name: "_name@x", x86: "name@x", size: 0, elsewhere: ""},
		{name: "@feat.00", x86: "", size: 0, elsewhere: ""},
		{name: "plain", x86: "", size: 0, elsewhere: ""},
		{name: "std::f", x86: "", size: 0, elsewhere: ""},
		{name: "_", x86: "", size: 0, elsewhere: ""},
		{name: "", x86: "", size: 0, elsewhere: ""},
		{name: "@@8", x86: "", size: 0, elsewhere: ""},
	}
	for _, tt := range tests {
		f := &File{dbi: dbi{machine: machineX86}}
		if plain, size, sized := f.undecorate(tt.name); plain != tt.x86 || size != tt.size || sized != tt.sized {
			t.Errorf("%q on x86: %q, %d, %v; want %q, %d, %v", tt.name, plain, size, sized, tt.x86, tt.size, tt.sized)
		}
		f.dbi.machine = machineAMD64
		if plain, size, sized := f.undecorate(tt.name); plain != tt.elsewhere || size != 0 && sized || sized {
			t.Errorf("%q on x64: %q, %d, %v; want %q", tt.name, plain, size, sized, tt.elsewhere)
		}
	}
}
