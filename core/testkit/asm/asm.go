// Package asm builds byte strings for tests of parsers: stacks, streams, whole files. Labels stand
// for values that are not known yet.
//
// It deliberately shares no layout with the parsers, so that a wrong layout cannot confirm itself.
// It can write any bytes, also damaged ones; only a label that is never marked fails the test.
package asm

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// A Section is bytes under construction, starting at some address.
type Section struct {
	base   uint64
	data   []byte
	order  binary.ByteOrder
	labels map[string]uint64
	refs   []ref
}

// A ref is a value to patch when its label is known.
type ref struct {
	off, size int
	label     string
	from      string // subtracted when not "": a distance between labels
}

// At starts a little-endian section at an address, or at a file offset.
func At(base uint64) *Section {
	return &Section{base: base, order: binary.LittleEndian, labels: map[string]uint64{}}
}

// BigEndian makes the section write big-endian values from here on.
func (s *Section) BigEndian() *Section {
	s.order = binary.BigEndian
	return s
}

// U8 appends bytes.
func (s *Section) U8(vs ...uint8) *Section { return s.Bytes(vs) }

// U16 appends values of two bytes.
func (s *Section) U16(vs ...uint16) *Section {
	for _, v := range vs {
		var b [2]byte
		s.order.PutUint16(b[:], v)
		s.Bytes(b[:])
	}
	return s
}

// U32 appends values of four bytes.
func (s *Section) U32(vs ...uint32) *Section {
	for _, v := range vs {
		var b [4]byte
		s.order.PutUint32(b[:], v)
		s.Bytes(b[:])
	}
	return s
}

// U64 appends values of eight bytes.
func (s *Section) U64(vs ...uint64) *Section {
	for _, v := range vs {
		var b [8]byte
		s.order.PutUint64(b[:], v)
		s.Bytes(b[:])
	}
	return s
}

// Word appends values of size bytes, 4 or 8.
func (s *Section) Word(size int, vs ...uint64) *Section {
	for _, v := range vs {
		if size == 4 {
			s.U32(uint32(v))
		} else {
			s.U64(v)
		}
	}
	return s
}

// Bytes appends bytes.
func (s *Section) Bytes(b []byte) *Section {
	s.data = append(s.data, b...)
	return s
}

// Text appends a string's bytes, without a terminator.
func (s *Section) Text(t string) *Section { return s.Bytes([]byte(t)) }

// UTF16 appends a string as UTF-16, without a length or terminator.
func (s *Section) UTF16(t string) *Section { return s.U16(utf16.Encode([]rune(t))...) }

// Zeros appends n zero bytes.
func (s *Section) Zeros(n int) *Section { return s.Bytes(make([]byte, n)) }

// Align appends zero bytes up to a multiple of n.
func (s *Section) Align(n int) *Section {
	for s.Here()%uint64(n) != 0 {
		s.data = append(s.data, 0)
	}
	return s
}

// Base returns the address of the first byte.
func (s *Section) Base() uint64 { return s.base }

// Here returns the address of the next byte.
func (s *Section) Here() uint64 { return s.base + uint64(len(s.data)) }

// Mark names the current address.
func (s *Section) Mark(label string) *Section {
	s.labels[label] = s.Here()
	return s
}

// Ref appends the address of a label, which may be marked later, as eight bytes.
func (s *Section) Ref(label string) *Section { return s.RefN(8, label) }

// Ref32 is Ref with four bytes.
func (s *Section) Ref32(label string) *Section { return s.RefN(4, label) }

// RefN is Ref with size bytes, 4 or 8.
func (s *Section) RefN(size int, label string) *Section {
	s.refs = append(s.refs, ref{len(s.data), size, label, ""})
	return s.Zeros(size)
}

// Dist32 appends the distance from one label to another as four bytes.
func (s *Section) Dist32(from, to string) *Section {
	s.refs = append(s.refs, ref{len(s.data), 4, to, from})
	return s.Zeros(4)
}

// Append appends another section's bytes, labels and references.
func (s *Section) Append(t *Section) *Section {
	delta := s.Here() - t.base
	for label, addr := range t.labels {
		s.labels[label] = addr + delta
	}
	for _, r := range t.refs {
		r.off += len(s.data)
		s.refs = append(s.refs, r)
	}
	return s.Bytes(t.data)
}

// Addr returns the address of a marked label, or 0.
func (s *Section) Addr(label string) uint64 { return s.labels[label] }

// Build returns the bytes. A label used but never marked fails the test.
func (s *Section) Build(t testing.TB) []byte {
	t.Helper()
	for _, r := range s.refs {
		v := s.find(t, r.label)
		if r.from != "" {
			v -= s.find(t, r.from)
		}
		if r.size == 4 {
			s.order.PutUint32(s.data[r.off:], uint32(v))
		} else {
			s.order.PutUint64(s.data[r.off:], v)
		}
	}
	return s.data
}

func (s *Section) find(t testing.TB, label string) uint64 {
	t.Helper()
	v, ok := s.labels[label]
	if !ok {
		t.Fatalf("asm: label %q is never marked", label)
	}
	return v
}

// ULEB returns numbers as unsigned LEB128 of the least length, as DWARF and Mach-O have them (DWARF 5,
// section 7.6 and appendix C).
func ULEB(values ...uint64) (out []byte) {
	for _, v := range values {
		for ; v >= 0x80; v >>= 7 {
			out = append(out, byte(v)|0x80)
		}
		out = append(out, byte(v))
	}
	return out
}

// SLEB returns numbers as signed LEB128 of the least length. The second highest bit of the last byte is the sign.
func SLEB(values ...int64) (out []byte) {
	for _, v := range values {
		for ; v < -0x40 || v >= 0x40; v >>= 7 {
			out = append(out, byte(v)|0x80)
		}
		out = append(out, byte(v)&0x7f)
	}
	return out
}
