package v8

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"crashglass/core/runtimes"
	"crashglass/core/testkit/sample"
)

// objectWith makes an object with properties in it.
func (s *scene) objectWith(kind field, class uint64, properties map[string]uint64, names ...string) uint64 {
	o := s.object(s.at[kind], 24+8*len(names)+16)
	m := s.room(80) + 1
	copy(s.heap[m-1-heapAt:], s.heap[s.maps[s.at[kind]]-1-heapAt:][:80])
	s.put(o, objectMap, m)
	s.put(m, mapConstructor, class)
	s.heap[m-1+s.at[mapInside]-heapAt] = 3
	s.heap[m-1+s.at[mapSize]-heapAt] = byte(3 + len(names))
	s.half(m-1+s.at[mapBits], uint64(len(names))<<s.at[ownShift])
	list := s.object(100, int(s.at[descriptorsStart])+24*len(names))
	s.put(m, mapDescriptors, list)
	for i, name := range names {
		at := list - 1 + s.at[descriptorsStart] + 24*uint64(i)
		s.word(at+8*s.at[descriptorKey], s.text(name))
		s.word(at+8*s.at[descriptorDetails], (s.at[locationField]<<s.at[locationShift]|uint64(i)<<s.at[indexShift])<<32)
		s.word(o-1+24+8*uint64(i), properties[name])
	}
	return o
}

// oddball makes one of the values that exist once.
func (s *scene) oddball(kind int) uint64 {
	o := s.object(s.at[typeOddball], 56)
	s.put(o, oddballKind, small(kind))
	return o
}

// called makes a process with one call of a function of that source, from its parameters on.
func called(release int, source string, arguments func(*scene) []uint64) *scene {
	s := &scene{constants: constantsOf(release), heap: make([]byte, rooms), maps: map[uint64]uint64{}, stack: runtimes.Stack{Thread: 7}}
	s.layout, _ = layoutOf(s.target(), builtinAt)
	script := s.object(s.at[typeScript], 128)
	s.put(script, scriptName, s.text("/srv/a.js"))
	s.put(script, scriptSource, s.text("12345"+source+strings.Repeat(" ", 100)))
	for i := range uint64(2) {
		s.word(script-1+s.at[scriptName]+8+8*i, small(0))
	}
	f, _ := s.function("f", script)
	values := arguments(s)
	frame := s.frame(runtimes.Native{Instruction: builtinAt, Function: trampoline, Module: true}, f)
	s.word(frame+s.at[frameBytecodes], s.bytecodes(s.table([2]int64{0, at1(6, -1)})))
	s.word(frame+s.at[frameOffset], small(int(s.at[bytecodeData])-1))
	s.word(frame+s.at[frameFunction]-8, uint64(len(values)))
	for i, v := range values {
		s.word(frame+s.at[frameArguments]+8*uint64(i), v)
	}
	return s
}

