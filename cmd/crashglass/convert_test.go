package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crashglass/cmd/internal/remote"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/corefile"
)

// A core and its minidump have the same stacks.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core.1234", corefile.AMD64(t))
	stacks, errs, status := crashglass("walk", core)
	if status != exitOK || !strings.Contains(stacks, "SIGSEGV / SEGV_MAPERR") || !strings.Contains(stacks, " 1  ~ demo + 0x101f") {
		t.Fatalf("status %d, %s\n%s", status, errs, stacks)
	}
	for _, flags := range [][]string{{}, {"--full"}} {
		out := filepath.Join(dir, "crash.dmp")
		if _, errs, status := crashglass(append(append([]string{"convert", "-o", out}, flags...), core)...); status != exitOK {
			t.Fatal(errs)
		}
		if data, err := os.ReadFile(out); err != nil || !strings.HasPrefix(string(data), "MDMP") {
			t.Errorf("%v: no minidump", err)
		}
		again, _, _ := crashglass("walk", out)
		_, want, _ := strings.Cut(stacks, "Thread 0")
		if _, got, _ := strings.Cut(again, "Thread 0"); got != want {
			t.Errorf("%v: other stacks:\n%s\nwant\n%s", flags, got, want)
		}
	}
}

func TestConvertOthers(t *testing.T) {
	dir := t.TempDir()
	log := file(t, dir, "a.log", []byte("x\n-----BEGIN BREAKPAD MICRODUMP-----\n"))
	core := file(t, dir, "core", corefile.AMD64(t))
	report := file(t, dir, "asan.txt", []byte("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1)\n    #0 0x401000 in f /a.c:1\n"))
	dump := file(t, dir, "a.dmp", []byte("MDMP\x93\xa7\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00"))
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"convert"}, exitUsage, "crashglass convert: name one dump\n"},
		{[]string{"convert", log}, exitInput, "crashglass: " + log + ": this is a log with a Breakpad microdump in it, not an ELF core\n"},
		{[]string{"convert", dump}, exitInput, "crashglass: " + dump + ": this is a minidump already: --to core makes an ELF core of it\n"},
		{[]string{"convert", "--to", "core", core}, exitInput, "crashglass: " + core + ": this is an ELF core already: without --to core it becomes a minidump\n"},
		{[]string{"convert", "--to", "elf", core}, exitUsage, "crashglass convert: no kind of file \"elf\": use minidump or core\n"},
		{[]string{"convert", "--to", "core", report}, exitInput, "crashglass: " + report + ": it has no memory, and a core without memory shows nothing\n"},
	} {
		if _, errs, status := crashglass(tt.args...); status != tt.status || errs != tt.want {
			t.Errorf("status %d, %q; want %q", status, errs, tt.want)
		}
	}
}

// A minidump of a core becomes a core again, with the same stacks, under the command's name and Breakpad's.
func TestConvertToCore(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core.1234", corefile.AMD64(t))
	dump, again := filepath.Join(dir, "crash.dmp"), filepath.Join(dir, "again")
	if _, errs, status := crashglass("convert", "-o", dump, core); status != exitOK {
		t.Fatal(errs)
	}
	threads := func(path string) string {
		text, _, _ := crashglass("walk", path)
		_, text, _ = strings.Cut(text, "Thread 0")
		text, _, _ = strings.Cut(text, "Loaded modules")
		return text
	}
	want := threads(dump)
	for _, args := range [][]string{{"convert", "--to", "core", "-o", again, dump}, {"as", "minidump-2-core", "-f", "-o", again, dump}} {
		os.Remove(again)
		if _, errs, status := crashglass(args...); status != exitOK || errs != "" {
			t.Fatal(errs)
		}
		if got := threads(again); got != want || want == "" {
			t.Errorf("%v: other stacks:\n%s\nwant\n%s", args, got, want)
		}
	}
}

// A module without a build ID in the core gets that of the file with its name.
func TestConvertWithFiles(t *testing.T) {
	dir := t.TempDir()
	data := bytes.ReplaceAll(corefile.AMD64(t), []byte("GNU\x00\x01\x02\x03\x04"), make([]byte, 8))
	core, out := file(t, dir, "core", data), filepath.Join(dir, "crash.dmp")
	for _, tt := range []struct {
		files string
		want  bool
	}{{files: ""}, {files: file(t, dir, "demo", corefile.Program(t)), want: true}} {
		args := strings.Fields("convert -o " + out + " " + core + " " + tt.files)
		if _, errs, status := crashglass(args...); status != exitOK {
			t.Fatal(errs)
		}
		report, _, _ := crashglass("walk", "--format=json", out)
		if got := strings.Contains(report, `"code_id":"01020304"`); got != tt.want {
			t.Errorf("with %q: the build ID is there: %v", tt.files, got)
		}
	}
}

// The code around program counters, which the kernel leaves out, is read from the files of the machine.
func TestConvertWithLocalCode(t *testing.T) {
	dir := t.TempDir()
	machine := filepath.Join(dir, "machine")
	file(t, machine, "opt/demo", corefile.Program(t))
	core, out := file(t, dir, "core", corefile.AMD64(t)), filepath.Join(dir, "crash.dmp")
	for _, tt := range []struct {
		flag string
		code bool
	}{{flag: "--full=false", code: true}, {flag: "--full", code: true}, {flag: "--no-local"}, {flag: "--local-root=" + dir}} {
		if _, errs, status := localOf(t, machine, "convert", tt.flag, "-o", out, core); status != exitOK || errs != "" {
			t.Fatal(errs)
		}
		if text, _, _ := crashglass("walk", out); strings.Contains(text, "the code is not in the dump") == tt.code {
			t.Errorf("%s: the code is there: %v, in\n%s", tt.flag, !tt.code, text)
		}
	}
}

