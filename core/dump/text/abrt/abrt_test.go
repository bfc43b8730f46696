package abrt

import (
	"strings"
	"testing"

	"crashglass/core/testkit/textreport"
)

const example = `{   "signal": 11
,   "executable": "/usr/bin/sleep"
,   "stacktrace":
      [ { "frames": [ { "address": 98346, "build_id": "92eb", "build_id_offset": 42, "function_name": "f", "file_name": "/usr/bin/sleep" } ] }
      , { "crash_thread": true, "frames":
          [ { "address": 4660, "build_id_offset": 564, "file_name": "/lib/libc.so.6", "function_name": "raise" }
          , { "address": 98400, "build_id": "92eb", "build_id_offset": 96, "file_name": "/usr/bin/sleep" } ] } ]
}
`

func TestBacktrace(t *testing.T) {
	all := textreport.Open(Family, "a line\n"+example+"another\n"+example)
	if len(all) != 2 || len(all[0].Threads) != 2 || all[0].Subject != 1 || all[0].Event.Code != 11 || all[0].Origin.Size != int64(len(example)-1) {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if f := p.Threads[1].Frames; f[0].Instruction != 4660 || f[0].Stated.Function != "raise" || f[1].Instruction != 98399 || f[1].ReturnAddress != 98400 {
		t.Errorf("%+v", f)
	}
	if m := p.Modules; len(m) != 2 || m[1].CodeFile != "/lib/libc.so.6" || m[0].CodeID != "92eb" || m[0].Base != 98304 {
		t.Errorf("%+v", m)
	}
	if all := textreport.Open(Family, example[:strings.Index(example, `"build_id_offset": 96`)]); len(all) != 1 || len(all[0].Threads[1].Frames) != 1 || len(all[0].Notes) == 0 {
		t.Errorf("truncated: %+v", all)
	}
	for _, log := range []string{"{\"signal\": 11}\n", "x \"signal\": {\n", "{ \"signal\": \"x\", \"stacktrace\": [{}] }\n"} {
		if got := textreport.Open(Family, log); len(got) > 0 {
			t.Errorf("%q: %+v", log, got[0])
		}
	}
}

// A µReport has the backtrace as its problem. That of an exception of Python has no threads.
func TestMicroReport(t *testing.T) {
	const report = "{ \"ureport_version\": 2\n, \"reason\": \"x\"\n, \"problem\": { \"type\": \"core\", \"signal\": 11, \"stacktrace\":\n" +
		"[ { \"crash_thread\": true, \"frames\": [ { \"address\": 4660, \"build_id_offset\": 564, \"file_name\": \"/lib/libc.so.6\" } ] } ] }\n, \"packages\": [] }\n"
	all := textreport.Open(Family, report)
	if len(all) != 1 || all[0].Event.Code != 11 || all[0].Subject != 0 || all[0].Threads[0].Frames[0].Instruction != 4660 {
		t.Fatalf("%+v", all)
	}
	if got := textreport.Open(Family, "{ \"ureport_version\": 2, \"problem\": { \"stacktrace\": [ { \"file_name\": \"a.py\" } ] } }\n"); len(got) > 0 {
		t.Errorf("%+v", got[0])
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example) }
