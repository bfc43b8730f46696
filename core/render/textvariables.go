package render

import (
	"fmt"
	"strings"

	"crashglass/core/report"
)

// What a text shows of variables: deeper members, and elements behind the
// first, are in the JSON.
const (
	textElements = 16
	textDepth    = 3
)

// variableWords say why there is no value.
var variableWords = map[report.VariableState]string{
	"optimized_out": "optimized out", "not_captured": "not captured", "unreadable": "unreadable",
}

// globals writes the variables outside of functions that were asked for.
func (t texter) globals() {
	for i := range t.r.Globals {
		g := &t.r.Globals[i]
		t.printf("\nGlobal variables of %s\n", Escape(g.Module))
		t.variables(g.Variables)
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

func (t texter) variable(v *report.Variable, depth int) {
	name := v.Name
	if v.Kind == report.Argument {
		name += " (argument)"
	}
	t.printf("%s%s%s\n", strings.Repeat("    ", depth), Escape(name), variableValue(v))
	if depth > textDepth {
		return
	}
	shown := 0
	for i := range v.Children {
		if c := &v.Children[i]; !c.Raw && shown < textElements {
			t.variable(c, depth+1)
			shown++
		}
	}
	if left := v.More + uint64(len(v.Children)-shown); left > 0 && shown == textElements {
		t.printf("%s%d more\n", strings.Repeat("    ", depth+1), left)
	}
}

// variableValue is what follows a name: " = 5", ": optimized out".
func variableValue(v *report.Variable) string {
	switch word, lacks := variableWords[v.State]; {
	case lacks && v.Value != nil:
		return " = " + Escape(*v.Value) + "; " + word
	case lacks:
		return ": " + word + after(", ", text(v.Why))
	case v.Value != nil:
		return " = " + Escape(*v.Value)
	}
	return ""
}

func (t texter) variableEvidence(v *report.Variable) {
	if v.Evidence == nil {
		return
	}
	t.printf("        %s %s\n", Escape(v.Type), Escape(text(v.Location)))
	if v.Evidence.Rule != "" {
		t.printf("        rule: %s, by %s\n", Escape(v.Evidence.Rule), Escape(v.Evidence.From))
	}
	for _, r := range v.Evidence.Registers {
		t.printf("        %s = %s\n", r.Name, r.Value)
	}
	for _, r := range v.Evidence.Reads {
		t.printf("        [%s] = %s\n", r.Address, r.Value)
	}
	if v.Evidence.More > 0 {
		t.printf("        %s\n", fmt.Sprintf("%d more reads", v.Evidence.More))
	}
}
