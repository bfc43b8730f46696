package crash

import "fmt"

// resourceTypes and the tables below are from osfmk/kern/exc_resource.h.
var resourceTypes = names{
	{resourceCPU, "RESOURCE_TYPE_CPU"}, {resourceWakeups, "RESOURCE_TYPE_WAKEUPS"}, {resourceMemory, "RESOURCE_TYPE_MEMORY"},
	{resourceIO, "RESOURCE_TYPE_IO"}, {resourceThreads, "RESOURCE_TYPE_THREADS"}, {resourcePorts, "RESOURCE_TYPE_PORTS"},
}

const (
	resourceCPU     = 1
	resourceWakeups = 2
	resourceMemory  = 3
	resourceIO      = 4
	resourceThreads = 5
	resourcePorts   = 6
)

// resourceFlavors are the flavors of each resource type.
var resourceFlavors = map[uint32]names{
	resourceCPU:     {{1, "FLAVOR_CPU_MONITOR"}, {2, "FLAVOR_CPU_MONITOR_FATAL"}},
	resourceWakeups: {{1, "FLAVOR_WAKEUPS_MONITOR"}},
	resourceMemory:  {{1, "FLAVOR_HIGH_WATERMARK"}, {2, "FLAVOR_DIAG_MEMLIMIT"}},
	resourceIO:      {{1, "FLAVOR_IO_PHYSICAL_WRITES"}, {2, "FLAVOR_IO_LOGICAL_WRITES"}},
	resourceThreads: {{1, "FLAVOR_THREADS_HIGH_WATERMARK"}},
	resourcePorts:   {{1, "FLAVOR_PORT_SPACE_FULL"}},
}

// macResource decodes EXC_RESOURCE. The top three bits of the (shortened) code in the flags are the
// resource; the second and third parameter are the whole code and its subcode.
func macResource(e *Exception) string {
	kind := e.Flags >> 29
	text := resourceTypes.of(kind)
	if text == "" {
		return ""
	}
	code, subcode := e.param(1), e.param(2)
	flavor := resourceFlavors[kind].of(uint32(code >> 58 & 7))
	if flavor == "" {
		return fmt.Sprintf("%s / 0x%016x / 0x%016x", text, code, subcode)
	}
	return text + " / " + flavor + " " + resourceLimits(kind, code, subcode)
}

// resourceLimits returns the limit and the use. Widths of fields are those of the encoders in
// exc_resource.h, because its decoder of permitted wakeups drops the upper 8 of 20 bits.
func resourceLimits(kind uint32, code, subcode uint64) string {
	switch kind {
	case resourceCPU:
		return fmt.Sprintf("interval: %ds CPU limit: %d%% CPU consumed: %d%%", code>>7&0x1ff_ffff, code&0x7f, subcode&0x7f)
	case resourceWakeups:
		return fmt.Sprintf("interval: %ds wakeups permitted: %d wakeups observed: %d",
			code>>20&0xfff, code&0xf_ffff, subcode&0xf_ffff)
	case resourceMemory:
		return fmt.Sprintf("high watermark limit: %dMiB", code&0x1fff)
	case resourceIO:
		return fmt.Sprintf("interval: %ds I/O limit: %dMiB I/O observed: %dMiB",
			code>>15&0x1_ffff, code&0x7fff, subcode&0x7fff)
	case resourcePorts:
		return fmt.Sprintf("ports allocated: %d", code&0xff_ffff)
	default:
		return fmt.Sprintf("high watermark limit: %d", code&0x7fff)
	}
}

// Guard types; osfmk/kern/exc_guard.h.
const (
	guardNone       = 0
	guardMachPort   = 1
	guardFD         = 2
	guardUser       = 3
	guardVnode      = 4
	guardVM         = 5
	guardRejectedSC = 6
)

var guardTypes = names{
	{guardNone, "GUARD_TYPE_NONE"}, {guardMachPort, "GUARD_TYPE_MACH_PORT"}, {guardFD, "GUARD_TYPE_FD"},
	{guardUser, "GUARD_TYPE_USER"}, {guardVnode, "GUARD_TYPE_VN"}, {guardVM, "GUARD_TYPE_VIRT_MEMORY"},
	{guardRejectedSC, "GUARD_TYPE_REJECTED_SC"},
}

// behaviorEnforce has two numbers in mach/port.h: this one in the SDK of macOS
// 13, and since then the other.
const (
	behaviorEnforce    = 0x100_0000
	newBehaviorEnforce = 6
)

// guardFlavor names the operation on a guarded object.
func guardFlavor(kind, flavor uint32) string {
	if kind == guardMachPort && flavor == newBehaviorEnforce {
		flavor = behaviorEnforce
	}
	return guardFlavors[kind].of(flavor)
}

