package elfcore

import (
	"encoding/binary"
	"testing"

	"crashglass/core/minidump"
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
	if _, err := Minidump(source(data), false); err != nil {
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
