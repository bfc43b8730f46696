package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Addresses of a Go program in a test: types and texts are constant, values are on the heap.
const (
	goTypes  = appBase + 0x9000
	goFrame  = stackLow + 0x1100 // of gopanic, throw or fatal
	goCaller = goFrame + 0x100
	goWord   = heapBase + 0x100
)

// goProgram is a Go program that ended in a function of the runtime.
func goProgram(t *testing.T, function string) *scene {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("runtime.raise", function, "main.work").standing()
	s.Regions[0].Last = goTypes - 1
	s.Regions = append(s.Regions[:1:1], append([]process.Region{{Start: goTypes, Last: goTypes + 0x6fff, Access: "r--"}}, s.Regions[1:]...)...)
	for i, typ := range []struct {
		name       string
		size, kind uint64
	}{{"*string", 16, goString}, {"*main.code", 8, 2}, {"*main.fault", 24, 25}, {"*runtime.plainError", 16, goString}, {"*float64", 8, goFloat64}, {"*bool", 1, goBool}, {"*uint16", 2, 9}, {"*complex128", 16, 16}} {
		at, name := uint64(goTypes+0x100+0x40*i), uint64(0x1000+0x40*i)
		s.put(at, typ.size).put(at+16, goExtraStar<<32|8<<40|8<<48|typ.kind<<56).half(at+goTypeName, uint32(name))
		s.text(goTypes+name+2, typ.name)
		s.bytes[goTypes+name], s.bytes[goTypes+name+1] = 1, byte(len(typ.name))
	}
	s.text(goTypes+0x2000, "assignment to entry in nil map").text(goTypes+0x2100, "disk 7 is full").text(goTypes+0x2200, "concurrent map writes")
	s.put(goWord, goTypes+0x2000).put(goWord+8, 30).put(goWord+0x10, goTypes+0x2100).put(goWord+0x18, 14)
	return s.put(goWord+0x20, ^uint64(6)).put(goWord+0x28, 0x4004_0000_0000_0000).put(goWord+0x30, 0xffff_0001)
}

// movedTypes makes the constant data begin before the types, as linkers do for cgo, with the module's data in a variable.
func (s *scene) movedTypes() *scene {
	const table, data = goTypes - 0x800, goTypes + 0x7000
	s.Regions[0].Last, s.Regions[1].Start = goTypes-0x1001, goTypes-0x1000
	s.region(process.Region{Start: data, Last: data + 0xfff, Access: "rw-"}).half(table, 0xffff_fff1)
	s.Modules = module.NewMap([]module.Module{{Base: appBase, Size: 0x2_0000, CodeFile: "/opt/app/bin/app"}})
	for i, word := range []uint64{table, table + 0x48, 0x10, heapBase, goTypes - 0x900, goTypes - 0x8f0, goTypes, goTypes + 0x2000, goTypes - 0x10, goTypes + 0x1000} {
		s.put(data+0x100+8*uint64(i), word) // the end of the table and the list of types, which is among them, are behind the types
	}
	return s
}

// A fatal error that says what ran out is named so. A panic with the same text is a panic.
func TestGoRanOut(t *testing.T) {
	for text, want := range map[string]struct {
		kind  Kind
		title string
	}{
		"stack overflow":                               {StackOverflow, "Stack overflow"},
		"out of memory":                                {OutOfMemory, "Out of memory"},
		"runtime: out of memory":                       {OutOfMemory, "Out of memory"},
		"runtime: cannot allocate memory":              {OutOfMemory, "Out of memory"},
		"out of memory allocating heap arena map":      {OutOfMemory, "Out of memory"},
		"thread exhaustion":                            {Resource, "Too many threads"},
		"fault":                                        {Panic, "Invalid memory access in Go code"},
		"faulty":                                       {Panic, "Fatal error of the Go runtime"},
		"all goroutines are asleep - deadlock!":        {Panic, "Deadlock"},
		"the program's out of memory, stack overflow!": {Panic, "Fatal error of the Go runtime"},
	} {
		s := goProgram(t, "runtime.throw").text(goTypes+0x2300, text).put(goFrame+0x20, goTypes+0x2300).put(goFrame+0x28, uint64(len(text)))
		if got := Analyze(s.Input).Findings[0]; got.Kind != want.kind || got.Text != want.title || !got.Cause {
			t.Errorf("%s: %+v, want %s", text, got, want)
		}
		s = goProgram(t, "runtime.gopanic").put(goCaller, goType(0)).put(goCaller+8, goWord).text(goTypes+0x2300, text).put(goWord, goTypes+0x2300).put(goWord+8, uint64(len(text)))
		if got := Analyze(s.Input).Findings[0]; got.Kind != Panic || got.Text != "Go panic" || !strings.Contains(got.Evidence[0], text) {
			t.Errorf("a panic with %q: %+v", text, got)
		}
	}
}

