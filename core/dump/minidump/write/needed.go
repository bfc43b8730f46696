package write

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// CodeAround is how many bytes of code on each side of a program counter are needed memory.
const CodeAround = 256

const maxNeeded = 2 << 30

// A finder finds the memory that stacks are walked with.
type finder struct {
	*process.Process
	modules *module.Map
}

// needed lists the memory that stacks are walked with. Threads may share it.
func needed(p *process.Process) ([]process.Range, []error) {
	k := finder{p, module.NewMap(p.Modules)}
	all := k.wanted()
	if out := disjoint(slices.Clone(all)); total(out) <= maxNeeded {
		return out, nil
	}
	n := 0
	for left := uint64(maxNeeded); n < len(all) && all[n].Size <= left; n++ {
		left -= all[n].Size
	}
	return disjoint(all[:n]), []error{&bin.Error{What: "memory", Why: fmt.Sprintf("stacks of more than %d bytes: those of the last threads are left out", uint64(maxNeeded))}}
}

func total(list []process.Range) (n uint64) {
	for _, r := range list {
		n += r.Size
	}
	return n
}

// wanted lists the stacks of all threads and the code around their program counters, beginning with
// the thread that crashed, and then what that thread's stack points to.
func (k finder) wanted() (out []process.Range) {
	searched := uint64(searchedFrames)
	first := max(k.Subject, 0)
	for n := range k.Threads {
		i := (first + n) % len(k.Threads)
		stack := k.StackOf(i)
		out = append(out, stack, k.interrupted(stack, &searched))
		if r := k.Threads[i].Registers; r != nil {
			pc := r.Regs.Value(r.Arch.PC)
			code := k.Memory.Piece(pc-min(CodeAround, pc), CodeAround+min(CodeAround, pc))
			if out = append(out, code); code.Base+code.Size <= pc { // the end of what is mapped below
				out = append(out, k.Memory.Piece(pc, CodeAround))
			}
		}
	}
	if first < len(k.Threads) {
		out = append(out, k.referenced(first)...)
	}
	return out
}

// disjoint sorts ranges and removes overlaps.
func disjoint(list []process.Range) (out []process.Range) {
	sorting.Stable(list, func(a, b process.Range) int { return cmp.Compare(a.Base, b.Base) })
	end := uint64(0) // the first address that is free
	for _, r := range list {
		if r.Base < end {
			cut := min(end-r.Base, r.Size)
			r.Base, r.Size = r.Base+cut, r.Size-cut
		}
		if r.Size > 0 {
			out, end = append(out, r), r.Base+r.Size
		}
	}
	return out
}

// Bounds of the search for signal frames: of one thread from its stack pointer
// on, and of all threads together.
const (
	searchedFrame  = 256 << 10
	searchedFrames = 256 << 20
)

// The bounds of the size of a handler's stack. MINSIGSTKSZ is 2 KiB or more on every CPU.
const (
	leastAltStack = 1 << 10
	mostAltStack  = 16 << 20
)

// signalFrames has, by CPU, the offset of ss_size in uc_stack of struct ucontext, and that of the
// interrupted stack pointer, counted from uc_stack.
//
// Source: Linux, arch/*/include/uapi/asm/ucontext.h, sigcontext.h and
// include/uapi/asm-generic/signal.h, arch/mips/include/uapi/asm/signal.h.
var signalFrames = map[*cpu.Arch]struct{ size, sp int }{
	&cpu.X86: {size: 8, sp: 40}, &cpu.AMD64: {size: 16, sp: 144}, &cpu.ARM: {size: 8, sp: 76}, &cpu.ARM64: {size: 16, sp: 416},
	&cpu.RISCV64: {size: 16, sp: 176}, &cpu.PPC: {size: 8, sp: 188}, &cpu.PPC64: {size: 16, sp: 224},
}

// interrupted returns the stack that a thread used before a signal handler ran on a stack of its
// own (sigaltstack). The kernel writes base and size of the handler's stack into the signal frame,
// which lies within that range.
func (k finder) interrupted(stack process.Range, left *uint64) process.Range {
	frame, known := signalFrames[k.Arch]
	if !known {
		return process.Range{}
	}
	words := k.words(stack.Base, min(stack.Size, searchedFrame, *left))
	n := uint64(k.Arch.Word)
	*left -= uint64(len(words)) * n
	for i := 0; i+frame.sp/k.Arch.Word < len(words); i++ {
		base, size, here := words[i], words[i+frame.size/k.Arch.Word], stack.Base+uint64(i)*n
		if size < leastAltStack || size > mostAltStack || here-base >= size || !k.writable(base) || !k.writable(base+size-1) {
			continue
		}
		if sp := words[i+frame.sp/k.Arch.Word]; sp-base >= size {
			return k.StackAt(sp)
		}
	}
	return process.Range{}
}

// An array in .bss may span two mappings.
func (k finder) writable(addr uint64) bool {
	g := k.RegionAt(addr)
	return g != nil && g.Allows('w')
}

// The bounds of memory that is needed because something points to it: the bytes on either side of the
// address, the steps from one address to the next, the bytes of the stack that are searched, and all
// together. An exception of C++ needs three steps: the stack points to the object behind its header of
// 128 bytes, the header to the type, and the type to its name. One that std::rethrow_exception throws
// needs one more: its header points to the object. The model is
// MiniDumpWithIndirectlyReferencedMemory of minidumpapiset.h.
const (
	referencedBefore = 128
	referencedBehind = 384
	referencedSteps  = 4
	referencedStack  = 64 << 10
	maxReferenced    = 4 << 20
)

// moduleHead is the size of the page with the headers of a module, to which too much points.
const moduleHead = 4 << 10

// referenced returns memory that the stack and the registers of a thread point to, and what that
// points to: thrown objects and messages are on the heap.
func (k finder) referenced(thread int) (out []process.Range) {
	stack := k.StackOf(thread)
	next := k.words(stack.Base, min(stack.Size, referencedStack))
	if r := k.Threads[thread].Registers; r != nil {
		for _, v := range r.Regs.All() {
			next = append(next, v)
		}
	}
	seen, left := map[uint64]bool{}, uint64(maxReferenced)
	for range referencedSteps {
		from := next
		next = nil
		for _, v := range from {
			block := v / referencedBefore
			if seen[block] || v-stack.Base < stack.Size || !k.data(v) {
				continue
			}
			seen[block] = true
			r := k.Memory.Piece(v-min(referencedBefore, v), referencedBefore+referencedBehind)
			if r.Size > left {
				return out
			}
			left -= r.Size
			out, next = append(out, r), append(next, k.words(r.Base, r.Size)...)
		}
	}
	return out
}

// data reports whether an address is captured memory that is no code and no header of a module.
func (k finder) data(addr uint64) bool {
	if _, _, ok := k.Memory.Range(addr); !ok {
		return false
	}
	if g := k.RegionAt(addr); g != nil && g.Allows('x') {
		return false
	}
	m := k.modules.At(addr)
	return m == nil || addr-m.Base >= moduleHead
}

func (k finder) words(addr, size uint64) (out []uint64) {
	if k.Arch == nil {
		return nil
	}
	data := make([]byte, size)
	data = data[:k.Memory.Read(addr, data)]
	for n := k.Arch.Word; len(data) >= n; data = data[n:] {
		out = append(out, k.Memory.Number(data[:n]))
	}
	return out
}
