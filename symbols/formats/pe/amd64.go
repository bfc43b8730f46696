package pe

import (
	"errors"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
)

// amd64Regs are the registers by their numbers in instructions and unwind codes.
var amd64Regs = [16]string{
	"$rax", "$rcx", "$rdx", "$rbx", "$rsp", "$rbp", "$rsi", "$rdi",
	"$r8", "$r9", "$r10", "$r11", "$r12", "$r13", "$r14", "$r15",
}

const regRSP = 4

// amd64Numbers are the numbers of the registers in core/machine/cpu's order.
var amd64Numbers = func() (numbers [cpu.RFLAGS + 1]uint8) {
	for n, name := range amd64Regs {
		if reg, ok := cpu.AMD64.Reg(name); ok {
			numbers[reg] = uint8(n)
		}
	}
	return numbers
}()

// isNonvolatile reports whether a function must preserve a register.
// Source: x64 calling convention, "Caller/callee saved registers".
func isNonvolatile(reg string) bool {
	switch reg {
	case "$rbx", "$rbp", "$rsi", "$rdi", "$r12", "$r13", "$r14", "$r15":
		return true
	}
	return false
}

// amd64Keep are the nonvolatile registers that are volatile elsewhere.
var amd64Keep = []string{"$rsi", "$rdi"}

func amd64Frame() *frameState { return &frameState{sp: regOffset{amd64Regs[regRSP], 0}} }

// amd64Rules appends the rules of a frame that was undone down to the return
// address.
func (f *frameState) amd64Rules(out []unwind.Rule) []unwind.Rule {
	if !f.machine {
		f.ret(0)
	}
	return f.rules("", amd64Keep, out)
}

// ret takes the return address off the stack, and the bytes that the function pops.
func (f *frameState) ret(pops int64) {
	if !f.hasRA {
		f.ra, f.hasRA = f.sp, true
		f.sp = f.sp.plus(8 + pops)
	}
}

// pop restores a register from the top of the stack.
func (f *frameState) pop(reg uint8) error {
	if reg == regRSP {
		return errors.New("rsp is popped")
	}
	f.restore(amd64Regs[reg], f.sp)
	f.sp = f.sp.plus(8)
	return nil
}

// dropVolatile forgets the registers that a call may have changed: they are
// pushed to make room.
func (f *frameState) dropVolatile() {
	kept := f.saved[:0]
	for _, s := range f.saved {
		if isNonvolatile(s.reg) {
			kept = append(kept, s)
		}
	}
	f.saved = kept
}

// undo undoes the executed part of a procedure's prolog at an address, as RtlVirtualUnwind does.
func (p *procedure) undo(fr *frameState, rel uint64) error {
	base, err := p.base(rel, fr)
	if err != nil {
		return err
	}
	for _, u := range p.chain {
		done := uint32(rel) - u.of.begin
		if u.frameReg != 0 && u != p.chain[0] && p.chain[0].frameReg == 0 {
			base = regOffset{amd64Regs[u.frameReg], -u.frameOff}
		}
		for _, c := range u.codes {
			if done < uint32(c.at) {
				continue // not executed yet
			}
			if fr.machine {
				return p.in(unwindCodes, errors.New("codes behind a machine frame"))
			}
			if err := fr.undoCode(u, c, base); err != nil {
				return p.in(unwindCodes, err)
			}
		}
	}
	if !fr.machine {
		fr.dropVolatile()
	}
	return nil
}

// base is the base of the offsets of saved registers: the frame register once it is set, and the
// stack pointer otherwise.
func (p *procedure) base(rel uint64, fr *frameState) (regOffset, error) {
	u := p.chain[0]
	if u.frameReg == 0 {
		return fr.sp, nil
	}
	if u.frameReg == regRSP {
		return regOffset{}, p.in(unwindCodes, errors.New("rsp is the frame register"))
	}
	established := regOffset{amd64Regs[u.frameReg], -u.frameOff}
	done := uint32(rel) - u.of.begin
	if done >= uint32(u.prolog) || u.chained() {
		return established, nil
	}
	for _, c := range u.codes {
		if c.op == opSetFPReg {
			if done >= uint32(c.at) {
				return established, nil
			}
			break
		}
	}
	return fr.sp, nil
}

func (f *frameState) undoCode(u *unwindInfo, c unwindCode, base regOffset) error {
	switch c.op {
	case opPushNonvol:
		return f.pop(c.info)
	case opAllocSmall, opAllocLarge:
		f.sp = f.sp.plus(int64(c.arg))
	case opSetFPReg:
		if u.frameReg == 0 {
			return errors.New("no frame register to set")
		}
		return f.useFrameRegister(amd64Regs[u.frameReg], -u.frameOff)
	case opSaveNonvol, opSaveNonvolFar:
		if c.info == regRSP {
			return errors.New("rsp is saved")
		}
		f.restore(amd64Regs[c.info], base.plus(int64(c.arg)))
	case opPushMachframe:
		f.machineFrame(c.info != 0)
	}
	return nil
}

// machineFrame reads the frame that the processor pushes for an interrupt: an error code for some,
// then rip, cs, eflags, rsp and ss. Source: AMD64 Architecture Programmer's Manual, volume 2,
// "Long-Mode Interrupt-Stack Frame".
func (f *frameState) machineFrame(errorCode bool) {
	if errorCode {
		f.sp = f.sp.plus(8)
	}
	f.ra, f.hasRA = f.sp, true
	f.loaded, f.machine, f.exact = f.sp.plus(24), true, true
	f.restore("$eflags", f.sp.plus(16))
}
