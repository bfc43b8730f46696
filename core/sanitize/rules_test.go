package sanitize

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// An e-mail address has a local part, a domain with a dot, and a last part of at least two letters.
//
// Spec: RFC 5321, section 4.5.3.1, for the lengths
func TestMails(t *testing.T) {
	long := strings.Repeat("a", mostMail)
	for in, want := range map[string]string{
		"a@b.cd":                   "[removed]",
		"a@b.c":                    "a@b.c",
		"a@bcd":                    "a@bcd",
		"a@.cd":                    "a@.cd",
		"@b.cd":                    "@b.cd",
		".a@b.cd":                  ".a@b.cd",
		"a@b.c1":                   "a@b.c1",
		"a@b.cd-":                  "[removed]-",
		"a@b.cd...":                "[removed]...",
		"a@-":                      "a@-",
		"a+b%c-d.e_f@g-h.ij":       "[removed]",
		"<a@b.cd>":                 "<[removed]>",
		"a@b_c.de":                 "a@b_c.de",
		"a@b.cd_e":                 "[removed]_e",
		"ä@b.cd":                   "ä@b.cd",
		"jäne@b.cd":                "[removed]",
		"write to jane@dörfler.de": "write to [removed]",
		"联系jane@b.cd":              "联系[removed]",
		long[1:] + "@b.cd":         "[removed]",
		long + "a@b.cd":            "a[removed]",
		"a@" + long[:251] + ".cd":  "[removed]",
		"a@" + long[:253] + ".cd":  "a@" + long[:253] + ".cd",
	} {
		if got := maskSecrets(in); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", in, got, want)
		}
	}
}

