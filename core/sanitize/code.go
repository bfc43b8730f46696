package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

const (
	// longestInstruction is the length of the longest instruction, on x86.
	longestInstruction = 15

	// codeBefore and codeBehind are the bytes of a library's code that stay around a program
	// counter. Symbols that are found later name the function there, and walks read its code from
	// the first instruction, or up to its return.
	codeBefore = 1024
	codeBehind = 32
)

// A running is what reports prove about the bytes at a program counter. A program counter alone proves
// nothing: a program may have jumped into its data.
type running struct {
	start uint64 // the first address of the function there, by symbols; 0 when unknown
	ran   bool   // the thread did not crash by executing the instruction there, but ran it
	other bool   // a thread that did not crash at all was there
}

// findRunning finds what a report proves about the code at each thread's program counter.
func (n *needs) findRunning(r *report.Report) {
	for i := range r.Threads {
		t := &r.Threads[i]
		if len(t.Frames) == 0 {
			continue
		}
		f := &t.Frames[0]
		pc := number(f.Offset)
		at := n.running[pc]
		if start := functionStart(f); start > 0 {
			at.start = start
		}
		at.other = at.other || !t.Crashed
		at.ran = at.ran || at.other || ran(r, pc)
		n.running[pc] = at
		if at.ran {
			n.ranPages[pc/page] = n.ranPages[pc/page] || at.other
		}
		n.findCallers(t.Frames[1:], n.protected && !fetches(r))
		n.findListed(t.Frames)
	}
}

// fetches reports whether the crash may be the access of an instruction itself, whose place is then no code.
func fetches(r *report.Report) bool {
	at := r.CrashInfo.Address
	return at != nil && slices.ContainsFunc(r.Threads, func(t report.Thread) bool {
		return slices.ContainsFunc(t.Frames, func(f report.Frame) bool { return number(*at)-number(f.Offset) < longestInstruction })
	})
}

// findCallers adds the pages that calls return to, as far as no frame is a guess. With protection they are code.
func (n *needs) findCallers(frames []report.Frame, isCode bool) {
	for i := range frames {
		f := &frames[i]
		if f.Guess || f.ReturnAddress == nil {
			break
		}
		for _, at := range []report.Address{f.Offset, *f.ReturnAddress} {
			n.ranPages[number(at)/page] = n.ranPages[number(at)/page] || isCode
		}
	}
}

// page is the least size of a range of addresses with one protection.
const page = 4 << 10

// accessCodes are the exceptions that stand for failed accesses, which may be that of fetching the
// instruction: EXC_BAD_ACCESS, SIGBUS (10 on mips and sparc), SIGSEGV, STATUS_GUARD_PAGE_VIOLATION,
// STATUS_ACCESS_VIOLATION, STATUS_IN_PAGE_ERROR and STATUS_STACK_OVERFLOW.
//
// Sources: Mach, mach/exception_types.h; Linux, include/uapi/asm-generic/signal.h; winnt.h.
var accessCodes = []uint64{1, 7, 10, 11, 0x8000_0001, 0xc000_0005, 0xc000_0006, 0xc000_00fd}

// ran reports whether the instruction at the program counter of the crash was executed: the crash is no
// failed access, or it is the access of that instruction, by its address or by the register that holds
// the wrong pointer. Bytes that are no code make that access only if they were executed.
func ran(r *report.Report, pc uint64) bool {
	c := &r.CrashInfo
	switch {
	case r.Verdict.Finding == report.FindingFromOutside, c.Code != nil && !slices.Contains(accessCodes, number(*c.Code)):
		return true
	case c.Address == nil || number(*c.Address)-pc < longestInstruction:
		return false
	}
	return c.PointerRegister != nil || slices.ContainsFunc(c.MemoryAccesses, func(a report.Access) bool { return a.Address == *c.Address })
}

// isCode reports whether an address is in memory that is code and never data: it can be executed and
// not be written.
func (c *cleaner) isCode(addr uint64) bool {
	_, _, access := c.s.Protection(addr)
	return strings.Contains(access, "x") && !strings.Contains(access, "w")
}

// memoryFiles are the beginnings of the names of files that only exist in memory. A program writes its own data
// to them, and a JIT its code.
//
// Source: memfd_create(2); shm_open(3); shmget(2), whose segments the kernel calls SYSV; Android's ashmem.
var memoryFiles = []string{"/memfd:", "/dev/shm/", "/SYSV", "/dev/ashmem", "/dev/zero", "/anon_hugepage", "anon_inode:", "["}

// fileAt returns the module at an address, if its code comes from a file of a disk.
func (m *mapped) fileAt(addr uint64) *module.Module {
	mod := m.modules.At(addr)
	if mod == nil || slices.ContainsFunc(memoryFiles, func(name string) bool { return strings.HasPrefix(mod.CodeFile, name) }) {
		return nil
	}
	return mod
}

