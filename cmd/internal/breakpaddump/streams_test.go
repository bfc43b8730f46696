package breakpaddump

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// shows fails unless the text of a dump ends with these lines.
func shows(t *testing.T, b *dump.Builder, want string) {
	t.Helper()
	if got := written(t, b.Build(t), Options{}); !strings.HasSuffix(got, want) {
		_, got, _ = strings.Cut(got, "Streams:\n")
		t.Errorf("%s\nwant at the end\n%s", got, want)
	}
}

// fields returns a value of each label in a text.
func fields(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if label, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
			all[strings.TrimSpace(label)] = value
		}
	}
	return all
}

// The expectations of these tests are what Breakpad's minidump_dump prints of the same dumps.

func TestHead(t *testing.T) {
	shows(t, dump.New().Time(0x61b1_2345).Flags(0x1_0000_0002).Version(0x1234_a793).
		Stream(0x4767_0003, asm.At(0).Text("a")).
		Entry(0, 0, 0).
		Stream(0xffff, asm.At(0).Text("bc")).
		Stream(0xbeef, asm.At(0)), `MDRawHeader
  signature            = 0x504d444d
  version              = 0x1234a793
  stream_count         = 4
  stream_directory_rva = 0x20
  checksum             = 0x0
  time_date_stamp      = 0x61b12345 2021-12-08 21:27:33
  flags                = 0x100000002

mDirectory[0]
MDRawDirectory
  stream_type        = 0x47670003 (MD_LINUX_CPU_INFO)
  location.data_size = 1
  location.rva       = 0x50

mDirectory[1]
MDRawDirectory
  stream_type        = 0x0 (MD_UNUSED_STREAM)
  location.data_size = 0
  location.rva       = 0x0

mDirectory[2]
MDRawDirectory
  stream_type        = 0xffff (MD_LAST_RESERVED_STREAM)
  location.data_size = 2
  location.rva       = 0x54

mDirectory[3]
MDRawDirectory
  stream_type        = 0xbeef (unknown)
  location.data_size = 0
  location.rva       = 0x58

Streams:
  stream type 0x0 (MD_UNUSED_STREAM) at index 1
  stream type 0xbeef (unknown) at index 3
  stream type 0xffff (MD_LAST_RESERVED_STREAM) at index 2
  stream type 0x47670003 (MD_LINUX_CPU_INFO) at index 0

Stream MD_LINUX_CPU_INFO:
a

`)
}

// A thread without a context, without a stack, and with neither. Quotes of a name stay as they are.
func TestThreads(t *testing.T) {
	shows(t, dump.New().
		Thread(dump.Thread{ID: 7, Name: `a "b"`, TEB: 0x1000, StackBase: 0x7ffe_0000, Stack: []byte("stack")}).
		Thread(dump.Thread{ID: 9}), `MinidumpThreadList
  thread_count = 2

thread[0]
MDRawThread
  thread_id                   = 0x7
  suspend_count               = 0
  priority_class              = 0x20
  priority                    = 0x0
  teb                         = 0x1000
  stack.start_of_memory_range = 0x7ffe0000
  stack.memory.data_size      = 0x5
  stack.memory.rva            = 0xac
  thread_context.data_size    = 0x0
  thread_context.rva          = 0x0
  (no context)

Stack
0x737461636b

thread[1]
MDRawThread
  thread_id                   = 0x9
  suspend_count               = 0
  priority_class              = 0x20
  priority                    = 0x0
  teb                         = 0x0
  stack.start_of_memory_range = 0x0
  stack.memory.data_size      = 0x0
  stack.memory.rva            = 0x0
  thread_context.data_size    = 0x0
  thread_context.rva          = 0x0
  (no context)

No stack

MinidumpThreadNameList
  thread_name_count = 1

thread_name[0]
MDRawThreadName
  thread_id                   = 0x7
  thread_name_rva             = 0xb4
  thread_name                 = "a "b""

`)
}

