package minidump

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func TestSystemInfo(t *testing.T) {
	sys, err := build(t, dump.New().System(dump.AMD64, dump.Windows, "Service Pack 1")).SystemInfo()
	if err != nil {
		t.Fatal(err)
	}
	if sys.Processor.Arch() != &cpu.AMD64 || sys.Platform != PlatformWindows || sys.Level != 6 || sys.Revision != 0x1a05 ||
		sys.Processors != 4 || sys.ProductType != 1 || sys.Major != 10 || sys.Build != 19041 || sys.CSDVersion != "Service Pack 1" {
		t.Errorf("%+v", sys)
	}
}

func TestSystemInfoDamage(t *testing.T) {
	s := asm.At(0).U16(9, 6, 0x1a05).U8(4, 1).U32(10, 0, 19041, 2)
	sys, err := build(t, dump.New().Stream(7, s)).SystemInfo()
	expect.Error(t, err, "minidump: system info at 0x44: need 4 bytes, have 0")
	if sys == nil || sys.Platform != PlatformWindows || sys.Processor.Arch() != &cpu.AMD64 {
		t.Errorf("%+v", sys)
	}
	sys, err = build(t, dump.New().Stream(7, s.U32(0xffff).U16(0, 0))).SystemInfo()
	expect.Error(t, err, "minidump: string at 0xffff: 4 bytes reach beyond the end of the file at 0x4c")
	if sys == nil || sys.CPUInfo() != "family 6 model 26 stepping 5" {
		t.Errorf("%+v", sys)
	}
}

func TestVersion(t *testing.T) {
	tests := []struct {
		platform       Platform
		major          uint32
		csd            string
		version, build string
	}{
		{PlatformWindows, 6, " Service Pack 1 ", "6.0.0", "Service Pack 1"},
		{PlatformWindows, 6, "", "6.0.0", ""},
		{PlatformLinux, 0, "Linux 5.4.0-rc1 #1 SMP Wed May 20 x86_64", "5.4.0-rc1", "#1 SMP Wed May 20"},
		{PlatformLinux, 0, "Linux 5.4.0 #1 SMP x86_64 GNU/Linux", "5.4.0", "#1 SMP"},
		{PlatformLinux, 0, "Linux 5.4.0 #1 SMP x86_64 Linux/GNU", "5.4.0", "#1 SMP"},
		{PlatformLinux, 5, "Linux 5.4.0 x86_64", "5.0.0", "Linux 5.4.0 x86_64"},
		{PlatformLinux, 0, "Linux 5.4.0", "5.4.0", ""},
		{PlatformLinux, 0, "Linux", "0.0.0", "Linux"},
		{PlatformLinux, 0, "", "0.0.0", ""},
		{PlatformAndroid, 0, "Linux 5.4.0 #1 arm", "0.0.0", "Linux 5.4.0 #1 arm"},
	}
	for _, tt := range tests {
		s := SystemInfo{Platform: tt.platform, Major: tt.major, CSDVersion: tt.csd}
		if version, build := s.Version(); version != tt.version || build != tt.build {
			t.Errorf("%s %d %q is %q, %q", tt.platform, tt.major, tt.csd, version, build)
		}
	}
}

func TestCPUInfo(t *testing.T) {
	arm := func(level uint16, words ...uint32) *asm.Section {
		return asm.At(0).U16(5, level, 0).U8(1, 1).U32(0, 0, 0, 0x8201, 0, 0).U32(words...).Zeros(16)
	}
	tests := []struct {
		in   *asm.Section
		want string
	}{
		{arm(7, 0, 0), "ARMv7"},
		{arm(7, 0x4100c0f1, 0x1006), "ARMv7 ARM Cortex-A15 features: half,thumb,neon"},
		{arm(8, 0x7f001230, 1<<18), "ARMv8 vendor(0x7f) part(0x7f001230) features: idivt"},
		{asm.At(0).U16(0, 6, 0x2a07).U8(1, 1).U32(0, 0, 0, 2, 0, 0).Text("GenuineIntel").Zeros(12), "GenuineIntel family 6 model 42 stepping 7"},
		{asm.At(0).U16(0, 0, 0).U8(1, 1).U32(0, 0, 0, 2, 0, 0).Zeros(24), "family 0 model 0 stepping 0"},
		{asm.At(0).U16(12, 0, 0).U8(1, 1).U32(0, 0, 0, 2, 0, 0).Zeros(24), ""},
	}
	for _, tt := range tests {
		sys, err := build(t, dump.New().Stream(7, tt.in)).SystemInfo()
		if err != nil {
			t.Error(err)
		}
		if info := sys.CPUInfo(); info != tt.want {
			t.Errorf("%q, want %q", info, tt.want)
		}
	}
	if info := (&SystemInfo{Processor: ProcessorARM}).CPUInfo(); info != "ARMv0" {
		t.Errorf("without a file: %q", info)
	}
}

func TestPlatform(t *testing.T) {
	tests := []struct {
		p              Platform
		name           string
		windows, apple bool
	}{
		{p: PlatformWindows, name: "Windows NT", windows: true},
		{p: PlatformWindows9, name: "Windows NT", windows: true},
		{p: PlatformMac, name: "Mac OS X", apple: true},
		{p: PlatformIOS, name: "iOS", apple: true},
		{p: PlatformAndroid, name: "Android"},
		{p: PlatformLinux, name: "Linux"},
		{p: 0x1234, name: "0x00001234"},
	}
	for _, tt := range tests {
		if tt.p.String() != tt.name || tt.p.IsWindows() != tt.windows || tt.p.IsApple() != tt.apple {
			t.Errorf("%s", tt.p)
		}
	}
	if s := Processor(0x77).String(); s != "processor 0x77" || Processor(0x77).Arch() != nil {
		t.Errorf("unknown processor %q", s)
	}
}
