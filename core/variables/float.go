package variables

import (
	"slices"
	"strconv"
	"strings"

	"crashglass/core/decimal"
	"crashglass/core/types"
)

// A layout is the format of a float.
type layout struct {
	exponent, fraction uint
	explicit           bool // the first bit of the significand is stored
	digits             int  // digits that LLDB shows
}

// layouts are those of IEEE 754, by size. The 80 bits of x87 are stored in 10,
// 12 or 16 bytes; elsewhere 16 bytes are binary128.
var layouts = map[uint64]layout{
	2: {5, 10, false, 5}, 4: {8, 23, false, 9}, 8: {11, 52, false, 17}, 10: {15, 63, true, 21}, 12: {15, 63, true, 21}, 16: {15, 112, false, 36},
}

var bfloat = layout{8, 7, false, 4}

// pairs are the CPUs on which a long double of 16 bytes is the sum of two doubles, which is not
// supported. Source: Power Architecture ELF ABI, "long double".
func pairs(arch string) bool { return arch == "ppc" || arch == "ppc64" }

// isBinary128 reports whether a type has that format by its name: "_Float128",
// "__ieee128", Rust's "f128", Fortran's "real(kind=16)".
func isBinary128(t *types.Type) bool {
	return strings.Contains(t.Name, "128") && !strings.Contains(t.Name, "ibm") || strings.Contains(t.Name, "kind=16")
}

// layoutOf returns the format of a float with the given number of bytes. The name of the type decides
// where one size has two formats: long double and _Float128, _Float16 and __bf16.
func (r *reader) layoutOf(size uint64, t *types.Type) (layout, bool) {
	x87 := r.frame.Arch.Name == "x86" || r.frame.Arch.Name == "amd64"
	switch {
	case size == 16 && pairs(r.frame.Arch.Name) && (!isBinary128(t) || strings.Contains(t.Name, "kind")):
		return layout{}, false
	case size == 16 && x87 && !isBinary128(t): // 80 bits and padding; System V ABI, figure 3.1
		return layouts[10], true
	case size == 2 && strings.Contains(t.Name, "bf"): // __bf16, std::bfloat16_t
		return bfloat, true
	}
	l, ok := layouts[size]
	if short, known := layouts[t.Size]; known && size == x87Bytes && t.Size < size {
		l.digits = short.digits // a float or double in a register
	}
	return l, ok
}

// x87Bytes is the size of a register of x87.
const x87Bytes = 10

// float writes a floating point number.
func (r *reader) float(b []byte, t *types.Type) (string, error) {
	l, ok := r.layoutOf(uint64(len(b)), t)
	if !ok {
		return "", Damaged("floating point numbers of %d bytes", len(b))
	}
	b = r.highestFirst(b)
	if l.explicit {
		b = b[len(b)-10:] // the rest is padding
	}
	return l.write(b), nil
}

// write writes the number with the bytes b, highest first. After sign and exponent are removed, b
// is the significand. The computation is exact until the digits are rounded.
func (l layout) write(b []byte) string {
	minus, exponent := l.takeExponent(b)
	highest := 1<<l.exponent - 1
	whole := l.takeWhole(b)
	switch {
	case exponent == highest && isZero(b) && whole == l.explicit:
		return sign(minus, "+") + "Inf"
	case exponent == highest, l.explicit && exponent != 0 && !whole:
		return "NaN"
	case exponent == 0: // subnormal
		exponent = 1
	case !l.explicit:
		whole = true
	}
	if whole {
		b[l.wholeAt()] |= l.wholeBit()
	}
	digits, exp := scaled(decimal.New(b), exponent-highest/2-int(l.fraction), l.digits)
	return sign(minus, "") + place(digits, exp, l.digits-1)
}

// takeExponent returns sign and exponent, and clears them.
func (l layout) takeExponent(b []byte) (minus bool, exponent int) {
	first := uint(b[0])<<8 | uint(b[1])
	rest := uint(0x7fff) >> l.exponent
	b[0], b[1] = b[0]&byte(rest>>8), b[1]&byte(rest)
	return first>>15 == 1, int(first &^ 0x8000 >> (15 - l.exponent))
}

// takeWhole returns the bit before the point and, if it is stored, clears it.
func (l layout) takeWhole(b []byte) bool {
	if !l.explicit {
		return false
	}
	whole := b[l.wholeAt()]&l.wholeBit() != 0
	b[l.wholeAt()] &^= l.wholeBit()
	return whole
}

// The significand lies behind sign and exponent: bytes is the size of all, and wholeAt and wholeBit
// are the place of the bit before the point.
func (l layout) bytes() uint    { return (l.wholeWidth() + l.exponent) / 8 }
func (l layout) wholeAt() uint  { return l.bytes() - 1 - l.fraction/8 }
func (l layout) wholeBit() byte { return 1 << (l.fraction % 8) }

// wholeWidth is the width of sign and significand.
func (l layout) wholeWidth() uint {
	if l.explicit {
		return l.fraction + 2
	}
	return l.fraction + 1
}

// isZero reports whether all bytes are 0.
func isZero(b []byte) bool { return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) }

// scaled returns n·2^exp as digits, and the power of 10 of the first one. For a negative exp,
// n·2^exp is n·5^-exp·10^exp, which is exact, too.
func scaled(n decimal.Number, exp, count int) (digits string, first int) {
	if exp >= 0 {
		return n.Times(2, exp).Round(count)
	}
	digits, first = n.Times(5, -exp).Round(count)
	if digits != "0" {
		first += exp
	}
	return digits, first
}

// sign returns the text in front of a number: - or plus.
func sign(minus bool, plus string) string {
	if minus {
		return "-"
	}
	return plus
}

// maxPadding bounds the zeros of a number without an exponent: LLDB's
// target.max-zero-padding-in-float-format.
const maxPadding = 6

// place writes a number whose first digit has the weight 10^exp. It uses an exponent only if the
// number would need many zeros. Source: LLVM's APFloat::toString, whose text LLDB shows.
func place(digits string, exp, precision int) string {
	last := exp - len(digits) + 1 // the weight of the last digit
	switch {
	case last >= 0 && last <= maxPadding && len(digits)+last <= precision+1:
		return digits + strings.Repeat("0", last)
	case last < 0 && exp >= 0: // 12.5
		return digits[:exp+1] + "." + digits[exp+1:]
	case exp < 0 && -exp <= maxPadding: // 0.00125
		return "0." + strings.Repeat("0", -exp-1) + digits
	}
	rest := digits[1:] // 1.25E+30
	if rest == "" {
		rest = "0"
	}
	out := digits[:1] + "." + rest + "E"
	if exp >= 0 {
		out += "+"
	}
	return out + strconv.Itoa(exp)
}

// complex writes two floats.
func (r *reader) complex(b []byte, t *types.Type) (string, error) {
	half := len(b) / 2
	re, err := r.float(b[:half], t)
	if err != nil {
		return "", err
	}
	im, err := r.float(b[half:], t)
	return re + " + " + im + "i", err
}
