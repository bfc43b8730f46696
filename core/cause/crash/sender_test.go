package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// of puts a scene on another CPU, without code.
func (s *scene) of(arch *cpu.Arch) *scene {
	s.Arch, s.Regs, s.Decode = arch, &cpu.Regs{}, nil
	return s.reg(arch.PC, codeAddr)
}

// The sender of a signal, by the contents of siginfo's union for each si_code.
func TestSenders(t *testing.T) {
	const pid, uid = 24248, 1000
	tests := []struct {
		name string
		s    *scene
		want Sender
	}{
		{"two words of an address, little-endian", crashAt(t, "").fault(pid|uid<<32).raise("linux", sigSEGV, siTkill), Sender{PID: pid, UID: uid, KnowsUser: true}},
		{"two words of an address, big-endian", crashAt(t, "").fault(pid<<32|uid).raise("linux", sigSEGV, siTkill).of(&cpu.PPC64).with(func(in *Input) { in.BigEndian = true }),
			Sender{PID: pid, UID: uid, KnowsUser: true}},
		{"an address of 32 bits is the process", crashAt(t, "").fault(pid).raise("linux", sigSEGV, siTkill).of(&cpu.ARM), Sender{PID: pid}},
		{"the same, big-endian", crashAt(t, "").fault(pid).raise("linux", sigSEGV, siTkill).of(&cpu.PPC).with(func(in *Input) { in.BigEndian = true }), Sender{PID: pid}},
		{"a timer's number is no process", crashAt(t, "").fault(3).raise("linux", sigSEGV, siTimer), Sender{Timer: true}},
		{"a timer's number by Crashpad", crashAt(t, "").raise("linux", 10, siTimer, 3, 0, 0), Sender{Timer: true}},
		{"on mips, SI_TIMER is -3", crashAt(t, "").fault(3).raise("linux", 15, 0xffff_fffd).of(&cpu.MIPS), Sender{Timer: true}},
		{"alarm", crashAt(t, "").raise("linux", 14, siKernel, 3, 1, 0), Sender{Kernel: true}},
		{"band and descriptor of SIGIO", crashAt(t, "").raise("linux", 29, 1, 0x41, 7), Sender{Kernel: true}},
		{"SIGIO has no sender in its parameters", crashAt(t, "").raise("linux", 29, siUser, 0x41, 7), Sender{}},
		{"SIGUSR1 of sparc is 30", crashAt(t, "").raise("linux", 30, siUser, pid, uid, 0).of(&cpu.SPARC), Sender{PID: pid, UID: uid, KnowsUser: true}},
		{"SIGKILL by Breakpad, of a core dump", crashAt(t, "").raise("linux", sigKILL, siUser, pid, uid), Sender{PID: pid, UID: uid, KnowsUser: true}},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Event.Sender; got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

// Signals have other numbers on mips and sparc.
func TestSignalNumbers(t *testing.T) {
	tests := []struct {
		arch   *cpu.Arch
		signal uint32
		want   string
	}{
		{&cpu.MIPS, 7, "SIGEMT"}, {&cpu.MIPS, 10, "SIGBUS"}, {&cpu.MIPS64, 12, "SIGSYS"}, {&cpu.MIPS, 16, "SIGUSR1"}, {&cpu.MIPS, 31, "SIGXFSZ"}, {&cpu.MIPS, 77, "Real-time signal 77"},
		{&cpu.SPARC, 7, "SIGEMT"}, {&cpu.SPARC, 10, "SIGBUS"}, {&cpu.SPARC, 12, "SIGSYS"}, {&cpu.SPARC, 16, "SIGURG"}, {&cpu.SPARC, 29, "SIGLOST"}, {&cpu.SPARC, 30, "SIGUSR1"}, {&cpu.SPARC, 31, "SIGUSR2"},
		{&cpu.AMD64, 7, "SIGBUS"}, {&cpu.AMD64, 16, "SIGSTKFLT"}, {&cpu.AMD64, 34, "Real-time signal 34"}, {&cpu.AMD64, 77, "Signal 77"},
	}
	for _, tt := range tests {
		s := factsOf(crashAt(t, "").raise("linux", tt.signal, siTkill).of(tt.arch).Input, &Analysis{})
		if got := s.nameOf(s.signal()); got != tt.want {
			t.Errorf("%s, %d: %s, want %s", tt.arch.Name, tt.signal, got, tt.want)
		}
	}
}

// A thread whose system call the kernel was about to restart, on each CPU.
func TestRestartedSystemCall(t *testing.T) {
	for _, arch := range cpu.All() {
		for _, c := range cpu.SystemCalls(arch) {
			s := crashAt(t, "").fault(24248).raise("linux", sigSEGV, siUser).of(arch)
			for i := range uint64(c.Size) {
				s.bytes[codeAddr+i] = byte(c.Code >> (8 * i))
			}
			if got := Analyze(s.Input).Event; got.Kind != Sent || got.By != ByRegisters {
				t.Errorf("%s, %#x: %+v", arch.Name, c.Code, got)
			}
		}
	}
}
