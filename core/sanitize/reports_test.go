package sanitize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
)

func openReport(t *testing.T, text string) []*analyze.Session {
	t.Helper()
	all, err := analyze.OpenAll(bin.NewSource(strings.NewReader(text), int64(len(text))))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return all
}

func cleaned(t *testing.T, text string) *Result {
	t.Helper()
	r, err := Clean(openReport(t, text)[0], nil, Options{Text: Text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// eachExample calls f for a report of each family.
func eachExample(t *testing.T, f func(t *testing.T, name, text string)) {
	paths, _ := filepath.Glob("../dump/container/testdata/reports/*")
	if len(paths) < 20 {
		t.Fatalf("%d examples", len(paths))
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) { f(t, filepath.Base(path), string(data)) })
	}
}

// private are lines of reports with what has to go, in place of %, and what stays of them.
var private = map[string]string{
	"User ID:             %":                                 "User ID:",
	"Sleep/Wake UUID:     %":                                 "Sleep/Wake UUID:",
	"Anonymous UUID:      %-%":                               "",
	"CrashReporter Key:   %":                                 "",
	"Serial Number (system): %":                              "",
	"Computer Name: %":                                       "",
	"Device Name: %'s iPhone":                                "",
	"  Hostname: %":                                          "",
	"Machine ID: %":                                          "",
	"UID: 1000 (%)":                                          "UID: 0000 (",
	"Command Line: /opt/dock --for %":                        "/opt/dock",
	"java_command: Dock %":                                   "Dock",
	"Cmdline: dock %":                                        "dock",
	"ProcEnviron:\n PATH=/%\n NAME=%":                        "ProcEnviron:",
	"Environment Variables:\nWHO=%\n":                        "Environment Variables:",
	"open files:\n    fd 0: /data/%\n":                       "open files:",
	"--------- log main\n03-02 10:11:12.346 1 1 I a: %":      "",
	"Process 7 (dock) of user 1000 said /home/%/x":           "of user 0000",
	"<LoginId>%</LoginId>":                                   "<LoginId>0000000000</LoginId>",
	"<UserName>%</UserName>":                                 "<UserName>user</UserName>",
	"AppSessionGuid=%":                                       "",
	"/Users/%/dock.cc:5":                                     "/Users/user/dock.cc:5",
	`C:\Users\%\dock.cc:5`:                                   `C:\Users\user\dock.cc:5`,
	"password=%":                                             "password=",
	"from 203.0.113.77:5000 and 2001:db8::1f:3":              "from 0.0.0.0:5000 and ::",
	"at 02:42:ac:11:00:09 on 192.168.7.9":                    "at 00:00:00:00:00:00 on 0.0.0.0",
	"version 1.2.3.4 of lib (5.6.7.8) at 9:30:01 in a::b::c": "version 1.2.3.4 of lib (5.6.7.8) at 9:30:01 in a::b::c",
	"Nov 23 05:09:58 % dock[12]: x":                          "Nov 23 05:09:58 host dock[12]: x",
	"2026-11-23T05:09:58+0100 % kernel: x":                   "2026-11-23T05:09:58+0100 host kernel: x",
	"rax 0x6f79616e616b6865 rbx 0x00007ffd12345678":          "rax 0x2a2a2a2a2a2a2a2a rbx 0x00007ffd12345678",
	"    00007ffd12345670 6f79616e616b6865 0000000000000001  ehkanayo": "    00007ffd12345670 2a2a2a2a2a2a2a2a 0000000000000001",
}

// What a line of a report says of the person and the machine is gone in the report of each family, before and behind prefixes.
func TestPrivateLines(t *testing.T) {
	eachExample(t, func(t *testing.T, name, text string) {
		n := 0
		for line, stays := range private {
			n++
			canary := fmt.Sprintf("Kanari%04d", n)
			data := text + strings.ReplaceAll(line, "%", canary) + "\n"
			r := &reportText{c: &cleaner{s: openReport(t, text)[0], out: &Result{}}}
			got := string(r.mask([]byte(data)))
			if strings.Contains(got, canary) || strings.Contains(got, "203.0.113") || strings.Contains(got, "6f79616e616b6865") || strings.Contains(got, "ehkanayo") {
				t.Errorf("%q stays in %q", line, got[max(len(got)-200, 0):])
			}
			if !strings.Contains(got, stays) {
				t.Errorf("%q: no %q in %q", line, stays, got[max(len(got)-200, 0):])
			}
		}
	})
}

// A masked report has the stacks of the report, is of its kind and has no canary, whoever wrote its log.
func TestMaskedReports(t *testing.T) {
	const canary = "Kanarienvogel"
	homes := strings.NewReplacer("/home/build/", "/home/"+canary+"/", "/Users/", "/Users/"+canary+"/", `C:\`, `C:\Users\`+canary+`\`, "/opt/", "/home/"+canary+"/",
		"/usr/lib/", "/home/"+canary+"/lib/", "/data/app/", "/home/"+canary+"/app/")
	eachExample(t, func(t *testing.T, name, text string) {
		for _, log := range []string{text, homes.Replace(text), "of " + canary + "\n\n" + homes.Replace(text)} {
			if log != text && (strings.HasSuffix(name, ".json") && log[0] != '{') {
				continue
			}
			before := openReport(t, log)[0]
			r := cleaned(t, log)
			if len(r.Changed) > 0 {
				t.Errorf("%q", r.Changed)
			}
			if bytes.Contains(r.Data, []byte(canary)) {
				t.Errorf("the canary is in\n%s", r.Data)
			}
			if again := openReport(t, string(r.Data))[0]; again.Process().Origin.Kind != before.Process().Origin.Kind {
				t.Errorf("%q became %q", before.Process().Origin.Kind, again.Process().Origin.Kind)
			}
			if json.Valid([]byte(log)) && !json.Valid(r.Data) {
				t.Errorf("no JSON:\n%s", r.Data)
			}
		}
	})
}

const ips = `{"app_name":"dock","incident_id":"11111111-2222-3333-4444-555555555555","bug_type":"309","os_version":"macOS 12.6 (21G115)"}
{
  "userID" : 501, "procName" : "dock", "pid" : 7, "cpuType" : "ARM-64", "sleepWakeUUID" : "E62DF457-8BBC-4E92-AECA-11D1B55246E3",
  "procPath" : "\/Users\/Kanarienvogel\/dock", "storeInfo" : {"deviceIdentifierForVendor":"E62DF457","x":[1,{"y":"]"}]}, "crashReporterKey" : "533C17C1",
  "exception" : {"codes":"0x1, 0x0","type":"EXC_BAD_ACCESS","signal":"SIGSEGV","subtype":"KERN_INVALID_ADDRESS at 0x0"}, "faultingThread" : 0,
  "asi" : {"libsystem_c.dylib":["abort() of \"Kanarienvogel\" password=Kanarienvogel\""]},
  "threads" : [{"triggered":true,"id":5,"frames":[{"imageOffset":16,"symbol":"-[Dock setPassword:user:]","symbolLocation":4,"imageIndex":0}]}],
  "usedImages" : [{"base":4294967296,"size":16384,"uuid":"2cee52c2-2d9c-3e64-bdd0-c43ccd1b37ec","path":"\/Users\/Kanarienvogel\/dock","name":"dock"}]
}
`

// A report that is JSON stays JSON, with the types of its values. Another writer's lines are left out.
func TestMaskedJSON(t *testing.T) {
	r := cleaned(t, ips)
	if jsonIn(r.Data) != nil || len(r.Changed) > 0 {
		t.Errorf("%v\n%s", r.Changed, r.Data)
	}
	for _, gone := range []string{"Kanarienvogel", "501", "533C", "E62D", "11111111"} {
		if bytes.Contains(r.Data, []byte(gone)) {
			t.Errorf("%s in\n%s", gone, r.Data)
		}
	}
	for _, stays := range []string{"setPassword:user:", "2cee52c2-2d9c-3e64-bdd0-c43ccd1b37ec", `"storeInfo" : {}`, `"userID" : 0,`} {
		if !bytes.Contains(r.Data, []byte(stays)) {
			t.Errorf("no %s in\n%s", stays, r.Data)
		}
	}
	const mixed = "03-02 10:11:12.345 4400 4400 F DEBUG   : pid: 1, tid: 1, name: a  >>> b <<<\n03-02 10:11:12.345 77 77 I Chat    : Kanarienvogel writes\n" +
		"03-02 10:11:12.345 4400 4400 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n03-02 10:11:12.346 4400 4400 F DEBUG   : backtrace:\n" +
		"03-02 10:11:12.346 4400 4400 F DEBUG   :     #00 pc 0000000000001234  /data/a.so (f+4)\n"
	if r := cleaned(t, mixed); bytes.Contains(r.Data, []byte("Kanarienvogel")) || len(r.Changed) > 0 {
		t.Errorf("%v\n%s", r.Changed, r.Data)
	}
	const gdb = "Program terminated with signal SIGSEGV, Segmentation fault.\n#0  0x00005601 in f (name=0x5602 \"Kanarienvogel\", n=3) at a.c:5\n        own = \"Kanarienvogel\"\n#1  0x00005603 in main () at a.c:9\n"
	if r := cleaned(t, gdb); bytes.Contains(r.Data, []byte("Kanarienvogel")) || len(r.Changed) > 0 || !bytes.Contains(r.Data, []byte("SIGSEGV")) {
		t.Errorf("%v\n%s", r.Changed, r.Data)
	}
}

// With the names of people, the rest is still masked.
func TestMaskedWithNames(t *testing.T) {
	r, err := Clean(openReport(t, ips)[0], nil, Options{Names: true, Text: Text})
	if err != nil || !bytes.Contains(r.Data, []byte("Kanarienvogel")) || bytes.Contains(r.Data, []byte("501")) {
		t.Errorf("%v\n%s", err, r.Data)
	}
	if !slices.ContainsFunc(r.Removed, func(r Removal) bool { return r.Count > 0 }) {
		t.Errorf("%+v", r.Removed)
	}
}

// Any text is masked without a panic, and JSON stays JSON.
func FuzzReport(f *testing.F) {
	f.Add(ips)
	for line := range private {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &reportText{c: &cleaner{s: openReport(t, ips)[0], out: &Result{}}, debugger: true}
		if got := r.mask([]byte(text)); jsonIn([]byte(text)) == nil && jsonIn(got) != nil {
			t.Errorf("%q became %q", text, got)
		}
	})
}
