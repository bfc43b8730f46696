package elfcore

import "crashglass/core/bin"

// calls returns the number of each thread's system call, on CPUs whose kernel stores it with the
// registers. A thread in no system call has -1. Source: Linux, arch/x86/include/uapi/asm/ptrace.h
// (orig_rax, orig_eax).
func (c *core) calls() map[uint32]uint64 {
	out := map[uint32]uint64{}
	for _, t := range c.threads {
		if n, ok := c.call(t); ok {
			out[t.id] = n
		}
	}
	return out
}

func (c *core) call(t *thread) (uint64, bool) {
	if c.machine == nil || c.machine.callAt == 0 {
		return 0, false
	}
	words := bin.NewOrderedCursor("elfcore: system call", 0, t.state[noteStatus], c.order)
	words.Skip(c.machine.callAt * c.word)
	n := address(words, c.word)
	return n, words.Err() == nil && n>>31 == 0
}
