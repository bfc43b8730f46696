package pe

import "bytes"

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

// popCode appends the instruction that pops a register.
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
