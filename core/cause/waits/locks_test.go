package waits

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/testkit/asm"
)

// play checks what each scene's first thread waits for.
func play(t *testing.T, scenes []scene) {
	t.Helper()
	for _, s := range scenes {
		if got := text(s.find(t)); got != s.want {
			t.Errorf("%s: got %s, want %s", s.name, got, s.want)
		}
	}
}

// futexCall is the code of a thread that waits in futex(2), on amd64 and arm64.
func futexCall() *asm.Section { return asm.At(code).U8(0xb8).U32(202).U8(0x0f, 0x05) }

func futexARM64() *asm.Section { return asm.At(code).U32(0xd400_0001) }

const (
	behindFutex = "rip=401007 rax=fffffffffffffe00 "
	musl        = "ld-musl-x86_64.so.1"
)

// Locks of musl with missing memory, and locks that do not record their holder. Source: musl
// src/internal/pthread_impl.h.
func TestMusl(t *testing.T) {
	lock := behindFutex + "rdi=5004 rsi=80 rdx=8000004d"
	play(t, []scene{
		{
			name: "the type of a mutex is not captured", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall()}, want: "mutex 0x5004 musl not_captured",
		},
		{
			name: "its holder is not captured", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(1)}, want: "mutex 0x5000 musl not_captured",
		},
		{
			name: "the holder died: a flag beside its ID", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(5, 0x4000_004d)}, want: "mutex 0x5000 musl held 77",
		},
		{
			name: "the holder is gone", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(1, 0x8000_004e)}, want: "mutex 0x5000 musl gone 78",
		},
		{
			name: "a mutex that was released since", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(1, 0)}, want: "mutex 0x5000 musl free",
		},
		{
			name: "a join before 1.1.20 waits at the ID", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5030 rsi=80 rdx=4d", functions: "__timedwait_cp pthread_join", module: musl,
			memory: pieces{code: futexCall(), 0x5030: asm.At(0x5030).U32(77)}, want: "join 0x5030 musl joined 77",
		},
		{
			name: "the last state of a thread is DT_DETACHED, 3", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5038 rsi=80 rdx=3", functions: "__timedwait_cp pthread_join", module: musl,
			memory: pieces{code: futexCall(), 0x5030: asm.At(0x5030).U32(77, 0, 3)}, want: "join 0x5038 musl joined 77",
		},
		{
			name: "4 is no state but an ID", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5038 rsi=80 rdx=4", functions: "__timedwait_cp pthread_join", module: musl,
			memory: pieces{code: futexCall(), 0x5030: asm.At(0x5030).U32(77, 0, 4)}, want: "join 0x5038 musl gone 4",
		},
		{
			name: "the expected value is unknown: the layout since 1.1.20", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5038 rsi=80", functions: "__timedwait_cp pthread_join", module: musl,
			memory: pieces{code: futexCall(), 0x5030: asm.At(0x5030).U32(77, 0, 2)}, want: "join 0x5038 musl joined 77",
		},
		{
			name: "a type with flags: only the lower four bits tell a normal mutex", arch: &cpu.AMD64, os: "linux", regs: lock, functions: "__timedwait pthread_mutex_timedlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0x80, 0x8000_004d)}, want: "mutex 0x5000 musl not_recorded",
		},
		{
			name: "a join whose thread is not captured", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5038 rsi=80 rdx=2", functions: "__timedwait_cp pthread_join", module: musl,
			memory: pieces{code: futexCall()}, want: "join 0x5038 musl not_captured",
		},
		{
			name: "a reader-writer lock", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=ffffffff", functions: "__timedwait pthread_rwlock_timedwrlock", module: musl,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0xffff_ffff)}, want: "write_lock 0x5000 musl not_recorded",
		},
	})
}

