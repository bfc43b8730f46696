package breakpaddump

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// A range that is longer than one read is written without a seam, in both forms.
func TestLongMemory(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef~\x7f \x1f"), 2*piece/20+1)
	file := dump.New().Memory(0x1000, data).Build(t)
	if text := written(t, file, Options{}); !strings.Contains(text, "\nMemory\n0x"+hex.EncodeToString(data)+"\n\n") {
		t.Errorf("one number: %d bytes of text for %d", len(text), len(data))
	}
	text := written(t, file, Options{Rows: true})
	for at := 0; at < len(data); at += width {
		if row := fmt.Sprintf("\n%08x  %02x ", at, data[at]); !strings.Contains(text, row) {
			t.Fatalf("no row %q", row)
		}
	}
	if !strings.Contains(text, "|456789abcdef~. .|\n") {
		t.Error("printable characters end with the tilde, and begin with the space")
	}
}

// Memory that the file does not have is named, and the list goes on.
func TestNoMemory(t *testing.T) {
	list := asm.At(0).U32(3).U64(0x1000).U32(16, 0x7fff_0000).U64(0x2000).U32(0, 0x20).U64(0x3000).U32(4, 0)
	text := written(t, dump.New().Stream(uint32(minidump.MemoryListStream), list).Build(t), Options{})
	if n := strings.Count(text, "\nMemory\nNo memory\n\n"); n != 2 {
		t.Errorf("%d ranges have no memory, want 2:\n%s", n, text)
	}
	if !strings.HasSuffix(text, "memory.rva            = 0x0\nMemory\n0x4d444d50\n\n") { // the first bytes of the file
		t.Errorf("the last range has no bytes:\n%s", text)
	}
}

// A list that ends too early is written up to there, with the number of its readable entries.
func TestTruncatedLists(t *testing.T) {
	thread := asm.At(0).U32(2).U32(7, 1, 2, 3).U64(4, 5).U32(0, 0, 0, 0)
	name := asm.At(0).U32(2).U32(7).U64(0)
	module := asm.At(0).U32(2).U64(0x1000).U32(0x1000, 0, 0, 0).Zeros(52).Zeros(16 + 16)
	memory := asm.At(0).U32(2).U64(0x1000).U32(0, 0)
	info := asm.At(0).U32(16, 48).U64(2).U64(0x1000, 0).U32(0, 0).U64(0).U32(0, 0, 0, 0)
	text := written(t, dump.New().Stream(3, thread).Stream(24, name).Stream(4, module).Stream(5, memory).Stream(16, info).Build(t), Options{})
	for _, count := range []string{"thread_count", "thread_name_count", "module_count", "region_count", "info_count"} {
		if got := fields(text)[count]; got != "1" {
			t.Errorf("%s is %q in\n%s", count, got, text)
		}
	}
}

// A dump of a 32-bit program on 64-bit Windows has the CPU information of x86.
func TestX86On64(t *testing.T) {
	text := written(t, dump.New().System(uint16(minidump.ProcessorX86On64), dump.Windows, "x").Build(t), Options{})
	if got := fields(text)["processor_architecture"]; got != "0xa (x86)" || !strings.Contains(text, "cpu.x86_cpu_info (valid)") {
		t.Errorf("%s of\n%s", got, text)
	}
}

// The vendor ends at a NUL.
func TestShortVendor(t *testing.T) {
	info := asm.At(0).U16(dump.X86, 0, 0).U8(1, 1).U32(1, 2, 3, dump.Windows, 0).U32(0).Text("VIA\x00rest-off").U32(1, 2, 3)
	text := written(t, dump.New().Stream(uint32(minidump.SystemInfoStream), info).Build(t), Options{})
	if got := fields(text)["(cpu_vendor)"]; got != `"VIA"` {
		t.Errorf("vendor %s", got)
	}
	for label, want := range map[string]string{"version_information": "0x1", "feature_information": "0x2", "amd_extended_cpu_features": "0x3"} {
		if got := fields(text)["cpu.x86_cpu_info."+label]; got != want {
			t.Errorf("%s is %s, want %s", label, got, want)
		}
	}
}
