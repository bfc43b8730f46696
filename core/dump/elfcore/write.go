package elfcore

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// Write returns a process as the bytes of an ELF core, which gdb, lldb and Ghidra read. Captured memory is not
// copied, but read when it is needed. The first thread of the core is the one that crashed, which is what
// debuggers expect.
//
// Whatever the system of the process, the core is one of Linux: an exception of Windows or macOS becomes the
// signal that a debugger of Linux would show, and modules become mapped files. Names of threads have no place in a core.
func Write(p *process.Process) (bin.Source, error) {
	w := coreWriter{p: p, maps: mappingsOf(p)}
	if w.m = machineOf(p); w.m == nil {
		return bin.Source{}, errors.New("elfcore: process: the CPU is unknown, or none whose cores can be written")
	}
	w.order = orderOf(p)
	if !slices.ContainsFunc(p.Threads, func(t process.Thread) bool { return t.Registers != nil }) {
		return bin.Source{}, errors.New("elfcore: process: no thread has registers, and a core needs those of one")
	}
	pieces := w.pieces()
	notes := w.notes()
	head := w.head(pieces, notes)
	var memory []process.Range
	for _, g := range pieces {
		if g.have > 0 {
			memory = append(memory, process.Range{Base: g.addr, Location: process.Location{RVA: uint64(g.off), Size: g.have}})
		}
	}
	return process.Spliced(head, p.Memory, memory), nil
}

// machineOf returns how cores have a process's registers, or nil.
func machineOf(p *process.Process) *machine {
	i := slices.IndexFunc(machines, func(m machine) bool { return m.layout.Arch == p.Arch })
	if i < 0 {
		return nil
	}
	return &machines[i]
}

// A coreWriter writes one core.
type coreWriter struct {
	p     *process.Process
	m     *machine
	order byteOrder
	maps  []process.Mapping // sorted by address
}

// A byteOrder reads and writes numbers.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func orderOf(p *process.Process) byteOrder {
	if p.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// word appends addresses.
func (w *coreWriter) word(data []byte, values ...uint64) []byte {
	for _, v := range values {
		if w.m.word() == 8 {
			data = w.order.AppendUint64(data, v)
		} else {
			data = w.order.AppendUint32(data, uint32(v))
		}
	}
	return data
}

// u32 appends numbers of four bytes.
func (w *coreWriter) u32(data []byte, values ...uint32) []byte {
	for _, v := range values {
		data = w.order.AppendUint32(data, v)
	}
	return data
}

// u16 appends numbers of two bytes.
func (w *coreWriter) u16(data []byte, values ...uint16) []byte {
	for _, v := range values {
		data = w.order.AppendUint16(data, v)
	}
	return data
}

// padded appends zeros up to a size that is a multiple of n.
func padded(data []byte, n int) []byte { return append(data, make([]byte, (n-len(data)%n)%n)...) }

// mappingsOf returns the mappings of a process: those that Linux lists, else one for each segment of a module whose
// first page is captured, and one for each other module.
func mappingsOf(p *process.Process) (maps []process.Mapping) {
	for _, f := range p.Files {
		if f.Name == process.Maps {
			for line := range strings.Lines(f.Text) {
				if m, ok := process.ParseMapping(strings.TrimRight(line, "\n")); ok && m.End > m.Base {
					maps = append(maps, m)
				}
			}
		}
	}
	if maps == nil {
		for i := range p.Modules {
			m := &p.Modules[i]
			segments := segmentsOf(p, m.Base, m.CodeFile)
			if segments == nil {
				segments = []process.Mapping{{Base: m.Base, End: m.Base + m.Size, Access: "r-xp", Name: m.CodeFile}}
			}
			maps = append(maps, segments...)
		}
	}
	byAddress(maps, func(m *process.Mapping) uint64 { return m.Base })
	return maps
}

