// Package expr parses expressions over a program's variables, as users of debuggers write them:
// C's operators, casts to types by name, registers, and variables of other modules.
//
//	order.next->lines[2] * 4 + sizeof(Order)
//	(Node *)$rax
//	app.exe!settings.retries > 3 && name == "spool"
//
// An expression is a tree, and has no effects: there are no calls and no assignments. Package
// variables evaluates it, also for NatVis files, whose expressions are of the same language. The
// length of an expression and its nesting are bounded.
//
// Sources: [expr] and [lex] of the C++ standard for precedence and literals; "Expressions" of GDB's
// manual for registers and "@".
package expr

import (
	"fmt"
	"strings"
)

// An Expr is an expression: a tree of operators, names and constants.
type Expr struct {
	Op   Op
	Name string // of a name, a member, a register or a type, also that of a character; the digits of a number; the content of a text
	Args []*Expr

	Module string  // of Name: "" for that of the frame
	Suffix string  // of Cast and SizeOf: "*" and "&" behind the type's name
	Number uint64  // of Number and Char
	Float  float64 // of Float

	Format string // after the last comma: "s", "x", "[5]"
}

// An Op is the operator of an expression.
type Op uint8

// The operators.
const (
	This      Op = iota // a pointer to the value
	Number              // a constant; also nullptr
	Truth               // true and false
	Float               //
	Char                // 'a'
	Text                // "abc"
	Index               // $i
	Name                // a variable; in a view, also a member
	Register            // $rax
	Member              // Args[0].Name
	Arrow               // Args[0]->Name
	Subscript           // Args[0][Args[1]]
	Slice               // Args[0][Args[1]:Args[2]]
	Deref               // *Args[0]
	Address             // &Args[0]
	Not                 // !Args[0]
	Flip                // ~Args[0]
	Minus               // -Args[0]
	Plus                // +Args[0]
	Cast                // (Name Suffix)Args[0]
	SizeOf              // sizeof Args[0], or of a type
	Call                // Args[0].Name(Args[1], ...): an intrinsic of a view
	If                  // Args[0] ? Args[1] : Args[2]
	Add                 // from here on, binary operators
	Sub
	Mul
	Div
	Rem
	Repeat // Args[0]@Args[1]: that many adjacent values
	Left
	Right
	BitAnd
	BitXor
	BitOr
	Equal
	Unequal
	Less
	LessEqual
	More
	MoreEqual
	And
	Or
)

// The bounds of an expression.
const (
	maxExpr = 1 << 10 // bytes
	maxDeep = 24      // parentheses, subscripts and prefix operators within each other
)

// An infix is a binary operator with its precedence.
type infix struct {
	text  string
	op    Op
	level int
}

// binary are the binary operators, of which a longer one comes before its beginning.
var binary = []infix{
	{"||", Or, 1}, {"&&", And, 2}, {"==", Equal, 6}, {"!=", Unequal, 6}, {"<<", Left, 8}, {">>", Right, 8}, {"<=", LessEqual, 7}, {">=", MoreEqual, 7},
	{"->", Arrow, -1}, {"|", BitOr, 3}, {"^", BitXor, 4}, {"&", BitAnd, 5}, {"<", Less, 7}, {">", More, 7}, {"@", Repeat, 9},
	{"+", Add, 10}, {"-", Sub, 10}, {"*", Mul, 11}, {"/", Div, 11}, {"%", Rem, 11},
}

// prefixes are the unary operators.
var prefixes = []struct {
	text string
	op   Op
}{{"!", Not}, {"*", Deref}, {"&", Address}, {"~", Flip}, {"-", Minus}, {"+", Plus}}

// Parse reads an expression with its format. isType says whether a name is a type, and not a variable.
// If it is nil, the expression is one of a NatVis file: it has no registers and no names outside of
// the value, and a name in parentheses is a type if an operand follows that is no operator, too.
func Parse(text string, isType func(name string) bool) (*Expr, error) {
	if len(text) > maxExpr {
		return nil, fmt.Errorf("an expression has %d bytes, of at most %d", len(text), maxExpr)
	}
	p := &parser{text: text, isType: isType, all: len(text)}
	e := p.choice(0)
	p.blanks()
	if rest, ok := strings.CutPrefix(p.text, ","); ok && e != nil {
		p.text = rest
		e = p.format(e)
	}
	if p.text != "" {
		e = p.fail("it does not continue like this")
	}
	if e == nil {
		return nil, fmt.Errorf("expression %q at %d: %s", text, p.at, p.why)
	}
	return e, nil
}

