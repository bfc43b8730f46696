package variables

import "crashglass/core/values/types"

// Limits bound the reading of one frame. The zero value is the default.
type Limits struct {
	Depth    int // nesting of members; 0 means 4
	Elements int // of an array or container; 0 means 256
	Values   int // of all variables together, members included; 0 means 16384
	Bytes    int // of memory; 0 means 1 MiB

	// Wants selects the variables to read, by the number of the scope and the number in it. Scopes
	// count from the function itself, which is 0. Nil selects all.
	Wants func(scope, number int, v *Variable) bool
}

func (l Limits) orDefault() Limits {
	for _, d := range []struct {
		limit *int
		value int
	}{{&l.Depth, 4}, {&l.Elements, 256}, {&l.Values, 1 << 14}, {&l.Bytes, 1 << 20}} {
		if *d.limit <= 0 {
			*d.limit = d.value
		}
	}
	return l
}

// A Values is a scope with the values of its variables.
type Values struct {
	Function string
	Inlined  bool
	Values   []*Value
}

// A Value is a variable, a member or an element.
type Value struct {
	Name     string
	Type     string
	Argument bool // of a variable: it is an argument of its function
	Block    Block
	Hidden   bool // of a variable: one in an inner block has its name

	State State
	Why   string // why it is unknown
	Text  string // the value without members, in one line; for others a summary
	Said  bool   // there is a Text

	Content Content

	Children []*Value
	More     uint64 // number of omitted elements

	// Raw marks a private member of a library's type. The text, or the children before it, have its
	// meaning already.
	Raw bool

	at uint64      // the address of a value in memory
	t  *types.Type // of it; nil for others

	object Extent // the object in memory whose members are Children

	refers bool // a reference to a scalar, which is its only child

	Location string    // of a variable: its location
	Evidence *Evidence // of a variable
}

// An Extent is a place in memory; the zero value is none.
type Extent struct {
	Addr, Size uint64
}

// Extent is where a value is in memory.
func (v *Value) Extent() Extent {
	size, ok := types.Size(v.t)
	if v.t == nil || !ok {
		return Extent{}
	}
	return Extent{v.at, size}
}

// Object is the object in memory whose members the children are: the value itself, or what it points to.
func (v *Value) Object() Extent { return v.object }

// Read reads the variables of a frame: of the calls inlined at its instruction,
// innermost first, and of the function itself.
func Read(f *Context, limits Limits) []Values {
	source := f.Symbols.Scopes
	if source == nil || f.Arch == nil {
		return nil
	}
	r := newReader(f, limits)
	var out []Values
	scopes := source.Scopes(f.Rel())
	for n, s := range scopes {
		values := Values{Function: s.Function, Inlined: s.Inlined}
		hidden := hidden(s.Variables)
		for i := range s.Variables {
			if r.values <= 0 {
				break
			}
			if limits.Wants != nil && !limits.Wants(len(scopes)-1-n, i, &s.Variables[i]) {
				continue
			}
			v := r.variable(&s.Variables[i])
			v.Hidden = hidden[i]
			values.Values = append(values.Values, v)
		}
		out = append(out, values)
	}
	return out
}

// A reader reads values of one frame.
type reader struct {
	frame   *Context
	viewing viewing // by which an object is shown
	limits  Limits  // with the defaults
	values  int     // values that may still be made
	bytes   int     // bytes of memory that may still be read
	calls   int     // of intrinsics
	steps   int     // of CustomListItems
	eval    *Eval   // of the variable that is being read

	libraries map[types.Language][]known // the known types of a language, once one was searched

	goBase     uint64 // the address of Go's first type descriptor, once it was searched
	goSearched bool

	inArray bool // what is read is an element, and not a member of one

	through int // nesting of values that are read as one of their members

	vtables map[uint64]*types.Type // Rust's vtables by address, once one was searched

	points []*Variable // nesting of implicit pointers
}

// newReader begins the reading of one frame, with all of its budget.
func newReader(f *Context, limits Limits) *reader {
	r := &reader{frame: f, limits: limits.orDefault()}
	r.values, r.bytes = r.limits.Values, r.limits.Bytes
	return r
}

func (r *reader) variable(v *Variable) *Value {
	evidence := &Evidence{From: v.From}
	r.eval = &Eval{Frame: r.frame, Evidence: evidence}
	t := v.Type.Get()
	out := &Value{}
	if place, err := r.place(v); err != nil {
		out.fail(asError(err))
		r.values--
	} else {
		out = r.value(r.view(place), t, r.limits.Depth)
		out.Location = place.describe()
	}
	out.named(v.Name)
	out.Type, out.Argument, out.Block, out.Evidence = types.Spell(t), v.Argument, v.Block, evidence
	return out
}

func (r *reader) place(v *Variable) (Place, error) {
	if v.Rule == nil {
		return Place{}, Gone("the debug information has no place for it")
	}
	r.eval.Evidence.Rule = v.Rule.String()
	if r.frame.Guess {
		return Place{}, guessed()
	}
	return v.Rule.Place(r.eval)
}

// guessed is the error of what needs registers in a frame that a scan found.
func guessed() *Error {
	return Damaged("the frame was found by scanning the stack, so its registers are not proved")
}

// fail makes a value unknown, for a reason.
func (v *Value) fail(err *Error) { v.State, v.Why = err.State, err.Why }

// named gives a value its name. The object behind a reference is named "&name".
func (v *Value) named(name string) {
	v.Name = name
	if v.refers {
		v.Children[0].Name = "&" + name
	}
}

// Enumeration reports whether the value is one of an enumeration.
func (v *Value) Enumeration() bool {
	t := types.Strip(v.t)
	return v.Said && t != nil && t.Kind == types.Enum
}

func (v *Value) say(text string) { v.Text, v.Said = text, true }
