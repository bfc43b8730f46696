package natvis

import (
	"reflect"
	"strings"
	"testing"
)

// A truncated file is refused, or has the complete views before its end.
func TestCutEverywhere(t *testing.T) {
	var whole Set
	if err := whole.Add("a", []byte(example)); err != nil {
		t.Fatal(err)
	}
	end := strings.LastIndex(example, ">") + 1
	for n := range example {
		var s Set
		if err := s.Add("a", []byte(example[:n])); err == nil && n < end {
			t.Errorf("%d bytes of %d are a file", n, end)
		}
		for _, name := range []string{"app::Box<double>", "app::Crate", "app::Box<int>"} {
			if got := viewOf(&s, name); got != nil && !reflect.DeepEqual(got, viewOf(&whole, name)) {
				t.Errorf("%s of %d bytes: %+v", name, n, got)
			}
		}
	}
}

// Visual Studio writes a mark of the byte order before the file.
func TestByteOrderMark(t *testing.T) {
	var s Set
	if err := s.Add("a", []byte("\ufeff"+example)); err != nil || viewOf(&s, "app::Crate") == nil {
		t.Errorf("%v", err)
	}
}

// Files add up, and one that is damaged adds nothing to what was there.
func TestFilesAddUp(t *testing.T) {
	var s Set
	for name, text := range map[string]string{
		"a": `<AutoVisualizer><Type Name="A"><DisplayString>a</DisplayString></Type></AutoVisualizer>`,
		"b": `<AutoVisualizer><Type Name="B"><DisplayString>b</DisplayString></Type></AutoVisualizer>`,
	} {
		if err := s.Add(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Add("c", []byte(`<AutoVisualizer><Type Name="C">`)); err == nil || !strings.HasPrefix(err.Error(), "natvis: c: ") {
		t.Error(err)
	}
	if viewOf(&s, "A") == nil || viewOf(&s, "B") == nil || viewOf(&s, "C") != nil {
		t.Error("views of A and B, and none of C")
	}
}

// Names are compared without blanks, which compilers write differently.
func TestBlanksInNames(t *testing.T) {
	var s Set
	if err := s.Add("a", []byte(`<AutoVisualizer><Type Name="std::pair&lt; int , * &gt;"/></AutoVisualizer>`)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"std::pair<int,char>": true, "std::pair<int, char>": true, "std::pair<int, std::vector<int> >": true,
		"std::pair<char, int>": false, "std::pair<int>": false,
		"std::pair": false, "std::pair<int,char>::type": false,
		"ns::std::pair<int,char>": false,
	} {
		if got := viewOf(&s, name) != nil; got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
