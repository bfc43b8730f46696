package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before committing it")

// sample has every part of a report once, with hostile names.
func sample() *report.Report {
	return &report.Report{
		Status:        "OK",
		PID:           ptr(uint32(4242)),
		ProcessUptime: ptr(uint64(1)),
		MapCount:      ptr(3),
		SystemInfo: report.SystemInfo{
			OS: ptr("Linux"), OSVersion: ptr("6.1.0 #1 SMP"), OSRaw: ptr("0.0.0 Linux 6.1.0 #1 SMP x86_64"),
			CPU: ptr("amd64"), CPUInfo: ptr("family 6 model 26 stepping 5"), CPUCount: ptr(uint32(8)), PointerWidth: 8,
			GPU: &report.GPU{Version: "OpenGL ES 3.1", Vendor: "Qualcomm", Renderer: "Adreno (TM) 418"},
		},
		LSBRelease: &report.LSBRelease{ID: "Ubuntu", Release: "24.04", Codename: "noble", Description: "Ubuntu 24.04 LTS"},
		CrashInfo: report.CrashInfo{
			Type: ptr("SIGSEGV / SEGV_MAPERR"), Address: addr(0x8),
			AdjustedAddress: &report.Adjusted{Kind: "null-pointer", Offset: addr(0x8)},
			Instruction:     ptr("mov rax, qword [rdi + 0x8]"),
			MemoryAccesses:  []report.Access{{Address: *addr(8), Size: ptr(uint8(8)), AccessType: "read"}, {Address: *addr(0x10), LikelyGuard: true}},
			PossibleBitFlips: []report.BitFlip{
				{Address: *addr(0x2000), Confidence: ptr(0.25)},
				{Address: *addr(0x4000), Confidence: ptr(0.5), SourceRegister: ptr("rdi")},
			},
			Inconsistencies: []string{"crashing_access_not_found_in_memory_accesses"},
			CrashingThread:  ptr(1),
			Parameters:      []report.Address{*addr(1)}, ParameterMeanings: []string{"read"},
			Assertion: ptr("p != nullptr"),
		},
		Threads: []report.Thread{
			{ID: 10, Name: ptr("worker\x1b[31m"), LastError: ptr("ERROR_SUCCESS"), Frames: []report.Frame{{
				Trust: "scan", FoundBy: "scan", Guess: true, Offset: *addr(0x9000), Registers: regs("rip", 0x9000, "rsp", 0x7fff0000),
			}}, End: report.End{Kind: "not_captured", Address: addr(0x7fff0000)}},
			{ID: 11, Name: ptr("main"), Crashed: true, Frames: crashedFrames(), End: report.End{Complete: true, Kind: "zero_return"}},
			{ID: 12, Writer: true},
		},
		Modules: []report.Module{
			{Base: *addr(0x400000), End: *addr(0x500000), CodeFile: "app|`x`", DebugFile: "app", DebugID: "0123456789ABCDEF0123456789ABCDEF0", Path: "/opt/app", LoadedSymbols: true},
			{Base: *addr(0x100000), End: *addr(0x200000), CodeFile: "libc.so.6", DebugFile: "libc.so.6", DebugID: "AAAA", Version: ptr("2.36"), MissingSymbols: true,
				Overlap: ptr("cut at 0x180000, where app begins"), Symbols: &report.Symbols{State: "wrong_build", Why: ptr("the given file is from another build")}},
		},
		Unloaded:      []report.Unloaded{{Base: *addr(0x600000), End: *addr(0x610000), CodeFile: `C:\gone.dll`}},
		MacCrashInfo:  &report.MacCrash{Count: 1, Records: []report.MacCrashRecord{{Message: ptr("abort() called"), Thread: addr(7)}}},
		MacBootArgs:   ptr("-v"),
		SoftErrors:    json.RawMessage(`[{"InitErrors":[]}]`),
		Verdict:       sampleVerdict(),
		NextSteps:     sampleSteps(),
		Signature:     ptr("operator|<T>"),
		Annotations:   []report.Annotation{{Name: "ver", Value: "1.2\n3", Source: "CrashpadInfo"}, {Name: "k", Value: "v", Module: ptr("libc.so.6")}},
		WantedSymbols: []report.Wanted{{Module: 1, DebugFile: "libc.so.6", DebugID: "AAAA", Paths: []string{"libc.so.6/AAAA/libc.so.6.sym"}, Frames: 1, Crashing: true, State: "missing"}},
		Notes:         []report.Note{{Kind: report.NoteDamage, Where: "thread list", Text: "count 9 exceeds stream size 100", Offset: ptr(int64(0x20)), Count: 1}, {Kind: report.NoteOdd, Where: "app.sym", Text: "bad record", Count: 3}},
	}
}

