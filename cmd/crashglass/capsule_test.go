package main

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

const smallViewer = `<!doctype html><body><div id="app"></div>
    <script type="text/plain" data-file="crash-C8bm.dmp">AAAA</script>
    <script type="text/plain" data-file="desk-CX.sym">BBBB</script>
    <script type="text/plain" data-file="viewer-Ce.wasm">CCCC</script>
    <script type="module">go()</script></body>
`

// A capsule is the viewer with other files inside: the page's own files stay, the example is
// removed.
func TestCapsule(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1764000000")
	dir := t.TempDir()
	viewer, dump := file(t, dir, "viewer.html", []byte(smallViewer)), file(t, dir, `a"<b>.dmp`, smallDump(t))
	file(t, dir, "src/app/main.cc", []byte("1\n2\n"))
	page, errs, status := crashglass("capsule", "--viewer", viewer, "--symbols", file(t, dir, "app.sym", []byte(smallSym)), dump)
	if status != exitOK {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{
		`<script type="application/json" data-capsule>{"made":"2025-11-24T16:00:00Z","by":"Crashglass dev","cleaned":true}</script>`,
		`data-role="dump" data-name="a&#34;&lt;b&gt;.dmp">`,
		`data-role="symbols" data-name="app/`,
		`data-file="viewer-Ce.wasm">CCCC</script>`,
		"<script type=\"module\">go()</script></body>\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, `data-file="crash-`) || strings.Contains(page, `data-file="desk-`) {
		t.Error("the example is still there")
	}
	if got := inside(t, page, "symbols"); !strings.HasPrefix(got, "MODULE ") {
		t.Errorf("symbols: %q", got)
	}
	if got := inside(t, page, "dump"); !strings.HasPrefix(got, "MDMP") {
		t.Errorf("dump: %q", got)
	}
}

// inside unpacks the first file of a role.
func inside(t *testing.T, page, role string) string {
	t.Helper()
	found := regexp.MustCompile(`data-role="` + role + `"[^>]*>([^<]*)<`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no %s", role)
	}
	packed, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(found[1])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCapsuleRefuses(t *testing.T) {
	dir := t.TempDir()
	viewer, dump := file(t, dir, "viewer.html", []byte(smallViewer)), file(t, dir, "small.dmp", smallDump(t))
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"capsule"}, exitUsage, "crashglass capsule: name one dump\n"},
		{[]string{"capsule", "--names", "x", dump}, exitUsage, "crashglass capsule: --names cannot be x; want all, own or none\n"},
		{[]string{"capsule", "--viewer", dump, dump}, exitInput, "crashglass: " + dump + ": this is no viewer.html of this program\n"},
		{[]string{"capsule", "--viewer", viewer, dump, dump}, exitUsage, "crashglass capsule: name one dump\n"},
	} {
		if _, errs, status := crashglass(tt.args...); status != tt.status || !strings.HasSuffix(errs, tt.want) {
			t.Errorf("status %d, %q; want %q", status, errs, tt.want)
		}
	}
}

// Of several files with one name, the one in the frame's folders is used.
func TestCapsuleSources(t *testing.T) {
	dir := t.TempDir()
	lines := strings.Repeat("x\n", 100)
	file(t, dir, "other/main.cc", []byte("no"))
	want := file(t, dir, "app/main.cc", []byte(lines))
	found := sourceFiles(dir, map[string][]int{"/src/app/main.cc": {50}, "hg:example.org/x:app/main.cc:5f2a": {50}, "/src/none.cc": {1}})
	if len(found) != 2 || found["/src/app/main.cc"] != want || found["hg:example.org/x:app/main.cc:5f2a"] != want {
		t.Errorf("%v, want %s", found, want)
	}
}

// A source file is read as a whole or not at all: a part would show its other lines as empty.
func TestCapsuleSourcesFit(t *testing.T) {
	src := bin.NewSource(strings.NewReader("12345"), 5)
	for left, want := range map[uint64]string{0: "", 4: "", 5: "12345", 6: "12345"} {
		if text, ok := sourceText(src, left); string(text) != want || ok != (want != "") {
			t.Errorf("%d bytes left: %q, %t", left, text, ok)
		}
	}
}

// A capsule is a page. Given in place of a dump, of symbols or of the viewer, it is read no further than that
// takes, whatever is inside.
func TestHostileCapsules(t *testing.T) {
	dir := t.TempDir()
	dump := file(t, dir, "a.dmp", smallDump(t))
	inner := base64.StdEncoding.EncodeToString(gzipped(t, make([]byte, 1<<20)))
	head := "<!doctype html>\n<body><script data-capsule type=\"application/json\">{}</script>"
	element := `<script type="application/gzip" data-role="dump" data-name="`
	for name, text := range map[string]string{
		"zeros":    head + element + `a.dmp">` + inner + "</script>",
		"elements": head + strings.Repeat(element+`a.dmp">`, 2000),
		"name":     head + element + strings.Repeat("n", 1<<20) + `">` + inner + "</script>",
		"nested":   strings.Repeat("<div>", 1<<18),
	} {
		page := file(t, dir, name+".html", []byte(text))
		for _, test := range []struct {
			args   []string
			status int
		}{
			{[]string{"walk", page}, exitInput},
			{[]string{"triage", page}, exitInput},
			{[]string{"sanitize", "-o", dir + "/out", page}, exitInput},
			{[]string{"syms", "-o", dir + "/out", page}, exitInput},
			{[]string{"capsule", "--viewer", page, "--as-is", "-o", dir + "/out.html", dump}, exitInput},
			{[]string{"walk", "--symbols", page, dump}, exitOK},
		} {
			if _, errs, status := crashglass(test.args...); status != test.status || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s: %v: status %d, want %d, %q", name, test.args[0], status, test.status, errs)
			}
		}
	}
}
