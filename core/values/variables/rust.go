package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// rust are types of Rust's library, by its sources: alloc/src (string.rs, vec/mod.rs, rc.rs,
// sync.rs, collections), core/src (cell.rs, num, time.rs), std/src (path.rs, sync), hashbrown's
// src/raw/mod.rs. Members stay if other debuggers show them.
func rust() []known {
	return []known{
		{"&str|&mut str", rustStr, withMembers},
		{"&[|&mut [", rustSlice, withMembers},
		{"&std::path::Path|&std::ffi::os_str::OsStr", rustStr, withMembers},
		{"&core::ffi::c_str::CStr", rustCStr(""), withMembers},
		{"&dyn |&mut dyn |alloc::boxed::Box<dyn ", rustDyn, withMembers},
		{"alloc::boxed::Box<str,", rustStr, withMembers},
		{"alloc::boxed::Box<[", rustSlice, withMembers},
		{"alloc::string::String|std::path::PathBuf|std::ffi::os_str::OsString", rustString, withMembers},
		{"alloc::ffi::c_str::CString", rustCStr("inner"), withMembers},
		{"alloc::vec::Vec<", rustVec, withMembers},
		{"alloc::collections::vec_deque::VecDeque<", rustRing, withMembers},
		{"alloc::collections::linked_list::LinkedList<", rustList, withMembers},
		{"alloc::collections::binary_heap::BinaryHeap<", through("data"), withMembers},
		{"alloc::collections::btree::map::BTreeMap<", rustTree, withMembers},
		{"alloc::collections::btree::set::BTreeSet<", rustTreeSet, withMembers},
		{"std::collections::hash::map::HashMap<", rustHash, withMembers},
		{"std::collections::hash::set::HashSet<", rustHashSet, withMembers},
		{"alloc::rc::Rc<", rustShared, withMembers},
		{"alloc::rc::Weak<", rustWeak, withMembers},
		{"alloc::sync::Arc<", rustShared, withMembers},
		{"alloc::sync::Weak<", rustWeak, withMembers},
		{"core::cell::Cell<", through("value"), withMembers},
		{"core::cell::RefCell<", rustRefCell, withMembers},
		{"core::cell::once::OnceCell<", through("inner"), withMembers},
		{"std::sync::mutex::Mutex<|std::sync::poison::mutex::Mutex<|std::sync::rwlock::RwLock<", through("data"), withMembers},
		{"std::sync::poison::rwlock::RwLock<", through("data"), withMembers},
		{"core::sync::atomic::", through("v"), withMembers},
		{"core::time::Duration", rustDuration, withMembers},
		{"core::num::wrapping::Wrapping<|core::num::nonzero::NonZero<", through("__0"), withMembers},
		{"core::pin::Pin<", through("pointer|__pointer"), withMembers},
		{"core::num::niche_types::", through("__0"), plain},
		{"core::cell::UnsafeCell<|core::mem::manually_drop::ManuallyDrop<", through("value"), plain},
		{"core::mem::maybe_dangling::MaybeDangling<", through("__0"), plain},
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
