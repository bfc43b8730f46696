package variables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A whole is a whole number of any size, least digit first, without zeros at its end. It exists for integers and floats of 128
// bits, which package strconv does not support. Package math/big would add 196 kB to the page's program, 35 kB compressed.
// A method may change its receiver; use the result.
type whole []uint32

const (
	wholeBase   = 1_000_000_000 // of the digits
	wholePlaces = 9             // decimal digits in one of them
)

// newWhole returns the number whose bytes are b, the most significant one first.
func newWhole(b []byte) whole {
	var n whole
	for _, digit := range b {
		n = n.timesPlus(256, uint32(digit))
	}
	return n
}

// times returns n·factor^power. It takes time in proportion to the product's length and to power: the caller bounds both.
func (n whole) times(factor uint32, power int) whole {
	for power > 0 && len(n) > 0 {
		step := uint32(1)
		for ; power > 0 && uint64(step)*uint64(factor) < wholeBase; power-- {
			step *= factor
		}
		n = n.timesPlus(step, 0)
	}
	return n
}

// timesPlus returns n·factor+carry, for both below 2^32: wholeBase·2^32 is below 2^64.
func (n whole) timesPlus(factor, carry uint32) whole {
	rest := uint64(carry)
	for i, digit := range n {
		rest += uint64(digit) * uint64(factor)
		n[i] = uint32(rest % wholeBase)
		rest /= wholeBase
	}
	for ; rest > 0; rest /= wholeBase {
		n = append(n, uint32(rest%wholeBase))
	}
	return n
}

// String writes all digits.
func (n whole) String() string {
	if len(n) == 0 {
		return "0"
	}
	var out strings.Builder
	out.WriteString(strconv.FormatUint(uint64(n[len(n)-1]), 10))
	for _, digit := range slices.Backward(n[:len(n)-1]) {
		fmt.Fprintf(&out, "%0*d", wholePlaces, digit)
	}
	return out.String()
}

// round returns at most count digits of n, without zeros at the end, and the power of 10 of the first one: 0 is "0" and 0. It
// rounds halves to even, as IEEE 754 does.
func (n whole) round(count int) (digits string, exponent int) {
	digits = n.String()
	exponent = len(digits) - 1
	if len(digits) > count {
		rest := strings.TrimRight(digits[count:], "0")
		if digits = digits[:count]; rest > "5" || rest == "5" && digits[count-1]%2 == 1 {
			digits = strings.TrimRight(digits, "9")
			last := len(digits) - 1
			if last < 0 { // 999… becomes 1000…
				return "1", exponent + 1
			}
			digits = digits[:last] + string(digits[last]+1)
		}
	}
	if digits = strings.TrimRight(digits, "0"); digits == "" {
		return "0", 0
	}
	return digits, exponent
}
