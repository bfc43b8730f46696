package minidump

import (
	"fmt"
	"strings"
	"time"

	"crashglass/core/dump/minidump/format"
)

// Numbers with a meaning have types of their own. String returns the meaning in the words of the
// header that defines it.

// A UnixTime counts seconds from 1970 UTC.
type UnixTime uint32

// String returns the time in UTC, or "" for 0.
func (t UnixTime) String() string {
	if t == 0 {
		return ""
	}
	return time.Unix(int64(t), 0).UTC().Format("2006-01-02 15:04:05 UTC")
}

// A FileTime counts units of 100 ns from 1601 UTC.
type FileTime uint64

// fileTimeEpoch is 1970 as a FileTime.
const fileTimeEpoch = 116_444_736_000_000_000

// String returns the time in UTC, or "" for 0.
func (t FileTime) String() string {
	if t == 0 {
		return ""
	}
	ticks := int64(t - fileTimeEpoch)
	return time.Unix(ticks/1e7, ticks%1e7*100).UTC().Format("2006-01-02 15:04:05.0000000 UTC")
}

// A vocabulary has the names of values, or of bits, in their order.
type vocabulary []struct {
	value uint64
	name  string
}

// of is the name of a value, or "".
func (v vocabulary) of(n uint64) string {
	for _, e := range v {
		if e.value == n {
			return e.name
		}
	}
	return ""
}

// bits returns the names of the set bits, then the unnamed bits in hex.
func (v vocabulary) bits(n uint64) string {
	var parts []string
	for _, e := range v {
		if e.value != 0 && n&e.value == e.value {
			parts = append(parts, e.name)
			n &^= e.value
		}
	}
	if n != 0 && parts != nil {
		parts = append(parts, fmt.Sprintf("%#x", n))
	}
	return strings.Join(parts, " | ")
}

// A DumpType is MINIDUMP_TYPE: the contents that were requested from the writer.
type DumpType uint64

// String names the bits. Source: minidumpapiset.h.
func (t DumpType) String() string {
	return vocabulary{
		{0x1, "WithDataSegs"}, {0x2, "WithFullMemory"}, {0x4, "WithHandleData"}, {0x8, "FilterMemory"},
		{0x10, "ScanMemory"}, {0x20, "WithUnloadedModules"}, {0x40, "WithIndirectlyReferencedMemory"},
		{0x80, "FilterModulePaths"}, {0x100, "WithProcessThreadData"}, {0x200, "WithPrivateReadWriteMemory"},
		{0x400, "WithoutOptionalData"}, {0x800, "WithFullMemoryInfo"}, {0x1000, "WithThreadInfo"},
		{0x2000, "WithCodeSegs"}, {0x4000, "WithoutAuxiliaryState"}, {0x8000, "WithFullAuxiliaryState"},
		{0x1_0000, "WithPrivateWriteCopyMemory"}, {0x2_0000, "IgnoreInaccessibleMemory"},
		{0x4_0000, "WithTokenInformation"}, {0x8_0000, "WithModuleHeaders"}, {0x10_0000, "FilterTriage"},
		{0x20_0000, "WithAvxXStateContext"}, {0x40_0000, "WithIptTrace"}, {0x80_0000, "ScanInaccessiblePartialPages"},
	}.bits(uint64(t))
}

// A ProductType is VER_NT_*.
type ProductType uint8

// String is the name. Source: winnt.h.
func (t ProductType) String() string {
	return vocabulary{{1, "workstation"}, {2, "domain controller"}, {3, "server"}}.of(uint64(t))
}

// MiscFlags say which fields of MiscInfo are set: MINIDUMP_MISC*.
type MiscFlags uint32

// String names the bits.
func (f MiscFlags) String() string {
	return vocabulary{
		{format.MiscProcessID, "process id"}, {format.MiscTimes, "process times"}, {format.MiscPower, "processor power"},
		{format.MiscIntegrity, "integrity"}, {format.MiscExecuteFlags, "execute flags"}, {format.MiscTimeZone, "time zone"},
		{format.MiscProtected, "protected process"}, {format.MiscBuild, "build string"}, {format.MiscCookie, "process cookie"},
	}.bits(uint64(f))
}

