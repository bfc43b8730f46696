package cfi

import (
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/testkit/asm"
)

// compilerFor compiles expressions for a CPU, to the text of a value or the reason why there is none.
func compilerFor(arch string, word int, big bool) func(expr []byte, use exprUse) (text, why string) {
	s := Sections{Arch: arch, Word: word}
	if big {
		s.Order = bigEndian
	}
	table, err := Open(s, Options{})
	if err != nil {
		panic(err)
	}
	f := &fde{part: &entrySection{t: table, name: ".eh_frame", eh: true}}
	return func(expr []byte, use exprUse) (text, why string) {
		v, why := table.compile(f, expr, use)
		if v.IsLost() {
			return "", why
		}
		return v.String(), why
	}
}

func TestExpressions(t *testing.T) {
	tests := []struct {
		name string
		expr []byte
		want string // or why not
	}{
		{"breg", []byte{0x77, 8}, "$rsp 8 +"},
		{"breg, no offset", []byte{0x77, 0}, "$rsp"},
		{"bregx", []byte{0x92, 16, 0x78}, "$rip -8 +"},
		{"a register without a name", []byte{0x92, 99, 0}, "register 99 has no name"},
		{"literals", []byte{0x3f, 0x30, 0x1c}, "15"},
		{"const1s", []byte{0x09, 0xf8}, "-8"},
		{"const2u", []byte{0x0a, 0xff, 0xff}, "65535"},
		{"const2s", []byte{0x0b, 0xff, 0xff}, "-1"},
		{"const4u", []byte{0x0c, 0xff, 0xff, 0xff, 0xff}, "4294967295"},
		{"const4s", []byte{0x0d, 0xff, 0xff, 0xff, 0xff}, "-1"},
		{"const8u", []byte{0x0e, 1, 0, 0, 0, 0, 0, 0, 0x80}, "-9223372036854775807"},
		{"constu", []byte{0x10, 0x80, 1}, "128"},
		{"consts", []byte{0x11, 0x7f}, "-1"},
		{"plt", []byte{0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}, "$rsp 8 + $rip 16 % 5 + 16 / 8 * +"},
		{"lazy plt of 32 bits", []byte{0x77, 4, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x32, 0x24, 0x22}, "$rsp 4 + $rip 16 % 5 + 16 / 4 * +"},
		{"deref", []byte{0x76, 0x70, 0x06}, "$rbp -16 + ^"},
		{"deref_size 8", []byte{0x76, 0, 0x94, 8}, "$rbp ^"},
		{"deref_size 4", []byte{0x76, 0, 0x94, 4}, "$rbp ^ 4294967296 %"},
		{"deref_size 1", []byte{0x76, 0, 0x94, 1}, "$rbp ^ 256 %"},
		{"deref_size 9", []byte{0x76, 0, 0x94, 9}, "a load of 9 bytes"},
		{"aligned down", []byte{0x76, 0, 0x09, 0xf0, 0x1a}, "$rbp 16 @"},
		{"and", []byte{0x76, 0, 0x73, 0, 0x1a}, "$rbp $rbx .and"},
		{"and with holes", []byte{0x76, 0, 0x35, 0x1a}, "$rbp 5 .and"},
		{"and with nothing", []byte{0x76, 0, 0x30, 0x1a}, "0"},
		{"and with everything", []byte{0x11, 0x7f, 0x76, 0, 0x1a}, "$rbp"},
		{"or", []byte{0x76, 0, 0x31, 0x21}, "$rbp 1 .or"},
		{"xor", []byte{0x76, 0, 0x31, 0x27}, "$rbp 1 .xor"},
		{"not", []byte{0x76, 0, 0x20}, "-1 $rbp -"},
		{"neg", []byte{0x76, 0, 0x1f}, "0 $rbp -"},
		{"abs", []byte{0x76, 0, 0x19}, "$rbp .abs"},
		{"abs of what is small", []byte{0x76, 0, 0x3f, 0x1a, 0x19}, "$rbp 16 %"},
		{"mul", []byte{0x76, 0, 0x33, 0x1e}, "$rbp 3 *"},
		{"div", []byte{0x76, 0, 0x33, 0x1b}, "$rbp 3 .div"},
		{"div of what is small", []byte{0x76, 0, 0x3f, 0x1a, 0x33, 0x1b}, "$rbp 16 % 3 /"},
		{"div by zero", []byte{0x76, 0, 0x30, 0x1b}, "division by zero"},
		{"mod", []byte{0x76, 0, 0x33, 0x1d}, "$rbp 3 %"},
		{"mod by zero", []byte{0x31, 0x30, 0x1d}, "division by zero"},
		{"shl", []byte{0x76, 0, 0x33, 0x24}, "$rbp 8 *"},
		{"shl by a value", []byte{0x76, 0, 0x73, 0, 0x24}, "$rbp $rbx .shl"},
		{"shl by a word", []byte{0x76, 0, 0x08, 64, 0x24}, "0"},
		{"shr", []byte{0x76, 0, 0x33, 0x25}, "$rbp 8 /"},
		{"shr by a value", []byte{0x76, 0, 0x73, 0, 0x25}, "$rbp $rbx .shr"},
		{"shra", []byte{0x76, 0, 0x33, 0x26}, "$rbp 3 .sar"},
		{"shra of what is small", []byte{0x76, 0, 0x3f, 0x1a, 0x31, 0x26}, "$rbp 16 % 2 /"},
		{"plus_uconst", []byte{0x76, 0, 0x23, 0x80, 1}, "$rbp 128 +"},
		{"eq", []byte{0x76, 0, 0x31, 0x29}, "$rbp 1 .eq"},
		{"ne", []byte{0x76, 0, 0x31, 0x2e}, "1 $rbp 1 .eq -"},
		{"lt", []byte{0x76, 0, 0x31, 0x2d}, "$rbp 1 .lt"},
		{"ge", []byte{0x76, 0, 0x31, 0x2a}, "1 $rbp 1 .lt -"},
		{"gt", []byte{0x76, 0, 0x31, 0x2b}, "1 $rbp .lt"},
		{"le", []byte{0x76, 0, 0x31, 0x2c}, "1 1 $rbp .lt -"},
		{"dup", []byte{0x76, 0, 0x12, 0x22}, "$rbp $rbp +"},
		{"drop", []byte{0x76, 0, 0x73, 0, 0x13}, "$rbp"},
		{"over", []byte{0x76, 0, 0x73, 0, 0x14, 0x1c}, "$rbx $rbp -"},
		{"pick", []byte{0x76, 0, 0x73, 0, 0x31, 0x15, 2, 0x1c}, "1 $rbp -"},
		{"swap", []byte{0x76, 0, 0x73, 0, 0x16, 0x1c}, "$rbx $rbp -"},
		{"rot", []byte{0x76, 0, 0x73, 0, 0x70, 0, 0x17, 0x1c, 0x1c}, "$rax $rbp $rbx - -"},
		{"skip", []byte{0x76, 0, 0x2f, 1, 0, 0xff, 0x23, 1}, "$rbp 1 +"},
		{"skip in circles", []byte{0x76, 0, 0x2f, 0xfd, 0xff}, "more than 128 operations"},
		{"skip out of it", []byte{0x76, 0, 0x2f, 9, 0}, "a jump to 14, out of 5 bytes"},
		{"bra on a constant", []byte{0x76, 0, 0x31, 0x28, 1, 0, 0xff, 0x23, 1}, "$rbp 1 +"},
		{"bra on a value", []byte{0x76, 0, 0x76, 0, 0x28, 0, 0}, "a branch depends on a value"},
		{"nop", []byte{0x76, 0, 0x96}, "$rbp"},
		{"addr", []byte{0x03, 0, 0, 0, 0, 0, 0, 0, 0}, "the operation 0x3"},
		{"reg", []byte{0x55}, "the operation 0x55"},
		{"call_ref", []byte{0x9a, 0, 0, 0, 0}, "the operation 0x9a"},
		{"nothing", nil, "a value is missing on the stack"},
		{"too little", []byte{0x31, 0x22}, "a value is missing on the stack"},
		{"cut", []byte{0x0e, 1}, "it ends inside of an operation"},
		{"too deep", []byte(strings.Repeat("\x31", 40)), "more than 32 values on the stack"},
		{"too long", []byte("\x76\x00" + strings.Repeat("\x12\x22", 20)), "more than 256 words of postfix"},
	}
	compile := compilerFor("amd64", 8, false)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, why := compile(tt.expr, cfaExpression)
			if text+why != tt.want || text != "" && why != "" {
				t.Errorf("%q, %q, want %q", text, why, tt.want)
			}
		})
	}
	for use, want := range map[exprUse]string{savedExpression: ".cfa 8 +", savedAtExpression: ".cfa 8 + ^"} {
		if text, _ := compile([]byte{0x23, 8}, use); text != want {
			t.Errorf("with the CFA on its stack: %q, want %q", text, want)
		}
	}
	if text, _ := compilerFor("mips64", 8, true)([]byte{0x8d, 0, 0x94, 4}, cfaExpression); text != "$sp ^ 4294967296 /" {
		t.Errorf("deref_size 4, big-endian: %q", text)
	}
}

