package v8

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/runtimes"
	"crashglass/core/testkit/sample"
	"crashglass/core/testkit/tasks"
)

//go:embed testdata/constants.txt
var constants string

// releases are the columns of constants.
var releases = []string{"18", "20", "22", "24"}

// Where the parts of a made process are.
const (
	heapAt    = 0x7f0000000000
	rooms     = 0x3000
	constsAt  = 0x543000
	builtinAt = 0x600000 // the builtins
)

// A constant is one of a release, with its name as a symbol.
type constant struct {
	name  string
	value int32
}

func constantsOf(release int) (out []constant) {
	for line := range strings.Lines(constants) {
		words := strings.Fields(line)
		if words[0] == "#" || words[1+release] == "-" {
			continue
		}
		v, err := strconv.Atoi(words[1+release])
		if err != nil {
			panic(err)
		}
		out = append(out, constant{prefix + words[0], int32(v)})
	}
	return out
}

// A scene is the memory of a process with V8.
type scene struct {
	*layout
	constants []constant
	heap      []byte
	next      int // free in the heap
	maps      map[uint64]uint64
	meta      uint64
	texts     [][2]int // the characters of texts, as offsets in the heap
	stack     runtimes.Stack
	sizes     uint64 // the table of the sizes of bytecodes, 0 for none
	lastCode  uint64 // that generated made
}

func (s *scene) word(addr, v uint64) { binary.LittleEndian.PutUint64(s.heap[addr-heapAt:], v) }
func (s *scene) half(addr, v uint64) {
	binary.LittleEndian.PutUint32(s.heap[addr-heapAt:], uint32(v))
}

// put writes a field of an object.
func (s *scene) put(o uint64, f field, v uint64) { s.word(o-1+s.at[f], v) }

func small(n int) uint64 { return uint64(n) << 32 }

// room returns memory.
func (s *scene) room(size int) uint64 {
	addr := uint64(heapAt + s.next)
	if s.next += (size + 31) &^ 31; s.next > len(s.heap) {
		panic("the heap is too small")
	}
	return addr
}

// mapOf returns the map of a type, which it makes for the first object.
func (s *scene) mapOf(kind uint64) uint64 {
	if s.maps[kind] == 0 {
		m := s.room(80) + 1
		s.maps[kind] = m
		if s.meta == 0 {
			s.meta = s.mapOf(s.at[typeMap])
		}
		s.put(m, objectMap, s.meta)
		binary.LittleEndian.PutUint16(s.heap[m-1+s.at[mapType]-heapAt:], uint16(kind))
	}
	return s.maps[kind]
}

// object makes an object of a type.
func (s *scene) object(kind uint64, size int) uint64 {
	m := s.mapOf(kind)
	o := s.room(size) + 1
	s.put(o, objectMap, m)
	return o
}

// text makes a sequential string.
func (s *scene) text(text string) uint64 {
	units, wide := []rune(text), false
	for _, r := range units {
		wide = wide || r > 0xff
	}
	kind, at, size := s.at[formSequential]|s.at[widthOne], s.at[oneByteChars], 1
	if wide {
		kind, at, size = s.at[formSequential], s.at[twoByteChars], 2
	}
	o := s.object(kind, int(at)+size*len(units))
	s.half(o-1+s.at[stringLength], uint64(len(units)))
	begin := int(o - 1 + at - heapAt)
	for i, r := range units {
		s.heap[begin+size*i] = byte(r)
		if wide {
			s.heap[begin+size*i+1] = byte(r >> 8)
		}
	}
	s.texts = append(s.texts, [2]int{begin, begin + size*len(units)})
	return o
}

// bytes makes an array of bytes, as tables of positions are.
func (s *scene) bytes(b []byte) uint64 {
	kind := s.at[typeBytes]
	if s.has[typeTrustedBytes] {
		kind = s.at[typeTrustedBytes]
	}
	o := s.object(kind, int(s.at[arrayData])+len(b))
	s.put(o, arrayLength, small(len(b)))
	copy(s.heap[o-1+s.at[arrayData]-heapAt:], b)
	return o
}

// array makes an array of objects.
func (s *scene) array(kind field, items ...uint64) uint64 {
	o := s.object(s.at[kind], int(s.at[arrayData])+8*len(items))
	s.put(o, arrayLength, small(len(items)))
	for i, v := range items {
		s.word(o-1+s.at[arrayData]+8*uint64(i), v)
	}
	return o
}

