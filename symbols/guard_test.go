package symbols

import (
	"io"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A buggy reader knows a function, and has a bug in what is asked after that.
type buggy struct {
	*symbolizeNothing
	asked int
}

type symbolizeNothing struct{}

func (*symbolizeNothing) WinFrame(uint64) (unwind.WinFrame, bool)   { return unwind.WinFrame{}, false }
func (*symbolizeNothing) HasNames() bool                            { return true }
func (*symbolizeNothing) HasCode() bool                             { return false }
func (*symbolizeNothing) Function(uint64) (unwind.Function, bool)   { return unwind.Function{}, false }
func (*symbolizeNothing) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }

func (b *buggy) Contents() formats.Contents {
	return formats.Contents{Has: formats.Has{Functions: true, Frames: true}}
}

func (b *buggy) Locate(rel uint64) (symbolize.Location, bool) {
	b.asked++
	return symbolize.Location{Function: []string{"main"}[rel]}, true
}

func (b *buggy) EachFunction(func(*symbolize.Function) error) error { panic("secret") }
func (b *buggy) EachPublic(func(symbolize.Public) error) error      { return nil }
func (b *buggy) Capabilities() *formats.Capabilities                { return &formats.Capabilities{Lister: b} }

func (*symbolizeNothing) EachCallFrame(func(*unwind.CallFrameTable) error) error { return nil }
func (*symbolizeNothing) EachWinFrame(func(unwind.WinFrame) error) error         { return nil }

// withFormat makes a store in which files of a kind are opened by a function.
func withFormat(fm formats.Format) (*Store, *module.Module) {
	s := NewStore(Options{})
	s.opt.formats = formats.Table{sniff.PE: fm}
	image := append(make([]byte, 60), 64, 0, 0, 0, 'P', 'E', 0, 0)
	copy(image, "MZ")
	s.Add("app.dll", inMemory(image))
	return s, &module.Module{DebugID: buggyID, CodeFile: "app.dll"}
}

const buggyID = "000000000000000000000000000000011"

func TestABugCostsItsFile(t *testing.T) {
	r := &buggy{}
	s, m := withFormat(formats.Format{
		Identifies: func(bin.Source) ([]formats.Build, error) { return []formats.Build{{ID: buggyID, Name: "app.dll"}}, nil },
		Opens:      func(bin.Source, formats.Build, formats.Options) (formats.Reader, error) { return r, nil },
	})
	source, _ := s.For(m)
	if loc, ok := source.Locate(0); !ok || loc.Function != "main" {
		t.Fatalf("%v, %v", loc, ok)
	}
	for range 3 { // the second time the reader is not called
		if loc, ok := source.Locate(1); ok {
			t.Errorf("%v", loc)
		}
	}
	_, state := s.For(m)
	if state.Why == nil || !strings.Contains(*state.Why, "app.dll could not be read any further: this is a bug in Crashglass (index out of range [1] with length 1 in symbols.(*buggy).Locate, line ") {
		t.Errorf("why: %v", state.Why)
	}
	if err := s.Export(io.Discard, m); err == nil || !strings.Contains(err.Error(), "please report this line") {
		t.Errorf("exported: %v", err)
	}
	if r.asked != 2 {
		t.Errorf("asked %d times, want 2", r.asked)
	}
}

func TestABugInOpening(t *testing.T) {
	fail := func() { panic("secret") }
	for name, fm := range map[string]formats.Format{
		"identify": {
			Identifies: func(bin.Source) ([]formats.Build, error) { fail(); return nil, nil },
			Opens:      func(bin.Source, formats.Build, formats.Options) (formats.Reader, error) { return nil, nil },
		},
		"open": {
			Identifies: func(bin.Source) ([]formats.Build, error) { return []formats.Build{{ID: buggyID, Name: "app.dll"}}, nil },
			Opens:      func(bin.Source, formats.Build, formats.Options) (formats.Reader, error) { fail(); return nil, nil },
		},
		"list": {
			Identifies: func(bin.Source) ([]formats.Build, error) { return []formats.Build{{ID: buggyID, Name: "app.dll"}}, nil },
			Opens: func(bin.Source, formats.Build, formats.Options) (formats.Reader, error) {
				return &buggy{}, (&buggy{}).EachFunction(nil)
			},
		},
	} {
		s, m := withFormat(fm)
		source, state := s.For(m)
		if source != nil || state.Why == nil || !strings.Contains(*state.Why, "this is a bug in Crashglass (panic of type string in symbols.") {
			t.Errorf("%s: %v, %v", name, source, state.Why)
		}
	}
}
