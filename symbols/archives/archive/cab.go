package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"crashglass/core/base/bin"
)

// Records of a cabinet file: [MS-CAB], Microsoft's "Cabinet File Format".
const (
	cabHeader   = 36     // CFHEADER, 2.1, without what is optional
	cabFolderAt = 8      // CFFOLDER, 2.2, without what is reserved
	cabFileSize = 16     // CFFILE, 2.3, without the name
	maxCabName  = 256    // of a CFFILE, with the zero that ends it
	hasPrevious = 1 << 0 // flags of CFHEADER: the cabinet before is named
	hasNext     = 1 << 1 // the cabinet after is named
	hasReserved = 1 << 2 // sizes of reserved areas are given
	elsewhere   = 0xfffd // iFolder from here on: the file is in another cabinet, too
	isUTF8      = 1 << 7 // attribs of CFFILE: what the name is written in
)

// A cabinet is one file of a set of at least one.
type cabinet struct {
	src     bin.Source
	folders []*cabFolder
	reserve int // bytes between the header of a block and its data
}

// A cabFolder is data that was compressed as a whole and is divided into files. It is decompressed
// completely for the first requested file, because every file depends on all data before it.
type cabFolder struct {
	at      int64
	blocks  int
	method  cabMethod
	window  int // bits, of LZX
	reserve int

	mu   sync.Mutex
	done bool
	mem  *unpacked
	err  error
}

// A cabMethod is the low four bits of typeCompress.
type cabMethod uint16

const (
	cabStored cabMethod = iota
	cabMSZIP
	cabQuantum
	cabLZX
)

// check says why a method cannot be read.
func (m cabMethod) check() error {
	switch m {
	case cabStored, cabMSZIP, cabLZX:
		return nil
	case cabQuantum:
		return errors.New("it is compressed with Quantum, which is not read here: unpack it with expand or cabextract")
	}
	return fmt.Errorf("compression method %d is unknown", m)
}

// A cabinet whose folders are all compressed in an unknown way is refused at once.
func listCab(src bin.Source, budget *Budget) ([]Member, error) {
	c := &cabinet{src: src}
	files, count, err := c.header()
	if err != nil {
		return nil, fmt.Errorf("archive: cabinet: %w", err)
	}
	var refused error
	for _, f := range c.folders {
		if refused = f.method.check(); refused == nil {
			break
		}
	}
	if refused != nil {
		return nil, fmt.Errorf("archive: cabinet: %w", refused)
	}
	data, err := src.ReadUpTo("list of files", files, uint64(count)*(cabFileSize+maxCabName))
	if err != nil && count > 0 {
		return nil, fmt.Errorf("archive: cabinet: %w", err)
	}
	var out []Member
	for cur := bin.NewCursor("list of files", files, data); len(out) < count && cur.Len() > cabFileSize; {
		if err := budget.member("cabinet"); err != nil {
			return out, beyond(err, count-len(out))
		}
		out = append(out, c.file(cur, budget))
		if cur.Err() != nil {
			return out[:len(out)-1], nil // the files before it are good
		}
	}
	return out, nil
}

// header reads CFHEADER and every CFFOLDER, and returns where the files are
// listed and how many there are.
func (c *cabinet) header() (files int64, count int, err error) {
	// The optional fields are 4 bytes, up to 64 KiB of reserved data, and four strings.
	head, err := c.src.ReadUpTo("header", 0, cabHeader+4+1<<16+4*maxCabName)
	if err != nil {
		return 0, 0, err
	}
	cur := bin.NewCursor("header", 0, head)
	cur.Skip(16)
	files = int64(cur.U32())
	cur.Skip(6)
	folders, count, flags := int(cur.U16()), int(cur.U16()), cur.U16()
	cur.Skip(4) // the set's number, and the cabinet's in it
	inFolder := 0
	if flags&hasReserved != 0 {
		own := int(cur.U16())
		inFolder, c.reserve = int(cur.U8()), int(cur.U8())
		cur.Skip(own)
	}
	for _, flag := range []uint16{hasPrevious, hasNext} {
		if flags&flag != 0 { // the name of a file, and of its disk
			cabString(cur)
			cabString(cur)
		}
	}
	if cur.Err() != nil {
		return 0, 0, cur.Err()
	}
	return files, count, c.readFolders(cur.Offset(), folders, inFolder)
}

