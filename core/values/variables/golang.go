package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// golang are types of Go's runtime: runtime/string.go (stringStruct), runtime/slice.go,
// runtime/runtime2.go (iface, eface). Maps and channels are pointers, which
// pointer reads.
func golang() []known {
	return []known{
		{"string", bytesOf("str", "len"), withMembers},
		{"[]", goSlice, withMembers},
		{"runtime.eface", goInterface("_type"), withMembers},
		{"runtime.iface", goInterface("tab.Type|tab._type"), withMembers},
	}
}

// goSlice reads a slice: a pointer, a length, and a capacity that the length cannot exceed
// (runtime/slice.go, slice).
func goSlice(o *object) bool {
	var at, n, room uint64
	ok := o.numbers(num{"array", &at}, num{"len", &n}, num{"cap", &room})
	return ok && n <= room && o.run(at, n, o.field("array").element())
}

// RuntimeTypes is a Source that knows Go's types by their descriptors in the program.
type RuntimeTypes interface {
	// RuntimeType returns the type whose descriptor is at an offset from the module's first
	// descriptor, or nil.
	RuntimeType(off uint64) *types.Type
}

// goModule is the variable with the address of a program's descriptors. Source: runtime/symtab.go,
// moduledata.
const goModule = "runtime.firstmoduledata"

// goTypes returns the address of the first descriptor of a type.
func (r *reader) goTypes() (uint64, bool) {
	if r.goBase != 0 {
		return r.goBase, true
	}
	source, ok := r.frame.Source.(Statics)
	if !ok || r.goSearched {
		return 0, false
	}
	r.goSearched = true
	for _, v := range source.Statics(func(name string) bool { return name == goModule }, 1) {
		place, err := v.Rule.Place(&Eval{Frame: r.frame})
		if err != nil {
			break
		}
		module := &object{r: r, v: r.view(place), t: types.Strip(v.Type.Get())}
		r.goBase, ok = module.number("types")
	}
	return r.goBase, ok && r.goBase != 0
}

// goInterface reads an interface as its value, by the descriptor of its dynamic type.
func goInterface(path string) func(*object) bool {
	return func(o *object) bool {
		first, data := o.part0(), o.field("data")
		if n, ok := first.uint(); ok && n == 0 {
			o.out.say("nil")
			return true
		}
		at, ok := o.through(path).uint()
		known, okSource := o.r.frame.Source.(RuntimeTypes)
		if !ok || !okSource || data == nil {
			return false
		}
		base, ok := o.r.goTypes()
		t := known.RuntimeType(at - base)
		if !ok || at < base || t == nil {
			return false
		}
		held := &object{r: o.r, v: data.v, t: types.Strip(t), out: o.out, depth: o.depth}
		direct, sure := goDirect(t, o.word(), maxDirect)
		if !sure {
			return false
		}
		if !direct {
			at, ok := data.uint()
			if !ok {
				return false
			}
			held = o.in(at, t)
		}
		o.expanded("value", held, t)
		o.out.say(types.Spell(t))
		if c := o.out.Children[0]; c.Said {
			o.out.say(o.out.Text + " " + c.Text)
		}
		return true
	}
}

// part0 returns the first member.
func (o *object) part0() *object {
	if len(o.t.Members) == 0 {
		return nil
	}
	return o.member(&o.t.Members[0])
}

// through follows a path of members; a pointer to a structure is followed, too.
func (o *object) through(paths string) *object {
	for path := range strings.SplitSeq(paths, "|") {
		name, rest, deeper := strings.Cut(path, ".")
		at := o.field(name)
		if deeper {
			at = at.pointee().part(rest)
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// maxDirect bounds structures that hold one member.
const maxDirect = 8

// goDirect reports whether an interface holds a value itself, not a pointer to it. It does so for
// types with the shape of a pointer. The answer is unknown for a structure of a pointer and fields
// of size zero: Go 1.26 stores it directly, earlier versions do not. Source:
// cmd/compile/internal/types, IsDirectIface.
func goDirect(t *types.Type, word uint64, left int) (direct, known bool) {
	t = types.Strip(t)
	size := sizeOf(t)
	switch {
	case t == nil || left == 0:
		return false, false
	case t.Kind == types.Pointer, t.Kind == types.Function:
		return true, true
	case size != word:
		return false, true
	case t.Kind == types.Array && len(t.Counts) == 1 && t.Counts[0].N == 1:
		return goDirect(t.Elem.Get(), word, left-1)
	case t.Kind == types.Struct && len(t.Members) == 1:
		return goDirect(t.Members[0].Type.Get(), word, left-1)
	}
	for i := range t.Members {
		if sizeOf(t.Members[i].Type.Get()) == word {
			return false, false
		}
	}
	return false, true
}

// goFunction reads a function value: the address of a closure, which begins with the address of the
// code.
func (r *reader) goFunction(out *Value, v view) {
	closure, err := r.address(v, &types.Type{})
	if err != nil {
		out.fail(asError(err))
		return
	}
	text := hex(closure, 2*uint64(r.frame.Arch.Word))
	if closure == 0 {
		text = null(types.Go)
	}
	b, err := r.get(view{memory: true, addr: closure}, uint64(r.frame.Arch.Word))
	if err == nil && r.frame.Describe != nil {
		if what := r.frame.Describe(r.frame.Number(b)); what != "" {
			text += " (" + what + ")"
		}
	}
	out.say(text)
}
