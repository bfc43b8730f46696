// Package android reads tombstones, the reports that Android's debuggerd writes as text, from their own files
// and from logcat.
//
// A tombstone has the thread that crashed, with registers, and then other threads. A frame states its
// address as the ELF file has it, and is exact: debuggerd steps back into the call. Functions of Java have frames in
// .oat files and in anonymous memory, and only their names are of use.
//
// Since Android 12 debuggerd also writes them as protocol buffers, with the same content and the memory near registers.
//
// Source: AOSP, system/core, debuggerd/libdebuggerd/tombstone_proto_to_text.cpp, debuggerd/proto/tombstone.proto, and libunwindstack's
// Unwinder.cpp (FormatFrame).
//
// Read this file first, then proto.go.
package android

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

const kind = "Android tombstone"

// Family reads tombstones.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{begin, "  >>> "}, Read: read}

// The lines before a tombstone and before each thread but the first.
const (
	begin = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"
	other = "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---"
)

// abis are the CPUs. debuggerd's names are those of tombstone_proto_to_text.cpp, abi_string.
const abis text.Table = ";arm=arm;arm64=arm64;x86=x86;x86_64=amd64;riscv64=riscv64"

type report struct {
	d      *text.Draft
	arch   *cpu.Arch
	regs   cpu.Regs
	thread process.Thread // that the next frames belong to
	begun  bool           // the thread is in the draft
}

func read(l *text.Lines) []*process.Process {
	r := &report{d: text.NewDraft(kind)}
	if first := l.First(); !strings.Contains(first, begin) { // the first lines are missing
		at := strings.Index(first, "pid: ")
		if at < 0 || !strings.Contains(first[at:], ", tid: ") || !strings.HasSuffix(first, " <<<") {
			return nil
		}
		l.Begin(at)
		r.who(first[at:])
	}
	l.Next()
	for n := 0; n < maxHead || r.begun; n++ {
		line, ok := l.Next()
		if !ok {
			break
		}
		if strings.Contains(line, begin) {
			l.Back()
			break
		}
		if line = strings.TrimSpace(line); line == other {
			n = 0 // of the next thread
		}
		r.line(line)
	}
	if len(r.d.Process.Threads) == 0 {
		return nil
	}
	return []*process.Process{r.finish()}
}

// maxHead bounds the lines before the first frame.
const maxHead = 256

// firstRegisters are the names of the first registers that are printed, for tombstones without an ABI: those before Android 5, and cut ones.
const firstRegisters text.Table = ";r0=arm;x0=arm64;eax=x86;rax=amd64"

func (r *report) finish() *process.Process {
	p := r.d.Finish()
	if p.System == nil {
		p.System = &process.System{OS: process.Android, Name: process.Android.Name()}
	}
	return p
}

func (r *report) line(s string) {
	key, value, _ := strings.Cut(s, ":")
	value = strings.Trim(value, " '")
	p := &r.d.Process
	switch {
	case strings.HasPrefix(s, "#"):
		r.frame(s)
		return
	case s == other:
		r.thread, r.begun = process.Thread{}, false
	case strings.HasPrefix(s, "pid: "):
		r.who(s)
	case strings.HasPrefix(s, "signal "):
		r.signal(s)
	case key == "ABI":
		r.arch = abis.CPU(value)
		r.d.System(process.Android, r.arch)
	case key == "Abort message", key == "Abort message (use-after-free)":
		p.Message = value
	case key == "Cause", key == "Build fingerprint", key == "Revision", key == "Timestamp", key == "Cmdline", key == "Process uptime":
		r.d.Annotate(key, value)
	case len(p.Threads) <= 1:
		if name, _, _ := strings.Cut(s, " "); r.arch == nil && firstRegisters.CPU(name) != nil {
			r.arch = firstRegisters.CPU(name)
			r.d.System(process.Android, r.arch)
		}
		if r.arch != nil {
			text.Registers(s, r.arch, &r.regs)
		}
	}
}

// who reads "pid: 4242, tid: 4301, name: GLThread 33  >>> com.example.game <<<".
func (r *report) who(s string) {
	pid, rest, _ := text.Decimal(strings.TrimPrefix(s, "pid: "))
	_, rest, _ = strings.Cut(rest, "tid: ")
	tid, rest, _ := text.Decimal(rest)
	_, name, _ := strings.Cut(rest, "name: ")
	name, of, _ := strings.Cut(name, "  >>> ")
	r.thread, r.begun = process.Thread{ID: uint32(tid), Name: name}, false
	if r.d.Process.PID == nil {
		r.d.PID(pid)
		r.d.Annotate("process", strings.TrimSuffix(of, " <<<"))
	}
}

