package analyze

import (
	"strings"

	"crashglass/core/report"
)

// stateDepth is how many innermost frames are looked at: a wait passes through
// two or three wrappers of the C library.
const stateDepth = 6

// threadState says in a word what a thread is busy with, by the names of its
// innermost functions; nil when they are not known. A join is a wait, and said
// first because it is further out.
func threadState(frames []report.Frame) *string {
	if len(frames) == 0 || frames[0].Function == nil {
		return nil
	}
	state := ""
	for i := range min(len(frames), stateDepth) {
		for _, name := range functionNames(&frames[i]) {
			switch s := blockingFunctions[plainName(name)]; {
			case s == "":
			case s == joining:
				return ptr(s)
			case state == "":
				state = s
			}
		}
	}
	if state == "" {
		state = "Running"
	}
	return ptr(state)
}

// waits reports whether the innermost function of a thread waits in the kernel.
func waits(frames []report.Frame) bool {
	if len(frames) == 0 {
		return false
	}
	for _, name := range functionNames(&frames[0]) {
		if blockingFunctions[plainName(name)] != "" {
			return true
		}
	}
	return false
}

// functionNames lists the names in a frame, innermost first.
func functionNames(f *report.Frame) []string {
	var names []string
	for i := range f.Inlines {
		if n := f.Inlines[i].Function; n != nil {
			names = append(names, *n)
		}
	}
	if f.Function != nil {
		names = append(names, *f.Function)
	}
	return names
}

// plainName removes what C libraries put around the names of system calls:
// leading underscores, versions, arguments, variants.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, "$")
	name = strings.TrimPrefix(strings.TrimLeft(name, "_"), "GI_")
	for _, variant := range []string{"_nocancel", "_time64", "_time32", "64"} {
		name = strings.TrimSuffix(name, variant)
	}
	return strings.TrimLeft(name, "_")
}

const (
	waiting  = "Waiting"
	sleeping = "Sleeping"
	polling  = "Polling"
	joining  = "Joining a thread"
)

// blockingFunctions are the system calls that block, and their wrappers, of
// glibc, musl, bionic, macOS and Windows.
var blockingFunctions = map[string]string{
	"pthread_join": joining, "pthread_clockjoin_ex": joining, "pthread_timedjoin_ex": joining,
	"pthread_timedjoin_np": joining, "std::thread::join": joining,

	"futex_wait": waiting, "futex_abstimed_wait_common": waiting, "futex_wait_cancelable": waiting,
	"futex_wait_simple": waiting, "lll_lock_wait": waiting, "lll_lock_wait_private": waiting,
	"pthread_cond_wait": waiting, "pthread_cond_timedwait": waiting, "pthread_cond_clockwait": waiting,
	"pthread_mutex_lock": waiting, "sem_wait": waiting, "sem_timedwait": waiting, "sem_clockwait": waiting,
	"timedwait": waiting, "timedwait_cp": waiting, "sigwait": waiting, "sigwaitinfo": waiting,
	"sigtimedwait": waiting, "sigsuspend": waiting, "pause": waiting, "wait4": waiting, "waitpid": waiting, "waitid": waiting,
	"psynch_cvwait": waiting, "psynch_mutexwait": waiting, "ulock_wait": waiting, "ulock_wait2": waiting,
	"semaphore_wait_trap": waiting, "semaphore_timedwait_trap": waiting, "workq_kernreturn": waiting,
	"mach_msg_trap": waiting, "mach_msg2_trap": waiting,
	"NtWaitForSingleObject": waiting, "ZwWaitForSingleObject": waiting,
	"NtWaitForMultipleObjects": waiting, "ZwWaitForMultipleObjects": waiting,
	"NtWaitForAlertByThreadId": waiting, "ZwWaitForAlertByThreadId": waiting,
	"NtWaitForKeyedEvent": waiting, "NtWaitForWorkViaWorkerFactory": waiting, "ZwWaitForWorkViaWorkerFactory": waiting,
	"NtRemoveIoCompletion": waiting, "ZwRemoveIoCompletion": waiting,
	"NtRemoveIoCompletionEx": waiting, "ZwRemoveIoCompletionEx": waiting,
	"NtSignalAndWaitForSingleObject": waiting, "NtUserGetMessage": waiting, "NtUserMsgWaitForMultipleObjectsEx": waiting,
	"NtAlpcSendWaitReceivePort": waiting,

	"nanosleep": sleeping, "clock_nanosleep": sleeping, "usleep": sleeping, "sleep": sleeping,
	"semwait_signal": sleeping, "NtDelayExecution": sleeping, "ZwDelayExecution": sleeping,

	"poll": polling, "ppoll": polling, "select": polling, "pselect": polling, "pselect6": polling,
	"epoll_wait": polling, "epoll_pwait": polling, "epoll_pwait2": polling,
	"kevent": polling, "kevent_qos": polling, "kevent_id": polling, "io_getevents": polling,
}
