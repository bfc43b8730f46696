package render

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// Every reason why a stack ends, as the sentence that a reader sees.
func TestEndWords(t *testing.T) {
	f := ptr("clone3")
	at := addr(0x7fff0010)
	for want, end := range map[string]report.End{
		"the call frame information says that this function has no caller": {Kind: report.Undefined},
		"threads start in clone3":                        {Kind: report.ThreadStart, Function: f},
		"the return address is 0":                        {Kind: report.ZeroReturn},
		"threads start in clone3, but a guess led there": {Kind: report.GuessedStart, Function: f},
		"the call frame information says that this function has no caller, but a guess led here": {Kind: report.GuessedUndefined},
		"the return address is 0, but a guess led here":                                          {Kind: report.GuessedZero},
		"the chain of frames ends here, and no caller was found beyond it":                       {Kind: report.ChainEnd},
		"no plausible return address in the words above 0x7fff0010":                              {Kind: report.NoReturn, Address: at},
		"no plausible return address up to 0x7fff0010, where the captured memory ends":           {Kind: report.MemoryEnds, Address: at},
		"stack not captured at 0x7fff0010":                                                       {Kind: report.NotCaptured, Address: at},
		"the stack pointer is not known":                                                         {Kind: report.NoStack},
		"no progress: the caller's stack pointer 0x10 does not lie above 0x7fff0010":             {Kind: report.NoProgress, Address: at, To: addr(0x10)},
		"no code can be at the return address 0x7fff0010":                                        {Kind: report.NoCode, Address: at},
		"the frame limit of 1 is reached":                                                        {Kind: report.FrameLimit, Limit: 1},
		"the file does not have the program counter":                                             {Kind: report.NoPC},
		"the CPU is not known":                                                                   {Kind: report.NoCPU},
		"not walked: another thread was requested":                                               {Kind: report.NotWalked},
		"the other frames need symbols that are still being read":                                {Kind: report.SymbolsAwaited},
		"this thread wrote the dump; its stack is that of the crash handler":                     {Kind: report.WroteDump},
		"the file does not have the registers of this thread":                                    {Kind: report.NoRegisters},
		"the file states these frames, and no further ones":                                      {Kind: report.FileStates},
		"stack not captured at 0xffffffffffffffff":                                               {Kind: report.NotCaptured, Address: addr(1<<64 - 1)},
		"stack not captured at 0x0":                                                              {Kind: report.NotCaptured, Address: ptr(report.Address("not a number"))},
		"no progress: the caller's stack pointer ? does not lie above ?":                         {Kind: report.NoProgress},
		"threads start in ":                                 {Kind: report.ThreadStart},
		`threads start in a\x0ab{to}`:                       {Kind: report.ThreadStart, Function: ptr("a\nb{to}"), To: at},
		"threads start in " + strings.Repeat("long<", 1000): {Kind: report.ThreadStart, Function: ptr(strings.Repeat("long<", 1000))},
	} {
		if got := endSentence(&end); got != want {
			t.Errorf("%s: got %q, want %q", end.Kind, got, want)
		}
	}
}

