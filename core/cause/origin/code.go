package origin

import (
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/effect"
)

// The bounds of the code that is read: maxCode in bytes for a function, maxOutside in instructions for
// the parts of it that lie elsewhere.
const (
	maxCode    = 1 << 15
	maxOutside = 1 << 9
)

// A graph is the code of a function with the ways through it, backwards.
type graph struct {
	nodes []node
	at    map[uint64]int // nodes by address
	doubt bool           // there may be ways that are not known: jump tables, exception handlers elsewhere
	jumps bool           // that is because of jumps
}

type node struct {
	inst    cpu.Inst
	effect  effect.Effect
	before  []int // the instructions that may be executed just before
	entered bool  // it is also reached from code that is not read
}

// set is the value that the instruction moves into a register, if that is known: the last one, if it moves several.
func (n *node) set(reg cpu.Reg) (out effect.Move, ok bool) {
	for _, m := range n.effect.Sets {
		if m.Reg == reg {
			out, ok = m, true
		}
	}
	return out, ok
}

// graph reads a function. It is nil if its code is not all known: then any instruction may be the target
// of a jump.
func (t *tracer) graph(f *Frame) *graph {
	if f.End <= f.Start || f.End-f.Start > maxCode {
		return nil
	}
	code := make([]byte, f.End-f.Start)
	if t.Code(f.Start, code) < len(code) {
		return nil
	}
	g, handled := &graph{at: map[uint64]int{}}, false
	for off := 0; off < len(code); {
		inst, ok := t.Decode(t.Arch, code[off:], f.Start+uint64(off))
		n := node{inst: inst}
		switch {
		case ok:
			n.effect = effect.Of(t.Arch, &inst, code[off:])
		case t.Arch.Align == 4: // data between the code
			n.inst.Len = min(4, len(code)-off)
		default:
			return nil
		}
		handled = handled || f.Handlers && n.effect.Call // only a call throws
		g.at[f.Start+uint64(off)] = len(g.nodes)
		g.nodes = append(g.nodes, n)
		off += n.inst.Len
	}
	g.connect(t, f)
	g.doubt = g.jumps || handled
	return g
}

// connect finds what may be executed before each instruction.
func (g *graph) connect(t *tracer, f *Frame) {
	left := maxOutside
	for i := range g.nodes {
		inst := &g.nodes[i].inst
		if i+1 < len(g.nodes) && inst.Flow != cpu.Jump && inst.Flow != cpu.Ret {
			g.nodes[i+1].before = append(g.nodes[i+1].before, i)
		}
		switch to, inside := g.at[inst.Target]; {
		case inst.Flow != cpu.Jump && inst.Flow != cpu.CondJump:
		case !inst.HasTarget:
			g.jumps = g.jumps || inst.Flow == cpu.Jump || len(inst.Operands) > 1
		case inside:
			g.nodes[to].before = append(g.nodes[to].before, i)
		case inst.Target-f.Start < f.End-f.Start: // into an instruction
			g.jumps = true
		default:
			g.outside(t, inst.Target, &left)
		}
	}
}

// outside follows code behind a jump out of the function, which may be a part of it: compilers move code
// that is rarely executed. The instructions to which that code jumps back are marked.
func (g *graph) outside(t *tracer, at uint64, left *int) {
	seen := map[uint64]bool{}
	for todo := []uint64{at}; len(todo) > 0; {
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if i, back := g.at[at]; back {
			g.nodes[i].entered = true
			continue
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		if *left--; *left < 0 {
			g.jumps = true
			return
		}
		code := make([]byte, 16)
		inst, ok := t.Decode(t.Arch, code[:t.Code(at, code)], at)
		if !ok {
			g.jumps = true
			continue
		}
		if (inst.Flow == cpu.Jump || inst.Flow == cpu.CondJump) && inst.HasTarget {
			todo = append(todo, inst.Target)
		}
		if inst.Flow != cpu.Jump && inst.Flow != cpu.Ret && inst.Flow != cpu.Trap {
			todo = append(todo, at+uint64(inst.Len))
		}
	}
}

// A definition is the instruction that set a register, or a word of memory, by all ways to a place.
type definition struct {
	node    int     // -1 is the entry of the function
	ok      bool    // it is the only one
	changed cpu.Set // registers that may have changed since
	stores  bool    // memory may have changed since
	calls   bool    // there were calls since
}

// last finds the definition before a node is executed. sets reports whether an instruction sets what is
// searched, and whether it may have changed it in an unknown way.
func (g *graph) last(at int, sets func(*node) (sets, unclear bool)) definition {
	d := definition{node: -2}
	found := func(i int) bool {
		ok := d.node == -2 || d.node == i
		d.node = i
		return ok
	}
	seen := make([]bool, len(g.nodes))
	for todo := []int{at}; len(todo) > 0; {
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		n := &g.nodes[at]
		if n.entered || at == 0 && !found(-1) || at != 0 && len(n.before) == 0 {
			return d
		}
		for _, i := range n.before {
			if seen[i] {
				continue
			}
			seen[i] = true
			b := &g.nodes[i]
			sets, unclear := sets(b)
			switch {
			case unclear, sets && !found(i):
				return d
			case !sets:
				d.changed |= b.effect.Writes
				d.stores, d.calls = d.stores || b.effect.Stores, d.calls || b.effect.Call
				todo = append(todo, i)
			}
		}
	}
	d.ok = d.node != -2
	return d
}

func (g *graph) register(at int, reg cpu.Reg) definition {
	return g.last(at, func(n *node) (bool, bool) {
		return n.effect.Writes.Has(reg), !n.effect.Known
	})
}

// slot finds the instruction that stored a whole word of the stack, which has not changed since, and what
// it stored. Any other store may be one to that word, unless it has the same base.
func (g *graph) slot(at int, m *cpu.MemOp) (d definition, stored effect.Move) {
	d = g.last(at, func(n *node) (sets, unclear bool) {
		e := &n.effect
		if !e.Known || e.Call || e.Writes.Has(m.Base) || e.Stores && len(e.Stored) == 0 {
			return false, true
		}
		for i := range e.Stored {
			s := &e.Stored[i].Mem
			switch {
			case s.Base != m.Base || s.Index != cpu.None || s.PCRel:
				return false, true
			case s.Disp == m.Disp:
				sets = true
			case s.Disp < m.Disp+int64(m.Size) && m.Disp < s.Disp+int64(s.Size):
				return false, true
			}
		}
		return sets, false
	})
	if d.ok = d.ok && d.node >= 0; d.ok {
		list := g.nodes[d.node].effect.Stored
		stored = list[slices.IndexFunc(list, func(s effect.Move) bool { return s.Mem.Disp == m.Disp })]
	}
	return d, stored
}
