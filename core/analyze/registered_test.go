package analyze

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

type fakeObject struct{ Object }

func (fakeObject) EachCode(each func(addr, size uint64)) { each(0x5000, 0x10) }

// anyObject opens whatever begins with an E.
type anyObject struct{}

func (anyObject) Object(memory io.ReaderAt, _ int64) Object {
	var b [1]byte
	if _, err := memory.ReadAt(b[:], 0); err != nil || b[0] != 'E' {
		return nil
	}
	return fakeObject{}
}

// The list of registered object files ends, whatever its words are.
func TestRegisteredList(t *testing.T) {
	const at = 0x1000
	data := asm.At(at).
		U32(1, 0).U64(0, at+0x20).U64(0). // the descriptor
		U64(at+0x40, 0, at+0x80, 8).      // an entry, at 0x1020
		U64(0, at+0x20, at+0x80, 8).Zeros(0x20).
		Text("ELF     ").Build(t)
	read := func(data []byte) (int, int) {
		a := &analysis{Session: &Session{p: &process.Process{Memory: memoryOf(data, at)}}}
		all := &registered{}
		a.objectsOf(all, anyObject{}, at)
		return len(all.list), len(a.notes.list)
	}
	if n, notes := read(data); n != 2 || notes != 0 {
		t.Errorf("%d objects, %d notes", n, notes)
	}
	set := func(word int, value uint64) []byte {
		out := bytes.Clone(data)
		copy(out[8*word:], asm.At(0).U64(value).Build(t))
		return out
	}
	for name, tt := range map[string]struct {
		data           []byte
		objects, notes int
	}{
		"version 2":            {set(0, 2), 0, 0},
		"a cycle":              {set(8, at+0x20), 2, 1},
		"itself":               {set(4, at+0x20), 1, 1},
		"the way back is lost": {set(9, 7), 1, 1},
		"no memory":            {set(4, 0x9999), 1, 1},
		"no ELF":               {set(6, at), 1, 1},
		"a huge file":          {set(7, 1<<40), 1, 1},
	} {
		if n, notes := read(tt.data); n != tt.objects || notes != tt.notes {
			t.Errorf("%s: %d objects, %d notes", name, n, notes)
		}
	}
	for word := range len(data) / 8 {
		for _, v := range []uint64{0, 1, ^uint64(0), at, at + 0x20, at + 0x40, ^binary.LittleEndian.Uint64(data[8*word:])} {
			if n, _ := read(set(word, v)); n > 2 {
				t.Errorf("%d objects with %#x in word %d", n, v, word)
			}
		}
	}
}

// A list of many object files costs no more than its bounds.
func TestLongRegisteredList(t *testing.T) {
	const at, entries = 0x1000, mostObjects + 9
	for _, size := range []uint64{8, largestFile} {
		b := asm.At(at).U32(1, 0).U64(0, at+0x20).U64(0)
		previous := uint64(0)
		for i := range uint64(entries) {
			entry := at + 0x20 + 0x20*i
			b = b.U64(entry+0x20, previous, at+0x20+0x20*entries, size)
			previous = entry
		}
		data := b.Text("ELF     ").Build(t)
		a := &analysis{Session: &Session{p: &process.Process{Memory: memoryOf(data, at)}}}
		all := &registered{}
		a.objectsOf(all, anyObject{}, at)
		if most := min(mostObjects, int(mostObjectBytes/size)+1); len(all.list) != most || len(a.notes.list) != 1 {
			t.Errorf("%d objects of %d bytes, %d notes", len(all.list), size, len(a.notes.list))
		}
	}
}

func memoryOf(data []byte, at uint64) *process.Memory {
	src := bin.NewSource(bytes.NewReader(data), int64(len(data)))
	return process.NewMemory(process.NewPager(src), false, []process.Range{{Base: at, Location: process.Location{Size: uint64(len(data))}}}, func(error) {})
}

// Object files are open only while a stack has their code, and as far as there is room.
func TestOpenedObjects(t *testing.T) {
	a := &analysis{Session: &Session{p: &process.Process{Memory: memoryOf([]byte("ELF"), 0x1000)}}}
	all := &registered{}
	for range 4 {
		if !all.add(anyObject{}, captured{a.p.Memory, 0x1000, nil}, mostOpened/3) {
			t.Fatal("no object")
		}
	}
	for i, f := range all.list {
		if f.opened != nil {
			t.Errorf("object %d is open", i)
		}
	}
	for range 2 {
		for i := range all.list {
			if got := a.objectOf(all, anyObject{}, &all.list[i]); (got != nil) != (i < 3) {
				t.Errorf("object %d: %v", i, got)
			}
		}
	}
	if len(a.notes.list) != 1 {
		t.Errorf("%d notes", len(a.notes.list))
	}
}
