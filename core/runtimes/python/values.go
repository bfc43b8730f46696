package python

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"crashglass/core/runtimes"
)

// Kinds of a variable, and flags of a function. Sources: Include/internal/pycore_code.h, CO_FAST_*, and Include/cpython/code.h, CO_*.
const (
	fastHidden = 0x10
	fastCell   = 0x40
	fastFree   = 0x80

	flagRest     = 0x4 // *args
	flagKeywords = 0x8 // **kwargs
)

// keywordOnly is the number of arguments that are keywords only, behind that of all others and of the positional ones.
const keywordOnly = 8

// The bounds of one query.
const (
	mostSlots  = 1 << 10 // variables of a call
	mostValues = 1 << 12
	mostKeys   = 1 << 16 // entries of dictionaries, also of what is no value
	mostNested = 5
	mostText   = 256 // characters
	mostDigits = 64  // of an int, with 30 bits each
	mostShown  = 80  // bytes of a container's summary
)

// A reader reads the values of one query.
type reader struct {
	*finder
	bytes    func(addr uint64, n int) []byte // also from modules' files
	elements int                             // of a container that is a variable
	left     int                             // values
	keys     int                             // entries of dictionaries so far
}

// variables reads the variables of a call: locals with arguments first, and the globals of its module. It is a [runtimes.Found]'s.
func (f *finder) variables(call *runtimes.Call, elements int, bytes func(addr uint64, n int) []byte) (locals, globals []runtimes.Value) {
	if f.shared || call.Frame == 0 {
		return nil, nil
	}
	r := &reader{finder: f, bytes: bytes, elements: elements, left: mostValues}
	object, _ := f.word(call.Frame + f.at[frameCode])
	names, _ := f.word(call.Frame + f.at[frameNames])
	module, _ := f.word(call.Frame + f.at[frameGlobals])
	locals = r.slots(call.Frame, object&^7)
	if names &^= 7; names != 0 && names != module { // of a class body
		locals = append(locals, r.named(names, false)...)
	}
	if call.Function == "<module>" && names == module {
		return append(locals, r.named(module, true)...), nil
	}
	return locals, r.named(module, true)
}

// slots reads the variables that a function keeps in its frame.
func (r *reader) slots(frame, code uint64) (out []runtimes.Value) {
	names, _ := r.word(code + r.at[codeSlots])
	kinds, _ := r.word(code + r.at[codeKinds])
	count, ok := r.word(names + r.at[tupleSize])
	if !ok || count > mostSlots || !r.is("tuple", names) || !r.is("bytes", kinds) {
		return nil
	}
	arguments, _ := r.p.Memory.Word(code+r.at[codeArgs], 4)
	keywords, _ := r.p.Memory.Word(code+r.at[codeArgs]+keywordOnly, 4)
	flags, _ := r.p.Memory.Word(code+r.at[codeFlags], 4)
	arguments += keywords + flags&flagRest/flagRest + flags&flagKeywords/flagKeywords
	for i := range count {
		kind, ok := r.p.Memory.Word(kinds+r.at[bytesData]+i, 1)
		name, named := r.text(names+r.at[tupleItems]+8*i, mostName)
		if !ok || !named || kind&fastHidden != 0 || strings.HasPrefix(name, ".") {
			continue
		}
		addr, captured := r.word(frame + r.at[frameSlots] + 8*i)
		v := runtimes.Value{Unknown: "its place in the frame is not in the dump"}
		if captured {
			v = r.variable(addr, kind)
		}
		v.Name, v.Argument = name, i < arguments
		out = append(out, v)
	}
	return out
}

func (r *reader) variable(addr uint64, kind uint64) runtimes.Value {
	if addr&3 == 3 { // a number of 3.14 that is no object
		return runtimes.Value{Unknown: "it has no object"}
	}
	addr &^= 7
	if kind&(fastCell|fastFree) != 0 {
		if t, ok := r.typeOf(addr); ok && t.name == "cell" && t.isStatic() {
			addr, _ = r.word(addr + r.at[objectType] + 8)
		}
	}
	if addr == 0 { // none was assigned yet, or it was deleted
		return runtimes.Value{Unbound: true}
	}
	return r.value(addr, 0)
}

