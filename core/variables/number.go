package variables

import (
	"fmt"
	"slices"
	"strconv"
	"unicode"

	"crashglass/core/decimal"
	"crashglass/core/types"
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
	return sign(minus, "") + decimal.New(b).String()
}

// highestFirst returns a copy of a number's bytes, the most significant one first.
func (r *reader) highestFirst(b []byte) []byte {
	b = slices.Clone(b)
	if !r.frame.BigEndian {
		slices.Reverse(b)
	}
	return b
}

// negate negates a number in two's complement.
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
	prefix := map[string]string{"wchar_t": "L", "char16_t": "u", "char32_t": "U", "char8_t": "u8"}[t.Name]
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
func enumerator(n, size uint64, t *types.Type) string {
	value := extend(n, 8*size)
	mask := ^uint64(0) >> (64 - 8*size)
	flags := true
	for i := range t.Enumerators {
		e := &t.Enumerators[i]
		if uint64(e.Value)&mask == n&mask {
			return e.Name
		}
		flags = flags && isFlag(t.Enumerators, uint64(e.Value)&mask)
	}
	if text, ok := combination(n&mask, mask, t); flags && ok {
		return text
	}
	if isSigned(t) {
		return signed(value)
	}
	return unsigned(n & mask)
}

// isFlag reports whether a value is 0, one bit, or a combination of the others' bits.
func isFlag(all []types.Enumerator, v uint64) bool {
	if v&(v-1) == 0 {
		return true
	}
	for i := range all[:min(len(all), 256)] {
		if one := uint64(all[i].Value); one != 0 && one&(one-1) == 0 {
			v &^= one
		}
	}
	return v == 0
}

// combination writes the bits of n as names of flags, and bits without a name as a number at the end:
// "a | c | 0x10". It reports false if no flag is set.
func combination(n, mask uint64, t *types.Type) (text string, ok bool) {
	count := 0
	for i := range t.Enumerators {
		one := uint64(t.Enumerators[i].Value) & mask
		if one == 0 || one&(one-1) != 0 || n&one == 0 {
			continue
		}
		if text != "" {
			text += " | "
		}
		text += t.Enumerators[i].Name
		n &^= one
		if count++; count == maxFlags {
			return "", false
		}
	}
	if n != 0 && text != "" {
		text += fmt.Sprintf(" | %#x", n)
	}
	return text, text != ""
}
