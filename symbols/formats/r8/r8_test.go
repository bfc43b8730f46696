package r8

import (
	"fmt"
	"strings"
	"testing"
)

const mapping = `# compiler: R8
# pg_map_id: 7f3a
com.example.Crane -> a.a:
    void lift() -> a
    void drop(int) -> b
    int turn() -> b
com.example.Dock$Slot -> a.b:
# {"id":"sourceFile","fileName":"Dock.kt"}
    int ships -> a
    1:3:void slot(int):14:16 -> a
    4:4:void com.example.Crane.lift():20:20 -> a
    4:4:void slot(int):17 -> a
    5:9:void open() -> a
    10:12:void close():30:30 -> c
      # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
Main -> Main:
    1:1:void main(java.lang.String[]):5:5 -> main
`

func TestRetrace(t *testing.T) {
	m := Parse(mapping)
	for _, tt := range []struct {
		name string
		line uint32
		want string
	}{
		{"a.b.a", 2, "com.example.Dock$Slot.slot Dock.kt:15"},
		{"a.b.a", 4, "com.example.Crane.lift Crane.java:20, com.example.Dock$Slot.slot Dock.kt:17"},
		{"a.b.a", 6, "com.example.Dock$Slot.open Dock.kt:6"},
		{"a.b.c", 11, "com.example.Dock$Slot.close Dock.kt:30"},
		{"a.b.c", 99, "com.example.Dock$Slot.close Dock.kt:0"},
		{"a.b.a", 99, ""}, {"a.a.a", 0, "com.example.Crane.lift Crane.java:0"}, {"a.a.b", 7, ""},
		{"Main.main", 1, "Main.main Main.java:5"}, {"a.c.a", 1, ""}, {"a.b.x", 1, ""}, {"a", 1, ""}, {"", 0, ""},
	} {
		var got []string
		for _, c := range m.Retrace(tt.name, tt.line) {
			got = append(got, fmt.Sprintf("%s %s:%d", c.Function, c.File, c.Line))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s:%d: %q, want %q", tt.name, tt.line, got, tt.want)
		}
	}
}

func TestIsMapping(t *testing.T) {
	for text, want := range map[string]bool{
		mapping: true, "com.example.Dock -> a.b:\r\n": true, "# a comment\n": false, "": false, "a -> b\n": false, "it is -> so:\n": false, "# x\ncom.A -> a:\n": true,
	} {
		if got := IsMapping([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Any text is read without a panic.
func FuzzRetrace(f *testing.F) {
	f.Add(mapping, "a.b.a", uint32(4))
	f.Fuzz(func(t *testing.T, text, name string, line uint32) {
		IsMapping([]byte(text))
		Parse(text).Retrace(name, line)
	})
}

// Frames of a large class cost no more than its lines once.
func TestLargeClass(t *testing.T) {
	var text strings.Builder
	text.WriteString("com.example.Dock -> a.b:\n")
	for n := range maxLines - 1 {
		fmt.Fprintf(&text, "    %d:%d:void slot%d():%d:%d -> a%d\n", n+1, n+1, n, n+1, n+1, n)
	}
	m := Parse(text.String())
	for n := range maxLines - 1 {
		if calls := m.Retrace(fmt.Sprintf("a.b.a%d", n), uint32(n+1)); len(calls) != 1 || calls[0].Function != fmt.Sprintf("com.example.Dock.slot%d", n) {
			t.Fatalf("%d: %+v", n, calls)
		}
	}
}
