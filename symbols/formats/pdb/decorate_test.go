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
		{"_main", "main", 0, false, ""},
		{"__tmainCRTStartup", "_tmainCRTStartup", 0, false, ""},
		{"_WinMain@16", "WinMain", 16, true, ""},
		{"@quick@12", "quick", 4, true, ""},
		{"@quick@4", "quick", 0, true, ""},
		{"vector@@32", "vector", 24, true, "vector"},
		{"?f@@YAXXZ", "", 0, false, ""},
		{"_name@x", "name@x", 0, false, ""},
		{"@feat.00", "", 0, false, ""},
		{"plain", "", 0, false, ""},
		{"std::f", "", 0, false, ""},
		{"_", "", 0, false, ""},
		{"", "", 0, false, ""},
		{"@@8", "", 0, false, ""},
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
