package symbols

import (
	"testing"
)

// A mapping of R8 is kept whatever its name, and the last one given is asked first.
func TestJavaMapping(t *testing.T) {
	s := NewStore(Options{})
	for _, mapping := range []string{"com.example.Dock -> a.b:\n    1:3:void slot(int):14:16 -> a\n", "# compiler: R8\ncom.example.Crane -> a.b:\n    1:1:void lift():5:5 -> b\n"} {
		if items := s.Add("mapping.txt", inMemory([]byte(mapping))); len(items) != 1 || items[0].Use != IsSymbols || items[0].Message != "" {
			t.Errorf("%+v", items)
		}
	}
	for name, want := range map[string]string{"a.b.a": "com.example.Dock.slot", "a.b.b": "com.example.Crane.lift", "a.b.c": ""} {
		got := ""
		for _, c := range s.Retrace(name, 1) {
			got += c.Function
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if items := s.Add("notes.txt", inMemory([]byte("it is -> so:\n"))); items[0].Use != Nothing {
		t.Errorf("%+v", items)
	}
}
