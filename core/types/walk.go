package types

// maxNames bounds a chain of other names: a damaged one may lead in a circle.
const maxNames = 64

// Strip returns a type without its other names and qualifiers: what is behind
// typedefs and const. A chain without an end gives nil, as void does.
func Strip(t *Type) *Type {
	for range maxNames {
		if t == nil || t.Kind != Typedef && t.Kind != Qualified {
			return definition(t)
		}
		t = t.Elem.Get()
	}
	return nil
}

// definition is the type itself or, of a type that is only declared, the type that
// defines it, where there is one.
func definition(t *Type) *Type {
	if t == nil || !t.Incomplete {
		return t
	}
	if full := t.Complete.Get(); full != nil && !full.Incomplete {
		return full
	}
	return t
}

// Size is how many bytes a value of a type has, if that is known.
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

// maxSize bounds what a type can be believed to take up.
const maxSize = 1 << 40

// Named returns the first name that a type has, also behind qualifiers.
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
