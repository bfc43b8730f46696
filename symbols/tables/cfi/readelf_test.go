package cfi

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
)

var (
	fdeLine      = regexp.MustCompile(`^[0-9a-f]+ .* FDE cie=.* pc=([0-9a-f]+)\.\.([0-9a-f]+)`)
	rowLine      = regexp.MustCompile(`^[0-9a-f]{8,16} (exp|\S+[+-]\d+) `)
	registerName = regexp.MustCompile(` \(\w+\)`) // behind a register's number
	headers      = regexp.MustCompile(`^\s+LOC\s+CFA`)
)

// TestAgainstReadelf compares every row that binutils' readelf prints. More
// files are compared when CRASHGLASS_ELF names them, separated by colons.
func TestAgainstReadelf(t *testing.T) {
	program, err := exec.LookPath("readelf")
	if err != nil {
		t.Skip("readelf is not installed")
	}
	files, _ := filepath.Glob(corpus + "real/native/*")
	files = append(files, strings.FieldsFunc(os.Getenv("CRASHGLASS_ELF"), func(r rune) bool { return r == ':' })...)
	if len(files) == 0 {
		t.Skip("there is no corpus beside the project, and CRASHGLASS_ELF names no files")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			out, err := exec.Command(program, "-wF", file).Output()
			if len(out) == 0 { // it also fails when a file of debug information is not there
				t.Fatalf("readelf: %v", err)
			}
			compareRows(t, mustOpen(t, elfSections(t, file)), out)
		})
	}
}

func compareRows(t *testing.T, table *Table, out []byte) {
	var columns []string
	rows, cells := 0, 0
	lines := bufio.NewScanner(bytes.NewReader(out))
	inFDE, end := false, uint64(0)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case fdeLine.MatchString(line):
			m := fdeLine.FindStringSubmatch(line)
			end, _ = strconv.ParseUint(m[2], 16, 64)
			inFDE = m[1] != m[2] // an FDE of no bytes has rows, too
		case strings.Contains(line, " CIE "):
			inFDE = false
		case headers.MatchString(line):
			columns = strings.Fields(line)
		case inFDE && rowLine.MatchString(line):
			values := strings.Fields(registerName.ReplaceAllString(line, ""))
			addr, _ := strconv.ParseUint(values[0], 16, 64)
			if addr >= end {
				continue // what would hold if the function went on
			}
			frame, ok := table.CallFrame(addr - table.s.Base)
			if !ok || len(values) != len(columns) {
				t.Errorf("%s: %v, %d columns", line, ok, len(columns))
				continue
			}
			rows++
			for i := 1; i < len(columns); i++ {
				cells++
				if !table.agrees(frame.Rules, columns[i], values[i]) {
					t.Errorf("%#x: %s is %s, and here %s", addr, columns[i], values[i], unwind.RuleText(frame.Rules))
				}
			}
		}
	}
	t.Logf("%d cells of %d rows", cells, rows)
}

// agrees compares a cell with rules. Expressions, which readelf does not
// print, need to be there.
func (t *Table) agrees(rules []unwind.Rule, column, value string) bool {
	name := t.column(column)
	got, said := unwind.Find(rules, name)
	switch {
	case name == "":
		return true
	case column == "CFA" && value != "exp":
		at := strings.LastIndexAny(value, "+-")
		return got == unwind.At(t.column(value[:at]), number(value[at:]))
	case strings.HasPrefix(value, "c"):
		return got == unwind.Word(unwind.CFA, number(value[1:]))
	case strings.HasPrefix(value, "v") && value != "vexp":
		return got == unwind.At(unwind.CFA, number(value[1:]))
	case value == "u", value == "s": // nothing said, undefined and unchanged
		return !said || got.IsLost() || got == unwind.At(got.Base, 0)
	case value == "exp", value == "vexp":
		return strings.Contains(got.String(), " ")
	}
	return got == unwind.At(t.column(value), 0)
}

// number reads an offset: "+16".
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

var numberedReg = regexp.MustCompile(`^r(\d+)$`)

// column is a register's name here, by readelf's, or "" when there is none.
func (t *Table) column(name string) string {
	if name == "CFA" {
		return ".cfa"
	}
	if name == "ra" {
		return ".ra"
	}
	for _, n := range t.names {
		if n == name || n == "$"+name {
			return n
		}
	}
	if m := numberedReg.FindStringSubmatch(name); m != nil {
		if n, _ := strconv.Atoi(m[1]); n < len(t.names) {
			return t.names[n]
		}
	}
	return ""
}