// Mutexes of bionic: the two upper bits of the first half-word are the type, and
// the holder has 16 bits where addresses have 32.
// Source: bionic/libc/bionic/pthread_mutex.cpp.
func TestBionic(t *testing.T) {
	arm64, arm := "pc=401000 x8=62 x0=5000 x1=80 x2=4002", "pc=401000 r7=f0 r0=5000 r1=80 r2=4002"
	const functions = "syscall __futex_wait_ex pthread_mutex_lock"
	play(t, []scene{
		{
			name: "a normal one", arch: &cpu.ARM64, os: "android", regs: arm64, functions: functions, module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(2, 0).U32(77)}, want: "mutex 0x5000 bionic not_recorded",
		},
		{
			name: "an error-checking one", arch: &cpu.ARM64, os: "android", regs: arm64, functions: functions, module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(0x8002, 0).U32(77)}, want: "mutex 0x5000 bionic held 77",
		},
		{
			name: "of 32 bits", arch: &cpu.ARM, os: "android", regs: arm, functions: functions, module: "libc.so",
			memory: pieces{code: asm.At(code).U32(0xef00_0000), 0x5000: asm.At(0x5000).U16(0x4002, 77).U32(5)}, want: "mutex 0x5000 bionic held 77",
		},
		{
			name: "not captured", arch: &cpu.ARM64, os: "android", regs: arm64, functions: functions, module: "libc.so",
			memory: pieces{code: futexARM64()}, want: "mutex 0x5000 bionic not_captured",
		},
		{
			name: "its holder is not captured", arch: &cpu.ARM64, os: "android", regs: arm64, functions: functions, module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(0x4002)}, want: "mutex 0x5000 bionic not_captured",
		},
		{
			name: "another library of Android", arch: &cpu.ARM64, os: "android", regs: arm64, functions: "pthread_mutex_lock", module: "libfoo.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(0x4002, 0).U32(77)}, want: "mutex 0x5000 not_found",
		},
		{
			name: "the holder is gone", arch: &cpu.ARM64, os: "android", regs: arm64, functions: functions, module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(0x4002, 0).U32(78)}, want: "mutex 0x5000 bionic gone 78",
		},
		{
			name: "a join", arch: &cpu.ARM64, os: "android", regs: "pc=401000 x8=62 x0=5000 x1=80 x2=4d", functions: "syscall __futex_wait_ex pthread_join", module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U32(77)}, want: "join 0x5000 bionic joined 77",
		},
		{
			name: "libc.so of another system", arch: &cpu.ARM64, os: "linux", regs: arm64, functions: "pthread_mutex_lock", module: "libc.so",
			memory: pieces{code: futexARM64(), 0x5000: asm.At(0x5000).U16(0x4002, 0).U32(77)}, want: "mutex 0x5000 not_found",
		},
	})
}

// Readers of glibc wait for a writer at one of two words of the lock: readers,
// writers, phase and writers' futex, padding, the writer.
// Source: glibc sysdeps/nptl/bits/struct_rwlock.h, nptl/pthread_rwlock_common.c.
func TestGlibcReaders(t *testing.T) {
	const functions = "__futex_abstimed_wait_common __pthread_rwlock_rdlock_full64"
	lock := func(writer uint32) *asm.Section { return asm.At(0x5000).U32(0, 0, 3, 1, 0, 0, writer, 0) }
	play(t, []scene{
		{
			name: "at the word of the phase", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5008 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall(), 0x5000: lock(77)}, want: "read_lock 0x5000 glibc held 77",
		},
		{
			name: "at the first word, where writers are preferred", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall(), 0x5000: lock(77)}, want: "read_lock 0x5000 glibc held 77",
		},
		{
			name: "both words may be it", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5008 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0, 0, 3, 1, 0, 0, 77, 0, 77)}, want: "read_lock glibc not_recorded",
		},
		{
			name: "the other word may be it, and its memory is not captured", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5008 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0, 0, 3, 1, 0, 0, 77)}, want: "read_lock 0x5000 glibc held 77",
		},
		{
			name: "arm: the writer stands behind four bytes of flags", arch: &cpu.ARM, os: "linux", regs: "pc=401000 r7=f0 r0=5008 r1=80 r2=3", functions: functions, module: "libc.so.6",
			memory: pieces{code: asm.At(code).U32(0xef00_0000), 0x5000: asm.At(0x5000).U32(0, 0, 3, 1, 0, 0, 0, 77)}, want: "read_lock 0x5000 glibc held 77",
		},
		{
			name: "the writer is no thread of this process", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5008 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall(), 0x5000: lock(78)}, want: "read_lock glibc not_recorded",
		},
		{
			name: "not captured", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5008 rsi=80 rdx=3", functions: functions,
			memory: pieces{code: futexCall()}, want: "read_lock glibc not_captured",
		},
	})
}

