package v8

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"crashglass/core/runtimes"
)

// The bounds of one query.
const (
	mostQuery     = 1 << 22 // fields and characters; all queries together have mostRead
	mostValues    = 1 << 10
	mostArguments = 64
	mostNested    = 3
	firstNested   = 16 // elements of what is in another value
	mostText      = 256
	mostShown     = 80 // bytes of a summary
)

// receiver is the number of arguments that a frame counts besides those of the call. Source: V8, src/common/globals.h, kJSArgcReceiverSlots.
const receiver = 1

// unread is why a value has no text.
const unread = "its object is damaged, or not in the dump"

// A reader reads the values of one query.
type reader struct {
	*finder
	elements int // of a variable
	left     int
}

// variables reads the receiver and the arguments of a call: it is a [runtimes.Found]'s. They are in the frame of the caller, which the code of the
// function changes if it is of the interpreter or of the baseline compiler; optimized code and closures have changed values elsewhere. Inlined calls
// have none.
func (f *finder) variables(call *runtimes.Call, elements int, _ func(uint64, int) []byte) (locals, globals []runtimes.Value) {
	if f.layout == nil || call.Frame == 0 {
		return nil, nil
	}
	fn := f.frameFunction(call.Frame)
	if fn == nil || fn.script == nil {
		return nil, nil
	}
	f.left = min(f.values, mostQuery)
	had := f.left
	defer func() { f.values -= had - max(f.left, 0) }()
	r := &reader{finder: f, elements: elements, left: mostValues}
	count, ok := f.t.Memory.Word(call.Frame+f.at[frameFunction]-word, word)
	if !ok || count < receiver || count > math.MaxUint16 {
		return nil, nil
	}
	s := f.signatureOf(fn)
	count -= receiver
	if s.whole && s.known {
		count = max(count, uint64(len(s.names))) // V8 adds undefined
	}
	this, ok := f.slot(call.Frame, frameArguments)
	if s.known && !s.arrow && ok && !r.isHole(this) {
		locals = append(locals, r.named("this", this))
	}
	bytecodes, _ := f.slot(call.Frame, frameBytecodes)
	changes := s.whole && f.is(bytecodes, typeBytecode) // of the interpreter, or of baseline code
	for i := range min(count, mostArguments) {
		name := fmt.Sprintf("arguments[%d]", i)
		if s.known && i < uint64(len(s.names)) {
			if name = s.names[i]; !changes || f.inContext(fn, name) {
				name += passed
			}
		}
		o, ok := f.slot(call.Frame+word*(i+1), frameArguments)
		v := runtimes.Value{Name: name, Unknown: unread}
		if ok {
			v = r.named(name, o)
		}
		v.Argument = true
		locals = append(locals, v)
	}
	return locals, nil
}

// passed follows the name of an argument that the function may have changed since.
const passed = " (as passed)"

// inContext reports whether closures share a variable of a function: its scope lists it.
func (f *finder) inContext(fn *function, name string) bool {
	count, ok := f.smiField(fn.scope, word*(1+f.at[scopeLocals]))
	if !ok || count >= mostInlined {
		return true // more are in a table
	}
	for i := range uint64(max(count, 0)) {
		o, _ := f.field(fn.scope, word*(1+f.at[scopeFirst]+i))
		if text, ok := f.text(o, mostName); !ok || text == name {
			return true
		}
	}
	return false
}

func (r *reader) named(name string, o object) runtimes.Value {
	v := r.value(o, 0)
	v.Name = name
	return v
}

// value reads a tagged value.
func (r *reader) value(o object, depth int) (v runtimes.Value) {
	if r.left--; r.left < 0 {
		v.Unknown = "there are too many values"
		return v
	}
	if n, small := r.smi(o); small {
		return runtimes.Value{Type: "number", Text: strconv.FormatInt(n, 10)}
	}
	k, ok := r.kind(o)
	if !ok {
		v.Unknown = unread
		return v
	}
	v.Address = r.addr(o, 0)
	switch {
	case k < r.at[firstNonstring]:
		v.Type, v.Text = "string", r.string(o)
	case r.is(o, typeNumber):
		v.Type = "number"
		if bits, ok := r.load(o, r.at[numberValue], word); ok {
			v.Text = number(math.Float64frombits(bits))
		}
	case r.is(o, typeOddball):
		v.Type, v.Text = r.oddball(o)
		v.Address = 0
	case r.is(o, typeSymbol):
		description, _ := r.field(o, r.at[symbolName])
		text, _ := r.text(description, mostName)
		v.Type, v.Text = "symbol", "Symbol("+text+")"
	case r.is(o, typeGlobal):
		v.Type, v.Text = "object", "globalThis"
	case r.callee(o) != nil:
		v.Type, v.Text = "function", "function "+r.callee(o).name
	case r.is(o, typeError):
		if v.Type = r.class(o); v.Type != "" {
			v.Text = v.Type
			if m, ok := r.property(o, "message"); ok {
				message, _ := r.text(m, mostPath)
				v.Text += ": " + message
			}
		}
	default:
		r.objectOf(&v, o, depth)
	}
	if v.Text == "" && v.Unknown == "" {
		v.Unknown = unread
	}
	return v
}

