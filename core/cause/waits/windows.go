package waits

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
func (x *examination) criticalSection() {
	found := map[uint64]bool{}
	for _, c := range x.candidates() {
		if x.isSection(c) {
			found[c] = true
		}
	}
	if len(found) != 1 {
		return
	}
	for c := range found {
		at := sections[x.Arch.Word]
		x.wait.Object = &c
		x.read(c+at.recursion, 4, Recursion)
		x.owner(c + at.owner)
	}
}

// candidates returns the values that the waiting functions use: callee-saved registers, and the
// words of their frames. Their number is bounded.
func (x *examination) candidates() (out []uint64) {
	last := 0
	for i := range min(len(x.Frames), depth) {
		for _, name := range x.Frames[i].CertainNames() {
			if meaningOf(name).kind == CriticalSection {
				last = i + 1
			}
		}
	}
	for i := range min(last+1, len(x.Frames), depth) {
		for _, v := range x.Frames[i].Walked().Regs.All() {
			out = append(out, v)
		}
	}
	return append(out, x.stackWords(last)...)
}

// stackWords returns the words from the innermost stack pointer to that of a frame.
func (x *examination) stackWords(frame int) (out []uint64) {
	if frame >= len(x.Frames) {
		return nil
	}
	size := uint64(x.Arch.Word)
	low, high := x.Frames[0].Walked().Regs.Value(x.Arch.SP), x.Frames[frame].Walked().Regs.Value(x.Arch.SP)
	for at := low; at < high && at-low < sectionWords*size; at += size {
		if v, ok := x.word(at, x.Arch.Word); ok {
			out = append(out, v)
		}
	}
	return out
}

// isSection reports whether a critical section that another thread holds is at
// an address.
func (x *examination) isSection(addr uint64) bool {
	at, size := sections[x.Arch.Word], uint64(x.Arch.Word)
	recursion, ok1 := x.word(addr+at.recursion, 4)
	owner, ok2 := x.word(addr+at.owner, x.Arch.Word)
	debug, ok3 := x.word(addr, x.Arch.Word)
	holder, exists := x.index[uint32(owner)]
	if addr%size != 0 || !ok1 || !ok2 || !ok3 || owner>>32 != 0 || !exists || holder == x.self || recursion == 0 || recursion > mostLevels {
		return false
	}
	back, captured := x.word(debug+at.back, x.Arch.Word)
	return debug == x.Arch.Mask() || !captured || back == addr
}
