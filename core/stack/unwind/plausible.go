package unwind

import "slices"

// plausible reports whether addr could be a return address: it lies in a loaded module, is aligned
// like an instruction, executable, and behind a call within a function, by symbols. If symbols have
// no name there, or a function begins there, captured code must have a call before addr.
//
// The address of the call is looked up, not addr itself: behind a call that never returns, another
// function or no code may follow.
func (w *walk) plausible(addr uint64) bool {
	if addr < lowest || !w.possible(addr) || w.misaligned(addr) || slices.Contains(w.in.Stale, addr) {
		return false
	}
	call := addr - 1
	m := w.in.Modules.At(call)
	switch {
	case w.executable(call) == no:
		return false
	case m == nil:
		return w.isGenerated(call) && !w.uncalled(addr)
	case call-m.Base < imageHeader:
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

// possible reports whether an address can exist: it is canonical for a program, or in a module of the kernel.
func (w *walk) possible(addr uint64) bool { return w.Canonical(addr) || w.in.Modules.At(addr) != nil }

// executable reports whether an address is executable, by the operating system.
func (w *walk) executable(addr uint64) answer {
	if w.in.Executable == nil {
		return unknown
	}
	switch executable, known := w.in.Executable(addr); {
	case !known:
		return unknown
	case executable:
		return yes
	}
	return no
}

// begins reports whether a function begins at an address, by symbols and call frame information.
// Every stack has addresses of functions: handlers, virtual functions, arguments of threads.
func begins(rules Rules, rel uint64) bool {
	if f, ok := rules.CallFrame(rel); ok && f.Start == rel {
		return true
	}
	fn, ok := rules.Function(rel)
	return ok && fn.Start == rel
}

// imageHeader is the size of the headers at the beginning of a module, which are never code. The
// first thread's stack has the address right behind an ELF header, 52 or 64 bytes (AT_PHDR of
// getauxval(3)), and a scan behind main finds it. Symbols may even have a function there: one that
// the linker dropped and left at 0.
const imageHeader = 64

// isData reports whether an address of a module is no code. If the module's file is available, an
// address that cannot be read from it is data.
func (w *walk) isData(r Rules, addr uint64) bool {
	if !r.HasCode() {
		return false
	}
	_, readable := w.code(addr &^ 3)
	return !readable
}

// inSameFunction reports whether two addresses lie in one function, by symbols. Unknown is no.
func (w *walk) inSameFunction(a, b uint64) bool {
	m := w.in.Modules.At(a)
	rules, rel := w.rulesAt(m, a)
	if m == nil || rules == nil || !m.Contains(b) {
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

// strip removes a pointer authentication code: the bits above the highest bit of any module's
// address. If the result is in no module, the value was no signed pointer and stays unchanged. Bit 55 says
// that an address is one of the kernel, whose upper bits are ones (Arm ARM, AddPAC).
func (w *walk) strip(addr uint64) uint64 {
	const kernel, upper = 1 << 55, 0xffff_0000_0000_0000
	if w.signed && addr&kernel != 0 && w.in.Modules.At(addr|upper) != nil {
		return addr | upper
	}
	if !w.signed || addr&^w.pacMask == 0 {
		return addr
	}
	if bare := addr & w.pacMask; w.in.Modules.At(bare) != nil {
		return bare
	}
	return addr
}
