package microdump

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// microOrder is the byte order of stacks and registers: Breakpad's client has
// never run on a big-endian machine.
var microOrder = binary.LittleEndian

const maxMicroNotes = 64

type micro struct {
	Microdump

	system    *process.System
	arch      *cpu.Arch            // nil when unknown
	processor *minidump.SystemInfo // for its context
	signal    uint32
	address   uint64
	context   []byte
	contextAt int64
	stack     []chunk
	sp        uint64
	stackSize uint64 // by its first line
	stackAt   int64  // of that line; -1 when there is none
	modules   []module.Module
	unknown   oddLines
	dropped   int // notes
}

// oddLines counts the lines that are not understood.
type oddLines struct {
	at    int64 // of the first
	first string
	count int
}

func (o *oddLines) add(line log.Line, message []byte) {
	if o.count == 0 {
		o.at, o.first = line.Start, strings.ToValidUTF8(brief(string(message)), "\ufffd")
	}
	o.count++
}

// A chunk is a piece of the stack without a gap.
type chunk struct {
	base uint64
	data []byte
}

func (m *micro) note(off int64, format string, args ...any) {
	if len(m.Notes) >= maxMicroNotes {
		m.dropped++
		return
	}
	m.Notes = append(m.Notes, &bin.Error{What: "microdump", Off: off, Why: fmt.Sprintf(format, args...)})
}

func (m *micro) process() *process.Process {
	p := &process.Process{
		Origin: process.Origin{Kind: "microdump", Size: m.Size, GPU: m.GPU, Detail: &m.Microdump},
		Lacks:  process.CPUModel | process.SystemVersion | process.SignalCode | process.CodeIDs | process.Places | process.Copy,
		Event:  &process.Event{Code: m.signal, Address: m.address},
	}
	p.Writer = "Breakpad"
	if m.Signal == "" {
		p.Lacks |= process.SignalNumber
	}
	m.fillSystem(p)
	p.SetModules(m.modules)
	m.fillThread(p)
	p.Annotations = m.facts()
	m.close()
	for _, err := range m.Notes {
		p.Note(err)
	}
	return p
}

// fillSystem sets the operating system and the CPU. The version of the system is a text.
func (m *micro) fillSystem(p *process.Process) {
	if m.system == nil {
		p.NoteNoSystem()
		return
	}
	if p.System, p.Arch = m.system, m.arch; m.system.CPUs == nil {
		p.Lacks |= process.CPUCount
	}
}

// fillThread sets the crashed thread, and its memory. The thread's number is not in a microdump.
func (m *micro) fillThread(p *process.Process) {
	t := process.Thread{Registers: m.registers(p)}
	m.checkStack()
	var data []byte
	var memory []process.Range
	for i, c := range m.stack {
		memory = append(memory, process.Range{Base: c.base, Location: process.Location{RVA: uint64(len(data)), Size: uint64(len(c.data))}})
		data = append(data, c.data...)
		if i == 0 || c.base <= m.sp && m.sp-c.base < uint64(len(c.data)) {
			t.Stack = c.base
		}
	}
	p.Threads = []process.Thread{t}
	pages := process.NewPager(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	p.Memory = process.NewMemory(pages, false, memory, p.Note)
	if p.Arch == nil && t.Registers != nil {
		p.Arch = t.Registers.Arch
	}
}

// registers reads the registers, or returns nil. It records a defect with its offset in the log.
func (m *micro) registers(p *process.Process) *process.Registers {
	if len(m.context) == 0 {
		m.note(m.Offset, "the registers are missing")
		return nil
	}
	context, err := minidump.DecodeContext(m.context, microOrder, m.processor)
	if err != nil {
		m.note(m.contextAt, "the registers cannot be read: %v", err)
		return nil
	}
	for _, n := range context.Notes {
		p.Odd("context of the exception", n)
	}
	return context.Registers()
}

// checkStack compares the stack's size with its first line.
func (m *micro) checkStack() {
	var have uint64
	for _, c := range m.stack {
		have += uint64(len(c.data))
	}
	switch {
	case have == 0:
		m.note(m.Offset, "the stack is missing")
	case m.stackAt >= 0 && have < m.stackSize:
		m.note(m.stackAt, "the stack has %d of the %d bytes that it should have", have, m.stackSize)
	}
}

// close records the defects that are known only at the end.
func (m *micro) close() {
	if o := &m.unknown; o.count > 0 {
		m.note(o.at, "%d of its lines are not understood, the first is %q", o.count, o.first)
	}
	if m.dropped > 0 {
		m.Notes = append(m.Notes, &bin.Error{What: "microdump", Off: m.Offset, Why: fmt.Sprintf("%d more defects are left out", m.dropped)})
	}
}

// facts have the names that crash reporters use.
func (m *micro) facts() []process.Annotation {
	// Breakpad asks its clients for "name:version".
	product, version := m.Product, ""
	if i := strings.LastIndexByte(product, ':'); i >= 0 {
		product, version = product[:i], product[i+1:]
	}
	space := ""
	if f := m.Space; f != nil {
		space = fmt.Sprintf("%d bytes in %d holes, the largest of %d", f.Total, f.Holes, f.Largest)
	}
	var out []process.Annotation
	for _, a := range []struct{ name, value string }{
		{"product", product}, {"version", version}, {"process_type", m.ProcessType},
		{"machine", m.Machine}, {"logged", m.Logged}, {"free address space", space},
	} {
		if a.value != "" {
			out = append(out, process.Annotation{Name: a.name, Value: a.value, Source: "microdump"})
		}
	}
	return out
}
