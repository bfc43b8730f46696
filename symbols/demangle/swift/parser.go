// Package swift demangles the names of Swift's functions: those of Swift 5 and
// later ($s), 4.2 ($S), 4 (_T0) and embedded Swift ($e).
//
//	text, err := swift.Name("$s4main3FooV3bar1xySi_tF") // "Foo.bar(x: Int)"
//
// The text is the one that dump_syms writes and a stack needs: enclosing types, the function's
// name, labels and types of parameters. Modules, results, where clauses and the details of
// specializations are omitted.
//
// A mangled name is a program for a stack machine: operands come first, and an operator takes them
// off the stack and puts a node on it. So the parser is a loop over operators (parser.go), most of
// which tables describe (operators.go). The last node is printed (print.go).
//
// Substitutions share nodes, so a short name may have an enormous text. Nodes, words, nesting and
// text have limits; a name beyond them is an error.
//
// Source: Swift's docs/ABI/Mangling.rst and lib/Demangling.
//
// Read parser.go first, then operators.go, which makes nodes (node.go); print.go, printentity.go and printtypes.go write them. The
// other files are groups of operators.
package swift

import (
	"errors"
	"fmt"
	"strings"
)

// A parser reads one name. A method that reads a node returns nil if the name is malformed.
type parser struct {
	text     string
	pos      int
	stack    []*node
	subs     []*node  // what substitutions refer to
	words    []string // of identifiers
	spelt    int      // bytes of identifiers
	exceeded bool     // a limit

	labelsInTypes bool // of parameters, as Swift 4.0 has them
	changed       bool // the specialization that is read has another representation
}

// symbol reads all of the name. It leaves one node, and attributes on top of it.
// Attributes stand behind what they are said of, so the last one is printed first. What
// comes behind a partial apply is printed behind "for". A zero byte ends the name.
func (p *parser) symbol() *node {
	for p.pos < len(p.text) && p.text[p.pos] != 0 {
		n := p.operator()
		if n == nil || p.exceeded {
			return nil
		}
		p.push(n)
	}
	root := &node{kind: kForm, text: "$*"}
	suffix := p.pop(kSuffix)
	parent := root
	for attr := p.popIf(isAttribute); attr != nil; attr = p.popIf(isAttribute) {
		parent.add(attr)
		if attr.kind == kPartialApply {
			parent = attr
		}
	}
	root.add(suffix)
	if n := p.popAny(); n != nil && !isMark(n.kind) {
		parent.add(n)
	}
	if len(p.stack) > 0 || len(root.kids) == 0 {
		return nil
	}
	return root
}

// A digit begins an identifier; any other letter without an operator is an error.
func (p *parser) operator() *node {
	c := p.next()
	if read := operators[c]; read != nil {
		return read(p)
	}
	p.pos--
	if isDigit(c) {
		return p.identifier()
	}
	return nil
}

// next is the next byte, or 0.
func (p *parser) next() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	p.pos++
	return p.text[p.pos-1]
}

// peek is the next byte, which stays, or 0.
func (p *parser) peek() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

// back undoes a next that was not the end.
func (p *parser) back(c byte) {
	if c != 0 {
		p.pos--
	}
}

// take reads a byte if it is the one that is next.
func (p *parser) take(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// push puts a node on the stack. One letter can push a node 2,048 times, so the stack has
// a limit; beyond it the name is an error.
func (p *parser) push(n *node) {
	if len(p.stack) >= maxStack {
		p.exceeded = true
		return
	}
	p.stack = append(p.stack, n)
}

// popIf takes off the top of the stack if it is of a fitting kind, and returns nil if not.
func (p *parser) popIf(fits func(kind) bool) *node {
	top := len(p.stack) - 1
	if top < 0 || !fits(p.stack[top].kind) {
		return nil
	}
	n := p.stack[top]
	p.stack = p.stack[:top]
	return n
}

func (p *parser) pop(k kind) *node { return p.popIf(func(have kind) bool { return have == k }) }

// popAny takes off whatever is on top.
func (p *parser) popAny() *node { return p.popIf(func(kind) bool { return true }) }

// Which nodes are has to be as in Swift, or every later reference means another one.
func (p *parser) substitute(n *node) *node {
	if n != nil {
		p.subs = append(p.subs, n)
	}
	return n
}

// The limits of one name. Names of generic code reach some thousand bytes.
const (
	maxInput   = 16 << 10
	maxText    = 64 << 10 // bytes of the result
	maxWords   = 1 << 20  // bytes of identifiers, of which words can be repeated
	maxStack   = 1 << 14  // nodes: one operator can push one 2,048 times
	maxNesting = 512
	maxPrinted = 1 << 17 // nodes
)

// prefixes begin mangled names. Mach-O has one more underscore in front.
var prefixes = []string{"$s", "$S", "$e", "_$s", "_$S", "_$e", "__$s", "__$S", "_T0", "__T0", "@__swiftmacro_"}

// IsMangled reports whether a name looks like one of Swift's.
func IsMangled(name string) bool { return prefixOf(name) != "" }

// prefixOf is the prefix of a mangled name, "" for others. Most names of a program begin
// with another letter, and are told at once.
func prefixOf(name string) string {
	if name == "" || name[0] != '$' && name[0] != '_' && name[0] != '@' {
		return ""
	}
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return p
		}
	}
	return ""
}

// Name returns the readable form of a mangled name.
func Name(name string) (string, error) {
	prefix := prefixOf(name)
	switch {
	case prefix == "":
		return "", errors.New("swift: not a mangled name")
	case len(name) > maxInput:
		return "", fmt.Errorf("swift: the name is %d bytes long, the limit is %d", len(name), maxInput)
	}
	p := &parser{text: name[len(prefix):], labelsInTypes: strings.HasSuffix(prefix, "_T0")}
	root := p.symbol()
	if root == nil {
		return "", fmt.Errorf("swift: name at %d: it cannot be read from there on", len(prefix)+p.pos)
	}
	pr := &printer{}
	pr.node(root)
	if pr.failed || pr.out.Len() == 0 {
		return "", errors.New("swift: the name nests too deep, or means more than 65536 bytes")
	}
	return pr.out.String(), nil
}
