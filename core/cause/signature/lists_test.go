package signature

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// A pattern is the beginning of a frame, with any characters for a star and the
// end of the frame for an exclamation mark.
func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		begins  []string
		not     []string
	}{
		{"malloc", []string{"malloc", "malloc_usable", "malloc(int)"}, []string{"mallo", "je_malloc", ""}},
		{"raise!", []string{"raise"}, []string{"raise_", "rais", "a raise"}},
		{"*abort", []string{"abort", "__GI_abort", "std::process::abort_internal"}, []string{"abor", ""}},
		{"a*b*c", []string{"abc", "a1b2c3", "abbc"}, []string{"acb", "ab", "1abc"}},
		{"a*a", []string{"aa", "a1a"}, []string{"a"}}, // a part is not used twice
	} {
		list := parseList("# what they have in common\n\n" + tt.pattern + "\n")
		if len(list) != 1 {
			t.Fatalf("%s: %d patterns", tt.pattern, len(list))
		}
		for _, frame := range tt.begins {
			if !list[0].begins(frame) {
				t.Errorf("%s does not begin %q", tt.pattern, frame)
			}
		}
		for _, frame := range tt.not {
			if list[0].begins(frame) {
				t.Errorf("%s begins %q", tt.pattern, frame)
			}
		}
	}
}

