package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// verdicts has the first lines of reports for dumps with a known cause: what happened, where, and a
// part of the evidence. The names of the programs say how they crash.
var verdicts = map[string][3]string{
	"ascii_read_av":                      {"Text used as a pointer", "crashme.exe + 0xa6cd", `the bytes of "AAAA"`},
	"exec_av_on_stack":                   {"Execution on the stack", "", "most likely a return address or a function pointer was overwritten."},
	"linux_divide_by_zero":               {"Division by zero", "driver + 0x1f27", "with 0 at 0x7ffd833006dc."},
	"linux_inline":                       {"Illegal instruction or compiler trap", "func()", "the code is not in the dump"},
	"linux_jmp_to_0":                     {"Null pointer call", "driver + 0x213e", "The next frame is `driver + 0x213e`."},
	"linux_jmp_to_module_not_exe_region": {"Execution of data", "driver + 0x1eb0", "cannot be executed."},
	"linux_null_dereference":             {"Null pointer write", "driver + 0x1f26", "writes 4 bytes at 0x0; rax is 0x0."},
	"linux_outside_module":               {"Jump to a bad address", "driver + 0x1f00", "Execution went to 0x29cd74."},
	"linux_overflow":                     {"Buffer overrun", "overflow(char const*)", "__fortify_fail"},
	"linux_raise_sigabrt":                {"The program raised SIGABRT", "driver + 0x1e63", "The sender of the signal is the program itself"},
	"linux_stacksmash":                   {"Stack buffer overrun", "stack_smash(char const*)", "the return address was overwritten."},
	"linux_write_to_nonwritable_module":  {"Write to read-only memory", "driver2 + 0x1e16", "in driver2, can be read and executed, but not written to."},
	"linux_write_to_outside_module":      {"Write to unmapped address 0x390000", "driver3 + 0x1e16", "Nothing is mapped there."},
	"linux_write_to_under_4k":            {"Null pointer write", "driver1 + 0x1e16", "most likely an offset from a null pointer"},
	"minidump_crashpad_annotation":       {"Objective-C exception", "ios_crash_xcuitests + 0x5575a", "index 42 beyond bounds for empty NSArray"},
	"null_read_av":                       {"Null pointer read", "crashme.exe + 0xa6cd", "eax is 0x0."},
	"stack_exhaustion":                   {"Stack overflow", "crashme.exe + 0xa637", "1011 KiB of it are in use"},
	"tiny-exe-fastfail":                  {"Fast fail: the program ended itself", "tiny.exe + 0x1af42", "The program ended itself: abort was called, or an error could not be handled (FAST_FAIL_FATAL_APP_EXIT)."},
	"tiny-exe-with-cet-xsave":            {"No exception in this dump", "", "most likely it was written on request"},
	"write_av_non_canonical":             {"Use of uninitialised memory", "crash.exe + 0x1331", "by the safe string functions of Visual C++."},
	"write_av_non_null":                  {"Write to inaccessible address 0x4e3c9", "crashme.exe + 0x1097", "reads and writes 4 bytes"},
	"invalid-parameter":                  {"Invalid argument to the C library", "CrashTest.exe + 0x7a9a3", "format != nullptr"},
	"linux-mini":                         {"Null pointer write", "crash + 0x1d72", "`mov dword [0x45], 0x5`"},
	"pipeline-inlines-macos-segv":        {"Write to unmapped address 0xffffffff80000042", "sadness_generator::raise_segfault", "Nothing is mapped at the address."},
	"simple-crashpad":                    {"Abort signal (SIGABRT)", "crashy + 0x3f8a", "probably called abort"},
	"arm64_abort":                        {"abort() called", "boom_abort", "`abort` is on the stack."},
	"arm64_static_fp":                    {"Breakpoint or trap instruction", "boom_trap", ""},
	"chromium_renderer":                  {"SIGSEGV was sent by process 24248; this thread was waiting", "chromium + 0x9c5a510", "right behind a system call"},
	"core_rust_panic":                    {"Rust panic", "rs::inner", "core::panicking::panic_fmt"},
	"core_sighandler_o2":                 {"Null pointer access", "deep", "0x10"},
	"core_threads_o2":                    {"Null pointer access", "middle", "the code is not in the dump"},
	"core_vcall_o2":                      {"Jump to a bad address", "total(Shape**, int)", "Execution went to 0x123456."},
	"trap_o2":                            {"Compiler trap", "check", "The instruction is `ud2`."},
	"x86_q_leaf":                         {"Null pointer access", "store", ""},
}

func TestVerdicts(t *testing.T) {
	seen := 0
	for _, s := range samples(t) {
		want, ok := verdicts[s.name]
		if !ok {
			continue
		}
		seen++
		var r struct {
			Verdict struct {
				What, Detail string
				Where        *string
			}
		}
		if err := json.Unmarshal(s.walk(t, "json"), &r); err != nil {
			t.Fatal(err)
		}
		where := ""
		if r.Verdict.Where != nil {
			where = *r.Verdict.Where
		}
		if r.Verdict.What != want[0] || where != want[1] || !strings.Contains(r.Verdict.Detail, want[2]) {
			t.Errorf("%s: %s in %s. %s\nwant %s in %s, with %q", s.name, r.Verdict.What, where, r.Verdict.Detail, want[0], want[1], want[2])
		}
	}
	if seen != len(verdicts) {
		t.Errorf("%d dumps of %d are there", seen, len(verdicts))
	}
}
