package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	readNull     = "8b 45 28" // mov eax, [rbp+0x28]
	handlerFrame = stackLow + 0x800
	failedAt     = codeAddr + 0x80
)

// handled is a program that a signal interrupted in code with rbp as its pointer, and whose handler ended it in a function.
func handled(t *testing.T, code string, rbp uint64, ended ...string) *scene {
	s := crashAt(t, strings.Repeat("90", failedAt-codeAddr)+code).raise("linux", sigABRT, siTkill).stack(append(ended, "!__restore_rt", "work", "main")...)
	n := len(ended)
	s.Frames[n].Walked().Regs.Set(cpu.RSP, handlerFrame)
	for i := range s.Frames {
		s.Frames[i].Index = i
	}
	f := s.Frames[n+1].Walked()
	f.Interrupted, f.Instruction = true, failedAt
	f.Regs.Set(cpu.RIP, failedAt)
	f.Regs.Set(cpu.RBP, rbp)
	f.Regs.Set(cpu.RSP, stackLow+0x1000)
	return s.fault(7)
}

// withInfo puts the siginfo behind the signal frame's ucontext.
func (s *scene) withInfo(signal, code uint32, addr uint64) *scene {
	const at = handlerFrame + 40 + 256 + 8
	return s.half(at, signal).half(at+4, 0).half(at+8, code).put(at+16, addr)
}

// A crash that a handler reported is the crash, wherever the handler ended the program.
func TestHandled(t *testing.T) {
	tests := []struct {
		name, want string
		skipped    int
		s          *scene
	}{
		{"by abort", "Null pointer read: work. A handler of SIGSEGV then ended the program by SIGABRT.", 4, handled(t, readNull, 0, "!raise", "!abort", "report").withInfo(sigSEGV, segvMapErr, 0x28)},
		{"without siginfo", "Null pointer read: work. A handler of SIGSEGV then ended the program by SIGABRT.", 4, handled(t, readNull, 0, "!raise", "!abort", "report")},
		{"a page that cannot be read", "Read from a guard page: work. A handler of SIGSEGV then ended the program by SIGABRT.", 4,
			handled(t, readNull, heapBase+0x1_0000, "!raise", "!abort", "report").region(process.Region{Start: heapBase + 0x1_0000, Last: heapBase + 0x1_0fff, Access: "---"})},
		{"a division", "Division by zero: work. A handler of SIGFPE then ended the program by SIGABRT.", 4, handled(t, "f7 fd", 0, "!raise", "!abort", "report")},
		{"a trap", "Compiler trap: work. A handler of SIGILL then ended the program by SIGABRT.", 4, handled(t, "0f 0b", 0, "!raise", "!abort", "report")},
		{"a bad address of any value", "Read from a non-canonical address: work. A handler of SIGSEGV then ended the program by SIGABRT.", 4,
			handled(t, readNull, 0x1234_0000_0000_0000, "!raise", "!abort", "report").withInfo(sigSEGV, siKernel, 0)},
		{"an instruction that did not fail", "abort() called: report.", 0, handled(t, readNull, heapBase, "!raise", "!abort", "report")},
		{"a signal that was sent", "abort() called: report.", 0, handled(t, "90", 0, "!raise", "!abort", "report").withInfo(10, siTkill, 7)},
		{"a signal of another kind", "abort() called: report.", 0, handled(t, readNull, 0, "!raise", "!abort", "report").withInfo(10, siTkill, 7)},
		{"a report without a CPU", "abort() called: report.", 0, handled(t, readNull, 0, "!raise", "!abort", "report").with(func(in *Input) { in.Arch = nil })},
		{"the handler has a message", "AddressSanitizer report: report.", 0, handled(t, readNull, 0, "!raise", "!abort", "__asan::ReportDeadlySignal", "report").withInfo(sigSEGV, segvMapErr, 0x28)},
	}
	for _, tt := range tests {
		if got, in := handledText(tt.s); got != tt.want || in.Skipped != tt.skipped {
			t.Errorf("%s: skipped %d\n got %s\nwant %s", tt.name, in.Skipped, got, tt.want)
		}
	}
}

