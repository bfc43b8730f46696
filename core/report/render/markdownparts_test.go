package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

// The title of a report is the verdict, or what the exception says, or what is left to say.
func TestHappened(t *testing.T) {
	for _, tt := range []struct {
		want   string
		report report.Report
	}{
		{"Dump of a process that did not crash", report.Report{}},
		{"Crash of an unknown kind", report.Report{Verdict: report.Verdict{Crashed: true}}},
		{"Crash of an unknown kind", report.Report{Verdict: report.Verdict{Crashed: true}, CrashInfo: report.CrashInfo{Type: ptr("")}}},
		{"SIGSEGV", report.Report{Verdict: report.Verdict{Crashed: true}, CrashInfo: report.CrashInfo{Type: ptr("SIGSEGV")}}},
		{"for people", report.Report{CrashInfo: report.CrashInfo{Type: ptr("SIGSEGV"), Reason: ptr("for people")}}},
		{"What", report.Report{Verdict: report.Verdict{What: "What"}, CrashInfo: report.CrashInfo{Type: ptr("SIGSEGV")}}},
	} {
		if got := happened(&tt.report); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.report.CrashInfo, got, tt.want)
		}
		lacks(t, formed(t, HTML, &tt.report, Options{}), "<title>Crash report: "+tt.want+"</title>")
		lacks(t, formed(t, Markdown, &tt.report, Options{}), "### "+tt.want+"\n")
	}
}

// The program is the module of the process's path, else the main module. Its build is a build ID of
// at least 32 hex digits, or the debug ID unless that is zeros.
func TestProgramAndBuild(t *testing.T) {
	id := strings.Repeat("a1", 16)
	one := func(m report.Module) report.Report { return report.Report{Modules: []report.Module{m}} }
	for _, tt := range []struct {
		name, program, build string
		report               report.Report
	}{
		{"no module", "", "", report.Report{}},
		{"a main module that is not there", "", "", report.Report{Modules: []report.Module{{CodeFile: "a"}}, MainModule: 1}},
		{"a negative main module", "", "", report.Report{Modules: []report.Module{{CodeFile: "a"}}, MainModule: -1}},
		{"the main module", "b", "", report.Report{Modules: []report.Module{{CodeFile: "a"}, {CodeFile: "b"}}, MainModule: 1}},
		{"the module of the path", "b 1.0", "", report.Report{Modules: []report.Module{{CodeFile: "a", Path: "/a"}, {CodeFile: "b", Path: "/b", Version: ptr("1.0")}}, Dump: report.Dump{Process: ptr("/b")}}},
		{"the first one, at the path", "a", "", report.Report{Modules: []report.Module{{CodeFile: "a", Path: "/a"}, {CodeFile: "b"}}, Dump: report.Dump{Process: ptr("/a")}, MainModule: 1}},
		{"a path of no module", "a", "", report.Report{Modules: []report.Module{{CodeFile: "a"}}, Dump: report.Dump{Process: ptr("/b")}}},
		{"a build ID", "", id, one(report.Module{CodeID: id, DebugID: "D"})},
		{"a code ID that is a time and a size", "", "D", one(report.Module{CodeID: id[1:], DebugID: "D"})},
		{"a debug ID of zeros", "", "", one(report.Module{CodeID: "5f", DebugID: strings.Repeat("0", 33)})},
		{"a debug ID with one digit", "", "0001", one(report.Module{DebugID: "0001"})},
	} {
		if got := program(&tt.report); got != tt.program {
			t.Errorf("%s: program %q, want %q", tt.name, got, tt.program)
		}
		if got := build(&tt.report); got != tt.build {
			t.Errorf("%s: build %q, want %q", tt.name, got, tt.build)
		}
	}
}

