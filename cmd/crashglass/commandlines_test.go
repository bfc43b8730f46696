package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A commandLine was found in a public script or document; braces stand for the test's own files.
// Each works, or is refused with one sentence that says what to use.
type commandLine struct {
	line   string
	status int
	want   string // in the output or, where it is refused, in the error
}

var commandLines = []commandLine{
	// Breakpad's minidump_stackwalk.
	{"minidump_stackwalk {dmp} {syms}", exitOK, " 0  app!crash() [app.cc : 12 + 0x18]\n"},
	{"minidump_stackwalk {dmp}", exitOK, " 0  app + 0x118\n"},
	{"minidump_stackwalk -m {dmp} {syms}", exitOK, "0|0|app|crash()|/src/app.cc|12|0x18\n"},
	{"minidump_stackwalk -m {dmp}", exitOK, "Module|app||app|" + debugID + "|"},
	{"minidump_stackwalk -f machine {dmp} {syms}", exitOK, "Crash|SIGSEGV /SEGV_MAPERR|0x8|0\n"},
	{"minidump_stackwalk -f human {dmp} {syms}", exitOK, "Thread 0 (crashed)\n"},
	{"minidump_stackwalk -s {dmp} {syms}", exitOK, "    Stack contents:\n"},
	{"minidump_stackwalk -s -c {dmp} {syms}", exitOK, "app!crash()"},
	{"minidump_stackwalk -c {dmp} {syms}", exitOK, "app!crash()"},
	{"minidump_stackwalk -b {dmp} {syms}", exitOK, "app!crash()"},
	{"minidump_stackwalk -d {dmp} {syms}", exitOK, "app!crash()"},
	{"minidump_stackwalk {dmp} {nowhere}", exitOK, " 0  app + 0x118\n"},
	{"minidump_stackwalk {dmp} {syms} {nowhere}", exitOK, "app!crash()"},
	{"minidump_stackwalk {dmp} {sym}", exitOK, "app!crash()"},
	{"minidump_stackwalk {dmp} {syms}/app", exitOK, "app!crash()"},
	{"minidump_stackwalk.exe {dmp} {sym}", exitOK, "app!crash()"},
	{"minidump_stackwalk -s -c {dmp} {nowhere}", exitOK, "WARNING: No symbols, app"},
	{"minidump_stackwalk -V", exitOK, "minidump_stackwalk (crashglass "},
	{"minidump_stackwalk --symbol-path {syms} {dmp}", exitUsage, "name symbol paths after the dump"},
	{"minidump_stackwalk -m {dmp} -e fetch-symbols.py", exitUsage, "download symbols by `crashglass fetch`"},
	{"minidump_stackwalk -h", exitOK, "usage: minidump_stackwalk "},
	{"minidump_stackwalk", exitUsage, "usage: minidump_stackwalk "},
	{"minidump_stackwalk {nowhere}", exitInput, systemSays("nowhere")},

	// rust-minidump's minidump-stackwalk.
	{"minidump-stackwalk {dmp}", exitOK, "Thread 0 main (crashed) - tid: 7\n"},
	{"minidump-stackwalk --human {dmp}", exitOK, " 0  app + 0x118\n"},
	{"minidump-stackwalk --human {dmp} {syms}", exitOK, " 0  app!crash() [app.cc : 12 + 0x18]\n"},
	{"minidump-stackwalk --symbols-path {sym} {dmp}", exitOK, "app!crash()"},
	{"minidump-stackwalk --symbols-path {syms} {dmp}", exitOK, "app!crash()"},
	{"minidump-stackwalk --human --symbols-path {syms} --output-file {out} {dmp}", exitOK, ""},
	{"minidump-stackwalk --json {dmp}", exitOK, `"crashing_thread":0`},
	{"minidump-stackwalk --json --pretty {dmp} {syms}", exitOK, "      \"function\": \"crash()\",\n"},
	{"minidump-stackwalk --pretty {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk --brief {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk --cyborg={out} {dmp} {syms}", exitOK, "app!crash()"},
	{"minidump-stackwalk --cyborg {out} --symbols-path {syms} {dmp}", exitOK, "app!crash()"},
	{"minidump-stackwalk --dump {dmp}", exitOK, "Stream 0: "},
	{"minidump-stackwalk --dump --brief {dmp}", exitOK, "Stream 0: "},
	{"minidump-stackwalk --features=unstable-all {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk --verbose=trace {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk {dmp} --symbols-path {sym} --verbose trace", exitOK, "app!crash()"},
	{"minidump-stackwalk --symbols-path {syms} {dmp} --json", exitOK, `"function":"crash()"`},
	{"minidump-stackwalk --use-local-debuginfo --no-interactive {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk --evil-json={out} --symbols-cache={out} --symbols-tmp={out} --no-color --output-file={out} --log-file={out} --json --verbose=error {dmp}", exitOK, ""},
	{"minidump-stackwalk --raw-json {out} --symbols-cache {out} --symbols-tmp {out} {dmp}", exitOK, "Thread 0 main"},
	{"minidump-stackwalk --symbols-url=https://symbols.mozilla.org/ {dmp}", exitUsage, "--symbols-url is refused: a process that holds a dump does not use the network; download symbols by `crashglass fetch`"},
	{"minidump-stackwalk --human --symbols-path {syms} --symbols-url https://msdl.microsoft.com/download/symbols {dmp}", exitUsage, "--symbols-url is refused: "},
	{"minidump-stackwalk --json --human {dmp}", exitUsage, "choose one"},
	{"minidump-stackwalk --help-markdown", exitUsage, "use --help"},
	{"minidump-stackwalk --help", exitOK, "--symbols-path"},
	{"minidump-stackwalk --version", exitOK, "minidump-stackwalk (crashglass "},

	// Breakpad's minidump-2-core.
	{"minidump-2-core {dmp}", exitOK, "\x7fELF"},
	{"minidump-2-core -v -f -o {out} {dmp}", exitOK, ""},
	{"minidump-2-core -i {dmp}", exitUsage, "use gdb's `set debug-file-directory`"},
	{"minidump-2-core -S /lib/ {dmp}", exitUsage, "use gdb's `set solib-search-path`"},

	// Breakpad's minidump_dump.
	{"minidump_dump {dmp}", exitOK, "MDRawHeader"},
	{"minidump_dump -x {dmp}", exitOK, "|\n00000010  "},

	// Both programs that are called dump_syms.
	{"dump_syms {exe}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms {pdb}", exitOK, "INFO CODE_ID "},
	{"dump_syms -r {exe}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms -c {exe}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms -v {exe}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms -i {exe}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms {exe} {dir}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms -n other -o Linux {exe}", exitOK, "MODULE Linux x86_64 "},
	{"dump_syms -g {dsym} {dsym}", exitOK, "MODULE "},
	{"dump_syms -a x86_64 {dsym}", exitOK, "MODULE "},
	{"dump_syms -a armv7 {dsym}", exitInput, "this is not for arm, but for amd64"},
	{"dump_syms {exe} -o {out}", exitOK, ""},
	{"dump_syms {pdb} -s {store}", exitOK, ""},
	{"dump_syms --version", exitOK, "dump_syms (crashglass "},
	{"dump_syms --inlines {pdb}", exitOK, "\nFUNC "},
	{"dump_syms -o {out} {pdb}", exitOK, ""},
	{"dump_syms -o - {pdb}", exitOK, "MODULE windows x86_64 "},
	{"dump_syms --store {store} {pdb}", exitOK, ""},
	{"dump_syms -s {store} {pdb} {exe}", exitOK, ""},
	{"dump_syms --store {store} --mapping-var=rev=1 --mapping-src=(.*) --mapping-dest=https://x/{rev}/{1} {pdb}", exitOK, ""},
	{"dump_syms --list-arch {exe}", exitOK, " contains the following architecture:\nx86_64\n"},
	{"dump_syms --check-cfi {exe}", exitOK, "STACK CFI INIT "},
	{"dump_syms --debug-id 72E1 --symbol-server SRV*x*https://symbols.mozilla.org/ app.pdb", exitUsage, " is refused: this program does not use the network"},
}

