package crash

import "fmt"

// Codes that the package uses by name.
const (
	breakpoint32       = 0x4000_001f // STATUS_WX86_BREAKPOINT
	guardPage          = 0x8000_0001
	breakpoint         = 0x8000_0003
	singleStep         = 0x8000_0004
	accessViolation    = 0xc000_0005
	inPageError        = 0xc000_0006
	illegalInstruction = 0xc000_001d
	intDivideByZero    = 0xc000_0094
	privInstruction    = 0xc000_0096
	stackOverflow      = 0xc000_00fd
	heapCorruption     = 0xc000_0374
	stackBufferOverrun = 0xc000_0409
	invalidCRTParam    = 0xc000_0417
	assertionFailure   = 0xc000_0420
	simulatedWindows   = 0x0517_a7ed
	outOfMemory        = 0xe000_0008
	clrException       = 0xe043_4352
	cppException       = 0xe06d_7363
)

// windowsCodes are the exception codes of WinBase.h and WinNT.h, and some that
// programs raise: Chromium's allocators (base/process/memory.h), Visual C++
// ("msc" below 0xe0000000), the CLR ("CCR"), and Crashpad's simulated crash.
var windowsCodes = names{
	{simulatedWindows, "Simulated Exception"},
	{guardPage, "EXCEPTION_GUARD_PAGE"},
	{0x8000_0002, "EXCEPTION_DATATYPE_MISALIGNMENT"},
	{breakpoint, "EXCEPTION_BREAKPOINT"},
	{singleStep, "EXCEPTION_SINGLE_STEP"},
	{accessViolation, "EXCEPTION_ACCESS_VIOLATION"},
	{inPageError, "EXCEPTION_IN_PAGE_ERROR"},
	{0xc000_0008, "EXCEPTION_INVALID_HANDLE"},
	{illegalInstruction, "EXCEPTION_ILLEGAL_INSTRUCTION"},
	{0xc000_0025, "EXCEPTION_NONCONTINUABLE_EXCEPTION"},
	{0xc000_0026, "EXCEPTION_INVALID_DISPOSITION"},
	{0xc000_008c, "EXCEPTION_BOUNDS_EXCEEDED"},
	{0xc000_008d, "EXCEPTION_FLT_DENORMAL_OPERAND"},
	{0xc000_008e, "EXCEPTION_FLT_DIVIDE_BY_ZERO"},
	{0xc000_008f, "EXCEPTION_FLT_INEXACT_RESULT"},
	{0xc000_0090, "EXCEPTION_FLT_INVALID_OPERATION"},
	{0xc000_0091, "EXCEPTION_FLT_OVERFLOW"},
	{0xc000_0092, "EXCEPTION_FLT_STACK_CHECK"},
	{0xc000_0093, "EXCEPTION_FLT_UNDERFLOW"},
	{intDivideByZero, "EXCEPTION_INT_DIVIDE_BY_ZERO"},
	{0xc000_0095, "EXCEPTION_INT_OVERFLOW"},
	{privInstruction, "EXCEPTION_PRIV_INSTRUCTION"},
	{stackOverflow, "EXCEPTION_STACK_OVERFLOW"},
	{0xc000_0194, "EXCEPTION_POSSIBLE_DEADLOCK"},
	{outOfMemory, "Out of Memory"},
	{clrException, "MANAGED_EXCEPTION_CODE_V4"},
	{cppException, "Unhandled C++ Exception"},
}

// windowsAccess names the access of an access violation or in-page error: ExceptionInformation[0].
// Spec: https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-exception_record
var windowsAccess = names{{0, "READ"}, {1, "WRITE"}, {8, "EXEC"}}

// facilities are the facilities of an HRESULT that wrap a Windows error.
// FACILITY_VISUALCPP is what the delay loader raises (delayimp.h).
var facilities = names{{109, "FACILITY_VISUALCPP"}}

