package minidump

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// corpus may have real dumps with rust-minidump's output for them.
const corpus = "../../../../shared/corpus"

// A known dump has rust-minidump's JSON beside it.
type known struct {
	name, dump, json, breakpad string
}

func corpusDumps(t *testing.T) []known {
	t.Helper()
	var all []known
	add := func(pattern string, expected func(dump string) (json, breakpad string)) {
		dumps, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dumps {
			name, _ := filepath.Rel(corpus, d)
			json, breakpad := expected(d)
			all = append(all, known{name, d, json, breakpad})
		}
	}
	beside := func(path string) (json, breakpad string) { return path + ".rust.json", path + ".breakpad.txt" }
	base := func(d string) string { return strings.TrimSuffix(filepath.Base(d), ".dmp") }
	add("public/dumps/*/*.dmp", func(d string) (json, breakpad string) {
		return beside(filepath.Join(corpus, "public/expected", filepath.Base(filepath.Dir(d))+"__"+base(d)))
	})
	add("real/dumps/*.dmp", func(d string) (json, breakpad string) { return beside(filepath.Join(corpus, "real/expected", base(d))) })
	add("perf/*.dmp", func(d string) (json, breakpad string) { return beside(filepath.Join(corpus, "perf", base(d))) })
	add("vectors/*/dump.dmp", func(d string) (json, breakpad string) {
		return filepath.Join(filepath.Dir(d), "rust.json"), filepath.Join(filepath.Dir(d), "breakpad.txt")
	})
	if len(all) == 0 {
		t.Skip("no corpus at ../shared/corpus")
	}
	return all
}

func openFile(t *testing.T, path string) (*File, error) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return Open(bin.NewSource(file, info.Size()))
}

// contexts counts the contexts that TestCorpus compared.
var contexts int

// rustReport is the part of rust-minidump's schema that parsing alone decides.
type rustReport struct {
	PID       *uint32 `json:"pid"`
	CrashInfo struct {
		Address        *string `json:"address"`
		CrashingThread *int    `json:"crashing_thread"`
	} `json:"crash_info"`
	SystemInfo struct {
		OS       *string `json:"os"`
		OSVer    *string `json:"os_ver"`
		CPUArch  string  `json:"cpu_arch"`
		CPUInfo  *string `json:"cpu_info"`
		CPUCount int     `json:"cpu_count"`
	} `json:"system_info"`
	Modules []struct {
		Base      string  `json:"base_addr"`
		End       string  `json:"end_addr"`
		File      string  `json:"filename"`
		DebugFile string  `json:"debug_file"`
		DebugID   string  `json:"debug_id"`
		CodeID    string  `json:"code_id"`
		Version   *string `json:"version"`
	} `json:"modules"`
	Unloaded []struct {
		Base   string `json:"base_addr"`
		End    string `json:"end_addr"`
		File   string `json:"filename"`
		CodeID string `json:"code_id"`
	} `json:"unloaded_modules"`
	Threads []struct {
		ID   uint32  `json:"thread_id"`
		Name *string `json:"thread_name"`
	} `json:"threads"`
	Uptime   *uint32 `json:"process_uptime"`
	MapCount *int    `json:"linux_memory_map_count"`
	LSB      *struct {
		ID          string `json:"id"`
		Release     string `json:"release"`
		Codename    string `json:"codename"`
		Description string `json:"description"`
	} `json:"lsb_release"`
	Handles []struct {
		Handle uint64  `json:"handle"`
		Type   *string `json:"type_name"`
		Name   *string `json:"object_name"`
	} `json:"handles"`
	Crashing *struct {
		Index  int `json:"threads_index"`
		Frames []struct {
			Registers map[string]string `json:"registers"`
		} `json:"frames"`
	} `json:"crashing_thread"`
}

func readReport(path string) (*rustReport, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r rustReport
	return &r, json.Unmarshal(data, &r)
}

