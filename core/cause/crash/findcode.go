package crash

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/report"
)

// A CodeFinder finds what changes of code mean for the crash. Programs that do not compare code do not link it.
type CodeFinder func(*facts) []candidate

// FindInCode makes the finder of code that is not as it was shipped: flipped bits, breakpoints and hooks. A flipped bit in the function that
// failed explains the crash. Hooks that lead to one module are one finding; those of the program itself are none, because browsers hook
// the system's functions in their own process.
func FindInCode(code []report.CodeChange) CodeFinder {
	if len(code) == 0 {
		return nil
	}
	return func(s *facts) []candidate { return s.changedCode(code) }
}

// findChangedCode is the row of the CodeFinder.
func (s *facts) findChangedCode() []candidate {
	if s.in.Code == nil {
		return nil
	}
	return s.in.Code(s)
}

func (s *facts) changedCode(code []report.CodeChange) (all []candidate) {
	pc, _ := s.regs.Get(s.in.Arch.PC)
	var leads []string // of hooks that are listed
	for i := range code {
		c := &code[i]
		near := s.in.Exception != nil && (c.Near(pc) || s.inInnermost(c)) && s.mayHaveRun(c, pc)
		f := Finding{Kind: FlippedCode, Text: "Flipped bit in the code", Confidence: likely, Evidence: []string{s.difference(c)}}
		switch {
		case c.Kind == report.CodeFlipped:
			f.Evidence = append(f.Evidence, "One bit differs: memory of the machine, or a disk, has probably failed.")
			if s.invertsJump(c) {
				f.Confidence = even
				f.Evidence = append(f.Evidence, "The bit inverts a condition: somebody may have changed it on purpose.")
			}
		case c.Kind == report.CodeBreakpoint:
			f.Kind, f.Text, f.Confidence = Breakpoint, "Breakpoint in the code", likely
			f.Evidence = append(f.Evidence, "A debugger or a tracer writes such an instruction.")
			if bits.OnesCount64(changedBits(c)) == 1 {
				f.Confidence = even
				f.Evidence = append(f.Evidence, "Only one bit differs: failed memory can look like this, too.")
			}
		case c.Kind == report.CodeHook && !s.isProgram(c.TargetIndex):
			lead := "memory of no module"
			if c.TargetModule != nil {
				lead = *c.TargetModule
			}
			if slices.Contains(leads, lead) {
				continue
			}
			leads = append(leads, lead)
			f = Finding{Kind: HookedCode, Text: "Hooked by " + lead, Confidence: likely, Evidence: s.hooks(code, c.TargetModule)}
		case c.Kind == report.CodeOther:
			f.Kind, f.Text = ChangedCode, "Code differs from its file"
		default:
			continue
		}
		if c.Kind == report.CodeFlipped && near {
			all = append(all, statement(f)...)
		} else {
			all = append(all, observation(f)...)
		}
	}
	return all
}

// inInnermost reports whether a change is in the function that failed.
func (s *facts) inInnermost(c *report.CodeChange) bool {
	if len(s.in.Frames) == 0 || c.FunctionOffset == nil || s.in.Frames[0].FunctionOffset == nil {
		return false
	}
	f := &s.in.Frames[0]
	return f.index() == c.ModuleIndex && f.address()-f.FunctionOffset.Number() == c.Address.Number()-c.FunctionOffset.Number()
}

// mostAhead bounds the bytes behind a change that are searched for a jump back.
const mostAhead = 4 << 10

// mayHaveRun reports whether a change may have been executed before the instruction at pc: it lies before the end of that instruction, or
// code behind it jumps back.
func (s *facts) mayHaveRun(c *report.CodeChange, pc uint64) bool {
	at := c.Address.Number()
	if inst, ok := s.decodeAt(pc); !ok || at < pc+uint64(inst.Len) {
		return true
	}
	start := pc
	if c.FunctionOffset != nil {
		start = at - c.FunctionOffset.Number()
	}
	for next, end := pc, at+mostAhead; next < end; {
		inst, ok := s.decodeAt(next)
		if !ok {
			return false
		}
		if next += uint64(inst.Len); next > at && inst.HasTarget && inst.Flow != cpu.Call && start <= inst.Target && inst.Target <= pc {
			return true
		}
	}
	return false
}

// difference is a sentence with both values.
func (s *facts) difference(c *report.CodeChange) string {
	at := fmt.Sprintf("%s + %s", c.Module, report.Hex(c.ModuleOffset.Number()))
	if c.Function != nil {
		at = fmt.Sprintf("`%s` + %s of %s", *c.Function, report.Hex(c.FunctionOffset.Number()), c.Module)
	}
	return fmt.Sprintf("At %s, %s, memory has %s, and the file has %s.", c.Address, at, spaced(c.Captured), spaced(c.Shipped))
}

// spaced separates the bytes of hex digits.
func spaced(digits string) string {
	var out strings.Builder
	for i, c := range []byte(digits) {
		if i > 0 && i%2 == 0 {
			out.WriteByte(' ')
		}
		out.WriteByte(c)
	}
	return out.String()
}

// mostHooks bounds the hooks in the evidence. The report lists more.
const mostHooks = 4

// hooks are sentences about the functions that jumps to a module replace.
func (s *facts) hooks(code []report.CodeChange, target *string) (text []string) {
	more := 0
	for i := range code {
		switch c := &code[i]; {
		case c.Kind != report.CodeHook || report.Text(c.TargetModule) != report.Text(target):
		case len(text) == mostHooks:
			more++
		case c.TargetModule != nil:
			base := s.in.Modules.Modules()[*c.TargetIndex].Base
			text = append(text, fmt.Sprintf("%s It leads to %s + %#x.", s.difference(c), *target, c.Target.Number()-base))
		default:
			text = append(text, fmt.Sprintf("%s It leads to %s.", s.difference(c), *c.Target))
		}
	}
	if more > 0 {
		text = append(text, fmt.Sprintf("Further functions are changed in the same way: %d.", more))
	}
	return text
}

// isProgram reports whether a module is the program or was installed with it.
func (s *facts) isProgram(i *int) bool {
	mods := s.in.Modules.Modules()
	if i == nil || s.in.Main < 0 || s.in.Main >= len(mods) {
		return false
	}
	home := folder(mods[s.in.Main].CodeFile)
	return *i == s.in.Main || home != "" && s.in.OS.IsWindows() && isBelow(mods[*i].CodeFile, home, s.in.OS)
}

// invertsJump reports whether the bit is the one by which the opcodes of a condition and its opposite differ: 74 and 75, 0f 84 and 0f 85.
func (s *facts) invertsJump(c *report.CodeChange) bool {
	was, _ := strconv.ParseUint(c.Shipped, 16, 8)
	return s.in.Arch.IsX86() && changedBits(c) == 1 && (was>>4 == 7 || was>>4 == 8)
}

// changedBits are those that differ in a change of at most eight bytes.
func changedBits(c *report.CodeChange) uint64 {
	was, _ := strconv.ParseUint(c.Shipped, 16, 64)
	is, _ := strconv.ParseUint(c.Captured, 16, 64)
	return was ^ is
}
