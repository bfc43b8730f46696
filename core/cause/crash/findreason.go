package crash

import (
	"fmt"
)

func (s *facts) findReason() []candidate {
	if s.in.Exception.Unknown || s.fault.memory && s.in.Exception.Code != inPageError {
		return nil
	}
	switch {
	case s.in.OS.IsWindows():
		return s.findWindowsReason()
	case s.unix():
		return orNothing(s.findSignal()) // a signal that was sent explains itself
	case s.apple():
		return s.findMachReason()
	case s.in.OS.IsFuchsia():
		return s.findFuchsiaReason()
	}
	return nil
}

type reason struct {
	kind Kind
	text string
}

// generic returns a reason with the note that explains it.
func (s *facts) generic(r reason) []candidate {
	f := Finding{Kind: r.kind, Text: r.text, Confidence: 1}
	note := s.Note
	if r.kind == DivideByZero {
		note = s.divisionNote()
	}
	for _, t := range []string{note, s.pageStatus(), s.instruction(r.kind), s.mozTrap(r.kind), s.resultName(), s.in.Assertion} {
		if t != "" && t != r.text { // an assertion of which only the kind is known is the headline already
			f.Evidence = append(f.Evidence, t)
		}
	}
	if len(f.Evidence) == 0 {
		f.Evidence = []string{s.unexplained()}
	}
	if r.kind == OnRequest {
		return observation(f) // nothing crashed, so there is no cause
	}
	return explanation(f) // the way a program ended adds nothing if the cause is known
}

// pageStatus names the page of a file that could not be read, and the status.
func (s *facts) pageStatus() string {
	e := s.in.Exception
	if !s.in.OS.IsWindows() || e.Code != inPageError || len(e.Params) < 3 {
		return ""
	}
	return fmt.Sprintf("It was to be read at %s; the status is %s.", hex(e.Params[1]), ntStatus(uint32(e.Params[2])))
}

// instruction names the failed instruction, and for a division the divisor.
func (s *facts) instruction(kind Kind) string {
	if s.Instruction == "" || !s.concerns(kind) {
		return ""
	}
	text := fmt.Sprintf("The instruction is `%s`", s.Instruction)
	if s.Inst.Division {
		text += s.divisorText()
	}
	return text + "."
}

// concerns reports whether a finding can be about the instruction at the program counter. It cannot
// for a trap, which leaves the program counter behind it.
func (s *facts) concerns(kind Kind) bool {
	switch kind {
	case DivideByZero:
		return s.Inst.Division || isFloat(s.Inst.Mnemonic)
	case Illegal:
		return s.in.Exception.Code != privInstruction || s.Inst.Privileged
	case Trapped:
		return s.breakpoint() == breakpointAt
	}
	return false
}

// findFastFail explains __fastfail by its code, the first parameter. A bug check about it says so itself.
func (s *facts) findFastFail() []candidate {
	e := s.in.Exception
	if s.in.Stop != nil {
		return nil
	}
	if len(e.Params) == 0 { // before Windows 8 this was the exception of /GS alone
		return s.generic(reason{StackSmashed, "Stack buffer overrun"})
	}
	r, ok := fastFailReasons.reason(e.Params[0])
	if !ok {
		r = reason{FailFast, "Fail fast: " + fastFailName(uint32(e.Params[0]))}
	}
	evidence := []string{fastFailSentence(uint32(e.Params[0])), s.Note}
	if s.code() && s.decoded && !s.isTrap() {
		evidence[1] = fmt.Sprintf("The exception is that of __fastfail, which `%s` at the program counter is not: software raised it, or the code is of another moment.", s.Instruction)
	}
	f := Finding{Kind: r.kind, Text: r.text, Confidence: 1, Evidence: compact(append(evidence, s.in.Assertion)...)}
	if r.kind == Aborted { // a function on the stack says why
		return explanation(f)
	}
	return []candidate{{Finding: f, once: true}} // or the same
}

