package crash

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kinds of types, offsets in abi.Type, and its sizes. Source: Go, src/internal/abi/type.go.
const (
	goBool, goUint, goUintptr               = 1, 7, 12
	goFloat32, goFloat64, goString, goKinds = 13, 14, 24, 26
	goComplex64, goComplex128               = 15, 16
	goTypeFlags, goTypeKind, goTypeName     = 20, 23, 40
	goExtraStar                             = 2 // the name has a '*' in front that is not part of it
)

// goSizes are the sizes of the values of kinds from bool to complex128, and of strings.
var goSizes = map[uint64]uint64{1: 1, 2: 8, 3: 1, 4: 2, 5: 4, 6: 8, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8, 12: 8, 13: 4, 14: 8, 15: 8, 16: 16, goString: 16}

// goArguments are functions of Go's runtime that end a program, with how their argument is read.
var goArguments = []struct {
	functions []string
	read      func(*facts, int) string
	thrown    bool // a fatal error
}{
	{functions: []string{"runtime.gopanic"}, read: (*facts).goPanicked},
	{functions: []string{"runtime.throw", "runtime.fatal"}, read: (*facts).goThrown, thrown: true},
}

// goEnds are the texts of fatal errors of Go that say what ran out or failed, as patterns and without "runtime: " in front. Sources: Go,
// src/runtime/stack.go, mem_linux.go, malloc.go, proc.go (checkmcount) and signal_unix.go (sigpanic).
var goEnds = []message{
	{"stack overflow", StackOverflow, "Stack overflow", "A goroutine used up its stack."},
	{"out of memory*", OutOfMemory, "Out of memory", "The system gave the Go runtime no memory."},
	{"cannot allocate memory", OutOfMemory, "Out of memory", "The system gave the Go runtime no memory."},
	{"thread exhaustion", Resource, "Too many threads", "The Go runtime reached its limit of threads (debug.SetMaxThreads)."},
	{goAsleep + "*", Panic, "Deadlock", "Every goroutine waits, so none can wake another one."},
	{"fault", Panic, "Invalid memory access in Go code", "The Go runtime ends the program if the address is not near zero."},
}

// goEnd returns what ran out or failed by the text of a fatal error of Go, or nil.
func (s *facts) goEnd() *message {
	text, thrown := s.goMessage()
	text = strings.TrimPrefix(text, "runtime: ")
	for i := range goEnds {
		if thrown && matches(goEnds[i].prefix, text) {
			return &goEnds[i]
		}
	}
	return nil
}

// goMessage returns what a panic or a fatal error of Go says, or "". thrown says that it is a fatal error.
func (s *facts) goMessage() (text string, thrown bool) {
	if s.in.Memory == nil || s.in.Arch == nil || s.in.Arch.Word != 8 {
		return "", false
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), endDepth)] {
		for _, a := range goArguments {
			for _, name := range a.functions {
				if s.in.Frames[i].Inline == nil && s.plainName(i) == name {
					return a.read(s, i), a.thrown
				}
			}
		}
	}
	return "", false
}

// goThrown returns the text of throw and fatal: a string in the closure that prints it, or where their caller left room for it.
func (s *facts) goThrown(i int) string {
	low, high := s.locals(i)
	text := func(at uint64) string {
		data, _ := s.word(at)
		length, _ := s.word(at + 8)
		if !s.constant(data) {
			return ""
		}
		return s.textOf(data, length)
	}
	for at := low; at <= high; at += 8 {
		if found := text(at); found != "" {
			return found
		}
	}
	return ""
}

// goPanicked returns the value of a panic. gopanic keeps it where its caller left room for it, and in its _panic, where the runtime
// replaces errors and Stringers by their texts before it prints them. Source: Go, src/runtime/panic.go (preprintpanics).
func (s *facts) goPanicked(i int) string {
	low, high := s.locals(i)
	name, value, _ := s.goValue(high)
	for at := low; at+8 < high; at += 8 {
		if plain, text, ok := s.goValue(at); ok && plain == "string" && text != "" {
			if name == plain || name == "" || slices.ContainsFunc(goErrors, func(p string) bool { return strings.HasPrefix(name, p) }) {
				return text
			}
			return fmt.Sprintf("%s (%s)", text, name)
		}
	}
	data, _ := s.word(high + 8)
	length, read := s.word(data + 8)
	switch {
	case name == "string" && read && length == 0:
		return `""`
	case value == "" && name != "":
		return "a value of type " + name
	case value == "" || name == "": // a word of unknown type is as likely stale
		return ""
	case !strings.Contains(name, "."):
		return value
	}
	return fmt.Sprintf("%s(%s)", name, value)
}

// goErrors are the beginnings of types of errors whose names add nothing to their texts.
var goErrors = []string{"runtime.", "*runtime.", "*errors.", "*fmt."}