// The place of a deadlock is where the main goroutine waits, and that of a crash in C without own functions is the call.
func TestGoroutines(t *testing.T) {
	const deadlock = "all goroutines are asleep - deadlock!"
	waits := func(functions ...string) func(WhichGoroutine) *Goroutine {
		return func(which WhichGoroutine) *Goroutine {
			out := &Goroutine{ID: 1, State: "chan receive", Frames: crashAt(t, "").stack(functions...).Frames}
			for i := range out.Frames {
				out.Frames[i].File = new("/src/main.go")
			}
			if which == CallingGoroutine {
				out.ID, out.State = 7, "syscall"
			}
			return out
		}
	}
	asleep := func(find func(WhichGoroutine) *Goroutine) *scene {
		s := goProgram(t, "runtime.fatal").text(goTypes+0x2300, deadlock).put(goFrame+0x20, goTypes+0x2300).put(goFrame+0x28, uint64(len(deadlock)))
		s.Frames[2].Function, s.Goroutine = new("runtime.checkdead"), find
		return s
	}
	called := func(frames ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, siTkill).stack(append([]string{"!raise", "!abort"}, frames...)...)
	}
	with := func(s *scene, find func(WhichGoroutine) *Goroutine) *scene {
		s.Goroutine = find
		return s
	}
	none := func(WhichGoroutine) *Goroutine { return nil }
	for _, tt := range []struct {
		name, where, detail string
		id                  uint64
		s                   *scene
	}{
		{"a deadlock", "main.collect", "The main goroutine waits: chan receive.", 1,
			asleep(waits("runtime.gopark", "runtime.chanrecv", "sync.(*WaitGroup).Wait", "main.collect", "main.main"))},
		{"a deadlock without names", "", "", 0, asleep(waits("", ""))},
		{"a deadlock without the main goroutine", "", "", 0, asleep(none)},
		{"another process ended a program that waits", "main.collect", "The main goroutine waits: chan receive.", 1,
			with(crashAt(t, "").raise("linux", sigABRT, siTkill).stack("runtime.raise", "runtime.dieFromSignal", "runtime.crash"), waits("runtime.chanrecv", "main.collect"))},
		{"a call of C", "main.drop", "Goroutine 7 called the C code.", 7,
			with(called("runtime.asmcgocall"), waits("runtime.cgocall", "main._Cfunc_drop", "main.drop"))},
		{"a call of C, which has a function", "twice", "", 0,
			with(called("twice", "runtime.asmcgocall"), waits("runtime.cgocall", "main.drop"))},
		{"no call of C", "", "", 0, with(called("runtime.mstart"), waits("runtime.cgocall", "main.drop"))},
	} {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		placed := tt.where == "" && !strings.HasPrefix(v.Where, "main.") || v.Where == tt.where
		if !placed || v.Goroutine != tt.id || !strings.HasSuffix(v.Detail, tt.detail) || tt.id != 0 && v.Frame != -1 {
			t.Errorf("%s: %s in %q of goroutine %d, frame %d: %s", tt.name, v.What, v.Where, v.Goroutine, v.Frame, v.Detail)
		}
	}
}

// goType is the type of a number in goProgram.
func goType(i uint64) uint64 { return goTypes + 0x100 + 0x40*i }

