package cfi

import (
	"strings"
	"testing"
	"time"

	"crashglass/core/unwind"
)

// TestHostilePrograms runs what costs most for its size. The limits are many
// times what an idle machine needs.
func TestHostilePrograms(t *testing.T) {
	save := ""
	for reg := range 120 {
		save += string([]byte{0x05, byte(reg), 1})
	}
	dup := "\x76\x00" + strings.Repeat("\x12\x22", 7)
	expressions := ""
	for reg := range 120 {
		expressions += string([]byte{0x10, byte(reg), byte(len(dup))}) + dup
	}
	tests := map[string]string{
		"states are remembered and recalled": save + strings.Repeat("\x0a\x0b", 100_000),
		"many registers change in each row":  save + "\x0a" + strings.Repeat("\x41\x0b\x0a\x41", 40_000),
		"many expressions in each row":       expressions + strings.Repeat("\x41\x0e\x10", 10_000),
		"rows without end":                   strings.Repeat("\x41\x0e\x10\x41\x0e\x18", 40_000),
	}
	for name, program := range tests {
		t.Run(name, func(t *testing.T) {
			f := ehFrame(0x50_0000)
			f.fde(f.cie(amd64CIE(3)), f.u32(0x40_1000, 0x10_0000), []byte{0}, []byte(program))
			table := mustOpen(t, amd64(t, f))
			start := time.Now()
			table.CallFrame(0x10_0fff)
			if err := table.EachCallFrame(func(*unwind.CallFrameTable) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%v for %d bytes", took, len(program))
			} else {
				t.Logf("%v for %d bytes", took, len(program))
			}
		})
	}
}
