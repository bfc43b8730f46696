package demangle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A decorator makes up C++ entities and writes them as Microsoft's compiler
// would, from what is published of the grammar. It shares nothing with the
// parser: it knows how to write names, and not what they look like in C++.
type decorator struct {
	*rand.Rand
	names  []string // what digits refer to
	params []string
	depth  int
}

// decorated returns n different names, always the same ones.
func decorated(n int) (out []string) {
	rnd := rand.New(rand.NewPCG(2011, 7))
	seen := map[string]bool{}
	for len(out) < n {
		d := &decorator{Rand: rnd}
		if name := d.any(); !seen[name] && len(name) < 1500 {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (d *decorator) one(options ...string) string { return options[d.IntN(len(options))] }

// in reports true once in n times.
func (d *decorator) in(n int) bool { return d.IntN(n) == 0 }

// times repeats make up to n times.
func (d *decorator) times(n int, make func() string) (out string) {
	for range d.IntN(n + 1) {
		out += make()
	}
	return out
}

// deeper runs make one level down, or flat where it is deep enough.
func (d *decorator) deeper(flat, make func() string) string {
	if d.depth >= 4 {
		return flat()
	}
	d.depth++
	defer func() { d.depth-- }()
	return make()
}

// number writes a number: 1 to 10 as a digit, others in hexadecimal from A.
func number(n int) string {
	if n < 0 {
		return "?" + number(-n)
	}
	if n >= 1 && n <= 10 {
		return fmt.Sprint(n - 1)
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' {
			return r - 'a' + 'A' + 10
		}
		return r - '0' + 'A'
	}, fmt.Sprintf("%x", n)) + "@"
}

// refer writes a piece of a name, or the digit of one that was written before.
func (d *decorator) refer(piece string) string {
	if i := slices.Index(d.names, piece); i >= 0 {
		return fmt.Sprint(i)
	}
	if len(d.names) < 10 {
		d.names = append(d.names, piece)
	}
	return piece
}

func (d *decorator) word() string {
	return d.one("foo", "bar", "baz", "Widget", "node", "x", "y", "operator_", "_Tree", "a1", "<lambda_1>", "<lambda_7f3d>", "value_type", "std", "detail")
}

func (d *decorator) simple() string { return d.refer(d.word() + "@") }

// fresh runs make where digits refer only to what it wrote itself.
func (d *decorator) fresh(make func() string) string {
	names, params := d.names, d.params
	d.names, d.params = nil, nil
	defer func() { d.names, d.params = names, params }()
	return make()
}

func (d *decorator) template() string {
	return d.refer(d.fresh(func() string { return "?$" + d.simple() + d.arguments() }))
}

// any is a whole name of any kind.
func (d *decorator) any() string {
	switch d.IntN(20) {
	case 0, 1:
		return d.special()
	case 2:
		return d.stringLiteral()
	case 3:
		return d.initialiser()
	case 4:
		return d.thunk()
	}
	return d.symbol()
}

func (d *decorator) symbol() string {
	if d.in(5) {
		return d.variable()
	}
	return d.function()
}

// plain is a function with a plain name, as an argument of a template: digits
// refer also to an operator or an instance there, but not elsewhere.
func (d *decorator) plain() string {
	return "?" + d.simple() + d.scopes() + "Y" + d.functionType()
}

func (d *decorator) variable() string {
	out := "?" + d.simple() + d.scopes() + d.one("0", "1", "2", "3", "3", "4")
	if d.in(3) {
		return out + d.one("P", "Q", "A", "R") + "E" + d.one("A", "B") + d.primitive() + "E" + d.one("A", "B", "C", "D")
	}
	if d.in(2) {
		return out + d.class() + d.one("A", "B", "C", "D")
	}
	return out + d.primitive() + d.one("A", "B", "C", "D")
}

func (d *decorator) function() string {
	switch d.IntN(8) {
	case 0:
		return "??" + d.one("0", "1") + d.simple() + d.scopes() + d.method() + d.this() + "A@" + d.rest()
	case 1:
		return "??B" + d.simple() + d.scopes() + d.method() + d.this() + d.functionType()
	case 2:
		return "?" + d.operator() + d.simple() + d.scopes() + d.method() + d.this() + d.functionType()
	case 3:
		return "?" + d.instance() + d.scopes() + "Y" + d.functionType()
	case 4:
		return "?" + d.simple() + d.simple() + d.scopes() + d.one("C", "K", "S", "D") + d.functionType()
	case 5:
		return "?" + d.simple() + d.simple() + d.scopes() + d.method() + d.this() + d.functionType()
	}
	return "?" + d.simple() + d.scopes() + d.one("Y", "Y", "Z", "$$J0Y") + d.functionType()
}

// instance is a function template's, which digits do not refer to.
func (d *decorator) instance() string {
	return d.fresh(func() string {
		if d.in(4) {
			return "?$" + d.one("?H", "?R", "?M") + d.arguments()
		}
		return "?$" + d.simple() + d.arguments()
	})
}

func (d *decorator) method() string { return d.one("A", "E", "I", "M", "Q", "U", "R", "V", "B", "F") }

func (d *decorator) operator() string {
	return "?" + d.one("2", "3", "4", "5", "6", "7", "8", "9", "A", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U",
		"V", "W", "X", "Y", "Z", "_0", "_1", "_2", "_3", "_4", "_5", "_6", "_D", "_E", "_F", "_G", "_H", "_I", "_J", "_K", "_L", "_M", "_N", "_O", "_T", "_U",
		"_V", "__A", "__B", "__C", "__D", "__G", "__H", "__I", "__L", "__M", "__K_km@")
}

func (d *decorator) special() string {
	switch d.IntN(12) {
	case 0:
		return "??_7" + d.simple() + d.scopes() + "6" + d.one("A", "B") + d.base() + "@"
	case 1:
		return "??_8" + d.simple() + d.scopes() + "7" + d.one("A", "B") + d.base() + "@"
	case 2:
		return "??_R4" + d.simple() + d.scopes() + "6" + d.one("A", "B") + d.base() + "@"
	case 3:
		return "??_S" + d.simple() + d.scopes() + "6B" + d.base() + "@"
	case 4:
		return "??_R0" + d.one("?A", "") + d.class() + "@8"
	case 5:
		return "??_R1" + number(d.pick(0, 8, 64)) + number(d.pick(0, -1, 4)) + number(0) + number(d.pick(64, 80)) + d.simple() + d.scopes() + "8"
	case 6:
		return d.one("??_R2", "??_R3") + d.simple() + d.scopes() + "8"
	case 7:
		return d.one("??_B", "??__J") + d.simple() + d.scopes() + d.one("4IA", "5", "51", "5BA@")
	case 8:
		return "??_9" + d.simple() + d.scopes() + "$B" + number(d.pick(0, 8, 16, 128)) + "A" + d.convention()
	case 9:
		return "." + d.one("?A", "") + d.class()
	case 10:
		return "??@" + strings.Repeat(d.one("0", "a", "7"), 32) + "@" + d.one("", "??_R4@")
	}
	return d.localStatic()
}

// base is what a table is for, if it says so. undname 14 reads one.
func (d *decorator) base() string {
	if d.in(2) {
		return ""
	}
	return d.typeName()
}

// localStatic is a variable of a class in a function.
func (d *decorator) localStatic() string {
	return "?" + d.simple() + "?" + d.one("1", "BA@") + "?" + d.function() + "@4" + d.class() + d.one("A", "B")
}

func (d *decorator) thunk() string {
	out := "?" + d.one("f@", "?_G", "?_E") + d.simple() + d.scopes()
	switch d.IntN(3) {
	case 0:
		out += d.one("G", "O", "W", "X") + number(d.pick(8, 16, 72))
	case 1:
		out += "$" + d.one("0", "1", "2", "3", "4", "5") + number(d.pick(-4, 4)) + number(d.pick(0, 16))
	default:
		out += "$R" + d.one("0", "2", "4", "5") + number(16) + number(d.pick(4, 8)) + number(-4) + number(d.pick(0, 99))
	}
	return out + d.this() + d.functionType()
}

func (d *decorator) initialiser() string {
	stub := d.one("??__E", "??__F")
	if d.in(3) {
		return stub + d.simple() + d.scopes() + "YAXXZ"
	}
	return stub + d.initialised() + "YAXXZ"
}

// initialised is a variable as initialisers name it: with a question mark and
// two ends, or as older compilers wrote it.
func (d *decorator) initialised() string {
	if d.in(2) {
		return d.variable() + "@@"
	}
	return d.variable()[1:] + "@"
}

// stringLiteral is a string of bytes, of wchar_t, or of larger characters.
func (d *decorator) stringLiteral() string {
	text := d.one("", "a", "hello", "it's \"x\"\\", "tab\tnl\n", "a longer text that is cut off where it has 32 bytes", "caf\xe9 \xc4\x01\x7f", "0,1/2:3.4-5")
	width := d.pick(1, 1, 1, 2, 4)
	wide := d.in(3)
	if wide {
		width = 2
	}
	var data []byte
	for _, b := range append([]byte(text), 0) {
		char := append([]byte{b}, make([]byte, width-1)...)
		if wide {
			slices.Reverse(char)
		}
		data = append(data, char...)
	}
	size := len(data)
	out := "??_C@_" + map[bool]string{false: "0", true: "1"}[wide] + number(size) + "ABCDEFGH@"
	most := 32
	if wide {
		most = 64
	}
	for _, b := range data[:min(size, most)] {
		out += char(b)
	}
	return out + "@"
}

// char writes one byte of a string.
func char(b byte) string {
	if i := strings.IndexByte(",/\\:. \n\t'-", b); i >= 0 {
		return fmt.Sprintf("?%d", i)
	}
	switch {
	case b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '$':
		return string(rune(b))
	case b >= 0xe1 && b <= 0xfa, b >= 0xc1 && b <= 0xda:
		return "?" + string(rune(b-0x80))
	}
	return "?$" + string(rune('A'+b>>4)) + string(rune('A'+b&15))
}
