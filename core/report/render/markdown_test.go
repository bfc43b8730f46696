package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Plain words stay; words that a tracker would turn into a link, a mention, a reference, an emoji
// or markup become code.
func TestProse(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"The program wrote to 0x45: rcx is 0 (null).", "The program wrote to 0x45: rcx is 0 (null)."},
		{"`mov [rax], 1` writes 8 bytes.", "`mov [rax], 1` writes 8 bytes."},
		{"one ` alone", "one `` ` `` alone"},
		{"said @someone in #12, GH-3 and a_b*c*", "said `@someone` in `#12, GH-3` and `a_b*c*`"},
		{"see (https://example.org/x), www.example.org!", "see (`https://example.org/x), www.example.org`!"},
		{":tada: <b>x</b> [a](b)", "`:tada: <b>x</b> [a](b`)"},
		{"1. not a list", "`1`. not a list"},
		{"built from a1b2c3d of acceded", "built from `a1b2c3d` of acceded"},
		{"- nor this", "`-` nor this"},
		{"# nor a heading\n# this", "`#` nor a `heading\\x0a#` this"},
	}
	for _, tt := range tests {
		if got := mdProse(tt.in); got != tt.want {
			t.Errorf("mdProse(%q)\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestShorten(t *testing.T) {
	long := strings.Repeat("x", longestArguments+1)
	tests := []struct{ in, want string }{
		{"", ""},
		{"main", "main"},
		{"f(int)", "f(int)"},
		{"f(" + long + ")", "f(…)"},
		{"Queue<Node*>::drain(int) const", "Queue<Node*>::drain(int) const"},
		{"map<" + long + ">::at<" + long + ">(int)", "map<…>::at<…>(int)"},
		{"void f<int>()::{lambda(" + long + ")#1}::operator()(" + long + ") const", "void f<int>()::{lambda(…)#1}::operator()(…) const"},
		{"(anonymous namespace)::f", "(anonymous namespace)::f"},
		{"`anonymous namespace'::f", "`anonymous namespace'::f"},
		{"operator<<(" + long + ")", "operator<<(…)"},
		{"operator-><" + long + ">", "operator-><…>"},
		{"<alloc::vec::Vec<" + long + "> as core::ops::Drop>::drop", "<alloc::vec::Vec<…> as core::ops::Drop>::drop"},
		{"f<" + long + "(int) -> void>", "f<…>"},
		{"broken<" + long, "broken<" + long},
		{"broken)" + long + "(", "broken)" + long + "("},
		{"broken<(" + long + ">)", "broken<(" + long + ">)"},
	}
	for _, tt := range tests {
		if got := shorten(tt.in); got != tt.want {
			t.Errorf("shorten(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("f<g(h)>::operator<<(i->j)")
	f.Fuzz(func(t *testing.T, s string) {
		if got := shorten(s); len(got) > len(s)+2*strings.Count(s, "(")+2*strings.Count(s, "<") {
			t.Errorf("shorten(%q) = %q", s, got)
		}
	})
}

// A recursion of thousands of frames fits on an issue, and the first frames of
// threads that do not are not shown either.
func TestMarkdownLength(t *testing.T) {
	deep := report.Thread{ID: 1, Crashed: true, Frames: make([]report.Frame, 5000)}
	for i := range deep.Frames {
		deep.Frames[i] = report.Frame{Function: ptr("recurse(int)"), Module: ptr("app"), ModuleOffset: addr(uint64(i))}
	}
	alike := deep
	alike.Frames = slices.Repeat(deep.Frames[:1], 5000)
	r := &report.Report{CrashInfo: report.CrashInfo{CrashingThread: ptr(0)}, Threads: []report.Thread{deep, alike}}
	for i := range 500 {
		other := report.Thread{ID: uint32(i + 2), Frames: []report.Frame{{Function: ptr(strings.Repeat("f", 500)), Offset: *addr(uint64(i))}}}
		r.Threads = append(r.Threads, other)
	}
	var b strings.Builder
	if err := Markdown(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("… %d more frames …", 5000-firstRows-lastRows), "4999  recurse(int)", "<details>", "   0  recurse(int)  app + 0x0\n     … the frame above repeats 4,999 more times …\n", "an issue has no room for them"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if b.Len() > 65536 {
		t.Errorf("%d bytes", b.Len())
	}
}
