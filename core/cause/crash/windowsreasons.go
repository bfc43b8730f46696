package crash

import "fmt"

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

// windowsReasons are the headlines of exceptions that explain themselves.
var windowsReasons = map[uint32]reason{
	simulatedWindows: {OnRequest, "Written on request"},
	threadName:       {OnRequest, "Written on request"},
	0x4001_0006:      {OnRequest, "Written on request"},
	0x4001_000a:      {OnRequest, "Written on request"},
	0x8000_0007:      {OnRequest, "Written on request"},
	triggered:        {FromOutside, "Ended by another process"},
	appHang:          {FromOutside, "The program did not respond"},
	0x4001_0005:      {FromOutside, "Ctrl-C event of the console"},
	0x4001_0008:      {FromOutside, "Ctrl-Break event of the console"},
	0xc000_013a:      {FromOutside, "Ended by the console: Ctrl-C, or its window was closed"},
	unrealAssert:     {Asserted, "Unreal assertion failed"},
	unrealGPU:        {Asserted, "GPU crash"},
	unrealMemory:     {OutOfMemory, "Out of memory"},
	0x4000_0015:      {Aborted, "The program ended itself"},
	0xc000_0602:      {FailFast, "Fail fast"},
	0xc000_027b:      {Thrown, "Windows Runtime exception"},
	0x4008_0201:      {Thrown, "Windows Runtime error"},
	0x4008_0202:      {Thrown, "Windows Runtime error"},
	0xc000_041d:      {Thrown, "Exception in a callback from the kernel"},
	delphiThrow:      {Thrown, "Delphi exception"},
	builderThrow:     {Thrown, "C++Builder exception"},
	gccThrow:         {Thrown, "C++ exception"},
	clrException:     {Thrown, ".NET exception"},
	oldCLR:           {Thrown, ".NET exception"},
	clrOverflow:      {StackOverflow, "Stack overflow in .NET code"},
	sanitizerError:   {Sanitizer, "Sanitizer report"},
	sanitizerAsan:    {Sanitizer, "AddressSanitizer report"},
	inPageError:      {FileGone, "File could not be read"},
	heapCorruption:   {HeapCorrupt, "Heap corruption"},
	0xc000_0017:      {OutOfMemory, "Out of memory"},
	0xc000_012d:      {OutOfMemory, "Out of memory"},
	0xc000_01ad:      {OutOfMemory, "Out of memory"},
	outOfMemory:      {OutOfMemory, "Out of memory"},
	intDivideByZero:  {DivideByZero, "Division by zero"},
	0xc000_008e:      {DivideByZero, "Division by zero"},
	0xc000_008c:      {OutOfBounds, "Array index out of bounds"},
	0xc000_008d:      {Arithmetic, "Floating-point error: denormal operand"},
	0xc000_008f:      {Arithmetic, "Floating-point error: inexact result"},
	0xc000_0090:      {Arithmetic, "Floating-point error: invalid operation"},
	0xc000_0091:      {Arithmetic, "Floating-point error: overflow"},
	0xc000_0092:      {Arithmetic, "Floating-point error: register stack"},
	0xc000_0093:      {Arithmetic, "Floating-point error: underflow"},
	0xc000_02b4:      {Arithmetic, "Floating-point error"},
	0xc000_02b5:      {Arithmetic, "Floating-point error"},
	0xc000_0095:      {Arithmetic, "Integer overflow"},
	0xc000_0008:      {BadArgument, "Invalid handle"},
	0xc000_000d:      {BadArgument, "Invalid parameter"},
	0xc000_001c:      {SystemCall, "Invalid system call"},
	nonContinuable:   {RaisedException, "Continued after a fatal exception"},
	0xc000_0026:      {RaisedException, "Invalid answer of an exception handler"},
	0xc000_0235:      {BadArgument, "Handle may not be closed"},
	0xc000_0264:      {Locking, "Lock released by a thread that does not own it"},
	0xc000_01a5:      {FailFast, "Invalid exception handler"},
	0xc000_0421:      {Asserted, "Application Verifier stop"},
	0xc000_0604:      {FailFast, "Dynamic code blocked"},
	privInstruction:  {Illegal, "Privileged instruction"},
	singleStep:       {Trapped, "Single step or watchpoint"},
	0x4000_001e:      {Trapped, "Single step or watchpoint"},
	breakpoint32:     {Trapped, "Breakpoint"},
	assertionFailure: {Asserted, "Assertion failed"},
	invalidCRTParam:  {Asserted, "Invalid argument to the C library"},
	0xc06d_007e:      {Thrown, "DLL not found"},
	0xc06d_007f:      {Thrown, "Function of a DLL not found"},
	0xc000_0135:      {Thrown, "DLL not found"},
	0xc000_0138:      {Thrown, "Function of a DLL not found"},
	0xc000_0139:      {Thrown, "Function of a DLL not found"},
	0xc000_0142:      {Thrown, "DLL refused to start"},
	0xc000_0194:      {Locking, "Possible deadlock"},
}

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
	r, ok := windowsReasons[e.Code]
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

// madeUp recognizes a record that Breakpad invents for a requested dump: a record of the system
// always has the address of the exception. Source: ExceptionHandler::WriteMinidump of
// src/client/windows/handler/exception_handler.cc.
func madeUp(e *Exception) bool {
	return e.Code == nonContinuable && e.Flags == 0 && e.Address == 0 && len(e.Params) == 0
}

// byRaise reports whether the innermost functions raise exceptions. The program itself has then
// raised an exception with a code of the processor.
func (s *facts) byRaise() bool { return s.frameThat(throws, 2, true) != nil }

// luaCodes are the error codes of lua.h.
var luaCodes = names{
	{2, "The error is one at run time (LUA_ERRRUN)."}, {3, "The error is one of syntax (LUA_ERRSYNTAX)."},
	{4, "The error is that memory ran out (LUA_ERRMEM)."}, {5, "The error is one in an error handler (LUA_ERRERR)."},
}

// windowsNote explains a code of Windows.
func windowsNote(code uint32) string {
	if code&luaMask == luaError {
		note := "A Lua error was raised; LuaJIT raises them as exceptions."
		return join(note, luaCodes.of(code&0xff))
	}
	return windowsNotes.of(code)
}

// unexplained describes a code without a note.
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
