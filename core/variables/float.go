package variables

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/types"
)

// A layout is how a float is stored.
type layout struct {
	exponent, fraction uint
	explicit           bool // the first bit of the significand is stored
	digits             int  // that LLDB shows
}

// layouts are those of IEEE 754, by size. The 80 bits of x87 are stored in 10,
// 12 or 16 bytes; elsewhere 16 bytes are binary128.
var layouts = map[uint64]layout{
	2: {5, 10, false, 5}, 4: {8, 23, false, 9}, 8: {11, 52, false, 17}, 10: {15, 63, true, 21}, 12: {15, 63, true, 21}, 16: {15, 112, false, 36},
}

var bfloat = layout{8, 7, false, 4}

func (r *reader) layoutOf(size uint64, t *types.Type) (layout, bool) {
	x87 := r.frame.Arch.Name == "x86" || r.frame.Arch.Name == "amd64"
	switch {
	case size == 16 && x87 && !strings.Contains(t.Name, "128"):
		return layouts[10], true
	case size == 2 && strings.Contains(t.Name, "bf"):
		return bfloat, true
	}
	l, ok := layouts[size]
	if size == x87Bytes && t.Size < size {
		l.digits = layouts[t.Size].digits // a float or double in a register
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
	b = slices.Clone(b)
	if !r.frame.BigEndian {
		slices.Reverse(b)
	}
	if l.explicit {
		b = b[len(b)-10:] // the rest is padding
	}
	return l.write(new(big.Int).SetBytes(b)), nil
}

// write writes the number whose bits are v.
func (l layout) write(v *big.Int) string {
	width := l.fraction
	if l.explicit {
		width++
	}
	minus := v.Bit(int(width+l.exponent)) == 1
	exponent := int(new(big.Int).And(new(big.Int).Rsh(v, width), big.NewInt(1<<l.exponent-1)).Int64())
	fraction := new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), width), big.NewInt(1)))
	highest := 1<<l.exponent - 1
	whole := fraction.Bit(int(l.fraction)) == 1
	switch {
	case exponent == highest && noFraction(fraction, l.fraction):
		if minus {
			return "-Inf"
		}
		return "+Inf"
	case exponent == highest, l.explicit && exponent != 0 && !whole:
		return "NaN"
	case exponent == 0:
		exponent = 1
	case !l.explicit:
		fraction.SetBit(fraction, int(l.fraction), 1)
	}
	f := new(big.Float).SetPrec(256).SetInt(fraction)
	f.SetMantExp(f, exponent-highest/2-int(l.fraction))
	if minus {
		f.Neg(f)
	}
	return plain(f.Text('e', l.digits-1))
}

func noFraction(fraction *big.Int, bits uint) bool {
	low := new(big.Int).And(fraction, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)))
	return low.Sign() == 0
}

// maxPadding is how many zeros a number is padded with before it is written
// with an exponent: LLDB's target.max-zero-padding-in-float-format.
const maxPadding = 6

// plain writes a number like "-1.2500e+01" without an exponent, unless that
// takes many zeros. Source: LLVM's APFloat::toString, whose text LLDB shows.
func plain(text string) string {
	text, minus := strings.CutPrefix(text, "-")
	mantissa, exp, _ := strings.Cut(text, "e")
	digits := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	n, _ := strconv.Atoi(exp)
	if digits == "" {
		digits, n = "0", 0
	}
	sign := ""
	if minus {
		sign = "-"
	}
	return sign + place(digits, n, strings.Count(mantissa, "")-2)
}

// place puts the point behind the digit of 10^exp.
func place(digits string, exp, precision int) string {
	last := exp - len(digits) + 1 // what the last digit counts
	switch {
	case last >= 0 && last <= maxPadding && len(digits)+last <= precision+1:
		return digits + strings.Repeat("0", last)
	case last < 0 && exp >= 0:
		return digits[:exp+1] + "." + digits[exp+1:]
	case exp < 0 && -exp <= maxPadding:
		return "0." + strings.Repeat("0", -exp-1) + digits
	}
	rest := digits[1:]
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
