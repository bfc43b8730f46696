package variables

import (
	"strings"
	"testing"

	"crashglass/core/values/types"
)

// goSlots are the 8 slots of a group: a control word, and keys with their values. A control byte
// with its highest bit is a slot that is free or deleted.
func goSlots(ctrl uint64, pairs ...uint64) []byte {
	b := make([]byte, 8+8*16)
	copy(b, words(append([]uint64{ctrl}, pairs...)...))
	return b
}

// checkGo is check for pointers, which have their address as a text if they have no other meaning.
func checkGo(t *testing.T, m memory, tests []library) {
	t.Helper()
	for _, test := range tests {
		if got := read(frameOf(m, test.v)); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
		withoutMembers(t, m, test.v)
		withDamage(t, m, test.v)
		if strings.Contains(test.want, "size=") {
			withLimits(t, m, test.v)
		}
	}
}

// A directory names each table as often as its hash prefix is shorter than the directory's. A table
// has a power of two of groups. Source: internal/runtime/maps, map.go, "directory".
func TestGoMapDirectories(t *testing.T) {
	two := append(goSlots(free&^0xff, 1, 10), goSlots(free&^0xff00, 0, 0, 2, 20)...)
	m := memory{
		0x10: words(0x100), 0x18: words(0x180), 0x20: words(0x200), 0x28: words(0x280), 0x30: words(0x300), 0x38: words(0x380), 0x40: words(0x400), 0x48: words(0x480),
		0x100: words(3, 0, 0x1000, 4), 0x1000: words(0x1100, 0x1100, 0x1200, 0x1200), // two tables, each twice
		0x1100: words(0, 0, 0x2000, 1), 0x2000: two, // of two groups
		0x1200: words(0, 0, 0x2200, 0), 0x2200: goSlots(free&^(0xff<<56), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 30),
		0x180: words(2, 0, 0x1010, 1), 0x1010 + 0x80: words(0), // says one table, which stands at 0x1010
		0x200: words(4, 0, 0x1000, 4), // says one entry more than there is
		0x280: words(2, 0, 0x1000, 4), // and one less
		0x300: words(3, 0, 0x9000, 4), // its directory is not captured
		0x380: words(3, 0, 0x1000, 1<<14+1),
		0x400: words(0, 0, 0, 0),                                                                 // empty, and never had a group
		0x480: words(1, 0, 0x3000, 1), 0x3000: words(0x3100), 0x3100: words(0, 0, 0x2000, 1<<14), // no power of two of groups
	}
	raw := func(addr, used, dir, n string) string {
		return "m = " + addr + " {used = " + used + ", dirPtr = " + dir + ", dirLen = " + n + "}"
	}
	checkGo(t, m, []library{
		{at("m", 0x10, goMapType(goInt, goInt)), "m = size=3 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}}"},
		{at("m", 0x40, goMapType(goInt, goInt)), "m = size=0"},
		{at("m", 0x30, goMapType(goInt, goInt)), raw("0x0000000000000300", "3", "0x0000000000009000", "4")},
		{at("m", 0x38, goMapType(goInt, goInt)), "m = size=3 <inconsistent>"},
		{at("m", 0x48, goMapType(goInt, goInt)), "m <inconsistent>"},
		{at("m", 0x20, goMapType(goInt, goInt)), "m = size=4 <inconsistent> {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}}"},
		{at("m", 0x28, goMapType(goInt, goInt)), "m = size=2 <inconsistent> {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}}"},
	})
	few := Read(frameOf(m, at("m", 0x10, goMapType(goInt, goInt))), Limits{Elements: 2})[0].Values
	if got := shown(few); got != "m = size=3 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}} +1" {
		t.Error(got)
	}
}

// A group's control word is read in the order of a little-endian CPU, the only one that is known.
func TestGoMapBigEndian(t *testing.T) {
	m := memory{0x10: {0, 0, 0, 0, 0, 0, 1, 0}, 0x100: make([]byte, 48), 0x1000: goSlots(0, 1, 10)}
	m[0x100][7], m[0x100][22] = 1, 0x10
	f := frameOf(m, at("m", 0x10, goMapType(goInt, goInt)))
	f.BigEndian = true
	if got := Read(f, Limits{})[0].Values[0]; got.Text != "0x0000000000000100" {
		t.Error(shown([]*Value{got}))
	}
}

// goOldMapType is a map of Go up to 1.23: B is the logarithm of the number of buckets.
func goOldMapType() *types.Type {
	byte1 := base(types.Unsigned, "uint8", 1)
	bucket := structure("bucket<int,int>", 144, member("tophash", 0, array(byte1, 8)), member("keys", 8, array(goInt, 8)), member("values", 72, array(goInt, 8)))
	bucket.Members = append(bucket.Members, member("overflow", 136, pointer(bucket)))
	return inGo(pointer(inGo(structure("hash<int,int>", 48, member("count", 0, goInt), member("flags", 8, byte1),
		member("B", 9, byte1), member("buckets", 16, pointer(bucket)), member("oldbuckets", 24, pointer(bucket))))))
}

