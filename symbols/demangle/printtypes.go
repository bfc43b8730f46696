package demangle

import (
	"strconv"
	"strings"
)

// write writes a type that has no name.
func (t *typ) write(pr *printer) {
	t.before(pr)
	t.after(pr)
}

// before writes the part of a type that precedes the declared name.
//
// Parameters refer back to others, so that a type is a graph that can be much
// larger than its name when it is written out: both halves stop at the limit.
func (t *typ) before(pr *printer) {
	if pr.tooLong {
		return
	}
	switch t.kind {
	case primitive:
		pr.word(t.word)
		pr.qualifiers(t.quals, true)
	case tag:
		if !pr.short {
			pr.text(t.word + " ")
		}
		pr.qualified(t.name)
		pr.qualifiers(t.quals, true)
	case custom:
		pr.qualified(t.name)
	case array:
		t.elem.before(pr)
		pr.qualifiers(t.quals, true)
	case function:
		t.sig.before(pr, true)
	case pointer:
		t.pointerBefore(pr)
	}
}

// words replaces words of LLVM's undname in short names by those of Microsoft's undname and of
// dump_syms.
var words = strings.NewReplacer(" ctor", " constructor", " dtor", " destructor", "unsigned __int64", "uint64_t", "__int64", "int64_t")

// word writes a type, or the name of a function that the compiler makes.
func (pr *printer) word(text string) {
	if pr.short {
		text = words.Replace(text)
	}
	pr.text(text)
}

// Pointers to arrays and functions have parentheses: int (__cdecl *f)(float).
func (t *typ) pointerBefore(pr *printer) {
	wrapped := t.elem.kind == array || t.elem.kind == function
	if t.elem.kind == function {
		t.elem.sig.declaration(pr, true)
	} else {
		t.elem.before(pr)
	}
	switch {
	case pr.short && t.elem.kind == array: // also after a sign: double* (*)[3]
		pr.text(" ")
	case !pr.short || wrapped || t.name != nil || t.quals&isUnaligned != 0:
		pr.space()
	}
	if t.quals&isUnaligned != 0 {
		pr.text("__unaligned ")
	}
	if wrapped {
		pr.text("(")
	}
	if t.elem.kind == function && !pr.short {
		pr.text(t.elem.sig.conv + " ")
	}
	if t.name != nil {
		pr.qualified(t.name)
		pr.text("::")
	}
	pr.text(t.sign)
	pr.qualifiers(t.quals, pr.short)
	pr.text(t.auth)
}

// after writes the part of a type that follows the declared name.
func (t *typ) after(pr *printer) {
	if pr.tooLong {
		return
	}
	switch t.kind {
	case array:
		for _, dim := range t.dims {
			pr.text("[")
			if dim != 0 {
				pr.text(strconv.FormatUint(dim, 10))
			}
			pr.text("]")
		}
		t.elem.after(pr)
	case function:
		t.sig.after(pr, true)
	case pointer:
		if t.elem.kind == array || t.elem.kind == function {
			pr.text(")")
		}
		t.elem.after(pr)
	}
}

// declaration writes everything in front of the calling convention.
func (s *signature) declaration(pr *printer, result bool) {
	if !pr.short {
		if s.access != "" {
			pr.text(s.access + ": ")
		}
		if s.static {
			pr.text("static ")
		}
		if s.virtual {
			pr.text("virtual ")
		}
		if s.externC {
			pr.text(`extern "C" `)
		}
	}
	if result && s.result != nil {
		s.result.before(pr)
		pr.text(" ")
	}
}

// before writes everything in front of a function's name.
func (s *signature) before(pr *printer, result bool) {
	if s.thunk && !pr.short {
		pr.text("[thunk]: ")
	}
	s.declaration(pr, result)
	if !pr.short {
		pr.space()
		pr.text(s.conv)
	}
}

// after writes everything behind it: parameters, qualifiers of this, and the rest of the
// result's type.
func (s *signature) after(pr *printer, result bool) {
	pr.text(s.adjust)
	if !s.bare {
		s.writeParams(pr)
	}
	pr.qualifiers(s.quals, true)
	if s.quals&isUnaligned != 0 {
		pr.text(" __unaligned")
	}
	if s.noexcept {
		pr.text(" noexcept")
	}
	pr.text(s.ref)
	if result && s.result != nil {
		s.result.after(pr)
	}
}

// writeParams writes parameters, (void) for none, as undname does.
func (s *signature) writeParams(pr *printer) {
	pr.text("(")
	if s.void {
		pr.text("void")
	}
	for i, t := range s.params {
		if i > 0 {
			pr.text(", ")
		}
		t.write(pr)
	}
	if s.variadic {
		if len(s.params) > 0 {
			pr.text(", ")
		}
		pr.text("...")
	}
	pr.text(")")
}