// The value of a panic is the text into which the runtime turned it, or a plain value, or at least a type.
func TestGoPanics(t *testing.T) {
	panicked := func(typ, data uint64) *scene {
		return goProgram(t, "runtime.gopanic").put(goCaller, typ).put(goCaller+8, data)
	}
	const nilMap = "assignment to entry in nil map"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a text", nilMap, panicked(goType(0), goWord)},
		{"an error of the runtime", nilMap, panicked(goType(3), goWord).put(goFrame+0x10, goType(0)).put(goFrame+0x18, goWord)},
		{"an error of the program", "disk 7 is full (main.fault)", panicked(goType(2), goWord).put(goFrame+0x10, goType(0)).put(goFrame+0x18, goWord+0x10)},
		{"types that do not begin the constant data", "disk 7 is full (main.fault)", panicked(goType(2), goWord).put(goFrame+0x10, goType(0)).put(goFrame+0x18, goWord+0x10).movedTypes()},
		{"a text of unknown type", "", panicked(goType(0), goWord).half(goType(0)+goTypeName, 0x4000)},
		{"only the text is known", "disk 7 is full", goProgram(t, "runtime.gopanic").put(goFrame+0x10, goType(0)).put(goFrame+0x18, goWord+0x10)},
		{"a number of the program's type", "main.code(-7)", panicked(goType(1), goWord+0x20)},
		{"a float", "2.5", panicked(goType(4), goWord+0x28)},
		{"a bool", "true", panicked(goType(5), goWord+0x30)},
		{"16 bits", "1", panicked(goType(6), goWord+0x30)},
		{"an empty text", `""`, panicked(goType(0), goWord).put(goWord+8, 0)},
		{"a complex number", "(2.5-1i)", panicked(goType(7), goWord+0x28).put(goWord+0x30, 0xbff0_0000_0000_0000)},
		{"a structure", "a value of type main.fault", panicked(goType(2), goWord)},
		{"a wrong size", "", panicked(goType(0), goWord).put(goType(0), 8)},
		{"a wrong kind", "", panicked(goType(0), goWord).put(goType(0)+16, 8<<40|8<<48|27<<56)},
		{"a wrong alignment", "", panicked(goType(0), goWord).put(goType(0)+16, 8<<40|4<<48|24<<56)},
		{"a type that is not constant", "", panicked(heapBase+0x800, goWord)},
		{"no memory", "", panicked(goType(0), goWord).with(func(in *Input) { in.Memory = nil })},
		{"throw", "concurrent map writes", goProgram(t, "runtime.throw").put(goFrame+0x20, goTypes+0x2200).put(goFrame+0x28, 21)},
		{"fatal", "concurrent map writes", goProgram(t, "runtime.fatal").put(goCaller, goTypes+0x2200).put(goCaller+8, 21)},
		{"a text of fatal that is not constant", "", goProgram(t, "runtime.fatal").put(goCaller, goWord).put(goCaller+8, 21)},
		{"another CPU", "", goProgram(t, "runtime.throw").put(goFrame+0x20, goTypes+0x2200).put(goFrame+0x28, 21).of(&cpu.X86)},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		got, ok := strings.CutPrefix(f.Evidence[0], "The message is: ")
		if !ok {
			got = ""
		}
		if strings.TrimSuffix(got, ".") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, f.Evidence, tt.want)
		}
	}
}

// A runtime whose stack has no function of the program is not the place of the error.
func TestGoWithoutOwnFrame(t *testing.T) {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("runtime.raise", "runtime.fatal", "runtime.checkdead", "runtime.mstart1")
	if v := Verdict(s.Input, Analyze(s.Input)); v.What != "Fatal error of Go" || v.Where != "" || v.Frame != -1 {
		t.Errorf("%s in %q, frame %d", v.What, v.Where, v.Frame)
	}
}

// The address of an access that failed is in the goroutine's structure, where the interrupted instruction's address is.
func TestGoFault(t *testing.T) {
	const g, failed = heapBase + 0x200, codeAddr + 0x40
	faulted := func(code, addr uint64) *scene {
		s := goProgram(t, "runtime.gopanic")
		s.stack("runtime.raise", "runtime.gopanic", "runtime.panicmem", "runtime.sigpanic", "main.work").standing()
		s.Frames[4].Walked().Regs.Set(cpu.RIP, failed)
		s.Goroutine = func(which WhichGoroutine) *Goroutine {
			if which != CrashingGoroutine {
				return nil
			}
			return &Goroutine{ID: 1, Address: g}
		}
		return s.put(g+0xc8, code).put(g+0xd0, addr).put(g+0xd8, failed)
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"a field of nil", "The address was 0x18: most likely an offset from a nil pointer.", faulted(segvMapErr, 0x18)},
		{"nil", "The address was 0x0.", faulted(segvMapErr, 0)},
		{"a wild address", "The address was 0xdead0008.", faulted(segvMapErr, 0xdead_0008)},
		{"no canonical one", "The CPU did not tell the address: it is not canonical.", faulted(siKernel, 0)},
		{"another code", "", faulted(7, 0x18)},
		{"another instruction", "", faulted(segvMapErr, 0x18).put(g+0xd8, failed+1)},
		{"no goroutine", "", faulted(segvMapErr, 0x18).with(func(in *Input) { in.Goroutine = nil })},
	} {
		got := Analyze(tt.s.Input).Findings[0].Evidence[0]
		if tt.want == "" && strings.Contains(got, "ddress") || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
