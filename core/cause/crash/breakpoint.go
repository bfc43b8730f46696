package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// A breakpointPlace is where the captured code has a breakpoint, or another instruction that exists
// to raise an exception.
type breakpointPlace uint8

const (
	breakpointUnknown breakpointPlace = iota // the deciding bytes were not captured
	breakpointAt                             // at the program counter
	breakpointBefore                         // in front of it, of x86
	breakpointNone                           // the code there is another
)

// proven reports whether the code shows a breakpoint.
func (p breakpointPlace) proven() bool { return p == breakpointAt || p == breakpointBefore }

// breakpoint searches for a breakpoint where the system leaves the program counter. On x86, int3 raises
// its exception after it has executed (Intel SDM, volume 3, 6.15, interrupt 3), so the program counter
// is behind it. Windows moves it back to int3 (KiBreakpointTrap). A debugger may also have moved it
// back. On other CPUs it is at the breakpoint.
func (s *facts) breakpoint() breakpointPlace {
	pc, ok := s.pc()
	switch {
	case !ok || s.in.Memory == nil:
		return breakpointUnknown
	case s.decoded && s.isTrap() || s.encoded(cpu.Breakpoints(s.in.Arch), pc):
		return breakpointAt
	case s.in.Arch.IsX86():
		return s.breakpointBefore(pc)
	case s.captured(pc) && (s.decoded || s.decodable() || len(cpu.Breakpoints(s.in.Arch)) > 0):
		return breakpointNone
	}
	return breakpointUnknown
}

// breakpointBefore searches for a breakpoint of x86 that ends at the program counter, which has none.
func (s *facts) breakpointBefore(pc uint64) breakpointPlace {
	b, ok := s.in.Memory.Word(pc-1, 1)
	long, _ := s.in.Memory.Word(pc-2, 2)
	switch {
	case ok && (b == 0xcc || b == 0xf1) || long == 0x03cd: // int3, icebp, int 3
		return breakpointBefore
	case s.in.OS.IsWindows() && s.captured(pc), !s.in.OS.IsWindows() && ok:
		return breakpointNone
	}
	return breakpointUnknown
}

// encoded reports whether one of the instructions is at an address. On ARM those of two bytes are
// Thumb's.
func (s *facts) encoded(list []cpu.Encoding, addr uint64) bool {
	for _, c := range list {
		if s.in.Arch.IsARM() && s.thumb() != (c.Size == 2) {
			continue
		}
		if v, ok := s.in.Memory.Word(addr, c.Size); ok && v&c.Mask == c.Code {
			return true
		}
	}
	return false
}

func (s *facts) reportsBreakpoint() bool {
	switch {
	case s.Event.Kind != Faulted:
		return false
	case s.unix():
		return s.signal() == sigTRAP && trapTitles.of(s.e.Flags) == ""
	case s.apple():
		return s.e.Code == excBreakpoint && !s.watchpoint()
	case s.in.OS.IsFuchsia():
		return s.e.Code == fuchsiaBreak
	}
	return s.in.OS.IsWindows() && s.e.Code == breakpoint
}

// breakInDepth is the number of frames down to a function that stops for a debugger: DbgBreakPoint is a function of its own.
const breakInDepth = 3

// breakIn returns the frame of a function that stops for a debugger, or nil.
func (s *facts) breakIn() *Row {
	if !s.in.OS.IsWindows() || s.e.Code != breakpoint || s.breakpoint() == breakpointNone {
		return nil
	}
	return s.frameThat(stops, breakInDepth, true)
}

// probablyBreakIn reports whether a breakpoint of ntdll ran in a thread without code of the program.
// The thread of a debugger has no other code; without symbols its functions have no names.
func (s *facts) probablyBreakIn() bool {
	if !s.in.OS.IsWindows() || len(s.in.Frames) == 0 || !strings.EqualFold(s.in.Frames[0].module(), "ntdll.dll") {
		return false
	}
	return !slices.ContainsFunc(s.in.Frames, func(f Row) bool { return f.index() < 0 || !s.isSystem(&f) })
}

func (s *facts) findBreakpoint(place breakpointPlace) []candidate {
	switch {
	case place == breakpointAt && s.decoded && s.Inst.Mnemonic != "int" && s.Inst.Mnemonic != "int3":
		return s.trapped(s.compilerTrap())
	case place == breakpointNone:
		return s.findStopped()
	case s.probablyBreakIn():
		return statement(Finding{Kind: Trapped, Text: "Breakpoint, probably of a debugger", Confidence: 0.8, Evidence: []string{
			s.Note, "It is one of ntdll.dll, and the thread has no code of the program: a debugger that breaks in starts such a thread."}})
	case !s.decoded && place != breakpointBefore:
		return s.generic(reason{Trapped, "Breakpoint or trap instruction"})
	}
	return s.generic(reason{Trapped, "Breakpoint"})
}

// findStopped explains the exception of a breakpoint without one in the code. Breakpad invents such
// an exception for the dump of another process of Windows or Apple
// (ExceptionHandler::WriteMinidumpForChild).
func (s *facts) findStopped() []candidate {
	f := Finding{Kind: Trapped, Text: "Breakpoint exception without a breakpoint", Confidence: 0.8, Evidence: []string{s.noBreakpoint(),
		"The dump was probably written on request: Breakpad writes this exception when another process asks."}}
	if s.unix() {
		f.Text = "Breakpoint signal without a breakpoint"
		f.Evidence[1] = fmt.Sprintf("The kernel reports %s: the code or the registers are probably of another moment.", s.ReasonName)
	}
	return statement(f)
}

func (s *facts) noBreakpoint() string {
	if s.Instruction == "" {
		return "The code at the program counter is no breakpoint."
	}
	return fmt.Sprintf("The instruction at the program counter, `%s`, is no breakpoint.", s.Instruction)
}
