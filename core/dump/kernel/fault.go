package kernel

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/bugcheck"
)

// A frame is KTRAP_FRAME of a CPU: the registers that an interrupt or exception saved on the stack of the kernel.
type frame struct {
	cpu.Layout
	sp               int // the offset of the interrupted stack pointer if the CPU does not save it, else -1
	pc               int // the offset of the instruction pointer
	mode             int // the offset of the word that says who was interrupted
	mask, kernelMode uint64
}

// Sources: ntddk.h of the Windows driver kit (KTRAP_FRAME of x64 and x86), symbols of ntkrnlmp.pdb. An exception of x64 saves
// only the volatile registers and rbp. The places of eax, ecx and edx differ between versions of 32-bit Windows, and the kernel's
// own stack pointer is not saved there: the frame ends where it was. The code segments of the kernel are KGDT64_R0_CODE of ntddk.h and
// KGDT_R0_CODE of ks386.inc. arm64: KTRAP_FRAME of ntddk.h and the offsets of kxarm64.h, which agree; its mode is PSTATE's (EL1).
var frames = []frame{
	{sp: -1, pc: 0x168, mode: 0x170, mask: 0xffff, kernelMode: 0x10, Layout: cpu.Layout{Name: "KTRAP_FRAME", Arch: &cpu.AMD64, Size: 0x190, Slots: []cpu.Slot{
		{Reg: cpu.RAX, At: 0x30, Width: 8}, {Reg: cpu.RCX, At: 0x38, Width: 8}, {Reg: cpu.RDX, At: 0x40, Width: 8}, {Reg: cpu.R8, At: 0x48, Width: 8},
		{Reg: cpu.R9, At: 0x50, Width: 8}, {Reg: cpu.R10, At: 0x58, Width: 8}, {Reg: cpu.R11, At: 0x60, Width: 8}, {Reg: cpu.RBP, At: 0x158, Width: 8},
		{Reg: cpu.RIP, At: 0x168, Width: 8}, {Reg: cpu.RFLAGS, At: 0x178, Width: 4}, {Reg: cpu.RSP, At: 0x180, Width: 8},
	}}},
	{sp: 0x74, pc: 0x68, mode: 0x6c, mask: 0xffff, kernelMode: 8, Layout: cpu.Layout{Name: "KTRAP_FRAME", Arch: &cpu.X86, Size: 0x78, Slots: []cpu.Slot{
		{Reg: cpu.EDI, At: 0x54, Width: 4}, {Reg: cpu.ESI, At: 0x58, Width: 4}, {Reg: cpu.EBX, At: 0x5c, Width: 4}, {Reg: cpu.EBP, At: 0x60, Width: 4},
		{Reg: cpu.EIP, At: 0x68, Width: 4}, {Reg: cpu.EFLAGS, At: 0x70, Width: 4},
	}}},
	{sp: -1, pc: 0x148, mode: 0x90, mask: 0xe, kernelMode: 4, Layout: cpu.Layout{Name: "KTRAP_FRAME", Arch: &cpu.ARM64, Size: 0x150, Slots: armSlots()}},
}

// frame returns the trap frame of the CPU.
func (r *reader) frame() (f frame, ok bool) {
	for _, f := range frames {
		if f.Arch == r.Arch {
			return f, true
		}
	}
	return f, false
}

// armSlots are x0 to x18, the link register, the frame pointer and others.
func armSlots() []cpu.Slot {
	out := []cpu.Slot{
		{Reg: cpu.ARM64.SP, At: 0x98, Width: 8}, {Reg: cpu.ARM64.LR, At: 0x138, Width: 8}, {Reg: cpu.ARM64.FP, At: 0x140, Width: 8}, {Reg: cpu.ARM64.PC, At: 0x148, Width: 8},
	}
	for i := range 19 {
		out = append(out, cpu.Slot{Reg: cpu.Reg(i), At: 0xa0 + 8*i, Width: 8})
	}
	return out
}

