package crash

import (
	"fmt"

	"crashglass/core/cpu"
)

// Reason names what happened as the operating system does, in the words of
// rust-minidump (crash_info.type): "EXCEPTION_ACCESS_VIOLATION_READ",
// "SIGSEGV / SEGV_MAPERR", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS".
func Reason(e *Exception, os string, arch *cpu.Arch) string {
	text := ""
	switch os {
	case "windows":
		text = windowsReason(e)
	case "linux", "android":
		text = linuxReason(e)
	case "mac", "ios":
		text = macReason(e, arch)
	}
	if text == "" {
		return fmt.Sprintf("unknown 0x%08x / 0x%08x", e.Code, e.Flags)
	}
	return text
}

// Address is the address that an exception is about: what could not be
// accessed, where the system says so, and otherwise the instruction
// (crash_info.address).
//
// On CPUs of 32 bits the upper half is dropped: Breakpad on Windows wrote
// sign-extended addresses there.
func Address(e *Exception, os string, arch *cpu.Arch) uint64 {
	addr := e.Address
	if os == "windows" && len(e.Params) >= 2 && (e.Code == accessViolation || e.Code == inPageError) {
		addr = e.Params[1]
	}
	if arch != nil {
		addr &= arch.Mask()
	}
	return addr
}
