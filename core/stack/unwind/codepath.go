package unwind

import (
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// maxPath bounds the instructions that are followed from pc to a return.
const maxPath = 256

// A path is code from pc on, which execution may take to a return.
type path struct {
	codeFrame
	at      uint64
	changes []uint64 // its instructions that change the stack or restore registers
	stored  []int64  // places that it writes, as those of codeFrame.load
}

// alongPath follows the code from pc along its branches to a return, by captured code alone. What the code releases and restores on the way
// is the frame at pc: compilers keep an instruction's frame the same on every path. A jump to another function is a tail call, whose callee returns to
// the same caller.
//
// A path ends at a call: one that never returns has another function behind it, or a part of one. It also ends at code that makes a frame or
// saves a register that it restores: pc is in a prologue, and nothing is known.
func (w *walk) alongPath(set *isa.Set, f *Frame) (codeFrame, bool) {
	pc, seen := f.Instruction&^uint64(set.Min-1), map[uint64]bool{}
	for todo := []path{{codeFrame: w.entry(), at: pc}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for !seen[p.at] && len(seen) < maxPath && w.followed < maxFollowed {
			seen[p.at] = true
			insn, ok := p.insn(set)
			if ok && insn.Flow == isa.Return && p.leaves(set, &insn, p.at) {
				w.say("the code from %#x on can return at %#x", pc, p.at)
				for _, at := range p.changes {
					w.say("on the way, the instruction at %#x changes the stack or restores a register", at)
				}
				return p.fromEntry(), true
			}
			if !ok || !p.pass(set, &insn) {
				break
			}
			if insn.Flow == isa.CondBranch && insn.HasTarget {
				other := p
				other.at, other.saved, other.changes, other.stored = insn.Target, slices.Clone(p.saved), slices.Clip(p.changes), slices.Clip(p.stored)
				todo = append(todo, other)
			}
		}
	}
	return codeFrame{}, false
}

// pass follows an instruction. It reports false for one that ends the path.
func (p *path) pass(set *isa.Set, insn *isa.Insn) bool {
	next := p.at + uint64(insn.Size)
	if !p.release(insn) {
		return false
	}
	if insn.Delay {
		slot, ok := p.w.insnAt(set, next)
		if !ok || slot.Flow != isa.Next || !p.release(&slot) {
			return false
		}
		next += uint64(slot.Size)
	}
	switch {
	case insn.Flow == isa.Jump && insn.HasTarget:
		next = insn.Target
	case insn.Flow != isa.Next && insn.Flow != isa.CondBranch:
		return false
	}
	p.at = next
	return true
}

// release follows an instruction's effect on the stack. It refuses one that makes a frame.
func (p *path) release(insn *isa.Insn) bool {
	w, e := p.w, &insn.Stack
	switch e.Kind {
	case isa.Nothing, isa.MovesFP, isa.LosesLR:
		return p.leave(insn)
	case isa.Stores:
		p.stored = append(p.stored, p.size+e.Off)
		return e.Move == 0 && len(e.Regs()) <= 2 && (w.LR == cpu.None || !e.Has(w.LR))
	case isa.Loads:
		for i := range e.Regs() {
			if at := p.size + e.Off + int64(i*w.Word); slices.Contains(p.stored, at) || slices.Contains(p.stored, at-int64(w.Word)) {
				return false
			}
		}
	case isa.SetsSP:
		if e.Base != w.framePointer() && w.thumb == nil { // ARM's compilers have two
			return false
		}
	}
	p.changes = append(p.changes, p.at)
	return e.Move >= 0 && p.leave(insn)
}

// insn decodes the instruction at the path's end. Of x86 package isa knows few, and the others count if they do not change the stack pointer. What
// they write to is lost: code with a frame pointer restores registers from there.
func (p *path) insn(set *isa.Set) (isa.Insn, bool) {
	w := p.w
	w.followed++
	insn, ok := w.insnAt(set, p.at)
	if !ok || insn.Flow != isa.Unknown && insn.Size > 0 || set.Min > 1 {
		return insn, ok && insn.Flow != isa.Unknown && insn.Size > 0
	}
	inst, ok := w.decode(p.at)
	if !ok || inst.Len <= 0 || inst.Flow != cpu.Next || slices.Contains(movesStack, inst.Mnemonic) {
		return insn, false
	}
	for i := range inst.Operands {
		switch o := &inst.Operands[i]; {
		case o.Kind == cpu.Register && o.Reg == w.SP:
			return insn, false
		case o.Kind == cpu.Register && i == 0 && o.Reg != cpu.None:
			p.lost |= cpu.SetOf(o.Reg)
		}
	}
	return isa.Insn{Size: inst.Len, Flow: isa.Next}, true
}

// movesStack are instructions of x86 that change the stack pointer without naming it.
var movesStack = []string{"push", "pop", "pusha", "pushad", "popa", "popad", "pushf", "pushfd", "pushfq", "popf", "popfd", "popfq", "enter", "leave"}
