package unwind

// A clue is a fact about a word of the stack that could be a return address.
type clue uint8

const (
	byCall      clue = iota // a call precedes it
	byCaller                // that call leads to the frame's function
	tailCalled              // that call leads to a function that has tail calls of virtual functions at most
	strayCall               // that call leads to another function
	isText                  // it and the word beside it are text
	isEntry                 // a function begins there
	isAligned               // it is a multiple of 8
	isFar                   // many words are between it and the stack pointer
	isMisplaced             // the system's calls push no return address there
	isRepeated              // frames have it already, as callers of another module, too
	isBehindEnd             // the chain of frame records has ended
	leadsOn                 // the rules there lead to a return address
	leadsAway               // the rules there lead to an address outside of every module
	linksUp                 // the word below links to a frame record
)

// clues have a weight and the reason for it. The first word with at least the weight accepted is the return address, unless an earlier word has
// nearly as much. A word that has less counts if no other word does, and not at all if it has less than refused.
var clues = [...]struct {
	weight int
	reason string
}{
	byCall:      {2, "the code before it is a call"},
	byCaller:    {6, "the call before it leads to this function"},
	tailCalled:  {-5, "the call before it leads to another function, which jumps to an unknown address"},
	strayCall:   {-9, "it is left over: the call before it leads elsewhere"},
	isText:      {-9, "it is part of a text"},
	isEntry:     {-3, "a function begins there, as at a pointer to it"},
	isAligned:   {-2, "it is a multiple of 8, as pointers are and one of 8 return addresses"},
	isFar:       {-2, "it is far above the stack pointer"},
	isMisplaced: {-4, "return addresses are elsewhere, because frames are aligned"},
	isRepeated:  {-9, "four frames of this stack have it already, and it called another module"},
	isBehindEnd: {-2, "the chain of frame records ended before it"},
	leadsOn:     {4, "the rules there lead to a return address"},
	leadsAway:   {-6, "the rules there lead to an address outside of every module"},
	linksUp:     {4, "the word below it points to a frame record"},
}

const (
	anyWord  = 4 // the weight of a plausible word without clues
	accepted = 2
	refused  = 1
	nearly   = 6  // a word of this much more weight is preferred to an earlier one
	farWords = 34 // see isFar
	repeats  = 4  // see isRepeated
)

// weigh returns the weight of a plausible return address v at an address on the stack, as the caller of a frame.
func (w *walk) weigh(f *Frame, at, v uint64) int {
	weight := anyWord
	add := func(c clue, holds bool) {
		if holds {
			weight += clues[c].weight
			w.say("%#x at %#x: "+clues[c].reason, v, at)
		}
	}
	insn, called := w.callBefore(v)
	lead, entry, leads := w.lead(f, v), w.entersAt(v), w.leadsFrom(f, at, v)
	unproved := entry == unknown && called == unknown
	add(byCaller, lead == here)
	add(tailCalled, lead == hardly)
	add(strayCall, lead == elsewhere)
	add(byCall, called == yes)
	add(isText, w.inText(at, v))
	add(isEntry, entry == yes && called != yes && w.trampolineAt(v) == nil)
	add(isAligned, unproved && v%8 == 0 && w.isa != nil && w.isa.Min == 1)
	add(isFar, unproved && at-f.spOf(w.SP) >= uint64(farWords*w.Word))
	add(isMisplaced, w.misplaced(at))
	add(isRepeated, (called != yes || insn.HasTarget) && w.calledElsewhere(f, v))
	add(isBehindEnd, f.FoundBy == ByFramePointer && w.noRecords(f))
	add(leadsOn, leads == yes && lead != hardly)
	add(leadsAway, leads == no)
	add(linksUp, weight < accepted && lead != hardly && w.linksOn(at))
	return weight
}