// segmentsOf returns the mappings of a module by its program headers, nil if these are not captured.
func segmentsOf(p *process.Process, base uint64, name string) (maps []process.Mapping) {
	m := headOf(p, base)
	if m == nil {
		return nil
	}
	const page = headSize - 1
	for _, s := range m.programs {
		if s.kind != typeLoad || s.size == 0 {
			continue
		}
		start, end := m.at(s.addr)&^uint64(page), (addClipped(m.at(s.addr), s.size)+page)&^page
		maps = append(maps, process.Mapping{Base: start, End: end, Access: access(s.flags), Offset: s.off &^ page, Name: name})
	}
	return maps
}

// headOf reads the ELF and program headers of a module in captured memory, nil if they are not there.
func headOf(p *process.Process, base uint64) *image {
	head := make([]byte, headSize)
	head = head[:p.Memory.Read(base, head)]
	order, word := identity(head)
	if word == 0 || word != p.Arch.Word {
		return nil
	}
	c := bin.NewOrderedCursor("module", 0, head, order)
	h := parseHeader(c, word)
	if c.Err() != nil || h.programs >= uint64(len(head)) {
		return nil
	}
	data := head[h.programs:]
	data = data[:min(uint64(len(data)), h.count*uint64(programSize(word)))]
	m := &image{base: base, entry: h.entryPoint, table: h.programs, programs: programsIn(data, order, word)}
	if m.measure(); m.size == 0 {
		return nil
	}
	return m
}

// pieces are the segments of the core: captured memory, and mappings without bytes. A piece ends where the protection may change.
func (w *coreWriter) pieces() (out []segment) {
	runs := w.p.Memory.Runs()
	var borders []uint64
	for _, r := range runs {
		borders = append(borders, r.Base, r.Base+r.Size)
	}
	for _, m := range w.maps {
		borders = append(borders, m.Base, m.End)
	}
	for _, g := range w.p.Regions {
		borders = append(borders, g.Start, g.Last+1)
	}
	slices.Sort(borders)
	borders = slices.Compact(borders)
	for i, start := range borders {
		end := uint64(0) // behind the highest address
		if i+1 < len(borders) {
			end = borders[i+1]
		} else if start == 0 || len(runs) == 0 || runs[len(runs)-1].Base+runs[len(runs)-1].Size != 0 {
			break
		}
		flags, mapped := w.access(start)
		at := at(len(runs), start, func(i int) uint64 { return runs[i].Base })
		captured := at >= 0 && start-runs[at].Base < runs[at].Size
		if !captured && !mapped {
			continue
		}
		s := segment{addr: start, size: end - start, flags: flags}
		if captured {
			s.have = s.size
		}
		out = append(out, s)
	}
	return out
}

// access returns the permissions of an address, and whether something is mapped there. Captured memory of unknown permissions
// can be read and written.
func (w *coreWriter) access(addr uint64) (flags uint32, mapped bool) {
	text := ""
	if i := at(len(w.maps), addr, func(i int) uint64 { return w.maps[i].Base }); i >= 0 && addr < w.maps[i].End {
		text, mapped = w.maps[i].Access, true
	} else if g := w.p.RegionAt(addr); g != nil && !g.Free() && g.Accessible() {
		text, mapped = g.Access, true
	}
	if !mapped {
		return flagRead | flagWrite, false
	}
	for i, f := range accessFlags {
		if strings.IndexByte(text, "rwx"[i]) >= 0 {
			flags |= f
		}
	}
	return flags, true
}

// osLinux is ELFOSABI_LINUX. The kernel writes 0, but lldb then needs another sign of Linux, as a library of Debian or a program with glibc's note
// (ObjectFileELF::RefineModuleDetailsFromNote), and refuses cores of musl's programs.
const osLinux = 3

