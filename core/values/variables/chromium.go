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

// mozilla are types of Firefox, by its headers: xpcom/string/nsTSubstring.h,
// mfbt/RefPtr.h, xpcom/base/nsCOMPtr.h, xpcom/ds/nsTArray.h, mfbt/UniquePtr.h,
// mfbt/Maybe.h, mfbt/Vector.h, mfbt/Span.h, mfbt/Atomics.h.
func mozilla() []known {
	return []known{
		{"RefPtr<|nsCOMPtr<|mozilla::StaticRefPtr<", handle("mRawPtr"), plain},
		{"mozilla::NotNull<", through("mBasePtr"), plain},
		{"mozilla::OwningNonNull<", through("mPtr"), plain},
		{"mozilla::UniquePtr<", handle("mTuple.mFirstA|mTuple.mFirst"), plain},
		{"mozilla::WeakPtr<", handle("mRef.mRawPtr"), withMembers},
		{"mozilla::Maybe<", maybe("mIsSome", "mStorage.val|mStorage.mStorage.val"), plain},
		{"mozilla::Vector<", counted("mBegin", "mLength"), plain},
		{"mozilla::Span<", counted("storage_.data_", "storage_.size_"), plain},
		{"mozilla::Atomic<", through("mValue"), withMembers},
		{"nsTString<|nsTSubstring<|nsTAutoStringN<|nsTDependentString<|nsTDependentSubstring<|nsTLiteralString<|nsTPromiseFlatString<|" +
			"mozilla::detail::nsTStringRepr<", chars("mData", "mLength"), asText},
		{"nsTArray<|AutoTArray<|CopyableTArray<|CopyableAutoTArray<|FallibleTArray<|nsTArray_Impl<", mozillaArray, plain},
	}
}

// mozillaArray reads an array, whose elements follow a header with their number.
func mozillaArray(o *object) bool {
	header := o.field("mHdr").pointee()
	n, ok := header.part("mLength").uint()
	t := o.arg(0)
	if !ok || sizeOf(header.t) == 0 {
		return false
	}
	if room, ok := header.part("mCapacity").uint(); ok && o.exceeds(n, room) {
		return true
	}
	return o.run(header.v.addr+o.behind(sizeOf(header.t), t), n, t)
}