// findSignal explains a signal that is about no access to memory. findSent explains signals that
// were sent, and findAbort SIGABRT.
func (s *facts) findSignal() []candidate {
	switch e := s.e; {
	case s.Event.Kind == Requested && s.in.Debugger != "":
		return s.generic(reason{OnRequest, "Stopped by " + s.in.Debugger})
	case s.Event.Kind == Requested:
		return s.generic(reason{OnRequest, "Written on request"})
	case s.signal() == sigFPE && s.quotientTooLarge():
		return s.findQuotient()
	case s.signal() == sigFPE && e.Flags != fpeFltDiv && s.eitherDivision():
		return s.findEitherDivision()
	case s.signal() == sigFPE && (e.Flags == fpeIntDiv || e.Flags == fpeFltDiv || s.Inst.Division):
		return s.generic(reason{DivideByZero, "Division by zero"})
	case s.signal() == sigFPE:
		return s.generic(reason{Arithmetic, "Arithmetic error"})
	case s.signal() == sigILL:
		return s.findIllegal()
	case s.signal() == sigTRAP:
		return s.findTrap()
	case s.signal() == sigSYS:
		return s.findSystemCall()
	case s.signal() == sigSEGV && e.Flags == segvControl:
		return s.generic(reason{StackSmashed, "Return address changed"})
	}
	return s.generic(reason{RaisedSignal, "Signal " + s.ReasonName})
}

// findMachReason explains an exception of Mach that is about no access to memory.
func (s *facts) findMachReason() []candidate {
	signal, isSignal := s.machSignal()
	switch e := s.e; {
	case s.Event.Kind == Requested:
		return s.generic(reason{OnRequest, "Written on request"})
	case e.Code == nsException || e.Code == excSoftware && e.Flags == uncaughtNSException:
		return s.generic(reason{Thrown, "Objective-C exception"})
	case isSignal && signal == sigKILL:
		return s.generic(reason{Resource, "Killed by the system"})
	case isSignal && signal == sigSYS:
		return s.generic(reason{SystemCall, "Invalid system call"})
	case e.Code == excSoftware:
		return s.generic(reason{RaisedException, "The program raised an exception"})
	case e.Code == excArithmetic && s.quotientTooLarge():
		return s.findQuotient()
	case e.Code == excArithmetic && s.eitherDivision() && s.divisionByZero():
		return s.findEitherDivision()
	case e.Code == excArithmetic && s.divisionByZero():
		return s.generic(reason{DivideByZero, "Division by zero"})
	case e.Code == excArithmetic:
		return s.generic(reason{Arithmetic, "Arithmetic error"})
	case e.Code == excBadInstruction:
		return s.findIllegal()
	case e.Code == excBreakpoint:
		return s.findTrap()
	case e.Code == excResource:
		return s.findResource()
	case e.Code == excGuard:
		return s.findGuard()
	case s.Event.Kind == Faulted:
		return s.generic(reason{RaisedException, "Exception " + s.ReasonName})
	}
	return nil
}

// findRequest is for dumps without an exception.
func (s *facts) findRequest() (all []candidate) {
	if s.in.Exception != nil {
		return nil
	}
	if d := s.in.Debugger; d != "" {
		all = append(all, observation(Finding{Kind: OnRequest, Text: "Written by " + d, Confidence: 1,
			Evidence: []string{"The file has no signal, and " + d + " wrote it, which stops a process for that."}})...)
	}
	if s.in.Requested {
		all = append(all, observation(Finding{Kind: OnRequest, Text: "Written on request", Confidence: 1,
			Evidence: []string{"The dump has no exception, and names the thread that requested it."}})...)
	}
	if s.in.Assertion != "" {
		all = append(all, observation(Finding{Kind: Asserted, Text: "Assertion failed", Confidence: 1, Evidence: []string{s.in.Assertion}})...)
	}
	return all
}
