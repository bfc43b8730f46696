package variables

import "crashglass/core/types"

// A descent bounds a search through the members and bases of a type, by depth and by the number of
// members. In a damaged file a class may be its own base, many times.
type descent struct {
	left int
	room *int
}

// maxDescent is more members than a class has together with its bases.
const maxDescent = 1 << 14

// into begins a descent of at most depth levels.
func into(depth int) descent {
	room := maxDescent
	return descent{depth, &room}
}

// enters reports whether the search may enter the members of a type.
func (d descent) enters(t *types.Type) bool {
	if t == nil || d.left == 0 || *d.room <= 0 {
		return false
	}
	*d.room -= 1 + len(t.Members)
	return true
}

// deeper is the descent one level further. All levels share the room.
func (d descent) deeper() descent { return descent{d.left - 1, d.room} }
