package module

import "testing"

// A build ID is told from the code ID that old versions of Breakpad made of a time of 0 and a size.
func TestBuildID(t *testing.T) {
	for _, tt := range []struct{ name, codeID, want string }{
		{"SHA-1", "b6d1a4d1e5f3c8d90a7b6c5d4e3f201918171615", "b6d1a4d1e5f3c8d90a7b6c5d4e3f201918171615"},
		{"SHA-1 that begins with zeros", "00000000e5f3c8d90a7b6c5d4e3f201918171615", "00000000e5f3c8d90a7b6c5d4e3f201918171615"},
		{"8 bytes, as of ld --build-id=fast", "a1b2c3d4e5f60718", "a1b2c3d4e5f60718"},
		{"time 0 and size", "00000000385000", ""},
		{"time 0 and a size of 8 digits", "0000000012345678", ""},
		{"nothing", "", ""},
	} {
		if got := (&Module{CodeID: tt.codeID}).BuildID(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The mapped range counts only where it is the larger one.
func TestSpan(t *testing.T) {
	for _, tt := range []struct{ size, mapped, want uint64 }{{0x1000, 0, 0x1000}, {0x1000, 0x800, 0x1000}, {0x1000, 0x3000, 0x3000}} {
		m := Module{Base: 0x40_0000, Size: tt.size, Mapped: tt.mapped}
		if got := m.Span(); got != tt.want || !m.Contains(m.Base+got-1) || m.Contains(m.Base+got) {
			t.Errorf("size %#x, mapped %#x: %#x, want %#x", tt.size, tt.mapped, got, tt.want)
		}
	}
}
