package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// rustHash reads hashbrown's table: a control byte for each bucket, with a clear highest bit for a
// used one. The buckets are in front of the control bytes, in reverse order.
func rustHash(o *object) bool {
	t := o.hashTable().arg(0)
	return o.hashed(t, t)
}

// rustHashSet reads a set, which is a map to ().
func rustHashSet(o *object) bool {
	t := o.hashTable().arg(0)
	pair := &object{r: o.r, t: types.Strip(t)}
	key := pair.part("__0")
	return key != nil && o.hashed(t, key.t)
}

// hashTable finds hashbrown's table, which lies deeper in each newer version of the library.
func (o *object) hashTable() *object {
	return o.find(into(6), func(t *types.Type) bool { return strings.HasPrefix(t.Name, "hashbrown::raw::RawTable<") })
}

// hashed adds the entries of a table, read as the type at the beginning of each bucket.
func (o *object) hashed(bucket, t *types.Type) bool {
	table := o.hashTable()
	mask, ok1 := table.part("table.bucket_mask").uint()
	n, ok2 := table.part("table.items").uint()
	ctrl, ok3 := table.part("table.ctrl").find(into(4), isPointer).uint()
	size := sizeOf(bucket)
	if !ok1 || !ok2 || !ok3 || size == 0 || mask>>32 != 0 || mask&(mask+1) != 0 {
		return false
	}
	if n > mask {
		return o.inconsistent(&n, "it has %d buckets", mask+1)
	}
	found := uint64(0)
	for i := uint64(0); i <= mask && found < n; i++ {
		var c [1]byte
		if !o.r.load(ctrl+i, c[:]) {
			return false
		}
		if c[0]&0x80 != 0 { // EMPTY or DELETED
			continue
		}
		found++
		if !o.push(ctrl-(i+1)*size, t) {
			return o.sized(n)
		}
	}
	if found < n {
		return o.inconsistent(&n, "its buckets hold %d", found)
	}
	return o.sized(n)
}

// isPointer reports whether a type is a pointer.
func isPointer(t *types.Type) bool { return t.Kind == types.Pointer }

// isCount reports whether a type can hold a counter.
func isCount(t *types.Type) bool { return t.Kind == types.Unsigned }
