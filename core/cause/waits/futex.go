package waits

import "crashglass/core/machine/cpu"

// The operations of futex(2) that wait, and the bits of a word with priority inheritance that are
// the holder's ID.
// Source: Linux, include/uapi/linux/futex.h.
const (
	futexWait      = 0
	futexLockPI    = 6
	futexWaitBits  = 9
	futexRequeuePI = 11
	futexLockPI2   = 13
	futexTID       = 0x3fff_ffff
)

// The word that a thread waits at, and the value that it expects there.
type futexWord struct {
	addr, op, expected uint64
	known              bool
}

// futex reads the futex of a thread. For operations that do not wait, the thread has no proved
// wait.
func (x *examination) futex(rules *cpu.Convention, behind bool) {
	op, ok := x.argument(rules, 1, behind, Operation)
	if !ok {
		return
	}
	switch op & 0x7f {
	case futexWait, futexLockPI, futexWaitBits, futexRequeuePI, futexLockPI2:
	default:
		x.wait = Wait{Thread: -1}
		return
	}
	x.word0 = futexWord{op: op & 0x7f}
	addr, ok := x.argument(rules, 0, behind, FutexAt)
	if !ok {
		return
	}
	x.word0.addr, x.wait.Word = addr, addr
	x.wait.Object = &addr
	if x.wait.Call != "" && x.pi() {
		return
	}
	x.word0.expected, x.word0.known = x.argument(rules, 2, behind, Expected)
	x.word0.expected = uint64(uint32(x.word0.expected))
}

// pi reports whether the wait is for a futex with priority inheritance. The kernel defines its
// word: the holder's ID, and two flags. Source: futex(2), "Priority-inheritance futexes".
func (x *examination) pi() bool {
	if x.word0.op != futexLockPI && x.word0.op != futexLockPI2 {
		return false
	}
	x.wait.Kind, x.wait.Library = Mutex, Kernel
	v, ok := x.read(x.word0.addr, 4, Owner)
	if !ok {
		x.wait.Holder = NotCaptured
		return true
	}
	x.heldBy(uint32(v) & futexTID)
	return true
}

// heldBy records the holder of a lock, by its ID.
func (x *examination) heldBy(id uint32) { x.endedBy(id, Held) }

// endedBy records the thread that can end the wait. An ID that is not in the process gives no
// thread; the waiting thread's own ID gives a ring of one thread.
func (x *examination) endedBy(id uint32, how Holder) {
	i, ok := x.index[id]
	switch {
	case id == 0:
		x.wait.Holder = Free
	case ok:
		x.wait.Holder, x.wait.Thread, x.wait.ThreadID = how, i, id
	default:
		x.wait.Holder, x.wait.ThreadID = Gone, id
	}
}
