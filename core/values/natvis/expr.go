package natvis

import (
	"fmt"
	"strconv"
	"strings"
)

// An Expr is an expression: a tree of operators, members and numbers.
type Expr struct {
	Op     Op
	Name   string // of Member and Arrow
	Number uint64
	Args   []*Expr

	Format string // after the last comma: "s", "x", "[5]"
}

// An Op is the operator of an expression.
type Op uint8

// The operators.
const (
	This      Op = iota // a pointer to the value
	Number              // a constant; also true, false and nullptr
	Index               // $i
	Member              // Args[0].Name; without Args, of the value
	Arrow               // Args[0]->Name
	Subscript           // Args[0][Args[1]]
	Deref               // *Args[0]
	Address             // &Args[0]
	Not                 // !Args[0]
	Add                 //
	Sub                 //
	Equal               //
	Unequal             //
	Less                //
	LessEqual           //
	More                //
	MoreEqual           //
	And                 //
	Or                  //
)

// The bounds of an expression.
const (
	maxExpr = 1 << 10 // bytes
	maxDeep = 24      // parentheses, subscripts and prefix operators within each other
)

// binary are the binary operators, lowest precedence first.
var binary = [][]struct {
	text string
	op   Op
}{
	{{"||", Or}},
	{{"&&", And}},
	{{"==", Equal}, {"!=", Unequal}},
	{{"<=", LessEqual}, {">=", MoreEqual}, {"<", Less}, {">", More}},
	{{"+", Add}, {"-", Sub}},
}

// parseExpr reads an expression with its format.
func parseExpr(text string) (*Expr, error) {
	if len(text) > maxExpr {
		return nil, fmt.Errorf("an expression has %d bytes, of at most %d", len(text), maxExpr)
	}
	p := &parser{text: strings.TrimSpace(text)}
	e := p.level(0, 0)
	p.blanks()
	if rest, ok := strings.CutPrefix(p.text, ","); ok && e != nil {
		format := *e
		format.Format, p.text = strings.TrimSpace(rest), ""
		e = &format
	}
	if p.text != "" || e == nil {
		return nil, fmt.Errorf("expression %q is not one of members", text)
	}
	return e, nil
}

// A parser takes an expression from the front of a text. It returns nil if there is none.
type parser struct{ text string }

// blanks skips white space.
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

// level reads an expression of operators with at least the precedence of a level.
func (p *parser) level(n, deep int) *Expr {
	if n == len(binary) {
		return p.unary(deep)
	}
	left := p.level(n+1, deep)
	for left != nil {
		op, ok := p.operator(n)
		if !ok {
			break
		}
		right := p.level(n+1, deep)
		if right == nil {
			return nil
		}
		left = &Expr{Op: op, Args: []*Expr{left, right}}
	}
	return left
}

// operator takes a binary operator of a level. "->" begins with one, but is none.
func (p *parser) operator(n int) (Op, bool) {
	p.blanks()
	if strings.HasPrefix(p.text, "->") {
		return 0, false
	}
	for _, o := range binary[n] {
		if p.take(o.text) {
			return o.op, true
		}
	}
	return 0, false
}

// prefixes are the unary operators.
var prefixes = []struct {
	text string
	op   Op
}{{"!", Not}, {"*", Deref}, {"&", Address}}

// unary reads prefix operators and their operand.
func (p *parser) unary(deep int) *Expr {
	if deep >= maxDeep {
		return nil
	}
	for _, o := range prefixes {
		if p.take(o.text) {
			of := p.unary(deep + 1)
			if of == nil {
				return nil
			}
			return &Expr{Op: o.op, Args: []*Expr{of}}
		}
	}
	return p.postfix(deep)
}

// postfix reads member and element accesses after an operand.
func (p *parser) postfix(deep int) *Expr {
	e := p.primary(deep)
	for e != nil {
		switch {
		case p.take("->"):
			e = p.named(Arrow, e)
		case p.take("."):
			e = p.named(Member, e)
		case p.take("["):
			at := p.level(0, deep+1)
			if at == nil || !p.take("]") {
				return nil
			}
			e = &Expr{Op: Subscript, Args: []*Expr{e, at}}
		default:
			return e
		}
	}
	return nil
}

// named reads the name of a member behind "." or "->".
func (p *parser) named(op Op, of *Expr) *Expr {
	name := p.word()
	if name == "" {
		return nil
	}
	return &Expr{Op: op, Name: name, Args: []*Expr{of}}
}

// primary reads a name, a number or an expression in parentheses. A cast looks like parentheses
// before another primary, and fails there.
func (p *parser) primary(deep int) *Expr {
	if p.take("(") {
		e := p.level(0, deep+1)
		if e == nil || !p.take(")") {
			return nil
		}
		return e
	}
	if p.take("$i") {
		return &Expr{Op: Index}
	}
	switch word := p.word(); {
	case word == "" || strings.HasPrefix(strings.TrimLeft(p.text, " "), "("):
		return nil // a function call
	case word == "this":
		return &Expr{Op: This}
	case word == "nullptr" || word == "false":
		return &Expr{Op: Number}
	case word == "true":
		return &Expr{Op: Number, Number: 1}
	case word[0] >= '0' && word[0] <= '9':
		n, err := strconv.ParseUint(strings.TrimRight(word, "uUlL"), 0, 64)
		if err != nil {
			return nil
		}
		return &Expr{Op: Number, Number: n}
	default:
		return &Expr{Op: Member, Name: word}
	}
}

// word reads a name or a number.
func (p *parser) word() string {
	p.blanks()
	n := 0
	for n < len(p.text) && isWord(p.text[n]) {
		n++
	}
	word := p.text[:n]
	p.text = p.text[n:]
	return word
}

// isWord reports whether a byte may be in a name or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
