package write

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Whole returns a process with all captured memory as the bytes of a minidump. The memory is not copied,
// but read when it is needed. It writes what cores and microdumps have.
func Whole(p *process.Process) (bin.Source, error) { return viewOf(p, p.Memory.Ranges(), true) }

// Stacks is Whole with the memory that the stacks need. The notes say what was left out.
func Stacks(p *process.Process) (bin.Source, []error, error) {
	memory, notes := needed(p)
	src, err := viewOf(p, memory, false)
	return src, notes, err
}

// viewOf lays out the streams, and memory behind them.
func viewOf(p *process.Process, memory []process.Range, full bool) (bin.Source, error) {
	head, err := streams(p, memory, full)
	if err != nil {
		return bin.Source{}, err
	}
	from := p.Memory
	if whole := from.Placeholders(); whole != nil {
		from = whole
	}
	return process.Spliced(head, from, memory), nil
}

// place sets the offsets of ranges that begin at an offset.
func place(memory []process.Range, offset int) {
	at := uint64(offset)
	for i := range memory {
		memory[i].RVA = at
		at += memory[i].Size
	}
}

// streams writes the minidump up to the memory, which begins on the next page. Streams with file
// offsets of memory depend on the size of all streams. So they come last and are written twice.
func streams(p *process.Process, memory []process.Range, full bool) ([]byte, error) {
	h := minidump.Header{BigEndian: p.BigEndian, Time: minidump.UnixTime(p.Time)}
	if full {
		h.Flags = withFullMemory
	}
	w := New(h)
	w.system(p)
	contexts := w.contexts(p)
	w.Modules(records(p))
	w.facts(p)
	head, err := w.Fork().places(p, contexts, memory, full)
	if err != nil {
		return nil, err
	}
	start := (len(head) + process.SpliceAlign - 1) &^ (process.SpliceAlign - 1)
	place(memory, start)
	if head, err = w.places(p, contexts, memory, full); err != nil {
		return nil, err
	}
	return append(head, make([]byte, start-len(head))...), nil
}

// withFullMemory is MiniDumpWithFullMemory.
const withFullMemory = 2

// places ends the minidump with the streams that have file offsets of memory.
func (w *Writer) places(p *process.Process, contexts []minidump.Location, memory []process.Range, full bool) ([]byte, error) {
	list := make([]minidump.Thread, len(p.Threads))
	for i, t := range p.Threads {
		list[i] = minidump.Thread{ID: t.ID, TEB: t.TEB, Context: contexts[i], Stack: placedStack(memory, mappedStack(p, i))}
	}
	w.Threads(list)
	if full {
		w.Memory64List(memory)
	} else {
		w.MemoryList(memory)
	}
	return w.Bytes()
}

// mappedStack returns a thread's stack up to the end of its mapping, if mappings are known. What is
// captured behind it may be the stack of another thread, or data.
func mappedStack(p *process.Process, i int) process.Range {
	stack := p.StackOf(i)
	if g := p.RegionAt(stack.Base); g != nil && stack.Size > 0 {
		stack.Size = min(stack.Size, g.Last-stack.Base+1)
	}
	return stack
}

// placedStack returns a stack's location in the file. A thread list has offsets of 32 bits. For a
// stack beyond them it has only the address, and the memory list has the location.
func placedStack(memory []process.Range, stack process.Range) process.Range {
	i, exact := slices.BinarySearchFunc(memory, stack.Base, func(r process.Range, addr uint64) int { return cmp.Compare(r.Base, addr) })
	if !exact {
		i--
	}
	if i < 0 || stack.Base-memory[i].Base >= memory[i].Size {
		return process.Range{Base: stack.Base}
	}
	r := memory[i]
	skip := stack.Base - r.Base
	place := process.Location{RVA: r.RVA + skip, Size: min(stack.Size, r.Size-skip)}
	if place.RVA+place.Size > math.MaxUint32 {
		place = process.Location{}
	}
	return process.Range{Base: stack.Base, Location: place}
}

// system writes the system info. A version that is no number becomes the text of the service pack.
func (w *Writer) system(p *process.Process) {
	if p.System == nil {
		return
	}
	s := minidump.SystemInfo{Processor: unknownProcessor, Platform: minidump.PlatformOf(p.System.OS)}
	if l := layoutOf(p.Arch); l != nil {
		s.Processor = minidump.Processor(l.Processors[0])
	}
	if n := p.System.CPUs; n != nil {
		s.Processors = uint8(min(*n, math.MaxUint8))
	}
	if v, ok := numbersOf(p.System.Version); ok && !p.Lacks.Has(process.SystemVersion) {
		s.Major, s.Minor, s.Build = v[0], v[1], v[2]
	} else {
		s.CSDVersion = p.System.Version
	}
	w.SystemInfo(&s)
}

