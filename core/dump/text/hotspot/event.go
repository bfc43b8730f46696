package hotspot

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// systems and cpus are the names of platforms: "linux-amd64". Source: OpenJDK, make/autoconf/platform.m4 and
// src/hotspot/share/runtime/abstract_vm_version.cpp (vm_platform_string).
const (
	systems text.Table = ";linux=linux;windows=windows;bsd=mac;solaris=solaris"
	cpus    text.Table = ";amd64=amd64;x86=x86;aarch64=arm64;arm=arm;ppc64le=ppc64;ppc64=ppc64;riscv64=riscv64;sparc=sparc"
)

// machExceptions are the exceptions of macOS behind signals, osfmk/kern/exception.c (ux_exception).
var machExceptions = map[uint32]uint32{4: 2, 5: 6, 8: 3, 10: 1, 11: 1}

// Values of si_code on Linux, asm-generic/siginfo.h.
const (
	siUser   = 0
	siKernel = 0x80
)

// fact reads a line of the head:
//
//	SIGSEGV (0xb) at pc=0x00007f199f8f5f14 (sent by kill), pid=31775, tid=31775
//	Internal Error (sharedRuntime.cpp:834), pid=31775, tid=31775
//	fatal error: exception happened outside interpreter
//	Native memory allocation (malloc) failed to allocate 32744 bytes. Error detail: ChunkPool::allocate
//	Java VM: OpenJDK 64-Bit Server VM (17.0.15+6, mixed mode, tiered, linux-amd64)
func (r *report) fact(s string) bool {
	p := &r.d.Process
	switch key, value, _ := strings.Cut(s, ": "); {
	case key == "Java VM":
		r.platform(value)
		r.d.Annotate(key, value)
	case key == "JRE version":
		r.d.Annotate(key, value)
	case strings.HasPrefix(s, "Internal Error ("), strings.HasPrefix(s, "Out of Memory Error ("):
		r.ids(s)
		if p.Problem == nil {
			p.Problem, r.failed = &process.Problem{Kind: process.Panic}, true
		}
		if what, _, ok := strings.Cut(s, ", pid="); ok && p.Problem.Text == "" {
			p.Problem.Text = what
		}
		return true
	case r.failed && (strings.HasPrefix(s, "Native memory allocation") || p.Problem.Kind == process.Panic && isMessage(key)):
		p.Problem.Text = s
	case strings.Contains(s, " at pc=0x") && strings.Contains(s, ", pid="):
		return r.signal(s)
	}
	return false
}

// isMessage reports whether a key is that of the message of an internal error.
func isMessage(key string) bool {
	return key == "fatal error" || key == "Error" || strings.HasPrefix(key, "assert(") || strings.HasPrefix(key, "guarantee(")
}

// ids reads the numbers of process and thread. Before version 9 the thread's is a pointer.
func (r *report) ids(s string) {
	if _, pid, ok := strings.Cut(s, ", pid="); ok {
		n, _, _ := text.Decimal(pid)
		r.d.PID(n)
	}
	if _, tid, ok := strings.Cut(s, ", tid="); ok && !strings.HasPrefix(tid, "0x") {
		n, _, _ := text.Decimal(tid)
		r.thread.ID = uint32(n)
	}
}

// signal reads the line of a signal, or of an exception of Windows.
func (r *report) signal(s string) bool {
	_, number, ok := strings.Cut(s, " (")
	code, rest, hex := text.Hex(number)
	_, pc, found := strings.Cut(rest, " at pc=")
	if !ok || !hex || !found || code > 0xffffffff {
		return false
	}
	r.ids(s)
	r.pc, _, _ = text.Hex(pc)
	r.atPC, r.unix = true, strings.HasPrefix(s, "SIG")
	p := &r.d.Process
	p.Event = &process.Event{Code: uint32(code), NoAddress: true}
	if strings.Contains(s, "(sent by kill)") {
		r.kernelCode()
	}
	return true
}

// kernelCode notes that the signal's code is known.
func (r *report) kernelCode() {
	r.d.Process.Lacks &^= process.SignalCode
	r.d.Process.Origin.KernelSignal = true
}

// platform reads the system and the CPU, which end the description of the machine.
func (r *report) platform(s string) {
	var os process.OS
	ok := false
	for _, word := range strings.Fields(strings.TrimSuffix(s, ")")) { // the last one, but "compressed oops" is behind it in Java 8
		name, arch, _ := strings.Cut(word, "-")
		if system, known := systems.Of(name); known && cpus.CPU(arch) != nil {
			os, ok = process.OS(system), true
			r.d.System(os, cpus.CPU(arch))
		}
	}
	if e := r.d.Process.Event; ok && e != nil && os.IsMac() {
		if exception, known := machExceptions[e.Code]; known {
			e.Code = exception
		}
	}
}

// siginfo reads what the system said:
//
//	si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000000
//	si_signo: 11 (SIGSEGV), si_code: 0 (SI_USER), si_pid: 31720, si_uid: 0
//	EXCEPTION_ACCESS_VIOLATION (0xc0000005), reading address 0x0000000000000000
func (r *report) siginfo(s string) {
	e := r.d.Process.Event
	if e == nil {
		return
	}
	for i, words := range []string{"reading address ", "writing address ", "execution prevention violation at address "} {
		if _, at, ok := strings.Cut(s, words); ok {
			e.Access = []process.Access{process.Read, process.Write, process.Execute}[i]
			e.Address, _, ok = text.Hex(at)
			e.NoAddress = !ok
			e.Parameters = []uint64{[]uint64{0, 1, 8}[i], e.Address} // EXCEPTION_RECORD, winnt.h
			return
		}
	}
	if _, information, ok := strings.Cut(s, "ExceptionInformation="); ok { // Java 8 on Windows
		kind, at, _ := strings.Cut(information, " ")
		access, _ := text.IsHex(kind)
		addr, hex := text.IsHex(at)
		if e.Address, e.NoAddress = addr, !hex; hex {
			e.Parameters = []uint64{access, addr}
		}
		switch access {
		case 0:
			e.Access = process.Read
		case 1:
			e.Access = process.Write
		case 8:
			e.Access = process.Execute
		}
		return
	}
	s = strings.NewReplacer("=", " ", ":", " ", "0x", "", ",", " ").Replace(s)
	code, known := number(s, "si_code ")
	if !known {
		return
	}
	r.kernelCode()
	e.Flags = uint32(code)
	_, at, found := strings.Cut(s, "si_addr ")
	addr, _, isHex := text.Hex(strings.TrimSpace(at))
	pid, sent := number(s, "si_pid ")
	uid, _ := number(s, "si_uid ")
	switch {
	case sent:
		e.Address, e.NoAddress = uint64(uint32(pid))|uint64(uint32(uid))<<32, false // siginfo_t, where faults have an address
	case found && isHex && int32(e.Flags) > siUser && e.Flags != siKernel:
		e.Address, e.NoAddress = addr, false
	}
}

func number(s, name string) (int64, bool) {
	_, value, found := strings.Cut(s, name)
	value, negative := strings.CutPrefix(strings.TrimSpace(value), "-")
	n, _, ok := text.Decimal(value)
	if negative {
		return -int64(n), found && ok
	}
	return int64(n), found && ok
}