func TestCommandLines(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.ReadFile(chain + "chain64.exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chain64.exe", "App.dSYM/Contents/Resources/DWARF/App"} {
		file(t, dir, name, exe)
	}
	file(t, dir, "chain64.pdb", unzipped(t, chain+"chain64.pdb.gz"))
	file(t, dir, "syms/app/"+debugID+"/app.sym", []byte(smallSym))
	fill := strings.NewReplacer(
		"{dmp}", file(t, dir, "small.dmp", smallDump(t)), "{syms}", filepath.Join(dir, "syms"), "{sym}", file(t, dir, "app.sym", []byte(smallSym)),
		"{nowhere}", filepath.Join(dir, "nowhere"), "{out}", filepath.Join(dir, "out"), "{dir}", dir, "{store}", filepath.Join(dir, "store"),
		"{exe}", filepath.Join(dir, "chain64.exe"), "{pdb}", filepath.Join(dir, "chain64.pdb"), "{dsym}", filepath.Join(dir, "App.dSYM"))
	for _, tt := range commandLines {
		out, errs, status := crashglass(append([]string{"as"}, strings.Fields(fill.Replace(tt.line))...)...)
		said := out
		if tt.status != exitOK {
			said = errs
		}
		if status != tt.status || !strings.Contains(said, tt.want) || (status != exitOK) != (out == "" && strings.Count(errs, "\n") == 1) && tt.want != "" {
			t.Errorf("%s\nstatus %d, errors %q, output %.400q; want %d and %q", tt.line, status, errs, out, tt.status, tt.want)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "store", "*", "*", "*.sym")); len(found) != 1 {
		t.Errorf("the store has %q", found)
	}
}