// numbersOf returns the three numbers that a version begins with, as "6.8.0-45-generic" does. The functions behind fmt.Sscanf would be 9 KB of a first visit.
func numbersOf(version string) (numbers [3]uint32, ok bool) {
	for i := range numbers {
		if i > 0 {
			if version, ok = strings.CutPrefix(version, "."); !ok {
				return numbers, false
			}
		}
		rest := strings.TrimLeft(version, "0123456789")
		n, err := strconv.ParseUint(version[:len(version)-len(rest)], 10, 32)
		if err != nil {
			return numbers, false
		}
		numbers[i], version = uint32(n), rest
	}
	return numbers, true
}

// unknownProcessor is PROCESSOR_ARCHITECTURE_UNKNOWN. Source: winnt.h.
const unknownProcessor minidump.Processor = 0xffff

// layoutOf returns the first layout of a CPU's context, or nil for an unknown CPU.
func layoutOf(arch *cpu.Arch) *cpu.Layout {
	list := cpu.Layouts()
	if i := slices.IndexFunc(list, func(l *cpu.Layout) bool { return l.Arch == arch && len(l.Processors) > 0 }); i >= 0 {
		return list[i]
	}
	return nil
}

// contexts writes the registers, the names and the system calls of the threads, and the event, and
// returns the locations of the registers.
func (w *Writer) contexts(p *process.Process) []minidump.Location {
	out := make([]minidump.Location, len(p.Threads))
	var names []minidump.ThreadName
	var calls []minidump.ThreadCall
	for i, t := range p.Threads {
		out[i] = w.Put(w.context(t.Registers))
		if t.Name != "" {
			names = append(names, minidump.ThreadName{ID: t.ID, Name: t.Name})
		}
		if t.Call != nil {
			calls = append(calls, minidump.ThreadCall{ID: t.ID, Number: uint32(*t.Call)})
		}
	}
	if e := p.Event; e != nil {
		x := minidump.Exception{Code: e.Code, Flags: e.Flags, Address: e.Address, Parameters: e.Parameters}
		if p.Subject >= 0 {
			x.ThreadID, x.Context = p.Threads[p.Subject].ID, out[p.Subject]
		}
		w.Exception(&x)
	}
	if names != nil {
		w.ThreadNames(names)
	}
	if calls != nil {
		w.ThreadCalls(calls)
	}
	return out
}

// context returns registers in the layout of their CPU, none if there are none.
func (w *Writer) context(r *process.Registers) []byte {
	if r == nil {
		return nil
	}
	if r.Context != nil {
		return r.Context()
	}
	if l := layoutOf(r.Arch); l != nil {
		return l.Encode(&r.Regs, everyGroup, w.order)
	}
	return nil
}

// everyGroup has the bits of a context's flags for control and integer registers, on all CPUs.
const everyGroup = 0x3

// A module without ids gets an empty build ID, which says that only the name identifies the file. A driver has a time stamp.
func records(p *process.Process) []minidump.ModuleRecord {
	out := make([]minidump.ModuleRecord, len(p.Modules))
	for i := range p.Modules {
		m := &p.Modules[i]
		out[i] = minidump.ModuleRecord{Base: m.Base, Size: uint32(min(m.Size, math.MaxUint32)), Name: m.CodeFile}
		if p.Event.IsBugCheck() {
			if cv, ok := minidump.ParseDebugID(m.DebugID); ok {
				cv.File = m.DebugFile
				out[i].CodeView = cv
			}
			stamp, _ := m.Stamp()
			out[i].TimeStamp = minidump.UnixTime(stamp)
			continue
		}
		out[i].CodeView = codeView(m)
	}
	return out
}

// codeView returns the debug record that the ids of a module are read from.
func codeView(m *module.Module) minidump.CodeView {
	id, err := hex.DecodeString(m.BuildID())
	if cv, ok := minidump.ParseDebugID(m.DebugID); ok && (err != nil || len(id) == 0) {
		cv.File = m.DebugFile
		return cv
	}
	return minidump.CodeView{Kind: minidump.ELFBuildID, BuildID: id}
}

// facts writes the process ID, the files of /proc and the auxiliary vector.
func (w *Writer) facts(p *process.Process) {
	if p.PID != nil {
		w.MiscInfo(&minidump.MiscInfo{Flags: format.MiscProcessID, ProcessID: p.PID})
	}
	for _, f := range p.Files {
		text := []byte(f.Text)
		if f.Name == process.CmdLine || f.Name == process.Environ {
			text = append(text, 0)
		}
		if t, ok := minidump.TextStream(f.Name); ok {
			w.Stream(t, text)
		}
	}
	if len(p.Auxv) > 0 && p.Arch != nil {
		w.Auxv(p.Auxv, p.Arch.Word)
	}
}
