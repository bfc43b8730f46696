package demangle

import "fmt"

// A signature is how a function is called.
type signature struct {
	access   string // "public"
	static   bool
	virtual  bool
	externC  bool
	bare     bool   // without parameters: a function of C, a vcall thunk
	thunk    bool   // adjusts this and jumps on
	adjust   string // how
	conv     string // "__cdecl"
	result   *typ   // nil for constructors and destructors
	void     bool   // there are no parameters
	params   []*typ
	variadic bool
	noexcept bool
	quals    quals  // of this
	ref      string // " &" or " &&"
}

// conventions are the calling conventions; the second letter of a pair was for
// functions that are exported, and is not used any more. LLVM's two for Swift
// bring along a space.
var conventions = map[byte]string{
	'A': "__cdecl", 'B': "__cdecl", 'C': "__pascal", 'D': "__pascal", 'E': "__thiscall", 'F': "__thiscall", 'G': "__stdcall", 'H': "__stdcall",
	'I': "__fastcall", 'J': "__fastcall", 'M': "__clrcall", 'N': "__clrcall", 'O': "__eabi", 'P': "__eabi", 'Q': "__vectorcall",
	'S': "__attribute__((__swiftcall__)) ", 'W': "__attribute__((__swiftasynccall__)) ", 'w': "__regcall",
}

// convention reads a calling convention. undname ignores a letter that is none; here it
// is an error, as such a name is damaged.
func (p *parser) convention() string {
	b := p.next("a calling convention")
	if conventions[b] == "" {
		p.fail("%q is no calling convention", b)
	}
	return conventions[b]
}

// function reads a function's type. Of a method the qualifiers of this come first.
// The result follows the calling convention, @ for none, and an ellipsis or a mark ends
// the parameters: AHPEAD@Z is int __cdecl (char *).
func (p *parser) function(method bool) *signature {
	s := &signature{}
	if method {
		s.quals = p.pointerQualifiers()
		s.ref = p.refQualifier()
		s.quals |= p.qualifiers()
	}
	s.conv = p.convention()
	if !p.take("@") {
		s.result = p.typ(ofResult)
	}
	p.parameters(s)
	switch {
	case p.take("_E"):
		s.noexcept = true
	case !p.take("Z"):
		p.fail("a function's type does not end")
	}
	return s
}

// refQualifier reads the & or && of a method.
func (p *parser) refQualifier() string {
	switch {
	case p.take("G"):
		return " &"
	case p.take("H"):
		return " &&"
	}
	return ""
}

// parameters reads up to the @ at the end, or to the Z of an ellipsis. A digit
// is a type from before.
func (p *parser) parameters(s *signature) {
	if p.take("X") {
		s.void = true
		return
	}
	for !p.failed() {
		switch {
		case p.take("@"):
			return
		case p.take("Z"):
			s.variadic = true
			return
		}
		s.params = append(s.params, p.parameter())
	}
}

// parameter reads one type. Only the first ten that take more than a letter are counted.
func (p *parser) parameter() *typ {
	if i, ok := p.digit(); ok {
		if i >= len(p.params) {
			p.fail("refers to parameter %d of %d", i, len(p.params))
			return &typ{}
		}
		return p.params[i]
	}
	before := len(p.rest)
	t := p.typ(dropped)
	if before-len(p.rest) > 1 && len(p.params) < 10 {
		p.params = append(p.params, t)
	}
	return t
}

// functionSymbol reads a function's class and its type.
func (p *parser) functionSymbol() *symbol {
	externC := p.take("$$J0")
	class := p.class()
	var s *signature
	if class.bare {
		s = &signature{}
	} else {
		s = p.function(class.access != "" && !class.static)
	}
	s.access, s.static, s.virtual, s.bare = class.access, class.static, class.virtual, class.bare
	s.thunk, s.adjust = class.thunk, class.adjust
	s.externC = class.externC || externC
	return &symbol{kind: functionSymbol, sig: s}
}

// class reads how a function belongs to its class, and for a thunk how it
// adjusts this. Pairs of letters differ in near and far, which is not shown.
func (p *parser) class() (s signature) {
	switch b := p.next("a function's class"); {
	case b == '9':
		s.externC, s.bare = true, true
	case b == 'Y' || b == 'Z': // global
	case b == '$':
		p.virtualAdjust(&s)
	case b >= 'A' && b <= 'X':
		s.access = accesses[(b-'A')/8]
		switch (b - 'A') % 8 / 2 {
		case 1:
			s.static = true
		case 2:
			s.virtual = true
		case 3:
			s.virtual = s.access != "private" // undname has it so
			s.thunk = true
			s.adjust = fmt.Sprintf("`adjustor{%d}'", uint32(p.signed()))
		}
	default:
		p.fail("%q is no class of functions", b)
	}
	return s
}

// accesses are in the order of their letters and digits.
var accesses = []string{"private", "protected", "public"}

// virtualAdjust reads a thunk of a class with virtual bases. Its offsets have 32
// bits, of which old compilers wrote all, also of negative ones.
func (p *parser) virtualAdjust(s *signature) {
	extended := p.take("R")
	b := p.next("a thunk's access")
	if b < '0' || b > '5' {
		p.fail("%q is no access of a thunk", b)
		return
	}
	s.access, s.virtual, s.thunk = accesses[(b-'0')/2], true, true
	word := "vtordisp{"
	if extended {
		word = fmt.Sprintf("vtordispex{%d, %d, ", int32(p.signed()), int32(p.signed()))
	}
	s.adjust = fmt.Sprintf("`%s%d, %d}'", word, int32(p.signed()), uint32(p.signed()))
}