// Every next step, as the sentence that a reader sees.
func TestNextWords(t *testing.T) {
	get := func(change func(*report.NextStep)) report.NextStep {
		s := report.NextStep{Kind: report.GetSymbols, File: "a.pdb", Server: "https://s.example"}
		change(&s)
		return s
	}
	from := func(o report.Origin) report.NextStep { return get(func(s *report.NextStep) { s.Origin = o }) }
	state := func(state string) report.NextStep { return get(func(s *report.NextStep) { s.State = state }) }
	for _, tt := range []struct {
		step report.NextStep
		want string
	}{
		{report.NextStep{Kind: report.GetDump}, "Ask for the dump again: this file is truncated or damaged."},
		{get(func(*report.NextStep) {}), "Get `a.pdb`."},
		{get(func(s *report.NextStep) { s.ID = "0A1" }), "Get `a.pdb` with ID `0A1`."},
		{get(func(s *report.NextStep) { s.File, s.ID = "a`b\x1b", "`" }), "Get `a'b\x1b` with ID `'`."},
		{from(report.FromBuild), "Get `a.pdb` from the output folder of that build."},
		{from(report.FromMicrosoft), "Get `a.pdb` from Microsoft's symbol server, https://s.example."},
		{from(report.FromMozilla), "Get `a.pdb` from Mozilla's symbol server, https://s.example."},
		{from(report.FromChromium), "Get `a.pdb` from Chromium's symbol server, https://s.example."},
		{from(report.FromElectron), "Get `a.pdb` from Electron's symbol server, https://s.example."},
		{from(report.FromDistro), "Get `a.pdb` from the distribution: its debug package, or its debuginfod server (https://s.example lists them)."},
		{from(report.FromMac), "Get `a.pdb` from a Mac with the same version of macOS."},
		{from(report.FromDevice), "Get `a.pdb` from a device with the same system build."},
		{from("of a later version"), "Get `a.pdb`."},
		{state(report.SymbolsMissing), "Get `a.pdb`."},
		{state(report.SymbolsWrongBuild), "Get `a.pdb`; the given file is mismatched (from another build)."},
		{state(report.SymbolsDamaged), "Get `a.pdb`; the given file is damaged."},
		{state(report.SymbolsPublicOnly), "Get `a.pdb`; the given file has no source lines."},
		{get(func(s *report.NextStep) { s.File, s.Split = "app", []string{"a.dwo"} }), "Add `app.dwp`, or `a.dwo`: the debug information of the given `app` was split off."},
		{
			get(func(s *report.NextStep) { s.File, s.Split = "app", []string{"a.dwo", "b.dwo"} }),
			"Add `app.dwp`, or the .dwo files, such as `a.dwo`: the debug information of the given `app` was split off.",
		},
		{
			get(func(s *report.NextStep) { s.ID, s.Origin, s.State = "0A1", report.FromBuild, report.SymbolsDamaged }),
			"Get `a.pdb` with ID `0A1` from the output folder of that build; the given file is damaged.",
		},
		{report.NextStep{Kind: report.GetCode, File: "app"}, "Add the file `app` of this build: the dump lacks the instruction that failed, and the file has it."},
		{report.NextStep{Kind: report.CompareLocks, Functions: []string{"f(int)", "g"}}, "Compare the order in which `f(int)` and `g` take their locks: they wait for each other."},
		{report.NextStep{Kind: report.CompareLocks, Functions: []string{"f"}, Locks: []string{"a", "b"}}, "Compare the order in which the calls of `f` take `a` and `b`: they wait for each other."},
		{report.NextStep{Kind: report.CompareWaits, Functions: []string{"f", "g", "h"}}, "Look at `f`, `g` and `h`: they wait for each other."},
		{report.NextStep{Kind: report.Relock, Functions: []string{"f"}, Locks: []string{"a"}}, "Look at `f`: it waits for `a`, which its own thread holds."},
		{report.NextStep{Kind: report.Relock, Functions: []string{"f"}}, "Look at `f`: it waits for its own thread."},
		{report.NextStep{Kind: report.LookAt, Function: "f(int)"}, "Look at `f(int)`."},
		{report.NextStep{Kind: report.LookAt, Function: "f", At: "a.c:1"}, "Look at `f` at `a.c:1`."},
		{report.NextStep{Kind: report.LookAt, Function: "f", Row: ptr(0)}, "Look at `f`, frame 0."},
		{report.NextStep{Kind: report.LookAt, Function: "f", Register: "rax", Value: addr(1<<64 - 1)}, "Look at `f`, and find out why `rax` is 0xffffffffffffffff."},
		{report.NextStep{Kind: report.LookAt, Function: "f", At: "a.c:1", Row: ptr(12), Register: "rax"}, "Look at `f` at `a.c:1`, frame 12, and find out why `rax` is ?."},
		{report.NextStep{Kind: report.LookAt, Function: "`anonymous namespace'::f"}, "Look at `(anonymous namespace)::f`."},
		{report.NextStep{Kind: report.TellVendor, File: "a.dll", Vendor: "V", Path: `C:\a.dll`}, "Update `a.dll`, or report the crash to its maker, V."},
		{report.NextStep{Kind: report.TellVendor, File: "a.dll", Path: `C:\a.dll`}, "Report the crash to the maker of `C:\\a.dll`, which is not part of the program."},
		{report.NextStep{Kind: report.UpdateDriver, File: "a.sys", Vendor: "V"}, "Update the driver `a.sys` from its maker, V, or remove the device or program that it belongs to."},
		{report.NextStep{Kind: report.UpdateDriver, File: "a.sys"}, "Update the driver `a.sys` or remove the device or program that it belongs to."},
		{report.NextStep{Kind: report.TellVendor, File: "a.dll"}, "Report the crash to the maker of `a.dll`, which is not part of the program."},
		{report.NextStep{Kind: report.CheckMemory}, "Test the memory of the machine if its other crashes look different each time."},
		{report.NextStep{Kind: report.RunSanitizer}, "Run the program with AddressSanitizer, or on Windows with page heap: it stops where the memory is damaged."},
		{report.NextStep{Kind: "of a later version", Text: "Its own words."}, "Its own words."},
		{report.NextStep{}, ""},
	} {
		if got := nextSentence(&tt.step); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.step.Kind, got, tt.want)
		}
	}
}

