package sanitize

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/report"
)

func secretiveSession(t testing.TB) *analyze.Session {
	data := secretive(t)
	s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInspect(t *testing.T) {
	s := secretiveSession(t)
	list := Inspect(s)
	if people := People(s); !slices.Equal(people, list.People) {
		t.Errorf("people %v, in the checklist %v", people, list.People)
	}
	if !slices.Equal(list.People, []string{"MALLORYS-LAPTOP", "mallory"}) {
		t.Errorf("people: %q", list.People)
	}
	var items []string
	for _, i := range list.Items {
		items = append(items, i.String())
	}
	for _, want := range []string{"the environment: 3 variables", "the command line: 2 arguments", "handles with the names of files, keys and pipes: 1 handles"} {
		if !slices.Contains(items, want) {
			t.Errorf("no %q in %q", want, items)
		}
	}
	if !slices.ContainsFunc(list.Secrets, func(s Secret) bool {
		return s.Where == "stream ThreadNames" || strings.HasPrefix(s.Where, "memory at 0x")
	}) {
		t.Errorf("secrets: %+v", list.Secrets)
	}
}

// TestMask makes a report that has none of what was planted, and leaves the
// one that it was made of alone.
func TestMask(t *testing.T) {
	s := secretiveSession(t)
	r, err := s.Report(nil, analyze.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	before := marshal(t, r)
	after := marshal(t, Mask(r, People(s)))
	if again := marshal(t, r); again != before {
		t.Error("the report itself is changed")
	}
	for _, p := range []string{"mallory", "MALLORYS-LAPTOP", "--token=abcdef0123456789", planted[1], "/srv/payroll/2026.xlsx"} {
		if !strings.Contains(before, p) {
			t.Errorf("%q is not in the report at all", p)
		}
		if strings.Contains(after, p) {
			t.Errorf("%q is in the masked report", p)
		}
	}
	if !strings.Contains(after, "/home/user/app") {
		t.Error("the path of the program is gone, and not only the name in it")
	}
}

// TestMaskChangesNothingElse has a report without anything to hide.
func TestMaskChangesNothingElse(t *testing.T) {
	s := secretiveSession(t)
	r, err := s.Report(nil, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain := &report.Report{Threads: r.Threads, Verdict: r.Verdict, Streams: r.Streams, MainModule: r.MainModule}
	plain.Threads[0].Name = nil
	if got, want := marshal(t, Mask(plain, nil)), marshal(t, plain); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func marshal(t testing.TB, r *report.Report) string {
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestMaskAnnotations leaves out what a program or a person wrote, and keeps what
// tells builds and crashes apart. Codes stay, whatever people are called.
func TestMaskAnnotations(t *testing.T) {
	annotation := func(name, value string) report.Annotation { return report.Annotation{Name: name, Value: value} }
	r := &report.Report{
		Annotations: []report.Annotation{
			annotation("client id", "725058a6"), annotation("guid", "725058a6"), annotation("TelemetryClientId", "725058a6"),
			annotation("comment", "it broke when I opened the will"), annotation("document", "will.odt"), annotation("", "x"), annotation("url", ""),
			annotation("report id", "83e6ce16"), annotation("ver", "1.2"), annotation("Build-ID", "2026"), annotation("prod", strings.Repeat("x", 100)),
		},
		Threads: []report.Thread{{Frames: []report.Frame{{Trust: report.TrustContext, FoundBy: report.ByContext}}}},
	}
	var got []string
	out := Mask(r, []string{"context"})
	for _, a := range out.Annotations {
		got = append(got, a.Value)
	}
	want := []string{leftOut, leftOut, leftOut, leftOut, leftOut, leftOut, "", "83e6ce16", "1.2", "2026", leftOut}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if f := out.Threads[0].Frames[0]; f.Trust != report.TrustContext || f.FoundBy != report.ByContext {
		t.Errorf("a frame found by %s is %s", f.FoundBy, f.Trust)
	}
}

// TestMaskNumbers has texts where numbers are: in registers, in what a walk
// read, in parameters, and in variables.
func TestMaskNumbers(t *testing.T) {
	const text, address = "0x6f63657320796d20", "0x00007ffe00001000"
	quoted, plain := `0x1000 "secret"`, "42"
	frame := report.Frame{
		Registers: report.Registers{{Name: "rax", Value: text}, {Name: "rbx", Value: address}},
		Evidence:  []report.Step{{Text: "rbx = " + text, Reads: []report.Read{{Value: text}, {Value: address}}}, {Text: "fine", Reads: []report.Read{{Value: address}}}},
		Variables: []report.Variable{{Name: "s", Value: &quoted, Children: []report.Variable{{Value: &quoted}}}, {Name: "n", Value: &plain}},
	}
	r := &report.Report{
		SystemInfo: report.SystemInfo{PointerWidth: 8},
		CrashInfo:  report.CrashInfo{Parameters: []report.Address{text, address}},
		Threads:    []report.Thread{{Frames: []report.Frame{frame}}},
	}
	got := marshal(t, Mask(r, nil))
	for _, hidden := range []string{text, "secret"} {
		if strings.Contains(got, hidden) {
			t.Errorf("%s is in %s", hidden, got)
		}
	}
	for _, kept := range []string{`"rbx":"` + address, `"text":"fine"`, `"value":"42"`, `"value":"` + address} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is not in %s", kept, got)
		}
	}
}

// Labels of goroutines and messages of exceptions are the program's data. Names of labels, and types, are its code.
func TestMaskTasks(t *testing.T) {
	task := report.Task{
		Labels:    []report.TaskLabel{{Name: "tenant", Value: "secret"}, {Name: "empty", Value: ""}},
		Exception: &report.TaskException{Type: "ValueError", Message: "no secret"},
	}
	r := &report.Report{Verdict: report.Verdict{Finding: report.FindingException, Detail: "The message is: no secret. Nothing catches it."}, Tasks: []report.Task{task, {Exception: &report.TaskException{Type: "StopIteration"}}}}
	got := Mask(r, nil)
	text := marshal(t, got)
	if strings.Contains(text, "secret") || !strings.Contains(text, "tenant") || !strings.Contains(text, "ValueError") || got.Tasks[1].Exception.Message != "" {
		t.Errorf("masked as %s", text)
	}
	if task.Exception.Message != "no secret" || task.Labels[0].Value != "secret" {
		t.Errorf("the report itself became %+v", task)
	}
}

// TestMaskFiles keeps of /proc what tells the system, and the names of code.
func TestMaskFiles(t *testing.T) {
	files := map[string]struct{ text, want string }{
		"/proc/PID/status":  {"Name:\tapp\nUid:\t1000\nPid:\t7\nKtag:\tx\n", "Name:\tapp\nPid:\t7\n"},
		"/proc/cpuinfo":     {"model name\t: x\nSerial\t\t: 00000000beef\n", "model name\t: x\n"},
		"/etc/lsb-release":  {"DISTRIB_ID=Debian\nHOME_URL=x\n", "DISTRIB_ID=Debian\n"},
		"/proc/PID/fd":      {"/home/eve/will.odt", leftOut},
		"/proc/PID/stat":    {"7 (app) S", leftOut},
		"/proc/uptime":      {"1.5 2.5\neve was here\n", "1.5 2.5\n"},
		"/proc/PID/environ": {"A=b", leftOut},
		"/proc/PID/maps": {
			"1-2 r-xp 0 08:01 7 /home/eve/bin/app\n2-3 r--p 0 08:01 7 /home/eve/bin/app\n3-4 r--p 0 08:01 7 /home/eve/will.odt (deleted)\n" +
				"4-5 r--p 0 08:01 7 /usr/share/fonts/x.ttf\n5-6 rw-p 0 00:00 0 [heap]\n6-7 rw-p 0 00:00 0 \neve\n",
			"1-2 r-xp 0 08:01 7 /home/user/bin/app\n2-3 r--p 0 08:01 7 /home/user/bin/app\n3-4 r--p 0 08:01 7 [file]\n" +
				"4-5 r--p 0 08:01 7 /usr/share/fonts/x.ttf\n5-6 rw-p 0 00:00 0 [heap]\n6-7 rw-p 0 00:00 0 \n",
		},
	}
	for name, tt := range files {
		r := &report.Report{LinuxFiles: []report.TextFile{{Name: name, Text: tt.text, Sensitive: name == "/proc/PID/environ"}}}
		if got := Mask(r, nil).LinuxFiles[0].Text; got != tt.want {
			t.Errorf("%s became\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// The message of an exception is a value also in a report without tasks. One of native code stays.
func TestMaskMessages(t *testing.T) {
	const said = "The message is: no dock for bob."
	for kind, stays := range map[report.FrameKind]bool{"javascript": false, "": true} {
		frames := []report.Frame{{Inlines: []report.Inline{{Kind: kind}}}}
		for _, r := range []*report.Report{{Threads: []report.Thread{{Frames: frames}}}, {CrashingThread: &report.Crashing{Thread: report.Thread{Frames: frames}}}} {
			r.Verdict = report.Verdict{Finding: report.FindingException, Detail: said, Badges: []report.Badge{{Finding: report.FindingException, Evidence: []string{said}}}}
			if got := Mask(r, nil).Verdict; (got.Detail == said) != stays || (got.Badges[0].Evidence[0] == said) != stays {
				t.Errorf("%q: %+v", kind, got)
			}
		}
	}
}