// table makes a table of source positions from pairs of an offset and a position, which is a value of SourcePosition.
func (s *scene) table(pairs ...[2]int64) uint64 {
	var b []byte
	last := [2]int64{-1, 0}
	for _, p := range pairs {
		for i := range 2 {
			b = binary.AppendVarint(b, p[i]-last[i])
		}
		last = p
	}
	return s.bytes(b)
}

// at1 is the SourcePosition of a place in a script, in an inlined function if inlining is not negative.
func at1(place, inlining int64) int64 { return (place+1)<<positionShift | (inlining+1)<<inliningShift }

// function makes a JSFunction with a scope.
func (s *scene) function(name string, script uint64) (function, shared uint64) {
	scope := s.object(s.at[typeScope], 80)
	flags := uint64(functionName | inferredName)
	if s.at[scopeFirst] == 5 {
		s.word(scope-1+8, flags)
	} else {
		s.word(scope-1+8, flags<<32)
	}
	fields := []uint64{small(0), small(1), small(5), small(60)} // parameters, locals, positions
	locals := []uint64{s.text("local"), small(0), s.text(name), small(-1), s.text("inferred")}
	if s.at[scopeFirst] == 3 {
		fields = append(append(fields[:2:2], locals...), fields[2:]...)
	} else {
		fields = append(fields, locals...)
	}
	for i, v := range fields {
		s.word(scope-1+16+8*uint64(i), v)
	}
	shared = s.object(s.at[typeShared], 64)
	s.put(shared, sharedName, scope)
	s.put(shared, sharedScript, script)
	function = s.object(s.at[typeFunction], 64)
	s.put(function, functionShared, shared)
	return function, shared
}

// frame makes a frame of JavaScript, and returns its frame pointer.
func (s *scene) frame(n runtimes.Native, function uint64) uint64 {
	at := s.room(128) // up to six arguments
	fp := at + 64
	s.word(fp+s.at[frameMarker], s.object(s.at[firstContext], 32))
	s.word(fp+s.at[frameFunction], function)
	n.Pointer = fp
	s.stack.Frames = append(s.stack.Frames, n)
	return fp
}

// bytecodes makes a BytecodeArray of 20 bytes.
func (s *scene) bytecodes(table uint64) uint64 {
	o := s.object(s.at[typeBytecode], 96)
	s.put(o, bytecodeLength, small(20))
	pool, kind := uint64(0), typeArray
	if s.has[typeTrustedArray] {
		kind = typeTrustedArray
	}
	pool = s.array(kind)
	handlers := s.bytes([]byte{1})
	parts := []uint64{pool, handlers, table}
	at := o - 1 + s.at[bytecodeLength] + 8
	if s.has[typeTrustedArray] {
		parts, at = []uint64{table, handlers, pool}, at+8
	}
	for i, v := range parts {
		s.word(at+8*uint64(i), v)
	}
	return o
}

// generated makes optimized code, into which a function was inlined at a place, and returns a return address in it.
func (s *scene) generated(table, shared uint64, place int64) uint64 {
	where := make([]byte, 16)
	binary.LittleEndian.PutUint64(where, uint64(at1(place, -1)))
	binary.LittleEndian.PutUint32(where[8:], 1)
	items := make([]uint64, 12)
	items[s.at[inliningPositions]] = s.bytes(where)
	items[s.at[literals]] = s.array(typeArray, small(0), shared)
	kind := typeArray
	if s.has[typeTrustedArray] {
		kind = typeTrustedArray
	}
	deopt := s.array(kind, items...)
	header := s.at[codeStart]
	code, start := uint64(0), uint64(0)
	if s.has[streamHeader] {
		header = s.at[streamHeader]
		s.next += 32 - int(header%32) // instructions are aligned
		stream := s.object(s.at[typeStream], int(header)+64)
		code = s.object(s.at[typeCode], 80)
		start = stream - 1 + header
		s.word(stream-1+8, code)
		s.put(code, codeStart, start)
		s.word(code-1+8, deopt)
		s.word(code-1+16, table)
	} else {
		code = s.object(s.at[typeCode], int(header)+64)
		start = code - 1 + header
		s.word(code-1+16, deopt)
		s.word(code-1+24, table)
	}
	s.half(code-1+s.at[codeSize], 64)
	s.lastCode = code
	return start + 40
}

