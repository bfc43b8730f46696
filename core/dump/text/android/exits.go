package android

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const exitKind = "Android exit record"

// Exits reads why processes ended, as "dumpsys activity exit-info" and ApplicationExitInfo.toString print it. Exits that are no crash are left out:
//
//	ApplicationExitInfo #0:
//	  timestamp=2026-09-27 09:41:12.345 pid=8812 realUid=10231 packageUid=10231 definingUid=10231 user=0
//	  process=com.example.game reason=5 (APP CRASH(NATIVE)) subreason=0 (UNKNOWN) status=11
//	  importance=125 pss=0.00 rss=0.00 description=crash state=empty trace=null
//	ApplicationExitInfo(timestamp=02/07/26, 17.46 pid=11190 … reason=3 (LOW_MEMORY) … status=0 importance=100 … description=null state=empty trace=null
//
// Source: AOSP, frameworks/base/core/java/android/app/ApplicationExitInfo.java (dump, toString, REASON_SIGNALED and the constants behind it).
var Exits = text.Family{Kinds: []string{exitKind}, Marks: []string{"ApplicationExitInfo #", "ApplicationExitInfo(timestamp="}, Read: readExit}

const (
	maxRecord = 8 // lines behind the first

	signaled    = 2
	lowMemory   = 3
	crash       = 4
	nativeCrash = 5
	anr         = 6
)

func readExit(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	record, _ := l.Next()
	for n := 0; n < maxRecord && !strings.Contains(record, " trace="); n++ {
		line, ok := l.Next()
		if !ok || strings.Contains(line, "ApplicationExitInfo") {
			l.Back()
			break
		}
		record += " " + strings.TrimSpace(line)
	}
	field := func(name string) string {
		_, value, _ := strings.Cut(record, " "+name+"=")
		return value
	}
	reason, _, ok := text.Decimal(field("reason"))
	status, _, _ := text.Decimal(field("status"))
	said, _, _ := strings.Cut(field("description"), " state=")
	event, problem := (*process.Event)(nil), &process.Problem{Text: said}
	switch isSignal := status > 0 && status < 65; {
	case !ok:
		return nil
	case reason == lowMemory:
		problem.Kind, problem.Text = process.Killed, "memory ran out"
	case reason == crash:
		problem.Kind = process.Uncaught
	case reason == anr:
		problem.Kind = process.Hang
	case isSignal && (reason == signaled || reason == nativeCrash):
		event, problem = &process.Event{Code: uint32(status), NoAddress: true}, nil
	default:
		return nil
	}
	d := text.NewDraft(exitKind)
	d.System(process.Android, nil)
	if pid, _, ok := text.Decimal(field("pid")); ok {
		d.PID(pid)
	}
	name, _, _ := strings.Cut(field("process"), " ")
	d.Annotate("process", name)
	d.Process.Event, d.Process.Problem, d.Process.Subject = event, problem, 0
	d.Thread(process.Thread{})
	return []*process.Process{d.Finish()}
}