// Without names, words of glibc prove a lock only if all of them fit.
func TestGlibcUnnamed(t *testing.T) {
	waitAt := behindFutex + "rdi=5000 rsi=80 rdx=2"
	block := asm.At(0x5010).U64(0x5000)
	join := behindFutex + "rdi=52d0 rsi=109 rdx=4d"
	play(t, []scene{
		{
			name: "the word is another than was expected", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=1",
			memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(2, 77)}, want: "futex 0x5000 none",
		},
		{
			name: "a robust mutex of another holder", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=8000004e",
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0x8000_004e, 0, 77, 1, 0x10, 0)}, want: "futex 0x5000 none",
		},
		{
			name: "the mutex is truncated in front of its users", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77)}, want: "futex 0x5000 none",
		},
		{
			name: "the mutex is truncated in front of its kind", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 1)}, want: "futex 0x5000 none",
		},
		{
			name: "a mutex without users", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 0, 0)}, want: "futex 0x5000 none",
		},
		{
			name: "as many users as can be", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 1<<16, 0)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "more users", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 1<<16+1, 0)}, want: "futex 0x5000 none",
		},
		{
			name: "all flags of a kind but that of a robust one", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 1, 0x3e3)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "a flag that no kind has", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(2, 0, 77, 1, 0x400)}, want: "futex 0x5000 none",
		},
		{
			name: "a lock without waiters, whose value the thread expects", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=1",
			memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(1, 77)}, want: "futex 0x5000 none",
		},
		{
			name: "the thread that waits is the owner: no names prove such a lock", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(2, 70)}, want: "futex 0x5000 none",
		},
		{
			name: "a lock of an unknown library that fits glibc's", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "pthread_mutex_lock", module: "app",
			memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "a named mutex is no join, whatever its word is", arch: &cpu.AMD64, os: "linux", regs: join, functions: "pthread_mutex_lock", module: "app",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: block}, want: "mutex 0x52d0 not_found",
		},
		{
			name: "a named join is no mutex", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "pthread_join", module: "app",
			memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(2, 77)}, want: "join 0x5000 not_found",
		},
		{
			name: "a named join of an unknown library, with glibc's block", arch: &cpu.AMD64, os: "linux", regs: join, functions: "pthread_join", module: "app",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: block}, want: "join 0x52d0 glibc joined 77",
		},
		{
			name: "the joined thread ended meanwhile", arch: &cpu.AMD64, os: "linux", regs: join,
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(0), 0x5010: block}, want: "futex 0x52d0 none",
		},
		{
			name: "the word has the ID of another thread than was expected", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=52d0 rsi=109 rdx=4e",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: block}, want: "futex 0x52d0 none",
		},
		{
			name: "arm64 has no block in front of the ID", arch: &cpu.ARM64, os: "linux", regs: "pc=401000 x8=62 x0=52d0 x1=109 x2=4d",
			memory: pieces{code: futexARM64(), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: block}, want: "futex 0x52d0 none",
		},
		{
			name: "x86: a block of 32 bits", arch: &cpu.X86, os: "linux", regs: "eip=401002 eax=fffffe00 ebx=5068 ecx=109 edx=4d", call: 240,
			memory: pieces{0x5068: asm.At(0x5068).U32(77), 0x5008: asm.At(0x5008).U32(0x5000)}, want: "join 0x5068 glibc joined 77",
		},
		{
			name: "a block that points elsewhere", arch: &cpu.AMD64, os: "linux", regs: join,
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: asm.At(0x5010).U64(0x5008)}, want: "futex 0x52d0 none",
		},
		{
			name: "a block of no thread of this process", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=52d0 rsi=109 rdx=4e",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(78), 0x5010: block}, want: "futex 0x52d0 none",
		},
		{
			name: "a named join whose word is not captured", arch: &cpu.AMD64, os: "linux", regs: join, functions: "__futex_abstimed_wait_common __pthread_clockjoin_ex",
			memory: pieces{code: futexCall()}, want: "join 0x52d0 glibc not_captured",
		},
		{
			name: "a named join of a thread that has ended", arch: &cpu.AMD64, os: "linux", regs: join, functions: "__futex_abstimed_wait_common __pthread_clockjoin_ex",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(0)}, want: "join 0x52d0 glibc free",
		},
		{
			name: "a block of its own", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=52d0 rsi=109 rdx=46",
			memory: pieces{code: futexCall(), 0x52d0: asm.At(0x52d0).U32(70), 0x5010: block}, want: "futex 0x52d0 none",
		},
	})
}