// thrown makes an error with a message, and the frames that throw it.
func (s *scene) thrown(class, message string) {
	constructor, _ := s.function(class, s.object(s.at[typeOddball], 48))
	o := s.object(s.at[typeError], 48)
	m := s.maps[s.at[typeError]]
	s.put(m, mapConstructor, constructor)
	s.heap[m-1+s.at[mapSize]-heapAt] = 4
	s.heap[m-1+s.at[mapInside]-heapAt] = 3
	s.half(m-1+s.at[mapBits], 1<<s.at[ownShift])
	list := s.object(100, int(s.at[descriptorsStart])+24)
	s.put(m, mapDescriptors, list)
	at := list - 1 + s.at[descriptorsStart]
	s.word(at+8*s.at[descriptorKey], s.text("message"))
	s.word(at+8*s.at[descriptorDetails], s.at[locationField]<<s.at[locationShift]<<32)
	s.word(o-1+24, s.text(message))
	fp := s.room(48)
	s.word(fp+s.at[frameArguments], o)
	s.stack.Frames = append(s.stack.Frames, runtimes.Native{Instruction: 0x500000, Function: throws + "int, unsigned long*, v8::internal::Isolate*)", Module: true},
		runtimes.Native{Instruction: builtinAt, Pointer: fp, Module: true})
}

// made makes a process of a release with one stack: C++ that throws, an interpreted function, optimized code with an inlined function where the release
// describes code, and another interpreted function.
func made(release int) *scene {
	s := &scene{constants: constantsOf(release), heap: make([]byte, rooms), maps: map[uint64]uint64{}, stack: runtimes.Stack{Thread: 7}}
	s.layout, _ = layoutOf(s.target(), builtinAt)
	s.thrown("TypeError", "no apple")
	script := s.object(s.at[typeScript], 128)
	s.put(script, scriptName, s.text("/srv/größe π.js"))
	s.put(script, scriptSource, s.text("first\nsecond\r\nthird\nfourth\n and much more than that"))
	for i := range uint64(2) {
		s.word(script-1+s.at[scriptName]+8+8*i, small(0))
	}
	inner, shared := s.function("inner", script)
	outer, _ := s.function("πετρα", script)
	interpreted := func(function uint64, offset int, table uint64) {
		fp := s.frame(runtimes.Native{Instruction: builtinAt, Module: true}, function)
		s.word(fp+s.at[frameBytecodes], s.bytecodes(table))
		s.word(fp+s.at[frameOffset], small(offset+int(s.at[bytecodeData])-1))
	}
	interpreted(inner, 7, s.table([2]int64{0, at1(6, -1)}, [2]int64{7, at1(15, -1)}, [2]int64{9, at1(2, -1)}))
	if s.has[codeSize] {
		pc := s.generated(s.table([2]int64{10, at1(3, -1)}, [2]int64{39, at1(22, 0)}), shared, 26)
		s.frame(runtimes.Native{Instruction: pc}, outer)
	}
	interpreted(outer, 19, s.table([2]int64{3, at1(0, -1)}))
	return s
}

// target makes the process.
func (s *scene) target() *runtimes.Target {
	file := make([]byte, 4*len(s.constants))
	for i, c := range s.constants {
		binary.LittleEndian.PutUint32(file[4*i:], uint32(c.value))
	}
	ranges := []process.Range{
		{Base: constsAt, Location: process.Location{Size: uint64(len(file))}},
		{Base: heapAt, Location: process.Location{RVA: uint64(len(file)), Size: uint64(len(s.heap))}},
	}
	file = append(file, s.heap...)
	p := &process.Process{Arch: &cpu.AMD64, Threads: []process.Thread{{ID: 7}}}
	p.Memory = process.NewMemory(process.NewPager(bin.NewSource(bytes.NewReader(file), int64(len(file)))), false, ranges, func(error) {})
	return &runtimes.Target{
		Process: p, Stacks: []runtimes.Stack{s.stack},
		Bytes: func(addr uint64, n int) []byte {
			b := make([]byte, n)
			return b[:p.Memory.Read(addr, b)]
		},
		Data: func(_ uint64, start string, each func(string, uint64)) {
			if s.sizes != 0 && strings.HasPrefix(bytecodeSizes, start) {
				each(bytecodeSizes, s.sizes)
			}
			for i, c := range s.constants {
				if strings.HasPrefix(c.name, start) {
					each(c.name, constsAt+4*uint64(i))
				}
			}
		},
	}
}

// written is the calls of a process as text.
func written(found *runtimes.Found) string {
	if found == nil {
		return "nothing"
	}
	var b strings.Builder
	for i := range found.Tasks {
		t := &found.Tasks[i]
		fmt.Fprintf(&b, "%d:", t.Thread)
		for i, run := range t.Runs {
			fmt.Fprintf(&b, " |%d", t.Frames[i])
			for _, c := range run {
				fmt.Fprintf(&b, " %s %s:%d:%d", c.Function, c.File, c.Line, c.Column)
			}
		}
		if e := t.Exception; e != nil {
			fmt.Fprintf(&b, " %s: %s", e.Name, e.Message)
		}
	}
	return b.String() + found.Note
}

