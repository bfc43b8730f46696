package decompress

import (
	"encoding/binary"
	"math/bits"
)

// An xxh32 is the checksum of LZ4's frames, with a seed of 0, over what was
// written.
//
// Spec: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
type xxh32 struct {
	lanes [4]uint32
	tail  []byte // fewer than 16 bytes
	size  uint64 // a core may have more than 4 GiB
}

const (
	prime1 = 0x9e37_79b1
	prime2 = 0x85eb_ca77
	prime3 = 0xc2b2_ae3d
	prime4 = 0x27d4_eb2f
	prime5 = 0x1656_67b1

	// The first lanes are sums that wrap around.
	lane0 = (prime1 + prime2) & 0xffff_ffff
	lane3 = 1<<32 - prime1
)

func sum32(data []byte) uint32 {
	var x xxh32
	x.write(data)
	return x.sum()
}

func (x *xxh32) write(p []byte) {
	if x.size == 0 && len(x.tail) == 0 {
		x.lanes = [4]uint32{lane0, prime2, 0, lane3}
	}
	x.size += uint64(len(p))
	if len(x.tail) > 0 {
		n := min(16-len(x.tail), len(p))
		x.tail, p = append(x.tail, p[:n]...), p[n:]
		if len(x.tail) < 16 {
			return
		}
		x.stripe(x.tail)
		x.tail = x.tail[:0]
	}
	for ; len(p) >= 16; p = p[16:] {
		x.stripe(p)
	}
	x.tail = append(x.tail, p...)
}

func (x *xxh32) stripe(p []byte) {
	for i := range x.lanes {
		v := x.lanes[i] + binary.LittleEndian.Uint32(p[4*i:])*prime2
		x.lanes[i] = bits.RotateLeft32(v, 13) * prime1
	}
}

func (x *xxh32) sum() uint32 {
	h := uint32(prime5)
	if x.size >= 16 {
		h = bits.RotateLeft32(x.lanes[0], 1) + bits.RotateLeft32(x.lanes[1], 7) + bits.RotateLeft32(x.lanes[2], 12) + bits.RotateLeft32(x.lanes[3], 18)
	}
	h += uint32(x.size)
	p := x.tail
	for ; len(p) >= 4; p = p[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(p)*prime3, 17) * prime4
	}
	for _, b := range p {
		h = bits.RotateLeft32(h+uint32(b)*prime5, 11) * prime1
	}
	h = (h ^ h>>15) * prime2
	h = (h ^ h>>13) * prime3
	return h ^ h>>16
}
