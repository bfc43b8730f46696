package crash

import (
	"cmp"
	"fmt"
)

// Resources: the first, and that of writes to disk.
const (
	resourceCPU = 1
	resourceIO  = 4
)

// macResource decodes EXC_RESOURCE. The top three bits of the (shortened) code in the flags are the
// resource; the second and third parameter are the whole code and its subcode.
func macResource(e *Exception) string {
	kind := e.Flags >> 29
	text := resourceTypes.of(kind)
	if text == "" {
		return ""
	}
	code, subcode := e.param(1), e.param(2)
	flavor := resourceFlavors.in(kind).of(uint32(code >> 58 & 7))
	if flavor == "" {
		return fmt.Sprintf("%s / 0x%016x / 0x%016x", text, code, subcode)
	}
	return text + " / " + flavor + " " + limits[kind-1].text(limits[kind-1].reason, code, subcode)
}

// A limit is what EXC_RESOURCE says about a limit of the system: in so many low bits of the code what is allowed, and of the subcode what
// was used; above the limit in the code, the seconds of the interval. The widths are those of the encoders in exc_resource.h, because its
// decoder of permitted wakeups drops the upper 8 of 20 bits. The texts have what was used, the limit, and the interval.
type limit struct {
	bits, interval         int
	reached, title, reason string // without numbers, with them, and as rust-minidump spells it
}

// limits are those of the resources, from resourceCPU on.
var limits = [...]limit{
	{7, 25, "CPU limit exceeded", ": %d %% used, %d %% allowed over %d s", "interval: %[3]ds CPU limit: %[2]d%% CPU consumed: %[1]d%%"},
	{20, 12, "Too many wakeups", ": %d a second, %d allowed over %d s", "interval: %[3]ds wakeups permitted: %[2]d wakeups observed: %[1]d"},
	{13, 0, "Memory limit reached", ": %[2]d MiB", "high watermark limit: %[2]dMiB"},
	{15, 17, "Limit of writes to disk exceeded", ": %d MiB, %d MiB allowed over %d s", "interval: %[3]ds I/O limit: %[2]dMiB I/O observed: %[1]dMiB"},
	{15, 0, "Too many threads", ": %[2]d", "high watermark limit: %[2]d"},
	{24, 0, "Too many Mach ports", ": %[2]d", "ports allocated: %[2]d"},
}

func (l *limit) text(format string, code, subcode uint64) string {
	mask := uint64(1)<<l.bits - 1
	return fmt.Sprintf(format, subcode&mask, code&mask, code>>l.bits&(1<<l.interval-1))
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

// behaviorEnforce has two numbers in mach/port.h: this one in the SDK of macOS
// 13, and since then the other.
const (
	behaviorEnforce    = 0x100_0000
	newBehaviorEnforce = 6
)

func guardFlavor(kind, flavor uint32) string {
	if kind == guardMachPort && flavor == newBehaviorEnforce {
		flavor = behaviorEnforce
	}
	return guardFlavors.in(kind).of(flavor)
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

// code64 returns all 64 bits of the code of an EXC_RESOURCE or EXC_GUARD. The flags have its upper
// half (exception_snapshot_mac.cc) or, by Crashpad on iOS, its lower half
// (exception_snapshot_ios_intermediate_dump.cc).
func code64(e *Exception) (code, subcode uint64) {
	if len(e.Params) >= 2 && e.Params[0] == uint64(e.Code) {
		return e.Params[1], e.param(2)
	}
	return uint64(e.Flags) << 32, 0
}

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
	if kind == 0 || int(kind) > len(limits) {
		return ""
	}
	l := &limits[kind-1]
	if code&0xffff_ffff == 0 {
		return l.reached
	}
	title := l.reached
	if kind == resourceIO && flavor == 2 {
		title = "Limit of writes to files exceeded"
	}
	return title + l.text(l.title, code, subcode)
}

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
	return cmp.Or(newerFlavors.in(kind).of(flavor), guardFlavor(kind, flavor))
}