// goValue returns the type and the plain value of an interface at an address, either "" if it is not known. ok is false if no
// interface is there.
func (s *facts) goValue(at uint64) (name, value string, ok bool) {
	typ, _ := s.word(at)
	data, _ := s.word(at + 8)
	if !s.constant(typ) {
		return "", "", false
	}
	size, _ := s.word(typ)
	kind, _ := s.in.Memory.Word(typ+goTypeKind, 1)
	align, _ := s.in.Memory.Word(typ+goTypeFlags+1, 2)
	kind &= 31
	if want := goSizes[kind]; kind == 0 || kind > goKinds || align&0xff != align>>8 || align&0xff > 8 || align == 0 || want != 0 && size != want {
		return "", "", false
	}
	return s.goTypeName(typ), s.goPlain(data, kind), true
}

// goPlain returns the value of a plain kind at an address, "" for others.
func (s *facts) goPlain(at, kind uint64) string {
	size := goSizes[kind]
	if kind == goString {
		data, _ := s.word(at)
		length, ok := s.word(at + 8)
		if !ok {
			return ""
		}
		return s.textOf(data, length)
	}
	if kind == goComplex64 || kind == goComplex128 {
		part := kind - goComplex64 + goFloat32
		re, im := s.goPlain(at, part), s.goPlain(at+size/2, part)
		if re == "" || im == "" {
			return ""
		}
		if im[0] != '-' && im[0] != '+' {
			im = "+" + im
		}
		return "(" + re + im + "i)"
	}
	v, ok := s.in.Memory.Word(at, int(size))
	switch {
	case size == 0 || !ok:
		return ""
	case kind == goBool:
		return strconv.FormatBool(v != 0)
	case kind < goUint:
		return signedText(v, 8*int(size))
	case kind <= goUintptr:
		return strconv.FormatUint(v, 10)
	case kind == goFloat32:
		return float32Text(v)
	}
	return float64Text(v)
}

// Bounds of the search for a module's data.
const (
	mostGoData           = 16 << 20 // bytes of variables
	goDataWords          = 80       // of runtime.moduledata
	minGoHead, maxGoHead = 64, 256  // bytes of the header of the table of functions, behind which its names are
)

// goTypes returns the beginning of the types of the module of a type, which the module's data (runtime.moduledata) has with their end; or the
// beginning of the constant data, where Go's linker puts them first. The linkers that cgo uses do not. The module's data begins with the
// addresses of the table of functions and of the names behind the table's header.
func (s *facts) goTypes(typ uint64) uint64 {
	module, left := s.in.Modules.IndexAt(typ), uint64(mostGoData)
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if !g.Allows('w') || module < 0 || s.in.Modules.IndexAt(g.Start) != module {
			continue
		}
		for at := g.Start; at+8 <= g.Last && left > 0; at, left = at+8, left-8 {
			table, ok := s.word(at)
			if !ok || !s.constant(table) {
				continue
			}
			if names, _ := s.word(at + 8); names < table+minGoHead || names > table+maxGoHead {
				continue
			}
			if start := s.typesIn(at, typ); start != 0 {
				return start
			}
		}
	}
	if g := s.regionAt(typ); g != nil {
		return g.Start
	}
	return 0
}

// typesIn returns the beginning of the types that a type is among, by a module's data, or 0. The end of the module's memory, two addresses of
// constants, and the beginning and the end of the types follow each other in it. Source: Go, src/runtime/symtab.go (moduledata), since Go 1.5.
func (s *facts) typesIn(at, typ uint64) uint64 {
	var words [5]uint64 // end, gcdata, gcbss, types, etypes
	for i := range uint64(goDataWords) {
		copy(words[:], words[1:])
		words[4], _ = s.word(at + 8*i)
		if !s.constant(words[0]) && s.constant(words[1]) && s.constant(words[2]) && s.constant(words[3]) && words[3] <= typ && typ < words[4] {
			return words[3]
		}
	}
	return 0
}

// goTypeName returns the name of a type, which lies behind the beginning of the types.
func (s *facts) goTypeName(typ uint64) string {
	offset, ok := s.in.Memory.Word(typ+goTypeName, 4)
	flags, more := s.in.Memory.Word(typ+goTypeFlags, 1)
	if s.goBase == 0 {
		s.goBase = s.goTypes(typ)
	}
	if !ok || !more || s.goBase == 0 {
		return ""
	}
	at := s.goBase + offset // of flags, a length of one or two bytes, and the name
	bits, _ := s.in.Memory.Word(at, 1)
	length, ok := s.in.Memory.Word(at+1, 1)
	if !ok || bits > 15 || length == 0 || length >= 0x80 || !s.constant(at) {
		return ""
	}
	name := s.textOf(at+2, length)
	if flags&goExtraStar != 0 {
		if name, ok = strings.CutPrefix(name, "*"); !ok {
			return ""
		}
	}
	return name
}
