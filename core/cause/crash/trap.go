package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// A trap is an instruction that compilers emit where execution must not continue. The operand of
// some traps names the check.
type trap struct {
	kind Kind
	text string
	why  string
}

// ubsanARM is in the bits above the number of the check in the operand of brk. On x86 the number is
// the displacement of ud1 eax, [eax + n]. Source: llvm/test/CodeGen/X86/ubsantrap.ll and
// AArch64/ubsantrap.ll.
const ubsanARM = 0x55

// Operands of brk on arm64 with a meaning of their own.
// Sources: Swift's and clang's __builtin_trap write 1; Windows' __debugbreak
// 0xf000 and __fastfail 0xf003; Android's CFI 0x8200; the kernel's headers
// arch/arm64/include/asm/brk-imm.h.
var brkOperands = map[int64]trap{
	0:      {Trapped, "Breakpoint", "A breakpoint instruction ran."},
	1:      {Trapped, compilerTrap, "The compiler or Swift's runtime checks put it where execution must not continue."},
	0xf000: {Trapped, debugBreak, "__debugbreak ran: programs call it for failed assertions."},
	0xf003: {Trapped, "Fast fail", "The program ended itself with __fastfail."},
	0xc470: {PointerAuth, pacTrap, "The signature of a pointer was checked, and is wrong."},
	0xc471: {PointerAuth, pacTrap, "The signature of a pointer was checked, and is wrong."},
	0xc472: {PointerAuth, pacTrap, "The signature of a pointer was checked, and is wrong."},
	0xc473: {PointerAuth, pacTrap, "The signature of a pointer was checked, and is wrong."},
}

// Headlines of traps.
const (
	compilerTrap = "Compiler trap"
	debugBreak   = "Deliberate breakpoint"
	pacTrap      = "Pointer authentication failed"
)

// compilerWhy explains a trap without a number.
const compilerWhy = "The compiler put it where execution must not continue: __builtin_trap, a failed check, or code behind undefined behaviour."

// findIllegal distinguishes three cases: a trap of the compiler, bytes that are no instruction, and
// an instruction that this processor lacks.
func (s *facts) findIllegal() []candidate {
	switch {
	case s.decoded && s.Inst.Privileged:
		return s.privileged()
	case s.decoded && s.isTrap():
		return s.trapped(s.compilerTrap())
	case s.decoded:
		return statement(Finding{Kind: Illegal, Text: "Instruction refused by the CPU", Confidence: 1, Evidence: []string{
			fmt.Sprintf("The instruction is `%s`. It is a legal one: this CPU lacks the extension, the system has not enabled it, or the code is of another moment.", s.Instruction)}})
	case s.code() && s.decodable():
		return s.generic(reason{Illegal, "Illegal instruction"})
	}
	return statement(Finding{Kind: Illegal, Text: "Illegal instruction or compiler trap", Confidence: 1, Evidence: []string{
		fmt.Sprintf("The CPU refused the instruction. The instruction is not known: %s.", s.noInstruction())}})
}

// privileged explains an instruction that fails in user mode.
func (s *facts) privileged() []candidate {
	return statement(Finding{Kind: Illegal, Text: "Privileged instruction", Confidence: 1, Evidence: []string{
		fmt.Sprintf("The instruction is `%s`, which the kernel may execute only.", s.Instruction)}})
}

// findTrap explains the exception of a breakpoint, a single step or a watchpoint.
func (s *facts) findTrap() []candidate {
	place := s.breakpoint()
	switch {
	case s.unix() && trapTitles.of(s.e.Flags) != "":
		return s.generic(reason{Trapped, trapTitles.of(s.e.Flags)})
	case s.watchpoint() && place != breakpointAt:
		return s.generic(reason{Trapped, "Single step or watchpoint"})
	}
	return s.findBreakpoint(place)
}

