package postfix

import (
	"fmt"
	"strings"
	"testing"
)

func TestDWARFOperators(t *testing.T) {
	const minus = ^uint64(0)
	tests := []struct {
		in   string
		size int
		want uint64
		err  string
	}{
		{in: "12 10 .and", size: 8, want: 8},
		{in: "12 10 .or", size: 8, want: 14},
		{in: "12 10 .xor", size: 8, want: 6},
		{in: "3 4 .shl", size: 8, want: 48},
		{in: "3 31 .shl", size: 4, want: 0x8000_0000},
		{in: "3 64 .shl", size: 8, want: 0},
		{in: "3 -1 .shl", size: 8, want: 0},
		{in: "-1 60 .shr", size: 8, want: 15},
		{in: "-1 28 .shr", size: 4, want: 15},
		{in: "-1 32 .shr", size: 4, want: 0},
		{in: "-16 2 .sar", size: 8, want: minus - 3},
		{in: "-16 2 .sar", size: 4, want: 0xffff_fffc},
		{in: "-16 99 .sar", size: 4, want: 0xffff_ffff},
		{in: "16 99 .sar", size: 8, want: 0},
		{in: "-7 2 .div", size: 8, want: minus - 2},
		{in: "-7 2 .div", size: 4, want: 0xffff_fffd},
		{in: "-9223372036854775808 -1 .div", size: 8, want: 1 << 63},
		{in: "1 0 .div", size: 8, err: "postfix: 0x1 .div 0: division by zero"},
		{in: "-1 0 .lt", size: 8, want: 1},
		{in: "0 -1 .lt", size: 4, want: 0},
		{in: "4294967295 0 .lt", size: 4, want: 1},
		{in: "4294967295 0 .lt", size: 8, want: 0},
		{in: "7 7 .lt", size: 8, want: 0},
		{in: "7 7 .eq", size: 8, want: 1},
		{in: "4294967296 0 .eq", size: 8, want: 0},
		{in: "4294967296 0 .eq", size: 4, want: 1},
		{in: "-5 .abs", size: 4, want: 5},
		{in: "5 .abs", size: 8, want: 5},
		{in: ".abs", size: 8, err: "postfix: an operand is missing, for .abs"},
		{in: "1 .lt", size: 8, err: "postfix: an operand is missing, left of .lt"},
		{in: "1 .cfa +", size: 4, want: 0xbfff0021},
		{in: "1 2 and", size: 4, err: "postfix: 3 values are left instead of 1"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/%d", tt.in, tt.size), func(t *testing.T) {
			m := Machine{Env: surroundings(), Size: tt.size}
			got, err := m.Value(tt.in)
			if text(err) != tt.err || got != tt.want {
				t.Errorf("%#x, %q; want %#x, %q", got, text(err), tt.want, tt.err)
			}
		})
	}
}

// The operators are names that nothing else has: STACK WIN programs use these.
func TestNamesStayNames(t *testing.T) {
	for _, name := range []string{".raSearch", ".raSearchStart", ".cbCalleeParams", ".cbSavedRegs", ".cbLocals", ".cbParams", ".cfa", ".ra", ".undef", ".", "and", "&"} {
		e := surroundings()
		e.names[name] = 9
		m := Machine{Env: e, Size: 4}
		if v, err := m.Value(name + " 1 +"); v != 10 || err != nil {
			t.Errorf("%s 1 + = %d, %v", name, v, err)
		}
	}
}

func TestTraceOfDWARF(t *testing.T) {
	var got []string
	m := Machine{Env: surroundings(), Size: 4, Trace: func(s Step) { got = append(got, s.String()) }}
	if _, err := m.Value("$ebp 15 .and -3 .abs .lt"); err != nil {
		t.Fatal(err)
	}
	want := "0xbfff0010 .and 0xf = 0x0; .abs 0xfffffffd = 0x3; 0x0 .lt 0x3 = 0x1"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", strings.Join(got, "; "), want)
	}
}