// guardFlavors are the operations on a guarded object: osfmk/mach/port.h, bsd/sys/guarded.h,
// osfmk/mach/vm_statistics.h, osfmk/kern/exc_guard.h.
var guardFlavors = map[uint32]names{
	guardMachPort: {
		{1, "GUARD_EXC_DESTROY"}, {2, "GUARD_EXC_MOD_REFS"}, {3, "GUARD_EXC_INVALID_OPTIONS"},
		{4, "GUARD_EXC_SET_CONTEXT"}, {5, "GUARD_EXC_THREAD_SET_STATE"}, {8, "GUARD_EXC_UNGUARDED"},
		{0x10, "GUARD_EXC_INCORRECT_GUARD"}, {0x20, "GUARD_EXC_IMMOVABLE"}, {0x40, "GUARD_EXC_STRICT_REPLY"},
		{0x80, "GUARD_EXC_MSG_FILTERED"}, {0x100, "GUARD_EXC_INVALID_RIGHT"}, {0x200, "GUARD_EXC_INVALID_NAME"},
		{0x400, "GUARD_EXC_INVALID_VALUE"}, {0x800, "GUARD_EXC_INVALID_ARGUMENT"},
		{0x1000, "GUARD_EXC_RIGHT_EXISTS"}, {0x2000, "GUARD_EXC_KERN_NO_SPACE"},
		{0x4000, "GUARD_EXC_KERN_FAILURE"}, {0x8000, "GUARD_EXC_KERN_RESOURCE"},
		{0x1_0000, "GUARD_EXC_SEND_INVALID_REPLY"}, {0x2_0000, "GUARD_EXC_SEND_INVALID_VOUCHER"},
		{0x4_0000, "GUARD_EXC_SEND_INVALID_RIGHT"}, {0x8_0000, "GUARD_EXC_RCV_INVALID_NAME"},
		{0x10_0000, "GUARD_EXC_RCV_GUARDED_DESC"}, {0x20_0000, "GUARD_EXC_MOD_REFS_NON_FATAL"},
		{0x40_0000, "GUARD_EXC_IMMOVABLE_NON_FATAL"}, {0x80_0000, "GUARD_EXC_REQUIRE_REPLY_PORT_SEMANTICS"},
		{behaviorEnforce, "GUARD_EXC_EXCEPTION_BEHAVIOR_ENFORCE"},
	},
	guardFD: {
		{1, "GUARD_EXC_CLOSE"}, {2, "GUARD_EXC_DUP"}, {4, "GUARD_EXC_NOCLOEXEC"}, {8, "GUARD_EXC_SOCKET_IPC"},
		{0x10, "GUARD_EXC_FILEPORT"}, {0x20, "GUARD_EXC_MISMATCH"}, {0x40, "GUARD_EXC_WRITE"},
	},
	guardVnode: {
		{1, "GUARD_EXC_RENAME_TO"}, {2, "GUARD_EXC_RENAME_FROM"}, {4, "GUARD_EXC_UNLINK"},
		{8, "GUARD_EXC_WRITE_OTHER"}, {0x10, "GUARD_EXC_TRUNC_OTHER"}, {0x20, "GUARD_EXC_LINK"},
		{0x40, "GUARD_EXC_EXCHDATA"},
	},
	guardVM: {
		{1, "GUARD_EXC_DEALLOC_GAP"}, {2, "GUARD_EXC_RECLAIM_COPYIO_FAILURE"}, {4, "GUARD_EXC_RECLAIM_INDEX_FAILURE"},
		{8, "GUARD_EXC_RECLAIM_DEALLOCATE_FAILURE"},
	},
	guardRejectedSC: {{0, "GUARD_EXC_MACH_TRAP"}},
}

// macGuard decodes EXC_GUARD: the kind of the guarded object, the operation, and the object. Texts
// are rust-minidump's.
func macGuard(e *Exception) string {
	kind := e.Flags >> 29
	text := guardTypes.of(kind)
	if text == "" || kind == guardNone {
		return text
	}
	code, subcode := e.param(1), e.param(2)
	if kind == guardUser { // the missing space is rust-minidump's
		return fmt.Sprintf("%s/ namespace: %d guard identifier: %d", text, code&0xffff_ffff, subcode)
	}
	flavor := guardFlavor(kind, uint32(code>>32&0x1fff_ffff))
	if flavor == "" {
		return fmt.Sprintf("%s / 0x%016x / 0x%016x", text, code, subcode)
	}
	return text + " / " + flavor + guardTarget(kind, code&0xffff_ffff, subcode)
}

// guardTarget names the guarded object.
func guardTarget(kind uint32, id, subcode uint64) string {
	switch {
	case kind == guardMachPort && subcode == 0:
		return fmt.Sprintf(" port name: %d", id)
	case kind == guardMachPort:
		return fmt.Sprintf(" port name: %d subcode: %d", id, subcode)
	case kind == guardFD:
		return fmt.Sprintf(" file descriptor: %d guard identifier: %d", id, subcode)
	case kind == guardVnode:
		return fmt.Sprintf(" pid: %d guard identifier: %d", id, subcode)
	case kind == guardVM:
		return fmt.Sprintf(" offset: %d", subcode)
	case id != 0: // the target says which of both it was
		return fmt.Sprintf(" mach trap: %d", subcode)
	default:
		return fmt.Sprintf(" syscall: %d", subcode)
	}
}
