package pdb

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden has everything that is listed of the two programs, as records of
// a .sym file look.
func TestGolden(t *testing.T) {
	for name, p := range map[string]*program{"x64": example(t), "x86": x86(t)} {
		got := []byte(written(listing(t, openBytes(t, p.build(t)))))
		file := "testdata/" + name + ".txt"
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// written is a list as text, in the order in which it was listed.
func written(l list) string {
	var b strings.Builder
	several := func(multiple bool) string {
		if multiple {
			return "m "
		}
		return ""
	}
	for _, fn := range l.functions {
		fmt.Fprintf(&b, "FUNC %s%x %x %x %s\n", several(fn.Multiple), fn.Start, fn.Size, fn.ParamSize, fn.Name)
		for _, in := range fn.Inlines {
			fmt.Fprintf(&b, "INLINE %d %d %s", in.Depth, in.CallLine, in.CallFile)
			for _, r := range in.Ranges {
				fmt.Fprintf(&b, " %x %x", r.Start, r.Size)
			}
			fmt.Fprintf(&b, " %s\n", in.Function)
		}
		for _, line := range fn.Lines {
			fmt.Fprintf(&b, "%x %x %d %s\n", line.Start, line.Size, line.Line, line.File)
		}
	}
	for _, p := range l.publics {
		fmt.Fprintf(&b, "PUBLIC %s%x %x %s\n", several(p.Multiple), p.Start, p.ParamSize, p.Name)
	}
	for _, w := range l.frames {
		fmt.Fprintf(&b, "STACK WIN %v %x %x %x %x %x %q %v\n", w.FrameData, w.Start, w.Size, w.ParamSize, w.SavedRegs, w.Locals, w.Program, w.AllocatesEBP)
	}
	return b.String()
}
