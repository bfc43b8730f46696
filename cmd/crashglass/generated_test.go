package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	testdump "crashglass/core/testkit/dump"
)

// Addresses of TestFunctionTables: a library, and memory in which a program has made code.
const (
	dllAt     = 0x7ff6_0000_0000
	jitAt     = 0x1_2000_0000
	jitStack  = 0x50_0000
	frameless = 0x5a5a5a5a // "ZZZZ", of an entry that no frame is in
)

// functionTable is MINIDUMP_FUNCTION_TABLE_STREAM with one table.
func functionTable(entrySize uint32, entries ...uint32) *asm.Section {
	words := uint32(len(entries))
	return asm.At(0).U32(24, 32, 8, entrySize, 1, 0).
		U64(jitAt+0x1000, jitAt+0x2000, jitAt).U32(4*words/entrySize, 0).Text("native__").U32(entries...)
}

// registersOf returns how the frames of the first thread are found, and their registers.
func registersOf(t *testing.T, dump string) []frameRegisters {
	t.Helper()
	out, errs, status := crashglass("walk", "-format", "json", dump)
	var r struct {
		Threads []struct{ Frames []frameRegisters }
	}
	if err := json.Unmarshal([]byte(out), &r); status != exitOK || err != nil {
		t.Fatal(errs, err)
	}
	return r.Threads[0].Frames
}

type frameRegisters struct {
	Trust     string
	Registers map[string]string
}

// TestFunctionTables walks through code that was made at run time, by its function table. The frames of that code have addresses of the library in
// words that they do not use.
func TestFunctionTables(t *testing.T) {
	const stale = dllAt + 0x1234
	for _, c := range []struct {
		name      string
		processor uint16
		regs      map[string]uint64
		table     *asm.Section
		stack     *asm.Section
		info      *asm.Section // unwind records at jitAt + 0x3000
		callers   []string     // how they are found, and their registers
	}{
		{
			"x64", testdump.AMD64,
			map[string]uint64{
				"rip": jitAt + 0x1010, "rsp": jitStack, "rbp": 7, "rbx": 8, "rax": 1, "rcx": 2, "rdx": 3, "r8": 4, "r9": 5, "r10": 6, "r11": 9,
				"rsi": 0x51, "rdi": 0xd1, "r12": 12, "r13": 13, "r14": 14, "r15": 15,
			},
			functionTable(12, 0x1000, 0x1040, 0x3000, 0x1080, 0x10c0, frameless, 0x1100, 0x1200, 0x3010),
			asm.At(0).U64(0, stale, 0, 0, 1, jitAt+0x1150). // push rbx; sub rsp, 0x20
									Zeros(0x80).U64(stale).Zeros(0x78).U64(jitStack+0x200, dllAt+0x2222). // push rbp; sub rsp, 0x100
									Zeros(0x200),
			// UNWIND_INFO: version 1, size of the prolog, number of codes, no frame register; then the codes, last one first
			asm.At(0).U8(1, 5, 2, 0, 5, 0x32, 1, 0x30).Zeros(8).
				U8(1, 8, 3, 0, 8, 1).U16(0x100/8).U8(1, 0x50, 0, 0).Zeros(4),
			[]string{
				"cfi r12=c r13=d r14=e r15=f rbp=7 rbx=1 rdi=d1 rip=120001150 rsi=51 rsp=500030",
				"cfi r12=c r13=d r14=e r15=f rbp=500200 rbx=1 rdi=d1 rip=7ff600002222 rsi=51 rsp=500140",
			},
		},
		{
			"arm64", testdump.ARM64,
			map[string]uint64{
				"pc": jitAt + 0x1010, "sp": jitStack, "lr": jitAt + 0x1008, "fp": jitStack, "x0": 1, "x8": 2, "x17": 3, "x18": 4,
				"x19": 5, "x20": 20, "x21": 21, "x22": 22, "x23": 23, "x24": 24, "x25": 25, "x26": 26, "x27": 27, "x28": 28,
			},
			// packed: size of the function in words, x19 saved, chained, size of the frame
			functionTable(8, 0x1000, 1|0x40/4<<2|1<<16|3<<21|0x30/16<<23, 0x1080, frameless, 0x1100, 0x3000),
			asm.At(0).U64(jitStack+0x200, jitAt+0x1150, stale, 0, 0x19, 0).
				U64(jitStack+0x300, dllAt+0x2222).Zeros(0x200),
			// .xdata: 0x100 bytes, one word of codes, an epilog in the header at code 0: save_fplr_x -16, end
			asm.At(0).U32(0x100/4|1<<21|1<<27).U8(0x81, 0xe4, 0xe3, 0xe3),
			[]string{
				"cfi fp=500200 pc=120001150 sp=500030 x19=19 x20=14 x21=15 x22=16 x23=17 x24=18 x25=19 x26=1a x27=1b x28=1c",
				"cfi fp=500300 pc=7ff600002222 sp=500040 x19=19 x20=14 x21=15 x22=16 x23=17 x24=18 x25=19 x26=1a x27=1b x28=1c",
			},
		},
	} {
		walked := func(dump string) (out []string) {
			for i, f := range registersOf(t, dump) {
				text := f.Trust
				for _, name := range slices.Sorted(maps.Keys(f.Registers)) {
					if value := f.Registers[name]; i > 0 {
						text += " " + name + "=" + cmp.Or(strings.TrimLeft(value, "0x"), "0")
					}
				}
				out = append(out, text)
			}
			return out
		}
		made := func(table bool) string {
			b := testdump.New().System(c.processor, testdump.Windows, "").
				Module(testdump.Module{Base: dllAt, Size: 0x10000, Name: "library.dll"}).
				Thread(testdump.Thread{ID: 1, StackBase: jitStack, Stack: c.stack.Build(t), Context: testdump.New().Context(t, c.processor, c.regs)}).
				Memory(jitAt+0x3000, append(c.info.Build(t), "secret of the program"...))
			if table {
				b.Stream(13, c.table)
			}
			return file(t, t.TempDir(), "made.dmp", b.Build(t))
		}
		want := append([]string{"context"}, c.callers...)
		dump := made(true)
		if got := walked(dump); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
		clean := filepath.Join(t.TempDir(), "clean.dmp")
		if _, errs, status := crashglass("sanitize", "-o", clean, dump); status != exitOK {
			t.Errorf("%s: %s", c.name, errs)
		} else if got := walked(clean); !slices.Equal(got, want) {
			t.Errorf("%s: sanitized %q, want %q", c.name, got, want)
		}
		data, _ := os.ReadFile(clean)
		for _, gone := range []string{"secret", "native__", "ZZZZ"} {
			if bytes.Contains(data, []byte(gone)) {
				t.Errorf("%s: sanitized, with %q", c.name, gone)
			}
		}
		if got := walked(made(false)); len(got) > 1 && got[1] == want[1] {
			t.Errorf("%s: without a table %q", c.name, got)
		}
	}
}