// named reads the variables in a dictionary, by their names. Of a module, what every one has and what it defines or imports is left out.
func (r *reader) named(dict uint64, ofModule bool) (out []runtimes.Value) {
	if t, ok := r.typeOf(dict); !ok || t.flags&flagDict == 0 {
		return nil
	}
	r.entries(dict, func(key, value uint64) bool {
		name, ok := r.textOf(key)
		if !ok || strings.HasPrefix(name, "__") {
			return true
		}
		t, known := r.typeOf(value)
		if ofModule && known && (t.flags&flagType != 0 || slices.Contains(definitions, t.name)) {
			return true
		}
		v := r.value(value, 0)
		v.Name = name
		out = append(out, v)
		return len(out) < mostSlots && r.left > 0
	})
	return out
}

// definitions are the types of what a module defines or imports, besides classes.
var definitions = []string{"function", "module", "builtin_function_or_method", "_Feature"}

// Flags of types, besides those of exceptions. Source: Include/object.h, Py_TPFLAGS_*.
const (
	flagInline  = 1 << 2 // values are in the object
	flagManaged = 1 << 4 // its dictionary is before the object
	flagHeap    = 1 << 9 // it is a class of a program
	flagInt     = 1 << 24
	flagList    = 1 << 25
	flagTuple   = 1 << 26
	flagBytes   = 1 << 27
	flagText    = 1 << 28
	flagDict    = 1 << 29
	flagType    = 1 << 31
)

// An objectKind is what an object's type says of it.
type objectKind struct {
	addr  uint64
	name  string
	flags uint64
}

// isStatic reports whether a type is one of the interpreter's own, whose names say what they are.
func (t *objectKind) isStatic() bool { return t.flags&flagHeap == 0 }

func (r *reader) typeOf(object uint64) (t objectKind, ok bool) {
	if object == 0 || object%8 != 0 {
		return t, false
	}
	t.addr, ok = r.word(object + r.at[objectType])
	if !ok || t.addr == 0 || t.addr%8 != 0 {
		return t, false
	}
	t.flags, ok = r.word(t.addr + r.at[typeFlags])
	at, _ := r.word(t.addr + r.at[typeName])
	if !ok || t.flags&flagReady == 0 || at == 0 {
		return t, false
	}
	text, _, ended := strings.Cut(string(r.bytes(at, mostName)), "\x00")
	if !ended || text == "" || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == '\ufffd' }) {
		return t, false
	}
	t.name = text
	return t, true
}

// value reads an object.
func (r *reader) value(addr uint64, depth int) (v runtimes.Value) {
	v.Address = addr
	if r.left--; r.left < 0 {
		v.Unknown = "there are too many values"
		return v
	}
	t, ok := r.typeOf(addr)
	if !ok {
		v.Unknown = "its object is damaged, or not in the dump"
		return v
	}
	v.Type = t.name
	switch {
	case t.name == "NoneType" && t.isStatic():
		v.Text = "None"
	case t.flags&flagInt != 0:
		v.Text = r.integer(addr, t.name == "bool" && t.isStatic())
	case t.name == "float" && t.isStatic():
		if bits, ok := r.word(addr + r.at[floatValue]); ok {
			v.Text = float(math.Float64frombits(bits))
		}
	case t.flags&flagText != 0:
		if text, ok := r.textOf(addr); ok {
			v.Text = quoted(text)
		}
	case t.flags&flagBytes != 0:
		v.Text = r.raw(addr)
	case t.flags&flagTuple != 0:
		r.list(&v, addr+r.at[tupleItems], addr+r.at[tupleSize], "()", depth)
	case t.flags&flagList != 0:
		items, _ := r.word(addr + r.at[listItems])
		r.list(&v, items, addr+r.at[listSize], "[]", depth)
	case t.flags&flagDict != 0:
		r.dict(&v, addr, depth)
	case (t.name == "set" || t.name == "frozenset") && t.isStatic():
		r.set(&v, addr, depth)
	case t.flags&flagException != 0:
		v.Text = "<" + t.name + ">"
		if e := r.exception(addr); e != nil && e.Message != "" {
			v.Text = t.name + "(" + quoted(e.Message) + ")"
		}
	default:
		v.Text = fmt.Sprintf("<%s object at %#x>", t.name, addr)
		if depth < mostNested {
			r.attributes(&v, &t, addr, depth)
		}
	}
	if v.Text == "" {
		v.Unknown = "its object is damaged, or not in the dump"
	}
	return v
}

