package variables

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/values/types"
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
	2: {exponent: 5, fraction: 10, digits: 5}, 4: {exponent: 8, fraction: 23, digits: 9}, 8: {exponent: 11, fraction: 52, digits: 17},
	10: x87, 12: x87, 16: {exponent: 15, fraction: 112, digits: 36},
}

var (
	x87    = layout{exponent: 15, fraction: 63, explicit: true, digits: 21}
	bfloat = layout{exponent: 8, fraction: 7, digits: 4}
)

// isBinary128 reports whether a type has that format by its name: "_Float128",
// "__ieee128", Rust's "f128", Fortran's "real(kind=16)".
func isBinary128(t *types.Type) bool {
	return strings.Contains(t.Name, "128") && !strings.Contains(t.Name, "ibm") || strings.Contains(t.Name, "kind=16")
}

// layoutOf returns the format of a float with the given number of bytes. The name of the type decides
// where one size has two formats: long double and _Float128, _Float16 and __bf16.
func (r *reader) layoutOf(size uint64, t *types.Type) (layout, bool) {
	switch {
	// On PowerPC it is the sum of two doubles, which is not supported: Power Architecture ELF ABI, "long double".
	case size == 16 && r.frame.Arch.IsPPC() && (!isBinary128(t) || strings.Contains(t.Name, "kind")):
		return layout{}, false
	case size == 16 && r.frame.Arch.IsX86() && !isBinary128(t): // 80 bits and padding; System V ABI, figure 3.1
		return x87, true
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

// write writes the number with the bytes b, highest first. The computation is exact until the digits are rounded.
func (l layout) write(b []byte) string {
	high, low := highest128(b)
	minus, exponent, most := high>>63 == 1, int(high<<1>>(64-l.exponent)), 1<<l.exponent-1
	high, low = high<<(1+l.exponent)|low>>(63-l.exponent), low<<(1+l.exponent)
	if !l.explicit { // make room for the bit before the point
		high, low = high>>1, low>>1|high<<63
	}
	switch one := high>>63 == 1; {
	case exponent == most && high<<1|low == 0 && one == l.explicit:
		return sign(minus, "+") + "Inf"
	case exponent == most, l.explicit && exponent != 0 && !one:
		return "NaN"
	case exponent == 0: // subnormal
		exponent = 1
	case !l.explicit:
		high |= 1 << 63
	}
	digits, exp := scaled(high, low, exponent-most/2-127, l.digits)
	return sign(minus, "") + place(digits, exp, l.digits-1)
}

// highest128 returns the first 128 bits of b, with zeros behind its end.
func highest128(b []byte) (high, low uint64) {
	b = append(slices.Clone(b), make([]byte, 16)...)
	return binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
}

// scaled returns digits of n·2^exp, for the n of 128 bits, and the power of 10 of the first one. For a negative exp, n·2^exp is
// n·5^-exp·10^exp, which is exact, too.
func scaled(high, low uint64, exp, count int) (digits string, first int) {
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, high), low)
	for ; len(b) > 0 && b[len(b)-1] == 0; exp += 8 {
		b = b[:len(b)-1]
	}
	if exp >= 0 {
		return newWhole(b).times(2, exp).round(count)
	}
	digits, first = newWhole(b).times(5, -exp).round(count)
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
	rest = cmp.Or(rest, "0")
	out := digits[:1] + "." + rest + "E"
	if exp >= 0 {
		out += "+"
	}
	return out + strconv.Itoa(exp)
}

func (r *reader) complex(b []byte, t *types.Type) (string, error) {
	half := len(b) / 2
	re, err := r.float(b[:half], t)
	if err != nil {
		return "", err
	}
	im, err := r.float(b[half:], t)
	return re + " + " + im + "i", err
}
