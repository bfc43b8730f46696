package variables

import (
	"strings"

	"crashglass/core/types"
)

// rust are types of Rust's library, by its sources: alloc/src (string.rs, vec/mod.rs, rc.rs,
// sync.rs, collections), core/src (cell.rs, num, time.rs), std/src (path.rs, sync), hashbrown's
// src/raw/mod.rs. Members stay if other debuggers show them.
func rust() []known {
	return []known{
		{"&str", rustStr, true, false},
		{"&mut str", rustStr, true, false},
		{"&[", rustSlice, true, false},
		{"&mut [", rustSlice, true, false},
		{"&std::path::Path", rustStr, true, false},
		{"&std::ffi::os_str::OsStr", rustStr, true, false},
		{"&core::ffi::c_str::CStr", rustCStr(""), true, false},
		{"&dyn ", rustDyn, true, false},
		{"&mut dyn ", rustDyn, true, false},
		{"alloc::boxed::Box<dyn ", rustDyn, true, false},
		{"alloc::boxed::Box<str,", rustStr, true, false},
		{"alloc::boxed::Box<[", rustSlice, true, false},
		{"alloc::string::String", rustString, true, false},
		{"std::path::PathBuf", rustString, true, false},
		{"std::ffi::os_str::OsString", rustString, true, false},
		{"alloc::ffi::c_str::CString", rustCStr("inner"), true, false},
		{"alloc::vec::Vec<", rustVec, true, false},
		{"alloc::collections::vec_deque::VecDeque<", rustRing, true, false},
		{"alloc::collections::linked_list::LinkedList<", rustList, true, false},
		{"alloc::collections::binary_heap::BinaryHeap<", through("data"), true, false},
		{"alloc::collections::btree::map::BTreeMap<", rustTree, true, false},
		{"alloc::collections::btree::set::BTreeSet<", rustTreeSet, true, false},
		{"std::collections::hash::map::HashMap<", rustHash, true, false},
		{"std::collections::hash::set::HashSet<", rustHashSet, true, false},
		{"alloc::rc::Rc<", rustShared, true, false},
		{"alloc::rc::Weak<", rustWeak, true, false},
		{"alloc::sync::Arc<", rustShared, true, false},
		{"alloc::sync::Weak<", rustWeak, true, false},
		{"core::cell::Cell<", through("value"), true, false},
		{"core::cell::RefCell<", rustRefCell, true, false},
		{"core::cell::once::OnceCell<", through("inner"), true, false},
		{"std::sync::mutex::Mutex<", through("data"), true, false},
		{"std::sync::poison::mutex::Mutex<", through("data"), true, false},
		{"std::sync::rwlock::RwLock<", through("data"), true, false},
		{"std::sync::poison::rwlock::RwLock<", through("data"), true, false},
		{"core::sync::atomic::", through("v"), true, false},
		{"core::time::Duration", rustDuration, true, false},
		{"core::num::wrapping::Wrapping<", through("__0"), true, false},
		{"core::num::nonzero::NonZero<", through("__0"), true, false},
		{"core::pin::Pin<", through("pointer|__pointer"), true, false},
		{"core::num::niche_types::", through("__0"), false, false},
		{"core::cell::UnsafeCell<", through("value"), false, false},
		{"core::mem::manually_drop::ManuallyDrop<", through("value"), false, false},
		{"core::mem::maybe_dangling::MaybeDangling<", through("__0"), false, false},
	}
}

// rustStr reads a reference to a string: a pointer and a length in bytes.
func rustStr(o *object) bool {
	at, ok := o.number("data_ptr")
	n, okN := o.number("length")
	return ok && okN && o.utf8(at, n)
}

// utf8 reads a string of n bytes.
func (o *object) utf8(at, n uint64) bool {
	return n < maxStride && o.text(at, n, &types.Type{Kind: types.Char, Size: 1, Sized: true})
}

// rustSlice reads a reference to a slice: a pointer and a number of elements.
func rustSlice(o *object) bool {
	at, ok := o.number("data_ptr")
	n, okN := o.number("length")
	data := o.field("data_ptr")
	return ok && okN && o.run(at, n, data.t.Elem.Get())
}

// rustString reads a type around a vector of bytes, at any depth.
func rustString(o *object) bool {
	v := o.find(into(8), func(t *types.Type) bool { return strings.HasPrefix(t.Name, "alloc::vec::Vec<u8") })
	at, n, ok := v.vector()
	return ok && o.utf8(at, n)
}

// rustVec reads a vector. Its capacity does not matter.
func rustVec(o *object) bool {
	at, n, ok := o.vector()
	return ok && o.run(at, n, o.arg(0))
}

// vector finds the elements of a Vec. The path to its pointer has changed often.
func (o *object) vector() (at, n uint64, ok bool) {
	if o == nil {
		return 0, 0, false
	}
	n, ok = o.number("len")
	pointer := o.part("buf").find(into(12), func(t *types.Type) bool { return t.Kind == types.Pointer })
	at, okAt := pointer.uint()
	return at, n, ok && okAt
}

// find descends into members until one has the given type.
func (o *object) find(d descent, is func(*types.Type) bool) *object {
	if o == nil || !d.enters(o.t) {
		return nil
	}
	if is(o.t) {
		return o
	}
	for i := range o.t.Members {
		if found := o.member(&o.t.Members[i]).find(d.deeper(), is); found != nil {
			return found
		}
	}
	return nil
}
