package variables

import "crashglass/core/values/types"

// goReferences are the linker's names for the types behind Go's maps and channels
// (cmd/link/internal/ld/dwarf.go).
func goReferences() []known {
	return []known{
		{"map<", goMap, plain},
		{"hash<", goOldMap, plain},
		{"hchan<", goChannel, plain},
	}
}

// goReference reads a map or a channel, which are pointers to structures of the runtime. It reports
// false for any other pointer.
func (r *reader) goReference(out *Value, addr uint64, elem *types.Type, depth int) bool {
	if elem == nil || elem.Language != types.Go || addr == 0 || depth <= 0 {
		return false
	}
	for _, k := range goReferences() {
		if !k.matches(elem) {
			continue
		}
		o := &object{r: r, v: view{memory: true, addr: addr}, t: elem, out: out, depth: depth}
		if k.read(o) {
			return true
		}
		*out = Value{Type: out.Type}
	}
	return false
}

// maxTables bounds the tables of a map, and its groups of slots.
const maxTables = 1 << 14

// goMap reads a map of Go 1.24 and later. A small one is a single group; others have a directory of
// tables, with repeated entries for one table. Source: internal/runtime/maps, map.go and table.go.
func goMap(o *object) bool {
	used, ok := o.number("used")
	dir := o.field("dirPtr")
	n, okN := o.number("dirLen")
	row := &object{r: o.r, t: types.Strip(dir.element())}
	table := &object{r: o.r, t: types.Strip(row.element())}
	group := types.Strip(table.part("groups.data").element())
	first, okD := dir.uint()
	if !ok || !okN || !okD || group == nil || n > maxTables {
		return false
	}
	if n == 0 { // dirPtr leads to the only group, or is nil before the first entry
		return (used == 0 || o.group(first, group)) && o.complete(used)
	}
	last := uint64(0)
	for i := range n {
		at, ok := o.load(first + i*o.word())
		if !ok {
			return false
		}
		// A table with a short hash prefix stands in adjacent entries.
		if at != last && !o.table(o.in(at, table.t), group) {
			return false
		}
		last = at
	}
	return o.complete(used)
}

// complete sets the number of a map's entries, all of which were read unless the limit was reached.
func (o *object) complete(n uint64) bool {
	if found := uint64(len(o.out.Children)); found > n || found < n && !o.full() {
		return o.inconsistent(&n, "it holds %d", found)
	}
	return o.sized(n)
}

// full reports whether the limit of elements is reached.
func (o *object) full() bool {
	return len(o.out.Children) >= o.r.limits.Elements || o.r.values <= 2 || o.depth <= 1
}

// table adds the entries of a table. Its number of groups is a power of two, given as a mask
// (internal/runtime/maps/group.go, groupsReference).
func (o *object) table(table *object, group *types.Type) bool {
	at, ok := table.part("groups.data").uint()
	mask, okM := table.part("groups.lengthMask").uint()
	if !ok || !okM || mask >= maxTables {
		return false
	}
	for i := uint64(0); i <= mask && !o.full(); i++ {
		if !o.group(at+i*sizeOf(group), group) {
			return false
		}
	}
	return true
}

// goEmpty is the bit of a slot's control byte for a free or deleted slot.
const goEmpty = 0x80

// group adds the entries of a group of slots. Its control word has a byte for
// each slot.
func (o *object) group(at uint64, t *types.Type) bool {
	group := o.in(at, t)
	slots := group.part("slots")
	slot := types.Strip(slots.element())
	ctrl, ok := group.part("ctrl").uint()
	if !ok || slot == nil || sizeOf(slot) == 0 || o.r.frame.BigEndian {
		return false
	}
	for i := range uint64(8) {
		if ctrl>>(8*i)&goEmpty != 0 {
			continue
		}
		entry := o.in(slots.v.addr+i*sizeOf(slot), slot)
		if !o.entry(entry.part("key"), entry.part("elem")) {
			return o.full()
		}
	}
	return true
}

// entry adds a key and its value.
func (o *object) entry(key, value *object) bool {
	return key != nil && value != nil && o.pair(key.v.addr, value.v.addr, key.t, value.t)
}

// From goTaken on, the first byte of a slot's hash means that the slot is in use.
const goTaken = 5

// goOldMap reads a map of Go up to 1.23: buckets of eight entries, with overflow buckets. A growing
// map still has some entries in the old buckets, which are marked when they have been moved.
// Source: runtime/map.go.
func goOldMap(o *object) bool {
	count, ok := o.number("count")
	bits, okB := o.number("B")
	buckets := o.field("buckets")
	t := types.Strip(buckets.element())
	if !ok || !okB || t == nil || bits > 24 || sizeOf(t) == 0 {
		return false
	}
	at, _ := buckets.uint()
	if at != 0 && !o.buckets(at, 1<<bits, t) {
		return false
	}
	if old, ok := o.number("oldbuckets"); ok && old != 0 {
		n := uint64(1) << bits
		if flags, _ := o.number("flags"); flags&goSameSize == 0 { // it grows to twice as many
			n /= 2
		}
		if !o.buckets(old, n, t) {
			return false
		}
	}
	return o.complete(count)
}

// goSameSize is the flag of a map that grows without more buckets.
const goSameSize = 8

// buckets adds the entries of n adjacent buckets, and of the overflow buckets behind each.
func (o *object) buckets(at, n uint64, t *types.Type) bool {
	for i := uint64(0); i < n && !o.full(); i++ {
		bucket := o.in(at+i*sizeOf(t), t)
		seen := map[uint64]bool{}
		for len(seen) < maxChain && !seen[bucket.v.addr] {
			seen[bucket.v.addr] = true
			if !o.bucket(bucket) {
				return o.full()
			}
			if bucket = bucket.part("overflow").pointee(); bucket == nil {
				break
			}
		}
	}
	return true
}

// maxChain bounds a chain of overflow buckets.
const maxChain = 64

// bucket adds the entries of one bucket. All eight keys come before all eight values, so that no space
// is lost between a small key and a large value.
func (o *object) bucket(b *object) bool {
	top, keys, values := b.part("tophash"), b.part("keys"), b.part("values")
	if top == nil || keys == nil || values == nil {
		return false
	}
	hashes, err := o.r.get(top.v, 8)
	if err != nil {
		return false
	}
	k, v := types.Strip(keys.element()), types.Strip(values.element())
	for i, h := range hashes { // below goTaken: empty, or moved to the new buckets
		if h >= goTaken && !o.pair(keys.v.addr+uint64(i)*sizeOf(k), values.v.addr+uint64(i)*sizeOf(v), k, v) {
			return false
		}
	}
	return true
}

// goChannel reads the elements in a channel, oldest first. Source: runtime/chan.go.
func goChannel(o *object) bool {
	var n, room, at, from uint64
	ok := o.numbers(num{"qcount", &n}, num{"dataqsiz", &room}, num{"buf", &at}, num{"recvx", &from})
	elem := &object{r: o.r, t: types.Strip(o.field("recvq.first").element())}
	return ok && o.ring(at, room, from, n, elem.part("elem").element())
}
