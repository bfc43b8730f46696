package pe

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/unwind"
)

// TestSharedRecord has functions that share one record with an epilog in every
// instruction. What listing them costs is bounded, and said.
func TestSharedRecord(t *testing.T) {
	const functions, epilogs = 1000, 900
	record := asm.At(xdata).U32(epilogs, 1<<16|epilogs) // instructions; words of codes and epilogs
	for n := range uint32(epilogs) {
		record.U32(n)
	}
	record.U8(0xe4, 0xe4, 0xe4, 0xe4) // end
	entries := asm.At(pdata)
	for n := range uint32(functions) {
		entries.U32(text+4*n, xdata)
	}
	im := newImage(machineARM64).
		section(t, ".text", code, asm.At(text).Zeros(0x1000)).
		section(t, ".xdata", readOnly, record).
		section(t, ".pdata", readOnly, entries).
		dir(dirException, pdata, 8*functions)
	f := open(t, im.build(t))
	listed := 0
	if err := f.EachCallFrame(func(*unwind.CallFrameTable) error { listed++; return nil }); err != nil {
		t.Fatal(err)
	}
	if listed == functions || !f.work.Over() || !strings.Contains(strings.Join(f.Notes(), "\n"), errWork.Error()) {
		t.Errorf("%d functions are listed, over %v: %q", listed, f.work.Over(), f.Notes())
	}
}

// A record of 255 epilogs is read without a piece of memory for each.
func TestEpilogsTakeNoMemory(t *testing.T) {
	codes := bytes.Repeat([]byte{6, opEpilog | 1<<4}, 255)
	u := &unwindInfo{version: 2}
	got := testing.AllocsPerRun(10, func() {
		u.readCodes(bin.NewCursor(unwindCodes, 0, codes))
	})
	if len(u.epilogs) != 255 || got > 4 {
		t.Errorf("%d epilogs, %.0f allocations", len(u.epilogs), got)
	}
}
