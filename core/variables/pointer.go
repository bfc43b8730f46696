package variables

import (
	"crashglass/core/types"
)

// pointer reads a pointer, and says what it points to.
func (r *reader) pointer(out *Value, v view, t *types.Type, depth int) {
	if v.points != nil {
		r.implicit(out, v.points, depth)
		return
	}
	addr, err := r.address(v, t)
	if err != nil {
		out.fail(asError(err))
		return
	}
	elem := types.Strip(t.Elem.Get())
	out.say(r.pointerText(addr, t, elem))
	if addr == 0 || elem == nil || depth < r.limits.Depth || !expands(elem) {
		return
	}
	r.pointee(out, view{memory: true, addr: addr}, elem, depth)
}

// address reads the number that a pointer is.
func (r *reader) address(v view, t *types.Type) (uint64, error) {
	size, ok := types.Size(t)
	if !ok || size == 0 {
		size = uint64(r.frame.Arch.Word)
	}
	if size > 8 {
		return 0, Damaged("a pointer of %d bytes", size)
	}
	b, err := r.get(v, size)
	if err != nil {
		return 0, err
	}
	return r.frame.Number(b), nil
}

// pointee adds the members of what a variable points to. Where those are not
// captured the pointer says all that is known.
func (r *reader) pointee(out *Value, v view, elem *types.Type, depth int) {
	var one [1]byte
	if r.bytes < 1 || r.frame.Memory == nil || r.frame.Memory.Read(v.addr&r.frame.Arch.Mask(), one[:]) == 0 {
		return
	}
	to := r.value(v, elem, depth-1)
	if to.State == Known {
		out.Children = to.Children
	}
}

// expands reports whether what is pointed to has members to show.
func expands(t *types.Type) bool {
	return (t.Kind == types.Struct || t.Kind == types.Class || t.Kind == types.Union) && !t.Incomplete
}

// null is how a language writes a pointer to nothing.
func null(l types.Language) string {
	switch l {
	case types.C:
		return "NULL"
	case types.CPlusPlus:
		return "nullptr"
	case types.Go, types.ObjectiveC, types.Swift:
		return "nil"
	}
	return ""
}

// pointerText writes an address, and what is there: a string, a function, a class by its vtable.
func (r *reader) pointerText(addr uint64, t, elem *types.Type) string {
	if text := null(t.Language); addr == 0 && text != "" {
		return text
	}
	text := hex(addr, 2*uint64(r.frame.Arch.Word))
	switch {
	case addr == 0:
	case elem == nil || elem.Kind == types.Function:
		if r.frame.Describe != nil {
			if what := r.frame.Describe(addr); what != "" {
				text += " (" + what + ")"
			}
		}
	case elem.Kind == types.Char && (t.Language == types.C || t.Language == types.CPlusPlus), elem.Kind == types.Wide && prefixOf(elem) != "":
		if s, ok := r.cString(addr, elem.Size); ok {
			text += " " + prefixOf(elem) + s
		}
	case elem.Kind == types.Class || elem.Kind == types.Struct:
		text += r.dynamic(addr, elem)
	}
	return text
}

// dynamic names the class of an object by its vtable, where that is another
// one than the pointer's.
func (r *reader) dynamic(addr uint64, t *types.Type) string {
	if r.frame.TypeAt == nil || !polymorphic(t, 8) {
		return ""
	}
	word := uint64(r.frame.Arch.Word)
	b, err := r.get(view{memory: true, addr: addr}, word)
	if err != nil {
		return ""
	}
	if name := r.frame.TypeAt(r.frame.Number(b)); name != "" && name != t.Name {
		return " (" + name + ")"
	}
	return ""
}

// polymorphic reports whether objects of a class begin with a pointer to a vtable.
func polymorphic(t *types.Type, left int) bool {
	if t == nil || left == 0 {
		return false
	}
	for i := range t.Members {
		m := &t.Members[i]
		if m.Artificial && m.Offset == 0 {
			return true
		}
		if m.Base && (m.Virtual || m.Offset == 0 && polymorphic(types.Strip(m.Type.Get()), left-1)) {
			return true
		}
	}
	return false
}

// reference reads what a reference refers to, in its place.
func (r *reader) reference(out *Value, v view, t *types.Type, depth int) {
	if v.points != nil {
		r.implicit(out, v.points, depth)
		return
	}
	addr, err := r.address(v, t)
	if err != nil {
		out.fail(asError(err))
		return
	}
	elem := t.Elem.Get()
	to := r.value(view{memory: true, addr: addr}, elem, depth-1)
	out.State, out.Why, out.Children, out.More = to.State, to.Why, to.Children, to.More
	switch {
	case to.Said:
		out.say(to.Text)
	case to.State == Known:
		out.say(hex(addr, 2*uint64(r.frame.Arch.Word)))
	}
}

// maxImplicit bounds a chain of implicit pointers, which may be a circle.
const maxImplicit = 4

// implicit reads what a pointer would point to, were it in memory.
func (r *reader) implicit(out *Value, p *Piece, depth int) {
	if p.Points == nil || len(r.points) == maxImplicit {
		out.fail(Gone("it points to what is not in memory"))
		return
	}
	r.points = append(r.points, p.Points)
	defer func() { r.points = r.points[:len(r.points)-1] }()
	out.fail(Gone("the pointer was not kept: what it points to is not in memory"))
	if p.Points.Rule == nil || p.Offset < 0 || depth <= 0 {
		return
	}
	place, err := p.Points.Rule.Place(r.eval)
	if err != nil {
		return
	}
	to := r.value(r.view(place).at(uint64(p.Offset)), p.Points.Type.Get(), depth-1)
	to.Name = "*"
	out.Children = []*Value{to}
}
