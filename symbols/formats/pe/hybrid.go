package pe

import (
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/stack/unwind"
)

// Kinds of code in an image's map: the two low bits of where a range begins.
const (
	codeARM64   = 0
	codeARM64EC = 1
	codeX64     = 2
)

// A hybrid is what an image says of its halves: ARM64EC has code of ARM64 in a program of x64, and ARM64X a program of each CPU.
//
// Sources: Microsoft's "Understanding Arm64EC ABI and assembly code" and "Arm64X PE files"; LLVM's llvm/include/llvm/Object/COFF.h
// (chpe_metadata, chpe_range_entry, chpe_redirection_entry) and lld/COFF/Writer.cpp.
type hybrid struct {
	code      ranges.Table // of kinds of code
	redirects []byte       // pairs of addresses: a function that x64 code calls, and the one of ARM64EC that it stands for
	second    directory    // unwind entries of the CPU that is not the header's
	exports   directory    // of x64 in ARM64X
}

// readHybrid reads the metadata that the load configuration points to. It returns nil for an image of one CPU, and a hybrid without code if
// the image may have halves that are unknown.
func (f *File) readHybrid() *hybrid {
	const chpeMetadataPointer, what, size = 200, "hybrid metadata", 72
	at, err := f.loadConfig(chpeMetadataPointer, 8)
	if err != nil || at == 0 {
		if err != nil {
			return &hybrid{}
		}
		return nil
	}
	data, err := f.read(what, at-f.h.imageBase, size)
	if err != nil {
		f.notes.add(err)
		return &hybrid{}
	}
	c := bin.NewCursor(what, 0, data)
	c.Skip(4)
	codeMap, kinds := c.U32(), c.U32()
	c.Skip(4)
	redirects := c.U32()
	c.Skip(32)
	h := &hybrid{redirects: f.words("redirection metadata", redirects, c.U32(), 8)}
	c.Skip(8)
	h.second = directory{c.U32(), c.U32()}
	c = bin.NewCursor(what, 0, f.words("code map", codeMap, kinds, 8))
	for c.Len() > 0 {
		start, length := c.U32(), c.U32()
		h.code.Add(uint64(start&^3), uint64(length), int64(start&3))
	}
	h.code.Finish()
	if f.h.machine == machineARM64 {
		h.second = directory{}
		f.readARM64X(h)
	}
	return h
}

// readARM64X finds the directories that Windows puts into the header of an ARM64X image for a program of x64: dynamic relocations, in
// blocks of pages as base relocations are.
// Source: winnt.h, IMAGE_DYNAMIC_RELOCATION_TABLE, IMAGE_DYNAMIC_RELOCATION64 and IMAGE_DVRT_ARM64X_FIXUP_RECORD.
func (f *File) readARM64X(h *hybrid) {
	const what, symbolARM64X = "dynamic relocations", 6
	place, _ := f.loadConfig(dynamicRelocations64, 8)
	offset, section := uint64(uint32(place)), int(uint16(place>>32))
	if offset == 0 || section < 1 || section > len(f.sections) {
		return
	}
	s := f.sections[section-1]
	data, err := f.readUpTo(what, uint64(s.rva)+offset, uint64(s.size))
	if err != nil {
		f.notes.add(err)
		return
	}
	c := bin.NewCursor(what, 0, data)
	c.Skip(4)
	c = bin.NewCursor(what, 0, c.Bytes(min(int(c.U32()), c.Len())))
	for c.Len() >= 12 {
		symbol, size := c.U64(), int(c.U32())
		blocks := bin.NewCursor(what, 0, c.Bytes(min(size, c.Len())))
		for symbol == symbolARM64X && blocks.Len() >= 8 {
			page, size := uint64(blocks.U32()), int(blocks.U32())
			f.readFixups(h, page, bin.NewCursor(what, 0, blocks.Bytes(min(max(size-8, 0), blocks.Len()))))
		}
	}
}

