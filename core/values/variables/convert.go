package variables

import (
	"strings"

	"crashglass/core/values/expr"
	"crashglass/core/values/types"
)

// constant is a constant of an expression, with its type in C++.
func (ev *evaluator) constant(e *expr.Expr) *object {
	switch e.Op {
	case expr.Truth:
		return ev.number(boolType(), e.Number)
	case expr.Char:
		if e.Name != "" {
			return ev.number(ev.wideType(e.Name), e.Number)
		}
		return ev.number(charType(), e.Number)
	case expr.Float:
		return ev.converted(operand{f: e.Float, t: float(8)}, float(map[bool]uint64{true: 4, false: 8}[strings.HasSuffix(strings.ToLower(e.Name), "f")]))
	case expr.Text:
		text := ev.at.r.expanded(e.Name) // of a view: strcmp("$T1", "int")
		t := &types.Type{Kind: types.Array, Elem: charType, Counts: []types.Count{{N: uint64(len(text)) + 1, Known: true}}}
		return &object{r: ev.at.r, v: view{bytes: append([]byte(text), 0), known: make([]*Error, len(text)+1)}, t: t, out: ev.at.out, depth: ev.at.depth}
	}
	return ev.number(ev.literal(e), e.Number)
}

func charType() *types.Type {
	return &types.Type{Kind: types.Char, Name: "char", Size: 1, Sized: true, Minus: true}
}

// wideType is a type of characters by its name.
func (ev *evaluator) wideType(name string) *types.Type {
	size := map[string]uint64{"char8_t": 1, "char16_t": 2, "char32_t": 4, "wchar_t": 4}[name]
	if name == "wchar_t" && ev.at.r.frame.Windows {
		size = 2
	}
	kind := types.Wide
	if size == 1 {
		kind = types.Char
	}
	return &types.Type{Kind: kind, Name: name, Size: size, Sized: true}
}

// literal is the type of an integer: the first that has its value, of those of its suffix ([lex.icon]).
func (ev *evaluator) literal(e *expr.Expr) *types.Type {
	digits := strings.ToLower(e.Name)
	unsigned, decimal := strings.Contains(digits, "u"), !strings.HasPrefix(digits, "0")
	switch wide := strings.Contains(digits, "ll") || strings.Contains(digits, "l") && ev.sizeOfLong() == 8; {
	case !wide && e.Number < 1<<31:
		return ev.whole(4, unsigned)
	case !wide && e.Number < 1<<32 && (unsigned || !decimal):
		return ev.whole(4, true)
	}
	return ev.whole(8, unsigned || e.Number >= 1<<63)
}

func (ev *evaluator) sizeOfLong() uint64 {
	if ev.at.r.frame.Windows {
		return 4
	}
	return ev.at.word()
}

// typeNamed finds a type by its name, with "*" and "&" behind it. void is nil.
func (ev *evaluator) typeNamed(name, suffix string) (t *types.Type, ok bool) {
	if name = ev.at.r.expanded(name); strings.HasPrefix(name, "$") {
		return nil, false
	}
	for strings.HasSuffix(name, "*") || strings.HasSuffix(name, "&") { // in an argument of a template
		name, suffix = strings.TrimSpace(name[:len(name)-1]), name[len(name)-1:]+suffix
	}
	if name != "void" || suffix == "" {
		if t = ev.ownType(name); t == nil {
			classes := ev.at.r.frame.Symbols.Classes
			if classes != nil {
				t = classes.TypeNamed(name)
				if plain := strings.ReplaceAll(name, ", ", ","); t == nil && strings.Contains(name, ",") { // GCC and Clang write a space there, MSVC none
					if t = classes.TypeNamed(plain); t == nil {
						t = classes.TypeNamed(strings.ReplaceAll(plain, ",", ", "))
					}
				}
			}
			if t == nil && name == "char" {
				t = charType()
			}
		}
		if t == nil {
			ev.fail(Damaged("the debug information has no type %s", name))
			return nil, false
		}
	}
	for _, sign := range suffix {
		of := t
		t = ev.at.pointerTo(of)
		if sign == '&' {
			t.Kind = types.Reference
		}
	}
	return t, true
}

// ownType is a type of C by its words. The program says whether its char has a sign.
func (ev *evaluator) ownType(name string) *types.Type {
	t := &types.Type{Kind: types.Signed, Name: name, Size: 4, Sized: true}
	longs := 0
	for word := range strings.FieldsSeq(name) {
		switch word {
		case "int", "signed":
		case "unsigned":
			t.Kind = types.Unsigned
		case "char":
			t.Size = 1
		case "short":
			t.Size = 2
		case "long":
			longs++
		case "bool":
			return boolType()
		case "wchar_t", "char16_t", "char32_t", "char8_t":
			return ev.wideType(word)
		case "float":
			return float(4)
		case "double":
			if t = float(8); longs > 0 {
				return nil
			}
		default:
			return nil
		}
	}
	switch {
	case name == "char":
		return nil
	case name == "unsigned" || name == "signed":
		return ev.whole(4, name == "unsigned")
	case longs == 1:
		t.Size = ev.sizeOfLong()
	case longs > 1:
		t.Size = 8
	}
	return t
}

func (ev *evaluator) cast(o *object, t *types.Type) *object {
	to := types.Strip(t)
	switch {
	case to == nil || o.t == nil:
	case to.Kind == types.Reference:
		p := ev.address(o)
		if p == nil {
			return nil
		}
		return ev.element(ev.cast(p, o.pointerTo(to.Elem.Get())), 0)
	case expands(to) && to.Name == o.t.Name:
		return o
	case to.Kind == types.Pointer:
		x, ok := ev.operand(o)
		if !ok {
			return nil
		}
		if x.isFloat() {
			break
		}
		at, ok := ev.rebased(x, to)
		if !ok {
			return nil
		}
		return ev.number(t, at)
	case to.Sized && to.Size > 0 && to.Size <= 8 && (to.Kind >= types.Bool && to.Kind <= types.Wide || to.Kind == types.Enum || to.Kind == types.Float && to.Size >= 4):
		x, ok := ev.operand(o)
		if !ok {
			return nil
		}
		return ev.converted(x, t)
	}
	return ev.fail(Damaged("a value of type %s cannot be converted to %s", types.Spell(o.declared()), types.Spell(t)))
}

// rebased is the address of an object of another class around the one that a pointer points to, or in it:
// [expr.static.cast]. Between classes that are not related, an address stays the same.
func (ev *evaluator) rebased(x operand, to *types.Type) (uint64, bool) {
	if x.isNumber() || x.n == 0 {
		return x.n, true
	}
	from, class := types.Strip(types.Strip(x.t).Elem.Get()), types.Strip(to.Elem.Get())
	if from == nil || class == nil || from.Name == class.Name {
		return x.n, true
	}
	up, n := baseOffset(from, class.Name, into(8))
	down, m := baseOffset(class, from.Name, into(8))
	if n+m > 1 {
		ev.fail(Damaged("where %s is in %s depends on the object", class.Name, from.Name))
		return 0, false
	}
	return x.n + up - down, true
}
