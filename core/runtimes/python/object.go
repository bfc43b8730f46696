package python

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"crashglass/core/runtimes"
)

// is reports whether an object is of a type, which all objects of this kind have. The type's name must agree if it is captured.
func (f *finder) is(kind string, addr uint64) bool {
	t, ok := f.word(addr + f.at[objectType])
	if !ok || t == 0 || addr%8 != 0 {
		return false
	}
	if known, set := f.types[kind]; set {
		return t == known
	}
	at, ok := f.word(t + f.at[typeName])
	name := make([]byte, len(kind)+1)
	if !ok || at == 0 || f.p.Memory.Read(at, name) == len(name) && string(name) != kind+"\x00" {
		return false
	}
	f.types[kind] = t
	return true
}

// The state of a text. Source: Include/cpython/unicodeobject.h, PyASCIIObject.
const (
	kindShift = 2
	kindMask  = 7
	compact   = 1 << 5
	ascii     = 1 << 6
)

// text reads the text to which a field points. It ends with a zero, and has none before.
func (f *finder) text(field, most uint64) (string, bool) {
	addr, _ := f.word(field)
	length, ok := f.word(addr + f.at[textLength])
	state, known := f.p.Memory.Word(addr+f.at[textState], 1)
	if !ok || !known || length == 0 || length > most || state&compact == 0 || !f.is("str", addr) {
		return "", false
	}
	size, from := state>>kindShift&kindMask, f.at[textCompact]
	if state&ascii != 0 {
		from = f.at[textASCII]
	}
	if size != 1 && size != 2 && size != 4 || state&ascii != 0 && size != 1 {
		return "", false
	}
	b := make([]byte, (length+1)*size)
	if f.p.Memory.Read(addr+from, b) < len(b) {
		return "", false
	}
	var out strings.Builder
	var units []uint16
	for i := range length + 1 {
		v := f.number(b[i*size:][:size])
		if i == length {
			if v != 0 {
				return "", false
			}
			break
		}
		if v == 0 || state&ascii != 0 && v >= utf8.RuneSelf || v > utf8.MaxRune {
			return "", false
		}
		if v <= 0xffff {
			units = append(units, uint16(v))
		} else {
			units = append(units, utf16.Encode([]rune{rune(v)})...)
		}
	}
	for _, r := range utf16.Decode(units) {
		out.WriteRune(r)
	}
	return out.String(), true
}

func (f *finder) number(b []byte) uint64 { return f.p.Memory.Number(b) }

// mostTable is more than the bytes of a table of lines for a code unit.
const mostTable = 24

// table reads a table of lines, nil if it is not one of that many code units.
func (f *finder) table(field, units uint64) []byte {
	addr, _ := f.word(field)
	size, ok := f.word(addr + f.at[bytesSize])
	if !ok || size == 0 || size > mostTable*units || !f.is("bytes", addr) {
		return nil
	}
	b := make([]byte, size)
	if f.p.Memory.Read(addr+f.at[bytesData], b) < len(b) {
		return nil
	}
	covered := uint64(0)
	if !entries(b, func(_, length int64, _ bool) bool { covered += uint64(length); return true }) || covered != units {
		return nil
	}
	return b
}

// Flags of types. Source: Include/object.h.
const (
	flagReady     = 1 << 12
	flagException = 1 << 30
)

// argsOffset is that of the arguments in an exception, behind the object's head and its dictionary. Source: Include/cpython/pyerrors.h,
// PyException_HEAD.
const argsOffset = 16

// exception reads an exception, nil if the object is none.
func (f *finder) exception(addr uint64) *runtimes.Exception {
	t, _ := f.word(addr + f.at[objectType])
	flags, ok := f.p.Memory.Word(t+f.at[typeFlags], 8)
	name, known := f.word(t + f.at[typeName])
	if addr == 0 || addr%8 != 0 || !ok || !known || name == 0 || flags&flagException == 0 || flags&flagReady == 0 {
		return nil
	}
	e := &runtimes.Exception{Type: name}
	args, _ := f.word(addr + f.at[objectType] + argsOffset)
	count, ok := f.word(args + f.at[tupleSize])
	if !ok || !f.is("tuple", args) {
		return e
	}
	for i := range min(count, 2) { // an OSError has a number first
		if text, ok := f.text(args+f.at[tupleItems]+8*i, mostPath); ok {
			e.Message = text
			break
		}
	}
	return e
}

// mostHandlers bounds the chain of exceptions that are being handled.
const mostHandlers = 64

// handled returns the exception that a thread handles, nil if there is none. Source: Include/cpython/pystate.h, _PyErr_StackItem.
func (f *finder) handled(thread uint64) *runtimes.Exception {
	item, ok := f.word(thread + f.at[threadHandled])
	for n := 0; ok && item != 0 && n < mostHandlers; n++ {
		value, _ := f.word(item)
		if e := f.exception(value); e != nil {
			e.Handled = true
			return e
		}
		item, ok = f.word(item + 8)
	}
	return nil
}
