// Package postfix evaluates the expressions with which symbol files locate a caller's registers:
// STACK CFI rules and STACK WIN program strings.
//
//	$eip $ebp 4 + ^ = $esp $ebp 8 + = $ebp $ebp ^ =
//
// Tokens are separated by white space. A token is a decimal number, which may be negative, an
// operator, which pops its operands from the stack, or a name. Arithmetic wraps at the CPU's word,
// as in its registers.
//
// Any text gives a value or an error: division by zero, an unknown name,
// memory that was not captured and too few operands are errors with the token
// that caused them. A text of more than [MaxSteps] tokens is refused.
//
// Rules that come from DWARF expressions may need more than Breakpad's operators: see dwarf.go.
//
// Nothing here knows the meaning of the names. Read this file first, then program.go.
//
// Source: Breakpad's docs/symbol_files.md and src/processor/postfix_evaluator.h.
package postfix

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxSteps bounds the tokens of one expression.
const MaxSteps = 4096

// An Env is the state that an expression may read and change.
type Env interface {
	// Get returns the value of a register or constant, by its name in the text.
	Get(name string) (uint64, bool)
	// Set assigns to a name; only names that begin with '$' are assigned to.
	Set(name string, v uint64)
	// Word reads one word of memory.
	Word(addr uint64) (uint64, bool)
}

// A Step is one operator's work, for programs that show it.
type Step struct {
	Op   string // the operator
	A, B uint64 // its operands; A is the address for ^ and unused for =, B is unused for .abs
	Name string // the target of =
	V    uint64 // the result
}

// String writes a step in infix notation: "0x10 + 0x8 = 0x18".
func (s Step) String() string {
	switch s.Op {
	case "^":
		return fmt.Sprintf("[%#x] = %#x", s.A, s.V)
	case ".abs":
		return fmt.Sprintf(".abs %#x = %#x", s.A, s.V)
	case "=":
		return fmt.Sprintf("%s = %#x", s.Name, s.V)
	}
	return fmt.Sprintf("%#x %s %#x = %#x", s.A, s.Op, s.B, s.V)
}

// A Machine evaluates expressions for one size of word.
type Machine struct {
	Env   Env
	Size  int        // bytes of a word: 4 or 8
	Trace func(Step) // called for each operator, unless nil
	stack []operand
}

// An operand is a value, or a name that has not been looked up: the left side
// of an assignment is never looked up.
type operand struct {
	value uint64
	name  string // "" for a value
}

// Value evaluates text, which must leave exactly one value.
func (m *Machine) Value(text string) (uint64, error) {
	if err := m.run(text); err != nil {
		return 0, err
	}
	return m.only()
}

func (m *Machine) only() (uint64, error) {
	if len(m.stack) != 1 {
		return 0, fmt.Errorf("postfix: %d values are left instead of 1", len(m.stack))
	}
	return m.pop()
}

// Run executes a program, which must leave no value. Its results are its assignments.
func (m *Machine) Run(program string) error {
	if err := m.run(program); err != nil {
		return err
	}
	if len(m.stack) != 0 {
		return fmt.Errorf("postfix: %d values are left over", len(m.stack))
	}
	return nil
}

