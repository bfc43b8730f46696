package dwarf

import (
	"bytes"
	"strings"

	"crashglass/core/values/variables"
)

// In unwind rules some CPUs' registers begin with "$".
func sameRegister(a, b string) bool {
	return strings.TrimPrefix(a, "$") == strings.TrimPrefix(b, "$")
}

// The CFA of any instruction may be computed from it.
func isStackPointer(e *variables.Eval, name string) bool {
	arch := e.Frame.Arch
	return sameRegister(arch.RegName(arch.SP), name)
}

// Passed implements variables.CallSites by the entries that compilers write for calls (section
// 3.4). The value is used only if the call is proved to have entered the callee: it names that
// function, and the function cannot have been entered again by a tail call.
func (f *File) Passed(e *variables.Eval, callee *variables.Context, reg string) (uint64, error) {
	site, base, ok := f.callSite(e.Frame)
	if !ok {
		return 0, variables.Gone("it is what the caller passed in %s, and the caller does not say what that was", reg)
	}
	own := callee.Symbols.CallSites
	if own == nil {
		return 0, variables.Gone("nothing is known of how the function was entered")
	}
	start, name, err := own.Entered(callee.Rel())
	if err != nil {
		return 0, err
	}
	if !f.calls(site, e, callee, base, start, name) {
		return 0, variables.Gone("the caller called another function, which jumped here")
	}
	return f.passed(site, e, base, reg)
}

func (f *File) callSite(frame *variables.Context) (site die, base frameBase, ok bool) {
	d, found := f.function(frame.Rel())
	if !found {
		return d, nil, false
	}
	ret := f.opt.Base + frame.Return()
	d.eachCall(func(c *die, tail bool) (more bool) {
		at := c.first(atCallReturn, atLowPC)
		if !tail && at.set() && isAddress(at.form) && c.n.address(at) == ret {
			site, ok = *c, true
		}
		return !ok
	})
	return site, d.frameBase(), ok
}

// eachCall calls visit for each call of a function, also in its blocks and in calls inlined into
// it. tail says that the call is a jump at the function's end. It stops when visit returns false.
func (d *die) eachCall(visit func(c *die, tail bool) (more bool)) {
	var walk func(c *die) int
	walk = func(c *die) int {
		switch c.tag {
		case tagBlock, tagTry, tagCatch, tagInlined:
			return c.each(walk)
		case tagCallSite, tagGNUCallSite:
			if !visit(c, c.flag(atTailCall) || c.flag(atGNUTailCall)) {
				return stop
			}
		}
		return 0
	}
	d.each(walk)
}

// calls reports whether a call's target is the function that begins at start.
func (f *File) calls(site die, e *variables.Eval, callee *variables.Context, base frameBase, start uint64, name string) bool {
	if target := site.first(atCallTarget, atGNUCallTarget); target.set() {
		expr, ok := site.n.block(target)
		if !ok {
			return false
		}
		to, err := site.n.evaluator(&variables.Eval{Frame: e.Frame}, base).number(expr)
		return err == nil && to == callee.Base()+start
	}
	origin, ok := site.n.follow(site.first(atCallOrigin, atAbstractOrigin))
	if !ok {
		return false
	}
	if e.Frame.Base() == callee.Base() && f.isFunction(origin, callee.Rel(), start) {
		return true
	}
	linkage := origin.name(atLinkageName, atMIPSLinkageName)
	if linkage == "" {
		linkage = origin.name(atName)
		if !origin.external() {
			return false
		}
	}
	return linkage != "" && linkage == name
}

// isFunction reports whether an entry is that of the function at an address, or
// what that is an instance of.
func (f *File) isFunction(origin die, rel, start uint64) bool {
	if low, ok := origin.start(); ok {
		return low-f.opt.Base == start
	}
	d, ok := f.function(rel)
	for range maxHops {
		if !ok {
			return false
		}
		if d.n.group == origin.n.group && d.n.off == origin.n.off && d.at == origin.at {
			return true
		}
		d, ok = d.n.follow(d.first(atAbstractOrigin, atSpecification))
	}
	return false
}

