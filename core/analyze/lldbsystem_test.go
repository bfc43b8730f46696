package analyze

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// LLDB leaves numbers of the system info as they were in its memory, and a copy of such a dump has zeros
// there. Neither is a version of the system, a CPU or a number of CPUs.
func TestSystemOfLLDB(t *testing.T) {
	for _, tt := range []struct {
		what         string
		major, build uint32
		stream       minidump.StreamType // of the writer
		want         string              // the version of the system
	}{
		{"LLDB", 0x0742_ad20, 0x7ffc, minidump.LinuxProcStatStream, ""},
		{"a copy", 0, 0, minidump.LinuxMapsStream, ""},
		{"another writer", 6, 18, minidump.LinuxMapsStream, "6.1.18"},
	} {
		minor := min(tt.major, 1)
		level := min(tt.major, 6)
		body := asm.At(0).U16(9, uint16(level), 0x1234&uint16(-level)).Bytes([]byte{byte(minor), 0}).
			U32(tt.major, minor, tt.build, dump.Linux).U32(0).U16(0, 0).Zeros(24)
		data := dump.New().Stream(uint32(minidump.SystemInfoStream), body).Stream(uint32(tt.stream), asm.At(0).Text("7 (app) S 1\n")).Build(t)
		s, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Report(nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sys := r.SystemInfo
		if got := deref(sys.OSVersion); got != tt.want || (sys.OSRaw != nil) != (tt.want != "") {
			t.Errorf("%s: the version is %q, want %q", tt.what, got, tt.want)
		}
		if known := sys.CPUInfo != nil && sys.CPUCount != nil; known != (tt.want != "") {
			t.Errorf("%s: the CPU is known: %t", tt.what, known)
		}
	}
}
