package pdb

import (
	"encoding/binary"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/symbols/search"
)

// A publicList is the order of public symbols by address, which is a part of the
// stream with their hash table.
//
// Spec: https://llvm.org/docs/PDB/PublicStream.html, PSGSIHDR of microsoft-pdb's gsi.h.
type publicList struct {
	search.List
	pages   *bin.Pager
	off     int64
	records *bin.Pager
}

// Sizes of the header of the stream, of that of the hash table behind it, and of a
// record of the latter.
const (
	publicsHeader = 28
	hashHeader    = 16
	hashRecord    = 8
)

// maxRecordPages bounds the pages of records of symbols that are kept: those of
// neighbours by address are all over the stream.
const maxRecordPages = 8 << 20

// open finds the order. The hash table must have as many symbols, and the symbols
// in places all over the order must be in it.
func (o *publicList) open(f *File) bool {
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
	o.off, o.List = publicsHeader+int64(hash), search.List{Count: int64(order) / 4, Number: o.at}
	if o.off+int64(order) > s.size || int64(listed)/hashRecord != o.Count || o.Count == 0 {
		return false
	}
	if f.records, err = f.msf.stream(f.dbi.symbols, "symbol records"); err != nil {
		return false
	}
	o.pages = bin.NewPager(s.what, s.source(), maxListPages)
	o.records = bin.NewPager(f.records.what, f.records.source(), maxRecordPages)
	return o.Ascends()
}

// at is where symbol n of the order is, as a section and an offset.
func (o *publicList) at(n int64) (uint64, bool) {
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

func (o *publicList) record(n int64) (uint32, bool) {
	data, err := o.pages.Bytes(o.off+4*n, 4)
	if err != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data), true
}

// searchPublics are the public symbols at an internal address. The query is not
// certain where symbols near it are in no order, or too many are at one address.
func (f *File) searchPublics(rva uint32) (out []public) {
	out, ok := f.searched.publics.named(f, rva)
	if !ok {
		f.state.Doubt()
	}
	return out
}

// named returns the symbols at an address, and reports whether they are certain.
func (o *publicList) named(f *File, rva uint32) (out []public, ok bool) {
	sect := f.addr.sectionOf(rva)
	if sect == 0 {
		return nil, false
	}
	want := placeOf(uint16(sect), rva-f.addr.sections[sect-1].start)
	first, ok := o.From(want)
	if !ok {
		return nil, false
	}
	var last uint64
	for n := max(first-around, 0); n < o.Count; n++ {
		v, ok := o.at(n)
		if !ok || v < last || len(out) > maxAliases {
			return nil, false
		}
		last = v
		if at, _ := o.record(n); v == want {
			out = append(out, public{rva, at})
		} else if v > want && n >= first+around {
			break
		}
	}
	slices.SortFunc(out, func(a, b public) int { return int(int64(a.at) - int64(b.at)) })
	return out[:min(len(out), maxAliases)], true
}
