package variables

// golang are types of Go's runtime: runtime/string.go, runtime/slice.go.
func golang() []known {
	return []known{
		{"string", goString, true, false},
		{"[]", goSlice, true, false},
	}
}

func goString(o *object) bool {
	at, ok := o.number("str")
	n, okN := o.number("len")
	return ok && okN && o.utf8(at, n)
}

func goSlice(o *object) bool {
	at, ok := o.number("array")
	n, okN := o.number("len")
	room, okC := o.number("cap")
	data := o.field("array")
	return ok && okN && okC && n <= room && data != nil && o.run(at, n, data.t.Elem.Get())
}