// objectOf reads an object by the name of its class, with its elements or properties.
func (r *reader) objectOf(v *runtimes.Value, o object, depth int) {
	if v.Type = r.class(o); v.Type == "" {
		v.Unknown = "it is of a type that Crashglass does not read"
		return
	}
	most := firstNested
	if depth == 0 {
		most = max(r.elements, 1)
	}
	if depth >= mostNested {
		most = 0
	}
	add := func(name string, o object) {
		child := r.value(o, depth+1)
		child.Name = name
		v.Children = append(v.Children, child)
	}
	if r.is(o, typeList) {
		r.list(v, o, most, add)
		return
	}
	r.properties(o, func(key, value object, computed bool) bool {
		if name, ok := r.text(key, mostName); ok && !computed {
			if len(v.Children) == most {
				v.More++
			} else {
				add(name, value)
			}
		}
		return r.left > 0
	})
	if v.Text = v.Type; len(v.Children) > 0 || r.isEmpty(o) {
		v.Text += " " + summary(v, "{}", func(name string) string { return name + ": " })
	}
}

// isEmpty reports whether an object is a plain one without any property: none is in a dictionary, and none is an element.
func (r *reader) isEmpty(o object) bool {
	m, _ := r.field(o, r.at[objectMap])
	bits, ok := r.half(m, r.at[mapBits])
	elements, _ := r.field(o, r.at[objectElements])
	count, sized := r.smiField(elements, r.at[arrayLength])
	return ok && sized && count == 0 && r.is(o, typePlain) && r.has[dictionaryShift] && bits>>r.at[dictionaryShift]&1 == 0
}

// list reads an array whose elements are objects. The length follows the elements. Source: V8, src/objects/js-array.h.
func (r *reader) list(v *runtimes.Value, o object, most int, add func(string, object)) {
	count, ok := r.smiField(o, r.at[objectElements]+word)
	elements, _ := r.field(o, r.at[objectElements])
	if !ok || !r.has[objectElements] || count < 0 {
		v.Unknown = unread
		return
	}
	capacity, _ := r.smiField(elements, r.at[arrayLength])
	if r.is(elements, typeArray) && capacity >= count {
		for i := range uint64(min(count, int64(most))) {
			if element, ok := r.field(elements, r.at[arrayData]+word*i); ok && !r.isHole(element) && r.left > 0 {
				add(fmt.Sprintf("[%d]", i), element)
			}
		}
	}
	v.More, v.Empty = uint64(count)-uint64(len(v.Children)), count == 0
	v.Text = fmt.Sprintf("%s(%d) ", v.Type, count) + summary(v, "[]", func(string) string { return "" })
}

// summary is the beginning of an object's parts.
func summary(v *runtimes.Value, brackets string, key func(name string) string) string {
	var b strings.Builder
	for i := range v.Children {
		c := &v.Children[i]
		text := c.Text
		if text == "" {
			text = "?"
		}
		if len(c.Children) > 0 {
			text, _, _ = strings.Cut(text, " ")
		}
		if text = key(c.Name) + text; b.Len()+len(text) > mostShown {
			return brackets[:1] + b.String() + "…" + brackets[1:]
		}
		b.WriteString(text)
		if i+1 < len(v.Children) || v.More > 0 {
			b.WriteString(", ")
		}
	}
	if v.More > 0 {
		b.WriteString("…")
	}
	return brackets[:1] + b.String() + brackets[1:]
}

// string is a text as JavaScript writes it.
func (r *reader) string(o object) string {
	size, ok := r.half(o, r.at[stringLength])
	parts := mostParts
	units, read := r.units(o, 0, int(min(size, mostText)), mostValue, &parts)
	if !ok || !read {
		return ""
	}
	text := strconv.Quote(decoded(units))
	if size > mostText {
		text = text[:len(text)-1] + `…"`
	}
	return text
}

// oddball is one of the values that exist once.
func (r *reader) oddball(o object) (kind, text string) {
	k, ok := r.smiField(o, r.at[oddballKind])
	for f, text := range map[field]string{oddFalse: "false", oddTrue: "true", oddNull: "null", oddUndefined: "undefined"} {
		if ok && r.has[oddballKind] && r.has[f] && uint64(k) == r.at[f] {
			kind = text
			if f == oddFalse || f == oddTrue {
				kind = "boolean"
			}
			return kind, text
		}
	}
	return "", ""
}

// isHole reports whether a value stands for none: it is an oddball without a name, or of a type of its own in V8 12 and later.
func (r *reader) isHole(o object) bool {
	if r.is(o, typeHole) {
		return true
	}
	_, text := r.oddball(o)
	return r.is(o, typeOddball) && text == ""
}

// number is a number as JavaScript writes it.
func number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.TrimSuffix(fmt.Sprintf("%+f", f), "Inf")+"Infinity", "+")
	case f == 0 && math.Signbit(f):
		return "-0"
	case math.Abs(f) >= 1e-6 && math.Abs(f) < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e-0", "e-", 1)
}
