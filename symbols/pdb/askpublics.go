package pdb

import (
	"encoding/binary"
	"slices"

	"crashglass/core/bin"
)

// A publicOrder is the order of public symbols by address, which is a part of the
// stream with their hash table. It is not read.
//
// Spec: https://llvm.org/docs/PDB/PublicStream.html, PSGSIHDR of microsoft-pdb's gsi.h.
type publicOrder struct {
	pages   *bin.Pager
	off     int64
	count   int64
	records *bin.Pager
}

// Sizes of the header of the stream, of that of the hash table behind it, and of a
// record of the latter.
const (
	publicsHeader = 28
	hashHeader    = 16
	hashRecord    = 8
)

// maxRecordsHeld bounds the pages of records of symbols that are kept: those of
// neighbours by address are all over the stream.
const maxRecordsHeld = 8 << 20

// open finds the order. The hash table must have as many symbols, and the symbols
// in places all over the order must be in it.
func (o *publicOrder) open(f *File) bool {
	if f.dbi.publics == noStream || f.dbi.symbols == noStream {
		return false
	}
	s, err := f.msf.stream(f.dbi.publics, "public symbols")
	if err != nil {
		return false
	}
	head, err := s.read(0, publicsHeader+hashHeader)
	if err != nil {
		return false
	}
	hash, order := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	listed := binary.LittleEndian.Uint32(head[publicsHeader+8:])
	o.off, o.count = publicsHeader+int64(hash), int64(order)/4
	if o.off+int64(order) > s.size || int64(listed)/hashRecord != o.count || o.count == 0 {
		return false
	}
	if f.records, err = f.msf.stream(f.dbi.symbols, "symbol records"); err != nil {
		return false
	}
	o.pages = bin.NewPager(s.what, s.source(), maxOrderHeld)
	o.records = bin.NewPager(f.records.what, f.records.source(), maxRecordsHeld)
	return ascend(o.count, o.at)
}

// at is where symbol n of the order is, as a section and an offset.
func (o *publicOrder) at(n int64) (uint64, bool) {
	at, ok := o.record(n)
	if !ok {
		return 0, false
	}
	head, err := o.records.Bytes(int64(at), 14)
	if err != nil || binary.LittleEndian.Uint16(head[2:]) != symPublic {
		return 0, false
	}
	return placeOf(binary.LittleEndian.Uint16(head[12:]), binary.LittleEndian.Uint32(head[8:])), true
}

// placeOf is a number that is larger for what is behind.
func placeOf(sect uint16, off uint32) uint64 { return uint64(sect)<<32 | uint64(off) }

// record is where the record of symbol n is.
func (o *publicOrder) record(n int64) (uint32, bool) {
	data, err := o.pages.Bytes(o.off+4*n, 4)
	if err != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data), true
}

// publicsAt are the public symbols at an internal address. The question is not
// certain where symbols near it are in no order, or too many are at one address.
func (a *asking) publicsAt(f *File, rva uint32) (out []public) {
	o := &a.publics
	sect := f.addr.sectionOf(rva)
	if sect == 0 {
		a.unsure = true
		return nil
	}
	want := placeOf(uint16(sect), rva-f.addr.sections[sect-1].start)
	low, high := int64(0), o.count // symbols from high on are at it, or behind
	for low < high {
		mid := (low + high) / 2
		v, ok := o.at(mid)
		if !ok {
			a.unsure = true
			return nil
		}
		if v < want {
			low = mid + 1
		} else {
			high = mid
		}
	}
	var last uint64
	for n := max(low-around, 0); n < o.count; n++ {
		v, ok := o.at(n)
		if !ok || v < last || len(out) > maxAliases {
			a.unsure = true
			return nil
		}
		last = v
		if at, _ := o.record(n); v == want {
			out = append(out, public{rva, at})
		} else if v > want && n >= low+around {
			break
		}
	}
	slices.SortFunc(out, func(a, b public) int { return int(int64(a.at) - int64(b.at)) })
	return out[:min(len(out), maxAliases)]
}