// The details of an issue, each as code.
func TestMarkdownDetails(t *testing.T) {
	at := uint32(1763800000)
	for want, r := range map[string]report.Report{
		"**Details**\n\n\n":                                                                   {},
		"- **Signature:** ``a`b``\n":                                                          {Signature: ptr("a`b")},
		"- **Reason:** `T`\n- **Address:** `none: sent`\n":                                    {CrashInfo: report.CrashInfo{Type: ptr("T"), Address: addr(1), NoAddress: ptr("sent")}},
		"- **Address:** `0x0000000000000001`\n- **Instruction:** `i`":                         {CrashInfo: report.CrashInfo{Address: addr(1), Instruction: ptr("i")}},
		"- **System:** `Linux 6.1`\n- **CPU:** `amd64 family 6`\n":                            {SystemInfo: report.SystemInfo{OS: ptr("Linux"), OSVersion: ptr("6.1"), CPU: ptr("amd64"), CPUInfo: ptr("family 6")}},
		"- **Written:** `2025-11-22 08:26:40 UTC`\n- **Uptime:** `1 s`\n- **Made by:** `C`\n": {Dump: report.Dump{Time: &at}, ProcessUptime: ptr(uint64(1)), MadeBy: "C"},
	} {
		lacks(t, formed(t, Markdown, &r, Options{}), want)
	}
}

// An issue has twenty notes, and counts the others.
func TestMarkdownNotes(t *testing.T) {
	for n, want := range map[int]string{1: "odd parts:\n\n- `w: t0`\n", mostNotes: "- `w: t19`\n", mostNotes + 1: "- `w: t19`\n- and 1 more\n", mostNotes + 30: "- `w: t19`\n- and 30 more\n"} {
		r := &report.Report{}
		for i := range n {
			r.Notes = append(r.Notes, report.Note{Where: "w", Text: fmt.Sprint("t", i)})
		}
		if out := formed(t, Markdown, r, Options{}); !strings.HasSuffix(out, want) {
			t.Errorf("%d notes: no %q at the end of\n%s", n, want, out)
		}
	}
}

// The missing symbols of an issue are those of its stack.
func TestMarkdownWanted(t *testing.T) {
	r := &report.Report{WantedSymbols: []report.Wanted{{DebugFile: "other", DebugID: "1"}}}
	if out := formed(t, Markdown, r, Options{}); strings.Contains(out, "Symbols that would") {
		t.Errorf("symbols of another thread:\n%s", out)
	}
	r.WantedSymbols = append(r.WantedSymbols, report.Wanted{DebugFile: "a`.pdb", DebugID: "A", Crashing: true}, report.Wanted{DebugFile: "b.pdb", DebugID: "B", Crashing: true})
	lacks(t, formed(t, Markdown, r, Options{}), "\nSymbols that would name more frames of this thread:\n\n- ``a`.pdb`` `A`\n- `b.pdb` `B`\n")
}

// A row of a stack: number, name, place, and the doubts about both.
func TestStackRows(t *testing.T) {
	for want, f := range map[string]report.Frame{
		"   0  0x10\n":       {Offset: "0x0010"},
		"   0  ~ 0x10\n":     {Offset: "0x10", Guess: true},
		"   0  ~ m + 0x1\n":  {Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(1), Trust: report.TrustScan},
		"   0  f  m + 0x0\n": {Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(0), Function: ptr("f")},
		"   0  f  m a.c:3\n": {Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(0), Function: ptr("f"), File: ptr("/a.c"), Line: ptr(uint32(3))},
		"   0  f  a.c:3\n":   {Offset: "0x10", Function: ptr("f"), File: ptr("/a.c"), Line: ptr(uint32(3))},
		"   0  m + 0x2 (no name: behind the end of f + 0x9)\n":        {Offset: "0x10", Module: ptr("m"), ModuleOffset: addr(2), After: &report.NearSymbol{Name: "f", Offset: "0x9"}},
		"   0  ~ f  0x10 (nearest symbol, may be another function)\n": {Offset: "0x10", Function: ptr("f"), Certainty: report.NameNearest},
		"   0  gone.dll (unloaded) + 0x3\n":                           {Offset: "0x10", Unloaded: []report.UnloadedModule{{Module: `C:\gone.dll`, Offsets: []report.Address{"0x3", "0x4"}}}},
		"   0  0x10 (clone .cold)\n":                                  {Offset: "0x10", Unloaded: []report.UnloadedModule{{Module: "gone.dll"}}, Clone: ".cold"},
		"   0  ~ f  0x10 (names from mismatched symbols)\n":           {Offset: "0x10", Function: ptr("f"), UsedAnyway: true},
		"   0  a\\x1b  0x10\n":                                        {Offset: "0x10", Function: ptr("a\x1b")},
	} {
		if got := stack(&report.Thread{Frames: []report.Frame{f}}); got != want {
			t.Errorf("%+v\n got %q\nwant %q", f, got, want)
		}
	}
}