// format reads what is behind the last comma. "p,[n]" is that many values from a pointer on.
func (p *parser) format(e *Expr) *Expr {
	if p.take("[") {
		n := p.choice(1)
		if n == nil || !p.takes("]") {
			return nil
		}
		e = of(Repeat, of(Deref, e), n)
	}
	format := *e
	format.Format, p.text = strings.Trim(p.text, ", "), ""
	return &format
}

// A parser takes an expression from the front of a text. Its methods return nil if there is none.
type parser struct {
	text   string
	isType func(string) bool

	at  int    // the offset of the first error
	why string // the first error
	all int    // the length of the text
}

// fail records the first error.
func (p *parser) fail(why string) *Expr {
	if p.why == "" {
		p.why, p.at = why, p.all-len(p.text)
	}
	return nil
}

func (p *parser) blanks() { p.text = strings.TrimLeft(p.text, " \t\r\n") }

// take skips a token, and reports whether it was there.
func (p *parser) take(sign string) bool {
	p.blanks()
	rest, ok := strings.CutPrefix(p.text, sign)
	if ok {
		p.text = rest
	}
	return ok
}

// takes is take for a token that has to be there.
func (p *parser) takes(sign string) bool {
	ok := p.take(sign)
	if !ok {
		p.fail(sign + " is missing")
	}
	return ok
}

// choice reads an expression of any operators.
func (p *parser) choice(deep int) *Expr {
	e := p.operators(0, deep)
	if e == nil || !p.take("?") {
		return e
	}
	yes := p.choice(deep + 1)
	if yes == nil || !p.takes(":") {
		return nil
	}
	return of(If, e, yes, p.choice(deep+1))
}

// of makes an expression of arguments; nil if the last one is missing.
func of(op Op, args ...*Expr) *Expr {
	if args[len(args)-1] == nil {
		return nil
	}
	return &Expr{Op: op, Args: args}
}

// operators reads an expression of binary operators with at least the given precedence.
func (p *parser) operators(level, deep int) *Expr {
	left := p.unary(deep)
	for left != nil {
		sign := p.operator()
		if sign.level < max(level, 1) {
			break
		}
		p.take(sign.text)
		left = of(sign.op, left, p.operators(sign.level+1, deep))
	}
	return left
}

// operator returns the binary operator at the front, without taking it.
func (p *parser) operator() infix {
	p.blanks()
	for _, o := range binary {
		if strings.HasPrefix(p.text, o.text) {
			return o
		}
	}
	return infix{}
}

// unary reads prefix operators and their operand.
func (p *parser) unary(deep int) *Expr {
	if deep >= maxDeep {
		return p.fail(fmt.Sprintf("it is nested more than %d deep", maxDeep))
	}
	for _, o := range prefixes {
		if p.take(o.text) {
			return of(o.op, p.unary(deep+1))
		}
	}
	if name, suffix, ok := p.typeIn(false); ok {
		if e := of(Cast, p.unary(deep+1)); e != nil {
			e.Name, e.Suffix = name, suffix
			return e
		}
		return nil
	}
	return p.postfix(deep)
}

// postfix reads member and element accesses after an operand.
func (p *parser) postfix(deep int) *Expr {
	e := p.primary(deep)
	for e != nil {
		switch {
		case p.take("->"):
			e = p.member(Arrow, e)
		case p.take("."):
			e = p.member(Member, e)
		case p.take("["):
			e = p.subscript(e, deep+1)
		case p.take("("):
			e = p.call(e, deep+1)
		default:
			return e
		}
	}
	return nil
}

// call reads the arguments of an intrinsic of a view.
func (p *parser) call(f *Expr, deep int) *Expr {
	out := &Expr{Op: Call, Name: f.Name, Args: f.Args}
	switch {
	case p.isType != nil || f.Op != Name && f.Op != Member && f.Op != Arrow:
		return p.fail("calls are not supported")
	case f.Op == Name:
		out.Args = []*Expr{{Op: This}}
	case f.Op == Member: // of an object, and not behind a pointer
		out.Args = []*Expr{of(Address, f.Args...)}
	}
	for !p.take(")") {
		if len(out.Args) > 1 && !p.takes(",") {
			return nil
		}
		a := p.choice(deep)
		if a == nil {
			return nil
		}
		out.Args = append(out.Args, a)
	}
	return out
}

