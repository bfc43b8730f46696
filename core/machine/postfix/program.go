package postfix

import (
	"fmt"
	"strings"
)

// A Program is a text that is split into tokens, for repeated evaluation. It is immutable.
type Program struct {
	text   string
	tokens []token
}

// Compile splits a text into tokens. Any text compiles; [Machine.Eval] reports its errors.
func Compile(text string) *Program {
	p := &Program{text: text}
	for word, rest := cutToken(text); word != "" && len(p.tokens) <= MaxSteps; word, rest = cutToken(rest) {
		p.tokens = appendTokens(p.tokens, word)
	}
	return p
}

// String returns the compiled text.
func (p *Program) String() string { return p.text }

// Eval evaluates a program, which must leave exactly one value.
func (m *Machine) Eval(p *Program) (uint64, error) {
	m.stack = m.stack[:0]
	if len(p.tokens) > MaxSteps {
		return 0, errTooLong()
	}
	for i := range p.tokens {
		if err := m.token(&p.tokens[i]); err != nil {
			return 0, err
		}
	}
	return m.only()
}

func errTooLong() error { return fmt.Errorf("postfix: more than %d tokens", MaxSteps) }

// A token is one word of a text, with its kind.
type token struct {
	kind  tokenKind
	value uint64 // of a number
	name  string // of a name or an operator
}

type tokenKind uint8

const (
	isName tokenKind = iota
	isNumber
	isBinary
	isLoad
	isAssign
	isExtended
)

// appendTokens appends the tokens of a word. "=$eip" is two: some writers of
// program strings leave the space out.
func appendTokens(tokens []token, word string) []token {
	if len(word) > 1 && word[0] == '=' {
		return append(tokens, token{kind: isAssign, name: "="}, tokenOf(word[1:]))
	}
	return append(tokens, tokenOf(word))
}

func tokenOf(word string) token {
	switch word {
	case "+", "-", "*", "/", "%", "@":
		return token{kind: isBinary, name: word}
	case "^":
		return token{kind: isLoad, name: word}
	case "=":
		return token{kind: isAssign, name: word}
	}
	if isOperator(word) {
		return token{kind: isExtended, name: word}
	}
	if v, ok := number(word); ok {
		return token{kind: isNumber, value: v}
	}
	return token{name: word}
}

// isOperator reports whether a word is one of DWARF's operators.
func isOperator(word string) bool {
	if !strings.HasPrefix(word, ".") {
		return false
	}
	_, ok := dwarfOperators[word]
	return ok || word == ".abs"
}
