package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// What a dump does not show is not said as a fact.
func TestOverstated(t *testing.T) {
	const pid = 24248
	self := func(in *Input) { in.PID, in.Debugger, in.KernelSignal = pid, "gdb", true }
	kernel := func(in *Input) { in.KernelSignal = true }
	region := func(name, access string) func(in *Input) {
		return func(in *Input) {
			in.Regions = append(in.Regions, process.Region{Start: 0xffff_ffff_ff60_0000, Last: 0xffff_ffff_ff60_0fff, Access: access, Name: name})
		}
	}
	high := func(flags uint32) *scene {
		return crashAt(t, movLoad).reg(cpu.RBX, 0xffff_ffff_ff60_0000).fault(0xffff_ffff_ff60_0010).raise("linux", sigSEGV, flags)
	}
	unlisted := func(code, flags uint32) *scene {
		return crashAt(t, movLoad).reg(cpu.RBX, heapBase+0x2_0000).fault(heapBase+0x2_0010).raise("linux", code, flags)
	}
	windows := func(code, flags uint32, params ...uint64) *scene {
		return crashAt(t, "90").raise("windows", code, flags, params...)
	}
	tests := []struct {
		name, not, want string
		s               *scene
	}{
		{"SIGTRAP by kill of the program under a debugger", "gdb stops", "was raised by the program itself",
			crashAt(t, movRegister).behindSyscall().fault(pid).raise("linux", sigTRAP, siUser).with(self)},
		{"SIGTRAP by raise under a debugger", "gdb stops", "was raised by the program itself",
			crashAt(t, movRegister).behindSyscall().fault(pid).raise("linux", sigTRAP, siTkill).with(self)},
		{"SIGTRAP by another process under a debugger", "gdb stops", "was sent by process 7",
			crashAt(t, movRegister).behindSyscall().fault(7).raise("linux", sigTRAP, siUser).with(self)},
		{"SIGINT by kill of the program under a debugger", "gdb stops", "was raised by the program itself",
			crashAt(t, movRegister).behindSyscall().fault(pid).raise("linux", sigINT, siUser).with(self)},
		{"a signal from a process of another PID namespace", "accessed", "SIGSEGV was sent", crashAt(t, "").raise("linux", sigSEGV, siUser).with(kernel)},
		{"SIGSYS from there", "Forbidden", "SIGSYS was sent", crashAt(t, "").raise("linux", sigSYS, siUser).with(kernel)},
		{"vsyscall", "allows the access", "", high(segvAccErr).with(region("[vsyscall]", "r-x"))},
		{"vvar", "allows the access", "", high(segvAccErr).with(region("[vvar]", "r--"))},
		{"vvar, by its code", "another moment", "", high(segvMapErr).with(region("[vvar_vclock]", "r--"))},
		{"vvar without a page", "a file became shorter", "", high(0).raise("linux", sigBUS, busAdrErr).with(region("[vvar]", "r--"))},
		{"a protection key of memory that is not listed", "mapped", "protection key", unlisted(sigSEGV, segvKey)},
		{"a tag of memory that is not listed", "Nothing is mapped", "", unlisted(sigSEGV, segvMTESync).on(&cpu.ARM64)},
		{"no memory behind a mapping that is not listed", "Nothing is mapped", "memory behind the mapping", unlisted(sigBUS, busAdrErr)},
		{"the same at a low address", "ull pointer", "memory behind the mapping", crashAt(t, "").fault(0x1000).raise("linux", sigBUS, busAdrErr)},
		{"a timer's signal by kill", "timer", "", crashAt(t, "").fault(7).raise("linux", 14, siUser).with(kernel)},
		{"SIGINT without si_code", "Ctrl-C", "", crashAt(t, "").raise("linux", sigINT, siUser)},
		{"SIGHUP without si_code", "terminal", "", crashAt(t, "").raise("linux", 1, siUser)},
		{"a console's event, which programs send, too", "was pressed", "Ctrl-C", windows(0xc000_013a, 0)},
		{"FatalAppExit", "abort() called", "", windows(0x4000_0015, 0)},
		{"a code of __fastfail without its instruction", "It used __fastfail", "`nop`", windows(stackBufferOverrun, 1, 2)},
		{"a step, or a watchpoint", "had been executed", "watchpoint", windows(singleStep, 0)},
		{"a first-chance exception of C++", "not caught", "", windows(cppException, 1)},
		{"a first-chance exception of .NET", "not caught", "", windows(clrException, 1)},
		{"captured memory and SEGV_MAPERR", "it was mapped later.", "", unlisted(sigSEGV, segvMapErr).put(heapBase+0x2_0010, 1).with(func(in *Input) { in.Regions = nil })},
		{"a stack pointer that is not listed", "Nothing is mapped at the stack pointer", "list", load(t, 0x9000_0000).reg(cpu.RSP, 0x1_2345_6780)},
		{"a legal instruction, which every CPU has", "probably this CPU lacks", "", crashAt(t, movRegister).raise("linux", sigILL, 2)},
		{"an access violation by RaiseException, without names", "accessed", "raised by the program", windows(accessViolation, 0x80, 0, 0x10)},
		{"a pipe's signal by kill, which returned 0", "Write to a closed pipe", "",
			crashAt(t, movRegister).behindSyscall().reg(cpu.RAX, 0).fault(pid).raise("linux", 13, siUser).with(self).stack("", "")},
	}
	for _, tt := range tests {
		a := Analyze(tt.s.Input)
		v := Verdict(tt.s.Input, a)
		text := v.What + ". " + v.Detail
		for _, f := range a.Findings {
			text += " " + f.Text + ". " + strings.Join(f.Evidence, " ")
		}
		if strings.Contains(text, tt.not) || !strings.Contains(text, tt.want) {
			t.Errorf("%s: it is said %q, and not %q:\n%s", tt.name, tt.not, tt.want, text)
		}
	}
	written := crashAt(t, movRegister).behindSyscall().reg(cpu.RAX, ^uint64(31)).fault(pid).raise("linux", 13, siUser).with(self).stack("", "")
	if !slices.ContainsFunc(Analyze(written.Input).Findings, func(f Finding) bool { return strings.HasPrefix(f.Text, "Write to a closed pipe") }) {
		t.Errorf("a write that returned EPIPE: %+v", Analyze(written.Input).Findings)
	}
}
