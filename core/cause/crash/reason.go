package crash

import (
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Reason returns the operating system's name of the exception, as rust-minidump spells it
// (crash_info.type): "EXCEPTION_ACCESS_VIOLATION_READ", "SIGSEGV / SEGV_MAPERR", "EXC_BAD_ACCESS /
// KERN_INVALID_ADDRESS".
func Reason(e *Exception, os process.OS, arch *cpu.Arch) string {
	if text := systemOf(os).reason(e, arch); text != "" {
		return text
	}
	return fmt.Sprintf("unknown 0x%08x / 0x%08x", e.Code, e.Flags)
}

// Address returns the address of an exception (crash_info.address): the address that could not be
// accessed, if the system reports it, otherwise the instruction's address.
//
// On 32-bit CPUs the upper half is dropped, because Breakpad on Windows wrote sign-extended
// addresses.
func Address(e *Exception, os process.OS, arch *cpu.Arch) uint64 {
	addr := e.Address
	if os.IsWindows() && len(e.Params) >= 2 && (e.Code == accessViolation || e.Code == inPageError) {
		addr = e.Params[1]
	}
	if arch != nil {
		addr &= arch.Mask()
	}
	return addr
}
