package waits

// muslMutex reads a mutex of musl: its type and its futex. The futex of a normal mutex has EBUSY,
// that of any other the ID of its holder. Sources: musl src/internal/pthread_impl.h (_m_type,
// _m_lock), src/thread/pthread_mutex_trylock.c and pthread_mutex_timedlock.c.
func (l *look) muslMutex() {
	base := l.word0.addr - 4
	kind, ok := l.read(base, 4, LockKind)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.wait.Object = &base
	if kind&15 == 0 {
		l.wait.Holder = NotRecorded
		return
	}
	v, ok := l.read(l.word0.addr, 4, Owner)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.heldBy(uint32(v) & futexTID)
}

// muslJoin reads the joined thread: its ID is two words before the futex, or the futex itself in
// musl before 1.1.20. Source: musl src/internal/pthread_impl.h (struct pthread: tid, errno_val,
// detach_state), src/thread/pthread_join.c.
func (l *look) muslJoin() {
	const toID, states = 8, 4 // DT_EXITED to DT_DETACHED
	if l.word0.known && l.word0.expected >= states {
		l.joined()
		return
	}
	v, ok := l.read(l.word0.addr-toID, 4, ThreadWord)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.endedBy(uint32(v), Joined)
}
