package crash

import "fmt"

// findThrown finds the type of the thrown object of a Visual C++ exception. It needs the memory of
// the throwing module, which full dumps have.
func (s *facts) findThrown() []candidate {
	text, object := "C++ exception", ""
	if name := s.thrownType(); name != "" {
		text, object = text+": "+name, fmt.Sprintf("The thrown object is of type %s.", name)
	}
	return statement(Finding{Kind: Thrown, Text: text, Confidence: 1, Evidence: compact(s.Note, object, s.in.Assertion)})
}

// thrownType follows ThrowInfo, CatchableTypeArray, CatchableType and
// TypeDescriptor to the name of the thrown type. On 64 bits the pointers are
// offsets from the module, whose base is the fourth parameter.
// Source: ehdata.h of Visual C++.
func (s *facts) thrownType() string {
	e := s.in.Exception
	if s.in.Memory == nil || s.in.Arch == nil || len(e.Params) < 3 {
		return ""
	}
	base := uint64(0)
	if s.in.Arch.Word == 8 {
		base = e.param(3)
	}
	next := func(addr uint64) (uint64, bool) {
		v, ok := s.in.Memory.Word(addr, 4)
		return (base + v) & s.in.Arch.Mask(), ok && v != 0
	}
	at := e.Params[2]
	for _, offset := range []uint64{12, 4, 4} { // pCatchableTypeArray, behind its count, and behind the properties
		v, ok := next(at + offset)
		if !ok {
			return ""
		}
		at = v
	}
	return typeName(s.cstring(at+2*uint64(s.in.Arch.Word), 256))
}

// cstring reads printable text up to a zero.
func (s *facts) cstring(addr uint64, limit int) string {
	return s.textWithout(addr, limit, func(c uint64) bool { return c < 0x20 || c > 0x7e })
}

// textWithout reads text up to a zero. It returns "" for a text with a bad character.
func (s *facts) textWithout(addr uint64, limit int, bad func(c uint64) bool) string {
	var text []byte
	for i := range limit {
		c, ok := s.in.Memory.Word(addr+uint64(i), 1)
		if !ok || c == 0 {
			break
		}
		if bad(c) {
			return ""
		}
		text = append(text, byte(c))
	}
	return string(text)
}

// typeName undecorates the names of simple classes: ".?AVbad_alloc@std@@" is std::bad_alloc. It
// returns other names unchanged.
func typeName(decorated string) string {
	if len(decorated) < 6 || decorated[:3] != ".?A" || decorated[len(decorated)-2:] != "@@" {
		return decorated
	}
	name, part := "", ""
	scopes := decorated[4 : len(decorated)-1]
	if decorated[3] == 'W' {
		scopes = scopes[1:] // the size of an enumeration
	}
	for _, c := range scopes {
		switch {
		case c == '?' || c == '$':
			return decorated
		case c != '@':
			part += string(c)
		case name == "":
			name, part = part, ""
		default:
			name, part = part+"::"+name, ""
		}
	}
	return name
}
