package postfix

import (
	"fmt"
	"strings"
	"testing"
)

// env is a machine's surroundings in a test.
type env struct {
	names  map[string]uint64
	memory map[uint64]uint64
}

func (e env) Get(name string) (uint64, bool) { v, ok := e.names[name]; return v, ok }
func (e env) Set(name string, v uint64)      { e.names[name] = v }
func (e env) Word(addr uint64) (uint64, bool) {
	v, ok := e.memory[addr]
	return v, ok
}

func surroundings() env {
	return env{
		names:  map[string]uint64{"$ebp": 0xbfff0010, "$esp": 0xbfff0000, ".cfa": 0xbfff0020},
		memory: map[uint64]uint64{0xbfff0010: 0xbfff0100, 0xbfff0014: 0x10000},
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		in   string
		size int
		want uint64
		err  string
	}{
		{in: "7", size: 4, want: 7},
		{in: "+7", size: 4, want: 7},
		{in: "-8", size: 4, want: 0xffff_fff8},
		{in: "-8", size: 8, want: 0xffff_ffff_ffff_fff8},
		{in: "$ebp 4 +", size: 4, want: 0xbfff0014},
		{in: "$ebp\t4  + ", size: 4, want: 0xbfff0014},
		{in: ".cfa 4 -", size: 4, want: 0xbfff001c},
		{in: "$ebp 4 + ^", size: 4, want: 0x10000},
		{in: "$ebp ^ ^", size: 4, err: "postfix: no memory at 0xbfff0100"},
		{in: "6 7 *", size: 4, want: 42},
		{in: "43 6 /", size: 4, want: 7},
		{in: "43 6 %", size: 4, want: 1},
		{in: "1 0 /", size: 4, err: "postfix: 0x1 / 0: division by zero"},
		{in: "1 0 %", size: 4, err: "postfix: 0x1 % 0: division by zero"},
		{in: "$ebp 16 @", size: 4, want: 0xbfff0010},
		{in: "31 16 @", size: 8, want: 16},
		{in: "31 3 @", size: 8, err: "postfix: 0x1f @ 0x3: the alignment is not a power of two"},
		{in: "31 0 @", size: 8, err: "postfix: 0x1f @ 0x0: the alignment is not a power of two"},
		{in: "4294967295 2 +", size: 4, want: 1},
		{in: "4294967295 2 +", size: 8, want: 0x1_0000_0001},
		{in: "3 5 -", size: 4, want: 0xffff_fffe},
		{in: "65536 65536 *", size: 4, want: 0},
		{in: "0x10", size: 4, err: "postfix: 0x10 is unknown"},
		{in: "18446744073709551616", size: 8, err: "postfix: 18446744073709551616 is unknown"},
		{in: ".undef", size: 4, err: "postfix: .undef is unknown"},
		{in: "", size: 4, err: "postfix: 0 values are left instead of 1"},
		{in: "1 2", size: 4, err: "postfix: 2 values are left instead of 1"},
		{in: "1 +", size: 4, err: "postfix: an operand is missing, left of +"},
		{in: "+", size: 4, err: "postfix: an operand is missing, right of +"},
		{in: "^", size: 4, err: "postfix: an operand is missing, for ^"},
		{in: "=", size: 4, err: "postfix: an operand is missing, for ="},
		{in: "1 =", size: 4, err: "postfix: an operand is missing, left of ="},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/%d", tt.in, tt.size), func(t *testing.T) {
			m := Machine{Env: surroundings(), Size: tt.size}
			got, err := m.Value(tt.in)
			if text(err) != tt.err {
				t.Fatalf("error %q, want %q", text(err), tt.err)
			}
			if got != tt.want {
				t.Errorf("%#x, want %#x", got, tt.want)
			}
		})
	}
}

func TestRun(t *testing.T) {
	tests := []struct {
		name, in string
		want     map[string]uint64
		err      string
	}{
		{
			name: "a standard frame",
			in:   "$eip $ebp 4 + ^ = $esp $ebp 8 + = $ebp $ebp ^ =",
			want: map[string]uint64{"$eip": 0x10000, "$esp": 0xbfff0018, "$ebp": 0xbfff0100},
		},
		{
			name: "a temporary",
			in:   "$T0 $ebp = $eip $T0 4 + ^ =",
			want: map[string]uint64{"$T0": 0xbfff0010, "$eip": 0x10000},
		},
		{
			name: "no space behind =",
			in:   "$eip $ebp 4 + ^ =$esp $ebp 8 + =",
			want: map[string]uint64{"$eip": 0x10000, "$esp": 0xbfff0018},
		},
		{name: "nothing to do", in: "", want: map[string]uint64{}},
		{name: "a value left over", in: "$eip 4 = 5", err: "postfix: 1 values are left over"},
		{name: "no variable", in: "eip 4 =", err: `postfix: 0x4 is assigned to "eip", which is no variable`},
		{name: "a number", in: "5 4 =", err: `postfix: 0x4 is assigned to "", which is no variable`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := surroundings()
			m := Machine{Env: e, Size: 4}
			if err := m.Run(tt.in); text(err) != tt.err {
				t.Fatalf("error %q, want %q", text(err), tt.err)
			}
			for name, want := range tt.want {
				if e.names[name] != want {
					t.Errorf("%s = %#x, want %#x", name, e.names[name], want)
				}
			}
		})
	}
}

func TestStepLimit(t *testing.T) {
	m := Machine{Env: surroundings(), Size: 8}
	if _, err := m.Value("1" + strings.Repeat(" 1 +", MaxSteps/2-1)); err != nil {
		t.Errorf("%d tokens: %v", MaxSteps-1, err)
	}
	_, err := m.Value("1" + strings.Repeat(" 1 +", MaxSteps/2))
	if want := "postfix: more than 4096 tokens"; text(err) != want {
		t.Errorf("error %q, want %q", text(err), want)
	}
}

func TestTrace(t *testing.T) {
	var got []string
	m := Machine{Env: surroundings(), Size: 4, Trace: func(s Step) { got = append(got, s.String()) }}
	if err := m.Run("$eip $ebp 4 + ^ ="); err != nil {
		t.Fatal(err)
	}
	want := []string{"0xbfff0010 + 0x4 = 0xbfff0014", "[0xbfff0014] = 0x10000", "$eip = 0x10000"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("trace\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A machine is kept over a whole walk: evaluating must not allocate.
func TestValueAllocatesNothing(t *testing.T) {
	m := Machine{Env: surroundings(), Size: 4}
	run := func() {
		if _, err := m.Value("$ebp 4 + ^"); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations for an expression", n)
	}
}

// FuzzValue checks that any text gives a value of the word's size or an error.
func FuzzValue(f *testing.F) {
	f.Add("$ebp 4 + ^ =$eip")
	f.Add("-1 0 % @ / ^")
	f.Add("$ebp 15 .and 11 .lt -3 .abs .sar 2 .div")
	f.Fuzz(func(t *testing.T, in string) {
		m := Machine{Env: surroundings(), Size: 4}
		v, err := m.Value(in)
		if err == nil && v > 0xffff_ffff {
			t.Errorf("%q is %#x on a 32-bit CPU", in, v)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "postfix: ") {
			t.Errorf("%q: error %q does not say where it is from", in, err)
		}
		if err := m.Run(in); err != nil && strings.Contains(err.Error(), "\n") && !strings.Contains(in, "\n") {
			t.Errorf("%q: error of several lines", in)
		}
	})
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