// Operations of futex(2): those that wait, and those with priority inheritance,
// whose word the kernel defines. Source: include/uapi/linux/futex.h.
func TestFutexOperations(t *testing.T) {
	for op, want := range map[int]string{
		0: "futex 0x5000 none", 9: "futex 0x5000 none", 11: "futex 0x5000 none", // FUTEX_WAIT, WAIT_BITSET, WAIT_REQUEUE_PI
		6: "mutex 0x5000 linux held 77", 13: "mutex 0x5000 linux held 77", // FUTEX_LOCK_PI, LOCK_PI2
		1: "nothing", 3: "nothing", 4: "nothing", 5: "nothing", 7: "nothing", 8: "nothing", 10: "nothing", 12: "nothing", 14: "nothing",
	} {
		for _, flags := range []int{0, 0x80, 0x100, 0x180} {
			s := scene{arch: &cpu.AMD64, os: "linux", regs: fmt.Sprintf("%srdi=5000 rsi=%x rdx=7", behindFutex, op|flags),
				memory: pieces{code: futexCall(), 0x5000: asm.At(0x5000).U32(0x8000_004d)}}
			if got := text(s.find(t)); got != want {
				t.Errorf("operation %d with the flags %#x: %s, want %s", op, flags, got, want)
			}
		}
	}
	play(t, []scene{
		{
			name: "its word is not captured", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=86 rdx=0",
			memory: pieces{code: futexCall()}, want: "mutex 0x5000 linux not_captured",
		},
		{
			name: "the operation is not known", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000", memory: pieces{code: futexCall()}, want: "futex none",
		},
	})
}

