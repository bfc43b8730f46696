package waits

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/stack/funcname"
	"crashglass/core/testkit/asm"
)

// system and own are frames of the C library and of the program.
func system(functions ...string) spot {
	return spot{Functions: functions, Module: "libc.so.6", System: true}
}

func own(functions ...string) spot { return spot{Functions: functions, Module: "app"} }

// Names prove a wait only if nothing else can run inside of the named function.
func TestNamesAlone(t *testing.T) {
	for _, tt := range []struct {
		name   string
		os     process.OS
		frames []spot
		want   string
	}{
		{"a system call of the C library", "linux", []spot{system("poll")}, "poll glibc none"},
		{"a function of the program with that name", "linux", []spot{own("poll")}, "nothing"},
		{"two underscores are reserved for libraries", "linux", []spot{own("__poll")}, "poll none"},
		{"a lock of a program that contains its C library", "linux", []spot{own("pthread_cond_wait")}, "condition none"},
		{"the kernel's page in front of it", "linux", []spot{system("__kernel_vsyscall"), system("poll")}, "poll glibc none"},
		{"another function in front of it", "linux", []spot{system("memcpy"), system("poll")}, "nothing"},
		{"the kernel's page, but not at the top", "linux", []spot{system("memcpy"), system("__kernel_vsyscall"), system("poll")}, "nothing"},
		{"a frame without a name in front of it", "linux", []spot{system(), system("poll")}, "nothing"},
		{"a wait around a wait", "linux", []spot{system("poll"), system("pthread_join")}, "join glibc not_found"},
		{"a wait around code of the program", "linux", []spot{system("poll"), own("callback"), system("pthread_join")}, "poll glibc none"},
		{"a callback between system frames", "windows", []spot{system("NtWaitForSingleObject"), own("callback"), system("RtlEnterCriticalSection")}, "object windows none"},
		{"inlined calls: the innermost of equal ones", "linux", []spot{system("pthread_mutex_lock", "pthread_cond_wait")}, "mutex glibc not_found"},
		{"inlined calls: a lock says more than a word", "linux", []spot{system("futex_wait", "pthread_mutex_lock")}, "mutex glibc not_found"},
		{"of two locks the inner one", "linux", []spot{system("pthread_mutex_lock"), system("pthread_cond_wait")}, "mutex glibc not_found"},
		{"no frames", "linux", nil, "nothing"},
	} {
		in := &Input{OS: tt.os, Threads: []Thread{{ID: 70, Arch: &cpu.AMD64, Frames: rows(tt.frames)}}}
		if got := text(Find(in)[0]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		in.Threads[0].Stopped = true
		if got := text(Find(in)[0]); got != "nothing" {
			t.Errorf("%s, in a thread that an exception stopped: %s", tt.name, got)
		}
	}
}

// A proved system call decides the kind of a wait. Names refine a futex, which every lock uses, and
// nothing else.
func TestNamesAndCalls(t *testing.T) {
	futex := func(frames ...spot) scene {
		return scene{arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=1", frames: frames, memory: pieces{code: futexCall()}}
	}
	read := func(frames ...spot) scene {
		return scene{arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5", frames: frames, memory: pieces{code: asm.At(code).U8(0xb8).U32(0).U8(0x0f, 0x05)}}
	}
	barrierBehind := func(wrappers int) []spot {
		return append(slices.Repeat([]spot{system("wrapper")}, wrappers), system("pthread_barrier_wait"))
	}
	for _, tt := range []struct {
		name string
		s    scene
		want string
	}{
		{"a futex in a lock", futex(system("pthread_mutex_lock")), "mutex 0x5000 glibc not_captured"},
		{"a futex in a function of the program", futex(own("work")), "futex 0x5000 none"},
		{"a futex below poll: another system call cannot be the wait", futex(system("poll")), "futex 0x5000 glibc none"},
		{"a read in a lock: the call decides", read(system("pthread_mutex_lock")), "read fd 5 glibc none"},
		{"a lock around the program's code is another wait", futex(system("syscall"), own("work"), system("pthread_join")), "futex 0x5000 glibc none"},
		{"a statically linked lock", futex(own("__lll_lock_wait"), own("pthread_mutex_lock")), "mutex 0x5000 glibc not_captured"},
		{"Rust's lock in the program", futex(system("syscall"), own("std::sys::pal::unix::futex::futex_wait", "<std::sys::sync::mutex::futex::Mutex>::lock_contended")), "mutex 0x5000 rust not_recorded"},
		{"Rust's channel over its frames", futex(
			system("syscall"), own("<std::sys::sync::thread_parking::futex::Parker>::park", "<std::thread::thread::Thread>::park"),
			own("<std::sync::mpmc::context::Context>::wait_until"), own("std::sync::mpmc::list::Channel<T>::recv")), "channel_receive rust none"},
		{"a lock in Rust's channel", futex(
			system("syscall"), own("<std::sys::sync::mutex::futex::Mutex>::lock_contended"), own("std::sync::mpmc::zero::Channel<T>::recv")), "mutex 0x5000 rust not_recorded"},
		{"Rust's program between", futex(system("syscall"), own("<std::thread::thread::Thread>::park"), own("app::wait"), own("std::sync::mpmc::list::Channel<T>::recv")), "park 0x5000 rust none"},
		{"parking_lot", futex(
			system("syscall"), own("<parking_lot_core::thread_parker::imp::ThreadParker as parking_lot_core::thread_parker::ThreadParkerT>::park"),
			own("parking_lot::raw_mutex::RawMutex::lock_slow")), "mutex parking_lot not_recorded"},
		{"a lock of another library of the system", futex(system("__lll_lock_wait"), spot{Functions: []string{"pthread_mutex_lock"}, Module: "libpthread.so.0", System: true}), "mutex 0x5000 glibc not_captured"},
		{"the last frame that is looked at", futex(barrierBehind(depth - 1)...), "barrier 0x5000 glibc none"},
		{"a frame further out", futex(barrierBehind(depth)...), "futex 0x5000 glibc none"},
		{"an initialization behind the kernel's page", futex(system("__kernel_vsyscall"), system("futex_wait_simple"), system("__pthread_once_slow")), "once 0x5000 glibc not_recorded"},
		{"an initialization that locks a mutex", futex(system("__lll_lock_wait"), system("initialize"), system("futex_wait_simple"), system("__pthread_once_slow")), "futex 0x5000 glibc none"},
	} {
		if got := text(tt.s.find(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The module of the waiting function names its C library. Sources: glibc's shlib-versions, musl's
// Makefile (LDSO_PATHNAME), Android's /apex/com.android.runtime/lib64/bionic.
func TestLibraryOfAModule(t *testing.T) {
	for _, tt := range []struct {
		module string
		os     process.OS
		want   Library
	}{
		{"libc.so.6", "linux", Glibc}, {"libpthread.so.0", "linux", Glibc}, {"libc-2.31.so", "linux", Glibc}, {"libpthread-2.17.so", "linux", Glibc},
		{"ld-musl-x86_64.so.1", "linux", Musl}, {"libc.musl-armv7.so.1", "linux", Musl},
		{"libc.so", "android", Bionic}, {"libc.so", "linux", ""}, {"libc++_shared.so", "android", ""}, {"libfoo.so", "android", ""},
		{"libc", "linux", ""}, {"", "linux", ""}, {"mylibc-2.31.so", "linux", ""},
	} {
		if got := libraryOf(tt.module, tt.os); got != tt.want {
			t.Errorf("%s on %s: %q, want %q", tt.module, tt.os, got, tt.want)
		}
	}
}

// The table has names in the form that frames are compared in, and each is a wait or a passage.
func TestMeaningsAreReachable(t *testing.T) {
	for name, m := range meanings() {
		if got := key(name); got != name {
			t.Errorf("%q is never found: frames have %q", name, got)
		}
		if m.kind == "" || m.rank == 0 || passages[name] {
			t.Errorf("%q: %+v, a passage %v", name, m, passages[name])
		}
	}
	for name := range passages {
		if got := funcname.C(name); got != name {
			t.Errorf("the passage %q is never found: frames have %q", name, got)
		}
	}
	seen := map[lock]bool{}
	for _, h := range holders {
		lock := h.lock
		if seen[lock] {
			t.Errorf("%+v is there twice", lock)
		}
		seen[lock] = true
		if lock.library == "" {
			continue
		}
		if _, hasDefault := defaultHolders[lock.kind]; !hasDefault && lock.kind != Futex {
			t.Errorf("%v has a holder, and a lock of its kind that is not found has none", lock)
		}
	}
}
