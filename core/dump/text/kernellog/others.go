package kernellog

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A form is how the kernel tells of a fault on a CPU other than x86: a mark behind the thread's name, and the words before the values.
type form struct {
	mark                   string
	arch                   *cpu.Arch
	signal, addr, code, pc string
}

// forms are the lines of kernels since 3.10:
//
//	polipo[1657]: unhandled level 3 translation fault (11) at 0xffffcd912fe0, esr 0x92000047, in polipo[aaaad8a90000+20000]
//	knob[12]: unhandled exception: DABT (lower EL), ESR 0x0000000092000046, level 2 translation fault in knob[1234,aaaad8a90000+20000]
//	m.android.phone: unhandled page fault (11) at 0x00000000, code 0x805
//	knob[12]: unhandled signal 11 code 0x1 at 0x0000000000000008 in knob[10000+1000]
//	knob[12]: segfault (11) at 8 nip 100005a4 lr 10000590 code 1 in knob[10000000+10000]
//
// The registers follow on ARM and RISC-V. Source: Linux, arch/arm64/kernel/traps.c (arm64_show_signal) and arch/arm64/mm/fault.c, arch/arm/mm/fault.c (__do_user_fault),
// arch/riscv/kernel/traps.c (do_trap), arch/powerpc/kernel/traps.c (show_signal_msg).
var forms = []form{
	{"]: unhandled signal ", &cpu.RISCV64, "unhandled signal ", " at ", " code ", ""},
	{"]: unhandled exception: ", &cpu.ARM64, "", "", " ESR ", ""},
	{"]: unhandled ", &cpu.ARM64, " (", " at ", "esr ", ""},
	{": unhandled page fault (", &cpu.ARM, " (", " at ", ", code ", ""},
	{" nip ", &cpu.PPC64, " (", " at ", " code ", " nip "},
}

// Bits of the syndromes of ARM's faults: Arm ARM, ESR_ELx (EC, WnR) and DFSR (WnR).
const (
	classShift   = 26
	fetchAbort   = 0x20
	dataAbort    = 0x24
	wroteESR     = 1 << 6
	wroteDFSR    = 1 << 11
	maxSyndrome  = 1 << 32
	maxRegisters = 48 // lines behind a fault
)

// other reads a fault of another CPU than x86.
func other(s string) (out line, ok bool) {
	for _, f := range forms {
		who, _, found := strings.Cut(s, f.mark)
		if !found {
			continue
		}
		rest := s[len(who):]
		if f.arch.IsPPC() { // the name is before the words of the signal
			who, rest, found = strings.Cut(s, "]: ")
			rest = ": " + rest
		} else if f.arch.IsARM() {
			who += "[0" // the thread's number is not printed
		}
		if !found || !out.writer(who) {
			continue
		}
		out.arch = f.arch
		out.event = process.Event{Code: sigsegv, NoAddress: true}
		if n, isSignal := after(rest, f.signal, text.Decimal); isSignal && n > 0 && n < 65 {
			out.event.Code = uint32(n)
		}
		if addr, known := after(rest, f.addr, text.Hex); known {
			out.event.Address, out.event.NoAddress = addr, false
		}
		out.ip, _ = after(rest, f.pc, text.Hex)
		code, _ := after(rest, f.code, text.Hex)
		out.syndrome(code, rest)
		out.where = rest
		return out, true
	}
	return line{}, false
}

func after(s, words string, read func(string) (uint64, string, bool)) (uint64, bool) {
	_, rest, ok := strings.Cut(s, words)
	if !ok || words == "" {
		return 0, false
	}
	n, _, number := read(rest)
	return n, number
}

// syndrome sets access and code. RISC-V and PowerPC have the signal's code, ARM has a syndrome of the processor.
func (l *line) syndrome(code uint64, s string) {
	if code >= maxSyndrome {
		return
	}
	switch l.arch {
	case &cpu.RISCV64, &cpu.PPC64:
		l.event.Flags = uint32(code)
		return
	case &cpu.ARM:
		l.event.Access = process.Read
		if code&wroteDFSR != 0 {
			l.event.Access = process.Write
		}
	case &cpu.ARM64:
		switch class := code >> classShift; {
		case class == fetchAbort:
			l.event.Access = process.Execute
		case class == dataAbort && code&wroteESR != 0:
			l.event.Access = process.Write
		case class == dataAbort:
			l.event.Access = process.Read
		}
	}
	if l.event.Code == sigsegv {
		l.event.Flags = 1
		if strings.Contains(s, "permission fault") {
			l.event.Flags = 2
		}
	}
}

// between are the beginnings of lines that stand between a fault and its registers.
var between = []string{
	"pgd = ", "[", "*p", ", *p", "user pgtable: ", "CPU: ", "Hardware name: ", "task: ", "PC is at ", "LR is at ", "Flags: ", "Control: ", "Code: ", "status: ", "pstate: ", "8<--- ",
}

// state reads the lines behind a fault of another CPU: its registers, of which the program counter is needed for the place.
func (l *line) state(in *text.Lines, regs *cpu.Regs) {
	brackets := strings.NewReplacer("[<", "", ">]", "", "epc :", "pc :")
	if l.ip != 0 {
		regs.Set(l.arch.PC, l.ip)
	}
	for range maxRegisters {
		s, ok := in.Next()
		if !ok {
			break
		}
		s = strings.TrimSpace(s)
		if text.Registers(brackets.Replace(s), l.arch, regs) == 0 && s != "" && !hasPrefix(s, between) {
			in.Back()
			break
		}
	}
	l.ip, _ = regs.Get(l.arch.PC)
	l.place(l.where[max(strings.LastIndex(l.where, " in "), 0):])
}

func hasPrefix(s string, any []string) bool {
	for _, begin := range any {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	return false
}
