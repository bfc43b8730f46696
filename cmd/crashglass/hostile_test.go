package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"crashglass/core/report/triage"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before committing them")

// hostileCells are texts with a meaning in Markdown or in one of its tables.
var hostileCells = []string{
	"a|b", "`a|b`", "\\`", "a\\|b", "``", "|", "\\", "x\\", "`", "---", "- x", "1. x", "# x", "~~~", "<b>", "<!--", "&amp;", "&#124;",
	"[x](javascript:alert(1))", "![x](//example.org/x)", "<https://example.org>", "https://example.org", "www.example.org", "jane@example.org", "@jane", "#12",
	":tada:", "**b**", "__b__", "~~s~~", "a\nb", "a\r\n\r\n| b |", "$`x`$", "[^1]", "\x1b[31m", "\u202e", "\xff",
}

// TestHostileTable writes a table in which every text is hostile.
// web/src/triage/table.markdown.test.ts reads it with the parsers of trackers.
func TestHostileTable(t *testing.T) {
	var changes []triage.Change
	for _, text := range hostileCells {
		tally := triage.Tally{text: 1}
		changes = append(changes, triage.Change{Group: triage.Group{
			Kind: triage.Crash, Signature: text, Count: 1, What: tally, Own: tally, Modules: tally, Systems: tally, Examples: tally,
		}})
	}
	var b bytes.Buffer
	if err := triageMarkdown(&b, changes, 0); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/hostile.md"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s differs (go test -update, then read the difference): %v", file, err)
	}
}
