package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// corpus is a folder next to the project with public dumps and the output of other programs for
// them. It is not part of the project.
const corpus = "../../../shared/corpus"

// A sample is one dump of the corpus.
type sample struct {
	name, dump string
	symbols    []string
	expected   string // prefix of the files with other programs' results
}

// samples lists the dumps of real programs, vectors the synthetic ones.
func samples(t *testing.T) []sample {
	var out []sample
	for _, root := range []string{"public", "real"} {
		dumps, _ := filepath.Glob(filepath.Join(corpus, root, "dumps", "*.dmp"))
		nested, _ := filepath.Glob(filepath.Join(corpus, root, "dumps", "*", "*.dmp"))
		for _, dump := range append(dumps, nested...) {
			s := sample{name: strings.TrimSuffix(filepath.Base(dump), ".dmp"), dump: dump}
			if strings.HasPrefix(s.name, "microdump") {
				continue // another format
			}
			folder := filepath.Base(filepath.Dir(dump))
			s.expected = filepath.Join(corpus, root, "expected", folder+"__"+s.name)
			s.symbols = []string{filepath.Join(corpus, root, "symbols", folder)}
			if folder == "dumps" {
				s.expected = filepath.Join(corpus, root, "expected", s.name)
				s.symbols = []string{filepath.Join(corpus, root, "symbols")}
			}
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		t.Skip("the corpus is not at " + corpus)
	}
	return out
}

func vectors(t *testing.T) []sample {
	folders, _ := filepath.Glob(filepath.Join(corpus, "vectors", "*"))
	var out []sample
	for _, dir := range folders {
		// Some were built without symbols, and a missing path is an error.
		syms, _ := filepath.Glob(filepath.Join(dir, "symbols"))
		out = append(out, sample{filepath.Base(dir), filepath.Join(dir, "dump.dmp"), syms, dir + string(filepath.Separator)})
	}
	if len(out) == 0 {
		t.Skip("the vectors are not at " + corpus)
	}
	return out
}

// walk runs the command on a sample and returns what it writes.
func (s *sample) walk(t *testing.T, format string) []byte {
	t.Helper()
	args := []string{"walk", "-format", format}
	for _, dir := range s.symbols {
		args = append(args, "-symbols", dir)
	}
	var out, errs bytes.Buffer
	if status := run(append(args, s.dump), &out, &errs); status != exitOK {
		t.Fatalf("exit status %d: %s", status, errs.String())
	}
	return out.Bytes()
}

// ownWork are fields about rust-minidump's own work, not about the dump.
var ownWork = regexp.MustCompile(`^/(status|modules/\d+/(symbol_url|cert_subject|loaded_symbols|missing_symbols|corrupt_symbols))$`)

// betterFields are the fields that differ from rust-minidump's on purpose.
var betterFields = map[string]string{
	"riscv64_leaf/system_info/cpu_arch": "rust-minidump does not know RISC-V",
	"x86_q_leaf/system_info/cpu_info":   "a vendor of twelve NULs is none",
	"trap_o2/system_info/os_ver":        "LLDB does not set the field",
	"trap_o2/system_info/cpu_info":      "LLDB does not set the field",
	"trap_o2/system_info/cpu_count":     "LLDB does not set the field",
}

// Every field outside the threads has the value that rust-minidump gives it.
func TestFieldsAsRustMinidump(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			var want, got any
			text, err := os.ReadFile(s.expected + ".rust.json")
			if err != nil || json.Unmarshal(text, &want) != nil {
				t.Skip("rust-minidump refuses this dump")
			}
			if err := json.Unmarshal(s.walk(t, "json"), &got); err != nil {
				t.Fatal(err)
			}
			eachLeaf("", want, func(path string, v any) {
				if ownWork.MatchString(path) || betterFields[s.name+path] != "" {
					return
				}
				if have := at(got, path); have != v {
					t.Errorf("%s: have %v, want %v", path, have, v)
				}
			})
		})
	}
}

