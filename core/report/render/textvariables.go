package render

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/report"
)

// The bounds of variables in a text. Deeper members and further elements are in the JSON.
const (
	textElements = 16
	textDepth    = 3
)

// variableWords say why there is no value, or only a part of it.
var variableWords = map[report.VariableState]string{
	"optimized_out": "optimized out", "not_captured": "not captured", "unreadable": "unreadable", inconsistent: "inconsistent",
}

// contentWords say that there is nothing below a value.
var contentWords = map[report.VariableContent]string{report.EmptyContent: "empty", report.NoContent: "no value"}

// inconsistent is the state of a container that contradicts itself. Its reason is written behind its size.
const inconsistent report.VariableState = "inconsistent"

// globals writes the requested variables outside of functions, and the requested expressions.
func (t texter) globals() {
	for i := range t.r.Globals {
		g := &t.r.Globals[i]
		t.printf("\nGlobal variables of %s\n", Escape(g.Module))
		t.variables(g.Variables)
	}
	if e := t.r.Evaluated; e != nil {
		t.printf("\nExpressions in frame %d of thread %d\n", e.Frame, e.Thread)
		t.variables(e.Values)
	}
}

// variables writes arguments and locals, one a line, with their members below.
func (t texter) variables(list []report.Variable) {
	for i := range list {
		t.variable(&list[i], 1)
		if t.opt.Evidence {
			t.variableEvidence(&list[i])
		}
	}
}

// variable writes a variable at a depth, and its members below it.
func (t texter) variable(v *report.Variable, depth int) {
	t.printf("%s%s%s%s\n", strings.Repeat("    ", depth), Escape(cmp.Or(v.Name, "(anonymous)")), after(" ", variableNote(v)), variableValue(v))
	if depth > textDepth {
		return
	}
	shown, left := shownMembers(v)
	for _, c := range shown {
		t.variable(c, depth+1)
	}
	if left > 0 {
		t.printf("%s%d more\n", strings.Repeat("    ", depth+1), left)
	}
}

// variableNote distinguishes variables of one name: "(block at line 12)".
func variableNote(v *report.Variable) string {
	var notes []string
	if v.Kind == report.Argument {
		notes = append(notes, "argument")
	}
	if b := v.Block; b != nil && b.Line > 0 {
		notes = append(notes, fmt.Sprintf("block at line %d", b.Line))
	} else if b != nil {
		notes = append(notes, fmt.Sprintf("block at depth %d", b.Depth))
	}
	if v.Hidden {
		notes = append(notes, "shadowed")
	}
	if len(notes) == 0 {
		return ""
	}
	return "(" + strings.Join(notes, ", ") + ")"
}

// shownMembers returns the first members, without a library's private ones, and the number of
// omitted elements.
func shownMembers(v *report.Variable) (shown []*report.Variable, left uint64) {
	hidden := uint64(0)
	for i := range v.Children {
		switch c := &v.Children[i]; {
		case c.Raw:
			hidden++
		case len(shown) < textElements:
			shown = append(shown, c)
		}
	}
	return shown, v.More + uint64(len(v.Children)-len(shown)) - hidden
}

// variableValue returns the text after a name: " = 5", ": optimized out".
func variableValue(v *report.Variable) string {
	content := contentWords[v.Content]
	switch word, lacks := variableWords[v.State]; {
	case v.State == inconsistent && v.Value != nil:
		return " = " + Escape(*v.Value) + "; " + word + after(", ", text(v.Why))
	case lacks && v.Value != nil:
		return " = " + Escape(*v.Value) + "; " + word
	case lacks:
		return ": " + word + after(", ", text(v.Why))
	case v.Value != nil && content != "":
		return " = " + Escape(*v.Value) + " (" + content + ")"
	case v.Value != nil:
		return " = " + Escape(*v.Value)
	}
	return after(": ", content)
}

func (t texter) variableEvidence(v *report.Variable) {
	for _, line := range evidenceLines(v) {
		t.printf("        %s\n", Escape(line))
	}
}

func evidenceLines(v *report.Variable) []string {
	e := v.Evidence
	if e == nil {
		return nil
	}
	out := []string{strings.TrimSpace(v.Type + " " + report.Text(v.Location))}
	if e.Rule != "" {
		out = append(out, fmt.Sprintf("rule: %s, by %s", e.Rule, e.From))
	}
	for _, r := range e.Registers {
		out = append(out, fmt.Sprintf("%s = %s", r.Name, r.Value))
	}
	for _, r := range e.Reads {
		out = append(out, fmt.Sprintf("[%s] = %s", r.Address, r.Value))
	}
	if e.More > 0 {
		out = append(out, fmt.Sprintf("%d more %s", e.More, plural(uint64(e.More), "read", "reads")))
	}
	return out
}
