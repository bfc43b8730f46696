package crash

import (
	"fmt"
	"strings"

	"crashglass/core/cpu"
)

// findReason makes a finding of a reason that explains itself.
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
	}
}

// A reason is a finding for a code.
type reason struct {
	kind Kind
	text string
}

var windowsReasons = map[uint32]reason{
	simulatedWindows: {OnRequest, "Written on request"},
	unrealAssert:     {Asserted, "Unreal assertion failed"},
	unrealGPU:        {Asserted, "GPU crash"},
	unrealMemory:     {OutOfMemory, "Out of memory"},
	0xc000_0602:      {FailFast, "Fail fast"},
	0xc000_027b:      {Thrown, "Windows Runtime exception"},
	0xc000_041d:      {Thrown, "Exception in a callback from the kernel"},
	0x406d_1388:      {OnRequest, "Written on request"},
	inPageError:      {Unmapped, fileGone},
	heapCorruption:   {HeapCorrupt, "Heap corruption"},
	0xc000_0017:      {OutOfMemory, "Out of memory"},
	outOfMemory:      {OutOfMemory, "Out of memory"},
	clrException:     {Thrown, ".NET exception"},
	intDivideByZero:  {DivideByZero, "Division by zero"},
	0xc000_008e:      {DivideByZero, "Division by zero"},
	privInstruction:  {Illegal, "Privileged instruction"},
	singleStep:       {Trapped, "Single step"},
	assertionFailure: {Asserted, "Assertion failed"},
	invalidCRTParam:  {Asserted, "Invalid argument to the C library"},
	0xc06d_007e:      {Thrown, "DLL not found"},
	0xc06d_007f:      {Thrown, "Function of a DLL not found"},
	0xc000_0142:      {Thrown, "DLL refused to start"},
	0xc000_0194:      {Aborted, "Possible deadlock"},
}

func (s *state) findWindowsReason() {
	e := s.in.Exception
	switch e.Code {
	case stackBufferOverrun:
		s.findFastFail()
		return
	case cppException:
		s.findThrown()
		return
	case illegalInstruction:
		s.findIllegal()
		return
	case breakpoint:
		s.findTrap()
		return
	}
	r, ok := windowsReasons[e.Code]
	switch {
	case strings.HasPrefix(s.in.Assertion, "Invalid parameter"): // Breakpad's handler of the C library's
		r = reason{Asserted, "Invalid argument to the C library"}
	case !ok:
		r = reason{Aborted, "Exception " + s.Reason}
	}
	s.generic(r)
}

// generic records a reason with the note that explains it.
func (s *state) generic(r reason) {
	f := Finding{Kind: r.kind, Text: r.text, Confidence: 1}
	note := s.Note
	if r.kind == DivideByZero && s.Inst.Division {
		note = "An integer was divided by zero."
	}
	for _, t := range []string{note, s.pageStatus(), s.instruction(r.kind), s.mozTrap(r.kind), s.resultName(), s.in.Assertion} {
		if t != "" {
			f.Evidence = append(f.Evidence, t)
		}
	}
	if len(f.Evidence) == 0 {
		f.Evidence = []string{"The reason is " + s.Reason + "."}
	}
	switch {
	case r.kind == OnRequest:
		s.add(f) // nothing crashed, so that there is no cause
	case !s.caused(): // how a program ends is no news when it is known why
		s.cause(f)
	}
}

// pageStatus says which page of a file could not be read, and why.
func (s *state) pageStatus() string {
	e := s.in.Exception
	if s.in.OS != "windows" || e.Code != inPageError || len(e.Params) < 3 {
		return ""
	}
	return fmt.Sprintf("It was to be read at %s; the status is %s.", hex(e.Params[1]), ntStatus(uint32(e.Params[2])))
}

// instruction names what failed, and for a division the divisor.
func (s *state) instruction(kind Kind) string {
	if kind != DivideByZero && kind != Illegal && kind != Trapped || s.Instruction == "" {
		return ""
	}
	text := fmt.Sprintf("The instruction is `%s`", s.Instruction)
	if kind == DivideByZero && s.Inst.Division && len(s.Inst.Operands) > 0 {
		switch op := &s.Inst.Operands[0]; op.Kind {
		case cpu.Register:
			text += fmt.Sprintf(" with 0 in %s", op.Name)
		case cpu.Memory:
			if len(s.Accesses) == 1 {
				text += fmt.Sprintf(" with 0 at %s", hex(s.Accesses[0].Address))
			}
		}
	}
	return text + "."
}