// Programs of i386 call the kernel's page, and load the number in front of that
// call: "mov eax, 240; call gs:[0x10]".
func TestLoadedInFrontOfTheCall(t *testing.T) {
	const page, caller = 0x700_0000, 0x40_1000
	for _, tt := range []struct {
		name string
		code *asm.Section
		want string
	}{
		{"the number in front", asm.At(caller).U8(0xb8).U32(240).Bytes(gsCall), "futex 0x5000 none"},
		{"an instruction between that keeps it", asm.At(caller).U8(0xb8).U32(240).U8(0x89, 0xd9).Bytes(gsCall), "futex 0x5000 none"}, // mov ecx, ebx
		{"an instruction between that changes it", asm.At(caller).U8(0xb8).U32(240).U8(0x89, 0xd8).Bytes(gsCall), "nothing"},         // mov eax, ebx
		{"another call", asm.At(caller).U8(0xb8).U32(240).U8(0xff, 0x15).U32(0x10).U8(0x90), "nothing"},
		{"a number that does not block", asm.At(caller).U8(0xb8).U32(20).Bytes(gsCall), "nothing"}, // getpid
		{"no code", asm.At(caller), "nothing"},
	} {
		thread := Thread{ID: 70, Arch: &cpu.X86, Regs: regs(t, &cpu.X86, "eip=7000002 eax=fffffe00 ebx=5000 ecx=80 edx=2")}
		thread.Frames = rows([]spot{{Module: "linux-gate.so", Regs: thread.Regs}, {Module: "app", Return: tt.code.Here()}})
		memory := pieces{page: asm.At(page).U8(0xcd, 0x80), caller: tt.code}
		in := &Input{OS: "linux", Memory: memory.build(t), Decode: disasm.Decode, Threads: []Thread{thread, {ID: 77}}}
		if got := text(Find(in)[0]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A critical section is found if only one structure can be it. Source: winnt.h,
// RTL_CRITICAL_SECTION.
func TestCriticalSections(t *testing.T) {
	section := func(recursion, owner uint32) *asm.Section {
		return asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, recursion).U64(uint64(owner), 0, 0)
	}
	const functions = "NtWaitForAlertByThreadId RtlpWaitOnCriticalSection RtlEnterCriticalSection"
	at := func(regs string, memory pieces) scene {
		return scene{arch: &cpu.AMD64, os: "windows", regs: regs, functions: functions, memory: memory}
	}
	const unknown, held = "critical_section windows not_found", "critical_section 0x5000 windows held 77"
	for _, tt := range []struct {
		name string
		s    scene
		want string
	}{
		{"held", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(1, 77)}), held},
		{"held twice", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(2, 77)}), held},
		{"held by none", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(0, 77)}), unknown},
		{"held too often", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(mostLevels+1, 77)}), unknown},
		{"held by the thread that waits", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(1, 70)}), unknown},
		{"held by no thread", at("rip=401014 rsp=9000 rbx=5000", pieces{0x5000: section(1, 78)}), unknown},
		{"at an odd address", at("rip=401014 rsp=9000 rbx=5001", pieces{0x5000: asm.At(0x5001).U64(^uint64(0)).U32(0, 1).U64(77)}), unknown},
		{"two of them", at("rip=401014 rsp=9000 rbx=5000 rdi=6000", pieces{0x5000: section(1, 77), 0x6000: section(1, 77)}), unknown},
		{"the same in two registers", at("rip=401014 rsp=9000 rbx=5000 rdi=5000", pieces{0x5000: section(1, 77)}), held},
		{"nothing captured", at("rip=401014 rsp=9000 rbx=5000", nil), unknown},
	} {
		if got := text(tt.s.find(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A thread without facts has no wait.
func TestNothingKnown(t *testing.T) {
	for name, thread := range map[string]Thread{
		"no CPU":           {ID: 70},
		"no registers":     {ID: 70, Arch: &cpu.AMD64},
		"no memory":        {ID: 70, Arch: &cpu.AMD64, Regs: regs(t, &cpu.AMD64, "rip=401007 rax=fffffffffffffe00")},
		"no counter":       {ID: 70, Arch: &cpu.AMD64, Regs: regs(t, &cpu.AMD64, "rax=fffffffffffffe00")},
		"a CPU without":    {ID: 70, Arch: &cpu.SPARC, Regs: regs(t, &cpu.SPARC, "pc=401000")},
		"a named function": {ID: 70, Arch: &cpu.AMD64, Frames: rows([]spot{{Functions: []string{"main"}}})},
	} {
		if got := Find(&Input{OS: "linux", Threads: []Thread{thread}}); len(got) != 1 || got[0] != nil {
			t.Errorf("%s: %s", name, text(got[0]))
		}
	}
	if got := Find(&Input{}); len(got) != 0 {
		t.Errorf("no threads have %d waits", len(got))
	}
}

// MeaningOf knows functions by their plain names, and no others.
func TestMeaningOf(t *testing.T) {
	kinds := []Kind{MeaningOf("__pthread_cond_wait"), MeaningOf("pthread_join@GLIBC_2.34"), MeaningOf("NtDelayExecution"), MeaningOf("main"), MeaningOf("")}
	if want := []Kind{Condition, Join, Sleep, "", ""}; !slices.Equal(kinds, want) {
		t.Errorf("%q, want %q", kinds, want)
	}
}
