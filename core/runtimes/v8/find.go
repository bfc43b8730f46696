package v8

import (
	"cmp"
	"strings"

	"crashglass/core/runtimes"
)

// Runtime is the row of V8.
func Runtime() runtimes.Runtime {
	return runtimes.Runtime{Name: "JavaScript", Task: "javascript_thread", Frame: "javascript", Native: trampoline, Walked: Find}
}

// trampoline is the builtin whose frames run interpreted functions. Builtins have a prefix.
const (
	trampoline = builtin + "InterpreterEntryTrampoline"
	builtin    = "Builtins_"
	namespace  = "v8::"
)

// mostRead bounds the fields, the characters, and the bytes of tables, that are read.
const mostRead = 1 << 26

// A finder reads the heap of a process.
type finder struct {
	t       *runtimes.Target
	*layout // nil if the heap cannot be read

	kinds     map[object]uint64    // by map
	functions map[object]*function // nil for damaged ones
	scripts   map[object]*script
	codes     map[uint64]*code // by address, nil for none
	left      int              // fields, characters, and bytes of tables
	values    int              // what is left of the same for variables
	lost      int              // frames whose function is damaged
	uncertain int              // frames of optimized code without the calls that were inlined
	sizes     *sizes           // of bytecodes, nil if they are not known
}

// Find finds the calls of JavaScript on the stacks of a process, nil if there is no V8.
func Find(t *runtimes.Target) *runtimes.Found {
	if t.Arch == nil || t.Arch.Word != word || t.Memory == nil {
		return nil
	}
	at := engine(t)
	if at == 0 {
		return nil
	}
	out := &runtimes.Found{Version: "V8"}
	l, any := layoutOf(t, at)
	f := &finder{t: t, kinds: map[object]uint64{}, functions: map[object]*function{}, scripts: map[object]*script{}, codes: map[uint64]*code{}, left: mostRead, values: mostRead}
	if l != nil && !l.compressed() {
		f.sizes = readSizes(t, at)
		f.layout = l
	}
	for i := range t.Stacks {
		if task := f.stack(&t.Stacks[i]); task != nil {
			out.Tasks = append(out.Tasks, *task)
		}
	}
	if f.layout != nil {
		out.Variables = f.variables
	}
	switch {
	case len(out.Tasks) == 0:
		return nil
	case !any:
		out.Note = noConstants
	case l == nil:
		out.Note = noMemory
	case f.layout == nil:
		out.Note = compressedNote
	case f.lost > 0:
		out.Note = lostNote
	case f.uncertain > 0:
		out.Note = inlinedNote
	}
	return out
}

// The notes.
const (
	noConstants    = "functions of JavaScript have no names: the program does not export the constants that describe the heap of V8 (v8dbg_...), or its file is not given"
	noMemory       = "functions of JavaScript have no names: the heap of V8 is not in the dump"
	compressedNote = "functions of JavaScript have no names: V8's heap has compressed pointers"
	lostNote       = "some calls of JavaScript have no names: their structures are damaged, or not captured"
	inlinedNote    = "calls of JavaScript that V8 inlined into optimized functions may be missing"
)

// engine returns an instruction in the module that has V8, 0 if no stack shows one.
func engine(t *runtimes.Target) uint64 {
	for i := range t.Stacks {
		for _, n := range t.Stacks[i].Frames {
			if n.Module && (strings.HasPrefix(n.Function, namespace) || strings.HasPrefix(n.Function, builtin)) {
				return n.Instruction
			}
		}
	}
	return 0
}

// stack returns the calls of JavaScript on a stack, nil if there are none.
func (f *finder) stack(s *runtimes.Stack) *runtimes.Task {
	t := &runtimes.Task{ID: uint64(s.Thread), Thread: s.Thread, Whole: true, State: running}
	for i := range s.Frames {
		if calls := f.calls(&s.Frames[i]); calls != nil {
			t.Runs, t.Frames = append(t.Runs, calls), append(t.Frames, i)
		}
	}
	if t.Runs == nil {
		return nil
	}
	if f.layout != nil {
		t.Exception = f.thrown(s)
	}
	return t
}

// running is the state of all threads: none is known to wait.
const running = "running"

// calls returns the calls that a native frame is, the innermost first; nil if it is none of JavaScript. A call without a name is one that is not
// known.
func (f *finder) calls(n *runtimes.Native) []runtimes.Call {
	if n.Function != "" && n.Module && !strings.HasPrefix(n.Function, builtin) {
		return nil
	}
	var fn *function
	if f.layout != nil && n.Pointer != 0 {
		fn = f.frameFunction(n.Pointer)
	}
	if fn == nil || fn.name == "" {
		if n.Function != trampoline {
			return nil
		}
		f.lost++
		return []runtimes.Call{{Instruction: n.Instruction, Frame: n.Pointer}}
	}
	call := runtimes.Call{Function: fn.name, Instruction: n.Instruction, Frame: n.Pointer}
	if fn.script == nil && fn.name == anonymous { // a builtin that Error.stack leaves out, too
		return nil
	}
	if fn.script == nil {
		return []runtimes.Call{call}
	}
	if fn.name == anonymous {
		call.Function = cmp.Or(f.methodName(n.Pointer), anonymous)
	}
	p := f.interpreted(n.Pointer)
	if p >= 0 || n.Function == trampoline {
		return []runtimes.Call{f.located(call, fn, p)}
	}
	c := f.codeAt(n.Instruction)
	if c != nil && c.baseline || n.Module {
		return []runtimes.Call{f.located(call, fn, f.baseline(c, n))}
	}
	if c == nil {
		c = &code{}
	}
	calls, whole := f.optimized(c, n.Instruction, &call, fn)
	if !whole {
		f.uncertain++
	}
	return calls
}

// located adds the file, and the line and the column of a source position if it is known, which is not negative.
func (f *finder) located(call runtimes.Call, fn *function, position int64) runtimes.Call {
	call.File = fn.script.name
	if position >= 0 {
		call.Line, call.Column = f.place(fn.script, position)
	}
	return call
}

// frameFunction returns the function of a frame, nil if the frame is none of JavaScript: it has a context, where other frames of V8 have their type, and a
// function. Source: V8, src/execution/frame-constants.h, StandardFrameConstants.
func (f *finder) frameFunction(fp uint64) *function {
	context, ok := f.slot(fp, frameMarker)
	k, known := f.kind(context)
	if !ok || !known || k < f.at[firstContext] || k > f.at[lastContext] {
		return nil
	}
	callee, _ := f.slot(fp, frameFunction)
	return f.callee(callee)
}

func (f *finder) slot(fp uint64, at field) (object, bool) {
	v, ok := f.t.Memory.Word(fp+f.at[at], word)
	return object(v), ok
}

// interpreted returns the source position of a frame of the interpreter, -1 for others: it has the bytecodes, and the offset of the current one, counted
// from the object.
func (f *finder) interpreted(fp uint64) int64 {
	bytecodes, ok := f.slot(fp, frameBytecodes)
	slot, has := f.slot(fp, frameOffset)
	if !ok || !has || !f.is(bytecodes, typeBytecode) {
		return -1
	}
	at, small := f.smi(slot)
	size, sized := f.smiField(bytecodes, f.at[bytecodeLength])
	offset := at - int64(f.at[bytecodeData]-f.at[heapTag])
	if !small || !sized || offset < 0 || offset >= size {
		return -1
	}
	return f.positionIn(bytecodes, offset)
}
