package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

const (
	ntBase     = 0xffff_f800_0000_0000
	widgetBase = 0xffff_f800_1000_0000
)

// kernelInput is a dump of the kernel with two frames, in the modules of these names. A "?" marks a guess.
func kernelInput(code uint32, params [4]uint64, frames ...string) *Input {
	mods := []module.Module{{Base: ntBase, Size: 0x10_0000, CodeFile: "ntoskrnl.exe"}, {Base: widgetBase, Size: 0x1_0000, CodeFile: "widget.sys"}}
	in := &Input{
		OS: process.Windows, Arch: &cpu.AMD64, Modules: module.NewMap(mods), Stop: &Stop{Code: code, Params: params[:]},
		System: func(m *module.Module) bool { return m.CodeFile == "ntoskrnl.exe" },
	}
	in.Exception = CauseOf(in.Stop, nil)
	list := make([]report.Frame, len(frames))
	for i, name := range frames {
		name, guess := strings.CutSuffix(name, "?")
		index := 0
		if name == "widget.sys" {
			index = 1
		}
		at := process.Frame{Instruction: mods[index].Base + 0x1234, Module: &mods[index], Guess: guess}
		list[i] = report.FrameOf(&at)
		list[i].Module, list[i].ModuleIndex, list[i].System = &mods[index].CodeFile, &index, index == 0
		offset := report.Addr(0x1234, 8)
		list[i].ModuleOffset = &offset
	}
	in.Frames = Rows(list)
	return in
}

// blocked is a dump whose request waits for a driver.
func blocked(driver uint64) *Input {
	in := kernelInput(0x9f, [4]uint64{3, 1, 2, 3}, "ntoskrnl.exe", "widget.sys?")
	in.Stop.Driver = driver
	return in
}

// protection is a dump whose exception record has the placeholder that Windows writes for a general protection fault.
func protection() *Input {
	in := kernelInput(0x7e, [4]uint64{0xc000_0005, widgetBase + 0x10, 1, 2}, "ntoskrnl.exe")
	in.Exception = CauseOf(in.Stop, &process.Event{Code: accessViolation, Address: widgetBase + 0x10, Parameters: []uint64{1, 1<<64 - 1}})
	return in
}

