package unwind

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"crashglass/core/machine/postfix"
)

// Names in rules that are not registers.
const (
	CFA = ".cfa" // the canonical frame address: the caller's stack pointer, unless a rule restores that
	RA  = ".ra"  // the return address
)

// A Rule finds the value that one register had in the caller, the canonical
// frame address or the return address.
type Rule struct {
	Reg  string // CFA, RA, or a register as symbol files write it, with or without '$'
	From Value
}

// A Value is the source of a value: a place or, if a place does not suffice, an expression. The
// zero Value is lost: it cannot be restored.
//
//	{Base: "$rsp", Off: 16}           rsp + 16
//	{Base: CFA, Off: -8, Load: true}  the word at the CFA - 8
type Value struct {
	Base string // a register of the callee, or CFA; "" if Expr is used, or the value is lost
	Off  int64
	Load bool  // the value is the word there, and not the address
	Size uint8 // size of that word in bytes, whose lower part is the value; 0 for the CPU's size

	Expr *postfix.Program // a DWARF expression, or a symbol file's expression that is not a place
}

// At is the value of a register plus an offset.
func At(base string, off int64) Value { return Value{Base: base, Off: off} }

// Word is the word at an offset from the value of a register.
func Word(base string, off int64) Value { return Value{Base: base, Off: off, Load: true} }

// IsLost reports whether the value is unknown in the caller.
func (v Value) IsLost() bool { return v.Base == "" && v.Expr == nil }

// Equal reports whether two values are written the same way.
func (v Value) Equal(other Value) bool {
	if v.Expr != nil && other.Expr != nil {
		return v.Expr.String() == other.Expr.String()
	}
	return v == other
}

// Equal reports whether two rules are about one register and written the same way.
func (r Rule) Equal(other Rule) bool { return r.Reg == other.Reg && r.From.Equal(other.From) }

// lost is Breakpad's text for a lost value: a name without a value, whose evaluation fails.
const lost = ".undef"

// ParseValue reads an expression of a symbol file. Any text is a Value; a wrong expression fails
// when it is evaluated.
func ParseValue(text string) Value {
	if text == lost {
		return Value{}
	}
	if v, ok := parsePlace(text); ok {
		return v
	}
	return Value{Expr: postfix.Compile(text)}
}

// parsePlace reads a place: a name, an optional offset with + or -, and an optional ^. Spaces are
// those of ASCII, as in package postfix.
func parsePlace(text string) (v Value, ok bool) {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return v, false
	}
	words := strings.Fields(text)
	if n := len(words); n > 0 && words[n-1] == "^" {
		v.Load, words = true, words[:n-1]
	}
	if len(words) != 1 && len(words) != 3 || !isBase(words[0]) {
		return v, false
	}
	v.Base = words[0]
	if len(words) == 1 {
		return v, true
	}
	off, err := strconv.ParseInt(words[1], 10, 64)
	if words[2] == "-" {
		off = -off
	}
	v.Off = off
	return v, err == nil && off != minOffset && (words[2] == "+" || words[2] == "-")
}

// minOffset is the only offset that cannot be negated.
const minOffset = -1 << 63

// isBase reports whether a word can be only the name of a register, or CFA.
func isBase(word string) bool {
	c := word[0]
	return word == CFA || c == '$' && len(word) > 1 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// String writes a value as Breakpad's symbol files do: "$rsp 16 +", ".cfa -8 + ^".
func (v Value) String() string { return string(v.append(nil, v.Off != 0)) }

func (v Value) append(text []byte, offset bool) []byte {
	if v.IsLost() {
		return append(text, lost...)
	}
	if v.Expr != nil {
		return append(text, v.Expr.String()...)
	}
	text = append(text, v.Base...)
	if offset {
		text = append(strconv.AppendInt(append(text, ' '), v.Off, 10), " +"...)
	}
	if v.Load {
		text = append(text, " ^"...)
	}
	return text
}

// Text returns a rule's value as symbol files write it. A CFA always has an offset there.
func (r Rule) Text() string { return string(r.AppendText(nil)) }

// AppendText appends Text.
func (r Rule) AppendText(text []byte) []byte {
	return r.From.append(text, r.Reg == CFA || r.From.Off != 0)
}

// String writes a rule as in a STACK CFI record: ".cfa: $rsp 16 +".
func (r Rule) String() string { return r.Reg + ": " + r.Text() }

// RuleText writes rules as in a STACK CFI record.
func RuleText(rules []Rule) string {
	var text []byte
	for i, r := range rules {
		if i > 0 {
			text = append(text, ' ')
		}
		text = r.AppendText(append(append(text, r.Reg...), ": "...))
	}
	return string(text)
}

// sameReg reports whether two names mean one register, such as "$rbx" and "rbx".
func sameReg(a, b string) bool {
	return a == b || strings.TrimPrefix(a, "$") == strings.TrimPrefix(b, "$")
}

// Find returns the value of a register in rules.
func Find(rules []Rule, reg string) (Value, bool) {
	for i := range rules {
		if rules[i].Reg == reg {
			return rules[i].From, true
		}
	}
	return Value{}, false
}

// Apply changes rules by a following row. At most limit rules stay; 0 means any number.
func Apply(rules, row []Rule, limit int) []Rule {
	for _, r := range row {
		i := slices.IndexFunc(rules, func(have Rule) bool { return sameReg(have.Reg, r.Reg) })
		switch {
		case i >= 0:
			rules[i] = r
		case limit == 0 || len(rules) < limit:
			rules = append(rules, r)
		}
	}
	return rules
}

// Diff appends to out the row that turns rules into now. A register without a rule in now gets the
// callee's value.
func Diff(out, before, now []Rule) []Rule {
	for i, r := range now {
		if j := near(before, i, r.Reg); j < 0 || !before[j].From.Equal(r.From) {
			out = append(out, r)
		}
	}
	for i, r := range before {
		if r.Reg != CFA && r.Reg != RA && near(now, i, r.Reg) < 0 {
			out = append(out, Rule{r.Reg, At(r.Reg, 0)})
		}
	}
	return out
}

// near returns the index of a register's rule, or -1. It tries index i first, where other rows of
// the function have it.
func near(rules []Rule, i int, reg string) int {
	if i < len(rules) && rules[i].Reg == reg {
		return i
	}
	return slices.IndexFunc(rules, func(r Rule) bool { return sameReg(r.Reg, reg) })
}
