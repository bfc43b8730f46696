package waits

import "crashglass/core/machine/cpu"

// Offsets of members of glibc's locks. They are the same on all CPUs, except for the writer of a
// reader-writer lock. Sources: glibc sysdeps/nptl/bits/struct_mutex.h and struct_rwlock.h,
// sysdeps/x86/nptl/bits/struct_mutex.h and struct_rwlock.h.
const (
	glibcOwner          = 8  // __pthread_mutex_s.__owner
	glibcWriterPhase    = 8  // __pthread_rwlock_arch_t.__wrphase_futex
	glibcWriters        = 12 // __pthread_rwlock_arch_t.__writers_futex
	glibcCurrentWriter8 = 24 // __pthread_rwlock_arch_t.__cur_writer where addresses have 8 bytes
	glibcCurrentWriter4 = 28 // the same where they have 4
)

// glibcUsers and glibcKind are the offsets of __nusers and __kind in a mutex, by the size of
// addresses: their order differs.
var (
	glibcUsers = map[int]uint64{8: 12, 4: 16}
	glibcKind  = map[int]uint64{8: 16, 4: 12}
)

// glibcMutex reads a mutex, whose first word is the futex.
func (x *examination) glibcMutex() {
	x.read(x.word0.addr, 4, LockWord)
	x.owner(x.word0.addr + glibcOwner)
}

// glibcUnnamed identifies a futex of an unknown function or library by memory alone.
func (x *examination) glibcUnnamed() {
	if x.word0.known && (x.wait.Kind == Join || !x.isGlibcMutex()) && x.wait.Kind != Mutex {
		x.isGlibcThread()
	}
}

// isGlibcMutex reports whether the futex is the first word of a mutex that a thread of this process
// holds. Four words must fit: the lock is contended, as the waiting thread expects, the owner is
// another thread of this process, it has users, and its kind is one of glibc's. Source: glibc
// nptl/pthread_mutex_lock.c, nptl/pthreadP.h (the kinds and flags of PTHREAD_MUTEX_TYPE).
func (x *examination) isGlibcMutex() bool {
	const mostUsers, kinds = 1 << 16, 0x3f3
	addr := x.word0.addr
	owner, ok1 := x.word(addr+glibcOwner, 4)
	users, ok2 := x.word(addr+glibcUsers[x.Arch.Word], 4)
	kind, ok3 := x.word(addr+glibcKind[x.Arch.Word], 4)
	holder, exists := x.index[uint32(owner)]
	if !ok1 || !ok2 || !ok3 || !x.contended(owner, kind) || !exists || holder == x.self || users == 0 || users > mostUsers || kind&^kinds != 0 {
		return false
	}
	x.wait.Kind, x.wait.Library = Mutex, Glibc
	x.glibcMutex()
	x.read(addr+glibcUsers[x.Arch.Word], 4, Users)
	x.read(addr+glibcKind[x.Arch.Word], 4, LockKind)
	return true
}

// contended reports whether the word has the expected value, and the value of a mutex with waiters:
// 2, or the holder's ID with a flag in a robust one.
func (x *examination) contended(owner, kind uint64) bool {
	const contended, robust, waiters = 2, 0x10, 1 << 31
	v, ok := x.word(x.word0.addr, 4)
	if !ok || v != x.word0.expected {
		return false
	}
	if kind&robust != 0 {
		return v == owner|waiters
	}
	return v == contended
}

// glibcThread has the offsets in struct pthread of the pointer to itself and of the thread's ID.
// Sources: glibc sysdeps/x86_64/nptl/tls.h and sysdeps/i386/nptl/tls.h (tcbhead_t.self),
// nptl/descr.h (struct pthread.tid behind the header and a list).
var glibcThread = map[*cpu.Arch]struct{ self, id uint64 }{
	&cpu.AMD64: {0x10, 0x2d0},
	&cpu.X86:   {0x8, 0x68},
}

// isGlibcThread reports whether the word is the ID of a thread of this process in that thread's own
// control block, so that the wait is a join.
func (x *examination) isGlibcThread() bool {
	at, ok := glibcThread[x.Arch]
	block := x.word0.addr - at.id
	self, known := x.word(block+at.self, x.Arch.Word)
	id, captured := x.word(x.word0.addr, 4)
	if !ok || !known || !captured || self != block || id != x.word0.expected || x.index[uint32(id)] == x.self {
		return false
	}
	if _, exists := x.index[uint32(id)]; !exists {
		return false
	}
	x.wait.Kind, x.wait.Library = Join, Glibc
	x.joined()
	x.read(block+at.self, x.Arch.Word, SelfPointer)
	return true
}

// glibcReadLock reads the writer that a reader waits for: at the phase word or, if writers are
// preferred, at the first word.
func (x *examination) glibcReadLock() { x.glibcRW(glibcWriterPhase, 0) }

// glibcWriteLock reads the writer that a writer waits for: at the writers' word or, while readers
// leave, at the phase word.
func (x *examination) glibcWriteLock() { x.glibcRW(glibcWriters, glibcWriterPhase) }

// glibcRW reads the writer of a reader-writer lock. The futex is one of two words, and the writer
// is stated only if one of the two is impossible. Source: glibc nptl/pthread_rwlock_common.c.
func (x *examination) glibcRW(places ...uint64) {
	at := uint64(glibcCurrentWriter8)
	if x.Arch.Word == 4 {
		at = glibcCurrentWriter4
	}
	found, captured := []uint64{}, false
	for _, place := range places {
		v, ok := x.word(x.word0.addr-place+at, 4)
		captured = captured || ok
		if _, exists := x.index[uint32(v)]; ok && exists {
			found = append(found, x.word0.addr-place)
		}
	}
	x.wait.Object = nil // the futex is known, but the address of its lock is not
	switch {
	case !captured:
		x.wait.Holder = NotCaptured
	case len(found) == 1:
		x.wait.Object = &found[0]
		x.owner(found[0] + at)
	default:
		x.wait.Holder = NotRecorded
	}
}
