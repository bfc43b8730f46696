package python

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/runtimes"
	"crashglass/core/testkit/sample"
	"crashglass/core/testkit/tasks"
)

// Where the parts of a made process are.
const (
	dataAt, heapAt = 0x543000, 0x7f0000000000
	stateAt        = 0x100 // of the runtime, in the data
	rooms          = 0x2000
)

// debugOffsets are _Py_DebugOffsets of releases, without their first three words, as processes have them: 3.13.0 and 3.14.9
// on x86-64 Linux. Offsets in the runtime, the interpreter and its lock are smaller here, so that the process is small.
var debugOffsets = map[int][]uint64{
	13: {0, 0, 632, 0, 7256, 64, 144, 0, 0, 0, 0, 16, 560, 0, 568, 560, 0, 0, 8, 16, 72, 152, 160, 232, 32, 80, 8, 0, 56, 72, 70, 200, 112, 120, 128, 136, 68, 52, 96, 104, 200, 16, 8, 416, 24, 88, 168, 40, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40, 264, 192},
	14: {0, 784, 808, 0, 40, 64, 144, 160, 0, 0, 0, 0, 16, 560, 0, 576, 568, 0, 0, 832, 0, 8, 16, 72, 152, 160, 232, 32, 88, 8, 0, 56, 80, 74, 64, 0, 216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0, 16, 8, 416, 24, 88, 168, 40, 32, 16, 40, 24, 16, 200, 24, 40, 32, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40, 264, 192, 160, 24, 72, 67},
}

// A scene is the memory of a process with Python.
type scene struct {
	*layout
	data, heap []byte
	next       int // free in the heap
	types      map[string]uint64
	texts      [][2]int // the characters of texts, as offsets in the heap
}

func (s *scene) bytes(addr uint64) []byte {
	if addr >= heapAt {
		return s.heap[addr-heapAt:]
	}
	return s.data[addr-dataAt:]
}

func (s *scene) put(addr uint64, f field, v uint64) { s.word(addr+s.at[f], v) }

func (s *scene) word(addr, v uint64) { binary.LittleEndian.PutUint64(s.bytes(addr), v) }

func (s *scene) half(addr, v uint64) {
	binary.LittleEndian.PutUint32(s.bytes(addr), uint32(v))
}

// object makes an object of a type, and the type with the first one.
func (s *scene) object(kind string, size int) uint64 {
	if s.types[kind] == 0 && kind != "" {
		t := s.object("", 256)
		name := s.object("", len(kind)+1)
		copy(s.bytes(name), kind)
		s.put(t, typeName, name)
		s.types[kind] = t
	}
	addr := uint64(heapAt + s.next)
	if s.next += (size + 15) &^ 15; s.next > len(s.heap) {
		panic("the heap is too small")
	}
	if kind != "" {
		s.put(addr, objectType, s.types[kind])
	}
	return addr
}

func (s *scene) text(text string) uint64 {
	units, wide := []rune(text), uint64(1)
	for _, r := range units {
		if r > 0xff {
			wide = 2
		}
	}
	from, state := s.at[textCompact], uint64(compact|wide<<kindShift)
	if len(units) == len(text) {
		from, state = s.at[textASCII], state|ascii
	}
	addr := s.object("str", int(from)+(len(units)+1)*int(wide))
	s.put(addr, textLength, uint64(len(units)))
	s.half(addr+s.at[textState], state)
	for i, r := range units {
		s.bytes(addr + from + uint64(i)*wide)[0] = byte(r)
		if wide == 2 {
			s.bytes(addr + from + uint64(i)*2)[1] = byte(r >> 8)
		}
	}
	s.texts = append(s.texts, [2]int{int(addr + from - heapAt), int(addr+from-heapAt) + len(units)*int(wide)})
	return addr
}

// code makes a code object of 8 units: two of the first line, four of the next but one, and two without a line.
func (s *scene) code(name, file string, first uint64) uint64 {
	addr := s.object("code", int(s.at[codeStart])+16)
	short := name[strings.LastIndex(name, ".")+1:]
	s.put(addr, codeName, s.text(short))
	s.put(addr, codeQualname, s.text(name))
	s.put(addr, codeFile, s.text(file))
	s.half(addr+s.at[codeFirstLine], first)
	s.put(addr, bytesSize, 8)
	table := []byte{0x80 | 0<<3 | 1, 0x11, 0x80 | 14<<3 | 3, 4, 0, 1, 2, 0x80 | 15<<3 | 1}
	lines := s.object("bytes", int(s.at[bytesData])+len(table)+1)
	s.put(lines, bytesSize, uint64(len(table)))
	copy(s.bytes(lines+s.at[bytesData]), table)
	s.put(addr, codeLines, lines)
	return addr
}

