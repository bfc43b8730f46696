package variables

import (
	"crashglass/core/values/types"
)

// pointer reads a pointer, and the object behind it.
func (r *reader) pointer(out *Value, v view, t *types.Type, depth int) {
	addr, ok := r.target(out, v, t, depth)
	if !ok {
		return
	}
	elem := types.Strip(t.Elem.Get())
	if r.goReference(out, addr, elem, depth) {
		return
	}
	if depth <= 0 && r.limits.Depth > 0 {
		out.fail(r.tooDeep())
		return
	}
	whole, of := addr, elem // of the complete object, by its vtable
	if addr != 0 && elem != nil {
		whole, of = r.dynamic(addr, elem)
	}
	out.say(r.pointerText(whole, t, elem))
	if whole != addr {
		out.Text += " (" + elem.Name + " at " + hex(addr, 2*uint64(r.frame.Arch.Word)) + ")" // the pointer's own value
	}
	// Only a variable's own pointer is followed. Members that are pointers have their address: the
	// user opens them one by one.
	if addr == 0 || elem == nil || depth < r.limits.Depth || !expands(elem) {
		return
	}
	r.pointee(out, view{memory: true, addr: whole}, of, depth)
}

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

// pointee adds the members of the object behind a pointer. If they were not captured, only the
// pointer is shown.
func (r *reader) pointee(out *Value, v view, elem *types.Type, depth int) {
	var one [1]byte
	if r.bytes < 1 || r.frame.Memory == nil || r.frame.Memory.Read(v.addr&r.frame.Arch.Mask(), one[:]) == 0 {
		r.noString(out, v.addr, elem)
		return
	}
	to := r.value(v, elem, depth)
	if !to.State.shown() {
		return
	}
	out.State, out.Why, out.Content = to.State, to.Why, to.Content
	out.Children, out.More, out.object = to.Children, to.More, to.object
	switch {
	case !to.Said:
		r.noString(out, v.addr, elem)
	case r.isString(elem):
		out.say(to.Text + " (" + out.Text + ")")
	default:
		out.say(out.Text + " " + to.Text)
	}
}

// noString replaces the text of a pointer or reference to a library's string if the string is not
// in the dump.
func (r *reader) noString(out *Value, addr uint64, t *types.Type) {
	if r.isString(t) {
		out.Text, out.Said = "", false
		out.fail(&Error{NotCaptured, "the string at " + hex(addr, 2*uint64(r.frame.Arch.Word)) + " is not in the dump"})
	}
}

// expands reports whether the object behind a pointer has members to show.
func expands(t *types.Type) bool {
	return (t.Kind == types.Struct || t.Kind == types.Class || t.Kind == types.Union) && !t.Incomplete
}

// null returns a language's text for a null pointer.
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

// pointerText writes an address with its target: a string, a function.
func (r *reader) pointerText(addr uint64, t, elem *types.Type) string {
	if text := null(t.Language); addr == 0 && text != "" && !scalar(elem) && elem != nil && elem.Kind != types.Array {
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
	case isText(elem) && (t.Language == types.C || t.Language == types.CPlusPlus):
		if s, ok := r.cString(addr, elem.Size); ok {
			text += " " + prefixOf(elem) + s
		}
	}
	return text
}

// isText reports whether values of a type are characters, so that a pointer to one is a string.
func isText(t *types.Type) bool {
	return t != nil && (t.Kind == types.Char || t.Kind == types.Wide && prefixOf(t) != "")
}

// target returns the address in a pointer or a reference. It reports false if out is complete
// already: for an implicit pointer, or an unknown address.
func (r *reader) target(out *Value, v view, t *types.Type, depth int) (addr uint64, ok bool) {
	if v.points != nil {
		r.implicit(out, v.points, depth)
		return 0, false
	}
	addr, err := r.address(v, t)
	if err != nil {
		out.fail(asError(err))
		return 0, false
	}
	return addr, true
}

// reference reads the referenced object in place of the reference.
func (r *reader) reference(out *Value, v view, t *types.Type, depth int) {
	addr, ok := r.target(out, v, t, depth)
	if !ok {
		return
	}
	elem := t.Elem.Get()
	addr, elem = r.dynamic(addr, elem)
	if of := types.Strip(elem); of != nil && (of.Kind == types.Reference || of.Kind == types.RValueReference) {
		depth-- // no language has references to references, and a damaged type may refer to itself
	}
	if depth < 0 {
		out.fail(r.tooDeep())
		return
	}
	to := r.value(view{memory: true, addr: addr}, elem, depth)
	out.State, out.Why, out.Content, out.Children, out.More, out.object = to.State, to.Why, to.Content, to.Children, to.More, to.object
	switch {
	case to.Said && scalar(types.Strip(elem)):
		out.say(to.Text)
		out.Children, out.refers = []*Value{to}, true
	case to.Said:
		out.say(to.Text)
	case r.isString(types.Strip(elem)):
		r.noString(out, addr, types.Strip(elem))
	case to.State == Known:
		out.say(hex(addr, 2*uint64(r.frame.Arch.Word)))
	}
}

// scalar reports whether values of a type have only a text.
func scalar(t *types.Type) bool {
	return t != nil && t.Kind != types.Struct && t.Kind != types.Class && t.Kind != types.Union && t.Kind != types.Array
}

// maxImplicit bounds a chain of implicit pointers, which may be a cycle.
const maxImplicit = 4

// implicit reads the object behind an implicit pointer, which is not in memory.
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
