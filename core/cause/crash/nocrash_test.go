package crash

import "testing"

// The verdict on a dump without an exception depends on the other contents.
func TestWithoutException(t *testing.T) {
	whole := File{Size: 100, Threads: 2, System: true}
	tests := []struct {
		name, what, detail string
		in                 Input
	}{
		{"nothing is wrong", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process.", Input{File: whole}},
		{"no threads", "No threads in this dump", "It has neither threads nor an exception, so there is nothing to analyze.",
			Input{File: File{Size: 100, System: true}}},
		{"no threads, by LLDB", "No threads in this dump", "It has neither threads nor an exception, so there is nothing to analyze. LLDB leaves both out of dumps of i386.",
			Input{File: File{Size: 100, System: true, Writer: "LLDB"}}},
		{"a debugger's", "No crash: gdb had stopped the process", "The first thread was in `main` of app.",
			Input{Debugger: "gdb", File: whole, Frames: rows([]spot{{Function: "main", Module: "app"}})}},
		{"truncated", "The dump is truncated", "The lost part may show whether something crashed. The file is truncated: 59 KiB of at least 277 KiB. Ask for the file again.",
			Input{File: File{Size: 59 << 10, Need: 277 << 10, Threads: 1, System: true}}},
		{"damaged", "The dump is damaged or empty", "It could not be read far enough to say whether something crashed. The first defect: 3 of 4 streams lie beyond the end of the file.",
			Input{File: File{Size: 235, Defect: "3 of 4 streams lie beyond the end of the file"}}},
		{"a damaged thread list", "The dump is damaged", "It could not be read far enough to say whether something crashed. The first defect: thread list at 0x20: count 9 exceeds the stream.",
			Input{File: File{Size: 500, Defect: "thread list at 0x20: count 9 exceeds the stream", System: true}}},
		{"the exception is lost", "The exception cannot be read", "This dump has one, but that part of the file is damaged or missing, so the cause is not known. The file is truncated: 100 bytes of at least 200 bytes. Ask for the file again.",
			Input{Lost: true, File: File{Size: 100, Need: 200, Threads: 1, System: true}}},
		{"two threads wait for each other", "No crash: 12 of 14 threads wait; threads 3 and 7 wait for each other", "",
			Input{File: whole, Waits: Waits{Waiting: 12, Threads: 14, Rings: [][]uint32{{3, 7}}}}},
		{"a thread waits for itself, and others for each other", "No crash: 3 of 3 threads wait; thread 3 waits for itself; 1 more such ring", "",
			Input{File: whole, Requested: true, Waits: Waits{Waiting: 3, Threads: 3, Rings: [][]uint32{{3}, {4, 5}}}}},
		{"many in a ring", "No crash: 5 of 5 threads wait; 5 threads wait for each other in a ring", "",
			Input{File: whole, Waits: Waits{Waiting: 5, Threads: 5, Rings: [][]uint32{{1, 2, 3, 4, 5}}}}},
		{"threads wait", "No exception in this dump: written on request", "2 of 3 threads wait.", Input{Requested: true, File: whole, Waits: Waits{Waiting: 2, Threads: 3}}},
		{"requested", "No exception in this dump: written on request", "", Input{Requested: true, File: whole}},
	}
	for _, tt := range tests {
		v := Verdict(&tt.in, Analyze(&tt.in))
		if v.What != tt.what || v.Detail != tt.detail || v.Crashed {
			t.Errorf("%s:\n got %s. %s\nwant %s. %s", tt.name, v.What, v.Detail, tt.what, tt.detail)
		}
	}
}
