package crash

import "fmt"

// code64 returns all 64 bits of the code of an EXC_RESOURCE or EXC_GUARD. The flags have its upper
// half (exception_snapshot_mac.cc) or, by Crashpad on iOS, its lower half
// (exception_snapshot_ios_intermediate_dump.cc).
func code64(e *Exception) (code, subcode uint64) {
	if len(e.Params) >= 2 && e.Params[0] == uint64(e.Code) {
		return e.Params[1], e.param(2)
	}
	return uint64(e.Flags) << 32, 0
}

// findResource names the limit that was reached.
func (s *facts) findResource() []candidate {
	code, subcode := code64(s.e)
	kind, flavor := uint32(code>>61), uint32(code>>58&7)
	f := Finding{Kind: Resource, Text: "Resource limit", Confidence: 1, Evidence: []string{s.Note}}
	if text := limitTitle(kind, flavor, code, subcode); text != "" {
		f.Text = text
	}
	if kind == resourceCPU && flavor == fatalMonitor {
		f.Evidence = append(f.Evidence, "The limit is one that ends the process.")
	} else if resourceTypes.of(kind) != "" {
		f.Evidence = append(f.Evidence, "Most limits of this kind are only reported, and the process continues.")
	}
	return statement(f)
}

// fatalMonitor is FLAVOR_CPU_MONITOR_FATAL.
const fatalMonitor = 2

// limitTitle returns the headline of a limit; osfmk/kern/exc_resource.h. A limit of 0 is not in the
// dump.
func limitTitle(kind, flavor uint32, code, subcode uint64) string {
	switch {
	case code&0xffff_ffff == 0:
		return map[uint32]string{
			resourceCPU: "CPU limit exceeded", resourceWakeups: "Too many wakeups", resourceMemory: "Memory limit reached",
			resourceIO: "Limit of writes to disk exceeded", resourceThreads: "Too many threads", resourcePorts: "Too many Mach ports",
		}[kind]
	case kind == resourceCPU:
		return fmt.Sprintf("CPU limit exceeded: %d %% used, %d %% allowed over %d s", subcode&0x7f, code&0x7f, code>>7&0x1ff_ffff)
	case kind == resourceWakeups:
		return fmt.Sprintf("Too many wakeups: %d a second, %d allowed over %d s", subcode&0xf_ffff, code&0xf_ffff, code>>20&0xfff)
	case kind == resourceMemory:
		return fmt.Sprintf("Memory limit reached: %d MiB", code&0x1fff)
	case kind == resourceIO:
		what := map[uint32]string{1: "to disk", 2: "to files"}[flavor]
		if what == "" {
			what = "to disk"
		}
		return fmt.Sprintf("Limit of writes %s exceeded: %d MiB, %d MiB allowed over %d s", what, subcode&0x7fff, code&0x7fff, code>>15&0x1_ffff)
	case kind == resourceThreads:
		return fmt.Sprintf("Too many threads: %d", code&0x7fff)
	case kind == resourcePorts:
		return fmt.Sprintf("Too many Mach ports: %d", code&0xff_ffff)
	}
	return ""
}

// findGuard names the guarded object and the operation on it.
func (s *facts) findGuard() []candidate {
	code, subcode := code64(s.e)
	f := Finding{Kind: Resource, Text: "Guarded resource", Confidence: 1, Evidence: []string{s.Note}}
	kind, flavor, target := uint32(code>>61), uint32(code>>32&0x1fff_ffff), uint32(code)
	if text := guardTitle(kind, target, subcode); text != "" {
		f.Text = text
		if kind == guardVM && flavor >= 200 && flavor <= 202 {
			f.Kind, f.Text = Tag, "Memory tag mismatch"
			f.Evidence = []string{"The tag of a pointer does not match that of its memory: it was freed, or belongs to another allocation."}
		}
		if name := s.flavorName(kind, flavor); name != "" {
			f.Evidence = append(f.Evidence, fmt.Sprintf("The operation is %s.", name))
		}
	}
	return statement(f)
}

