// Package origin finds where the value of a register came from, by the code that was executed before.
//
//	links := origin.Trace(&origin.Input{Arch: arch, Decode: disasm.Decode, Code: code, Frames: frames}, 0, reg)
//	for _, l := range links {
//		fmt.Println(l.Register, l.Kind, l.Source) // rax load e->target
//	}
//
// It follows the value backwards: from the register over the load to the pointer that was loaded from, the
// argument, and the caller. A link is stated if every way through the function leads over it. Where ways
// may exist that are not known, and where a register is only preserved by convention, links are doubtful
// (Doubt). A call, a join of different values, an unknown instruction, and memory that changed end the
// trail: there is no link without proof.
//
// If debug information says which variable a register or a word of memory was at that instruction, the
// link has its name: the variable, or the member that the pointer in it leads to.
//
// Read this file first, then code.go, which reads a function, and name.go.
package origin

import (
	"cmp"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/effect"
	"crashglass/core/report"
	"crashglass/core/values/variables"
)

const maxLinks = 6

// Input is what a trail is found by.
type Input struct {
	Arch   *cpu.Arch
	Decode func(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool)
	Code   func(addr uint64, p []byte) int // copies code, up to the first gap
	Word   func(addr uint64) (uint64, bool)
	Frames []Frame // innermost first, without those that are guesses
}

// A Frame is one physical frame.
type Frame struct {
	PC         uint64 // the first instruction that was not executed: that of the crash, or the return address
	Regs       cpu.Regs
	Start, End uint64 // its function; equal if that is unknown
	Entry      bool   // calls enter the function at Start
	Handlers   bool   // exception handlers may continue in the function
	Calls      bool   // calls preserve the registers that the ABI says

	// At returns what package variables needs at an instruction of the function, with the registers that
	// are known there. It may be nil.
	At func(pc uint64, regs *cpu.Regs) *variables.Context

	// Static names the variable outside of functions that is at an address. It may be nil.
	Static func(addr uint64) (variables.Part, string)
}

// A Link says where the value of a register came from.
type Link struct {
	Kind     report.OriginKind
	Frame    int
	Register cpu.Reg // holds the value after the instruction At
	Value    uint64
	Known    bool // Value is

	At     cpu.Inst // that set the register; its Len is 0 for an argument, and where that is unknown
	Memory uint64   // of a load: the address
	Placed bool     // Memory is known
	Target uint64   // of a result: the function that was called, 0 if unknown

	Variable string // that the register was; "" if unknown
	Source   string // of a load: the variable, member or element in memory
	Rule     string // where the debug information says that the variable was
	Doubt    bool   // there may be ways that are not known

	from  effect.Move
	held  variables.Part // that is in the register
	there variables.Part // that is in memory
	index uint64         // what was added to the followed register, apart from the displacement
	plain bool           // index is known
	stale bool           // memory may have changed after the load
	slot  bool           // the next link is about what was stored in that memory
}

// Trace follows the value of a register of the innermost frame. The first link is about the register.
func Trace(in *Input, reg cpu.Reg) []Link {
	t := &tracer{Input: in}
	if len(in.Frames) == 0 {
		return nil
	}
	f := &in.Frames[0]
	p := place{g: t.graph(f), regs: f.Regs}
	if p.g != nil {
		var ok bool
		if p.at, ok = p.g.at[f.PC]; !ok {
			p.g = nil
		}
	}
	v, known := f.Regs.Get(reg)
	return t.trail(p, Link{Register: reg, Value: v, Known: known}, true)
}

// TraceCall follows the address that the second frame called.
func TraceCall(in *Input, target uint64) []Link {
	t := &tracer{Input: in}
	p, ok := t.call()
	if !ok {
		return nil
	}
	l := Link{Register: cpu.None, Value: target, Known: true, Frame: 1}
	inst := &p.g.nodes[p.at].inst
	if m := inst.Operands; len(m) == 1 && m[0].Kind == cpu.Memory && m[0].Mem.Size == in.Arch.Word && m[0].Mem.Segment == "" && !m[0].Mem.Unknown {
		l.Kind, l.At, l.from = report.OriginLoad, *inst, effect.Move{Kind: effect.Load, Mem: m[0].Mem}
		next, to, more := t.loaded(p, &l)
		t.links = append(t.links, l)
		return t.trail(next, to, more)
	} else if len(m) > 0 && m[0].Kind == cpu.Register && m[0].Reg != cpu.None {
		l.Register = m[0].Reg
		return t.trail(p, l, true)
	}
	return nil
}

