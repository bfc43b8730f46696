package waits

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"crashglass/core/machine/cpu"
)

// A blocking is a system call that can block.
type blocking struct {
	name string
	kind Kind
	fd   bool // its first argument is the file descriptor of the wait
}

//go:embed calls.txt
var callsText string

// blockingCalls returns the system calls of Linux that block on a CPU, by their numbers. A line of the text has the name, the kind, "fd" or
// "-", and the numbers on amd64, x86, arm, and on CPUs with generic numbers.
//
// Sources: Linux, arch/x86/entry/syscalls/syscall_64.tbl and syscall_32.tbl,
// arch/arm/tools/syscall.tbl, include/uapi/asm-generic/unistd.h.
var blockingCalls = sync.OnceValue(func() map[*cpu.Arch]map[uint64]blocking {
	generic := map[uint64]blocking{}
	out := map[*cpu.Arch]map[uint64]blocking{&cpu.AMD64: {}, &cpu.X86: {}, &cpu.ARM: {}, &cpu.ARM64: generic, &cpu.RISCV64: generic, &cpu.RISCV: generic}
	for line := range strings.Lines(callsText) {
		words := strings.Fields(line)
		for i, arch := range []*cpu.Arch{&cpu.AMD64, &cpu.X86, &cpu.ARM, &cpu.ARM64} {
			for number := range strings.SplitSeq(words[3+i], ",") {
				if n, err := strconv.ParseUint(number, 10, 64); err == nil {
					out[arch][n] = blocking{words[0], Kind(words[1]), words[2] == "fd"}
				}
			}
		}
	}
	return out
})

// blockingCall returns the system call of Linux with a number on a CPU, if it can block.
func blockingCall(arch *cpu.Arch, number uint64) (blocking, bool) {
	call, ok := blockingCalls()[arch][number]
	return call, ok
}
