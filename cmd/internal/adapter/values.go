package adapter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/values/variables"
)

// A container is a list of variables that a client may request.
type container struct {
	frame int // its number, for expressions
	read  func() ([]value, error)
	list  []value // once it was read

	name string // the expression of the value that has it, "" for none
	more uint64 // elements behind the list
}

// A value is a variable, with an expression for it.
type value struct {
	report.Variable
	expression string
}

const maxRefs = 1 << 20

func (s *session) refer(c container) int {
	if len(s.refs) >= maxRefs {
		return 0
	}
	s.refs = append(s.refs, c)
	return len(s.refs)
}

// scopes are the arguments, the locals and the registers of a frame, and the globals of its file.
func (s *session) scopes(args dap.ScopesArguments) (dap.ScopesResponseBody, error) {
	out := dap.ScopesResponseBody{Scopes: []dap.Scope{}}
	thread, at, err := s.row(args.FrameId)
	if err != nil {
		return out, err
	}
	add := func(name, hint string, read func() ([]value, error)) {
		out.Scopes = append(out.Scopes, dap.Scope{Name: name, PresentationHint: hint, VariablesReference: s.refer(container{frame: args.FrameId, read: read})})
	}
	add("Arguments", "arguments", func() ([]value, error) { return s.ofKind(thread, at, report.Argument) })
	add("Locals", "locals", func() ([]value, error) { return s.ofKind(thread, at, report.Local) })
	if at.call >= 0 {
		add("Globals", "", func() ([]value, error) { return s.ofKind(thread, at, report.Global) })
		return out, nil // registers are those of the interpreter
	}
	if list, err := s.globals(at); err != nil {
		return out, err
	} else if len(list) > 0 {
		add("Globals", "", func() ([]value, error) {
			own, err := s.scope(thread, at)
			for i := range list { // in an expression, the name is that of the nearest one
				if slices.ContainsFunc(own, func(v report.Variable) bool { return v.Name == list[i].Name }) {
					list[i].expression = ""
				}
			}
			return list, err
		})
	}
	add("Registers", "registers", func() (list []value, err error) {
		for _, r := range at.frame.Registers {
			v := string(r.Value)
			list = append(list, value{report.Variable{Name: r.Name, Value: &v, State: "known"}, "$" + r.Name})
		}
		return list, nil
	})
	return out, nil
}

func (s *session) scope(thread int, at row) ([]report.Variable, error) {
	if at.call >= 0 {
		return s.ofCall(thread, at, 0)
	}
	opt := s.options()
	opt.Variables = variables.Read
	if task := thread - len(s.report.Threads); task >= 0 {
		return s.dump.Session.TaskVariables(s.dump.Symbols, analyze.TaskQuery{Task: task, Frame: at.frame.Index}, opt)
	}
	found, err := s.dump.Session.Variables(s.dump.Symbols, analyze.VariablesQuery{Thread: thread, Frame: at.frame.Index}, opt)
	if err != nil || len(found) == 0 || at.scope >= len(found[0].Scopes) {
		return nil, err
	}
	return found[0].Scopes[at.scope].Variables, nil
}

// ofCall are the variables of a call that an interpreter runs: locals, and then globals with other names.
func (s *session) ofCall(thread int, at row, elements int) ([]report.Variable, error) {
	task, frame := thread-len(s.report.Threads), at.frame.Index
	if task < 0 {
		task, frame = slices.IndexFunc(s.report.Tasks, func(t report.Task) bool {
			return t.Kind.OnThread() && t.Thread != nil && *t.Thread == thread
		}), at.call
	}
	if task < 0 {
		return nil, nil
	}
	locals, globals, err := s.dump.Session.CallVariables(s.dump.Symbols, analyze.TaskQuery{Task: task, Frame: frame}, elements, s.options())
	for i := range globals {
		globals[i].Hidden = slices.ContainsFunc(locals, func(v report.Variable) bool { return v.Name == globals[i].Name })
	}
	return append(locals, globals...), err
}

