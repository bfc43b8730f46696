package render

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// Package analyze tests the sentences of a walk's own ends.
func TestEndSentences(t *testing.T) {
	function := "main({to}, %d)"
	for kind := range endSentences {
		end := report.End{Kind: kind, Address: addr(0x10), To: addr(0x20), Limit: 3, Function: &function}
		got := endSentence(&end)
		if left := strings.ReplaceAll(got, function, ""); left == "" || strings.ContainsAny(left, "{}%?") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	for _, tt := range []struct {
		end  report.End
		want string
	}{
		{report.End{Kind: report.NotWalked}, "not walked: another thread was requested"},
		{report.End{Kind: report.SymbolsAwaited}, "the other frames need symbols that are still being read"},
		{report.End{Kind: report.WroteDump}, "this thread wrote the dump; its stack is that of the crash handler"},
		{report.End{Kind: report.NoRegisters}, "the file does not have the registers of this thread"},
		{report.End{Kind: "not_captured"}, "stack not captured at ?"},
		{report.End{Kind: "of a later version", Reason: "its own words"}, "its own words"},
		{report.End{}, ""},
	} {
		if got := endSentence(&tt.end); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.end.Kind, got, tt.want)
		}
	}
}

// A report is written with its sentences, the copy of the crashing thread included.
func TestSentences(t *testing.T) {
	ended := report.Thread{End: report.End{Kind: "zero_return"}}
	r := &report.Report{Threads: []report.Thread{{}, ended}, CrashingThread: &report.Crashing{Index: 1, Thread: ended}}
	Sentences(r)
	for _, th := range []report.Thread{r.Threads[1], r.CrashingThread.Thread} {
		if th.End.Reason != "the return address is 0" {
			t.Errorf("%+v", th.End)
		}
	}
}