func TestException(t *testing.T) {
	shows(t, dump.New().Exception(dump.Exception{Thread: 7, Code: 11, Flags: 1, Address: 0xffff_ffff_ffff_fff0, Parameters: []uint64{1, 1 << 63}}), `
MDException
  thread_id                                  = 0x7
  exception_record.exception_code            = 0xb
  exception_record.exception_flags           = 0x1
  exception_record.exception_record          = 0x0
  exception_record.exception_address         = 0xfffffffffffffff0
  exception_record.number_parameters         = 2
  exception_record.exception_information[ 0] = 0x1
  exception_record.exception_information[ 1] = 0x8000000000000000
  thread_context.data_size                   = 0
  thread_context.rva                         = 0x0
  (no context)

`)
}

func TestAssertion(t *testing.T) {
	texts := dump.Fixed(dump.Fixed(dump.Fixed(asm.At(0), "x != 0", 128), "main", 128), "a.c", 128)
	shows(t, dump.New().Stream(uint32(minidump.AssertionInfoStream), texts.U32(42, 1)), `
MDAssertion
  expression                                 = x != 0
  function                                   = main
  file                                       = a.c
  line                                       = 42
  type                                       = 1

`)
}

// Breakpad says "valid" of one member of the union and prints both, but for x86.
func TestSystemInfo(t *testing.T) {
	const head = `
MDRawSystemInfo
  processor_architecture                     = %s
  processor_level                            = 6
  processor_revision                         = 0x1a05
  number_of_processors                       = 4
  product_type                               = 1
  major_version                              = 10
  minor_version                              = 0
  build_number                               = 19041
  platform_id                                = %s
  csd_version_rva                            = 0x64
  suite_mask                                 = 0x0
`
	for name, tt := range map[string]struct {
		b              *dump.Builder
		processor      string
		platform, want string
	}{
		"x86": {dump.New().System(dump.X86, dump.Windows, "Service Pack 1"), "0x0 (x86)", "0x2 (windows)",
			`  cpu.x86_cpu_info (valid):
  cpu.x86_cpu_info.vendor_id[0]              = 0x756e6547
  cpu.x86_cpu_info.vendor_id[1]              = 0x49656e69
  cpu.x86_cpu_info.vendor_id[2]              = 0x6c65746e
  cpu.x86_cpu_info.version_information       = 0x0
  cpu.x86_cpu_info.feature_information       = 0x0
  cpu.x86_cpu_info.amd_extended_cpu_features = 0x0
  (csd_version)                              = "Service Pack 1"
  (cpu_vendor)                               = "GenuineIntel"

`},
		"arm64": {dump.New().System(dump.ARM64, dump.Android, "x"), "0xc (arm64)", "0x8203 (android)",
			`  cpu.x86_cpu_info (invalid):
  cpu.x86_cpu_info.vendor_id[0]              = 0x756e6547
  cpu.x86_cpu_info.vendor_id[1]              = 0x49656e69
  cpu.x86_cpu_info.vendor_id[2]              = 0x6c65746e
  cpu.x86_cpu_info.version_information       = 0x0
  cpu.x86_cpu_info.feature_information       = 0x0
  cpu.x86_cpu_info.amd_extended_cpu_features = 0x0
  cpu.other_cpu_info (valid):
  cpu.other_cpu_info.processor_features[0]   = 0x49656e69756e6547
  cpu.other_cpu_info.processor_features[1]   = 0x6c65746e
  (csd_version)                              = "x"
  (cpu_vendor)                               = (null)

`},
		"a big-endian dump": {dump.New().BigEndian().System(dump.PPC, dump.Mac, "x"), "0x3 (ppc)", "0x8101 (mac)",
			`  cpu.x86_cpu_info (invalid):
  cpu.x86_cpu_info.vendor_id[0]              = 0x696e6549
  cpu.x86_cpu_info.vendor_id[1]              = 0x47656e75
  cpu.x86_cpu_info.vendor_id[2]              = 0x0
  cpu.x86_cpu_info.version_information       = 0x6e74656c
  cpu.x86_cpu_info.feature_information       = 0x0
  cpu.x86_cpu_info.amd_extended_cpu_features = 0x0
  cpu.other_cpu_info (valid):
  cpu.other_cpu_info.processor_features[0]   = 0x47656e75696e6549
  cpu.other_cpu_info.processor_features[1]   = 0x6e74656c00000000
  (csd_version)                              = "x"
  (cpu_vendor)                               = (null)

`},
		"names that Breakpad does not have": {dump.New().System(dump.MIPS, 0x9999, "x"), "0x1 ()", "0x9999 ()",
			`  cpu.x86_cpu_info (invalid):
  cpu.x86_cpu_info.vendor_id[0]              = 0x756e6547
  cpu.x86_cpu_info.vendor_id[1]              = 0x49656e69
  cpu.x86_cpu_info.vendor_id[2]              = 0x6c65746e
  cpu.x86_cpu_info.version_information       = 0x0
  cpu.x86_cpu_info.feature_information       = 0x0
  cpu.x86_cpu_info.amd_extended_cpu_features = 0x0
  cpu.other_cpu_info (valid):
  cpu.other_cpu_info.processor_features[0]   = 0x49656e69756e6547
  cpu.other_cpu_info.processor_features[1]   = 0x6c65746e
  (csd_version)                              = "x"
  (cpu_vendor)                               = (null)

`},
	} {
		t.Run(name, func(t *testing.T) {
			shows(t, tt.b, fmt.Sprintf(head, tt.processor, tt.platform)+tt.want)
		})
	}
}

