package crash

import (
	"strings"
	"testing"

	"crashglass/core/process"
)

// Which signal ended a process of Apple, by the forms that writers give it. Numbers are those of
// Linux; Apple's SIGBUS is 10, and its SIGUSR1 30.
func TestMachSignals(t *testing.T) {
	raise := func(os process.OS, code, flags uint32, params ...uint64) *scene {
		return crashAt(t, "").raise(os, code, flags, params...)
	}
	crashpad := func(in *Input) { in.Crashpad = true }
	tests := []struct {
		name string
		s    *scene
		want uint32 // 0 for none
	}{
		{"EXC_CRASH with a signal", raise("mac", excCrash, 10<<24), sigBUS},
		{"EXC_CRASH with SIGUSR1", raise("mac", excCrash, 30<<24), 10},
		{"EXC_CRASH with a number that is none", raise("mac", excCrash, 99<<24), 0},
		{"EXC_CRASH without a signal", raise("mac", excCrash, 0), 0},
		{"EXC_CRASH with another exception", raise("mac", excCrash, 11<<24|excBadAccess<<20|1), 0},
		{"in Crashpad's parameters", raise("mac", 0, 0, excCrash, 11<<24, 0), sigSEGV},
		{"parameters of another exception", raise("mac", excBadAccess, 1, excBadAccess, 11<<24), 0},
		{"one parameter", raise("mac", 0, 0, excCrash), 0},
		{"a bad system call", raise("mac", excSoftware, unixBadSyscall), sigSYS},
		{"the same code of another exception", raise("mac", excBadAccess, unixBadSyscall), 0},
		{"a closed pipe", raise("mac", excSoftware, unixBadPipe), 13},
		{"the same code of another exception, too", raise("mac", excBadAccess, unixBadPipe), 0},
		{"Breakpad's SIGABRT", raise("mac", excSoftware, machSIGABRT), sigABRT},
		{"its code of another exception", raise("mac", excBadAccess, machSIGABRT), 0},
		{"EXC_SOFT_SIGNAL", raise("mac", excSoftware, excSoftSignal, excSoftware, excSoftSignal, 15), 15},
		{"EXC_SOFT_SIGNAL without the signal", raise("mac", excSoftware, excSoftSignal, excSoftware, excSoftSignal), 0},
		{"another code of software with three parameters", raise("mac", excSoftware, 1, excSoftware, 1, 15), 0},
		{"the code as the exception, by Crashpad on iOS", raise("ios", excSoftSignal, 10), sigBUS},
		{"a signal as the exception, by Crashpad on iOS", raise("ios", 11, 0).with(crashpad), sigSEGV},
		{"the same of another writer", raise("ios", 11, 0), 0},
		{"the same on macOS", raise("mac", 11, 0).with(crashpad), 0},
		{"a Mach exception of Crashpad has parameters", raise("ios", 6, 1, 6, 1, 0).with(crashpad), 0},
		{"an Objective-C exception of Crashpad is no SIGTRAP", raise("ios", excSoftware, uncaughtNSException).with(crashpad), 0},
		{"SIGTRAP of Crashpad", raise("ios", excSoftware, 0).with(crashpad), sigTRAP},
	}
	for _, tt := range tests {
		st := factsOf(tt.s.Input, &Analysis{})
		if got, ok := st.machSignal(); got != tt.want || ok != (tt.want != 0) {
			t.Errorf("%s: %d, %v, want %d", tt.name, got, ok, tt.want)
		}
	}
}

