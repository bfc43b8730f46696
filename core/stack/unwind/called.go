package unwind

import (
	"encoding/binary"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/flow"
	"crashglass/core/process/module"
)

// calledFrom returns the function that the call before a return address calls: of a direct call, and
// of amd64's call through a word at a fixed address, which the dynamic linker has filled. Of a stub
// of the linker (PLT) it returns the function behind it.
func (w *walk) calledFrom(ra uint64) (target uint64, ok bool) {
	insn, called := w.callBefore(ra)
	switch {
	case called != yes:
		return 0, false
	case insn.HasTarget:
		target = insn.Target
	default:
		if target, ok = w.calledThrough(ra); !ok {
			return 0, false
		}
	}
	if behind, ok := w.stub(target); ok {
		return behind, true
	}
	return target, true
}

// calledThrough reads the word of a call before ra: ff 15, and the distance of the word.
func (w *walk) calledThrough(ra uint64) (uint64, bool) {
	var room [8]byte
	code := w.codeBytes(room[:0], ra-8, 8)
	if !w.callsThrough || len(code) < 8 || code[2] != 0xff || code[3] != 0x15 {
		return 0, false
	}
	return w.word(ra + uint64(int64(int32(binary.LittleEndian.Uint32(code[4:])))))
}

// stub returns the function that a stub of the linker jumps to, if there is one at an address. On
// x86 it may begin with endbr64.
func (w *walk) stub(addr uint64) (uint64, bool) {
	inst, ok := w.decode(addr)
	if ok && inst.Mnemonic == "endbr64" {
		inst, ok = w.decode(addr + uint64(inst.Len))
	}
	if !ok || inst.Flow != cpu.Jump || len(inst.Operands) != 1 || !inst.Operands[0].Mem.PCRel {
		return 0, false
	}
	slot, ok := inst.Operands[0].Mem.Address(w.Arch, &w.in.Regs, nil)
	if !ok {
		return 0, false
	}
	return w.word(slot)
}

// decode decodes the instruction at an address completely.
func (w *walk) decode(addr uint64) (cpu.Inst, bool) {
	if w.in.Decode == nil || w.followed >= maxFollowed {
		return cpu.Inst{}, false
	}
	w.followed++
	return w.in.Decode(w.Arch, w.codeBytes(w.insn[:0], addr, longestOf(w.isa)), addr)
}

// A lead says where the call before a return address leads, seen from a frame that may be below it.
type lead uint8

const (
	maybe     lead = iota // it may lead to the frame
	here                  // it calls a function that begins just before the frame's instruction
	hardly                // it calls another function, which has tail calls of virtual functions at most
	elsewhere             // it calls another function, and no tail call leads to one
)

// fromEntry is the distance from the beginning of a function within which an instruction probably belongs
// to it.
const fromEntry = 1 << 12

// lead follows the call before a return address. An earlier call has left an address that leads
// elsewhere. Functions that end the program have large frames, and a scan of them finds many. CPUs with a
// link register rarely need a scan, and their stubs are not followed.
func (w *walk) lead(f *Frame, ra uint64) lead {
	if w.in.Decode == nil || f.Module == nil || w.isa == nil || w.isa.Min != 1 {
		return maybe
	}
	target, ok := w.calledFrom(ra)
	if !ok {
		return maybe
	}
	start, size, ok := w.extent(target)
	switch {
	case ok && f.Instruction-start < size, f.Module.Contains(target) && f.Instruction-target < fromEntry:
		return here
	case !ok:
		return maybe
	}
	facts, ok := flow.Follow(w.decode, target, start, start+size, 0)
	switch {
	case !ok || facts.Leaves:
		return maybe
	case facts.Unknown:
		return hardly
	}
	return elsewhere
}

// extent returns the range of the function at an address, by unwind rules or symbols.
func (w *walk) extent(addr uint64) (start, size uint64, ok bool) {
	rules, rel := w.rulesAt(w.in.Modules.At(addr), addr)
	if rules == nil {
		return 0, 0, false
	}
	base := addr - rel
	if fn, ok := rules.Function(rel); ok && fn.Size > 0 && rel-fn.Start < fn.Size {
		return base + fn.Start, fn.Size, true
	}
	if frame, ok := rules.CallFrame(rel); ok && rel-frame.Start < frame.Size {
		return base + frame.Start, frame.Size, true
	}
	return 0, 0, false
}

// into reports whether the call before a return address is known to call a function of another module:
// of the given one, or of any if it is nil.
func (w *walk) into(ra uint64, of *module.Module) bool {
	target, ok := w.calledFrom(ra)
	m := w.in.Modules.At(target)
	return ok && m != nil && !m.Contains(ra-1) && (of == nil || of == m)
}

// farScan searches the words above a scan that found nothing: for a call into the frame's module, and
// then for a call into any library, which may have called the frame's. A search that finds nothing
// reports no reads and changes nothing.
func (w *walk) farScan(f *Frame, addr uint64, n int) (at uint64, ok bool) {
	if w.in.Decode == nil || f.Module == nil || w.hasUncaptured || w.isa == nil || w.isa.Min != 1 {
		return 0, false
	}
	defer func(read func(Read), uncaptured uint64) {
		w.in.Read, w.uncaptured, w.hasUncaptured = read, uncaptured, false
	}(w.in.Read, w.uncaptured)
	for _, of := range []*module.Module{f.Module, nil} {
		leads := func(ra uint64) bool { return !f.Module.Contains(ra-1) && w.into(ra, of) && w.plausible(ra) }
		read := w.in.Read
		w.in.Read = nil
		at, ok = w.scanFor(f, addr, n, leads)
		if w.in.Read = read; ok {
			return w.scanFor(f, addr, n, leads)
		}
	}
	return 0, false
}