// mostDecimal is the number of decimal digits that 30 bits have.
const mostDecimal = 9

// integer is an int, "" if it is damaged. Source: Include/cpython/longintrepr.h.
func (r *reader) integer(addr uint64, isBool bool) string {
	tag, ok := r.word(addr + r.at[intTag])
	count, negative := tag>>3, tag&3 == 2
	if r.minor < 12 { // a number of digits with the sign of the int
		negative = int64(tag) < 0
		count = tag
		if negative {
			count = -tag
		}
	}
	if !ok || count > 1<<32 {
		return ""
	}
	if count > mostDigits {
		return fmt.Sprintf("an int of about %d decimal digits", count*mostDecimal)
	}
	n := new(big.Int)
	for i := int(count) - 1; i >= 0; i-- {
		digit, ok := r.p.Memory.Word(addr+r.at[intDigits]+4*uint64(i), 4)
		if !ok || digit >= 1<<30 {
			return ""
		}
		n.Or(n.Lsh(n, 30), new(big.Int).SetUint64(digit))
	}
	if negative {
		n.Neg(n)
	}
	if isBool {
		return map[bool]string{false: "False", true: "True"}[n.Sign() != 0]
	}
	return n.String()
}

// float is a number as Python writes it.
func float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	out := strconv.FormatFloat(f, 'e', -1, 64)
	exponent, _ := strconv.Atoi(out[strings.Index(out, "e")+1:])
	if exponent >= -4 && exponent < 16 || f == 0 {
		out = strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(out, ".") {
			out += ".0"
		}
	}
	return out
}

// textOf reads the text of a str, up to a bound.
func (r *reader) textOf(addr uint64) (string, bool) {
	length, ok := r.word(addr + r.at[textLength])
	state, known := r.p.Memory.Word(addr+r.at[textState], 1)
	size, from := state>>kindShift&kindMask, r.at[textCompact]
	if state&ascii != 0 {
		from = r.at[textASCII]
	}
	if t, is := r.typeOf(addr); !ok || !known || !is || t.flags&flagText == 0 || state&compact == 0 || size != 1 && size != 2 && size != 4 || state&ascii != 0 && size != 1 {
		return "", false
	}
	b := make([]byte, min(length, mostText)*size)
	if r.p.Memory.Read(addr+from, b) < len(b) {
		return "", false
	}
	var units []uint16
	for i := uint64(0); i < uint64(len(b)); i += size {
		units = utf16.AppendRune(units, rune(r.number(b[i:][:size])))
	}
	out := string(utf16.Decode(units))
	if length > mostText {
		out += "…"
	}
	return out, true
}

// quoted is a text as Python writes it.
func quoted(text string) string {
	out := strconv.Quote(text)
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		return out
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(out[1:len(out)-1], `\"`, `"`), "'", `\'`) + "'"
}

