package variables

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Package math/big is the truth: both must write the same digits of any bits.
func TestFloatsAsBig(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	all := map[string]layout{"bfloat": bfloat}
	for size, l := range layouts {
		all[strconv.FormatUint(size, 10)] = l
	}
	for name, l := range all {
		for range 300 {
			b := make([]byte, l.bytes())
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			sparse(b[2:], random.IntN(4))
			if want, got := bigFloat(l, b), l.write(slices.Clone(b)); got != want {
				t.Fatalf("%s, %x: got %s, want %s", name, b, got, want)
			}
		}
	}
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
	width := int(l.wholeWidth()) - 1
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
	f := new(big.Float).SetPrec(256).SetInt(significand)
	f.SetMantExp(f, exponent-highest/2-point)
	mantissa, exp, _ := strings.Cut(f.Text('e', l.digits-1), "e")
	digits := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	n, _ := strconv.Atoi(exp)
	if digits == "" {
		digits, n = "0", 0
	}
	return map[bool]string{true: "-", false: ""}[minus] + place(digits, n, l.digits-1)
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
		layouts[16].write(slices.Clone(smallest))
	}
}