// Every kind of wait in the sentence "Waits for …", with what may follow it.
func TestWaitWords(t *testing.T) {
	at := func(kind report.WaitKind) report.Wait { return report.Wait{Kind: kind, Object: addr(0x10)} }
	file := func(kind report.WaitKind) report.Wait { return report.Wait{Kind: kind, Descriptor: ptr(int64(-1))} }
	alone := func(kind report.WaitKind) report.Wait { return report.Wait{Kind: kind} }
	for want, w := range map[string]report.Wait{
		"a mutex at 0x10": at("mutex"),
		"read access to a reader-writer lock at 0x10":           at("read_lock"),
		"write access to a reader-writer lock at 0x10":          at("write_lock"),
		"a condition variable, at the word 0x10":                at("condition"),
		"a semaphore at 0x10":                                   at("semaphore"),
		"the other threads at a barrier, at the word 0x10":      at("barrier"),
		"an initialization by another thread, at the word 0x10": at("once"),
		"a thread to end, at the word 0x10":                     at("join"),
		"a wake-up by its runtime, at the word 0x10":            at("park"),
		"a word to change at 0x10":                              at("futex"),
		"a critical section at 0x10":                            at("critical_section"),
		"a slim reader-writer lock at 0x10":                     at("srw_lock"),
		"a word to change":                                      alone("address"),
		"a kernel object":                                       alone("object"),
		"kernel objects":                                        alone("objects"),
		"an I/O completion":                                     alone("completion_port"),
		"work for a thread pool":                                alone("worker"),
		"a window message":                                      alone("ui_message"),
		"a message, file descriptor -1":                         file("message"),
		"files to become ready":                                 alone("poll"),
		"a timeout to expire":                                   alone("sleep"),
		"data, file descriptor -1":                              file("read"),
		"space to write, file descriptor -1":                    file("write"),
		"a connection, file descriptor -1":                      file("accept"),
		"a peer to answer, file descriptor -1":                  file("connect"),
		"a file lock, file descriptor -1":                       file("file_lock"),
		"a signal":                                              alone("signal"),
		"a child process to end":                                alone("child"),
		"asynchronous I/O to end":                               alone("io"),
		"a value from a channel":                                alone("channel_receive"),
		"a receiver, or room, in a channel":                     alone("channel_send"),
		"a mutex `a.lock` at 0x10":                              {Kind: "mutex", Object: addr(0x10), Name: "a.lock"},
		"":                                                      alone(""),
	} {
		if got := waitSentence(&report.Report{}, &w); got != want {
			t.Errorf("%s: got %q, want %q", w.Kind, got, want)
		}
	}
	if n := len(waitWords); n != 31 {
		t.Errorf("%d kinds have words, and 31 are above", n)
	}
}

