package variables

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/values/types"
)

// debugged is the debug information of the tests' module.
type debugged struct {
	scopes
	inner   []Variable
	globals []Variable
	types   map[string]*types.Type
}

func (p debugged) Scopes(uint64) []Scope {
	return []Scope{{Function: "inner", Inlined: true, Variables: p.inner}, {Function: "f", Variables: p.scopes}}
}

func (p debugged) Statics(match func(string) bool, limit int) (out []Variable) {
	for _, v := range p.globals {
		if match(v.Name) && len(out) < limit {
			out = append(out, v)
		}
	}
	return out
}

func (debugged) StaticsAt(uint64, int) []Variable { return nil }

func (p debugged) Language(uint64) types.Language       { return types.CPlusPlus }
func (p debugged) Class(name string) *types.Type        { return p.types[name] }
func (p debugged) TypeNamed(name string) *types.Type    { return p.types[name] }
func (p debugged) VtableAt(uint64) (string, uint64)     { return "", 0 }
func (p debugged) VtableWord(rel uint64) (uint64, bool) { return 0, false }
func (p debugged) symbols() Symbols                     { return Symbols{Scopes: p, Statics: p, Classes: p, Languages: p} }
func (p debugged) frame(m memory, name string) *Context {
	f := frameOf(m)
	f.Symbols, f.Module = p.symbols(), &module.Module{CodeFile: name}
	return f
}

// evaluated is a frame whose variables have values of every kind.
func evaluated() *Context {
	node := structure("Node", 16)
	node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
	first, second := structure("First", 8, member("a", 0, long)), structure("Second", 8, member("b", 0, long))
	both := structure("Both", 24, baseOf(first, 0), baseOf(second, 8), member("c", 16, long))
	color := &types.Type{Kind: types.Enum, Name: "Color", Size: 4, Sized: true, Elem: to(integer), Language: types.CPlusPlus, Enumerators: []types.Enumerator{{Name: "red", Value: 1}, {Name: "blue", Value: 2}}}
	reference := &types.Type{Kind: types.Reference, Elem: to(integer), Size: 8, Sized: true}
	tuple := structure("(i32, i32)", 8, member("__0", 0, integer), member("__1", 4, integer))
	float4, unsigned := base(types.Float, "float", 4), base(types.Unsigned, "unsigned int", 4)
	m := memory{
		0x100: words(5<<32|0xffff_fffe, 0x200, 0x300, 0x104, 0x1000, 0x3fc0_0000_0000_0002, 0x4004_0000_0000_0000, 0),
		0x200: words(2<<32|1, 4<<32|3),
		0x300: words(7, 0x310, 8, 0),
		0x400: words(10, 20, 30),
		0x500: words(0x400),
		0x600: words(0xffff_ffff_ffff_ffff, 65),
		0x700: append([]byte("text\x00"), make([]byte, 11)...),
		0x800: words(42),
	}
	p := debugged{
		scopes: scopes{
			at("minus", 0x100, integer), at("five", 0x104, integer), at("p", 0x108, pointer(integer)), at("head", 0x110, pointer(node)),
			at("ref", 0x118, reference), at("wild", 0x120, pointer(node)), at("color", 0x128, color), at("half", 0x12c, float4), at("d", 0x130, double), at("null", 0x138, pointer(node)),
			at("pair", 0x200, tuple), at("grid", 0x200, &types.Type{Kind: types.Array, Elem: to(integer), Counts: []types.Count{{N: 2, Known: true}, {N: 2, Known: true}}}),
			at("both", 0x400, both), at("second", 0x500, pointer(second)), at("text", 0x700, array(char, 8)), at("most", 0x600, unsigned), at("letter", 0x608, char),
			{Name: "gone", Type: to(integer)}, at("lost", 0x9000, integer), at("this", 0x110, pointer(node)),
			{Name: "inside", Type: to(long), Rule: fixed{place: inRegister("rbx")}},
			{Name: "x", Type: to(integer), Rule: fixed{place: inMemory(0x104)}}, {Name: "x", Type: to(integer), Rule: fixed{place: inMemory(0x100)}, Block: Block{Depth: 1}},
			bitVariable(),
			at("word", 0x104, base(types.Signed, "long", 4)), at("wide", 0x800, base(types.Signed, "long long", 8)), at("size", 0x800, base(types.Unsigned, "unsigned long long", 8)),
			at("alias", 0x108, &types.Type{Kind: types.Typedef, Name: "Alias", Elem: to(pointer(integer))}), at("fixed", 0x108, &types.Type{Kind: types.Qualified, Name: "const", Elem: to(pointer(integer))}),
			at("raw", 0x108, pointer(nil)), at("sealed", 0x108, pointer(&types.Type{Kind: types.Qualified, Name: "const"})), at("run", 0x108, pointer(&types.Type{Kind: types.Function})),
			at("i32", 0x104, base(types.Signed, "i32", 4)), at("odd", 0x800, base(types.Signed, "int40", 5)),
		},
		inner:   []Variable{at("five", 0x300, long)},
		globals: []Variable{at("app::total", 0x800, long), at("a::twice", 0x100, integer), at("b::twice", 0x104, integer), at("five", 0x800, long), at("Node::count", 0x800, long), at("app::(anonymous namespace)::hidden", 0x800, long), at("shade", 0x128, color)},
		types:   map[string]*types.Type{"Node": node, "First": first, "Second": second, "Both": both, "Color": color, "number": {Kind: types.Typedef, Name: "number", Elem: to(long)}},
	}
	f := p.frame(m, "app.exe")
	f.Other = func(name string) *Context {
		if name != "lib.dll" {
			return nil
		}
		return debugged{globals: []Variable{at("other", 0x200, integer)}}.frame(m, "lib.dll")
	}
	return f
}

