package variables

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/values/expr"
	"crashglass/core/values/types"
)

// Evaluate reads the value of an expression in a frame. Its names are variables of a scope, which count
// from the function itself, members of what this points to, variables outside of functions, and
// enumerators. Package expr has the language. An unknown part makes the value unknown, for its reason.
func Evaluate(f *Context, scope int, text string, limits Limits) *Value {
	out, evidence := &Value{}, &Evidence{}
	if f.Arch == nil {
		out.fail(Damaged("the dump does not say its CPU"))
	} else {
		out = newFrameNames(f, scope, limits, evidence).evaluate(text)
	}
	out.named(text)
	out.Evidence = evidence
	return out
}

// A frameNames finds what an expression names in a frame.
type frameNames struct {
	root     object // with the budget of the frame
	scope    []Variable
	named    []Variable         // outside of functions, that the expression named
	modules  map[string]*reader // for variables outside of functions, by the name of the module
	location string             // of the last variable
}

func newFrameNames(f *Context, scope int, limits Limits, evidence *Evidence) *frameNames {
	r := newReader(f, limits)
	r.eval = &Eval{Frame: f, Evidence: evidence}
	language := &types.Type{}
	if l := f.Symbols.Languages; l != nil {
		language.Language = l.Language(f.Rel())
	}
	n := &frameNames{root: object{r: r, t: language, out: &Value{}, depth: r.limits.Depth + 1}, modules: map[string]*reader{}}
	if source := f.Symbols.Scopes; source != nil && f.Module != nil {
		if scopes := source.Scopes(f.Rel()); scope < len(scopes) {
			n.scope = scopes[len(scopes)-1-scope].Variables
		}
	}
	return n
}

func (n *frameNames) evaluate(text string) *Value {
	out := &Value{}
	ev := evaluator{at: &n.root, names: n}
	e, err := expr.Parse(text, func(name string) bool {
		probe := evaluator{at: &n.root, names: n, types: true}
		_, isType := probe.typeNamed(name, "")
		return isType && innermost(n.scope, name) == nil
	})
	if err != nil {
		out.fail(Damaged("%v", err))
		return out
	}
	o := ev.eval(e)
	if o == nil {
		out.fail(ev.err)
		return out
	}
	if out = o.value(); o.v.memory || e.Op != expr.Name {
		n.location = ""
		if o.v.memory {
			n.location = (&Piece{Kind: InMemory, Addr: o.v.addr}).describe()
		}
	}
	out.Location = n.location
	n.format(out, o, e.Format)
	return out
}

// format writes a number as the format behind the expression says, which is one of NatVis.
func (n *frameNames) format(out *Value, o *object, format string) {
	at, ok := o.integer()
	switch size := sizeOf(o.t); {
	case format == "":
	case ok && format == "d":
		out.say(signed(at))
	case ok && format == "x" && size > 0:
		out.say(hex(uint64(at)&(^uint64(0)>>(64-8*min(size, 8))), 2*size))
	default:
		out.fail(Damaged("the format %s is not supported for this value", format))
	}
}

// innermost returns the variable with a name, that of the innermost block of several; nil for none.
func innermost(list []Variable, name string) (found *Variable) {
	for i := range list {
		if v := &list[i]; v.Name == name && (found == nil || v.Block.Depth >= found.Block.Depth) {
			found = v
		}
	}
	return found
}

// variable finds a variable, or an enumerator. A name with "::" before it is outside of functions.
func (n *frameNames) variable(ev *evaluator, module, name string) *object {
	if module == "" {
		if v := innermost(n.scope, name); v != nil {
			return n.read(ev, n.root.r, v)
		}
		if o := n.ofThis(ev, name); o != nil || ev.err != nil {
			return o
		}
	}
	name, all := strings.CutPrefix(name, "::")
	r := n.module(module)
	switch {
	case r == nil && module == "":
		return ev.fail(Damaged("there is no variable %s: the frame has no symbols that describe variables", name))
	case r == nil:
		return ev.fail(Damaged("there is no module %s with symbols that describe variables", module))
	}
	found := statics(r.frame, name, all)
	switch {
	case len(found) == 1:
		n.named = append(n.named, found[0])
		return n.read(ev, r, &found[0])
	case len(found) > 1:
		return ev.fail(Damaged("there are several variables %s, as %s and %s", name, found[0].Name, found[1].Name))
	}
	if o := ev.enumerator(name); o != nil {
		return o
	}
	if t, v := n.unscoped(name); t != nil {
		return ev.number(t, v)
	}
	return ev.fail(Damaged("there is no variable %s in this frame, and none outside of functions in its module", name))
}

// ofThis is a member of the object whose method the scope is; nil if it has no such member.
func (n *frameNames) ofThis(ev *evaluator, name string) *object {
	this := innermost(n.scope, "this")
	if this == nil {
		return nil
	}
	t := types.Strip(this.Type.Get())
	if t == nil || t.Kind != types.Pointer || n.root.in(0, t.Elem.Get()).one(name, into(12)) == nil {
		return nil
	}
	return ev.member(ev.element(n.read(ev, n.root.r, this), 0), name)
}

// enumerator is a named value of an enumeration: "Color::red".
func (ev *evaluator) enumerator(name string) *object {
	i := strings.LastIndex(name, "::")
	if i < 0 {
		return nil
	}
	probe := evaluator{at: ev.at}
	t, _ := probe.typeNamed(name[:i], "")
	if of := types.Strip(t); of != nil && of.Kind == types.Enum {
		for _, e := range of.Enumerators {
			if e.Name == name[i+2:] {
				return ev.number(t, uint64(e.Value))
			}
		}
	}
	return nil
}