// goBucket is a bucket with one entry in the given slot. A hash of 0 to 4 marks a slot that is
// empty or was moved (runtime/map.go, emptyRest to evacuatedEmpty).
func goBucket(slot int, hash byte, key, value, overflow uint64) []byte {
	b := make([]byte, 144)
	b[slot] = hash
	copy(b[8+8*slot:], words(key))
	copy(b[72+8*slot:], words(value))
	copy(b[136:], words(overflow))
	return b
}

func TestGoOldMaps(t *testing.T) {
	const grows, sameSize = 0, 8
	header := func(count, flags, b, buckets, old uint64) []byte {
		return words(count, flags|b<<8, buckets, old)
	}
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	m := memory{
		0x10: words(0x100), 0x18: words(0x180), 0x20: words(0x200), 0x28: words(0x280), 0x30: words(0x300), 0x38: words(0x380),
		// Four buckets, of which two are full, and the first has a chain of two.
		0x100:  header(3, 0, 2, 0x1000, 0),
		0x1000: join(goBucket(0, 5, 1, 10, 0x2000), goBucket(0, 4, 99, 99, 0), goBucket(7, 0xff, 3, 30, 0), goBucket(1, 0, 98, 98, 0)),
		0x2000: goBucket(3, 6, 2, 20, 0),
		// It grows from one bucket to two: what was moved is marked.
		0x180: header(2, grows, 1, 0x3000, 0x3200), 0x3000: join(goBucket(0, 7, 1, 10, 0), goBucket(0, 0, 0, 0, 0)),
		0x3200: join(goBucket(2, 8, 2, 20, 0), goBucket(2, 8, 97, 97, 0)), // the second is not of the map
		// It moves to as many buckets, because it had too many chains.
		0x200: header(2, sameSize, 1, 0x3000, 0x3400), 0x3400: join(goBucket(2, 2, 96, 96, 0), goBucket(2, 9, 2, 20, 0)),
		0x280: header(0, 0, 0, 0, 0),
		0x300: header(1, 0, 25, 0x1000, 0),                                      // 2^25 buckets
		0x380: header(1, 0, 0, 0x4000, 0), 0x4000: goBucket(0, 0, 0, 0, 0x4000), // a chain that is a circle
	}
	old := goOldMapType()
	checkGo(t, m, []library{
		{at("m", 0x10, old), "m = size=3 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}}"},
		{at("m", 0x18, old), "m = size=2 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}}"},
		{at("m", 0x20, old), "m = size=2 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}}"},
		{at("m", 0x28, old), "m = size=0"},
	})
	if got := read(frameOf(m, at("m", 0x38, old))); got != "m = size=1 <inconsistent>" {
		t.Errorf("a circle: %s", got)
	}
	for _, at0 := range []uint64{0x30} {
		if got := Read(frameOf(m, at("m", at0, old)), Limits{})[0].Values[0]; got.Text[:2] != "0x" {
			t.Errorf("%#x: %s", at0, shown([]*Value{got}))
		}
	}
}

// A channel is a ring: dataqsiz slots, of which qcount from recvx on are full.
func TestGoChannels(t *testing.T) {
	waiting := structure("sudog<int>", 8, member("elem", 0, pointer(goInt)))
	queue := structure("waitq<int>", 8, member("first", 0, pointer(waiting)))
	channel := inGo(pointer(inGo(structure("hchan<int>", 40, member("qcount", 0, size), member("dataqsiz", 8, size), member("buf", 16, pointer(nil)),
		member("recvx", 24, size), member("recvq", 32, queue)))))
	m := memory{0x1000: words(8, 9, 7)}
	header := func(n int, list ...uint64) uint64 {
		m[uint64(n)] = words(uint64(n) + 0x1000*16)
		m[uint64(n)+0x1000*16] = words(append(list, 0)...)
		return uint64(n)
	}
	for name, test := range map[string]struct {
		at   uint64
		want string
	}{
		"full":                       {header(0x100, 3, 3, 0x1000, 0), "size=3 {[0] = 8, [1] = 9, [2] = 7}"},
		"wraps":                      {header(0x200, 2, 3, 0x1000, 2), "size=2 {[0] = 7, [1] = 8}"},
		"empty":                      {header(0x300, 0, 3, 0x1000, 1), "size=0"},
		"without a buffer":           {header(0x400, 0, 0, 0, 0), "size=0"},
		"more than fits":             {header(0x500, 4, 3, 0x1000, 0), "size=4 <inconsistent>"},
		"begins behind its slots":    {header(0x600, 1, 3, 0x1000, 3), "size=1 <inconsistent>"},
		"not captured":               {header(0x700, 1, 3, 0x9000, 0), ""},
		"only its end was captured":  {header(0x800, 1, 3, 0xff8, 0), ""},
		"more slots than memory has": {header(0x900, 1, 1<<41, 0x1000, 0), "<inconsistent>"},
	} {
		v := Read(frameOf(m, at("c", test.at, channel)), Limits{})[0].Values[0]
		if got := shown([]*Value{v}); test.want != "" && got != "c = "+test.want && got != "c "+test.want || test.want == "" && v.Text[:2] != "0x" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
