package analyze

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/cause/crash"
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// The bounds of comparing code.
const (
	mostCompared = 8 << 20 // bytes of one module
	aroundFrames = 2 << 10 // bytes before and behind an instruction of a stack, which are compared first
	mostChanges  = 64      // in a report
	mostFlips    = 3       // in a module: many flipped bits are another file
	joined       = 8       // unchanged bytes inside of one change
	longestPatch = 16      // bytes at the beginning of a function that a jump needs
	mostParts    = 256     // of a module's code: linkers make a few
)

// CompareCode is [Options].Compare. It compares the captured code of the modules on stacks with their files. Files are used if the dump identifies their build.
// Windows' kernel changes the code of drivers for the CPU, so dumps of it are not compared.
func CompareCode(a *analysis, r *report.Report) (out []report.CodeChange, find crash.CodeFinder) {
	if a.p.Event.IsBugCheck() || a.p.Arch == nil {
		return nil, nil
	}
	mods := a.modules.Modules()
	for i := range mods {
		mod := &mods[i]
		if _, used := a.lookup.known[mod]; !used || mod.ByName || mod.Floating || mod.Offsets != module.FromBase || a.os.IsMac() && a.isSystem(mod) {
			continue // the libraries of macOS are in its shared cache, whose builder changes calls
		}
		image := a.images.of(mod)
		if !image.matches() || image.state.State == report.SymbolsReading {
			continue
		}
		c := comparison{analysis: a, mod: mod, index: i, image: image.source, left: mostCompared}
		c.compare(r)
		out = append(out, c.changes()...)
		out = out[:min(len(out), mostChanges)]
	}
	return out, crash.FindInCode(out)
}

// A comparison is that of one module.
type comparison struct {
	*analysis
	mod   *module.Module
	index int
	image symbolize.Image
	left  int // bytes that may still be compared
	runs  []codeRun
}

// A codeRun is captured code that differs from the file.
type codeRun struct {
	at                uint64
	shipped, captured []byte
}

func (c *comparison) compare(r *report.Report) {
	parts := c.image.CodeParts()
	parts = parts[:min(len(parts), mostParts)]
	part := func(p symbolize.Range, from, to uint64) {
		start := c.mod.Base + p.Start
		c.between(max(start, from), min(start+min(p.Size, c.mod.Span()-min(p.Start, c.mod.Span())), to))
	}
	seen := map[uint64]bool{} // many threads wait at the same places
	for i := range r.Threads {
		for k := range r.Threads[i].Frames {
			f := &r.Threads[i].Frames[k]
			at := f.Walked().Instruction
			if f.ModuleIndex == nil || *f.ModuleIndex != c.index || seen[at] {
				continue
			}
			seen[at] = true
			for n := 0; n < len(parts) && c.left > 0; n++ {
				part(parts[n], at-min(at, aroundFrames), at+aroundFrames)
			}
		}
	}
	for _, p := range parts {
		part(p, 0, ^uint64(0))
	}
	sorting.Stable(c.runs, func(x, y codeRun) int { return cmp.Compare(x.at, y.at) })
}

// between compares captured code between two addresses.
func (c *comparison) between(at, end uint64) {
	var have, want [4 << 10]byte
	for at < end && c.left > 0 {
		next, ok := c.p.Memory.Next(at)
		if !ok || next >= end {
			return
		}
		at = next
		n := c.p.Memory.Read(at, have[:min(uint64(len(have)), end-at)])
		if n == 0 {
			at |= process.MapperPage - 1 // a page that is mapped and not captured
		}
		n = c.shipped(at, want[:n])
		if n == 0 { // what a loader changes
			at, c.left = at+1, c.left-joined
			continue
		}
		if !bytes.Equal(have[:n], want[:n]) {
			c.collect(at, have[:n], want[:n])
		}
		at, c.left = at+uint64(n), c.left-n
	}
}

// shipped reads the file's code for an address as the loader left it.
func (c *comparison) shipped(at uint64, p []byte) int {
	return c.image.ReadLoaded(c.mod.Base, at-c.mod.Base, p)
}

func (c *comparison) collect(at uint64, have, want []byte) {
	for i := 0; i < len(have) && len(c.runs) <= mostChanges; i++ {
		if have[i] == want[i] {
			continue
		}
		end := i + 1
		for n := end; n < len(have) && n < end+joined; n++ {
			if have[n] != want[n] {
				end = n + 1
			}
		}
		start := at + uint64(i)
		if !slices.ContainsFunc(c.runs, func(r codeRun) bool { return start-r.at < uint64(len(r.captured)) }) {
			c.runs = append(c.runs, codeRun{start, bytes.Clone(want[i:end]), bytes.Clone(have[i:end])})
		}
		i = end
	}
}

// changes classifies what differs. Flipped bits are believed if all else is as it was shipped, but for hooks and breakpoints. Of other
// changes, which programs make on purpose, only one at the instruction that failed matters.
func (c *comparison) changes() (out []report.CodeChange) {
	flips, others := 0, 0
	for i := range c.runs {
		change := c.change(&c.runs[i])
		switch change.Kind {
		case "":
			continue
		case report.CodeFlipped:
			flips++
		case report.CodeOther:
			others++
		}
		out = append(out, change)
	}
	pc := uint64(0)
	if frames := c.walked[max(c.p.Subject, 0)]; len(frames) > 0 {
		pc = frames[0].Instruction
	}
	return slices.DeleteFunc(out, func(r report.CodeChange) bool {
		return r.Kind == report.CodeFlipped && (flips > mostFlips || others > 0) || r.Kind == report.CodeOther && !r.Near(pc)
	})
}

