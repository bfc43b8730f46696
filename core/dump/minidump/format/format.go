// Package format has the numbers of the minidump format that its reader and its writer share:
// sizes of records, signatures, lengths of arrays, and the order of counters. Package minidump
// reads by them and package write writes by them. Numbers that only one of them needs are in that
// package. It has constants and tables only, so no input can make it fail.
//
// Sources: minidumpapiset.h and avrfsdk.h of the Windows SDK; Breakpad's minidump_format.h.
//
// Read this file first; counters.go has the lists of counters.
package format

// The header, MINIDUMP_HEADER.
const (
	HeaderSize       = 32          // sizeof(MINIDUMP_HEADER)
	Signature        = 0x504d_444d // "MDMP"
	SignatureSwapped = 0x4d44_4d50 // the same, written by a big-endian machine
	Version          = 0xa793      // MINIDUMP_VERSION; the upper half is the writer's own
)

// Sizes of records, in bytes.
const (
	DirectorySize       = 12  // sizeof(MINIDUMP_DIRECTORY)
	ThreadSize          = 48  // sizeof(MINIDUMP_THREAD)
	ThreadExSize        = 64  // sizeof(MINIDUMP_THREAD_EX), with the second stack of Itanium
	ThreadNameSize      = 12  // sizeof(MINIDUMP_THREAD_NAME), which is packed
	ThreadInfoSize      = 64  // sizeof(MINIDUMP_THREAD_INFO)
	ThreadCallSize      = 8   // of Crashglass's own list of system calls
	ModuleSize          = 108 // sizeof(MINIDUMP_MODULE), which is packed
	UnloadedModuleSize  = 24  // sizeof(MINIDUMP_UNLOADED_MODULE)
	RangeSize           = 16  // sizeof(MINIDUMP_MEMORY_DESCRIPTOR)
	Range64Size         = 16  // sizeof(MINIDUMP_MEMORY_DESCRIPTOR64)
	MemoryInfoSize      = 48  // sizeof(MINIDUMP_MEMORY_INFO)
	HandleSize          = 32  // sizeof(MINIDUMP_HANDLE_DESCRIPTOR)
	Handle2Size         = 40  // sizeof(MINIDUMP_HANDLE_DESCRIPTOR_2)
	HandleOperationSize = 288 // sizeof(AVRF_HANDLE_OPERATION)
	TokenHeaderSize     = 16  // sizeof(MINIDUMP_TOKEN_INFO_HEADER)
	FunctionTableSize   = 32  // sizeof(MINIDUMP_FUNCTION_TABLE_DESCRIPTOR)
)

// Lengths of arrays.
const (
	MaxParameters = 15 // EXCEPTION_MAXIMUM_PARAMETERS
	MaxTrace      = 32 // AVRF_MAX_TRACES
	MaxMacRecords = 20 // of the array in MINIDUMP_MAC_CRASH_INFO
)

// Offsets in MINIDUMP_EXCEPTION_STREAM.
const (
	ExceptionRecordAt     = 16
	ExceptionAddressAt    = 24
	ExceptionParametersAt = 40
)

// Signatures of a module's debug record, as little-endian words.
//
// Source: Microsoft's cvinfo.h; Breakpad's minidump_format.h for the last.
const (
	CodeViewPDB70 = 0x5344_5352 // "RSDS"
	CodeViewPDB20 = 0x3031_424e // "NB10"
	CodeViewELF   = 0x4270_454c // "LEpB" in a file
)

// The first words of VS_FIXEDFILEINFO.
//
// Source: Windows SDK, verrsrc.h.
const (
	VersionSignature = 0xfeef_04bd // VS_FFI_SIGNATURE
	VersionStruct    = 0x1_0000    // VS_FFI_STRUCVERSION
)

// Bits of MiscInfo.Flags, MINIDUMP_MISC*: each says that fields of the structure are valid.
const (
	MiscProcessID    = 0x1
	MiscTimes        = 0x2
	MiscPower        = 0x4
	MiscIntegrity    = 0x10
	MiscExecuteFlags = 0x20
	MiscTimeZone     = 0x40
	MiscProtected    = 0x80
	MiscBuild        = 0x100
	MiscCookie       = 0x200
)