// evaluatedCall evaluates an expression in a call of an interpreter: the name of a variable with its attributes and elements, as they are shown.
func (s *session) evaluatedCall(thread int, at row, expression string, elements int) (report.Variable, error) {
	list, err := s.ofCall(thread, at, elements)
	if err != nil {
		return report.Variable{}, err
	}
	if v, found := reach(list, "", strings.TrimSpace(expression)); found {
		v.Kind = report.Expression
		return v, nil
	}
	return report.Variable{}, fmt.Errorf("%q is not here: in a call of an interpreter, an expression is the name of a variable with its attributes and elements", expression)
}

// reach finds a value by its expression, among variables or the parts of one.
func reach(list []report.Variable, name, expression string) (report.Variable, bool) {
	for i := range list {
		v := &list[i]
		full := v.Name
		switch {
		case v.Hidden:
			continue
		case name != "" && isIndexed(*v):
			full = name + v.Name
		case name != "":
			full = name + "." + v.Name
		}
		if full == expression {
			return *v, true
		}
		if strings.HasPrefix(expression, full) {
			if found, ok := reach(v.Children, full, expression); ok {
				return found, true
			}
		}
	}
	return report.Variable{}, false
}

// globals are the variables outside of functions of the file that the code of a row was compiled from, where the symbols say which those are.
func (s *session) globals(at row) (out []value, err error) {
	f := at.frame
	if f.ModuleIndex == nil || f.ModuleOffset == nil {
		return nil, nil
	}
	rel, err := address(string(*f.ModuleOffset), 0)
	if err != nil {
		return nil, err
	}
	opt := s.options()
	opt.Globals = variables.OfUnit(rel, variables.Limits{})
	found, err := s.dump.Session.Globals(s.dump.Symbols, *f.ModuleIndex, opt)
	for _, v := range found.Variables {
		out = append(out, value{v, v.Name})
	}
	return out, err
}

func (s *session) ofKind(thread int, at row, kind report.VariableKind) (out []value, err error) {
	list, err := s.scope(thread, at)
	for _, v := range list {
		if v.Kind != kind {
			continue
		}
		expression := v.Name
		if v.Hidden { // the name is that of another one
			expression = ""
		}
		out = append(out, value{v, expression})
	}
	return out, err
}

// variables is a page of a list. A page behind the elements that were read at first reads more of them.
func (s *session) variables(args dap.VariablesArguments) (dap.VariablesResponseBody, error) {
	out := dap.VariablesResponseBody{Variables: []dap.Variable{}}
	if n := args.VariablesReference; n < 1 || n > len(s.refs) {
		return out, fmt.Errorf("there is no list %d", n)
	}
	c := &s.refs[args.VariablesReference-1]
	if c.list == nil && c.read != nil {
		list, err := c.read()
		if err != nil {
			return out, err
		}
		c.list, c.read = list, nil
	}
	if want := args.Start + args.Count; c.more > 0 && c.name != "" && args.Filter != "named" && want > indexed(c.list) {
		v, err := s.evaluated(c.frame, c.name, want)
		switch {
		case errors.Is(err, analyze.ErrCancelled):
			return out, err
		case err == nil && len(v.Children) > len(c.list):
			c.list, c.more = children(v, c.name), v.More
		}
	}
	list := slices.DeleteFunc(slices.Clone(c.list), func(v value) bool {
		return args.Filter == "named" && isIndexed(v.Variable) || args.Filter == "indexed" && !isIndexed(v.Variable)
	})
	frame := c.frame // refer may move the containers
	left := c.more
	for _, v := range page(list, args.Start, args.Count) {
		out.Variables = append(out.Variables, s.variable(frame, v))
	}
	if left > 0 && args.Count <= 0 && args.Filter != "named" {
		out.Variables = append(out.Variables, dap.Variable{Name: "…", Value: fmt.Sprintf("%d more", left)})
	}
	return out, nil
}

func isIndexed(v report.Variable) bool { return strings.HasPrefix(v.Name, "[") }

