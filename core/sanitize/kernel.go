package sanitize

import (
	"bytes"
	"slices"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/kernel"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/process"
)

// ofFault is the first ID of the threads that stand for registers of a fault while a dump of the kernel is cleaned.
const ofFault = 1 << 30

// A KernelWriter writes dumps of the Windows kernel; the zero value does not.
type KernelWriter struct {
	streams func(s *analyze.Session) (*minidump.File, error)
	write   func(c *cleaner) error
}

// Kernel is the KernelWriter. The page has none: every byte of its first visit counts.
func Kernel() KernelWriter { return KernelWriter{streamsOf, (*cleaner).kernelDump} }

// streamsOf returns the streams of a dump of the kernel. It is cleaned as a minidump, in which the registers of a fault are a thread of their
// own, and then written as a small dump of the kernel.
func streamsOf(s *analyze.Session) (*minidump.File, error) {
	p := *s.Process()
	p.Threads = slices.Clone(p.Threads)
	for i := range p.Threads {
		if t := &p.Threads[i]; t.Fault != nil {
			p.Threads = append(p.Threads, process.Thread{ID: ofFault + t.ID, Registers: t.Fault})
		}
	}
	view, err := write.Whole(&p)
	if err != nil {
		return nil, err
	}
	return minidump.Open(view)
}

// memoryOf returns the captured memory. That of a dump with page tables is in no stream.
func (c *cleaner) memoryOf() *process.Memory {
	if p := c.s.Process(); p.Event.IsBugCheck() {
		return p.Memory
	}
	mem, _ := c.f.Memory() // damaged ranges are left out
	return mem
}

// kernelDump writes the cleaned minidump as a small dump of the kernel.
func (c *cleaner) kernelDump() error {
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(c.out.Data), int64(len(c.out.Data))))
	if err != nil {
		return err
	}
	clean, p := f.Process(), *c.s.Process()
	removed, _ := f.RemovedData()
	p.Memory = clean.Memory
	p.Threads = c.kernelThreads(clean)
	p.Modules = slices.Clone(p.Modules)
	for i := range p.Modules {
		m := &p.Modules[i]
		m.CodeFile, m.DebugFile = c.path(m.CodeFile), c.path(m.DebugFile)
	}
	p.Unloaded = slices.Clone(p.Unloaded)
	for i := range p.Unloaded {
		p.Unloaded[i].CodeFile = c.path(p.Unloaded[i].CodeFile)
	}
	p.Event = c.bugCheck()
	if n := len(p.Annotations) - 1; n > 0 { // all but the kind of dump
		c.removed("what else the dump says (comment, computer, firmware, process that ended)", n, 0)
	}
	if d, ok := p.Origin.Detail.(*kernel.Detail); ok {
		if n, size := d.Tagged(); n > 0 {
			c.removed("data that drivers and the firmware added", n, int64(size))
		}
	}
	c.out.Data, err = kernel.Small(&p, removed)
	return err
}

// kernelThreads returns the threads with the registers that were cleaned. Of a fault some were not known.
func (c *cleaner) kernelThreads(clean *process.Process) (out []process.Thread) {
	for _, t := range c.s.Process().Threads {
		registers := func(old *process.Registers, id uint32) *process.Registers {
			i := clean.ThreadIndex(id)
			if old == nil || i < 0 || clean.Threads[i].Registers == nil {
				return nil
			}
			kept := *clean.Threads[i].Registers
			kept.Regs = kept.Regs.Keep(old.Regs.Known())
			kept.Removed, kept.Texts = kept.Removed&(old.Regs.Known()|old.Removed)|old.Removed, kept.Texts|old.Texts
			return &kept
		}
		out = append(out, process.Thread{ID: t.ID, Name: c.masked(t.Name), Registers: registers(t.Registers, t.ID), Fault: registers(t.Fault, ofFault+t.ID)})
	}
	return out
}

// bugCheck returns the event. Its parameters are cleaned as those of an exception.
func (c *cleaner) bugCheck() *process.Event {
	e := *c.s.Process().Event
	var texts []uint64
	if x, _ := c.f.Exception(); x != nil {
		texts = c.textRegisters(x.Context)
	}
	e.Parameters = slices.Clone(e.Parameters)
	for i, v := range e.Parameters {
		e.Parameters[i] = c.ofCrash(texts, v)
	}
	if r := e.Record; r != nil {
		kept := *r
		kept.Address, kept.Parameters = c.number(r.Address), slices.Clone(r.Parameters)
		for i, v := range kept.Parameters {
			kept.Parameters[i] = c.number(v)
		}
		e.Record = &kept
	}
	e.Hardware = c.maskedAll(e.Hardware)
	if about := e.About; about != nil {
		e.About = func(base uint64) []string { return c.maskedAll(about(base)) }
	}
	return &e
}

func (c *cleaner) maskedAll(list []string) (out []string) {
	for _, text := range list {
		out = append(out, c.masked(text))
	}
	return out
}

// mostStacks bounds the stacks of a small dump together. That of one processor has at most 128 KiB.
const mostStacks = 64 << 20

// mostOf is the number of bytes that stacks may have together: those of the file, or of a small dump.
func (c *cleaner) mostOf() uint64 {
	if c.s.Process().Memory.ByPageTables() {
		return mostStacks
	}
	return uint64(c.f.Size())
}
