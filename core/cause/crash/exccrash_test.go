package crash

import (
	"strings"
	"testing"
)

// Crashpad's form of EXC_CRASH: the original exception in the record, 0 for a signal without one,
// and EXC_CRASH with its code in the parameters.
func TestExcCrash(t *testing.T) {
	kernel := []string{"!__pthread_kill", "!abort", "even", "main"}
	tests := []struct {
		name, want  string
		code, flags uint32
		params      []uint64
		stack       []string
		kind        EventKind
	}{
		{"abort", "abort() called in even", 0, 0, []uint64{excCrash, 6 << 24, 0}, kernel, Raised},
		{"abort, without names", "Abort signal (SIGABRT) in app + 0x0", 0, 0, []uint64{excCrash, 6 << 24, 0}, []string{"!", "!", "", ""}, Unclear},
		{"kill -ABRT", "SIGABRT arrived while this thread was running in even", 0, 0, []uint64{excCrash, 6 << 24, 0}, []string{"even", "main"}, Sent},
		{"kill -SEGV", "SIGSEGV was sent to the program; this thread was running in even", 0, 0, []uint64{excCrash, 11 << 24, 0}, []string{"even", "main"}, Sent},
		{"SIGBUS is 10", "SIGBUS was sent to the program; this thread was running in even", 0, 0, []uint64{excCrash, 10 << 24, 0}, []string{"even"}, Sent},
		{"code signing", "Killed by the system in even", 0, 0, []uint64{excCrash, 9 << 24, 0}, []string{"even"}, Killed},
		{"the exception that Crashpad recovered", "Null pointer access in even", excBadAccess, kernInvalidAddress, []uint64{excCrash, 11<<24 | excBadAccess<<20 | kernInvalidAddress, 0}, []string{"even"}, Faulted},
		{"EXC_CRASH as it is", "Null pointer access in even", excCrash, 11<<24 | excBadAccess<<20 | kernInvalidAddress, nil, []string{"even"}, Faulted},
		{"a trap in it", "Illegal instruction or compiler trap in even", 0, 0, []uint64{excCrash, 4<<24 | excBadInstruction<<20 | 1, 0}, []string{"even"}, Faulted},
		{"no signal", "Abnormal end of the process in even", excCrash, 0, nil, []string{"even"}, Unclear},
		{"a signal made an exception", "SIGTERM was sent to the program; this thread was running in even", excSoftware, excSoftSignal, []uint64{excSoftware, excSoftSignal, 15}, []string{"even"}, Sent},
		{"Breakpad's abort", "abort() called in even", excSoftware, machSIGABRT, nil, kernel, Raised},
		{"code 0 alone", "Crash of an unknown kind in even", 0, 0, nil, []string{"even"}, Unclear},
		{"Crashpad's simulated crash", "No crash: the dump was written on request in ", simulatedMac, 0, []uint64{simulatedMac, 0}, []string{"even"}, Requested},
	}
	for _, tt := range tests {
		s := crashAt(t, "").raise("mac", tt.code, tt.flags, tt.params...).stack(tt.stack...)
		a := Analyze(s.Input)
		v := Verdict(s.Input, a)
		if got := v.What + " in " + v.Where; got != tt.want || a.Event.Kind != tt.kind {
			t.Errorf("%s:\n got %s (%d)\nwant %s (%d)", tt.name, got, a.Event.Kind, tt.want, tt.kind)
		}
	}
}

// What a library of Apple's said names the reason of an abort.
func TestMessagesOfApple(t *testing.T) {
	for message, want := range map[string]string{
		"abort() called": "abort() called",
		"Assertion failed: (n < 10), function check, file a.c, line 14.":          "Assertion failed",
		"terminating due to uncaught exception of type std::out_of_range: vector": "C++ exception",
		"something else": "abort() called",
	} {
		s := crashAt(t, "").raise("mac", 0, 0, excCrash, 6<<24, 0).stack("!__pthread_kill", "!abort", "work").with(func(in *Input) { in.Assertion = message })
		a := Analyze(s.Input)
		if v := Verdict(s.Input, a); v.What != want || v.Where != "work" || !strings.Contains(strings.Join(a.Findings[0].Evidence, " "), message) {
			t.Errorf("%s: %s in %s: %q", message, v.What, v.Where, a.Findings[0].Evidence)
		}
	}
}

// Crashpad on iOS writes the number of a signal as if it were an exception,
// without parameters; 6 is EXC_BREAKPOINT otherwise.
func TestSignalsOfIOS(t *testing.T) {
	s := crashAt(t, "").raise("ios", 6, 0).stack("!__pthread_kill", "!abort", "work")
	if v := Verdict(s.Input, Analyze(s.Input)); !strings.HasPrefix(v.What, "Breakpoint") {
		t.Errorf("another writer: %s", v.What)
	}
	s.Crashpad = true
	if v := Verdict(s.Input, Analyze(s.Input)); v.What != "abort() called" {
		t.Errorf("Crashpad: %s", v.What)
	}
	s.Exception.Params = []uint64{6, 1, 0}
	if v := Verdict(s.Input, Analyze(s.Input)); !strings.HasPrefix(v.What, "Breakpoint") {
		t.Errorf("a Mach exception: %s", v.What)
	}
}

func TestCrashCode(t *testing.T) {
	for code, want := range map[uint64]machCrash{
		6 << 24:                       {signal: 6},
		11<<24 | 1<<20 | 2:            {signal: 11, exception: 1, code: 2},
		5<<24 | 6<<20 | 0xf_ffff:      {signal: 5, exception: 6, code: 0xf_ffff},
		0xffff_ffff_0000_0000 | 4<<24: {signal: 4},
	} {
		if got := crashCode(code); got != want {
			t.Errorf("%#x: %+v, want %+v", code, got, want)
		}
	}
}
