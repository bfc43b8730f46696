package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// The expectations are what rust-minidump 0.27 prints for the same record.
func TestReason(t *testing.T) {
	tests := []struct {
		os   process.OS
		arch *cpu.Arch
		e    Exception
		want string
	}{
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005, Params: []uint64{0, 0}}, "EXCEPTION_ACCESS_VIOLATION_READ"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005, Params: []uint64{1, 0}}, "EXCEPTION_ACCESS_VIOLATION_WRITE"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005, Params: []uint64{8, 0}}, "EXCEPTION_ACCESS_VIOLATION_EXEC"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005, Params: []uint64{2, 0}}, "EXCEPTION_ACCESS_VIOLATION"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005, Params: []uint64{1 << 32, 0}}, "EXCEPTION_ACCESS_VIOLATION"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000005}, "EXCEPTION_ACCESS_VIOLATION"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000006, Params: []uint64{0, 0, 0xffffffffc0000185}}, "EXCEPTION_IN_PAGE_ERROR_READ / STATUS_IO_DEVICE_ERROR"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000006, Params: []uint64{8, 0, 0x1234567}}, "EXCEPTION_IN_PAGE_ERROR_EXEC / 0x01234567"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000006, Params: []uint64{0, 0}}, "EXCEPTION_IN_PAGE_ERROR"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000409, Params: []uint64{7}}, "EXCEPTION_STACK_BUFFER_OVERRUN / FAST_FAIL_FATAL_APP_EXIT"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000409, Params: []uint64{15}}, "EXCEPTION_STACK_BUFFER_OVERRUN / 0x0000000f"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc0000409}, "STATUS_STACK_BUFFER_OVERRUN"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe06d7363}, "Unhandled C++ Exception"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe0434352}, "MANAGED_EXCEPTION_CODE_V4"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe0000008}, "Out of Memory"},
		{"windows", &cpu.AMD64, Exception{Code: 0x0517a7ed}, "Simulated Exception"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc06d007e}, "FACILITY_VISUALCPP / ERROR_MOD_NOT_FOUND"},
		{"windows", &cpu.AMD64, Exception{Code: 0xc000000d}, "STATUS_INVALID_PARAMETER"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe1234567}, "unknown 0xe1234567"},

		{"linux", &cpu.AMD64, Exception{Code: 11, Flags: 1}, "SIGSEGV / SEGV_MAPERR"},
		{"linux", &cpu.AMD64, Exception{Code: 11, Flags: 0x80}, "SIGSEGV / SI_KERNEL"},
		{"linux", &cpu.AMD64, Exception{Code: 11}, "SIGSEGV"},
		{"linux", &cpu.AMD64, Exception{Code: 11, Flags: 99}, "SIGSEGV / 0x00000063"},
		{"android", &cpu.ARM64, Exception{Code: 6, Flags: 0xfffffffa}, "SIGABRT / SI_TKILL"},
		{"linux", &cpu.AMD64, Exception{Code: 6, Flags: 1}, "SIGABRT / 0x00000001"},
		{"linux", &cpu.AMD64, Exception{Code: 0xffffffff}, "DUMP_REQUESTED"},
		{"linux", &cpu.AMD64, Exception{Code: 77, Flags: 3}, "unknown 0x0000004d / 0x00000003"},

		{"mac", &cpu.AMD64, Exception{Code: 1, Flags: 1}, "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS"},
		{"mac", &cpu.AMD64, Exception{Code: 1, Flags: 13}, "EXC_BAD_ACCESS / EXC_I386_GPFLT"},
		{"ios", &cpu.ARM64, Exception{Code: 1, Flags: 0x105}, "EXC_BAD_ACCESS / EXC_ARM_PAC_FAIL"},
		{"ios", &cpu.ARM, Exception{Code: 1, Flags: 0x101}, "EXC_BAD_ACCESS / 0x00000101"},
		{"mac", &cpu.ARM64, Exception{Code: 6, Flags: 1}, "EXC_BREAKPOINT / EXC_ARM_BREAKPOINT"},
		{"mac", &cpu.PPC, Exception{Code: 3, Flags: 2}, "EXC_ARITHMETIC / EXC_PPC_ZERO_DIVIDE"},
		{"mac", &cpu.AMD64, Exception{Code: 5, Flags: 0x10002}, "EXC_SOFTWARE / SIGABRT"},
		{"mac", &cpu.AMD64, Exception{Code: 5, Flags: 0xdeadc0de}, "EXC_SOFTWARE / UNCAUGHT_NS_EXCEPTION"},
		{"mac", &cpu.AMD64, Exception{Code: 9, Flags: 2}, "EXC_RPC_ALERT / 0x00000002"},
		{"mac", &cpu.AMD64, Exception{Code: 0x43507378, Flags: 2}, "Simulated Exception"},
		{"mac", nil, Exception{Code: 1, Flags: 13}, "EXC_BAD_ACCESS / 0x0000000d"},
		{"ios", &cpu.AMD64, Exception{Code: 0x43506e78}, "unknown 0x43506e78 / 0x00000000"},

		{"solaris", &cpu.SPARC, Exception{Code: 11, Flags: 1}, "unknown 0x0000000b / 0x00000001"},
		{"", nil, Exception{}, "unknown 0x00000000 / 0x00000000"},
	}
	for _, tt := range tests {
		if got := Reason(&tt.e, tt.os, tt.arch); got != tt.want {
			t.Errorf("Reason(%+v, %q) = %q, want %q", tt.e, tt.os, got, tt.want)
		}
	}
}