// What is known of the thread that can end a wait, in the words of a lock and of a thread's end.
func TestHolderWords(t *testing.T) {
	r := &report.Report{Threads: []report.Thread{{ID: 3}, {ID: 4, Name: ptr("io\n")}, {ID: 5, Name: ptr("")}}}
	for _, tt := range []struct {
		holder     report.WaitHolder
		thread     *int
		id         *uint32
		lock, join string // behind "a mutex" and "a thread to end"
	}{
		{report.WaitHeld, ptr(0), ptr(uint32(3)), ", held by thread 3", ", held by thread 3"},
		{report.WaitHeld, ptr(1), ptr(uint32(4)), `, held by thread 4 io\x0a`, `, held by thread 4 io\x0a`},
		{report.WaitHeld, ptr(2), ptr(uint32(5)), ", held by thread 5", ", held by thread 5"},
		{report.WaitHeld, ptr(3), ptr(uint32(6)), ", held by thread 6", ", held by thread 6"},
		{report.WaitHeld, ptr(-1), ptr(uint32(6)), ", held by thread 6", ", held by thread 6"},
		{report.WaitHeld, nil, nil, ", held by a thread", ", held by a thread"},
		{report.WaitJoined, ptr(1), ptr(uint32(4)), `: thread 4 io\x0a`, `: thread 4 io\x0a`},
		{report.WaitGone, nil, ptr(uint32(1<<32 - 1)), ", held by thread 4294967295, which is not in the dump", ": thread 4294967295, which is not in the dump"},
		{report.WaitFree, nil, nil, ", which no thread holds any more", ", which has ended"},
		{report.WaitReaders, nil, nil, ", held by readers", ", held by readers"},
		{report.WaitNotRecorded, nil, nil, ", which does not record its holder", ", which does not record its holder"},
		{report.WaitNotCaptured, nil, nil, ", whose holder was not captured", ", which was not captured"},
		{report.WaitNotFound, nil, nil, "; its holder is not known", "; which one is not known"},
		{report.WaitNoHolder, nil, nil, "", ""},
		{"of a later version", nil, nil, "", ""},
	} {
		w := report.Wait{Kind: "mutex", Holder: tt.holder, Thread: tt.thread, ThreadID: tt.id}
		if got := waitSentence(r, &w); got != "a mutex"+tt.lock {
			t.Errorf("%s: got %q, want %q", tt.holder, got, "a mutex"+tt.lock)
		}
		w.Kind = report.WaitJoin
		if got := waitSentence(r, &w); got != "a thread to end"+tt.join {
			t.Errorf("%s: got %q, want %q", tt.holder, got, "a thread to end"+tt.join)
		}
	}
}

// Each kind of evidence of a wait on one line.
func TestObserved(t *testing.T) {
	for want, e := range map[string]report.WaitEvidence{
		"frame 0 is in pthread_mutex_lock": {Kind: "function", Frame: ptr(0), Name: "pthread_mutex_lock", Meaning: "waits_in"},
		`frame 3 is in a\x1b`:              {Kind: "function", Frame: ptr(3), Name: "a\x1b"},
		"[0x0000000000000008] = 0x0000004d, ID of the thread that holds it":                  {Kind: "word", Address: addr(8), Size: 4, Value: ptr(report.Addr(77, 4)), Meaning: "owner"},
		"[0x0000000000000008] = 0x0000000000000000":                                          {Kind: "word", Address: addr(8), Value: addr(0), Meaning: "of a later version"},
		"the code at 0x0000000000000010 loads 0x00000000000000ca, number of the system call": {Kind: "code", Address: addr(16), Value: addr(202), Meaning: "system_call"},
		"rdi = 0x0000000000000010, address of the word that the thread waits at":             {Kind: "register", Name: "rdi", Value: addr(16), Meaning: "futex"},
		`r\x1b = 0x0000000000000010`:                                                         {Kind: "register", Name: "r\x1b", Value: addr(16)},
		"0x0000000000000005, according to the kernel":                                        {Kind: "kernel", Value: addr(5)},
		"0x00000000000000ca, number of the system call, according to the kernel":             {Kind: "kernel", Value: addr(202), Meaning: "system_call"},
		"a word without its address = 0x0000000000000005, state of the lock":                 {Kind: "word", Name: "a word without its address", Value: addr(5), Meaning: "lock"},
		"code without its address = 0x0000000000000005, state of the lock":                   {Kind: "code", Name: "code without its address", Value: addr(5), Meaning: "lock"},
		"a word without a value":                                                             {Kind: "word", Name: "a word without a value", Address: addr(8), Meaning: "lock"},
		"code without a value":                                                               {Kind: "code", Name: "code without a value", Address: addr(8)},
		"a register without a value\\x07":                                                    {Kind: "register", Name: "a register without a value\a"},
		"":                                                                                   {},
	} {
		if got := observed(&e); got != want {
			t.Errorf("%+v: got %q, want %q", e, got, want)
		}
	}
}

