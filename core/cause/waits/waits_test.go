package waits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// pieces are memory as a test writes it, by address.
type pieces map[uint64]*asm.Section

// Word implements Memory.
func (m built) Word(addr uint64, size int) (v uint64, ok bool) {
	for base, data := range m {
		if off := addr - base; off < uint64(len(data)) && uint64(size) <= uint64(len(data))-off {
			for i := range size {
				v |= uint64(data[off+uint64(i)]) << (8 * i)
			}
			return v, true
		}
	}
	return 0, false
}

type built map[uint64][]byte

func (p pieces) build(t testing.TB) built {
	out := built{}
	for base, s := range p {
		out[base] = s.Build(t)
	}
	return out
}

// regs reads "rip=401002 rdi=5000" of a CPU.
func regs(t testing.TB, arch *cpu.Arch, text string) *cpu.Regs {
	t.Helper()
	var out cpu.Regs
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		r, ok := arch.Reg(name)
		var v uint64
		if _, err := fmt.Sscanf(value, "%x", &v); err != nil || !ok {
			t.Fatalf("register %q", field)
		}
		out.Set(r, v&arch.Mask())
	}
	return &out
}

// A scene is a process with two threads: 77, and 70, which is examined. It stands second, so that a
// lookup without a result (index 0) is not the examined thread.
type scene struct {
	name      string
	arch      *cpu.Arch
	os        process.OS
	regs      string
	call      int // the kernel's number, 0 for none
	functions string
	module    string
	frames    []spot // instead of functions
	memory    pieces
	want      string
}

func (s *scene) find(t testing.TB) *Wait {
	thread := Thread{ID: 70, Arch: s.arch, Regs: regs(t, s.arch, s.regs)}
	for _, f := range strings.Fields(s.functions) {
		thread.Frames = append(thread.Frames, spot{Functions: []string{f}, Module: s.module, System: true, Regs: thread.Regs}.row())
	}
	if len(thread.Frames) == 0 {
		thread.Frames = rows([]spot{{Module: s.module, Regs: thread.Regs}})
	}
	if s.call != 0 {
		n := uint64(s.call)
		thread.Call = &n
	}
	if s.frames != nil {
		thread.Frames = rows(s.frames)
	}
	in := &Input{OS: s.os, Memory: s.memory.build(t), Decode: disasm.Decode, Threads: []Thread{{ID: 77}, thread}}
	w := Find(in)[1]
	checkThread(t, s.name, w)
	return w
}

// checkThread checks that a wait has the thread of its ID, and none without one.
func checkThread(t testing.TB, name string, w *Wait) {
	t.Helper()
	if w == nil {
		return
	}
	want := -1
	if w.Holder == Held || w.Holder == Joined {
		want = map[uint32]int{77: 0, 70: 1}[w.ThreadID]
	}
	if w.Thread != want {
		t.Errorf("%s: the thread is %d, want %d, with the ID %d", name, w.Thread, want, w.ThreadID)
	}
}

// text returns a wait in one line: kind, address, holder.
func text(w *Wait) string {
	if w == nil {
		return "nothing"
	}
	out := []string{string(w.Kind)}
	if w.Object != nil {
		out = append(out, fmt.Sprintf("%#x", *w.Object))
	}
	if w.Descriptor != nil {
		out = append(out, fmt.Sprintf("fd %d", *w.Descriptor))
	}
	out = append(out, string(w.Library), string(w.Holder))
	if w.ThreadID != 0 {
		out = append(out, fmt.Sprint(w.ThreadID))
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " ")
}

const code = 0x40_1000

// glibcMutexOf is a pthread_mutex_t that a thread holds: lock, count, owner,
// users and kind, in the order of 64 bits.
func glibcMutexOf(lock, owner uint32) *asm.Section {
	return asm.At(0x5000).U32(lock, 0, owner, 1, 0, 0)
}