func TestStop(t *testing.T) {
	nt, widget := "ntoskrnl.exe", "widget.sys"
	for _, tt := range []struct {
		name   string
		in     *Input
		what   string
		where  string
		detail string // a part of it
	}{
		{
			"a driver on the stack", kernelInput(0xd1, [4]uint64{0x28, 2, 0, widgetBase + 0x1234}, nt, widget),
			"Blue screen: a driver used an invalid or pageable address at a raised IRQL", "widget.sys + 0x1234",
			"Bug check 0xd1, DRIVER_IRQL_NOT_LESS_OR_EQUAL: read of address 0x28 at IRQL DISPATCH_LEVEL (2) by the instruction at `widget.sys + 0x1234`.",
		},
		{
			"only in a parameter", kernelInput(0xd1, [4]uint64{0x28, 2, 1, widgetBase + 0x1010}, nt),
			"Blue screen: a driver used an invalid or pageable address at a raised IRQL", "widget.sys + 0x1010", "write of address 0x28",
		},
		{
			"only by scanning", kernelInput(0x9f, [4]uint64{3, 1, 2, 3}, nt, widget+"?"),
			"Blue screen: a driver has not completed a power request in time", "", "Which driver is to blame is not known. The first one that a scan of the stack finds is `widget.sys + 0x1234`, which is a guess.",
		},
		{
			"no driver", kernelInput(0x3b, [4]uint64{0xc000_0005, ntBase + 0x10, 1}, nt, nt+"?"),
			"Blue screen: an exception happened while a program's system call ran in the kernel", "", "STATUS_ACCESS_VIOLATION by the instruction at `ntoskrnl.exe + 0x10`. Which driver",
		},
		{
			"a blocked request", blocked(widgetBase), "Blue screen: a driver has not completed a power request in time", "widget.sys",
			"The blocked request (IRP) is with `widget.sys`, which has not completed it.",
		},
		{
			"a request blocked by Windows", blocked(ntBase), "Blue screen: a driver has not completed a power request in time", "",
			"The blocked request (IRP) is with `ntoskrnl.exe`, which has not completed it.",
		},
		{
			"a general protection fault", protection(), "Blue screen: a system thread raised an exception that nothing handled", "widget.sys + 0x10",
			"STATUS_ACCESS_VIOLATION, a general protection fault, whose address the processor does not report, by the instruction",
		},
		{"a fast fail", kernelInput(0x139, [4]uint64{3}, nt), "Blue screen: a doubly linked list is inconsistent: an entry was removed twice or overwritten", "", "FAST_FAIL_CORRUPT_LIST_ENTRY"},
		{"a person asked", kernelInput(0xe2, [4]uint64{}, nt), "A person requested this dump with the keyboard or a tool", "", "The dump records no failure."},
		{"a live dump", kernelInput(0x141, [4]uint64{0, widgetBase + 8}, nt), "Live dump: a part of the graphics processor did not respond in time and was reset", "widget.sys + 0x8", "VIDEO_ENGINE_TIMEOUT_DETECTED. Windows went on."},
		{
			"the hardware", kernelInput(0x124, [4]uint64{4, 1}, nt, "widget.sys", "widget.sys?"), "Blue screen: a device on PCI Express reported an error that cannot be corrected", "",
			"Bug check 0x124, WHEA_UNCORRECTABLE_ERROR: kind 0x4.",
		},
		{"an unknown code", kernelInput(0xdead, [4]uint64{1, 2, 3, 4}, nt), "Blue screen: 0x0000dead", "", "Bug check 0xdead."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := Analyze(tt.in)
			v := Verdict(tt.in, a)
			if v.What != tt.what || v.Where != tt.where || !strings.Contains(v.Detail, tt.detail) {
				t.Errorf("%q\n%q\n%q", v.What, v.Where, v.Detail)
			}
			if len(a.Parameters) != 4 || v.Guess {
				t.Errorf("parameters %+v, guess %t", a.Parameters, v.Guess)
			}
		})
	}
}

// The exception behind a bug check is that of its record, or made of its parameters.
func TestCauseOf(t *testing.T) {
	record := &process.Event{Code: accessViolation, Address: 5, Parameters: []uint64{1, 0x40}}
	for _, tt := range []struct {
		code   uint32
		params [4]uint64
		record *process.Event
		want   string
	}{
		{0x7e, [4]uint64{0xc000_0005, 5, 6, 7}, record, "EXCEPTION_ACCESS_VIOLATION_WRITE"},
		{0x7e, [4]uint64{0xffff_ffff_c000_0094, 5}, nil, "EXCEPTION_INT_DIVIDE_BY_ZERO"},
		{0x1e, [4]uint64{0xc000_0005, 5, 0, 0x28}, nil, "EXCEPTION_ACCESS_VIOLATION_READ"},
		{0xd1, [4]uint64{0x28, 2, 8, 5}, nil, "EXCEPTION_ACCESS_VIOLATION_EXEC"},
		{0x50, [4]uint64{0x28, 2, 5}, nil, "EXCEPTION_ACCESS_VIOLATION_WRITE"},
		{0xbe, [4]uint64{0x1000, 2}, nil, "EXCEPTION_ACCESS_VIOLATION_WRITE"},
		{0x9f, [4]uint64{3, 2}, nil, ""},
	} {
		got := ""
		if e := CauseOf(&Stop{Code: tt.code, Params: tt.params[:]}, tt.record); e != nil {
			got = windowsReason(e)
		}
		if got != tt.want {
			t.Errorf("%#x %x: %q, want %q", tt.code, tt.params, got, tt.want)
		}
	}
}

