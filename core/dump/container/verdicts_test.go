package container_test

import (
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
)

// The verdict on a report that is text: what happened, and where. Few frames have modules, and what no finder knows is said in the words of
// the report.
func TestVerdictsOnText(t *testing.T) {
	for _, tt := range []struct{ log, want string }{
		{"==1==ERROR: AddressSanitizer: odd-thing on address 0x6 at pc 0x5\n#0 0x5 in inner a.cc:1:2\n#1 0x6 in _start (/opt/game+0x6)\n", "Error: odd-thing on address 0x6|inner|a.cc:1"},
		{"==1== ERROR: libFuzzer: deadly signal\n#0 0x5 in fuzzer::PrintStackTrace() f.cpp:1:2\n#1 0x6 in parse a.cc:1:2\n", "Error: deadly signal|parse|a.cc:1"},
		{"==1==ERROR: AddressSanitizer: access-violation on unknown address 0x08 (pc 0x5)\nThe signal is caused by a READ memory access.\n" +
			"#0 0x5 in f a.cc:1:2\n#1 0x6 in BaseThreadInitThunk+0x23 (C:\\Windows\\kernel32.dll+0x6)\n",
			"Null pointer read|f|a.cc:1"},
		{"a.cc:1:2: runtime error: division by zero\n", "Undefined behavior||a.cc:1"},
	} {
		all, err := analyze.OpenAll(bin.NewSource(strings.NewReader(tt.log), int64(len(tt.log))))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %d reports, %v", tt.log, len(all), err)
			continue
		}
		r, err := all[0].Report(nil, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := r.Verdict; v.What+"|"+value(v.Where)+"|"+value(v.At) != tt.want {
			t.Errorf("%s%s|%s|%s; want %s", tt.log, v.What, value(v.Where), value(v.At), tt.want)
		}
	}
}
