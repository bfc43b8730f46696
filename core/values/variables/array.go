package variables

import (
	"strconv"

	"crashglass/core/values/types"
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
		elem, _ = r.rows(t)
		if size, ok = types.Size(elem); !ok {
			out.fail(Damaged("the array's rows have no size"))
			return
		}
	} else if t := types.Strip(elem); isText(t) {
		if elem = r.charArray(out, v, t, count.N); elem == nil {
			return
		}
	}
	if depth <= 0 {
		if !out.Said {
			out.fail(r.tooDeep())
		}
		return
	}
	r.elements(out, v, elem, size, count, depth)
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

// rows returns the type of an array's elements, which are arrays if it has several dimensions, and the first dimension.
func (r *reader) rows(t *types.Type) (*types.Type, types.Count) {
	count, rest := r.arrayCount(t)
	if len(rest) == 0 {
		return t.Elem.Get(), count
	}
	row := *t
	row.Counts, row.Name, row.Sized = rest, "", false
	return &row, count
}

func (r *reader) elements(out *Value, v view, elem *types.Type, size uint64, count types.Count, depth int) {
	for i := range min(count.N, uint64(r.limits.Elements)) {
		if r.values <= 0 || size > 0 && i > maxStride/size {
			break
		}
		child := r.element(v.at(i*size), elem, depth-1)
		child.named("[" + signed(count.Low+int64(i)) + "]")
		out.Children = append(out.Children, child)
	}
	out.More = count.N - uint64(len(out.Children))
}

// maxStride bounds the distance from an array's beginning that is read.
const maxStride = 1 << 40

// index is the name of an element: [7].
func index(i uint64) string { return "[" + strconv.FormatUint(i, 10) + "]" }

// charArray reads an array of characters as text, up to its end or a zero. Bytes that are no text, as in
// glibc's unions (char __size[40]), are numbers: it returns the type to read them as, and nil for a text.
func (r *reader) charArray(out *Value, v view, t *types.Type, count uint64) *types.Type {
	b, err := r.get(v, min(count*max(t.Size, 1), maxText))
	switch {
	case err != nil && len(v.bytes) > 0:
		return t // each of its pieces has its own state
	case err != nil:
		out.fail(asError(err))
		return nil
	case r.readable(b, t.Size):
		out.say(prefixOf(t) + r.quote(b, t.Size, true))
		return nil
	}
	number := *t
	number.Kind = types.Unsigned
	if t.Minus {
		number.Kind = types.Signed
	}
	return &number
}
