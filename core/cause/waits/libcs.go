package waits

// muslMutex reads a mutex of musl: its type and its futex. The futex of a normal mutex has EBUSY,
// that of any other the ID of its holder. Sources: musl src/internal/pthread_impl.h (_m_type,
// _m_lock), src/thread/pthread_mutex_trylock.c and pthread_mutex_timedlock.c.
func (x *examination) muslMutex() {
	base := x.word0.addr - 4
	kind, ok := x.read(base, 4, LockKind)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.wait.Object = &base
	if kind&15 == 0 {
		x.wait.Holder = NotRecorded
		return
	}
	v, ok := x.read(x.word0.addr, 4, Owner)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.heldBy(uint32(v) & futexTID)
}

// muslJoin reads the joined thread: its ID is two words before the futex, or the futex itself in
// musl before 1.1.20. Source: musl src/internal/pthread_impl.h (struct pthread: tid, errno_val,
// detach_state), src/thread/pthread_join.c.
func (x *examination) muslJoin() {
	const toID, states = 8, 4 // DT_EXITED to DT_DETACHED
	if x.word0.known && x.word0.expected >= states {
		x.joined()
		return
	}
	v, ok := x.read(x.word0.addr-toID, 4, ThreadWord)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.endedBy(uint32(v), Joined)
}

// bionicMutex reads a mutex of bionic. Only recursive and error-checking mutexes record their
// holder. Its ID has 16 bits on 32-bit systems. Source: bionic/libc/bionic/pthread_mutex.cpp
// (pthread_mutex_internal_t, MUTEX_TYPE_SHIFT).
func (x *examination) bionicMutex() {
	const typeShift, normal = 14, 0
	state, ok := x.read(x.word0.addr, 2, LockWord)
	switch {
	case !ok:
		x.wait.Holder = NotCaptured
		return
	case state>>typeShift == normal:
		x.wait.Holder = NotRecorded
		return
	}
	at, size := x.word0.addr+4, 4
	if x.Arch.Word == 4 {
		at, size = x.word0.addr+2, 2
	}
	v, ok := x.read(at, size, Owner)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.heldBy(uint32(v))
}