// fastFailReasons are the codes of __fastfail that say more than that a check failed.
var fastFailReasons = map[uint64]reason{
	0:  {StackSmashed, "Stack buffer overrun"},
	2:  {StackSmashed, "Stack buffer overrun"},
	3:  {HeapCorrupt, "Corrupt list"},
	4:  {BadStackPointer, "Stack pointer is not in a stack"},
	5:  {Asserted, "Invalid argument to the C library"},
	7:  {Aborted, "Fast fail: the program ended itself"},
	8:  {StackSmashed, "Index out of range"},
	10: {BadJump, "Control flow guard"},
	11: {ReadOnly, "Write to a protected table"},
	14: {FailFast, "Reference count out of range"},
	20: {FailFast, "Certification failure"},
	39: {StackSmashed, "Corrupt exception context"},
	50: {HeapCorrupt, "Heap corruption"},
	57: {StackSmashed, "Return address changed"},
	71: {FailFast, "AddressSanitizer report"},
	72: {Thrown, ".NET exception"},
}

func (s *state) findFastFail() {
	e := s.in.Exception
	r, ok := fastFailReasons[e.param(0)]
	if !ok || len(e.Params) == 0 {
		r = reason{FailFast, "Fail fast"}
	}
	if len(e.Params) == 0 {
		r = reason{StackSmashed, "Stack buffer overrun"}
	}
	evidence := []string{s.Note}
	if len(e.Params) > 0 {
		evidence = []string{fastFailSentence(uint32(e.Params[0])), s.Note}
	}
	if s.in.Assertion != "" {
		evidence = append(evidence, s.in.Assertion)
	}
	s.cause(Finding{Kind: r.kind, Text: r.text, Confidence: 1, Evidence: evidence})
}

// findSignal explains a signal that is no access to memory; those that were
// sent are findOutside's, and SIGABRT is findAbort's.
func (s *state) findSignal() {
	switch e := s.e; {
	case s.Event.Kind == Requested:
		s.generic(reason{OnRequest, "Written on request"})
	case s.signal() == sigFPE && (e.Flags == fpeIntDiv || e.Flags == fpeFltDiv || s.Inst.Division):
		s.generic(reason{DivideByZero, "Division by zero"})
	case s.signal() == sigFPE:
		s.generic(reason{Aborted, "Arithmetic error"})
	case s.signal() == sigILL:
		s.findIllegal()
	case s.signal() == sigTRAP:
		s.findTrap()
	case s.signal() == sigSYS:
		s.generic(reason{Aborted, "Forbidden system call"})
	default:
		s.generic(reason{Aborted, "Signal " + s.Reason})
	}
}

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
		s.generic(reason{Aborted, "Forbidden system call"})
	case e.Code == excSoftware:
		s.generic(reason{Aborted, "The program raised an exception"})
	case e.Code == excArithmetic && s.divisionByZero():
		s.generic(reason{DivideByZero, "Division by zero"})
	case e.Code == excArithmetic:
		s.generic(reason{Aborted, "Arithmetic error"})
	case e.Code == excBadInstruction:
		s.findIllegal()
	case e.Code == excBreakpoint:
		s.findTrap()
	case e.Code == excResource:
		s.generic(reason{Resource, "Resource limit"})
	case e.Code == excGuard:
		s.generic(reason{Resource, "Guarded resource"})
	case s.Event.Kind == Faulted:
		s.generic(reason{Aborted, "Exception " + s.Reason})
	}
}

// findRequest is for dumps without an exception.
func (s *state) findRequest() {
	if s.in.Requested {
		s.add(Finding{Kind: OnRequest, Text: "Written on request", Confidence: 1,
			Evidence: []string{"The dump has no exception, and names the thread that asked for it."}})
	}
	if s.in.Assertion != "" {
		s.add(Finding{Kind: Asserted, Text: "Assertion failed", Confidence: 1, Evidence: []string{s.in.Assertion}})
	}
}
