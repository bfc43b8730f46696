package crash

import (
	"slices"
	"strings"

	"crashglass/core/funcname"
)

// A sign is a function whose presence near the top of the stack says why the
// program ended.
type sign struct {
	function string // a whole plain name, or a beginning that ends in '*'
	kind     Kind
	text     string
	why      string
}

// signs, most telling first: a failed assertion ends in abort, a C++ exception
// in std::terminate and then in abort. Each runtime has its own file.
var signs = slices.Concat(fortifySigns, sanitizerSigns, heapSigns, virtualSigns, memorySigns, rustSigns, goSigns,
	swiftSigns, javaSigns, assertSigns, unrealSigns, mozillaSigns, objcSigns, throwSigns)

// signDepth is how far out signs are looked for: the machinery of a panic is
// a dozen frames, its inlined calls as many again.
const signDepth = 40

// reporting are the kinds of signs that explain a fault further in, too: to
// report a smashed stack glibc walks it, and crashes on what it was smashed
// with. No code of the program runs below these functions.
var reporting = map[Kind]bool{StackSmashed: true}

// findFunctions recognises the machinery with which programs end themselves.
// Where the processor refused an access, such functions further out are no
// explanation: destructors run under std::terminate, too.
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

// signEvidence says what the program left in words, then what the function means.
func (s *state) signEvidence(sign *sign, f *Frame) []string {
	out := []string{sign.why, "`" + f.Function + "` is on the stack."}
	if said := s.said(sign.kind); said != "" {
		out = append([]string{said}, out...)
	}
	return out
}

// frameOf is the innermost frame whose function matches, or nil.
func (s *state) frameOf(pattern string) *Frame { return s.frameWithin(pattern, signDepth) }

// frameWithin is frameOf for so many frames.
func (s *state) frameWithin(pattern string, depth int) *Frame {
	for i := range s.in.Frames[:min(len(s.in.Frames), depth)] {
		f := &s.in.Frames[i]
		if f.Guess && i > 0 && !f.Inline {
			return nil // a word that lay around proves nothing
		}
		if matches(pattern, s.plainName(i)) {
			return f
		}
	}
	return nil
}

// plainName is plainName of a frame, made once: more than a hundred patterns are
// compared with it. Frames are asked for from the innermost on.
func (s *state) plainName(i int) string {
	for n := len(s.plain); n <= i; n++ {
		s.plain = append(s.plain, funcname.Plain(s.in.Frames[n].Function))
	}
	return s.plain[i]
}

// matches: a '*' stands for anything, at the end or once in between.
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

// isMachinery reports whether a frame is part of how a program ends.
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