// external reports whether an entry's name is seen by linkers, so that it is of one function only.
func (d *die) external() bool {
	_, v := d.inherited(atExternal)
	return v.set() && v.v != 0
}

func (f *File) passed(site die, e *variables.Eval, base frameBase, reg string) (v uint64, err error) {
	found := false
	site.each(func(c *die) int {
		if c.tag != tagCallValue && c.tag != tagGNUCallValue {
			return 0
		}
		at, ok := c.n.block(c.get(atLocation))
		if !ok || !isRegister(c.n, at, e.Frame.Arch.Name, reg) {
			return 0
		}
		expr, ok := c.n.block(c.first(atCallValue, atGNUCallValue))
		if !ok {
			return 0
		}
		found = true
		v, err = c.n.evaluator(e, base).number(bytes.Clone(expr))
		return stop
	})
	if !found {
		return 0, variables.Gone("the caller does not say what it passed in %s", reg)
	}
	return v, err
}

func isRegister(n *node, expr []byte, arch, reg string) bool {
	r := buffer{b: expr, big: n.group.big}
	o, ok := n.operation(&r)
	switch {
	case !ok || r.len() > 0:
		return false
	case o.code == opRegx:
		return register(arch, o.a) == reg
	}
	return o.code >= opReg0 && o.code < opReg0+32 && register(arch, uint64(o.code-opReg0)) == reg
}

// maxTails bounds the functions that are checked for tail calls back.
const maxTails = 64

// Entered implements variables.CallSites. It fails if the function, or a function that it
// tail-calls, may have jumped to its beginning: then the registers at entry belong to another call.
func (f *File) Entered(rel uint64) (start uint64, name string, err error) {
	d, ok := f.function(rel)
	if !ok {
		return 0, "", variables.Gone("nothing is known of how the function was entered")
	}
	low, ok := d.start()
	if !ok {
		return 0, "", variables.Gone("where the function begins is not known")
	}
	if name = d.name(atLinkageName, atMIPSLinkageName); name == "" && d.external() {
		name = d.name(atName)
	}
	if err := f.selfTail(d, low); err != nil {
		return 0, "", err
	}
	return low - f.opt.Base, name, nil
}

// start is the address at which a function begins: DW_AT_low_pc, or that of its first range. It reports
// false for a declaration.
func (d *die) start() (uint64, bool) {
	if v := d.get(atLowPC); v.set() {
		return d.n.address(v), true
	}
	budget := d.n.rangeBudget()
	spans := d.n.appendRanges(nil, value{}, value{}, d.get(atRanges), &budget)
	if len(spans) == 0 {
		return 0, false
	}
	return spans[0].start, true
}

// selfTail fails if a function may have been entered by a tail call from itself.
func (f *File) selfTail(d die, start uint64) error {
	seen := map[uint64]bool{start: true}
	todo := []die{d}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		targets, ok := at.tailCalls()
		if !ok {
			return variables.Gone("what %s jumps to at its end is not known, so it may have been entered by a jump", at.name(atName))
		}
		for _, t := range targets {
			low, ok := t.start()
			switch {
			case !ok:
				return variables.Gone("%s ends in a jump to %s, which may have jumped back", at.name(atName), t.name(atName))
			case low == start:
				return variables.Gone("%s may have been entered by a jump from itself", d.name(atName))
			case !seen[low] && len(seen) >= maxTails:
				return variables.Gone("the function ends in jumps to more than %d others", maxTails)
			case !seen[low]:
				seen[low] = true
				todo = append(todo, t)
			}
		}
	}
	return nil
}

// tailCalls lists the functions that a function tail-calls. It reports false if they are unknown.
func (d *die) tailCalls() (targets []die, ok bool) {
	if !d.first(atAllCalls, atAllTailCalls, atGNUAllCalls, atGNUAllTailCalls).set() {
		return nil, false
	}
	ok = true
	d.eachCall(func(c *die, tail bool) (more bool) {
		if !tail {
			return true
		}
		to, found := c.n.follow(c.first(atCallOrigin, atAbstractOrigin))
		ok = found && !c.first(atCallTarget, atGNUCallTarget).set()
		targets = append(targets, to)
		return ok
	})
	return targets, ok
}