// frame makes a frame that executes a unit of a code; 0 is a frame of C.
func (s *scene) frame(code, unitAt, previous uint64) uint64 {
	addr := s.object("", 96)
	s.put(addr, framePrevious, previous)
	if s.put(addr, frameCode, code); code == 0 {
		s.bytes(addr + s.at[frameOwner])[0] = ownedByC
	}
	s.put(addr, frameInstr, code+s.at[codeStart]+2*unitAt)
	return addr
}

// thread makes a thread of an interpreter, before another one.
func (s *scene) thread(interp, native, frame, next uint64) uint64 {
	addr := s.object("", 256)
	s.put(addr, threadInterp, interp)
	s.put(addr, threadNext, next)
	s.put(addr, threadNative, native)
	if s.has[threadCFrame] {
		c := s.object("", 24)
		s.put(c, cframeFrame, frame)
		s.put(addr, threadCFrame, c)
	} else {
		s.put(addr, threadFrame, frame)
	}
	return addr
}

// made makes a process of a release with two threads: one calls module, Worker.run, C code, and λ.key, and handles an exception; the
// other one waits.
func made(minor int) *scene {
	s := &scene{data: make([]byte, 0x800), heap: make([]byte, rooms), types: map[string]uint64{}}
	state := uint64(dataAt + stateAt)
	words := append([]uint64{0, 0, 0}, debugOffsets[minor]...)
	if minor >= 13 {
		for i, w := range words {
			s.word(state+8*uint64(i), w)
		}
		copy(s.bytes(state), cookie)
		s.word(state+8, 3<<24|uint64(minor)<<16|0xf0)
	}
	s.layout = layoutOf(minor, func(n uint64) (uint64, bool) { return words[n], true })
	interp := s.object("", 0x400)
	if minor < 13 {
		s.word(state, 1)
		s.word(state+8, 1<<32|1)
		s.word(state+stateMutex, heapAt)
		s.word(state+stateMain, interp)
		s.word(state+stateNextID, 1)
	}
	s.put(state, interpHead, interp)

	frame := func(code, unit, previous uint64, entry bool) uint64 {
		f := s.frame(code, unit, previous)
		if entry && s.has[frameEntry] {
			s.bytes(f + s.at[frameEntry])[0] = 1
		} else if entry {
			s.put(f, framePrevious, s.frame(0, 0, previous))
		}
		return f
	}
	idle := frame(s.code("wait", "/srv/idle.py", 7), 0, 0, true)
	top := frame(s.code("<module>", "/srv/app.py", 1), 0, 0, true)
	run := frame(s.code("Worker.run", "/srv/app.py", 10), 4, top, false)
	key := frame(s.code("Worker.λ", "/srv/größe.py", 20), 7, run, true)
	waiting := s.thread(interp, 101, idle, 0)
	running := s.thread(interp, 100, key, waiting)
	s.put(interp, interpThreads, running)

	gil := state + s.at[runtimeGIL]
	if s.has[interpGIL] {
		gil = s.object("", 32)
		s.put(interp, interpGIL, gil)
	}
	s.word(gil+s.at[gilHolder]-s.at[gilStart], running)
	s.half(gil+s.at[gilLocked]-s.at[gilStart], 1)

	exception := s.object("ValueError", 80)
	s.put(s.types["ValueError"], typeFlags, flagReady|flagException)
	args := s.object("tuple", 48)
	s.put(args, tupleSize, 1)
	s.put(args, tupleItems, s.text("no number"))
	s.word(exception+s.at[objectType]+argsOffset, args)
	item := s.object("", 16)
	s.word(item, exception)
	s.put(running, threadHandled, item)
	return s
}

// process makes the process.
func (s *scene) process() *process.Process {
	file := bytes.Join([][]byte{s.data, s.heap}, nil)
	ranges := []process.Range{
		{Base: dataAt, Location: process.Location{Size: uint64(len(s.data))}},
		{Base: heapAt, Location: process.Location{RVA: uint64(len(s.data)), Size: uint64(len(s.heap))}},
	}
	p := &process.Process{Arch: &cpu.AMD64, Modules: []module.Module{{Base: 0x400000, Size: 0x200000, CodeFile: "/bin/python3"}}}
	p.Memory = process.NewMemory(process.NewPager(bin.NewSource(bytes.NewReader(file), int64(len(file)))), false, ranges, func(error) {})
	p.Threads = []process.Thread{{ID: 100}, {ID: 101}}
	return p
}