// The event behind a Mach exception.
func TestMachEvents(t *testing.T) {
	raise := func(code, flags uint32, params ...uint64) *scene {
		return crashAt(t, "").raise("mac", code, flags, params...)
	}
	tests := []struct {
		name string
		s    *scene
		want Event
	}{
		{"a bad access", raise(excBadAccess, 1), Event{Kind: Faulted, By: ByRecord}},
		{"a closed pipe: the thread's own action", raise(excSoftware, unixBadPipe), Event{Kind: Raised, By: ByRecord, Signal: 13}},
		{"a signal that was sent", raise(excSoftware, excSoftSignal, excSoftware, excSoftSignal, 15), Event{Kind: Sent, By: ByRecord, Signal: 15}},
		{"and raised by the program", raise(excSoftware, excSoftSignal, excSoftware, excSoftSignal, 15).stack("!__pthread_kill", "work"), Event{Kind: Raised, By: ByRecord, Signal: 15}},
		{"SIGKILL", raise(excCrash, 9<<24), Event{Kind: Killed, By: ByRecord, Signal: sigKILL}},
		{"a limit", raise(excResource, 1<<29), Event{Kind: Killed, By: ByRecord}},
		{"software", raise(excSoftware, 7), Event{Kind: Raised, By: ByRecord}},
		{"EXC_CRASH without anything", raise(excCrash, 0), Event{}},
		{"EXC_CORPSE_NOTIFY", raise(excCorpse, 0), Event{}},
		{"a number that is no exception", raise(99, 0), Event{}},
		{"a simulated crash", raise(simulatedMac, 0), Event{Kind: Requested, By: ByRecord}},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Event; got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

// The exception within an EXC_CRASH; of resource limits and guards only the kind is left.
func TestRecovered(t *testing.T) {
	code := func(exception, code uint32) uint64 { return uint64(11<<24 | exception<<20 | code) }
	tests := []struct {
		name        string
		e           Exception
		code, flags uint32
		params      int
	}{
		{"another exception", Exception{Code: excBadAccess, Flags: 2}, excBadAccess, 2, 0},
		{"EXC_CRASH", Exception{Code: excCrash, Flags: uint32(code(excBadAccess, 2))}, excBadAccess, 2, 0},
		{"Crashpad recovered it already", Exception{Code: excBadAccess, Flags: 7, Params: []uint64{excCrash, code(excBadAccess, 2)}}, excBadAccess, 7, 2},
		{"Crashpad left 0", Exception{Params: []uint64{excCrash, code(excBadAccess, 2)}}, excBadAccess, 2, 2},
		{"a limit", Exception{Code: excCrash, Flags: uint32(code(excResource, 5))}, excResource, 0, 0},
		{"a guard that Crashpad recovered", Exception{Code: excGuard, Flags: 5, Params: []uint64{excCrash, code(excGuard, 5)}}, excGuard, 0, 0},
		{"a signal alone", Exception{Code: excCrash, Flags: 6 << 24}, excCrash, 6 << 24, 0},
	}
	for _, tt := range tests {
		if got := recovered(&tt.e); got.Code != tt.code || got.Flags != tt.flags || len(got.Params) != tt.params {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// The evidence of a signal that was sent depends on the witness.
func TestSentEvidence(t *testing.T) {
	const pid = 24248
	sent := func(signal, code uint32) *scene {
		return crashAt(t, movRegister).fault(pid|1000<<32).raise("linux", signal, code)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"behind a system call", "No instruction failed. The program counter is right behind a system call, so that the thread was in the kernel.", sent(sigSEGV, siUser).behindSyscall()},
		{"the record, behind a system call", "No instruction failed. The program counter is right behind a system call, so that the thread was in the kernel.", sent(sigSEGV, siTkill).behindSyscall()},
		{"the record, elsewhere", "No instruction failed.", sent(sigSEGV, siTkill)},
		{"a signal that is never a fault", "No instruction failed. The signal asks the program to end.", sent(15, siUser).behindSyscall()},
		{"a restarted call", "No instruction failed. The program counter is at a system call, which the kernel was to restart.", crashAt(t, "0f 05").fault(pid).raise("linux", sigSEGV, siUser)},
		{"the instruction", "No instruction failed. The instruction at the program counter, `mov edi, ebx`, cannot have raised it.", sent(sigILL, siUser)},
		{"the sender", "No instruction failed. The record has the numbers of a process and a user in place of an address.", crashAt(t, "").fault(pid|1000<<32).raise("linux", sigSEGV, siUser)},
		{"the function that waits", "No instruction failed. The innermost function waits in the kernel.", crashAt(t, "").fault(pid).raise("linux", sigSEGV, siUser).with(func(in *Input) { in.Waiting = true })},
		{"raised", "No instruction failed. `raise` is on the stack.", sent(sigSEGV, siTkill).stack("!raise", "work")},
		{"a hangup by the kernel has its reason", "No instruction failed. The terminal was closed.", crashAt(t, "").raise("linux", 1, siKernel)},
		{"a hangup by a process has not", "No instruction failed.", sent(1, siUser)},
		{"a hangup that was raised has not", "No instruction failed. `raise` is on the stack.", crashAt(t, "").raise("linux", 1, siTkill).stack("!raise", "work")},
		{"SIGPIPE of the thread's own write", "The other end of a pipe or socket was closed.", sent(13, siUser).with(func(in *Input) { in.PID = pid })},
		{"SIGPIPE by raise", "No instruction failed. `raise` is on the stack.", sent(13, siUser).with(func(in *Input) { in.PID = pid }).stack("!raise", "work")},
	}
	for _, tt := range tests {
		if got := strings.Join(Analyze(tt.s.Input).Findings[0].Evidence, " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Numbers of processes and users are told from addresses by their size.
func TestSenderNumbers(t *testing.T) {
	at := func(address uint64) *scene { return crashAt(t, "").fault(address).raise("linux", sigSEGV, siTkill) }
	tests := []struct {
		name string
		s    *scene
		want Sender
	}{
		{"the largest process", at(maxPID), Sender{PID: maxPID}},
		{"one more", at(maxPID + 1), Sender{}},
		{"process 1 of the largest user", at(1 | 0xffff_ffff<<32), Sender{PID: 1, UID: 0xffff_ffff, KnowsUser: true}},
		{"a user without a process", at(1000 << 32), Sender{}},
		{"the program counter", at(codeAddr), Sender{}},
		{"the program's own number is not known", at(0), Sender{}},
		{"the program itself", at(77).with(func(in *Input) { in.PID = 77 }), Sender{PID: 77, Self: true}},
		{"no CPU", at(77).with(func(in *Input) { in.Arch = nil }), Sender{}},
		{"Crashpad's parameters without a process", crashAt(t, "").fault(77).raise("linux", 15, siUser, 0, 1000), Sender{PID: 77}},
		{"Crashpad's user of more than 32 bits", crashAt(t, "").raise("linux", 15, siUser, 77, 1<<32), Sender{PID: 77}},
		{"one parameter", crashAt(t, "").fault(78).raise("linux", 15, siUser, 77), Sender{PID: 78}},
		{"the kernel's code of a signal that can be a fault is no sender", crashAt(t, "").fault(77).raise("linux", sigSEGV, siKernel), Sender{PID: 77}},
	}
	for _, tt := range tests {
		if got := factsOf(tt.s.Input, Analyze(tt.s.Input)).sender(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	for want, p := range map[string]Sender{
		"the kernel": {Kernel: true}, "a timer": {Timer: true}, "the program itself": {PID: 7, Self: true}, "another process or thread": {},
		"process 7 of root": {PID: 7, KnowsUser: true}, "process 7 of user 5": {PID: 7, UID: 5, KnowsUser: true}, "process 7": {PID: 7},
	} {
		if got := p.text(); got != want {
			t.Errorf("%+v: %s, want %s", p, got, want)
		}
	}
}
