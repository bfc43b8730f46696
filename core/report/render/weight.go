package render

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scale estimates the bytes of values in JSON, and rarely too low. A report may refer to one long
// text a million times, which costs memory only when it is written.
type scale map[reflect.Type][]int // the size of the names of a struct's fields

// weight returns the estimate for a value. It stops counting at a limit.
func (s scale) weight(v reflect.Value, limit int) int {
	switch v.Kind() {
	case reflect.String:
		return 2 + escapedLen(v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 4
		}
		return s.weight(v.Elem(), limit)
	case reflect.Slice:
		return s.list(v, limit)
	case reflect.Map:
		return s.table(v, limit)
	case reflect.Struct:
		return s.fields(v, limit)
	}
	return 8
}

// list returns the weight of a slice: its brackets, and a comma for each entry.
func (s scale) list(v reflect.Value, limit int) int {
	n := 2
	for i := 0; i < v.Len() && n <= limit; i++ {
		n += 1 + s.weight(v.Index(i), limit-n)
	}
	return n
}

// table returns the weight of a map, which has a colon and a comma for each entry.
func (s scale) table(v reflect.Value, limit int) int {
	n := 2
	for it := v.MapRange(); n <= limit && it.Next(); {
		n += 2 + s.weight(it.Key(), limit) + s.weight(it.Value(), limit-n)
	}
	return n
}

// fields returns the weight of a struct: its names with quotes, colons and commas, and its values.
// Fields that JSON omits when they are empty count as well.
func (s scale) fields(v reflect.Value, limit int) int {
	names, ok := s[v.Type()]
	if !ok {
		for i := range v.NumField() {
			width := 0 // a field that is not exported has none
			if f := v.Type().Field(i); f.IsExported() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				width = len(name) + 4
			}
			names = append(names, width)
		}
		s[v.Type()] = names
	}
	n := 2
	for i := 0; i < len(names) && n <= limit; i++ {
		if names[i] > 0 {
			n += names[i] + s.weight(v.Field(i), limit-n)
		}
	}
	return n
}

// escapedLen returns the length of a text with its escapes.
func escapedLen(s string) int {
	n := len(s)
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			n += 5 // of one byte that is not UTF-8
		case r < ' ' || r > '~' && !unicode.IsPrint(r):
			n += 6 - utf8.RuneLen(r)
		case r == '"' || r == '\\':
			n++
		}
	}
	return n
}
