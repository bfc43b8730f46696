package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// golang are types of Go's runtime: runtime/string.go (stringStruct), runtime/slice.go,
// runtime/runtime2.go (iface, eface). Maps and channels are pointers, which
// pointer reads.
func golang() []known {
	return []known{
		{"string", bytesOf("str", "len"), withMembers},
		{"[]", goSlice, withMembers},
		{"runtime.eface", goInterface("_type"), withMembers},
		{"runtime.iface", goInterface("tab.Type|tab._type"), withMembers},
	}
}

// goSlice reads a slice: a pointer, a length, and a capacity that the length cannot exceed
// (runtime/slice.go, slice).
func goSlice(o *object) bool {
	var at, n, room uint64
	ok := o.numbers(num{"array", &at}, num{"len", &n}, num{"cap", &room})
	return ok && (sizeOf(o.field("array").element()) > 0 && o.exceeds(n, room) || o.run(at, n, o.field("array").element()))
}

// RuntimeTypes is a Source that knows Go's types by their descriptors in the program.
type RuntimeTypes interface {
	// RuntimeType returns the type whose descriptor is at an offset from the module's first
	// descriptor, or nil.
	RuntimeType(off uint64) *types.Type
}

// goModule is the variable with the address of a program's descriptors. Source: runtime/symtab.go,
// moduledata.
const goModule = "runtime.firstmoduledata"

// goTypes returns the address of the first descriptor of a type.
func (r *reader) goTypes() (uint64, bool) {
	if r.goBase != 0 {
		return r.goBase, true
	}
	source := r.frame.Symbols.Statics
	if source == nil || r.goSearched {
		return 0, false
	}
	r.goSearched = true
	for _, v := range source.Statics(func(name string) bool { return name == goModule }, 1) {
		place, err := v.Rule.Place(&Eval{Frame: r.frame})
		if err != nil {
			break
		}
		module := &object{r: r, v: r.view(place), t: types.Strip(v.Type.Get())}
		r.goBase, _ = module.number("types")
	}
	return r.goBase, r.goBase != 0
}

// goInterface reads an interface as its value, by the descriptor of its dynamic type.
func goInterface(path string) func(*object) bool {
	return func(o *object) bool {
		first, data := o.part0(), o.field("data")
		if n, ok := first.uint(); ok && n == 0 {
			o.out.say("nil")
			return true
		}
		at, ok := o.through(path).uint()
		known := o.r.frame.Symbols.RuntimeTypes
		if !ok || known == nil || data == nil {
			return false
		}
		base, ok := o.r.goTypes()
		t := known.RuntimeType(at - base)
		if !ok || at < base || t == nil {
			return false
		}
		inner := &object{r: o.r, v: data.v, t: types.Strip(t), out: o.out, depth: o.depth}
		direct, sure := goDirect(t, o.word(), maxDirect)
		if !sure {
			return false
		}
		if !direct {
			at, ok := data.uint()
			if !ok {
				return false
			}
			inner = o.in(at, t)
		}
		o.expanded("value", inner, t)
		o.out.say(types.Spell(t))
		if c := o.out.Children[0]; c.Said {
			o.out.say(o.out.Text + " " + c.Text)
		}
		return true
	}
}

func (o *object) part0() *object {
	if len(o.t.Members) == 0 {
		return nil
	}
	return o.member(&o.t.Members[0])
}

// through follows a path of members; a pointer to a structure is followed, too.
func (o *object) through(paths string) *object {
	for path := range strings.SplitSeq(paths, "|") {
		name, rest, deeper := strings.Cut(path, ".")
		at := o.field(name)
		if deeper {
			at = at.pointee().part(rest)
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// maxDirect bounds structures that hold one member.
const maxDirect = 8

// goDirect reports whether an interface holds a value itself, not a pointer to it. It does so for
// types with the shape of a pointer. The answer is unknown for a structure of a pointer and fields
// of size zero: Go 1.26 stores it directly, earlier versions do not. Source:
// cmd/compile/internal/types, IsDirectIface.
func goDirect(t *types.Type, word uint64, left int) (direct, known bool) {
	t = types.Strip(t)
	size := sizeOf(t)
	switch {
	case t == nil || left == 0:
		return false, false
	case t.Kind == types.Pointer, t.Kind == types.Function:
		return true, true
	case size != word:
		return false, true
	case t.Kind == types.Array && len(t.Counts) == 1 && t.Counts[0].N == 1:
		return goDirect(t.Elem.Get(), word, left-1)
	case t.Kind == types.Struct && len(t.Members) == 1:
		return goDirect(t.Members[0].Type.Get(), word, left-1)
	}
	for i := range t.Members {
		if sizeOf(t.Members[i].Type.Get()) == word {
			return false, false
		}
	}
	return false, true
}

// goFunction reads a function value: the address of a closure, which begins with the address of the
// code.
func (r *reader) goFunction(out *Value, v view) {
	closure, err := r.address(v, &types.Type{})
	if err != nil {
		out.fail(asError(err))
		return
	}
	text := hex(closure, 2*uint64(r.frame.Arch.Word))
	if closure == 0 {
		text = null(types.Go)
	}
	b, err := r.get(view{memory: true, addr: closure}, uint64(r.frame.Arch.Word))
	if err == nil && r.frame.Describe != nil {
		if what := r.frame.Describe(r.frame.Number(b)); what != "" {
			text += " (" + what + ")"
		}
	}
	out.say(text)
}

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
	switch {
	case !ok || !okN || !okD || group == nil:
		return false
	case n&(n-1) != 0:
		return o.inconsistent(&used, "the length of its directory, %d, is no power of two", n)
	case n > maxTables:
		return false
	case n == 0: // dirPtr leads to the only group, or is nil before the first entry
		return (first > 0 && o.group(first, group) || used == 0) && o.complete(used)
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
	if o.out.State == Inconsistent {
		return true
	}
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
	if ok && okM && mask&(mask+1) != 0 {
		return o.inconsistent(nil, "the %d groups of a table are no power of two", mask+1)
	}
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
	if !ok || !okB || t == nil || sizeOf(t) == 0 {
		return false
	}
	if bits > 24 {
		return bits > 40 && o.inconsistent(&count, "it has 2 to the power of %d buckets", bits)
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