// unscoped finds an enumerator without the name of its enumeration: in the types of the scope's variables and
// of those that the expression named before.
func (n *frameNames) unscoped(name string) (*types.Type, uint64) {
	d := into(6)
	for _, v := range slices.Concat(n.scope, n.named) {
		if t, value := enumeratorIn(v.Type.Get(), name, d); t != nil {
			return t, value
		}
	}
	return nil, 0
}

// enumeratorIn finds an enumerator in a type, its members and what it points to.
func enumeratorIn(t *types.Type, name string, d descent) (*types.Type, uint64) {
	of := types.Strip(t)
	if !d.enters(of) {
		return nil, 0
	}
	for _, e := range of.Enumerators {
		if e.Name == name {
			return t, uint64(e.Value)
		}
	}
	if of.Elem != nil && of.Kind != types.Enum {
		return enumeratorIn(of.Elem.Get(), name, d.deeper())
	}
	for i := range of.Members {
		if t, value := enumeratorIn(of.Members[i].Type.Get(), name, d.deeper()); t != nil {
			return t, value
		}
	}
	return nil, 0
}

// module returns the reader of the variables outside of functions in a module; "" is that of the frame. It
// is nil if there are none.
func (n *frameNames) module(name string) *reader {
	if r, ok := n.modules[name]; ok {
		return r
	}
	f := n.root.r.frame
	if name != "" && f.Other != nil {
		f = f.Other(name)
	} else if name != "" {
		f = nil
	}
	var r *reader
	if f != nil && f.Symbols.Statics != nil {
		r = outside(f, n.root.r.limits)
		r.eval = &Eval{Frame: r.frame, Evidence: n.root.r.eval.Evidence}
	}
	n.modules[name] = r
	return r
}

// statics finds the variables with a name: those with that full name, or, unless all of it is required,
// those of which it is the end. One variable may be described several times.
func statics(f *Context, name string, all bool) []Variable {
	list := f.Symbols.Statics.Statics(func(full string) bool { return full == name }, MaxStatics)
	if len(list) == 0 && !all {
		list = f.Symbols.Statics.Statics(func(full string) bool { return isEnd(full, name) }, MaxStatics)
	}
	return slices.CompactFunc(list, func(a, b Variable) bool {
		return a.Name == b.Name && a.Rule != nil && b.Rule != nil && a.Rule.String() == b.Rule.String()
	})
}

// read finds the place of a variable.
func (n *frameNames) read(ev *evaluator, r *reader, v *Variable) *object {
	e := r.eval.Evidence
	rule, from := e.Rule, e.From
	place, err := r.place(v)
	if e.From = v.From; rule != "" && rule != e.Rule {
		e.Rule, e.From = rule+"; "+e.Rule, from
	}
	if err != nil && !ev.types {
		return ev.fail(asError(err))
	}
	n.location = place.describe()
	t := v.Type.Get()
	return &object{r: r, v: r.view(place), t: types.Strip(t), is: t, out: n.root.out, depth: n.root.depth}
}

// register reads a register: a number, or the bytes of a vector.
func (n *frameNames) register(ev *evaluator, name string) *object {
	r := n.root.r
	arch := r.frame.Arch
	if own, ok := map[string]string{"pc": arch.RegName(arch.PC), "sp": arch.RegName(arch.SP)}[name]; ok {
		name = own
	}
	if r.frame.Guess {
		return ev.fail(guessed())
	}
	whole, from, size := partOf(arch, name)
	b, err := r.eval.Bytes(whole)
	if err != nil {
		return ev.fail(asError(err))
	}
	if size > 0 {
		t := ev.ownType(map[int]string{1: "unsigned char", 2: "unsigned short", 4: "unsigned int"}[size])
		return ev.number(t, r.frame.Number(b)>>from)
	}
	if len(b) == arch.Word {
		return ev.number(ev.whole(uint64(len(b)), true), r.frame.Number(b))
	}
	element := &types.Type{Kind: types.Unsigned, Name: "unsigned char", Size: 1, Sized: true}
	t := &types.Type{Kind: types.Array, Elem: func() *types.Type { return element }, Counts: []types.Count{{N: uint64(len(b)), Known: true}}}
	return &object{r: r, v: view{bytes: b, known: make([]*Error, len(b))}, t: t, out: n.root.out, depth: n.root.depth}
}

// partOf returns the register whose low bytes have a name of their own: eax, ax, ah, al, sil and r8d of x86, w0 of
// ARM. A size of 0 is the whole register, or one of another kind.
func partOf(arch *cpu.Arch, name string) (whole string, shift, size int) {
	has := func(name string) bool { _, ok := arch.Reg(name); return ok }
	wide := "e"
	if has("rax") {
		wide = "r"
	}
	switch n := len(name) - 1; {
	case n < 1 || has(name):
	case has("x0") && name[0] == 'w' && has("x"+name[1:]):
		return "x" + name[1:], 0, 4
	case !has(wide + "ax"):
	case name[0] == 'e' && has("r"+name[1:]):
		return "r" + name[1:], 0, 4
	case n == 1 && has(wide+name):
		return wide + name, 0, 2
	case n == 1 && name[1] == 'l' && has(wide+name[:1]+"x"):
		return wide + name[:1] + "x", 0, 1
	case n == 1 && name[1] == 'h' && has(wide+name[:1]+"x"):
		return wide + name[:1] + "x", 8, 1
	case name[n] == 'l' && has("r"+name[:n]):
		return "r" + name[:n], 0, 1
	case name[0] == 'r' && name[1] >= '0' && name[1] <= '9' && has(name[:n]) && strings.IndexByte("dwbl", name[n]) >= 0:
		return name[:n], 0, map[byte]int{'d': 4, 'w': 2, 'b': 1, 'l': 1}[name[n]]
	}
	return name, 0, 0
}
