package unwind

import "crashglass/core/process"

// A Shadow is a thread's shadow stack: a second stack, which only calls, returns and the kernel write. Its words are the return
// addresses of all calls that have not returned, innermost first.
//
// Sources: Intel SDM, volume 1, chapter 17; Linux, Documentation/arch/x86/shstk.rst and Documentation/arch/arm64/gcs.rst.
type Shadow struct {
	Pointer uint64 // its top: the address of the newest return address; 0 when there is none
	End     uint64 // the end of its mapping; 0 when unknown
}

// Words that are no return addresses.
//
// Sources: Linux, arch/x86/kernel/shstk.c (SHSTK_DATA_BIT, create_rstor_token) and arch/arm64/include/asm/gcs.h, uapi/asm/gcs.h
// (GCS_CAP_ADDR_MASK, GCS_CAP_VALID_TOKEN) and kernel/signal.c (gcs_signal_entry).
const (
	savedBit   = 1 << 63   // x86: the rest is the shadow stack pointer at a signal
	tokenBits  = 7         // of a word with the address behind itself, which allows a switch to this stack
	signalMask = 1<<12 - 1 // arm64: of a word with its own page, which the kernel writes at a signal
)

// mostSearched bounds the words of a stack that a walk searches for return addresses.
const mostSearched = 1 << 16

// An Overwrite is a return address on the stack that is not the one of the shadow stack.
type Overwrite struct{ Address, Value uint64 }

// byShadow finds the caller with the shadow stack. Its word is the return address; the methods of the ladder only find where that
// stands on the stack, and so the caller's registers. If none leads there, the word is searched for.
func (w *walk) byShadow(f *Frame) (Frame, outcome) {
	if w.shadow.Pointer == 0 {
		return Frame{}, none
	}
	w.begin(ShadowStack)
	if f.trampoline != nil {
		w.passSignal()
		return Frame{}, none
	}
	at := w.shadow.Pointer
	ra, ok := w.word(at)
	switch {
	case at == w.shadow.End:
		w.say("the shadow stack ends at %#x", at)
		w.end = End{Kind: ShadowEnd, Address: at}
		return Frame{}, ended
	case !ok || w.isToken(at, ra) || !w.isCode(ra):
		w.say("no return address on the shadow stack at %#x", at)
		w.shadow = Shadow{}
		return Frame{}, none
	}
	w.say("the shadow stack has the return address %#x at %#x", ra, at)
	c, out := w.confirmed(f, ra)
	if out == found && !c.Interrupted {
		w.shadow.Pointer += uint64(w.Word)
	}
	return c, out
}

// confirmed returns the caller with a return address of the shadow stack.
func (w *walk) confirmed(f *Frame, ra uint64) (Frame, outcome) {
	var proved *Frame // by rules, with another return address
	for i := range w.methods {
		m := &w.methods[i]
		if m.method == StackScan {
			continue
		}
		w.begin(m.method)
		d, out := m.decide(w, f)
		if out != found {
			continue
		}
		c, ok := w.execute(f, &d)
		switch {
		case !ok:
		case c.Interrupted || d.switches:
			return c, found // the system entered this function without a call
		case c.ReturnAddress == ra && c.base >= f.base:
			c.Guess = false
			return c, found
		case proved == nil && d.trust >= CFI && c.base > f.base:
			proved = &c
		}
	}
	w.begin(ShadowStack)
	end := uint64(0)
	if proved != nil {
		end = proved.base
	}
	if at, ok := w.findOnStack(f, ra, end); ok {
		d := decision{rules: w.frameRules(w.spName(f), int64(at-f.spOf(w.SP))+int64(w.Word)), trust: CFI, way: ByShadow}
		c, ok := w.execute(f, &d)
		c.Guess = false
		return c, outcomeOf(ok)
	}
	return w.restored(f, proved, ra), found
}

func outcomeOf(ok bool) outcome {
	if ok {
		return found
	}
	return none
}

// restored is the caller whose return address is not on the stack. Rules that prove where it was find the other registers.
func (w *walk) restored(f, proved *Frame, ra uint64) Frame {
	c := Frame{FoundBy: ByShadow, Trust: CFI, base: f.base}
	if proved != nil {
		c.Frame, c.base = proved.Frame, proved.base
		c.Overwritten = &Overwrite{c.base - uint64(w.Word), c.ReturnAddress}
		w.say("the stack has %#x at %#x in its place", c.ReturnAddress, c.Overwritten.Address)
	}
	c.Guess, c.ReturnAddress = false, ra
	c.Regs.Set(w.PC, ra)
	return c
}

// findOnStack searches the stack above a frame's stack pointer for its return address, up to an end if that is not 0.
func (w *walk) findOnStack(f *Frame, ra, end uint64) (at uint64, ok bool) {
	for at = f.spOf(w.SP); w.shadowSearch < mostSearched && (end == 0 || at < end); at += uint64(w.Word) {
		w.shadowSearch++
		v, ok := w.peek(at)
		if !ok {
			break
		}
		if w.strip(v) == ra {
			return at, true
		}
	}
	w.say("it is not on the stack from %#x on", f.spOf(w.SP))
	return 0, false
}

// isCode reports whether an address can be that behind a call: it is in a module, or in memory that is executable.
func (w *walk) isCode(ra uint64) bool {
	return w.Canonical(ra) && (w.moduleAt(ra-1) != nil || !w.outside(ra))
}

// isToken reports whether a word is none that a call has pushed.
func (w *walk) isToken(at, v uint64) bool {
	return v < lowest || v&savedBit != 0 || v&^tokenBits == at+uint64(w.Word) || v&^signalMask == at&^signalMask
}

// passSignal passes the word that the kernel has pushed before the address of the code that a signal handler returns to.
func (w *walk) passSignal() {
	at := w.shadow.Pointer
	v, ok := w.word(at)
	if next := at + uint64(w.Word); ok && (v == next|savedBit || v == at&^signalMask) {
		w.say("the shadow stack has the mark of a signal at %#x", at)
		w.shadow.Pointer = next
	}
}

// maxReturned bounds the calls that have returned.
const maxReturned = 32

// Returned lists the calls that have returned, the newest first, as far as the shadow stack still has them: a return leaves its word below
// the pointer, until another call writes one there. They are no frames.
func (in Input) Returned() (calls []Frame) {
	if in.Arch == nil || in.Shadow.Pointer == 0 {
		return nil
	}
	in.Explain = false
	w := newWalk(in)
	for at := in.Shadow.Pointer - uint64(w.Word); len(calls) < maxReturned; at -= uint64(w.Word) {
		ra, ok := w.word(at)
		if !ok || w.isToken(at, ra) || !w.isCode(ra) {
			break
		}
		c := Frame{Frame: process.Frame{ReturnAddress: ra}, Trust: CFI, FoundBy: ByShadow}
		w.locate(&c)
		calls = append(calls, c)
	}
	return calls
}
