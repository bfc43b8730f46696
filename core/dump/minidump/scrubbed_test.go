package minidump

import (
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
)

// surviving are the ranges of each context that Scrubbed keeps: the flags, and the registers that
// stack walks use. Source: winnt.h, CONTEXT of each CPU; Breakpad's minidump_cpu_*.h.
var surviving = map[*cpu.Layout][][2]int{
	&cpu.ContextX86:        {{0, 4}, {156, 188}, {192, 200}}, // edi to eip, eflags, esp
	&cpu.ContextAMD64:      {{48, 52}, {68, 72}, {120, 256}}, // eflags, rax to rip
	&cpu.ContextARM64:      {{0, 272}},                       // cpsr, x0 to pc
	&cpu.ContextARM64Old:   {{0, 276}},                       // x0 to pc, cpsr
	&cpu.ContextARM:        {{0, 72}},                        // r0 to pc, cpsr
	&cpu.ContextARMWindows: {{0, 72}},                        // the same
	&cpu.ContextMIPS:       {{0, 4}, {8, 280}, {312, 320}},   // r0 to r31, hi, lo; epc
	&cpu.ContextMIPS64:     {{0, 4}, {8, 280}, {312, 320}},   // the same
	&cpu.ContextPPC:        {{0, 156}, {160, 164}},           // srr0 to ctr; vrsave, behind mq
	&cpu.ContextPPC64:      {{0, 320}},                       // srr0 to vrsave
	&cpu.ContextSPARC:      {{0, 4}, {8, 288}},               // g0 to i7, ccr, pc, npc
	&cpu.ContextRISCV:      {{0, 4}, {8, 136}},               // pc to t6
	&cpu.ContextRISCV64:    {{0, 4}, {8, 264}},               // the same
}

// TestScrubbed fills a context of each CPU, and extended state behind it, with
// ones and says which bytes are left.
func TestScrubbed(t *testing.T) {
	for _, l := range cpu.Layouts() {
		data := slices.Repeat([]byte{0xff}, l.Size+64)
		putFlags(data, l)
		ctx, err := DecodeContext(data, binary.LittleEndian, nil)
		if err != nil || ctx.layout != l {
			t.Fatalf("%s: %v", l.Name, err)
		}
		var left [][2]int
		got, removed := ctx.Scrubbed(nil)
		putFlags(got, &cpu.Layout{FlagsAt: l.FlagsAt, FlagsWidth: l.FlagsWidth, Flags: 0xffff_ffff}) // zeros in the flags are no hole
		for at := 0; at < len(got); at++ {
			begin := at
			for at < len(got) && got[at] != 0 {
				at++
			}
			if at > begin {
				left = append(left, [2]int{begin, at})
			}
		}
		if want := surviving[l]; len(got) != l.Size || !slices.Equal(left, want) {
			t.Errorf("%s has %d bytes, left are %v; want %d, %v", l.Name, len(got), left, l.Size, want)
		}
		for _, r := range removed { // the rest
			for at := r.RVA; at < r.RVA+r.Size; at++ {
				if got[at] != 0 {
					t.Errorf("%s: %#x is said to be removed", l.Name, at)
				}
				got[at] = 0xff
			}
		}
		if slices.Contains(got, 0) {
			t.Errorf("%s: removed bytes are not said to be: %x", l.Name, got)
		}
	}
}

// putFlags names the CPU of a context. Wide flags are all ones where they say nothing.
func putFlags(data []byte, l *cpu.Layout) {
	binary.LittleEndian.PutUint32(data[l.FlagsAt:], l.Flags)
	if l.FlagsWidth == 8 {
		binary.LittleEndian.PutUint32(data[l.FlagsAt+4:], ^uint32(0))
	}
}

// TestScrubbedShort has a context that ends in the middle of a register.
func TestScrubbedShort(t *testing.T) {
	l := &cpu.ContextARM64
	data := slices.Repeat([]byte{0xff}, 20)
	putFlags(data, l)
	ctx, err := DecodeContext(data, binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := append(slices.Clone(data[:16]), 0, 0, 0, 0) // the flags, cpsr and x0
	if got, _ := ctx.Scrubbed(nil); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
