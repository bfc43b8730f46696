package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An answer is what gdb 13 says of an expression in a frame: a whole number, an address, or a number and its size in bytes.
type gdbAnswer struct{ expression, value string }

// gdbAnswers are those of testdata/expressions.txt, by dump and frame: "dump, frame, expression, value". gdb read a core that convert made of the dump.
// Left out are characters and gdb's own ways: sizes are int, parts of registers have a sign, literals of Rust have other types, "1,2" is 2, and a core has
// no code.
func gdbAnswers(t *testing.T) map[[2]string][]gdbAnswer {
	data, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[[2]string][]gdbAnswer{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		key := [2]string{f[0], f[1]}
		out[key] = append(out[key], gdbAnswer{f[2], f[3]})
	}
	return out
}

// Expressions have gdb's values. The few that have none say why.
func TestExpressionsAsGDB(t *testing.T) {
	root := filepath.Join(corpus, "vars")
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	right, without := 0, 0
	for at, list := range gdbAnswers(t) {
		args := []string{"walk", "--no-local", "--format", "json", "--thread", "crashing", "--symbols", filepath.Join(root, "native", at[0]), "--frame", at[1]}
		for _, e := range list {
			args = append(args, "--eval="+e.expression)
		}
		var out, errs strings.Builder
		if status := run(append(args, filepath.Join(root, "dumps", at[0]+".full.dmp")), &out, &errs); status != exitOK {
			t.Fatalf("%v: %s", at, errs.String())
		}
		var r struct {
			Evaluated struct {
				Values []struct{ Value, Why *string }
			}
		}
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil || len(r.Evaluated.Values) != len(list) {
			t.Fatalf("%v: %d values, %v", at, len(r.Evaluated.Values), err)
		}
		for i, v := range r.Evaluated.Values {
			switch {
			case v.Value == nil:
				without++
				if v.Why == nil {
					t.Errorf("%v %s has neither a value nor a reason", at, list[i].expression)
				}
			case !isGDBs(*v.Value, list[i].value):
				t.Errorf("%v %s is %s, gdb has %s", at, list[i].expression, *v.Value, list[i].value)
			default:
				right++
			}
		}
	}
	t.Logf("%d as gdb has them, %d without a value", right, without)
	if right < 1000 || without > right/8 {
		t.Errorf("%d as gdb has them, %d without a value", right, without)
	}
}

// leading is the number that a value begins with; of a pointer to a text or to code, the address may be behind it.
var leading = regexp.MustCompile(`^-?(0x[0-9a-f]+|[0-9]+)|0x[0-9a-f]+\)$`)

// isGDBs reports whether a value is gdb's.
func isGDBs(text, want string) bool {
	if want, size, ok := strings.Cut(want, "/"); ok {
		a, errA := strconv.ParseFloat(text, 64)
		b, errB := strconv.ParseFloat(strings.TrimPrefix(want, "f"), 64)
		return errA == nil && errB == nil && (a == b || size == "4" && float32(a) == float32(b) || math.IsInf(a, 0) && math.IsInf(b, 0))
	}
	switch text {
	case "true":
		return want == "1"
	case "false", "nullptr", "NULL":
		return want == "0"
	}
	var have int64
	number := strings.TrimSuffix(leading.FindString(text), ")")
	if n, err := strconv.ParseUint(number, 0, 64); err == nil {
		have = int64(n)
	} else if have, err = strconv.ParseInt(number, 0, 64); err != nil {
		return false
	}
	return fmt.Sprint(have) == want || fmt.Sprint(uint64(have)) == want
}
