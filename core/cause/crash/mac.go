package crash

import (
	"cmp"

	"crashglass/core/machine/cpu"
)

// Mach exceptions that the package uses by name.
const (
	excBadAccess      = 1
	excBadInstruction = 2
	excArithmetic     = 3
	excSoftware       = 5
	excBreakpoint     = 6
	excResource       = 11
	excGuard          = 12

	simulatedMac = 0x4350_7378 // "CPsx": a dump without a crash, by Crashpad
	nsException  = 0x4350_6e78 // "CPnx": an uncaught NSException, by Crashpad
)

// machExceptions are those of osfmk/mach/exception_types.h.
var machExceptions = names{
	{excBadAccess, "EXC_BAD_ACCESS"}, {excBadInstruction, "EXC_BAD_INSTRUCTION"},
	{excArithmetic, "EXC_ARITHMETIC"}, {4, "EXC_EMULATION"}, {excSoftware, "EXC_SOFTWARE"},
	{excBreakpoint, "EXC_BREAKPOINT"}, {7, "EXC_SYSCALL"}, {8, "EXC_MACH_SYSCALL"},
	{9, "EXC_RPC_ALERT"}, {excResource, "EXC_RESOURCE"}, {excGuard, "EXC_GUARD"},
}

// kernErrors are the kern_return_t that a bad access can carry;
// osfmk/mach/kern_return.h.
var kernErrors = names{
	{kernInvalidAddress, "KERN_INVALID_ADDRESS"}, {kernProtectionFailure, "KERN_PROTECTION_FAILURE"},
	{5, "KERN_FAILURE"}, {8, "KERN_NO_ACCESS"}, {9, "KERN_MEMORY_FAILURE"}, {10, "KERN_MEMORY_ERROR"},
	{kernCodesign, "KERN_CODESIGN_ERROR"},
}

const (
	kernInvalidAddress    = 1
	kernProtectionFailure = 2
	kernCodesign          = 50
	i386GPFault           = 13
	vmReadExecute         = 5 // VM_PROT_READ | VM_PROT_EXECUTE, where an error is expected
	armPACFail            = 0x105
	uncaughtNSException   = 0xdead_c0de
	machSIGABRT           = 0x0001_0002
)

// softwareCodes belong to EXC_SOFTWARE on every CPU; bsd/sys/ux_exception.h.
// UNCAUGHT_NS_EXCEPTION is Breakpad's.
var softwareCodes = names{
	{1, "EXC_PPC_TRAP"}, {machSIGABRT, "SIGABRT"}, {0x1_0100, "EXC_PPC_MIGRATE"},
	{uncaughtNSException, "UNCAUGHT_NS_EXCEPTION"},
}

// macFamily is a set of CPUs with the same codes.
type macFamily uint8

const (
	otherMac macFamily = iota
	armMac
	ppcMac
	x86Mac
)

// macFamilyOf follows rust-minidump, which does not apply the codes of arm64 to arm, nor those of
// ppc to ppc64.
func macFamilyOf(arch *cpu.Arch) macFamily {
	return macFamilies[arch]
}

var macFamilies = map[*cpu.Arch]macFamily{&cpu.ARM64: armMac, &cpu.PPC: ppcMac, &cpu.X86: x86Mac, &cpu.AMD64: x86Mac}

// macCode is an exception on a family of CPUs.
type macCode struct {
	exception uint32
	family    macFamily
}