// sampleSteps has each kind of step once, and what else one may have.
func sampleSteps() []report.NextStep {
	return []report.NextStep{
		{Kind: report.GetDump},
		{Kind: report.GetSymbols, File: "a`b.pdb", ID: "ABC1", State: report.SymbolsMissing, Origin: report.FromBuild},
		{Kind: report.GetSymbols, File: "libc.so.6", State: report.SymbolsWrongBuild, Origin: report.FromDistro, Server: "https://example.org"},
		{Kind: report.GetCode, File: "app"},
		{Kind: report.LookAt, Function: "operator|(A, B)", At: "a.cc:12", Row: ptr(2), Register: "rdi", Value: addr(0)},
		{Kind: report.TellVendor, File: "nvwgf2umx.dll", Vendor: "NVIDIA"},
		{Kind: report.TellVendor, File: "in.dll", Path: `C:\in.dll`},
		{Kind: report.CheckMemory},
		{Kind: report.RunSanitizer},
		{Kind: "of a later version", Text: "Its own words."},
	}
}

func sampleVerdict() report.Verdict {
	return report.Verdict{
		What: "Null pointer read", Where: ptr("operator|(A, B)"), At: ptr("a.cc:12"), Detail: "rdi is 0.", Crashed: true,
		Finding: report.FindingNullPointer, Row: ptr(2), Confidence: ptr(float32(0.9)),
		Badges: []report.Badge{
			{Kind: report.BadgeCause, Finding: report.FindingNullPointer, Text: "Null pointer + 0x8", Evidence: []string{"rdi = 0"}, Confidence: ptr(float32(0.9))},
			{Kind: report.BadgeDoubt, Finding: report.FindingBitFlip, Text: "Possible bit flip", Evidence: []string{"`rdi` is one bit away."}, Confidence: ptr(float32(0.5))},
		},
	}
}

func crashedFrames() []report.Frame {
	return []report.Frame{
		{
			Index: 0, Trust: "context", FoundBy: "context", Offset: *addr(0x400123), Registers: regs("rax", 0, "rdx", 1, "rcx", 2, "rip", 0x400123, "eflags", 0x246),
			Module: ptr("app|`x`"), ModuleOffset: addr(0x123), ModuleIndex: ptr(0),
			Function: ptr("operator|(A, B)"), FunctionOffset: addr(0x23), File: ptr("/src/a.cc"), Line: ptr(uint32(12)), LineOffset: addr(0x3),
			Inlines:  []report.Inline{{Function: ptr("inner()"), File: ptr(`c:\src\in.h`), Line: ptr(uint32(5))}, {}},
			Evidence: []report.Step{{Method: "context", Result: "accepted", Text: "pc 0x400123"}},
		},
		{
			Index: 1, Trust: "cfi", FoundBy: "CFI", Offset: *addr(0x4001ff), ReturnAddress: addr(0x400200), Registers: regs("rip", 0x400200),
			Module: ptr("app|`x`"), ModuleOffset: addr(0x1ff), ModuleIndex: ptr(0), Function: ptr("main"), FunctionOffset: addr(0xf),
			Evidence: []report.Step{
				{Method: "call frame info", Result: "accepted", Text: ".cfa: $rsp 16 +", Reads: []report.Read{{Address: *addr(0x7fff0008), Value: *addr(0x400200)}}},
				{Method: "scan", Result: "none"},
			},
		},
		{Index: 2, Trust: "frame_pointer", FoundBy: "frame ptr", Offset: *addr(0x100fff), ReturnAddress: addr(0x101000), Module: ptr("libc.so.6"), ModuleOffset: addr(0xfff), ModuleIndex: ptr(1), MissingSymbols: true},
		{Index: 3, Trust: "cfi_scan", FoundBy: "scan", Guess: true, Offset: *addr(0x600010), ReturnAddress: addr(0x600011), Unloaded: []report.UnloadedModule{{Module: `C:\gone.dll`, Offsets: []report.Address{*addr(0x10)}}}, MissingSymbols: true},
		{Index: 4, Trust: "scan", FoundBy: "scan", Guess: true, Offset: *addr(0x9000), ReturnAddress: addr(0x9001), MissingSymbols: true},
	}
}

func ptr[T any](v T) *T { return &v }

func addr(v uint64) *report.Address { return ptr(report.Addr(v, 8)) }

func regs(pairs ...any) report.Registers {
	var out report.Registers
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, report.Register{Name: pairs[i].(string), Value: *addr(uint64(pairs[i+1].(int)))})
	}
	return out
}

// forms are the ways to write a report, with the ending of their golden files.
var forms = []struct {
	name  string
	write func(io.Writer, *report.Report) error
}{
	{"txt", func(w io.Writer, r *report.Report) error { return Text(w, r, Options{}) }},
	{"explain.txt", func(w io.Writer, r *report.Report) error {
		return Text(w, r, Options{NoModules: true, Evidence: true})
	}},
	{"brief.txt", func(w io.Writer, r *report.Report) error { return Text(w, r, Options{Brief: true}) }},
	{"m.txt", func(w io.Writer, r *report.Report) error { return Machine(w, r, Options{}) }},
	{"md", func(w io.Writer, r *report.Report) error { return Markdown(w, r, Options{}) }},
	{"json", JSON},
	{"html", func(w io.Writer, r *report.Report) error {
		return HTML(w, r, Options{Evidence: true, Memory: []Excerpt{{Title: "the stack", Base: 0x7ffe0000, Bytes: []byte("0123456789abcdef<&>\x00\xff")}}})
	}},
}

