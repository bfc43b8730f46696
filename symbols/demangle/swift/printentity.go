package swift

import "strings"

// A typed says how the type of a declaration is printed.
type typed uint8

const (
	untyped  typed = iota
	colon          // dump_syms leaves the types of variables out
	function       // its parameters
)

// A style is how a kind of declarations is printed.
type style struct {
	typed     typed
	named     bool   // the second child is its name
	overwrite string // what stands for a name
	extra     string // what follows the name
}

// entityStyle is how a kind is printed, and whether it is one of declarations.
// Where extra is empty, it is the text of a node without a name.
func entityStyle(k kind) (s style, ok bool) {
	switch k {
	case kFunction, kBoundFunction, kMacro:
		return style{typed: function, named: true}, true
	case kVariable:
		return style{typed: colon, named: true}, true
	case kSubscript:
		return style{typed: function, overwrite: "subscript"}, true
	case kClosure:
		return style{typed: function}, true
	case kAllocator, kConstructor:
		return style{typed: function, extra: "init"}, true
	case kExpansion:
		return style{named: true}, true
	case kInitializer, kMember, kDeinit:
		return style{}, true
	}
	return style{named: true}, isNominal(k) && k != kBuiltinTuple
}

// extraOf is what follows the name of a declaration, or stands for one.
func extraOf(n *node, s style) string {
	inClass := n.kid(0).is(kClass)
	switch {
	case n.kind == kAllocator && inClass:
		return "__allocating_init"
	case n.kind == kDeinit && !inClass:
		return "deinit"
	case s.extra == "" && n.kind >= kDeinit && n.kind <= kExpansion:
		return n.text
	}
	return s.extra
}

// entity prints a declaration: what it is in before it and a point, or behind
// it in words if its name is more than a word.
// "bar" is written as Foo.bar, but a closure as "closure #1 () in Foo.bar()": whatever
// has parameters or words in it cannot stand before a point. What is left over of it is
// returned to the caller that prints the words.
func (pr *printer) entity(n *node, prefix bool, s style) *node {
	var args *node
	if n.kind == kBoundFunction {
		n, args = n.kids[0], n.kids[1]
		s, _ = entityStyle(n.kind)
	}
	extra := extraOf(n, s)
	words := strings.Contains(extra, " ") || s.named && n.kid(1).is(kLocalName)
	if prefix && (s.typed != untyped || words) {
		return n
	}
	var rest *node
	if words {
		rest = n.kid(0)
	} else {
		before := pr.out.Len()
		rest = pr.inside(n.kid(0), true)
		if pr.out.Len() != before {
			pr.say(".")
		}
	}
	pr.name(n, s, extra, words)
	if s.typed == function {
		pr.entityType(n, args, words)
	}
	if prefix || rest == nil {
		return rest
	}
	if n.kind == kInitializer {
		pr.say(" of ")
	} else {
		pr.say(" in ")
	}
	pr.node(rest)
	return nil
}

// name writes the name of a declaration, and what is added to it: x.getter. A private name
// is written without the file that it is private to.
func (pr *printer) name(n *node, s style, extra string, words bool) {
	private := n.find(kPrivateName)
	if s.named || s.overwrite != "" || n.kind == kConstructor && private != nil {
		if extra != "" && words {
			pr.say(extra + " of ")
			extra = ""
		}
		before := pr.out.Len()
		pr.say(s.overwrite)
		if s.overwrite == "" {
			if name := n.kid(1); s.named && !name.is(kPrivateName) {
				pr.node(name)
			}
			pr.optional(private)
		}
		if pr.out.Len() != before && extra != "" {
			pr.say(".")
		}
	}
	pr.say(extra)
}

// entityType prints generic parameters and parameters of a function. What has
// another type has none of them.
func (pr *printer) entityType(n, args *node, words bool) {
	t := n.find(kType).kid(0)
	if t == nil {
		pr.failed = true
		return
	}
	f := t
	for f.is(kDependent) {
		f = f.kid(1).kid(0)
	}
	if !f.is(kFunctionType) && !f.is(kUncurried) && !f.is(kPointer) {
		return
	}
	if words || spaceBefore(t) {
		pr.say(" ")
	}
	labels := n.find(kLabels)
	if labels == nil && args == nil {
		pr.node(t)
		return
	}
	if args != nil {
		pr.template("<$,>", args)
	}
	if t.kind == kDependent {
		if args == nil {
			pr.node(t.kids[0])
		}
		if spaceBefore(t.kids[1]) {
			pr.say(" ")
		}
		t = t.kid(1).kid(0)
	}
	pr.function(labels, t)
}

// spaceBefore reports whether a type cannot follow a name at once.
func spaceBefore(t *node) bool {
	for t.is(kType) {
		t = t.kid(0)
	}
	return !t.is(kFunctionType) && !t.is(kUncurried) && !t.is(kDependent)
}
