package crash

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A poison is a value that is written into memory on purpose, so that its
// use is noticed.
type poison struct {
	value  uint32 // the pattern of four bytes
	state  string // the state of memory with it
	by     string // the programs that write it
	module string // a part of the name of the library that writes it; "" if programs may contain it
}

// loads reports whether a module's name has a text.
func (s *facts) loads(part string) bool {
	return slices.ContainsFunc(s.in.Modules.Modules(), func(m module.Module) bool { return strings.Contains(m.Name(), part) })
}

// poisons are the known patterns, and the programs that write them.
//
// Sources: Visual C++'s dbgint.h and Windows' heap (0xabababab to 0xfeeefeee);
// jemalloc's junk (jemalloc.3), mozjemalloc; Chromium's
// partition_alloc_constants.h; malloc(3) of macOS (MallocScribble,
// MallocPreScribble) and OpenBSD; clang's -ftrivial-auto-var-init; ASan's
// max_malloc_fill; Linux' list poison.
var poisons = sync.OnceValue(func() (out []poison) {
	for _, row := range codes()["poisons"] {
		c := strings.Split(row.text, "|")
		out = append(out, poison{row.code, c[0], c[1], c[2]})
	}
	return out
})

// The states of memory that poison marks.
const (
	freed         = "freed"
	uninitialised = "uninitialised"
	outside       = "no-man's-land"
)

var poisonTexts = map[string]string{
	freed: "Use of freed memory", uninitialised: "Use of uninitialised memory", outside: "Read beyond an allocation",
}

// findPoison recognizes poison in the address, or in the register that it was computed from.
func (s *facts) findPoison() []candidate {
	f := &s.fault
	if !f.memory {
		return nil
	}
	if reg, v, ok := s.pointer(); ok {
		if p, whole := findPoison(v, s.in.Arch.Word, 0); p != nil {
			return s.poisoned(p, v, "Register "+s.in.Arch.RegName(reg), whole)
		}
		if g := s.freedChunk(v); g != nil {
			why := fmt.Sprintf("Register %s holds %s, probably read from a freed block of the heap. "+
				"glibc stores the block's own address there, shifted right by 12 bits, and the value matches the writable memory at %s.",
				s.in.Arch.RegName(reg), hex(v), hex(g.Start))
			return explanation(Finding{Kind: Poison, Text: poisonTexts[freed], Confidence: 0.9, Evidence: s.evidence(why)})
		}
	}
	if f.known && s.in.Arch != nil {
		if p, whole := findPoison(f.addr, s.in.Arch.Word, nearby); p != nil {
			return s.poisoned(p, f.addr, "The address", whole)
		}
	}
	return nil
}

// freedChunk returns the heap of which a value, up to an offset, is the number of a page, or nil. Since glibc 2.32, the first word of the last
// block in a list of freed memory is its own address, shifted by 12, in place of a null pointer. Source: glibc, malloc/malloc.c (PROTECT_PTR).
func (s *facts) freedChunk(v uint64) *process.Region {
	const least, most, offsets = 1 << 20, 1 << 36, 32
	if !s.in.OS.IsLinux() || v < least || v >= most || !s.unmapped(v) || !s.loads("libc.so.6") && !s.loads("libc-2.") {
		return nil
	}
	for i := range uint64(offsets) {
		page := (v - 8*i) << 12
		if g := s.regionAt(page); g != nil && g.Allows('w') && !g.Allows('x') && s.in.Modules.IndexAt(page) < 0 && !g.Contains(s.regs.Value(s.in.Arch.SP)) {
			return g
		}
	}
	return nil
}

// findFreed recognizes an access that failed in the function that frees or resizes memory, where it reads what lies in front of it.
func (s *facts) findFreed() []candidate {
	f := &s.fault
	if !f.memory || f.op < 0 || f.access == execute || len(s.in.Frames) == 0 {
		return nil
	}
	first := s.freeing()
	if first == nil {
		return nil
	}
	why := fmt.Sprintf("`%s` failed. Probably the allocator did not allocate the memory, or what lies in front of it was overwritten.", first.name())
	return explanation(Finding{Kind: HeapCorrupt, Text: "Invalid pointer freed", Confidence: 0.8, Evidence: s.evidence(why)})
}

// freeing returns the frame of the function that frees or resizes memory, if it failed itself or in what it calls: that of Windows calls others
// of its module, and that of musl reads the block's group first.
func (s *facts) freeing() *Row {
	names := []string{"free", "cfree", "__libc_free", "realloc", "__libc_realloc"}
	depth := 1
	switch {
	case s.in.OS.IsWindows():
		names, depth = []string{"RtlFreeHeap", "RtlReAllocateHeap"}, freeDepth
	case !s.in.OS.IsLinux():
		return nil
	case slices.Contains(muslFreeing, s.plainName(0)):
		depth = muslDepth
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), depth)] {
		f := &s.in.Frames[i]
		if !s.isSystem(f) && depth != muslDepth || f.Guess || f.module() != s.in.Frames[0].module() {
			break
		}
		if f.certain() && slices.Contains(names, s.plainName(i)) {
			return f
		}
	}
	return nil
}

