package analyze

import (
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
)

// Frames of Java get the names of the program, with inlined calls. Frames that the mapping does not have keep theirs.
func TestRetrace(t *testing.T) {
	const log = "Exception in thread \"main\" java.lang.Error: x\n\tat a.b.a(SourceFile:4)\n\tat c.d(SourceFile:6)\n"
	all, err := OpenAll(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := all[0].Report(nil, Options{Retrace: func(function string, line uint32) []symbolize.Inline {
		if function != "a.b.a" || line != 4 {
			return nil
		}
		return []symbolize.Inline{{Function: "Crane.lift", File: "Crane.java", Line: 20}, {Function: "Dock.slot", File: "Dock.kt", Line: 17}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Threads[0].Frames
	if len(f) != 2 || *f[0].Function != "Dock.slot" || *f[0].Line != 17 || len(f[0].Inlines) != 1 || *f[0].Inlines[0].Function != "Crane.lift" || *f[1].Function != "c.d" {
		t.Errorf("%+v", f)
	}
}