// guardTitle returns the headline of a guard; the words follow doc/mach_ipc/guard_exceptions.md and
// osfmk/kern/exc_guard.h of XNU. A target of 0 is unknown or missing.
func guardTitle(kind, target uint32, subcode uint64) string {
	of := func(what string) string {
		if target == 0 {
			return what
		}
		return fmt.Sprintf("%s %d", what, target)
	}
	switch kind {
	case guardMachPort:
		return "Misuse of Mach ports" + map[bool]string{true: fmt.Sprintf(" (%#x)", target)}[target != 0]
	case guardFD:
		return "Misuse of a guarded file descriptor" + map[bool]string{true: fmt.Sprintf(" (%d)", target)}[target != 0]
	case guardUser:
		return of("A library's check failed: namespace")
	case guardVnode:
		return "Misuse of a guarded file"
	case guardVM:
		return "Misuse of guarded memory"
	case guardRejectedSC:
		if target != 0 {
			return fmt.Sprintf("Forbidden Mach trap %d", subcode)
		}
		return fmt.Sprintf("Forbidden system call %d", subcode)
	}
	return ""
}

// flavorName returns the newest name of an operation, because the version of the system is unknown.
func (s *facts) flavorName(kind, flavor uint32) string {
	if name := newerFlavors[kind].of(flavor); name != "" {
		return name
	}
	return guardFlavor(kind, flavor)
}

// newerFlavors are those that rust-minidump does not know. Sources:
// osfmk/mach/port.h of the SDK of macOS 26, osfmk/mach/vm_statistics.h of XNU 12377.
var newerFlavors = map[uint32]names{
	guardMachPort: {
		{7, "GUARD_EXC_SERVICE_PORT_VIOLATION_FATAL"}, {9, "GUARD_EXC_KOBJECT_REPLY_PORT_SEMANTICS"}, {10, "GUARD_EXC_REQUIRE_REPLY_PORT_SEMANTICS"},
		{65, "GUARD_EXC_INVALID_NOTIFICATION_REQ"}, {66, "GUARD_EXC_INVALID_MPO_ENTITLEMENT"}, {67, "GUARD_EXC_DESCRIPTOR_VIOLATION"},
		{0x10_0001, "GUARD_EXC_SERVICE_PORT_VIOLATION_NON_FATAL"}, {0x10_0002, "GUARD_EXC_PROVISIONAL_REPLY_PORT"}, {0x10_0003, "GUARD_EXC_OOL_PORT_ARRAY_CREATION"},
	},
	guardVM: {
		{9, "GUARD_EXC_RECLAIM_ACCOUNTING_FAILURE"}, {10, "GUARD_EXC_SEC_IOPL_ON_EXEC_PAGE"}, {11, "GUARD_EXC_SEC_EXEC_ON_IOPL_PAGE"},
		{12, "GUARD_EXC_SEC_UPL_WRITE_ON_EXEC_REGION"}, {13, "GUARD_EXC_LARGE_ALLOCATION_TELEMETRY"}, {98, "GUARD_EXC_SEC_ACCESS_FAULT"},
		{99, "GUARD_EXC_SEC_ASYNC_ACCESS_FAULT"}, {100, "GUARD_EXC_SEC_COPY_DENIED"}, {101, "GUARD_EXC_SEC_SHARING_DENIED"},
		{200, "GUARD_EXC_MTE_SYNC_FAULT"}, {201, "GUARD_EXC_MTE_ASYNC_USER_FAULT"}, {202, "GUARD_EXC_MTE_ASYNC_KERN_FAULT"},
		{203, "GUARD_EXC_GUARD_OBJECT_ASYNC_USER_FAULT"}, {204, "GUARD_EXC_GUARD_OBJECT_ASYNC_KERN_FAULT"},
	},
}
