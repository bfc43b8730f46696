package variables

// chromium are types of Chromium's base library, by its headers: base/memory
// (raw_ptr.h, scoped_refptr.h, weak_ptr.h), base/containers (span.h, flat_tree.h,
// checked_iterators.h, circular_deque.h), base/strings, base/time/time.h, url.
func chromium() []known {
	return []known{
		{"base::raw_ptr<", handle("wrapped_ptr_"), plain},
		{"base::raw_ref<", handle("inner_.wrapped_ptr_"), plain},
		{"scoped_refptr<", handle("ptr_"), plain},
		{"base::WeakPtr<", handle("ptr_"), withMembers},
		{"base::RefCountedData<", through("data"), withMembers},
		{"base::span<", counted("data_", "size_"), plain},
		{"base::flat_map<|base::flat_set<|base::internal::flat_tree<", through("body_"), plain},
		{"base::circular_deque<", chromiumRing, plain},
		{"base::BasicStringPiece<", chars("ptr_", "length_"), asText},
		{"base::FilePath", through("path_"), asText},
		{"base::TimeDelta", microseconds("delta_"), withMembers},
		{"base::TimeTicks|base::Time", microseconds("us_"), withMembers},
		{"base::AtomicRefCount", through("ref_count_"), withMembers},
		{"GURL", through("spec_"), withMembers},
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
	var room, from, to uint64
	at, ok := data.uint()
	if !ok || !o.numbers(num{"buffer_.capacity_", &room}, num{"begin_", &from}, num{"end_", &to}) {
		return false
	}
	if max(from, to) > room {
		return o.inconsistent(nil, "it goes from %d to %d of %d", from, to, room)
	}
	n := to - from
	if to < from { // it wraps
		n = room - from + to
	}
	return n == 0 && o.sized(0) || o.ring(at, room, from, n, data.element())
}