// TestCorpus compares the streams of every dump with rust-minidump's output.
func TestCorpus(t *testing.T) {
	compared := 0
	contexts = 0
	for _, k := range corpusDumps(t) {
		t.Run(k.name, func(t *testing.T) {
			want, err := readReport(k.json)
			if err != nil {
				t.Skip("rust-minidump has no report of it: ", err)
			}
			f, err := openFile(t, k.dump)
			if err != nil {
				t.Fatal(err)
			}
			compared++
			compareModules(t, f, want)
			compareUnloaded(t, f, want)
			compareThreads(t, f, want)
			compareSystem(t, f, want)
			compareContext(t, k, f, want)
			compareExtras(t, f, want)
		})
	}
	if compared < 100 || contexts < 100 {
		t.Errorf("only %d dumps and %d contexts were compared", compared, contexts)
	}
}

func compareModules(t *testing.T, f *File, want *rustReport) {
	t.Helper()
	modules, err := f.Modules()
	if err != nil {
		t.Log(err)
	}
	var have []string
	for _, m := range modules {
		if m.Size != 0 { // which rust-minidump leaves out
			have = append(have, describe(m))
		}
	}
	var expect []string
	for _, m := range want.Modules {
		version := ""
		if m.Version != nil {
			version = *m.Version
		}
		expect = append(expect, fmt.Sprintf("%s-%s %s %s %s %s %s", hex(m.Base), hex(m.End), m.File, m.CodeID,
			m.DebugFile, strings.TrimPrefix(m.DebugID, strings.Repeat("0", 33)), version))
	}
	diff(t, "modules", have, expect)
}

func describe(m module.Module) string {
	return fmt.Sprintf("%x-%x %s %s %s %s %s", m.Base, m.Base+m.Size, m.Name(), m.CodeID, module.Basename(m.DebugFile), m.DebugID, m.Version)
}

func compareUnloaded(t *testing.T, f *File, want *rustReport) {
	t.Helper()
	modules, _ := f.UnloadedModules()
	var have, expect []string
	for _, m := range modules {
		have = append(have, fmt.Sprintf("%x-%x %s %s", m.Base, m.Base+m.Size, m.CodeFile, m.CodeID))
	}
	for _, m := range want.Unloaded {
		expect = append(expect, fmt.Sprintf("%s-%s %s %s", hex(m.Base), hex(m.End), m.File, m.CodeID))
	}
	diff(t, "unloaded modules", have, expect)
}

func compareThreads(t *testing.T, f *File, want *rustReport) {
	t.Helper()
	threads, _ := f.Threads()
	names, _ := f.ThreadNames()
	var have, expect []string
	if info, _ := f.BreakpadInfo(); info != nil && info.DumpThread != nil {
		delete(names, *info.DumpThread) // rust-minidump forgets the name of a thread that it does not walk
	}
	for _, th := range threads {
		have = append(have, fmt.Sprintf("%d %s", th.ID, names[th.ID]))
	}
	for _, th := range want.Threads {
		name := ""
		if th.Name != nil {
			name = *th.Name
		}
		expect = append(expect, fmt.Sprintf("%d %s", th.ID, name))
	}
	diff(t, "threads", have, expect)
}

func compareSystem(t *testing.T, f *File, want *rustReport) {
	t.Helper()
	sys, err := f.SystemInfo()
	if err != nil {
		t.Logf("system info: %v", err)
	}
	if sys == nil {
		return
	}
	version, build := sys.Version()
	w := want.SystemInfo
	have := []string{sys.Platform.String(), strings.TrimSpace(version + " " + build), sys.CPUInfo(), fmt.Sprint(sys.Processors)}
	expect := []string{text(w.OS), text(w.OSVer), strings.TrimLeft(text(w.CPUInfo), "\x00 "), fmt.Sprint(w.CPUCount)}
	if w.CPUArch != "unknown" { // it does not know riscv
		have = append(have, sys.Processor.String())
		expect = append(expect, w.CPUArch)
	}
	diff(t, "system", have, expect)
	if misc, _ := f.MiscInfo(); misc != nil && misc.ProcessID != nil && (want.PID == nil || *want.PID != *misc.ProcessID) {
		t.Errorf("pid %d, want %v", *misc.ProcessID, want.PID)
	}
}

