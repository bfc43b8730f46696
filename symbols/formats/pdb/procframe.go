package pdb

import (
	"strings"

	"crashglass/core/values/variables"
)

// A procFrame describes a function's frame by its records.
type procFrame struct {
	machine  uint16
	at       uint32 // offset of the instruction in the function
	from, to uint32 // offsets at which the body begins and ends; to is 0 where the compiler does not say
	behind   bool   // of x86: a frame record says that the instruction is behind the prologue
	pointers bool   // of x86: the arguments take less of the stack than their types, so that some are pointers
	said     bool   // there is S_FRAMEPROC
	size     uint64 // bytes from the stack pointer of the body to the return address
	local    uint8  // base of locals
	param    uint8  // base of arguments
}

// readFrame reads S_FRAMEPROC: FRAMEPROCSYM of cvinfo.h.
func (p *procFrame) readFrame(r record) error {
	c := r.cursor("frame record")
	size := uint64(c.U32())
	c.Skip(8) // padding
	saved := uint64(c.U32())
	c.Skip(6) // exception handler
	flags := c.U32()
	p.said = c.Err() == nil
	p.size = size + saved
	p.local, p.param = uint8(flags>>14&3), uint8(flags>>16&3)
	return c.Err()
}

// baseRegisters are the registers that S_FRAMEPROC names with two bits, by
// machine. $T0 is the virtual frame.
//
// Source: encodedLocalBasePointer of cvinfo.h; decodeFramePtrReg of LLVM's
// SymbolRecordMapping.cpp.
var baseRegisters = map[uint16][4]string{
	machineX86:   {"", "$T0", "ebp", "ebx"},
	machineAMD64: {"", "rsp", "rbp", "r13"},
	machineARM64: {"", "sp", "fp", ""},
}

// base is the base register of locals or arguments, "" if unknown.
func (p *procFrame) base(argument bool) string {
	if argument {
		return baseRegisters[p.machine][p.param]
	}
	return baseRegisters[p.machine][p.local]
}

// framePointer is the register that S_BPREL32 counts from.
func (p *procFrame) framePointer() string {
	if p.machine == machineX86 {
		return "ebp"
	}
	return baseRegisters[p.machine][2]
}

// value is the frame's value of a base register.
func (p *procFrame) value(e *variables.Eval, name string) (uint64, error) {
	switch {
	case name == "":
		return 0, variables.Damaged("the function has no S_FRAMEPROC record that says what its variables count from")
	case name == "$T0":
		return e.VFrame()
	case p.isBase(e, name) && !p.settled(e, name):
		return 0, variables.Damaged("the instruction is in a prologue or epilogue, where %s does not hold the frame", name)
	}
	return e.Reg(name)
}

// isBase reports whether a register is one that prologues set.
func (p *procFrame) isBase(e *variables.Eval, name string) bool {
	reg, ok := e.Frame.Arch.Reg(name)
	return ok && (reg == e.Frame.Arch.SP || reg == e.Frame.Arch.FP || name == p.base(false) || name == p.base(true))
}

// settled reports whether the instruction is after the prologue and before the epilogue, by the
// unwind codes of x64 and ARM64, or by the sizes in the records. Clang leaves the places in the
// function's record 0.
func (p *procFrame) settled(e *variables.Eval, name string) bool {
	if p.inBody(e) {
		return true
	}
	if p.machine == machineX86 {
		return p.to == 0 && (p.behind || !e.Frame.Interrupted) && !p.returns(e)
	}
	cfa, err := e.CFA()
	if err != nil {
		return !e.Frame.Interrupted || p.said && p.size == 0
	}
	if e.Frame.CFABase != nil && strings.TrimPrefix(e.Frame.CFABase(), "$") == name && !isStackPointer(e, name) {
		return true
	}
	sp, err := e.Reg(e.Frame.Arch.Regs[e.Frame.Arch.SP])
	return err == nil && p.said && cfa-sp == p.size+p.pushed()
}

func (p *procFrame) pushed() uint64 {
	if p.machine == machineAMD64 {
		return 8
	}
	return 0
}

func isStackPointer(e *variables.Eval, name string) bool {
	reg, ok := e.Frame.Arch.Reg(name)
	return ok && reg == e.Frame.Arch.SP
}

// inBody reports whether the function's record says that the instruction is in
// its body. MSVC writes where that begins and ends.
func (p *procFrame) inBody(e *variables.Eval) bool {
	return p.to != 0 && p.from <= p.at && (p.at <= p.to || !e.Frame.Interrupted)
}

// returns reports whether the next instruction is one that leaves the function:
// a return, before which ebp was restored.
func (p *procFrame) returns(e *variables.Eval) bool {
	if !e.Frame.Interrupted {
		return false
	}
	op, err := e.Word(e.Frame.Base()+e.Frame.Rel(), 1)
	return err == nil && (op == 0xc3 || op == 0xc2) // ret, ret n
}