// head writes all but the memory, which begins on the next page, and sets the offsets of the pieces.
func (w *coreWriter) head(pieces []segment, notes []byte) []byte {
	word := w.m.word()
	headers, count, sections := header32, len(pieces)+1, 0
	if word == 8 {
		headers = header64
	}
	if count >= manySegments {
		sections = 1
	}
	sectionSize := 4*4 + 6*word // Elf32_Shdr, Elf64_Shdr
	notesAt := headers + count*programSize(word) + sections*sectionSize
	offset := int64(notesAt+len(notes)+process.SpliceAlign-1) &^ (process.SpliceAlign - 1)

	data := append([]byte("\x7fELF"), byte(word/4), byte(1), 1, osLinux)
	if w.p.BigEndian {
		data[orderOffset] = 2
	}
	data = append(data, make([]byte, 16-len(data))...)
	data = w.u16(data, typeCore, w.m.number)
	data = w.word(w.u32(data, 1), 0, uint64(headers), uint64(sections*(notesAt-sectionSize)))
	data = w.u32(data, 0)
	data = w.u16(data, uint16(headers), uint16(programSize(word)), uint16(min(count, manySegments)), uint16(sections*sectionSize), uint16(sections), 0)
	data = w.program(data, typeNote, segment{off: int64(notesAt), have: uint64(len(notes))})
	for i := range pieces {
		pieces[i].off = offset
		data = w.program(data, typeLoad, pieces[i])
		offset += int64(pieces[i].have)
	}
	if sections > 0 { // its sh_info is the number of program headers
		data = w.word(w.u32(data, 0, 0), 0, 0, 0, 0)
		data = w.word(w.u32(data, 0, uint32(count)), 0, 0)
	}
	return padded(append(data, notes...), process.SpliceAlign)
}

func (w *coreWriter) program(data []byte, kind uint32, s segment) []byte {
	data = w.u32(data, kind)
	if w.m.word() == 8 {
		data = w.u32(data, s.flags)
	}
	data = w.word(data, uint64(s.off), s.addr, 0, s.have, s.size)
	if w.m.word() == 4 {
		data = w.u32(data, s.flags)
	}
	return w.word(data, 1)
}

// notes writes the notes in the order of the kernel: of the first thread, of the process, and of the other threads.
func (w *coreWriter) notes() (data []byte) {
	number, code, addr := SignalOf(w.p)
	subject := max(w.p.Subject, 0)
	if subject < len(w.p.Threads) && w.p.Threads[subject].Registers == nil {
		subject = slices.IndexFunc(w.p.Threads, func(t process.Thread) bool { return t.Registers != nil })
	}
	data = w.thread(data, subject, number)
	data = w.note(data, "CORE", noteProcess, w.processInfo())
	if number != 0 {
		data = w.note(data, "CORE", noteSignal, w.signalInfo(number, code, addr))
	}
	if list := w.auxiliary(); len(list) > 0 {
		data = w.note(data, "CORE", noteAuxv, list)
	}
	data = w.note(data, "CORE", noteFiles, w.fileMappings())
	for i := range w.p.Threads {
		if i != subject {
			data = w.thread(data, i, number) // as the kernel, which gives all threads the signal of the process
		}
	}
	return data
}

func (w *coreWriter) note(data []byte, owner string, kind uint32, contents []byte) []byte {
	data = w.u32(data, uint32(len(owner)+1), uint32(len(contents)), kind)
	data = padded(append(append(data, owner...), 0), 4)
	return padded(append(data, contents...), 4)
}

