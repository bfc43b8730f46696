package pe

import (
	"bytes"
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// inEpilog finds the version 2 epilog that contains an address, and the offset in it. Only the
// code's own record describes epilogs.
func (p *procedure) inEpilog(rel uint64) (done uint32, ok bool) {
	u := p.chain[0]
	for _, distance := range u.epilogs {
		start := p.end - distance
		if distance <= p.end-p.begin && uint32(rel)-start < uint32(u.epilogSize) {
			return uint32(rel) - start, true
		}
	}
	return 0, false
}

// finish does what an epilog of version 2 has left to do behind its first done
// bytes: it pops what was pushed in one run, then flags that were pushed
// (8 bytes allocated), and returns, from an interrupt by iretq. The stack that
// the prolog allocated after the pushes is released before the epilog begins.
func (p *procedure) finish(fr *frameState, done uint32) error {
	codes := p.pushes()
	at := uint32(0)
	for len(codes) > 0 && codes[0].op == opPushNonvol {
		c := codes[0]
		if at >= done {
			if err := fr.pop(c.info); err != nil {
				return p.in("epilog", err)
			}
		}
		at += popSize(c.info)
		codes = codes[1:]
	}
	if len(codes) > 0 && codes[0].op == opAllocSmall && codes[0].arg == 8 {
		if at >= done {
			fr.sp = fr.sp.plus(8)
		}
		codes = codes[1:]
	}
	switch {
	case len(codes) == 0:
		fr.dropVolatile()
		return nil
	case len(codes) == 1 && codes[0].op == opPushMachframe:
		fr.machineFrame(false)
		return nil
	}
	return p.in("epilog", fmt.Errorf("operation %d is behind the pushes", codes[0].op))
}

// pushes are the codes from the first push on, of the record that has one.
func (p *procedure) pushes() []unwindCode {
	for _, u := range p.chain {
		for i, c := range u.codes {
			if c.op == opPushNonvol || c.op == opPushMachframe {
				return u.codes[i:]
			}
		}
	}
	return nil
}

// popSize is the size of a pop: registers from r8 on need a prefix.
func popSize(reg uint8) uint32 {
	if reg >= 8 {
		return 2
	}
	return 1
}

// Records of version 1 do not describe epilogs. Epilogs are recognised by their code, which the
// calling convention restricts: rsp is set once, by add from a constant or by lea from the frame
// register, registers are popped, and then comes ret, or jmp to another function.
//
// Source: x64 prolog and epilog, "Epilog code"; RtlVirtualUnwind defines the exact set.

// maxEpilog is as long as an epilog can be: one add or lea, a pop of each
// register, and a jump.
const maxEpilog = 7 + 16*2 + 7

// A decoder reads instructions of an epilog.
type decoder struct {
	code []byte
	pos  int
	addr uint64 // of code
}

func (d *decoder) here() []byte { return d.code[min(d.pos, len(d.code)):] }

func (d *decoder) insn() isa.Insn { return isa.AMD64.Decode(d.here(), d.addr+uint64(d.pos)) }

// release reads the instruction that sets rsp, if there is one: an addition of
// a constant, or lea from the frame register. Of those that set rsp from a
// register mov and leave are smaller, and nothing that Windows knows.
func (d *decoder) release(fr *frameState, frameReg uint8) bool {
	const lea = 4 // its smallest size
	switch i := d.insn(); {
	case i.Stack.Kind == isa.Moves && i.Stack.Move > 0:
		fr.sp = fr.sp.plus(i.Stack.Move)
		d.pos += i.Size
	case i.Stack.Kind == isa.SetsSP && i.Size >= lea && frameReg != 0 && amd64Numbers[i.Stack.Base] == frameReg:
		fr.sp = regOffset{amd64Regs[frameReg], i.Stack.Off}
		d.pos += i.Size
	default:
		return false
	}
	return true
}

func (d *decoder) pop() (reg uint8, ok bool) {
	i := d.insn()
	if i.Stack.Kind != isa.Loads || i.Stack.Move != 8 || i.Flow != isa.Next || i.Stack.Has(cpu.None) {
		return 0, false
	}
	d.pos += i.Size
	return amd64Numbers[i.Stack.Regs()[0]], true
}

// An exit is the last instruction of an epilog.
type exit uint8

const (
	noExit   exit = iota
	byReturn      // ret, also with a prefix
	byTail        // an indirect jmp with REX.W, which does nothing but tell that it leaves
	byImport      // jmp [rip+disp32]
	byJump        // jmp rel8 or rel32: it leaves if its target is elsewhere
)

// exit reads the last instruction. It may have a prefix bnd, but only returns
// may have another.
func (d *decoder) exit() (how exit, i isa.Insn) {
	const bnd, rexW = 0xf2, 0x48
	i = d.insn()
	code := bytes.TrimPrefix(d.here()[:i.Size], []byte{bnd})
	switch {
	case i.Flow == isa.Return && i.Stack.Kind == isa.Loads:
		how = byReturn
	case i.Flow == isa.Jump && (code[0] == 0xe9 || code[0] == 0xeb):
		how = byJump
	case i.Flow == isa.JumpMem && code[0] == 0xff && code[1] == 0x25:
		how = byImport
	case (i.Flow == isa.JumpMem || i.Flow == isa.JumpReg) && code[0]&0xf8 == rexW:
		how = byTail
	default:
		return noExit, i
	}
	d.pos += i.Size
	return how, i
}

// runEpilog decodes the code from an address on. If it is the rest of an epilog, the frame follows
// from it.
//
// The address may be inside of an instruction: callers are looked up by the last byte of their
// call, and that byte begins no epilog.
//
// A jump alone is no evidence: a compiler that moves unlikely code out of a function without
// chaining its records (GCC's .cold) jumps out of the middle of a frame. So the instruction before
// it has to be part of an epilog. Windows does not check this, and loses the stack there.
func (f *File) runEpilog(fr *frameState, p *procedure, rel uint64) bool {
	code, at := f.around(p, rel)
	if code == nil || f.endsInCall(code[:at+1], rel+1) {
		return false
	}
	d := decoder{code: code[at:], addr: rel}
	d.release(fr, p.chain[0].frameReg)
	for reg, ok := d.pop(); ok; reg, ok = d.pop() {
		if fr.pop(reg) != nil {
			return false
		}
	}
	alone := d.pos == 0
	how, last := d.exit()
	pops := int64(0)
	switch how {
	case noExit:
		return false
	case byReturn:
		pops = last.Stack.Move - 8
	case byJump, byImport:
		if alone && !p.released(code[:at]) || how == byJump && !f.leaves(p, last.Target) {
			return false
		}
	}
	fr.ret(pops)
	fr.dropVolatile()
	return true
}

// around reads code from a few bytes before an address to behind the longest
// epilog that can begin there, inside of the procedure. The address is at at.
func (f *File) around(p *procedure, rel uint64) (code []byte, at int) {
	const before = 8
	low := max(uint64(p.begin), rel-min(before, rel))
	high := min(uint64(p.end), rel+maxEpilog)
	code, err := f.readUpTo("code", low, high-low)
	if err != nil {
		f.notes.add(p.in("code", err))
		return nil, 0
	}
	at = int(rel - low)
	if at >= len(code) {
		return nil, 0
	}
	return code, at
}

// leaves reports whether a jump's target is in another function, or the
// beginning of this one, which is a call of itself. Unknown is no.
func (f *File) leaves(p *procedure, target uint64) bool {
	root := p.root().begin
	if target == uint64(root) {
		return true
	}
	e, _, covered := f.find(target)
	switch covered {
	case nowhere:
		return false
	case inGap:
		return true
	}
	other, err := f.procedure(e)
	return err == nil && other.root().begin != root
}

// released reports whether code ends in what undoes the first instruction of
// the prolog, so that nothing is left on the stack.
func (p *procedure) released(code []byte) bool {
	for i := len(p.chain) - 1; i >= 0; i-- {
		codes := p.chain[i].codes
		for j := len(codes) - 1; j >= 0; j-- {
			switch codes[j].op {
			case opPushNonvol:
				return bytes.HasSuffix(code, popCode(nil, codes[j].info))
			case opAllocSmall, opAllocLarge:
				return p.releaseBefore(code)
			case opPushMachframe, opSetFPReg:
				return false
			}
		}
	}
	return false
}

func popCode(code []byte, reg uint8) []byte {
	if reg >= 8 {
		code = append(code, 0x41)
	}
	return append(code, 0x58|reg&7)
}

// releaseBefore reports whether code ends in the instruction that sets rsp.
func (p *procedure) releaseBefore(code []byte) bool {
	for _, size := range []int{4, 7} {
		if len(code) >= size {
			d := decoder{code: code[len(code)-size:]}
			if d.release(amd64Frame(), p.chain[0].frameReg) && d.pos == size {
				return true
			}
		}
	}
	return false
}