func TestGolden(t *testing.T) {
	reports := map[string]*report.Report{"sample": sample(), "empty": {}}
	for name, r := range reports {
		for _, form := range forms {
			t.Run(name+"."+form.name, func(t *testing.T) {
				var b bytes.Buffer
				if err := form.write(&b, r); err != nil {
					t.Fatal(err)
				}
				golden(t, name+"."+form.name, b.Bytes())
			})
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update, then read the difference):\n%s", file, firstDifference(string(got), string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(end)"
		}
		if line(g) != line(w) {
			return "got  " + line(g) + "\nwant " + line(w)
		}
	}
	return ""
}

// No form writes a control character; all are escaped.
func TestNothingUnescaped(t *testing.T) {
	evil := "\x1b]0;owned\a\u202etxt.exe\u2028\x00\xff\u009b31m\x7f\U000e0041"
	r := sample()
	r.Threads[1].Name = &evil
	r.Threads[1].Frames[0].Function = &evil
	r.Threads[1].Frames[0].Inlines[0].File = &evil
	r.Threads[1].Frames[1].Module = &evil
	r.Modules[0].CodeFile, r.Modules[0].DebugID, r.Modules[1].Version = evil, evil, &evil
	r.CrashInfo.Assertion, r.CrashInfo.Type, r.SystemInfo.OSVersion, r.SystemInfo.OSRaw = &evil, &evil, &evil, &evil
	r.Verdict.Detail, r.Verdict.Badges[0].Evidence[0] = evil, evil
	r.Annotations[0].Name, r.Notes[0].Text, r.WantedSymbols[0].Paths[0] = evil, evil, evil
	for _, form := range forms {
		var b strings.Builder
		if err := form.write(&b, r); err != nil {
			t.Fatal(err)
		}
		for _, c := range b.String() {
			if c != '\n' && harmful(c) {
				t.Errorf("%s: character %U is written as it is", form.name, c)
				break
			}
		}
	}
}

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{`C:\Program Files\ü.exe`, `C:\Program Files\ü.exe`},
		{"a\x1b[31mb", `a\x1b[31mb`},
		{"line\nbreak\ttab\r", `line\x0abreak\x09tab\x0d`},
		{"\u202egpj.exe", `\u202egpj.exe`},
		{"zero\u200bwidth", `zero\u200bwidth`},
		{"\U000e0041tag", `\U000e0041tag`},
		{"not \xff\xfe utf-8", `not \xff\xfe utf-8`},
		{"replaced \ufffd before", "replaced \ufffd before"},
		{"\u0085\u2028\u2029", `\u0085\u2028\u2029`},
		{"日本語 🦀", "日本語 🦀"},
	}
	for _, tt := range tests {
		if got := Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if !clean(got) && !strings.Contains(s, "\ufffd") {
			t.Errorf("Escape(%q) = %q is not clean", s, got)
		}
		if again := Escape(got); again != got {
			t.Errorf("Escape(Escape(%q)) = %q, not %q", s, again, got)
		}
	})
}

func TestCodeSpan(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "`plain`"},
		{"a`b", "``a`b``"},
		{"`anonymous namespace'::f", "`` `anonymous namespace'::f ``"},
		{"```", "```` ``` ````"},
		{"@someone #12", "`@someone #12`"},
	}
	for _, tt := range tests {
		if got := codeSpan(tt.in); got != tt.want {
			t.Errorf("codeSpan(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// failing is a disk that is full.
type failing struct{}

var errFull = errors.New("no space left on device")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, form := range forms {
		if err := form.write(failing{}, sample()); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want %v", form.name, err, errFull)
		}
	}
}

// TestJSONReadsBack: control characters become escapes, which read back as the same text.
func TestJSONReadsBack(t *testing.T) {
	const evil = "a\u009b31m\x7f\u202egpj.\u2066\u200d\U000e0041 日本語 🦀"
	var b bytes.Buffer
	r := report.Report{Verdict: report.Verdict{What: evil}}
	if err := JSON(&b, &r); err != nil {
		t.Fatal(err)
	}
	const want = `"what":"a\u009b31m\u007f\u202egpj.\u2066\u200d\udb40\udc41 日本語 🦀"`
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s lacks %s", b.String(), want)
	}
	var back report.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Verdict.What != evil {
		t.Errorf("%q, %v", back.Verdict.What, err)
	}
}

func TestJSONNeverHalf(t *testing.T) {
	var b bytes.Buffer
	r := sample()
	r.SoftErrors = func() {} // nothing that JSON can hold
	if err := JSON(&b, r); err == nil || !strings.HasPrefix(err.Error(), "render: JSON: ") {
		t.Errorf("error %v, want one that begins with \"render: JSON: \"", err)
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes were written before the error", b.Len())
	}
}