// bitVariable is a structure with a bit field.
func bitVariable() Variable {
	return at("bits", 0x100, structure("Bits", 8, bitsOf("low", 0, 3, base(types.Unsigned, "unsigned int", 4)), bitsOf("high", 32, 3, integer)))
}

// Values and types are those of C++ ([expr] of its standard). What GDB and LLDB add is written as they do.
func TestEvaluate(t *testing.T) {
	f := evaluated()
	for text, want := range map[string]string{
		"five":                           "5 int",
		"five + 1":                       "6 int",
		"five + 1u":                      "6 unsigned int",
		"five + 1ll":                     "6 long",
		"five * 1.5":                     "7.5 double",
		"five * 1.5f":                    "7.5 float",
		"7 / 2":                          "3 int",
		"-7 / 2":                         "-3 int",
		"-7 % 4":                         "-3 int",
		"7u - 8":                         "4294967295 unsigned int",
		"2147483647 + 1":                 "-2147483648 int",
		"0xffffffff":                     "4294967295 unsigned int",
		"4294967295":                     "4294967295 long",
		"0x8000000000000000":             "9223372036854775808 unsigned long",
		"1 << 4 | 3":                     "19 int",
		"minus >> 1":                     "-1 int",
		"(unsigned)minus >> 1":           "2147483647 unsigned int",
		"6 & 3 ^ 1":                      "3 int",
		"~five":                          "-6 int",
		"-most":                          "1 unsigned int",
		"most > minus":                   "true bool", // both unsigned
		"minus < five":                   "true bool",
		"(long)most > minus":             "true bool",
		"five == 5 && color == 2":        "true bool",
		"five != 5 || !five":             "false bool",
		"five ? 1 : 2.5":                 "1 double",
		"null && null->value":            "false bool",
		"1 / 2.0":                        "0.5 double",
		"half * 2":                       "3 float",
		"d > half":                       "true bool",
		"(int)d":                         "2 int",
		"(char)letter":                   "'A' char",
		"letter + 1":                     "66 int",
		"'a'":                            "'a' char",
		"(bool)five":                     "true bool",
		"(unsigned char)minus":           "'\\xfe' unsigned char",
		"(unsigned char)minus + 0":       "254 int",
		"(short)65535":                   "-1 short",
		"(number)five":                   "5 number",
		"(unsigned long)minus":           "18446744073709551614 unsigned long",
		"(Color)1":                       "red Color",
		"color":                          "blue Color",
		"Color::red":                     "red Color",
		"Color::blue == color":           "true bool",
		"color + 1":                      "3 int",
		"*p":                             "1 int",
		"p[3]":                           "4 int",
		"p[-1]":                          "<not_captured> memory at 0x1fc is not in the dump",
		"*(p + 2)":                       "3 int",
		"&p[2] - p":                      "2 long",
		"p + 1 > p":                      "true bool",
		"p == 0x200":                     "true bool",
		"p + 1":                          "0x0000000000000204 int *",
		"(long)p":                        "512 long",
		"head->next->value":              "8 long",
		"head.next.value":                "8 long",
		"(*head).value * 2":              "14 long",
		"&head->value":                   "0x0000000000000300 long *",
		"ref":                            "5 int &",
		"ref + 1":                        "6 int",
		"&ref":                           "0x0000000000000104 int *",
		"pair.1":                         "2 int",
		"grid[1][0]":                     "3 int",
		"sizeof(grid[0])":                "8 unsigned long",
		"sizeof(Node)":                   "16 unsigned long",
		"sizeof(Node *)":                 "8 unsigned long",
		"sizeof null->value":             "8 unsigned long",
		"sizeof(five + 1l)":              "8 unsigned long",
		"sizeof(gone)":                   "4 unsigned long",
		"sizeof \"abc\"":                 "4 unsigned long",
		"((Node *)0x300)->value":         "7 long",
		"*(int *)0x204":                  "2 int",
		"(Node &)both":                   " Node",
		"(int &)d":                       "0 int",
		"both.c":                         "30 long",
		"(long)(Second *)&both":          "1032 long", // at the base
		"(long)(Both *)second":           "1016 long", // around it
		"(long)(Node *)second":           "1024 long", // of no relation
		"(Both *)(Second *)0":            "nullptr Both *",
		"$rbx":                           "1234605616436508552 unsigned long",
		"$rbx + 1 == 0x1122334455667789": "true bool",
		"inside + 0":                     "1234605616436508552 long",
		"bits.low":                       "6 unsigned int",
		"bits.low - 7":                   "-1 int", // fewer bits than an int has
		"bits.high + 0":                  "-3 int",
		"text":                           "\"text\" char[8]",
		"text == \"text\"":               "true bool",
		"\"texts\" != text":              "true bool",
		"text[1]":                        "'e' char",
		"*text + 0":                      "116 int",
		"x":                              "-2 int", // of the inner block
		"total":                          "42 long",
		"app::total + 1":                 "43 long",
		"::five":                         "42 long",
		"value":                          "7 long", // of what this points to
		"this->next->value":              "8 long",
		"lib.dll!other":                  "1 int",
		"five,x":                         "0x00000005 int",
		"minus,x":                        "0xfffffffe int",
		"true":                           "true bool",
		"wide + 1":                       "43 long long",
		"1l + wide":                      "43 long long",
		"-wide":                          "-42 long long",
		"wide < size ? wide : size":      "42 unsigned long long",
		"size - 43":                      "18446744073709551615 unsigned long long",
		"wide + size":                    "84 unsigned long long",
		"size + 1ul":                     "43 unsigned long long",
		"word + 1":                       "6 long", // of Windows
		"1 + word":                       "6 long",
		"word + 1u":                      "6 unsigned int",
		"~i32":                           "-6 i32",
		"i32 * 2":                        "10 i32",
		"odd + 1":                        "43 long",
		"(unsigned)five":                 "5 unsigned int",
		"2e3 + .5":                       "2000.5 double",
		"alias + 1":                      "0x0000000000000204 Alias",
		"&alias[1] - alias":              "1 long",
		"fixed + 1 > fixed":              "true bool",
		"raw + 1":                        "0x0000000000000201 void *", // as in C of GNU
		"run + 1 > run":                  "true bool",
		"red":                            "red Color",
		"color == blue":                  "true bool",
		"app::hidden":                    "42 long",
		"&null->next":                    "0x0000000000000008 Node **",
		"(long)&((Node *)0)->next":       "8 long",
		"$ebx":                           "1432778632 unsigned int",
		"$bx + 0":                        "30600 int",
		"$bl + 0":                        "136 int",
		"$bh + 0":                        "119 int",
		"L'é'":                           "L'é' wchar_t",
		"u'a' + 0":                       "97 int",
		"u8\"text\" == text":             "true bool",
		"sizeof(wchar_t)":                "4 unsigned long",
		"static_cast<long>(d) + 1":       "3 long",
		"reinterpret_cast<Node *>(p)->value == 8589934593":     "true bool",
		"reinterpret_cast<Second *>(&both) == (Second *)&both": "false bool",
		"static_cast<Second *>(&both) == (Second *)&both":      "true bool",

		"**sealed":                   "<unreadable> a value of type void has no elements",
		"alias * 2":                  "<unreadable> there is no such arithmetic with values of type Alias",
		"-fixed":                     "<unreadable> there is no such arithmetic with values of type int *const",
		"dynamic_cast<Node *>(p)":    `<unreadable> expression "dynamic_cast<Node *>(p)" at 13: dynamic_cast is not supported here`,
		"static_cast<Node *>":        `<unreadable> expression "static_cast<Node *>" at 12: static_cast is not supported here`,
		"yellow":                     "<unreadable> there is no variable yellow in this frame, and none outside of functions in its module",
		"nope":                       "<unreadable> there is no variable nope in this frame, and none outside of functions in its module",
		"::head":                     "<unreadable> there is no variable head in this frame, and none outside of functions in its module",
		"twice":                      "<unreadable> there are several variables twice, as a::twice and b::twice",
		"none!x":                     "<unreadable> there is no module none with symbols that describe variables",
		"gone":                       "<optimized_out> the debug information has no place for it",
		"gone + 1":                   "<optimized_out> the debug information has no place for it",
		"lost + 1":                   "<not_captured> memory at 0x9000 is not in the dump",
		"wild->value":                "<not_captured> memory at 0x1000 is not in the dump",
		"null->value":                "<unreadable> the pointer is null",
		"five / 0":                   "<unreadable> a division by zero",
		"1 << 32":                    "<unreadable> a shift by 32 of 32 bits",
		"1 << -1":                    "<unreadable> a shift by -1 of 32 bits",
		"head->gone":                 "<unreadable> a value of type Node has no member gone",
		"five.a":                     "<unreadable> a value of type int has no member a",
		"*five":                      "<unreadable> a value of type int is no pointer and no array",
		"both + 1":                   "<unreadable> there is no arithmetic with values of type Both",
		"p * 2":                      "<unreadable> there is no such arithmetic with values of type int *",
		"p + p":                      "<unreadable> there is no such arithmetic with values of type int *",
		"half % 2":                   "<unreadable> there is no such arithmetic with values of type float",
		"1e300 * 1e300 > (int)1e300": "<unreadable> the number 1e+300 is no whole number",
		"&inside":                    "<unreadable> the value is not in memory, and has no address",
		"&five + &bits.low":          "<unreadable> the value is not in memory, and has no address",
		"sizeof bits.low":            "<unreadable> a bit field has no size in bytes",
		"(Gone *)p":                  "<unreadable> the debug information has no type Gone",
		"(Node)five":                 "<unreadable> a value of type int cannot be converted to Node",
		"(void)five":                 "<unreadable> the debug information has no type void",
		"text < \"a\"":               "<unreadable> only two texts that are known as a whole can be compared",
		"five == \"a\"":              "<unreadable> only two texts that are known as a whole can be compared",
		"$rbxq":                      "<optimized_out> it was in register rbxq, which the functions that were called may have overwritten",
		"$nope":                      "<optimized_out> it was in register nope, which the functions that were called may have overwritten",
		"five,s":                     "<unreadable> the format s is not supported for this value",
		"five +":                     `<unreadable> expression "five +" at 6: an operand is missing`,
		"p[half]":                    "<unreadable> an index is no whole number",
		"five@minus":                 "<unreadable> an array of -2 values",
	} {
		v := Evaluate(f, 0, text, Limits{})
		got := v.Text + " " + v.Type
		if v.State != Known {
			got = "<" + v.State.String() + "> " + v.Why
		}
		if got != want || v.Name != text || v.Evidence == nil {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// ofRust is debug information of a program of Rust.
type ofRust struct{ Languages }

func (ofRust) Language(uint64) types.Language { return types.Rust }

// In Rust, "!" of a number complements its bits.
func TestEvaluateRust(t *testing.T) {
	f := evaluated()
	f.Symbols.Languages = ofRust{}
	for text, want := range map[string]string{"!five": "-6 int", "!!five": "5 int", "!(five == 5)": "false bool", "!true": "false bool"} {
		if v := Evaluate(f, 0, text, Limits{}); v.Text+" "+v.Type != want {
			t.Errorf("%s is %s %s, want %s", text, v.Text, v.Type, want)
		}
	}
}

// The enumeration of an enumerator may be that of a variable that the expression names before it.
func TestEvaluateEnumerators(t *testing.T) {
	for text, want := range map[string]string{"shade == blue": "true", "red == shade": ""} {
		if v := Evaluate(evaluated(), 1, text, Limits{}); v.Text != want {
			t.Errorf("%s is %s (%s)", text, v.Text, v.Why)
		}
	}
}

// Slices are arrays, with the indexes of the whole.
func TestEvaluateSlices(t *testing.T) {
	for text, want := range map[string]string{
		"p[1:3]":   "[1] = 2, [2] = 3",
		"*p@2":     "[0] = 1, [1] = 2",
		"p[1:1]":   "",
		"*head":    "value = 7, next = 0x0000000000000310",
		"grid[1]":  "[0] = 3, [1] = 4",
		"inside@2": "",
	} {
		if got := shown(Evaluate(evaluated(), 0, text, Limits{}).Children); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// A name is of the scope that is chosen. An inlined call does not see its caller's variables.
func TestEvaluateScopes(t *testing.T) {
	f := evaluated()
	for text, want := range map[string]string{"five": "7", "head": ""} {
		if v := Evaluate(f, 1, text, Limits{}); v.Text != want {
			t.Errorf("%s is %s, want %s", text, v.Text, want)
		}
	}
}

// The evidence has what was read, and the rules of all variables.
func TestEvaluateEvidence(t *testing.T) {
	v := Evaluate(evaluated(), 0, "head->next->value + inside", Limits{})
	e := v.Evidence
	if len(e.Reads) != 3 || e.Reads[2].Addr != 0x310 || len(e.Registers) != 1 || e.Rule != "fixed" {
		t.Errorf("%+v", e)
	}
	if v := Evaluate(evaluated(), 0, "head->next->value", Limits{}); v.Location != "0x310" {
		t.Errorf("it is at %q", v.Location)
	}
	if v := Evaluate(evaluated(), 0, "inside", Limits{}); v.Location != "rbx" {
		t.Errorf("it is at %q", v.Location)
	}
}

// Nothing of a frame that a scan found is proved: neither registers nor variables.
func TestEvaluateGuesses(t *testing.T) {
	f := evaluated()
	f.Frame = &process.Frame{Module: f.Module, Guess: true}
	f.Regs.Set(cpu.RBX, 1)
	for _, text := range []string{"$rbx", "$pc", "five", "head->value"} {
		if v := Evaluate(f, 0, text, Limits{}); v.State != Unreadable || !strings.Contains(v.Why, "scanning") {
			t.Errorf("%s is %s (%s)", text, v.Text, v.Why)
		}
	}
	if v := Evaluate(f, 0, "::five + 1", Limits{}); v.Text != "43" {
		t.Errorf("a variable outside of functions is %s (%s)", v.Text, v.Why)
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{"head->next->value + p[1:2]", "(Both*)second,x", "sizeof(grid[1][five]) ? text == \"text\" : $rbx", "*p@5", "**sealed", "$ebx + L'a'", "static_cast<Second *>(&both)"} {
		f.Add(seed)
	}
	frame := evaluated()
	f.Fuzz(func(t *testing.T, text string) {
		if v := Evaluate(frame, 0, text, Limits{}); v.State != Known && v.Why == "" {
			t.Errorf("%q is unknown for no reason", text)
		}
	})
}

// A frame without symbols says so, and names no module.
func TestEvaluateWithoutSymbols(t *testing.T) {
	f := frameOf(memory{})
	f.Symbols = Symbols{}
	if got := Evaluate(f, 0, "x.y", Limits{}); got.Why != "there is no variable x: the frame has no symbols that describe variables" {
		t.Errorf("%q", got.Why)
	}
}
