package crash

import (
	"fmt"

	"crashglass/core/machine/cpu"
)

func (s *facts) signalName() string { return s.nameOf(s.Event.Signal) }

// findSent reports a signal that another process sent. Users send one with kill -SEGV to make a
// hung program write a dump.
func (s *facts) findSent() []candidate {
	if s.Event.Kind != Sent || s.Event.Signal == sigABRT {
		return nil
	}
	return statement(Finding{Kind: FromOutside, Text: s.sentTitle(), Confidence: s.sentConfidence(), Evidence: s.sentEvidence()})
}

// findRaised reports a signal that the program raised itself. Crash handlers do so with the signal
// that they caught.
func (s *facts) findRaised() []candidate {
	if s.Event.Kind != Raised || s.Event.Signal == 0 || s.Event.Signal == sigABRT {
		return nil
	}
	if r, ok := ownSignals[s.Event.Signal]; ok && s.raising() == nil && !s.succeeded() {
		return explanation(Finding{Kind: r.kind, Text: r.text, Confidence: 0.9, Evidence: []string{s.Note}})
	}
	return explanation(Finding{Kind: RaisedSignal, Text: s.signalName() + " was raised by the program itself", Confidence: 0.9, Evidence: s.sentEvidence()})
}

// ownSignals are signals that the kernel sends to the thread that caused them. Sources: pipe_write
// of fs/pipe.c, inode_newsize_ok of fs/attr.c.
var ownSignals = map[uint32]reason{
	13: {RaisedSignal, "Write to a closed pipe or socket (SIGPIPE)"},
	25: {Resource, "File size limit reached (SIGXFSZ)"},
}

// succeeded reports whether the thread's system call returned 0, as kill does. One that the kernel sends a signal for returns an error.
func (s *facts) succeeded() bool {
	calls := cpu.LinuxCalls(s.in.Arch)
	if calls == nil || !s.unix() || !s.behindSystemCall() {
		return false
	}
	r, _ := s.in.Arch.Reg(calls.Result)
	v, ok := s.regs.Get(r)
	return ok && v == 0
}

// sentConfidence: si_code is a fact; the instruction may be from another moment.
func (s *facts) sentConfidence() float32 {
	if s.Event.By == ByRecord {
		return 1
	}
	return 0.9
}

func (s *facts) sentTitle() string {
	if s.Event.Sender == (Sender{}) {
		return fmt.Sprintf("%s was sent to the program; this thread %s", s.signalName(), s.doing())
	}
	return fmt.Sprintf("%s was sent by %s; this thread %s", s.signalName(), s.Event.Sender.text(), s.doing())
}

// sentEvidence returns the evidence. The title has the sender.
func (s *facts) sentEvidence() []string {
	out := []string{"No instruction failed."}
	switch s.Event.By {
	case ByRegisters, ByRecord:
		out = append(out, s.inKernel()...)
	case ByInstruction:
		out = append(out, fmt.Sprintf("The instruction at the program counter, `%s`, cannot have raised it.", s.Instruction))
	case BySender:
		out = append(out, "The record has the numbers of a process and a user in place of an address.")
	case ByStack:
		out = append(out, "The innermost function waits in the kernel.")
	}
	if f := s.raising(); s.Event.Kind == Raised && f != nil {
		out = append(out, onStack(f)+".")
	}
	if s.Note != "" && !faultSignals[s.Event.Signal] && (s.Event.Sender.Kernel || !kernelSignals[s.Event.Signal]) {
		out = append(out, s.Note)
	}
	return out
}

// kernelSignals are the signals with a note about why the kernel sends them: hangup, keys of the
// terminal, a closed pipe, a timer, limits, a system call. The note does not hold if a process sent the
// signal, which a record without si_code does not exclude.
var kernelSignals = map[uint32]bool{1: true, 2: true, 3: true, 13: true, 14: true, 24: true, 25: true, sigSYS: true}

// inKernel returns the evidence that the thread was in a system call, if it was. It matters for
// signals that could be a fault.
func (s *facts) inKernel() []string {
	switch {
	case !faultSignals[s.Event.Signal]:
	case s.behindSystemCall():
		return []string{"The program counter is right behind a system call, so that the thread was in the kernel."}
	case s.restartsSystemCall():
		return []string{"The program counter is at a system call, which the kernel was to restart."}
	}
	return nil
}