// thread writes the registers of a thread: struct elf_prstatus, and the notes that a context has pieces of.
func (w *coreWriter) thread(data []byte, i int, signal uint32) []byte {
	t := &w.p.Threads[i]
	r := t.Registers
	if r == nil {
		return data
	}
	general := make([]byte, 0, w.m.words*w.m.word())
	for name := range strings.FieldsSeq(w.m.registers) {
		v := uint64(0)
		if reg, ok := w.m.layout.Arch.Reg(name); ok {
			v = r.Regs.Value(reg)
		}
		general = w.word(general, v)
	}
	general = general[:cap(general)]
	if at := w.m.callAt * w.m.word(); at > 0 {
		call := ^uint64(0)
		if t.Call != nil {
			call = *t.Call
		}
		copy(general[at:], w.word(nil, call))
	}
	others := w.otherNotes(r, general)

	status := w.u16(w.u32(nil, signal, 0, 0), uint16(signal), 0)
	status = w.u32(w.word(status, 0, 0), cmp.Or(t.ID, uint32(i+1)), 0, 0, 0)
	status = append(status, make([]byte, 4*2*w.m.word())...) // times
	status = padded(w.u32(append(status, general...), 0), w.m.word())
	data = w.note(data, "CORE", noteStatus, status)
	for _, kind := range []uint32{noteFloat, noteX86FX, noteARMVFP} {
		if others[kind] != nil {
			owner := "LINUX"
			if kind == noteFloat {
				owner = "CORE"
			}
			data = w.note(data, owner, kind, others[kind])
		}
	}
	switch {
	case r.Shadow == 0:
	case r.Arch.IsAMD64():
		data = w.note(data, "LINUX", noteShadow, w.word(nil, r.Shadow))
	case r.Arch.IsARM64():
		data = w.note(data, "LINUX", noteARMGCS, w.word(nil, 0, 0, r.Shadow))
	}
	return data
}

// otherNotes copies the pieces of a context to the notes that cores have them in, those of NT_PRSTATUS to the general registers.
func (w *coreWriter) otherNotes(r *process.Registers, general []byte) map[uint32][]byte {
	out := map[uint32][]byte{noteStatus: general}
	if r.Context == nil {
		return nil
	}
	context := r.Context()
	flags, ok := w.m.layout.ReadFlags(context, w.order)
	if !ok || flags&w.m.layout.Flags != w.m.layout.Flags {
		return nil // another layout of this CPU
	}
	for _, p := range w.m.parts {
		if len(context) < p.to+p.size || flags&p.groups != p.groups {
			continue
		}
		if out[p.note] == nil {
			out[p.note] = make([]byte, w.m.floats)
		}
		if p.from+p.size <= len(out[p.note]) {
			copy(out[p.note][p.from:], context[p.to:p.to+p.size])
		}
	}
	return out
}

// processInfo writes struct elf_prpsinfo. Its user numbers have two bytes on the CPUs that had Linux first.
func (w *coreWriter) processInfo() []byte {
	data := w.word([]byte{0, 'R', 0, 0}, 0)
	if w.m.word() == 8 {
		data = w.word([]byte{0, 'R', 0, 0, 0, 0, 0, 0}, 0)
	}
	if w.m.shortUsers {
		data = w.u16(data, 0, 0)
	} else {
		data = w.u32(data, 0, 0)
	}
	id := uint32(0)
	if w.p.PID != nil {
		id = *w.p.PID
	}
	data = w.u32(data, id, 0, 0, 0)
	name, line := "", ""
	if len(w.p.Modules) > 0 {
		name = w.p.Modules[0].Name()
	}
	for _, f := range w.p.Files {
		if f.Name == process.CmdLine {
			line = strings.ReplaceAll(strings.TrimRight(f.Text, "\x00"), "\x00", " ")
		}
	}
	data = append(data, fixed(name, psName)...)
	return append(data, fixed(cmp.Or(line, name), psArgs)...)
}

// fixed returns a text with a NUL in size bytes.
func fixed(text string, size int) []byte {
	data := make([]byte, size)
	copy(data[:size-1], text)
	return data
}

// siginfoSize is sizeof(siginfo_t). Source: Linux, include/uapi/asm-generic/siginfo.h.
const siginfoSize = 128

func (w *coreWriter) signalInfo(number, code uint32, addr uint64) []byte {
	data := w.u32(nil, number, 0, code)
	if w.m.swapped {
		data = w.u32(nil, number, code, 0)
	}
	data = w.word(padded(data, w.m.word()), addr)
	return append(data, make([]byte, siginfoSize-len(data))...)
}

