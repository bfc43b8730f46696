package waits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// A thread waits in a system call only if its registers and its code prove it. Each case lacks one
// part of the proof, or has it from another source.
func TestProofOfTheCall(t *testing.T) {
	const (
		mutexArgs = "rdi=5000 rsi=80 rdx=2"
		arm64Args = "x8=62 x0=5000 x1=80 x2=2"
		held      = "mutex 0x5000 glibc held 77"
	)
	lock := glibcMutexOf(2, 77)
	play(t, []scene{
		{
			name: "a call that returned 202, the number of futex", arch: &cpu.AMD64, os: "linux", regs: "rip=401007 rax=ca " + mutexArgs,
			memory: pieces{code: futexCall(), 0x5000: lock}, want: "nothing",
		},
		{
			name: "a call that is still to be made", arch: &cpu.AMD64, os: "linux", regs: "rip=401005 rax=ca " + mutexArgs,
			memory: pieces{code: futexCall(), 0x5000: lock}, want: "nothing",
		},
		{
			name: "the kernel's mark behind another instruction", arch: &cpu.AMD64, os: "linux", regs: behindFutex + mutexArgs,
			memory: pieces{code: asm.At(code).U8(0xb8).U32(202).U8(0x90, 0x90), 0x5000: lock}, want: "nothing",
		},
		{
			name: "the same on another system, whose numbers differ", arch: &cpu.AMD64, os: "mac", regs: behindFutex + mutexArgs,
			memory: pieces{code: futexCall(), 0x5000: lock}, want: "nothing",
		},
		{
			name: "arm64 at another instruction", arch: &cpu.ARM64, os: "linux", regs: "pc=401000 " + arm64Args,
			memory: pieces{code: asm.At(code).U32(0xd503_201f), 0x5000: lock}, want: "nothing",
		},
		{
			name: "arm64 at the instruction, with the kernel's number", arch: &cpu.ARM64, os: "linux", regs: "pc=401000 " + arm64Args, call: 98,
			memory: pieces{code: futexARM64(), 0x5000: lock}, want: held,
		},
		{
			name: "arm64 behind a read, without the mark", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=3f x0=5",
			memory: pieces{code: futexARM64()}, want: "nothing",
		},
		{
			name: "arm64 behind a read, whose arguments look like those of a futex", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=3f x0=5000 x1=80 x2=2",
			memory: pieces{code: futexARM64(), 0x5000: lock}, want: "nothing",
		},
		{
			name: "arm64 behind a read, with the mark: the descriptor is gone", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=3f x0=fffffffffffffe00",
			memory: pieces{code: futexARM64()}, want: "read none",
		},
		{
			name: "a call that does not block", arch: &cpu.AMD64, os: "linux", regs: behindFutex, call: 39, // getpid
			memory: pieces{code: futexCall()}, want: "nothing",
		},
		{
			name: "a descriptor of 32 bits", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=dead0000ffffffff", call: 45,
			memory: pieces{code: futexCall()}, want: "read fd -1 none",
		},
		{
			name: "an expected value of 32 bits", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=deadbeef00000002",
			memory: pieces{code: futexCall(), 0x5000: lock}, want: held,
		},
		{
			name: "an unknown number does not prove a futex with priority inheritance", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rcx=401007 rdi=5000 rsi=86 rdx=2",
			memory: pieces{0x5000: asm.At(0x5000).U32(0x8000_004d)}, want: "nothing",
		},
		{
			name: "Rust's mutex, whose address is gone", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=62 x0=fffffffffffffe00 x1=80 x2=2",
			functions: "syscall std::sys::sync::mutex::futex::Mutex::lock_contended", module: "libc.so.6",
			memory: pieces{code: futexARM64()}, want: "mutex rust not_recorded",
		},
		{
			name: "glibc's mutex, whose address is gone", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=62 x0=fffffffffffffe00 x1=80 x2=2",
			functions: "__lll_lock_wait pthread_mutex_lock", module: "libc.so.6",
			memory: pieces{code: futexARM64()}, want: "mutex glibc not_found",
		},
	})
}

