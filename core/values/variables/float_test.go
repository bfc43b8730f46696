package variables

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// Package math/big is the truth: both must write the same digits of any bits.
func TestFloatsAsBig(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	all := map[layout]bool{bfloat: true}
	for _, l := range layouts { // 10 and 12 bytes have one layout
		all[l] = true
	}
	for l := range all {
		for range 300 {
			b := make([]byte, (1+l.exponent+l.stored())/8)
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			sparse(b[2:], random.IntN(4))
			if want, got := bigFloat(l, b), l.write(b); got != want {
				t.Fatalf("%+v, %x: got %s, want %s", l, b, got, want)
			}
		}
	}
}

// stored is the width of the significand.
func (l layout) stored() uint {
	if l.explicit {
		return l.fraction + 1
	}
	return l.fraction
}

// sparse makes long rows of zeros or ones of the last bytes.
func sparse(b []byte, kind int) {
	if kind < 2 && len(b) > 1 {
		for i := range b[1:] {
			b[i+1] = byte(-kind)
		}
	}
}

// bigFloat is what package math/big makes of a float's bits.
func bigFloat(l layout, b []byte) string {
	v := new(big.Int).SetBytes(b)
	width := int(l.stored())
	bits := func(from, count int) *big.Int {
		mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(count)), big.NewInt(1))
		return mask.And(mask, new(big.Int).Rsh(v, uint(from)))
	}
	minus := v.Bit(width+int(l.exponent)) == 1
	exponent, highest := int(bits(width, int(l.exponent)).Int64()), 1<<l.exponent-1
	significand, point := bits(0, width), int(l.fraction)
	switch {
	case exponent == highest && bits(0, point).Sign() == 0 && (!l.explicit || significand.Bit(point) == 1):
		return map[bool]string{true: "-Inf", false: "+Inf"}[minus]
	case exponent == highest, l.explicit && exponent != 0 && significand.Bit(point) == 0:
		return "NaN"
	case exponent == 0:
		exponent = 1
	case !l.explicit:
		significand.SetBit(significand, point, 1)
	}
	digits, n := rounded(significand, exponent-highest/2-point, l.digits)
	return map[bool]string{true: "-", false: ""}[minus] + place(digits, n, l.digits-1)
}

// rounded returns the digits of n·2^exp, rounded to a number of digits with halves to even, and the
// power of 10 of the first one. It is for numbers of thousands of digits, for which big.Float's Text
// takes milliseconds.
func rounded(n *big.Int, exp, digits int) (string, int) {
	if n.Sign() == 0 {
		return "0", 0
	}
	ten := min(exp, 0) // n·2^exp = n·5^-exp·10^exp
	n = new(big.Int).Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-ten)), nil))
	n.Lsh(n, uint(max(exp, 0)))
	count := len(n.String())
	ten += count - 1
	if drop := count - digits; drop > 0 {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(drop)), nil)
		rest := new(big.Int)
		n.QuoRem(n, unit, rest)
		if half := rest.Lsh(rest, 1).Cmp(unit); half > 0 || half == 0 && n.Bit(0) == 1 {
			n.Add(n, big.NewInt(1))
		}
	}
	text := n.String()
	return strings.TrimRight(text, "0"), ten + max(len(text)-digits, 0) // 9.99… is 10.0… now
}

func TestWideNumbersAsBig(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		b := make([]byte, 1+random.IntN(20))
		for i := range b {
			b[i] = byte(random.Uint32() & random.Uint32())
		}
		want := new(big.Int).SetBytes(b)
		if b[0]&0x80 != 0 {
			want.Sub(want, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			negate(b)
			want.Neg(want)
		}
		if got := fmt.Sprintf("%x", b); strings.TrimLeft(got, "0") != strings.TrimLeft(fmt.Sprintf("%x", want), "0") {
			t.Fatalf("got %s, want %x", got, want)
		}
	}
}

// The smallest float of 128 bits is the longest.
func BenchmarkLongestFloat(b *testing.B) {
	smallest := []byte{0, 0, 15: 1}
	for b.Loop() {
		layouts[16].write(smallest)
	}
}
