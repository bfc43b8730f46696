package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Each row is one fact, and the HTML of it.
func TestHTMLFacts(t *testing.T) {
	at := uint32(1763800000)
	for _, tt := range []struct {
		name   string
		report report.Report
		want   string
	}{
		{"nothing at all", report.Report{}, "<h2>Facts</h2>\n<dl>\n</dl>\n</section>\n</main>"},
		{"a reason", report.Report{CrashInfo: report.CrashInfo{Type: ptr("<T>")}}, "<dt>Reason</dt><dd>&lt;T&gt;</dd>"},
		{"no address", report.Report{CrashInfo: report.CrashInfo{Address: addr(1), NoAddress: ptr("sent")}}, "<dt>Address</dt><dd>none: sent</dd>"},
		{"a parameter without a meaning", report.Report{CrashInfo: report.CrashInfo{Parameters: []report.Address{"0x1"}}}, "<dt>Parameter</dt><dd>0x1</dd>"},
		{"a parameter", report.Report{CrashInfo: report.CrashInfo{Parameters: []report.Address{"0x1"}, ParameterMeanings: []string{"write"}}}, "<dt>Parameter</dt><dd>0x1 write</dd>"},
		{"a version without a system", report.Report{SystemInfo: report.SystemInfo{OSVersion: ptr("6.1")}}, "<dt>Operating system</dt><dd>6.1</dd>"},
		{"a time", report.Report{Dump: report.Dump{Time: &at}}, "<dt>Written</dt><dd>2025-11-22 08:26:40 UTC</dd>"},
		{"the first second", report.Report{Dump: report.Dump{Time: ptr(uint32(0))}}, "<dt>Written</dt><dd>1970-01-01 00:00:00 UTC</dd>"},
		{"the last second", report.Report{Dump: report.Dump{Time: ptr(uint32(1<<32 - 1))}}, "<dt>Written</dt><dd>2106-02-07 06:28:15 UTC</dd>"},
		{"a process", report.Report{PID: ptr(uint32(1)), Dump: report.Dump{Process: ptr("/bin/a&b")}}, "<dt>Process</dt><dd>/bin/a&amp;b</dd></div>\n<div><dt>Process ID</dt><dd>1</dd>"},
		{"an uptime", report.Report{ProcessUptime: ptr(uint64(0))}, "<dt>Uptime</dt><dd>0 s</dd>"},
		{"a file", report.Report{Dump: report.Dump{Size: 1, Kind: "minidump", Hash: ptr("abc")}}, "<dt>Dump</dt><dd>1 byte, minidump abc</dd>"},
		{"an annotation of a module", report.Report{Annotations: []report.Annotation{{Name: "<n>", Value: "v", Source: "S", Module: ptr("m")}}}, "<h2>Annotations</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Value</th><th scope=\"col\">From</th></tr></thead><tbody>\n<tr><td>&lt;n&gt;</td><td>v</td><td>S m</td></tr>\n</tbody>"},
		{"the program that made it", report.Report{MadeBy: "C <1>"}, "<footer>Made by C &lt;1&gt;</footer>\n</main>"},
		{"a missing file", report.Report{WantedSymbols: []report.Wanted{{DebugFile: "a", DebugID: "1", Frames: 2, Why: ptr("w")}}}, "<h2>Symbols that would help</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">File</th><th scope=\"col\">ID</th><th scope=\"col\">Frames</th><th scope=\"col\">Why</th></tr></thead><tbody>\n<tr><td>a</td><td>1</td><td>2</td><td>w</td></tr>"},
		{"a note", report.Report{Notes: []report.Note{{Where: "w", Text: "<t>"}}}, "<h2>Notes</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Where</th><th scope=\"col\">What</th></tr></thead><tbody>\n<tr><td>w</td><td>&lt;t&gt;</td></tr>"},
		{"a module", report.Report{Modules: []report.Module{{Base: "0x1", End: "0x2", CodeFile: "a", DebugFile: "d", DebugID: "i"}}}, "<h2>Modules <small>1</small></h2>"},
		{"its row", report.Report{Modules: []report.Module{{Base: "0x1", End: "0x2", CodeFile: "a", DebugFile: "d", DebugID: "i"}}}, "<tr><td>0x1 - 0x2</td><td>a</td><td></td><td>d</td><td>i</td><td></td></tr>"},
		{"an unloaded module", report.Report{Unloaded: []report.Unloaded{{Base: "0x1", End: "0x2", CodeFile: "a", CodeID: "c"}}}, "<th scope=\"col\">Code ID</th></tr></thead><tbody>\n<tr><td>0x1 - 0x2</td><td>a</td><td>c</td></tr>"},
		{"captured memory", report.Report{MemoryRegions: []report.Region{{Base: "0x1", Size: "0x2", Protection: "r-x", State: "committed", Kind: "image", Name: "a", Captured: true}}}, "<h2>Memory map <small>1</small></h2>"},
		{"its range", report.Report{MemoryRegions: []report.Region{{Base: "0x1", Size: "0x2", Protection: "r-x", State: "committed", Kind: "image", Name: "a", Captured: true}}}, "<tr><td>0x1</td><td>0x2</td><td>r-x</td><td>committed image</td><td>a</td><td>yes</td></tr>"},
		{"memory of an unknown kind", report.Report{MemoryRegions: []report.Region{{Base: "0x1", Size: "0x2", State: "free"}}}, "<tr><td>0x1</td><td>0x2</td><td></td><td>free</td><td></td><td></td></tr>"},
		{"a handle", report.Report{Handles: []report.Handle{{Handle: 0x1c, TypeName: ptr("File"), ObjectName: ptr(`\Device\x`)}}}, "<h2>Handles <small>1</small></h2>"},
		{"its name", report.Report{Handles: []report.Handle{{Handle: 0x1c, TypeName: ptr("File"), ObjectName: ptr(`\Device\x`)}, {}}}, "<tr><td>0x1c</td><td>File</td><td>\\Device\\x</td></tr>\n<tr><td>0x0</td><td></td><td></td></tr>"},
		{"a file of /proc", report.Report{LinuxFiles: []report.TextFile{{Name: "/proc/cpuinfo", Text: "a<\nb\x1b"}, {Name: "empty"}}}, "<h2>/proc/cpuinfo <small>5</small></h2></summary>\n<pre>a&lt;\nb\\x1b</pre>\n</details>\n</section>\n</main>"},
		{"messages of macOS", report.Report{MacCrashInfo: &report.MacCrash{Records: []report.MacCrashRecord{{Module: ptr("m"), Message: ptr("a"), Message2: ptr("b"), Signature: ptr("s")}, {Message2: ptr("c")}}}}, "<h2>Crash messages of macOS</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Module</th><th scope=\"col\">Message</th><th scope=\"col\">Signature</th></tr></thead><tbody>\n<tr><td>m</td><td>a b</td><td>s</td></tr>\n<tr><td></td><td>c</td><td></td></tr>"},
		{"a stream with an error", report.Report{Streams: []report.Stream{{Type: 0x15, Name: "N", Offset: 0x20, Size: 3, Error: ptr("e")}, {Type: 0xffff0000}}}, "<tr><td>0x15</td><td>N</td><td>0x20</td><td>3</td><td>e</td></tr>\n<tr><td>0xffff0000</td><td></td><td>0x0</td><td>0</td><td></td></tr>"},
	} {
		t.Run(tt.name, func(t *testing.T) { lacks(t, formed(t, HTML, &tt.report, Options{}), tt.want) })
	}
}

