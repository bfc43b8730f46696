package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	testdump "crashglass/core/testkit/dump"
	"crashglass/wasm/served"
)

// crashglass runs the command and returns what it writes and its status.
func crashglass(args ...string) (out, errs string, status int) {
	var o, e bytes.Buffer
	status = run(args, &o, &e)
	return o.String(), e.String(), status
}

// file writes a file into a folder of the test's.
func file(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// buildID is that of the program in smallDump, and debugID what becomes of it.
var buildID = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}

const debugID = "0403020106050807090A0B0C0D0E0F100"

// smallDump is a Linux process that crashed in its program's crash(), which
// main called.
func smallDump(t *testing.T) []byte { return smallDumpOf(t, "/opt/app") }

// smallDumpOf is smallDump of a program at a path.
func smallDumpOf(t *testing.T, program string) []byte {
	b := testdump.New().System(testdump.AMD64, testdump.Linux, "")
	stack := asm.At(0x7fff_0000).U64(0, 0).
		Mark("rbp0").Ref("rbp1").U64(0x40_0220).
		Mark("rbp1").U64(0, 0)
	context := b.Context(t, testdump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x7fff_0000, "rbp": 0x7fff_0010})
	b.Thread(testdump.Thread{ID: 7, Name: "main", StackBase: 0x7fff_0000, Stack: stack.Build(t), Context: context})
	b.Thread(testdump.Thread{ID: 8, Name: "other", Context: b.Context(t, testdump.AMD64, map[string]uint64{"rip": 0x40_0210})})
	b.Module(testdump.Module{Base: 0x40_0000, Size: 0x1000, Name: program, CodeView: testdump.BuildID(buildID...)})
	b.Exception(testdump.Exception{Thread: 7, Code: 11, Flags: 1, Address: 0x8, Context: context})
	return b.Build(t)
}

const smallSym = "MODULE Linux x86_64 " + debugID + ` app
FILE 0 /src/app.cc
FUNC 100 40 0 crash()
100 40 12 0
FUNC 200 40 0 main
200 40 30 0
`

