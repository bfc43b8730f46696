// Package decimal writes whole numbers of any size exactly in decimal, and
// rounds them to a number of digits.
//
// It exists for integers of 128 bits and for floats of 80 and 128 bits, which package strconv does
// not support. Package math/big does more than necessary, and would add 190 kB to the page's
// program. The caller bounds the length of a number, because Times allocates its product.
package decimal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	base   = 1_000_000_000 // of a Number's digits
	places = 9             // decimal digits in one of them
)

// A Number is a whole number, least digit first, without zeros at its end. A method may change its
// receiver; use the result.
type Number []uint32

// New returns the number whose bytes are b, the most significant one first.
func New(b []byte) Number {
	var n Number
	for _, digit := range b {
		n = n.timesPlus(256, uint32(digit))
	}
	return n
}

// Times returns n·factor^power. It takes time in proportion to the product's
// length and to power: the caller bounds both.
func (n Number) Times(factor uint32, power int) Number {
	for power > 0 && len(n) > 0 {
		step := uint32(1)
		for power > 0 && uint64(step)*uint64(factor) < base {
			step *= factor
			power--
		}
		n = n.timesPlus(step, 0)
	}
	return n
}

// timesPlus returns n·factor+carry, for both below 2^32: base·2^32 is below 2^64.
func (n Number) timesPlus(factor, carry uint32) Number {
	rest := uint64(carry)
	for i, digit := range n {
		rest += uint64(digit) * uint64(factor)
		n[i] = uint32(rest % base)
		rest /= base
	}
	for ; rest > 0; rest /= base {
		n = append(n, uint32(rest%base))
	}
	return n
}

// String writes all digits.
func (n Number) String() string {
	if len(n) == 0 {
		return "0"
	}
	var out strings.Builder
	out.WriteString(strconv.FormatUint(uint64(n[len(n)-1]), 10))
	for _, digit := range slices.Backward(n[:len(n)-1]) {
		fmt.Fprintf(&out, "%0*d", places, digit)
	}
	return out.String()
}

// Round formats n with at most count significant digits, without trailing zeros, and returns the
// power of 10 of the first digit: 0.00 is "0" and 0. It rounds halves to even, as IEEE 754 does.
func (n Number) Round(count int) (digits string, exponent int) {
	text := n.String()
	exponent = len(text) - 1
	if len(text) > count {
		kept := []byte(text[:count])
		if roundsUp(text, count) && increment(kept) {
			kept[0] = '1' // 999… is 1000… now
			exponent++
		}
		text = string(kept)
	}
	text = strings.TrimRight(text, "0")
	if text == "" {
		return "0", 0
	}
	return text, exponent
}

// roundsUp reports whether the digits from count on exceed one half, or equal it and the digit
// before is odd.
func roundsUp(text string, count int) bool {
	if text[count] != '5' || strings.Trim(text[count+1:], "0") != "" {
		return text[count] >= '5'
	}
	return count > 0 && (text[count-1]-'0')%2 == 1
}

// increment adds 1 to the last digit, and reports whether all were 9.
func increment(digits []byte) (over bool) {
	for i := range slices.Backward(digits) {
		if digits[i] != '9' {
			digits[i]++
			return false
		}
		digits[i] = '0'
	}
	return true
}
