package render

import (
	"bytes"
	"reflect"
	"testing"

	"crashglass/core/report"
)

// hostile are names that mean something to one of the parsers of Markdown:
// cmark-gfm, markdown-it and marked, which do not agree on all of them.
var hostile = []string{
	"a|b", "`a|b`", "\\`", "a\\|b", "``", "```", "|", "\\", "`", " ` ", "~~~", "- x", "+ x", "1. x", "# x", "> x", "    x", "---", "===", "***",
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--", "<![CDATA[", "<?php", "</details></summary>", "&lt;b&gt;", "&#60;b&#62;", "&colon;",
	"[x](javascript:alert(1))", "![x](//example.org/x.png)", "[x]: https://example.org", "[^1]", "<https://example.org>", "https://example.org", "www.example.org",
	"jane@example.org", "@jane", "#12", "GH-12", "owner/repo#1", "a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0", ":tada:", "**b**", "__b__", "~~s~~", "==m==", "$$x$$", "$`x`$",
	"a\nb", "a\r\n\r\n# b", "a  \nb", "\u202egnp.exe", "\x00", "\xff", "x\\", "`` ` ``",
}

// plantHostile puts them into every text of a value, each in turn. Codes, whose types are their own, stay.
func plantHostile(v reflect.Value, next *int) {
	eachString(v, func(s reflect.Value) {
		if s.Type() == reflect.TypeFor[string]() {
			s.SetString(hostile[*next%len(hostile)])
			*next++
		}
	})
}

// TestHostileMarkdown writes reports in which every text is hostile.
// web/src/triage/table.markdown.test.ts reads them with the three parsers.
func TestHostileMarkdown(t *testing.T) {
	var b bytes.Buffer
	next := 0
	for range 5 {
		r := sample()
		plantHostile(reflect.ValueOf(r).Elem(), &next)
		next += 7 // other texts in the same places next time
		for i := range r.Modules {
			r.Modules[i].Symbols = &report.Symbols{}
		}
		if err := Markdown(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n\n")
	}
	golden(t, "hostile.md", b.Bytes())
}
