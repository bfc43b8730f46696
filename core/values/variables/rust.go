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
		{"&str|&mut str", bytesOf("data_ptr", "length"), withMembers},
		{"&[|&mut [", counted("data_ptr", "length"), withMembers},
		{"&std::path::Path|&std::ffi::os_str::OsStr", bytesOf("data_ptr", "length"), withMembers},
		{"&core::ffi::c_str::CStr", rustCStr(""), withMembers},
		{"&dyn |&mut dyn |alloc::boxed::Box<dyn ", rustDyn, withMembers},
		{"alloc::boxed::Box<str,", bytesOf("data_ptr", "length"), withMembers},
		{"alloc::boxed::Box<[", counted("data_ptr", "length"), withMembers},
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

// rustString reads a type around a vector of bytes, at any depth.
func rustString(o *object) bool {
	v := o.find(into(8), func(t *types.Type) bool { return strings.HasPrefix(t.Name, "alloc::vec::Vec<u8") })
	at, n, room, ok := v.vector()
	return ok && o.textIn(at, n, room, &types.Type{Kind: types.Char, Size: 1, Sized: true})
}

func rustVec(o *object) bool {
	at, n, room, ok := o.vector()
	return ok && (sizeOf(o.arg(0)) > 0 && o.exceeds(n, room) || o.run(at, n, o.arg(0)))
}

// vector finds the elements of a Vec, their number, and that for which there is room. The path to its pointer has changed often.
func (o *object) vector() (at, n, room uint64, ok bool) {
	if o == nil {
		return 0, 0, 0, false
	}
	buf := o.field("buf")
	n, ok = o.number("len")
	at, okAt := buf.find(into(12), isPointer).uint()
	room, okR := buf.room()
	return at, n, room, ok && okAt && okR
}

// room returns the capacity of a RawVec.
func (o *object) room() (uint64, bool) { return o.part("inner.cap|cap").find(into(4), isCount).uint() }

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
