package crash

import (
	"testing"

	"crashglass/core/report"
)

// A function of a script is the program's own, also in code outside of modules. Builtins have no file, and those of Node are a library.
func TestOwnScripts(t *testing.T) {
	name := "f"
	for file, want := range map[string]bool{"/srv/app.js": true, "file:///srv/app.mjs": true, "": false, "node:events": false, "/srv/node_modules/x/x.js": false} {
		row := Row{Frame: &report.Frame{}, Inline: &report.Inline{Function: &name, File: &file, Kind: report.ScriptFrame}}
		if row.Own() != want {
			t.Errorf("%q: %t", file, row.Own())
		}
		if got := row.place(); got != "the JavaScript function `f`" {
			t.Error(got)
		}
	}
}

// A program named node is Node.js if its functions are.
func TestNode(t *testing.T) {
	program, own := "node", "Open"
	for inner, want := range map[string]bool{"node::Start": true, "Builtins_JSEntry": true, "v8::Isolate::Enter": true, "dock::moor": false, "": false} {
		rows := Rows([]report.Frame{{Module: &program, Function: &own}, {Module: &program, Function: &inner}})
		if got := systemFrame(&Input{Frames: rows}, &rows[0]); got != want {
			t.Errorf("%q: %t", inner, got)
		}
	}
}
