package android

import (
	"strings"
	"testing"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/textreport"
)

const dumped = `Subject: Input dispatching timed out (server is not responding. Waited 5000ms)
RssKb: 379552

----- pid 1705 at 2025-06-24 01:02:55.783306276+0800 -----
Cmd line: com.example.game
ABI: 'arm64'
DALVIK THREADS (2):
"main" prio=5 tid=1 Native
  | group="main" sCount=1 obj=0x72c6e2b8 self=0x99906210
  | sysTid=1705 nice=-10 cgrp=top-app sched=0/0 handle=0xa1e0446c
  native: #00 pc 0007a2c8  /apex/lib64/libc.so (__epoll_pwait+20) (BuildId: 8f21)
  native: #01 pc 00010f30  /system/lib64/libutils.so (android::Looper::pollInner(int)+120)
  at android.os.MessageQueue.nativePollOnce(Native method)
  - waiting on <0x0c8a1f2b> (a java.lang.Object)
  at com.example.Dock.slot(Dock.java:14)

"pool" prio=5 tid=2 (not attached)
  | sysTid=1710 nice=0
  native: #00 pc 0007a2d0  /apex/lib64/libc.so (syscall+28) (BuildId: 8f21)

----- end 1705 -----
`

// A dump may lack its last lines, and other reports follow.
func TestThreadsWithoutEnd(t *testing.T) {
	cut, _, _ := strings.Cut(dumped, "\n----- end")
	for _, next := range []string{example, "\n" + example, "\nFATAL EXCEPTION: main\njava.lang.Error: no\n\tat a.B.c(B.java:3)\n", "FATAL EXCEPTION: main\nProcess: x, PID: 4\njava.lang.Error: no\n\tat a.B.c(B.java:3)\n", "\n" + dumped} {
		all := textreport.Open(Threads, cut+next)
		if len(all) == 0 || len(all[0].Threads) != 2 || len(all[0].Threads[1].Frames) != 1 {
			t.Errorf("%s: %+v", next, all)
		}
		all, _, err := text.OpenAll([]text.Family{Family, Threads})(source([]byte(cut + next)))
		if tombstone := strings.Contains(next, begin); err != nil || tombstone && len(all) != 2 {
			t.Errorf("%s: %d reports, %v", next, len(all), err)
		}
	}
	wrapped := strings.Replace(dumped, "(syscall+28)", "\n(syscall+28)", 1)
	if all := textreport.Open(Threads, wrapped); len(all) != 1 || len(all[0].Threads) != 2 {
		t.Errorf("%+v", all)
	}
}

// A dump without a subject does not say that the process hung. Other threads may be before the main one.
func TestAskedThreads(t *testing.T) {
	all := textreport.Open(Threads, "----- pid 5 at noon -----\nDALVIK THREADS (2):\n\"Signal Catcher\" daemon prio=5 tid=4 Runnable\n  at a.B.c(B.java:3)\n\"main\" prio=5 tid=1 Native\n  at a.B.d(B.java:9)\n")
	if len(all) != 1 || all[0].Subject != 1 || all[0].Problem.Kind != process.Sample {
		t.Errorf("%+v", all)
	}
}