// code keeps captured code around a program counter, as far as it is proved to be code: by the
// protection of its memory or else by a function of the symbols. Memory that can also be written, or
// whose protection is unknown, keeps the instruction, if it ran, without texts. In no module, or in one that is a
// file in memory, the code belongs to the program, and only the instruction stays, without texts, because the report needs it.
func (m *mapped) code(arch *cpu.Arch, pc uint64) {
	base, size, captured := m.Range(pc)
	if !captured {
		return
	}
	mod, at := m.fileAt(pc), m.need.running[pc]
	first, last, access := m.s.Protection(pc)
	instruction := m.instruction(arch, piece{pc, pc + min(longestInstruction, base+size-pc)})
	switch {
	case m.isCode(pc) && mod == nil:
		m.kept = append(m.kept, m.withoutText(instruction)...)
	case m.isCode(pc):
		m.window(pc, max(first, mod.Base), last)
	case access == "" && mod != nil && at.start >= mod.Base && at.start <= pc && at.start > 0:
		m.window(pc, at.start, base+(size-1))
	case at.ran:
		stays := m.withoutText(instruction)
		if len(stays) == 0 {
			m.unproved[pc] = true
		}
		m.kept = append(m.kept, stays...)
	case strings.Contains(access, "x"), access == "":
		m.unproved[pc] = true
	}
}

// instruction returns the part of a piece that is its first instruction, or all of it if it begins with none.
func (m *mapped) instruction(arch *cpu.Arch, p piece) piece {
	if inst, ok := disasm.Decode(arch, m.read(p), p.base); ok {
		p.end = p.base + uint64(inst.Len)
	}
	return p
}

// libraryCode returns memory that reports read as code or listings show and that the dump lacks, from the modules' files.
// These are no part of the process, and whoever reads the new dump may not have them. What is not code, such as
// the constants of a program of Go, stays without texts.
func (m *mapped) libraryCode() (out []filePiece) {
	read := m.fileListings()
	for at, size := range m.need.code {
		if _, _, captured := m.Range(at); !captured && m.modules.At(at) != nil {
			read = append(read, piece{at, at + uint64(max(size, 1))})
		}
	}
	for _, p := range read.merged() {
		data := make([]byte, min(p.end-p.base, maxCode))
		data = data[:m.library(p.base, data)]
		stays := pieces{{p.base, p.base + uint64(len(data))}}
		if !m.mayRun(p.base) {
			stays = m.notText(stays[0], p.base, data)
		}
		for _, s := range stays {
			if s.end > s.base {
				out = append(out, filePiece{s.base, data[s.base-p.base : s.end-p.base]})
			}
		}
	}
	return out
}

// mayRun reports whether an address of a module is in code: by its protection or, if that is not known, by an
// instruction that ran on its page.
func (m *mapped) mayRun(addr uint64) bool {
	_, _, access := m.s.Protection(addr)
	_, ran := m.need.ranPages[addr/page]
	return m.isCode(addr) || access == "" && ran
}

// A filePiece is code of a module's file, at an address of the process.
type filePiece struct {
	base uint64
	data []byte
}

const maxCode = 1 << 20

// readCode returns what stays of memory that was read as code. A page where an instruction ran can be
// executed. Where the dump does not say more, texts in it are removed if the instruction crashed: a
// system without protection against it executes data, too. In no module, code that cannot be written also loses its texts: it was written by
// the program before.
func (m *mapped) readCode(at uint64, size int) pieces {
	read := m.add(nil, at, size)
	switch {
	case len(read) == 0:
		return nil
	case m.isCode(at) && m.fileAt(at) != nil, m.isDriverCode(at):
		return read
	case m.isCode(at):
		return m.withoutText(read[0])
	}
	_, _, access := m.s.Protection(at)
	switch other, ran := m.need.ranPages[at/page]; {
	case !ran || access != "" && !strings.Contains(access, "x"):
		return nil
	case other && access == "":
		return read
	}
	return m.withoutText(read[0])
}

// isDriverCode reports whether an address is in a section of code of a driver, in a dump of the kernel, which does not have the protection of memory.
func (m *mapped) isDriverCode(addr uint64) bool {
	mod := m.fileAt(addr)
	if mod == nil || !m.s.Process().Event.IsBugCheck() {
		return false
	}
	code, known := mod.IsCode(addr)
	return code && known
}

// window keeps code around a program counter, at most from first to last.
func (m *mapped) window(pc, first, last uint64) {
	base, size, _ := m.Range(pc)
	from, to := max(base, first, pc-min(pc, codeBefore)), min(base+(size-1), last, pc+(codeBehind-1))
	m.kept = append(m.kept, piece{from, to + 1})
}