// Frames of Socorro's lists, each with what is done with it. Source:
// socorro/signature/siglists: irrelevant_signature_re.txt, prefix_signature_re.txt.
func TestListedFrames(t *testing.T) {
	for frame, want := range map[string]string{
		"__GI_raise":                             "irrelevant",
		"__pthread_kill_implementation":          "irrelevant",
		"_chkstk":                                "irrelevant",
		"@0x123456":                              "irrelevant", // a place in no module
		"@0x0":                                   "prefix",     // a call of null
		"raise":                                  "prefix",
		"memcpy":                                 "prefix",
		"malloc":                                 "prefix",
		"kill":                                   "prefix",
		"_purecall":                              "prefix sentinel",
		"_sigtramp":                              "irrelevant sentinel", // a stack begins behind it
		"google_breakpad::ExceptionHandler::Run": "",
		"google_breakpad::ExceptionHandler::HandleInvalidParameter": "sentinel",
		"desk::open": "",
		"main":       "",
		"app@0x10":   "",
		"@":          "",
		"":           "",
	} {
		var got []string
		for _, is := range []struct {
			name string
			ok   bool
		}{{"irrelevant", isIrrelevant(frame)}, {"prefix", isPrefix(frame)}, {"sentinel", isSentinel(frame)}} {
			if is.ok {
				got = append(got, is.name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %q", frame, got, want)
		}
	}
}

// Both lists are in groups, each with a line that tells what it has in common.
func TestGroupsAreNamed(t *testing.T) {
	for name, list := range map[string]string{"irrelevant": irrelevantText, "prefixes": prefixText} {
		lines := strings.Split(strings.TrimSpace(list), "\n")
		if !strings.HasPrefix(lines[0], "# ") {
			t.Errorf("%s begins with %q", name, lines[0])
		}
		for i, line := range lines[1:] {
			if strings.HasPrefix(line, "#") && (strings.HasPrefix(lines[i], "#") || i+2 == len(lines)) {
				t.Errorf("%s: the group %q is empty", name, line)
			}
		}
	}
}

// A name that may be that of another function is marked. The lists treat it like others, but a stack does not begin there, and no
// rule concludes anything from it.
func TestUncertainNames(t *testing.T) {
	for name, tt := range map[string]struct {
		frames []string // near ones with a mark
		want   string
	}{
		"a function":                {[]string{"~ f", "g"}, "~ f"},
		"with the next":             {[]string{"~ abort", "f"}, "~ abort | f"},
		"irrelevant":                {[]string{"~ __aeabi_memcpy", "f"}, "f"},
		"where a stack would begin": {[]string{"f", "~ _purecall", "g"}, "f"},
		"no memory":                 {[]string{"~ NS_ABORT_OOM", "f"}, "~ NS_ABORT_OOM | f"},
		"a watchdog":                {[]string{"~ RunWatchdog", "f"}, "~ RunWatchdog"},
	} {
		th := calls()
		for _, f := range tt.frames {
			name, near := strings.CutPrefix(f, symbolize.Mark)
			frame := calls(name).Frames[0]
			if near {
				frame.Certainty = report.NameNearest
			}
			th.Frames = append(th.Frames, frame)
		}
		r := &report.Report{Threads: []report.Thread{th}, CrashInfo: report.CrashInfo{CrashingThread: ptr(0)}, Verdict: report.Verdict{Crashed: true}}
		if got := Socorro(r); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A library of the system stands once without its place, however many frames it
// has one behind the other. One that is gone keeps its place.
func TestLibraries(t *testing.T) {
	for _, tt := range []struct {
		frames []string
		want   string
	}{
		{[]string{"ntdll.dll@0x1", "ntdll.dll@0x2", "kernel32.dll@0x3", "ntdll.dll@0x4", "f"}, "ntdll.dll | kernel32.dll | ntdll.dll | f"},
		{[]string{"Own.DLL@0x1", "f"}, "Own.DLL"}, // the lists know the spelling of Windows alone
		{[]string{"libown.so@0x1", "f"}, "libown.so@0x1"},
		{[]string{"(unloaded gone.dll@0x10)", "f"}, "(unloaded gone.dll@0x10) | f"},
	} {
		if got := fromFrames(tt.frames); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.frames, got, tt.want)
		}
	}
}

// Addresses are written as Socorro writes them: without zeros in front.
func TestOffsets(t *testing.T) {
	for in, want := range map[string]string{
		"0x0000000000001f26": "0x1f26", "0x0": "0x0", "0x": "0x0", "": "0x0", "0x00": "0x0", "0x10": "0x10", "1f": "0x1f",
	} {
		a := report.Address(in)
		if got := offset(&a); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := offset(nil); got != "0x0" {
		t.Errorf("none: %q", got)
	}
}

// Which files are Rust's: by their ending, behind what Mozilla's builds put around it.
func TestRustFiles(t *testing.T) {
	for file, want := range map[string]bool{
		"src/main.rs": true,
		"git:github.com/rust-lang/rust:src/lib.rs:0123": true,
		"git:example.org/x:src/lib.cc:0123.rs":          false,
		"git:example.org:src/lib.rs":                    true, // three parts: a path of its own
		"a.rs.cc":                                       false,
		"":                                              false,
	} {
		if got := isRust(file); got != want {
			t.Errorf("%q: %t", file, got)
		}
	}
}

// At most 40 frames are looked at, inlined calls among them.
func TestMostFrames(t *testing.T) {
	thread := calls(slices.Repeat([]string{"f"}, 30)...)
	for i := range thread.Frames {
		thread.Frames[i].Inlines = []report.Inline{{Function: ptr("g")}, {Function: nil}}
	}
	list := frames(&thread, false)
	if len(list) != mostFrames || list[0] != "g" || list[1] != "app@0x10" || list[2] != "f" || list[39] != "g" {
		t.Errorf("%d frames: %q", len(list), list)
	}
}

// What an annotation says is cut to its bounds: 100 characters of a channel's error,
// 80 bytes of a message that ends the program, printable ones alone.
func TestBoundsOfAnnotations(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"ipc_channel_error", strings.Repeat("ü", 101), "IPCError-content | " + strings.Repeat("ü", 100)},
		{"AbortMessage", strings.Repeat("a", 80), "Abort | " + strings.Repeat("a", 80) + " | f"},
		{"AbortMessage", "a\x7fb\x01ü~", "Abort | ab~ | f"},
		{"AbortMessage", "no: file a.cc", "Abort | no | f"},
		{"OOMAllocationSize", "0", "OOM | small"},
		{"OOMAllocationSize", "-1", "OOM | unknown | f"},
	} {
		r := crashed(calls("f", "main"))
		r.Annotations = []report.Annotation{{Name: tt.name, Value: tt.value}}
		if got := Socorro(r); got != tt.want {
			t.Errorf("%s %.20q: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}