// readFault finds the registers at the fault, and the exception record, by the parameters of the bug check.
func (r *reader) readFault() {
	c, ok := bugcheck.Of(r.head.BugCheck)
	if !ok || len(r.Threads) == 0 {
		return
	}
	t := &r.Threads[0]
	var pc uint64
	for i, kind := range c.Read(r.head.Parameters[:]).Kinds {
		v := r.head.Parameters[i]
		if v == 0 {
			continue
		}
		var regs *process.Registers
		switch kind {
		case bugcheck.ContextRecord:
			regs = r.contextAt(v)
		case bugcheck.TrapFrame:
			regs = r.trapFrame(v)
		case bugcheck.ExceptionRecord:
			r.Event.Record = r.record(v)
		case bugcheck.HardwareRecord:
			r.Event.Hardware = r.hardware(v)
		case bugcheck.Blocked:
			r.Event.Driver = r.holder(v)
		case bugcheck.Exceptions:
			regs = r.exceptions(v)
		case bugcheck.Instruction:
			pc = v
		}
		if regs != nil && t.Fault == nil {
			t.Fault = regs
		}
	}
	switch {
	case t.Fault != nil || pc == 0:
	case t.Registers.Regs.Value(r.Arch.PC) == pc: // the header has the registers at the fault, and no processor's context is there
		t.Fault = t.Registers
	default:
		t.Fault = r.searchFrame(pc)
	}
}

func (r *reader) contextAt(at uint64) *process.Registers {
	data := make([]byte, r.cpu.Size)
	if n := r.Memory.Read(at, data); n < len(data) {
		return nil
	}
	return r.usable(r.context(data))
}

// exceptions reads EXCEPTION_POINTERS: the addresses of an exception record and of the registers at its instruction.
func (r *reader) exceptions(at uint64) *process.Registers {
	record, _ := r.pointer(at)
	context, _ := r.pointer(at + uint64(r.word))
	e, regs := r.record(record), r.contextAt(context)
	if e == nil || regs == nil || regs.Regs.Value(r.Arch.PC) != e.Address {
		return nil
	}
	r.Event.Record = e
	return regs
}

// usable returns registers whose stack is in the dump, or nil: the memory behind a parameter may hold anything.
func (r *reader) usable(regs *process.Registers) *process.Registers {
	if regs == nil {
		return nil
	}
	sp, _ := regs.Regs.Get(r.Arch.SP)
	if _, _, ok := r.Memory.Range(sp); !ok {
		return nil
	}
	return regs
}

// trapFrame reads the registers of a trap frame that interrupted the kernel.
func (r *reader) trapFrame(at uint64) *process.Registers {
	f, ok := r.frame()
	data := make([]byte, f.Size)
	if mode, known := r.Memory.Word(at+uint64(f.mode), 4); !ok || !known || mode&f.mask != f.kernelMode || r.Memory.Read(at, data) < f.Size {
		return nil
	}
	out := &process.Registers{Arch: r.Arch, Regs: f.Decode(data, order)}
	if f.sp >= 0 {
		out.Regs.Set(r.Arch.SP, at+uint64(f.sp))
	}
	return r.usable(out)
}

// mostStack bounds the search for a trap frame; a kernel stack of x64 has 24 KiB, one that grew 96.
const mostStack = 128 << 10

// searchFrame finds the trap frame of an instruction on the stack, whose interrupted stack pointer is further up. The bug check is called above it.
func (r *reader) searchFrame(pc uint64) *process.Registers {
	f, _ := r.frame()
	sp, ok := r.Threads[0].Registers.Regs.Get(r.Arch.SP)
	base, size, captured := r.Memory.Range(sp)
	if !ok || !captured {
		return nil
	}
	word := uint64(r.word)
	start := sp &^ (word - 1)
	left := min(size-(sp-base), mostStack) + sp - start // may be less than what is read at once
	for at := start; at-start+word <= left; at += word {
		if v, _ := r.Memory.Word(at, r.word); v != pc {
			continue
		}
		regs := r.trapFrame(at - uint64(f.pc))
		if regs == nil {
			continue
		}
		if old := regs.Regs.Value(r.Arch.SP); old > at && old-at < mostStack {
			return regs
		}
	}
	return nil
}

// record reads EXCEPTION_RECORD of the CPU. Source: winnt.h.
func (r *reader) record(at uint64) *process.Event {
	const most = 15
	code, ok := r.Memory.Word(at, 4)
	flags, _ := r.Memory.Word(at+4, 4)
	addr, _ := r.pointer(at + 8 + uint64(r.word))
	count, have := r.Memory.Word(at+8+2*uint64(r.word), 4)
	if !ok || !have || count > most {
		return nil
	}
	e := &process.Event{Code: uint32(code), Flags: uint32(flags), Address: addr}
	first := at + 8 + 2*uint64(r.word) + uint64(r.word)
	for i := range count {
		v, ok := r.pointer(first + i*uint64(r.word))
		if !ok {
			break
		}
		e.Parameters = append(e.Parameters, v)
	}
	return e
}
