package variables

import (
	"strings"

	"crashglass/core/types"
)

// rust are types of Rust's library, by its sources: alloc/src/string.rs,
// alloc/src/vec/mod.rs, std/src/path.rs, hashbrown's src/raw/mod.rs. Their
// members stay, because other debuggers show them.
func rust() []known {
	return []known{
		{"&str", rustStr, true, false},
		{"&mut str", rustStr, true, false},
		{"&[", rustSlice, true, false},
		{"&mut [", rustSlice, true, false},
		{"alloc::string::String", rustString, true, false},
		{"std::path::PathBuf", rustString, true, false},
		{"std::ffi::os_str::OsString", rustString, true, false},
		{"alloc::vec::Vec<", rustVec, true, false},
		{"std::collections::hash::map::HashMap<", rustHash, true, false},
	}
}

func rustStr(o *object) bool {
	at, ok := o.number("data_ptr")
	n, okN := o.number("length")
	return ok && okN && o.utf8(at, n)
}

// utf8 says what a string of n bytes holds.
func (o *object) utf8(at, n uint64) bool {
	return n < maxStride && o.text(at, n, &types.Type{Kind: types.Char, Size: 1, Sized: true})
}

func rustSlice(o *object) bool {
	at, ok := o.number("data_ptr")
	n, okN := o.number("length")
	data := o.field("data_ptr")
	return ok && okN && o.run(at, n, data.t.Elem.Get())
}

// rustString reads a type that is a vector of bytes, however deep that lies in it.
func rustString(o *object) bool {
	v := o.find(8, func(t *types.Type) bool { return strings.HasPrefix(t.Name, "alloc::vec::Vec<u8") })
	at, n, ok := v.vector()
	return ok && o.utf8(at, n)
}

func rustVec(o *object) bool {
	at, n, ok := o.vector()
	return ok && o.run(at, n, o.arg(0))
}

// vector finds the elements of a Vec. Where its pointer lies has changed often.
func (o *object) vector() (at, n uint64, ok bool) {
	if o == nil {
		return 0, 0, false
	}
	n, ok = o.number("len")
	pointer := o.part("buf").find(12, func(t *types.Type) bool { return t.Kind == types.Pointer })
	at, okAt := pointer.uint()
	return at, n, ok && okAt
}

// find goes into members until one is of a type.
func (o *object) find(left int, is func(*types.Type) bool) *object {
	if o == nil || o.t == nil || left == 0 {
		return nil
	}
	if is(o.t) {
		return o
	}
	for i := range o.t.Members {
		if found := o.member(&o.t.Members[i]).find(left-1, is); found != nil {
			return found
		}
	}
	return nil
}

// rustHash reads hashbrown's table: a byte of control for each bucket, whose
// highest bit is clear where it is taken; buckets lie before them, backwards.
func rustHash(o *object) bool {
	table := o.find(4, func(t *types.Type) bool { return strings.HasPrefix(t.Name, "hashbrown::raw::RawTable<") })
	mask, ok1 := table.part("table.bucket_mask").uint()
	n, ok2 := table.part("table.items").uint()
	ctrl, ok3 := table.part("table.ctrl").find(4, func(t *types.Type) bool { return t.Kind == types.Pointer }).uint()
	t := table.arg(0)
	size := sizeOf(t)
	if !ok1 || !ok2 || !ok3 || size == 0 || mask>>32 != 0 || mask&(mask+1) != 0 || n > mask {
		return false
	}
	found := uint64(0)
	for i := uint64(0); i <= mask && found < n; i++ {
		var c [1]byte
		if !o.r.load(ctrl+i, c[:]) {
			return false
		}
		if c[0]&0x80 != 0 {
			continue
		}
		found++
		if !o.push(ctrl-(i+1)*size, t) {
			break
		}
	}
	return o.sized(n)
}
