package crash

import (
	"fmt"
)

// A poison is a value that is written into memory on purpose, so that its
// use is noticed.
type poison struct {
	value uint32 // the pattern of four bytes
	state string // the state of memory with it
	by    string // the programs that write it
}

// poisons lists the known patterns, and the programs that write them.
//
// Sources: Visual C++'s dbgint.h and Windows' heap (0xabababab to 0xfeeefeee);
// jemalloc's junk (jemalloc.3), mozjemalloc; Chromium's
// partition_alloc_constants.h; malloc(3) of macOS (MallocScribble,
// MallocPreScribble) and OpenBSD; clang's -ftrivial-auto-var-init; ASan's
// max_malloc_fill; Linux' list poison.
var poisons = []poison{
	{0xdddddddd, freed, "the debug heap of Visual C++"},
	{0xfeeefeee, freed, "the heap of Windows under a debugger"},
	{0xe5e5e5e5, freed, "mozjemalloc"},
	{0x5a5a5a5a, freed, "jemalloc"},
	{0x55555555, freed, "MallocScribble of macOS"},
	{0xefefefef, freed, "Chromium's PartitionAlloc (quarantine)"},
	{0xdfdfdfdf, freed, "malloc of OpenBSD"},
	{0xdeadbeef, freed, "various programs"},
	{0xdeaddead, freed, "the Go runtime and various programs"},
	{0x2b2b2b2b, freed, "SpiderMonkey's garbage collector"},
	{0x2f2f2f2f, freed, "SpiderMonkey's garbage collector"},
	{0x4b4b4b4b, freed, "SpiderMonkey's garbage collector"},
	{0x4d4d4d4d, freed, "SpiderMonkey's garbage collector"},

	{0xcdcdcdcd, uninitialised, "the debug heap of Visual C++, or freed by Chromium's PartitionAlloc"},
	{0xbaadf00d, uninitialised, "the heap of Windows under a debugger"},
	{0xa5a5a5a5, uninitialised, "jemalloc"},
	{0xaaaaaaaa, uninitialised, "MallocPreScribble of macOS, or clang for local variables"},
	{0xcccccccc, uninitialised, "Visual C++ for local variables"},
	{0xbebebebe, uninitialised, "AddressSanitizer"},
	{0xdbdbdbdb, uninitialised, "malloc of OpenBSD"},
	{0xfefefefe, uninitialised, "the safe string functions of Visual C++"},

	{0xfdfdfdfd, outside, "the debug heap of Visual C++"},
	{0xabababab, outside, "the heap of Windows under a debugger, or uninitialised by Chromium's PartitionAlloc"},
	{0xbdbdbdbd, outside, "the heap of Windows"},
}

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
	}
	if f.known && s.in.Arch != nil {
		if p, whole := findPoison(f.addr, s.in.Arch.Word, nearby); p != nil {
			return s.poisoned(p, f.addr, "The address", whole)
		}
	}
	return nil
}

// poisoned reports poison. Poison in half a register may be a coincidence, or a 32-bit value.
func (s *facts) poisoned(p *poison, v uint64, where string, whole bool) []candidate {
	finding := Finding{Kind: Poison, Text: poisonTexts[p.state], Confidence: 0.9, Evidence: s.evidence(
		fmt.Sprintf("%s holds %s: %s memory is filled with that by %s.", where, hex(v), p.state, p.by))}
	if !whole {
		finding.Confidence = 0.6
	}
	return explanation(finding)
}

// findPoison finds the pattern that equals v or lies at most reach below it. whole says whether all
// of v is poison.
func findPoison(v uint64, word int, reach uint64) (p *poison, whole bool) {
	for i := range poisons {
		p := &poisons[i]
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