// On amd64 the instruction leaves the return address in rcx. Two unknown registers are not equal.
func TestReturnAddressInRCX(t *testing.T) {
	for registers, want := range map[string]string{
		"rip=401007 rcx=401007": "mutex 0x5000 glibc held 77",
		"rip=401007 rcx=401008": "nothing",
		"rip=0":                 "nothing",
		"rcx=0":                 "nothing",
		"":                      "nothing",
	} {
		s := scene{arch: &cpu.AMD64, os: "linux", regs: registers + " rax=fffffffffffffe00 rdi=5000 rsi=80 rdx=2", memory: pieces{0x5000: glibcMutexOf(2, 77)}}
		if got := text(s.find(t)); got != want {
			t.Errorf("%q: %s, want %s", registers, got, want)
		}
	}
}

// The kernel's marks are the errors of a call that is interrupted or restarted.
// Source: include/linux/errno.h; ERESTARTNOHAND is 514, ERESTART_RESTARTBLOCK 516.
func TestMarks(t *testing.T) {
	for result, want := range map[int64]string{
		-4: "futex 0x5000 none", -512: "futex 0x5000 none", -513: "futex 0x5000 none", -514: "futex 0x5000 none", -516: "futex 0x5000 none",
		-515: "nothing", // ENOIOCTLCMD
		-11:  "nothing", // EAGAIN: the word had changed
		-110: "nothing", // ETIMEDOUT
		4:    "nothing",
	} {
		s := scene{arch: &cpu.AMD64, os: "linux", regs: fmt.Sprintf("rip=401007 rax=%x rdi=5000 rsi=80 rdx=2", uint64(result)), memory: pieces{code: futexCall()}}
		if got := text(s.find(t)); got != want {
			t.Errorf("%d: %s, want %s", result, got, want)
		}
	}
}

// Every CPU with numbers of calls has a convention, and the other way round.
func TestConventions(t *testing.T) {
	for _, arch := range cpu.All() {
		if (cpu.LinuxCalls(arch) != nil) != (len(blockingCalls()[arch]) > 0) {
			t.Errorf("%s: a convention %+v, and %d calls", arch.Name, cpu.LinuxCalls(arch), len(blockingCalls()[arch]))
		}
	}
}

// Numbers that no table has are of no call that blocks.
func TestBlockingCall(t *testing.T) {
	for _, arch := range cpu.All() {
		found := map[string]bool{}
		for i, call := range blockingCalls()[arch] {
			if got, blocks := blockingCall(arch, i); !blocks || got != call || got.name == "" || got.kind == "" || i >= 1<<10 {
				t.Errorf("%s, %d: %+v, %v", arch.Name, i, got, blocks)
			}
			found[call.name] = true
		}
		if cpu.LinuxCalls(arch) != nil && (!found["futex"] || !found["read"] || !found["io_uring_enter"]) {
			t.Errorf("%s has no futex, read or io_uring_enter", arch.Name)
		}
		for _, number := range []uint64{1 << 10, 1 << 32, 1<<64 - 1} {
			if got, blocks := blockingCall(arch, number); blocks {
				t.Errorf("%s, %d: %+v", arch.Name, number, got)
			}
		}
	}
	if got, blocks := blockingCall(&cpu.AMD64, 202); !blocks || got != (blocking{name: "futex", kind: Futex}) {
		t.Errorf("%+v", got)
	}
}