func TestFind(t *testing.T) {
	amd64 := func(mov uint32) *asm.Section { return asm.At(code).U8(0xb8).U32(mov).U8(0x0f, 0x05) }
	const behind = "rip=401007 rax=fffffffffffffe00 "
	waitAt := behind + "rdi=5000 rsi=80 rdx=2"
	for _, s := range []scene{
		{
			name: "a mutex of glibc, named", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait ___pthread_mutex_lock",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "the same without names: four words fit", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "the owner is no thread of this process", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 78)}, want: "futex 0x5000 none",
		},
		{
			name: "the lock was taken by another meanwhile", arch: &cpu.AMD64, os: "linux", regs: waitAt,
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(1, 77)}, want: "futex 0x5000 none",
		},
		{
			name: "a thread that waits for its own lock", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait pthread_mutex_lock",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 70)}, want: "mutex 0x5000 glibc held 70",
		},
		{
			name: "a lock that was released since", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait pthread_mutex_lock",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(0, 0)}, want: "mutex 0x5000 glibc free",
		},
		{
			name: "the lock is not captured", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait pthread_mutex_lock",
			memory: pieces{code: amd64(202)}, want: "mutex 0x5000 glibc not_captured",
		},
		{
			name: "a robust mutex without names", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5000 rsi=80 rdx=8000004d",
			memory: pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(0x8000_004d, 0, 77, 1, 0x10, 0)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "priority inheritance: the kernel's word", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5000 rsi=86 rdx=0",
			memory: pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(0x8000_004d)}, want: "mutex 0x5000 linux held 77",
		},
		{
			name: "the kernel's number, and no code", arch: &cpu.AMD64, os: "linux", regs: waitAt, call: 202,
			memory: pieces{0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "neither number nor code: rcx has the program counter, and four words fit", arch: &cpu.AMD64, os: "linux", regs: waitAt + " rcx=401007",
			memory: pieces{0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "the same, and a word that could be anything", arch: &cpu.AMD64, os: "linux", regs: waitAt + " rcx=401007",
			memory: pieces{0x5000: glibcMutexOf(2, 78)}, want: "nothing",
		},
		{
			name: "back from the kernel: not proved", arch: &cpu.AMD64, os: "linux", regs: "rip=401007 rax=0 rdi=5000 rsi=80 rdx=2",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 77)}, want: "nothing",
		},
		{
			name: "the number is loaded on one of two ways: not proved", arch: &cpu.AMD64, os: "linux", regs: "rip=401009 rax=fffffffffffffe00",
			memory: pieces{code: asm.At(code).U8(0xb8).U32(7).U8(0x74, 0x00, 0x0f, 0x05)}, want: "nothing",
		},
		{
			name: "a futex that is woken", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5000 rsi=81 rdx=1",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 77)}, want: "nothing",
		},
		{
			name: "a condition variable has no owner", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__futex_abstimed_wait_common pthread_cond_wait",
			memory: pieces{code: amd64(202)}, want: "condition 0x5000 glibc none",
		},
		{
			name: "its mutex, taken again", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait __pthread_mutex_cond_lock pthread_cond_wait",
			memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "a join of glibc, named", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=52d0 rsi=109 rdx=4d", functions: "__futex_abstimed_wait_common __pthread_clockjoin_ex",
			memory: pieces{code: amd64(202), 0x52d0: asm.At(0x52d0).U32(77)}, want: "join 0x52d0 glibc joined 77",
		},
		{
			name: "the same without names: the block points to itself", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=52d0 rsi=109 rdx=4d",
			memory: pieces{code: amd64(202), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: asm.At(0x5010).U64(0x5000)}, want: "join 0x52d0 glibc joined 77",
		},
		{
			name: "a writer of glibc that a writer keeps out", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=500c rsi=80 rdx=3",
			functions: "__futex_abstimed_wait_common __pthread_rwlock_wrlock_full64",
			memory:    pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(0, 0, 1, 3, 0, 0, 77, 0)}, want: "write_lock 0x5000 glibc held 77",
		},
		{
			name: "a writer of glibc that readers keep out", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5008 rsi=80 rdx=2",
			functions: "__futex_abstimed_wait_common __pthread_rwlock_wrlock_full64",
			memory:    pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(8, 0, 2, 1, 0, 0, 0, 0)}, want: "write_lock glibc not_recorded",
		},
		{
			name: "x86: the kernel's page is called", arch: &cpu.X86, os: "linux", regs: "eip=401002 eax=fffffe00 ebx=5000 ecx=80 edx=2", call: 422,
			memory: pieces{code: asm.At(code).U8(0xcd, 0x80), 0x5000: asm.At(0x5000).U32(2, 0, 77, 0, 1)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "x86: its cells of 32 bits", arch: &cpu.X86, os: "linux", regs: "eip=401002 eax=fffffe00 ebx=500c ecx=80 edx=3", call: 240, functions: "kernel_vsyscall __pthread_rwlock_wrlock",
			module: "libc.so.6",
			memory: pieces{0x5000: asm.At(0x5000).U32(0, 0, 1, 3, 0, 0, 0, 77)}, want: "write_lock 0x5000 glibc held 77",
		},
		{
			name: "arm64 stands at the instruction", arch: &cpu.ARM64, os: "linux", regs: "pc=401000 x8=62 x0=5000 x1=80 x2=2",
			memory: pieces{code: asm.At(code).U32(0xd400_0001), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "arm64 behind it, by QEMU: the words fit", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=62 x0=5000 x1=80 x2=2",
			memory: pieces{code: asm.At(code).U32(0xd400_0001), 0x5000: glibcMutexOf(2, 77)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "arm64 behind it: the first argument is gone", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=62 x0=fffffffffffffe00 x1=80 x2=2",
			memory: pieces{code: asm.At(code).U32(0xd400_0001)}, want: "futex none",
		},
		{
			name: "arm, Thumb", arch: &cpu.ARM, os: "linux", regs: "pc=401001 r7=f0 r0=5000 r1=80 r2=2",
			memory: pieces{code: asm.At(code).U16(0xdf00, 0), 0x5000: asm.At(0x5000).U32(2, 0, 77, 0, 1)}, want: "mutex 0x5000 glibc held 77",
		},
		{
			name: "riscv64 reads", arch: &cpu.RISCV64, os: "linux", regs: "pc=401000 a7=3f a0=5 a1=5000 a2=1",
			memory: pieces{code: asm.At(code).U32(0x73)}, want: "read fd 5 none",
		},
		{
			name: "an accept", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=6", memory: pieces{code: amd64(43)}, want: "accept fd 6 none",
		},
		{
			name: "a mutex of musl that knows its owner", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5004 rsi=80 rdx=8000004d",
			functions: "__timedwait pthread_mutex_timedlock", module: "ld-musl-x86_64.so.1",
			memory: pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(1, 0x8000_004d, 1)}, want: "mutex 0x5000 musl held 77",
		},
		{
			name: "a normal mutex of musl does not", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5004 rsi=80 rdx=80000010",
			functions: "__timedwait pthread_mutex_timedlock", module: "ld-musl-x86_64.so.1",
			memory: pieces{code: amd64(202), 0x5000: asm.At(0x5000).U32(0, 0x8000_0010, 1)}, want: "mutex 0x5000 musl not_recorded",
		},
		{
			name: "a join of musl", arch: &cpu.AMD64, os: "linux", regs: behind + "rdi=5038 rsi=80 rdx=2",
			functions: "__timedwait_cp pthread_join", module: "ld-musl-x86_64.so.1",
			memory: pieces{code: amd64(202), 0x5030: asm.At(0x5030).U32(77, 0, 2)}, want: "join 0x5038 musl joined 77",
		},
		{
			name: "a recursive mutex of bionic", arch: &cpu.ARM64, os: "android", regs: "pc=401000 x8=62 x0=5000 x1=80 x2=4002",
			functions: "syscall __futex_wait_ex pthread_mutex_lock", module: "libc.so",
			memory: pieces{code: asm.At(code).U32(0xd400_0001), 0x5000: asm.At(0x5000).U16(0x4002, 0).U32(77)}, want: "mutex 0x5000 bionic held 77",
		},
		{
			name: "Rust's mutex has no owner", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "syscall std::sys::sync::mutex::futex::Mutex::lock_contended",
			module: "libc.so.6", memory: pieces{code: amd64(202), 0x5000: glibcMutexOf(2, 3)}, want: "mutex 0x5000 rust not_recorded",
		},
		{
			name: "a thread of Go without a goroutine", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "runtime.futex.abi0 runtime.futexsleep runtime.notesleep",
			memory: pieces{code: amd64(202)}, want: "park 0x5000 go none",
		},
		{
			name: "Windows, a critical section", arch: &cpu.AMD64, os: "windows", regs: "rip=401014 rsp=9000 rbx=5000", functions: "NtWaitForAlertByThreadId RtlpWaitOnAddress RtlpWaitOnCriticalSection RtlEnterCriticalSection",
			memory: pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, 1).U64(77, 0, 0)}, want: "critical_section 0x5000 windows held 77",
		},
		{
			name: "the same of 32 bits, with a debug record", arch: &cpu.X86, os: "windows", regs: "eip=40100c esp=9000 edi=5000", functions: "NtWaitForSingleObject RtlpWaitForCriticalSection RtlEnterCriticalSection",
			memory: pieces{0x5000: asm.At(0x5000).U32(0x6000, 0xffff_fffa, 1, 77, 0, 0), 0x6000: asm.At(0x6000).U32(0, 0x5000, 0)}, want: "critical_section 0x5000 windows held 77",
		},
		{
			name: "a debug record of another section", arch: &cpu.X86, os: "windows", regs: "eip=40100c esp=9000 edi=5000", functions: "NtWaitForSingleObject RtlEnterCriticalSection",
			memory: pieces{0x5000: asm.At(0x5000).U32(0x6000, 0xffff_fffa, 1, 77, 0, 0), 0x6000: asm.At(0x6000).U32(0, 0x5100, 0)}, want: "critical_section windows not_found",
		},
		{
			name: "a slim reader-writer lock", arch: &cpu.AMD64, os: "windows", regs: "rip=401014", functions: "NtWaitForAlertByThreadId RtlAcquireSRWLockExclusive",
			want: "srw_lock windows not_recorded",
		},
		{name: "an object", arch: &cpu.AMD64, os: "windows", regs: "rip=401014", functions: "NtWaitForSingleObject WaitForSingleObjectEx", want: "object windows none"},
		{name: "a thread of a pool", arch: &cpu.AMD64, os: "windows", regs: "rip=401014", functions: "NtWaitForWorkViaWorkerFactory TppWorkerThread", want: "worker windows none"},
		{name: "work of a pool that waits", arch: &cpu.AMD64, os: "windows", regs: "rip=401014", functions: "NtWaitForSingleObject WaitForSingleObjectEx callback TppWorkerThread", want: "object windows none"},
		{
			name: "an initialization that waits", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "__lll_lock_wait_private malloc initialize __pthread_once_slow",
			module: "libc.so.6", memory: pieces{code: amd64(202)}, want: "futex 0x5000 glibc none",
		},
		{
			name: "an initialization by another thread", arch: &cpu.AMD64, os: "linux", regs: waitAt, functions: "futex_wait_simple __pthread_once_slow",
			module: "libc.so.6", memory: pieces{code: amd64(202)}, want: "once 0x5000 glibc not_recorded",
		},
		{name: "macOS, a message", arch: &cpu.ARM64, os: "mac", regs: "pc=401000", functions: "mach_msg2_trap mach_msg2_internal", want: "message macos none"},
		{name: "a function that runs", arch: &cpu.AMD64, os: "linux", regs: "rip=401000", functions: "work pthread_cond_wait", want: "nothing"},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := text(s.find(t)); got != s.want {
				t.Errorf("got %s, want %s", got, s.want)
			}
		})
	}
}

