package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
)

// Bounds for recognizing the end of a stack.
const (
	// stackReach is the largest distance of an access below the stack pointer. A function allocates
	// its locals at once; one with large locals touches each page on the way down.
	stackReach = 1 << 16

	// stackGap is the largest guard below a stack: Linux has 256 pages below the main thread's
	// stack (stack_guard_gap).
	stackGap = 1 << 20

	// deepStack is a number of frames that only a runaway recursion reaches.
	deepStack = 1000

	// manyTimes is the number of frames of one function that count as a recursion.
	manyTimes = 30
)

// findStackOverflow recognizes a thread that has used up its stack. Windows reports it. Elsewhere
// the access is close to the stack pointer and just below the region of the stack.
func (s *facts) findStackOverflow() []candidate {
	recursion, times := s.recursion()
	why := ""
	if times >= manyTimes {
		why = fmt.Sprintf("`%s` is on the stack %d times.", recursion, times)
	}
	if s.in.OS.IsWindows() && s.in.Exception.Code == stackOverflow {
		why = join(s.stackUse(), why)
		return statement(Finding{Kind: StackOverflow, Text: "Stack overflow", Confidence: 1, Evidence: s.evidence(why)})
	}
	sp, ok := s.sp()
	f := &s.fault
	if !ok || !f.memory || !f.known || f.access == execute || f.addr < nullZone {
		return nil
	}
	var g *process.Region
	var confidence float32
	close := near(f.addr, sp, stackReach)
	if close {
		g, confidence = s.stackAbove(f.addr, sp)
	}
	switch {
	case g == nil && s.jumpedOver(f.addr, sp):
		return s.largeFrame(sp)
	case !close:
		return nil
	case g != nil:
		why = join(why, fmt.Sprintf("The stack pointer is %s, and the stack ends at %s: the access lies %s below it.",
			hex(sp), hex(g.Start), plural(g.Start-f.addr, "byte")))
	case len(s.in.Regions) == 0 && (times >= manyTimes || len(s.in.Frames) >= deepStack):
		confidence = 0.7
		why = join(why, fmt.Sprintf("The address is close to the stack pointer, %s, and the stack has %d frames.", hex(sp), len(s.in.Frames)))
	default:
		return nil
	}
	return statement(Finding{Kind: StackOverflow, Text: "Stack overflow", Confidence: confidence, Evidence: s.evidence(why)})
}

// leastFrame is a size of one function's variables that is beyond what a program means to put on a stack.
const leastFrame = 1 << 20

// jumpedOver reports whether the stack pointer is far below the stack that the frame pointer or the caller is in, and the accessed
// address is between them: a function with very large variables, or alloca, left the stack at once, over its guard.
func (s *facts) jumpedOver(addr, sp uint64) bool {
	v := s.stackOfCaller(sp)
	return v > 0 && addr >= sp-min(sp, stackReach) && addr < v && s.unmapped(addr) && s.unmapped(sp)
}

// unmapped reports whether the list of mappings has nothing at an address.
func (s *facts) unmapped(addr uint64) bool {
	g := s.regionAt(addr)
	return len(s.in.Regions) > 0 && (g == nil || g.Free()) && !s.captured(addr)
}

// stackOfCaller returns the frame pointer, or the stack pointer of the next frame, if it is in writable memory above a stack pointer, by
// the size of one function's variables; or 0.
func (s *facts) stackOfCaller(sp uint64) uint64 {
	const mostFrame = 1 << 32
	values := []uint64{s.regs.Value(s.in.Arch.FP)}
	for i := range s.in.Frames[:min(len(s.in.Frames), 2)] {
		values = append(values, s.in.Frames[i].Walked().Regs.Value(s.in.Arch.SP))
	}
	for _, v := range values {
		if g := s.regionAt(v); v > sp && v-sp >= leastFrame && v-sp < mostFrame && g != nil && g.Allows('w') && s.in.Modules.IndexAt(v) < 0 {
			return v
		}
	}
	return 0
}

// largeFrame is a stack overflow by the variables of one function.
func (s *facts) largeFrame(sp uint64) []candidate {
	v := s.stackOfCaller(sp)
	return statement(Finding{Kind: StackOverflow, Text: "Stack overflow", Confidence: 0.9, Evidence: s.evidence(fmt.Sprintf(
		"The stack pointer, %s, is %d KiB below the stack at %s, and nothing is mapped there: variables of one function, or alloca, are larger than the stack.",
		hex(sp), (v-sp)>>10, hex(v)))})
}

// smallStack is the smallest stack that Windows makes: its allocation granularity, 64 KiB, without
// the pages that it keeps for the handling of the overflow.
const smallStack = 1 << 15

