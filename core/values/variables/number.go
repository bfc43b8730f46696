package variables

import (
	"fmt"
	mathbits "math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"crashglass/core/base/sorting"
	"crashglass/core/values/types"
)

// Numbers, characters and enumerators are written as LLDB does, because users compare with LLDB.

// boolean writes true for any number but 0, as LLDB does. For uninitialized memory the evidence has
// the number.
func boolean(n uint64) string {
	if n == 0 {
		return "false"
	}
	return "true"
}

// signed and unsigned write numbers in decimal.
func signed(n int64) string    { return strconv.FormatInt(n, 10) }
func unsigned(n uint64) string { return strconv.FormatUint(n, 10) }

// hex writes a number with leading zeros.
func hex(n, digits uint64) string { return fmt.Sprintf("0x%0*x", int(digits), n) }

// extend sign-extends a number of the given bits.
func extend(n, bits uint64) int64 {
	if bits == 0 || bits >= 64 {
		return int64(n)
	}
	return int64(n<<(64-bits)) >> (64 - bits)
}

// wideNumber writes an integer of more than 8 bytes, or the bytes of another value.
func (r *reader) wideNumber(b []byte, t *types.Type) string {
	b = r.highestFirst(b)
	if t.Kind != types.Signed && t.Kind != types.Unsigned {
		return fmt.Sprintf("0x%x", b)
	}
	minus := t.Kind == types.Signed && b[0]&0x80 != 0
	if minus {
		negate(b)
	}
	return sign(minus, "") + newWhole(b).String()
}

// highestFirst returns a copy of a number's bytes, the most significant one first.
func (r *reader) highestFirst(b []byte) []byte {
	b = slices.Clone(b)
	if !r.frame.BigEndian {
		slices.Reverse(b)
	}
	return b
}

func negate(b []byte) {
	carry := byte(1)
	for i := range slices.Backward(b) {
		b[i] = ^b[i] + carry
		if b[i] != 0 {
			carry = 0
		}
	}
}

// escapes are the characters with a letter escape in C.
var escapes = map[rune]string{
	0: `\0`, 7: `\a`, 8: `\b`, 9: `\t`, 10: `\n`, 11: `\v`, 12: `\f`, 13: `\r`, 27: `\e`,
}

// character writes a byte: 'a', '\n', '\xfd'.
func character(n uint64) string {
	c := rune(n & 0xff)
	if text, ok := escapes[c]; ok {
		return "'" + text + "'"
	}
	if c >= 0x20 && c < 0x7f {
		return "'" + string(c) + "'"
	}
	return fmt.Sprintf(`'\x%02x'`, c)
}

// wide writes a character of UTF-16 or UTF-32, or a wchar_t, which is signed on some systems.
func wide(n, size uint64, t *types.Type) string {
	prefix := prefixOf(t)
	if size < 8 {
		n &= 1<<(8*size) - 1
	}
	if n > unicode.MaxRune {
		return unsigned(n)
	}
	if text, ok := escapes[rune(n)]; ok {
		return prefix + "'" + text + "'"
	}
	if unicode.IsPrint(rune(n)) {
		return prefix + "'" + string(rune(n)) + "'"
	}
	return fmt.Sprintf(`%s'\x%02x'`, prefix, n)
}

// maxFlags bounds the enumerators in a combination.
const maxFlags = 32

// enumerator writes the name of a value or, for an enumeration of flags, the names of its bits.
// Enumerators are flags if each is a single bit, or has only bits of the ones before it. Source:
// LLDB's TypeSystemClang.cpp, DumpEnumValue.
func enumerator(n, size uint64, t *types.Type) string {
	mask := ^uint64(0) >> (64 - 8*size)
	n &= mask
	flags, covered := len(t.Enumerators) > 0, uint64(0)
	for i := range t.Enumerators {
		v := uint64(t.Enumerators[i].Value) & mask
		if v == n {
			return t.Enumerators[i].Name
		}
		if mathbits.OnesCount64(v) != 1 && v&^covered != 0 {
			flags = false
		}
		covered |= v
	}
	if flags {
		if text, ok := combination(n, mask, t); ok {
			return text
		}
	}
	if isSigned(t) {
		return signed(extend(n, 8*size))
	}
	return unsigned(n)
}

// combination writes n as names of flags, those of several bits first. Bits without a name are a
// number at the end: "a | c | 0x10". It reports false for too many names.
func combination(n, mask uint64, t *types.Type) (text string, ok bool) {
	named := slices.DeleteFunc(slices.Clone(t.Enumerators), func(e types.Enumerator) bool { return uint64(e.Value)&mask&n == 0 })
	sorting.Stable(named, func(a, b types.Enumerator) int {
		return mathbits.OnesCount64(uint64(b.Value)&mask) - mathbits.OnesCount64(uint64(a.Value)&mask)
	})
	var parts []string
	for _, e := range named {
		if v := uint64(e.Value) & mask; n&v == v {
			parts = append(parts, e.Name)
			n &^= v
		}
		if len(parts) == maxFlags {
			return "", false
		}
		if n == 0 {
			break
		}
	}
	if n != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%#x", n))
	}
	return strings.Join(parts, " | "), true
}