// Argument returns what the second frame passed in a register when it called the first one, if that is a constant, such as the address of a text.
// Exception handlers do not matter: they leave no value in the registers of arguments.
func Argument(in *Input, reg cpu.Reg) (uint64, bool) {
	p, ok := (&tracer{Input: in}).call()
	if !ok || p.g.jumps {
		return 0, false
	}
	sum := uint64(0)
	for range maxLinks {
		d := p.g.register(p.at, reg)
		if !d.ok || d.calls || d.node < 0 {
			return 0, false
		}
		set, ok := p.g.nodes[d.node].set(reg)
		switch m := &set.Mem; {
		case !ok:
			return 0, false
		case set.Kind == effect.Constant:
			return (set.Value + sum) & in.Arch.Mask(), true
		case set.Kind != effect.Sum || m.Index != cpu.None, p.g.doubt && !m.PCRel && m.Base != reg && m.Base != cpu.None:
			return 0, false
		case m.PCRel || m.Base == cpu.None:
			v, ok := m.Address(in.Arch, &cpu.Regs{}, nil)
			return (v + sum) & in.Arch.Mask(), ok
		default:
			p.at, reg, sum = d.node, m.Base, sum+uint64(m.Disp)
		}
	}
	return 0, false
}

// call is the place of the call in the second frame.
func (t *tracer) call() (p place, ok bool) {
	if len(t.Frames) < 2 {
		return p, false
	}
	f := &t.Frames[1]
	p = place{frame: 1, g: t.graph(f), regs: f.Regs}
	if p.g != nil {
		p.at, ok = p.g.callBefore(f.PC)
	}
	return p, ok
}

// trail completes a trail that goes on at a place, if there is more.
func (t *tracer) trail(p place, l Link, more bool) []Link {
	if more {
		t.follow(p, l)
	}
	t.check()
	t.name()
	return t.links
}

type tracer struct {
	*Input
	links []Link
}

// A place is before the instruction at of a frame, with the registers that are known there.
type place struct {
	frame int
	g     *graph // nil if the code is unknown
	at    int
	regs  cpu.Regs
	stale bool // memory may have changed since
}

// callBefore returns the call that returns to an address.
func (g *graph) callBefore(pc uint64) (int, bool) {
	for i := range g.nodes {
		if inst := &g.nodes[i].inst; inst.Addr+uint64(inst.Len) == pc && inst.Flow == cpu.Call {
			return i, true
		}
	}
	return 0, false
}

// follow adds the links from a place on. l has the register and its value.
func (t *tracer) follow(p place, l Link) {
	for len(t.links) < maxLinks {
		l.Frame = p.frame
		f := &t.Frames[p.frame]
		pc := f.PC
		if p.g != nil {
			pc = p.g.nodes[p.at].inst.Addr
		}
		if l.Register != cpu.None && f.At != nil {
			l.held, l.Rule = variables.Held(f.At(pc, &p.regs), l.Register)
		}
		var next Link
		var more bool
		if p.g != nil {
			p, next, more = t.step(p, &l)
		}
		l.Kind = cmp.Or(l.Kind, report.OriginUnknown)
		t.links = append(t.links, l)
		if !more {
			return
		}
		next.Doubt = l.Doubt
		l = next
	}
}

// step finds where the value of a link came from, and the register to follow from there.
func (t *tracer) step(p place, l *Link) (place, Link, bool) {
	f := &t.Frames[p.frame]
	d := p.g.register(p.at, l.Register)
	if !d.ok || d.calls && !f.Calls {
		return p, Link{}, false
	}
	l.Doubt = l.Doubt || p.g.doubt || d.calls
	if d.node < 0 {
		return t.argument(p, l, d)
	}
	n := &p.g.nodes[d.node]
	p.at, p.regs = d.node, without(p.regs, d.changed)
	if l.At = n.inst; n.effect.Call {
		if l.Register == result(t.Arch) {
			l.Kind, l.Target = report.OriginResult, n.inst.Target
		}
		return p, Link{}, false
	}
	set, ok := n.set(l.Register)
	if !ok {
		return p, Link{}, false
	}
	p.stale = p.stale || d.stores
	l.from, l.stale = set, p.stale
	p.regs = without(p.regs, n.effect.Writes)
	switch m := &l.from.Mem; l.from.Kind {
	case effect.Constant:
		l.Kind = report.OriginConstant
		return p, Link{}, false
	case effect.Load:
		l.Kind = report.OriginLoad
		return t.loaded(p, l)
	default:
		if l.Kind = report.OriginSum; m.Base != cpu.None && m.Index == cpu.None && m.Disp == 0 && !m.PCRel {
			l.Kind = report.OriginCopy
		}
		return t.added(p, l)
	}
}