func TestUsage(t *testing.T) {
	tests := []struct {
		args   string
		status int
		out    string // expressions
		errs   string
	}{
		{"", exitUsage, `^$`, `^crashglass reads crash dumps\.\n`},
		{"help", exitOK, `crashglass walk .*\n.*crashglass dump .*\n.*crashglass syms .*\n.*crashglass sanitize .*\n.*crashglass serve `, `^$`},
		{"help walk", exitOK, `^usage: crashglass walk `, `^$`},
		{"help nosuch", exitUsage, `^$`, `^crashglass help: no command "nosuch"; see crashglass help\n$`},
		{"help wlak", exitUsage, `^$`, `^crashglass help: no command "wlak": did you mean walk\?\n$`},
		{"walk --help", exitOK, `an ELF core`, `^$`},
		{"-h", exitOK, `crashglass walk `, `^$`},
		{"fly", exitUsage, `^$`, `^crashglass: no command "fly"; see crashglass help\n$`},
		{"wlak x", exitUsage, `^$`, `^crashglass: no command "wlak": did you mean walk\?\n$`},
		{"cli_test.go", exitUsage, `^$`, `^crashglass: no command "cli_test\.go": for a report of this file, use crashglass walk cli_test\.go\n$`},
		{"../crashglass", exitUsage, `^$`, `^crashglass: no command "\.\./crashglass": for a report of the dumps in this folder, use crashglass walk \.\./crashglass\n$`},
		{"--nonsense", exitUsage, `^$`, `^crashglass: there is no flag --nonsense; see crashglass --help\n$`},
		{"version", exitOK, `^crashglass \S+ \(`, `^$`},
		{"-V", exitOK, `^crashglass \S+ \(`, `^$`},
		{"walk", exitUsage, `^$`, `^crashglass walk: name a dump\n$`},
		{"dump", exitUsage, `^$`, `^crashglass dump: name a dump\n$`},
		{"walk -h", exitOK, `^usage: crashglass walk \[flags\] DUMP\.\.\. \[SYMBOLS\.\.\.\]\n(.*\n)*      --symbols path .*\n`, `^$`},
		{"walk -format pdf x", exitUsage, `^$`, `^crashglass walk: no format "pdf"; want text, machine, json, markdown or html\n$`},
		{"walk --symbols= x", exitUsage, `^$`, `^crashglass walk: invalid argument "" for "--symbols" flag: it must not be empty; see crashglass walk --help\n$`},
		{"fetch --server= x", exitUsage, `^$`, `^crashglass fetch: invalid argument "" for "--server" flag: it must not be empty; see crashglass fetch --help\n$`},
		{"walk -thread last x", exitUsage, `^$`, `^crashglass walk: invalid argument "last" for "--thread" flag: want crashing, all or a number; see crashglass walk --help\n$`},
		{"walk -frames -1 x", exitUsage, `^$`, `^crashglass walk: --frames cannot be -1\n$`},
		{"walk -nonsense", exitUsage, `^$`, `^crashglass walk: there is no flag -nonsense; see crashglass walk --help\n$`},
		{"walk --nonsense", exitUsage, `^$`, `^crashglass walk: there is no flag --nonsense; see crashglass walk --help\n$`},
		{"walk --symbol x", exitUsage, `^$`, `^crashglass walk: there is no flag --symbol: did you mean --symbols\?\n$`},
		{"walk -symbls x", exitUsage, `^$`, `^crashglass walk: there is no flag -symbls: did you mean --symbols\?\n$`},
		{"sanitize -password x", exitUsage, `^$`, `^crashglass sanitize: there is no flag -password; see crashglass sanitize --help\n$`},
		{"dump --memory some x", exitUsage, `^$`, `^crashglass dump: --memory some: not a valid number; see crashglass dump --help\n$`},
		{"as dump_syms --stoer x", exitUsage, `^$`, `^crashglass as dump_syms: there is no flag --stoer: did you mean --store\?\n$`},
		{"syms missing.pdb", exitInput, `^$`, `^crashglass: missing\.pdb: ` + regexp.QuoteMeta(systemSays("missing.pdb")) + `\n$`},
		{"man --help", exitOK, `  2  the command line is wrong\n$`, `^$`},
		{"triage --help", exitOK, `  4  triage with --baseline: .*\n$`, `^$`},
		{"serve there", exitUsage, `^$`, `^crashglass serve: unexpected argument "there"\n$`},
		{"serve -dir /nowhere", exitInput, `^$`, `^crashglass: /nowhere: has no index\.html; build the page first, or name its folder with --dir\n$`},
	}
	for _, tt := range tests {
		out, errs, status := crashglass(strings.Fields(tt.args)...)
		if status != tt.status {
			t.Errorf("%q: status %d, want %d", tt.args, status, tt.status)
		}
		for _, s := range []struct{ what, have, want string }{{"output", out, tt.out}, {"errors", errs, tt.errs}} {
			if !regexp.MustCompile(s.want).MatchString(s.have) {
				t.Errorf("%q: %s %q does not match %q", tt.args, s.what, s.have, s.want)
			}
		}
	}
}

// Completion shows descriptions without the backquotes around values.
func TestCompletionAsks(t *testing.T) {
	for words, want := range map[string]string{
		"walk --forma":            "--format\tformat of the report: text, machine, json, markdown or html\n",
		"capsule crash --names ":  "all\nnone\nown\n:4\n",
		"slice dump.dmp --names ": "all\nnone\nown\n:4\n",
	} {
		if out, _, status := crashglass(append([]string{"__complete"}, strings.Split(words, " ")...)...); status != exitOK || !strings.HasPrefix(out, want) {
			t.Errorf("%q: %q, want %q", words, out, want)
		}
	}
}

