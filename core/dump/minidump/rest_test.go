package minidump

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// numbered is a context whose bytes are their own offsets, so that a wrong offset shows.
func numbered(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i) ^ byte(i>>8)
	}
	return data
}

// What stands in a context beside its registers, by offsets of winnt.h and of
// Breakpad's minidump_cpu_*.h.
func TestRestOfContexts(t *testing.T) {
	le, be := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	for _, tt := range []struct {
		layout    *cpu.Layout
		order     binary.ByteOrder
		name      string
		at, width int
	}{
		{&cpu.ContextAMD64, le, "mx_csr", 0x34, 4},
		{&cpu.ContextAMD64, le, "cs", 0x38, 2},
		{&cpu.ContextAMD64, le, "ss", 0x42, 2},
		{&cpu.ContextAMD64, le, "dr7", 0x70, 8},
		{&cpu.ContextAMD64, le, "float_save", 0x100, 512},
		{&cpu.ContextAMD64, le, "last_exception_from_rip", 0x4c8, 8},
		{&cpu.ContextX86, le, "dr0", 0x4, 4},
		{&cpu.ContextX86, le, "float_save.register_area", 0x38, 80},
		{&cpu.ContextX86, le, "cs", 0xbc, 4},
		{&cpu.ContextX86, le, "ss", 0xc8, 4},
		{&cpu.ContextARM64, le, "fpcr", 0x310, 4},
		{&cpu.ContextARM64, le, "watchpoint_value", 0x380, 16},
		{&cpu.ContextARM, le, "float_registers", 0x50, 256},
		{&cpu.ContextPPC, be, "mq", 0x9c, 4},
		{&cpu.ContextPPC64, be, "context_flags", 0, 8},
		{&cpu.ContextSPARC, be, "fprs", 0x130, 8},
		{&cpu.ContextMIPS, le, "badvaddr", 0x140, 8},
		{&cpu.ContextRISCV64, le, "fcsr", 0x208, 4},
	} {
		data := numbered(tt.layout.Size)
		want := data[tt.at : tt.at+tt.width]
		for _, n := range []int{tt.layout.Size, tt.at + tt.width, tt.at + tt.width - 1} { // whole, just long enough, and too short
			c := &Context{layout: tt.layout, data: data[:n]}
			got, found := partOf(c, tt.name, tt.order)
			if found != (n >= tt.at+tt.width) || found && got != shown(want, tt.order) {
				t.Errorf("%s, %d bytes: %s is %s, %t; want %s", tt.layout.Name, n, tt.name, got, found, shown(want, tt.order))
			}
		}
	}
}

// partOf finds a part of the rest by its name.
func partOf(c *Context, name string, order binary.ByteOrder) (string, bool) {
	state, blobs := c.Rest(order)
	for _, r := range state {
		if r.Name == name {
			return fmt.Sprintf("%#x", r.Value), true
		}
	}
	for _, b := range blobs {
		if b.Name == name {
			return fmt.Sprintf("% x", b.Data), true
		}
	}
	return "", false
}

// shown is a number of up to 8 bytes, or bytes.
func shown(b []byte, order binary.ByteOrder) string {
	switch len(b) {
	case 2:
		return fmt.Sprintf("%#x", order.Uint16(b))
	case 4:
		return fmt.Sprintf("%#x", order.Uint32(b))
	case 8:
		return fmt.Sprintf("%#x", order.Uint64(b))
	}
	return fmt.Sprintf("% x", b)
}

// Parts lie inside of their contexts, in order, and over no register of the CPU
// nor over one another.
func TestPartsAreApart(t *testing.T) {
	for layout, list := range parts {
		used := map[int]string{}
		for _, s := range layout.Slots {
			for i := range s.Width {
				used[s.At+i] = layout.Arch.RegName(s.Reg)
			}
		}
		for _, p := range list {
			for i := p.at; i < p.at+p.width; i++ {
				if i >= layout.Size || used[i] != "" {
					t.Errorf("%s: byte %d of %s is beyond the end or that of %q", layout.Name, i, p.name, used[i])
					break
				}
				used[i] = p.name
			}
		}
		if !slices.IsSortedFunc(list, func(a, b contextField) int { return a.at - b.at }) {
			t.Errorf("%s: the parts are not in order", layout.Name)
		}
	}
}

