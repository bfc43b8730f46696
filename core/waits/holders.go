package waits

// A lock is a kind of lock of one library.
type lock struct {
	library Library
	kind    Kind
}

// holders find the thread that can end a wait.
var holders = map[lock]func(*look){
	{Glibc, Mutex}: (*look).glibcMutex, {Glibc, Join}: (*look).joined,
	{Glibc, ReadLock}: (*look).glibcReadLock, {Glibc, WriteLock}: (*look).glibcWriteLock, {Glibc, Futex}: (*look).glibcUnnamed, {"", Futex}: (*look).glibcUnnamed, {"", Mutex}: (*look).glibcUnnamed, {"", Join}: (*look).glibcUnnamed,
	{Musl, Mutex}: (*look).muslMutex, {Musl, Join}: (*look).muslJoin, {Musl, ReadLock}: (*look).unrecorded, {Musl, WriteLock}: (*look).unrecorded,
	{Bionic, Mutex}: (*look).bionicMutex, {Bionic, Join}: (*look).joined,
	{Rust, Mutex}: (*look).unrecorded, {Rust, ReadLock}: (*look).unrecorded, {Rust, WriteLock}: (*look).unrecorded, {Go, Mutex}: (*look).unrecorded,
	{Windows, CriticalSection}: (*look).criticalSection,
}

// unrecording are libraries whose locks never record their holder.
var unrecording = map[Library]bool{Rust: true, Go: true}

// hold finds the thread that can end the wait, if its lock records it.
func (l *look) hold() {
	find := holders[lock{l.wait.Library, l.wait.Kind}]
	placed := l.wait.Object != nil || l.wait.Library == Windows || unrecording[l.wait.Library]
	if find != nil && placed && l.wait.Holder == "" {
		find(l)
	}
}

// unrecorded is for locks that do not record their holder: Rust's futex locks
// (library/std/src/sys/sync/mutex/futex.rs), locks of Go's runtime (src/runtime/lock_futex.go), and
// musl's reader-writer locks (pthread_impl.h).
func (l *look) unrecorded() { l.wait.Holder = NotRecorded }

// owner reads the ID of the holder.
func (l *look) owner(addr uint64) {
	v, ok := l.read(addr, 4, Owner)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.heldBy(uint32(v))
}

// joined reads the futex of a join: the ID of the thread, which the kernel clears when the thread
// ends (CLONE_CHILD_CLEARTID). Sources: glibc nptl/pthread_join_common.c, bionic pthread_join.cpp.
func (l *look) joined() {
	v, ok := l.read(l.word0.addr, 4, ThreadWord)
	if !ok {
		l.wait.Holder = NotCaptured
		return
	}
	l.endedBy(uint32(v), Joined)
}
