package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// arrayData is the header of Qt 5's strings and vectors: qarraydata.h.
var arrayData = structure("QArrayData", 24, member("ref", 0, uint32T), member("size", 4, uint32T), bitsOf("alloc", 64, 31, uint32T), member("offset", 16, size))

func qt5(name string, args ...*types.Type) *types.Type {
	return of(structure(name, 8, member("d", 0, pointer(arrayData))), args...)
}

// The content of Qt 5's strings and vectors lies at an offset behind a header.
func TestQt5Arrays(t *testing.T) {
	header := func(n, offset uint64, content ...byte) []byte { return append(words(1|n<<32, 0, offset), content...) }
	list := structure("QStringList", 8, types.Member{Base: true, Type: to(qt5("QVector<int>", integer))})
	m := memory{
		0x100: words(0x1000), 0x1000: header(2, 24, 'h', 0, 0xe9, 0),
		0x108: words(0x2000), 0x2000: header(2, 24, 1, 0, 0, 0, 2, 0, 0, 0),
		0x110: words(0x3000), 0x3000: header(0xffff_ffff, 24), // the size is an int
		0x118: words(0), 0x120: words(0x9000),
	}
	check(t, m, []library{
		{at("s", 0x100, qt5("QString")), `s = u"hé"`},
		{at("b", 0x100, qt5("QByteArray")), `b = "h\0"`},
		{at("v", 0x108, qt5("QVector<int>", integer)), "v = size=2 {[0] = 1, [1] = 2}"},
		{at("l", 0x108, list), "l = size=2 {[0] = 1, [1] = 2}"},
		{at("null", 0x118, qt5("QString")), "null {d = nullptr}"},
		{at("gone", 0x120, qt5("QString")), "gone {d = 0x0000000000009000}"},
	})
	if v := Read(frameOf(m, at("s", 0x110, qt5("QString"))), Limits{})[0].Values[0]; v.State != Inconsistent || v.Why != "its size is -1" {
		t.Errorf("a size below 0: %s", v.Text)
	}
}

// A map of Qt 5 is a tree whose nodes have parent and color in one word, left
// and right, and then the key and the value.
func TestQt5Map(t *testing.T) {
	links := structure("QMapNodeBase", 24, member("p", 0, size), member("left", 8, pointer(nil)), member("right", 16, pointer(nil)))
	data := structure("QMapData<int, long>", 48, types.Member{Base: true, Type: to(structure("QMapDataBase", 48, member("size", 4, uint32T), member("header", 8, links), member("mostLeftNode", 32, pointer(links))))})
	maps := of(structure("QMap<int, long>", 8, member("d", 0, pointer(data))), integer, long)
	const black = 1
	node := func(parent, left, right, key, value uint64) []byte {
		return words(parent|black, left, right, key, value)
	}
	m := memory{
		0x100: words(0x1000), 0x1000: words(4<<32, 0, 0x2000, 0, 0x2100),
		0x2000: node(0x1008, 0x2100, 0x2200, 2, 20),
		0x2100: node(0x2000, 0, 0, 1, 10),
		0x2200: node(0x2000, 0x2300, 0, 4, 40),
		0x2300: node(0x2200, 0, 0, 3, 30),

		0x108: words(0x3000), 0x3000: words(0, 0, 0, 0, 0),
		0x110: words(0x4000), 0x4000: words(2<<32, 0, 0x4100, 0, 0x4100), 0x4100: node(0x4008, 0, 0x9000, 1, 10),
		0x118: words(0x5000), 0x5000: words(1<<32, 0, 0x9000, 0, 0x9000),
	}
	check(t, m, []library{
		{at("m", 0x100, maps), "m = size=4 {[0] {key = 1, value = 10}, [1] {key = 2, value = 20}, [2] {key = 3, value = 30}, [3] {key = 4, value = 40}}"},
		{at("m", 0x108, maps), "m = size=0"},
	})
	for _, at0 := range []uint64{0x110, 0x118} { // a node is not captured
		if v := Read(frameOf(m, at("m", at0, maps)), Limits{})[0].Values[0]; v.Said {
			t.Errorf("%#x: %s", at0, shown([]*Value{v}))
		}
	}
}

// A hash of Qt 5 has buckets of nodes: the next one, the hash, key and value. The
// last node of a bucket leads to the table, which begins as a node does.
func TestQt5Hash(t *testing.T) {
	data := structure("QHashData", 48, member("fakeNext", 0, pointer(nil)), member("buckets", 8, pointer(nil)), member("size", 20, uint32T), member("numBuckets", 32, uint32T))
	hash := of(structure("QHash<int, long>", 8, types.Member{Type: to(union(member("d", 0, pointer(data))))}), integer, long)
	table := func(buckets, n, count uint64) []byte { return words(0, buckets, n<<32, 0, count) }
	m := memory{
		0x100: words(0x1000), 0x1000: table(0x2000, 3, 3),
		0x2000: words(0x3000, 0x1000, 0x3100), // the second bucket is empty
		0x3000: words(0x3200, 0xaaaa|1<<32, 10), 0x3200: words(0x1000, 0xaaaa|4<<32, 40), 0x3100: words(0x1000, 0xbbbb|2<<32, 20),

		0x108: words(0x4000), 0x4000: table(0, 0, 0),
		0x110: words(0x5000), 0x5000: table(0x9000, 1, 1),
		0x118: words(0x6000), 0x6000: table(0x2000, 1, 1<<20), // more buckets than are read
		0x120: words(0x7000), 0x7000: table(0x7100, 1, 1), 0x7100: words(0x9000),
	}
	check(t, m, []library{
		{at("h", 0x100, hash), "h = size=3 {[0] {key = 1, value = 10}, [1] {key = 4, value = 40}, [2] {key = 2, value = 20}}"},
		{at("h", 0x108, hash), "h = size=0"},
	})
	for _, at0 := range []uint64{0x110, 0x118} {
		if v := Read(frameOf(m, at("h", at0, hash)), Limits{})[0].Values[0]; v.Said {
			t.Errorf("%#x: %s", at0, shown([]*Value{v}))
		}
	}
}

