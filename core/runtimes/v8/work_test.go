package v8

import (
	"encoding/binary"
	"slices"
	"testing"
)

// hostile makes a call whose arguments are lists of objects with a class that is searched for in vain among the properties of their prototype.
func hostile() *scene {
	return called(3, "(a, b) {", func(s *scene) []uint64 {
		s.heap = slices.Grow(s.heap, 1<<17)[:1<<17]
		proto := s.objectWith(typePlain, s.class("Object"), nil)
		const count = 1000
		list := s.object(100, int(s.at[descriptorsStart])+24*count)
		key := s.text(string(slices.Repeat([]byte("a"), 200)))
		for i := range uint64(count) {
			at := list - 1 + s.at[descriptorsStart] + 24*i
			s.word(at+8*s.at[descriptorKey], key)
			s.word(at+8*s.at[descriptorDetails], (s.at[locationField]<<s.at[locationShift])<<32)
		}
		m := s.mapAt(proto)
		s.put(m, mapDescriptors, list)
		s.half(m-1+s.at[mapBits], count<<s.at[ownShift])
		s.heap[m-1+s.at[mapSize]-heapAt] = 4
		o := s.objectWith(typePlain, s.class("Object"), nil)
		s.put(s.mapAt(o), mapPrototype, proto)
		objects := s.objectWith(typeList, s.class("Array"), nil)
		s.put(objects, objectElements, s.array(typeArray, slices.Repeat([]uint64{o}, 100)...))
		s.word(objects-1+s.at[objectElements]+8, small(100))
		return []uint64{small(1), objects, objects}
	})
}

// mapAt returns the map of an object.
func (s *scene) mapAt(o uint64) uint64 { return binary.LittleEndian.Uint64(s.heap[o-1-heapAt:]) }

// Calls with such arguments cost no more than the bounds together, and other calls have their values.
func TestWorkOfValues(t *testing.T) {
	s := hostile()
	target, read := s.target(), 0
	bytes := target.Bytes
	target.Bytes = func(addr uint64, n int) []byte {
		read += n
		return bytes(addr, n)
	}
	found := Find(target)
	read = 0
	for range 200 {
		found.Variables(&found.Tasks[0].Runs[0][0], 100, nil)
	}
	if read > mostRead {
		t.Errorf("%d bytes of texts are read", read)
	}
}
