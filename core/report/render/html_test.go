package render

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

// payloads are attacks in names against a reader with a browser.
var payloads = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</style><script>x</script>`,
	`</pre></details></section>`, `<!--`, `-->`, `<svg/onload=alert(1)>`, `&lt;script&gt;`, `javascript:alert(1)`,
	"\u202e<b>", "<scr\x00ipt>", "]]>", "<a href=//evil>",
}

// fill puts a text into every string of a value, deeply.
func fill(v reflect.Value, text string) {
	eachString(v, func(s reflect.Value) { s.SetString(text) })
}

// eachString calls visit for every string of a value, deeply.
func eachString(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Elem().CanSet() {
			eachString(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachString(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachString(v.Index(i), visit)
		}
	case reflect.String:
		visit(v)
	}
}

// TestHTMLIsText puts payloads into every string of a report. The page then
// has the same tags as with harmless names.
func TestHTMLIsText(t *testing.T) {
	want := tagsWith(t, "harmless")
	for _, p := range payloads {
		if got := tagsWith(t, p); !slices.Equal(got, want) {
			t.Errorf("%q makes other tags", p)
		}
	}
}

func tagsWith(t *testing.T, text string) []string {
	r := sample()
	fill(reflect.ValueOf(r), text)
	r.CrashInfo.CrashingThread = sample().CrashInfo.CrashingThread
	var b strings.Builder
	if err := HTML(&b, r, Options{Memory: []Excerpt{{Title: text, Bytes: []byte(text)}}}); err != nil {
		t.Fatal(err)
	}
	if len(text) > 3 && !strings.Contains(b.String(), esc(text)) {
		t.Errorf("%q is nowhere to be seen", text)
	}
	tags := regexp.MustCompile(`<[/a-zA-Z!][^ >]*`).FindAllString(b.String(), -1)
	return slices.DeleteFunc(tags, func(tag string) bool { return tag == "<li" || tag == "</li>" })
}

// The page has nothing that a browser would fetch or run.
func TestHTMLIsAlone(t *testing.T) {
	var b strings.Builder
	if err := HTML(&b, sample(), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "src=", "href=", "url(", "@import", "http-equiv=\"refresh", "<iframe", "<form", "<link"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(b.String(), "default-src 'none'") {
		t.Error("the page has no policy")
	}
}

// TestHTMLThreads puts threads with one stack together, and folds the far end
// of a long one.
func TestHTMLThreads(t *testing.T) {
	idle := func(id uint32) report.Thread {
		return report.Thread{ID: id, Frames: []report.Frame{{Function: ptr("wait"), Offset: "0x1000"}}}
	}
	long := report.Thread{Frames: make([]report.Frame, openFrames+5)}
	for i := range long.Frames {
		long.Frames[i].Offset = report.Hex(uint64(i))
	}
	long.Frames[3].Inlines = make([]report.Inline, 2)
	r := &report.Report{Threads: []report.Thread{idle(7704), long, idle(7705), {End: report.End{Kind: report.NotWalked}}}}
	var b strings.Builder
	if err := HTML(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<small>2 threads</small> Thread 7704, Thread 7705 <b>wait</b>", "<summary>5 more frames</summary>", "start=\"102\""} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(b.String(), `<details class="thread">`); n != 2 {
		t.Errorf("%d groups, want 2", n)
	}
}

// Frames of a recursion are written once, and the numbers of the others stay.
func TestHTMLRecursion(t *testing.T) {
	frame := func(offset uint64) report.Frame { return report.Frame{Offset: report.Hex(offset)} }
	inner := frame(2)
	inner.Inlines = make([]report.Inline, 1)
	frames := []report.Frame{frame(1)}
	for range 1001 {
		frames = append(frames, inner, frame(3))
	}
	out := formed(t, HTML, crashOf(append(frames, frame(4))...), Options{})
	lacks(t, out, "start=\"0\"", "<b>0x1</b>", "<b>&lt;name omitted&gt;</b>", "<b>0x2</b>", "<b>0x3</b>",
		"<li class=\"again\" value=\"3003\">… the 2 frames above repeat 1,000 more times …</li>\n<li><div class=\"row\"><b>0x4</b>")
	if n := strings.Count(out, "<b>0x2</b>"); n != 1 {
		t.Errorf("a frame of the recursion stands there %d times", n)
	}
}

// TestHTMLProse sets as code what stands between backticks, and leaves one that
// stands alone.
func TestHTMLProse(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                "plain",
		"`mov` reads `<b>` at": "<code>mov</code> reads <code>&lt;b&gt;</code> at",
		"one ` alone <b>":      "one ` alone &lt;b&gt;",
		"``":                   "<code></code>",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestHTMLColours holds the colours to those of the page.
func TestHTMLColours(t *testing.T) {
	tokens, err := os.ReadFile("../../../web/src/styles/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, colour := range regexp.MustCompile(`#[0-9a-f]{6}`).FindAllString(reportCSS, -1) {
		if !strings.Contains(string(tokens), colour) {
			t.Errorf("the page has no colour %s", colour)
		}
	}
}
