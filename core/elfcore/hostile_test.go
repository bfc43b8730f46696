package elfcore

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"crashglass/core/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
)

var minidumpOrder = binary.LittleEndian

// look asks for everything that a report is made of.
func look(t testing.TB, data []byte) {
	f, err := Open(source(data))
	if err != nil {
		return
	}
	if f.Damage() != nil {
		t.Fatalf("the minidump made of it is damaged: %v", f.Damage())
	}
	for _, s := range f.Streams() {
		if _, err := f.Decode(s.Type); err != nil && s.Type != minidump.LinuxMapsStream {
			t.Fatalf("%v: %v", s.Type, err)
		}
	}
	memory, err := f.Memory()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range memory.Ranges() {
		memory.Word(r.Base, 8)
	}
	if _, err := Minidump(source(data), Options{Full: false}); err != nil {
		t.Fatal(err)
	}
}

func TestCutEverywhere(t *testing.T) {
	whole := coreFile(t)
	for n := range whole {
		look(t, whole[:n])
	}
}

// Every word in turn becomes a number that lies.
func TestLies(t *testing.T) {
	whole := coreFile(t)
	for at := 0; at+8 <= len(whole); at += 4 {
		if binary.LittleEndian.Uint64(whole[at:]) == 0 && at > 0x800 {
			continue // memory that nothing is read of
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

// The work is linear in the input: a megabyte of mapped files of one name.
func TestManyFiles(t *testing.T) {
	const count = 40_000
	notes, names := asm.At(0), strings.Repeat("\x00", count)
	files := asm.At(0).U64(count, 1)
	for i := range uint64(count) {
		files.U64(i<<12, (i+1)<<12, i%2)
	}
	note(notes, "CORE", 1, corefile.Status(t, 1, 11, 0, 0))
	note(notes, "CORE", noteFiles, files.Text(names).Build(t))
	data := notes.Build(t)
	head := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 2, 0, 0, 0)
	head.U32(4, 0).U64(176, 0, 0, uint64(len(data)), 0, 4).U32(1, 5).U64(0, 0, 0, 0, count<<12, 4096)
	begin := time.Now()
	look(t, head.Bytes(data).Build(t))
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("%v for %d bytes", took, len(data))
	}
}
