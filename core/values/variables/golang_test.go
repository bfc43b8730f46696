package variables

import (
	"testing"

	"crashglass/core/values/types"
)

func inGo(t *types.Type) *types.Type {
	t.Language = types.Go
	return t
}

var (
	goInt   = inGo(base(types.Signed, "int", 8))
	goBytes = inGo(structure("string", 16, member("str", 0, pointer(char)), member("len", 8, goInt)))
)

// goMapType is a map of Go 1.24, as the linker makes its type up.
func goMapType(key, elem *types.Type) *types.Type {
	slot := structure("", sizeOf(key)+sizeOf(elem), member("key", 0, key), member("elem", sizeOf(key), elem))
	group := structure("map.group", 8+8*slot.Size, member("ctrl", 0, size), member("slots", 8, array(slot, 8)))
	groups := structure("groupReference<K,V>", 16, member("data", 0, pointer(group)), member("lengthMask", 8, size))
	table := structure("table<K,V>", 32, member("groups", 16, groups))
	of := inGo(structure("map<K,V>", 48, member("used", 0, size), member("dirPtr", 16, pointer(pointer(table))), member("dirLen", 24, goInt)))
	return &types.Type{Kind: types.Typedef, Name: "map[K]V", Elem: to(inGo(pointer(of)))}
}

const free = 0x8080_8080_8080_8080

func TestGoMaps(t *testing.T) {
	m := memory{
		0x10: words(0x100), 0x18: words(0x200), 0x20: words(0x300), 0x28: words(0),
		0x100:  words(2, 0, 0x1000, 0),                                    // small: one group with the slots 0 and 2
		0x1000: words(free&^0xff00ff|0x11_0011, 1, 10, 8, 8, 3, 30, 8, 8), // slot 1 was deleted
		0x200:  words(1, 0, 0x2000, 2),                                    // a table that stands twice in the directory
		0x2000: words(0x2100, 0x2100),
		0x2100: words(0, 0, 0x2200, 0), 0x2200: words(free&^0xff, 7, 70),
		0x300: words(5, 0, 0x1000, 0), // has less than it says
	}
	for _, test := range []struct {
		at   uint64
		want string
	}{
		{0x10, "m = size=2 {[0] {key = 1, value = 10}, [1] {key = 3, value = 30}}"},
		{0x18, "m = size=1 {[0] {key = 7, value = 70}}"},
		{0x28, "m = nil"},
	} {
		if got := read(frameOf(m, at("m", test.at, goMapType(goInt, goInt)))); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
	if got := read(frameOf(m, at("m", 0x20, goMapType(goInt, goInt)))); got == "m = size=5" {
		t.Errorf("a damaged map has entries: %s", got)
	}
}

func TestGoOldMap(t *testing.T) {
	bucket := structure("bucket<int,int>", 8+16*8+8, member("tophash", 0, array(base(types.Unsigned, "uint8", 1), 8)),
		member("keys", 8, array(goInt, 8)), member("values", 72, array(goInt, 8)))
	bucket.Members = append(bucket.Members, member("overflow", 136, pointer(bucket)))
	hash := inGo(structure("hash<int,int>", 48, member("count", 0, goInt), member("flags", 8, base(types.Unsigned, "uint8", 1)),
		member("B", 9, base(types.Unsigned, "uint8", 1)), member("buckets", 16, pointer(bucket)), member("oldbuckets", 24, pointer(bucket))))
	fill := func(top uint64, key, value, more uint64) []byte {
		b := make([]byte, 8*18)
		copy(b, words(top, key))
		copy(b[72:], words(value))
		copy(b[136:], words(more))
		return b
	}
	m := memory{0x10: words(0x100), 0x100: words(2, 0, 0x1000, 0), 0x1000: fill(0x77, 1, 10, 0x2000), 0x2000: fill(0x05, 2, 20, 0)}
	if got, want := read(frameOf(m, at("m", 0x10, inGo(pointer(hash))))), "m = size=2 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestGoChannel(t *testing.T) {
	waiting := structure("sudog<int>", 8, member("elem", 0, pointer(goInt)))
	queue := structure("waitq<int>", 8, member("first", 0, pointer(waiting)))
	channel := inGo(structure("hchan<int>", 48, member("qcount", 0, size), member("dataqsiz", 8, size), member("buf", 16, pointer(nil)),
		member("recvx", 24, size), member("recvq", 32, queue)))
	m := memory{0x10: words(0x100), 0x100: words(2, 3, 0x1000, 2, 0), 0x1000: words(8, 9, 7)}
	if got := read(frameOf(m, at("ch", 0x10, inGo(pointer(channel))))); got != "ch = size=2 {[0] = 7, [1] = 8}" {
		t.Error(got)
	}
}

// program is a source with Go's types by their descriptors, which begin at 0x5000.
type program struct {
	scopes
	types map[uint64]*types.Type
}

func (p program) RuntimeType(off uint64) *types.Type { return p.types[off] }

func (p program) Statics(match func(string) bool, _ int) []Variable {
	if !match(goModule) {
		return nil
	}
	return []Variable{at(goModule, 0x40, structure("runtime.moduledata", 8, member("types", 0, size)))}
}

func (program) StaticsAt(uint64, int) []Variable { return nil }

// An interface has the type whose descriptor it points to. A value with
// the shape of a pointer is within the interface itself.
func TestGoInterfaces(t *testing.T) {
	eface := inGo(structure("runtime.eface", 16, member("_type", 0, pointer(goInt)), member("data", 8, pointer(nil))))
	itab := structure("runtime.itab", 16, member("Inter", 0, size), member("Type", 8, pointer(goInt)))
	iface := inGo(structure("runtime.iface", 16, member("tab", 0, pointer(itab)), member("data", 8, pointer(nil))))
	failed := inGo(structure("errors.errorString", 16, member("s", 0, goBytes)))
	toFailed := inGo(pointer(failed))
	toFailed.Name = "*errors.errorString"
	odd := inGo(structure("odd", 8, member("none", 0, structure("", 0)), member("p", 0, pointer(goInt))))
	m := memory{
		0x40: words(0x5000), 0x100: words(0x5010, 0x200, 0x6000, 0x300, 0x5030, 0x200, 0, 0, 0x5040, 0x200),
		0x200: words(42), 0x300: words(0x400, 3), 0x400: []byte("bad\x00"), 0x6000: words(0, 0x5020),
	}
	source := program{scopes{
		at("i", 0x100, eface), at("err", 0x110, iface), at("odd", 0x120, eface), at("nil", 0x130, eface), at("other", 0x140, eface),
	}, map[uint64]*types.Type{0x10: goInt, 0x20: toFailed, 0x30: odd}}
	f := frameOf(m)
	f.Symbols = Symbols{Scopes: source.scopes, Statics: source, RuntimeTypes: source}
	want := []string{
		"i = int 42 {value = 42, _type = 0x0000000000005010, data = 0x0000000000000200}",
		"err = *errors.errorString 0x0000000000000300 {value = 0x0000000000000300 {s = \"bad\" {str = 0x0000000000000400 \"bad\", len = 3}}, tab = 0x0000000000006000, data = 0x0000000000000300}",
		"odd {_type = 0x0000000000005030, data = 0x0000000000000200}",
		"nil = nil {_type = 0x0000000000000000, data = 0x0000000000000000}",
		"other {_type = 0x0000000000005040, data = 0x0000000000000200}",
	}
	for i, v := range Read(f, Limits{})[0].Values {
		if got := shown([]*Value{v}); got != want[i] {
			t.Errorf("%s\nwant %s", got, want[i])
		}
	}
}
