package crash

import (
	"fmt"
)

// findReason makes a finding from a reason that explains itself.
func (s *state) findReason() {
	if s.in.Exception.Unknown || s.fault.memory && s.in.Exception.Code != inPageError {
		return
	}
	switch {
	case s.in.OS == "windows":
		s.findWindowsReason()
	case s.unix():
		s.findSignal()
	case s.apple():
		s.findMachReason()
	case s.in.OS == "fuchsia":
		s.findFuchsiaReason()
	}
}

// A reason is a finding for a code.
type reason struct {
	kind Kind
	text string
}

// generic records a reason with the note that explains it.
func (s *state) generic(r reason) {
	f := Finding{Kind: r.kind, Text: r.text, Confidence: 1}
	note := s.Note
	if r.kind == DivideByZero && s.Inst.Division {
		note = "An integer was divided by zero."
	}
	for _, t := range []string{note, s.pageStatus(), s.instruction(r.kind), s.mozTrap(r.kind), s.resultName(), s.in.Assertion} {
		if t != "" && t != r.text { // an assertion of which only the kind is known is the headline already
			f.Evidence = append(f.Evidence, t)
		}
	}
	if len(f.Evidence) == 0 {
		f.Evidence = []string{s.unexplained()}
	}
	switch {
	case r.kind == OnRequest:
		s.add(f) // nothing crashed, so there is no cause
	case !s.caused(): // the way a program ended adds nothing if the cause is known
		s.cause(f)
	}
}

// pageStatus names the page of a file that could not be read, and the status.
func (s *state) pageStatus() string {
	e := s.in.Exception
	if s.in.OS != "windows" || e.Code != inPageError || len(e.Params) < 3 {
		return ""
	}
	return fmt.Sprintf("It was to be read at %s; the status is %s.", hex(e.Params[1]), ntStatus(uint32(e.Params[2])))
}

