package elfcore

import (
	"crashglass/core/bin"
	"crashglass/core/minidump"
)

// Bounds of the search for signal frames: of one thread from its stack pointer
// on, and of all threads together.
const (
	searchedFrame  = 256 << 10
	searchedFrames = 256 << 20
)

// leastAltStack is smaller than MINSIGSTKSZ of every CPU, which is 2 KiB or more.
const leastAltStack = 1 << 10

// A signalFrame has the offset of the interrupted stack pointer in struct ucontext, counted from
// uc_stack, and the offset of ss_size in uc_stack. Zero is unknown.
//
// Source: Linux, arch/*/include/uapi/asm/ucontext.h, sigcontext.h and
// include/uapi/asm-generic/signal.h, arch/mips/include/uapi/asm/signal.h.
type signalFrame struct{ size, sp int }

// interrupted returns the stack that a thread used before a signal handler ran on a stack of its
// own (sigaltstack). The kernel writes base and size of the handler's stack into the signal frame,
// which lies within that range.
func (c *core) interrupted(stack minidump.Range, left *int) minidump.Range {
	frame := c.machine.frame
	data := c.bytes(stack.Base, int(min(stack.Size, searchedFrame, uint64(*left))))
	*left -= len(data)
	word := func(at int) uint64 {
		if at+c.word > len(data) {
			return 0
		}
		return address(bin.NewOrderedCursor("stack", 0, data[at:], c.order), c.word)
	}
	for at := 0; frame.sp > 0 && at+frame.sp < len(data); at += c.word {
		base, size, here := word(at), word(at+frame.size), stack.Base+uint64(at)
		if size < leastAltStack || size > maxStack || here-base >= size || !c.writable(base) || !c.writable(base+size-1) {
			continue
		}
		if sp := word(at + frame.sp); sp-base >= size {
			return c.captured(sp-min(belowStack, sp), maxStack)
		}
	}
	return minidump.Range{}
}

// writable reports whether an address lies in a writable mapping. An array in .bss may span two
// mappings.
func (c *core) writable(addr uint64) bool {
	s := c.mappingAt(addr)
	return s != nil && s.flags&flagWrite != 0
}
