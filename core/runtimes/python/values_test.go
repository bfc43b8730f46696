package python

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/runtimes"
)

// kindFlags are the flags of the interpreter's own types.
var kindFlags = map[string]uint64{
	"int": flagInt, "bool": flagInt, "list": flagList, "tuple": flagTuple, "bytes": flagBytes, "str": flagText, "dict": flagDict,
	"Worker": flagHeap | flagManaged, "ValueError": flagException,
}

// typed sets the flags of all types of the scene.
func (s *scene) typed() {
	for name, t := range s.types {
		s.put(t, typeFlags, flagReady|kindFlags[name])
	}
}

func (s *scene) integer(n int64) uint64 {
	addr := s.object("int", int(s.at[intDigits])+16)
	digits, sign := uint64(n), uint64(0)
	if n < 0 {
		digits, sign = uint64(-n), 2
	}
	count := uint64(0)
	for d := digits; d != 0; d >>= 30 {
		s.half(addr+s.at[intDigits]+4*count, d&(1<<30-1))
		count++
	}
	tag := count<<3 | sign
	if s.minor < 12 {
		if tag = count; n < 0 {
			tag = -count
		}
	}
	s.put(addr, intTag, tag)
	return addr
}

func (s *scene) tuple(items ...uint64) uint64 {
	addr := s.object("tuple", int(s.at[tupleItems])+8*len(items))
	s.put(addr, tupleSize, uint64(len(items)))
	for i, item := range items {
		s.word(addr+s.at[tupleItems]+8*uint64(i), item)
	}
	return addr
}

func (s *scene) list(items ...uint64) uint64 {
	addr, table := s.object("list", 48), s.object("", 8*len(items)+8)
	s.put(addr, listSize, uint64(len(items)))
	s.put(addr, listItems, table)
	for i, item := range items {
		s.word(table+8*uint64(i), item)
	}
	return addr
}

// dict makes a dictionary of keys and values. A value of 0 was deleted.
func (s *scene) dict(kind uint64, pairs ...uint64) uint64 {
	addr, keys := s.object("dict", 64), s.object("", keysIndex+8+12*len(pairs))
	s.bytes(keys)[keysIndexBytes], s.bytes(keys)[keysKind] = 3, byte(kind)
	s.word(keys+keysEntries, uint64(len(pairs)/2))
	at, used := keys+keysIndex+8, uint64(0)
	for i := 0; i < len(pairs); i += 2 {
		if kind == keysGeneral {
			at += 8
		}
		s.word(at, pairs[i])
		s.word(at+8, pairs[i+1])
		if at += 16; pairs[i+1] != 0 {
			used++
		}
	}
	s.put(addr, dictKeys, keys)
	s.word(addr+dictUsed, used)
	return addr
}

// captured reads the memory of a process.
func captured(p *process.Process) func(addr uint64, n int) []byte {
	return func(addr uint64, n int) []byte {
		b := make([]byte, n)
		return b[:p.Memory.Read(addr, b)]
	}
}