// windowsReason refines a code by the record's parameters.
func windowsReason(e *Exception) string {
	switch {
	case e.Code == accessViolation && len(e.Params) >= 1:
		if kind := windowsAccess.of64(e.Params[0]); kind != "" {
			return "EXCEPTION_ACCESS_VIOLATION_" + kind
		}
	case e.Code == inPageError && len(e.Params) >= 3:
		// The lower half of the third parameter is the status of the failed read behind the
		// mapping.
		if kind := windowsAccess.of64(e.Params[0]); kind != "" {
			return "EXCEPTION_IN_PAGE_ERROR_" + kind + " / " + ntStatus(uint32(e.Params[2]))
		}
	case e.Code == stackBufferOverrun && len(e.Params) >= 1:
		// Since Windows 8 this is the code of __fastfail, whatever failed.
		return "EXCEPTION_STACK_BUFFER_OVERRUN / " + named(fastFails, uint32(e.Params[0]))
	}
	if text := windowsCodes.of(e.Code); text != "" {
		return text
	}
	return LastError(e.Code)
}

// LastError names a value of GetLastError, as rust-minidump spells it (last_error_value). A value
// that is an error code and a status counts as an error code.
func LastError(code uint32) string {
	if text := winErrors().of(code); text != "" {
		return text
	}
	if text := ntStatuses().of(code); text != "" {
		return text
	}
	if facility := facilities.of(code >> 16 & 0xfff); facility != "" && code>>28 != 0 {
		if text := winErrors().of(code & 0xffff); text != "" {
			return facility + " / " + text
		}
	}
	return fmt.Sprintf("unknown 0x%08x", code)
}

// ntStatus returns the name of an NTSTATUS, or its number.
func ntStatus(code uint32) string { return named(ntStatuses(), code) }

// named returns a constant's name, or its number.
func named(n names, code uint32) string {
	if text := n.of(code); text != "" {
		return text
	}
	return fmt.Sprintf("0x%08x", code)
}

