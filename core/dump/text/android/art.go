package android

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	threadsKind = "Android thread dump"
	dumpMark    = "----- pid "
	listMark    = "DALVIK THREADS ("
)

// Threads reads what ART prints of the threads of a process that does not respond: the traces of an ANR, also as ApplicationExitInfo has them.
//
//	----- pid 1705 at 2025-06-24 01:02:55 -----
//	Cmd line: com.example.game
//	DALVIK THREADS (86):
//	"main" prio=5 tid=1 Native
//	  | sysTid=1705 nice=-10 cgrp=top-app sched=0/0 handle=0xa1e0446c
//	  native: #00 pc 0007a2c8  /apex/com.android.runtime/lib/bionic/libc.so (__epoll_pwait+20)
//	  at android.os.MessageQueue.nativePollOnce(Native method)
//	  - waiting on <0x0c8a1f2b> (a java.lang.Object)
//	  at com.example.Dock.slot(Dock.java:14)
//
// Source: AOSP, art/runtime/thread.cc (DumpState, DumpStack), art/runtime/signal_catcher.cc (HandleSigQuit), art/runtime/native_stack_dump.cc.
var Threads = text.Family{Kinds: []string{threadsKind}, Marks: []string{dumpMark, listMark}, Read: readThreads}

type threadDump struct {
	d      *text.Draft
	frames int
	main   int // the main thread's index
}

func readThreads(l *text.Lines) []*process.Process {
	r := &threadDump{d: text.NewDraft(threadsKind)}
	var arch *cpu.Arch
	l.Begin(l.Mark())
	gap := true // the line before is empty; a line that follows another may be the rest of that, which was wrapped
	for n := 0; n < maxHead || r.frames > 0; n++ {
		line, ok := l.Next()
		if !ok {
			break
		}
		pid, isDump := strings.CutPrefix(line, dumpMark)
		if n > 0 && isDump || strings.HasPrefix(line, "----- end ") {
			if isDump {
				l.Back()
			}
			break
		}
		isEnd := r.frames > 0 && !isOfThread(line) && (gap || l.Ahead(1, func(next string) bool { return next != "" && !isOfThread(next) }))
		if gap = line == ""; isEnd && !gap { // the last lines are missing
			l.Back()
			break
		}
		key, value, _ := strings.Cut(line, ": ")
		switch number, _, isNumber := text.Decimal(pid); {
		case isDump && isNumber:
			r.d.PID(number)
		case key == "Cmd line", key == "Build fingerprint":
			r.d.Annotate(key, value)
		case key == "ABI":
			arch = abis.CPU(strings.Trim(value, "'"))
		default:
			r.line(line)
		}
	}
	if r.frames == 0 {
		return nil
	}
	r.d.System(process.Android, arch)
	p := &r.d.Process
	p.Problem, p.Subject = &process.Problem{Kind: process.Sample}, r.main
	for i, line := range l.Before(maxSubject) {
		_, subject, isANR := strings.Cut(line, "Subject: ")
		if isANR || strings.HasSuffix(line, "Crash type: 'anr'") { // xCrash
			p.Problem.Kind, p.Problem.Text = process.Hang, subject
			l.Keep(i)
			break
		}
	}
	return []*process.Process{r.d.Finish()}
}

// maxSubject is how many lines before a dump are searched for what it is about.
const maxSubject = 32

// isOfThread reports whether a line may be one of a thread.
func isOfThread(line string) bool {
	line = strings.TrimLeft(line, " \t")
	begins := []string{`"`, "| ", "native: ", "kernel: ", "#", "at ", "- ", "(", dumpMark, "----- end "}
	return slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// line reads a line of a thread. Native frames are the innermost, and come first.
func (r *threadDump) line(line string) {
	s := strings.TrimSpace(line)
	native, isNative := strings.CutPrefix(strings.TrimPrefix(s, "native: "), "#")
	call, isJava := strings.CutPrefix(s, "at ")
	name, rest, isThread := text.Between(s, `"`, `" `)
	switch {
	case isThread && s[0] == '"' && (strings.Contains(rest, "prio=") || strings.Contains(rest, "sysTid=")):
		if strings.Contains(rest, " tid=1 ") {
			r.main = len(r.d.Process.Threads)
		}
		r.d.Thread(process.Thread{Name: name})
		r.id(rest)
	case len(r.d.Process.Threads) == 0:
	case strings.HasPrefix(s, "| sysTid="):
		r.id(s)
	case isNative:
		if f, ok := frameOf("#" + native); ok {
			f.addTo(r.d)
			r.frames++
		}
	case isJava:
		var f text.Frame
		class, place, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
		f.Names.Function = class
		if file, number := text.Source(place); number > 0 {
			f.Names.File, f.Names.Line = file, number
		}
		r.d.Frame(f)
		r.frames++
	}
}

// id reads the number of the last thread: "prio=5 sysTid=1705 nice=-10".
func (r *threadDump) id(s string) {
	_, number, ok := strings.Cut(s, "sysTid=")
	if n, _, isNumber := text.Decimal(number); ok && isNumber {
		all := r.d.Process.Threads
		all[len(all)-1].ID = uint32(n)
	}
}