// A version of the system that is at no offset is (null), and one that is empty has quotes.
func TestSystemVersion(t *testing.T) {
	absent := asm.At(0).U16(dump.X86, 0, 0).U8(1, 1).U32(1, 2, 3, dump.Windows, 0).U32(0).Zeros(24)
	for want, b := range map[string]*dump.Builder{
		"(null)": dump.New().Stream(7, absent),
		`""`:     dump.New().System(dump.X86, dump.Windows, ""),
	} {
		if got := fields(written(t, b.Build(t), Options{}))["(csd_version)"]; got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
}

// A thread that the validity does not name is invalid.
func TestBreakpadInfo(t *testing.T) {
	for validity, want := range map[uint32][2]string{3: {"0x7", "0x8"}, 1: {"0x7", "(invalid)"}, 2: {"(invalid)", "0x8"}, 0: {"(invalid)", "(invalid)"}} {
		shows(t, dump.New().Stream(uint32(minidump.BreakpadInfoStream), asm.At(0).U32(validity, 7, 8)), fmt.Sprintf(`
MDRawBreakpadInfo
  validity             = %#x
  dump_thread_id       = %s
  requesting_thread_id = %s

`, validity, want[0], want[1]))
	}
}

func TestMemoryInfo(t *testing.T) {
	list := asm.At(0).U32(16, 48).U64(2).
		U64(0x1000, 0x1000).U32(4, 0).U64(0x2000).U32(0x1000, 0x104, 0x20000, 0).
		U64(0x3000, 0).U32(0, 0).U64(0x5000).U32(0x10000, 1, 0, 0)
	shows(t, dump.New().Stream(uint32(minidump.MemoryInfoListStream), list), `
MinidumpMemoryInfoList
  info_count = 2

info[0]
MDRawMemoryInfo
  base_address          = 0x1000
  allocation_base       = 0x1000
  allocation_protection = 0x4
  region_size           = 0x2000
  state                 = 0x1000
  protection            = 0x104
  type                  = 0x20000

info[1]
MDRawMemoryInfo
  base_address          = 0x3000
  allocation_base       = 0x0
  allocation_protection = 0x0
  region_size           = 0x5000
  state                 = 0x10000
  protection            = 0x1
  type                  = 0x0

`)
}

// Lists that are empty have a count, and those that are absent have no section.
func TestEmptyLists(t *testing.T) {
	shows(t, dump.New().Stream(3, asm.At(0).U32(0)).Stream(4, asm.At(0).U32(0)).Stream(5, asm.At(0).U32(0)).
		Stream(24, asm.At(0).U32(0)).Stream(16, asm.At(0).U32(16, 48).U64(0)), `
MinidumpThreadList
  thread_count = 0

MinidumpThreadNameList
  thread_name_count = 0

MinidumpModuleList
  module_count = 0

MinidumpMemoryList
  region_count = 0

MinidumpMemoryInfoList
  info_count = 0

`)
	shows(t, dump.New(), "Streams:\n\n")
}
