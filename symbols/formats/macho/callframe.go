package macho

import (
	"slices"
	"strconv"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
	"crashglass/core/stack/unwind"
)

// From in call frames that were made here.
const (
	fromCompact = "compact unwind"
	fromCode    = "compact unwind and code"
	fromStubs   = "the linker's stubs"
)

// CallFrame returns the rules at an exact instruction. In an epilog they come from the code,
// because no table describes it: Apple's compilers do not describe epilogs in __eh_frame either.
// Elsewhere they come from __eh_frame, which describes prologs exactly, or else from __unwind_info,
// with the prolog from the code. Rules of Go's functions are those of Go's table only, see package elf.
func (f *File) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	if frame, ok := f.golang().CallFrame(rel); frame.Size > 0 {
		return frame, ok
	}
	cpu := f.cpuFrames()
	if cpu == nil {
		return f.dwarfFrame(rel)
	}
	if cf, ok := f.stubFrame(cpu, rel); ok {
		return cf, true
	}
	r, ok := f.runAt(rel)
	if !ok {
		return f.dwarfFrame(rel)
	}
	first := f.code(r.start, maxProlog)
	dwarf, hasDWARF := f.dwarfFrame(rel)
	body, ok := cpu.body(r.entry, first)
	if !ok && hasDWARF {
		body, ok = frameOf(dwarf.Rules)
	}
	if !ok {
		return dwarf, hasDWARF
	}
	cf := unwind.CallFrame{Start: r.start, Size: r.end - r.start, From: fromCode}
	before, after := f.around(rel, r)
	if fr, ok := cpu.epilog(f, before, after, rel, r, body); ok {
		cf.Rules = fr.rules()
		return cf, true
	}
	if hasDWARF {
		return dwarf, true
	}
	if fr, ok := cpu.prolog(first, int(min(rel-r.start, maxProlog))); ok && rel-r.start < maxProlog {
		cf.Rules = fr.rules()
		return cf, true
	}
	// Without code, or without the starts of functions, prologs and epilogs are unknown.
	cf.Rules, cf.From, cf.AtCalls = body.rules(), fromCompact, len(first) == 0 || len(f.functions()) == 0
	return cf, true
}

// frameOf is the frame that rules of a body describe, as far as a function's
// last instructions can be told by it: which registers it has saved.
func frameOf(rules []unwind.Rule) (*frameState, bool) {
	fr := &frameState{}
	for _, r := range rules {
		switch {
		case r.Reg != unwind.CFA:
			s := saved{reg: r.Reg}
			if r.From.Base == unwind.CFA {
				s.at = r.From.Off // 0 where it is elsewhere
			}
			fr.saved = append(fr.saved, s)
		case r.From.Base == "" || r.From.Load:
			return nil, false
		default:
			fr.base, fr.offset = r.From.Base, r.From.Off
		}
	}
	return fr, fr.base != ""
}

// dwarfFrame is the answer of __eh_frame and __debug_frame, which are more exact than compact unwinding.
func (f *File) dwarfFrame(rel uint64) (unwind.CallFrame, bool) {
	if t := f.frames(); t != nil {
		return t.CallFrame(rel)
	}
	return unwind.CallFrame{}, false
}

// runAt is the function at an address, and its encoding. An entry begins at a function, or at a
// part of one.
func (f *File) runAt(rel uint64) (run, bool) {
	e, end, ok := f.compact().find(rel)
	if !ok {
		return run{}, false
	}
	r := run{start: uint64(e.start), entry: e.encoding}
	if start, ok := f.startBelow(rel); ok && (start > r.start || e.encoding&notFunctionStart != 0) {
		r.start = start
	}
	r.end = f.startAbove(rel, end)
	return r, true
}

// around is the code before and from an address, inside of its function.
func (f *File) around(rel uint64, r run) (before, after []byte) {
	n := min(rel-r.start, maxBefore)
	code := f.code(rel-n, int(n+min(r.end-rel, maxEpilog)))
	if uint64(len(code)) < n {
		return nil, nil
	}
	return code[:n], code[n:]
}

// stubFrame knows the code through which functions of other libraries are
// called. It saves nothing; only what binds a function on its first call pushes.
// A section that begins before the image has no start that is relative to it.
func (f *File) stubFrame(cpu cpuFrames, rel uint64) (unwind.CallFrame, bool) {
	s := f.codeAt(rel)
	if s == nil || s.addr < f.base || s.flags&sectTypeMask != sectStubs && !slices.Contains(stubSections, s.name) {
		return unwind.CallFrame{}, false
	}
	fr := cpu.leaf()
	if s.name == "__stub_helper" {
		start := s.addr - f.base
		fr.offset += pushedByHelper(cpu, rel-start)
	}
	return unwind.CallFrame{Start: s.addr - f.base, Size: s.size, Rules: fr.rules(), From: fromStubs}, true
}

// stubSections are those without a type of their own.
var stubSections = []string{"__stubs", "__stub_helper", "__auth_stubs", "__objc_stubs"}