func (r *reader) raw(addr uint64) string {
	size, ok := r.word(addr + r.at[bytesSize])
	b := make([]byte, min(size, mostText))
	if !ok || r.p.Memory.Read(addr+r.at[bytesData], b) < len(b) {
		return ""
	}
	var out strings.Builder
	for _, c := range b {
		switch {
		case c == '\\' || c == '\'':
			out.WriteString(`\` + string(rune(c)))
		case c == '\n':
			out.WriteString(`\n`)
		case c == '\r':
			out.WriteString(`\r`)
		case c == '\t':
			out.WriteString(`\t`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&out, `\x%02x`, c)
		default:
			out.WriteByte(c)
		}
	}
	if size > mostText {
		out.WriteString("…")
	}
	return "b'" + out.String() + "'"
}

// most is how many elements of a container are read.
func (r *reader) most(depth int) int {
	if depth == 0 {
		return r.elements
	}
	return firstNested
}

// firstNested is how many elements a container in another one shows.
const firstNested = 16

func (r *reader) list(v *runtimes.Value, items, size uint64, brackets string, depth int) {
	count, ok := r.word(size)
	if !ok || count > 1<<40 {
		return
	}
	n := min(count, uint64(r.most(depth)))
	if depth >= mostNested {
		n = 0
	}
	for i := range n {
		element, ok := r.word(items + 8*i)
		if !ok || r.left <= 0 {
			n = i
			break
		}
		child := r.value(element&^7, depth+1)
		child.Name = fmt.Sprintf("[%d]", i)
		v.Children = append(v.Children, child)
	}
	v.More, v.Empty = count-n, count == 0
	summarize(v, brackets, func(i int) string { return "" })
	if brackets == "()" && count == 1 && strings.HasSuffix(v.Text, ")") {
		v.Text = strings.TrimSuffix(v.Text, ")") + ",)"
	}
}

// summarize makes the text of a container of its elements.
func summarize(v *runtimes.Value, brackets string, key func(i int) string) {
	var out strings.Builder
	for i := range v.Children {
		text := key(i) + v.Children[i].Text
		if v.Children[i].Unknown != "" {
			text = key(i) + "?"
		}
		if out.Len()+len(text) > mostShown {
			v.Text = brackets[:1] + out.String() + ", …" + brackets[1:]
			if i == 0 {
				v.Text = brackets[:1] + "…" + brackets[1:]
			}
			return
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(text)
	}
	if v.More > 0 && out.Len() > 0 {
		out.WriteString(", ")
	}
	if v.More > 0 {
		out.WriteString("…")
	}
	v.Text = brackets[:1] + out.String() + brackets[1:]
}

// A dictionary's table. Source: Include/internal/pycore_dict.h, struct _dictkeysobject.
const (
	dictUsed = 16 // values, in the object

	keysIndexBytes = 9 // the binary logarithm of the size of its index
	keysKind       = 10
	keysEntries    = 24 // their number
	keysIndex      = 32

	keysGeneral = 0 // entries have a hash, a key and a value
	keysText    = 1 // a key and a value
	keysSplit   = 2 // keys that objects of one class share, whose values are elsewhere
)

// entries calls do for the entries of a dictionary, in its order, until do returns false.
func (r *reader) entries(dict uint64, do func(key, value uint64) bool) {
	keys, _ := r.word(dict + r.at[dictKeys])
	values, ok := r.word(dict + r.at[dictValues])
	if !ok {
		return
	}
	if values != 0 && r.minor >= 13 {
		values += 8 // behind their number
	}
	r.keyed(keys, values, do)
}

// keyed calls do for the entries of a table, whose values may be elsewhere.
func (r *reader) keyed(keys, values uint64, do func(key, value uint64) bool) {
	index, _ := r.p.Memory.Word(keys+keysIndexBytes, 1)
	kind, _ := r.p.Memory.Word(keys+keysKind, 1)
	count, ok := r.word(keys + keysEntries)
	if !ok || keys%8 != 0 || index > 40 || kind > keysSplit || (kind == keysSplit) != (values != 0) {
		return
	}
	entry, size, key := keys+keysIndex+1<<index, uint64(16), uint64(0)
	if kind == keysGeneral {
		size, key = 24, 8
	}
	for i := uint64(0); i < count && r.left > 0 && r.keys < mostKeys; i++ {
		r.keys++
		k, ok := r.word(entry + size*i + key)
		v, _ := r.word(entry + size*i + key + 8)
		if values != 0 {
			v, ok = r.word(values + 8*i)
		}
		if !ok {
			return
		}
		if k == 0 || v == 0 { // deleted
			r.left--
			continue
		}
		if !do(k, v) {
			return
		}
	}
}

func (r *reader) dict(v *runtimes.Value, addr uint64, depth int) {
	used, ok := r.word(addr + dictUsed)
	if !ok || used > 1<<40 {
		return
	}
	var keys []string
	most := r.most(depth)
	if depth >= mostNested {
		most = 0
	}
	if most > 0 {
		r.entries(addr, func(key, value uint64) bool {
			name := r.value(key, mostNested-1).Text
			child := r.value(value, depth+1)
			child.Name = "[" + name + "]"
			keys = append(keys, name+": ")
			v.Children = append(v.Children, child)
			return len(keys) < most
		})
	}
	v.More, v.Empty = used-min(used, uint64(len(keys))), used == 0
	summarize(v, "{}", func(i int) string { return keys[i] })
}

// A set. Source: Include/cpython/setobject.h, PySetObject.
const (
	setUsed  = 24
	setMask  = 32
	setTable = 40
	setEntry = 16 // a key and its hash
)

func (r *reader) set(v *runtimes.Value, addr uint64, depth int) {
	used, ok := r.word(addr + setUsed)
	mask, _ := r.word(addr + setMask)
	table, known := r.word(addr + setTable)
	if !ok || !known || used > mask || mask > 1<<40 {
		return
	}
	for i := uint64(0); i <= mask && depth < mostNested && len(v.Children) < min(r.most(depth), int(used)) && r.left > 0; i++ {
		key, ok := r.word(table + setEntry*i)
		if !ok {
			break
		}
		t, is := r.typeOf(key)
		if !is || t.name == "object" && t.isStatic() { // free, or the mark of a deleted one
			r.left--
			continue
		}
		child := r.value(key, depth+1)
		child.Name = fmt.Sprintf("[%d]", len(v.Children))
		v.Children = append(v.Children, child)
	}
	v.More, v.Empty = used-min(used, uint64(len(v.Children))), used == 0
	if summarize(v, "{}", func(int) string { return "" }); v.Empty {
		v.Text = v.Type + "()"
	}
}

// attributes reads the attributes of an object: in a dictionary, or beside the object, with the keys that its class has.
// Source: Include/internal/pycore_object.h and pycore_dict.h of each release.
func (r *reader) attributes(v *runtimes.Value, t *objectKind, addr uint64, depth int) {
	add := func(key, value uint64) bool {
		name, ok := r.textOf(key)
		if ok {
			child := r.value(value, depth+1)
			child.Name = name
			v.Children = append(v.Children, child)
		}
		return len(v.Children) < firstNested && r.left > 0
	}
	if !r.has[typeDict] {
		return
	}
	offset, _ := r.word(t.addr + r.at[typeDict])
	place := addr + offset
	if t.flags&flagManaged != 0 {
		keys, _ := r.word(t.addr + r.at[typeKeys])
		if values := r.inline(t, addr); values != 0 {
			r.keyed(keys, values, add)
			return
		}
		place = addr - 24
	} else if offset == 0 || offset > maxOffset {
		return
	}
	dict, _ := r.word(place)
	if kind, ok := r.typeOf(dict); ok && kind.flags&flagDict != 0 {
		r.entries(dict, add)
	}
}

// inline returns where the values of an object without a dictionary of its own are, 0 if it has one.
func (r *reader) inline(t *objectKind, addr uint64) uint64 {
	switch {
	case r.minor == 11:
		values, _ := r.word(addr - 32)
		return values
	case r.minor == 12:
		if values, _ := r.word(addr - 24); values&1 != 0 {
			return values + 1
		}
	case t.flags&flagInline != 0:
		if valid, _ := r.p.Memory.Word(addr+r.at[objectType]+8+3, 1); valid == 1 {
			return addr + r.at[objectType] + 16
		}
	}
	return 0
}
