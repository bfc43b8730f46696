package waits

// A lock is a kind of lock of one library.
type lock struct {
	library Library
	kind    Kind
}

// holders find the thread that can end a wait.
var holders = map[lock]func(*examination){
	{Glibc, Mutex}: (*examination).glibcMutex, {Glibc, Join}: (*examination).joined,
	{Glibc, ReadLock}: (*examination).glibcReadLock, {Glibc, WriteLock}: (*examination).glibcWriteLock, {Glibc, Futex}: (*examination).glibcUnnamed,
	{"", Futex}: (*examination).glibcUnnamed, {"", Mutex}: (*examination).glibcUnnamed, {"", Join}: (*examination).glibcUnnamed,
	{Musl, Mutex}: (*examination).muslMutex, {Musl, Join}: (*examination).muslJoin, {Musl, ReadLock}: (*examination).unrecorded, {Musl, WriteLock}: (*examination).unrecorded,
	{Bionic, Mutex}: (*examination).bionicMutex, {Bionic, Join}: (*examination).joined,
	{Rust, Mutex}: (*examination).unrecorded, {Rust, ReadLock}: (*examination).unrecorded, {Rust, WriteLock}: (*examination).unrecorded, {Go, Mutex}: (*examination).unrecorded,
	{ParkingLot, Mutex}: (*examination).unrecorded, {ParkingLot, ReadLock}: (*examination).unrecorded, {ParkingLot, WriteLock}: (*examination).unrecorded,
	{Windows, CriticalSection}: (*examination).criticalSection,
}

// unrecording are libraries whose locks never record their holder.
var unrecording = map[Library]bool{Rust: true, Go: true, ParkingLot: true}

// findHolder finds the thread that can end the wait, if its lock records it.
func (x *examination) findHolder() {
	find := holders[lock{x.wait.Library, x.wait.Kind}]
	placed := x.wait.Object != nil || x.wait.Library == Windows || unrecording[x.wait.Library]
	if find != nil && placed && x.wait.Holder == "" {
		find(x)
	}
}

// unrecorded is for locks that do not record their holder: Rust's futex locks
// (library/std/src/sys/sync/mutex/futex.rs), those of parking_lot (raw_mutex.rs, raw_rwlock.rs), locks of Go's runtime (src/runtime/lock_futex.go), and
// musl's reader-writer locks (pthread_impl.h).
func (x *examination) unrecorded() { x.wait.Holder = NotRecorded }

// owner reads the ID of the holder.
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
