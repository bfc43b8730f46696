// Package systemd reads what systemd-coredump says of a crash: the output of coredumpctl info, the message in a log, and the entries
// of the journal as JSON.
//
// All have the same message: modules with build IDs, and the stacks of all threads, the one that crashed first. The innermost
// address of a stack is exact, and the others are return addresses. Older versions do not print offsets. Inlined calls are missing. An entry of the
// journal also has the list of mappings.
//
// Source: systemd, src/coredump/coredumpctl.c (print_info), src/coredump/coredump.c (submit_coredump), src/shared/elf-util.c (frame_callback,
// report_module_metadata), src/shared/logs-show.c (output_json).
//
// Read this file first, then message.go, and journal.go.
package systemd

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

const kind = "systemd coredump"

// Family reads crashes.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"PID: ", "Process ", `"__CURSOR"`, `"COREDUMP_`}, Read: read}

type report struct {
	d       *text.Draft
	exe     string
	stacks  bool // a thread was begun
	frames  int  // of the last thread
	handler bool // the last frame was that of a signal's return
}

func newReport() *report {
	r := &report{d: text.NewDraft(kind)}
	r.d.System(process.Linux, nil)
	r.d.Process.Subject = 0
	return r
}

func read(l *text.Lines) []*process.Process {
	first := l.First()
	switch at := strings.Index(first, "PID: "); {
	case strings.Contains(first, `"__CURSOR"`), strings.Contains(first, `"COREDUMP_`):
		return readJournal(l)
	case at >= 0:
		l.Begin(len(strings.TrimRight(first[:at], " ")))
		return readInfo(l)
	}
	return readMessage(l)
}

// readInfo reads the output of coredumpctl info: keys that are aligned to the right, the last of which is the message.
func readInfo(l *text.Lines) []*process.Process {
	r := newReport()
	first, _ := l.Next()
	if !r.fact(strings.TrimSpace(first)) {
		return nil
	}
	if next, ok := l.Peek(); !ok || !strings.HasPrefix(strings.TrimSpace(next), "UID: ") {
		return nil
	}
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		s := strings.TrimSpace(line)
		if s != "" && s == line || strings.HasPrefix(s, "PID: ") {
			l.Back()
			break
		}
		if !r.message(strings.TrimPrefix(s, "Message: ")) {
			r.fact(s)
		}
	}
	return r.finish()
}

// readMessage reads the message alone, in a log. A collector may have written its line ends as #012.
func readMessage(l *text.Lines) []*process.Process {
	first := l.First()
	at := strings.Index(first, "Process ")
	pid, rest, ok := text.Decimal(strings.TrimPrefix(first[at:], "Process "))
	_, rest, named := strings.Cut(rest, ") of user ")
	if !ok || !named || !strings.Contains(rest, "dumped core") && !strings.Contains(rest, "terminated abnormally") {
		return nil
	}
	r := newReport()
	r.d.PID(pid)
	l.Begin(at)
	l.Next()
	lines := strings.Split(first, "#012")
	for _, line := range lines[1:] {
		r.message(strings.TrimSpace(line))
	}
	for escaped := len(lines) > 1; !escaped; {
		line, ok := l.Next()
		if !ok {
			break
		}
		if !r.message(strings.TrimSpace(line)) {
			l.Back()
			break
		}
	}
	if !r.stacks {
		return nil
	}
	return r.finish()
}

// facts are the facts that a report keeps beside those that become parts of the process.
const facts text.Table = ";Executable=;Unit=;User Unit=;Package=;Timestamp="

// fact reads a line of coredumpctl info: "PID: 30837 (orbit)", "Signal: 11 (SEGV)". It reports false for the number of a process that no name follows.
func (r *report) fact(s string) bool {
	key, value, _ := strings.Cut(s, ": ")
	n, rest, number := text.Decimal(value)
	_, kept := facts.Of(key)
	switch {
	case key == "PID":
		if !number || rest != "" && (!strings.HasPrefix(rest, " (") || !strings.HasSuffix(rest, ")")) {
			return false
		}
		r.d.PID(n)
		if name, _, ok := text.Between(rest, "(", ")"); ok {
			r.d.Annotate("process", name)
		}
	case key == "Signal" && number:
		r.signal(n)
	case kept:
		r.d.Annotate(key, value)
		if key == "Executable" {
			r.exe = value
		}
	}
	return true
}

// signal sets the signal. What it was about is in the core only.
func (r *report) signal(n uint64) {
	if n > 0 && n < 128 {
		r.d.Process.Event = &process.Event{Code: uint32(n), NoAddress: true}
	}
}

// path is that of the program, if a module has its name.
func (r *report) path(name string) string {
	if r.exe != "" && name == module.Basename(r.exe) {
		return r.exe
	}
	return name
}

func (r *report) finish() []*process.Process {
	if r.d.Process.Event == nil && !r.stacks { // it is truncated before what it is about
		return nil
	}
	if !r.stacks {
		thread := process.Thread{}
		if pid := r.d.Process.PID; pid != nil {
			thread.ID = *pid
		}
		r.d.Thread(thread)
	}
	p := r.d.Finish()
	if t := &p.Threads[0]; p.Arch != nil && len(t.Frames) > 0 { // the innermost address is that of the program counter
		var regs cpu.Regs
		regs.Set(p.Arch.PC, t.Frames[0].ReturnAddress)
		t.Registers = &process.Registers{Arch: p.Arch, Regs: regs}
	}
	return []*process.Process{p}
}
