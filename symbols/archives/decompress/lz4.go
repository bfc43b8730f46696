package decompress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// Values of a frame of LZ4.
const (
	lz4Magic     = 0x184d_2204
	lz4Skippable = 0x184d_2a50 // to 0x184d2a5f: a size and data of other programs

	lz4Stored        = 1 << 31 // of a block's size: it is not compressed
	lz4BlockChecksum = 1 << 4  // of FLG
	lz4ContentSize   = 1 << 3
	lz4Checksum      = 1 << 2
	lz4Dictionary    = 1 << 0

	lz4Window   = 64 << 10
	lz4MaxBlock = 4 << 20
)

// unpackLZ4 reads frames of LZ4, as systemd-coredump stores cores.
//
// Spec: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and
// lz4_Block_format.md.
func unpackLZ4(r io.Reader) (io.Reader, error) {
	z := &lz4Reader{r: r}
	if err := z.frame(); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return z, nil
}

type lz4Reader struct {
	r      io.Reader
	flags  byte
	max    int    // the longest block of the frame
	packed []byte // of one block
	data   []byte // the window, and behind it what the last block became
	ready  []byte // what is left of that
	sum    xxh32  // of the content
	err    error
}

// Read implements io.Reader.
func (z *lz4Reader) Read(p []byte) (int, error) {
	for len(z.ready) == 0 && z.err == nil {
		z.err = z.block()
	}
	if len(z.ready) == 0 {
		return 0, z.err
	}
	n := copy(p, z.ready)
	z.ready = z.ready[n:]
	return n, nil
}

// frame reads the header of a frame; io.EOF says that there is none.
func (z *lz4Reader) frame() error {
	for {
		magic, err := z.u32()
		switch {
		case err != nil:
			return err
		case magic&^0xf == lz4Skippable:
			size, err := z.u32()
			if err != nil {
				return io.ErrUnexpectedEOF
			}
			if n, _ := io.CopyN(io.Discard, z.r, int64(size)); n < int64(size) {
				return io.ErrUnexpectedEOF
			}
			continue
		case magic != lz4Magic:
			return fmt.Errorf("lz4: magic %#x is not %#x", magic, lz4Magic)
		}
		return z.descriptor()
	}
}

func (z *lz4Reader) descriptor() error {
	var head [2]byte
	if _, err := io.ReadFull(z.r, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	z.flags = head[0]
	size := head[1] >> 4 & 7
	switch {
	case z.flags>>6 != 1:
		return fmt.Errorf("lz4: version %d of a frame is not 1", z.flags>>6)
	case size < 4:
		return fmt.Errorf("lz4: block size %d is not one of 4 to 7", size)
	case z.flags&lz4Dictionary != 0:
		return errors.New("lz4: a frame with a dictionary cannot be read without it")
	}
	z.max = 1 << (8 + 2*int(size))
	rest := 1 // checksum of the header
	if z.flags&lz4ContentSize != 0 {
		rest += 8
	}
	var skip [9]byte
	if _, err := io.ReadFull(z.r, skip[:rest]); err != nil {
		return io.ErrUnexpectedEOF
	}
	z.sum, z.data = xxh32{}, z.data[:0]
	return nil
}

// block reads the next block, or the end of a frame and the beginning of the next.
func (z *lz4Reader) block() error {
	size, err := z.u32()
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	if size == 0 {
		return z.end()
	}
	n := int(size &^ lz4Stored)
	if n > z.max {
		return fmt.Errorf("lz4: block of %d bytes exceeds the %d of the frame", n, z.max)
	}
	if z.packed, err = readBlock(z.r, z.packed[:0], n); err != nil {
		return io.ErrUnexpectedEOF
	}
	if z.flags&lz4BlockChecksum != 0 {
		if err := z.check(sum32(z.packed), "block"); err != nil {
			return err
		}
	}
	return z.unpack(size&lz4Stored != 0)
}

// A wrong size cannot cause a large allocation: a block has at most 4 MiB.
func readBlock(r io.Reader, into []byte, n int) ([]byte, error) {
	if cap(into) < n {
		into = make([]byte, 0, min(n, lz4MaxBlock))
	}
	into = into[:n]
	_, err := io.ReadFull(r, into)
	return into, err
}

// unpack decompresses the block. It keeps the last 64 KiB before it, because the block may refer to
// them.
func (z *lz4Reader) unpack(stored bool) error {
	if keep := len(z.data) - lz4Window; keep > 0 {
		z.data = append(z.data[:0], z.data[keep:]...)
	}
	start := len(z.data)
	if stored {
		z.data = append(z.data, z.packed...)
	} else {
		var err error
		if z.data, err = lz4Block(z.data, z.packed, start+z.max); err != nil {
			return err
		}
	}
	z.ready = z.data[start:]
	if z.flags&lz4Checksum != 0 {
		z.sum.write(z.ready)
	}
	return nil
}

// end checks the content of a frame, and continues with the next one.
func (z *lz4Reader) end() error {
	if z.flags&lz4Checksum != 0 {
		if err := z.check(z.sum.sum(), "content"); err != nil {
			return err
		}
	}
	return z.frame()
}

func (z *lz4Reader) check(have uint32, what string) error {
	want, err := z.u32()
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	if have != want {
		return fmt.Errorf("lz4: checksum of the %s is %#08x, not %#08x", what, have, want)
	}
	return nil
}

func (z *lz4Reader) u32() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(z.r, b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b[:]), nil
}

var errLz4 = errors.New("lz4: a block is damaged")

// lz4Block appends the decompressed block: sequences of literals, each with a match of earlier
// bytes. The last sequence has no match.
func lz4Block(out, in []byte, limit int) ([]byte, error) {
	for len(in) > 0 {
		token := in[0]
		literals, rest, ok := lz4Length(int(token>>4), in[1:])
		if !ok || literals > len(rest) || literals > limit-len(out) {
			return out, errLz4
		}
		out, in = append(out, rest[:literals]...), rest[literals:]
		if len(in) == 0 {
			return out, nil
		}
		if len(in) < 2 {
			return out, errLz4
		}
		offset := int(binary.LittleEndian.Uint16(in))
		match, rest, ok := lz4Length(int(token&15), in[2:])
		match += 4
		if !ok || offset == 0 || offset > len(out) || match > limit-len(out) {
			return out, errLz4
		}
		out, in = lz4Match(out, offset, match), rest
	}
	return out, nil
}

// lz4Length reads a length. 15 means that a byte is added, and each byte of 255 that another one is.
func lz4Length(n int, in []byte) (int, []byte, bool) {
	if n < 15 {
		return n, in, true
	}
	for i, b := range in {
		n += int(b)
		if b < 255 {
			return n, in[i+1:], true
		}
	}
	return 0, nil, false
}

// lz4Match appends n bytes that begin so far back. The match may overlap its copy: a run of one
// byte is a match of offset 1.
func lz4Match(out []byte, offset, n int) []byte {
	for n > 0 {
		from := len(out) - offset
		part := min(n, offset)
		out = append(out, out[from:from+part]...)
		n -= part
	}
	return out
}

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
