package sanitize

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/report/render"
)

// fillReport plants two canaries in each text of a report: as the name of a
// person's folder, and as a password. Lists have one entry. Types of codes have
// texts of the program's own only.
func (f flock) fillReport(v reflect.Value, where string, depth int) {
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.Type() == plainText {
			v.SetString("/home/" + f.text(where+", folder") + "/x password=" + f.text(where+", secret"))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fillReport(v.Elem(), where, depth-1)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				f.fillReport(v.Field(i), strings.TrimPrefix(where+"."+field.Name, "."), depth-1)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fillReport(v.Index(0), where+"[]", depth-1)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// deepest is more levels than a report has: variables have members.
const deepest = 14

// reportForms are all ways to write a report.
var reportForms = map[string]func(io.Writer, *report.Report) error{
	"json":     render.JSON,
	"text":     func(w io.Writer, r *report.Report) error { return render.Text(w, r, render.Options{}) },
	"machine":  func(w io.Writer, r *report.Report) error { return render.Machine(w, r, render.Options{}) },
	"markdown": func(w io.Writer, r *report.Report) error { return render.Markdown(w, r, render.Options{}) },
	"html":     func(w io.Writer, r *report.Report) error { return render.HTML(w, r, render.Options{}) },
}

// TestCanariesOfForms has a canary in every text that a report can have: what
// threads wait for, variables, next steps, the verdict and all else. A field that
// comes new to the report is filled without being named here. Names of functions
// keep what looks like a secret: "password:" is the label of a parameter.
func TestCanariesOfForms(t *testing.T) {
	flock, r := flock{}, &report.Report{}
	flock.fillReport(reflect.ValueOf(r).Elem(), "", deepest)
	masked := Mask(r, nil)
	for name, write := range reportForms {
		var whole, out bytes.Buffer
		if err := write(&whole, r); err != nil {
			t.Fatal(name, err)
		}
		if err := write(&out, masked); err != nil {
			t.Fatal(name, err)
		}
		before, alive := flock.in(whole.Bytes()), flock.in(out.Bytes())
		if len(before) < 10 {
			t.Errorf("%s: only %d canaries are in what is not masked", name, len(before))
		}
		alive = slices.DeleteFunc(alive, func(where string) bool {
			field, isSecret := strings.CutSuffix(where[strings.LastIndexByte(where, '.')+1:], ", secret")
			return isSecret && isSymbol(field)
		})
		if len(alive) > 0 {
			t.Errorf("%s: of %d canaries live\n%s", name, len(before), strings.Join(alive, "\n"))
		}
	}
	if len(flock) < 150 {
		t.Errorf("only %d canaries are planted", len(flock))
	}
}

// isSymbol reports whether a field has the name of a function.
func isSymbol(field string) bool {
	mask := fields[strings.TrimRight(field, "[]")]
	return mask != nil && reflect.ValueOf(mask).Pointer() == reflect.ValueOf((*masks).symbol).Pointer()
}