// Places are in a column, whose width is that of the longest name up to 48 characters. Inlined calls
// count as rows.
func TestStackColumns(t *testing.T) {
	named := func(n int) report.Frame { return report.Frame{Offset: "0x1", Function: ptr(strings.Repeat("ä", n))} }
	wide, wider := strings.Repeat("ä", widestName), strings.Repeat("ä", widestName+1)
	for _, tt := range []struct {
		name   string
		frames []report.Frame
		want   string
	}{
		{"no frame", nil, ""},
		{"two names", []report.Frame{named(1), named(3)}, "   0  ä    0x1\n   1  äää  0x1\n"},
		{"the widest name", []report.Frame{named(1), named(widestName)}, "   0  ä" + strings.Repeat(" ", widestName-1) + "  0x1\n   1  " + wide + "  0x1\n"},
		{"a wider name", []report.Frame{named(1), named(widestName + 1)}, "   0  ä  0x1\n   1  " + wider + "  0x1\n"},
		{"an inlined call", []report.Frame{{Offset: "0x1", Module: ptr("m"), Function: ptr("f"), Inlines: []report.Inline{{}, {Function: ptr("g"), File: ptr("/a.c")}}}}, "   0  <name omitted>  m (inlined)\n   1  g               m a.c (inlined)\n   2  f               0x1\n"},
	} {
		if got := stack(&report.Thread{Frames: tt.frames}); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// The middle of a long stack is left out if it is more than one row.
func TestStackLength(t *testing.T) {
	const whole = firstRows + lastRows
	for n, want := range map[int]string{whole: "", whole + 1: "", whole + 2: "  59  f59  0x3b\n     … 2 more frames …\n  62  f62  0x3e\n", 1000 + whole: "  59  f59    0x3b\n     … 1000 more frames …\n 1060  f1060  0x424\n"} {
		th := &report.Thread{}
		for i := range n {
			th.Frames = append(th.Frames, report.Frame{Offset: report.Hex(uint64(i)), Function: ptr(fmt.Sprint("f", i))})
		}
		out := stack(th)
		if rows := strings.Count(out, "\n"); want == "" && rows != n || want != "" && rows != whole+1 {
			t.Errorf("%d frames in %d lines", n, rows)
		}
		lacks(t, out, want)
	}
}

// Up to three equal rows are shown, and more are counted. Equal rows have one name, one place and one
// trust.
func TestRecursion(t *testing.T) {
	frame := func(name string, offset uint64, guess bool) report.Frame {
		return report.Frame{Function: &name, Module: ptr("m"), ModuleOffset: &[]report.Address{report.Hex(offset)}[0], Guess: guess}
	}
	f := frame("f", 1, false)
	for _, tt := range []struct {
		name   string
		frames []report.Frame
		want   string
	}{
		{"three", []report.Frame{f, f, f}, "   0  f  m + 0x1\n   1  f  m + 0x1\n   2  f  m + 0x1\n"},
		{"four", []report.Frame{f, f, f, f}, "   0  f  m + 0x1\n     … the frame above repeats 3 more times …\n"},
		{"between others", []report.Frame{frame("a", 1, false), f, f, f, f, f, frame("z", 1, false)}, "   0  a  m + 0x1\n   1  f  m + 0x1\n     … the frame above repeats 4 more times …\n   6  z  m + 0x1\n"},
		{"another place", []report.Frame{f, f, f, frame("f", 2, false)}, "   2  f  m + 0x1\n   3  f  m + 0x2\n"},
		{"another name", []report.Frame{f, f, f, frame("g", 1, false)}, "   2  f  m + 0x1\n   3  g  m + 0x1\n"},
		{"a guess", []report.Frame{f, f, f, frame("f", 1, true)}, "   2  f    m + 0x1\n   3  ~ f  m + 0x1\n"},
	} {
		out := stack(&report.Thread{Frames: tt.frames})
		if !strings.HasSuffix(out, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, out, tt.want)
		}
	}
}

// Other threads are folded; those with one stack are joined, and those without frames are not counted.
func TestMarkdownThreads(t *testing.T) {
	frames := func(name string) []report.Frame { return []report.Frame{{Offset: "0x1", Function: &name}} }
	thread := func(id uint32, name string) report.Thread { return report.Thread{ID: id, Frames: frames(name)} }
	for _, tt := range []struct {
		name    string
		threads []report.Thread
		want    string
	}{
		{"none", nil, ""},
		{"one without frames", []report.Thread{{ID: 1}}, ""},
		{"one", []report.Thread{thread(1, "f")}, "\n<details>\n<summary>1 other thread</summary>\n\nThread 1\n\n```text\n   0  f  0x1\n```\n\n</details>\n"},
		{"two", []report.Thread{thread(1, "f"), thread(2, "f")}, "<summary>2 other threads</summary>\n\nThread 1 and 1 more with the same stack\n\n```text\n"},
		{"three", []report.Thread{thread(1, "f"), thread(2, "f"), thread(3, "f")}, "<summary>3 other threads</summary>\n\nThread 1 and 2 more with the same stack\n\n"},
	} {
		out := formed(t, Markdown, &report.Report{Threads: tt.threads}, Options{})
		lacks(t, out, tt.want)
		if tt.want == "" && strings.Contains(out, "<details>") {
			t.Errorf("%s: %s", tt.name, out)
		}
	}
}

// A thread without room is counted: one that would be one byte too long, and all alike.
func TestMarkdownRoom(t *testing.T) {
	name := strings.Repeat("f", mostThreads-len("   0    0x1\n"))
	for _, tt := range []struct {
		name   string
		length int
		same   int
		want   string
	}{
		{"just fits", len(name), 1, "<summary>1 other thread</summary>"},
		{"one byte too long", len(name) + 1, 1, "\n1 more thread is left out: an issue has no room for them.\n"},
		{"two with one stack", len(name) + 1, 2, "\n2 more threads are left out: an issue has no room for them.\n"},
	} {
		f := report.Frame{Offset: "0x1", Function: ptr(strings.Repeat("f", tt.length))}
		r := &report.Report{Threads: slices.Repeat([]report.Thread{{Frames: []report.Frame{f}}}, tt.same)}
		t.Run(tt.name, func(t *testing.T) { lacks(t, formed(t, Markdown, r, Options{}), tt.want) })
	}
}

// A microdump has no thread IDs, so that a thread has its index.
func TestMicrodumpTitles(t *testing.T) {
	r := &report.Report{Dump: report.Dump{Kind: "microdump"}, Threads: []report.Thread{{ID: 99, Frames: []report.Frame{{Offset: "0x1"}}}}}
	lacks(t, formed(t, Markdown, r, Options{}), "\nThread 0\n\n```text\n")
	r.Dump.Kind = "minidump"
	lacks(t, formed(t, Markdown, r, Options{}), "\nThread 99\n\n```text\n")
}

// A text is cut between lines, and its other lines are counted.
func TestCutLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		most int
		want string
	}{
		{"", 0, ""}, {"ab\ncd\n", 6, "ab\ncd\n"}, {"ab\ncd\n", 5, "ab\n     … 1 more line …\n"}, {"ab\ncd\n", 3, "ab\n     … 1 more line …\n"}, {"ab\ncd\n", 2, "     … 2 more lines …\n"}, {"ab\ncd\n", 0, "     … 2 more lines …\n"},
	} {
		if got := cutLines(tt.in, tt.most); got != tt.want {
			t.Errorf("%q to %d: %q, want %q", tt.in, tt.most, got, tt.want)
		}
	}
}

// A hang in an issue: each thread with the evidence of its wait, up to a hundred.
func TestMarkdownHang(t *testing.T) {
	r := deadlocked()
	r.Hang.Behind = append(r.Hang.Behind, -1, 3, 1<<30) // indexes of no thread
	r.Threads[2].Waits.Evidence = nil
	lacks(t, formed(t, Markdown, r, Options{}), "- Thread 3 ``net`io`` waits for", "\n- Thread 7 waits for", "\n- Thread 9 waits for a thread to end: thread 3 ``net`io``\n\n")
	r.Threads[2].Waits = nil
	if got := waiting(r); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("threads %v wait, want 0 and 1", got)
	}
	r.Hang.Behind = slices.Repeat([]int{1}, mostWaiting)
	if got := waiting(r); len(got) != mostWaiting {
		t.Errorf("%d waits are listed, want %d", len(got), mostWaiting)
	}
	if r.Hang = nil; waiting(r) != nil {
		t.Error("without a hang there are waits between threads")
	}
}
