package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// qt are types of Qt's core library. Qt 5: corelib/tools/qarraydata.h (QString,
// QByteArray, QVector), qlist.h, qmap.h, qhash.h. Qt 6: tools/qarraydatapointer.h
// (QString, QByteArray, QList), qmap.h, qhash.h.
func qt() []known {
	return []known{
		{"QString", qtText("char16_t", 2), asText},
		{"QByteArray", qtText("char", 1), asText},
		{"QStringView", qtView, asText},
		{"QLatin1String", chars("m_data", "m_size"), asText},
		{"QList<", qtList, plain},
		{"QStringList", qtBase, plain},
		{"QVector<", qtVector, plain},
		{"QMap<", qtMap, plain},
		{"QHash<", qtHash, plain},
		{"QSharedPointer<|QWeakPointer<", handle("value"), plain},
		{"QScopedPointer<", handle("d"), plain},
		{"QPointer<", handle("wp.value"), plain},
		{"QExplicitlySharedDataPointer<|QSharedDataPointer<", handle("d"), plain},
		{"QChar", qtChar, withMembers},
		{"QFlags<", through("i"), withMembers},
		{"QAtomicInt", through("_q_value._M_i|_q_value.__a_.__a_value|_q_value"), withMembers},
	}
}

// qtText reads a string; its characters are numbers in Qt 5.
func qtText(name string, size uint64) func(*object) bool {
	t := &types.Type{Kind: types.Wide, Name: name, Size: size, Sized: true}
	if size == 1 {
		t.Kind = types.Char
	}
	return func(o *object) bool {
		at, n, ok := o.qtArray()
		return ok && (o.out.State == Inconsistent || o.text(at, n, t))
	}
}

// qtView reads a QStringView, whose characters are always UTF-16.
func qtView(o *object) bool {
	at, ok := o.number("m_data")
	n, okN := o.number("m_size")
	return ok && okN && o.text(at, n, &types.Type{Kind: types.Wide, Name: "char16_t", Size: 2, Sized: true})
}

// qtArray finds the content of a string or an array. Qt 6 has a pointer to it; in Qt 5 it is at an
// offset from the header.
func (o *object) qtArray() (at, n uint64, ok bool) {
	if at, ok := o.number("d.ptr"); ok { // QArrayDataPointer of Qt 6
		n, okN := o.number("d.size")
		return at, n, okN
	}
	header := o.field("d").pointee()
	n, okN := header.part("size").uint()
	off, okO := header.part("offset").uint()
	if !okN || !okO {
		return 0, 0, false
	}
	// Data that was not allocated has no capacity.
	if room, ok := header.part("alloc").uint(); int32(n) < 0 {
		o.inconsistent(nil, "its size is %d", int32(n))
	} else if ok && room > 0 {
		o.exceeds(n, room)
	}
	return header.v.addr + off, n, true
}

// qtVector reads a QVector of Qt 5, or a QList of Qt 6: one array of elements.
func qtVector(o *object) bool {
	at, n, ok := o.qtArray()
	return ok && (o.out.State == Inconsistent || o.run(at, n, o.arg(0)))
}

// qtBase reads a class that adds only functions to its base.
func qtBase(o *object) bool {
	base := o.firstBase()
	return base != nil && o.as(base)
}

// qtList reads a list. In Qt 5 it has a word for each element, which is the element or a pointer to
// it.
func qtList(o *object) bool {
	if o.field("d.ptr") != nil {
		return qtVector(o)
	}
	header := o.field("d").pointee()
	from, ok1 := header.part("begin").uint()
	to, ok2 := header.part("end").uint()
	words := header.part("array")
	inside, known := o.qtInside(o.arg(0))
	if !ok1 || !ok2 || words == nil || !known {
		return false
	}
	if room, ok := header.part("alloc").uint(); int32(from) < 0 || to < from || ok && room > 0 && to > room {
		return o.inconsistent(nil, "it goes from %d to %d of %d", int32(from), int32(to), room)
	}
	for i := from; i < to; i++ {
		at := words.v.addr + i*o.word()
		if !o.captured(at) {
			return false
		}
		if !inside {
			var ok bool
			if at, ok = o.load(at); !ok {
				return false
			}
		}
		if !o.push(at, o.arg(0)) {
			break
		}
	}
	return o.sized(to - from)
}

