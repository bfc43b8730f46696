// Package write writes minidumps: package sanitize writes dumps with less data in them, and [Whole] and
// [Stacks] write a process that was read from another kind of file.
//
//	w := write.New(minidump.Header{Time: now})
//	w.SystemInfo(&sys)
//	thread.Context = w.Put(context)
//	w.Threads([]minidump.Thread{thread})
//	data, err := w.Bytes()
//
// Each method writes one stream, from the type that package minidump reads it into. The tests have writers of the
// streams that no program writes, and write and read each stream.
//
// Values may come from a damaged dump, and may contradict each other: they are written unchanged.
// A list or text that its record has no room for is truncated, as the method says. Only Bytes can
// fail, for a file that is longer than offsets of 32 bits reach. The package reads nothing and
// decides nothing: the caller chooses the streams, and writes the parts that they point to first.
//
// Layouts are those of package minidump, with the same sources; package format has the numbers that
// both use.
//
// Read this file first: it lays out a file. streams.go has the streams that stacks need and those of Breakpad and Crashpad,
// lists.go the other lists of Windows, and misc.go numbers. process.go writes a process, and needed.go chooses its memory.
package write

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf16"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// A Writer lays out a minidump in memory: streams, the parts that they point to, and the directory
// at the end.
//
// The parts that a stream points to are put into the file first, and Put returns their location.
// Streams are written unchanged: [minidump.File] reads from the result what was written.
type Writer struct {
	header  minidump.Header
	order   appendOrder
	data    []byte // the file so far; the header is filled in at the end
	streams []minidump.Stream
}

// An appendOrder can also append values.
type appendOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// align is the alignment of every part of the file, as in Breakpad's writer: the contexts of some
// CPUs have members of 8 bytes.
const align = 8

// New starts a file. It copies the header's flags, time, byte order, and the upper half of
// the version, which belongs to the writer.
func New(h minidump.Header) *Writer {
	w := &Writer{header: h, order: binary.LittleEndian, data: make([]byte, format.HeaderSize)}
	if h.BigEndian {
		w.order = binary.BigEndian
	}
	return w
}

// Fork returns a Writer with a copy of the file so far, to measure the length of the rest. Only the
// Writer that was written to last may be used.
func (w *Writer) Fork() *Writer {
	fork := *w
	return &fork
}

// Put adds bytes that a stream will point to. For no bytes it returns the zero Location.
func (w *Writer) Put(data []byte) minidump.Location {
	if len(data) == 0 {
		return minidump.Location{}
	}
	for len(w.data)%align != 0 {
		w.data = append(w.data, 0)
	}
	at := len(w.data)
	w.data = append(w.data, data...)
	return minidump.Location{RVA: uint64(at), Size: uint64(len(data))}
}

// Text adds a MINIDUMP_STRING and returns its offset: a u32 of bytes, UTF-16,
// and a terminator that is not counted.
func (w *Writer) Text(text string) uint32 {
	units := utf16.Encode([]rune(text))
	e := w.encoder()
	e.u32(uint32(2 * len(units)))
	e.u16(units...)
	e.u16(0)
	return uint32(w.Put(e.b).RVA)
}

// Stream adds a stream with any contents.
func (w *Writer) Stream(t minidump.StreamType, data []byte) {
	w.streams = append(w.streams, minidump.Stream{Type: t, Location: w.Put(data)})
}

// Bytes returns the file. It fails when the file is longer than its offsets reach.
func (w *Writer) Bytes() ([]byte, error) {
	dir := w.encoder()
	for _, s := range w.streams {
		dir.u32(uint32(s.Type))
		dir.location(s.Location)
	}
	at := w.Put(dir.b)
	if err := reachable(len(w.data)); err != nil {
		return nil, err
	}
	head := w.encoder()
	head.u32(format.Signature, w.header.Version&^0xffff|format.Version, uint32(len(w.streams)), uint32(at.RVA), w.header.Checksum, uint32(w.header.Time))
	head.u64(uint64(w.header.Flags))
	copy(w.data, head.b)
	return w.data, nil
}

// reachable refuses a file that is longer than offsets of 32 bits reach.
func reachable(size int) error {
	if size > math.MaxUint32 {
		return fmt.Errorf("minidump: %d bytes are more than a minidump's offsets reach", size)
	}
	return nil
}

// encoder starts a byte sequence in the file's order.
func (w *Writer) encoder() *encoder { return &encoder{order: w.order} }

// An encoder appends values in the form that a bin.Cursor reads.
type encoder struct {
	order appendOrder
	b     []byte
}

func (e *encoder) u8(vs ...uint8) { e.b = append(e.b, vs...) }

func (e *encoder) u16(vs ...uint16) {
	for _, v := range vs {
		e.b = e.order.AppendUint16(e.b, v)
	}
}

func (e *encoder) u32(vs ...uint32) {
	for _, v := range vs {
		e.b = e.order.AppendUint32(e.b, v)
	}
}

func (e *encoder) u64(vs ...uint64) {
	for _, v := range vs {
		e.b = e.order.AppendUint64(e.b, v)
	}
}

func (e *encoder) location(l minidump.Location) { e.u32(uint32(l.Size), uint32(l.RVA)) }

func (e *encoder) guid(g minidump.GUID) { e.b = g.Append(e.b, e.order) }
