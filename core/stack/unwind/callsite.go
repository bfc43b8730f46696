package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// An answer about code, which is unknown if the code was not captured.
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// thumbBit is T of the CPSR.
const thumbBit = 1 << 5

// setOf returns the instruction set that a frame executes, or nil if its registers have other names.
func (w *walk) setOf(f *Frame) *isa.Set {
	if w.thumb != nil && f.Regs.Value(cpu.ARMCPSR)&thumbBit != 0 {
		return w.thumb
	}
	if w.foreign(f.Instruction) {
		return nil
	}
	return w.isa
}

// setAt returns the instruction set of the code at a return address.
func (w *walk) setAt(addr uint64) *isa.Set {
	if w.thumb != nil && addr&1 != 0 {
		return w.thumb
	}
	return w.isa
}

// longestInsn is the number of bytes that are read to decode an instruction.
const longestInsn = 16

// longestOf returns the number of bytes to read for an instruction of a set.
func longestOf(set *isa.Set) int {
	if set.Min == 1 {
		return longestInsn
	}
	return 4
}

// insnAt decodes the instruction at an address. It reports false if the code was not captured.
func (w *walk) insnAt(set *isa.Set, addr uint64) (isa.Insn, bool) {
	code := w.codeBytes(w.insn[:0], addr, longestOf(set))
	if len(code) == 0 {
		return isa.Insn{}, false
	}
	return set.Decode(code, addr), true
}

// callBefore finds the call before a return address: yes with the instruction, or no if the
// captured code is no call.
func (w *walk) callBefore(addr uint64) (isa.Insn, answer) {
	set := w.setAt(addr)
	switch {
	case set == nil:
		return isa.Insn{}, unknown
	case set.Min == 1:
		insn, called := w.callEndsAt(set, addr)
		if called != no || !w.foreign(addr-1) {
			return insn, called
		}
		set = w.second
	}
	addr &^= uint64(set.Min - 1)
	behind := uint64(0)
	if w.delaySlot {
		behind = 4
	}
	for size := uint64(4); size >= uint64(set.Min); size -= 2 {
		insn, ok := w.insnAt(set, addr-behind-size)
		if !ok {
			return insn, unknown
		}
		if uint64(insn.Size) == size && (insn.Flow == isa.Call || w.setsLink && (insn.Flow == isa.JumpReg || insn.Flow == isa.JumpMem)) {
			return insn, yes
		}
	}
	return isa.Insn{}, no
}

// foreign reports whether code is of another CPU than the program.
func (w *walk) foreign(addr uint64) bool {
	if w.second == nil || !w.in.OS.IsWindows() {
		return false
	}
	frame, ok := w.callFrameAt(w.in.Modules.At(addr), addr)
	return ok && frame.Foreign
}

// callEndsAt is callBefore for CPUs with instructions of variable length.
func (w *walk) callEndsAt(set *isa.Set, addr uint64) (isa.Insn, answer) {
	var room [8]byte
	code := w.codeBytes(room[:0], addr-8, 8)
	if len(code) < 8 {
		if set == isa.X86 && w.callsThroughAddress(addr) {
			return isa.Insn{Flow: isa.Call}, yes
		}
		return isa.Insn{}, unknown
	}
	rel, direct, indirect := set.CallBefore(code)
	switch {
	case direct && !indirect:
		return isa.Insn{Size: 5, Flow: isa.Call, Target: (addr + uint64(rel)) & w.Mask(), HasTarget: true}, yes
	case indirect:
		return isa.Insn{Flow: isa.Call}, yes
	}
	return isa.Insn{}, no
}

// callsThroughAddress reports whether an address of x86 is behind a call through memory, ff 15 and an address, if that address is not known: a file has no bytes
// that a loader changes.
func (w *walk) callsThroughAddress(addr uint64) bool {
	const callThroughMemory = 0x15ff
	opcode, known := w.load(addr-6, 2, Code)
	_, operand := w.code(addr - 4)
	return known && !operand && opcode == callThroughMemory
}

// uncalled reports whether the captured code before addr is no call, so that no function returns
// there. The exception is a signal trampoline, because the kernel stores its address as a return
// address.
func (w *walk) uncalled(addr uint64) bool {
	_, called := w.callBefore(addr)
	return called == no && w.trampolineAt(addr) == nil
}

// callsInto reports whether the call before a return address calls the function of a frame. The
// answer is unknown if the call goes through a register or a jump stub, or if the called function
// is unknown.
func (w *walk) callsInto(f *Frame, ra uint64) answer {
	insn, called := w.callBefore(ra)
	if called != yes || !insn.HasTarget {
		return unknown
	}
	fn, rel, ok := w.functionAt(f.Module, f.Instruction)
	switch target := insn.Target; {
	case ok && target-w.baseOf(f) == w.even(fn.Start), ok && fn.Size > 0 && target-w.baseOf(f)-fn.Start < fn.Size:
		return yes
	case ok && rel >= fn.Start:
		return no
	case w.flows(w.setOf(f), target, f.Instruction):
		return yes
	}
	return unknown
}

// maxFlow bounds the instructions that are followed from one address to another, and maxFollowed
// those in one walk.
const (
	maxFlow     = 512
	maxFollowed = 1 << 16
)

// flows reports whether code leads from one address to another without leaving the function:
// through successive instructions, branches, and past calls, which return. It follows only captured
// code.
func (w *walk) flows(set *isa.Set, from, to uint64) bool {
	if set == nil || set.Min == 1 {
		return false // the starts of instructions are unknown
	}
	from, to = from&^uint64(set.Min-1), to&^uint64(set.Min-1)
	seen := map[uint64]bool{}
	for todo := []uint64{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for !seen[at] && len(seen) < maxFlow && w.followed < maxFollowed {
			if at == to {
				return true
			}
			seen[at] = true
			w.followed++
			insn, ok := w.insnAt(set, at)
			if !ok || insn.Size == 0 {
				break
			}
			if insn.HasTarget && (insn.Flow == isa.CondBranch || insn.Flow == isa.Jump) {
				todo = append(todo, insn.Target)
			}
			if insn.Flow == isa.Unknown || insn.Flow.Leaves() {
				break
			}
			at += uint64(insn.Size)
		}
	}
	return false
}

// flowsTo reports whether the code behind a return address belongs to the frame's function, because
// it leads to the frame's instruction.
func (w *walk) flowsTo(f *Frame, ra uint64) bool { return w.flows(w.setOf(f), ra, f.Instruction) }
