package pdb

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// typeHashes locates the hashes of types: one for each, in the order of their numbers, as the
// number of a bucket.
//
// Spec: https://llvm.org/docs/PDB/TpiStream.html#the-tpi-hash-stream
type typeHashes struct {
	stream   int
	buckets  uint32
	at, size uint32

	read  bool
	first []uint32 // of each bucket, where its types begin in types
	types []uint32 // numbers, by bucket

	found map[string]typ // definitions, by kind and names
	work  *bin.Budget    // bytes of records that may be looked at
}

// hashWork bounds what looking for definitions costs: thousands of declarations
// may have the hash of a few long records.
const hashWork = 64 << 20

// defined is the definition of a class, union or enum that t may only declare; t itself if there is
// none. Compilers mostly refer to declarations, and only the definition has the size.
//
// Definitions have the hash of their name or, those inside of functions and
// others, of their decorated name: hashTypeRecord of LLVM's TpiHashing.cpp.
func (f *File) defined(t typ) typ {
	if !t.forward || f.types == nil {
		return t
	}
	h := &f.types.hashes
	key := fmt.Sprintf("%x %s\x00%s", t.kind, t.name, t.unique)
	d, ok := h.found[key]
	if !ok {
		d = f.findDefinition(t)
		if h.found == nil {
			h.found = map[string]typ{}
		}
		h.found[key] = d
	}
	return d
}

func (f *File) findDefinition(t typ) typ {
	for _, name := range []string{t.name, t.unique} {
		for _, number := range f.typesHashed(name) {
			r, err := f.types.find(number)
			if err != nil || !f.types.hashes.work.Spend(int64(len(r.data))) {
				continue
			}
			if d, err := parseTyp(r); err == nil && d.kind == t.kind && !d.forward && d.name == t.name && d.unique == t.unique {
				return d
			}
		}
	}
	return t
}

// maxSameHash bounds how many types with one hash are looked at.
const maxSameHash = 64

func (f *File) typesHashed(name string) []uint32 {
	h := &f.types.hashes
	if !h.read {
		h.read = true
		f.readHashes(h)
	}
	if h.first == nil || name == "" {
		return nil
	}
	bucket := hashName(name) % h.buckets
	list := h.types[h.first[bucket]:h.first[bucket+1]]
	return list[:min(len(list), maxSameHash)]
}

// maxBuckets is the most that there are: cchnV8 of microsoft-pdb's tpi.h is
// 0x3ffff, and the number never exceeds it.
const maxBuckets = 1 << 18

// readHashes sorts the types by their hashes.
func (f *File) readHashes(h *typeHashes) {
	if h.stream == noStream || h.buckets == 0 || h.buckets > maxBuckets {
		return
	}
	s, err := f.msf.stream(h.stream, "hashes of "+f.types.s.what)
	if err != nil {
		return // said when the places of types were read
	}
	data, err := s.read(int64(h.at), uint64(h.size))
	if err != nil {
		f.notes.error(err)
		return
	}
	n := min(len(data)/4, int(f.types.end-f.types.begin))
	bucketOf := func(i int) uint32 { return binary.LittleEndian.Uint32(data[4*i:]) % h.buckets }
	first := make([]uint32, h.buckets+1)
	for i := range n {
		first[bucketOf(i)+1]++
	}
	for i := range h.buckets {
		first[i+1] += first[i]
	}
	h.types = make([]uint32, n)
	for i := n - 1; i >= 0; i-- {
		b := bucketOf(i) + 1
		first[b]--
		h.types[first[b]] = f.types.begin + uint32(i)
	}
	h.first = append(first[1:], uint32(n))
}

// hashName is the hash of a name.
//
// Source: LHashPbCb of microsoft-pdb's misc.h; hashStringV1 of LLVM.
func hashName(name string) (h uint32) {
	b := []byte(name)
	for ; len(b) >= 4; b = b[4:] {
		h ^= binary.LittleEndian.Uint32(b)
	}
	if len(b) >= 2 {
		h ^= uint32(binary.LittleEndian.Uint16(b))
	}
	if len(b)%2 == 1 {
		h ^= uint32(b[len(b)-1])
	}
	h |= 0x2020_2020 // case does not count
	h ^= h >> 11
	return h ^ h>>16
}
