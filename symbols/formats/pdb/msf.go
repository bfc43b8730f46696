package pdb

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
)

// The signatures of the three formats that are called PDB.
const (
	magic7   = "Microsoft C/C++ MSF 7.00\r\n\x1aDS\x00\x00\x00"
	magic2   = "Microsoft C/C++ program database 2.00\r\n\x1aJG"
	magicNET = "BSJB"
)

// superSize is the part of the superblock that is always there: the magic,
// and six numbers. Block numbers of the block map follow.
const superSize = 52

// Sizes of a block. Microsoft writes 512 to 4096, and up to 8192 where
// /PDBPAGESIZE says so; lld up to 32768.
const (
	minBlock = 512
	maxBlock = 64 << 10
)

// nilSize is the size that the directory has for a stream that was deleted.
const nilSize = 0xffffffff

// An msf is the container of a PDB: a file of blocks, and streams that are
// lists of blocks.
//
// Two maps of free blocks alternate in it, at every block 1 and 2 of each interval of as many
// blocks as a block has bytes. They tell a writer which blocks are free. A reader needs neither:
// only the directory assigns blocks to streams, so damaged maps do not matter.
//
// Spec: https://llvm.org/docs/PDB/MsfFile.html, microsoft-pdb's PDB/msf/msf.cpp.
type msf struct {
	src       bin.Source
	blockSize int64
	blocks    uint32 // that the file has, and not more than the superblock says
	dir       *stream
	sizes     []uint32 // of each stream; nilSize for one that is not there
	lists     []int64  // where in the directory each stream's block numbers are
}

// openMSF reads the superblock and the sizes of the streams.
func openMSF(src bin.Source, notes *notes) (*msf, error) {
	head, err := src.ReadUpTo("superblock", 0, superSize+4)
	if err != nil {
		return nil, err
	}
	if err := recognise(head); err != nil {
		return nil, err
	}
	c := bin.NewCursor("superblock", 0, head)
	c.Skip(len(magic7))
	m := &msf{src: src}
	blockSize := c.U32()
	c.Skip(4) // which of the two maps of free blocks is in use
	count := c.U32()
	dirSize := c.U32()
	c.Skip(4)
	if blockSize < minBlock || blockSize > maxBlock || blockSize&(blockSize-1) != 0 {
		c.Fail("blocks of %d bytes, want a power of two from %d to %d", blockSize, minBlock, maxBlock)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	m.blockSize = int64(blockSize)
	have := uint64(src.Size()+m.blockSize-1) / uint64(blockSize)
	if uint64(count)*uint64(blockSize) > uint64(src.Size()) {
		notes.add("superblock at 0x28: %d blocks of %d bytes, the file has %d bytes: it is cut short", count, blockSize, src.Size())
	}
	m.blocks = uint32(min(uint64(count), have))
	if err := m.openDirectory(dirSize); err != nil {
		return nil, err
	}
	return m, m.readSizes(notes)
}

// recognise identifies a file that cannot be read here.
func recognise(head []byte) error {
	fail := func(why string) error { return &bin.Error{What: "file", Why: why} }
	switch {
	case bytes.HasPrefix(head, []byte(magic7)):
		return nil
	case bytes.HasPrefix(head, []byte(magic2[:20])):
		return fail("a PDB of format 2.00, which Visual Studio wrote until 2001; only format 7.00 can be read")
	case bytes.HasPrefix(head, []byte(magicNET)):
		return fail("a portable PDB: it describes .NET code, which has no native addresses")
	}
	return fail("not a PDB: the first bytes are not those of an MSF file")
}

// openDirectory finds the blocks of the directory. Their numbers are in the
// blocks of the block map, and the numbers of those follow the superblock.
// LLVM's reader and writer know one such number, and take the map's blocks to
// be adjacent where there are several; in its files zeros follow.
func (m *msf) openDirectory(size uint32) error {
	if int64(size) > int64(m.blocks)*m.blockSize {
		return &bin.Error{What: "superblock", Off: 0x2c, Why: fmt.Sprintf("a directory of %d bytes, the file has %d", size, m.src.Size())}
	}
	dirBlocks := m.blocksFor(size)
	mapBlocks := m.blocksFor(dirBlocks * 4)
	raw, err := m.src.ReadUpTo("superblock", superSize, uint64(mapBlocks)*4)
	if err != nil {
		return err
	}
	c := bin.NewCursor("superblock", superSize, raw)
	blockMap := &stream{m: m, what: "block map", size: int64(dirBlocks) * 4}
	for i := range mapBlocks {
		at := c.U32()
		if i > 0 && at == 0 {
			at = blockMap.blocks[i-1] + 1
		}
		blockMap.blocks = append(blockMap.blocks, at)
	}
	if err := c.Err(); err != nil {
		return err
	}
	m.dir = &stream{m: m, what: "directory", size: int64(size)}
	m.dir.blocks, err = blockMap.u32s(0, int(dirBlocks))
	return err
}

func (m *msf) blocksFor(n uint32) uint32 {
	return uint32((int64(n) + m.blockSize - 1) / m.blockSize)
}

// readSizes reads the first part of the directory: how many streams there
// are, and their sizes. Where each list of blocks begins follows from them.
func (m *msf) readSizes(notes *notes) error {
	count, err := m.dir.u32s(0, 1)
	if err != nil {
		return err
	}
	n := int64(count[0])
	if n > (m.dir.size-4)/4 {
		return &bin.Error{What: "directory", Off: 0, Why: fmt.Sprintf("%d streams, but it has %d bytes", n, m.dir.size)}
	}
	if m.sizes, err = m.dir.u32s(4, int(n)); err != nil {
		return err
	}
	m.lists = make([]int64, n)
	at, total := 4+4*n, int64(0)
	for i, size := range m.sizes {
		if size == nilSize {
			continue
		}
		blocks := int64(m.blocksFor(size))
		m.lists[i] = at
		at, total = at+4*blocks, total+blocks
		// No two streams share a block, so more blocks than the file has are an error. Otherwise a
		// small file could pretend to be a large one.
		if total > int64(m.blocks) || at > m.dir.size {
			notes.add("directory at %#x: stream %d has %d bytes: with it the streams take %d blocks, the file has %d, "+
				"and %d bytes of directory, which has %d; this stream and those after it are left out",
				4+4*i, i, size, total, m.blocks, at, m.dir.size)
			m.sizes, m.lists = m.sizes[:i], m.lists[:i]
			break
		}
	}
	return nil
}

// stream returns stream i. One that the directory does not have is empty.
func (m *msf) stream(i int, what string) (*stream, error) {
	s := &stream{m: m, what: fmt.Sprintf("stream %d (%s)", i, what)}
	if i < 0 || i >= len(m.sizes) || m.sizes[i] == nilSize {
		return s, &bin.Error{What: s.what, Why: fmt.Sprintf("is not there: the directory has %d streams", len(m.sizes))}
	}
	blocks, err := m.dir.u32s(m.lists[i], int(m.blocksFor(m.sizes[i])))
	if err != nil {
		return s, err
	}
	s.size, s.blocks = int64(m.sizes[i]), blocks
	return s, nil
}

func (m *msf) has(i int) bool { return i >= 0 && i < len(m.sizes) && m.sizes[i] != nilSize }