// stackUse describes how much of a stack is in use. A writer may have captured only its beginning.
func (s *facts) stackUse() string {
	sp, ok := s.sp()
	if !ok || sp < s.in.StackLow || sp >= s.in.StackHigh || s.in.Reduced {
		return "The thread used up its stack."
	}
	used := s.in.StackHigh - sp
	if used < smallStack {
		return fmt.Sprintf("Windows reports that the thread used up its stack; the dump has only %s of it above the stack pointer, %s.", plural(used, "byte"), hex(sp))
	}
	return fmt.Sprintf("The thread used up its stack: %d KiB of it are in use, down to %s.", used>>10, hex(sp))
}

func near(a, b, reach uint64) bool { return distance(a, b) < reach }

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// stackAbove returns the stack that ends just above an address that is not writable.
func (s *facts) stackAbove(addr, sp uint64) (*process.Region, float32) {
	if g := s.regionAt(addr); g != nil && g.Allows('w') {
		return nil, 0
	}
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if g.Start <= addr || !g.Allows('w') {
			continue
		}
		if g.Start-addr > stackGap {
			return nil, 0
		}
		if s.in.StackHigh > 0 && g.Contains(s.in.StackHigh-1) {
			return g, 0.95
		}
		if g.Contains(sp) || near(sp, g.Start, stackReach) {
			return g, 0.85
		}
		return nil, 0
	}
	return nil, 0
}

// recursion returns the most frequent function on the stack.
func (s *facts) recursion() (name string, times int) {
	count := map[string]int{}
	for i := range s.in.Frames {
		f := &s.in.Frames[i]
		if f.function() == "" {
			continue
		}
		called := f.name()
		count[called]++
		if count[called] > times {
			name, times = called, count[called]
		}
	}
	return name, times
}

// mostRepeated bounds the rows that are searched for repeated functions.
const mostRepeated = 2048

// Repeated returns the innermost row of each function of the program that a recursion repeats, innermost first. A function that a recursion
// calls and that returns is on the stack once.
func Repeated(rows []Row) (out []int) {
	key := func(r *Row) string {
		if name := r.function(); name != "" || r.CodeStart == nil {
			return name
		}
		return string(*r.CodeStart)
	}
	rows = rows[:min(len(rows), mostRepeated)]
	count, most := map[string]int{}, 0
	for i := range rows {
		if k := key(&rows[i]); k != "" && rows[i].Own() {
			count[k]++
			most = max(most, count[k])
		}
	}
	if most < manyTimes {
		return nil
	}
	for i := range rows {
		if k := key(&rows[i]); count[k] >= most/2 && rows[i].Own() {
			out, count[k] = append(out, i), 0
		}
	}
	return out
}

// findStackPointer reports a stack pointer that is in no stack.
func (s *facts) findStackPointer() []candidate {
	sp, ok := s.sp()
	if !ok || len(s.in.Regions) == 0 {
		return nil
	}
	if s.existed(sp) && s.in.Modules.IndexAt(sp) < 0 {
		return nil // some writers list no stacks among the mappings
	}
	g := s.regionAt(sp)
	switch {
	case g == nil:
		return observation(Finding{Kind: BadStackPointer, Text: "Stack pointer is wild", Confidence: 0.9,
			Evidence: []string{fmt.Sprintf("The list of mappings has nothing at the stack pointer, %s.", hex(sp))}})
	case !g.Allows('w') && g.Accessible():
		return observation(Finding{Kind: BadStackPointer, Text: "Stack pointer is not in a stack", Confidence: 0.9,
			Evidence: []string{fmt.Sprintf("The memory at the stack pointer, %s, cannot be written to.", hex(sp))}})
	case s.in.Modules.IndexAt(sp) >= 0 && !s.inHandler():
		return observation(Finding{Kind: BadStackPointer, Text: "Stack pointer is not in a stack", Confidence: 0.8,
			Evidence: []string{fmt.Sprintf("The stack pointer, %s, is in %s.", hex(sp), s.in.Modules.At(sp).Name())}})
	}
	return nil
}

// inHandler reports whether a signal handler runs. sigaltstack gives it any memory for a stack, also a variable.
func (s *facts) inHandler() bool {
	return slices.ContainsFunc(s.in.Frames, func(f Row) bool { return f.FoundBy == report.BySignal })
}

