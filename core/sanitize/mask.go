package sanitize

import (
	"reflect"

	"crashglass/core/report"
)

// leftOut stands for a text that a masked report does not have.
const leftOut = "left out of this report"

// Mask is a copy of a report without what its owner may not want to tell:
// names of people, ids of users, what looks like a secret, and the texts that are said to be
// sensitive, the environment and the command line among them. The report
// itself stays as it is.
func Mask(r *report.Report, people []string) *report.Report {
	m := masks{people: people}
	out := m.copy(reflect.ValueOf(*r)).Interface().(report.Report)
	out.SoftErrors = nil
	maskIdentities(&out)
	maskVariables(r.Threads, out.Threads)
	for i := range r.Globals {
		maskValues(r.Globals[i].Variables, out.Globals[i].Variables)
	}
	if r.CrashingThread != nil {
		maskVariables([]report.Thread{r.CrashingThread.Thread}, []report.Thread{out.CrashingThread.Thread})
	}
	for i := range out.LinuxFiles {
		if out.LinuxFiles[i].Sensitive {
			out.LinuxFiles[i].Text = leftOut
		}
	}
	for i := range out.Handles {
		if out.Handles[i].ObjectName != nil {
			name := leftOut
			out.Handles[i].ObjectName = &name
		}
	}
	return &out
}

// copy copies a value deeply and masks every string in it.
func (m *masks) copy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		if v.Type() == plainText {
			text = m.text(text)
		}
		out.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(m.copy(v.Elem()).Addr())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(m.copy(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(m.copy(v.Index(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}
