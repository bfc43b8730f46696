package unwind

import (
	"strings"

	"crashglass/core/cpu"
)

// maxSignals bounds how many saved contexts one walk goes through. Handlers
// do nest, but not deeply, and a context may name any stack pointer, so that
// memory made for it could lead a walk in circles.
const maxSignals = 64

var signalFrame = method{"signal frame", bySavedContext}

// A trampoline is code that a kernel makes a handler return to, with what it
// interrupted saved on the stack.
type trampoline struct {
	cpu, os string   // os is "" for every Unix
	names   []string // of the function, in symbols
	code    []uint32 // its instructions, four bytes each in the CPU's order; nil when only the name tells
	mask    uint32   // of the last of them that counts; 0 for all of it
	entered bool     // the handler returns to its first instruction, and not behind a call in it

	base  int64    // from the stack pointer to the saved registers
	via   bool     // base is where a pointer to them is
	check savedTag // a value that shows that this is a saved context
	regs  []savedReg
}

// A savedReg is a register's place among the saved ones.
type savedReg struct {
	reg cpu.Reg
	off int64
}

// A savedTag is a word of the saved context with bits that are always set.
type savedTag struct {
	off  int64
	bits uint32
}

// bySavedContext reads the registers that a kernel saved when it called a
// handler. The frame found was interrupted, not calling: its registers are
// complete, and its pc is exact.
//
// Both Breakpad and rust-minidump lose the stack here, or scan over it.
func bySavedContext(w *walk, f *Frame) (caller, outcome) {
	t := f.trampoline
	if t == nil {
		return caller{}, none
	}
	if w.signals >= maxSignals {
		w.refuse("%d signal frames in this stack already", uint64(w.signals))
		return caller{}, none
	}
	sp, ok := f.Regs.Get(w.SP)
	if !ok {
		return caller{}, none
	}
	at := sp + uint64(t.base)
	if t.via {
		if at, ok = w.word(at); !ok {
			return caller{}, none
		}
	}
	c := caller{trust: CFI, by: "signal frame", interrupted: true}
	if !w.readSaved(t, at, &c.regs) {
		return caller{}, none
	}
	w.signals++
	return c, found
}

func (w *walk) readSaved(t *trampoline, at uint64, regs *cpu.Regs) bool {
	if t.check.bits != 0 {
		flags, ok := w.code(at + uint64(t.check.off))
		if !ok || flags&t.check.bits != t.check.bits {
			w.refuse("no saved context at %#x", at)
			return false
		}
	}
	for _, s := range t.regs {
		v, ok := w.saved(t, at+uint64(s.off))
		if !ok {
			w.refuse("the saved context at %#x is not captured", at)
			return false
		}
		regs.Set(s.reg, v)
	}
	return true
}

// saved reads one saved register. MIPS kernels save 64 bits of each, whatever
// the program's ABI.
func (w *walk) saved(t *trampoline, addr uint64) (uint64, bool) {
	if t.cpu != "mips" {
		return w.word(addr)
	}
	v, ok := w.in.Memory.Word(addr, 8)
	return v & w.Mask(), ok
}

// trampolineAt returns the trampoline that execution goes on in at pc, by its
// code or its function's name, or nil.
func (w *walk) trampolineAt(pc uint64) *trampoline {
	fn, rel, named := w.functionAt(w.moduleAt(pc), pc)
	for i := range trampolines {
		t := &trampolines[i]
		if t.cpu != w.Name || t.os != "" && t.os != w.in.OS {
			continue
		}
		if w.hasCode(t, pc&^1) || named && t.isIn(fn, rel) {
			return t
		}
	}
	return nil
}

// isIn reports whether an address in a function is in the trampoline, by the function's name.
func (t *trampoline) isIn(fn Function, rel uint64) bool {
	if t.entered && fn.Start != rel&^1 || fn.Public && rel-fn.Start > maxThunk {
		return false
	}
	for _, name := range t.names {
		if strings.TrimPrefix(fn.Name, "_") == strings.TrimPrefix(name, "_") {
			return true
		}
	}
	return false
}

// hasCode compares captured code. Code that was not captured is not equal.
func (w *walk) hasCode(t *trampoline, addr uint64) bool {
	for i, want := range t.code {
		mask := ^uint32(0)
		if i == len(t.code)-1 && t.mask != 0 {
			mask = t.mask
		}
		if got, ok := w.code(addr + 4*uint64(i)); !ok || (got^want)&mask != 0 {
			return false
		}
	}
	return len(t.code) > 0
}