func TestReasonMacResourceAndGuard(t *testing.T) {
	tests := []struct {
		code, flags   uint32
		word, subword uint64
		want          string
	}{
		{11, 1 << 29, 2<<58 | 180<<7 | 50, 98, "EXC_RESOURCE / RESOURCE_TYPE_CPU / FLAVOR_CPU_MONITOR_FATAL interval: 180s CPU limit: 50% CPU consumed: 98%"},
		{11, 2 << 29, 1<<58 | 300<<20 | 5000, 208_000, "EXC_RESOURCE / RESOURCE_TYPE_WAKEUPS / FLAVOR_WAKEUPS_MONITOR interval: 300s wakeups permitted: 5000 wakeups observed: 208000"},
		{11, 3 << 29, 1<<58 | 1400, 0, "EXC_RESOURCE / RESOURCE_TYPE_MEMORY / FLAVOR_HIGH_WATERMARK high watermark limit: 1400MiB"},
		{11, 4 << 29, 2<<58 | 86400<<15 | 2000, 2147, "EXC_RESOURCE / RESOURCE_TYPE_IO / FLAVOR_IO_LOGICAL_WRITES interval: 86400s I/O limit: 2000MiB I/O observed: 2147MiB"},
		{11, 5 << 29, 1<<58 | 512, 0, "EXC_RESOURCE / RESOURCE_TYPE_THREADS / FLAVOR_THREADS_HIGH_WATERMARK high watermark limit: 512"},
		{11, 3 << 29, 7 << 58, 9, "EXC_RESOURCE / RESOURCE_TYPE_MEMORY / 0x1c00000000000000 / 0x0000000000000009"},
		{11, 6 << 29, 1<<58 | 0x2_0000, 0, "EXC_RESOURCE / RESOURCE_TYPE_PORTS / FLAVOR_PORT_SPACE_FULL ports allocated: 131072"},
		{11, 7 << 29, 0, 0, "EXC_RESOURCE / 0xe0000000"},

		{12, 0, 0, 0, "EXC_GUARD / GUARD_TYPE_NONE"},
		{12, 1 << 29, 0x20<<32 | 1027, 0, "EXC_GUARD / GUARD_TYPE_MACH_PORT / GUARD_EXC_IMMOVABLE port name: 1027"},
		{12, 1 << 29, 0x20<<32 | 1027, 6, "EXC_GUARD / GUARD_TYPE_MACH_PORT / GUARD_EXC_IMMOVABLE port name: 1027 subcode: 6"},
		{12, 2 << 29, 1<<32 | 12, 0x55, "EXC_GUARD / GUARD_TYPE_FD / GUARD_EXC_CLOSE file descriptor: 12 guard identifier: 85"},
		{12, 3 << 29, 4, 5, "EXC_GUARD / GUARD_TYPE_USER/ namespace: 4 guard identifier: 5"},
		{12, 4 << 29, 4<<32 | 99, 5, "EXC_GUARD / GUARD_TYPE_VN / GUARD_EXC_UNLINK pid: 99 guard identifier: 5"},
		{12, 5 << 29, 1 << 32, 4096, "EXC_GUARD / GUARD_TYPE_VIRT_MEMORY / GUARD_EXC_DEALLOC_GAP offset: 4096"},
		{12, 2 << 29, 1<<32 | 0x1000_000c, 0, "EXC_GUARD / GUARD_TYPE_FD / GUARD_EXC_CLOSE file descriptor: 268435468 guard identifier: 0"},
		{12, 6 << 29, 1, 31, "EXC_GUARD / GUARD_TYPE_REJECTED_SC / GUARD_EXC_MACH_TRAP mach trap: 31"},
		{12, 6 << 29, 0, 31, "EXC_GUARD / GUARD_TYPE_REJECTED_SC / GUARD_EXC_MACH_TRAP syscall: 31"},
		{12, 2 << 29, 3<<32 | 12, 0, "EXC_GUARD / GUARD_TYPE_FD / 0x000000030000000c / 0x0000000000000000"},
		{12, 7 << 29, 0, 0, "EXC_GUARD / 0xe0000000"},
	}
	for _, tt := range tests {
		e := Exception{Code: tt.code, Flags: tt.flags, Params: []uint64{0, tt.word, tt.subword}}
		if got := Reason(&e, "mac", &cpu.ARM64); got != tt.want {
			t.Errorf("Reason(%#x, %#x) = %q, want %q", tt.flags, tt.word, got, tt.want)
		}
	}
}