// readFixups reads what changes in a page: two bytes with the offset in it, a kind and a size, and then the value.
func (f *File) readFixups(h *hybrid, page uint64, c *bin.Cursor) {
	const zeros, value, delta = 0, 1, 2
	for c.Len() >= 2 {
		record := c.U16()
		v := uint32(0)
		switch record >> 12 & 3 {
		case value:
			for i, b := range c.Bytes(min(1<<(record>>14), c.Len())) {
				v |= uint32(b) << (8 * i)
			}
		case delta:
			c.Skip(min(2, c.Len()))
			continue
		case zeros:
		default:
			return
		}
		switch page + uint64(record&0xfff) - f.h.dirsAt {
		case 8 * dirExport:
			h.exports.rva = v
		case 8*dirExport + 4:
			h.exports.size = v
		case 8 * dirException:
			h.second.rva = v
		case 8*dirException + 4:
			h.second.size = v
		}
	}
}

// hybrid returns what is known of an image's halves, or nil.
func (f *File) hybrid() *hybrid {
	if h := f.halves(); h != nil && h.code.Len() > 0 {
		return h
	}
	return nil
}

// kindOf tells which code an address of a hybrid image is, and -1 if that is unknown.
func (h *hybrid) kindOf(rel uint64) int64 {
	if r, ok := h.code.Find(rel); ok {
		return r.Value
	}
	return -1
}

// isARM reports whether the code at an address has ARM64's instructions and unwind codes.
func (f *File) isARM(rel uint64) bool {
	if h := f.hybrid(); h != nil {
		kind := h.kindOf(rel)
		return kind == codeARM64 || kind == codeARM64EC
	}
	return f.h.machine == machineARM64
}

// isEC reports whether the code at an address is ARM64's in a program of x64, whose registers have x64's names.
func (f *File) isEC(rel uint64) bool {
	h := f.hybrid()
	return h != nil && h.kindOf(rel) == codeARM64EC
}

// ecNumbers are x0 to x30 by the registers that they are in a context of x64: numbers of amd64Regs, and -1 for those that it does not keep
// or that unwinding does not need. Source: Microsoft's "ARM64EC ABI conventions", "Register mapping for integer registers".
var ecNumbers = [31]int8{1, 2, 8, 9, 10, 11, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 12, 13, 14, 15, -1, -1, 6, 7, 3, -1, 5, -1}

// ecLink is where a context of x64 has the link register: the low half of the first x87 register.
const ecLink = "$st0"

// ecName is x64's name of a register of ARM64EC, or "".
func ecName(name string) string {
	switch i := slices.Index(armNames[:], name); {
	case name == "sp":
		return amd64Regs[regRSP]
	case i == armLR:
		return ecLink
	case i >= 0 && ecNumbers[i] >= 0:
		return amd64Regs[ecNumbers[i]]
	case i >= 0:
		return ""
	}
	return name // the CFA and the return address
}

// asX64 gives registers of ARM64EC the names that they have in a context of x64.
func asX64(rules []unwind.Rule) []unwind.Rule {
	out := rules[:0]
	for _, r := range rules {
		r.Reg, r.From.Base = ecName(r.Reg), ecName(r.From.Base)
		if r.Reg != "" {
			out = append(out, r)
		}
	}
	for _, reg := range amd64Keep {
		if _, has := unwind.Find(out, reg); !has {
			out = append(out, unwind.Rule{Reg: reg, From: unwind.At(reg, 0)})
		}
	}
	return out
}

// ecContext takes registers from a context of x64. Source: winnt.h, ARM64EC_NT_CONTEXT.
func (f *frameState) ecContext() {
	const firstRegister, sp, lr, pc = 0x78, 0x98, 0x120, 0xf8
	for x, n := range ecNumbers {
		if n >= 0 {
			f.restore(armNames[x], f.sp.plus(firstRegister+8*int64(n)))
		}
	}
	f.restore(armNames[armLR], f.sp.plus(lr))
	f.ra, f.hasRA = f.sp.plus(pc), true
	f.loaded, f.machine = f.sp.plus(sp), true
}

// redirected returns the names of functions of ARM64EC that have them elsewhere: x64 code calls such a function by a few instructions of its
// own, to which exports point.
func (h *hybrid) redirected(n *names) (out []symbol) {
	for c := bin.NewCursor("", 0, h.redirects); c.Len() > 0; {
		from, to := c.U32(), c.U32()
		if same := n.at(uint64(from)); len(same) > 0 {
			s := same[0]
			s.rva = to
			out = append(out, s)
		}
	}
	return out
}
