package triage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/report"
)

// crash is a group of one dump, as a map makes it.
func crash(signature, dump string) Group {
	r := &report.Report{Signature: &signature, Verdict: report.Verdict{Crashed: true, What: "Null pointer read"}}
	return Of(dump, r, Own)
}

func TestOf(t *testing.T) {
	text := func(s string) *string { return &s }
	zero, one := 0, 1
	r := &report.Report{
		Signature: text("a | b"), MainModule: 0,
		Verdict:    report.Verdict{Crashed: true, What: "abort() called"},
		CrashInfo:  report.CrashInfo{Type: text("SIGABRT"), CrashingThread: &zero},
		SystemInfo: report.SystemInfo{OS: text("Linux"), CPU: text("amd64")},
		Modules:    []report.Module{{CodeFile: "app", DebugID: "0123"}, {CodeFile: "lib.so", Version: text("1.2")}},
		Threads: []report.Thread{{Frames: []report.Frame{
			{Module: text("libc.so.6"), System: true, Function: text("abort")},
			{Module: text("lib.so"), ModuleIndex: &one, Function: text("check()")},
		}}},
	}
	want := Group{
		Kind: Crash, Signature: "a | b", Rules: Own, Count: 1,
		What: Tally{"abort() called": 1}, Reason: Tally{"SIGABRT": 1}, Own: Tally{"lib.so!check()": 1},
		Modules: Tally{"app 0123": 1, "lib.so 1.2": 1}, Systems: Tally{"Linux amd64": 1}, Examples: Tally{"x.dmp": 1},
	}
	if got := Of("x.dmp", r, Own); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := Of("x.dmp", &report.Report{}, Own); got.Kind != NoCrash || got.Count != 1 {
		t.Errorf("of nothing: %+v", got)
	}
}

// The groups are the same, byte for byte, for any order of merging.
func TestMergeIsAssociative(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var dumps []Group
	for i := range 400 {
		g := crash(fmt.Sprintf("s%d", rnd.IntN(7)), fmt.Sprintf("%d.dmp", i))
		g.First = uint32(rnd.IntN(3) * 1000)
		g.Last = g.First
		dumps = append(dumps, g)
	}
	want := ""
	for range 10 {
		parts := make([]Set, 1+rnd.IntN(5))
		for _, i := range rnd.Perm(len(dumps)) {
			parts[rnd.IntN(len(parts))].Add(dumps[i])
		}
		var all Set
		for _, i := range rnd.Perm(len(parts)) {
			var lines bytes.Buffer
			if err := WriteLines(&lines, parts[i].Groups()); err != nil {
				t.Fatal(err)
			}
			if err := ReadLines(&lines, &all); err != nil {
				t.Fatal(err)
			}
		}
		var got bytes.Buffer
		if err := WriteLines(&got, all.Groups()); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = got.String()
		}
		if got.String() != want || strings.Count(want, "\n") != 7 {
			t.Fatalf("got\n%s\nwant\n%s", got.String(), want)
		}
	}
}

func TestAgainst(t *testing.T) {
	var before, now Set
	for _, s := range []string{"known", "known", "grown", "gone"} {
		before.Add(crash(s, "x"))
	}
	before.Add(Group{Kind: Crash, Signature: "back"}) // what was gone then has a count of 0
	for _, s := range []string{"known", "grown", "grown", "new", "back"} {
		now.Add(crash(s, "x"))
	}
	var got []string
	for _, c := range now.Against(&before) {
		got = append(got, fmt.Sprintf("%s %s %d<-%d", c.Signature, c.State, c.Count, c.Before))
	}
	want := []string{"grown grown 2<-1", "back back 1<-0", "known known 1<-2", "new new 1<-0", "gone gone 0<-1"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Groups that an earlier comparison wrote as gone are merged without dumps.
func TestAgainstWithoutDumps(t *testing.T) {
	var before, now Set
	before.Add(crash("gone", "x"))
	before.Add(Group{Kind: Crash, Signature: "long gone"})
	for _, s := range []string{"gone", "long gone", "gone of an older baseline"} {
		now.Add(Group{Kind: Crash, Signature: s})
	}
	got := now.Against(&before)
	if len(got) != 1 || got[0].Signature != "gone" || got[0].State != Gone || got[0].Before != 1 {
		t.Errorf("%+v", got)
	}
}

func TestReadLinesFails(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                        `this is no result of triage: JSON value 1, at byte 2, has no "kind"`,
		`{"kind":"crash"} [`:        "this is no result of triage: JSON value 2, at byte 16: ",
		`{"groups":[{"count":-1}]}`: "this is no result of triage: JSON value 1, at byte ",
	} {
		if err := ReadLines(strings.NewReader(text), &Set{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A copy or a part of a function counts as the function.
func TestFrameNameOfClone(t *testing.T) {
	module, function := "app", "f(int) [clone .cold]"
	if got := (&row{Frame: &report.Frame{Module: &module, Function: &function}}).name(); got != "app!f(int)" {
		t.Error(got)
	}
	if got := (&row{Frame: &report.Frame{Module: &module, Function: &function, Certainty: report.NameNearest}}).name(); got != "app!~ f(int)" {
		t.Error(got)
	}
}
