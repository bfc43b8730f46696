package v8

import (
	"slices"
	"unicode/utf16"
)

// An object is a tagged value: a pointer to an object of the heap, or a small integer (Smi).
type object uint64

// mostKnown bounds what is remembered of maps, functions and scripts.
const mostKnown = 1 << 14

// load reads bytes of an object, which must be one of the heap, as a number. Source: V8, src/objects/tagged-impl.h.
func (f *finder) load(o object, at uint64, size int) (uint64, bool) {
	if uint64(o)%word != f.at[heapTag] {
		return 0, false
	}
	return f.t.Memory.Word(f.addr(o, at), size)
}

// addr is the address of a place in an object.
func (f *finder) addr(o object, at uint64) uint64 { return uint64(o) - f.at[heapTag] + at }

// field reads a field of an object.
func (f *finder) field(o object, at uint64) (object, bool) {
	if f.left--; f.left < 0 {
		return 0, false
	}
	v, ok := f.load(o, at, word)
	return object(v), ok
}

// half reads 32 bits of an object.
func (f *finder) half(o object, at uint64) (uint32, bool) {
	v, ok := f.load(o, at, word/2)
	return uint32(v), ok
}

func (f *finder) byte(o object, at uint64) (uint64, bool) { return f.load(o, at, 1) }

// smi returns the value of a small integer.
func (f *finder) smi(o object) (int64, bool) {
	shift := f.at[smiShift] + f.at[smiValue]
	return int64(o) >> shift, o&(1<<shift-1) == 0
}

// smiField reads a field that has a small integer.
func (f *finder) smiField(o object, at uint64) (int64, bool) {
	v, ok := f.field(o, at)
	n, small := f.smi(v)
	return n, ok && small
}

// kind returns the instance type of an object, by its map. The map of a map is one, too.
func (f *finder) kind(o object) (uint64, bool) {
	m, ok := f.field(o, f.at[objectMap])
	if !ok {
		return 0, false
	}
	if k, known := f.kinds[m]; known {
		return k, k != noKind
	}
	k := uint64(noKind)
	meta, _ := f.field(m, f.at[objectMap])
	if t, ok := f.instanceType(meta); ok && t == f.at[typeMap] {
		if t, ok := f.instanceType(m); ok {
			k = t
		}
	}
	if len(f.kinds) < mostKnown && f.left >= 0 {
		f.kinds[m] = k
	}
	return k, k != noKind
}

// noKind is more than any instance type, which has 16 bits.
const noKind = 1 << 16

func (f *finder) instanceType(m object) (uint64, bool) { return f.load(m, f.at[mapType], 2) }

// is reports whether an object is of one of the types. A type that the release does not have is none.
func (f *finder) is(o object, types ...field) bool {
	k, ok := f.kind(o)
	for _, t := range types {
		if ok && f.has[t] && k == f.at[t] {
			return true
		}
	}
	return false
}

// The bounds of one text.
const (
	mostName   = 1 << 10
	mostPath   = 1 << 12
	mostSource = 1 << 23
	mostValue  = 1 << 29
	mostParts  = 1 << 12 // of a concatenation
)

// text reads a name, a path or a message: a string without zeros, with at most that many characters.
func (f *finder) text(o object, most int) (string, bool) {
	parts := mostParts
	units, ok := f.units(o, 0, -1, most, &parts)
	if !ok || slices.Contains(units, 0) {
		return "", false
	}
	return decoded(units), true
}

func decoded(units []uint16) string { return string(utf16.Decode(units)) }

// units reads the code units of a string from a place on, all if count is negative. Source: V8, src/objects/string.tq.
func (f *finder) units(o object, from, count, most int, parts *int) ([]uint16, bool) {
	*parts--
	k, ok := f.kind(o)
	size, sized := f.half(o, f.at[stringLength])
	if *parts < 0 || !ok || !sized || k >= f.at[firstNonstring] || uint64(size) > uint64(most) || from > int(size) {
		return nil, false
	}
	if count < 0 {
		count = int(size) - from
	}
	if count > int(size)-from {
		return nil, false
	}
	wide := k&f.at[widthMask] != f.at[widthOne]
	switch k & f.at[formMask] {
	case f.at[formSequential]:
		at := f.at[oneByteChars]
		if wide {
			at = f.at[twoByteChars]
		}
		if most != mostSource && !f.padded(f.addr(o, at), uint64(size), wide) { // V8 truncates sources without clearing what follows
			return nil, false
		}
		return f.chars(f.addr(o, at), from, count, wide)
	case f.at[formExternal]:
		data, ok := f.field(o, f.at[externalResource]+word) // resource_data
		if !ok {
			return nil, false
		}
		return f.chars(uint64(data), from, count, wide)
	case f.at[formThin]:
		actual, _ := f.field(o, f.at[thinActual])
		return f.units(actual, from, count, most, parts)
	case f.at[formSliced]:
		parent, _ := f.field(o, f.at[slicedParent])
		offset, ok := f.smiField(o, f.at[slicedOffset])
		if !ok || offset < 0 || offset > mostSource {
			return nil, false
		}
		return f.units(parent, from+int(offset), count, mostSource, parts)
	case f.at[formCons]:
		return f.joined(o, from, count, most, parts)
	}
	return nil, false
}

// padded reports whether zeros follow the characters of a sequential string, up to the next word. Source: V8, src/objects/string.h,
// SeqString::ClearPadding.
func (f *finder) padded(addr, size uint64, wide bool) bool {
	end := addr + size
	if wide {
		end += size
	}
	for ; end%word != 0; end++ {
		if v, ok := f.t.Memory.Word(end, 1); !ok || v != 0 {
			return false
		}
	}
	return true
}

// joined reads from a concatenation.
func (f *finder) joined(o object, from, count, most int, parts *int) ([]uint16, bool) {
	first, _ := f.field(o, f.at[consFirst])
	second, _ := f.field(o, f.at[consSecond])
	head, ok := f.half(first, f.at[stringLength])
	if !ok || uint64(head) > uint64(most) {
		return nil, false
	}
	n := min(count, max(int(head)-from, 0))
	var out []uint16
	if n > 0 {
		if out, ok = f.units(first, from, n, most, parts); !ok {
			return nil, false
		}
	}
	if n == count {
		return out, true
	}
	tail, ok := f.units(second, max(from-int(head), 0), count-n, most, parts)
	return append(out, tail...), ok
}

// chars reads code units from memory.
func (f *finder) chars(addr uint64, from, count int, wide bool) ([]uint16, bool) {
	size := 1
	if wide {
		size = 2
	}
	if f.left -= count; f.left < 0 {
		return nil, false
	}
	out := make([]uint16, 0, count)
	for at := from * size; len(out) < count; {
		b := f.t.Bytes(addr+uint64(at), min((count-len(out))*size, block))
		if len(b) < size {
			return nil, false
		}
		b = b[:len(b)/size*size]
		for i := 0; i < len(b); i += size {
			out = append(out, uint16(f.t.Memory.Number(b[i:i+size])))
		}
		at += len(b)
	}
	return out, true
}

// block is the size of one read.
const block = 1 << 12