// watchpointCodes are Apple's codes for breakpoint exceptions without a breakpoint instruction.
// Sources: handle_watchpoint of osfmk/arm64/sleh.c, T_DEBUG of osfmk/i386/trap.c.
var watchpointCodes = map[macCode]uint32{
	{excBreakpoint, armMac}: 0x102, // EXC_ARM_DA_DEBUG
	{excBreakpoint, x86Mac}: 1,     // EXC_I386_SGL
}

// watchpoint reports whether the exception is one of those.
func (s *facts) watchpoint() bool {
	code, ok := watchpointCodes[macCode{s.e.Code, s.machFamily()}]
	return ok && s.apple() && s.e.Flags == code
}

func (s *facts) trapped(t trap) []candidate {
	evidence := compact(fmt.Sprintf("The instruction is `%s`.", s.Instruction), t.why, s.in.Assertion)
	return explanation(Finding{Kind: t.kind, Text: t.text, Confidence: 1, Evidence: evidence})
}

func (s *facts) compilerTrap() trap {
	if t := s.verboseTrap(); t.text != "" {
		return t
	}
	switch n, ok := s.numberOf(cpu.Immediate); {
	case s.Inst.Mnemonic == "ud1":
		if check, ok := s.numberOf(cpu.Memory); ok {
			return ubsanTrap(check)
		}
	case s.Inst.Mnemonic == "brk" && ok && n>>8 == ubsanARM:
		return ubsanTrap(n & 0xff)
	case s.Inst.Mnemonic == "brk" && ok && brkOperands[n].text != "":
		return brkOperands[n]
	}
	return trap{Trapped, compilerTrap, compilerWhy}
}

// verboseTrap returns the trap of __builtin_verbose_trap: its category and its reason are the name of an inlined call, and libc++'s hardened
// functions use it. Source: clang, docs/LanguageExtensions.rst; libc++, vendor/llvm/default_assertion_handler.in.
func (s *facts) verboseTrap() trap {
	if len(s.in.Frames) == 0 {
		return trap{}
	}
	name, found := strings.CutPrefix(s.in.Frames[0].function(), "__clang_trap_msg$")
	category, reason, whole := strings.Cut(name, "$")
	if !found || !whole {
		return trap{}
	}
	t := trap{Trapped, compilerTrap, "The message is: " + sentenceOf(shortened(strings.Join(strings.Fields(reason), " ")))}
	if category == "libc++" {
		t.kind, t.text = Asserted, "Assertion of the C++ library failed"
	}
	return t
}

func ubsanTrap(check int64) trap {
	if text := ubsanChecks.of64(uint64(check)); text != "" {
		return trap{Trapped, "Undefined behaviour trapped: " + text, "UBSan put the trap there; the number of the check is in the instruction."}
	}
	return trap{Trapped, "Undefined behaviour trapped", "UBSan put the trap there."}
}

// numberOf returns the operand of brk, or the displacement of ud1 eax, [eax + n].
func (s *facts) numberOf(kind cpu.OperandKind) (int64, bool) {
	for i := range s.Inst.Operands {
		switch op := &s.Inst.Operands[i]; {
		case op.Kind != kind:
		case kind == cpu.Immediate:
			return op.Imm, true
		case op.Mem.Base != cpu.None:
			return op.Mem.Disp, true
		}
	}
	return 0, false
}

// decodable reports whether Input.Decode knows the CPU, by decoding a no-operation.
func (s *facts) decodable() bool {
	if s.in.Decode == nil || s.thumb() {
		return false
	}
	return slices.ContainsFunc(noOperations, func(code []byte) bool {
		_, ok := s.in.Decode(s.in.Arch, code, 0)
		return ok
	})
}

// noOperations are the no-operations of x86, ARM64, ARM, RISC-V and PowerPC, in both byte orders.
var noOperations = [][]byte{{0x90}, {0x1f, 0x20, 0x03, 0xd5}, {0x00, 0x00, 0xa0, 0xe1}, {0x13, 0, 0, 0}, {0x60, 0, 0, 0}, {0, 0, 0, 0x60}}

// code reports whether the bytes at the program counter were captured.
func (s *facts) code() bool {
	pc, ok := s.pc()
	return ok && s.captured(pc)
}