// member reads the name of a member behind "." or "->".
func (p *parser) member(op Op, of *Expr) *Expr {
	name := p.word()
	if name == "" {
		return p.fail("a member's name is missing")
	}
	return &Expr{Op: op, Name: name, Args: []*Expr{of}}
}

// subscript reads an index, or the bounds of a slice.
func (p *parser) subscript(e *Expr, deep int) *Expr {
	at := p.choice(deep)
	if at == nil {
		return nil
	}
	out := of(Subscript, e, at)
	if p.take(":") {
		out = of(Slice, e, at, p.choice(deep))
	}
	if out == nil || !p.takes("]") {
		return nil
	}
	return out
}

// primary reads a name, a constant or an expression in parentheses.
func (p *parser) primary(deep int) *Expr {
	if p.take("(") {
		e := p.choice(deep + 1)
		if e == nil || !p.takes(")") {
			return nil
		}
		return e
	}
	if p.take("$") {
		return p.register()
	}
	if p.text == "" {
		return p.fail("an operand is missing")
	}
	if e := p.quoted(); e != nil || p.why != "" {
		return e
	}
	if c := p.text[0]; c >= '0' && c <= '9' || c == '.' {
		return p.number()
	}
	return p.name(deep)
}

// register reads the name behind a "$".
func (p *parser) register() *Expr {
	switch name := p.word(); {
	case name == "i" && p.isType == nil:
		return &Expr{Op: Index}
	case p.isType == nil && isArgument(name):
		return &Expr{Op: Name, Name: "$" + name}
	case name == "" || p.isType == nil:
		return p.fail("this name with $ is not supported")
	default:
		return &Expr{Op: Register, Name: name}
	}
}

// isArgument reports whether a name behind "$" is an argument of a view's template: $T1.
func isArgument(name string) bool {
	return len(name) > 1 && name[0] == 'T' && name[1] > '0' && name[1] <= '9'
}

// words are the names with a meaning of their own.
var words = map[string]Expr{
	"this": {Op: This}, "nullptr": {Op: Number}, "NULL": {Op: Number}, "nil": {Op: Number}, "true": {Op: Truth, Number: 1}, "false": {Op: Truth},
}

// name reads a variable, perhaps of another module, or sizeof.
func (p *parser) name(deep int) *Expr {
	module := p.module()
	name := p.path()
	switch known, ok := words[name]; {
	case name == "":
		return p.fail("an operand is missing")
	case ok && module == "" && !(p.isType != nil && known.Op == This): // this is a variable of a frame
		return &known
	case strings.HasSuffix(name, "_cast") && p.take("<"):
		return p.namedCast(name, deep)
	case name != "sizeof" || module != "":
		return &Expr{Op: Name, Name: name, Module: module}
	}
	if name, suffix, ok := p.typeIn(true); ok {
		return &Expr{Op: SizeOf, Name: name, Suffix: suffix}
	}
	return of(SizeOf, p.unary(deep+1))
}

// module reads the name of a module with the "!" behind it: "app.exe!", "lib-x.so.6!".
func (p *parser) module() string {
	n := moduleIn(p.text)
	if p.isType == nil || n == 0 {
		return ""
	}
	name := p.text[:n]
	p.text = p.text[n+1:]
	return name
}

// moduleIn returns the length of a module's name at the front of a text, 0 for none.
func moduleIn(text string) int {
	n := span(text, func(c byte) bool { return isWord(c) || strings.IndexByte(".-+", c) >= 0 })
	if n == 0 || n+1 >= len(text) || text[n] != '!' || !isWord(text[n-1]) || text[n+1] == '=' {
		return 0
	}
	return n
}

// path reads a name with namespaces, or any name in backquotes.
func (p *parser) path() string {
	if rest, ok := strings.CutPrefix(p.text, "`"); ok {
		name, rest, closed := strings.Cut(rest, "`")
		if !closed {
			return ""
		}
		p.text = rest
		return name
	}
	name := p.word()
	for strings.HasPrefix(p.text, "::") {
		p.text = p.text[2:]
		name += "::" + p.word()
	}
	return name
}

func (p *parser) word() string {
	p.blanks()
	n := span(p.text, isWord)
	word := p.text[:n]
	p.text = p.text[n:]
	return word
}

// span returns the number of bytes at the front of a kind.
func span(text string, is func(byte) bool) (n int) {
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

// isWord reports whether a byte may be in a name or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
