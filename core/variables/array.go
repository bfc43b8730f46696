package variables

import (
	"strconv"

	"crashglass/core/types"
)

// array reads an array: as text, if it is text, and element by element.
func (r *reader) array(out *Value, v view, t *types.Type, depth int) {
	elem := t.Elem.Get()
	size, ok := types.Size(elem)
	count, rest := r.arrayCount(t)
	switch {
	case !ok || len(t.Counts) > 0 && !count.Known:
		out.fail(Damaged("how many elements the array has is not in the debug information"))
		return
	}
	if len(rest) > 0 {
		row := *t
		row.Counts, row.Name, row.Sized = rest, "", false
		elem = &row
		if size, ok = types.Size(elem); !ok {
			out.fail(Damaged("the array's rows have no size"))
			return
		}
	} else if r.charArray(out, v, elem, count.N) {
		return
	}
	if depth <= 0 {
		if !out.Said {
			out.fail(r.tooDeep())
		}
		return
	}
	r.elements(out, v, elem, size, count.N, depth)
}

// A Bound computes the number of elements of a dimension at run time.
type Bound interface {
	Count(e *Eval) (uint64, error)
}

// arrayCount returns the first dimension, and the others.
func (r *reader) arrayCount(t *types.Type) (types.Count, []types.Count) {
	if len(t.Counts) == 0 {
		return types.Count{}, nil
	}
	first := t.Counts[0]
	if bound, ok := first.Bound.(Bound); ok && !first.Known {
		n, err := bound.Count(r.eval)
		first.N, first.Known = n, err == nil && n <= maxStride
	}
	return first, t.Counts[1:]
}

// elements reads adjacent elements.
func (r *reader) elements(out *Value, v view, elem *types.Type, size, count uint64, depth int) {
	for i := range min(count, uint64(r.limits.Elements)) {
		if r.values <= 0 || size > 0 && i > maxStride/size {
			break
		}
		child := r.value(v.at(i*size), elem, depth-1)
		child.named(index(i))
		out.Children = append(out.Children, child)
	}
	out.More = count - uint64(len(out.Children))
}

// maxStride bounds the distance from an array's beginning that is read.
const maxStride = 1 << 40

// index is the name of an element: [7].
func index(i uint64) string { return "[" + strconv.FormatUint(i, 10) + "]" }

// charArray returns the text of an array of characters, up to its end or a zero. It reports false
// for any other array.
func (r *reader) charArray(out *Value, v view, elem *types.Type, count uint64) bool {
	t := types.Strip(elem)
	bytes := t != nil && t.Kind == types.Unsigned && t.Size == 1 && t.Language != types.Go
	if !isText(t) && !bytes {
		return false
	}
	b, err := r.get(v, min(count*max(t.Size, 1), maxText))
	if err != nil && len(v.bytes) > 0 {
		return false // each of its pieces has its own state
	}
	if err != nil {
		out.fail(asError(err))
		return true
	}
	out.say(prefixOf(t) + r.quote(b, t.Size, true))
	return !bytes
}