// The state of a module's symbols, with the file and the reason.
func TestSymbolStates(t *testing.T) {
	for want, s := range map[string]*report.Symbols{
		"":                        nil,
		"wrong build":             {State: report.SymbolsWrongBuild},
		"public only: a.sym":      {State: report.SymbolsPublicOnly, File: ptr("a.sym")},
		"missing (not given)":     {State: report.SymbolsMissing, Why: ptr("not given")},
		"damaged: a.sym (line 3)": {State: report.SymbolsDamaged, File: ptr("a.sym"), Why: ptr("line 3")},
	} {
		if got := symbolState(s); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// The name of a frame is the best that is known: the demangled name, the symbol, the module, the
// address. The name of a far symbol is worse than its module.
func TestFrameNames(t *testing.T) {
	for _, tt := range []struct {
		frame       report.Frame
		name, where string
	}{
		{report.Frame{Offset: "0x10"}, "0x10", "0x10"},
		{report.Frame{Offset: "0x10", Module: ptr("m")}, "m", "m"},
		{report.Frame{Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(0)}, "m", "m + 0x0"},
		{report.Frame{Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(16), Function: ptr("_Z1fv")}, "_Z1fv", "m + 0x10"},
		{report.Frame{Offset: "0x10", Function: ptr("_Z1fv"), Spelling: report.Spelling{Readable: ptr("f()")}}, "f()", "0x10"},
	} {
		if got := frameName(&tt.frame); got != tt.name {
			t.Errorf("%+v: name %q, want %q", tt.frame, got, tt.name)
		}
		if got := frameModuleOffset(&tt.frame); got != tt.where {
			t.Errorf("%+v: place %q, want %q", tt.frame, got, tt.where)
		}
	}
}

// A source line is the file without folders, of either system.
func TestWhere(t *testing.T) {
	for _, tt := range []struct {
		file *string
		line *uint32
		want string
	}{
		{nil, nil, ""}, {nil, ptr(uint32(3)), ""}, {ptr(""), ptr(uint32(3)), ""}, {ptr("/a/b.c"), nil, "b.c"}, {ptr("/a/b.c"), ptr(uint32(0)), "b.c:0"}, {ptr(`c:\a\b.c`), ptr(uint32(1<<32 - 1)), "b.c:4294967295"},
		{ptr("hg:hg.mozilla.org/app:src/a.c:5f2a7c1d9b3e"), ptr(uint32(12)), "a.c:12"},
	} {
		if got := where(tt.file, tt.line); got != tt.want {
			t.Errorf("%s %v: %q, want %q", report.Text(tt.file), tt.line, got, tt.want)
		}
	}
}

// A stack shows 100 frames, and unfolds the others: 100, 101 and 102 frames.
func TestHTMLLongStacks(t *testing.T) {
	for n, want := range map[int]string{
		openFrames:     "</li>\n</ol>\n<p class",
		openFrames + 1: "</ol>\n<details><summary>1 more frame</summary>\n<ol class=\"stack\" start=\"100\">\n<li>",
		openFrames + 2: "</ol>\n<details><summary>2 more frames</summary>\n<ol class=\"stack\" start=\"100\">\n<li>",
	} {
		frames := make([]report.Frame, n)
		for i := range frames {
			frames[i].Offset = report.Hex(uint64(i))
		}
		r := crashOf(frames...)
		r.Threads[0].End = report.End{Kind: report.ZeroReturn, Complete: true}
		out := formed(t, HTML, r, Options{})
		lacks(t, out, want)
		if open, shut := strings.Count(out, "<details"), strings.Count(out, "</details>"); open != shut {
			t.Errorf("%d frames: %d elements are opened, and %d closed", n, open, shut)
		}
	}
}

// A crashing thread that is not in the list has no stack, in any form.
func TestNoSuchThread(t *testing.T) {
	for _, index := range []int{-1, 1, 1 << 30} {
		r := crashOf(report.Frame{Offset: "0x10", Variables: []report.Variable{{Name: "v"}}})
		r.CrashInfo.CrashingThread = &index
		lacks(t, formed(t, Markdown, r, Options{}), "The thread that crashed is unknown.\n")
		for form, write := range allForms {
			if out := formed(t, write, r, Options{}); strings.Contains(out, "(crashed)") || strings.Contains(out, "<small>crashed") || strings.Contains(out, "crashed**") {
				t.Errorf("%s of thread %d:\n%s", form, index, out)
			}
		}
	}
}

// The title of the thread that the dump is about, and what it waits for.
func TestThreadTitles(t *testing.T) {
	wait := &report.Wait{Kind: "mutex", Object: addr(0x10)}
	for _, tt := range []struct {
		name                 string
		thread               report.Thread
		text, markdown, html string
	}{
		{"a crash", report.Thread{ID: 7, Crashed: true}, "\nThread 0 (crashed) - tid: 7\n", "**Thread 7 crashed**", "<h2>Thread 7  <small>crashed</small></h2>"},
		{"a dump on request", report.Thread{ID: 7, Name: ptr("a<`")}, "\nThread 0 a<` (requested dump, did not crash) - tid: 7\n", "**Thread 7 `` a<` `` requested this dump**", "<h2>Thread 7 a&lt;` <small>requested this dump</small></h2>"},
		{"a wait", report.Thread{ID: 7, Waits: wait}, "tid: 7\n    Waits for a mutex at 0x10\n", "**Thread 7 requested this dump**", "</h2>\n<p>Waits for a mutex at 0x10</p>\n<ol"},
		{"an error of Windows", report.Thread{ID: 7, LastError: ptr("ERROR_FILE_NOT_FOUND\x1b")}, "tid: 7\n    Last error: ERROR_FILE_NOT_FOUND\\x1b\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &report.Report{CrashInfo: report.CrashInfo{CrashingThread: ptr(0)}, Threads: []report.Thread{tt.thread}}
			lacks(t, formed(t, Text, r, Options{}), tt.text)
			lacks(t, formed(t, Markdown, r, Options{}), tt.markdown)
			lacks(t, formed(t, HTML, r, Options{}), tt.html)
		})
	}
}

// Threads with one stack are named up to eight, and the others counted.
func TestHTMLThreadNames(t *testing.T) {
	for n, want := range map[int]string{
		1: "<summary>Thread 0 <b>f</b></summary>\n<p>Waits for a mutex</p>\n", 2: "<summary><small>2 threads</small> Thread 0, Thread 1 one <b>f</b></summary>\n<ol",
		8: "<small>8 threads</small> Thread 0, Thread 1 one, Thread 2, Thread 3, Thread 4, Thread 5, Thread 6, Thread 7 <b>f</b>",
		9: "Thread 7, 1 more <b>f</b>", 10: "Thread 7, 2 more <b>f</b>",
	} {
		r := &report.Report{}
		for i := range n {
			r.Threads = append(r.Threads, report.Thread{ID: uint32(i), Name: ptr(""), Frames: []report.Frame{{Function: ptr("f")}}, Waits: &report.Wait{Kind: "mutex"}})
		}
		if n > 1 {
			r.Threads[1].Name = ptr("one")
		}
		lacks(t, formed(t, HTML, r, Options{}), want)
	}
}

// Stacks are equal if their addresses, their trusts and their ends are.
func TestGroups(t *testing.T) {
	thread := func(offset report.Address, trust report.Trust, end report.EndKind) report.Thread {
		return report.Thread{Frames: []report.Frame{{Offset: offset, Trust: trust}}, End: report.End{Kind: end}}
	}
	r := &report.Report{Threads: []report.Thread{
		thread("0x1", "cfi", "zero_return"), thread("0x2", "cfi", "zero_return"), thread("0x1", "scan", "zero_return"), thread("0x1", "cfi", "no_stack"), thread("0x1", "cfi", "zero_return"), {}, {},
	}}
	if got, want := fmt.Sprint(groupsOf(r)), "[[0 4] [1] [2] [3] [5 6]]"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
	r.CrashInfo.CrashingThread = ptr(4)
	r.Threads[1].End.Kind = report.NotWalked
	if got, want := fmt.Sprint(groupsOf(r)), "[[0] [2] [3] [5 6]]"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
}

func groupsOf(r *report.Report) (out [][]int) {
	for _, g := range groups(r) {
		out = append(out, g.threads)
	}
	return out
}

// Memory is written in rows of 16 bytes with their characters: none, one, a full row, one more.
func TestHTMLMemory(t *testing.T) {
	for in, want := range map[string][]string{
		"":                   nil,
		"\x1f":               {"0000000000001000  1f                                               ."},
		"0123456789 <~&\x7f": {"0000000000001000  30 31 32 33 34 35 36 37 38 39 20 3c 7e 26 7f     0123456789 &lt;~&amp;."},
		"abcdefghijklmnop":   {"0000000000001000  61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  abcdefghijklmnop"},
		"abcdefghijklmnopq":  {"0000000000001000  61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  abcdefghijklmnop", "0000000000001010  71                                               q"},
	} {
		out := formed(t, HTML, &report.Report{}, Options{Memory: []Excerpt{{Title: "<m>", Base: 0x1000, Bytes: []byte(in)}}})
		if got := regexp.MustCompile(`(?m)^(?:<pre>)?([0-9a-f]{16}  .*)$`).FindAllStringSubmatch(out, -1); len(got) != len(want) {
			t.Errorf("%q: %d rows, want %d", in, len(got), len(want))
		}
		lacks(t, out, want...)
		if len(in) > 0 {
			lacks(t, out, fmt.Sprintf("<h2>Memory: &lt;m&gt; <small>%d</small></h2>", len(in)))
		}
	}
}

// A report that had to be shortened has no memory: its frames are worth more.
func TestHTMLMemoryGoesFirst(t *testing.T) {
	less(t, 2<<20)
	r := heavy(strings.Repeat("x", 1<<15), 50)
	if out := formed(t, HTML, r, Options{Memory: []Excerpt{{Title: "m", Bytes: []byte("secret bytes")}}}); strings.Contains(out, "secret bytes") {
		t.Error("the memory is in a report that was shortened")
	}
}

// The evidence of a frame: methods with what they read. Only important frames can be opened.
func TestHTMLEvidence(t *testing.T) {
	step := report.Step{Method: "CFI <", Result: "refused", Text: "line 1\nline <2>", Reads: []report.Read{{Address: "0x8", Value: "0x1"}}}
	for _, tt := range []struct {
		name  string
		frame report.Frame
		want  string
	}{
		{"nothing to show", report.Frame{Offset: "0x1"}, "<li><div class=\"row\"><b>0x1</b>"},
		{"a register", report.Frame{Offset: "0x1", Registers: report.Registers{{Name: "r<", Value: "0x2"}}}, "<dl class=\"regs\"><div><dt>r&lt;</dt><dd>0x2</dd></div></dl>\n</details></li>"},
		{"a linkage name", report.Frame{Offset: "0x1", Registers: report.Registers{{Name: "r", Value: "0x2"}}, Spelling: report.Spelling{Linkage: ptr("_Z<")}}, "<p>Linkage name: <code>_Z&lt;</code></p>\n<dl"},
		{"a step", report.Frame{Offset: "0x1", Evidence: []report.Step{step}}, "<h3>Why this frame</h3>\n<ul class=\"why\">\n<li class=\"refused\">CFI &lt;: refused<pre>line 1\nline &lt;2&gt;\n[0x8] = 0x1</pre></li>\n</ul>\n</details></li>"},
		{"a variable", report.Frame{Offset: "0x1", Variables: []report.Variable{{Name: "v"}}}, "<ul class=\"vars\">\n<li><code><b>v</b></code> <small></small></li>\n</ul>\n</details></li>"},
		{"a guess", report.Frame{Offset: "0x1", Guess: true}, "<li class=\"guess\"><div"},
		{"a scan", report.Frame{Offset: "0x1", Trust: report.TrustScan}, "<li class=\"guess\"><div"},
		{"an inlined call of a guess", report.Frame{Offset: "0x1", Guess: true, Inlines: []report.Inline{{}}}, "<li class=\"inline guess\"><div class=\"row\"><b>~ &lt;name omitted&gt;</b> <i></i> <code></code> <span>inlined</span></div></li>"},
		{"an inlined call by mismatched symbols", report.Frame{Offset: "0x1", UsedAnyway: true, Inlines: []report.Inline{{Function: ptr("f"), File: ptr("/a.c"), Line: ptr(uint32(1))}}}, "<b>~ f</b> <i>a.c:1</i> <code></code> <span>inlined; names from mismatched symbols</span>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lacks(t, formed(t, HTML, crashOf(tt.frame), Options{}), tt.want)
			other := crashOf(tt.frame)
			other.CrashInfo.CrashingThread = nil
			if out := formed(t, HTML, other, Options{}); strings.Contains(out, "<dl class=\"regs\">") || strings.Contains(out, "Why this frame") {
				t.Error("a thread that did not crash has registers or evidence")
			}
		})
	}
}