// result is the register in which functions return a pointer.
func result(arch *cpu.Arch) cpu.Reg {
	return map[*cpu.Arch]cpu.Reg{&cpu.AMD64: cpu.RAX, &cpu.X86: cpu.EAX}[arch] // 0 is x0 of arm64 and r0 of ARM
}

// without forgets registers that may have changed.
func without(regs cpu.Regs, changed cpu.Set) cpu.Regs { return regs.Keep(^changed) }

// added follows a sum: the register that is the pointer in it.
func (t *tracer) added(p place, l *Link) (place, Link, bool) {
	m := &l.from.Mem
	switch {
	case m.Base == cpu.None && m.Index != cpu.None:
		l.Kind = report.OriginUnknown
		return p, Link{}, false
	case m.PCRel || m.Base == cpu.None:
		l.Kind = report.OriginConstant
		if v, ok := m.Address(t.Arch, &cpu.Regs{}, nil); ok && !l.Known {
			l.Value, l.Known = v, true
		}
		return p, Link{}, false
	}
	if l.plain = m.Index == cpu.None; m.Base == t.Arch.SP || m.Base == t.Arch.FP && l.plain {
		return p, Link{}, false // the address of a variable
	}
	if m.Index != cpu.None {
		if v, ok := p.regs.Get(m.Index); ok && m.Index != l.Register {
			l.index, l.plain = t.times(m, v), true
		} else if b, ok := p.regs.Get(m.Base); ok && max(m.Scale, 1) == 1 && l.Known && !m.Minus && m.Extend == 0 && m.Base != l.Register {
			// the other register is what is left
			if other := (l.Value - b - uint64(m.Disp)) & t.Arch.Mask(); other > b {
				l.index, l.plain = b, true
				l.from.Mem.Base = m.Index
				return p, Link{Register: m.Index, Value: other, Known: true}, true
			}
		}
		if !l.plain {
			return p, Link{}, false
		}
	}
	next := Link{Register: m.Base}
	if next.Value, next.Known = p.regs.Get(m.Base); !next.Known && l.Known {
		next.Value, next.Known = (l.Value-l.index-uint64(m.Disp))&t.Arch.Mask(), true
	}
	return p, next, true
}

// times is what an index adds to an address.
func (t *tracer) times(m *cpu.MemOp, index uint64) uint64 {
	only := cpu.MemOp{Base: cpu.None, Index: 0, Scale: m.Scale, Extend: m.Extend, Minus: m.Minus}
	var regs cpu.Regs
	regs.Set(0, index)
	v, _ := only.Address(t.Arch, &regs, nil)
	return v
}

// loaded follows a load: a word of the stack to what was stored there, another one to its base.
func (t *tracer) loaded(p place, l *Link) (place, Link, bool) {
	m := &l.from.Mem
	l.Memory, l.Placed = m.Address(t.Arch, &p.regs, nil)
	f := &t.Frames[p.frame]
	if l.Placed && f.At != nil {
		var rule string
		if l.there, rule = variables.Covering(f.At(l.At.Addr, &p.regs), l.Memory, t.Arch.Word); rule != "" {
			l.Rule = rule
		}
	}
	if m.PCRel || m.Base == cpu.None {
		if l.Placed && f.Static != nil && l.there.Text == "" {
			l.there, l.Rule = f.Static(l.Memory)
		}
		return p, Link{}, false
	}
	if m.Base == t.Arch.SP || m.Base == t.Arch.FP {
		if m.Index == cpu.None {
			if d, stored := p.g.slot(p.at, m); d.ok {
				p.at, p.regs, p.stale, l.slot = d.node, without(p.regs, d.changed), true, true
				if stored.Reg == cpu.None {
					t.links = append(t.links, *l)
					*l = Link{Kind: report.OriginConstant, Register: cpu.None, Frame: l.Frame, Value: stored.Value, Known: true, At: p.g.nodes[d.node].inst, Doubt: l.Doubt}
					return p, Link{}, false
				}
				return p, Link{Register: stored.Reg, Value: l.Value, Known: l.Known}, true
			}
		}
		if m.Base == t.Arch.SP || l.there.Text != "" {
			return p, Link{}, false
		}
	}
	if l.plain = m.Index == cpu.None; !l.plain {
		index, known := p.regs.Get(m.Index)
		base, both := p.regs.Get(m.Base)
		if l.index, l.plain = t.times(m, index), known; both && known && max(m.Scale, 1) == 1 && index > base {
			return p, Link{}, false // which one is the pointer is not certain
		}
	}
	next := Link{Register: m.Base}
	next.Value, next.Known = p.regs.Get(m.Base)
	return p, next, true
}