// findBadJump recognizes a program counter outside of code.
func (s *facts) findBadJump() []candidate {
	f := &s.fault
	if !f.memory || f.access != execute {
		return nil
	}
	finding := Finding{Kind: BadJump, Text: "Jump to a bad address", Confidence: 0.95, Evidence: s.evidence(s.jumpOrigin())}
	switch g := s.regionAt(f.addr); {
	case s.unloadedAt(f.addr) != "":
		finding.Kind, finding.Text = UnloadedCode, "Call into an unloaded module"
		finding.Evidence = s.evidence(fmt.Sprintf("%s was unloaded from there.", s.unloadedAt(f.addr)), s.jumpOrigin())
	case s.in.StackLow <= f.addr && f.addr < s.in.StackHigh:
		finding.Text = "Execution on the stack"
		finding.Evidence = s.evidence("Data on the thread's stack was executed: most likely a return address or a function pointer was overwritten.", s.jumpOrigin())
	case g != nil && g.Accessible() && !g.Allows('x') || s.refusedFetch():
		finding.Text = "Execution of data"
		finding.Evidence = s.evidence(fmt.Sprintf("The memory there, in %s, cannot be executed.", s.describe(f.addr)), s.jumpOrigin())
	case s.returns():
		finding.Text = "Return address overwritten"
		finding.Evidence = s.evidence("A return instruction went there: the return address on the stack was overwritten.", s.jumpOrigin())
	case s.shortText(f.addr) != "":
		finding.Kind, finding.Text, finding.Confidence = TextAsPointer, "Text used as a pointer", textConfidence(s.in.Arch.Word)
		finding.Evidence = s.evidence(fmt.Sprintf("The address is the bytes of %q: most likely a string was written over a function pointer.", s.shortText(f.addr)), s.jumpOrigin())
	case s.freedChunk(f.addr) != nil:
		finding.Kind, finding.Text, finding.Confidence = Poison, poisonTexts[freed], 0.9
		finding.Evidence = s.evidence(
			"The address was probably read from a freed block of the heap, where glibc stores the block's own address, shifted right by 12 bits.", s.jumpOrigin())
	case nonCanonical(f.addr) && s.in.Arch.IsAMD64():
		finding.Evidence = append(finding.Evidence, "No pointer of this CPU has such a value: bits 48 to 63 differ from bit 47.")
	}
	return explanation(finding)
}

// refusedFetch reports whether Windows refused to execute memory that the dump has: a module's, or some that is not empty.
func (s *facts) refusedFetch() bool {
	if s.windowsAccess() != execute || !s.pcAt(s.fault.addr) || len(s.in.Regions) > 0 {
		return false
	}
	first, _ := s.in.Memory.Word(s.fault.addr, 1)
	return first != 0 || s.in.Modules.IndexAt(s.fault.addr) >= 0
}

// returns reports whether a return instruction of x86 went to a bad address: it is the next to be executed, or it took the address
// from the word below the stack pointer.
func (s *facts) returns() bool {
	if !s.in.Arch.IsX86() {
		return false
	}
	sp, ok := s.sp()
	taken, below := s.word(sp - uint64(s.in.Arch.Word))
	return s.decoded && s.Inst.Flow == cpu.Ret && !s.pcAt(s.fault.addr) || ok && below && s.pcAt(s.fault.addr) && taken == s.fault.addr && taken != 0
}

// jumpOrigin names the most likely origin of a jump: the next frame. If that is in a system
// library, it is more often the start of the thread than the caller.
func (s *facts) jumpOrigin() string {
	i := s.jumper()
	switch {
	case i < 0:
		return ""
	case s.isSystem(&s.in.Frames[i]):
		return fmt.Sprintf("The function that jumped is not known: the next frame on the stack is %s.", s.in.Frames[i].place())
	}
	return fmt.Sprintf("The next frame is %s.", s.in.Frames[i].place())
}

// jumper returns the frame behind the bad program counter, or -1. If the instruction has not jumped
// yet, it is in the frame that the verdict names.
func (s *facts) jumper() int {
	if len(s.in.Frames) < 2 || !s.pcAt(s.fault.addr) {
		return -1
	}
	return 1
}

func (s *facts) unloadedAt(addr uint64) string {
	for i := range s.in.Unloaded {
		if m := &s.in.Unloaded[i]; m.Size > 0 && m.Contains(addr) {
			return m.Name()
		}
	}
	return ""
}

// findOverwritten reports a return address that is another one on the shadow stack, which only calls write.
func (s *facts) findOverwritten() []candidate {
	for i := range s.in.Frames {
		f := &s.in.Frames[i]
		if f.Overwritten == nil || f.Inline != nil {
			continue
		}
		caller := f.place()
		why := fmt.Sprintf("The return address of frame %d was overwritten: the shadow stack has %s, and the stack has %s at %s.",
			f.Index-1, caller, f.Overwritten.Value, f.Overwritten.Address)
		return statement(Finding{Kind: StackSmashed, Text: "Return address overwritten", Confidence: 1, Evidence: []string{why}})
	}
	return nil
}
