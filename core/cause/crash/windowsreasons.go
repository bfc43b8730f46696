package crash

import (
	"fmt"
)

// Codes that runtimes raise, in addition to those in windows.go.
const (
	triggered      = 0x0cca_11ed // Crashpad, util/win/exception_codes.h
	delphiThrow    = 0x0eed_fade // System.pas of Delphi, cDelphiException
	builderThrow   = 0x0eef_face // the same, cCppException
	gccThrow       = 0x2047_4343 // libgcc/unwind-seh.c, STATUS_GCC_THROW
	threadName     = 0x406d_1388 // MS_VC_EXCEPTION of SetThreadName, Microsoft's documentation
	misaligned     = 0x8000_0002
	nonContinuable = 0xc000_0025
	appHang        = 0xcfff_ffff // WinDbg's event aph
	oldCLR         = 0xe043_4f4d // the CLR before version 4: "COM"
	clrOverflow    = 0xe053_534f // its stack overflow: "SSO"
	sanitizerError = 0xe073_616e // compiler-rt, asan: "san"
	sanitizerAsan  = 0xe073_616f
	luaError       = 0xe24c_4a00 // lj_err.c, LJ_EXCODE; the lowest byte is Lua's code
	luaMask        = 0xffff_ff00
)

// findWindowsReason explains an exception of Windows that is about no access to memory. Codes with
// a finder of their own come first.
func (s *facts) findWindowsReason() []candidate {
	e := s.in.Exception
	switch {
	case s.Event.Kind == Raised && processorCodes[e.Code]:
		return s.generic(reason{RaisedException, s.ReasonName + " raised by the program"})
	case e.Code == misaligned:
		return nil // findMisaligned has it
	case e.Code == stackBufferOverrun:
		return s.findFastFail()
	case e.Code == cppException:
		return s.findThrown()
	case e.Code == intDivideByZero && s.quotientTooLarge():
		return s.findQuotient()
	case e.Code == illegalInstruction:
		return s.findIllegal()
	case s.Event.Kind == Requested && e.Code == breakpoint:
		return s.generic(reason{OnRequest, "Stopped by a debugger"})
	case e.Code == breakpoint:
		return s.findTrap()
	}
	r, ok := windowsReasons.reason(uint64(e.Code))
	switch {
	case s.in.Check == InvalidArgument:
		r = reason{Asserted, "Invalid argument to the C library"}
	case s.in.Check == PureVirtualCall:
		r = reason{PureVirtual, "Pure virtual function called"}
	case e.Code&luaMask == luaError:
		r = reason{Thrown, "Lua error"}
	case !ok:
		r = reason{RaisedException, "Exception " + s.ReasonName}
	}
	return s.generic(r)
}

// onRequest reports whether the dump was requested: by the code, or by a record that Breakpad invents for one. A record of the system
// always has the address of the exception. Source: ExceptionHandler::WriteMinidump of
// src/client/windows/handler/exception_handler.cc.
func onRequest(e *Exception) bool {
	r, _ := windowsReasons.reason(uint64(e.Code))
	return r.kind == OnRequest || e.Code == nonContinuable && e.Flags == 0 && e.Address == 0 && len(e.Params) == 0
}

// byRaise reports whether the innermost functions raise exceptions. The program itself has then
// raised an exception with a code of the processor.
func (s *facts) byRaise() bool { return s.frameThat(throws, 2, true) != nil }

func windowsNote(code uint32) string {
	if code&luaMask == luaError {
		note := "A Lua error was raised; LuaJIT raises them as exceptions."
		return join(note, luaCodes.of(code&0xff))
	}
	return windowsNotes.of(code)
}

func (s *facts) unexplained() string {
	e := s.in.Exception
	switch {
	case s.in.OS.IsWindows() && s.Event.Kind == Raised:
		return fmt.Sprintf("Software raised it; its code is 0x%08x.", e.Code)
	case s.apple() && s.Event.Kind == Faulted:
		return "The kernel raised it, and says no more of it."
	case s.ReasonName == "":
		return fmt.Sprintf("The exception's code is %#x.", e.Code)
	}
	return "The reason is " + s.ReasonName + "."
}

// resultName names a .NET exception by its first parameter, which is its HRESULT.
func (s *facts) resultName() string {
	e := s.in.Exception
	if !s.in.OS.IsWindows() || e.Code != clrException || len(e.Params) == 0 {
		return ""
	}
	code := uint32(e.Params[0])
	if name := results.of(code); name != "" {
		return fmt.Sprintf("It is a %s (HRESULT 0x%08x), or derived from it.", name, code)
	}
	return fmt.Sprintf("Its HRESULT is 0x%08x.", code)
}
