package symbols

import (
	"compress/gzip"
	"io"
	"os"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/symbols/formats/sniff"
)

// TestRemoteStack names the crashing thread of corpus/perf with a fiftieth of 109 MB
// of symbols, and in the rounds that the page takes for it.
func TestRemoteStack(t *testing.T) {
	const perf = "../../shared/corpus/perf/"
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	packed, err := os.Open(perf + "minidump-stackwalk.sym.gz")
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	dump, err := os.ReadFile(perf + "big.dmp")
	if err != nil {
		t.Fatal(err)
	}
	session, err := analyze.Open(source(string(dump)))
	if err != nil {
		t.Fatal(err)
	}
	at := &remote{data: data, here: map[int]bool{}}
	for n := range sniff.Size / grain {
		at.here[n] = true
	}
	s := NewStore(Options{})
	s.AddRemote("minidump-stackwalk/ID/minidump-stackwalk.sym", bin.NewSource(at, int64(len(data))))
	rounds := 0
	for rounds = 0; rounds < 1000; rounds++ {
		report, err := session.Report(s, analyze.Options{Threads: analyze.Crashing()})
		if err != nil {
			t.Fatal(err)
		}
		if at.fetch() {
			continue
		}
		for i, f := range report.CrashingThread.Frames {
			if f.Function == nil {
				t.Errorf("frame %d of %d has no name", i, len(report.CrashingThread.Frames))
			}
		}
		break
	}
	got := len(at.here) * grain
	if t.Logf("%d bytes of %d in %d rounds", got, len(data), rounds); got*50 > len(data) || rounds > 300 {
		t.Errorf("%d bytes of %d in %d rounds", got, len(data), rounds)
	}
}