// eachLeaf visits every value that is no container, except in the threads.
func eachLeaf(path string, v any, visit func(string, any)) {
	switch v := v.(type) {
	case map[string]any:
		for k, sub := range v {
			if path != "" || k != "threads" && k != "crashing_thread" {
				eachLeaf(path+"/"+k, sub, visit)
			}
		}
	case []any:
		for i, sub := range v {
			eachLeaf(fmt.Sprintf("%s/%d", path, i), sub, visit)
		}
	case nil:
	default:
		visit(path, v)
	}
}

func at(v any, path string) any {
	for _, key := range strings.Split(path, "/")[1:] {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(c) {
				return nil
			}
			v = c[i]
		default:
			return nil
		}
	}
	return v
}

// betterStacks are the dumps whose stacks differ from Breakpad's on purpose.
var betterStacks = map[string]string{
	"arm_arm":                      "data cannot be executed, and is not scanned for return addresses",
	"chromium_renderer":            "a symbol 116 MB below names no function",
	"core_rust_panic":              "Breakpad loses a level of inlining",
	"core_sighandler_o2":           "the stack goes on through the signal frame",
	"invalid-parameter":            "idle threads reach their start",
	"linux-mini":                   "a scanned address in the ELF header is no return address",
	"linux_raise_sigabrt":          "raise has no frame record, and its code shows its return address on top of the stack",
	"linux_stacksmash":             "the stack goes on where Breakpad stops",
	"mipsel_leaf":                  "the stack is the one that gdb saw",
	"minidump_crashpad_annotation": "the stack ends where the thread began",
	"riscv64_leaf":                 "the stack ends in clone",
	"thread_name_list":             "the caller of a system call, on top of the stack, is not lost",
	"tiny-exe-fastfail":            "idle threads reach their start",
	"tiny-exe-with-cet-xsave":      "data cannot be executed, and is not scanned for return addresses",
	"tiny-exe-with-cet-xsave-x86":  "the caller of a system call, on top of the stack, is not lost",
	"trap_o2":                      "Breakpad cannot read contexts of 720 bytes",
	"x86_q_leaf":                   "the stack is the one that gdb saw",
}

// otherRows are rows that Breakpad writes otherwise: crash reasons that we have in rust-minidump's words,
// and fields that LLDB does not set.
var otherRows = map[string][]string{
	"minidump_crashpad_annotation": {"Crash|Uncaught NSException|0x1030e9c34|0"},
	"invalid-parameter":            {"Crash|0xc000000d / 0x00000000|0x0|0"},
	"trap_o2":                      {"OS|Linux|32.0.270928416 ", "CPU|amd64|family 0 model 0 stepping 56|0"},
}

// The machine text is Breakpad's, row for row.
func TestMachineAsBreakpad(t *testing.T) {
	same, all := 0, 0
	for _, s := range samples(t) {
		want, err := os.ReadFile(s.expected + ".breakpad-m.txt")
		if err != nil || len(want) == 0 {
			continue // Breakpad refuses the dump
		}
		all++
		t.Run(s.name, func(t *testing.T) {
			if compareMachine(t, &s, string(want), string(s.walk(t, "machine"))) {
				same++
			}
		})
	}
	if same*100 < all*95 {
		t.Errorf("%d of %d dumps have Breakpad's machine text or better; want 95 %%", same, all)
	}
}

func compareMachine(t *testing.T, s *sample, want, got string) bool {
	wantHead, wantStacks, _ := strings.Cut(want, "\n\n")
	gotHead, gotStacks, _ := strings.Cut(got, "\n\n")
	w, g := strings.Split(wantHead, "\n"), strings.Split(gotHead, "\n")
	if len(w) != len(g) {
		t.Errorf("%d rows before the stacks, want %d", len(g), len(w))
		return false
	}
	for i := range w {
		// Breakpad writes the NULs of an unknown vendor, and the space behind it.
		if w[i] = strings.ReplaceAll(w[i], "| family", "|family"); w[i] != g[i] && !slices.Contains(otherRows[s.name], w[i]) {
			t.Errorf("have %s\nwant %s", g[i], w[i])
		}
	}
	if wantStacks != gotStacks && betterStacks[s.name] == "" {
		t.Errorf("stacks differ: %s", firstDifference(gotStacks, wantStacks))
		return false
	}
	return true
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("have %s, want %s", g[i], w[i])
		}
	}
	return fmt.Sprintf("%d rows, want %d", len(g), len(w))
}