// docs/developers/commandlines.md has each line, under the names of its own files.
func TestCommandLinesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/developers/commandlines.md")
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("{dmp}", "X.dmp", "{syms}", "symbols", "{sym}", "app.sym", "{nowhere}", "missing", "{out}", "out", "{dir}", "folder",
		"{store}", "store", "{exe}", "app.exe", "{pdb}", "app.pdb", "{dsym}", "App.dSYM")
	for _, tt := range commandLines {
		if line := "| `" + fill.Replace(tt.line) + "` | "; !strings.Contains(string(text), line) {
			t.Errorf("docs/developers/commandlines.md has no %s", line)
		}
	}
	if got := strings.Count(string(text), "\n| `"); got != len(commandLines) {
		t.Errorf("docs/developers/commandlines.md has %d lines, the table has %d", got, len(commandLines))
	}
}

// The name of the program decides which original it stands in for.
func TestAsOriginal(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{"/usr/bin/minidump_stackwalk", "as minidump_stackwalk x"},
		{"dump_syms.exe", "as dump_syms x"},
		{"/opt/crashglass", "x"},
	} {
		if got := strings.Join(asOriginal(tt.program, []string{"x"}), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.program, got, tt.want)
		}
	}
}

// unzipped is what a gzip file of the tests holds.
func unzipped(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The help of each original calls values by what they are, and that of each command has its own exit statuses.
func TestHelpOfValuesAndStatuses(t *testing.T) {
	for name := range originals {
		out, _, _ := crashglass("as", name, "--help")
		for _, wrong := range []string{"stringArray", "string ", "fetch  ", "`"} {
			if strings.Contains(out, wrong) {
				t.Errorf("%s --help has %q:\n%s", name, wrong, out)
			}
		}
	}
	for name, want := range map[string]string{
		"sanitize": "a stack of the new dump differs", "serve": "the address cannot be used", "man": "the output cannot be written", "syms": "has no symbols", "walk": "  3  with --strict",
		"fetch": "no consent", "triage": "  4  triage with --baseline",
	} {
		if out, _, _ := crashglass("help", name); !strings.Contains(out, want) {
			t.Errorf("help %s lacks %q:\n%s", name, want, out)
		}
	}
}
