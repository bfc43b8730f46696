// Package readme reads the tables of supported formats in README.md, so that each package can
// compare its column with its own registry. A table or column that is missing fails the test.
package readme

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// CPUs returns the column of a kind of file in the table of CPUs: the cell of each CPU, by package
// cpu's name. CPUs without support are left out.
func CPUs(t testing.TB, kind string) map[string]string { return column(t, "CPU", kind) }

// Systems returns a column of the table of systems, by package unwind's names.
func Systems(t testing.TB, heading string) map[string]string { return column(t, "system", heading) }

// SameCPUs compares the CPUs of a column with those of a registry, which may have duplicates and
// empty names.
func SameCPUs(t testing.TB, kind string, registry []string) {
	t.Helper()
	var want []string
	for cpu := range CPUs(t, kind) {
		want = append(want, cpu)
	}
	slices.Sort(want)
	registry = slices.DeleteFunc(slices.Clone(registry), func(name string) bool { return name == "" })
	slices.Sort(registry)
	if got := slices.Compact(registry); !slices.Equal(got, want) {
		t.Errorf("README.md has %q for %s; the code has %q", want, kind, got)
	}
}

// column reads one column of the table whose first heading is given: the cells by the code's name of
// the row. A cell with an en dash says that there is no support, and is left out.
func column(t testing.TB, first, heading string) map[string]string {
	t.Helper()
	cells, at := map[string]string{}, -1
	for line := range strings.Lines(text(t)) {
		row := split(line)
		switch {
		case len(row) > 1 && row[0] == first:
			at = slices.Index(row, heading)
		case len(row) == 0:
			if at >= 0 {
				return cells
			}
		case at >= 0 && at < len(row) && row[at] != "–" && !strings.HasPrefix(row[0], "---"):
			cells[name(row[0])] = row[at]
		}
	}
	t.Fatalf("README.md has no column %q in the table of each %s", heading, first)
	return nil
}

// split returns the cells of a table's row, and none for any other line.
func split(line string) []string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(inner, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// name returns the code's name of a CPU or a system.
func name(cell string) string {
	if cell == "macOS" {
		return "mac"
	}
	return strings.ToLower(cell)
}

// text returns README.md, from a folder above that of the test. A README of another project is not
// taken: the first line has to be ours.
func text(t testing.TB) string {
	t.Helper()
	for up := "."; len(up) < 30; up = filepath.Join("..", up) {
		if data, err := os.ReadFile(filepath.Join(up, "README.md")); err == nil && strings.HasPrefix(string(data), "# Crashglass\n") {
			return string(data)
		}
	}
	t.Fatal("README.md is in no folder above")
	return ""
}
