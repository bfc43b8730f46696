package cfi

import (
	"encoding/binary"
	"testing"

	"crashglass/core/testkit/asm"
)

// A frames builds a section of CIEs and FDEs. It is written from the
// specifications and shares nothing with the reader.
type frames struct {
	s     *asm.Section
	eh    bool
	wide  bool // DWARF64
	order binary.ByteOrder
	ids   int
}

func ehFrame(addr uint64) *frames {
	return &frames{s: asm.At(addr), eh: true, order: binary.LittleEndian}
}
func debugFrame() *frames { return &frames{s: asm.At(0), order: binary.LittleEndian} }

// entry appends an entry whose body does not need to know where it is.
func (f *frames) entry(id uint64, body []byte) {
	size := len(body) + 4
	if f.wide {
		f.s.U32(0xffff_ffff)
		if !f.eh {
			size += 4
		}
		f.s.U64(uint64(size))
	} else {
		f.s.U32(uint32(size))
	}
	if f.wide && !f.eh {
		f.s.U64(id)
	} else {
		f.s.U32(uint32(id))
	}
	f.s.Bytes(body)
}

// cie appends a CIE and returns its offset.
func (f *frames) cie(body ...[]byte) uint64 {
	at := f.s.Here() - f.s.Base()
	id := uint64(0)
	if !f.eh {
		id = ^uint64(0)
	}
	f.entry(id, join(body...))
	return at
}

// fde appends an FDE of a CIE and returns its offset.
func (f *frames) fde(cie uint64, body ...[]byte) uint64 {
	at := f.s.Here() - f.s.Base()
	id := cie
	if f.eh {
		id = f.idAt() - cie
	}
	f.entry(id, join(body...))
	return at
}

// idAt is the offset that the id of the next entry will have.
func (f *frames) idAt() uint64 {
	at := f.s.Here() - f.s.Base() + 4
	if f.wide {
		at += 8
	}
	return at
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// u32 and u64 are values of the section's byte order.
func (f *frames) u32(vs ...uint32) (out []byte) {
	for _, v := range vs {
		b := make([]byte, 4)
		f.order.PutUint32(b, v)
		out = append(out, b...)
	}
	return out
}

func (f *frames) u64(vs ...uint64) (out []byte) {
	for _, v := range vs {
		b := make([]byte, 8)
		f.order.PutUint64(b, v)
		out = append(out, b...)
	}
	return out
}

// amd64CIE is what GCC writes: zR, data alignment -8, return address in 16,
// CFA rsp+8, rip at CFA-8.
func amd64CIE(enc byte) []byte {
	return join([]byte{1, 'z', 'R', 0, 1, 0x78, 16, 1, enc}, []byte{0x0c, 7, 8, 0x90, 1})
}

// amd64 are the sections of an image at 0x40_0000 with one section of entries.
func amd64(t testing.TB, f *frames) Sections {
	s := Sections{Base: 0x40_0000, Arch: "amd64", Word: 8, Order: f.order}
	section := Section{Data: source(f.s.Build(t)), Addr: f.s.Base()}
	if f.eh {
		s.EHFrame = section
	} else {
		s.DebugFrame = section
	}
	return s
}

var bigEndian = binary.BigEndian
