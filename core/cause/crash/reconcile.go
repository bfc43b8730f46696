package crash

import (
	"cmp"
	"slices"

	"crashglass/core/base/sorting"
)

// A candidate is a possible finding: what one finder concludes from the facts, whatever others
// conclude from them.
type candidate struct {
	Finding
	role role
	once bool // it adds nothing to another finding of its kind
	rank int  // the row of its finder
}

// A role says what becomes of a candidate.
type role uint8

// The roles.
const (
	states   role = iota // the cause, or an observation if something else explains more
	explains             // the cause, or nothing
	observes             // never the cause
)

func statement(f Finding) []candidate   { return []candidate{{Finding: f}} }
func explanation(f Finding) []candidate { return []candidate{{Finding: f, role: explains}} }
func observation(f Finding) []candidate { return []candidate{{Finding: f, role: observes}} }

// orNothing turns statements into explanations.
func orNothing(list []candidate) []candidate {
	for i := range list {
		if list[i].role == states {
			list[i].role = explains
		}
	}
	return list
}

// A finder makes candidates from the facts.
type finder struct {
	find   func(*facts) []candidate
	always bool   // dumps without an exception, too
	unless []Kind // findings that say more
	only   []Kind // the causes to which it adds something, if there is a cause
}

// finders are the ranks of candidates: that of the first row explains the most. Nothing else depends on
// the order of the rows.
var finders = []finder{
	// The kernel says why it stopped.
	{find: (*facts).findStop, always: true},
	// A signal that was sent is no fault, and a stack overflow explains an access to a guard page.
	{find: (*facts).findSent},
	{find: (*facts).findStackOverflow},
	// What a program says about its end: by a function, an annotation, the line number that MOZ_CRASH writes.
	{find: (*facts).findProblem, always: true},
	{find: (*facts).findMessage},
	{find: (*facts).findMessageBox},
	{find: (*facts).findScript},
	{find: (*facts).findFunctions},
	{find: (*facts).findMusl},
	{find: (*facts).findStale},
	{find: (*facts).findAttachment},
	{find: (*facts).findMozCrash},
	// What the CPU's own copy of a return address proves.
	{find: (*facts).findOverwritten, always: true},
	// What was executed is not what was shipped.
	{find: (*facts).findChangedCode, always: true},
	// How a program ended: by abort, by another signal of its own, or by the code of the exception.
	{find: (*facts).findAbort},
	{find: (*facts).findRaised},
	{find: (*facts).findReason},
	// Where no code is, an access is a coincidence.
	{find: (*facts).findNoCode},
	// The system says why it refused an access.
	{find: (*facts).findTag},
	{find: (*facts).findBus},
	// The address, and the register that it was made of, show what was wrong.
	{find: (*facts).findPointerAuth},
	{find: (*facts).findPoison},
	{find: (*facts).findText},
	{find: (*facts).findFreed},
	{find: (*facts).findNull},
	{find: (*facts).findBadJump},
	{find: (*facts).findMisaligned},
	{find: (*facts).findNonCanonical, unless: []Kind{Poison, TextAsPointer, BadJump}},
	// The memory at the address shows what is not allowed.
	{find: (*facts).findRegion, unless: []Kind{NullPointer, NonCanonical, StackOverflow, Poison, TextAsPointer, BadJump,
		UnloadedCode, FromOutside, PointerAuth, Tag, Deliberate, FileGone, BrokenMemory}},
	// The rest explains nothing. A flipped bit is of interest if the address is bad for no known reason.
	{find: (*facts).findBitFlip, only: []Kind{Unmapped, Inaccessible, NonCanonical, BadJump}},
	{find: (*facts).findInconsistent},
	{find: (*facts).findStackPointer, unless: []Kind{StackOverflow}},
	{find: (*facts).findRequest, always: true},
	{find: (*facts).findUnloadedFrame, always: true, unless: []Kind{UnloadedCode}},
	{find: (*facts).findModules, always: true},
	{find: (*facts).findManaged, always: true, unless: []Kind{BadJump, UnloadedCode}},
}

// candidates collects what all finders conclude, in any order.
func (s *facts) candidates() (all []candidate) {
	for i := range finders {
		if s.in.Exception == nil && !finders[i].always {
			continue
		}
		for _, c := range finders[i].find(s) {
			c.rank = i
			all = append(all, c)
		}
	}
	return all
}

// reconcile turns candidates into findings: the cause first, then by confidence. doubtful says that
// there may have been no fault.
func reconcile(list []candidate, doubtful bool) (found []Finding) {
	sorting.Stable(list, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	cause := Kind("")
	for _, c := range list {
		if !c.stands(found, cause) {
			continue
		}
		if c.role != observes {
			if doubtful {
				c.Confidence = min(c.Confidence, 0.5)
			}
			if cause == "" {
				c.Cause, cause = true, c.Kind
			}
		}
		found = append(found, c.Finding)
	}
	sorting.Stable(found, func(a, b Finding) int {
		switch {
		case a.Cause:
			return -1
		case b.Cause:
			return 1
		}
		return cmp.Compare(b.Confidence, a.Confidence)
	})
	return found
}

// stands reports whether a candidate adds something to the findings of earlier ranks. cause is the
// kind of their cause, "" if there is none.
func (c *candidate) stands(found []Finding, cause Kind) bool {
	f := &finders[c.rank]
	switch {
	case cause == "":
	case c.role == explains, f.only != nil && !slices.Contains(f.only, cause):
		return false
	}
	return !slices.ContainsFunc(found, func(o Finding) bool { return c.once && o.Kind == c.Kind || slices.Contains(f.unless, o.Kind) })
}
