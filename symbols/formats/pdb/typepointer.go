package pdb

import "strings"

// pointerModes are the values of CV_ptrmode_e.
var pointerModes = [8]string{"*", "&", "::*", "::*", "&&", "*", "*", "*"}

// pointer writes a pointer to a pointer and so on, which ends with what is not
// a pointer. Signs are collected from the outside in.
func (w *typeWriter) pointer(p typ, isConst bool, depth int) {
	sign := pointerModes[p.mode]
	if isConst {
		sign += " const"
	}
	signs := sign
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
		sign = pointerModes[p.mode]
		if p.isConst {
			sign += " const"
		}
		signs = sign + signs
	}
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
