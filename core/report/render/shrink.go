package render

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"crashglass/core/report"
)

// A measure bounds the lists and texts of a shortened report.
type measure struct{ list, text int }

// measures are tried in turn, until a report is small enough. The last one always suffices, because
// lists are nested only as deep as the types of a report.
var measures = []measure{{1 << 15, 4096}, {1 << 13, 1024}, {1 << 11, 512}, {512, 256}, {128, 128}, {32, 64}, {8, 32}}

// shrink returns a copy of a report that is shortened to a measure. Indexes of threads and modules
// in it are those of the copy.
func shrink(r *report.Report, m measure) *report.Report {
	first := *r
	renamed := firstThreads(&first, m.list)
	out := m.copied(reflect.ValueOf(first)).Interface().(report.Report)
	out.ThreadCount = len(out.Threads)
	relinkThreads(&out, renamed)
	relinkModules(&out)
	out.Notes = slices.Insert(out.Notes, 0, report.Note{
		Kind: report.NoteOdd, Where: "report", Count: 1,
		Text: fmt.Sprintf("this report is larger than %d MiB: lists are truncated to %d entries and texts to %d bytes", most>>20, m.list, m.text),
	})
	return &out
}

// firstThreads moves the crashing thread into the part that stays. The result maps the index of a
// thread to its new one, or to -1 if the thread is dropped.
func firstThreads(r *report.Report, n int) func(int) int {
	if len(r.Threads) <= n {
		return func(i int) int { return i }
	}
	from, to := -1, -1
	if at := r.CrashInfo.CrashingThread; at != nil && *at >= n && *at < len(r.Threads) {
		from, to = *at, n-1
		r.Threads = slices.Clone(r.Threads)
		r.Threads[to] = r.Threads[from]
		r.CrashInfo.CrashingThread = &to
		if c := r.CrashingThread; c != nil {
			moved := *c
			moved.Index = to
			r.CrashingThread = &moved
		}
	}
	return func(i int) int {
		switch {
		case i == from:
			return to
		case i == to || i >= n: // the thread at to was overwritten
			return -1
		}
		return i
	}
}

func (m measure) copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(m.shortened(v.String()))
	case reflect.Pointer: // always a copy: texts are shortened, and indexes renamed, in place
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(m.copied(v.Elem()))
		}
	case reflect.Interface:
		if small := 1 << 16; !v.IsNil() && (scale{}).weight(v, small) <= small { // JSON of the dump's writer: complete or not at all
			out.Set(v)
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), min(v.Len(), m.list), min(v.Len(), m.list)))
			for i := range out.Len() {
				out.Index(i).Set(m.copied(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(m.copied(v.Field(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}

// shortened cuts a text at a measure. A character that does not fit is dropped as a whole.
func (m measure) shortened(s string) string {
	if len(s) <= m.text {
		return s
	}
	return strings.ToValidUTF8(s[:m.text], "") + "…"
}