// instruction names the failed instruction, and for a division the divisor.
func (s *state) instruction(kind Kind) string {
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
func (s *state) concerns(kind Kind) bool {
	switch kind {
	case DivideByZero:
		return s.Inst.Division || isFloat(s.Inst.Mnemonic)
	case Illegal:
		return s.in.Exception.Code != privInstruction || s.Inst.Privileged
	case Trapped:
		return s.isTrap()
	}
	return false
}

// fastFailReasons are the codes of __fastfail that name the failed check.
var fastFailReasons = map[uint64]reason{
	0:  {StackSmashed, "Stack buffer overrun"},
	1:  {StackSmashed, "Virtual function table changed"},
	2:  {StackSmashed, "Stack buffer overrun"},
	3:  {HeapCorrupt, "Corrupt list"},
	4:  {BadStackPointer, "Stack pointer is not in a stack"},
	5:  {Asserted, "Invalid argument to the C library"},
	7:  {Aborted, "Fast fail: the program ended itself"},
	8:  {OutOfBounds, "Index out of range"},
	10: {BadJump, "Control flow guard"},
	11: {ReadOnly, "Write to a protected table"},
	14: {FailFast, "Reference count out of range"},
	20: {FailFast, "Certification failure"},
	18: {StackSmashed, "Corrupt jump buffer"},
	21: {StackSmashed, "Corrupt chain of exception handlers"},
	29: {HeapCorrupt, "Corrupt tree"},
	35: {HeapCorrupt, "Heap corruption"},
	38: {BadJump, "Control flow guard: longjmp"},
	39: {StackSmashed, "Corrupt exception context"},
	50: {HeapCorrupt, "Heap corruption"},
	57: {StackSmashed, "Return address changed"},
	64: {BadJump, "Control flow guard"},
	65: {FailFast, "Cast to a wrong type"},
	71: {Sanitizer, "AddressSanitizer report"},
	72: {Thrown, ".NET exception"},
	73: {StackSmashed, "Return address changed"},
}

// findFastFail explains __fastfail by its code, the first parameter.
func (s *state) findFastFail() {
	e := s.in.Exception
	if len(e.Params) == 0 { // before Windows 8 this was the exception of /GS alone
		s.generic(reason{StackSmashed, "Stack buffer overrun"})
		return
	}
	r, ok := fastFailReasons[e.Params[0]]
	if !ok {
		r = reason{FailFast, "Fail fast: " + fastFailName(uint32(e.Params[0]))}
	}
	if s.has(r.kind) || r.kind == Aborted && s.caused() { // a function on the stack says the same, or why
		return
	}
	evidence := []string{fastFailSentence(uint32(e.Params[0])), s.Note}
	if s.in.Assertion != "" {
		evidence = append(evidence, s.in.Assertion)
	}
	s.cause(Finding{Kind: r.kind, Text: r.text, Confidence: 1, Evidence: evidence})
}

// findSignal explains a signal that is about no access to memory. findSent explains signals that
// were sent, and findAbort SIGABRT.
func (s *state) findSignal() {
	switch e := s.e; {
	case s.Event.Kind == Requested && s.in.Debugger != "":
		s.generic(reason{OnRequest, "Stopped by " + s.in.Debugger})
	case s.Event.Kind == Requested:
		s.generic(reason{OnRequest, "Written on request"})
	case s.caused(): // the signal was sent: no instruction failed
	case s.signal() == sigFPE && s.quotientTooLarge():
		s.findQuotient()
	case s.signal() == sigFPE && (e.Flags == fpeIntDiv || e.Flags == fpeFltDiv || s.Inst.Division):
		s.generic(reason{DivideByZero, "Division by zero"})
	case s.signal() == sigFPE:
		s.generic(reason{Arithmetic, "Arithmetic error"})
	case s.signal() == sigILL:
		s.findIllegal()
	case s.signal() == sigTRAP:
		s.findTrap()
	case s.signal() == sigSYS:
		s.findSystemCall()
	case s.signal() == sigSEGV && e.Flags == segvControl:
		s.generic(reason{StackSmashed, "Return address changed"})
	default:
		s.generic(reason{RaisedSignal, "Signal " + s.ReasonName})
	}
}

// findMachReason explains an exception of Mach that is about no access to memory.
func (s *state) findMachReason() {
	signal, isSignal := s.machSignal()
	switch e := s.e; {
	case s.Event.Kind == Requested:
		s.generic(reason{OnRequest, "Written on request"})
	case e.Code == nsException || e.Code == excSoftware && e.Flags == uncaughtNSException:
		s.generic(reason{Thrown, "Objective-C exception"})
	case isSignal && signal == sigKILL:
		s.generic(reason{Resource, "Killed by the system"})
	case isSignal && signal == sigSYS:
		s.generic(reason{SystemCall, "Invalid system call"})
	case e.Code == excSoftware:
		s.generic(reason{RaisedException, "The program raised an exception"})
	case e.Code == excArithmetic && s.quotientTooLarge():
		s.findQuotient()
	case e.Code == excArithmetic && s.divisionByZero():
		s.generic(reason{DivideByZero, "Division by zero"})
	case e.Code == excArithmetic:
		s.generic(reason{Arithmetic, "Arithmetic error"})
	case e.Code == excBadInstruction:
		s.findIllegal()
	case e.Code == excBreakpoint:
		s.findTrap()
	case e.Code == excResource:
		s.findResource()
	case e.Code == excGuard:
		s.findGuard()
	case s.Event.Kind == Faulted:
		s.generic(reason{RaisedException, "Exception " + s.ReasonName})
	}
}

// findRequest is for dumps without an exception.
func (s *state) findRequest() {
	if d := s.in.Debugger; d != "" {
		s.add(Finding{Kind: OnRequest, Text: "Written by " + d, Confidence: 1,
			Evidence: []string{"The file has no signal, and " + d + " wrote it, which stops a process for that."}})
	}
	if s.in.Requested {
		s.add(Finding{Kind: OnRequest, Text: "Written on request", Confidence: 1,
			Evidence: []string{"The dump has no exception, and names the thread that requested it."}})
	}
	if s.in.Assertion != "" {
		s.add(Finding{Kind: Asserted, Text: "Assertion failed", Confidence: 1, Evidence: []string{s.in.Assertion}})
	}
}
