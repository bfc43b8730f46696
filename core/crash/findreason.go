package crash

import (
	"fmt"
	"strings"

	"crashglass/core/cpu"
)

// findReason makes a finding of a reason that explains itself.
func (s *state) findReason() {
	if s.in.Exception.Unknown {
		return
	}
	if s.findSender(); s.fault.memory && s.in.Exception.Code != inPageError {
		return
	}
	switch s.in.OS {
	case "windows":
		s.findWindowsReason()
	case "linux", "android":
		s.findSignal()
	case "mac", "ios":
		s.findMachReason()
	}
}

// A reason is a finding for a code.
type reason struct {
	kind Kind
	text string
}

var windowsReasons = map[uint32]reason{
	simulatedWindows:   {OnRequest, "Written on request"},
	0x406d_1388:        {OnRequest, "Written on request"},
	inPageError:        {Unmapped, "File could not be read"},
	heapCorruption:     {HeapCorrupt, "Heap corruption"},
	0xc000_0017:        {OutOfMemory, "Out of memory"},
	outOfMemory:        {OutOfMemory, "Out of memory"},
	clrException:       {Thrown, ".NET exception"},
	intDivideByZero:    {DivideByZero, "Division by zero"},
	0xc000_008e:        {DivideByZero, "Division by zero"},
	illegalInstruction: {Illegal, "Illegal instruction"},
	privInstruction:    {Illegal, "Privileged instruction"},
	breakpoint:         {Trapped, "Breakpoint"},
	singleStep:         {Trapped, "Single step"},
	assertionFailure:   {Asserted, "Assertion failed"},
	invalidCRTParam:    {Asserted, "Invalid argument to the C library"},
	0xc06d_007e:        {Thrown, "DLL not found"},
	0xc06d_007f:        {Thrown, "Function of a DLL not found"},
	0xc000_0142:        {Thrown, "DLL refused to start"},
	0xc000_0194:        {Aborted, "Possible deadlock"},
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
	for _, t := range []string{note, s.pageStatus(), s.instruction(r.kind), s.in.Assertion} {
		if t != "" {
			f.Evidence = append(f.Evidence, t)
		}
	}
	if len(f.Evidence) == 0 && s.in.Exception.Code == 0 {
		f.Evidence = []string{"The exception has the code 0, which stands for none."}
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
	7:  {Aborted, "The program ended itself"},
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

// outsideSignals are sent by somebody, never by the processor.
var outsideSignals = map[uint32]bool{1: true, 2: true, 3: true, sigKILL: true, 13: true, 14: true, 15: true, 24: true, 25: true}

func (s *state) findSignal() {
	e := s.in.Exception
	switch {
	case e.Code == dumpRequested || e.Code == simulatedLinux:
		s.generic(reason{OnRequest, "Written on request"})
	case e.Code == sigABRT:
		s.generic(reason{Aborted, "The program ended itself"})
	case e.Code == sigFPE && (e.Flags == fpeIntDiv || e.Flags == 3 || s.Inst.Division):
		s.generic(reason{DivideByZero, "Division by zero"})
	case e.Code == sigFPE:
		s.generic(reason{Aborted, "Arithmetic error"})
	case e.Code == sigILL:
		s.findIllegal()
	case e.Code == sigTRAP:
		s.generic(reason{Trapped, "Breakpoint"})
	case e.Code == sigSYS:
		s.generic(reason{Aborted, "Forbidden system call"})
	case outsideSignals[e.Code]:
		s.generic(reason{FromOutside, "Signal from outside"})
	default:
		s.generic(reason{Aborted, "Signal " + s.Reason})
	}
}

// findSender recognises a signal that somebody sent though the processor
// usually does: kill -SEGV is how hung programs are made to write a dump. The
// kernel then leaves the sender's process and user where the address would be.
func (s *state) findSender() {
	e := s.in.Exception
	if s.in.OS != "linux" && s.in.OS != "android" || e.Code != sigSEGV && e.Code != sigBUS || s.caused() {
		return
	}
	sent := e.Flags == siTkill || e.Flags == siQueue
	// 0 is also what writers leave that know no si_code; then the instruction
	// has to show that it did not do it.
	if e.Flags == siUser && s.Accesses != nil && s.fault.op < 0 && s.fault.access != execute && s.Address != 0 && !s.unreported() {
		sent = true
	}
	if !sent {
		return
	}
	s.fault.memory = false
	s.cause(Finding{Kind: FromOutside, Text: "Signal from outside", Confidence: 0.9, Evidence: []string{
		signals.of(e.Code) + " was sent by somebody; it is not the result of an instruction.",
		fmt.Sprintf("The sender is process %d of user %d.", uint32(s.Address), uint32(s.Address>>32))}})
}

// findIllegal tells the trap that a compiler writes on purpose from bytes that
// are no instruction.
func (s *state) findIllegal() {
	switch s.Inst.Mnemonic {
	case "ud2", "ud1", "ud0", "udf", "brk", "unimp", "trap", "c.unimp", "ebreak":
		s.generic(reason{Trapped, "Trap of the compiler"})
	default:
		s.generic(reason{Illegal, "Illegal instruction"})
	}
}

func (s *state) findMachReason() {
	e := s.in.Exception
	switch {
	case e.Code == simulatedMac || e.Code == 0:
		s.generic(reason{OnRequest, "Written on request"})
	case e.Code == nsException || e.Code == excSoftware && e.Flags == uncaughtNSException:
		s.generic(reason{Thrown, "Objective-C exception"})
	case e.Code == excSoftware:
		s.generic(reason{Aborted, "The program ended itself"})
	case e.Code == excArithmetic && s.divisionByZero():
		s.generic(reason{DivideByZero, "Division by zero"})
	case e.Code == excArithmetic:
		s.generic(reason{Aborted, "Arithmetic error"})
	case e.Code == excBadInstruction:
		s.findIllegal()
	case e.Code == excBreakpoint:
		s.generic(reason{Trapped, "Breakpoint"})
	case e.Code == excResource:
		s.generic(reason{Resource, "Resource limit"})
	case e.Code == excGuard:
		s.generic(reason{Resource, "Guarded resource"})
	default:
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