// change describes a run. Its kind is "" if it is no finding.
func (c *comparison) change(r *codeRun) (out report.CodeChange) {
	loc, named := c.lookup.of(c.mod).locate(r.at - c.mod.Base + uint64(len(r.captured)) - 1)
	start := c.mod.Base + loc.Start
	if skip := start - r.at; named && skip < uint64(len(r.captured)) { // a hot patch has its jump before the function
		r.at, r.shipped, r.captured = start, r.shipped[skip:], r.captured[skip:]
	}
	rel := r.at - c.mod.Base
	out = report.CodeChange{
		Address: c.addr(r.at), Module: c.mod.Name(), ModuleIndex: c.index, ModuleOffset: c.addr(rel),
		Shipped: fmt.Sprintf("%x", r.shipped), Captured: fmt.Sprintf("%x", r.captured),
	}
	if named && start <= r.at {
		out.Function, out.FunctionOffset = ptr(c.budget.name(loc.Function)), ptr(c.addr(r.at-start))
	} else {
		start = r.at
	}
	out.Kind = c.kind(r, start, &out)
	return out
}

// kind says what a change in a function from start on is.
func (c *comparison) kind(r *codeRun, start uint64, out *report.CodeChange) report.CodeChangeKind {
	arch := c.p.Arch
	flipped := 0
	for i := range r.shipped {
		flipped += bits.OnesCount8(r.shipped[i] ^ r.captured[i])
	}
	here := r.at &^ (arch.Align - 1)
	inst, ok := c.decode(here)
	switch {
	case ok && inst.Flow == cpu.Trap && len(r.captured) <= inst.Len && (inst.Text == "int 0x3" || inst.Mnemonic == "brk") && c.begins(start, here):
		return report.CodeBreakpoint
	case flipped == 1:
		return report.CodeFlipped
	case r.at-start < longestPatch && (c.hook(r, start, out) || c.hook(r, here, out)):
		return report.CodeHook
	}
	var code [disasm.MaxLen]byte
	n := c.shipped(r.at, code[:])
	if inst, ok = disasm.Decode(arch, code[:n], r.at); ok && inst.Mnemonic == "nop" {
		return "" // the compiler left room for it
	}
	return report.CodeOther
}

// begins reports whether an instruction of the file begins at an address, as far as the code from start on shows it. A flipped bit in the
// middle of one can look like int3.
func (c *comparison) begins(start, addr uint64) bool {
	const furthest = 64 << 10
	var code [disasm.MaxLen]byte
	if c.p.Arch.Align > 1 || addr-start > furthest {
		return true
	}
	for start < addr {
		inst, ok := disasm.Decode(c.p.Arch, code[:c.shipped(start, code[:])], start)
		if !ok || inst.Len <= 0 {
			return true
		}
		start += uint64(inst.Len)
	}
	return start == addr
}

func (c *comparison) decode(addr uint64) (cpu.Inst, bool) {
	var code [disasm.MaxLen]byte
	return disasm.Decode(c.p.Arch, code[:c.p.Memory.Read(addr, code[:])], addr)
}

// hook reports whether a change is a jump out of the module, and where it leads.
func (c *comparison) hook(r *codeRun, at uint64, out *report.CodeChange) bool {
	target, end, ok := c.jump(at)
	for hops := 0; ok && c.modules.At(target) == nil && hops < 4 || ok && c.mod.Contains(target) && hops < 4; hops++ {
		next, _, more := c.jump(target) // through memory of the one who wrote the jump, or of the function before
		if !more {
			break
		}
		target = next
	}
	if !ok || r.at >= end || c.mod.Contains(target) {
		return false
	}
	out.Target = ptr(c.addr(target))
	if i := c.modules.IndexAt(target); i >= 0 {
		out.TargetModule, out.TargetIndex = ptr(c.modules.Modules()[i].Name()), ptr(i)
	}
	return true
}

// jump follows instructions that do nothing but jump, and returns where they lead and where they end: a jump to an address or by a word
// of memory, mov and jmp, push and ret, ldr and br.
func (c *comparison) jump(at uint64) (target, end uint64, ok bool) {
	for range 3 {
		inst, decoded := c.decode(at)
		if !decoded {
			return 0, 0, false
		}
		at += uint64(inst.Len)
		jumps := inst.Flow == cpu.Jump || inst.Flow == cpu.Ret
		switch {
		case inst.HasTarget && jumps:
			return inst.Target, at, true
		case inst.Mnemonic == "endbr64" || inst.Mnemonic == "endbr32":
			continue
		}
		for i := range inst.Operands {
			switch o := &inst.Operands[i]; {
			case o.Kind == cpu.Immediate && !jumps:
				target, ok = uint64(o.Imm)&c.p.Arch.Mask(), true
			case o.Kind == cpu.Memory && (o.Mem.PCRel || o.Mem.Base == cpu.None):
				where, known := o.Mem.Address(c.p.Arch, &cpu.Regs{}, nil)
				target, ok = c.p.Memory.Word(where, c.p.Arch.Word)
				ok = ok && known
			}
		}
		if jumps || !ok {
			return target, at, ok
		}
	}
	return 0, 0, false
}