// freeDepth is the number of frames of ntdll that are searched for the function that frees memory.
const freeDepth = 8

// muslFreeing are functions of musl that free and realloc alone call. Source: musl, src/malloc/mallocng (meta.h, free.c).
var muslFreeing = []string{"get_meta", "get_nominal_size", "nontrivial_free", "free_group"}

// poisoned reports poison. Poison in half a register may be a coincidence, or a 32-bit value.
func (s *facts) poisoned(p *poison, v uint64, where string, whole bool) []candidate {
	by := p.by
	if p.module != "" && !s.loads(p.module) {
		whole, by = false, by+", of which no library is loaded"
	}
	finding := Finding{Kind: Poison, Text: poisonTexts[p.state], Confidence: 0.9, Evidence: s.evidence(
		fmt.Sprintf("%s holds %s: %s memory is filled with that by %s.", where, hex(v), p.state, by))}
	if !whole {
		finding.Confidence = 0.6
	}
	return explanation(finding)
}

// findPoison finds the pattern that equals v or lies at most reach below it. whole says whether all
// of v is poison.
func findPoison(v uint64, word int, reach uint64) (p *poison, whole bool) {
	for i := range poisons() {
		p := &poisons()[i]
		full := uint64(p.value)
		if word == 8 {
			full |= full << 32
		}
		if v-full <= reach {
			return p, true
		}
		// A 32-bit value in a 64-bit register, with or without its sign.
		if word == 8 && (v-uint64(p.value) <= reach || v-uint64(int64(int32(p.value))) <= reach) {
			return p, false
		}
	}
	return nil, false
}

// findText recognizes text in place of a pointer, which a string has probably overwritten.
func (s *facts) findText() []candidate {
	f := &s.fault
	if !f.memory || s.in.Arch == nil {
		return nil
	}
	if reg, ok := s.removedText(); ok {
		return explanation(Finding{Kind: TextAsPointer, Text: "Text used as a pointer", Confidence: textConfidence(s.in.Arch.Word),
			Evidence: s.evidence(fmt.Sprintf("Register %s held text, which was removed from this file: most likely a string was written over a pointer.", s.in.Arch.RegName(reg)))})
	}
	v, where := f.addr, "The address"
	if reg, r, ok := s.pointer(); ok {
		v, where = r, "Register "+s.in.Arch.RegName(reg)
	} else if !f.known {
		return nil
	}
	text, ok := s.text(v)
	if !ok {
		return nil
	}
	if f.access == execute && s.returns() {
		return explanation(Finding{Kind: TextAsPointer, Text: "Return address overwritten", Confidence: textConfidence(s.in.Arch.Word),
			Evidence: s.evidence(fmt.Sprintf("The return address on the stack is %s, the bytes of %q: most likely a string was written over it.", hex(v), text))})
	}
	return explanation(Finding{Kind: TextAsPointer, Text: "Text used as a pointer", Confidence: textConfidence(s.in.Arch.Word),
		Evidence: s.evidence(fmt.Sprintf("%s holds %s, the bytes of %q: most likely a string was written over a pointer.", where, hex(v), text))})
}

// textConfidence: one in 54 random addresses has four printable bytes.
func textConfidence(word int) float32 {
	if word == 8 {
		return 0.9
	}
	return 0.7
}

// shortText returns an address of 64 bits that nothing is mapped at as text that a zero ends, or "". A longer text is no canonical address, so that
// no processor goes there.
func (s *facts) shortText(v uint64) string {
	const letters = 6
	if s.in.Arch.Word != 8 || s.in.Arch.MostlyBigEndian() || s.mapped(v) {
		return ""
	}
	text, ok := s.text(v | 0x2020<<(8*letters))
	if !ok || v>>(8*letters) != 0 {
		return ""
	}
	return text[:letters]
}

// text returns a word as text, if all its bytes are printable ASCII.
func (s *facts) text(v uint64) (string, bool) {
	b := make([]byte, s.in.Arch.Word)
	for i := range b {
		c := byte(v >> (8 * i))
		if c < 0x20 || c > 0x7e {
			return "", false
		}
		if s.in.Arch.MostlyBigEndian() {
			b[len(b)-1-i] = c
		} else {
			b[i] = c
		}
	}
	return string(b), true
}