// run evaluates a text once, token by token, without compiling it.
func (m *Machine) run(text string) error {
	m.stack = m.stack[:0]
	var room [2]token
	steps := 0
	for word, rest := cutToken(text); word != ""; word, rest = cutToken(rest) {
		tokens := appendTokens(room[:0], word)
		if steps += len(tokens); steps > MaxSteps {
			return errTooLong()
		}
		for i := range tokens {
			if err := m.token(&tokens[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutToken splits off the first token. It replaces strings.Fields, which allocates, because a walk
// evaluates many rules.
func cutToken(text string) (token, rest string) {
	text = strings.TrimLeft(text, space)
	if end := strings.IndexAny(text, space); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

const space = " \t\r\n\v\f"

func (m *Machine) token(t *token) error {
	switch t.kind {
	case isBinary:
		return m.binary(t.name)
	case isLoad:
		return m.load()
	case isAssign:
		return m.assign()
	case isExtended:
		return m.extended(t.name)
	case isNumber:
		m.stack = append(m.stack, operand{value: m.wrap(t.value)})
	default:
		m.stack = append(m.stack, operand{name: t.name})
	}
	return nil
}

// number reads a decimal number. The language has no hexadecimal ones: "0x10" is an unknown name.
func number(t string) (uint64, bool) {
	digits := strings.TrimLeft(t, "+-")
	if len(t)-len(digits) > 1 || digits == "" || digits[0] < '0' || digits[0] > '9' {
		return 0, false // before ParseUint, which would allocate an error for each name
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if t[0] == '-' {
		v = -v
	}
	return v, err == nil
}

func (m *Machine) binary(op string) error {
	if op == "@" {
		return m.apply(op, align)
	}
	return m.apply(op, func(_ *Machine, a, b uint64) (uint64, error) { return arithmetic(op, a, b) })
}

// apply pops two operands and pushes the result of f.
func (m *Machine) apply(op string, f func(m *Machine, a, b uint64) (uint64, error)) error {
	b, err := m.pop()
	if err != nil {
		return fmt.Errorf("%w, right of %s", err, op)
	}
	a, err := m.pop()
	if err != nil {
		return fmt.Errorf("%w, left of %s", err, op)
	}
	v, err := f(m, a, b)
	if err != nil {
		return err
	}
	m.push(Step{Op: op, A: a, B: b, V: m.wrap(v)})
	return nil
}

func arithmetic(op string, a, b uint64) (uint64, error) {
	switch op {
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	}
	if b == 0 {
		return 0, fmt.Errorf("postfix: %#x %s 0: division by zero", a, op)
	}
	if op == "/" {
		return a / b, nil
	}
	return a % b, nil
}

func (m *Machine) load() error {
	addr, err := m.pop()
	if err != nil {
		return fmt.Errorf("%w, for ^", err)
	}
	v, ok := m.Env.Word(addr)
	if !ok {
		return &MemoryError{Addr: addr}
	}
	m.push(Step{Op: "^", A: addr, V: v})
	return nil
}

// A MemoryError says that an expression needs memory that was not captured.
type MemoryError struct{ Addr uint64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("postfix: no memory at %#x", e.Addr)
}

func (m *Machine) assign() error {
	v, err := m.pop()
	if err != nil {
		return fmt.Errorf("%w, for =", err)
	}
	n := len(m.stack)
	if n == 0 {
		return fmt.Errorf("%w, left of =", errEmpty)
	}
	target := m.stack[n-1]
	m.stack = m.stack[:n-1]
	if !strings.HasPrefix(target.name, "$") {
		return fmt.Errorf("postfix: %#x is assigned to %q, which is no variable", v, target.name)
	}
	m.Env.Set(target.name, v)
	if m.Trace != nil {
		m.Trace(Step{Op: "=", Name: target.name, V: v})
	}
	return nil
}

var errEmpty = errors.New("postfix: an operand is missing")

// push puts an operator's result on the stack and shows the step.
func (m *Machine) push(s Step) {
	m.stack = append(m.stack, operand{value: s.V})
	if m.Trace != nil {
		m.Trace(s)
	}
}

func (m *Machine) pop() (uint64, error) {
	n := len(m.stack)
	if n == 0 {
		return 0, errEmpty
	}
	top := m.stack[n-1]
	m.stack = m.stack[:n-1]
	if top.name == "" {
		return top.value, nil
	}
	v, ok := m.Env.Get(top.name)
	if !ok {
		return 0, fmt.Errorf("postfix: %s is unknown", top.name)
	}
	return m.wrap(v), nil
}

func (m *Machine) wrap(v uint64) uint64 {
	if m.Size == 4 {
		return v & 0xffff_ffff
	}
	return v
}
