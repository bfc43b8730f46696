package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/stack/funcname"
)

// endDepth is the number of frames that are searched for the end of a program: a panic takes a dozen
// frames, and as many inlined calls.
const endDepth = 40

// reporting are the kinds of functions that explain even a fault further in. glibc walks a smashed
// stack to report it, and crashes on the overwritten data. No code of the program runs below these
// functions.
var reporting = map[Kind]bool{StackSmashed: true}

// findFunctions recognizes the functions with which programs end themselves. Names that are certain
// come first, because the others may be those of other functions.
func (s *facts) findFunctions() []candidate {
	if certain := s.findEnd(true); certain != nil {
		return certain
	}
	return s.findEnd(false)
}

// findEnd recognizes such functions by certain names, or by the others. If the processor refused an
// access, functions further out are no explanation: destructors run under std::terminate, too.
func (s *facts) findEnd(certain bool) []candidate {
	for i := range functions {
		m := &functions[i]
		if m.kind == "" || s.fault.memory && !(certain && reporting[m.kind]) {
			continue
		}
		f := s.frameOf(m, endDepth, certain)
		if f == nil {
			continue
		}
		title, why := s.endOfThrow(m)
		kind, said := m.kind, s.said(m.kind)
		if kind == Panic {
			if end := s.goEnd(); end != nil {
				kind, title, why = end.kind, end.title, end.why
			}
		}
		evidence := []string{said, why, onStack(f) + "."}
		if !certain {
			evidence[1] = "" // what the function would mean
		}
		if class := s.pureClass(); m.kind == PureVirtual && class != "" {
			evidence[0] = join(evidence[0], "The object is a "+class+".")
		}
		evidence = compact(evidence...)
		found := s.thrown(Finding{Kind: kind, Text: title, Confidence: 1, Evidence: evidence})
		if !certain {
			found.Text, found.Confidence = "Probably: "+found.Text, nearStrength
		}
		return explanation(found)
	}
	return nil
}

// goEnds are the texts of fatal errors of Go that say what ran out. Sources: Go, src/runtime/stack.go and mem_linux.go.
var goEnds = []message{
	{"stack overflow", StackOverflow, "Stack overflow", "A goroutine used up its stack."},
	{"out of memory", OutOfMemory, "Out of memory", "The system gave the Go runtime no memory."},
}

// goEnd returns what ran out by the text of a fatal error of Go, or nil.
func (s *facts) goEnd() *message {
	text := s.goMessage()
	for i := range goEnds {
		if goEnds[i].prefix == text {
			return &goEnds[i]
		}
	}
	return nil
}

// nearStrength is the confidence of a finding that rests on a name that is not certain.
const nearStrength = 0.7

// onStack names a frame as evidence.
func onStack(f *Row) string {
	text := fmt.Sprintf("`%s` is on the stack", f.name())
	if !f.certain() {
		text += ", and the name may be that of another function"
	}
	return text
}

// frameThat returns the innermost frame of the first function in the table that proves something,
// by certain names or by the others, or nil.
func (s *facts) frameThat(u use, depth int, certain bool) *Row {
	for i := range functions {
		if functions[i].is(u) {
			if f := s.frameOf(&functions[i], depth, certain); f != nil {
				return f
			}
		}
	}
	return nil
}

// frameOf returns the innermost frame of the first of a meaning's functions among the given number
// of frames, by certain names or by the others, or nil.
func (s *facts) frameOf(m *meaning, depth int, certain bool) *Row {
	if i := s.rowOf(m, depth, certain); i >= 0 {
		return &s.in.Frames[i]
	}
	return nil
}

// rowOf returns the index of the row of frameOf, or -1.
func (s *facts) rowOf(m *meaning, depth int, certain bool) int {
	for _, pattern := range m.names {
		for i := range s.in.Frames[:min(len(s.in.Frames), depth)] {
			f := &s.in.Frames[i]
			if f.Guess && i > 0 && f.Inline == nil {
				break // a scanned word proves nothing
			}
			if f.certain() == certain && matches(pattern, s.plainName(i)) {
				return i
			}
		}
	}
	return -1
}

// plainName caches the plain name of a frame, because it is compared with more than a hundred
// patterns. Frames are requested from the innermost on.
func (s *facts) plainName(i int) string {
	for n := len(s.plain); n <= i; n++ {
		s.plain = append(s.plain, funcname.Plain(s.in.Frames[n].function()))
	}
	return s.plain[i]
}

// matches compares a name with a pattern: a '*' matches any text, at the end or once in between.
func matches(pattern, name string) bool {
	if name == "" || pattern == "" || pattern[0] != '*' && pattern[0] != name[0] {
		return false // most pairs, and a row of a report is compared with each pattern
	}
	head, tail, star := strings.Cut(pattern, "*")
	switch {
	case !star:
		return name == pattern
	case !strings.HasPrefix(name, head):
		return false
	}
	return strings.Contains(name[len(head):], strings.TrimSuffix(tail, "*"))
}

// isMachinery reports whether a frame belongs to the code that ends a program.
func isMachinery(f *Row) bool {
	name := funcname.Plain(f.function())
	return slices.ContainsFunc(functions, func(m meaning) bool {
		return m.is(ends) && slices.ContainsFunc(m.names, func(pattern string) bool { return matches(pattern, name) })
	})
}
