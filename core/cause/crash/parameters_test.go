package crash

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// The meaning of the words of an exception record, by system and code.
func TestParameterWords(t *testing.T) {
	tests := []struct {
		os   process.OS
		e    Exception
		want []string
	}{
		{"linux", Exception{Code: sigABRT, Flags: siTkill, Params: []uint64{1, 2, 3}}, []string{"process", "user", "value"}},
		{"linux", Exception{Code: sigSYS, Flags: 1, Params: []uint64{1, 2}}, []string{"system call", "CPU of the system call"}},
		{"android", Exception{Code: 14, Flags: siKernel, Params: []uint64{1, 2, 3}}, []string{"timer", "overruns", "value"}},
		{"linux", Exception{Code: 10, Flags: siTimer, Params: []uint64{1, 2, 3}}, []string{"timer", "overruns", "value"}},
		{"linux", Exception{Code: 29, Flags: 1, Params: []uint64{1, 2}}, []string{"band", "file descriptor"}},
		{"linux", Exception{Code: sigSEGV, Flags: lldbFlag, Params: []uint64{0x1234}}, []string{""}},
		{"fuchsia", Exception{Code: fuchsiaPageFault, Params: []uint64{1, 2, 3, 4, 5}}, []string{"exception", "error code or syndrome", "vector", "CR2", ""}},
		{"windows", Exception{Code: heapCorruption, Params: []uint64{1}}, []string{"HEAP_FAILURE_INFORMATION"}},
		{"windows", Exception{Code: stackBufferOverrun, Params: []uint64{77}}, []string{"FAST_FAIL_KERNEL_POINTER_EXPECTED"}},
		{"mac", Exception{Code: 1, Params: []uint64{1, 2, 3}}, []string{"Mach exception", "code", "subcode"}},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range Analyze(&Input{OS: tt.os, Arch: &cpu.AMD64, Exception: &tt.e}).Parameters {
			got = append(got, p.Meaning)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %+v: %q, want %q", tt.os, tt.e, got, tt.want)
		}
	}
}
