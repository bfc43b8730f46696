package pe

import "fmt"

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
