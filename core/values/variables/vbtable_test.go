package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// TestVirtualBaseTable has Microsoft's virtual bases: an object at 0x100 whose
// pointer leads to a table at 0x300, which says where the base is.
func TestVirtualBaseTable(t *testing.T) {
	virtual := structure("V", 4, member("v", 0, integer))
	object := func(at uint64) *types.Type {
		d := structure("D", 24, member("d", 8, integer))
		d.Members = append(d.Members, types.Member{Type: to(virtual), Base: true, Virtual: true,
			VBase: types.VBase{Table: true, Known: true, At: at, Slot: 4}})
		return d
	}
	for _, tt := range []struct {
		name string
		at   uint64
		m    memory
		want string
	}{
		{"the pointer is first", 0, memory{0x100: words(0x300, 1, 7), 0x300: words(16 << 32)}, "d {d = 1, V {v = 7}}"},
		{"clang does not say where it is", 0, memory{0x100: words(0x400, 0x300, 0, 7), 0x300: words(16<<32 | 0xfffffff8), 0x400: words(0x1234)}, "d {d = 768, V {v = 7}}"},
		{"the record says where it is", 8, memory{0x100: words(0x400, 0x300, 0, 7), 0x300: words(16<<32 | 0xfffffff8), 0x400: words(0x1234)}, "d {d = 768, V {v = 7}}"},
		{"it leads to other memory", 8, memory{0x100: words(0x400, 0x300, 0, 7), 0x300: words(16<<32 | 0x1234), 0x400: words(0x1234)}, "d {d = 768, V <unreadable>}"},
		{"the table is not captured", 0, memory{0x100: words(0x300, 1)}, "d {d = 1, V <not_captured>}"},
	} {
		if got := read(frameOf(tt.m, at("d", 0x100, object(tt.at)))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestBaseOffset finds the object that a base is in, if there is one place.
func TestBaseOffset(t *testing.T) {
	b := structure("B", 8, member("b", 0, integer))
	mid := structure("M", 16)
	mid.Members = []types.Member{{Type: to(b), Base: true, Offset: 8}}
	class := structure("C", 40)
	class.Members = []types.Member{{Type: to(mid), Base: true, Offset: 16}}
	if addr, of := derived(0x1018, b, class, b); addr != 0x1000 || of != class {
		t.Errorf("%#x, %s", addr, of.Name)
	}
	class.Members = append(class.Members, types.Member{Type: to(b), Base: true, Offset: 32})
	if addr, of := derived(0x1018, b, class, b); addr != 0x1018 || of != b {
		t.Errorf("with two: %#x, %s", addr, of.Name)
	}
	class.Members = []types.Member{{Type: to(b), Base: true, Virtual: true}}
	if addr, of := derived(0x1018, b, class, b); addr != 0x1018 || of != b {
		t.Errorf("a virtual one: %#x, %s", addr, of.Name)
	}
}