func TestLastError(t *testing.T) {
	tests := map[uint32]string{
		0:          "ERROR_SUCCESS",
		2:          "ERROR_FILE_NOT_FOUND",
		183:        "ERROR_ALREADY_EXISTS",
		1400:       "ERROR_INVALID_WINDOW_HANDLE",
		1702:       "RPC_S_INVALID_BINDING", // between the two kinds of name
		15841:      "ERROR_API_UNAVAILABLE", // the last one
		259:        "ERROR_NO_MORE_ITEMS",   // also STATUS_PENDING
		0xc0000022: "STATUS_ACCESS_DENIED",
		0xc0000005: "STATUS_ACCESS_VIOLATION",
		0xc0ef0001: "STATUS_ACCELERATOR_SUBMISSION_QUEUE_FULL",
		0x806d007e: "FACILITY_VISUALCPP / ERROR_MOD_NOT_FOUND",
		0x006d007e: "unknown 0x006d007e", // severity 0 is no error of a facility
		0x806dffff: "unknown 0x806dffff",
		0xdeadbeef: "unknown 0xdeadbeef",
	}
	for code, want := range tests {
		if got := LastError(code); got != want {
			t.Errorf("LastError(%#x) = %q, want %q", code, got, want)
		}
	}
}

// TestTables: no two numbers of a table have one name. That the tables are sorted is TestTablesAreSorted's.
func TestTables(t *testing.T) {
	tables := map[table]names{"winerror.txt": winErrors(), "ntstatus.txt": ntStatuses()}
	for _, t := range []table{windowsCodes, windowsAccess, facilities, fastFails, signals, siCodes, machExceptions, resourceTypes, guardTypes} {
		tables[t] = codes()[t]
	}
	for _, t := range []table{signalCodes, machCodes, macCodes, resourceFlavors, guardFlavors} {
		for name, list := range codes() {
			if strings.HasPrefix(string(name), string(t)+" ") {
				tables[name] = list
			}
		}
	}
	for table, list := range tables {
		seen := map[string]bool{}
		for _, e := range list {
			if seen[e.text] {
				t.Errorf("%s: %q stands there twice", table, e.text)
			}
			seen[e.text] = true
		}
	}
	if n := len(winErrors()); n != 2864 {
		t.Errorf("winerror.txt has %d names, want 2864", n)
	}
	if n := len(ntStatuses()); n != 2931 {
		t.Errorf("ntstatus.txt has %d names, want 2931", n)
	}
}

func TestAddress(t *testing.T) {
	av := []uint64{1, 0xffffffff_80000045}
	tests := []struct {
		name string
		os   process.OS
		arch *cpu.Arch
		e    Exception
		want uint64
	}{
		{"access violation", "windows", &cpu.AMD64, Exception{Code: 0xc0000005, Address: 0x1000, Params: av}, 0xffffffff_80000045},
		{"sign-extended on 32 bits", "windows", &cpu.X86, Exception{Code: 0xc0000005, Address: 0x1000, Params: av}, 0x80000045},
		{"in-page error", "windows", &cpu.AMD64, Exception{Code: 0xc0000006, Address: 0x1000, Params: []uint64{0, 0x2000}}, 0x2000},
		{"too few parameters", "windows", &cpu.AMD64, Exception{Code: 0xc0000005, Address: 0x1000, Params: []uint64{0}}, 0x1000},
		{"another code", "windows", &cpu.AMD64, Exception{Code: 0xc0000409, Address: 0x1000, Params: av}, 0x1000},
		{"another system", "linux", &cpu.AMD64, Exception{Code: 0xc0000005, Address: 0x1000, Params: av}, 0x1000},
		{"no CPU", "linux", nil, Exception{Code: 11, Address: 0xffffffff_00000000}, 0xffffffff_00000000},
	}
	for _, tt := range tests {
		if got := Address(&tt.e, tt.os, tt.arch); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.want)
		}
	}
}
