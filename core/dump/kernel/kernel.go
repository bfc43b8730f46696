// Package kernel reads dumps of the Windows kernel: small ones (triage dumps), full ones, those with a bitmap of pages (kernel,
// automatic, active and live dumps), of x86, x64 and arm64.
//
// [OpenAll] reads the header, the list of drivers and the registers. Pages are read on demand, through the page tables of the
// dump, so a dump of 16 GB opens as fast as a small one. Damage costs the damaged part and becomes a note. The package
// interprets no bug check: package bugcheck has the table of their parameters.
//
// Read this file first, then header.go; triage.go reads small dumps, physical.go and tables.go the memory of others, drivers.go
// and debugger.go the kernel's own lists, fault.go the registers at the fault, dpcstack.go where deferred calls run, whea.go what the
// hardware reported. write.go writes small dumps, with what own.go adds to them.
//
// Sources: DUMP_HEADER32 and DUMP_HEADER64 of the Windows SDK (winnt.h calls them in its metadata: Windows.Win32.winmd), as
// librz/bin/format/dmp/dmp_specs.h of rizin and src/structs.rs of kdmp-parser-rs have them.
package kernel

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Kind is the kind of file, as [process.Origin] has it.
const Kind = "Windows kernel dump"

// OpenAll opens a dump. It reports false for a file of another kind, and fails for a truncated header or an unknown CPU.
func OpenAll(src bin.Source) (list []*process.Process, found bool, err error) {
	magic := make([]byte, 8)
	if src.Fill("signature", 0, magic) != nil || layoutOf(magic) == nil {
		return nil, false, nil
	}
	p, err := open(src, layoutOf(magic))
	if err != nil {
		return nil, true, fmt.Errorf("kernel: %w", err)
	}
	return []*process.Process{p}, true, nil
}

type reader struct {
	*process.Process
	src    bin.Source
	pages  *process.Pager
	head   *header
	cpu    *cpu.Layout // of contexts
	word   int
	detail *Detail
	debug  debugger
	end    int64  // of the dump itself; tagged data may follow
	own    *facts // nil in dumps of Windows
}

func open(src bin.Source, l *layout) (*process.Process, error) {
	h, err := l.read(src)
	if err != nil {
		return nil, err
	}
	m := contextOf(h.Machine)
	if m == nil {
		return nil, &bin.Error{What: "header", Off: l.machine, Why: fmt.Sprintf("machine %#x is neither x86 (0x14c) nor x64 (0x8664) nor arm64 (0xaa64)", h.Machine)}
	}
	r := &reader{src: src, pages: process.NewPager(src), head: h, cpu: m, word: l.word, detail: &Detail{Header: h}}
	r.Process = &process.Process{
		Origin: process.Origin{Kind: Kind, Table: "header", Size: src.Size(), Detail: r.detail},
		Lacks:  process.CPUModel, Arch: m.Arch, Subject: 0,
		Event: &process.Event{Kind: process.BugCheck, Code: h.BugCheck, NoAddress: true, Parameters: h.Parameters[:], About: r.about},
	}
	r.Writer = "Windows"
	r.System = h.system()
	r.Time, r.Uptime = h.time(), h.uptime()
	r.Annotations = h.annotations()
	r.Stage("memory", r.readMemory)
	r.Stage("tagged data", r.readTagged)
	r.Stage("debugger data", r.readDebugger)
	r.Stage("driver list", r.readDrivers)
	r.Stage("unloaded drivers", r.readUnloaded)
	if r.own == nil {
		r.Stage("processors", r.readProcessors)
		r.Stage("stacks of deferred calls", r.readDPCStacks)
		r.Stage("fault", r.readFault)
		r.Stage("process that ended", r.readDied)
	} else {
		r.Stage("own data", r.useOwn)
	}
	r.NoteNoThreads()
	if len(r.Threads) == 0 {
		r.Subject = -1
	}
	r.NoteTruncated()
	return r.Process, nil
}

// notef records a defect at an offset of the file.
func (r *reader) notef(what string, off int64, format string, args ...any) {
	r.Note(&bin.Error{What: what, Off: off, Why: fmt.Sprintf(format, args...)})
}

// readMemory finds the memory: the blocks of a triage dump, or physical pages behind page tables.
func (r *reader) readMemory() {
	if r.head.Type == triageDump {
		r.readTriage()
		return
	}
	pages, err := r.physical()
	r.Note(err)
	if pages == nil {
		return
	}
	t := newTables(r.pages, pages, r.head)
	r.Memory = process.NewMappedMemory(r.pages, t)
	t.choose(r.head.ModuleList, r.head.DebuggerData)
}

// readProcessors makes a thread of each processor whose registers the dump has, the one that stopped the system first. Of some bug
// checks the header has the registers at the fault. Those of the code that reports it are then further down the same stack.
func (r *reader) readProcessors() {
	head := r.context(r.head.context)
	if head != nil {
		r.Threads = append(r.Threads, process.Thread{Registers: head})
	}
	for i, p := range r.debug.processors {
		regs := r.context(p.context)
		same := head != nil && regs != nil && regs.Regs == head.Regs
		further := head != nil && regs != nil && !same && r.Threads[0].Fault == nil && r.calls(head, regs)
		runs, id := r.running(p.block)
		if copied, number := r.copied(); (same || further) && copied != "" {
			runs, id = copied, number
		}
		name := fmt.Sprintf("processor %d%s", i, runs)
		switch {
		case regs == nil:
		case same:
			r.Threads[0].Name, r.PID = name, id
		case further:
			r.Threads[0], r.PID = process.Thread{Name: name, Registers: regs, Fault: head}, id
		default:
			r.Threads = append(r.Threads, process.Thread{Name: name, Registers: regs})
		}
	}
	for i := range r.Threads {
		r.Threads[i].ID = uint32(i)
	}
}

// calls reports whether inner is further down the stack of outer.
func (r *reader) calls(outer, inner *process.Registers) bool {
	sp, ok := inner.Regs.Get(r.Arch.SP)
	old, known := outer.Regs.Get(r.Arch.SP)
	base, size, captured := r.Memory.Range(sp)
	return ok && known && captured && sp < old && old-base < size
}

// context returns the registers of a context, or nil if it is not filled in.
func (r *reader) context(data []byte) *process.Registers {
	data = data[:min(len(data), r.cpu.Size)]
	c, err := minidump.DecodeContext(data, order, &minidump.SystemInfo{Processor: minidump.Processor(r.cpu.Processors[0])})
	if err != nil || c.Arch != r.Arch || bytes.HasPrefix(data[r.cpu.FlagsAt:], absent) {
		return nil
	}
	return c.Registers()
}

// A Detail is a dump in the words of its structures, for programs that show all of it.
type Detail struct {
	Header   *header
	Triage   *triage // nil in other dumps
	Blocks   []Block
	Drivers  []Driver
	Unloaded []Driver

	tagged []Block
}

// Tagged counts what drivers and the firmware added behind the dump.
func (d *Detail) Tagged() (parts int, size uint64) {
	for _, b := range d.tagged {
		size += b.Size
	}
	return len(d.tagged), size
}
