package natvis

import (
	"errors"
	"fmt"
	"strings"

	"crashglass/core/values/expr"
)

// A Step is a part of CustomListItems. The list is what its steps append, in their order.
type Step struct {
	Kind      StepKind
	Condition *expr.Expr // nil always holds
	Variable  string     // of Variable and Assign
	Value     *expr.Expr // of Variable, Assign and Append
	Name      []TextPart // of Append; nil for the item's index
	Steps     []Step     // of the kinds before Break
}

// A StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps.
const (
	Exec StepKind = iota
	Loop          // as long as its condition holds
	If
	Elseif
	Else
	Break    // ends the innermost loop, or the list
	Variable // declares a variable
	Append   // an Item
	Assign   // to a variable; part of an Exec
)

// stepKinds are the elements of CustomListItems, by their kinds.
var stepKinds = [...]string{"Exec", "Loop", "If", "Elseif", "Else", "Break", "Variable", "Item"}

// readSteps reads elements of CustomListItems.
func (s *Set) readSteps(list []element, deep int) (out []Step, err error) {
	if deep > maxDeep || len(list) > maxEntries {
		return nil, errors.New("it has too many steps")
	}
	for i := range list {
		e, step := &list[i], Step{}
		for step.Kind < Assign && stepKinds[step.Kind] != e.XMLName.Local {
			step.Kind++
		}
		if step.Condition, err = s.optional(e.Condition); err == nil {
			err = s.step(&step, e, deep)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	return out, nil
}

func (s *Set) step(out *Step, e *element, deep int) (err error) {
	switch out.Kind {
	case Exec:
		out.Steps, err = s.assignments(e.Text)
	case Variable:
		out.Variable = e.Name
		out.Value, err = s.parse(e.Initial)
	case Append:
		if out.Name, err = s.parts(e.Name); err == nil {
			out.Value, err = s.parse(e.Text)
		}
	case Break:
	case Assign: // it is in no row of stepKinds
		return fmt.Errorf("its %s is not read", e.XMLName.Local)
	default:
		out.Steps, err = s.readSteps(e.Steps, deep+1)
	}
	return err
}

// assignments reads the text of an Exec: assignments with commas between them.
func (s *Set) assignments(text string) (out []Step, err error) {
	depth, start := 0, 0
	for i := range len(text) + 1 {
		switch {
		case i == len(text) || text[i] == ',' && depth == 0:
			step, err := s.assignment(strings.TrimSpace(text[start:i]))
			if err != nil {
				return nil, err
			}
			out, start = append(out, step), i+1
		case text[i] == '(' || text[i] == '[':
			depth++
		case text[i] == ')' || text[i] == ']':
			depth--
		}
	}
	return out, nil
}

// assignment reads "a = b", "a += b", "a++" and "++a". C's operators end before the "=" that assigns.
func (s *Set) assignment(text string) (out Step, err error) {
	for _, sign := range []string{"++", "--"} {
		bare := strings.TrimSuffix(strings.TrimPrefix(text, sign), sign)
		if len(bare) == len(text)-len(sign) {
			text = bare + sign[:1] + "=1"
		}
	}
	left, right, found := strings.Cut(text, "=")
	name := strings.TrimRight(left, "+-*/%&|^<> ")
	if !found || strings.HasPrefix(right, "=") {
		return out, fmt.Errorf("expression %q is no assignment", text)
	}
	if sign := strings.TrimSpace(left[len(name):]); sign != "" {
		right = name + sign + "(" + right + ")"
	}
	out = Step{Kind: Assign, Variable: strings.TrimSpace(name)}
	out.Value, err = s.parse(right)
	return out, err
}

// size reads the sizes of a list: the first whose condition holds counts. Without one it is 0. It returns nil for no size at all.
func (s *Set) size(list []element) (*expr.Expr, error) {
	switch {
	case len(list) == 0:
		return nil, nil
	case len(list) > maxDeep:
		return nil, errors.New("it has too many sizes")
	}
	value, err := s.parse(list[0].Text)
	if err != nil || strings.TrimSpace(list[0].Condition) == "" {
		return value, err
	}
	condition, err := s.parse(list[0].Condition)
	if err != nil {
		return nil, err
	}
	rest, err := s.size(list[1:])
	if rest == nil {
		rest = &expr.Expr{Op: expr.Number}
	}
	return &expr.Expr{Op: expr.If, Args: []*expr.Expr{condition, value, rest}}, err
}
