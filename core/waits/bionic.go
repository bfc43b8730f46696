package waits

// bionicMutex reads a mutex of bionic. Only recursive and error-checking mutexes record their
// holder. Its ID has 16 bits on 32-bit systems. Source: bionic/libc/bionic/pthread_mutex.cpp
// (pthread_mutex_internal_t, MUTEX_TYPE_SHIFT).
func (l *look) bionicMutex() {
	const typeShift, normal = 14, 0
	state, ok := l.read(l.word0.addr, 2, LockWord)
	switch {
	case !ok:
		l.wait.Holder = NotCaptured
		return
	case state>>typeShift == normal:
		l.wait.Holder = NotRecorded
		return
	}
	at, size := l.word0.addr+4, 4
	if l.Arch.Word == 4 {
		at, size = l.word0.addr+2, 2
	}
	v, ok := l.read(at, size, Owner)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.heldBy(uint32(v))
}