// Every value that proves a wait has words, which follow a comma.
func TestMeaningWords(t *testing.T) {
	for meaning, want := range map[report.WaitMeaning]string{
		"interrupted": "mark of an interrupted system call", "operation": "futex operation", "expected": "value that the thread expects there",
		"users": "threads that use it", "lock_kind": "type of the lock", "thread_id": "ID of the thread until it ends", "self": "the thread's block points to itself",
		"descriptor": "file descriptor", "section": "address of the critical section", "recursion": "number of times that the owner holds it", "debug_record": "its debug record points back",
	} {
		e := report.WaitEvidence{Kind: "register", Name: "rax", Value: addr(1), Meaning: meaning}
		if got := observed(&e); got != "rax = 0x0000000000000001, "+want {
			t.Errorf("%s: %q, want %q at its end", meaning, got, want)
		}
	}
}

// How a frame was found, in the words of HTML and the text, with the reasons to doubt its name.
func TestFoundWords(t *testing.T) {
	for _, tt := range []struct {
		name       string
		frame      report.Frame
		html, text string
	}{
		{"the registers of the crash", report.Frame{Trust: report.TrustContext, FoundBy: report.ByContext}, "context", "given as instruction pointer in context"},
		{"a rule", report.Frame{Trust: report.TrustCFI, FoundBy: report.ByCFI}, "CFI", "call frame info"},
		{"a leaf", report.Frame{Trust: report.TrustLeaf, FoundBy: report.ByLeaf}, "leaf return", "simulating a return from leaf function"},
		{"a signal frame", report.Frame{Trust: report.TrustCFI, FoundBy: report.BySignal}, "signal frame", "registers saved in a signal frame"},
		{"a guess", report.Frame{Trust: report.TrustScan, FoundBy: report.ByScan, Guess: true}, "guess (scan)", "stack scanning"},
		{"a rule whose result was scanned for", report.Frame{Trust: report.TrustCFIScan, FoundBy: report.ByCFI}, "guess (CFI)", "call frame info with scanning"},
		{"a rule after a guess", report.Frame{Trust: report.TrustCFI, FoundBy: report.ByCFI, Guess: true}, "CFI, after a guess", "call frame info, after a guess"},
		{"mismatched symbols", report.Frame{FoundBy: report.ByCFI, UsedAnyway: true}, "CFI; names from mismatched symbols", "call frame info; names from mismatched symbols"},
		{"folded code", report.Frame{FoundBy: report.ByCFI, Folded: true}, "CFI; identical code folding, may be another function", "call frame info; identical code folding, may be another function"},
		{"a clone", report.Frame{FoundBy: report.ByCFI, Clone: ".cold<"}, "CFI; clone .cold&lt;", "call frame info; clone .cold<"},
		{
			"all doubts", report.Frame{FoundBy: report.ByScan, Trust: report.TrustScan, UsedAnyway: true, Folded: true, Clone: ".0"},
			"guess (scan); names from mismatched symbols; identical code folding, may be another function; clone .0",
			"stack scanning; names from mismatched symbols; identical code folding, may be another function; clone .0",
		},
		{"nothing", report.Frame{}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.frame.Offset = *addr(0x10)
			lacks(t, formed(t, HTML, crashOf(tt.frame), Options{}), "<span>"+tt.html+"</span>")
			lacks(t, formed(t, Text, crashOf(tt.frame), Options{}), "    Found by: "+tt.text+"\n")
		})
	}
}
