package elfcore

import (
	"encoding/binary"
	"math"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/minidump/write"
)

// streams writes the minidump up to the memory, which begins on the next page. Streams with file
// offsets of memory depend on the size of all streams. So they come last and are written twice.
func (c *core) streams(memory []minidump.Range, full bool) ([]byte, error) {
	h := minidump.Header{BigEndian: c.order == binary.BigEndian}
	if full {
		h.Flags = withFullMemory
	}
	w := write.New(h)
	c.writeSystem(w)
	contexts := c.writeContexts(w)
	w.Modules(c.records())
	c.writeProcess(w)
	head, err := c.writePlaces(w.Fork(), contexts, memory, full, 0)
	if err != nil {
		return nil, err
	}
	start := (len(head) + viewAlign - 1) &^ (viewAlign - 1)
	if head, err = c.writePlaces(w, contexts, memory, full, uint64(start)); err != nil {
		return nil, err
	}
	return append(head, make([]byte, start-len(head))...), nil
}

// writePlaces ends the minidump with the streams that have file offsets of memory.
func (c *core) writePlaces(w *write.Writer, contexts []minidump.Location, memory []minidump.Range, full bool, at uint64) ([]byte, error) {
	ranges := placed(memory, at)
	c.writeThreads(w, contexts, ranges)
	if full {
		w.Memory64List(ranges)
	} else {
		w.MemoryList(ranges)
	}
	return w.Bytes()
}

// withFullMemory is MiniDumpWithFullMemory.
const withFullMemory = 2

// placed assigns consecutive file offsets to ranges.
func placed(memory []minidump.Range, at uint64) []minidump.Range {
	out := make([]minidump.Range, len(memory))
	for i, r := range memory {
		out[i] = r
		out[i].RVA = at
		at += r.Size
	}
	return out
}

// writeSystem writes the system info: the CPU, and the kernel's version if the vDSO was captured.
func (c *core) writeSystem(w *write.Writer) {
	s := minidump.SystemInfo{Processor: c.machine.processor, Platform: minidump.PlatformLinux}
	if v := c.kernel(); v != 0 {
		s.Major, s.Minor, s.Build = v>>16, v>>8&0xff, v&0xff
	}
	for i := range c.modules {
		m := &c.modules[i]
		if strings.HasPrefix(m.name, "/system/bin/linker") || strings.HasPrefix(m.name, "/apex/com.android.runtime/") {
			s.Platform = minidump.PlatformAndroid
		}
	}
	w.SystemInfo(&s)
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

// writeContexts writes the registers of the threads, and the signal of the first. The kernel and
// gdb write the thread that got the signal first.
func (c *core) writeContexts(w *write.Writer) []minidump.Location {
	out := make([]minidump.Location, len(c.threads))
	for i, t := range c.threads {
		out[i] = w.Put(c.context(t))
	}
	if len(out) == 0 {
		return nil
	}
	if x := c.exception(); x != nil {
		x.Context = out[0]
		w.Exception(x)
	}
	if c.process.id != 0 && c.process.name != "" {
		w.ThreadNames([]minidump.ThreadName{{ID: c.process.id, Name: c.process.name}})
	}
	return out
}

func (c *core) writeThreads(w *write.Writer, contexts []minidump.Location, memory []minidump.Range) {
	list := make([]minidump.Thread, len(c.threads))
	for i, t := range c.threads {
		list[i] = minidump.Thread{ID: t.id, Context: contexts[i], Stack: placedStack(memory, c.stack(t, c.machine.layout.Arch))}
	}
	w.Threads(list)
}

// placedStack returns a stack's location in the file. A thread list has offsets of 32 bits. For a
// stack beyond them it has only the address, and the memory list has the location.
func placedStack(memory []minidump.Range, stack minidump.Range) minidump.Range {
	i := at(len(memory), stack.Base, func(i int) uint64 { return memory[i].Base })
	if i < 0 || stack.Base-memory[i].Base >= memory[i].Size {
		return minidump.Range{Base: stack.Base}
	}
	r := memory[i]
	skip := stack.Base - r.Base
	place := minidump.Location{RVA: r.RVA + skip, Size: min(stack.Size, r.Size-skip)}
	if place.RVA+place.Size > math.MaxUint32 {
		place = minidump.Location{}
	}
	return minidump.Range{Base: stack.Base, Location: place}
}

// signalStop is SIGSTOP, with which gdb stops a program to write its core. It never causes a core
// by itself.
func (c *core) signalStop() uint32 {
	if c.machine.swapped {
		return 23 // mips
	}
	return 19
}

// exception returns the signal of the first thread, or nil if the core was written without one.
// Without siginfo the address is unknown, and the program counter is used instead, as in LLDB's
// dumps.
func (c *core) exception() *minidump.Exception {
	t := c.threads[0]
	if c.debugger() != "" && t.signal == 0 {
		return nil // the siginfo belongs to gdb's own stop
	}
	pc := t.regs.Value(c.machine.layout.Arch.PC)
	x := &minidump.Exception{ThreadID: t.id, Code: t.signal, Address: pc}
	if s := t.info; s != nil && (s.number == t.signal || t.signal == 0) {
		x.Code, x.Flags, x.Address = s.number, s.code, s.address
	}
	if x.Code == 0 || x.Code == c.signalStop() {
		return nil
	}
	return x
}

// records returns the modules as minidumps list them. A module without a build ID gets a record
// with an empty one, which says that only the name identifies the file.
func (c *core) records() []minidump.ModuleRecord {
	out := make([]minidump.ModuleRecord, 0, len(c.modules))
	for i := range c.modules {
		m := &c.modules[i]
		out = append(out, minidump.ModuleRecord{
			Base: m.base, Size: uint32(min(m.size, math.MaxUint32)), Name: m.name,
			CodeView: minidump.CodeView{Kind: minidump.ELFBuildID, BuildID: m.buildID},
		})
	}
	return out
}

// writeProcess writes the files of /proc of a process.
func (c *core) writeProcess(w *write.Writer) {
	if id := c.process.id; id != 0 {
		const withProcessID = 1 // MINIDUMP_MISC1_PROCESS_ID
		w.MiscInfo(&minidump.MiscInfo{Flags: withProcessID, ProcessID: &id})
	}
	if maps := c.mappings(); len(maps) > 0 {
		w.LinuxMaps(maps)
	}
	args, env := c.arguments()
	if len(args) > 0 {
		w.CommandLine(args)
	}
	if len(env) > 0 {
		w.Environment(env)
	}
	if len(c.auxv) > 0 {
		w.Auxv(c.auxv, c.word)
	}
}
