package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// value reads a value of a type. Its caller gives it a name.
func (r *reader) value(v view, t *types.Type, depth int) *Value {
	out := &Value{Type: types.Spell(t)}
	if v.memory {
		out.at, out.t = v.addr, t
	}
	r.values--
	t = types.Strip(t)
	switch {
	case t != nil && t.Kind == types.Void && strings.Contains(t.Name, "nullptr"):
		out.say(hex(0, 2*uint64(r.frame.Arch.Word)))
	case t == nil || t.Kind == types.Void:
		out.fail(Damaged("values of type void have no content"))
	case t.Incomplete && !(t.Kind == types.Enum && t.Sized): // GCC only declares an enumeration without names, as std::byte
		out.fail(Damaged("the type %s is only declared in the debug information", t.Name))
	case r.values < 0:
		out.fail(Damaged("more than %d values would be read for this frame", r.limits.Values))
	default:
		r.fill(out, v, t, depth)
		if out.State == Known && !out.Said && len(out.Children) == 0 && out.More == 0 && out.Content == Some {
			out.Content = Empty
		}
	}
	return out
}

// fill reads a value of a type that is no typedef.
func (r *reader) fill(out *Value, v view, t *types.Type, depth int) {
	switch t.Kind {
	case types.Struct, types.Class, types.Union:
		r.structure(out, v, t, depth)
	case types.Array:
		r.array(out, v, t, depth)
	case types.Pointer:
		r.pointer(out, v, t, depth)
	case types.Reference, types.RValueReference:
		r.reference(out, v, t, depth)
	case types.Function:
		if t.Language == types.Go {
			r.goFunction(out, v)
			return
		}
		out.fail(Damaged("a function has no value"))
	default:
		r.scalar(out, v, t)
	}
}

// widest bounds the bytes of a number that is written.
const widest = 64

// scalar reads a value with only a text.
func (r *reader) scalar(out *Value, v view, t *types.Type) {
	size, ok := types.Size(t)
	if !ok {
		out.fail(Damaged("the size of type %s is not known", t.Name))
		return
	}
	if size == 0 || size > widest {
		out.fail(Damaged("a value of %d bytes", size))
		return
	}
	if v.x87 && t.Kind == types.Float {
		size = x87Bytes // the register has these bytes for any type
	}
	b, err := r.get(v, size)
	if err != nil {
		out.fail(asError(err))
		return
	}
	text, err := r.text(b, t)
	if err != nil {
		out.fail(asError(err))
		return
	}
	out.say(text)
	if isByte(t) || t.Kind == types.Unsigned && prefixOf(t) != "" { // the latter is of charArray
		out.Content = Byte
	}
}

func (r *reader) element(v view, t *types.Type, depth int) *Value {
	was := r.inArray
	r.inArray = true
	out := r.value(v, t, depth)
	r.inArray = was
	return out
}

// charByte reports whether a signed char or unsigned char is written as a character: a single one of C and
// C++, as LLDB does. Elements are numbers, because an array of bytes is no text.
func (r *reader) charByte(t *types.Type) bool {
	return !r.inArray && t.Kind != types.Enum && t.Language != types.Go && t.Language != types.Rust
}

// isByte reports whether values of a type are numbers of one byte.
func isByte(t *types.Type) bool {
	return t.Size == 1 && (t.Kind == types.Signed || t.Kind == types.Unsigned || t.Kind == types.Enum && len(t.Enumerators) == 0)
}

func (r *reader) text(b []byte, t *types.Type) (string, error) {
	if t.Kind == types.Complex {
		return r.complex(b, t)
	}
	if t.Kind == types.Float {
		return r.float(b, t)
	}
	if word := r.frame.Arch.Word; t.Kind == types.MemberPointer && len(b) == 2*word && !r.frame.BigEndian {
		// A function and an adjustment of this, or a slot of the vtable plus 1 (Itanium C++ ABI, section 2.3).
		if to := r.frame.Number(b[:word]); to > lowest && r.frame.Describe != nil && r.frame.Describe(to) != "" {
			return hex(to, 2*uint64(word)) + " (" + r.frame.Describe(to) + ")", nil
		}
	}
	if len(b) > 8 { // __int128, u128
		return r.wideNumber(b, t), nil
	}
	return r.number(r.frame.Number(b), uint64(len(b)), t), nil
}

// number writes a value of at most 8 bytes: 0 < size ≤ 8. A bit field was extended to that size.
func (r *reader) number(n, size uint64, t *types.Type) string {
	if isByte(t) && r.charByte(t) {
		return character(n)
	}
	switch t.Kind {
	case types.Bool:
		return boolean(n)
	case types.Signed:
		return signed(extend(n, 8*size))
	case types.Char:
		return character(n)
	case types.Wide:
		return wide(n, size, t)
	case types.Enum:
		return enumerator(n, size, t)
	case types.Unsigned:
		return unsigned(n)
	}
	return hex(n, 2*size) // a kind without a text, as a pointer to a member
}