// compareExtras compares what only some dumps have.
func compareExtras(t *testing.T, f *File, want *rustReport) {
	t.Helper()
	var have, expect []string
	both := func(what string, h, w any) {
		have, expect = append(have, fmt.Sprint(what, h)), append(expect, fmt.Sprint(what, w))
	}
	if want.LSB != nil {
		lsb, err := f.LSBRelease()
		if err != nil {
			t.Fatal(err)
		}
		both("lsb ", *lsb, process.LSBRelease(*want.LSB))
	}
	if want.MapCount != nil {
		maps, _ := f.LinuxMaps()
		both("maps ", len(maps), *want.MapCount)
	}
	if misc, _ := f.MiscInfo(); misc != nil && misc.Times != nil && want.Uptime != nil {
		both("uptime ", uint32(f.Header().Time-misc.Times.Create), *want.Uptime)
	}
	handles, _ := f.Handles()
	for _, h := range handles {
		have = append(have, fmt.Sprint(h.Value, h.Type, h.Name))
	}
	for _, h := range want.Handles {
		expect = append(expect, fmt.Sprint(h.Handle, text(h.Type), text(h.Name)))
	}
	diff(t, "extras", have, expect)
}

// notOurs are registers in contexts that no stack depends on.
var notOurs = map[string]bool{"mq": true, "y": true, "asi": true, "fprs": true}

// compareContext compares the registers of the crashing thread with those that
// rust-minidump has, or Breakpad where it does not know the CPU.
func compareContext(t *testing.T, k known, f *File, want *rustReport) {
	t.Helper()
	regs := breakpadRegisters(k)
	if want.Crashing != nil && len(want.Crashing.Frames) > 0 {
		regs = want.Crashing.Frames[0].Registers
	}
	if len(regs) == 0 {
		return
	}
	contexts++
	ctx, err := crashContext(f, want)
	if err != nil {
		t.Error(err)
		return
	}
	for name, value := range regs {
		if notOurs[name] {
			continue
		}
		reg, ok := ctx.Arch.Reg(name)
		if n, isSPARC := strings.CutPrefix(name, "g_r"); isSPARC {
			number, err := strconv.Atoi(n)
			reg, ok = cpu.Reg(number), err == nil
		}
		if !ok {
			t.Errorf("%s has no register %s", ctx.Arch.Name, name)
			continue
		}
		v, ok := ctx.Regs.Get(reg)
		if have := fmt.Sprintf("%x", v); !ok || have != hex(value) {
			t.Errorf("%s is %s (known: %v), want %s", name, have, ok, value)
		}
	}
}

func crashContext(f *File, want *rustReport) (Context, error) {
	sys, _ := f.SystemInfo()
	ex, _ := f.Exception()
	threads, _ := f.Threads()
	if want.CrashInfo.CrashingThread != nil {
		thread := threads[*want.CrashInfo.CrashingThread]
		if ex == nil || ex.Context.Size == 0 || ex.ThreadID != thread.ID {
			return f.Context(thread.Context, sys)
		}
	}
	return f.Context(ex.Context, sys)
}

// breakpadRegisters reads the first set of registers of a crashed thread that
// Breakpad printed as a context's.
func breakpadRegisters(k known) map[string]string {
	text, err := os.ReadFile(k.breakpad)
	if err != nil {
		return nil
	}
	_, after, ok := strings.Cut(string(text), " (crashed)\n")
	if !ok {
		return nil
	}
	frames, _, ok := strings.Cut(after, "Found by: given as instruction pointer")
	if !ok {
		return nil
	}
	regs := map[string]string{}
	for _, m := range regexp.MustCompile(`([a-z0-9]+) = (0x[0-9a-f]+)`).FindAllStringSubmatch(frames, -1) {
		regs[m[1]] = m[2]
	}
	return regs
}

func diff(t *testing.T, what string, have, want []string) {
	t.Helper()
	for i := range max(len(have), len(want)) {
		h, w := "(none)", "(none)"
		if i < len(have) {
			h = have[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if h != w {
			t.Errorf("%s[%d]\n have %s\n want %s", what, i, h, w)
			return
		}
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// hex normalizes an address of the schema.
func hex(s string) string {
	s = strings.TrimLeft(strings.TrimPrefix(s, "0x"), "0")
	if s == "" {
		return "0"
	}
	return s
}
