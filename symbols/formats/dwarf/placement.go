package dwarf

import (
	"fmt"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A rule is the location of a variable by its entry.
type rule struct {
	n        *node
	at       value // an expression, a list of them, or a constant
	constant bool
	base     frameBase
}

// Place implements variables.Rule.
func (r *rule) Place(e *variables.Eval) (variables.Place, error) {
	if r.constant {
		return r.constantPlace(e)
	}
	expr, err := r.n.expression(r.at, e.Frame)
	if err != nil {
		return variables.Place{}, err
	}
	if e.Evidence != nil {
		e.Evidence.Rule = r.n.exprText(expr)
	}
	return r.n.evaluator(e, r.base).run(expr)
}

func (n *node) evaluator(e *variables.Eval, base frameBase) *evaluator {
	return &evaluator{n: n, e: e, base: base, moved: e.Frame.Base() - n.group.file.opt.Base}
}

// expression returns the expression that holds at a frame's instruction.
func (n *node) expression(at value, f *variables.Context) ([]byte, error) {
	if expr, ok := n.block(at); ok {
		return expr, nil
	}
	switch at.form {
	case formData4, formData8, formSecOffset, formLoclistx:
		return n.locationAt(at, n.group.file.opt.Base+f.Rel())
	}
	return nil, variables.Damaged("a place in form %#x", at.form)
}

func (r *rule) constantPlace(e *variables.Eval) (variables.Place, error) {
	if b, ok := r.n.block(r.at); ok {
		return variables.Const(b), nil
	}
	switch r.at.form {
	case formString, formStrp, formLineStrp, formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex, formStrpSup, formGNUStrpAlt:
		return variables.Const(append([]byte(r.n.readText(r.n.text(r.at))), 0)), nil
	case formAddr, formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return variables.Const(e.Frame.Bytes(r.n.address(r.at)+e.Frame.Base()-r.n.group.file.opt.Base, int(r.n.addr))), nil
	}
	v, ok := r.n.constant(r.at)
	if !ok {
		return variables.Place{}, variables.Damaged("a constant in form %#x", r.at.form)
	}
	return variables.Const(e.Frame.Bytes(v, constantSize(r.at.form, v))), nil
}

// constantSize returns the number of known bytes of a constant. The number in a form of fewer bytes
// has no sign: if its highest bit is set, those behind it may be all ones or all zeros.
func constantSize(form uint16, v uint64) int {
	size := map[uint16]int{formData1: 1, formData2: 2, formData4: 4}[form]
	if size == 0 || v>>(8*size-1) == 0 {
		return 8
	}
	return size
}

// String implements variables.Rule.
func (r *rule) String() string {
	switch expr, ok := r.n.block(r.at); {
	case r.constant:
		return "DW_AT_const_value"
	case ok:
		return r.n.exprText(expr)
	}
	return fmt.Sprintf("a location list at %#x", r.at.v)
}

// frameBase is the base of locations in a function (section 3.3.5).
func (d *die) frameBase() frameBase {
	at := d.get(atFrameBase)
	if !at.set() {
		return nil
	}
	n := d.n
	return func(e *variables.Eval) (uint64, error) {
		expr, err := n.expression(at, e.Frame)
		if err != nil {
			return 0, err
		}
		r := buffer{b: expr, big: n.group.big}
		if o, ok := n.operation(&r); ok && o.code >= opReg0 && o.code < opReg0+32 && r.len() == 0 {
			return n.registerBase(e, uint64(o.code-opReg0))
		}
		return n.evaluator(e, nil).number(expr)
	}
}

// registerBase is a frame base that a register holds, from the prologue to the epilogue. If an
// interrupted frame's CFA is not based on the register, the prologue has not set it yet, or the
// epilogue has restored it.
func (n *node) registerBase(e *variables.Eval, number uint64) (uint64, error) {
	name := register(e.Frame.Arch.Name, number)
	if name == "" {
		return 0, variables.Damaged("register %d is not known", number)
	}
	if e.Frame.Interrupted && e.Frame.CFABase != nil {
		if from := e.Frame.CFABase(); from != "" && !sameRegister(from, name) && !isStackPointer(e, name) {
			return 0, variables.Damaged("the instruction is in a prologue or epilogue, where %s does not hold the frame", name)
		}
	}
	return e.Reg(name)
}

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
	n, ok := b.n.between(b.low, int64(n))
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
