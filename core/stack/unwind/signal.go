package unwind

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// maxSignals bounds the saved contexts of one walk. Handlers nest, but not deeply. A context can
// set any stack pointer, so hostile memory could lead a walk in circles.
const maxSignals = 64

// A trampoline is the code that a signal handler returns to. The kernel saved the interrupted
// registers on the stack.
type trampoline struct {
	os      process.OS // "" for every Unix
	names   []string   // of the function, in symbols
	code    []uint32   // its instructions, four bytes each in the CPU's order; nil if only the name identifies it
	mask    uint32     // the compared bits of the last instruction; 0 for all
	entered bool       // the handler returns to its first instruction, not behind a call in it

	base  int64    // from the stack pointer to the saved registers
	via   bool     // base is the place of a pointer to them
	check savedTag // a value that shows that this is a saved context
	rules []Rule   // for the saved registers; the CFA is where they begin
}

// A savedTag is a word of the saved context with bits that are always set.
type savedTag struct {
	off  int64
	bits uint32
}

// bySavedContext reads the registers that the kernel saved when it called a handler. The caller was
// interrupted and made no call: its registers are complete, and its pc is exact.
//
// Both Breakpad and rust-minidump lose the stack here, or scan over it.
func bySavedContext(w *walk, f *Frame) (decision, outcome) {
	t := f.trampoline
	sp, ok := f.Regs.Get(w.SP)
	if t == nil || !ok {
		return decision{}, none
	}
	if w.signals >= maxSignals {
		w.refuse("%d signal frames in this stack already", uint64(w.signals))
		return decision{}, none
	}
	saved := Value{Base: w.RegName(w.SP), Off: t.base, Load: t.via}
	at := sp + uint64(t.base)
	if t.via {
		if at, ok = w.word(at); !ok {
			return decision{}, none
		}
	}
	if !w.isSaved(t, at) {
		return decision{}, none
	}
	rules := append([]Rule{{CFA, saved}}, t.rules...)
	return decision{rules: rules, trust: CFI, way: BySignal, interrupted: true}, found
}

// isSaved reports whether a saved context is valid and was captured completely.
func (w *walk) isSaved(t *trampoline, at uint64) bool {
	if t.check.bits != 0 {
		flags, ok := w.load(at+uint64(t.check.off), 4, Used)
		if !ok || uint32(flags)&t.check.bits != t.check.bits {
			w.refuse("no saved context at %#x", at)
			return false
		}
	}
	for _, r := range t.rules {
		size := w.Word
		if r.From.Size != 0 {
			size = int(r.From.Size)
		}
		if _, ok := w.load(at+uint64(r.From.Off), size, Used); !ok {
			w.refuse("the saved context at %#x is not captured", at)
			return false
		}
	}
	return true
}

// trampolineAt returns the signal trampoline at pc, by its code or its
// function's name, or nil.
func (w *walk) trampolineAt(pc uint64) *trampoline {
	fn, rel, named := w.functionAt(w.moduleAt(pc), pc)
	for i := range w.trampolines {
		t := &w.trampolines[i]
		if t.os != "" && t.os != w.in.OS {
			continue
		}
		if w.hasCode(t, w.even(pc)) || named && t.isIn(fn, w.even(rel)) {
			return t
		}
	}
	return nil
}

// injectedCalls are the functions that Go's runtime makes interrupted code call: it pushes the exact
// pc of the interruption as the return address. A nil dereference at the first instruction of a
// function is in this function, and not in the one in front of it. Source: Go, src/runtime/
// traceback.go (injectedCall) and symtab.go (Frames.Next).
var injectedCalls = []string{"runtime.sigpanic", "runtime.asyncPreempt", "runtime.debugCallV2"}

// injected reports whether a frame is such a function. Those of assembly have a suffix in symbols.
func (w *walk) injected(f *Frame) bool {
	fn, _, ok := w.functionAt(f.Module, f.Instruction)
	return ok && slices.Contains(injectedCalls, strings.TrimSuffix(fn.Name, ".abi0"))
}

// injectedSlot is what Go's runtime takes of the interrupted stack for the link register, on the CPUs whose
// call frame rules are used: alignUp(MinFrameSize, StackAlign) of internal/goarch, by which
// runtime/traceback.go skips it.
var injectedSlot = map[*cpu.Arch]uint64{&cpu.ARM: 4, &cpu.ARM64: 16, &cpu.MIPS: 4, &cpu.MIPS64: 8, &cpu.RISCV64: 8}

// uncall takes an injected call back from the registers of the interrupted frame. Before the runtime
// put the pc into the link register, it stored the register's value at the new top of the stack, also
// for a leaf, which needs it. Frame pointers do not show where that top is.
func (w *walk) uncall(c *Frame) {
	c.Interrupted = true
	size, sp := injectedSlot[w.Arch], c.Regs.Value(w.SP)
	if size == 0 || c.FoundBy != ByCFI || !c.Regs.Known().Has(w.SP) {
		return
	}
	c.Regs.Forget(w.LR)
	if lr, ok := w.word(sp); ok {
		w.say("Go's runtime kept the link register %#x at %#x", lr, sp)
		c.Regs.Set(w.LR, w.strip(lr))
	}
	c.base = sp + size
	c.Regs.Set(w.SP, c.base)
}

// isIn reports whether an address belongs to the trampoline, by its function's name.
func (t *trampoline) isIn(fn Function, rel uint64) bool {
	if t.entered && fn.Start != rel || fn.Public && rel-fn.Start > maxThunk {
		return false
	}
	return t.isNamed(fn.Name)
}

// hasCode compares captured code. Missing code is not equal.
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