func indexed(list []value) (n int) {
	for i := range list {
		if isIndexed(list[i].Variable) {
			n++
		}
	}
	return n
}

// children are the members and elements of a value, with their expressions.
func children(v report.Variable, name string) (out []value) {
	for _, c := range v.Children {
		child := value{Variable: c}
		switch {
		case name == "" || c.Name == "" || strings.HasPrefix(c.Name, "&"):
		case isIndexed(c):
			child.expression = operand(name) + c.Name
		default:
			child.expression = operand(name) + "." + c.Name
		}
		out = append(out, child)
	}
	return out
}

// operand is an expression as the left side of an operator.
func operand(expression string) string {
	if strings.ContainsAny(expression, " +-*/%&|^<>=!?~@(,") {
		return "(" + expression + ")"
	}
	return expression
}

func (s *session) variable(frame int, v value) dap.Variable {
	out := dap.Variable{Name: v.Name, Value: shown(&v.Variable), Type: v.Type, EvaluateName: v.expression, MemoryReference: memory(&v.Variable)}
	if len(v.Children) == 0 {
		return out
	}
	list := children(v.Variable, v.expression)
	out.VariablesReference = s.refer(container{frame: frame, list: list, name: v.expression, more: v.More})
	out.IndexedVariables = indexed(list)
	out.NamedVariables = len(list) - out.IndexedVariables
	if n := out.IndexedVariables; v.expression != "" && n > 0 { // further ones are read when they are requested
		out.IndexedVariables = max(n, int(min(uint64(n)+v.More, uint64(analyze.Elements(math.MaxInt)))))
	}
	return out
}

// shown is a value as text, or the reason why there is none.
func shown(v *report.Variable) string {
	if out := render.Value(v); out != "" {
		return out
	}
	return "{…}"
}

// memory is the address of a value, or the one in a pointer.
func memory(v *report.Variable) string {
	for _, s := range []*string{v.Value, v.Location} {
		first, _, _ := strings.Cut(text(s), " ")
		if strings.HasPrefix(first, "0x") && (s == v.Location || strings.HasSuffix(v.Type, "*") || v.Type == "") {
			return first
		}
	}
	return ""
}

// evaluate evaluates an expression in a frame. A value that is unknown is an error, for its reason.
func (s *session) evaluate(args dap.EvaluateArguments) (dap.EvaluateResponseBody, error) {
	if text, err := s.command(args); text != "" || err != nil {
		return dap.EvaluateResponseBody{Result: text}, err
	}
	v, err := s.evaluated(args.FrameId, args.Expression, 0)
	if err == nil && v.State != "known" && v.State != "inconsistent" {
		err = errors.New(shown(&v))
	}
	if err != nil {
		return dap.EvaluateResponseBody{}, err
	}
	out := s.variable(args.FrameId, value{v, args.Expression})
	return dap.EvaluateResponseBody{
		Result: out.Value, Type: out.Type, VariablesReference: out.VariablesReference, NamedVariables: out.NamedVariables, IndexedVariables: out.IndexedVariables,
		MemoryReference: out.MemoryReference,
	}, nil
}

func (s *session) evaluated(frame int, expression string, elements int) (report.Variable, error) {
	thread, at, err := s.row(frame)
	if err != nil {
		return report.Variable{}, err
	}
	if at.call >= 0 {
		return s.evaluatedCall(thread, at, expression, elements)
	}
	var list []report.Variable
	if task := thread - len(s.report.Threads); task >= 0 {
		list, err = s.dump.Session.TaskEvaluate(s.dump.Symbols, analyze.TaskQuery{Task: task, Frame: at.frame.Index}, []string{expression}, elements, s.options())
	} else {
		q := analyze.EvaluateQuery{Thread: thread, Frame: at.frame.Index, Scope: at.scope, Expressions: []string{expression}, Elements: elements}
		list, err = s.dump.Session.Evaluate(s.dump.Symbols, q, s.options())
	}
	if err != nil {
		return report.Variable{}, err
	}
	return list[0], nil
}
