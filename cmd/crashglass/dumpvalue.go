package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"crashglass/core/dump/minidump"
	"crashglass/core/report/render"
)

// maxHex is how much of a stream of unknown format is shown.
const maxHex = 4096

// value writes a decoded stream, one line for each number and text. Fields have the names of
// package minidump.
func (p *dumper) value(indent string, v any) {
	p.reflected(indent, "", reflect.ValueOf(v))
}

// reflected writes a value of any type with its name. A nil pointer is a field that the dump does not have.
func (p *dumper) reflected(indent, name string, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return // not in the dump
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	if r, ok := v.Interface().(minidump.Range); ok {
		p.rangeOf(indent, name, r)
		return
	}
	if b, ok := v.Interface().(minidump.Blob); ok {
		p.rows(p.opened(indent, b.Name), 0, b.Data)
		return
	}
	if text, ok := scalar(v); ok {
		p.printf("%s%s\n", indent, named(name, text))
		return
	}
	if parts, ok := leaves(v); ok && len(parts) > 0 && len(parts) <= maxShort {
		if isPair(v.Type()) {
			name, parts = render.Escape(v.Field(0).String()), parts[1:]
		}
		p.printf("%s%s\n", indent, named(name, joined(parts)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		p.fields(p.opened(indent, name), v)
	case reflect.Slice, reflect.Array:
		p.elements(indent, name, v)
	case reflect.Map:
		p.entries(indent, name, v)
	}
}

// opened writes the name of a value with parts, and returns the indent of the parts.
func (p *dumper) opened(indent, name string) string {
	if name == "" {
		return indent
	}
	p.printf("%s%s:\n", indent, name)
	return indent + "  "
}

// named puts a name before a text, unless the value has none, like the elements of embedded structs.
func named(name, text string) string {
	if name == "" {
		return text
	}
	return name + " = " + text
}

// fields writes the fields of a structure. Those of an embedded one are its own.
func (p *dumper) fields(indent string, v reflect.Value) {
	t := v.Type()
	if s, ok := v.Interface().(interface{ Text() (string, bool) }); ok {
		if text, ok := s.Text(); ok {
			p.printf("%sText = \"%s\"\n", indent, render.Escape(text))
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous:
			p.reflected(indent, "", v.Field(i))
		case f.IsExported():
			p.reflected(indent, f.Name, v.Field(i))
		}
	}
}

// elements writes a list: bytes as rows, pairs below their name, anything else with its index.
func (p *dumper) elements(indent, name string, v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		if v.Len() > 0 {
			p.hex(p.opened(indent, name), 0, bytesOf(v))
		}
		return
	}
	if v.Len() > 0 && isPair(v.Type().Elem()) {
		indent = p.opened(indent, name)
	}
	for i := 0; i < v.Len() && !p.full(); i++ {
		p.reflected(indent, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
	}
}

// entries writes a map sorted by its keys, so that two runs write the same.
func (p *dumper) entries(indent, name string, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		p.reflected(indent, fmt.Sprintf("%s[%s]", name, render.Escape(fmt.Sprint(k))), v.MapIndex(k))
	}
}

// maxShort is how many numbers and texts fit on one line.
const maxShort = 4

// isPair reports whether a type is a name and its value, such as an annotation of Crashpad. The name
// comes from the dump, so it has to be escaped.
func isPair(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() == 2 && t.Field(0).Type.Kind() == reflect.String
}

// joined writes a few fields on one line: "Major 10, Minor 0". A single field needs no name.
func joined(parts []leaf) string {
	if len(parts) == 1 {
		return parts[0].text
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.name + " " + part.text
	}
	return strings.Join(texts, ", ")
}

// A leaf is a field without parts, as text.
type leaf struct{ name, text string }

// leaves lists a struct's fields, if none of them has parts. It includes the fields of embedded
// structs.
func leaves(v reflect.Value) ([]leaf, bool) {
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	var out []leaf
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			sub, ok := leaves(v.Field(i))
			if !ok {
				return nil, false
			}
			out = append(out, sub...)
			continue
		}
		text, ok := scalar(v.Field(i))
		if !f.IsExported() || !ok {
			return nil, false
		}
		out = append(out, leaf{f.Name, text})
	}
	return out, true
}

// Numbers are in hex, and in decimal where that looks different.
func scalar(v reflect.Value) (string, bool) {
	if !v.CanInterface() {
		return "", false
	}
	if s, ok := v.Interface().(fmt.Stringer); ok {
		if v.CanUint() {
			return meaning(v, s.String()), true
		}
		return render.Escape(s.String()), true
	}
	switch v.Kind() {
	case reflect.String:
		return `"` + render.Escape(v.String()) + `"`, true
	case reflect.Bool:
		return fmt.Sprint(v.Bool()), true
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return number(v.Uint()), true
	case reflect.Int, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int()), true
	}
	return "", false
}

// bytesOf returns the bytes of a slice or of an array, which reflect does not give directly.
func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		return v.Bytes()
	}
	out := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(out), v)
	return out
}

func meaning(v reflect.Value, text string) string {
	if text == "" {
		return number(v.Uint())
	}
	return fmt.Sprintf("%#x %s", v.Uint(), render.Escape(text))
}

// number formats a number: in hex and in decimal, or in one digit, which is the same in both.
func number(n uint64) string {
	if n > 9 {
		return fmt.Sprintf("%#x (%d)", n, n)
	}
	return fmt.Sprint(n)
}

// rangeOf writes a range of memory with its bytes, up to the limit of --memory.
func (p *dumper) rangeOf(indent, name string, r minidump.Range) {
	p.printf("%s%s\n", indent, named(name, fmt.Sprintf("Base %s, RVA %s, Size %s", number(r.Base), number(r.RVA), number(r.Size))))
	shown := min(r.Size, p.memory)
	p.memory -= shown
	if r.Size == 0 {
		return
	}
	data, err := p.f.Bytes("memory", minidump.Location{RVA: r.RVA, Size: shown})
	p.rows(indent+"  ", r.Base, data)
	if more := r.Size - shown; more > 0 {
		p.printf("%s  %d more bytes\n", indent, more)
	}
	p.damage(err)
}

// hex writes bytes of unknown format, at most maxHex of them.
func (p *dumper) hex(indent string, base uint64, data []byte) {
	shown := data[:min(len(data), maxHex)]
	if !p.bytes.Spend(int64(len(shown))) {
		shown = nil
	}
	p.rows(indent, base, shown)
	if len(data) > len(shown) {
		p.printf("%s%d more bytes\n", indent, len(data)-len(shown))
	}
}

// rows writes bytes, sixteen on a line, with their addresses and characters.
func (p *dumper) rows(indent string, base uint64, data []byte) {
	for i := 0; i < len(data) && !p.full(); i += 16 {
		row := data[i:min(len(data), i+16)]
		p.printf("%s%08x  %-47s  |%s|\n", indent, base+uint64(i), fmt.Sprintf("% x", row), printable(row))
	}
}

// printable returns bytes as ASCII characters, with a dot for every other byte.
func printable(row []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, string(latin1(row)))
}

// latin1 returns the characters that the bytes are in ISO 8859-1, one for each, so that a row keeps
// its width whatever encoding the bytes have.
func latin1(row []byte) []rune {
	out := make([]rune, len(row))
	for i, b := range row {
		out[i] = rune(b)
	}
	return out
}