// pushedByHelper is how much __stub_helper has on the stack. It begins with
// what all others jump to: on x86_64 lea, push, jmp and a nop (16 bytes) with
// one word below, on x86 push, jmp and a nop (12 bytes), and then push, jmp for
// each function (10 bytes); on arm64 adrp, add, stp, adrp, ldr, br, and then
// ldr, b and data.
//
// Source: what ld64 writes (its src/ld/passes/stubs).
func pushedByHelper(cpu cpuFrames, at uint64) int64 {
	x, ok := cpu.(*intel)
	if !ok {
		if at >= 12 && at < 24 {
			return 16
		}
		return 0
	}
	head, pushed := uint64(16), uint64(9)
	if x.word == 4 {
		head, pushed = 12, 5
	}
	switch {
	case at < pushed, at >= head && (at-head)%10 >= 5:
		return x.word
	case at < head:
		return 2 * x.word
	}
	return 0
}

// hex writes an encoding as notes have it.
func hex(n uint32) string { return "0x" + strconv.FormatUint(uint64(n), 16) }

// A frameState is the layout of a function's frame at an instruction.
type frameState struct {
	base   string // the register that the CFA is found from
	offset int64  // from base to the CFA
	saved  []saved
	inReg  string // where the return address is, when it is not on the stack
}

// A saved register is at an offset from the CFA, which is negative. The return
// address has the name .ra.
type saved struct {
	reg string
	at  int64
}

func (fr *frameState) rules() []unwind.Rule {
	out := []unwind.Rule{{Reg: unwind.CFA, From: unwind.At(fr.base, fr.offset)}}
	if !fr.has(returnAddress) {
		out = append(out, unwind.Rule{Reg: returnAddress, From: unwind.At(fr.inReg, 0)})
	}
	for _, s := range fr.saved {
		out = append(out, unwind.Rule{Reg: s.reg, From: unwind.Word(unwind.CFA, s.at)})
	}
	return out
}

const returnAddress = unwind.RA

func (fr *frameState) has(reg string) bool {
	return slices.ContainsFunc(fr.saved, func(s saved) bool { return s.reg == reg })
}

// A run is the needed part of the code around an address.
type run struct {
	start, end uint64 // of the function
	entry      uint32 // its encoding
}

// A cpuFrames has the frame rules of a CPU. The code that it is given begins at the address in
// question, or at the start of the function.
type cpuFrames interface {
	// body is the frame by an encoding, for which x86 may have to decode the function's first
	// instructions; false for none, DWARF, or damage.
	body(encoding uint32, code []byte) (*frameState, bool)

	// prolog runs the first instructions up to at. It reports false where
	// another instruction comes first.
	prolog(code []byte, at int) (*frameState, bool)

	// epilog runs the last instructions from rel on, with up to maxBefore bytes
	// in front of them. It reports false where they are not the last ones.
	epilog(f *File, before, code []byte, rel uint64, r run, body *frameState) (*frameState, bool)

	// leaf is the frame of code without saved registers.
	leaf() *frameState

	// steps are the offsets of the first instructions at which frames change.
	steps(code []byte) []int
}

// Bytes of code that are looked at: the first of a function, the last of one,
// and those in front of an address. The last are as many as arm64 needs to load
// all registers that functions keep.
const (
	maxProlog = 256
	maxEpilog = 128
	maxBefore = 64
)

// cpuFrames are the CPUs that Apple defines encodings for.
func (f *File) cpuFrames() cpuFrames {
	switch arch := cpu.ByName(f.arch()); {
	case arch.IsAMD64():
		return &intelAMD64
	case arch.Is386():
		return &intelX86
	case arch.IsARM64():
		return armFrames{}
	}
	return nil
}

// A prologCode follows the first instructions of a CPU's functions.
type prologCode struct {
	set    *isa.Set
	fp     string
	begins func(*isa.Insn) bool // whether an instruction belongs to a prologue
	name   func(cpu.Reg) string // of a register that functions keep, or ""
}

// run is the frame before the instruction at an offset, by the instructions before it and the frame before them. It
// reports false if one of them belongs to no prologue, or the offset is inside of one.
func (c *prologCode) run(fr *frameState, code []byte, at int) (*frameState, bool) {
	sp, depth := fr.base, fr.offset
	for pos := 0; pos < at; {
		i := c.set.Decode(code[min(pos, len(code)):], 0)
		if pos += i.Size; pos > at || !c.begins(&i) {
			return nil, false
		}
		depth -= i.Stack.Move
		c.save(fr, &i.Stack, -depth)
		switch {
		case i.Stack.Kind == isa.SetsFP:
			fr.base, fr.offset = c.fp, depth-i.Stack.Off
		case fr.base == sp:
			fr.offset = depth
		}
	}
	return fr, true
}

// save adds the registers that an instruction stores or loads at an offset. The first place of a register is kept.
func (c *prologCode) save(fr *frameState, e *isa.Effect, at int64) {
	for k, reg := range e.Regs() {
		if name := c.name(reg); name != "" && !fr.has(name) {
			fr.saved = append(fr.saved, saved{name, at + e.Off + 8*int64(k)})
		}
	}
}

// steps are the offsets behind each instruction of the prologue, where the rules may change.
func (c *prologCode) steps(code []byte) (out []int) {
	for pos := 0; pos < len(code); {
		i := c.set.Decode(code[pos:], 0)
		if !c.begins(&i) {
			break
		}
		pos += i.Size
		out = append(out, pos)
	}
	return out
}
