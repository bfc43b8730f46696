package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"crashglass/symbols/archives/lzx"
)

// Blocks of a cabinet's folder: CFDATA, [MS-CAB] 2.4.
const (
	cabBlockHead = 8
	maxCabBlock  = 32 << 10 // of what comes out
)

// cabBlocks reads the blocks of a folder, one after another.
type cabBlocks struct {
	r       *bufio.Reader
	left    int
	reserve int
	method  cabMethod

	lzx     lzx.Decoder
	inflate inflater
	history []byte // of MSZIP: the decompressed bytes to which the next block may refer
	buf     []byte // as it is in the file
	out     [maxCabBlock]byte
	unread  []byte // in out
}

// cabReaders are those that no folder uses. Each takes up to 2 MiB, and a cabinet may have thousands
// of folders.
var cabReaders = sync.Pool{New: func() any {
	return &cabBlocks{r: bufio.NewReaderSize(nil, maxBuffer), inflate: inflaters.Get().(inflater)}
}}

func (c *cabBlocks) reset(r io.Reader, f *cabFolder) error {
	c.r.Reset(r)
	c.left, c.reserve, c.method, c.history, c.unread = f.blocks, f.reserve, f.method, c.history[:0], nil
	if f.method == cabLZX {
		return c.lzx.Reset(f.window)
	}
	return nil
}

func (c *cabBlocks) Read(p []byte) (int, error) {
	for len(c.unread) == 0 {
		if c.left == 0 {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			return 0, unexpectedEnd(err)
		}
		c.left--
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

// unexpectedEnd turns the end of a file inside of a block into an error.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (c *cabBlocks) next() error {
	var head [cabBlockHead]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return err
	}
	if _, err := c.r.Discard(c.reserve); err != nil {
		return err
	}
	sum := binary.LittleEndian.Uint32(head[:])
	packed, size := int(binary.LittleEndian.Uint16(head[4:])), int(binary.LittleEndian.Uint16(head[6:]))
	switch {
	case size == 0:
		return errors.New("a block goes on in another cabinet of the set: unpack all of them together with expand or cabextract")
	case size > maxCabBlock:
		return fmt.Errorf("block of %d bytes exceeds %d", size, maxCabBlock)
	}
	c.buf = append(c.buf[:0], make([]byte, packed)...)
	if _, err := io.ReadFull(c.r, c.buf); err != nil {
		return err
	}
	// A checksum of 0 means none. The document does not say whether it covers the reserved bytes;
	// cabextract excludes them.
	if have := cabSum(head[4:], cabSum(c.buf, 0)); sum != 0 && c.reserve == 0 && sum != have {
		return fmt.Errorf("checksum of a block is %#08x, want %#08x", have, sum)
	}
	switch c.method {
	case cabStored:
		if packed != size {
			return fmt.Errorf("stored block of %d bytes is to become %d", packed, size)
		}
		c.unread = c.out[:copy(c.out[:], c.buf)]
		return nil
	case cabLZX:
		if err := c.lzx.Frame(c.out[:size], c.buf); err != nil {
			return err
		}
		c.unread = c.out[:size]
		return nil
	}
	return c.mszip(size)
}

// mszip reads a block of [MS-MCI] 2.1: "CK" and a deflate stream, which may
// refer to the 32 KiB before it.
func (c *cabBlocks) mszip(size int) error {
	deflated, ok := bytes.CutPrefix(c.buf, []byte("CK"))
	if !ok {
		return fmt.Errorf("an MSZIP block begins with %q, want %q", c.buf[:min(2, len(c.buf))], "CK")
	}
	if err := c.inflate.Reset(bytes.NewReader(deflated), c.history); err != nil {
		return err
	}
	if _, err := io.ReadFull(c.inflate, c.out[:size]); err != nil {
		return err
	}
	c.unread = c.out[:size]
	c.history = append(c.history, c.unread...)
	if extra := len(c.history) - maxCabBlock; extra > 0 {
		c.history = c.history[:copy(c.history, c.history[extra:])]
	}
	return nil
}

// cabSum is the checksum of [MS-CAB] 3.1: words combined by exclusive or. The
// last one to three bytes go in in the order of a big-endian machine.
func cabSum(b []byte, sum uint32) uint32 {
	for ; len(b) >= 4; b = b[4:] {
		sum ^= binary.LittleEndian.Uint32(b)
	}
	last := uint32(0)
	for _, c := range b {
		last = last<<8 | uint32(c)
	}
	return sum ^ last
}
