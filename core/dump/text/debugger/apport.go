package debugger

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const problemType = "ProblemType: Crash"

// cpus are those of Debian's names, dpkg, data/cputable.
const cpus text.Table = ";amd64=amd64;i386=x86;armhf=arm;arm64=arm64;ppc64el=ppc64;riscv64=riscv64"

// kept are the values that a report keeps beside those that become parts of the process.
const kept text.Table = ";ExecutablePath=Executable;Package=Package;Date=Timestamp;DistroRelease=System;AssertionMessage=Assertion"

// readApport reads a report: keys with values, whose further lines are indented. That of the thread that crashed is Stacktrace, and
// ThreadStacktrace repeats it as the thread 1. A core is encoded in CoreDump.
func readApport(l *text.Lines) []*process.Process {
	r := &report{d: text.NewDraft(apportKind)}
	key := ""
	l.Next()
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		if strings.HasPrefix(line, "ProblemType: ") { // of the next report
			l.Back()
			break
		}
		name, value, isKey := strings.Cut(line, ":")
		if isKey = isKey && line[0] != ' ' && !strings.Contains(name, " "); isKey {
			r.flush()
			key = name
			r.fact(key, strings.TrimSpace(value))
			r.subject = key == "Stacktrace"
			continue
		}
		if line != "" && line[0] != ' ' {
			l.Back()
			break
		}
		r.section(key, strings.TrimSpace(line))
	}
	r.flush()
	p := &r.d.Process
	if p.Event = r.event; p.Event == nil || key == "" {
		return nil
	}
	r.d.Maps(r.maps)
	if r.arch != nil && r.regs.Known() != 0 {
		if len(p.Threads) == 0 {
			pc, _ := r.regs.Get(r.arch.PC)
			r.d.Thread(process.Thread{})
			r.d.Frame(text.Frame{Address: pc, Interrupts: true})
		}
		p.Threads[max(p.Subject, 0)].Registers = &process.Registers{Arch: r.arch, Regs: r.regs}
	}
	if len(p.Threads) == 0 {
		r.d.Thread(process.Thread{})
	}
	return r.finish()
}

// fact reads a key with a value of one line.
func (r *report) fact(key, value string) {
	n, _, number := text.Decimal(value)
	name, known := kept.Of(key)
	switch {
	case key == "Architecture":
		r.arch = cpus.CPU(value)
	case key == "Signal" && number && n > 0 && n < 65:
		r.event = &process.Event{Code: uint32(n), NoAddress: true}
	case known:
		r.d.Annotate(name, value)
	}
}

const maxMaps = 1 << 14

// section reads a further line of a value.
func (r *report) section(key, s string) {
	switch key {
	case "ProcMaps":
		if len(r.maps) < maxMaps {
			r.maps = append(r.maps, s)
		}
	case "Registers":
		if r.arch != nil {
			text.Registers(s, r.arch, &r.regs)
		}
	case "Stacktrace":
		r.read(s)
	case "ThreadStacktrace":
		if _, _, crashed, ok := threadOf(s); ok {
			r.flush()
			r.skip = crashed
		}
		if !r.skip {
			r.read(s)
		}
	case "ProcStatus":
		if value, ok := strings.CutPrefix(s, "Pid:"); ok {
			if n, _, number := text.Decimal(strings.TrimSpace(value)); number {
				r.d.PID(n)
			}
		}
	case "SegvAnalysis":
		if strings.Contains(s, "Segfault happened at") || strings.Contains(s, "not located in a known VMA region") {
			r.d.Annotate("Analysis", s)
		}
	}
}
