package cfi

import (
	"strings"
	"testing"
	"time"

	"crashglass/core/stack/unwind"
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

// TestSharedCIE has thousands of functions whose rules are those of one CIE: of
// all registers. Its instructions are run once, and the list ends.
func TestSharedCIE(t *testing.T) {
	const functions = 30_000
	save := ""
	for reg := range 120 {
		save += string([]byte{0x05, byte(reg), 1})
	}
	f := ehFrame(0x50_0000)
	cie := f.cie(append(amd64CIE(3), strings.Repeat(save, 10)...))
	for n := range uint64(functions) {
		f.fde(cie, f.u32(uint32(0x40_1000+16*n), 16), []byte{0})
	}
	s := amd64(t, f)
	table := mustOpen(t, s)
	listed := 0
	if err := table.EachCallFrame(func(*unwind.CallFrameTable) error { listed++; return nil }); err != nil {
		t.Fatal(err)
	}
	if most := (leastWork + workPerByte*int(s.EHFrame.Data.Size())) / 120; listed < most/2 || listed > most+1 {
		t.Errorf("%d functions, want up to %d", listed, most)
	}
	if notes := strings.Join(table.Notes(), "\n"); !strings.Contains(notes, errWork.Error()) {
		t.Error(notes)
	}
	part := table.parts[0]
	first, _ := part.fdeAt(part.fromScan().Range(0).Value)
	last, _ := part.fdeAt(part.fromScan().Range(functions - 1).Value)
	one, _ := table.startOf(first)
	other, _ := table.startOf(last)
	if one != other || len(one.regs) < 120 {
		t.Errorf("the CIE is run for each function: %d registers", len(one.regs))
	}
	if frame, ok := table.CallFrame(0x1000 + 16*(functions-1)); !ok || len(frame.Rules) < 17 {
		t.Errorf("the last function: %+v, %v", frame, ok)
	}
}
