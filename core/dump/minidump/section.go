package minidump

import (
	"errors"
	"fmt"

	"crashglass/core/base/bin"
)

// A section is a range of the file that is being parsed: a cursor over its bytes, and the damage so
// far. In contrast to a cursor's error, damage does not stop the parsing, because it concerns one
// entry of a list.
type section struct {
	*bin.Cursor
	damage
	f    *File
	what string
	at   int64  // file offset of the first byte
	size uint64 // by the directory, which may be more than the file has
	text texts
}

// A stream that lies completely beyond the file is an error, because zeros would look like its contents.
func (f *File) section(t StreamType) (*section, error) {
	s, ok := f.find(t)
	if !ok {
		return nil, fmt.Errorf("minidump: %s: %w", t.what(), ErrNoStream)
	}
	section := f.tracing(t).sectionAt(t.what(), s.Location)
	if section.Len() == 0 && s.Size > 0 {
		return nil, section.err()
	}
	return section, nil
}

// sectionAt opens a range of the file, up to the end of the file.
func (f *File) sectionAt(what string, loc Location) *section {
	s := &section{f: f, what: what, at: offset(loc.RVA), size: loc.Size}
	data, err := f.src.ReadUpTo(what, s.at, min(loc.Size, maxStream))
	switch {
	case loc.Size == 0:
		data = nil // an empty stream may lie anywhere
	case err != nil:
		s.damage.add(err)
	case uint64(len(data)) < min(loc.Size, maxStream):
		why := fmt.Sprintf("%d bytes reach beyond the end of the file at %#x", loc.Size, f.src.Size())
		s.damage.add(&bin.Error{What: what, Off: s.at, Why: why, Beyond: true})
	case uint64(len(data)) < loc.Size:
		s.damagef(s.at, "%d bytes are more than the %d that are read", loc.Size, maxStream)
	}
	s.Cursor = f.cursor(what, s.at, data)
	s.text = newTexts(f)
	return s
}

// damagef records a defect at a file offset.
func (s *section) damagef(off int64, format string, args ...any) {
	s.damage.add(&bin.Error{What: s.what, Off: off, Why: fmt.Sprintf(format, args...)})
}

// array reads the u32 in front of an array of records and returns the number of records to read. It
// is at most the number that fits in the bytes, so allocating as many is safe.
func (s *section) array(record int) int {
	at := s.Offset()
	s.Names("Count padding")
	n := uint64(s.U32())

	// Writers on 64-bit ABIs may align the array to 8 and put four bytes after the count, which the
	// spec does not mention. (Breakpad's reader accepts that for threads, modules and memory.) The
	// only sign is that the stream has exactly one spare word.
	if uint64(s.Offset()-s.at)+n*uint64(record)+4 == s.size {
		s.Skip(4)
	}
	return s.clip(at, n, record)
}

// clip bounds a count that was read at a file offset by the bytes that are left.
func (s *section) clip(at int64, n uint64, record int) int {
	if s.Cursor.Err() != nil {
		return 0
	}
	fit := s.Len() / record
	if n <= uint64(fit) {
		return int(n)
	}
	// If the file ends early, that is recorded already, and the count is right.
	if s.damage.first == nil {
		s.damagef(at, "count %d exceeds stream size %d", n, s.size)
	}
	return fit
}

// header reads the longer header that newer lists have instead of a count:
// its own size, the size of a record, and the number of records in wide (4 or
// 8) bytes. It leaves the cursor at the first record.
func (s *section) header(wide, record int) (n, stride int) {
	s.Names("SizeOfHeader SizeOfEntry NumberOfEntries NumberOfEntries.High")
	head, stride64 := s.U32(), uint64(s.U32())
	at := s.Offset()
	count := uint64(s.U32())
	if wide == 8 {
		count = s.join(uint32(count), s.U32())
	}
	if s.Cursor.Err() != nil {
		return 0, record
	}
	if stride64 < uint64(record) {
		s.damagef(s.at+4, "entry size %d is less than %d", stride64, record)
		return 0, record
	}
	have := s.Offset() - s.at
	skip := int64(head) - have
	if skip < 0 {
		s.damagef(s.at, "header size %d is less than %d", head, have)
		return 0, record
	}
	if skip > int64(s.Len()) {
		s.damagef(s.at, "header size %d exceeds stream size %d", head, s.size)
		return 0, record
	}
	s.Names("newer_fields")
	s.Skip(int(skip))
	return s.clip(at, count, int(stride64)), int(stride64)
}

// join makes one value from two words in file order.
func (s *section) join(first, second uint32) uint64 {
	if s.f.header.BigEndian {
		first, second = second, first
	}
	return uint64(second)<<32 | uint64(first)
}

// record returns the next record of a list. It ignores fields that newer writers append.
func (s *section) record(stride int) *bin.Cursor {
	at := s.Offset()
	return s.f.cursor(s.what, at, s.Part(stride))
}

// records reads a stream that is a list of records of one size, with a count in front.
func records[T any](f *File, t StreamType, size int, read func(s *section) T) ([]T, error) {
	s, err := f.section(t)
	if err != nil {
		return nil, err
	}
	n := s.array(size)
	all := make([]T, 0, n)
	for range n {
		all = append(all, read(s))
	}
	return all, s.err()
}

// entries reads a stream that is a newer list, whose header has the size of an entry; size is the least one.
func entries[T any](f *File, t StreamType, wide, size int, read func(s *section, c *bin.Cursor) T) ([]T, error) {
	s, err := f.section(t)
	if err != nil {
		return nil, err
	}
	n, stride := s.header(wide, size)
	all := make([]T, 0, n)
	for range n {
		all = append(all, read(s, s.record(stride)))
	}
	return all, s.err()
}

func (s *section) textAt(rva uint64) string {
	text, err := s.text.utf16(rva)
	if err != nil {
		s.add(err)
	}
	return text
}

// err returns the damage, including the cursor's error.
func (s *section) err() error {
	if err := s.Cursor.Err(); err != nil && s.damage.first == nil {
		s.damage.add(err)
	}
	return s.damage.err()
}

// Damage is the error of a list or stream that was read in part. It wraps its first defect, usually
// a *bin.Error, and counts the others.
type Damage struct {
	First error
	More  int
}

func (d *Damage) Error() string {
	switch d.More {
	case 0:
		return fmt.Sprintf("minidump: %v", d.First)
	case 1:
		return fmt.Sprintf("minidump: %v; and 1 more defect", d.First)
	}
	return fmt.Sprintf("minidump: %v; and %d more defects", d.First, d.More)
}

// Unwrap returns the first defect.
func (d *Damage) Unwrap() error { return d.First }

// damage collects defects. The zero value has none.
type damage struct {
	first error
	more  int
}

func (d *damage) add(err error) {
	if d.first == nil {
		d.first = err
	} else {
		d.more++
	}
}

func (d *damage) err() error {
	if d.first == nil {
		return nil
	}
	return &Damage{First: d.first, More: d.more}
}

func (d *damage) merge(err error) {
	var part *Damage
	switch {
	case err == nil || errors.Is(err, ErrNoStream):
	case errors.As(err, &part):
		d.add(part.First)
		d.more += part.More
	default:
		d.add(err)
	}
}
