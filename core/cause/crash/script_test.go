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
