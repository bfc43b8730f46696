package variables

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
