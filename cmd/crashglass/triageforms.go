package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"crashglass/core/report/render"
	"crashglass/core/report/triage"
)

// widest bounds the width of each column of a table; 0 is no limit.
var widest = [...]int{3: 60, 4: 44, 5: 48, 8: 0}

// triageHeads are the headings of CSV and Markdown. A table has fewer columns.
var triageHeads = []string{"Dumps", "Was", "State", "Signature", "What", "First own frame", "Modules", "Systems", "Example"}

// A column with several values has the most frequent one and the number of others.
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

// signatureOf returns a group's signature, or what stands for it in a table. The signature of
// unreadable dumps is the error that they share.
func signatureOf(c *triage.Change) string {
	switch c.Kind {
	case triage.NoCrash:
		return "no crash"
	case triage.Unreadable:
		return "unreadable: " + c.Signature
	}
	return cmp.Or(c.Signature, "no signature")
}

// mostly returns the most frequent value, and how many other values there are: "app 1.2 (+3)".
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

// triageTable writes a table for reading. Columns are as wide as their cells, within the terminal's
// width.
//
// A signature may have 255 characters, so cells are shortened to the widths in widest.
func triageTable(w io.Writer, changes []triage.Change, width int) error {
	var text strings.Builder
	tabs := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	shown := []int{0, 3, 4, 5, 8}
	if len(changes) > 0 && changes[0].State != "" {
		shown = []int{0, 1, 2, 3, 4, 5, 8}
	}
	rows := [][]string{slices.Clone(triageHeads)}
	for i := range changes {
		rows = append(rows, cells(&changes[i]))
	}
	for _, column := range shown {
		differing(rows, column, widest[column])
	}
	for _, cells := range rows {
		for i, column := range shown {
			if i > 0 {
				fmt.Fprint(tabs, "\t")
			}
			fmt.Fprint(tabs, cells[column])
		}
		fmt.Fprintln(tabs)
	}
	tabs.Flush()
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, fitting(strings.TrimRight(line, " \n"), width)); err != nil {
			return err
		}
	}
	return nil
}

// differing escapes the cells of a column and shortens those that are too wide. Of cells that begin
// alike, the part from the first difference on is shown.
func differing(rows [][]string, column, width int) {
	var texts []string
	for _, row := range rows {
		row[column] = render.Escape(row[column])
		texts = append(texts, row[column])
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	alike := make([]int, len(texts)+1) // characters in common with the text before
	for i := 1; i < len(texts); i++ {
		alike[i] = common([]rune(texts[i-1]), []rune(texts[i]))
	}
	short := map[string]string{}
	for i, text := range texts {
		short[text] = elided(text, max(alike[i], alike[i+1]), width)
	}
	for _, row := range rows {
		row[column] = short[row[column]]
	}
}

// common returns the number of characters with which two texts begin alike.
func common(a, b []rune) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// elided shortens a text to a width; 0 is no limit. If its first characters are those of another text,
// they are left out, except for the beginning.
func elided(text string, alike, width int) string {
	chars := []rune(text)
	head := width / 4
	rest := width - head - 1
	if width <= 1 || len(chars) <= width || alike < max(width-8, 1) {
		return fitting(text, width)
	}
	tail := min(alike-min(8, rest/2), len(chars)-rest)
	return fitting(string(chars[:head])+"…"+string(chars[tail:]), width)
}

// fitting truncates a line to the terminal's width; 0 is no limit.
func fitting(line string, width int) string {
	if width <= 1 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}

// triageJSON writes one document: {"groups": [...]}, which --baseline and --merge read.
func triageJSON(w io.Writer, changes []triage.Change, _ int) error {
	e := json.NewEncoder(render.SafeJSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"groups": changes})
}

// triageLines writes a line of JSON for each group that has dumps, which `triage --merge` reads.
func triageLines(w io.Writer, changes []triage.Change, _ int) error {
	groups := make([]triage.Group, 0, len(changes))
	for _, c := range changes {
		if c.Count > 0 {
			groups = append(groups, c.Group)
		}
	}
	return triage.WriteLines(render.SafeJSON(w), groups)
}

// triageMapLines writes a line for each group that each passes to add.
func triageMapLines(w io.Writer, each func(add func(triage.Group) error)) error {
	var failed error
	each(func(g triage.Group) error {
		failed = triage.WriteLines(render.SafeJSON(w), []triage.Group{g})
		return failed
	})
	return failed
}

// triageCSV writes rows as RFC 4180 defines them. A spreadsheet would run a cell that begins like a
// formula, and names come from dumps. An apostrophe makes such a cell text.
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

// triageMarkdown writes a table of GitHub's Markdown, for the summary of a CI job. Every cell is
// escaped, because names come from dumps that strangers may have sent.
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

// mdPlain escapes the characters that Markdown or a tracker could interpret, as character
// references, which every parser shows as plain characters. A full stop before a letter is escaped,
// too: "www.example.org" would be a link, and some trackers link "libc.so".
func mdPlain(text string) string {
	text = render.Escape(text)
	if strings.Contains(text, "@") && !strings.ContainsAny(text, "`|\\") {
		return "`" + text + "`" // cmark-gfm links an address in any spelling, but not within code
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
