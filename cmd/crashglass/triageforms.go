package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"crashglass/core/render"
	"crashglass/core/triage"
)

// widest is how wide the columns of a table for eyes get; 0 is no limit.
var widest = [...]int{3: 60, 4: 44, 5: 48, 8: 0}

var triageHeads = []string{"Dumps", "Was", "State", "Signature", "What", "First own frame", "Modules", "Systems", "Example"}

// cells are the columns of a group. Of several values it has the most frequent
// one and the number of others.
func cells(c *triage.Change) []string {
	was := ""
	if c.State != "" {
		was = fmt.Sprint(c.Before)
	}
	return []string{
		fmt.Sprint(c.Count), was, string(c.State), signatureOf(c),
		mostly(c.What), mostly(c.Own), mostly(c.Modules), mostly(c.Systems), mostly(c.Examples),
	}
}

func signatureOf(c *triage.Change) string {
	switch c.Kind {
	case triage.NoCrash:
		return "no crash"
	case triage.Unreadable:
		return "unreadable: " + c.Signature
	}
	return cmp.Or(c.Signature, "no signature")
}

func mostly(t triage.Tally) string {
	values := t.Values()
	switch len(values) {
	case 0:
		return ""
	case 1:
		return values[0]
	}
	return fmt.Sprintf("%s (+%d)", values[0], len(values)-1)
}

// triageTable writes a table for eyes: columns as wide as they need, or as fit
// on a terminal.
//
// A signature may have 255 characters, so cells end at the widths of widest.
func triageTable(w io.Writer, changes []triage.Change, width int) error {
	var text strings.Builder
	tabs := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	shown := []int{0, 3, 4, 5, 8}
	if len(changes) > 0 && changes[0].State != "" {
		shown = []int{0, 1, 2, 3, 4, 5, 8}
	}
	row := func(all []string) {
		for i, column := range shown {
			if i > 0 {
				fmt.Fprint(tabs, "\t")
			}
			fmt.Fprint(tabs, fitting(render.Escape(all[column]), widest[column]))
		}
		fmt.Fprintln(tabs)
	}
	row(triageHeads)
	for i := range changes {
		row(cells(&changes[i]))
	}
	tabs.Flush()
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, fitting(strings.TrimRight(line, " \n"), width)); err != nil {
			return err
		}
	}
	return nil
}

// fitting cuts a line for a terminal; 0 is no limit.
func fitting(line string, width int) string {
	if width <= 1 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}

// triageJSON writes one document.
func triageJSON(w io.Writer, changes []triage.Change, _ int) error {
	e := json.NewEncoder(render.SafeJSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"groups": changes})
}

func triageLines(w io.Writer, changes []triage.Change, _ int) error {
	groups := make([]triage.Group, 0, len(changes))
	for _, c := range changes {
		if c.Count > 0 {
			groups = append(groups, c.Group)
		}
	}
	return triage.WriteLines(render.SafeJSON(w), groups)
}

// triageCSV writes rows as RFC 4180 has them. A cell that begins like a formula
// would be one in a spreadsheet, and names come from strangers: an apostrophe
// makes it text.
func triageCSV(w io.Writer, changes []triage.Change, _ int) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(triageHeads)
	for i := range changes {
		row := cells(&changes[i])
		for j, cell := range row {
			row[j] = render.Escape(cell)
			if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "@") {
				row[j] = "'" + row[j]
			}
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// triageMarkdown writes a table of GitHub's Markdown.
func triageMarkdown(w io.Writer, changes []triage.Change, _ int) error {
	line := func(cells []string) error {
		_, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		return err
	}
	rules := make([]string, len(triageHeads))
	for i := range rules {
		rules[i] = "---"
	}
	if err := line(triageHeads); err != nil {
		return err
	}
	if err := line(rules); err != nil {
		return err
	}
	for i := range changes {
		row := cells(&changes[i])
		for j, cell := range row {
			row[j] = mdPlain(cell)
		}
		if err := line(row); err != nil {
			return err
		}
	}
	return nil
}

// mdPlain makes text of any characters: those that Markdown or a tracker could
// take for something are character references, which all parsers take for themselves.
// A full stop before a letter is one of them: "www.example.org" would be a link,
// and so would "libc.so" be for some.
func mdPlain(text string) string {
	text = render.Escape(text)
	if strings.Contains(text, "@") && !strings.ContainsAny(text, "`|\\") {
		return "`" + text + "`" // cmark-gfm makes a link of an address however it is written, but not of code
	}
	var out strings.Builder
	plain := []rune(text)
	for i, r := range plain {
		isLink := r == '.' && i+1 < len(plain) && unicode.IsLetter(plain[i+1])
		if isLink || strings.ContainsRune("\\`*_{}[]<>#|~@&!$^=:", r) {
			fmt.Fprintf(&out, "&#%d;", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
