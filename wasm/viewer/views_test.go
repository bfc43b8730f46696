package main

import (
	"os"
	"testing"

	"crashglass/core/report"
)

// deep is a dump whose frame 0 has a variable of a structure Out, with its PDB.
func deep(t *testing.T) *viewer {
	t.Helper()
	v := newViewer()
	for _, name := range []string{"deep-O0.dmp", "deep-O0.pdb.gz"} {
		data, err := os.ReadFile("../../cmd/crashglass/testdata/pdbvars/" + name)
		if err != nil {
			t.Fatal(err)
		}
		add(t, v, OpenRequest{}, file(name, data))
	}
	return v
}

func find(t *testing.T, list []report.Variable, name string) report.Variable {
	t.Helper()
	for _, v := range list {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no %s in %+v", name, list)
	return report.Variable{}
}

// A NatVis file changes how values are shown, also values that were requested before.
func TestViews(t *testing.T) {
	v := deep(t)
	shown := func() *string {
		frames, err := serve(v, 0, (*call).variables, &VariablesRequest{})
		if err != nil || len(frames) != 1 {
			t.Fatal(frames, err)
		}
		return find(t, frames[0].Scopes[0].Variables, "o").Value
	}
	if text := shown(); text != nil {
		t.Fatalf("without a view: %q", *text)
	}
	natvis := `<?xml version="1.0"?><AutoVisualizer><Type Name="Out"><DisplayString>out of {x}</DisplayString></Type></AutoVisualizer>`
	got := add(t, v, OpenRequest{}, file("types.natvis", []byte(natvis)), file("bad.natvis", []byte("<AutoVisualizer")))
	if len(got.Files) != 2 || got.Files[0].Kind != "views" || got.Files[0].Message != nil || got.Files[1].Message == nil || len(got.Updated) != 1 {
		t.Errorf("%+v", got.Files)
	}
	if text := shown(); text == nil || *text != "out of 5" {
		t.Errorf("with a view: %v", text)
	}
}

func TestGlobals(t *testing.T) {
	v := deep(t)
	got, err := serve(v, 0, (*call).globals, &GlobalsRequest{Name: "si*"})
	if err != nil || !got.Known || len(got.Variables) != 1 || len(got.Notes) != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if sink := got.Variables[0]; sink.Name != "sink" || sink.Kind != report.Global || sink.State != "not_captured" {
		t.Errorf("%+v", sink)
	}
	if _, err := serve(v, 0, (*call).globals, &GlobalsRequest{Module: 9, Name: "*"}); err == nil {
		t.Error("there is no module 9")
	}
}