// An extended context is taken apart where all of it is there. Each field in turn
// lies: the upper halves are unknown then, and never those of something else.
func TestExtendedLies(t *testing.T) {
	upper := make([]byte, upperSize)
	for i := range upper {
		upper[i] = byte(i)
	}
	for _, layout := range []*cpu.Layout{&cpu.ContextAMD64, &cpu.ContextX86} {
		whole := WithExtended(layout, numbered(layout.Size), upper, 0)
		ex := layout.Size
		// CONTEXT_EX and the header behind it, in words: All, Legacy and XState, each an offset and a size.
		want := []uint32{uint32(-ex), uint32(ex + 24 + 64 + 256), uint32(-ex), uint32(ex), 24, 64 + 256, 4, 0, 0, 0}
		for i, w := range want {
			if got := binary.LittleEndian.Uint32(whole[ex+4*i:]); got != w {
				t.Errorf("%s: word %d of CONTEXT_EX is %#x, want %#x", layout.Name, i, got, w)
			}
		}
		for _, tt := range []struct {
			name  string
			at    int // a word from CONTEXT_EX on, -1 for none
			value uint32
			cut   int
			known bool
		}{
			{name: "as written", at: -1, value: 0, cut: 0, known: true},
			{name: "a byte is missing", at: -1, value: 0, cut: 1},
			{name: "CONTEXT_EX alone", at: -1, value: 0, cut: 64 + 256},
			{name: "half of CONTEXT_EX", at: -1, value: 0, cut: 64 + 256 + 12},
			{name: "another context", at: 8, value: 0, cut: 0},
			{name: "the state is in CONTEXT_EX", at: 16, value: 23, cut: 0},
			{name: "the state is behind the end", at: 16, value: 0xffff_ffff, cut: 0},
			{name: "the state is too short", at: 20, value: 64 + 255, cut: 0},
			{name: "the state is too long", at: 20, value: 64 + 257, cut: 0},
			{name: "not in use", at: 24, value: 3, cut: 0},
			{name: "compacted, without room", at: 36, value: 1 << 31, cut: 0},
			{name: "not compacted, without room", at: 32, value: 3, cut: 0, known: true},
		} {
			data := slices.Clone(whole[:len(whole)-tt.cut])
			if tt.at >= 0 {
				binary.LittleEndian.PutUint32(data[ex+tt.at:], tt.value)
			}
			flags, _ := layout.ReadFlags(data, binary.LittleEndian)
			c := &Context{layout: layout, data: data, Flags: flags}
			for _, i := range []int{0, 7, 15, 16} {
				got, known := c.upper(i)
				if known != (tt.known && i < 16) || known && !slices.Equal(got, upper[16*i:16*i+16]) {
					t.Errorf("%s, %s: register %d is % x, %t", layout.Name, tt.name, i, got, known)
				}
			}
			if c.Flags &^= flagExtended; tt.known {
				if _, known := c.upper(0); known {
					t.Errorf("%s: known without the flag", layout.Name)
				}
			}
		}
	}
}

// Only whole contexts of CPUs that have ymm get upper halves.
func TestNoUpperHalves(t *testing.T) {
	for _, tt := range []struct {
		layout         *cpu.Layout
		context, upper int
	}{
		{&cpu.ContextARM64, cpu.ContextARM64.Size, upperSize},
		{&cpu.ContextAMD64, cpu.ContextAMD64.Size - 1, upperSize},
		{&cpu.ContextAMD64, cpu.ContextAMD64.Size, upperSize - 1},
		{&cpu.ContextAMD64, cpu.ContextAMD64.Size, 0},
	} {
		context := numbered(tt.context)
		if got := WithExtended(tt.layout, context, make([]byte, tt.upper), 0); !slices.Equal(got, context) {
			t.Errorf("%s, %d and %d bytes: the context has %d bytes now", tt.layout.Name, tt.context, tt.upper, len(got))
		}
	}
}

// Names of streams as errors have them: words of small letters.
func TestNamesInErrors(t *testing.T) {
	for stream, want := range map[StreamType]string{
		ThreadListStream: "thread list", Memory64ListStream: "64-bit memory list", LinuxDSODebugStream: "linux dso debug",
		FunctionTableStream: "function table", 0x1234: StreamType(0x1234).String(),
	} {
		if got := stream.what(); got != want || strings.ToLower(got) != got {
			t.Errorf("%#x is %q, want %q", uint32(stream), got, want)
		}
	}
}
