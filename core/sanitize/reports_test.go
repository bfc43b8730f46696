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
	"crashglass/core/machine/cpu"
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
	r, err := Clean(openReport(t, text)[0], nil, Options{})
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
	"User ID:             %":                                           "User ID:",
	"Sleep/Wake UUID:     %":                                           "Sleep/Wake UUID:",
	"Anonymous UUID:      %-%":                                         "",
	"CrashReporter Key:   %":                                           "",
	"Serial Number (system): %":                                        "",
	"Computer Name: %":                                                 "",
	"Device Name: %'s iPhone":                                          "",
	"  Hostname: %":                                                    "",
	"Machine ID: %":                                                    "",
	"UID: 1000 (%)":                                                    "UID: 0000 (",
	"Command Line: /opt/dock --for %":                                  "/opt/dock",
	"java_command: Dock %":                                             "Dock",
	"Cmdline: dock %":                                                  "dock",
	"ProcEnviron:\n PATH=/%\n NAME=%":                                  "ProcEnviron:",
	"Environment Variables:\nWHO=%\n":                                  "Environment Variables:",
	"open files:\n    fd 0: /data/%\n":                                 "open files:",
	"--------- log main\n03-02 10:11:12.346 1 1 I a: %":                "",
	"Process 7 (dock) of user 1000 said /home/%/x":                     "of user 0000",
	"<LoginId>%</LoginId>":                                             "<LoginId>0000000000</LoginId>",
	"<UserName>%</UserName>":                                           "<UserName>user</UserName>",
	"AppSessionGuid=%":                                                 "",
	"/Users/%/dock.cc:5":                                               "/Users/user/dock.cc:5",
	`C:\Users\%\dock.cc:5`:                                             `C:\Users\user\dock.cc:5`,
	"password=%":                                                       "password=",
	"from 203.0.113.77:5000 and 2001:db8::1f:3":                        "from 0.0.0.0:5000 and ::",
	"at 02:42:ac:11:00:09 on 192.168.7.9":                              "at 00:00:00:00:00:00 on 0.0.0.0",
	"version 1.2.3.4 of lib (5.6.7.8) at 9:30:01 in a::b::c":           "version 1.2.3.4 of lib (5.6.7.8) at 9:30:01 in a::b::c",
	"inet addr:203.0.113.77 ::ffff:203.0.113.77 tcp:203.0.113.77:5":    "inet addr:0.0.0.0 ::ffff:0.0.0.0 tcp:0.0.0.0:5",
	"gate (203.0.113.77) and gate (203.0.113.77:5)":                    "gate (0.0.0.0) and gate (0.0.0.0:5)",
	"  0x1000 - 0x1fff lib (5.6.7.8) /usr/lib":                         "lib (5.6.7.8)",
	"Hostname:%":                                                       "Hostname:",
	"to fdab:cdef:0:203:0:113:0:1 by 2A-03-A1-0B-C1-DE":                "to :: by 00-00-00-00-00-00",
	`hostname="%" user='% and %' acct="%"`:                             `hostname="user" user='`,
	`said user=\"%\" to`:                                               `said user=\"`,
	"Computer Name\t: %":                                               "Computer Name\t:",
	"Nov 23 05:09:59 % dock: x":                                        "Nov 23 05:09:59 host dock: x",
	"Nov 23 05:09:58 % dock[12]: x":                                    "Nov 23 05:09:58 host dock[12]: x",
	"2026-11-23T05:09:58+0100 % kernel: x":                             "2026-11-23T05:09:58+0100 host kernel: x",
	"rax 0x6f79616e616b6865 rbx 0x00007ffd12345678":                    "rax 0x2a2a2a2a2a2a2a2a rbx 0x00007ffd12345678",
	"rcx            0x6f79616e616b6865  8032558537100716133":           "rcx            0x2a2a2a2a2a2a2a2a  3038287259199220266",
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
			if strings.Contains(got, canary) || strings.Contains(got, "203") || strings.Contains(got, "A1-0B") || strings.Contains(got, "8032558537100716133") || strings.Contains(got, "6f79616e616b6865") || strings.Contains(got, "ehkanayo") {
				t.Errorf("%q stays in %q", line, got[max(len(got)-200, 0):])
			}
			if !strings.Contains(got, stays) {
				t.Errorf("%q: no %q in %q", line, stays, got[max(len(got)-200, 0):])
			}
		}
	})
}

