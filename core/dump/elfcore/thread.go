package elfcore

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
)

// A thread has the facts of one thread's notes.
type thread struct {
	id     uint32
	signal uint32 // its signal, 0 when it has none
	regs   cpu.Regs
	info   *signal
	state  map[uint32][]byte // register sets other than the general one
}

// A signal has the fields of siginfo_t that describe a crash.
type signal struct {
	number, code uint32
	address      uint64 // si_addr, or si_pid and si_uid
}

// readStatus reads struct elf_prstatus. All but the registers depends only on the size of an
// address.
//
// Source: Linux, include/uapi/linux/elfcore.h.
func (c *core) readStatus(n *bin.Cursor) {
	if len(c.threads) == maxThreads {
		n.Fail("more than %d threads are left out", maxThreads)
	}
	if c.machine == nil || n.Err() != nil {
		return
	}
	t := &thread{state: map[uint32][]byte{}}
	n.Skip(12) // pr_info
	t.signal = uint32(n.U16())
	n.Skip(2 + 2*c.word) // padding, pr_sigpend, pr_sighold
	t.id = n.U32()
	n.Skip(3*4 + 4*2*c.word) // pr_ppid, pr_pgrp, pr_sid; four times
	if n.Err() != nil {
		return
	}
	t.state[noteStatus] = bytes.Clone(n.Rest())
	t.regs = c.machine.decode(n)
	c.threads = append(c.threads, t)
}

// last returns the thread that register notes belong to, or nil.
func (c *core) last() *thread {
	if len(c.threads) == 0 {
		return nil
	}
	return c.threads[len(c.threads)-1]
}

// readState keeps a register set for the context. NT_X86_XSTATE also stands in
// for the shorter notes where these are missing.
func (c *core) readState(kind uint32, n *bin.Cursor) {
	t := c.last()
	if t == nil {
		return
	}
	state := bytes.Clone(n.Rest())
	kinds := []uint32{kind}
	if kind == noteXState && len(c.machine.parts) > 0 {
		kinds = append(kinds, c.machine.parts[0].note)
	}
	for _, k := range kinds {
		if t.state[k] == nil {
			t.state[k] = state
		}
	}
}

// readSignal reads siginfo_t: three numbers, which mips has in another order, and a union that is
// aligned to an address.
//
// Source: Linux, include/uapi/asm-generic/siginfo.h,
// arch/mips/include/uapi/asm/siginfo.h.
func (c *core) readSignal(n *bin.Cursor) {
	t := c.last()
	if t == nil || t.info != nil {
		return
	}
	s := &signal{number: n.U32()}
	first, second := n.U32(), n.U32()
	if s.code = second; c.machine.swapped {
		s.code = first
	}
	if c.word == 8 {
		n.Skip(4)
	}
	s.address = address(n, c.word)
	if n.Err() == nil {
		t.info = s
		c.process.signalInfo = true
	}
}
