package elfcore

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
	"crashglass/core/testkit/sample"
)

var minidumpOrder = binary.LittleEndian

// look reads everything that a report needs.
func look(t testing.TB, data []byte) {
	p, err := Open(source(data))
	if err != nil {
		return
	}
	f := converted(t, p, true)
	if f.Damage() != nil {
		t.Fatalf("the minidump made of it is damaged: %v", f.Damage())
	}
	for _, s := range f.Streams() {
		if _, err := f.Decode(s.Type); err != nil && s.Type != minidump.LinuxMapsStream {
			t.Fatalf("%v: %v", s.Type, err)
		}
	}
	if _, err := f.Memory(); err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Memory.Ranges() {
		p.Memory.Word(r.Base, 8)
	}
	converted(t, p, false)
}

func TestCutEverywhere(t *testing.T) {
	whole := coreFile(t)
	for n := 0; n < len(whole); n += sample.Step() {
		look(t, whole[:n])
	}
}

// Every word in turn becomes a wrong number.
func TestLies(t *testing.T) {
	whole := coreFile(t)
	for at := 0; at+8 <= len(whole); at += 4 * sample.Step() {
		if binary.LittleEndian.Uint64(whole[at:]) == 0 && at > 0x800 {
			continue // memory that nothing reads
		}
		for _, lie := range []uint64{0, 1, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, ^uint64(0)} {
			data := append([]byte(nil), whole...)
			if lie <= 0xffff_ffff {
				binary.LittleEndian.PutUint32(data[at:], uint32(lie))
			} else {
				binary.LittleEndian.PutUint64(data[at:], lie)
			}
			look(t, data)
		}
	}
}

func FuzzOpen(f *testing.F) {
	whole := coreFile(f)
	f.Add(whole)
	f.Add(whole[:2000])
	f.Fuzz(func(t *testing.T, data []byte) { look(t, data) })
}

// The work is linear in the input: four times the mapped files of one name take
// about four times as long, and not sixteen times.
func TestManyFiles(t *testing.T) {
	small, large := manyFiles(t, 10_000), manyFiles(t, 40_000)
	var one, four time.Duration
	for range 20 { // other programs use the machine, too, and may slow down any of the looks
		one, four = timed(t, small), timed(t, large)
		if four <= 9*one {
			return
		}
	}
	t.Errorf("%v for %d bytes, %v for %d", one, len(small), four, len(large))
}

// manyFiles is a core with that many mappings of files without a name.
func manyFiles(t *testing.T, count uint64) []byte {
	notes, names := asm.At(0), strings.Repeat("\x00", int(count))
	files := asm.At(0).U64(count, 1)
	for i := range count {
		files.U64(i<<12, (i+1)<<12, i%2)
	}
	note(notes, "CORE", 1, corefile.Status(t, 1, 11, 0, 0))
	note(notes, "CORE", noteFiles, files.Text(names).Build(t))
	data := notes.Build(t)
	head := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 2, 0, 0, 0)
	head.U32(4, 0).U64(176, 0, 0, uint64(len(data)), 0, 4).U32(1, 5).U64(0, 0, 0, 0, count<<12, 4096)
	return head.Bytes(data).Build(t)
}

func timed(t *testing.T, data []byte) time.Duration {
	begin := time.Now()
	look(t, data)
	return time.Since(begin)
}

// readBytes counts the bytes that are read.
type readBytes struct {
	io.ReaderAt
	n int
}

func (r *readBytes) ReadAt(p []byte, off int64) (int, error) {
	r.n += len(p)
	return r.ReaderAt.ReadAt(p, off)
}

// A module whose page has nothing but segments of notes is read as one with a
// few: thousands of modules may share the page.
func TestModuleOfNotes(t *testing.T) {
	const segments = 60
	head := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, segments, 0, 0, 0)
	for range segments {
		head.U32(4, 4).U64(0, 0, 0, headSize, headSize, 4)
	}
	data := append(head.Build(t), make([]byte, headSize)...)[:headSize]
	counted := &readBytes{ReaderAt: bytes.NewReader(data)}
	c := &core{src: bin.NewSource(counted, headSize), order: minidumpOrder, word: 8, head: header{machine: 62}}
	c.segments = []segment{{addr: 0x40_0000, off: 0, have: headSize, size: headSize}}
	if m := c.image(0x40_0000); m == nil || len(m.programs) != segments {
		t.Fatalf("%+v", m)
	}
	if counted.n > 9*headSize {
		t.Errorf("%d bytes were read", counted.n)
	}
}

// Mappings that share bytes of the file have no more of them than the file.
func TestSharedMemory(t *testing.T) {
	c := &core{src: source(make([]byte, 1000)), word: 8}
	for i := range uint64(50) {
		c.load(program{off: 100, addr: i << 12, have: 400, size: 4096}, 0)
	}
	have := uint64(0)
	for _, s := range c.segments {
		have += s.have
	}
	if len(c.segments) != 50 || have != 800 || len(c.notes) != 1 {
		t.Errorf("%d mappings have %d bytes, %q", len(c.segments), have, c.notes)
	}
}

// Segments that share their notes have each thread once, or twice.
func TestSharedNotes(t *testing.T) {
	notes := asm.At(0)
	for id := range uint32(100) {
		note(notes, "CORE", 1, corefile.Status(t, id+1, 11, 0, 0))
	}
	data := notes.Build(t)
	c := &core{src: source(data), order: minidumpOrder, word: 8, machine: findMachine(62, 8)}
	for range 50 {
		c.readNotes(program{have: uint64(len(data))})
	}
	if c.looked != 100 {
		t.Errorf("%d notes were looked at, %q", c.looked, c.notes)
	}
}