// A handler's own signal may have a handler, too: that of Go's runtime ends the program once more.
func TestHandledTwice(t *testing.T) {
	const outer = handlerFrame - 0x400
	s := handled(t, readNull, 0, "runtime.raise", "runtime.dieFromSignal", "runtime.sigtramp", "!__restore_rt", "runtime.raise", "runtime.dieFromSignal", "runtime.sighandler")
	s.withInfo(sigSEGV, segvMapErr, 0x28)
	s.Frames[3].Walked().Regs.Set(cpu.RSP, outer)
	s.Frames[4].Walked().Interrupted = true
	const at = outer + 40 + 256 + 8
	s.half(at, sigABRT).half(at+4, 0).half(at+8, ^uint32(5)).put(at+16, 7)
	if got, in := handledText(s); got != "Null pointer read: work. A handler of SIGSEGV then ended the program by SIGABRT." || in.Skipped != 8 {
		t.Errorf("skipped %d: %s", in.Skipped, got)
	}
}

// Go's runtime ends a program for a signal that it was sent, too.
func TestHandledQuit(t *testing.T) {
	s := handled(t, readNull, heapBase, "runtime.raise", "runtime.dieFromSignal", "runtime.sighandler").withInfo(3, siUser, 1000<<32|7)
	s.KernelSignal = true
	const want = "SIGQUIT was sent by process 7 of user 1000; this thread was running: work. A handler of SIGQUIT then ended the program by SIGABRT."
	if got, in := handledText(s); got != want || in.Skipped != 4 {
		t.Errorf("skipped %d: %s", in.Skipped, got)
	}
}

// Of the signals that ended a Go program, those that its runtime sent itself are not the cause.
func TestHandledByGo(t *testing.T) {
	const ownPID = 7
	ended := func(signal, code uint32, sender uint64, function string) *scene {
		s := handled(t, "0f 05", heapBase, "runtime.raise", "runtime.dieFromSignal", "runtime.sighandler").withInfo(signal, code, sender)
		s.PID, s.Frames[4].Function, s.KernelSignal = ownPID, &function, true
		return s
	}
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"C that raised a signal", "SIGSEGV was raised by the program itself: drop. A handler of SIGSEGV then ended the program by SIGABRT.", ended(sigSEGV, siTkill, ownPID, "drop")},
		{"another process", "SIGABRT was sent by process 9; this thread was waiting: drop. A handler of SIGABRT then ended the program by SIGABRT.", ended(sigABRT, siUser, 9, "drop")},
		{"the runtime", "Go runtime ended by a signal: main.", ended(sigABRT, siTkill, ownPID, "runtime.raise")},
		{"the runtime, to print stacks", "Go runtime ended by a signal: drop.", ended(3, siUser, ownPID, "drop")},
	} {
		if got, _ := handledText(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// handledText is the verdict with its place, and the input that it is about.
func handledText(s *scene) (string, *Input) {
	in, a := Handled(s.Input, Analyze(s.Input))
	v := Verdict(in, a)
	return join(v.What+": "+v.Where+".", in.Handler), in
}

// A handler that sends the signal again returns to the instruction that failed.
func TestSentAgain(t *testing.T) {
	again := func(code string, rbp uint64, signal uint32) *scene {
		return crashAt(t, code).reg(cpu.RBP, rbp).raise("linux", signal, siTkill).fault(7).with(func(in *Input) { in.PID = 7 })
	}
	const handler = " The program then sent itself % again, probably from a crash handler."
	for _, tt := range []struct {
		name, want string
		s          *scene
	}{
		{"a null pointer", "Null pointer read: middle." + strings.Replace(handler, "%", "SIGSEGV", 1), again(readNull, 0, sigSEGV)},
		{"a division", "Division by zero: middle." + strings.Replace(handler, "%", "SIGFPE", 1), again("f7 fd", 0, sigFPE)},
		{"a trap", "Compiler trap: middle." + strings.Replace(handler, "%", "SIGILL", 1), again("0f 0b", 0, sigILL)},
		{"an address that can be read", "SIGSEGV was raised by the program itself: middle.", again(readNull, heapBase, sigSEGV)},
		{"a divisor that is not 0", "SIGFPE was raised by the program itself: middle.", again("f7 fd", 3, sigFPE)},
		{"another signal", "SIGQUIT was raised by the program itself: middle.", again(readNull, 0, 3)},
		{"a system call", "SIGSEGV was raised by the program itself: middle.", again(readNull, 0, sigSEGV).behindSyscall()},
	} {
		if got, _ := handledText(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