// Every release has its calls, in the frames of the interpreter and of optimized code, and what is thrown.
func TestFind(t *testing.T) {
	for i, release := range releases {
		want := "7: |2 inner /srv/größe π.js:3:2 |3 inner /srv/größe π.js:4:3 πετρα /srv/größe π.js:4:7 |4 πετρα /srv/größe π.js:1:1 TypeError: no apple"
		if got := written(Find(made(i).target())); got != want {
			t.Errorf("Node %s: %s, want %s", release, got, want)
		}
	}
}

// Without the heap, frames of the interpreter are calls without a name, and a note says why.
func TestWithoutHeap(t *testing.T) {
	frames := []runtimes.Native{{Instruction: builtinAt, Function: trampoline, Module: true}, {Instruction: builtinAt, Function: "main", Module: true}}
	for note, s := range map[string]*scene{noConstants: {}, noMemory: {constants: constantsOf(1)[:9]}, lostNote: {constants: constantsOf(1)}} {
		s.stack = runtimes.Stack{Thread: 7, Frames: frames}
		if got, want := written(Find(s.target())), "7: |0  :0:0"+note; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := Find((&scene{stack: runtimes.Stack{Frames: frames[1:]}}).target()); got != nil {
		t.Errorf("%+v in a process without V8", got)
	}
}

// V8 truncates a source without clearing what follows it, which costs no line.
func TestTruncatedSource(t *testing.T) {
	for i := range releases {
		s := made(i)
		for _, text := range s.texts {
			if string(s.heap[text[0]:][:5]) == "first" {
				s.heap[text[1]] = 0x1f
			}
		}
		if got := Find(s.target()).Tasks[0].Runs[0][0]; got.Line != 3 || got.Column != 2 {
			t.Errorf("Node %s: line %d, column %d", releases[i], got.Line, got.Column)
		}
	}
}

// A text that stands for itself is given up, and costs what it reads.
func TestEndlessText(t *testing.T) {
	s := made(1)
	thin := s.object(s.at[formThin], 32)
	s.put(thin, thinActual, thin)
	f := &finder{t: s.target(), layout: s.layout, kinds: map[object]uint64{}, left: 2 * mostParts}
	if text, ok := f.text(object(thin), mostName); ok || f.left > mostParts {
		t.Errorf("%q, %d of %d reads are left", text, f.left, 2*mostParts)
	}
}

// Lengths that constants state do not make a search long.
func TestConstantsOfLengths(t *testing.T) {
	for at, search := range map[field]func(*finder){
		streamHeader: func(f *finder) { f.searchCode(heapAt + 1<<31) },
		bytecodeData: func(f *finder) { f.positionIn(object(heapAt+1), 0) },
	} {
		s := made(3)
		f := &finder{t: s.target(), layout: s.layout, kinds: map[object]uint64{}, left: mostRead}
		f.at[at] = 1 << 20
		if search(f); mostRead-f.left > mostHeader {
			t.Errorf("%d reads with constant %d", mostRead-f.left, at)
		}
	}
}

// Whatever word is damaged, there is an answer, and no name that the undamaged memory does not have.
func TestDamaged(t *testing.T) {
	for release := range releases {
		names, files, whole := map[string]bool{"": true, anonymous: true}, map[string]bool{"": true}, made(release)
		tasks.EachCall(Find(whole.target()), func(c runtimes.Call) { names[c.Function], files[c.File] = true, true })
		for _, other := range []string{"local", "inferred", "TypeError"} { // names of the process, too
			names[other] = true
		}
		letters := map[int]bool{} // a changed letter makes another text
		for _, text := range whole.texts {
			for at := text[0] &^ 7; at < text[1]; at += 8 {
				letters[at] = true
			}
		}
		values := []uint64{0, 3, ^uint64(0), heapAt + 1, heapAt + 0x601, 0x2020202020202020, small(1), 1}
		for at := 0; at < whole.next; at += 8 * sample.Step() {
			old := binary.LittleEndian.Uint64(whole.heap[at:])
			for _, v := range append(values, ^old, old^8, old+small(1)) {
				s := made(release)
				s.word(heapAt+uint64(at), v)
				tasks.EachCall(Find(s.target()), func(c runtimes.Call) {
					if !letters[at] && (!names[c.Function] || !files[c.File]) {
						t.Errorf("Node %s, %#x at %#x: %+v", releases[release], v, at, c)
					}
				})
			}
		}
	}
}
