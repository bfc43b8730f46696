package sanitize

import (
	"reflect"
	"strconv"
	"strings"
)

// hiddenNumbers are numbers that a masked report must not have, neither as an address nor in a sentence.
type hiddenNumbers map[uint64]bool

// in replaces the numbers in all addresses and texts of a value.
func (h hiddenNumbers) in(v reflect.Value) {
	if len(h) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(h.text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			h.in(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				h.in(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			h.in(v.Index(i))
		}
	}
}

// text replaces the digits of the numbers in a text by those of asterisks, as in a sanitized dump.
func (h hiddenNumbers) text(s string) string {
	var out strings.Builder
	for {
		at := strings.Index(s, "0x")
		if at < 0 {
			break
		}
		end := at + len("0x")
		for end < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[end]) >= 0 {
			end++
		}
		out.WriteString(s[:at])
		v, err := strconv.ParseUint(s[at+len("0x"):end], 16, 64)
		if err == nil && h[v] {
			out.WriteString("0x" + strings.Repeat("2a", (end-at-1)/2))
		} else {
			out.WriteString(s[at:end])
		}
		s = s[end:]
	}
	return out.String() + s
}
