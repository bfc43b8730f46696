package waits

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
func (l *look) futex(rules convention, behind bool) {
	op, ok := l.argument(rules, 1, behind, Operation)
	if !ok {
		return
	}
	switch op & 0x7f {
	case futexWait, futexLockPI, futexWaitBits, futexRequeuePI, futexLockPI2:
	default:
		l.wait = Wait{Thread: -1}
		return
	}
	l.word0 = futexWord{op: op & 0x7f}
	addr, ok := l.argument(rules, 0, behind, FutexAt)
	if !ok {
		return
	}
	l.word0.addr = addr
	l.wait.Object = &addr
	if l.wait.Call != "" && l.pi() {
		return
	}
	l.word0.expected, l.word0.known = l.argument(rules, 2, behind, Expected)
	l.word0.expected = uint64(uint32(l.word0.expected))
}

// pi reports whether the wait is for a futex with priority inheritance. The kernel defines its
// word: the holder's ID, and two flags. Source: futex(2), "Priority-inheritance futexes".
func (l *look) pi() bool {
	if l.word0.op != futexLockPI && l.word0.op != futexLockPI2 {
		return false
	}
	l.wait.Kind, l.wait.Library = Mutex, Kernel
	v, ok := l.read(l.word0.addr, 4, Owner)
	if !ok {
		l.wait.Holder = NotCaptured
		return true
	}
	l.heldBy(uint32(v) & futexTID)
	return true
}

// heldBy records the holder of a lock, by its ID.
func (l *look) heldBy(id uint32) { l.endedBy(id, Held) }

// endedBy records the thread that can end the wait. An ID that is not in the process gives no
// thread; the waiting thread's own ID gives a ring of one thread.
func (l *look) endedBy(id uint32, how Holder) {
	i, ok := l.index[id]
	switch {
	case id == 0:
		l.wait.Holder = Free
	case ok:
		l.wait.Holder, l.wait.Thread, l.wait.ThreadID = how, i, id
	default:
		l.wait.Holder, l.wait.ThreadID = Gone, id
	}
}