// A map of Qt 6 is std::map behind a pointer, which is null for an empty one:
// QMap::size() is 0 then.
func TestQt6Map(t *testing.T) {
	data := structure("QMapData<std::map<int, int> >", 56, member("ref", 0, uint32T), member("m", 8, gnuMapType()))
	maps := of(structure("QMap<int, int>", 8, member("d", 0, structure("QtPrivate::QExplicitlySharedDataPointerV2<D>", 8, member("d", 0, pointer(data))))), integer, integer)
	m := memory{
		0x100: words(0x1000), 0x108: words(0), 0x110: words(0x9000),
		0x1000: words(1, 0, 0, 0x2000, 0x2000, 0x2000, 1),
		0x2000: words(1, 0x1010, 0, 0, 20<<32|2),
	}
	check(t, m, []library{
		{at("m", 0x100, maps), "m = size=1 {[0] {first = 2, second = 20}}"},
		{at("m", 0x108, maps), "m = size=0"},
		{at("m", 0x110, maps), "m {d {d = 0x0000000000009000}}"},
	})
}

// Elements lie in the words of a list of Qt 5 where Qt says that they may be
// moved; those of other classes of one word may lie there or not.
func TestQt5ListOfClasses(t *testing.T) {
	data := structure("Data", 24, member("ref", 0, uint32T), member("alloc", 4, uint32T), member("begin", 8, uint32T), member("end", 12, uint32T),
		member("array", 16, array(pointer(nil), 1)))
	list := func(t *types.Type) *types.Type {
		return of(structure("QList<T>", 8, types.Member{Type: to(union(member("p", 0, structure("QListData", 8, member("d", 0, pointer(data)))), member("d", 0, pointer(data))))}), t)
	}
	m := memory{
		0x100: words(0x200), 0x200: words(0, 2<<32, 0x1000, 0x1000),
		0x1000: append(words(1|1<<32, 0, 24), 'x', 0),
		0x110:  words(0x300), 0x300: words(0, 1<<32, 0x9000), // an element in other memory
		0x118: words(0x400), 0x400: words(0, 1|0<<32, 0), // ends before it begins
		0x120: words(0x500), 0x500: words(0, 3<<32, 7), // has words that are not captured
	}
	big := structure("Big", 16, member("a", 0, long))
	check(t, m, []library{
		{at("l", 0x100, list(qt5("QString"))), `l = size=2 {[0] = u"x", [1] = u"x"}`},
		{at("l", 0x110, list(big)), "l = size=1 {[0] {a <not_captured>}}"},
	})
	for _, v := range []Variable{at("l", 0x118, list(long)), at("l", 0x120, list(long)), at("l", 0x100, list(nil))} {
		if got := Read(frameOf(m, v), Limits{})[0].Values[0]; got.Said {
			t.Errorf("%s", shown([]*Value{got}))
		}
	}
}

// A character, a view, and pointers that share.
func TestQtValues(t *testing.T) {
	thing := structure("Thing", 8, member("id", 0, long))
	shared := structure("QSharedPointer<Thing>", 16, member("value", 0, pointer(thing)), member("d", 8, pointer(nil)))
	weak := structure("QPointer<Thing>", 16, member("wp", 0, structure("QWeakPointer<QObject>", 16, member("d", 0, pointer(nil)), member("value", 8, pointer(thing)))))
	view := structure("QStringView", 16, member("m_size", 0, size), member("m_data", 8, pointer(nil)))
	latin := structure("QLatin1String", 16, member("m_size", 0, uint32T), member("m_data", 8, pointer(char)))
	flags := structure("QFlags<E>", 4, member("i", 0, integer))
	m := memory{0x100: words(0x1000), 0x108: words(7), 0x200: words(1, 0x108), 0x300: words(0, 0x1000), 0x1000: words(42), 0x400: {0xe9, 0}, 0x500: words(1, 0x9000)}
	check(t, m, []library{
		{at("p", 0x100, shared), "p {pointer = 0x0000000000001000 {id = 42}}"},
		{at("w", 0x300, weak), "w {pointer = 0x0000000000001000 {id = 42}}"},
		{at("v", 0x200, view), `v = u"\a"`},
		{at("v", 0x500, view), "v {m_size = 1, m_data = 0x0000000000009000}"},
		{at("l", 0x200, latin), `l = "\a"`},
		{at("c", 0x400, structure("QChar", 2, member("ucs", 0, base(types.Unsigned, "unsigned short", 2)))), "c = u'é' {ucs = 233}"},
		{at("f", 0x108, flags), "f = 7 {i = 7}"},
	})
}