// spelled is a list of values as text.
func spelled(list []runtimes.Value) string {
	var out []string
	for i := range list {
		v := &list[i]
		text := v.Name + "=" + v.Text
		if v.Argument {
			text = "*" + text
		}
		if v.Unbound || v.Unknown != "" {
			text += "?"
		}
		if len(v.Children) > 0 {
			text += "<" + spelled(v.Children) + ">"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// withVariables makes a process whose thread calls a function with a variable of each kind.
func withVariables(minor int) *scene {
	s := made(minor)
	s.heap = append(s.heap, make([]byte, rooms)...)
	bits := s.object("float", 32)
	s.put(bits, floatValue, math.Float64bits(2))
	raw := s.object("bytes", 48)
	s.put(raw, bytesSize, 3)
	copy(s.bytes(raw+s.at[bytesData]), "a\x00'")
	yes := s.integer(1)
	s.object("bool", 16)
	s.put(yes, objectType, s.types["bool"])
	worker := s.object("Worker", 64) + 32 // behind what is before an object
	if s.has[typeKeys] {
		s.attributes(worker, s.text("size"), s.integer(7))
	}
	s.put(worker, objectType, s.types["Worker"])
	cell := s.object("cell", 24)
	s.word(cell+16, s.integer(5))
	text := s.text("it's \u20ac\n")
	values := []uint64{
		worker, s.integer(-12345678901), s.list(s.integer(1), s.text("two"), s.tuple(yes), s.list()), s.dict(keysText, s.text("k"), bits, s.text("gone"), 0),
		s.dict(keysGeneral, s.tuple(yes), raw), text, 0, cell, s.object("NoneType", 16), yes,
	}
	names := []string{"self", "n", "rest", "options", "table", "text", "unbound", "cell", "none", "hidden"}
	var table []uint64
	for _, name := range names {
		table = append(table, s.text(name))
	}
	kinds := s.object("bytes", int(s.at[bytesData])+len(names)+1)
	s.put(kinds, bytesSize, uint64(len(names)))
	code := s.code("work", "/srv/app.py", 3)
	s.put(code, codeSlots, s.tuple(table...))
	s.put(code, codeKinds, kinds)
	s.half(code+s.at[codeArgs], 2)
	s.half(code+s.at[codeFlags], flagRest|flagKeywords)
	interp, _ := s.process().Memory.Word(dataAt+stateAt+s.at[interpHead], 8)
	thread, _ := s.process().Memory.Word(interp+s.at[interpThreads], 8)
	frame := s.object("", int(s.at[frameSlots])+8*len(names))
	s.put(frame, frameCode, code)
	s.put(frame, frameInstr, code+s.at[codeStart])
	s.put(frame, frameGlobals, s.dict(keysText, s.text("LIMIT"), s.integer(17), s.text("__name__"), text, s.text("run"), s.object("function", 16)))
	for i := range names {
		s.word(frame+s.at[frameSlots]+8*uint64(i), values[i])
		s.bytes(kinds + s.at[bytesData])[i] = map[string]byte{"cell": fastCell, "hidden": fastHidden}[names[i]] | 0x20
	}
	if s.has[threadCFrame] {
		cframe, _ := s.process().Memory.Word(thread+s.at[threadCFrame], 8)
		s.put(cframe, cframeFrame, frame)
	} else {
		s.put(thread, threadFrame, frame)
	}
	s.typed()
	if s.has[typeKeys] && minor >= 13 {
		s.put(s.types["Worker"], typeFlags, flagReady|flagHeap|flagManaged|flagInline)
	}
	return s
}

// attributes gives an object one attribute, as objects of its release have it.
func (s *scene) attributes(object, name, value uint64) {
	keys, values := s.object("", keysIndex+32), s.object("", 32)
	s.bytes(keys)[keysIndexBytes], s.bytes(keys)[keysKind] = 3, keysSplit
	s.word(keys+keysEntries, 1)
	s.word(keys+keysIndex+8, name)
	switch t := s.types["Worker"]; s.minor {
	case 11:
		s.word(object-32, values)
		s.word(values, value)
		s.large(t, keys)
	case 12:
		s.word(object-24, values-1)
		s.word(values, value)
		s.large(t, keys)
	default:
		s.bytes(object + 16)[3] = 1
		s.word(object+24, value)
		s.large(t, keys)
	}
}

// large moves a type to a place that is large enough for the keys of its objects.
func (s *scene) large(old, keys uint64) {
	t := s.object("", int(s.at[typeKeys])+8)
	name := binary.LittleEndian.Uint64(s.bytes(old + s.at[typeName]))
	s.put(t, typeName, name)
	s.put(t, typeKeys, keys)
	s.types["Worker"] = t
}

// Every release has the variables of a call, in their order and as Python writes them.
func TestVariables(t *testing.T) {
	for minor := 11; minor <= 14; minor++ {
		s := withVariables(minor)
		p := s.process()
		found := Find(p)
		if found == nil || len(found.Tasks) == 0 || len(found.Tasks[0].Runs) == 0 {
			t.Fatalf("3.%d: %+v", minor, found)
		}
		locals, globals := found.Variables(&found.Tasks[0].Runs[0][0], 16, captured(p))
		self := fmt.Sprintf("*self=<Worker object at %#x>", locals[0].Address)
		if s.has[typeKeys] {
			self += "<size=7>"
		}
		want := self + ` *n=-12345678901 *rest=[1, 'two', (True,), []]<[0]=1 [1]='two' [2]=(True,)<[0]=True> [3]=[]> ` +
			`*options={'k': 2.0}<['k']=2.0> table={(True,): b'a\x00\''}<[(True,)]=b'a\x00\''> text="it's €\n" unbound=? cell=5 none=None | LIMIT=17`
		if got := spelled(locals) + " | " + spelled(globals); got != want {
			t.Errorf("3.%d: %s\nwant %s", minor, got, want)
		}
	}
}

// A container shows as many elements as are requested, and the number of the others.
func TestVariablesElements(t *testing.T) {
	s := made(13)
	s.heap = append(s.heap, make([]byte, rooms)...)
	var items []uint64
	for i := range int64(9) {
		items = append(items, s.integer(i))
	}
	list := s.list(items...)
	s.typed()
	r := &reader{finder: &finder{p: s.process(), layout: s.layout, types: map[string]uint64{}}, bytes: captured(s.process()), elements: 3, left: mostValues}
	if v := r.value(list, 0); len(v.Children) != 3 || v.More != 6 || v.Text != "[0, 1, 2, …]" {
		t.Errorf("%+v", v)
	}
	r.left = 2
	if v := r.value(list, 0); len(v.Children) != 1 || v.More != 8 {
		t.Errorf("with two values left: %+v", v)
	}
}

// Many objects that refer to one large table of keys do not make a reader read it many times.
func TestVariablesKeys(t *testing.T) {
	s := made(13)
	s.heap = append(s.heap, make([]byte, rooms)...)
	table := s.dict(keysText, s.text("a"), s.integer(1), s.text("b"), s.integer(2))
	s.typed()
	r := &reader{finder: &finder{p: s.process(), layout: s.layout, types: map[string]uint64{}}, bytes: captured(s.process()), elements: 3, left: mostValues, keys: mostKeys - 1}
	if v := r.value(table, 0); len(v.Children) != 1 || v.More != 1 {
		t.Errorf("%+v", v)
	}
}

// Numbers are those of Python's repr.
func TestFloat(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 2: "2.0", 1e15: "1000000000000000.0", 1e16: "1e+16", 1e100: "1e+100", 0.0001: "0.0001", 0.00001: "1e-05", -1.5: "-1.5", 0.1: "0.1",
		math.Inf(1): "inf", math.Inf(-1): "-inf",
	} {
		if got := float(f); got != want {
			t.Errorf("%g is %s, want %s", f, got, want)
		}
	}
	if got := float(math.NaN()); got != "nan" {
		t.Error(got)
	}
}