// calledElsewhere reports whether frames have a return address already, at least one of them as the caller of another module than a frame's. A call of a
// function by its address leads to one module, and a saved register or a pointer is left over many times.
func (w *walk) calledElsewhere(f *Frame, v uint64) bool {
	have, elsewhere := 0, false
	for i := 1; i < len(w.frames); i++ {
		if w.frames[i].ReturnAddress == v {
			have++
			elsewhere = elsewhere || w.frames[i-1].Module != f.Module
		}
	}
	return elsewhere && have >= repeats
}

// entersAt reports whether a function begins at an address, by symbols and unwind rules. It is unknown without both.
func (w *walk) entersAt(addr uint64) answer {
	rules, rel := w.rulesAt(w.in.Modules.At(addr-1), addr)
	if rules == nil {
		return unknown
	}
	if begins(rules, rel) {
		return yes
	}
	if _, covered := rules.CallFrame(rel - 1); covered || rules.HasNames() {
		return no
	}
	return unknown
}

// misplaced reports whether calls leave no return address at an address on the stack, because frames have a certain alignment. Made stacks need
// not have it, but a system captures a stack up to the end of a page.
func (w *walk) misplaced(at uint64) bool {
	if w.frameAlign == nil {
		return false
	}
	align := w.frameAlign(w.in.OS)
	if align == 0 || at%align == align-uint64(w.Word) {
		return false
	}
	r, ok := w.in.Memory.(Ranger)
	if !ok {
		return false
	}
	base, size, ok := r.Range(at)
	if !ok || (base+size)%4096 != 0 {
		return false
	}
	_, ok = w.word(base + size - uint64(w.Word)) // a smaller copy of the dump has it, too
	return ok
}

// inText reports whether a word on the stack continues the text of the word before it, or is full of text itself that goes on behind it. Libraries of
// 32-bit Android may lie where every address is printable, and several return addresses may follow each other.
func (w *walk) inText(at, v uint64) bool {
	if !w.isPrintable(v, false) {
		return false
	}
	text := func(at uint64, full bool) bool {
		v, ok := w.peek(at)
		return ok && !w.blank && w.isPrintable(v, full) && !w.plausible(v)
	}
	word := uint64(w.Word)
	return text(at-word, true) || w.isPrintable(v, true) && text(at+word, false)
}

// isPrintable reports whether the bytes of a word are printable characters of ASCII or UTF-16. They may end with zeros if it need not be full.
func (w *walk) isPrintable(v uint64, full bool) bool {
	printable := func(c uint64) bool { return c >= ' ' && c <= '~' }
	for _, size := range []int{1, 2} {
		n, rest := 0, v
		for ; n < w.Word && printable(rest&(1<<(8*size)-1)); n += size {
			rest >>= 8 * size
		}
		if n == w.Word || !full && n >= 2*size && rest == 0 {
			return true
		}
	}
	return false
}

// leadsFrom reports whether the call frame rules at a return address lead to another one or outside, if the caller's frame begins behind it. Rules that
// do not count from the stack pointer prove nothing if they fail: other registers of a guessed frame are mostly unknown.
func (w *walk) leadsFrom(f *Frame, at, v uint64) answer {
	frame, ok := w.callFrameAt(w.moduleAt(v-1), v-1)
	if !ok || frame.Signal || frame.AtCalls {
		return unknown
	}
	cfa, okCFA := Find(frame.Rules, CFA)
	ra, okRA := Find(frame.Rules, RA)
	if !okCFA || !okRA || ra.IsLost() {
		return unknown
	}
	d := w.guess(f, at)
	d.rules = append([]Rule(nil), d.rules...)
	c, ok := w.try(f, &d)
	if !ok {
		return unknown
	}
	up, ok := w.try(&c, &decision{rules: frame.Rules, keep: w.CalleeSaved, trust: CFI})
	pc := up.ReturnAddress
	switch {
	case ok && up.base > c.base && w.runs(pc):
		return yes
	case !ok || !w.outside(pc) || cfa.Expr != nil || cfa.Load || !w.isSP(cfa.Base):
		return unknown
	}
	return no
}

func (w *walk) isSP(name string) bool {
	reg, ok := w.Reg(name)
	return ok && reg == w.SP
}
