package crash

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/funcname"
)

// muslAllocator are the functions of musl's allocators that check their bookkeeping.
// Source: musl, src/malloc/mallocng (meta.h, free.c, realloc.c, malloc.c) and src/malloc/oldmalloc/malloc.c.
var muslAllocator = meaning{names: []string{
	"free", "__libc_free", "realloc", "__libc_realloc", "malloc", "__libc_malloc", "__libc_malloc_impl", "calloc", "aligned_alloc", "malloc_usable_size",
	"get_meta", "get_nominal_size", "nontrivial_free", "free_group", "alloc_slot", "alloc_group", "alloc_meta", "enframe", "unbin", "bin_chunk",
}}

// muslDepth is the number of frames, inlined calls among them, in which the allocator executes a_crash.
const muslDepth = 6

// findMusl recognizes a_crash, with which musl ends a program without a message: where its allocator finds its bookkeeping damaged, and
// where the guard value of a stack is wrong. Source: musl, arch/*/atomic_arch.h and src/internal/atomic.h (a_crash).
func (s *facts) findMusl() []candidate {
	crashed, sure := s.muslCrash()
	if !crashed {
		return nil
	}
	f := Finding{Kind: Aborted, Text: "Deliberate crash in musl", Confidence: nearStrength, Evidence: []string{s.muslEvidence(),
		"musl does so where its allocator finds damage, a stack's guard value was overwritten, or abort cannot end the program."}}
	switch allocator := s.frameOf(&muslAllocator, muslDepth, true); {
	case s.frameNamed("__stack_chk_fail*") != nil:
		return nil // which says it
	case allocator != nil:
		f.Kind, f.Text, f.Confidence = HeapCorrupt, "Heap corruption", 1
		f.Evidence = []string{"Heap corruption found by musl: a block was freed twice, was not allocated, or was written beyond its end. " +
			"The allocator found its bookkeeping damaged. What damaged it ran earlier.",
			s.muslEvidence(), onStack(allocator) + "."}
	case !sure:
		return nil
	}
	return explanation(f)
}

// muslCrash reports whether the instruction of a_crash failed: hlt on x86, an undefined one on ARM, and elsewhere a write of one byte to
// address 0. sure says that the code belongs to musl, by the name of its module.
func (s *facts) muslCrash() (crashed, sure bool) {
	if !s.in.OS.IsLinux() || s.in.OS.IsAndroid() || len(s.in.Frames) == 0 {
		return false, false
	}
	name := s.in.Frames[0].module()
	sure = name == "libc.so" || slices.ContainsFunc([]string{"ld-musl-", "libc.musl-"}, func(p string) bool { return strings.HasPrefix(name, p) })
	switch {
	case s.in.Arch.IsX86():
		return s.protectionFault() && s.decoded && s.Inst.Mnemonic == "hlt", sure
	case s.in.Arch.IsARM():
		return sure && s.signal() == sigILL && s.decoded && s.isTrap(), sure
	}
	f := &s.fault
	return sure && f.memory && f.known && f.addr == 0 && f.access == cpu.Write, sure
}

func (s *facts) muslEvidence() string {
	return fmt.Sprintf("`%s` is musl's a_crash, with which it ends a program on purpose.", s.Instruction)
}

// behindAllocator returns the first frame that is not one of the allocator's, or 0: it may be compiled into the program.
func behindAllocator(frames []Row) int {
	return max(0, slices.IndexFunc(frames[:min(len(frames), muslDepth)], func(r Row) bool {
		return !slices.Contains(muslAllocator.names, funcname.Plain(r.function()))
	}))
}