// What WinDbg shows of arguments is gone, and the calls of its stacks stay.
func TestMaskedWinDbg(t *testing.T) {
	const stack = " # ChildEBP RetAddr      \n00 0019f9b8 77d1e8d7     dock!slot(char * s = 0x0019fa00 \"Kanari\")+0x1b [C:\\a\\dock.cpp @ 12]\n" +
		"01 0019f9c8 77d1e8e7     00000001 00000002 00000003 dock!moor+0x5\n02 0019f9d8 00000000     dock!run(\n\t\t\tchar * s = 0x0019fa00 \"Kanari\")+0x2\n"
	r := cleaned(t, stack)
	if len(r.Changed) > 0 || strings.Contains(string(r.Data), "Kanari") || !strings.Contains(string(r.Data), "dock!moor+0x5") {
		t.Errorf("%q\n%s", r.Changed, r.Data)
	}
	for line, want := range map[string]string{
		"000000a8`56aff240 00007ff7`c4bc6bae     : 6f79616e`616b6865 00000000`00000000 : a!b": "000000a8`56aff240 00007ff7`c4bc6bae     : 2a2a2a2a`2a2a2a2a 00000000`00000000 : a!b",
		"00000000`0018e618  6f79616e`616b6865 00000000`00000000":                              "00000000`0018e618  2a2a2a2a`2a2a2a2a 00000000`00000000",
		"0019f9b8  6b686568 6e616b61  hehkakan":                                               "0019f9b8  6b686568 6e616b61",
	} {
		if got := withoutWords(line, nil, func(uint64) bool { return false }); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
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

// Debuggers show texts and their characters in many forms. Names of threads and of functions stay.
func TestMaskedLiterals(t *testing.T) {
	for line, want := range map[string]string{
		`#0  f (a=0x5 "jane", 'x' <repeats 20 times>, "doe", b=L"jane") at a.c:1`: `#0  f (a=0x5 "", ' ' <repeats 20 times>, "", b=L"") at a.c:1`,
		`#0  f (a=@0x5: "jane \" doe", b={106 'j', -61 '\303'}, c='\'', d='\\')`:  `#0  f (a=@0x5: "", b={0 ' ', -0 ' '}, c=' ', d=' ')`,
		`#1  operator"" _s<'a, '_> (x=5) at b.rs:6`:                               `#1  operator"" _s<'a, '_> (x=5) at b.rs:6`,
		`Thread 2 (Thread 0x7f (LWP 5) "jane's"):`:                                `Thread 2 (Thread 0x7f (LWP 5) "jane's"):`,
		`* thread #1, name = 'd', queue = "main"`:                                 `* thread #1, name = 'd', queue = "main"`,
		`    name = "jane`: `    name = ""`,
		`    c = '`:        `    c = '`,
	} {
		if got := withoutLiterals(line); got != want {
			t.Errorf("%s became %s, want %s", line, got, want)
		}
	}
}

// A stack that is indented, as in a letter, stays. Variables do not.
func TestMaskedIndented(t *testing.T) {
	const gdb = "\t#0  0x00005601 in f (n=3) at a.c:5\n\t        own = kanarienvogel\n\t        at = kanarienvogel\n\t#1  0x00005603 in main () at a.c:9\n"
	r := cleaned(t, strings.ReplaceAll(gdb, "\t", "                "))
	if bytes.Contains(r.Data, []byte("kanari")) || len(r.Changed) > 0 || !bytes.Contains(r.Data, []byte("main ()")) {
		t.Errorf("%q\n%s", r.Changed, r.Data)
	}
}

// On CPUs of 32 bits, registers and rows of words are texts, and nothing else with eight digits is.
func TestMaskedWords(t *testing.T) {
	for line, want := range map[string]string{
		"    r0 6f79616e r1 616b6865 pc 6f79616e":                    "    r0 2a2a2a2a r1 2a2a2a2a pc 6f79616e",
		"eax            0x6b6b6865       1802201189":                 "eax            0x2a2a2a2a       707406378",
		"    ffd12340 616b6865 616b6866 00000001 00000002  ehkafhka": "    ffd12340 2a2a2a2a 2a2a2a2a 00000001 00000002",
		"    #00 pc 00616263  /a.so (BuildId: 616b686a)":             "    #00 pc 00616263  /a.so (BuildId: 616b686a)",
		"616b6000-616b6865 r-xp 61616161 08:01 61616161":             "616b6000-616b6865 r-xp 61616161 08:01 61616161",
	} {
		if got := withoutWords(line, &cpu.ARM, func(v uint64) bool { return v == 0x6f79616e }); strings.HasPrefix(line, "e") {
			continue
		} else if got != strings.Replace(want, "r0 2a2a2a2a", "r0 6f79616e", 1) {
			t.Errorf("%s became %s, want %s", line, got, want)
		}
		if got := withoutWords(line, &cpu.X86, func(uint64) bool { return false }); strings.HasPrefix(line, "e") && got != want {
			t.Errorf("%s became %s, want %s", line, got, want)
		}
	}
}

// A line with the name of a function is masked before and behind it.
func TestMaskedBesideFunctions(t *testing.T) {
	const gdb = "#0  0x00005601 in dock::Login::setPassword (n=3) at /home/kanarienvogel/kanarienvogel.c:5\n#1  0x00005603 in main ()\n"
	t.Run("file", func(t *testing.T) {
		if r := cleaned(t, gdb); bytes.Contains(r.Data, []byte("kanari")) || !bytes.Contains(r.Data, []byte("dock::Login::setPassword (")) {
			t.Errorf("%q\n%s", r.Changed, r.Data)
		}
	})
	r := &reportText{c: &cleaner{s: openReport(t, gdb)[0], out: &Result{}}}
	r.findFrames()
	const line = "/home/kanarienvogel/x: dock::Login::setPassword said password=hunter2hunter to kanarienvogel"
	if got := string(r.mask([]byte(line))); got != "/home/user/x: dock::Login::setPassword said password=[removed] to user" {
		t.Errorf("%s", got)
	}
}

// With the names of people, the rest is still masked.
func TestMaskedWithNames(t *testing.T) {
	r, err := Clean(openReport(t, ips)[0], nil, Options{Names: true})
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