// evidence returns the evidence of a wait, a line each.
func evidence(w *Wait) []string {
	var out []string
	if w == nil {
		return out
	}
	for _, e := range w.Evidence {
		line := fmt.Sprintf("%s %s", e.Kind, e.Meaning)
		switch e.Kind {
		case Register:
			line += fmt.Sprintf(" %s=%#x", e.Name, e.Value)
		case Word:
			line += fmt.Sprintf(" %d bytes at %#x: %#x", e.Size, e.Address, e.Value)
		case Code:
			line += fmt.Sprintf(" at %#x: %#x", e.Address, e.Value)
		case Function:
			line += fmt.Sprintf(" %s in frame %d", e.Name, e.Frame)
		case Number:
			line += fmt.Sprintf(" %#x", e.Value)
		}
		out = append(out, line)
	}
	return out
}

// Each wait has all its observations, and no others.
func TestEvidenceOfEachProof(t *testing.T) {
	for _, tt := range []struct {
		scene
		want []string
	}{
		{
			scene{
				name: "four words of a mutex", arch: &cpu.AMD64, os: "linux", regs: behindFutex + "rdi=5000 rsi=80 rdx=2", call: 202,
				memory: pieces{code: futexCall(), 0x5000: glibcMutexOf(2, 77)},
			},
			[]string{
				"register interrupted rax=0xfffffffffffffe00", "kernel system_call 0xca", "register operation rsi=0x80", "register futex rdi=0x5000", "register expected rdx=0x2",
				"word lock 4 bytes at 0x5000: 0x2", "word owner 4 bytes at 0x5008: 0x4d", "word users 4 bytes at 0x500c: 0x1", "word lock_kind 4 bytes at 0x5010: 0x0",
			},
		},
		{
			scene{
				name: "a thread's block", arch: &cpu.AMD64, os: "linux", regs: "rip=401008 rax=fffffffffffffe00 rdi=52d0 rsi=109 rdx=4d",
				memory: pieces{code: asm.At(code).U8(0x90, 0xb8).U32(202).U8(0x0f, 0x05), 0x52d0: asm.At(0x52d0).U32(77), 0x5010: asm.At(0x5010).U64(0x5000)},
			},
			[]string{
				"register interrupted rax=0xfffffffffffffe00", "code system_call at 0x401001: 0xca", "register operation rsi=0x109", "register futex rdi=0x52d0", "register expected rdx=0x4d",
				"word thread_id 4 bytes at 0x52d0: 0x4d", "word self 8 bytes at 0x5010: 0x5000",
			},
		},
		{
			scene{
				name: "the call is at the program counter", arch: &cpu.ARM64, os: "linux", regs: "pc=401000 x8=3f x0=5", functions: "read", module: "libc.so.6",
				memory: pieces{code: futexARM64()},
			},
			[]string{"register system_call x8=0x3f", "register descriptor x0=0x5"},
		},
		{
			scene{
				name: "a futex without the mark", arch: &cpu.ARM64, os: "linux", regs: "pc=401004 x8=62 x0=5000 x1=80 x2=2",
				memory: pieces{code: futexARM64(), 0x5000: glibcMutexOf(2, 77)},
			},
			[]string{
				"register system_call x8=0x62", "register operation x1=0x80", "register futex x0=0x5000", "register expected x2=0x2",
				"word lock 4 bytes at 0x5000: 0x2", "word owner 4 bytes at 0x5008: 0x4d", "word users 4 bytes at 0x500c: 0x1", "word lock_kind 4 bytes at 0x5010: 0x0",
			},
		},
		{
			scene{
				name: "a critical section", arch: &cpu.AMD64, os: "windows", regs: "rip=401014 rsp=9000 rbx=5000", functions: "NtWaitForAlertByThreadId RtlpWaitOnCriticalSection",
				memory: pieces{0x5000: asm.At(0x5000).U64(^uint64(0)).U32(0xffff_fffe, 2).U64(77, 0, 0)},
			},
			[]string{
				"function waits_in RtlpWaitOnCriticalSection in frame 1", "word recursion 4 bytes at 0x500c: 0x2", "word owner 4 bytes at 0x5010: 0x4d",
			},
		},
	} {
		if got := evidence(tt.find(t)); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}
