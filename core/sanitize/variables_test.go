package sanitize

import (
	"encoding/json"
	"strings"
	"testing"

	"crashglass/core/report"
)

// secretly is a frame whose variables hold a token and the name of a person, as
// text, as elements, as what a library stores, and as words that were read.
func secretly() []report.Variable {
	text := func(s string) *string { return &s }
	return []report.Variable{
		{Name: "n", Type: "int", State: "known", Value: text("4"), Evidence: &report.VariableEvidence{Registers: report.Registers{{Name: "rbx", Value: "0x4"}}}},
		{
			Name: "token", Type: "char [16]", State: "known", Value: text(`"password=hunter22"`),
			Children: []report.Variable{{Name: "[9]", State: "known", Value: text("'h'")}},
			Evidence: &report.VariableEvidence{Rule: "DW_OP_fbreg -40", Reads: []report.Read{{Address: "0x10", Value: "0x7265746e7568"}}},
		},
		{Name: "key", Type: "unsigned char [2]", State: "known", Children: []report.Variable{
			{Name: "[0]", Type: "unsigned char", State: "known", Value: text("207"), Content: report.ByteContent}, {Name: "[1]", State: "known", Value: text("209"), Content: report.ByteContent},
		}},
		{Name: "home", Type: "Home", State: "known", Children: []report.Variable{
			{Name: "path", State: "known", Value: text(`"/home/mallory/x"`), Children: []report.Variable{{Name: "_M_p", State: "known", Value: text("0x10"), Raw: true}}},
		}},
	}
}

// What is masked of a value is gone everywhere: from its elements, from what a
// library stores, and from the evidence. What is not masked stays.
func TestMaskVariables(t *testing.T) {
	th := report.Thread{Frames: []report.Frame{{Variables: secretly(), Inlines: []report.Inline{{Variables: secretly()}}}}}
	r := &report.Report{Threads: []report.Thread{th}, CrashingThread: &report.Crashing{Thread: th}, Globals: []report.Globals{{Variables: secretly()}}}
	before, _ := json.Marshal(r)
	data, err := json.Marshal(Mask(r, []string{"mallory"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"hunter22", "'h'", "0x7265746e7568", "mallory", "_M_p", "password=", `"207"`, `"209"`} {
		if strings.Contains(string(data), gone) {
			t.Errorf("%q is left in %s", gone, data)
		}
	}
	for _, stays := range []string{`"value":"4"`, `"name":"token"`, `"name":"path"`} {
		if n := strings.Count(string(data), stays); n != 5 {
			t.Errorf("%q is there %d times, want 5", stays, n)
		}
	}
	if after, _ := json.Marshal(r); string(after) != string(before) {
		t.Error("the report itself has changed")
	}
}

// The checklist counts the frames whose variables could be read.
func TestChecklistVariables(t *testing.T) {
	at, other := 0, 1
	r := &report.Report{
		Threads: []report.Thread{{Frames: []report.Frame{{ModuleIndex: &at}, {ModuleIndex: &other}, {}, {ModuleIndex: &at}}}},
		Modules: []report.Module{{Symbols: &report.Symbols{Variables: true}}, {}},
	}
	var l Checklist
	l.AddVariables(r)
	if len(l.Items) != 1 || l.Items[0].String() != "values of arguments and variables: 2 frames" || l.Items[0].InReport {
		t.Errorf("%+v", l.Items)
	}
}