// A program may have functions of its own with the names of system calls.
func TestFunctionsOfTheProgram(t *testing.T) {
	for name, want := range map[string]string{"read(char*)": "nothing", "poll": "nothing", "__poll": "poll none", "NtDelayExecution": "sleep windows none"} {
		running := Thread{ID: 70, Arch: &cpu.AMD64, Regs: regs(t, &cpu.AMD64, "rip=401014"), Frames: rows([]spot{{Functions: []string{name}, Module: "app.exe"}})}
		if got := text(Find(&Input{OS: "windows", Threads: []Thread{running}})[0]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The evidence of a mutex: the mark, the number, the arguments, the words.
func TestEvidence(t *testing.T) {
	s := scene{
		arch: &cpu.AMD64, os: "linux", regs: "rip=401007 rax=fffffffffffffe00 rdi=5000 rsi=80 rdx=2", functions: "__lll_lock_wait pthread_mutex_lock",
		memory: pieces{code: asm.At(code).U8(0xb8).U32(202).U8(0x0f, 0x05), 0x5000: glibcMutexOf(2, 77)},
	}
	var got []string
	for _, e := range s.find(t).Evidence {
		got = append(got, fmt.Sprintf("%s %s %s %#x %#x", e.Kind, e.Meaning, e.Name, e.Address, e.Value))
	}
	want := []string{
		"register interrupted rax 0x0 0xfffffffffffffe00", "code system_call  0x401000 0xca", "register operation rsi 0x0 0x80",
		"register futex rdi 0x0 0x5000", "register expected rdx 0x0 0x2", "function waits_in pthread_mutex_lock 0x0 0x0",
		"word lock  0x5000 0x2", "word owner  0x5008 0x4d",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
