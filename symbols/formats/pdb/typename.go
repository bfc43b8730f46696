package pdb

import (
	"cmp"
	"strconv"
	"strings"
)

// Limits of one name: types refer to types, and a file can have lists of lists that grow
// exponentially.
const (
	maxTypeDepth = 32
	maxTypeSteps = 500
	maxTypeName  = 16 << 10
)

// A typeWriter writes types as C++ does, in the form of dump_syms: "const"
// after what is pointed to, no space before an asterisk, a space after a comma
// between arguments.
type typeWriter struct {
	f     *File
	u     *unit
	b     strings.Builder
	steps int
	err   error
	full  bool // a bound was reached
}

func (w *typeWriter) ok() bool { return w.err == nil && !w.full }

func (w *typeWriter) put(parts ...string) {
	for _, p := range parts {
		w.b.WriteString(p)
	}
}

// at reads a type, within the bounds.
func (w *typeWriter) at(number uint32, depth int) typ {
	w.steps++
	w.full = w.full || depth > maxTypeDepth || w.steps > maxTypeSteps || w.b.Len() > maxTypeName
	if !w.ok() {
		return typ{}
	}
	t, err := w.f.typeAt(w.u, number)
	w.err = err
	return t
}

func (w *typeWriter) typ(number uint32, depth int) {
	t := w.at(number, depth)
	if !w.ok() {
		return
	}
	switch t.kind {
	case 0:
		w.primitive(number, false)
	case leafClass, leafStruct, leafClass2, leafStruct2, leafInterface, leafInterface2, leafUnion, leafUnion2, leafEnum, leafAlias, leafVector:
		w.put(t.name)
	case leafPointer:
		w.pointer(t, t.isConst, depth+1)
	case leafModifier, leafModifiers:
		w.modified(t, depth+1)
	case leafArray:
		w.array(t, depth+1)
	case leafProc, leafMethod:
		w.put("()")
		w.arguments(t, depth+1)
	case leafArguments:
		w.list(t.list, depth+1)
	default:
		w.put("?")
	}
}

func (w *typeWriter) primitive(number uint32, isConst bool) {
	name := cmp.Or(primitives[number&0xff].name, "?")
	switch pointer := primitivePointer(number); {
	case pointer && isConst:
		w.put(name, " const*")
	case pointer:
		w.put(name, "*")
	case isConst:
		w.put("const ", name)
	default:
		w.put(name)
	}
}

// modified writes a type with "const" or without: other qualifiers rarely distinguish functions.
func (w *typeWriter) modified(m typ, depth int) {
	t := w.at(m.of, depth)
	switch {
	case !w.ok():
	case t.kind == 0:
		w.primitive(m.of, m.isConst)
	case t.kind == leafPointer:
		w.pointer(t, t.isConst || m.isConst, depth+1)
	default:
		if m.isConst {
			w.put("const ")
		}
		w.typ(m.of, depth+1)
	}
}

// arguments writes the list of a function's or method's arguments.
func (w *typeWriter) arguments(t typ, depth int) {
	w.put("(")
	w.arglist(t, depth)
	w.put(")")
}

// arglist writes the arguments without the parentheses.
//
// If "this" is no pointer to the method's own class it is written as the first argument: rustc
// describes functions with a reference as first argument in this way.
func (w *typeWriter) arglist(t typ, depth int) {
	list := w.at(t.args, depth).list
	if t.kind == leafMethod && t.this != 0 {
		if own, _ := w.thisOf(t, depth); !own {
			list = append([]uint32{t.this}, list...)
		}
	}
	w.list(list, depth+1)
}

func (w *typeWriter) list(list []uint32, depth int) {
	for i, number := range list {
		if !w.ok() {
			return
		}
		if i > 0 {
			w.put(", ")
		}
		w.typ(number, depth)
	}
}

// thisOf reports whether "this" of a method is a pointer to its class, and whether that is constant.
// A method whose "this" is another type is not const, as in pdb-addr2line, dump_syms' formatter.
func (w *typeWriter) thisOf(t typ, depth int) (own, isConst bool) {
	p := w.at(t.this, depth)
	if p.kind != leafPointer {
		return false, false
	}
	if p.of == t.class {
		return true, false
	}
	m := w.at(p.of, depth)
	own = isModifier(m) && m.of == t.class
	return own, own && m.isConst
}

// array writes a type and the number of elements of each dimension. Records
// have sizes in bytes instead.
func (w *typeWriter) array(t typ, depth int) {
	sizes := []uint64{t.size}
	element := t.of
	for {
		if t = w.at(element, depth); t.kind != leafArray || !w.ok() {
			break
		}
		depth++
		sizes = append(sizes, t.size)
		element = t.of
	}
	w.typ(element, depth)
	sizes = append(sizes, w.f.typeSize(w.u, element))
	for i, size := range sizes[:len(sizes)-1] {
		w.put("[")
		if of := sizes[i+1]; of != 0 {
			w.put(strconv.FormatUint(size/of, 10))
		}
		w.put("]")
	}
}

// pointerModes are the values of CV_ptrmode_e.
var pointerModes = [8]string{"*", "&", "::*", "::*", "&&", "*", "*", "*"}

// Signs are collected from the outside in.
func (w *typeWriter) pointer(p typ, isConst bool, depth int) {
	signs := p.sign(isConst)
	for {
		depth++
		number := p.of
		t := w.at(number, depth)
		constTarget := false
		if isModifier(t) {
			constTarget = t.isConst
			number = t.of
			t = w.at(number, depth)
		}
		if !w.ok() {
			return
		}
		if constTarget {
			signs = " const" + signs
		}
		if t.kind != leafPointer {
			w.pointed(t, number, signs, depth+1)
			return
		}
		p = t
		signs = p.sign(p.isConst) + signs
	}
}

func (t *typ) sign(isConst bool) string {
	if isConst {
		return pointerModes[t.mode] + " const"
	}
	return pointerModes[t.mode]
}

// pointed writes the target type, with the signs in the right position.
func (w *typeWriter) pointed(t typ, number uint32, signs string, depth int) {
	switch t.kind {
	case leafProc:
		w.typ(t.of, depth)
		w.put(" (", strings.TrimPrefix(signs, " "), ")")
		w.arguments(t, depth)
	case leafMethod:
		w.typ(t.of, depth)
		w.put(" (")
		w.typ(t.class, depth)
		w.put(strings.TrimPrefix(signs, " "), ")")
		w.arguments(t, depth)
	default:
		w.typ(number, depth)
		w.put(signs)
	}
}
