// Package dump builds minidumps for tests: the threads, modules and ranges of memory that a test
// needs, next to its expectation.
//
//	b := dump.New().System(dump.AMD64, dump.Linux, "")
//	b.Module(dump.Module{Base: 0x400000, Size: 0x1000, Name: "/bin/app", CodeView: dump.PDB70(...)})
//	b.Thread(dump.Thread{ID: 1, StackBase: 0x8000, Stack: stack, Context: dump.Context(...)})
//	data := b.Build(t)
//
// Other streams, and wrong ones, are written by [Builder.Stream] with the assembler itself. Like
// the assembler it shares no layout with the parsers: its layouts are written from the C headers a
// second time.
//
// Read this file first, then streams.go and context.go; everything.go has a
// dump with each stream, huge.go one that is larger than memory.
package dump

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// A Builder is a minidump under construction. Streams are written in the order of their first use.
type Builder struct {
	big     bool
	version uint32
	time    uint32
	flags   uint64
	streams []stream
	extra   []*asm.Section // what streams point to
	labels  int

	threads, modules, memory, memory64, names, unloaded *list

	pool *asm.Section // bytes of the 64-bit memory list
}

type stream struct {
	kind     uint32
	body     func() *asm.Section // nil for a raw entry
	size, at uint32              // of a raw entry
}

// New starts a little-endian dump without streams.
func New() *Builder { return &Builder{version: 0xa793} }

// BigEndian makes it a dump of a big-endian machine. It comes first.
func (b *Builder) BigEndian() *Builder {
	b.big = true
	return b
}

// Time sets the header's time stamp.
func (b *Builder) Time(seconds uint32) *Builder {
	b.time = seconds
	return b
}

// Flags sets the header's MINIDUMP_TYPE.
func (b *Builder) Flags(flags uint64) *Builder {
	b.flags = flags
	return b
}

// Version sets the header's version.
func (b *Builder) Version(v uint32) *Builder {
	b.version = v
	return b
}

// Section starts bytes in the dump's byte order.
func (b *Builder) Section() *asm.Section {
	s := asm.At(0)
	if b.big {
		s.BigEndian()
	}
	return s
}

// Stream adds a stream with the given contents.
func (b *Builder) Stream(kind uint32, body *asm.Section) *Builder {
	b.streams = append(b.streams, stream{kind: kind, body: func() *asm.Section { return body }})
	return b
}

// Entry adds a directory entry with any values.
func (b *Builder) Entry(kind, size, rva uint32) *Builder {
	b.streams = append(b.streams, stream{kind: kind, size: size, at: rva})
	return b
}

// Blob adds bytes outside the streams and returns a label for their offset;
// the label with "end" appended is the offset behind them.
func (b *Builder) Blob(data []byte) string { return b.Extra(b.Section().Bytes(data)) }

// Text adds a MINIDUMP_STRING and returns its label.
func (b *Builder) Text(text string) string {
	units := b.Section().UTF16(text)
	size := uint32(units.Here())
	return b.Extra(b.Section().U32(size).Append(units).U16(0))
}

// UTF8 adds a string as Crashpad writes them and returns its label.
func (b *Builder) UTF8(text string) string {
	return b.Extra(b.Section().U32(uint32(len(text))).Text(text).U8(0))
}

// Extra adds a section outside the streams and returns its label.
func (b *Builder) Extra(s *asm.Section) string {
	b.labels++
	label := fmt.Sprintf("extra%d", b.labels)
	b.extra = append(b.extra, b.Section().Mark(label).Append(s).Mark(label+"end"))
	return label
}

// Location appends a MINIDUMP_LOCATION_DESCRIPTOR of an extra; with "" it is empty.
func Location(s *asm.Section, label string) *asm.Section {
	if label == "" {
		return s.U32(0, 0)
	}
	return s.Dist32(label, label+"end").Ref32(label)
}

// Build returns the file.
func (b *Builder) Build(t testing.TB) []byte {
	t.Helper()
	file := b.Section().
		U32(0x504d444d, b.version, uint32(len(b.streams))).Ref32("directory").
		U32(0, b.time).U64(b.flags).
		Mark("directory")
	bodies := make([]*asm.Section, len(b.streams))
	for i, s := range b.streams {
		file.U32(s.kind)
		if s.body == nil {
			file.U32(s.size, s.at)
			continue
		}
		bodies[i] = s.body()
		label := fmt.Sprintf("stream%d", i)
		Location(file, label)
	}
	for i, body := range bodies {
		if body != nil {
			label := fmt.Sprintf("stream%d", i)
			file.Align(4).Mark(label).Append(body).Mark(label + "end")
		}
	}
	for _, s := range b.extra {
		file.Align(4).Append(s)
	}
	return file.Build(t)
}
