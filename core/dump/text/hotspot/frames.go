package hotspot

import (
	"strings"

	"crashglass/core/dump/text"
)

// problematic reads the innermost frame, which a log without a stack has, too.
func (r *report) problematic(s string) {
	if f, ok := frameOf(s); ok {
		r.atPC = true
		f.Address = r.pc
		r.native = []text.Frame{f}
	}
}

// addFrame adds the frame of a line to a list, if it is one.
func addFrame(list []text.Frame, s string) []text.Frame {
	if f, ok := frameOf(s); ok {
		return append(list, f)
	}
	return list
}

// frames adds frames to the last thread. The innermost one of the native stack was running if the machine caught a signal. Otherwise the machine
// stopped itself, and begins with its caller.
func (r *report) frames(list []text.Frame, running bool) {
	for i, f := range list {
		if i == 0 && running {
			f.Interrupts = true
			if f.Address == 0 {
				f.Address = r.pc
			}
		} else {
			f.Return = true
		}
		r.d.Frame(f)
	}
}

func hasJava(list []text.Frame) bool {
	for i := range list {
		if f := &list[i]; f.Image == "" && strings.Contains(f.Names.Function, "(") {
			return true
		}
	}
	return false
}

// frameOf reads a frame. Its first letter is its kind: C native code, V the machine's own, A code that was compiled before, v code that the machine
// generated, j and J functions of Java that are interpreted and compiled.
//
//	C  [libturbine.so+0x110c]  blade+0x3  (turbine.c:4)
//	C  0x0000000000000000
//	j  Turbine.spin([II)I+0 java.base@17
//	J 123% c2 java.lang.String.hashCode()I java.base@17 (49 bytes) @ 0x00007f2c15400a1c [0x00007f2c15400a00+0x1c]
//	v  ~StubRoutines::call_stub 0x00007f2c1c938cc9
func frameOf(s string) (f text.Frame, ok bool) {
	letter, rest, ok := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" {
		return text.Frame{}, false
	}
	switch letter {
	case "C", "V", "A":
		return f, nativeFrame(&f, rest)
	case "v":
		return f, stub(&f, rest)
	case "j":
		return f, interpreted(&f, rest)
	case "J":
		return f, compiled(&f, rest)
	}
	return text.Frame{}, false
}

func nativeFrame(f *text.Frame, s string) bool {
	if inner, rest, ok := strings.Cut(s, "]"); ok && strings.HasPrefix(inner, "[") {
		name, offset, found := text.CutLast(inner[1:], "+")
		at, hex := text.IsHex(offset)
		if !found || !hex || name == "" {
			return false
		}
		f.Image, f.Offset, f.HasOffset, s = name, at, true, rest
	} else {
		f.Address, s, ok = text.Hex(s)
		if !ok {
			return false
		}
	}
	function(f, strings.TrimSpace(s))
	return true
}

// function reads "blade+0x3  (turbine.c:4)".
func function(f *text.Frame, s string) {
	if before, source, ok := text.CutLast(s, "  ("); ok && strings.HasSuffix(source, ")") {
		if file, line := text.Source(strings.TrimSuffix(source, ")")); line > 0 {
			s, f.Names.File, f.Names.Line = before, file, line
		}
	}
	f.Names.Function = strings.TrimSpace(s)
	if name, offset, ok := text.CutLast(f.Names.Function, "+"); ok {
		if at, hex := text.IsHex(offset); hex {
			f.Names.Function, f.Names.Offset = name, at
		}
	}
}

// stub reads the name of generated code, behind which newer versions print the address.
func stub(f *text.Frame, s string) bool {
	name, at, ok := text.CutLast(strings.TrimPrefix(s, "~"), " ")
	if addr, hex := text.IsHex(at); ok && hex && strings.HasPrefix(at, "0x") {
		f.Names.Function, f.Address = strings.TrimSpace(name), addr
		return true
	}
	f.Names.Function = strings.TrimPrefix(s, "~")
	return true
}

// interpreted reads a function with the index of its bytecode.
func interpreted(f *text.Frame, s string) bool {
	if addr, hex := text.IsHex(s); hex && strings.HasPrefix(s, "0x") {
		f.Address = addr
		return true
	}
	name, _, _ := strings.Cut(s, " ")
	f.Names.Function = name
	if before, index, ok := text.CutLast(name, "+"); ok {
		if _, rest, number := text.Decimal(index); number && rest == "" {
			f.Names.Function = before
		}
	}
	return strings.Contains(f.Names.Function, "(")
}

// compiled reads a function with the number and the name of its compiler before it, and its address behind it. Old versions
// print only the name.
func compiled(f *text.Frame, s string) bool {
	if addr, hex := text.IsHex(s); hex && strings.HasPrefix(s, "0x") {
		f.Address = addr
		return true
	}
	for _, word := range strings.Fields(s) {
		if strings.Contains(word, "(") {
			f.Names.Function = word
			break
		}
	}
	if _, at, ok := strings.Cut(s, " @ "); ok {
		f.Address, _, _ = text.Hex(at)
	}
	return f.Names.Function != "" && !strings.HasPrefix(f.Names.Function, "(")
}