// longerStacks are the microdumps whose stacks go on where Breakpad's end.
var longerStacks = map[string]string{
	"microdump-arm64":  "frame records lead on to _start and to the linker",
	"microdump-mips32": "return addresses without a frame pointer below them are taken, too",
	"microdump-mips64": "the same",
}

// partedStacks are the microdumps whose stacks part from Breakpad's at a frame: of microdump-x86, which has no symbols,
// Breakpad follows a stray frame record outside of every module.
var partedStacks = map[string]int{"microdump-x86": 5}

// otherOffsets are microdumps whose frames are elsewhere in the same function.
var otherOffsets = map[string]string{
	"microdump-mips64": "a call and its delay slot are 8 bytes and not 16",
}

// The machine text of a microdump is Breakpad's, row for row. A log may have
// several microdumps; Breakpad shows the first.
func TestMicrodumps(t *testing.T) {
	logs, _ := filepath.Glob(filepath.Join(corpus, "public", "dumps", "breakpad", "microdump-*.dmp"))
	if len(logs) == 0 {
		t.Skip("the microdumps are not at " + corpus)
	}
	for _, log := range logs {
		name := strings.TrimSuffix(filepath.Base(log), ".dmp")
		want, err := os.ReadFile(filepath.Join(corpus, "public", "expected", "breakpad__"+name+".breakpad-m.txt"))
		if err != nil {
			t.Fatal(err)
		}
		s := sample{name: name, dump: log, symbols: []string{filepath.Join(corpus, "public", "symbols", "breakpad")}}
		wantHead, wantStack, _ := strings.Cut(string(want), "\n\n")
		got := string(s.walk(t, "machine"))
		if row, others, _ := strings.Cut(got, "\n"); strings.HasPrefix(row, "Dump|") { // ours, in a log of several
			got = others
		}
		gotHead, rest, _ := strings.Cut(got, "\n\n")
		gotStack, _, _ := strings.Cut(rest, "Dump|") // of the next one
		if gotHead != wantHead {
			t.Errorf("%s: %s", name, firstDifference(gotHead, wantHead))
		}
		compareMicroStack(t, name, rowsOf(gotStack), rowsOf(wantStack))
	}
}

func rowsOf(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func compareMicroStack(t *testing.T, name string, got, want []string) {
	t.Helper()
	if common := partedStacks[name]; common > 0 {
		if len(got) <= common || got[common] == want[common] {
			t.Errorf("%s: the stack does not part at frame %d", name, common)
			return
		}
		got, want = got[:common], want[:common]
	}
	if longer := longerStacks[name] != ""; longer != (len(got) > len(want)) || len(got) < len(want) {
		t.Errorf("%s: %d frames, want %d (more: %v)", name, len(got), len(want), longer)
		return
	}
	same := true
	for i := range want {
		g, w := got[i], want[i]
		same = same && g == w
		if otherOffsets[name] != "" {
			g, w = g[:strings.LastIndexByte(g, '|')], w[:strings.LastIndexByte(w, '|')]
		}
		if g != w {
			t.Errorf("%s: have %s, want %s", name, g, w)
		}
	}
	if same == (otherOffsets[name] != "") {
		t.Errorf("%s: the offsets are the same: %v", name, same)
	}
}

// Every report is of the published schema, and has no field that is not in it.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("../../core/report/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	golden, _ := filepath.Glob("../../core/analyze/testdata/*.json")
	if len(golden) == 0 {
		t.Error("no golden reports")
	}
	for _, path := range golden {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, s := range slices.Concat(samples(t), vectors(t)) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.walk(t, "json")))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// closeObjects allows no other fields than those that are described. The
// published schema does: later versions may add some.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["properties"] != nil && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, sub := range v {
			closeObjects(sub)
		}
	case []any:
		for _, sub := range v {
			closeObjects(sub)
		}
	}
}
