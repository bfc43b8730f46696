package pe

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
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
	if listed == functions || !f.work.Exceeded() || !strings.Contains(strings.Join(f.Notes(), "\n"), errWork.Error()) {
		t.Errorf("%d functions are listed, over %v: %q", listed, f.work.Exceeded(), f.Notes())
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

const links, codes = 31, 255

// sharedChain is an image of functions that share a chain of records with as many codes each.
func sharedChain(t *testing.T, functions uint32) []byte {
	const chain = 0x10000
	records := asm.At(chain)
	record := func(link uint32, last bool, pad int) {
		flags := uint8(flagChained)
		if last {
			flags = 0
		}
		records.Mark(label(link)).U8(1|flags<<3, codes, codes, 0)
		for n := range uint8(codes) {
			records.U8(codes-n, opAllocSmall)
		}
		records.Zeros(pad)
		if !last {
			records.U32(text, text+0x1000).Ref32(label(link + 1))
		}
	}
	for link := range uint32(links) {
		record(link, link == links-1, 2)
	}
	entries := asm.At(pdata)
	for n := range functions {
		entries.U32(text+n, text+0x1000, uint32(records.Addr(label(0))))
	}
	return newImage(machineAMD64).
		section(t, ".text", code, asm.At(text).Zeros(0x1000)).
		section(t, ".xdata", readOnly, records).
		section(t, ".pdata", readOnly, entries).
		dir(dirException, pdata, 12*functions).build(t)
}

func label(n uint32) string { return fmt.Sprint("record ", n) }

// TestSharedChain has functions that share a chain of records. Each of the addresses where their rules
// change takes all codes of the chain: what that costs is bounded, and said.
func TestSharedChain(t *testing.T) {
	const functions = 1000
	f := open(t, sharedChain(t, functions))
	listed := 0
	if err := f.EachCallFrame(func(*unwind.CallFrameTable) error { listed++; return nil }); err != nil {
		t.Fatal(err)
	}
	if steps, most := listed*codes*links*codes, leastWork+workPerByte*int(f.src.Size()); listed == 0 || steps > most ||
		!strings.Contains(strings.Join(f.Notes(), "\n"), errWork.Error()) {
		t.Errorf("%d functions are listed: %q", listed, f.Notes())
	}
}

// The records of a chain are read once, and not once for each function.
func TestChainIsReadOnce(t *testing.T) {
	const functions = 1000
	f := open(t, sharedChain(t, functions))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := f.EachFunction(func(*symbolize.Function) error { return nil }); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took, most := after.TotalAlloc-before.TotalAlloc, uint64(16<<20); took > most {
		t.Errorf("%d bytes of memory were allocated, want at most %d", took, most)
	}
}
