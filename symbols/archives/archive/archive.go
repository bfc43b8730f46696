// Package archive reads the containers of dumps and symbol files: zip, tar and Microsoft's
// cabinets, and single files compressed with gzip, zlib, zstd or xz. It also reads the containers
// of crash reporters: the body of an upload, Unreal Engine's report, and Sentry's envelope.
//
//	members, err := archive.List("crash.zip", src, budget)
//	head, err := members[0].Head(64) // what is it?
//	file, err := members[0].Open()   // as a file to read anywhere in
//
// Listing reads only the directory. Uncompressed members are read in place; others are decompressed
// into memory when they are opened. A [Budget] bounds the total, because a small archive can hold
// an enormous file. A member that exceeds it is refused with one sentence, and never uses more
// memory than the budget allows.
//
// Any other defect costs only its member. Directories of damaged archives are read up to the
// damage. The package writes no files, and the names of members are labels, not paths.
//
// Read archive.go first, which defines Member, then budget.go. single.go, zip.go, tar.go and cab.go
// read archives; envelope.go, multipart.go and unreal.go read the containers of crash reporters;
// unpacked.go and scratch.go hold decompressed bytes.
package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"crashglass/core/base/bin"
)

// A Format is a kind of archive or compressed file, by its usual name.
type Format string

// The formats. zstd, xz and lz4 need [Limits.Decompressors].
const (
	Zip       Format = "zip"
	Gzip      Format = "gzip"
	Zlib      Format = "zlib"
	Tar       Format = "tar"
	Zstd      Format = "zstd"
	Xz        Format = "xz"
	Lz4       Format = "lz4"
	Cab       Format = "CAB"
	Unreal    Format = "crash report"
	Multipart Format = "upload"
	Envelope  Format = "envelope"
	Ar        Format = "ar"
)

// HeadSize is the number of bytes of a file that Sniff needs.
const HeadSize = 4 << 10

// Sniff names the format of a file by its first bytes, or returns "".
func Sniff(head []byte) Format {
	for _, m := range []struct {
		magic  string
		format Format
	}{
		{"PK\x03\x04", Zip},
		{"PK\x05\x06", Zip}, // without members
		{"\x1f\x8b", Gzip},
		{"\x28\xb5\x2f\xfd", Zstd},
		{"\xfd7zXZ\x00", Xz},
		{"\x04\x22\x4d\x18", Lz4},
		{arMagic, Ar},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.format
		}
	}
	switch {
	case isCab(head):
		return Cab
	case isTar(head):
		return Tar
	case isUnreal(head):
		return Unreal
	case delimiterOf(head) != nil:
		return Multipart
	case isEnvelope(head):
		return Envelope
	case isZlib(head):
		return Zlib
	}
	return ""
}

// A Member is one file in an archive.
type Member struct {
	Name string // with slashes, and always without ".."
	Size int64  // as the archive states it; -1 when it does not

	// Block is how many bytes are decompressed to read any byte of a member that is opened in
	// place; 0 if none.
	Block int64

	in     Format
	packed int64 // its size in the archive, at most
	budget *Budget
	opened *unpacked // the last result of Open, nil if it used no memory

	// data finds the member's content: its bytes, if they are stored uncompressed or are in memory,
	// otherwise a stream. With an error the bytes are those before the damage, or nil.
	data func() (stored *bin.Source, stream io.Reader, err error)
}

// List returns the members of an archive, in its order. The members of a
// compressed file are one: the file itself, which may be an archive.
func List(name string, src bin.Source, budget *Budget) ([]Member, error) {
	head, err := src.ReadUpTo("archive", 0, HeadSize)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	format := Sniff(head)
	if list := listers[format]; list != nil {
		return list(src, budget)
	}
	switch format {
	case Gzip, Zlib, Zstd, Xz, Lz4:
		return single(format, name, src, budget), nil
	case Multipart:
		return listMultipart(name, src, budget)
	}
	return nil, fmt.Errorf("archive: unknown kind of archive")
}

// listers list the members of formats that do not need the archive's name.
var listers = map[Format]func(bin.Source, *Budget) ([]Member, error){
	Zip: listZip, Tar: listTar, Cab: listCab, Unreal: listUnreal, Envelope: listEnvelope, Ar: listAr,
}

// Head returns the first n bytes of a member, or all of a shorter one. If the member is damaged it
// returns the bytes before the damage, and an error.
func (m *Member) Head(n int) ([]byte, error) {
	stored, r, err := m.data()
	if stored != nil {
		head, readErr := stored.Read(m.Name, 0, uint64(min(int64(n), stored.Size())))
		return head, m.wrap(cmp.Or(readErr, err))
	}
	if err != nil {
		return nil, m.wrap(err)
	}
	defer finish(r)
	head := make([]byte, n)
	got, err := readPiece(r, head)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:got], m.wrap(err)
}

// Open returns a member as a file. A compressed one stays in memory. If the member is damaged, Open
// returns the bytes before the damage and an error; if it is refused, only an error.
func (m *Member) Open() (bin.Source, error) {
	stored, r, err := m.data()
	if stored != nil {
		return *stored, m.wrap(err)
	}
	if err != nil {
		return bin.Source{}, m.wrap(err)
	}
	defer finish(r)
	m.opened, err = m.budget.read(m.Name, r, m.packed)
	return bin.NewSource(m.opened, m.opened.size), m.wrap(err)
}

// Release frees the memory of an opened member, which cannot be read afterwards, and returns its
// cost to the Budget.
func (m *Member) Release() {
	if m.opened != nil {
		m.budget.undo(m.opened)
		m.opened = nil
	}
}

// Peek opens a member for the duration of read, and does not call read if the member is refused.
// Then it returns the cost to the Budget.
func (m *Member) Peek(read func(bin.Source)) error {
	stored, r, err := m.data()
	if stored != nil {
		read(*stored)
		return m.wrap(err)
	}
	if err != nil {
		return m.wrap(err)
	}
	mem, err := m.budget.read(m.Name, r, m.packed)
	finish(r)
	if err == nil || mem.size > 0 {
		read(bin.NewSource(mem, mem.size))
	}
	m.budget.release(mem)
	return m.wrap(err)
}

// finish ends the use of a stream. Some streams leave their memory to the next one.
func finish(r io.Reader) {
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
}

func (m *Member) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("archive: %s in %s: %w", m.Name, m.in, err)
}

// clean makes a member's name a relative path of valid text.
func clean(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), `\`, "/")
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// place is the data of a member that is in the archive as it is.
func place(s *bin.Source) func() (*bin.Source, io.Reader, error) {
	return func() (*bin.Source, io.Reader, error) { return s, nil, nil }
}

// section returns a part of a file as a file.
func section(src bin.Source, off, size int64) *bin.Source {
	s := bin.NewSource(io.NewSectionReader(src, off, size), size)
	return &s
}
