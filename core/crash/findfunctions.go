package crash

import (
	"slices"
	"strings"

	"crashglass/core/funcname"
)

// A sign is a function whose presence near the top of the stack shows why the program ended.
type sign struct {
	function string // a complete plain name, or a prefix that ends in '*'
	kind     Kind
	text     string
	why      string
}

// signs has the most specific sign first: a failed assertion ends in abort, a C++ exception in
// std::terminate and then in abort. Each runtime has its own file.
var signs = slices.Concat(fortifySigns, sanitizerSigns, heapSigns, virtualSigns, memorySigns, rustSigns, goSigns,
	swiftSigns, javaSigns, assertSigns, unrealSigns, mozillaSigns, objcSigns, throwSigns)

// signDepth is the number of frames that are searched for signs: a panic takes a dozen frames, and
// as many inlined calls.
const signDepth = 40

// reporting are the kinds of signs that explain even a fault further in. glibc walks a smashed
// stack to report it, and crashes on the overwritten data. No code of the program runs below these
// functions.
var reporting = map[Kind]bool{StackSmashed: true}

// findFunctions recognizes the functions with which programs end themselves. If the processor
// refused an access, such functions further out are no explanation: destructors run under
// std::terminate, too.
func (s *state) findFunctions() {
	if s.caused() {
		return
	}
	for i := range signs {
		if s.fault.memory && !reporting[signs[i].kind] {
			continue
		}
		if f := s.frameOf(signs[i].function); f != nil {
			sign := &signs[i]
			s.cause(s.thrown(Finding{Kind: sign.kind, Text: sign.text, Confidence: 1, Evidence: s.signEvidence(sign, f)}))
			return
		}
	}
}

// signEvidence returns the program's message, then the meaning of the function.
func (s *state) signEvidence(sign *sign, f *Frame) []string {
	out := []string{sign.why, "`" + f.Function + "` is on the stack."}
	if said := s.said(sign.kind); said != "" {
		out = append([]string{said}, out...)
	}
	return out
}

// frameOf returns the innermost frame whose function matches, or nil.
func (s *state) frameOf(pattern string) *Frame { return s.frameWithin(pattern, signDepth) }

// frameWithin is frameOf for the given number of frames.
func (s *state) frameWithin(pattern string, depth int) *Frame {
	for i := range s.in.Frames[:min(len(s.in.Frames), depth)] {
		f := &s.in.Frames[i]
		if f.Guess && i > 0 && !f.Inline {
			return nil // a scanned word proves nothing
		}
		if matches(pattern, s.plainName(i)) {
			return f
		}
	}
	return nil
}

// plainName caches the plain name of a frame, because it is compared with more than a hundred
// patterns. Frames are requested from the innermost on.
func (s *state) plainName(i int) string {
	for n := len(s.plain); n <= i; n++ {
		s.plain = append(s.plain, funcname.Plain(s.in.Frames[n].Function))
	}
	return s.plain[i]
}

// matches compares a name with a pattern: a '*' matches any text, at the end or once in between.
func matches(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	switch {
	case name == "":
		return false
	case !star:
		return name == pattern
	case !strings.HasPrefix(name, head):
		return false
	}
	return strings.Contains(name[len(head):], strings.TrimSuffix(tail, "*"))
}

// isMachinery reports whether a frame belongs to the code that ends a program.
func isMachinery(f *Frame) bool {
	name := funcname.Plain(f.Function)
	for _, pattern := range machinery {
		if matches(pattern, name) {
			return true
		}
	}
	for i := range signs {
		if matches(signs[i].function, name) {
			return true
		}
	}
	return false
}
