package variables

// chromium are types of Chromium's base library, by its headers: base/memory
// (raw_ptr.h, scoped_refptr.h, weak_ptr.h), base/containers (span.h, flat_tree.h,
// checked_iterators.h, circular_deque.h), base/strings, base/time/time.h, url.
func chromium() []known {
	return []known{
		{"base::raw_ptr<", handle("wrapped_ptr_"), false, false},
		{"base::raw_ref<", handle("inner_.wrapped_ptr_"), false, false},
		{"scoped_refptr<", handle("ptr_"), false, false},
		{"base::WeakPtr<", handle("ptr_"), true, false},
		{"base::RefCountedData<", through("data"), true, false},
		{"base::span<", counted("data_", "size_"), false, false},
		{"base::flat_map<", through("body_"), false, false},
		{"base::flat_set<", through("body_"), false, false},
		{"base::internal::flat_tree<", through("body_"), false, false},
		{"base::circular_deque<", chromiumRing, false, false},
		{"base::BasicStringPiece<", chars("ptr_", "length_"), false, true},
		{"base::FilePath", through("path_"), false, true},
		{"base::TimeDelta", microseconds("delta_"), true, false},
		{"base::TimeTicks", microseconds("us_"), true, false},
		{"base::Time", microseconds("us_"), true, false},
		{"base::AtomicRefCount", through("ref_count_"), true, false},
		{"GURL", through("spec_"), true, false},
	}
}

// microseconds is a member that counts them.
func microseconds(path string) func(*object) bool {
	return func(o *object) bool {
		n, ok := o.number(path)
		o.out.say(signed(int64(n)) + " µs")
		return ok
	}
}

// chromiumRing reads a deque, whose elements form a ring from begin_ on. One slot stays free, to
// distinguish an empty ring from a full one.
func chromiumRing(o *object) bool {
	data := o.field("buffer_.data_")
	room, ok1 := o.number("buffer_.capacity_")
	from, ok2 := o.number("begin_")
	to, ok3 := o.number("end_")
	at, ok4 := data.uint()
	if !ok1 || !ok2 || !ok3 || !ok4 || from > room || to > room {
		return false
	}
	n := to - from
	if to < from { // it wraps
		n = room - from + to
	}
	return o.ring(at, room, from, n, data.element())
}