// The value of a name: quotes, spaces and separators around it.
func TestValues(t *testing.T) {
	for in, want := range map[string]string{
		"password=\"a b\"c":      "password=\"[removed]\"c",
		"password='a\"b'":        "password='[removed]'",
		"password=`a b`":         "password=`[removed]`",
		"password=\"a\\\"b\" c":  "password=\"[removed]\" c",
		"password=\"a\\\\\" c":   "password=\"[removed]\" c",
		`\"password\":\"a b\",c`: `\"password\":\"[removed]\",c`,
		"password=\"a\nb\"":      "password=\"[removed]\nb\"",
		"password=\"a\tb\"":      "password=\"[removed]\"",
		"password=\"a\x7fb\"":    "password=\"[removed]\x7fb\"",
		"password    =    x":     "password    =    [removed]",
		"password     =x":        "password     =[removed]",
		"password=     x":        "password=     [removed]",
		"password" + strings.Repeat(" ", mostBlanks) + "=x":   "password" + strings.Repeat(" ", mostBlanks) + "=[removed]",
		"password" + strings.Repeat(" ", mostBlanks+1) + "=x": "password" + strings.Repeat(" ", mostBlanks+1) + "=x",
		"password\t=\tx":      "password\t=\t[removed]",
		"password:=x":         "password:=[removed]",
		"password=>x":         "password=>[removed]",
		"password=>=x":        "password=>=x",
		"password:::x":        "password:::x",
		"password=a&b=c":      "password=[removed]&b=c",
		"password=a;b":        "password=[removed]",
		"password=a<b":        "password=[removed]",
		"password=":           "password=",
		"password=\"\"":       "password=\"\"",
		"Cookie: a=bc; \"c\"": "Cookie: [removed]\"c\"",
		"pass_word=x":         "pass_word=x",
		"api__key=abcdef":     "api__key=abcdef",
		"api key=abcdef":      "api key=[removed]",
		"session.id=abcdef":   "session.id=[removed]",
		"--password  x":       "--password  [removed]",
		"--password":          "--password",
		"--password ":         "--password ",
		"--password \x00":     "--password \x00",
		"--password\x00x":     "--password\x00[removed]",
		"--password\x00-x":    "--password\x00-x",
		"[\"--password\"":     "[\"--password\"",
		"[\"--password\",":    "[\"--password\",",
		"--{password x":       "--{password x",
		"--Z9_password x":     "--Z9_password [removed]",
		"--" + strings.Repeat("a", 62) + "password x": "--" + strings.Repeat("a", 62) + "password [removed]",
		"--" + strings.Repeat("a", 63) + "password x": "--" + strings.Repeat("a", 63) + "password x",
	} {
		if got := maskSecrets(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A secret is masked up to the limit of its length; the rest of a key is found as another one if it
// looks like one.
func TestLongSecrets(t *testing.T) {
	long := strings.Repeat("z", maxSecret)
	for in, want := range map[string]string{"password=" + long: "password=[removed]", "password=" + long + "zz": "password=[removed]zz", "Bearer " + long: "Bearer [removed]", "Bearer " + long + "y": "Bearer [removed]y"} {
		if got := maskSecrets(in); got != want {
			t.Errorf("%d bytes: %.60q, want %.60q", len(in), got, want)
		}
	}
}

// A line of /proc/PID/maps has five columns before the name.
//
// Source: proc_pid_maps(5)
func TestMapLines(t *testing.T) {
	for line, want := range map[string]string{
		"400000-401000 r-xp 00000000 08:01 12  /opt/a b": "400000-401000 r-xp 00000000 08:01 12  |/opt/a b",
		"400000-401000 r-xp 00000000 08:01 12":           "400000-401000 r-xp 00000000 08:01 12|",
		"400000-401000 rw-s 00000000 00:00 0 [heap]":     "400000-401000 rw-s 00000000 00:00 0 |[heap]",
		"400000-401000 r-xp 00000000 08:01":              "",
		"400000-401000 r-xp  00000000 08:01 12 /a":       "", // an empty column
		"400000-401000 exec 00000000 08:01 12 /a":        "",
		"400000-40100g r-xp 00000000 08:01 12 /a":        "",
		"400000-401000 r-xp 00000000 08:01 1x /a":        "",
		"password=hunter2":                               "",
		"":                                               "",
	} {
		head, name, ok := cutMapping(line)
		if got := head + "|" + name; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t; want %q", line, got, ok, want)
		}
	}
}

// The copied files of Linux keep lines of known keys, and the text in them is masked.
func TestFilesOfLinux(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"/proc/cpuinfo", "processor\t: 0\nSerial\t\t: 0123\n\nmodel name\t: X\nmodel nameX: y\nflags", "processor\t: 0\n\nmodel name\t: X\n"},
		{"/etc/lsb-release", "DISTRIB_ID=Ubuntu\nDISTRIB_OWNER=alice\nPRETTY_NAME=\"x\"\n", "DISTRIB_ID=Ubuntu\nPRETTY_NAME=\"x\"\n"},
		{"/proc/PID/status", "Name:\tapp\nUid:\t1000\t1000\nGroups:\t4 24\nThreads:\t3\n", "Name:\tapp\nThreads:\t3\n"},
		{"/proc/PID/maps", "1000-2000 r-xp 0 00:00 0 /srv/app\n2000-3000 r--p 0 00:00 0 /srv/will.odt\nnonsense\n3000-4000 rw-p 0 00:00 0 [stack]\n4000-5000 r--p 0 00:00 0 /usr/share/a\n5000-6000 r--p 0 00:00 0 /srv/app (deleted)\n",
			"1000-2000 r-xp 0 00:00 0 /srv/app\n2000-3000 r--p 0 00:00 0 [file]\n3000-4000 rw-p 0 00:00 0 [stack]\n4000-5000 r--p 0 00:00 0 /usr/share/a\n5000-6000 r--p 0 00:00 0 /srv/app (deleted)\n"},
		{"/proc/uptime", "12.5 3.0\nup since noon\n", "12.5 3.0\n"},
		{"/proc/PID/limits", "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  unlimited  unlimited  seconds\nMax x\nalice's limit is 3\n\n", "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  unlimited  unlimited  seconds\n\n"},
	} {
		at := slices.IndexFunc(textFiles, func(f textFile) bool { return f.name == tt.name })
		if got := textFiles[at].keep(&masks{}, tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A masked report keeps the paths of code, and of no other file.
func TestMaskRegions(t *testing.T) {
	r := &report.Report{
		Modules:       []report.Module{{Path: "/srv/lib.so"}},
		MemoryRegions: []report.Region{{Name: "/srv/lib.so"}, {Name: "lib.so"}, {Name: "/srv/will.odt", Protection: "rw-"}, {Name: "/srv/jit", Protection: "r-x"}, {Name: "/srv/jit (deleted)"}, {Name: "[heap]"}, {}},
		LinuxFiles:    []report.TextFile{{Name: "/proc/uptime", Text: "1 2\n"}, {Name: "/proc/uptime", Text: "1 2\n", Sensitive: true}, {Name: "/proc/PID/environ", Text: "x"}},
	}
	out := Mask(r, nil)
	var got []string
	for i := range out.MemoryRegions {
		got = append(got, out.MemoryRegions[i].Name)
	}
	if want := []string{"/srv/lib.so", "lib.so", maskedFile, "/srv/jit", "/srv/jit (deleted)", "[heap]", ""}; !slices.Equal(got, want) {
		t.Errorf("regions %q, want %q", got, want)
	}
	if f := out.LinuxFiles; f[0].Text != "1 2\n" || f[1].Text != leftOut || f[2].Text != leftOut {
		t.Errorf("files %+v", f)
	}
}

// Texts in the numbers of a masked report are removed, in the order of the machine's bytes.
func TestMaskTextsInNumbers(t *testing.T) {
	const little, big, plain = report.Address("0x64726f7773736170"), report.Address("0x0070006100730073"), report.Address("0x0000000000000010")
	reads := func(values ...report.Address) (out []report.Read) {
		for _, v := range values {
			out = append(out, report.Read{Value: v})
		}
		return out
	}
	for _, bigEndian := range []bool{false, true} {
		waits := []report.WaitEvidence{{Value: ptr(little)}, {Value: ptr(plain)}, {Name: "no value"}}
		step := report.Step{Text: "quotes them", Reads: reads(little, plain)}
		r := &report.Report{
			SystemInfo: report.SystemInfo{PointerWidth: 8, BigEndian: bigEndian},
			CrashInfo:  report.CrashInfo{Parameters: []report.Address{plain, little}, ParameterMeanings: []string{"a", "b"}},
			Threads: []report.Thread{{
				Frames: []report.Frame{{Registers: report.Registers{{Name: "a", Value: little}, {Name: "b", Value: big}, {Name: "c", Value: plain}}, Evidence: []report.Step{step, {Text: "stays", Reads: reads(plain)}}}},
				End:    report.End{Evidence: []report.Step{step}}, Waits: &report.Wait{Evidence: waits},
			}},
		}
		out := Mask(r, nil)
		th := out.Threads[0]
		if c := &out.CrashInfo; c.Meaning(0) != "a" || c.Meaning(1) != leftOut || c.Parameters[1] != "0x0000000000000000" {
			t.Errorf("parameters %+v", c)
		}
		if regs := th.Frames[0].Registers; len(regs) != 1 || regs[0].Name != "c" {
			t.Errorf("registers %+v", regs)
		}
		for name, steps := range map[string][]report.Step{"a frame": th.Frames[0].Evidence, "an end": th.End.Evidence} {
			if steps[0].Text != leftOut || len(steps[0].Reads) != 1 || steps[0].Reads[0].Value != plain {
				t.Errorf("the evidence of %s: %+v", name, steps)
			}
		}
		if kept := th.Frames[0].Evidence[1]; kept.Text != "stays" || len(kept.Reads) != 1 {
			t.Errorf("a step without text: %+v", kept)
		}
		if w := th.Waits.Evidence; len(w) != 2 || *w[0].Value != plain || w[1].Name != "no value" {
			t.Errorf("waits %+v", w)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// The list of private data counts each kind, and leaves out kinds without any.
func TestChecklistItems(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "").Memory(heapBase, make([]byte, 32))
	if got := fmt.Sprint(Inspect(open(t, b.Build(t))).Items); got != "[memory of the process: 32 bytes]" {
		t.Errorf("items %s", got)
	}
	b.Stream(10, asm.At(0).Text("hello"))
	b.Stream(uint32(minidump.LinuxProcFDStream), asm.At(0).Text("0 -> /dev/null\n"))
	b.Stream(uint32(minidump.LinuxEnvironStream), asm.At(0).Text("A=1\x00B=2\x00"))
	const want = "[the environment: 2 variables comments: 1 comments the list of open files: 1 lists memory of the process: 32 bytes]"
	if got := fmt.Sprint(Inspect(open(t, b.Build(t))).Items); got != want {
		t.Errorf("items %s, want %s", got, want)
	}
}

// E-mail addresses are listed up to a hundred, so that there is room for keys behind them.
func TestMailsLeaveRoom(t *testing.T) {
	text := strings.Repeat("a@b.cd ", maxMails+50) + "AKIAIOSFODNN7EXAMPLE"
	found := memoryOf(t, map[uint64]string{heapBase: text})
	mails := 0
	for _, s := range found {
		if s.Kind == mailKind {
			mails++
		}
	}
	if mails != maxMails || found[len(found)-1].Kind != "an AWS access key" {
		t.Errorf("%d addresses, and %+v at the end", mails, found[len(found)-1])
	}
	if found := memoryOf(t, map[uint64]string{heapBase: strings.Repeat("AKIAIOSFODNN7EXAMPLE ", maxSecrets+5)}); len(found) != maxSecrets {
		t.Errorf("%d secrets are listed, want %d", len(found), maxSecrets)
	}
}

// Bytes of a file are searched once, whatever ranges refer to them.
func TestSeenBytes(t *testing.T) {
	var seen seenBytes
	for _, tt := range []struct{ rva, size, wantRVA, wantSize uint64 }{
		{10, 10, 10, 10}, {10, 10, 0, 0}, {12, 3, 0, 0}, {15, 10, 20, 5}, {25, 0, 0, 0}, {25, 1, 25, 1}, {30, 5, 30, 5}, {1<<64 - 5, 10, 0, 0}, {0, 1 << 63, 35, 1<<62 - 35},
	} {
		l := minidump.Location{RVA: tt.rva, Size: tt.size}
		if skip := seen.skip(&l); skip != (tt.wantSize == 0) || !skip && (l.RVA != tt.wantRVA || l.Size != tt.wantSize) {
			t.Errorf("%d bytes at %d: skip %t, %d bytes at %d", tt.size, tt.rva, skip, l.Size, l.RVA)
		}
	}
}
