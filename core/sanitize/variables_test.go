package sanitize

import (
	"encoding/json"
	"fmt"
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

// Values of JavaScript quote messages, keys and descriptions without quotation marks. Numbers, words and names of members stay.
func TestMaskObjects(t *testing.T) {
	value := func(name, text string, children ...report.Variable) report.Variable {
		return report.Variable{Name: name, State: "known", Value: &text, Children: children}
	}
	list := []report.Variable{
		value("err", "TypeError: no dock for bob"), value("id", "Symbol(dock of bob)"), value("seen", "Map(1) [Symbol(dock of bob)]"),
		value("docks", "{bob-1: 7}", value("bob-1", "7")), value("slots", "{free: 8}", value("free", "8")), value("list", "Array(1) [9]", value("[0]", "9")),
		{Name: "more", State: "known", Children: []report.Variable{value("['bob']", "10"), value("slot_$1", "11")}},
		value("n", "12"), value("ready", "true"), value("call", "function dock"),
	}
	call := report.Inline{Kind: report.FrameKind("javascript"), Variables: list}
	r := &report.Report{Threads: []report.Thread{{Frames: []report.Frame{{Inlines: []report.Inline{call}}}}}}
	data, err := json.Marshal(Mask(r, nil).Threads)
	if err != nil || strings.Contains(string(data), "bob") {
		t.Errorf("%s, %v", data, err)
	}
	for _, stays := range []string{`"value":"Array(1) [9]"`, `"value":"9"`, `"value":"11"`, `"name":"slot_$1"`, `"value":"12"`, `"value":"true"`, `"value":"function dock"`} {
		if !strings.Contains(string(data), stays) {
			t.Errorf("%s is gone from %s", stays, data)
		}
	}
}

// The address of an object is left out if it is a text. Other addresses stay.
func TestMaskPlacesOfObjects(t *testing.T) {
	for at, stays := range map[report.Address]bool{"0x7265746e7568": false, "0x6b636f6c63657320": false, "0x7ffd12345678": true} {
		v := report.Variable{Name: "p", Object: &report.Object{Address: at, Size: 8}, Children: []report.Variable{{Name: "m", Address: &at, Size: 4}}}
		r := &report.Report{Threads: []report.Thread{{Frames: []report.Frame{{Variables: []report.Variable{v}}}}}}
		r.SystemInfo.PointerWidth = 8
		data, err := json.Marshal(Mask(r, nil).Threads)
		if n := strings.Count(string(data), string(at)); err != nil || n != 2 && stays || n != 0 && !stays {
			t.Errorf("%s is there %d times: %s, %v", at, n, data, err)
		}
	}
}

// Numbers that are texts are gone, and so are the elements of an array that spell one. Other numbers stay.
func TestMaskNumbersOfVariables(t *testing.T) {
	array := func(values ...string) (out []report.Variable) {
		for i, v := range values {
			out = append(out, report.Variable{Name: fmt.Sprintf("[%d]", i), State: "known", Value: &v})
		}
		return out
	}
	var list []report.Variable
	gone := []string{"8680780861156832083", "1380135763", "0x5243335343523353", "2.0564526557613536E+272", "2.09594925E+11", "160132142905716090247392976754090128211", "1380135763 (Kind)"}
	for _, v := range gone {
		list = append(list, report.Variable{Name: "x", State: "known", Value: &v})
	}
	stays := []string{"4", "-1", "13139", "5000000", "3.14", "1700000000000", "0x0000000000000010", "0x00007ffff1df3388", "true", "1 (Red)", "size=8", "NULL"}
	for _, v := range stays {
		list = append(list, report.Variable{Name: "y", State: "known", Value: &v})
	}
	spelled := [][]string{{"83", "51", "67", "82"}, {"0", "83", "51", "67", "82", "0"}, {"30840", "30841"}, {"2021161080", "2021161080"}, {"1087", "1072", "1088", "1086"}}
	others := [][]string{{"83", "51", "67"}, {"1", "2", "3", "4"}, {"100", "200", "300", "400"}, {"83", "0", "51", "0", "67"}, {"200", "201", "202", "203", "204"}}
	for _, values := range append(spelled, others...) {
		list = append(list, report.Variable{Name: "array", State: "known", Children: array(values...)})
	}
	r := &report.Report{SystemInfo: report.SystemInfo{PointerWidth: 8}, Threads: []report.Thread{{Frames: []report.Frame{{Variables: list}}}}}
	got := Mask(r, nil).Threads[0].Frames[0].Variables
	for i, v := range list {
		switch {
		case v.Value != nil && sameText(v.Value, got[i].Value) != (i >= len(gone)):
			t.Errorf("%s becomes %s", *v.Value, *got[i].Value)
		case v.Value == nil:
			isText := i-len(gone)-len(stays) < len(spelled)
			for k, e := range v.Children {
				if *e.Value != "0" && sameText(e.Value, got[i].Children[k].Value) == isText {
					t.Errorf("%s[%d] of array %d becomes %s", *e.Value, k, i-len(gone)-len(stays), *got[i].Children[k].Value)
				}
			}
		}
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