// A number that no thread has is reported; the rest of the report is made.
func TestNoSuchThread(t *testing.T) {
	dmp := file(t, t.TempDir(), "small.dmp", smallDump(t))
	out, errs, status := crashglass("walk", "--thread", "7", dmp)
	if want := "crashglass: " + dmp + ": this dump has no thread with that number; its 2 are numbered from 0\n"; status != exitOK || errs != want || !strings.Contains(out, "CPU: ") {
		t.Errorf("status %d, %s%.100s", status, errs, out)
	}
}

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	file(t, dir, "syms/app/"+debugID+"/app.sym", []byte(smallSym))
	syms := filepath.Join(dir, "syms")

	tests := []struct {
		name string
		args []string
		want []string // that the output has
		not  []string
	}{
		{"plain", nil, []string{"Thread 0 main (crashed) - tid: 7\n 0  app + 0x118\n", " 1  app + 0x21f\n", "Thread 1 other - tid: 8\n", "app/" + debugID + "/app.sym"},
			[]string{"crash()"}},
		{"symbols", []string{"-symbols", syms}, []string{" 0  app!crash() [app.cc : 12 + 0x18]\n", " 1  app!main [app.cc : 30 + 0x1f]\n    rbp"},
			[]string{"Symbols that would help"}},
		{"crashing", []string{"-thread", "crashing"}, []string{"Thread 0 main", "\n1 other thread is left out\n"}, []string{"Thread 1", "Loaded modules"}},
		{"one", []string{"-thread", "1"}, []string{"Thread 1 other - tid: 8\n 0  app + 0x210\n"}, []string{" 1  "}},
		{"frames", []string{"-frames", "1"}, []string{"Cut short: the frame limit of 1 is reached"}, []string{" 1  "}},
		{"explain", []string{"--explain"}, []string{"      frame pointer: accepted\n        "}, nil},
		{"machine", []string{"--format", "machine", "-symbols", syms},
			[]string{"Crash|SIGSEGV /SEGV_MAPERR|0x8|0\n", "\n0|1|app|main|/src/app.cc|30|0x20\n1|0|app|main|/src/app.cc|30|0x10\n"}, nil},
		{"json", []string{"--format", "json"}, []string{`"crashing_thread":0`, `"debug_id":"` + debugID + `"`}, nil},
		{"html", []string{"--format=html", "-symbols", syms}, []string{"<!doctype html>", "<b>crash()</b> <i>app.cc:12</i>"}, []string{"<script"}},
		{"markdown", []string{"--format=markdown", "-symbols", syms}, []string{"```text\n   0  crash()  app app.cc:12\n", "<summary>1 other thread</summary>"}, []string{"Found by"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, errs, status := crashglass(append(append([]string{"walk"}, tt.args...), dmp)...)
			if status != exitOK || errs != "" {
				t.Errorf("status %d, errors %q", status, errs)
			}
			for _, w := range tt.want {
				if !strings.Contains(out, w) {
					t.Errorf("output has no %q:\n%s", w, out)
				}
			}
			for _, n := range tt.not {
				if strings.Contains(out, n) {
					t.Errorf("output has %q:\n%s", n, out)
				}
			}
		})
	}
}

// One bad file of several costs only its own report, the exit status and one line.
func TestWalkGoesOn(t *testing.T) {
	dir := t.TempDir()
	good := file(t, dir, "good.dmp", smallDump(t))
	bad := file(t, dir, "bad.dmp", []byte("no dump"))
	out, errs, status := crashglass("walk", "-format", "machine", bad, good)
	if status != exitInput || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "crashglass: "+bad+": ") {
		t.Errorf("status %d, errors %q; want %d and one line", status, errs, exitInput)
	}
	if !strings.HasPrefix(out, "OS|Linux|") {
		t.Errorf("the good dump's report is %q", out)
	}
}

func TestDump(t *testing.T) {
	out, errs, status := crashglass("dump", file(t, t.TempDir(), "small.dmp", smallDump(t)))
	if status != exitOK || errs != "" {
		t.Fatalf("status %d, errors %q", status, errs)
	}
	for _, want := range []string{
		"Stream 0: 0x7 SystemInfo, 56 bytes at ", "  Platform = 0x8201 Linux\n",
		"      rip = 0x400118 (4194584)\n", "Name \"main\"\n",
		"    Name = \"/opt/app\"\n", "  Address = 8\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("output has no %q:\n%s", want, out)
		}
	}
}

func TestSite(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "index.html", []byte("<!doctype html>page"))
	file(t, dir, "app.wasm", []byte("\x00asm"))
	handler := &site{files: os.DirFS(dir), public: true}
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8", "/app.wasm": "application/wasm", "/missing": "text/plain; charset=utf-8"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		for name, value := range served.Headers {
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		if got := w.Header().Get("Content-Type"); got != kind {
			t.Errorf("%s: type %q, want %q", path, got, kind)
		}
	}
}

// full is a disk, or a pipe, that accepts no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestOutputFails(t *testing.T) {
	dmp := file(t, t.TempDir(), "small.dmp", smallDump(t))
	for _, command := range []string{"walk", "dump"} {
		var errs bytes.Buffer
		if status := run([]string{command, dmp}, full{}, &errs); status != exitInput || !strings.Contains(errs.String(), io.ErrClosedPipe.Error()) {
			t.Errorf("%s: status %d, errors %q; want %d and %q", command, status, errs.String(), exitInput, io.ErrClosedPipe)
		}
	}
}
