package systemd

import (
	"encoding/json"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const message = `Process 30837 (orbit) of user 1000 dumped core.

Module /opt/orbit/orbit, build-id=eba9baa914f0b59ca0fc243051a2260d856036a7
Module libz.so.1 from rpm zlib-1.2.11-31.fc36.x86_64
Stack trace of thread 30837:
#0  0x00005601c74bf13d pull (orbit + 0x113d)
#1  0x00005601c74bf152 n/a (orbit + 0x1152)
#2  0x00007faec1fa024a __restore_rt (libc.so.6 + 0x2724a)
#3  0x00005601c74bf1a1 _Z4mainv (orbit + 0x11a1)
#4  0x0000000000000010 n/a (n/a + 0x0)

Stack trace of thread 30838:
#0  0x00007faec1fa0305 n/a (libc.so.6)
ELF object binary architecture: AMD x86-64`

const info = `           PID: 30837 (orbit)
           UID: 1000 (user)
        Signal: 11 (SEGV)
  Command Line: ./orbit --secret
    Executable: /opt/orbit/orbit
          Unit: session-3.scope
       Message: `

const mappings = "5601c74be000-5601c74bf000 r--p 00000000 fe:01 1000   /opt/orbit/orbit\n5601c74bf000-5601c74c0000 r-xp 00001000 fe:01 1000   /opt/orbit/orbit\n"

// indented is the message as coredumpctl prints it.
var indented = strings.ReplaceAll(message, "\n", "\n                ") + "\n"

func open(t *testing.T, log string) []*process.Process {
	t.Helper()
	all, _, err := text.OpenAll([]text.Family{Family})(bin.NewSource(strings.NewReader(log), int64(len(log))))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// entry is an entry of the journal.
func entry(message any, more map[string]any) string {
	fields := map[string]any{"COREDUMP_PID": "30837", "COREDUMP_SIGNAL": "11", "COREDUMP_EXE": "/opt/orbit/orbit", "COREDUMP_ENVIRON": nil, "MESSAGE": message}
	for k, v := range more {
		fields[k] = v
	}
	line, _ := json.Marshal(fields)
	return string(line) + "\n"
}

// Each form has the same stacks.
func TestForms(t *testing.T) {
	codes := []int{}
	for _, b := range []byte(message) {
		codes = append(codes, int(b))
	}
	quoted, _ := json.Marshal(message)
	pretty := "{\n\t\"__CURSOR\" : \"s=1\",\n\t\"COREDUMP_PID\" : \"30837\",\n\t\"COREDUMP_SIGNAL\" : \"11\",\n\t\"COREDUMP_EXE\" : \"/opt/orbit/orbit\",\n" +
		"\t\"MESSAGE\" : " + string(quoted) + "\n}\n"
	packages := map[string]any{"COREDUMP_PACKAGE_JSON": `{"elfType":"coredump","/opt/orbit/orbit":{"buildId":"eba9baa914f0b59ca0fc243051a2260d856036a7"}}`, "COREDUMP_PROC_MAPS": mappings}
	long := map[string]any{"COREDUMP_PROC_STATUS": strings.Repeat("x", 2*text.MaxLine)}
	for _, tt := range []struct {
		name, log string
		reports   int
	}{
		{"coredumpctl", info + indented, 1}, {"twice", info + indented + "\n" + info + indented + "$ \n", 2},
		{"behind a time", "12:00 | " + strings.ReplaceAll(info+indented, "\n", "\n12:00 | "), 1},
		{"journal", entry(message, nil), 1}, {"as bytes", entry(codes, nil), 1},
		{"several values", entry([]string{message, "x"}, nil), 1}, {"with packages", entry(message, packages), 1},
		{"a long entry", "{\"__CURSOR\":\"a\",\"MESSAGE\":\"COREDUMP_\"}\n" + entry(message, long), 1},
		{"two entries", entry(message, nil) + entry(message, nil), 2}, {"on several lines", "x\n" + pretty + pretty, 2},
		{"a log", "Nov 23 05:10:58 server systemd-coredump[9]: [x] " + indented + "Nov 23 05:10:58 server x[9]: a line\n", 1},
		{"one line", "Nov 23 05:10:58 server systemd-coredump[9]: " + strings.ReplaceAll(message, "\n", "#012") + "\nNov 23 05:10:58 server x[9]: a line\n", 1},
	} {
		all := open(t, tt.log)
		if len(all) != tt.reports {
			t.Errorf("%s: %d reports", tt.name, len(all))
			continue
		}
		for _, p := range all {
			check(t, tt.name, p)
		}
	}
}

func check(t *testing.T, name string, p *process.Process) {
	t.Helper()
	if *p.PID != 30837 || p.Subject != 0 || len(p.Threads) != 2 || p.Threads[1].ID != 30838 || p.Arch != &cpu.AMD64 {
		t.Fatalf("%s: %+v", name, p)
	}
	if e := p.Event; e != nil && (e.Code != 11 || !e.NoAddress) || e == nil && !strings.Contains(name, "l") {
		t.Errorf("%s: %+v", name, e)
	}
	frames := p.Threads[0].Frames
	want := []struct {
		at       uint64
		exact    bool
		function string
		module   string
	}{
		{at: 0x5601c74bf13d, exact: true, function: "pull", module: "orbit"},
		{at: 0x5601c74bf151, function: "", module: "orbit"},
		{at: 0x7faec1fa0249, function: "__restore_rt", module: "libc.so.6"},
		{at: 0x5601c74bf1a1, exact: true, function: "_Z4mainv", module: "orbit"},
		{at: 0xf, function: "", module: ""},
	}
	if len(frames) != len(want) {
		t.Fatalf("%s: %+v", name, frames)
	}
	for i, w := range want {
		if f := frames[i]; f.Instruction != w.at || f.Interrupted != w.exact || f.Stated.Function != w.function || f.Stated.Module != w.module {
			t.Errorf("%s: frame %d: %+v, %+v", name, i, f, f.Stated)
		}
	}
	if f := p.Threads[1].Frames[0]; f.Instruction != 0x7faec1fa0305 || f.Stated.Module != "libc.so.6" || !f.Interrupted {
		t.Errorf("%s: %+v", name, f)
	}
	for _, m := range p.Modules {
		if m.Name() == "orbit" && (m.CodeID != "eba9baa914f0b59ca0fc243051a2260d856036a7" || m.Base != 0x5601c74be000 || m.CodeFile != "/opt/orbit/orbit") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// Lines that are near reports, and are none.
func TestNone(t *testing.T) {
	for _, log := range []string{"PID: 7\n", "PID: 7 (x)\nx\n", "PID: x\nUID: 0\n", "PID: 7 (x)\nUID: 0 (root)\n", "Process 7 (x) of user 0 dumped core.\n", "Process 7 of user\n", "Process x (x) of user 0 dumped core.\nStack trace of thread 7:\n",
		`{"__CURSOR":"x","MESSAGE":"y"}`, `{"COREDUMP_PID":`, `{"COREDUMP_X":"7"}`, "{\n\"__CURSOR\":\"x\"\n}\n"} {
		if all := open(t, log); len(all) != 0 {
			t.Errorf("%q is %d reports", log, len(all))
		}
	}
}

// The last line of a report names the CPU, also where the file has no line end behind it.
func TestLastLine(t *testing.T) {
	const last = "                ELF object binary architecture: AMD x86-64"
	for _, end := range []string{"\n", ""} {
		if all := open(t, info+indented+last+end); len(all) != 1 || all[0].Arch != &cpu.AMD64 {
			t.Errorf("%q: %+v", end, all)
		}
	}
}

// An entry of the journal that is truncated has the fields before the end.
func TestTruncatedEntry(t *testing.T) {
	all := open(t, `{"__CURSOR":"x","COREDUMP_PID":"7","COREDUMP_SIGNAL":"11","MESSAGE":"Process 7 (x) of us`)
	if len(all) != 1 || all[0].Event == nil || all[0].Event.Code != 11 || len(all[0].Notes) == 0 {
		t.Errorf("%+v", all)
	}
}

// Build IDs in the words of all versions.
func TestModules(t *testing.T) {
	for line, want := range map[string]string{
		"Module a, build-id=ab": "a ab", "Module a from deb a-1, build-id=ab": "a ab", "Module a with build-id ab": "a ab", "Found module a with build-id: ab": "a ab", "Module a without build-id.": "",
	} {
		r := newReport()
		if !r.message(line) {
			t.Errorf("%s is no line of a message", line)
		}
		got := ""
		for _, m := range r.d.Finish().Modules {
			got = m.CodeFile + " " + m.CodeID
		}
		if got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, info+indented,
		entry(message, map[string]any{"COREDUMP_PROC_MAPS": mappings}),
		entry([]int{80, 300}, map[string]any{"COREDUMP_PACKAGE_JSON": "{\"a\":{}}"}),
		strings.ReplaceAll(message, "\n", "#012"))
}
