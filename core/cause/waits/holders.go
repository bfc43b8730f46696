package waits

type lock struct {
	library Library
	kind    Kind
}

// holders find the thread that can end a wait.
var holders = [...]struct {
	lock lock
	find func(*examination)
}{
	{lock{Glibc, Mutex}, (*examination).glibcMutex}, {lock{Glibc, Join}, (*examination).joined},
	{lock{Glibc, ReadLock}, (*examination).glibcReadLock}, {lock{Glibc, WriteLock}, (*examination).glibcWriteLock},
	{lock{Glibc, Futex}, (*examination).glibcUnnamed},
	{lock{"", Futex}, (*examination).glibcUnnamed}, {lock{"", Mutex}, (*examination).glibcUnnamed}, {lock{"", Join}, (*examination).glibcUnnamed},
	{lock{Musl, Mutex}, (*examination).muslMutex}, {lock{Musl, Join}, (*examination).muslJoin},
	{lock{Musl, ReadLock}, (*examination).unrecorded}, {lock{Musl, WriteLock}, (*examination).unrecorded},
	{lock{Bionic, Mutex}, (*examination).bionicMutex}, {lock{Bionic, Join}, (*examination).joined},
	{lock{Rust, Mutex}, (*examination).unrecorded}, {lock{Rust, ReadLock}, (*examination).unrecorded},
	{lock{Rust, WriteLock}, (*examination).unrecorded}, {lock{Go, Mutex}, (*examination).unrecorded},
	{lock{ParkingLot, Mutex}, (*examination).unrecorded}, {lock{ParkingLot, ReadLock}, (*examination).unrecorded},
	{lock{ParkingLot, WriteLock}, (*examination).unrecorded},
	{lock{Windows, CriticalSection}, (*examination).criticalSection},
}

// unrecording are libraries whose locks never record their holder.
var unrecording = map[Library]bool{Rust: true, Go: true, ParkingLot: true}

// findHolder finds the thread that can end the wait, if its lock records it.
func (x *examination) findHolder() {
	placed := x.wait.Object != nil || x.wait.Library == Windows || unrecording[x.wait.Library]
	if !placed || x.wait.Holder != "" {
		return
	}
	for _, h := range holders {
		if h.lock == (lock{x.wait.Library, x.wait.Kind}) {
			h.find(x)
			return
		}
	}
}

// unrecorded is for locks that do not record their holder: Rust's futex locks
// (library/std/src/sys/sync/mutex/futex.rs), those of parking_lot (raw_mutex.rs, raw_rwlock.rs), locks of Go's runtime (src/runtime/lock_futex.go), and
// musl's reader-writer locks (pthread_impl.h).
func (x *examination) unrecorded() { x.wait.Holder = NotRecorded }

func (x *examination) owner(addr uint64) {
	v, ok := x.read(addr, 4, Owner)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.heldBy(uint32(v))
}

// joined reads the futex of a join: the ID of the thread, which the kernel clears when the thread
// ends (CLONE_CHILD_CLEARTID). Sources: glibc nptl/pthread_join_common.c, bionic pthread_join.cpp.
func (x *examination) joined() {
	v, ok := x.read(x.word0.addr, 4, ThreadWord)
	if !ok {
		x.wait.Holder = NotCaptured
		return
	}
	x.endedBy(uint32(v), Joined)
}
