package dwarf

import (
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A bound is the element count of an array whose size is only known at run time: from an
// expression, or from another variable (section 5.13).
type bound struct {
	n     *node
	at    value
	upper bool  // it is the last index, and not the count
	low   int64 // the first index
}

// A bound is evaluated when the frame that has the array is known.
var _ variables.Bound = (*bound)(nil)

// runTime is a dimension that is known at run time.
func (d *die) runTime(low int64) types.Count {
	for _, name := range []uint16{atCount, atUpperBound} {
		v := d.get(name)
		if _, block := d.n.block(v); block || isReference(v.form) { // a reference is to a variable
			return types.Count{Low: low, Bound: &bound{d.n, v, name == atUpperBound, low}}
		}
	}
	return types.Count{}
}

// Count implements variables.Bound.
func (b *bound) Count(e *variables.Eval) (uint64, error) {
	n, err := b.number(e)
	if !b.upper || err != nil {
		return n, err
	}
	n, ok := between(b.low, int64(n))
	if !ok {
		return 0, variables.Damaged("an array from index %d to %d", b.low, int64(n))
	}
	return n, nil
}

// number evaluates the bound in the function that is read: GCC leaves the type
// outside of it.
func (b *bound) number(e *variables.Eval) (uint64, error) {
	var base frameBase
	if f, ok := b.n.group.file.function(e.Frame.Rel()); ok {
		base = f.frameBase()
	}
	if expr, ok := b.n.block(b.at); ok {
		return b.n.evaluator(e, base).number(expr)
	}
	d, ok := b.n.follow(b.at)
	if !ok || d.tag != tagVariable && d.tag != tagParameter {
		return 0, variables.Damaged("the bound of an array is no variable")
	}
	v := d.variable(base)
	size, ok := types.Size(v.Type.Get())
	if v.Rule == nil || !ok || size == 0 || size > 8 {
		return 0, variables.Gone("how many elements the array has was not kept")
	}
	place, err := v.Rule.Place(e)
	if err != nil {
		return 0, err
	}
	return e.Read(place, int(size))
}