// signal reads "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000004", or of a signal that was sent
// "signal 6 (SIGABRT), code -1 (SI_QUEUE from pid 4242, uid 10123), fault addr --------".
func (r *report) signal(s string) {
	number, rest, ok := text.Decimal(strings.TrimPrefix(s, "signal "))
	if !ok || r.d.Process.Event != nil {
		return
	}
	e := &process.Event{Code: uint32(number), NoAddress: true}
	if _, at, ok := strings.Cut(rest, "fault addr "); ok {
		addr, _, known := text.Hex(at)
		e.Address, e.NoAddress = addr, !known
	}
	_, code, ok := strings.Cut(rest, "code ")
	if !ok {
		r.d.Process.Event, r.d.Process.Subject = e, 0
		return
	}
	code, negative := strings.CutPrefix(code, "-")
	n, sender, _ := text.Decimal(code)
	if e.Flags = uint32(n); negative {
		e.Flags = -e.Flags
	}
	_, from, _ := strings.Cut(sender, " from pid ")
	pid, user, _ := text.Decimal(from)
	uid, _, _ := text.Decimal(strings.TrimPrefix(user, ", uid "))
	r.event(e, pid, uid)
}

// event sets the signal. A process that sent it is where faults have an address, as in siginfo_t.
func (r *report) event(e *process.Event, pid, uid uint64) {
	if pid > 0 && e.NoAddress {
		e.Address, e.NoAddress = uint64(uint32(pid))|uint64(uint32(uid))<<32, false
	}
	r.d.Process.Event, r.d.Process.Subject = e, 0
	r.d.Process.Lacks &^= process.SignalCode
	r.d.Process.Origin.KernelSignal = true
}

// frame reads "#00 pc 00000000000044d4  /data/app/base.apk!libengine.so (offset 0x1000) (f()+8) (BuildId: 85c4)".
func (r *report) frame(s string) {
	f, ok := frameOf(s)
	if !ok {
		return
	}
	r.add(&f)
}

func (r *report) add(f *frame) {
	if !r.begun {
		r.begin(f)
	}
	f.addTo(r.d)
}

// The program counter of the thread that crashed shows where the innermost frame's library was.
func (r *report) begin(f *frame) {
	if r.begun = true; len(r.d.Process.Threads) == 0 && r.arch != nil && r.regs.Known() != 0 {
		r.thread.Registers = &process.Registers{Arch: r.arch, Regs: r.regs}
		if pc, ok := r.regs.Get(r.arch.PC); ok && f.HasOffset {
			f.Address = pc
		}
		f.Interrupts = true
	}
	r.d.Thread(r.thread)
}

// A frame is a line of a backtrace.
type frame struct {
	text.Frame
	buildID string
}

// addTo adds a frame and its file to the last thread of a draft.
func (f *frame) addTo(d *text.Draft) {
	if f.buildID != "" {
		d.Image(text.Image{Path: f.Image, BuildID: f.buildID})
	}
	if f.Image != "" {
		d.Image(text.Image{Path: f.Image, Offsets: module.Linked})
	}
	d.Frame(f.Frame)
}

func frameOf(s string) (f frame, ok bool) {
	_, rest, ok := strings.Cut(s, " pc ")
	at, rest, hex := text.Hex(rest)
	if !ok || !hex {
		return frame{}, false
	}
	rest = strings.TrimSpace(rest)
	if before, id, ok := text.CutLast(rest, " (BuildId: "); ok && strings.HasSuffix(id, ")") {
		rest, f.buildID = before, strings.TrimSuffix(id, ")")
	}
	rest = strings.TrimSuffix(rest, " (BuildId:") // a mail program has wrapped the line
	if before, name, ok := text.CutGroup(rest); ok && !strings.HasPrefix(name, "offset ") {
		rest = before
		f.function(name)
	}
	if rest, _, _ = strings.Cut(rest, " (offset "); rest != unknown {
		f.place(rest, at)
	}
	return f, true
}

// unknown is what ART prints for a file, and for a function, that it does not know.
const unknown = "???"

// place sets the file of a frame, which may be in an APK, and the address in it.
func (f *frame) place(file string, at uint64) {
	f.Names.Module = module.Basename(file)
	if _, inner, ok := text.CutLast(file, "!"); ok {
		f.Names.Module = inner
	}
	if isELF(file) {
		f.Image, f.Offset, f.HasOffset = file, at, true
	}
}

// function reads "engine::Scene::draw(int)+44".
func (f *frame) function(s string) {
	if s == unknown {
		return
	}
	name, offset, ok := text.CutLast(s, "+")
	n, rest, number := text.Decimal(offset)
	if !ok || !number || rest != "" {
		name, n = s, 0
	}
	f.Names.Function, f.Names.Offset = name, n
}

// isELF reports whether a path is that of a library or a program. The others are those of code that ART
// compiled, and of memory without a file.
func isELF(path string) bool {
	if path == "" || strings.HasPrefix(path, "<") || strings.HasPrefix(path, "[") && !strings.HasPrefix(path, "[vdso") {
		return false
	}
	for _, end := range []string{".oat", ".odex", ".vdex", ".jar", ".dex", ".art", "(deleted)"} {
		if strings.HasSuffix(path, end) {
			return false
		}
	}
	return !strings.HasPrefix(path, "/memfd:")
}
