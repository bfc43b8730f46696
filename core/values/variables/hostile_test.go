package variables

import (
	"math/rand"
	"testing"
	"time"

	"crashglass/core/values/types"
)

// soup is memory that is captured everywhere: the same bytes again and again.
type soup []byte

func (s soup) Read(addr uint64, p []byte) int {
	for i := range p {
		p[i] = s[(addr+uint64(i))%uint64(len(s))]
	}
	return len(p)
}

// hostileTypes are types of libraries whose readers follow what memory says.
func hostileTypes() []*types.Type {
	node := structure("_List_node", 24)
	node.Members = []types.Member{member("_Next", 0, pointer(node)), member("_Prev", 8, pointer(node)), member("_Myval", 16, integer)}
	list := pairOf("std::list<int,A>", structure("_List_val", 16, member("_Myhead", 0, pointer(node)), member("_Mysize", 8, size)))
	ring := of(inRust(structure("alloc::collections::vec_deque::VecDeque<u32, A>", 32, member("head", 0, usize), member("len", 8, usize),
		member("buf", 16, inRust(structure("RawVec", 16, member("ptr", 0, inRust(pointer(u32))), member("cap", 8, usize)))))), u32)
	leaf := inRust(structure("LeafNode<u32, u32>", 104, member("len", 0, base(types.Unsigned, "u8", 1)), member("keys", 4, array(u32, 11)), member("vals", 48, array(u32, 11))))
	ref := inRust(structure("NodeRef", 16, member("height", 0, base(types.Unsigned, "u8", 1)), member("node", 8, wrapped("NonNull", "pointer", inRust(pointer(leaf))))))
	root := inRust(&types.Type{Kind: types.Struct, Name: "Option", Size: 24, Sized: true, Variants: &types.Variants{List: []types.Variant{{Member: member("Some", 0, structure("Some", 24, member("__0", 0, ref)))}}}})
	tree := inRust(structure("alloc::collections::btree::map::BTreeMap<u32, u32, A>", 32, member("root", 0, root), member("length", 24, usize)))
	deep := goMapType(goInt, goMapType(goInt, goMapType(goBytes, goMapType(goInt, goInt))))
	return []*types.Type{list, ring, tree, deep, gnuStringType(), gnuVectorType(gnuVectorType(gnuStringType())), gnuMapType(), goBytes}
}

// For any memory, reading ends soon and stays within the limits.
func TestHostileMemory(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 200 {
		data := make(soup, 1+random.Intn(512))
		for i := range data {
			if random.Intn(3) == 0 {
				data[i] = byte(random.Intn(256))
			}
		}
		hostile(t, data)
	}
}

// A value that is what its member is, and that member itself.
func TestThroughItself(t *testing.T) {
	loop := inRust(structure("core::cell::Cell<X>", 8))
	loop.Members = []types.Member{member("value", 0, loop), member("again", 0, loop)}
	if n := count(Read(frameOf(memory{0x100: words(7)}, at("v", 0x100, loop)), Limits{})[0].Values); n > 1<<16 {
		t.Errorf("%d values", n)
	}
}

func hostile(t *testing.T, data soup) {
	for _, of := range hostileTypes() {
		f := frameOf(nil, at("v", 0, of))
		f.Memory = data
		from := time.Now()
		values := Read(f, Limits{})[0].Values
		if n := count(values); n > 1<<16 {
			t.Errorf("%s of % x: %d values", of.Name, []byte(data), n)
		}
		if took := time.Since(from); took > 20*time.Second {
			t.Errorf("%s of % x: %v", of.Name, []byte(data), took)
		}
	}
}

func FuzzMemory(f *testing.F) {
	f.Add([]byte{1})
	f.Add(words(0x10, 3, 0x20, 0x8080_8080_8080_8000))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 {
			hostile(t, data)
		}
	})
}
