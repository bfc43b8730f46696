package render

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// deadlocked is a report of three threads: two hold what the other waits for.
func deadlocked() *report.Report {
	wait := func(lock uint64, holder int, id uint32) *report.Wait {
		return &report.Wait{
			Kind: "mutex", Call: ptr("futex"), Library: "glibc", Object: addr(lock), Holder: report.WaitHeld, Thread: &holder, ThreadID: &id,
			Evidence: []report.WaitEvidence{
				{Kind: "register", Name: "rdi", Value: addr(lock), Meaning: "futex"}, {Kind: "code", Address: addr(0x401000), Value: addr(202), Meaning: "system_call"},
				{Kind: "function", Name: "pthread_mutex_lock", Frame: ptr(1), Meaning: "waits_in"},
				{Kind: "word", Address: addr(lock + 8), Size: 4, Value: ptr(report.Addr(uint64(id), 4)), Meaning: "owner"},
			},
		}
	}
	return &report.Report{
		Threads: []report.Thread{
			{ID: 3, Name: ptr("net`io"), Waits: wait(0x5000, 1, 7)}, {ID: 7, Waits: wait(0x6000, 0, 3)},
			{ID: 9, Waits: &report.Wait{Kind: report.WaitJoin, Object: addr(0x7000), Holder: report.WaitJoined, Thread: ptr(0), ThreadID: ptr(uint32(3))}},
		},
		Hang:    &report.Hang{Waiting: 3, Threads: 3, Cycles: [][]int{{0, 1}}, Behind: []int{2}},
		Verdict: report.Verdict{What: "No crash: 3 of 3 threads wait; threads 3 and 7 wait for each other"},
	}
}

func TestWaitSentences(t *testing.T) {
	r := deadlocked()
	for want, w := range map[string]*report.Wait{
		"a mutex at 0x5000, held by thread 7":                              r.Threads[0].Waits,
		"a mutex at 0x6000, held by thread 3 net`io":                       r.Threads[1].Waits,
		"a thread to end: thread 3 net`io":                                 r.Threads[2].Waits,
		"a thread to end: thread 4, which is not in the dump":              {Kind: "join", Object: addr(0x10), Holder: report.WaitGone, ThreadID: ptr(uint32(4))},
		"a thread to end, which has ended":                                 {Kind: "join", Object: addr(0x10), Holder: report.WaitFree},
		"a thread to end, at the word 0x10, which was not captured":        {Kind: "join", Object: addr(0x10), Holder: report.WaitNotCaptured},
		"a thread to end; which one is not known":                          {Kind: "join", Holder: report.WaitNotFound},
		"data, file descriptor 5":                                          {Kind: "read", Descriptor: ptr(int64(5)), Holder: report.WaitNoHolder},
		"a mutex, which does not record its holder":                        {Kind: "mutex", Holder: report.WaitNotRecorded},
		"a mutex at 0x10, held by thread 4, which is not in the dump":      {Kind: "mutex", Object: addr(0x10), Holder: report.WaitGone, ThreadID: ptr(uint32(4))},
		"a condition variable, at the word 0x20":                           {Kind: "condition", Object: addr(0x20), Holder: report.WaitNoHolder},
		"a kind of a later version at 0x30, whose holder was not captured": {Kind: "a kind of a later version", Object: addr(0x30), Holder: report.WaitNotCaptured},
	} {
		if got := waitSentence(r, w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Every form has the waits between threads, with the word that proves them.
func TestFormsOfAHang(t *testing.T) {
	for name, want := range map[string][]string{
		"txt":         {"Waits for a mutex at 0x5000, held by thread 7\n", "Waits for a thread to end: thread 3 net`io\n"},
		"explain.txt": {"[0x0000000000005008] = 0x00000007, ID of the thread that holds it\n", "frame 1 is in pthread_mutex_lock\n"},
		"md":          {"**Threads that wait for each other**", "- Thread 7 waits for a mutex at 0x6000, held by thread 3", "`[0x0000000000005008] = 0x00000007, ID of the thread that holds it`"},
		"html":        {"<h2>Threads that wait for each other</h2>", "<td>a mutex at 0x5000, held by thread 7</td>", "rdi = 0x0000000000005000, address of the word that the thread waits at"},
		"json":        {`"text":"a mutex at 0x5000, held by thread 7"`, `"cycles":[[0,1]]`},
	} {
		for _, form := range forms {
			if form.name != name {
				continue
			}
			var out strings.Builder
			if err := form.write(&out, deadlocked()); err != nil {
				t.Fatal(err)
			}
			for _, w := range want {
				if !strings.Contains(out.String(), w) {
					t.Errorf("%s lacks %q:\n%s", name, w, out.String())
				}
			}
		}
	}
}
