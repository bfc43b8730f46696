package waits

import "crashglass/core/funcname"

// RTL_CRITICAL_SECTION by the size of addresses, and its debug record.
// Source: winnt.h, RTL_CRITICAL_SECTION and RTL_CRITICAL_SECTION_DEBUG.
var sections = map[int]struct{ recursion, owner, back uint64 }{
	8: {12, 16, 8},
	4: {8, 12, 4},
}

const (
	sectionWords = 128     // words of the stack that are examined
	mostLevels   = 1 << 16 // the largest plausible recursion count
)

// criticalSection finds the section that a thread waits for. It is the only candidate that another
// thread of this process holds and whose debug record points back to it or is missing (-1, or not
// captured). Candidates are pointers in registers and in the waiting functions' frames.
func (l *look) criticalSection() {
	found := map[uint64]bool{}
	for _, c := range l.candidates() {
		if l.isSection(c) {
			found[c] = true
		}
	}
	if len(found) != 1 {
		return
	}
	for c := range found {
		at := sections[l.Arch.Word]
		l.wait.Object = &c
		l.read(c+at.recursion, 4, Recursion)
		l.owner(c + at.owner)
	}
}

// candidates returns the values that the waiting functions use: callee-saved registers, and the
// words of their frames. Their number is bounded.
func (l *look) candidates() (out []uint64) {
	last := 0
	for i := range min(len(l.Frames), depth) {
		for _, name := range l.Frames[i].Functions {
			if meanings[funcname.C(name)].kind == CriticalSection {
				last = i + 1
			}
		}
	}
	for i := range min(last+1, len(l.Frames), depth) {
		if l.Frames[i].Regs == nil {
			continue
		}
		for _, v := range l.Frames[i].Regs.All() {
			out = append(out, v)
		}
	}
	return append(out, l.stackWords(last)...)
}

// stackWords returns the words from the innermost stack pointer to that of a frame.
func (l *look) stackWords(frame int) (out []uint64) {
	if frame >= len(l.Frames) || l.Frames[0].Regs == nil || l.Frames[frame].Regs == nil {
		return nil
	}
	size := uint64(l.Arch.Word)
	low, high := l.Frames[0].Regs.Value(l.Arch.SP), l.Frames[frame].Regs.Value(l.Arch.SP)
	for at := low; at < high && at-low < sectionWords*size; at += size {
		if v, ok := l.word(at, l.Arch.Word); ok {
			out = append(out, v)
		}
	}
	return out
}

// isSection reports whether a critical section that another thread holds is at
// an address.
func (l *look) isSection(addr uint64) bool {
	at, size := sections[l.Arch.Word], uint64(l.Arch.Word)
	recursion, ok1 := l.word(addr+at.recursion, 4)
	owner, ok2 := l.word(addr+at.owner, l.Arch.Word)
	debug, ok3 := l.word(addr, l.Arch.Word)
	holder, exists := l.index[uint32(owner)]
	if addr%size != 0 || !ok1 || !ok2 || !ok3 || owner>>32 != 0 || !exists || holder == l.self || recursion == 0 || recursion > mostLevels {
		return false
	}
	back, captured := l.word(debug+at.back, l.Arch.Word)
	return debug == l.Arch.Mask() || !captured || back == addr
}
