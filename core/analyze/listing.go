package analyze

import (
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// MostCode is the most instructions on either side of an address that
// Disassemble lists.
const MostCode = 200

// Code is a listing of captured code. It has a line at the requested address, or no lines at all.
type Code struct {
	Lines []CodeLine `json:"lines"`
	// Sure says that the lines before the address are certain: the function was decoded from its
	// start, or all instructions of the CPU have one size. Otherwise they are the likeliest ones.
	Sure bool `json:"sure"`
}

// CodeLine is one instruction.
type CodeLine struct {
	Address report.Address `json:"address"`
	Bytes   string         `json:"bytes"` // in hex
	Text    string         `json:"text"`  // "" where the bytes are no known instruction
	// Function, File and Line belong to the innermost inlined call, if there is one.
	Function *string `json:"function"`
	File     *string `json:"file"`
	Line     *int    `json:"line"`
	// FromFile says that the bytes come from the module's file, because the dump lacks them.
	FromFile bool `json:"from_file"`
	// Target is where a direct branch or call goes.
	Target *report.Address `json:"target"`
}

// Disassemble lists the code around addr, from the dump or from the module's file, with up to the given number of
// instructions before and after it. Instructions of variable length cannot be decoded backwards. The lines before
// addr are therefore decoded forwards: from the start of the function if symbols have it, else from the place
// where most decodings agree. They are left out if no decoding arrives at addr.
func (s *Session) Disassemble(syms Symbols, addr uint64, before, after int) Code {
	if s.p.Arch == nil {
		return Code{Lines: []CodeLine{}}
	}
	before, after = min(max(before, 0), MostCode), min(max(after, 0), MostCode)
	l := listing{analysis: s.analysis(syms, Options{}), lines: []CodeLine{}}
	l.arch = l.codeArch(addr)
	sure := l.before(addr, before)
	l.after(addr, after)
	return Code{Lines: l.lines, Sure: sure}
}

// codeArch returns the CPU that executes the code at an address. That of ARM64 in a program of x64 is known by its unwind rules.
func (a *analysis) codeArch(addr uint64) *cpu.Arch {
	m := a.modules.At(addr)
	if m == nil || !a.os.IsWindows() || !a.p.Arch.IsAMD64() {
		return a.p.Arch
	}
	if rules := a.lookup.rules(m); rules != nil {
		if frame, ok := rules.CallFrame(addr - m.Base); ok && frame.Foreign {
			return &cpu.ARM64
		}
	}
	return a.p.Arch
}

// decode decodes an instruction, but none whose registers have other names than those of the context.
func (a *analysis) decode(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool) {
	if arch == a.p.Arch && a.codeArch(addr) != arch {
		return cpu.Inst{}, false
	}
	return disasm.Decode(arch, code, addr)
}

// A listing decodes code into lines and names their places.
type listing struct {
	*analysis
	arch  *cpu.Arch
	lines []CodeLine
}

// after lists the instruction at addr and those that follow.
func (l *listing) after(addr uint64, count int) {
	code := l.read.bytes(addr, (count+1)*disasm.MaxLen)
	for n := 0; n <= count && len(code) > 0; n++ {
		inst, ok := disasm.Decode(l.arch, code, addr)
		if !ok {
			if n == 0 { // to show the bytes where the thread continued
				l.lines = append(l.lines, l.unknown(addr, code))
			}
			return
		}
		l.add(&inst, code)
		code, addr = code[inst.Len:], addr+uint64(inst.Len)
	}
}

// before lists the instructions before addr, and reports whether they are certain.
func (l *listing) before(addr uint64, count int) (sure bool) {
	window := uint64(count * disasm.MaxLen)
	start := addr - min(addr, window)
	begin, known := l.functionStart(addr)
	if known = known && begin >= start; known {
		start = begin
	}
	code, start := l.captured(start, addr)
	if len(code) == 0 {
		return known
	}
	if starts := l.forward(code, start); known && start == begin && starts != nil {
		l.addAll(code, start, starts, count)
		return true
	}
	l.addAll(code, start, l.resync(code, start), count)
	return l.arch.Align == 4
}

// functionStart returns where the function at addr begins, if symbols have it. A public symbol may
// belong to another function, but is a valid start, too: a symbol is always at an instruction.
func (l *listing) functionStart(addr uint64) (uint64, bool) {
	mod := l.moduleAt(addr)
	if mod == nil {
		return 0, false
	}
	source := l.lookup.of(mod).source
	if source == nil {
		return 0, false
	}
	loc, ok := source.Locate(addr - mod.Base)
	return mod.Base + loc.Start, ok && loc.Function != "" && loc.Start <= addr-mod.Base
}

// captured returns the memory from start to end or, after a gap, the part behind it.
func (l *listing) captured(start, end uint64) ([]byte, uint64) {
	if code := l.read.bytes(start, int(end-start)); uint64(len(code)) == end-start {
		return code, start
	}
	base, _, ok := l.p.Memory.Range(end - 1)
	if !ok || end == 0 {
		return nil, end
	}
	start = max(start, base)
	code := l.read.bytes(start, int(end-start))
	if uint64(len(code)) != end-start {
		return nil, end
	}
	return code, start
}

// forward decodes all of code, or returns nil when that does not end where
// code ends.
func (l *listing) forward(code []byte, addr uint64) (starts []int) {
	at := 0
	for at < len(code) {
		inst, ok := disasm.Decode(l.arch, code[at:], addr+uint64(at))
		if !ok {
			return nil
		}
		starts = append(starts, at)
		at += inst.Len
	}
	return starts
}

// resync finds instructions that end where code ends. Decoding from a wrong start soon reaches
// right boundaries. So of two instructions with one end, the one that more starts lead to is
// likelier.
func (l *listing) resync(code []byte, addr uint64) []int {
	votes := make([]int, len(code)+1)
	from := make([]int, len(code)+1) // the likeliest instruction that ends there
	for i := range from {
		from[i] = -1
	}
	step := int(max(l.arch.Align, 1))
	for at := len(code) % step; at < len(code); at += step {
		inst, ok := disasm.Decode(l.arch, code[at:], addr+uint64(at))
		if !ok {
			continue
		}
		votes[at]++
		next := at + inst.Len
		if from[next] < 0 || votes[at] > votes[from[next]] {
			from[next] = at
		}
		votes[next] += votes[at]
	}
	var starts []int
	for at := from[len(code)]; at >= 0; at = from[at] {
		starts = append(starts, at)
	}
	for i, j := 0, len(starts)-1; i < j; i, j = i+1, j-1 {
		starts[i], starts[j] = starts[j], starts[i]
	}
	return starts
}

// addAll lists the last count instructions of those that begin at starts.
func (l *listing) addAll(code []byte, addr uint64, starts []int, count int) {
	for _, at := range starts[max(0, len(starts)-count):] {
		if inst, ok := disasm.Decode(l.arch, code[at:], addr+uint64(at)); ok {
			l.add(&inst, code[at:])
		}
	}
}

func (l *listing) add(inst *cpu.Inst, code []byte) {
	line := l.line(inst.Addr, code[:inst.Len])
	line.Text = disasm.Line(inst, l.target)
	if inst.HasTarget {
		line.Target = ptr(l.addr(inst.Target))
	}
	l.lines = append(l.lines, line)
}

// unknown is a line for bytes that are no instruction.
func (l *listing) unknown(addr uint64, code []byte) CodeLine {
	return l.line(addr, code[:min(len(code), int(max(l.arch.Align, 1)))])
}

// line says where in the source an address is.
func (l *listing) line(addr uint64, code []byte) CodeLine {
	out := CodeLine{Address: l.addr(addr), Bytes: fmt.Sprintf("%x", code)}
	out.FromFile = l.p.Memory.Read(addr, make([]byte, 1)) == 0
	mod := l.moduleAt(addr)
	if mod == nil {
		return out
	}
	var f report.Frame
	l.name(&f, mod, addr)
	out.Function, out.File = f.Function, f.File
	number := f.Line
	if len(f.Inlines) > 0 {
		in := f.Inlines[0]
		out.Function, out.File, number = in.Function, in.File, in.Line
	}
	if number != nil { // of the innermost call, like the function
		out.Line = ptr(int(*number))
	}
	return out
}

// target names where a branch goes: the function and how far into it, with a mark if the code there
// may be that of another function.
func (l *listing) target(addr uint64) string {
	mod := l.moduleAt(addr)
	if mod == nil {
		return ""
	}
	known, rel := l.lookup.of(mod), addr-mod.Base
	if known.source != nil {
		if loc, ok := known.source.Locate(rel); ok {
			name := offsetName(loc.Function, rel-loc.Start)
			switch certainty := l.certainty(mod, &loc, rel); {
			case certainty.Certain():
				return name
			case certainty.Named():
				return symbolize.Mark + name
			}
		}
	}
	return offsetName(module.Basename(mod.CodeFile), rel)
}

// offsetName returns a name with the distance behind its start: "main + 0x10".
func offsetName(name string, offset uint64) string {
	if offset == 0 {
		return name
	}
	return fmt.Sprintf("%s + %#x", name, offset)
}
