package format

import "testing"

// Each record is as long as its fields in the header together: minidumpapiset.h pads none of them,
// because it packs its structures to 4 bytes. Widths of fields are in bytes, in the order of the header.
func TestRecordSizes(t *testing.T) {
	const (
		u32, u64     = 4, 8
		location     = u32 + u32      // MINIDUMP_LOCATION_DESCRIPTOR: DataSize, Rva
		descriptor   = u64 + location // MINIDUMP_MEMORY_DESCRIPTOR
		fixedVersion = 13 * u32       // VS_FIXEDFILEINFO
	)
	for _, tt := range []struct {
		name   string
		size   int
		fields []int
	}{
		{"MINIDUMP_HEADER", HeaderSize, []int{
			u32, u32, u32, u32, u32, u32, u64, // Signature, Version, NumberOfStreams, StreamDirectoryRva, CheckSum, TimeDateStamp, Flags
		}},
		{"MINIDUMP_DIRECTORY", DirectorySize, []int{u32, location}},
		{"MINIDUMP_THREAD", ThreadSize, []int{
			u32, u32, u32, u32, u64, descriptor, location, // ThreadId, SuspendCount, PriorityClass, Priority, Teb, Stack, ThreadContext
		}},
		{"MINIDUMP_THREAD_EX", ThreadExSize, []int{
			ThreadSize, descriptor, // and BackingStore
		}},
		{"MINIDUMP_THREAD_NAME", ThreadNameSize, []int{u32, u64}}, // ThreadId, RvaOfThreadName
		{"ThreadCall", ThreadCallSize, []int{u32, u32}},           // ThreadId, Number
		{"MINIDUMP_THREAD_INFO", ThreadInfoSize, []int{
			u32, u32, u32, u32, // ThreadId, DumpFlags, DumpError, ExitStatus
			u64, u64, u64, u64, // CreateTime, ExitTime, KernelTime, UserTime
			u64, u64, // StartAddress, Affinity
		}},
		{"MINIDUMP_MODULE", ModuleSize, []int{
			u64, u32, u32, u32, u32, // BaseOfImage, SizeOfImage, CheckSum, TimeDateStamp, ModuleNameRva
			fixedVersion, location, location, u64, u64, // VersionInfo, CvRecord, MiscRecord, Reserved0, Reserved1
		}},
		{"MINIDUMP_UNLOADED_MODULE", UnloadedModuleSize, []int{u64, u32, u32, u32, u32}},
		{"MINIDUMP_MEMORY_DESCRIPTOR", RangeSize, []int{u64, location}},
		{"MINIDUMP_MEMORY_DESCRIPTOR64", Range64Size, []int{u64, u64}},
		{"MINIDUMP_MEMORY_INFO", MemoryInfoSize, []int{
			u64, u64, u32, u32, // BaseAddress, AllocationBase, AllocationProtect, alignment
			u64, u32, u32, u32, u32, // RegionSize, State, Protect, Type, alignment
		}},
		{"MINIDUMP_HANDLE_DESCRIPTOR", HandleSize, []int{u64, u32, u32, u32, u32, u32, u32}},
		{"MINIDUMP_HANDLE_DESCRIPTOR_2", Handle2Size, []int{
			HandleSize, u32, u32, // and ObjectInfoRva, Reserved0
		}},
		{"AVRF_HANDLE_OPERATION", HandleOperationSize, []int{
			u64, u32, u32, u32, u32, // Handle, ProcessId, ThreadId, OperationType, Spare0
			u32, u32, MaxTrace * u64, // BackTraceInformation: Depth, Index, ReturnAddresses
		}},
		{"MINIDUMP_TOKEN_INFO_HEADER", TokenHeaderSize, []int{u32, u32, u64}},
		{"MINIDUMP_FUNCTION_TABLE_DESCRIPTOR", FunctionTableSize, []int{u64, u64, u64, u32, u32}},
	} {
		size := 0
		for _, width := range tt.fields {
			size += width
		}
		if size != tt.size {
			t.Errorf("%s has %d bytes, want %d", tt.name, tt.size, size)
		}
	}
}