// Integrity is a mandatory label, SECURITY_MANDATORY_*_RID.
type Integrity uint32

// String is the name. Source: winnt.h.
func (i Integrity) String() string {
	return vocabulary{{0, "untrusted"}, {0x1000, "low"}, {0x2000, "medium"}, {0x2100, "medium plus"}, {0x3000, "high"}, {0x4000, "system"},
		{0x5000, "protected process"}}.of(uint64(i))
}

// ExecuteFlags are MEM_EXECUTE_OPTION_*: data execution prevention.
type ExecuteFlags uint32

// String names the bits. Source: ntmmapi.h as System Informer publishes it.
func (f ExecuteFlags) String() string {
	return vocabulary{
		{0x1, "disable execution of data"}, {0x2, "enable execution of data"}, {0x4, "disable thunk emulation"},
		{0x8, "permanent"}, {0x10, "execute dispatch"}, {0x20, "image dispatch"}, {0x40, "disable exception chain validation"},
	}.bits(uint64(f))
}

// A Feature is a number of XSAVE's state components.
type Feature uint8

// String is the name. Source: Intel SDM, volume 1, section 13.1, and winnt.h.
func (f Feature) String() string {
	return vocabulary{
		{0, "x87"}, {1, "SSE"}, {2, "AVX"}, {3, "MPX bound registers"}, {4, "MPX bound configuration"},
		{5, "AVX-512 masks"}, {6, "AVX-512 upper halves"}, {7, "AVX-512 registers 16 to 31"}, {8, "processor trace"},
		{9, "protection keys"}, {10, "PASID"}, {11, "CET user"}, {12, "CET supervisor"}, {13, "hardware duty cycling"},
		{14, "user interrupts"}, {15, "last branch records"}, {16, "hardware P-states"}, {17, "AMX configuration"}, {18, "AMX data"},
	}.of(uint64(f))
}

// ThreadFlags are MINIDUMP_THREAD_INFO_*: the missing parts of a thread, and the reasons.
type ThreadFlags uint32

// String names the bits.
func (f ThreadFlags) String() string {
	return vocabulary{
		{ThreadError, "error"}, {ThreadWritesDump, "writes the dump"}, {ThreadExited, "exited"},
		{ThreadInvalidInfo, "invalid info"}, {ThreadInvalidContext, "invalid context"}, {ThreadInvalidTEB, "invalid TEB"},
	}.bits(uint64(f))
}

// PageProtection is PAGE_*.
type PageProtection uint32

// String names the bits. Source: winnt.h.
func (p PageProtection) String() string {
	return vocabulary{
		{0x01, "NOACCESS"}, {0x02, "READONLY"}, {0x04, "READWRITE"}, {0x08, "WRITECOPY"}, {0x10, "EXECUTE"},
		{0x20, "EXECUTE_READ"}, {0x40, "EXECUTE_READWRITE"}, {0x80, "EXECUTE_WRITECOPY"},
		{pageGuard, "GUARD"}, {0x200, "NOCACHE"}, {0x400, "WRITECOMBINE"}, {0x4000_0000, "TARGETS_INVALID"},
	}.bits(uint64(p))
}

// A MemoryState is MEM_COMMIT, MEM_RESERVE or MEM_FREE.
type MemoryState uint32

// String is the name.
func (s MemoryState) String() string {
	return vocabulary{{memCommit, "COMMIT"}, {memReserve, "RESERVE"}, {memFree, "FREE"}}.of(uint64(s))
}

// A MemoryType is MEM_PRIVATE, MEM_MAPPED or MEM_IMAGE.
type MemoryType uint32

// String is the name.
func (t MemoryType) String() string {
	return vocabulary{{memPrivate, "PRIVATE"}, {memMapped, "MAPPED"}, {memImage, "IMAGE"}}.of(uint64(t))
}

// A HandleAction is an operation on a handle.
type HandleAction uint32

// String is the name. Source: avrfsdk.h, eHANDLE_TRACE_OPERATIONS.
func (a HandleAction) String() string {
	return vocabulary{{1, "open"}, {2, "close"}, {3, "bad reference"}}.of(uint64(a))
}

// String is "string" or "", as types of programs have no names.
func (t AnnotationType) String() string {
	if t == AnnotationString {
		return "string"
	}
	return ""
}
