// Package minidump reads the container that MiniDumpWriteDump, Breakpad,
// Crashpad and LLDB write: a header, a directory, and some fifty kinds of
// stream.
//
// Opening a file checks the header and the directory only. A stream is parsed on demand, and a
// damaged stream costs only that stream: dumps are written by dying processes, and half a dump is
// the normal case. A method that returns a list returns the readable entries together with the
// error, so a truncated list still yields its first entries. A method that returns a pointer
// returns nil only when the stream is absent.
//
//	f, err := minidump.Open(src)
//	if err != nil {
//		return err // not a minidump at all
//	}
//	threads, err := f.Threads()
//	if errors.Is(err, minidump.ErrNoStream) {
//		// fine: say so in the report and go on
//	}
//
// A File reads only on demand, and never allocates by a number in the file: memory grows with the
// bytes that are there. Several goroutines may use a File at once.
//
// The streams are not interpreted. Package unwind walks stacks, and package crash finds the cause.
//
// Read this file first, then directory.go, section.go and text.go, with which every stream is read;
// registry.go lists the streams. threads.go, modules.go, exception.go, sysinfo.go and
// memorylist.go are the streams that stacks need, context.go the registers, ownstreams.go the streams that Crashglass writes. Most other streams have a
// file of their own. process.go fills a [process.Process] from all of them. meanings.go has names for numbers, fields.go the layout
// that a page shows. Package write writes dumps, and package format has the sizes, signatures and
// tables that both share.
package minidump

import (
	"encoding/binary"
	"errors"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// ErrNoStream is returned when the directory does not list a stream. It is not
// a defect of the file; test for it with [errors.Is].
var ErrNoStream = errors.New("no such stream")

// A File is an open minidump.
type File struct {
	pages   *process.Pager
	src     bin.Source // the same as a source
	order   binary.ByteOrder
	header  Header
	streams []Stream
	used    map[StreamType]int // entries of streams that are read
	damage  damage
	removed process.Removed // parts of the file without their data

	trace  *bin.Trace // of the traced stream; nil except in the copies of Fields
	traced StreamType
}

// Header is MINIDUMP_HEADER.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_header
type Header struct {
	Signature uint32 // "MDMP" as a number, whatever the byte order
	Version   uint32
	Streams   uint32   // entries that the directory should have
	Directory uint32   // its file offset
	Checksum  uint32   // no known writer sets it
	Time      UnixTime // 0 when unknown
	Flags     DumpType
	BigEndian bool // not in the file: the byte order by the signature
}

// Open checks a minidump's header and directory. It fails when the file is not
// a minidump, or when not one entry of its directory can be read.
func Open(src bin.Source) (*File, error) {
	f := &File{pages: process.NewPager(src), order: binary.LittleEndian}
	f.src = bin.NewSource(f.pages, src.Size())
	if err := f.readHeader(); err != nil {
		return nil, fmt.Errorf("minidump: %w", err)
	}
	if err := f.readDirectory(); err != nil {
		return nil, fmt.Errorf("minidump: %w", err)
	}
	parts, _ := f.RemovedData() // checkRest notes the error
	f.removed = process.NewRemoved(parts)
	return f, nil
}

func (f *File) readHeader() error {
	data, err := f.src.Read("header", 0, min(format.HeaderSize, uint64(f.src.Size())))
	if err != nil {
		return err
	}
	if err := f.checkSignature(data); err != nil {
		return err
	}
	c := bin.NewOrderedCursor("header", 0, data, f.order)
	f.header = Header{
		Signature: c.U32(), Version: c.U32(), Streams: c.U32(), Directory: c.U32(),
		Checksum: c.U32(), Time: UnixTime(c.U32()), Flags: DumpType(c.U64()),
		BigEndian: f.order == binary.BigEndian,
	}
	if f.header.Version&0xffff != format.Version && c.Err() == nil {
		// rust-minidump and Breakpad refuse such a file. The rest of it is better evidence than two
		// bytes that nothing depends on.
		f.damage.add(&bin.Error{What: "header", Off: 4, Why: fmt.Sprintf("version %#x is not %#x", f.header.Version&0xffff, format.Version)})
	}
	return c.Err()
}

// checkSignature sets the byte order.
func (f *File) checkSignature(data []byte) error {
	c := bin.NewCursor("header", 0, data)
	switch sig := c.U32(); {
	case c.Err() != nil || sig == format.Signature:
		return c.Err()
	case sig == format.SignatureSwapped:
		f.order = binary.BigEndian
		return nil
	default:
		return &bin.Error{What: "header", Off: 0, Why: fmt.Sprintf("signature %#08x is not MDMP", sig)}
	}
}

// Header returns the file's header.
func (f *File) Header() Header { return f.header }

// Order returns the byte order of the dump and of its process.
func (f *File) Order() binary.ByteOrder { return f.order }

// Size returns the file's size in bytes.
func (f *File) Size() int64 { return f.src.Size() }

// Damage returns the defects of the header and the directory, or nil.
func (f *File) Damage() error { return f.damage.err() }

// A Location is a range of the file that has not been checked against it:
// MINIDUMP_LOCATION_DESCRIPTOR and its 64-bit variant.
type Location = process.Location

// location reads a MINIDUMP_LOCATION_DESCRIPTOR.
func location(c *bin.Cursor) Location {
	size := c.U32()
	return Location{RVA: uint64(c.U32()), Size: uint64(size)}
}

// offset converts an RVA to a file offset. One that no file can have becomes negative, which
// bin.Source refuses.
func offset(rva uint64) int64 { return int64(rva) }