// A dwarf is a stack of values, to execute expressions as they are meant.
type dwarf struct {
	*machineState
	stack []uint64
}

func (d *dwarf) pop() uint64 {
	v := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	return v
}

func (d *dwarf) push(v uint64) { d.stack = append(d.stack, v&d.arch.Mask()) }

func (d *dwarf) signed(v uint64) int64 {
	if d.arch.Word == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

// binary are DWARF's operations on two values, written once more.
func (d *dwarf) binary(op byte) bool {
	b, a := d.pop(), d.pop()
	truth := map[bool]uint64{true: 1}
	switch op {
	case 0x1a:
		d.push(a & b)
	case 0x1b:
		if b == 0 {
			return false
		}
		d.push(uint64(d.signed(a) / d.signed(b)))
	case 0x1c:
		d.push(a - b)
	case 0x1d:
		if b == 0 {
			return false
		}
		d.push(a % b)
	case 0x1e:
		d.push(a * b)
	case 0x21:
		d.push(a | b)
	case 0x22:
		d.push(a + b)
	case 0x24:
		d.push(a << b)
	case 0x25:
		d.push(a >> b)
	case 0x26:
		d.push(uint64(d.signed(a) >> b))
	case 0x27:
		d.push(a ^ b)
	case 0x29:
		d.push(truth[a == b])
	case 0x2a:
		d.push(truth[d.signed(a) >= d.signed(b)])
	case 0x2b:
		d.push(truth[d.signed(a) > d.signed(b)])
	case 0x2c:
		d.push(truth[d.signed(a) <= d.signed(b)])
	case 0x2d:
		d.push(truth[d.signed(a) < d.signed(b)])
	case 0x2e:
		d.push(truth[a != b])
	}
	return true
}

// TestExpressionsMeanTheSame makes random expressions, executes them, and
// compares with what their postfix comes to.
func TestExpressionsMeanTheSame(t *testing.T) {
	binaries := []byte{0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x21, 0x22, 0x24, 0x25, 0x26, 0x27, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e}
	compared := 0
	for seed := range uint64(20000) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		arch, reg0 := &cpu.AMD64, byte(0)
		if seed%2 == 1 {
			arch = &cpu.X86
		}
		d := &dwarf{machineState: newState(arch, seed)}
		names := registers[arch.Name]
		var expr []byte
		ok := true
		for range 2 + rnd.IntN(12) {
			switch n := rnd.IntN(6); {
			case len(d.stack) < 2 || n == 0:
				reg := rnd.IntN(8)
				off := rnd.Int64N(64) - 32
				expr = append(expr, join([]byte{0x70 + byte(reg) + reg0}, asm.SLEB(off))...)
				v, _ := d.Get(names[reg])
				d.push(v + uint64(off))
			case n == 1:
				v := rnd.Int64N(1<<rnd.IntN(40)+1) - 3
				expr = append(expr, join([]byte{0x11}, asm.SLEB(v))...)
				d.push(uint64(v))
			case n == 2:
				expr = append(expr, 0x06)
				v, _ := d.Word(d.pop())
				d.push(v)
			case n == 3:
				expr = append(expr, 0x30+byte(rnd.IntN(32)))
				d.push(uint64(expr[len(expr)-1] - 0x30))
			default:
				op := binaries[rnd.IntN(len(binaries))]
				expr = append(expr, op)
				ok = d.binary(op)
			}
			if !ok {
				break
			}
		}
		text, why := compilerFor(arch.Name, arch.Word, false)(expr, cfaExpression)
		m := postfix.Machine{Env: d, Size: arch.Word}
		if !ok || why != "" {
			continue
		}
		compared++
		got, err := m.Value(text)
		if want := d.pop(); err != nil || got != want {
			t.Fatalf("seed %d: %x on %s is %q, which is %#x, %v, want %#x", seed, expr, arch.Name, text, got, err, want)
		}
	}
	if compared < 15000 {
		t.Errorf("only %d expressions were compared", compared)
	}
}
