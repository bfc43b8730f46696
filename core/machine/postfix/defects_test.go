package postfix

import (
	"strings"
	"testing"
)

// Each operator says which of its operands is missing or unknown.
func TestMissingOperands(t *testing.T) {
	for _, op := range []string{"+", "-", "*", "/", "%", "@", ".and", ".or", ".xor", ".shl", ".shr", ".sar", ".div", ".lt", ".eq"} {
		for in, want := range map[string]string{
			op:                 "postfix: an operand is missing, right of " + op,
			"1 " + op:          "postfix: an operand is missing, left of " + op,
			"1 nothing " + op:  "postfix: nothing is unknown, right of " + op,
			"nothing 1 " + op:  "postfix: nothing is unknown, left of " + op,
			"$ebp $none " + op: "postfix: $none is unknown, right of " + op,
		} {
			checkBoth(t, in, 4, 0, want)
		}
	}
	for in, want := range map[string]string{
		"^":            "postfix: an operand is missing, for ^",
		"nothing ^":    "postfix: nothing is unknown, for ^",
		"nothing .abs": "postfix: nothing is unknown, for .abs",
		"=":            "postfix: an operand is missing, for =",
		"1 =":          "postfix: an operand is missing, left of =",
		"$a nothing =": "postfix: nothing is unknown, for =",
		"1 2 =":        `postfix: 0x2 is assigned to "", which is no variable`,
		"a 2 =":        `postfix: 0x2 is assigned to "a", which is no variable`,
		".cfa 2 =":     `postfix: 0x2 is assigned to ".cfa", which is no variable`,
		"":             "postfix: 0 values are left instead of 1",
		" \t\r\n\v\f":  "postfix: 0 values are left instead of 1",
		"1 2":          "postfix: 2 values are left instead of 1",
		"$a 1 =":       "postfix: 0 values are left instead of 1",
	} {
		checkBoth(t, in, 4, 0, want)
	}
}

// checkBoth evaluates a text as it is, and compiled: both say the same.
func checkBoth(t *testing.T, in string, size int, want uint64, wantErr string) {
	t.Helper()
	direct := Machine{Env: surroundings(), Size: size}
	if got, err := direct.Value(in); got != want || text(err) != wantErr {
		t.Errorf("%q: %#x, %q; want %#x, %q", in, got, text(err), want, wantErr)
	}
	program := Compile(in)
	compiled := Machine{Env: surroundings(), Size: size}
	for range 2 { // a program can be evaluated again
		if got, err := compiled.Eval(program); got != want || text(err) != wantErr {
			t.Errorf("%q, compiled: %#x, %q; want %#x, %q", in, got, text(err), want, wantErr)
		}
	}
	if program.String() != in {
		t.Errorf("%q was compiled as %q", in, program)
	}
}

// Numbers are decimal, of 64 bits at most, with one sign at most.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		in   string
		size int
		want uint64
	}{
		{"0", 8, 0}, {"-0", 8, 0}, {"+0", 8, 0}, {"007", 8, 7},
		{"18446744073709551615", 8, 1<<64 - 1}, {"18446744073709551615", 4, 1<<32 - 1},
		{"-9223372036854775808", 8, 1 << 63}, {"-1", 8, 1<<64 - 1}, {"-1", 4, 1<<32 - 1},
		{"4294967296", 4, 0}, {"4294967296", 8, 1 << 32},
	} {
		checkBoth(t, tt.in, tt.size, tt.want, "")
	}
	for _, in := range []string{"--1", "++1", "+-1", "-+1", "0x1", "1a", "1.5", "1e3", "1_000", "٣", "18446744073709551616", "-99999999999999999999", "true"} {
		checkBoth(t, in, 8, 0, "postfix: "+in+" is unknown")
	}
}

// A result has the CPU's word, whatever a register or a step before it had.
func TestWords(t *testing.T) {
	e := surroundings()
	e.names["$wide"] = 0x1_2345_6789_abcd
	for size, want := range map[int]uint64{4: 0x6789_abcd, 8: 0x1_2345_6789_abcd} {
		m := Machine{Env: e, Size: size}
		if got, err := m.Value("$wide 0 +"); got != want || err != nil {
			t.Errorf("%d bytes: %#x, %v; want %#x", size, got, err, want)
		}
		if got, err := m.Value("$wide"); got != want || err != nil {
			t.Errorf("%d bytes: %#x, %v; want %#x", size, got, err, want)
		}
	}
}

// A text of more tokens than the limit is refused, also where "=$a" is two.
func TestLimit(t *testing.T) {
	const refused = "postfix: more than 4096 tokens"
	pairs := func(n int) string { return "0" + strings.Repeat(" 1 +", n) }
	checkBoth(t, pairs(2047), 4, 2047, "") // 4,095 tokens
	checkBoth(t, pairs(2047)+" .abs", 4, 2047, "")
	checkBoth(t, pairs(2048), 4, 0, refused)
	checkBoth(t, pairs(2047)+" =$a", 4, 0, refused)
}

// Compiling stops soon behind the limit: a text of megabytes takes no more
// memory than one that is a little too long.
func TestLimitOfTokens(t *testing.T) {
	for _, text := range []string{strings.Repeat("1 ", 10*MaxSteps), strings.Repeat("=1 ", 10*MaxSteps)} {
		if got := len(Compile(text).tokens); got <= MaxSteps || got > MaxSteps+2 {
			t.Errorf("%d tokens were kept of %q..., want %d or %d", got, text[:4], MaxSteps+1, MaxSteps+2)
		}
	}
}

// What a failed program left on the stack is not seen by the next one.
func TestRunAfterFailure(t *testing.T) {
	m := Machine{Env: surroundings(), Size: 4}
	for _, tt := range []struct{ program, want string }{
		{"1 2", "postfix: 2 values are left over"},
		{"$a 1 =", ""},
		{"1 nothing +", "postfix: nothing is unknown, right of +"},
		{"$a =", "postfix: an operand is missing, left of ="},
	} {
		if err := m.Run(tt.program); text(err) != tt.want {
			t.Errorf("%q: %q, want %q", tt.program, text(err), tt.want)
		}
	}
}
