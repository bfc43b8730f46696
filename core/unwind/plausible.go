package unwind

// plausible reports whether addr could be a return address: it lies in a
// loaded module, at an instruction's alignment, where code can be executed,
// behind a call that is part of a function as far as symbols can tell. Where they
// have no names, or say that a function begins there, the code must have a
// call, where it is captured.
//
// The address of the call counts and not addr itself: behind a call that never
// returns, another function or nothing may begin.
func (w *walk) plausible(addr uint64) bool {
	if addr < lowest || !w.Canonical(addr) || w.misaligned(addr) {
		return false
	}
	call := addr - 1
	m := w.in.Modules.At(call)
	if m == nil || call-m.Base < imageHeader || w.notExecutable(call) {
		return false
	}
	rules, rel := w.rulesAt(m, call)
	if rules == nil {
		return true
	}
	if !rules.HasNames() {
		return !w.uncalled(addr) && !w.isData(rules, call)
	}
	_, ok := rules.Function(rel)
	return ok && !(w.uncalled(addr) && begins(rules, rel+1))
}

// notExecutable reports whether the operating system says that an address
// cannot be executed.
func (w *walk) notExecutable(addr uint64) bool {
	if w.in.Executable == nil {
		return false
	}
	executable, known := w.in.Executable(addr)
	return known && !executable
}

// isExecutable reports whether the operating system says that an address can be
// executed.
func (w *walk) isExecutable(addr uint64) bool {
	if w.in.Executable == nil {
		return false
	}
	executable, known := w.in.Executable(addr)
	return known && executable
}

// begins reports whether a function begins at an address, as far as symbols and
// call frame information tell. Addresses of functions are on every stack:
// handlers, virtual functions, what is passed to a thread.
func begins(rules Rules, rel uint64) bool {
	if f, ok := rules.CallFrame(rel); ok && f.Start == rel {
		return true
	}
	fn, ok := rules.Function(rel)
	return ok && fn.Start == rel
}

// imageHeader is how many bytes at the beginning of a module are headers of its
// file, and never code. The kernel leaves the address right behind an ELF's
// header, 52 or 64 bytes, on top of the first thread's stack (AT_PHDR of
// getauxval(3)), where a scan behind main comes across it; symbols may have a
// function there, which the linker has dropped and left at 0.
const imageHeader = 64

// isData reports whether an address of a module is no code: what is not in its
// file is data, as long as the file is at hand.
func (w *walk) isData(r Rules, addr uint64) bool {
	if !r.HasCode() {
		return false
	}
	_, readable := w.code(addr &^ 3)
	return !readable
}

// inSameFunction reports whether two addresses lie in one function, as far as
// symbols tell. Unknown is no.
func (w *walk) inSameFunction(a, b uint64) bool {
	m := w.in.Modules.At(a)
	rules, rel := w.rulesAt(m, a)
	if rules == nil || !m.Contains(b) {
		return false
	}
	fn, ok := rules.Function(rel)
	if !ok {
		return false
	}
	if fn.Size > 0 {
		return b-m.Base-fn.Start < fn.Size
	}
	other, ok := rules.Function(b - m.Base)
	return ok && other.Start == fn.Start
}

// smear sets every bit below the highest one of v.
func smear(v uint64) uint64 {
	for shift := 1; shift < 64; shift *= 2 {
		v |= v >> shift
	}
	return v
}

// strip removes a pointer authentication code: the bits above the highest that
// any module's address has. Where the result is in no module the value was
// something else, and stays.
func (w *walk) strip(addr uint64) uint64 {
	if !w.signed || addr&^w.pacMask == 0 {
		return addr
	}
	if bare := addr & w.pacMask; w.in.Modules.At(bare) != nil {
		return bare
	}
	return addr
}
