package analyze

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/report"
	"crashglass/core/testkit/corefile"
)

// coreReport is the report of a core.
func coreReport(t *testing.T, data []byte) *report.Report {
	t.Helper()
	sessions, err := OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := sessions[0].Report(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCoreReport(t *testing.T) {
	data := corefile.AMD64(t)
	r := coreReport(t, data)
	if d := r.Dump; d.Kind != "ELF core" || d.Size != int64(len(data)) || deref(d.Writer) != "Linux kernel" || deref(d.Process) != "/opt/demo" || d.Memory != 0x2200 {
		t.Errorf("dump %+v", d)
	}
	if s := r.SystemInfo; deref(s.OS) != "Linux" || s.OSVersion != nil || s.CPUInfo != nil || s.CPUCount != nil || deref(s.CPU) != "amd64" {
		t.Errorf("system %+v", s)
	}
	if c := r.CrashInfo; deref(c.Type) != "SIGSEGV / SEGV_MAPERR" || deref(c.Address) != "0x0000000000000018" || deref(r.PID) != 0x1234 {
		t.Errorf("crash %+v", c)
	}
	if !strings.HasPrefix(r.Verdict.What, "Null pointer") || len(r.Notes) != 0 {
		t.Errorf("verdict %q, notes %v", r.Verdict.What, r.Notes)
	}
	if frames := r.Threads[0].Frames; len(frames) != 2 || frames[1].Offset != "0x0000000000401020" && frames[1].Offset != "0x000000000040101f" {
		t.Errorf("frames %+v", frames)
	}
	for _, f := range r.LinuxFiles {
		if secret := strings.Contains(f.Text, "secret"); secret && !f.Sensitive {
			t.Errorf("%s is shown without being asked for", f.Name)
		}
	}
}

// A region without captured bytes is listed, and is not zero.
func TestCoreRegions(t *testing.T) {
	var got []string
	for _, g := range coreReport(t, corefile.AMD64(t)).MemoryRegions {
		state := "left out"
		if g.Captured {
			state = "captured"
		}
		got = append(got, string(g.Base)[10:]+" "+g.Protection+" "+state)
	}
	want := "00400000 r-- captured\n00401000 r-x left out\n00500000 r-x captured\n00500200 r-x left out\n7fffe000 rw- captured"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// The verdict on a core that ends before its notes says so.
func TestCutCoreReport(t *testing.T) {
	data := corefile.AMD64(t)
	r := coreReport(t, data[:len(data)-0x1000])
	if len(r.Notes) == 0 || r.Notes[0].Kind != report.NoteTruncated {
		t.Errorf("notes %+v", r.Notes)
	}
	r = coreReport(t, data[:0x180])
	if r.CrashInfo.Type != nil || !strings.Contains(r.Verdict.Detail, "truncated") {
		t.Errorf("verdict %+v", r.Verdict)
	}
}
