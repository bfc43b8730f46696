package variables

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		number whole
		want   string
	}{
		{newWhole(nil), "0"},
		{newWhole([]byte{0, 0}), "0"},
		{newWhole([]byte{1, 0}), "256"},
		{newWhole([]byte{0x3b, 0x9a, 0xca, 0x00}), "1000000000"}, // the base
		{newWhole([]byte{0x3b, 0x9a, 0xc9, 0xff}), "999999999"},
		{newWhole([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")), "340282366920938463463374607431768211455"},
		{newWhole([]byte{1}).times(2, 100), "1267650600228229401496703205376"},
		{newWhole([]byte{3}).times(5, 30), "2793967723846435546875"},
		{newWhole(nil).times(5, 30), "0"},
	} {
		if got := c.number.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct {
		number   uint16
		count    int
		want     string
		exponent int
	}{
		{0, 3, "0", 0},
		{1200, 3, "12", 3},
		{1234, 3, "123", 3},
		{1235, 3, "124", 3}, // half, and 3 is odd
		{1245, 3, "124", 3}, // half, and 4 is even
		{12451, 3, "125", 4},
		{9996, 3, "1", 4},
		{9994, 3, "999", 3},
	} {
		got, exponent := newWhole([]byte{byte(c.number >> 8), byte(c.number)}).round(c.count)
		if got != c.want || exponent != c.exponent {
			t.Errorf("%d to %d digits: got %s, 10^%d, want %s, 10^%d", c.number, c.count, got, exponent, c.want, c.exponent)
		}
	}
}

// Package math/big is the truth: both must write the same of any number.
func TestAsBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, random.IntN(20))
		for i := range b {
			b[i] = byte(random.Uint32() & random.Uint32() & random.Uint32()) // many zeros
		}
		factor, power := []uint32{2, 5}[random.IntN(2)], random.IntN(200)
		want := new(big.Int).SetBytes(b)
		want.Mul(want, new(big.Int).Exp(big.NewInt(int64(factor)), big.NewInt(int64(power)), nil))
		n := newWhole(b).times(factor, power)
		if got := n.String(); got != want.String() {
			t.Fatalf("%x·%d^%d: got %s, want %s", b, factor, power, got, want)
		}
		count := 1 + random.IntN(40)
		digits, exponent := n.round(count)
		if got, want := scientific(digits, exponent, count), bigText(want, count); got != want {
			t.Fatalf("%s to %d digits: got %s, want %s", n, count, got, want)
		}
	}
}

func scientific(digits string, exponent, count int) string {
	digits += strings.Repeat("0", count-len(digits))
	if count > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return fmt.Sprintf("%se%+03d", digits, exponent)
}

func bigText(n *big.Int, count int) string {
	return new(big.Float).SetPrec(2000).SetInt(n).Text('e', count-1)
}

// A power of 10 is kept as it is, and one digit below it rounds up to it: each
// place of a digit of the number's base is crossed.
func TestPowersOfTen(t *testing.T) {
	for power := range 60 {
		n := newWhole([]byte{1}).times(10, power)
		if got, want := n.String(), "1"+strings.Repeat("0", power); got != want {
			t.Errorf("10^%d: got %s", power, got)
		}
		below, _ := new(big.Int).SetString(strings.Repeat("9", power+1), 10)
		if digits, exponent := newWhole(below.Bytes()).round(power + 1); digits != strings.Repeat("9", power+1) || exponent != power {
			t.Errorf("10^%d-1: got %s, 10^%d", power+1, digits, exponent)
		}
		if digits, exponent := newWhole(below.Bytes()).round(max(power, 1)); power > 0 && (digits != "1" || exponent != power+1) {
			t.Errorf("10^%d-1, rounded: got %s, 10^%d", power+1, digits, exponent)
		}
	}
}
