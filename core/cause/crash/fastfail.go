package crash

import "fmt"

// fastFailNotes say what a program detected before it called __fastfail. Source: winnt.h's comments
// at FAST_FAIL_*, and Microsoft's documentation of bug check 0x139, KERNEL_SECURITY_CHECK_FAILURE,
// which has the same codes.
var fastFailNotes = names{
	{0, "a guard value on the stack was overwritten (/GS of an old compiler)"},
	{1, "a virtual function table is not the one that the object should have"},
	{2, "the guard value between the locals and the return address was overwritten (/GS)"},
	{3, "a doubly linked list is inconsistent: an entry was removed twice or overwritten"},
	{4, "the stack pointer is outside the thread's stack"},
	{5, "a function of the C library was called with an invalid argument"},
	{6, "the guard value of the stack was not initialised"},
	{7, "abort was called, or an error could not be handled"},
	{8, "an index is outside its array"},
	{10, "an indirect call goes to an address that is not a function (control flow guard)"},
	{11, "a write to memory that control flow guard protects"},
	{14, "a reference count is impossible: an object was released too often"},
	{18, "a jump buffer of longjmp is damaged"},
	{20, "a certificate is not valid"},
	{21, "the chain of exception handlers is damaged"},
	{25, "the protected tables of delayed loading could not be protected"},
	{29, "a balanced tree is inconsistent"},
	{35, "the heap met an exception that it does not expect: its bookkeeping is probably damaged"},
	{38, "longjmp goes to an invalid target"},
	{39, "the context of an exception is damaged"},
	{41, "a system call has an invalid number"},
	{47, "the shadow stack is not valid"},
	{48, "a thread's context may not be set to that"},
	{50, "the heap's bookkeeping is damaged; what damaged it ran earlier"},
	{57, "a return address differs from the one on the shadow stack"},
	{64, "an indirect call goes to a function of another type (extended flow guard)"},
	{65, "a cast goes to a type that the object is not of"},
	{71, "AddressSanitizer found an error; its report is in the program's output"},
	{72, "a .NET exception was not caught, in a program compiled ahead of time"},
	{73, "the signature of a return address is wrong"},
}

// newerFastFails are codes that rust-minidump does not name. Sources: wdm.h of the
// Windows 11 WDK, and winnt.h for the last.
var newerFastFails = names{{77, "FAST_FAIL_KERNEL_POINTER_EXPECTED"}, {0xffff_ffff, "FAST_FAIL_INVALID_FAST_FAIL_CODE"}}

// fastFailName is the name of a code, or its number.
func fastFailName(code uint32) string {
	if name := newerFastFails.of(code); name != "" {
		return name
	}
	return named(fastFails, code)
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