// readFolders reads count folders, or as many as there are.
func (c *cabinet) readFolders(at int64, count, reserve int) error {
	if count == 0 {
		return nil
	}
	data, err := c.src.ReadUpTo("list of folders", at, uint64(count*(cabFolderAt+reserve)))
	if err != nil {
		return err
	}
	for cur := bin.NewCursor("list of folders", at, data); len(c.folders) < count; {
		f := &cabFolder{at: int64(cur.U32()), blocks: int(cur.U16()), reserve: c.reserve}
		compress := cur.U16()
		f.method, f.window = cabMethod(compress&0xf), int(compress>>8&0x1f)
		cur.Skip(reserve)
		if cur.Err() != nil {
			break
		}
		c.folders = append(c.folders, f)
	}
	return nil
}

// cabString reads up to a zero.
func cabString(cur *bin.Cursor) string {
	var b []byte
	for c := cur.U8(); c != 0; c = cur.U8() {
		if b = append(b, c); len(b) >= maxCabName {
			cur.Fail("name exceeds %d bytes", maxCabName)
		}
	}
	return string(b)
}

// file reads one CFFILE.
func (c *cabinet) file(cur *bin.Cursor, budget *Budget) Member {
	size, off, folder := int64(cur.U32()), int64(cur.U32()), int(cur.U16())
	cur.Skip(4) // date and time
	attributes := cur.U16()
	name := cabString(cur)
	if attributes&isUTF8 == 0 {
		// The code page is that of the writer, and is not recorded. Characters outside of ASCII are
		// lost; the name is only a label.
		name = strings.Map(func(r rune) rune {
			if r >= 0x80 {
				return '\ufffd'
			}
			return r
		}, name)
	}
	m := Member{Name: clean(name), Size: size, in: Cab, packed: c.src.Size(), budget: budget}
	m.data = func() (*bin.Source, io.Reader, error) {
		if folder >= elsewhere {
			return nil, nil, errors.New("it goes on in another cabinet of the set: unpack all of them together with expand or cabextract")
		}
		if folder >= len(c.folders) {
			return nil, nil, fmt.Errorf("folder %d is not among the %d there are", folder, len(c.folders))
		}
		s, err := c.folders[folder].cut(c.src, m.Name, off, size, budget)
		return s, nil, err
	}
	return m
}

// If the folder is damaged, it returns the file's bytes before the damage, and the error.
func (f *cabFolder) cut(src bin.Source, name string, off, size int64, budget *Budget) (*bin.Source, error) {
	if err := f.load(src, name, budget); err != nil {
		return nil, err
	}
	all := bin.NewSource(f.mem, f.mem.size)
	if off+size <= f.mem.size {
		return section(all, off, size), nil
	}
	err := f.err
	if err == nil {
		err = fmt.Errorf("its data end at %#x, beyond the %#x that its folder has", off+size, f.mem.size)
	}
	if off >= f.mem.size {
		return nil, err
	}
	return section(all, off, f.mem.size-off), err
}

// load decompresses the folder once. If it was stopped it fails and may be called again; any other
// defect is kept in f.err.
func (f *cabFolder) load(src bin.Source, name string, budget *Budget) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return nil
	}
	if err := f.method.check(); err != nil {
		return err
	}
	packed := max(src.Size()-f.at, 0)
	if err := budget.effort(reusedWork + maxCabBlock); err != nil { // a damaged block makes no output
		return err
	}
	blocks := cabReaders.Get().(*cabBlocks)
	defer cabReaders.Put(blocks)
	if err := blocks.reset(input{io.NewSectionReader(src, min(f.at, src.Size()), packed), budget}, f); err != nil {
		return err
	}
	mem, err := budget.read(name, blocks, packed)
	if errors.As(err, &stopped{}) {
		return err
	}
	f.mem, f.err, f.done = mem, err, true
	return nil
}

// isCab knows a cabinet by its signature and the reserved field behind it.
func isCab(head []byte) bool { return bytes.HasPrefix(head, []byte("MSCF\x00\x00\x00\x00")) }