// macCodes are the codes that belong to a CPU; osfmk/mach/{arm,ppc,i386}/exception.h.
var macCodes = map[macCode]names{
	{excBadAccess, armMac}: {
		{0x101, "EXC_ARM_DA_ALIGN"}, {0x102, "EXC_ARM_DA_DEBUG"}, {0x103, "EXC_ARM_SP_ALIGN"},
		{0x104, "EXC_ARM_SWP"}, {armPACFail, "EXC_ARM_PAC_FAIL"},
	},
	{excBadAccess, ppcMac}: {
		{0x101, "EXC_PPC_VM_PROT_READ"}, {0x102, "EXC_PPC_BADSPACE"}, {0x103, "EXC_PPC_UNALIGNED"},
	},
	{excBadAccess, x86Mac}:      {{i386GPFault, "EXC_I386_GPFLT"}},
	{excBadInstruction, armMac}: {{1, "EXC_ARM_UNDEFINED"}},
	{excBadInstruction, ppcMac}: {
		{1, "EXC_PPC_INVALID_SYSCALL"}, {2, "EXC_PPC_UNIPL_INST"}, {3, "EXC_PPC_PRIVINST"},
		{4, "EXC_PPC_PRIVREG"}, {5, "EXC_PPC_TRACE"}, {6, "EXC_PPC_PERFMON"},
	},
	{excBadInstruction, x86Mac}: {
		{1, "EXC_I386_INVOP"}, {10, "EXC_I386_INVTSSFLT"}, {11, "EXC_I386_SEGNPFLT"},
		{12, "EXC_I386_STKFLT"}, {i386GPFault, "EXC_I386_GPFLT"}, {17, "EXC_I386_ALIGNFLT"},
	},
	{excArithmetic, armMac}: {
		{1, "EXC_ARM_FP_IO"}, {2, "EXC_ARM_FP_DZ"}, {3, "EXC_ARM_FP_OF"}, {4, "EXC_ARM_FP_UF"},
		{5, "EXC_ARM_FP_IX"}, {6, "EXC_ARM_FP_ID"},
	},
	{excArithmetic, ppcMac}: {
		{1, "EXC_PPC_OVERFLOW"}, {2, "EXC_PPC_ZERO_DIVIDE"}, {3, "EXC_FLT_INEXACT"},
		{4, "EXC_PPC_FLT_ZERO_DIVIDE"}, {5, "EXC_PPC_FLT_UNDERFLOW"}, {6, "EXC_PPC_FLT_OVERFLOW"},
		{7, "EXC_PPC_FLT_NOT_A_NUMBER"}, {8, "EXC_PPC_NOEMULATION"}, {9, "EXC_PPC_ALTIVECASSIST"},
	},
	{excArithmetic, x86Mac}: {
		{1, "EXC_I386_DIV"}, {2, "EXC_I386_INTO"}, {3, "EXC_I386_NOEXT"}, {4, "EXC_I386_EXTOVR"},
		{5, "EXC_I386_EXTERR"}, {6, "EXC_I386_EMERR"}, {7, "EXC_I386_BOUND"}, {8, "EXC_I386_SSEEXTERR"},
	},
	{excBreakpoint, armMac}: {{1, "EXC_ARM_BREAKPOINT"}},
	{excBreakpoint, ppcMac}: {{1, "EXC_PPC_BREAKPOINT"}},
	{excBreakpoint, x86Mac}: {{1, "EXC_I386_SGL"}, {2, "EXC_I386_BPT"}},
}

// misalignedCodes are the codes of a misaligned access. Sources: osfmk/mach/arm/exception.h,
// osfmk/mach/ppc/exception.h.
var misalignedCodes = map[macCode]map[uint32]bool{
	{excBadAccess, armMac}: {0x101: true, 0x103: true}, // EXC_ARM_DA_ALIGN, EXC_ARM_SP_ALIGN
	{excBadAccess, ppcMac}: {0x103: true},              // EXC_PPC_UNALIGNED
}

// machFamily returns the family of codes that the kernel uses: arm64's also on arm, and ppc's also
// on ppc64.
func (s *facts) machFamily() macFamily {
	return cmp.Or(kernelFamilies[s.in.Arch], macFamilyOf(s.in.Arch))
}

// kernelFamilies are those that rust-minidump leaves out.
var kernelFamilies = map[*cpu.Arch]macFamily{&cpu.ARM: armMac, &cpu.PPC64: ppcMac}

// macReason returns the Mach exception with its code, if that has a name.
func macReason(e *Exception, arch *cpu.Arch) string {
	if e.Code == simulatedMac {
		return "Simulated Exception"
	}
	exception := machExceptions.of(e.Code)
	if exception == "" {
		return ""
	}
	code := ""
	switch e.Code {
	case excBadAccess:
		code = kernErrors.of(e.Flags)
	case excSoftware:
		code = softwareCodes.of(e.Flags)
	case excResource:
		code = macResource(e)
	case excGuard:
		code = macGuard(e)
	}
	if code == "" {
		code = named(macCodes[macCode{e.Code, macFamilyOf(arch)}], e.Flags)
	}
	return exception + " / " + code
}
