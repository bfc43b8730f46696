package elf

import (
	"bytes"
	"io"

	"crashglass/core/base/bin"
)

// The bounds of a section that relocations change.
const (
	maxPlaced = 64 << 20
	maxFixups = 1 << 20

	smallestFixup = 24 // bytes of the file
)

// A fixup is what a relocation does to a field of an object file.
type fixup struct {
	size     int
	relative bool // to the field's address
}

// fixups are the relocations of debug information and unwind tables, by machine and type. Source: the supplements of the System V ABI for AMD64
// (table 4.9) and Arm (AAELF64, section 5.7).
var fixups = [...]struct {
	machine uint16
	kind    uint32
	fixup
}{
	{machineAMD64, 1, fixup{size: 8}}, {machineAMD64, 10, fixup{size: 4}}, {machineAMD64, 11, fixup{size: 4}},
	{machineAMD64, 2, fixup{size: 4, relative: true}}, {machineAMD64, 24, fixup{size: 8, relative: true}},
	{machineARM64, 257, fixup{size: 8}}, {machineARM64, 258, fixup{size: 4}},
	{machineARM64, 260, fixup{size: 8, relative: true}}, {machineARM64, 261, fixup{size: 4, relative: true}},
}

func fixupOf(machine uint16, kind uint32) (fixup, bool) {
	for i := range fixups {
		if f := &fixups[i]; f.machine == machine && f.kind == kind {
			return f.fixup, true
		}
	}
	return fixup{}, false
}

// isPlaced reports whether this is an object file whose sections have addresses.
func (f *File) isPlaced() bool { return f.opt.Placed && f.h.kind == typeRelocatable }

// Base is the address that the others are relative to.
func (f *File) Base() uint64 { return f.base }

// EachCode calls each for the memory of code.
func (f *File) EachCode(each func(addr, size uint64)) {
	for i := range f.sects {
		if s := &f.sects[i]; s.executable() && s.addr != 0 {
			each(s.addr, s.size)
		}
	}
}

// relocated returns a section of an object file after its relocations.
func (f *File) relocated(s *section, raw bin.Source) bin.Source {
	var out []byte
	left := min(maxFixups, f.src.Size()/smallestFixup) // tables may share bytes
	for i := range f.sects {
		table := &f.sects[i]
		if left == 0 || table.kind != secRela || uint64(table.info) >= uint64(len(f.sects)) || &f.sects[table.info] != s || uint64(table.link) >= uint64(len(f.sects)) {
			continue
		}
		if out == nil {
			var err error
			if out, err = raw.ReadUpTo("elf: section "+s.name, 0, maxPlaced); err != nil {
				f.note("%v", err)
				return raw
			}
			out = bytes.Clone(out)
		}
		symbols := f.raw(&f.sects[table.link])
		_ = f.eachRelocation(table, maxPlaced, func(r relocation) bool {
			f.fix(s, out, symbols, r)
			left--
			return left > 0
		})
	}
	if out == nil {
		return raw
	}
	return bin.NewSource(bytes.NewReader(out), int64(len(out)))
}

func (f *File) fix(s *section, out []byte, symbols bin.Source, r relocation) {
	fix, ok := fixupOf(f.h.machine, r.kind)
	if !ok || r.at > uint64(len(out)) || uint64(len(out))-r.at < uint64(fix.size) {
		return
	}
	size := f.symbolSize()
	data, err := symbols.Read("elf: symbol", int64(r.symbol)*int64(size), uint64(size))
	if err != nil {
		return
	}
	symbol, _, index := f.parseSymbol(bin.NewOrderedCursor("elf: symbol", 0, data, f.h.order))
	if index == undefined || int(index) >= len(f.sects) {
		return
	}
	value := symbol.addr + f.sects[index].addr + r.addend
	if fix.relative {
		value -= s.addr + r.at
	}
	if fix.size == 4 {
		f.h.order.PutUint32(out[r.at:], uint32(value))
	} else {
		f.h.order.PutUint64(out[r.at:], value)
	}
}

// OpenPlaced opens what a program registered with debuggers: a module, or an object file whose sections have the addresses of their memory.
// Addresses are relative to Base.
func OpenPlaced(memory io.ReaderAt, size int64) (*File, error) {
	f, err := Open(bin.NewSource(memory, size), Options{Placed: true, Name: "generated code"})
	if err != nil {
		return nil, err
	}
	for i, first := 0, true; i < len(f.sects) && f.isPlaced(); i++ {
		if s := &f.sects[i]; s.executable() && s.addr >= minPage && (first || s.addr-minPage < f.base) {
			f.base, first = s.addr-minPage, false // no code is at a base
		}
	}
	return f, nil
}
