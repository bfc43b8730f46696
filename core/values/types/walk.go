package types

// maxNames bounds a chain of typedefs: a damaged one may be a cycle.
const maxNames = 64

// Strip returns the type behind typedefs and qualifiers. A chain without an end gives nil, as void
// does.
func Strip(t *Type) *Type {
	for range maxNames {
		if t == nil || t.Kind != Typedef && t.Kind != Qualified {
			return definition(t)
		}
		t = t.Elem.Get()
	}
	return nil
}

// definition returns the type itself or, for a declared type, its definition if there is one.
func definition(t *Type) *Type {
	if t == nil || !t.Incomplete {
		return t
	}
	if full := t.Complete.Get(); full != nil && !full.Incomplete {
		return full
	}
	return t
}

// Size returns the number of bytes of a type's values, if it is known.
func Size(t *Type) (uint64, bool) { return size(t, maxNames) }

func size(t *Type, left int) (uint64, bool) {
	t = Strip(t)
	if t == nil || left == 0 {
		return 0, false
	}
	if t.Sized || t.Kind != Array {
		return t.Size, t.Sized
	}
	n, ok := size(t.Elem.Get(), left-1)
	for _, c := range t.Counts {
		if !ok || !c.Known || c.N != 0 && n > maxSize/c.N {
			return 0, false
		}
		n *= c.N
	}
	return n, ok
}

// maxSize bounds the size of a type that is believed.
const maxSize = 1 << 40

// Named returns the first name of a type, also behind qualifiers.
func Named(t *Type) string {
	for range maxNames {
		switch {
		case t == nil:
			return ""
		case t.Kind == Qualified:
			t = t.Elem.Get()
		default:
			return t.Name
		}
	}
	return ""
}