// shown is the variables of the first call as text.
func shown(t *testing.T, s *scene) string {
	t.Helper()
	found := Find(s.target())
	if found == nil || found.Variables == nil {
		return "nothing"
	}
	var b strings.Builder
	locals, globals := found.Variables(&found.Tasks[0].Runs[0][0], 16, nil)
	for i := range append(locals, globals...) {
		v := &locals[i]
		fmt.Fprintf(&b, "%s %s=%s%s; ", v.Type, v.Name, v.Text, v.Unknown)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// numbers are a receiver and two arguments.
func numbers(*scene) []uint64 { return []uint64{small(1), small(2), small(3)} }

func TestParameters(t *testing.T) {
	for source, want := range map[string]string{
		"(a, b) { }":                 "number this=1; number a=2; number b=3",
		"(a, b) => a":                "number a=2; number b=3",
		"a => a":                     "number a=2; number arguments[1]=3",
		"(a /* , x */,\n//)\n b)\n{": "number this=1; number a=2; number b=3",
		"(a, b, c) {":                "number this=1; number a=2; number b=3; number c=0", // V8 has undefined there
		"(a, ...b) {":                "number this=1; number a (as passed)=2; number arguments[1]=3",
		"(a, {b, c}) {":              "number this=1; number a (as passed)=2; number arguments[1]=3",
		"(a, b = g(1)) => 1":         "number a (as passed)=2; number b (as passed)=3",
		"(a, b = ')') {":             "number arguments[0]=2; number arguments[1]=3", // texts are not read
		"class A { }":                "number arguments[0]=2; number arguments[1]=3",
		"(local, b) {":               "number this=1; number local (as passed)=2; number b=3", // a closure has it
		"(function g() { })()":       "number arguments[0]=2; number arguments[1]=3",
		"(a, b":                      "number arguments[0]=2; number arguments[1]=3",
		"":                           "number arguments[0]=2; number arguments[1]=3",
	} {
		for release := range releases {
			s := called(release, source, func(s *scene) []uint64 { return append(numbers(s), 0)[:3] })
			if got := shown(t, s); got != want {
				t.Errorf("Node %s, %q:\n got %s\nwant %s", releases[release], source, got, want)
			}
		}
	}
}

func TestValues(t *testing.T) {
	for release := range releases {
		for want, make := range map[string]func(*scene) uint64{
			"number a=-7":           func(s *scene) uint64 { return small(-7) },
			"number a=2.5":          func(s *scene) uint64 { return s.number(2.5) },
			"number a=NaN":          func(s *scene) uint64 { return s.number(math.NaN()) },
			"number a=-Infinity":    func(s *scene) uint64 { return s.number(math.Inf(-1)) },
			"number a=-0":           func(s *scene) uint64 { return s.number(math.Copysign(0, -1)) },
			"number a=1e+21":        func(s *scene) uint64 { return s.number(1e21) },
			"number a=1e-7":         func(s *scene) uint64 { return s.number(1e-7) },
			"number a=100000":       func(s *scene) uint64 { return s.number(1e5) },
			`string a="größe"`:      func(s *scene) uint64 { return s.text("größe") },
			"boolean a=true":        func(s *scene) uint64 { return s.oddball(int(s.at[oddTrue])) },
			"boolean a=false":       func(s *scene) uint64 { return s.oddball(int(s.at[oddFalse])) },
			"null a=null":           func(s *scene) uint64 { return s.oddball(int(s.at[oddNull])) },
			"undefined a=undefined": func(s *scene) uint64 { return s.oddball(int(s.at[oddUndefined])) },
			"a=" + unread:           func(s *scene) uint64 { return 0x123457 },
			"object a=globalThis":   func(s *scene) uint64 { return s.object(s.at[typeGlobal], 32) },
			"function a=function g": func(s *scene) uint64 { f, _ := s.function("g", s.oddball(int(s.at[oddUndefined]))); return f },
			"Point a=Point {x: 1, y: \"two\"}": func(s *scene) uint64 {
				return s.objectWith(typePlain, s.class("Point"), map[string]uint64{"x": small(1), "y": s.text("two")}, "x", "y")
			},
			"RangeError a=RangeError: too far": func(s *scene) uint64 {
				return s.objectWith(typeError, s.class("RangeError"), map[string]uint64{"message": s.text("too far")}, "message")
			},
			"Array a=Array(3) [1, \"b\", …]": func(s *scene) uint64 {
				o := s.objectWith(typeList, s.class("Array"), nil)
				s.put(o, objectElements, s.array(typeArray, small(1), s.text("b"), s.oddball(2), small(9)))
				s.word(o-1+s.at[objectElements]+8, small(3))
				return o
			},
			"a=it is of a type that Crashglass does not read": func(s *scene) uint64 { return s.array(typeArray) },
		} {
			s := called(release, "(a) {", func(s *scene) []uint64 { return []uint64{small(1), make(s)} })
			if got := strings.TrimPrefix(shown(t, s), "number this=1; "); strings.TrimSpace(got) != want {
				t.Errorf("Node %s: %s, want %s", releases[release], got, want)
			}
		}
	}
}

// What V8 throws itself is found by the handles of the value and of its message, of which there may be only one; what Node got from a rejected promise, by
// the arguments of its function. Both end the program.
func TestFatalExceptions(t *testing.T) {
	const sp = 40
	frames := func(s *scene, at uint64, functions ...string) {
		list := s.stack.Frames
		s.stack.Frames = nil
		for i, name := range functions {
			s.stack.Frames = append(s.stack.Frames, runtimes.Native{Instruction: 0x500000, Function: name, Module: true, Stack: at + sp*uint64(i), Pointer: at + sp*uint64(i)})
		}
		s.stack.Frames = append(s.stack.Frames, list...)
	}
	for name, tt := range map[string]struct {
		make func(s *scene, value, other uint64)
		want string
	}{
		"a message": {func(s *scene, value, other uint64) {
			handles, stack := s.room(64), s.room(8*sp)
			s.word(handles, value)
			s.word(handles+24, s.message(value))
			s.word(stack+sp+8, handles)
			s.word(stack+sp+16, s.message(other))
			frames(s, stack, ends+")", message+"x)", "v8::internal::Isolate::Throw(x)", "v8::internal::LoadIC::Load()")
		}, "TypeError: no pear true"},
		"of another value": {func(s *scene, value, other uint64) {
			handles, stack := s.room(64), s.room(8*sp)
			s.word(handles, value)
			s.word(handles+24, s.message(other))
			s.word(stack+sp+8, handles)
			frames(s, stack, ends+")", message+"x)", "v8::internal::Isolate::Throw(x)", "v8::internal::LoadIC::Load()")
		}, "none"},
		"two messages": {func(s *scene, value, other uint64) {
			stack := s.room(8 * sp)
			for i, v := range []uint64{value, other} {
				handles := s.room(512)
				s.word(handles, v)
				s.word(handles+24, s.message(v))
				s.word(stack+sp+8+8*uint64(i), handles)
			}
			frames(s, stack, ends+")", message+"x)", "v8::internal::Isolate::Throw(x)", "v8::internal::LoadIC::Load()")
		}, "none"},
		"a text by a statement": {func(s *scene, _, _ uint64) {
			stack := s.room(8 * sp)
			s.word(stack+3*sp+s.at[frameArguments], s.text("pear"))
			frames(s, stack, ends+")", message+"x)", "v8::internal::Isolate::Throw(x)", throws+"x)", builtin+"CEntry")
			s.stack.Frames[4].Pointer = stack + 3*sp
		}, "string: pear true"},
		"a rejection": {func(s *scene, value, _ uint64) {
			stack := s.room(16 * sp)
			s.word(stack+2*sp+48, value)
			frames(s, stack, "node::Abort()", unwatch+"x)", "")
		}, "TypeError: no pear true"},
		"two errors": {func(s *scene, value, other uint64) {
			stack := s.room(16 * sp)
			s.word(stack+2*sp+48, value)
			s.word(stack+2*sp+56, other)
			frames(s, stack, "node::Abort()", unwatch+"x)", "")
		}, "none"},
	} {
		for release := range releases {
			s := called(release, "(a) {", numbers)
			fail := func(text string) uint64 {
				return s.objectWith(typeError, s.class("TypeError"), map[string]uint64{"message": s.text(text)}, "message")
			}
			tt.make(s, fail("no pear"), fail("no plum"))
			got := "none"
			if e := Find(s.target()).Tasks[0].Exception; e != nil {
				got = fmt.Sprint(e.Name, ": ", e.Message, " ", e.Fatal)
			}
			if got != tt.want {
				t.Errorf("Node %s, %s: %s, want %s", releases[release], name, got, tt.want)
			}
		}
	}
}

// message makes what V8 says of a value that is thrown.
func (s *scene) message(value uint64) uint64 {
	o := s.object(s.at[typeMessage], 64)
	s.put(o, messageType, small(300))
	s.word(o-1+s.at[messageType]+8, value)
	return o
}

func (s *scene) number(f float64) uint64 {
	o := s.object(s.at[typeNumber], 16)
	s.put(o, numberValue, math.Float64bits(f))
	return o
}

// class makes a constructor.
func (s *scene) class(name string) uint64 {
	f, _ := s.function(name, s.oddball(int(s.at[oddUndefined])))
	return f
}

// A function without a name has that of the property by which its receiver, or a prototype of that, has it.
func TestMethodNames(t *testing.T) {
	for release := range releases {
		s := called(release, "(a) {", numbers)
		pointer := s.stack.Frames[0].Pointer
		f := binary.LittleEndian.Uint64(s.heap[pointer+s.at[frameFunction]-heapAt:])
		shared := binary.LittleEndian.Uint64(s.heap[f-1+s.at[functionShared]-heapAt:])
		s.put(shared, sharedName, small(0))
		proto := s.objectWith(typePlain, s.class("Object"), map[string]uint64{"load": f}, "other", "load")
		this := s.objectWith(typePlain, s.class("Module"), map[string]uint64{"id": small(1)}, "id")
		s.put(binary.LittleEndian.Uint64(s.heap[this-1-heapAt:]), mapPrototype, proto)
		slow := s.objectWith(typePlain, s.class("Object"), nil)
		s.half(binary.LittleEndian.Uint64(s.heap[slow-1-heapAt:])-1+s.at[mapBits], 1<<s.at[dictionaryShift])
		entries := append(make([]uint64, s.at[dictionaryStart]+s.at[dictionaryPrefix]), s.oddball(int(s.at[oddUndefined])), 0, 0, s.text(".js"), f, small(0))
		entries[capacityIndex] = small(2)
		s.put(slow, objectProperties, s.array(typeArray, entries...))
		for receiver, want := range map[uint64]string{this: "Module.load", slow: "Object..js", proto: "Object.load", small(3): anonymous, s.object(s.at[typeGlobal], 32): anonymous} {
			s.word(pointer+s.at[frameArguments], receiver)
			if got := Find(s.target()).Tasks[0].Runs[0][0].Function; got != want {
				t.Errorf("Node %s: %s, want %s", releases[release], got, want)
			}
		}
	}
}

// An object that has itself costs no more than the bounds, and damaged words end no query.
func TestDamagedValues(t *testing.T) {
	make := func() *scene {
		return called(3, "(a, b) {", func(s *scene) []uint64 {
			o := s.objectWith(typePlain, s.class("Knot"), map[string]uint64{}, "self", "list")
			list := s.objectWith(typeList, s.class("Array"), nil)
			s.put(list, objectElements, s.array(typeArray, o, o, o))
			s.word(list-1+s.at[objectElements]+8, small(3))
			s.word(o-1+24, o)
			s.word(o-1+32, list)
			return []uint64{o, o, list}
		})
	}
	whole := make()
	const want = "Knot this=Knot {self: Knot, list: Array(3)}; Knot a=Knot {self: Knot, list: Array(3)}; Array b=Array(3) [Knot, Knot, Knot]"
	if got := shown(t, whole); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	began := time.Now()
	for at := 0; at < whole.next; at += 8 * sample.Step() {
		old := binary.LittleEndian.Uint64(whole.heap[at:])
		for _, v := range []uint64{0, ^uint64(0), ^old, old ^ 8, old + small(1), heapAt + 1, small(1 << 30)} {
			s := make()
			s.word(heapAt+uint64(at), v)
			shown(t, s)
		}
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
