package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// x86DPCStack leads from the stack on which a processor runs deferred calls (DPCs) to the thread that it interrupted. KiDispatchInterrupt
// pushes ebp and the list of exception handlers, takes the other stack, pushes the old stack pointer at its top and calls
// KiRetireDpcList. It has pushed nothing before, and its ebx is that of the processor. Sources: Windows Research Kernel,
// base/ntos/ke/i386/ctxswap.asm, and the same of NT 5.0; ReactOS, ntoskrnl/ke/i386/ctxswitch.S (KiRetireDpcListInDpcStack, a function
// of its own that pushes nothing on the old stack).
func x86DPCStack(w *walk, f *Frame) (decision, outcome) {
	sp, ok := f.Regs.Get(cpu.ESP)
	for _, s := range w.in.Deferred {
		if !ok || sp != s.Top-4 {
			continue
		}
		if regs, ok := w.dispatched(f, s); ok && w.signals < maxSignals {
			w.signals++
			return decision{values: &regs, trust: CFI, way: ByCode, switches: true}, found
		}
		w.end = End{Kind: NoReturn, Address: sp}
		return decision{}, ended
	}
	return decision{}, none
}

// dispatched returns the registers behind the word at the top of a DPC stack, which is in the interrupted thread's stack. The code before
// the return address has to be a call.
func (w *walk) dispatched(f *Frame, s process.DPCStack) (cpu.Regs, bool) {
	const handlers, saved, windows = 0, 4, 8 // what Windows pushed, and where its return address is
	old, ok := w.word(s.Top - 4)
	if !ok || old%4 != 0 || old < s.Low || old >= s.High {
		w.refuse("the stack pointer %#x is not in the thread's stack from %#x to %#x", old, s.Low, s.High)
		return cpu.Regs{}, false
	}
	for _, off := range []uint64{windows, handlers} {
		ra, ok := w.word(old + off)
		if _, called := w.callBefore(ra); !ok || called != yes || !w.plausible(ra) {
			continue
		}
		regs := f.Regs.Keep(cpu.SetOf(cpu.ESI, cpu.EDI))
		if off == handlers {
			regs = f.Regs.Keep(w.CalleeSaved)
		} else if ebp, ok := w.word(old + saved); ok {
			regs.Set(cpu.EBP, ebp)
		}
		regs.Set(cpu.EIP, ra)
		regs.Set(cpu.ESP, old+off+4)
		w.say("the stack pointer of the interrupted thread, %#x, is at the top of the stack of deferred calls", old)
		return regs, true
	}
	w.refuse("no return address behind a call at %#x", old)
	return cpu.Regs{}, false
}

// Offsets in KTRAP_FRAME of 32-bit Windows. Source: ntddk.h of the Windows driver kit.
const (
	trapCopy  = 0x04 // DbgEip
	trapMark  = 0x08 // DbgArgMark
	trapFirst = 0x54 // Edi; Esi, Ebx and Ebp follow
	trapEIP   = 0x68
	trapCS    = 0x6c
	trapFlags = 0x70
	trapEnd   = 0x74 // the stack pointer of interrupted code of the kernel, which is not saved
)

// x86TrapFrame reads the registers that the entry of an interrupt or an exception saved, if ebp is their address. The entry copies
// the instruction pointer and marks the frame; it interrupted the kernel if the code segment is KGDT_R0_CODE of ks386.inc. The
// places of eax, ecx and edx differ between versions. The mark is that of SET_DEBUG_DATA, which the entries of the free builds of Windows XP
// and 7 have, too (KiTrap00, KiFastCallEntry).
func x86TrapFrame(w *walk, f *Frame) (decision, outcome) {
	const mark, kernelCode = 0xbadb_0d00, 8
	at, ok := f.Regs.Get(cpu.EBP)
	if !ok || w.signals >= maxSignals || at < f.base || !w.sameStack(f.base, at) {
		return decision{}, none
	}
	word := func(off uint64) uint64 { v, _ := w.word(at + off); return v }
	if ip := word(trapEIP); word(trapMark) != mark || word(trapCS)&0xffff != kernelCode || ip != word(trapCopy) || w.in.Modules.At(ip) == nil {
		return decision{}, none
	}
	rules := w.rules(Rule{CFA, At("ebp", trapEnd)}, Rule{RA, Word("ebp", trapEIP)}, Rule{w.RegName(cpu.EFLAGS), Word("ebp", trapFlags)})
	for i, r := range []cpu.Reg{cpu.EDI, cpu.ESI, cpu.EBX, cpu.EBP} {
		rules = append(rules, Rule{w.RegName(r), Word("ebp", trapFirst+4*int64(i))})
	}
	return decision{rules: rules, trust: CFI, way: BySignal, interrupted: true}, found
}