// fileMappings writes NT_FILE, with the mappings of files.
func (w *coreWriter) fileMappings() []byte {
	const page = 4 << 10
	var files []process.Mapping
	for _, m := range w.maps {
		if m.Name != "" && m.Name[0] != '[' && m.Name != vdsoName {
			files = append(files, m)
		}
	}
	data := w.word(nil, uint64(len(files)), page)
	for _, m := range files {
		data = w.word(data, m.Base, m.End, m.Offset/page)
	}
	for _, m := range files {
		data = append(append(data, strings.ReplaceAll(m.Name, "\x00", "")...), 0)
	}
	return data
}

// Auxiliary returns the auxiliary vector of a process, in the layout of its CPU, with its end. A process without one gets what the
// program's headers say.
func Auxiliary(p *process.Process) []byte {
	w := coreWriter{p: p, m: machineOf(p), order: orderOf(p)}
	if w.m == nil {
		return nil
	}
	return w.auxiliary()
}

func (w *coreWriter) auxiliary() []byte {
	var list []uint64
	for _, a := range w.p.Auxv {
		list = append(list, a.Type, a.Value)
	}
	if list == nil && len(w.p.Modules) > 0 {
		m := headOf(w.p, w.p.Modules[0].Base)
		if m == nil {
			return nil
		}
		list = []uint64{
			auxPrograms, m.base + m.table, 4, uint64(programSize(w.m.word())), auxEntries, uint64(len(m.programs)), 6, headSize, auxEntry, m.at(m.entry),
		}
	}
	return w.word(nil, append(list, 0, 0)...)
}

// SignalOf returns the signal, its code and its address that tell of a process's event: 0 for none.
func SignalOf(p *process.Process) (number, code uint32, addr uint64) {
	e := p.Event
	if e == nil || e.Kind != process.OfProcess {
		return 0, 0, 0
	}
	os := p.OS()
	if !os.IsWindows() && !os.IsApple() {
		return e.Code, e.Flags, e.Address
	}
	addr = e.Address
	for _, s := range signals {
		if s.first <= e.Code && e.Code <= s.last {
			number = s.number
		}
	}
	switch {
	case os.IsApple() && e.Code == machCrash:
		number = e.Flags >> 24
	case os.IsWindows() && number == sigSegv && len(e.Parameters) > 1:
		addr = e.Parameters[1]
	}
	return cmp.Or(number, sigAbort), 0, addr
}

const (
	sigIll, sigTrap, sigAbort, sigBus, sigFPE, sigSegv = 4, 5, 6, 7, 8, 11 // of Linux

	machCrash = 10 // EXC_CRASH, with the signal in its code
)

// signals are those that mean what an exception means. Source: ntstatus.h; xnu, osfmk/mach/exception_types.h and bsd/uxkern/ux_exception.c.
var signals = []struct{ number, first, last uint32 }{
	{sigSegv, 1, 1}, {sigIll, 2, 2}, {sigFPE, 3, 3}, {sigTrap, 6, 6}, // of Mach: EXC_BAD_ACCESS, EXC_BAD_INSTRUCTION, EXC_ARITHMETIC, EXC_BREAKPOINT
	{sigSegv, 0x8000_0001, 0x8000_0001}, {sigBus, 0x8000_0002, 0x8000_0002}, {sigTrap, 0x8000_0003, 0x8000_0004}, // guard page; misalignment; breakpoint, step
	{sigSegv, 0xc000_0005, 0xc000_0005}, {sigBus, 0xc000_0006, 0xc000_0006}, {sigIll, 0xc000_001d, 0xc000_001d}, // access violation; in-page error; illegal instruction
	{sigFPE, 0xc000_008d, 0xc000_0095}, {sigIll, 0xc000_0096, 0xc000_0096}, {sigSegv, 0xc000_00fd, 0xc000_00fd}, // numbers; privileged instruction; stack overflow
}