func TestThreads(t *testing.T) {
	for _, log := range []string{dumped, "x\n" + dumped} {
		all := textreport.Open(Threads, log)
		if len(all) != 1 || len(all[0].Threads) != 2 || *all[0].PID != 1705 || all[0].Arch != &cpu.ARM64 || all[0].Problem.Kind != process.Hang ||
			all[0].Problem.Text != "Input dispatching timed out (server is not responding. Waited 5000ms)" {
			t.Fatalf("%+v", all)
		}
		th := all[0].Threads
		if f := th[0].Frames; len(f) != 4 || f[0].Stated.Function != "__epoll_pwait" || f[1].Stated.Module != "libutils.so" || f[3].Stated.Function != "com.example.Dock.slot" ||
			f[3].Stated.Line != 14 || th[0].ID != 1705 || th[0].Name != "main" || th[1].ID != 1710 {
			t.Errorf("%+v", th)
		}
		if m := all[0].Modules; len(m) != 2 || m[0].Offsets != module.Linked {
			t.Errorf("%+v", m)
		}
	}
	if all := textreport.Open(Threads, "----- pid 5 at noon -----\nDALVIK THREADS (0):\n----- end 5 -----\n"); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// ART prints offsets of files without "0x", and "???" for what it does not know.
func TestUnknownNativeFrames(t *testing.T) {
	const first = "  native: #00 pc 0007a2c8  /apex/lib64/libc.so (__epoll_pwait+20) (BuildId: 8f21)\n"
	all := textreport.Open(Threads, strings.Replace(dumped, first, "  native: #00 pc 0002b1f0  /data/app/base.apk (offset 24000) (???)\n  native: #01 pc 71c00000  ???\n", 1))
	if len(all) != 1 || len(all[0].Threads[0].Frames) != 5 {
		t.Fatalf("%+v", all)
	}
	f := all[0].Threads[0].Frames
	if f[0].Stated.Module != "base.apk" || f[0].Stated.Function != "" || f[1].Stated.Module != "" || f[1].Stated.Function != "" {
		t.Errorf("%+v, %+v", f[0].Stated, f[1].Stated)
	}
}

// Stacks may have more lines than a dump has before its first thread.
func TestDeepThread(t *testing.T) {
	frame := "  at com.example.Dock.slot(Dock.java:14)\n"
	all := textreport.Open(Threads, strings.Replace(dumped, frame, strings.Repeat(frame, maxHead), 1))
	if len(all) != 1 || len(all[0].Threads) != 2 || len(all[0].Threads[0].Frames) != 3+maxHead {
		t.Errorf("%+v", all)
	}
}

const exits = `  package: com.example.game
        ApplicationExitInfo #0:
          timestamp=2026-09-27 09:41:12.345 pid=8812 realUid=10231 packageUid=10231 definingUid=10231 user=0
          process=com.example.game reason=4 (APP CRASH(EXCEPTION)) subreason=0 (UNKNOWN) status=0
          importance=125 pss=0.00 rss=0.00 description=it failed state=empty trace=null
        ApplicationExitInfo #1:
          timestamp=2026-09-27 03:02:01.000 pid=7001 realUid=10231 packageUid=10231 definingUid=10231 user=0
          process=com.example.game:service reason=3 (LOW_MEMORY) subreason=5 (TOO MANY CACHED) status=0
          importance=400 pss=0.00 rss=0.00 description=null state=empty trace=null
        ApplicationExitInfo #2:
          timestamp=2026-09-27 03:02:01.000 pid=7002 realUid=10231 packageUid=10231 definingUid=10231 user=0
          process=com.example.game reason=10 (USER REQUESTED) subreason=0 (UNKNOWN) status=0
          importance=400 pss=0.00 rss=0.00 description=stop state=empty trace=null
D/ActivityManager( 1698): died ApplicationExitInfo(timestamp=02/07/26, 17.46 pid=11190 realUid=10509 process=com.example.game reason=5 (APP CRASH(NATIVE)) subreason=0 (UNKNOWN) status=11 importance=100 description=null state=empty trace=null
`

func TestExits(t *testing.T) {
	all := textreport.Open(Exits, exits)
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	if p := all[0]; p.Problem.Kind != process.Uncaught || p.Problem.Text != "it failed" || *p.PID != 8812 {
		t.Errorf("%+v", p.Problem)
	}
	if p := all[1]; p.Problem.Kind != process.Killed || p.Problem.Text != "memory ran out" || p.Annotations[0].Value != "com.example.game:service" || *p.PID != 7001 {
		t.Errorf("%+v", p.Problem)
	}
	if p := all[2]; p.Event == nil || p.Event.Code != 11 || *p.PID != 11190 {
		t.Errorf("%+v", p)
	}
}

func FuzzThreads(f *testing.F) { textreport.Fuzz(f, Threads, dumped) }

func FuzzExits(f *testing.F) { textreport.Fuzz(f, Exits, exits) }
