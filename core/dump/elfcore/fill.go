package elfcore

import (
	"encoding/binary"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A core has neither the CPU's model nor the number of CPUs, and the kernel's version only if the vDSO was captured.
func (c *core) fill() *process.Process {
	p := &process.Process{
		Origin: process.Origin{Kind: "ELF core", Table: "program headers", Size: c.src.Size(), Need: c.need, KernelSignal: c.process.signalInfo, Debugger: c.debugger()},
		Lacks:  process.CPUModel | process.CPUCount | process.Places,
		Arch:   c.machine.layout.Arch, BigEndian: c.order == binary.BigEndian, Subject: -1,
	}
	if p.Writer = c.writer(); p.Writer == "" {
		p.Lacks |= process.Writer
	}
	if id := c.process.id; id != 0 {
		p.PID = &id
	}
	c.fillSystem(p)
	maps := c.mappings()
	c.fillModules(p, maps)
	c.fillThreads(p)
	p.Memory = process.NewMemory(process.NewPager(c.src), p.BigEndian, c.captured(), p.Note)
	for i := range p.Threads {
		p.Threads[i].Stack = p.StackOf(i).Base // the stack pointer of an overflow is in no captured memory
	}
	p.SetRegions(nil, maps)
	c.fillFacts(p, maps)
	for _, err := range c.allNotes() {
		p.Note(err)
	}
	p.NoteTruncated()
	return p
}

// fillSystem sets the operating system, and its version by the vDSO.
func (c *core) fillSystem(p *process.Process) {
	p.System = &process.System{OS: process.Linux, Name: "Linux"}
	if v := c.kernel(); v != 0 {
		p.System.Version = fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff)
		p.System.Raw = p.System.Version + " "
	} else {
		p.Lacks |= process.SystemVersion
	}
	for i := range c.modules {
		m := &c.modules[i]
		if strings.HasPrefix(m.name, "/system/bin/linker") || strings.HasPrefix(m.name, "/apex/com.android.runtime/") {
			p.System.OS, p.System.Name = process.Android, "Android"
		}
	}
}

// kernel returns LINUX_VERSION_CODE of the vDSO, or 0.
func (c *core) kernel() uint32 {
	for i := range c.modules {
		if v := c.modules[i].kernel; v != 0 {
			return v
		}
	}
	return 0
}

// fillModules sets the modules. One without a build ID is known by its name only.
func (c *core) fillModules(p *process.Process, maps []process.Mapping) {
	list := make([]module.Module, len(c.modules))
	for i := range c.modules {
		m := &c.modules[i]
		list[i] = module.Module{Base: m.base, Size: m.size, CodeFile: m.name, DebugFile: m.name}
		list[i].SetBuildID(m.buildID, c.order)
	}
	p.SetModules(list)
	p.ExtendModules(maps)
}

// fillThreads sets the threads, and the signal of the first. The kernel and gdb write the thread that
// got the signal first.
func (c *core) fillThreads(p *process.Process) {
	for _, t := range c.threads {
		out := process.Thread{ID: t.id, Registers: c.registers(t)}
		if t.id == c.process.id && t.id != 0 {
			out.Name = c.process.name
		}
		if n, ok := c.call(t); ok {
			out.Call = &n
		}
		p.Threads = append(p.Threads, out)
	}
	if p.NoteNoThreads(); len(c.threads) == 0 {
		return
	}
	if p.Event = c.event(); p.Event != nil {
		p.Subject = 0
	}
}

// registers returns the registers of a thread, or nil if there are none.
func (c *core) registers(t *thread) *process.Registers {
	if t.regs.Known() == 0 {
		return nil
	}
	context := func() []byte { return c.context(t) }
	return &process.Registers{
		Arch: c.machine.layout.Arch, Regs: t.regs, Shadow: c.shadow(t), Context: context,
		Float: func(name string) ([]byte, bool) {
			all, _ := minidump.DecodeContext(context(), c.order, nil)
			return all.Float(name)
		},
	}
}

// shadow returns the shadow stack pointer of a thread, or 0.
func (c *core) shadow(t *thread) uint64 {
	if s := t.state[noteShadow]; len(s) >= 8 {
		return c.order.Uint64(s)
	}
	if s := t.state[noteARMGCS]; len(s) >= 24 {
		return c.order.Uint64(s[16:])
	}
	return 0
}

// call returns the number of a thread's system call, on CPUs whose kernel stores it with the
// registers. A thread in no system call has -1. Source: Linux, arch/x86/include/uapi/asm/ptrace.h
// (orig_rax, orig_eax).
func (c *core) call(t *thread) (uint64, bool) {
	if c.machine.callAt == 0 {
		return 0, false
	}
	words := bin.NewOrderedCursor("elfcore: system call", 0, t.state[noteStatus], c.order)
	words.Skip(c.machine.callAt * c.word)
	n := address(words, c.word)
	return n, words.Err() == nil && n>>31 == 0
}

// signalStop is SIGSTOP, with which gdb stops a program to write its core. It never causes a core
// by itself.
func (c *core) signalStop() uint32 {
	if c.machine.swapped {
		return 23 // mips
	}
	return 19
}

// event returns the signal of the first thread, or nil if the core was written without one.
// Without siginfo the address is unknown, and the program counter is used instead, as in LLDB's
// dumps.
func (c *core) event() *process.Event {
	t := c.threads[0]
	if c.debugger() != "" && t.signal == 0 {
		return nil // the siginfo belongs to gdb's own stop
	}
	e := &process.Event{Code: t.signal, Address: t.regs.Value(c.machine.layout.Arch.PC)}
	if s := t.info; s != nil && (s.number == t.signal || t.signal == 0) {
		e.Code, e.Flags, e.Address = s.number, s.code, s.address
	}
	if e.Code == 0 || e.Code == c.signalStop() {
		return nil
	}
	return e
}

// If the segments together have more bytes than a file can have, the rest is left out.
func (c *core) captured() (out []process.Range) {
	const most = 1 << 56
	total := uint64(0)
	for _, s := range c.segments {
		if s.have == 0 {
			continue
		}
		if total += s.have; total > most {
			c.note("memory", s.off, "%d bytes of captured memory are more than a file has", total)
			break
		}
		out = append(out, process.Range{Base: s.addr, Location: process.Location{RVA: uint64(s.off), Size: s.have}})
	}
	return out
}

// fillFacts sets the files of /proc, the auxiliary vector, and what the notes of the first thread
// have beside registers.
func (c *core) fillFacts(p *process.Process, maps []process.Mapping) {
	file := func(name, text string, sensitive bool) {
		if text != "" {
			p.Files = append(p.Files, process.TextFile{Name: name, Text: text, Sensitive: sensitive})
		}
	}
	args, env := c.arguments()
	file(process.CmdLine, strings.Join(args, "\x00"), true)
	file(process.Environ, strings.Join(env, "\x00"), true)
	file(process.Maps, process.MapsText(maps), false)
	if n := len(maps); n > 0 {
		p.MapCount = &n
	}
	p.Auxv = c.auxv
	p.Annotations = c.facts()
}