// A minidump of a damaged core is written, and standard error says what the core lacks.
func TestConvertDamaged(t *testing.T) {
	dir := t.TempDir()
	data := corefile.AMD64(t)
	core, out := file(t, dir, "core", data[:len(data)-1]), filepath.Join(dir, "crash.dmp")
	_, errs, status := crashglass("convert", "-o", out, core)
	want := "crashglass: " + core + ": memory at 0x182c: 4096 bytes of memory at 0x7fffe000 reach beyond the end of the file at 0x282b\n"
	if status != exitOK || errs != want {
		t.Errorf("status %d, %q; want %q", status, errs, want)
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}

// crashedApp is a folder with a program, its library and its minidump, which gdb made, and a function that runs gdb there.
func crashedApp(t *testing.T) (dir string, gdb func(args ...string) string) {
	debugger, cc := installed(t, "gdb"), installed(t, "gcc")
	dir = t.TempDir()
	file(t, dir, "lib.c", []byte("int twice(int (*f)(int), int n) { return f(n) + f(n); }\n"))
	file(t, dir, "app.c", []byte("int twice(int (*)(int), int);\nstatic int fails(int n) { return *(volatile int *)(long)n; }\nint main(void) { return twice(fails, 8); }\n"))
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	gdb = func(args ...string) string { return run(debugger, append([]string{"-batch", "-nx"}, args...)...) }
	run(cc, "-g", "-O0", "-shared", "-fPIC", "-o", "libtwice.so", "lib.c")
	run(cc, "-g", "-O0", "-o", "app", "app.c", "-L.", "-ltwice", "-Wl,-rpath,"+dir)
	core := filepath.Join(dir, "core")
	gdb("-ex", "run", "-ex", "generate-core-file "+core, "app")
	if _, err := os.Stat(core); err != nil {
		t.Skip("gdb may not run programs here")
	}
	if _, errs, status := crashglass("convert", "-o", filepath.Join(dir, "crash.dmp"), core); status != exitOK {
		t.Fatal(errs)
	}
	return dir, gdb
}

// namedByGDB checks a stack of that program: a function of the library is in it, so that gdb has found the library.
func namedByGDB(t *testing.T, out string) {
	t.Helper()
	for _, want := range []string{"fails (n=8) at app.c:2", "twice (f=", ", n=8) at lib.c:1", "main () at app.c:3"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// gdb names the frames of a minidump that became a core again.
func TestConvertForGDB(t *testing.T) {
	dir, gdb := crashedApp(t)
	again := filepath.Join(dir, "again")
	_, errs, status := crashglass("convert", "--to", "core", "-o", again, filepath.Join(dir, "crash.dmp"), filepath.Join(dir, "app"), filepath.Join(dir, "libtwice.so"))
	if status != exitOK {
		t.Fatal(errs)
	}
	out := gdb("-ex", "bt", "app", again)
	if namedByGDB(t, out); !strings.Contains(out, "SIGSEGV") {
		t.Errorf("no signal in\n%s", out)
	}
}

// gdb reads a minidump over its remote protocol, with the program and the library, which it gets the same way.
func TestServeForGDB(t *testing.T) {
	dir, gdb := crashedApp(t)
	address := serveDump(t, &serveFlags{gdb: filepath.Join(dir, "crash.dmp"), symbols: []string{filepath.Join(dir, "app"), filepath.Join(dir, "libtwice.so")}})
	line := "target remote " + address
	shown := gdb("-ex", line, "-ex", "continue", "-ex", "print $pc = 0", "-ex", "bt")
	if namedByGDB(t, shown); !strings.Contains(shown, "This is a dump: nothing in it can run") || !strings.Contains(shown, "Could not write register") {
		t.Errorf("it runs or changes:\n%s", shown)
	}
}

// serveDump starts the debuggers' server, and returns its address.
func serveDump(t *testing.T, flags *serveFlags) string {
	t.Helper()
	out, to := io.Pipe()
	var errs bytes.Buffer
	c := &cli{out: to, err: &errs, name: "serve"}
	flags.addr = "127.0.0.1:0"
	go func() {
		c.serve(nil, flags)
		to.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, errs.String())
	}
	return strings.TrimPrefix(strings.TrimSpace(line), "target remote ")
}

// A client that sends nothing does not keep debuggers waiting for ever.
func TestSilentClient(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	here.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if err := remote.Serve(debugger{here}, remote.Target{Process: &process.Process{Arch: &cpu.AMD64}}); err == nil {
		t.Error("a session without a byte")
	}
	// The limit is of the first bytes only.
	here, there = net.Pipe()
	here.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	ended := make(chan error, 1)
	go func() {
		ended <- remote.Serve(debugger{here}, remote.Target{Process: &process.Process{Arch: &cpu.AMD64}})
	}()
	io.WriteString(there, "+")
	select {
	case err := <-ended:
		t.Errorf("a debugger that thinks is sent away: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	there.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
