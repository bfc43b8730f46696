package crash

import (
	"strings"
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

// A call without a name has no address in place of one: that is the interpreter's.
func TestNamelessScript(t *testing.T) {
	row := Row{Frame: &report.Frame{Offset: "0x1000"}, Inline: &report.Inline{Kind: report.ScriptFrame}}
	if got := row.name(); got != "(no name)" {
		t.Error(got)
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

// An exception that nothing catches is the cause only if the functions that end the program for it call each other. It has its type and its message
// if they are known.
func TestScriptException(t *testing.T) {
	abort := func(functions ...string) *scene {
		return crashAt(t, "0f 0b").raise("linux", sigILL, 2).stack(functions...)
	}
	thrown := &ScriptException{Language: "JavaScript", Type: "TypeError", Message: "no apple"}
	const message, throws = "v8::internal::Isolate::CreateMessageOrAbort(v8::internal::Handle<v8::internal::Object>)", "v8::internal::Isolate::Throw(v8::internal::Object)"
	for _, tt := range []struct {
		s      *scene
		thrown *ScriptException
		want   string
	}{
		{abort("v8::base::OS::Abort()", message, throws, "main"), thrown, "JavaScript exception: TypeError. The message is: no apple. Nothing catches it"},
		{abort("v8::base::OS::Abort()", message, throws, "main"), nil, "JavaScript exception. Nothing catches it"},
		{abort("v8::base::OS::Abort()", "v8::internal::Heap::Sweep()", message, throws, "main"), thrown, "Fatal error of V8. V8 ended the program."},
		{abort("v8::base::OS::Abort()", "v8::internal::Runtime_AbortJS(int, unsigned long*, v8::internal::Isolate*)"), nil, "Fatal error of V8. A check of V8 failed."},
		{abort("!__pthread_kill_implementation", "!raise", "!abort", "node::(anonymous namespace)::DefaultAbortHandler(char const*, char const*)",
			"node::errors::TriggerUncaughtException(v8::FunctionCallbackInfo<v8::Value> const&)"), thrown, "JavaScript exception: TypeError. The message is: no apple."},
	} {
		tt.s.Input.Script = tt.thrown
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if got := v.What + ". " + v.Detail; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