func TestMeanings(t *testing.T) {
	for _, tt := range []struct {
		code   uint32
		params [4]uint64
		i      int
		want   string
	}{
		{0xd1, [4]uint64{0x28, 2, 1, 5}, 1, "IRQL DISPATCH_LEVEL"}, {0xd1, [4]uint64{0x28, 2, 1, 5}, 2, "write"}, {0xd1, [4]uint64{0x28, 2, 1, 5}, 3, "instruction"},
		{0xc2, [4]uint64{0xa, 1, 0x6765_5457}, 2, "pool tag of the block: WTeg"}, {0x139, [4]uint64{3}, 0, "kind: FAST_FAIL_CORRUPT_LIST_ENTRY"},
		{0x7b, [4]uint64{1}, 0, "boot device, or the text with its path"}, {0xed, [4]uint64{1, 0xc000_0006}, 1, "NTSTATUS: STATUS_IN_PAGE_ERROR"}, {0xe2, [4]uint64{}, 0, ""},
	} {
		s := &Stop{Code: tt.code, Params: tt.params[:]}
		if got := s.meaning(s.read(), tt.i); got != tt.want {
			t.Errorf("%#x, %d: %q, want %q", tt.code, tt.i, got, tt.want)
		}
	}
}

// The status of a machine check is that of the Intel SDM.
func TestMachineCheck(t *testing.T) {
	for _, tt := range []struct {
		params [4]uint64
		want   string
	}{
		{[4]uint64{0, 1, 0xb200_0000, 0x0000_0175}, "machine check status 0xb200000000000175, error in a cache, not corrected, the state of the processor is lost"},
		{[4]uint64{0, 1, 0x9000_0000, 0x0000_0090}, "machine check status 0x9000000000000090, error of the memory controller"},
		{[4]uint64{0, 1, 0xa000_0000, 0x0000_0e0b}, "machine check status 0xa000000000000e0b, I/O error, not corrected"},
		{[4]uint64{0, 1, 0xa000_0000, 0x0000_0016}, "machine check status 0xa000000000000016, error in a translation buffer (TLB), not corrected"},
		{[4]uint64{0, 1, 0, 0x175}, ""}, {[4]uint64{4, 1, 0xb200_0000, 0x175}, ""},
	} {
		if got := (&Stop{Code: 0x124, Params: tt.params[:]}).machineCheck(); got != tt.want {
			t.Errorf("%x: %q, want %q", tt.params, got, tt.want)
		}
	}
}

// The sentence names the hardware that the error record is about.
func TestHardware(t *testing.T) {
	in := kernelInput(0x124, [4]uint64{4, 1, 0, 0}, "ntoskrnl.exe")
	in.Stop.Hardware = []string{"PCI Express device 8086:a118 at bus 5, device 28, function 2"}
	if v := Verdict(in, Analyze(in)); !strings.Contains(v.Detail, "The error record names PCI Express device 8086:a118 at bus 5, device 28, function 2.") {
		t.Errorf("%+v", v)
	}
}

// A driver that is named, by the stack or by a parameter, comes with what the dump has about it.
func TestAbout(t *testing.T) {
	about := func(base uint64) []string {
		return map[uint64][]string{widgetBase: {"version 3.1.4.0", "company `Contoso`"}}[base]
	}
	for _, in := range []*Input{kernelInput(0x3b, [4]uint64{}, "ntoskrnl.exe", "widget.sys"), kernelInput(0xd1, [4]uint64{1, 2, 0, widgetBase + 4}, "ntoskrnl.exe")} {
		in.Stop.About = about
		if v := Verdict(in, Analyze(in)); !strings.HasSuffix(v.Detail, " `widget.sys`: version 3.1.4.0, company `Contoso`.") {
			t.Errorf("%+v", v)
		}
	}
	in := kernelInput(0xd1, [4]uint64{1, 2, 0, ntBase + 4}, "ntoskrnl.exe")
	in.Stop.About = about
	if v := Verdict(in, Analyze(in)); strings.Contains(v.Detail, "version") {
		t.Errorf("without a driver: %+v", v)
	}
}