// qtMovable are classes of one word that Qt declares as movable, so that a list of Qt 5 stores them
// directly (Q_DECLARE_SHARED, Q_DECLARE_TYPEINFO).
var qtMovable = []string{"QString", "QByteArray", "QList<", "QVector<", "QMap<", "QHash<", "QSet<", "QStringList", "QChar", "QUrl", "QDateTime", "QIcon", "QModelIndex", "QFlags<"}

// qtInside reports whether a list's words are its elements. For a small class it depends on a
// declaration that is not in debug information.
func (o *object) qtInside(t *types.Type) (inside, known bool) {
	t = types.Strip(t)
	switch size := sizeOf(t); {
	case size == 0:
		return false, false
	case size > o.word(): // QTypeInfo<T>::isLarge: the list has pointers
		return false, true
	case scalar(t):
		return true, true
	}
	for _, name := range qtMovable {
		if strings.HasPrefix(t.Name, name) {
			return true, true
		}
	}
	return false, false
}

// qtMap reads a map: in Qt 6 a std::map, in Qt 5 a tree with links in the order of parent and
// color, left, right.
func qtMap(o *object) bool {
	data := o.field("d").pointee()
	if data == nil {
		return o.qtNewMap(o.field("d.d"))
	}
	n, ok := data.part("size").uint()
	first := data.part("mostLeftNode").pointee()
	header := data.part("header")
	if !ok || header == nil || first == nil && n > 0 {
		return false
	}
	key, value := o.behind(3*o.word(), o.arg(0)), uint64(0)
	value = o.behind(key+sizeOf(o.arg(0)), o.arg(1))
	root, ok := o.load(header.v.addr + o.word()) // the left child of the header
	switch {
	case sizeOf(o.arg(0)) == 0 || sizeOf(o.arg(1)) == 0 || !ok:
		return false
	case n == 0 && root == 0:
		return o.sized(0)
	case first == nil:
		return false
	}
	const color = 3
	return o.tree(treeShape{root: root, first: first.v.addr, end: header.v.addr, left: o.word(), right: 2 * o.word(), color: color}, n, o.pairs(key, value))
}

// qtNewMap reads a map of Qt 6, which is std::map. An empty one may have none.
func (o *object) qtNewMap(d *object) bool {
	if at, ok := d.uint(); ok && at == 0 {
		return o.sized(0)
	}
	data := d.pointee()
	return data != nil && o.captured(data.v.addr) && o.as(data.part("m"))
}

// qtHash reads a hash of Qt 5: buckets of lists that end in the table itself. A
// node has the next one, the hash, the key and the value.
func qtHash(o *object) bool {
	data := o.field("d").pointee()
	var table, buckets, n uint64
	if !data.numbers(num{"buckets", &table}, num{"numBuckets", &buckets}, num{"size", &n}) || sizeOf(o.arg(0)) == 0 || buckets > maxNodes { // Qt 6 has no buckets
		return false
	}
	key := o.behind(o.word()+4, o.arg(0))
	value := o.behind(key+sizeOf(o.arg(0)), o.arg(1))
	i, end := uint64(0), data.v.addr
	next := func(at uint64) (uint64, bool) {
		ok := true
		if at != end {
			at, ok = o.load(at)
		}
		for ; ok && at == end && i < buckets; i++ { // the end of a list is that of the last one, too
			at, ok = o.load(table + i*o.word())
		}
		return at, ok
	}
	first, ok := next(end)
	return ok && o.linked(links{first: first, end: end, size: &n, next: next, push: o.pairs(key, value)})
}

// pairs adds the key and the value at two offsets of each node.
func (o *object) pairs(key, value uint64) func(uint64) bool {
	return func(at uint64) bool { return o.pair(at+key, at+value, o.arg(0), o.arg(1)) }
}

// qtChar reads a character, which is a number of 16 bits in debug information.
func qtChar(o *object) bool {
	n, ok := o.number("ucs")
	o.out.say(wide(n, 2, &types.Type{Name: "char16_t"}))
	return ok
}
