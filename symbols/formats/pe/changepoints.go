package pe

import (
	"bytes"
	"fmt"
)

// changePoints are the addresses at which the rules change: those behind each
// instruction of a prolog or epilog.
func (r *armRecord) changePoints(e entry, out []uint64) ([]uint64, error) {
	begin := uint64(e.begin)
	for n := range instructions(r.prolog) {
		out = append(out, begin+4*uint64(n+1))
	}
	last := uint32(0)
	for _, e := range r.epilogs {
		at, _, err := r.epilogAt(e.start)
		if err != nil {
			return nil, err
		}
		if e.start < last {
			return nil, fmt.Errorf("epilogs overlap at instruction %d", e.start)
		}
		last = e.start + instructions(at.seq) + 1
		for n := e.start; n <= last; n++ {
			out = append(out, begin+4*uint64(n))
		}
	}
	return out, nil
}

func (f *File) changePoints(p *procedure, out []uint64) []uint64 {
	u := p.chain[0]
	for _, c := range u.codes {
		out = append(out, uint64(p.begin)+uint64(c.at))
	}
	if u.version != 2 {
		out = append(out, uint64(p.begin)+uint64(u.prolog))
		return f.epilogPoints(p, out)
	}
	for _, distance := range u.epilogs {
		start := uint64(p.end) - uint64(distance)
		out = popPoints(start, p.pushes(), out)
		out = append(out, start+uint64(u.epilogSize))
	}
	return out
}

// epilogPoints looks through code for epilogs that undo the whole prolog.
func (f *File) epilogPoints(p *procedure, out []uint64) []uint64 {
	f.work.Spend(int64(p.end - p.begin)) // thousands of entries may have the same code
	code, err := f.read("code", uint64(p.begin), uint64(p.end-p.begin))
	if err != nil {
		f.notes.add(p.in("code", err))
		return out
	}
	pushes, allocated := p.pushed()
	var pops []byte
	for _, c := range pushes {
		pops = popCode(pops, c.info)
	}
	if len(pops) == 0 && allocated == 0 {
		return out
	}
	for i, b := range code {
		if !mayExit(b) || !bytes.HasSuffix(code[:i], pops) {
			continue
		}
		d := decoder{code: code, pos: i, addr: uint64(p.begin)}
		how, last := d.exit()
		start := i - len(pops)
		sure := how == byReturn && len(pops) > 1
		switch {
		case how == noExit, allocated > 0 && !sure && !p.setsRSP(code[:start], allocated):
			continue
		case how == byJump && !f.leaves(p, last.Target):
			continue
		}
		out = popPoints(uint64(p.begin)+uint64(start), pushes, out)
		out = append(out, uint64(p.begin)+uint64(d.pos))
	}
	return out
}

// mayExit reports first bytes of the last instruction of an epilog.
func mayExit(b byte) bool {
	switch b {
	case 0xc3, 0xc2, 0xf2, 0xf3, 0xeb, 0xe9, 0xff:
		return true
	}
	return b&0xf8 == 0x48
}

// setsRSP reports whether code ends in an instruction that releases what the
// prolog allocated. Compilers write more than the two that Windows knows: mov
// from rbp (GCC) or from r11 (MSVC, which has loaded it before), and a pop of
// what need not be kept, for 8 bytes.
func (p *procedure) setsRSP(code []byte, allocated uint64) bool {
	for _, move := range []string{"\x48\x89\xec", "\x48\x8b\xe5", "\x49\x8b\xe3"} {
		if bytes.HasSuffix(code, []byte(move)) {
			return true
		}
	}
	if n := len(code); allocated == 8 && n > 0 && code[n-1] >= 0x58 && code[n-1] <= 0x5a {
		return true
	}
	return p.releaseBefore(code)
}

// popPoints are the addresses of pops, which begin at one, and what follows them.
func popPoints(at uint64, pushes []unwindCode, out []uint64) []uint64 {
	out = append(out, at)
	for _, c := range pushes {
		if c.op != opPushNonvol {
			break
		}
		at += uint64(popSize(c.info))
		out = append(out, at)
	}
	return out
}

// pushed is what the prolog pushes, and how many bytes it allocates besides.
func (p *procedure) pushed() (pushes []unwindCode, allocated uint64) {
	for _, u := range p.chain {
		for _, c := range u.codes {
			switch c.op {
			case opPushNonvol:
				pushes = append(pushes, c)
			case opAllocSmall, opAllocLarge:
				allocated += uint64(c.arg)
			}
		}
	}
	return pushes, allocated
}
