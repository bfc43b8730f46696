// Package kerneldump builds small dumps of the Windows kernel for tests. The numbers are written from the sources that name the
// structures (rizin's dmp_specs.h, kdmp-parser, volatility3) and shared with no reader. It makes intact files; tests damage them.
//
// Read this file first, then memory.go, which has physical pages and page tables, and image.go, which has drivers with unwind information.
package kerneldump

import (
	"encoding/binary"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// A Dump is what is written. The zero value of a field is left out.
type Dump struct {
	Layout     *cpu.Layout // ContextAMD64, ContextX86 or ContextARM64
	Type       uint32
	Code       uint32
	Parameters [4]uint64
	Regs       cpu.Regs
	PAE        bool
	Root       uint64 // of the page tables
	Modules    uint64 // PsLoadedModuleList
	Debugger   uint64
	Runs       [][2]uint64 // first page and count
	Body       []byte      // behind the header
}

var le = binary.LittleEndian

// machines are the numbers of CPUs in PE files.
var machines = map[*cpu.Arch]uint32{&cpu.X86: 0x14c, &cpu.AMD64: 0x8664, &cpu.ARM64: 0xaa64}

// offsets are those of a header's fields, in the order of Build.
var offsets = map[int][]int{
	8: {0x10, 0x20, 0x30, 0x38, 0x40, 0x80, 0x88, 0x98, 0x348, 0xf98, 0xfa8, 0x1030},
	4: {0x10, 0x18, 0x20, 0x28, 0x2c, 0x60, 0x64, 0x6c, 0x320, 0xf88, 0xfc0, 0xfb8},
}

// HeaderSize is the size of the header of a CPU.
func HeaderSize(a *cpu.Arch) int { return 0x400 * a.Word }

// Build returns the file. As in files of Windows, unset fields have the bytes "PAGE".
func (d *Dump) Build() []byte {
	a := d.Layout.Arch
	out := make([]byte, HeaderSize(a))
	for i := range out {
		out[i] = "PAGE"[i%4]
	}
	put := func(at int, vs ...uint64) {
		for _, v := range vs {
			if a.Word == 4 {
				le.PutUint32(out[at:], uint32(v))
			} else {
				le.PutUint64(out[at:], v)
			}
			at += a.Word
		}
	}
	copy(out[4:], map[int]string{8: "DU64", 4: "DUMP"}[a.Word])
	o := offsets[a.Word]
	le.PutUint32(out[8:], 15)
	le.PutUint32(out[12:], 19045)
	put(o[0], d.Root)
	put(o[1], d.Modules)
	le.PutUint32(out[o[2]:], machines[a])
	le.PutUint32(out[o[2]+4:], 2)
	le.PutUint32(out[o[3]:], d.Code)
	put(o[4], d.Parameters[:]...)
	put(o[5], d.Debugger)
	if len(d.Runs) > 0 {
		le.PutUint32(out[o[6]:], uint32(len(d.Runs)))
		pages := uint64(0)
		for i, r := range d.Runs {
			put(o[7]+2*a.Word*i, r[0], r[1])
			pages += r[1]
		}
		put(o[7]-a.Word, pages)
	}
	if d.Regs.Known() != 0 {
		copy(out[o[8]:], d.Layout.Encode(&d.Regs, 0xf, le))
	}
	le.PutUint32(out[o[9]:], d.Type)
	le.PutUint64(out[o[10]:], (11644473600+1700000000)*10_000_000) // 14 November 2023
	le.PutUint64(out[o[11]:], 90*10_000_000)
	if a.Word == 4 {
		out[0x5c] = 0
		if d.PAE {
			out[0x5c] = 1
		}
	}
	return append(out, d.Body...)
}

// A Driver is an entry of a list of drivers.
type Driver struct {
	Name            string
	Base            uint64
	Size, Sum, Time uint32
}

// A Range is captured memory.
type Range struct {
	Base uint64
	Data []byte
}

// Triage returns the body of a triage dump: its structure, drivers, unloaded drivers, the stack and blocks of memory.
func Triage(t testing.TB, a *cpu.Arch, drivers, unloaded []Driver, stack Range, blocks ...Range) []byte {
	word := a.Word
	s := asm.At(uint64(HeaderSize(a)))
	s.U32(0, 0).Ref32("end").U32(uint32(offsets[word][8]), 0, 0).Ref32("unloaded").U32(0, 0, 0)
	s.Ref32("stack").U32(uint32(len(stack.Data))).Ref32("drivers").U32(uint32(len(drivers))).Ref32("drivers").U32(0, 0, 0xffff_ffff)
	s.Word(word, stack.Base)
	if word == 8 {
		s.Zeros(16)
	}
	s.Word(word, 0).U32(0, 0, 0, 0).Ref32("blocks").U32(uint32(len(blocks)))
	s.Mark("unloaded").Word(word, uint64(len(unloaded)))
	for _, d := range unloaded {
		n := uint16(2 * len(d.Name))
		s.U16(n, n).Zeros(word-4).Word(word, 0)
		s.UTF16(d.Name).Zeros(24-2*len(d.Name)).Word(word, d.Base, d.Base+uint64(d.Size))
	}
	s.Mark("drivers")
	for i, d := range drivers {
		s.Ref32(name(i)).Zeros(word - 4)
		s.Zeros(6*word).Word(word, d.Base, d.Base+0x10).U32(d.Size).Zeros(word - 4)
		s.Zeros(map[int]int{4: 7 * 4, 8: 6 * 8}[word]).U32(d.Sum).Zeros(word - 4).U32(d.Time).Zeros(word - 4)
	}
	for i, d := range drivers {
		s.Mark(name(i)).U32(uint32(len(d.Name))).UTF16(d.Name).U16(0)
	}
	s.Mark("blocks")
	for i, b := range blocks {
		s.Word(word, b.Base).Ref32(block(i)).U32(uint32(len(b.Data)))
	}
	s.Mark("stack").Bytes(stack.Data)
	for i, b := range blocks {
		s.Mark(block(i)).Bytes(b.Data)
	}
	return s.Mark("end").Text("TRGD").Build(t)
}

func name(i int) string  { return "name" + string(rune('a'+i)) }
func block(i int) string { return "block" + string(rune('a'+i)) }
