package perfmap

import (
	"fmt"
	"testing"
)

// The last line of an address counts, and lines of other forms are left out.
func TestAt(t *testing.T) {
	m := Parse("1000 40 first\n1040 20 LazyCompile:*f /srv/a b.js:1\n0x2000 0x10 other\nno line\n3000 0 empty\n1010 8 replaced\r\n1000 40\nffffffffffffffff 10 beyond\n")
	for addr, want := range map[uint64]string{
		0xfff: " 0 0", 0x1000: "first 1000 40", 0x1010: "replaced 1010 8", 0x1018: "first 1000 40", 0x1040: "LazyCompile:*f /srv/a b.js:1 1040 20", 0x1060: " 0 0",
		0x200f: "other 2000 10", 0x3000: " 0 0", ^uint64(0): " 0 0",
	} {
		name, start, size := m.At(addr)
		if got := fmt.Sprintf("%s %x %x", name, start, size); got != want {
			t.Errorf("%#x: %s, want %s", addr, got, want)
		}
	}
	if m.Len() != 4 {
		t.Error(m.Len())
	}
}

// The name of the file has the number of the process.
func TestPID(t *testing.T) {
	for file, want := range map[string]uint32{"perf-4711.map": 4711, "perf-.map": 0, "perf-12.txt": 0, "app.map": 0, "perf-99999999999.map": 0} {
		if got := PID(file); got != want {
			t.Errorf("%s: %d", file, got)
		}
	}
}
