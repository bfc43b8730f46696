package analyze

import (
	"crashglass/core/testkit/symbolsource"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// A countedSource has the same variables everywhere: an argument n in rbp, and an array of 40
// integers at the frame pointer.
type countedSource struct {
	symbolsource.Bare
	asked *[]uint64
}

func (s countedSource) Variables() variables.Symbols { return variables.Symbols{Scopes: s} }

func (s countedSource) Scopes(rel uint64) []variables.Scope {
	*s.asked = append(*s.asked, rel)
	long := &types.Type{Kind: types.Signed, Name: "long", Size: 8, Sized: true}
	list := &types.Type{Kind: types.Array, Elem: to(long), Counts: []types.Count{{N: 40, Known: true}}}
	own := []variables.Variable{
		{Name: "n", Type: to(long), Argument: true, Rule: inRBP{}},
		{Name: "list", Type: to(list), Rule: atRBP{}},
	}
	scopes := []variables.Scope{{Variables: own}}
	if loc, _ := s.Locate(rel); len(loc.Inlines) > 0 {
		scopes = append([]variables.Scope{{Inlined: true, Variables: own[:1]}}, scopes...)
	}
	return scopes
}

func to(t *types.Type) types.Ref { return func() *types.Type { return t } }

type inRBP struct{}

func (inRBP) String() string { return "rbp" }
func (inRBP) Place(*variables.Eval) (variables.Place, error) {
	return variables.Place{Pieces: []variables.Piece{{Kind: variables.InRegister, Reg: "rbp"}}}, nil
}

type atRBP struct{}

func (atRBP) String() string { return "rbp+0" }
func (atRBP) Place(e *variables.Eval) (variables.Place, error) {
	at, err := e.Reg("rbp")
	return variables.Place{Pieces: []variables.Piece{{Kind: variables.InMemory, Addr: at}}}, err
}

// said returns an answer with one line a frame: "0: list[16 of 40] n | n".
func said(answers []FrameVariables) string {
	var lines []string
	for _, f := range answers {
		line := fmt.Sprintf("%d:", f.Frame)
		for i, scope := range f.Scopes {
			if i > 0 {
				line += " |"
			}
			for _, v := range scope.Variables {
				line += " " + v.Name
				if n := uint64(len(v.Children)); n > 0 {
					line += fmt.Sprintf("[%d of %d]", n, n+v.More)
				}
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Variables are read on request: those of a frame with the first elements, one of them with more,
// or the arguments of all frames.
func TestVariablesOfAFrame(t *testing.T) {
	s, err := Open(source(linuxDump(t).Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	var asked []uint64
	syms := SymbolsFunc(func(m *module.Module) (Source, report.Symbols) {
		found, state := symbols.For(m)
		if found == nil {
			return nil, state
		}
		return countedSource{found.(symbolsource.Bare), &asked}, state
	})
	if _, err := s.Report(syms, Options{}); err != nil || len(asked) > 0 {
		t.Fatalf("a report asked for variables at %#x, %v", asked, err)
	}
	for _, tt := range []struct {
		query VariablesQuery
		want  string
	}{
		{VariablesQuery{Thread: 1, Frame: 0}, "0: n list[16 of 40] | n"},
		{VariablesQuery{Thread: 1, Frame: 1}, "1: n list[16 of 40]"},
		{VariablesQuery{Thread: 1, Frame: 0, Number: 1, Elements: 32}, "0: list[32 of 40] |"},
		{VariablesQuery{Thread: 1, Frame: 0, Number: 1, Elements: 1 << 40}, "0: list[40 of 40] |"},
		{VariablesQuery{Thread: 1, Frame: 0, Scope: 1, Elements: 32}, "0: | n"},
		{VariablesQuery{Thread: 1, Frame: -1}, "0: n | n\n1: n"},
	} {
		got, err := s.Variables(syms, tt.query, Options{Variables: variables.Read})
		if err != nil || said(got) != tt.want {
			t.Errorf("%+v: %v\n%s\nwant\n%s", tt.query, err, said(got), tt.want)
		}
	}
	got, err := s.Variables(syms, VariablesQuery{Thread: 1, Frame: 1}, Options{Variables: variables.Read})
	if err != nil || len(got) != 1 || len(got[0].Scopes) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	inRegister, inMemory := got[0].Scopes[0].Variables[0], got[0].Scopes[0].Variables[1]
	if inRegister.Size != 0 || inRegister.Address != nil {
		t.Errorf("a variable in a register has %d bytes in memory", inRegister.Size)
	}
	if inMemory.Size != 40*8 || inMemory.Address == nil || *inMemory.Address != "0x000000007fff0020" {
		t.Errorf("list has %d bytes, at %v; want 320 at %s", inMemory.Size, inMemory.Address, *inMemory.Location)
	}
	for _, q := range []VariablesQuery{{Thread: 9}, {Thread: -1}, {Thread: 1, Frame: 99}, {Thread: 1, Frame: -2}} {
		if got, err := s.Variables(syms, q, Options{Variables: variables.Read}); err == nil {
			t.Errorf("%+v: %+v", q, got)
		}
	}
	if got, err := s.Variables(nil, VariablesQuery{Thread: 1}, Options{Variables: variables.Read}); err != nil || len(got) != 1 || got[0].Known {
		t.Errorf("without symbols: %+v, %v", got, err)
	}
	if data, err := json.Marshal(FrameVariables{}); err != nil || !strings.Contains(string(data), `"scopes"`) {
		t.Errorf("%s, %v", data, err)
	}
}
