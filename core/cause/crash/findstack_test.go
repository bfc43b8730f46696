package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// deep gives a scene so many frames of one function.
func (s *scene) deep(function string, times int) *scene {
	s.Frames = slices.Repeat(rows([]spot{{Address: codeAddr, Module: "app", Function: function}}), times)
	return s
}

// A thread has used up its stack if an access close to the stack pointer failed just below memory
// that can be its stack. Each case lacks one of these.
func TestStackOverflows(t *testing.T) {
	const yes, other = "stack_overflow! 0.95", "unmapped! 1.00"
	below := func(distance uint64) *scene { // an access so far below the stack, with the stack pointer at its end
		return store(t, stackLow-distance).reg(cpu.RSP, stackLow)
	}
	elsewhere := func(s *scene) *scene { // the captured stack is that of a signal handler
		s.StackLow, s.StackHigh = heapBase, heapBase+0x1000
		return s
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a byte below the stack", yes, store(t, stackLow-1).reg(cpu.RSP, stackLow)},
		{"in the stack", "inconsistent 0.50", store(t, stackLow).reg(cpu.RSP, stackLow)},
		{"64 KiB below the stack pointer, not quite", yes, below(stackReach - 1)},
		{"64 KiB below it: a wild pointer", other, below(stackReach)},
		{"as far above the stack pointer, which is below the stack already", yes, store(t, stackLow-8).reg(cpu.RSP, stackLow-8-stackReach+1)},
		{"a stack that was not captured", "stack_overflow! 0.85", elsewhere(below(8))},
		{"the stack pointer is in the memory above", "stack_overflow! 0.85", elsewhere(store(t, stackLow-8).reg(cpu.RSP, stackLow+8))},
		{"the memory above is not writable", other, below(8).with(func(in *Input) { in.Regions[3].Access = "r--" })},
		{"1 MiB of guard", yes, below(8).with(func(in *Input) {
			in.Regions[3].Start = stackLow - 8 + stackGap
			in.StackLow, in.StackHigh = stackLow+stackGap, in.Regions[3].Last+1
			in.Regions[3].Last = in.StackHigh + stackGap
			in.StackHigh = in.Regions[3].Last + 1
		})},
		{"more than 1 MiB", other, below(8).with(func(in *Input) {
			in.Regions[3].Start = stackLow - 8 + stackGap + 1
			in.Regions[3].Last = in.Regions[3].Start + 0xffff
			in.StackLow, in.StackHigh = in.Regions[3].Start, in.Regions[3].Last+1
		})},
		{"a range without permissions below the stack", yes, below(8).region(process.Region{Start: stackLow - 0x1000, Last: stackLow - 1})},
		{"a writable range below it", "inconsistent 0.50", below(8).region(process.Region{Start: stackLow - 0x1000, Last: stackLow - 1, Access: "rw-"})},
		{"the stack pointer is not known", other, store(t, stackLow-8).with(func(in *Input) {
			in.Regs = &cpu.Regs{}
			in.Regs.Set(cpu.RIP, codeAddr)
			in.Regs.Set(cpu.RAX, stackLow-8)
		})},
		{"execution below the stack", "bad_jump! 0.95", crashAt(t, "").reg(cpu.RIP, stackLow-8).reg(cpu.RSP, stackLow).fault(stackLow - 8)},
		{"a null pointer while the stack pointer is null, too", "null_pointer! 0.80", store(t, 8).reg(cpu.RSP, 0x100).region(process.Region{Start: 0x1_0000, Last: 0x1_ffff, Access: "rw-"})},
		{"the signal was sent", "signal_from_outside! 1.00", below(8).raise("linux", sigSEGV, siTkill)},
		{"no list, and a recursion", "stack_overflow! 0.70", below(8).bare().deep("f", manyTimes)},
		{"no list, and one frame fewer", other, below(8).bare().deep("f", manyTimes-1)},
		{"no list, and many frames without names", "stack_overflow! 0.70", below(8).bare().deep("", deepStack)},
		{"no list, and one fewer", other, below(8).bare().deep("", deepStack-1)},
		{"a recursion far from the stack's end", other, store(t, stackLow-8).reg(cpu.RSP, stackHigh-8).deep("f", manyTimes)},
		{"Windows tells it", "stack_overflow! 1.00", crashAt(t, push).raise("windows", stackOverflow, 0)},
		{"its code on Linux is no signal of a fault", "signal_from_outside! 1.00", crashAt(t, push).raise("linux", stackOverflow, 0)},
	}
	for _, tt := range tests {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The sentences of a stack overflow have the numbers that prove it.
func TestStackOverflowTexts(t *testing.T) {
	windows := func(sp uint64) *scene { return crashAt(t, "").reg(cpu.RSP, sp).raise("windows", stackOverflow, 0) }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"Linux", "The stack pointer is 0x7ffd00000000, and the stack ends at 0x7ffd00000000: the access lies 8 bytes below it.", store(t, stackLow-8).reg(cpu.RSP, stackLow)},
		{"a recursion", "`f` is on the stack 30 times. The stack pointer is 0x7ffd00000000, and", store(t, stackLow-8).reg(cpu.RSP, stackLow).deep("f", manyTimes)},
		{"no list", "`f` is on the stack 30 times. The address is close to the stack pointer, 0x7ffd00000000, and the stack has 30 frames.", store(t, stackLow-8).reg(cpu.RSP, stackLow).bare().deep("f", manyTimes)},
		{"Windows, the last word of the stack", "Windows reports that the thread used up its stack; the dump has only 8 bytes of it above the stack pointer, 0x7ffd0001fff8.", windows(stackHigh - 8)},
		{"Windows, all of it", "The thread used up its stack: 128 KiB of it are in use, down to 0x7ffd00000000.", windows(stackLow)},
		{"Windows, the stack pointer is below the captured stack", "The thread used up its stack.", windows(stackLow - 8)},
		{"Windows, above it", "The thread used up its stack.", windows(stackHigh)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.Contains(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// The most frequent function counts, and frames without names count for none.
func TestRecursion(t *testing.T) {
	for _, tt := range []struct {
		frames string
		name   string
		times  int
	}{{"a b a b b", "b", 3}, {"a b b a", "b", 2}, {"- - - a", "a", 1}, {"- -", "", 0}, {"", "", 0}} {
		s := crashAt(t, "").stack(strings.Fields(tt.frames)...)
		for i := range s.Frames {
			s.Frames[i].Function = new(strings.TrimPrefix(s.Frames[i].function(), "-"))
		}
		if name, times := factsOf(s.Input, &Analysis{}).recursion(); name != tt.name || times != tt.times {
			t.Errorf("%q: %s, %d times, want %s, %d", tt.frames, name, times, tt.name, tt.times)
		}
	}
}

// A stack pointer outside of any stack is a finding of its own, unless its memory was captured.
func TestStackPointers(t *testing.T) {
	const wild, readonly, inModule = "Stack pointer is wild", "Stack pointer is not in a stack", "Stack pointer is not in a stack"
	at := func(sp uint64) *scene { return crashAt(t, movStore).reg(cpu.RAX, 0).reg(cpu.RSP, sp) }
	tests := []struct {
		name, want, why string
		s               *scene
	}{
		{"in the stack", "", "", at(stackLow + 0x100)},
		{"on the heap: a coroutine's stack", "", "", at(heapBase)},
		{"nowhere", wild, "The list of mappings has nothing at the stack pointer, 0x9000000.", at(0x900_0000)},
		{"nowhere, but captured: some writers list no stacks", "", "", at(0x900_0000).put(0x900_0000, 0)},
		{"in code", readonly, "The memory at the stack pointer, 0x400100, cannot be written to.", at(appBase + 0x100)},
		{"in code that was captured", readonly, "The memory at the stack pointer, 0x400100, cannot be written to.", at(appBase+0x100).put(appBase+0x100, 0)},
		{"in the data of a module", inModule, "The stack pointer, 0x400100, is in app.", at(appBase + 0x100).with(func(in *Input) { in.Regions[0].Access = "rwx" })},
		{"in memory that allows nothing", "", "", at(0x900_0000).region(process.Region{Start: 0x900_0000, Last: 0x900_ffff})},
		{"no list of mappings", "", "", at(0x900_0000).bare()},
		{"not known", "", "", at(0).with(func(in *Input) { in.Regs = &cpu.Regs{}; in.Regs.Set(cpu.RIP, codeAddr); in.Regs.Set(cpu.RAX, 0) })},
		{"the stack has overflowed", "", "", store(t, stackLow-8).reg(cpu.RSP, stackLow-8)},
	}
	for _, tt := range tests {
		got, why := "", ""
		for _, f := range Analyze(tt.s.Input).Findings {
			if f.Kind == BadStackPointer {
				got, why = f.Text, strings.Join(f.Evidence, " ")
			}
		}
		if got != tt.want || why != tt.why {
			t.Errorf("%s: %s. %s, want %s. %s", tt.name, got, why, tt.want, tt.why)
		}
	}
}

// Where a bad jump went decides what it is called.
func TestBadJumps(t *testing.T) {
	to := func(addr uint64) *scene {
		return crashAt(t, "").reg(cpu.RIP, addr).fault(addr).stackUnknown(addr).add("caller")
	}
	unloaded := func(s *scene, size uint64) *scene {
		s.Unloaded = []module.Module{{Base: 0x5000_0000, Size: size, CodeFile: "/opt/plugin.so"}}
		return s
	}
	const next = "The next frame is probably `caller` of app."
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"nowhere", "Jump to a bad address. Execution went to 0x50001000. " + next, to(0x5000_1000)},
		{"an unloaded module", "Call into an unloaded module. Execution went to 0x50001000. plugin.so was unloaded from there.", unloaded(to(0x5000_1000), 0x1_0000)},
		{"behind an unloaded module", "Jump to a bad address.", unloaded(to(0x5000_1000), 0x1000)},
		{"an unloaded module without a size", "Jump to a bad address.", unloaded(to(0x5000_0000), 0)},
		{"the first byte of the stack", "Execution on the stack. Execution went to 0x7ffd00000000. Data on the thread's stack was executed: most likely a return address or a function pointer was overwritten.", to(stackLow)},
		{"the last byte of the stack", "Execution on the stack.", to(stackHigh - 1)},
		{"the byte behind it", "Jump to a bad address.", to(stackHigh)},
		{"the heap", "Execution of data. Execution went to 0x600000. The memory there, in [heap], cannot be executed.", to(heapBase)},
		{"memory that allows nothing", "Jump to a bad address.", to(0x9000_0000).region(process.Region{Start: 0x9000_0000, Last: 0x9fff_ffff})},
		{"memory that can be executed", "Jump to a bad address.", to(0x9000_0000).region(process.Region{Start: 0x9000_0000, Last: 0x9fff_ffff, Access: "r-x"})},
		{"a non-canonical address", "Jump to a bad address. Execution went to 0x8000000000001. " + next, to(0x8_0000_0000_0001)},
		{"text", `Text used as a pointer. Execution went to 0x676e6f6c206f. The address is the bytes of "o long": most likely a string was written over a function pointer.`, to(0x676e_6f6c_206f)},
		{"text that is too short", "Jump to a bad address.", to(0x6e_6f6c_206f)},
		{"what a freed block of glibc has", "Use of freed memory. Execution went to 0x55616dd78. The address was probably read from a freed block of the heap",
			to(0x5_5616_dd78).region(process.Region{Start: 0x5561_6dd7_8000, Last: 0x5561_6dd9_8fff, Access: "rw-", Name: "[heap]"})},
		{"the number of no page", "Jump to a bad address.", to(0x5_5616_dd78)},
		{"the thread's beginning is the only frame left", "Jump to a bad address. Execution went to 0x50001000. The function that jumped is not known: the next frame on the stack is `start_thread` of libc.so.6.",
			to(0x5000_1000).with(func(in *Input) {
				in.Frames[1] = spot{ModuleIndex: 1, Module: "libc.so.6", Function: "start_thread", System: true}.row()
			})},
		{"no frame is left", "Jump to a bad address. Execution went to 0x50001000.", to(0x5000_1000).with(func(in *Input) { in.Frames = in.Frames[:1] })},
		{"the call that would go there: its own frame is the one to name", "Jump to a bad address. `call rax` goes to 0x4141000000000001.", crashAt(t, callReg).reg(cpu.RAX, 0x4141_0000_0000_0001).gpf()},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	canonical := func(s *scene) bool {
		e := Analyze(s.Input).Findings[0].Evidence
		return !strings.HasPrefix(e[len(e)-1], "No pointer of this CPU")
	}
	if canonical(to(0x8_0000_0000_0001)) || !canonical(to(0x5000_1000)) || !canonical(to(0x8_0000_0000_0001).of(&cpu.ARM64).regPC(0x8_0000_0000_0001)) {
		t.Error("only addresses of amd64 are called impossible")
	}
}

// A function whose variables are larger than the stack leaves it at once, wherever in them it writes.
func TestLargeFrame(t *testing.T) {
	const sp = stackLow - 20<<20
	at := func(addr uint64) *scene {
		return store(t, addr).fault(addr).reg(cpu.RSP, sp).reg(cpu.RBP, stackLow+0x1000)
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"at the stack pointer", "stack_overflow! 0.90", at(sp - 8)},
		{"within the variables", "stack_overflow! 0.90", at(sp + 10<<20)},
		{"above the stack", "unmapped! 1.00", at(stackHigh + 0x10000)},
		{"a frame pointer that is no address", "unmapped! 1.00", at(sp-8).reg(cpu.RBP, 7)},
	} {
		if got, _, _ := strings.Cut(found(t, tt.s), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
