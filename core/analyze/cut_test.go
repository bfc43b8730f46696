package analyze

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// TestLostStreams truncates a dump before its system info and its exception: missing facts are
// unknown, never zero.
func TestLostStreams(t *testing.T) {
	data, err := os.ReadFile("../../web/example/crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	data = data[:len(data)*6/10]
	r, err := Dump(bin.NewSource(bytes.NewReader(data), int64(len(data))), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict.What != "The exception cannot be read" || r.CrashInfo.Type != nil {
		t.Errorf("the verdict is %q, the reason %v", r.Verdict.What, r.CrashInfo.Type)
	}
	if !strings.Contains(r.Verdict.Detail, "The file is truncated: ") || !strings.Contains(r.Verdict.Detail, " of at least ") {
		t.Errorf("the verdict does not say how much is missing: %s", r.Verdict.Detail)
	}
	if r.SystemInfo.OS != nil || r.SystemInfo.CPU == nil || *r.SystemInfo.CPU != "amd64" {
		t.Errorf("the system is %+v; only its CPU is known, by the threads", r.SystemInfo)
	}
}
