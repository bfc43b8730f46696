package crash

import (
	"cmp"
	"fmt"
)

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
		return "EXCEPTION_STACK_BUFFER_OVERRUN / " + fastFails.named(uint32(e.Params[0]))
	}
	if text := windowsCodes.of(e.Code); text != "" { // most often: the long tables are not read for nothing
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

func ntStatus(code uint32) string { return named(ntStatuses().of(code), code) }

// Exceptions that Unreal raises.
// Source: Engine/Source/Runtime/Core/Private/Windows/WindowsPlatformCrashContext.cpp.
const (
	unrealAssert = 0x4000
	unrealGPU    = 0x8000
	unrealMemory = 0xc000
)

func fastFailName(code uint32) string {
	return named(cmp.Or(newerFastFails.of(code), fastFails.of(code)), code)
}

// fastFailSentence puts a code into words. The exception's name, stack buffer overrun, misleads: it
// comes from the first use of __fastfail.
func fastFailSentence(code uint32) string {
	name := fastFailName(code)
	if note := fastFailNotes.of(code); note != "" {
		return fmt.Sprintf("The program ended itself: %s (%s).", note, name)
	}
	return fmt.Sprintf("The program ended itself for %s.", name)
}
