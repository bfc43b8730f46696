package variables

import (
	"strconv"
	"strings"

	"crashglass/core/values/types"
)

// rustShared reads a reference-counted value, and the counters in front of it.
func rustShared(o *object) bool {
	at, ok := o.counters()
	if !ok {
		return false
	}
	value := at.own("value")
	if value == nil {
		value = at.own("data")
	}
	return value != nil && o.counted(at, value)
}

// rustWeak reads a value that may have been dropped: then only the counters are left.
func rustWeak(o *object) bool {
	at, ok := o.counters()
	if !ok {
		return false
	}
	strong, ok := at.part("strong").find(into(4), isCount).uint()
	if !ok || strong > 0 {
		return ok && rustShared(o)
	}
	o.out.say("dropped")
	return true
}

// counters returns the object behind the pointer of an Rc or Arc. A pointer to a str, a slice or a
// dyn has two words, and the size of its object is not in its type.
func (o *object) counters() (*object, bool) {
	p := o.field("ptr.pointer")
	if p == nil || p.t == nil || p.t.Kind != types.Pointer {
		p = p.part("data_ptr|pointer")
	}
	at := p.pointee()
	if at == nil || at.t == nil || !o.captured(at.v.addr) {
		return nil, false
	}
	return at, true
}

// counted adds the value after the counters.
func (o *object) counted(at, value *object) bool {
	strong, ok := at.part("strong").find(into(4), isCount).uint()
	weak, okW := at.part("weak").find(into(4), isCount).uint()
	if !ok || !okW || weak == 0 { // 0 only after the object was freed
		return false
	}
	fat := o.field("ptr.pointer")
	length := fat.part("length")
	n, isSlice := length.uint()
	switch {
	case length != nil && !isSlice:
		return false // it was not captured
	case isSlice && isText(value.t), isSlice && strings.Contains(o.t.Name, "<str"):
		if !o.utf8(value.v.addr, n) {
			return false
		}
		text := o.out.Text
		o.out.say(text + " (" + counts(strong, weak-1) + ")")
		return true
	case isSlice:
		return o.run(value.v.addr, n, value.t)
	case fat.part("vtable") != nil: // an Rc<dyn T>: where its value begins depends on its alignment
		return false
	}
	o.out.say(counts(strong, weak-1)) // all strong references together count as one weak reference
	name := "value"
	if at.own(name) == nil {
		name = "data"
	}
	return o.child(name, value)
}

// counts writes the two counters of a shared value.
func counts(strong, weak uint64) string {
	return "strong=" + unsigned(strong) + ", weak=" + unsigned(weak)
}

// rustRefCell reads the value of a cell, and its borrow state.
func rustRefCell(o *object) bool {
	state := o.part("borrow").find(into(4), func(t *types.Type) bool { return t.Kind == types.Signed })
	n, ok := state.uint()
	value := o.field("value")
	if !ok || value == nil || !o.child("value", value) {
		return false
	}
	switch borrowed := extend(n, 8*o.word()); {
	case borrowed > 0:
		o.out.say("borrowed " + strconv.FormatInt(borrowed, 10) + "×")
	case borrowed < 0:
		o.out.say("mutably borrowed")
	}
	return true
}

// rustDyn reads a trait object, with the type that its vtable determines.
func rustDyn(o *object) bool {
	at, ok := o.number("pointer|data_ptr")
	vtable, okV := o.number("vtable")
	t := o.r.rustType(vtable)
	if !ok || !okV || t == nil {
		return false
	}
	o.out.say(types.Spell(t))
	return o.child("value", o.in(at, t))
}

// rustVtable is the suffix of the names of vtable variables.
const rustVtable = "::{vtable}"

// maxVtables bounds the vtables that are read.
const maxVtables = 1 << 14

// rustType returns the type of a vtable.
func (r *reader) rustType(vtable uint64) *types.Type {
	if r.vtables == nil {
		r.vtables = map[uint64]*types.Type{}
		source := r.frame.Symbols.Statics
		if source == nil {
			return nil
		}
		for _, v := range source.Statics(func(name string) bool { return strings.HasSuffix(name, rustVtable) }, maxVtables) {
			place, err := v.Rule.Place(&Eval{Frame: r.frame})
			if t := types.Strip(v.Type.Get()); err == nil && t != nil && len(place.Pieces) == 1 && place.Pieces[0].Kind == InMemory {
				r.vtables[place.Pieces[0].Addr] = t.Class.Get()
			}
		}
	}
	return r.vtables[vtable]
}

// rustDuration writes a duration as Rust does, in the largest unit that does not exceed it. Source:
// core/src/time.rs, fmt::Debug of Duration.
func rustDuration(o *object) bool {
	secs, ok := o.number("secs")
	nanos, okN := o.field("nanos").find(into(4), isCount).uint()
	if !ok || !okN || nanos >= 1e9 {
		return false
	}
	switch {
	case secs > 0:
		o.out.say(fraction(secs, nanos, 1e9) + "s")
	case nanos >= 1e6:
		o.out.say(fraction(nanos/1e6, nanos%1e6, 1e6) + "ms")
	case nanos >= 1e3:
		o.out.say(fraction(nanos/1e3, nanos%1e3, 1e3) + "µs")
	default:
		o.out.say(unsigned(nanos) + "ns")
	}
	return true
}

// fraction writes a whole number with a fraction: 1.5.
func fraction(whole, parts, one uint64) string {
	digits := strings.TrimRight(unsigned(one + parts)[1:], "0")
	if digits == "" {
		return unsigned(whole)
	}
	return unsigned(whole) + "." + digits
}

// rustCStr reads a string whose length includes its terminator.
func rustCStr(inner string) func(*object) bool {
	return func(o *object) bool {
		s := o
		if inner != "" {
			s = o.field(inner)
		}
		at, ok := s.part("data_ptr").uint()
		n, okN := s.part("length").uint()
		return ok && okN && n > 0 && o.utf8(at, n-1)
	}
}