// written is a task as text.
func written(t *runtimes.Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q thread %d", t.ID, t.State, t.Thread)
	for _, run := range t.Runs {
		b.WriteString(" |")
		for _, c := range run {
			fmt.Fprintf(&b, " %s %s:%d", c.Function, c.File, c.Line)
		}
	}
	if e := t.Exception; e != nil {
		fmt.Fprintf(&b, " %t %s", e.Handled, e.Message)
	}
	if !t.Whole {
		b.WriteString(" …")
	}
	return b.String()
}

// Every release has its threads with their calls, in runs for each native call of the interpreter.
func TestFind(t *testing.T) {
	for minor := 11; minor <= 14; minor++ {
		found := Find(made(minor).process())
		if found == nil || found.Note != "" || len(found.Tasks) != 2 || found.Version != release(minor) {
			t.Errorf("3.%d: %+v", minor, found)
			continue
		}
		for i, want := range []string{
			`100 "holds the GIL" thread 100 | Worker.λ /srv/größe.py:0 | Worker.run /srv/app.py:12 <module> /srv/app.py:1 true no number`,
			`101 "without the GIL" thread 101 | wait /srv/idle.py:7`,
		} {
			if got := written(&found.Tasks[i]); got != want {
				t.Errorf("3.%d: %s, want %s", minor, got, want)
			}
		}
		entries := found.Tasks[0].Entries
		if stated := minor > 11; len(entries) != 2 || (entries[0] == entries[1]) == stated || (entries[0] != 0) != stated || (entries[1] != 0) != stated {
			t.Errorf("3.%d: entries at %#x", minor, entries)
		}
	}
}

// In a build for free threading, no thread needs the lock until it is enabled, and a thread may run its own copy of the code.
func TestFreeThreading(t *testing.T) {
	const free, enabled, index, copies = 2, 17, 38, 49          // words of _Py_DebugOffsets
	const enabledAt, indexAt, copiesAt, unitAt = 24, 84, 176, 3 // in the lock, a frame and a code; and the unit that is executed
	for _, tt := range []struct {
		enabled, copied uint64
		want            string
	}{
		{0, 0, `"free-threaded" Worker.λ:0`}, {0, 1, `"free-threaded" Worker.λ:22`}, {0, 9, `"free-threaded" Worker.λ:0`}, {1, 1, `"holds the GIL" Worker.λ:22`},
	} {
		s := made(14)
		frame := Find(s.process()).Tasks[0].Runs[0][0].Frame
		word := func(addr uint64) uint64 { return binary.LittleEndian.Uint64(s.bytes(addr)) }
		object := word(frame + s.at[frameCode])
		state := uint64(dataAt + stateAt)
		for n, offset := range map[uint64]uint64{free: 1, enabled: enabledAt, index: indexAt, copies: copiesAt} {
			s.word(state+8*n, offset)
		}
		interp := word(state + s.at[interpHead])
		s.half(word(interp+s.at[interpGIL])+enabledAt, tt.enabled)
		list, own := s.object("", 32), s.object("", 16)
		s.word(list, 2)
		s.word(list+16, own)
		s.word(object+copiesAt, list)
		s.half(frame+indexAt, tt.copied)
		s.put(frame, frameInstr, own+2*unitAt)
		task := Find(s.process()).Tasks[0]
		if call := task.Runs[0][0]; fmt.Sprintf("%q %s:%d", task.State, call.Function, call.Line) != tt.want {
			t.Errorf("%+v: %s", tt, written(&task))
		}
	}
}

// Whatever word is damaged, there is an answer, and no name that the undamaged memory does not have.
func TestDamaged(t *testing.T) {
	for minor := 11; minor <= 14; minor++ {
		functions, files := map[string]bool{"": true}, map[string]bool{}
		whole := made(minor)
		tasks.EachCall(Find(whole.process()), func(c runtimes.Call) { functions[c.Function], files[c.File] = true, true })
		letters := map[int]bool{} // a changed letter makes another text
		for _, text := range whole.texts {
			for at := text[0] &^ 7; at < text[1]; at += 8 {
				letters[at] = true
			}
		}
		values := []uint64{0, 3, ^uint64(0), heapAt, heapAt + 0x600, 0x2020202020202020}
		for at := 0; at < len(whole.data)+whole.next; at += 8 * sample.Step() {
			addr := dataAt + uint64(at)
			if at >= len(whole.data) {
				addr = heapAt + uint64(at-len(whole.data))
			}
			for _, v := range values {
				s := made(minor)
				s.word(addr, v)
				found := Find(s.process())
				tasks.EachCall(found, func(c runtimes.Call) {
					found.Variables(&c, 4, captured(s.process()))
					if !letters[int(addr-heapAt)] && (!functions[c.Function] || !files[c.File]) {
						t.Errorf("3.%d, %#x at %#x: %+v", minor, v, addr, c)
					}
				})
			}
		}
	}
}
