package variables

import "crashglass/core/types"

// A descent bounds a search through the members and bases of a type: how deep it
// goes, and how many members it looks at in all. A damaged file has classes that
// are their own bases, each of them many times.
type descent struct {
	left int
	room *int
}

// maxDescent is more members than a class has together with its bases.
const maxDescent = 1 << 14

func into(depth int) descent {
	room := maxDescent
	return descent{depth, &room}
}

// enters reports whether the members of a type may be looked at.
func (d descent) enters(t *types.Type) bool {
	if t == nil || d.left == 0 || *d.room <= 0 {
		return false
	}
	*d.room -= 1 + len(t.Members)
	return true
}

func (d descent) deeper() descent { return descent{d.left - 1, d.room} }