// fastFails are the arguments of __fastfail, from winnt.h of the Windows 11
// SDK 10.0.26100.
var fastFails = names{
	{0, "FAST_FAIL_LEGACY_GS_VIOLATION"},
	{1, "FAST_FAIL_VTGUARD_CHECK_FAILURE"},
	{2, "FAST_FAIL_STACK_COOKIE_CHECK_FAILURE"},
	{3, "FAST_FAIL_CORRUPT_LIST_ENTRY"},
	{4, "FAST_FAIL_INCORRECT_STACK"},
	{5, "FAST_FAIL_INVALID_ARG"},
	{6, "FAST_FAIL_GS_COOKIE_INIT"},
	{7, "FAST_FAIL_FATAL_APP_EXIT"},
	{8, "FAST_FAIL_RANGE_CHECK_FAILURE"},
	{9, "FAST_FAIL_UNSAFE_REGISTRY_ACCESS"},
	{10, "FAST_FAIL_GUARD_ICALL_CHECK_FAILURE"},
	{11, "FAST_FAIL_GUARD_WRITE_CHECK_FAILURE"},
	{12, "FAST_FAIL_INVALID_FIBER_SWITCH"},
	{13, "FAST_FAIL_INVALID_SET_OF_CONTEXT"},
	{14, "FAST_FAIL_INVALID_REFERENCE_COUNT"},
	{18, "FAST_FAIL_INVALID_JUMP_BUFFER"},
	{19, "FAST_FAIL_MRDATA_MODIFIED"},
	{20, "FAST_FAIL_CERTIFICATION_FAILURE"},
	{21, "FAST_FAIL_INVALID_EXCEPTION_CHAIN"},
	{22, "FAST_FAIL_CRYPTO_LIBRARY"},
	{23, "FAST_FAIL_INVALID_CALL_IN_DLL_CALLOUT"},
	{24, "FAST_FAIL_INVALID_IMAGE_BASE"},
	{25, "FAST_FAIL_DLOAD_PROTECTION_FAILURE"},
	{26, "FAST_FAIL_UNSAFE_EXTENSION_CALL"},
	{27, "FAST_FAIL_DEPRECATED_SERVICE_INVOKED"},
	{28, "FAST_FAIL_INVALID_BUFFER_ACCESS"},
	{29, "FAST_FAIL_INVALID_BALANCED_TREE"},
	{30, "FAST_FAIL_INVALID_NEXT_THREAD"},
	{31, "FAST_FAIL_GUARD_ICALL_CHECK_SUPPRESSED"},
	{32, "FAST_FAIL_APCS_DISABLED"},
	{33, "FAST_FAIL_INVALID_IDLE_STATE"},
	{34, "FAST_FAIL_MRDATA_PROTECTION_FAILURE"},
	{35, "FAST_FAIL_UNEXPECTED_HEAP_EXCEPTION"},
	{36, "FAST_FAIL_INVALID_LOCK_STATE"},
	{37, "FAST_FAIL_GUARD_JUMPTABLE"},
	{38, "FAST_FAIL_INVALID_LONGJUMP_TARGET"},
	{39, "FAST_FAIL_INVALID_DISPATCH_CONTEXT"},
	{40, "FAST_FAIL_INVALID_THREAD"},
	{41, "FAST_FAIL_INVALID_SYSCALL_NUMBER"},
	{42, "FAST_FAIL_INVALID_FILE_OPERATION"},
	{43, "FAST_FAIL_LPAC_ACCESS_DENIED"},
	{44, "FAST_FAIL_GUARD_SS_FAILURE"},
	{45, "FAST_FAIL_LOADER_CONTINUITY_FAILURE"},
	{46, "FAST_FAIL_GUARD_EXPORT_SUPPRESSION_FAILURE"},
	{47, "FAST_FAIL_INVALID_CONTROL_STACK"},
	{48, "FAST_FAIL_SET_CONTEXT_DENIED"},
	{49, "FAST_FAIL_INVALID_IAT"},
	{50, "FAST_FAIL_HEAP_METADATA_CORRUPTION"},
	{51, "FAST_FAIL_PAYLOAD_RESTRICTION_VIOLATION"},
	{52, "FAST_FAIL_LOW_LABEL_ACCESS_DENIED"},
	{53, "FAST_FAIL_ENCLAVE_CALL_FAILURE"},
	{54, "FAST_FAIL_UNHANDLED_LSS_EXCEPTON"}, // as winnt.h spells it
	{55, "FAST_FAIL_ADMINLESS_ACCESS_DENIED"},
	{56, "FAST_FAIL_UNEXPECTED_CALL"},
	{57, "FAST_FAIL_CONTROL_INVALID_RETURN_ADDRESS"},
	{58, "FAST_FAIL_UNEXPECTED_HOST_BEHAVIOR"},
	{59, "FAST_FAIL_FLAGS_CORRUPTION"},
	{60, "FAST_FAIL_VEH_CORRUPTION"},
	{61, "FAST_FAIL_ETW_CORRUPTION"},
	{62, "FAST_FAIL_RIO_ABORT"},
	{63, "FAST_FAIL_INVALID_PFN"},
	{64, "FAST_FAIL_GUARD_ICALL_CHECK_FAILURE_XFG"},
	{65, "FAST_FAIL_CAST_GUARD"},
	{66, "FAST_FAIL_HOST_VISIBILITY_CHANGE"},
	{67, "FAST_FAIL_KERNEL_CET_SHADOW_STACK_ASSIST"},
	{68, "FAST_FAIL_PATCH_CALLBACK_FAILED"},
	{69, "FAST_FAIL_NTDLL_PATCH_FAILED"},
	{70, "FAST_FAIL_INVALID_FLS_DATA"},
	{71, "FAST_FAIL_ASAN_ERROR"},
	{72, "FAST_FAIL_CLR_EXCEPTION_AOT"},
	{73, "FAST_FAIL_POINTER_AUTH_INVALID_RETURN_ADDRESS"},
	{74, "FAST_FAIL_INVALID_THREAD_STATE"},
	{75, "FAST_FAIL_CORRUPT_WOW64_STATE"},
	{76, "FAST_FAIL_INVALID_EXTENDED_STATE"},
}

// Exceptions that Unreal raises.
// Source: Engine/Source/Runtime/Core/Private/Windows/WindowsPlatformCrashContext.cpp.
const (
	unrealAssert = 0x4000
	unrealGPU    = 0x8000
	unrealMemory = 0xc000
)
