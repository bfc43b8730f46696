package waits

import (
	"strings"

	"crashglass/core/stack/funcname"
)

// A meaning is the wait that a function's name stands for.
type meaning struct {
	kind    Kind
	rank    rank
	library Library // the only library with a function of this name; "" when several have one
}

// A rank is how specific a name is: locks use words, and words use system calls.
type rank uint8

const (
	_        rank = iota
	rankCall      // a system call, or its wrapper
	rankWord      // a wait at a word, by a library
	rankLock      // a lock, or another thing with a meaning of its own
	rankUse       // a thing that parks the thread itself, and uses locks beside that
)

// MeaningOf returns the kind of wait that a function's name stands for, or "".
func MeaningOf(function string) Kind { return meaningOf(function).kind }

func meaningOf(function string) meaning { return meanings[key(function)] }

// key is a name in the form of the table: Rust's paths are without the arguments of their types.
func key(function string) string {
	if name := funcname.C(function); !strings.Contains(name, "::") {
		return name
	}
	return funcname.Path(function)
}

// meanings are the functions that wait, by their names in the form of key. Sources: glibc
// nptl/ and sysdeps/nptl, musl src/thread, bionic libc/bionic, Apple's libpthread and libplatform,
// the exports of ntdll.dll and win32u.dll, Rust's library/std/src/sys/sync, Go's src/runtime.
var meanings = map[string]meaning{
	// Linux and macOS: system calls.
	"nanosleep": {Sleep, rankCall, ""}, "clock_nanosleep": {Sleep, rankCall, ""}, "usleep": {Sleep, rankCall, ""}, "sleep": {Sleep, rankCall, ""},
	"semwait_signal": {Sleep, rankCall, Mac},
	"poll":           {Poll, rankCall, ""}, "ppoll": {Poll, rankCall, ""}, "select": {Poll, rankCall, ""}, "pselect": {Poll, rankCall, ""}, "pselect6": {Poll, rankCall, ""},
	"epoll_wait": {Poll, rankCall, ""}, "epoll_pwait": {Poll, rankCall, ""}, "epoll_pwait2": {Poll, rankCall, ""},
	"kevent": {Poll, rankCall, Mac}, "kevent_qos": {Poll, rankCall, Mac}, "kevent_id": {Poll, rankCall, Mac}, "io_getevents": {IO, rankCall, ""},
	"accept": {Accept, rankCall, ""}, "accept4": {Accept, rankCall, ""}, "connect": {Connect, rankCall, ""},
	"recv": {Read, rankCall, ""}, "recvfrom": {Read, rankCall, ""}, "recvmsg": {Read, rankCall, ""}, "read": {Read, rankCall, ""}, "readv": {Read, rankCall, ""},
	"sigwait": {Signal, rankCall, ""}, "sigwaitinfo": {Signal, rankCall, ""}, "sigtimedwait": {Signal, rankCall, ""}, "sigsuspend": {Signal, rankCall, ""},
	"pause": {Signal, rankCall, ""}, "wait4": {Child, rankCall, ""}, "waitpid": {Child, rankCall, ""}, "waitid": {Child, rankCall, ""},
	"psynch_cvwait": {Condition, rankCall, Mac}, "psynch_mutexwait": {Mutex, rankCall, Mac}, "psynch_rw_rdlock": {ReadLock, rankCall, Mac},
	"psynch_rw_wrlock": {WriteLock, rankCall, Mac}, "ulock_wait": {Futex, rankCall, Mac}, "ulock_wait2": {Futex, rankCall, Mac},
	"semaphore_wait_trap": {Semaphore, rankCall, Mac}, "semaphore_timedwait_trap": {Semaphore, rankCall, Mac}, "workq_kernreturn": {Worker, rankCall, Mac},
	"mach_msg_trap": {Message, rankCall, Mac}, "mach_msg2_trap": {Message, rankCall, Mac},

	// Linux: words.
	"futex_wait": {Futex, rankWord, ""}, "futex_wait_cancelable": {Futex, rankWord, Glibc}, "futex_wait_simple": {Futex, rankWord, Glibc},
	"futex_abstimed_wait_common": {Futex, rankWord, Glibc}, "futex_abstimed_wait": {Futex, rankWord, Glibc}, "futex_abstimed_wait_cancelable": {Futex, rankWord, Glibc},
	"lll_lock_wait": {Futex, rankWord, Glibc}, "lll_lock_wait_private": {Futex, rankWord, Glibc}, "lll_mutex_lock_optimized": {Futex, rankWord, Glibc},
	"futex_lock_pi": {Mutex, rankWord, Glibc}, "timedwait": {Futex, rankWord, Musl}, "timedwait_cp": {Futex, rankWord, Musl}, "syscall_cp_c": {Futex, rankCall, Musl},
	"futex_wait_ex": {Futex, rankWord, Bionic},

	// POSIX threads.
	"pthread_mutex_lock": {Mutex, rankLock, ""}, "pthread_mutex_lock_full": {Mutex, rankLock, Glibc}, "pthread_mutex_cond_lock": {Mutex, rankLock, Glibc},
	"pthread_mutex_timedlock": {Mutex, rankLock, ""}, "pthread_mutex_clocklock": {Mutex, rankLock, ""}, "pthread_mutex_clocklock_common": {Mutex, rankLock, Glibc},
	"pthread_mutex_firstfit_lock_slow": {Mutex, rankLock, Mac}, "os_unfair_lock_lock_slow": {Mutex, rankLock, Mac},
	"pthread_cond_wait": {Condition, rankLock, ""}, "pthread_cond_timedwait": {Condition, rankLock, ""}, "pthread_cond_clockwait": {Condition, rankLock, ""},
	"pthread_rwlock_rdlock": {ReadLock, rankLock, ""}, "pthread_rwlock_timedrdlock": {ReadLock, rankLock, ""}, "pthread_rwlock_rdlock_full": {ReadLock, rankLock, Glibc},
	"pthread_rwlock_wrlock": {WriteLock, rankLock, ""}, "pthread_rwlock_timedwrlock": {WriteLock, rankLock, ""}, "pthread_rwlock_wrlock_full": {WriteLock, rankLock, Glibc},
	"sem_wait": {Semaphore, rankLock, ""}, "sem_timedwait": {Semaphore, rankLock, ""}, "sem_clockwait": {Semaphore, rankLock, ""}, "new_sem_wait_slow": {Semaphore, rankLock, Glibc},
	"pthread_barrier_wait": {Barrier, rankLock, ""}, "pthread_once": {Once, rankLock, ""}, "pthread_once_slow": {Once, rankLock, Glibc},
	"pthread_join": {Join, rankLock, ""}, "pthread_clockjoin_ex": {Join, rankLock, Glibc}, "pthread_timedjoin_ex": {Join, rankLock, Glibc},
	"pthread_timedjoin_np": {Join, rankLock, ""}, "std::thread::join": {Join, rankLock, ""},

	// Rust.
	"std::sys::sync::mutex::futex::Mutex::lock_contended": {Mutex, rankLock, Rust}, "std::sys::sync::condvar::futex::Condvar::wait": {Condition, rankLock, Rust},
	"std::sys::sync::condvar::futex::Condvar::wait_timeout":          {Condition, rankLock, Rust},
	"std::sys::sync::condvar::futex::Condvar::wait_optional_timeout": {Condition, rankLock, Rust},
	"std::sys::sync::rwlock::futex::RwLock::read_contended":          {ReadLock, rankLock, Rust},
	"std::sys::sync::rwlock::futex::RwLock::write_contended":         {WriteLock, rankLock, Rust},
	"std::thread::park": {Park, rankLock, Rust}, "std::thread::park_timeout": {Park, rankLock, Rust}, "std::thread::thread::Thread::park": {Park, rankLock, Rust},
	"std::sys::sync::thread_parking::futex::Parker::park":         {Park, rankLock, Rust},
	"std::sys::sync::thread_parking::futex::Parker::park_timeout": {Park, rankLock, Rust},
	"std::sys::sync::once::futex::Once::call":                     {Once, rankLock, Rust}, "std::sys::sync::once::futex::Once::wait": {Once, rankLock, Rust},
	"std::sync::mpmc::array::Channel::recv": {Receive, rankUse, Rust}, "std::sync::mpmc::array::Channel::send": {Send, rankUse, Rust},
	"std::sync::mpmc::list::Channel::recv": {Receive, rankUse, Rust}, "std::sync::mpmc::zero::Channel::recv": {Receive, rankUse, Rust},
	"std::sync::mpmc::zero::Channel::send":                    {Send, rankUse, Rust},
	"parking_lot::raw_mutex::RawMutex::lock_slow":             {Mutex, rankUse, ParkingLot},
	"parking_lot::raw_rwlock::RawRwLock::lock_shared_slow":    {ReadLock, rankUse, ParkingLot},
	"parking_lot::raw_rwlock::RawRwLock::lock_exclusive_slow": {WriteLock, rankUse, ParkingLot},
	"parking_lot::raw_rwlock::RawRwLock::wait_for_readers":    {WriteLock, rankUse, ParkingLot},
	"parking_lot::condvar::Condvar::wait_until_internal":      {Condition, rankUse, ParkingLot},
	"parking_lot_core::parking_lot::park":                     {Park, rankLock, ParkingLot}, "parking_lot_core::thread_parker::imp::ThreadParker::park": {Park, rankLock, ParkingLot},
	"parking_lot_core::thread_parker::imp::ThreadParker::futex_wait": {Park, rankLock, ParkingLot},

	// Go: threads wait for goroutines to run, and for locks of the runtime.
	"runtime.futex": {Futex, rankWord, Go}, "runtime.futexsleep": {Futex, rankWord, Go}, "runtime.notesleep": {Park, rankLock, Go},
	"runtime.notetsleep_internal": {Park, rankLock, Go},
	"runtime.lock2":               {Mutex, rankLock, Go}, "runtime.usleep": {Sleep, rankCall, Go}, "runtime.pthread_cond_wait": {Park, rankLock, Go},
	"runtime.semasleep": {Park, rankLock, Go},

	// Windows.
	"NtWaitForSingleObject": {Object, rankCall, Windows}, "ZwWaitForSingleObject": {Object, rankCall, Windows}, "NtSignalAndWaitForSingleObject": {Object, rankCall, Windows},
	"NtWaitForMultipleObjects": {Objects, rankCall, Windows}, "ZwWaitForMultipleObjects": {Objects, rankCall, Windows},
	"NtWaitForAlertByThreadId": {Address, rankCall, Windows}, "ZwWaitForAlertByThreadId": {Address, rankCall, Windows}, "NtWaitForKeyedEvent": {Address, rankCall, Windows},
	"ZwWaitForKeyedEvent": {Address, rankCall, Windows}, "RtlWaitOnAddress": {Address, rankWord, Windows}, "RtlpWaitOnAddress": {Address, rankWord, Windows},
	"RtlpWaitOnAddressWithTimeout": {Address, rankWord, Windows}, "WaitOnAddress": {Address, rankWord, Windows},
	"NtRemoveIoCompletion": {Completion, rankCall, Windows}, "ZwRemoveIoCompletion": {Completion, rankCall, Windows},
	"NtRemoveIoCompletionEx": {Completion, rankCall, Windows}, "ZwRemoveIoCompletionEx": {Completion, rankCall, Windows},
	"NtWaitForWorkViaWorkerFactory": {Worker, rankCall, Windows}, "ZwWaitForWorkViaWorkerFactory": {Worker, rankCall, Windows}, "TppWorkerThread": {Worker, rankLock, Windows},
	"NtDelayExecution": {Sleep, rankCall, Windows}, "ZwDelayExecution": {Sleep, rankCall, Windows}, "NtAlpcSendWaitReceivePort": {Message, rankCall, Windows},
	"NtUserGetMessage": {UIMessage, rankCall, Windows}, "NtUserWaitMessage": {UIMessage, rankCall, Windows}, "NtUserMsgWaitForMultipleObjectsEx": {UIMessage, rankCall, Windows},
	"RtlEnterCriticalSection": {CriticalSection, rankLock, Windows}, "RtlpEnterCriticalSectionContended": {CriticalSection, rankLock, Windows},
	"RtlpWaitOnCriticalSection": {CriticalSection, rankLock, Windows}, "RtlpWaitForCriticalSection": {CriticalSection, rankLock, Windows},
	"EnterCriticalSection":       {CriticalSection, rankLock, Windows},
	"RtlAcquireSRWLockExclusive": {SRWLock, rankLock, Windows}, "RtlAcquireSRWLockShared": {SRWLock, rankLock, Windows},
	"AcquireSRWLockExclusive": {SRWLock, rankLock, Windows}, "AcquireSRWLockShared": {SRWLock, rankLock, Windows},
	"RtlSleepConditionVariableCS": {Condition, rankLock, Windows}, "RtlSleepConditionVariableSRW": {Condition, rankLock, Windows},
	"SleepConditionVariableCS": {Condition, rankLock, Windows}, "SleepConditionVariableSRW": {Condition, rankLock, Windows},
}

// passages are functions that show only that the thread is in the kernel.
var passages = map[string]bool{"KiFastSystemCallRet": true, "kernel_vsyscall": true, "syscall_cp_asm": true, "do_syscall": true, "syscall_cp": true}