// argument ends the trail in a function at its entry: the caller passed the value, or preserved it. A call
// that led to the entry proves it, and leads on to the caller.
func (t *tracer) argument(p place, l *Link, d definition) (place, Link, bool) {
	f := &t.Frames[p.frame]
	if t.Arch.CalleeSaved.Has(l.Register) || l.Register == t.Arch.SP || l.Register == t.Arch.LR {
		return p, Link{}, false
	}
	call, called := t.caller(p.frame)
	if !f.Entry && !called {
		return p, Link{}, false
	}
	l.Kind = report.OriginArgument
	if f.At != nil && l.held.Text == "" {
		p.regs = without(p.regs, d.changed)
		l.held, l.Rule = variables.Held(f.At(f.Start, &p.regs), l.Register)
	}
	return call, Link{Register: l.Register, Value: l.Value, Known: l.Known}, called
}

// caller returns the call that entered the function of a frame, if it is proved that nothing came between,
// such as a tail call: it calls the function's start, directly or by a word that the linker filled.
func (t *tracer) caller(frame int) (place, bool) {
	if frame+1 >= len(t.Frames) {
		return place{}, false
	}
	up, start := &t.Frames[frame+1], t.Frames[frame].Start
	p := place{frame: frame + 1, g: t.graph(up), regs: up.Regs, stale: true}
	ok := false
	if p.g != nil {
		p.at, ok = p.g.callBefore(up.PC)
	}
	if !ok {
		return p, false
	}
	inst := &p.g.nodes[p.at].inst
	if !inst.HasTarget {
		return p, t.linked(inst, start)
	}
	if inst.Target == start {
		return p, true
	}
	for at, n := inst.Target, 0; n < 2; n++ { // a stub of the linker, perhaps behind endbr64
		code := make([]byte, 16)
		stub, ok := t.Decode(t.Arch, code[:t.Code(at, code)], at)
		if !ok {
			return p, false
		}
		if stub.Flow == cpu.Jump {
			return p, t.linked(&stub, start)
		}
		at += uint64(stub.Len)
	}
	return p, false
}

// linked reports whether an instruction goes to the address in a word that it addresses relative to itself,
// and that is start.
func (t *tracer) linked(inst *cpu.Inst, start uint64) bool {
	if len(inst.Operands) != 1 || inst.Operands[0].Kind != cpu.Memory || !inst.Operands[0].Mem.PCRel {
		return false
	}
	at, ok := inst.Operands[0].Mem.Address(t.Arch, &cpu.Regs{}, nil)
	v, captured := t.Word(at)
	return ok && captured && v == start
}

// check completes values by memory, from the outermost link on, and ends the trail where memory contradicts
// it: there the value was another one when it was loaded.
func (t *tracer) check() {
	for i := len(t.links) - 1; i >= 0; i-- {
		l := &t.links[i]
		if i+1 < len(t.links) && t.links[i+1].Known && !l.Known {
			switch v := t.links[i+1].Value; l.Kind {
			case report.OriginCopy, report.OriginArgument:
				l.Value, l.Known = v, true
			case report.OriginSum:
				l.Value, l.Known = (v+l.index+uint64(l.from.Mem.Disp))&t.Arch.Mask(), l.plain
			}
		}
		if l.Kind != report.OriginLoad {
			continue
		}
		if l.slot && !l.Known && i+1 < len(t.links) {
			l.Value, l.Known = t.links[i+1].Value, t.links[i+1].Known
		}
		if !l.slot && !l.Placed && i+1 < len(t.links) && t.links[i+1].Known && l.plain && t.links[i+1].Register == l.from.Mem.Base {
			l.Memory, l.Placed = (t.links[i+1].Value+l.index+uint64(l.from.Mem.Disp))&t.Arch.Mask(), true
		}
		v, captured := uint64(0), false
		if l.Placed {
			v, captured = t.Word(l.Memory)
		}
		switch {
		case !captured:
			l.Doubt = l.Doubt || l.stale
		case !l.Known && !l.stale:
			l.Value, l.Known = v, true
		case l.Known && v != l.Value:
			*l = Link{Kind: report.OriginUnknown, Frame: l.Frame, Register: l.Register, Value: l.Value, Known: true, held: l.held, Rule: l.Rule, Doubt: l.Doubt}
			t.links = t.links[:i+1]
		}
	}
}
