package analyze

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	testdump "crashglass/core/testkit/dump"
)

// microdump is a log of an x86 process that crashed in its program's code, with the registers, the
// stack, the modules and the given lines. The frame pointer leads to one caller.
func microdump(t testing.TB, lines ...string) string {
	context := testdump.New().Context(t, testdump.X86, map[string]uint64{"eip": 0x8000_1010, "esp": 0xbf00_0000, "ebp": 0xbf00_0008})
	stack := asm.At(0xbf00_0000).U32(0, 0, 0xbf00_0010, 0x8000_2020, 0, 0).Build(t)
	lines = append(lines,
		"S 0 BF000000 BF000000 00000018",
		fmt.Sprintf("S BF000000 %X", stack),
		fmt.Sprintf("C %X", context),
		"M 80000000 00000000 00010000 000102030405060708090A0B0C0D0E0F0 app",
		"-----END BREAKPAD MICRODUMP-----")
	return "F/google-breakpad(  7): -----BEGIN BREAKPAD MICRODUMP-----\nF/google-breakpad(  7): " +
		strings.Join(lines, "\nF/google-breakpad(  7): ") + "\n"
}

// microReports makes the reports of a log.
func microReports(t *testing.T, log string) []*report.Report {
	t.Helper()
	sessions, err := OpenAll(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if err != nil {
		t.Fatal(err)
	}
	var out []*report.Report
	for _, s := range sessions {
		r, err := s.Report(nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestMicrodumpReport(t *testing.T) {
	log := microdump(t, "V App:1.2", "O A x86 04 x86_64 maker/device:7/release", "P renderer",
		"R 0000000B SIGSEGV 00000010", "G ES 3|Maker|Model", "H 1000 2000 3 400 500")
	r := microReports(t, "some line\n"+log)[0]

	if d := r.Dump; d.Kind != "microdump" || d.Size != int64(len(log)) || d.Time != nil || deref(d.Writer) != "Breakpad" ||
		deref(d.Process) != "app" || d.Memory != 24 {
		t.Errorf("dump %+v", d)
	}
	if s := r.SystemInfo; deref(s.OS) != "Android" || deref(s.OSVersion) != "maker/device:7/release" || deref(s.OSRaw) != "maker/device:7/release" ||
		deref(s.CPU) != "x86" || s.CPUInfo != nil || *s.CPUCount != 4 || *s.GPU != (report.GPU{Version: "ES 3", Vendor: "Maker", Renderer: "Model"}) {
		t.Errorf("system %+v", s)
	}
	if c := r.CrashInfo; deref(c.Type) != "SIGSEGV" || *c.Address != "0x00000010" || *c.Code != "0x0000000b" || c.Flags != nil || *c.CrashingThread != 0 {
		t.Errorf("crash %+v", c)
	}
	if m := r.Modules[0]; m.CodeID != "" || m.DebugID != "000102030405060708090A0B0C0D0E0F0" || m.DebugFile != "app" {
		t.Errorf("module %+v", m)
	}
	if w := r.WantedSymbols[0]; !reflect.DeepEqual(w.Paths, []string{"app/000102030405060708090A0B0C0D0E0F0/app.sym"}) {
		t.Errorf("wanted %+v", w)
	}
	var notes []string
	for _, a := range r.Annotations {
		notes = append(notes, a.Source+": "+a.Name+" = "+a.Value)
	}
	want := []string{
		"microdump: product = App", "microdump: version = 1.2", "microdump: process_type = renderer", "microdump: machine = x86_64",
		"microdump: logged = F/google-breakpad(  7)", "microdump: free address space = 1280 bytes in 3 holes, the largest of 1024",
	}
	if !reflect.DeepEqual(notes, want) {
		t.Errorf("annotations %q\nwant %q", notes, want)
	}
	if len(r.Streams) > 0 || r.Streams == nil || len(r.Notes) > 0 {
		t.Errorf("streams %v, notes %v", r.Streams, r.Notes)
	}
	th := r.Threads[0]
	if len(r.Threads) != 1 || !th.Crashed || th.FrameCount != 2 || th.Frames[0].Offset != "0x80001010" || th.Frames[1].Offset != "0x8000201f" {
		t.Errorf("threads %+v", r.Threads)
	}
	if !r.Verdict.Crashed || !strings.HasPrefix(r.Verdict.What, "Null pointer") {
		t.Errorf("verdict %+v", r.Verdict)
	}
}

// An old client does not write the signal.
func TestMicrodumpWithoutSignal(t *testing.T) {
	r := microReports(t, microdump(t, "O L x86 04 x86_64 6.1.0 #1 SMP"))[0]
	if c := r.CrashInfo; c.Type != nil || c.Address != nil || c.Code != nil || c.Flags != nil || c.Note != nil || *c.CrashingThread != 0 {
		t.Errorf("crash %+v", c)
	}
	if v := r.Verdict; !v.Crashed || v.What != "Crash of an unknown kind" || deref(v.Where) != "app + 0x1010" || len(v.Badges) > 0 {
		t.Errorf("verdict %+v", v)
	}
	if !r.Threads[0].Crashed || deref(r.SystemInfo.OS) != "Linux" || deref(r.SystemInfo.OSVersion) != "6.1.0 #1 SMP" {
		t.Errorf("thread %+v, system %+v", r.Threads[0], r.SystemInfo)
	}
}

// TestMicrodumpsApart has two microdumps, the second of which is damaged.
func TestMicrodumpsApart(t *testing.T) {
	log := microdump(t, "V First:1")
	second := strings.Replace(microdump(t, "V Second", "R x"), "C 1F000100", "C zz", 1)
	reports := microReports(t, log+second)
	if len(reports) != 2 {
		t.Fatalf("%d reports", len(reports))
	}
	if a := reports[0].Annotations[0]; a.Value != "First" || len(reports[0].Threads[0].Frames) != 2 {
		t.Errorf("first: %+v, %d frames", a, len(reports[0].Threads[0].Frames))
	}
	r := reports[1]
	if a := r.Annotations[0]; a.Value != "Second" || len(r.Threads[0].Frames) != 0 || r.Threads[0].End.Kind != report.NoRegisters {
		t.Errorf("second: %+v, %+v", a, r.Threads[0])
	}
	var notes []string
	for _, n := range r.Notes {
		at := "-"
		if n.Offset != nil {
			line, _, _ := strings.Cut((log + second)[*n.Offset:], "\n")
			at = line[:min(len(line), 28)]
		}
		notes = append(notes, n.Where+" at "+at+": "+n.Text)
	}
	want := []string{
		`microdump at F/google-breakpad(  7): R x: crash reason: "x" is no number in hex`,
		`microdump at F/google-breakpad(  7): C zz: registers: byte 0 is "zz", no number in hex; the rest of the line is left out`,
		`microdump at F/google-breakpad(  7): ----: the registers are missing`,
		`system info at -: is missing: the operating system is not known, the CPU only by the saved registers`,
	}
	slices.Sort(notes)
	slices.Sort(want)
	if !slices.Equal(notes, want) {
		t.Errorf("notes\n%s\nwant\n%s", strings.Join(notes, "\n"), strings.Join(want, "\n"))
	}
}

// OpenAll opens minidumps, too, and refuses anything else as Open does.
func TestOpenAll(t *testing.T) {
	data := testdump.New().System(testdump.AMD64, testdump.Linux, "").Build(t)
	sessions, err := OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	if r, err := sessions[0].Report(nil, Options{}); err != nil || r.Dump.Kind != "minidump" {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := OpenAll(bin.NewSource(strings.NewReader("text"), 4)); err == nil || err.Error() != "minidump: header at 0x0: signature 0x74786574 is not MDMP" {
		t.Errorf("error %v", err)
	}
}
