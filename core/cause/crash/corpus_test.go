package crash_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/cause/crash"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// corpus is the relative path of dumps with the answers of other programs.
const corpus = "../../../../shared/corpus"

// expected has the fields of rust-minidump's JSON that this package makes.
type expected struct {
	CrashInfo struct {
		Type        *string `json:"type"`
		Address     *string `json:"address"`
		Adjusted    *struct{ Kind, Address, Offset string }
		AdjustedRaw json.RawMessage `json:"adjusted_address"`
		Instruction *string         `json:"instruction"`
		Accesses    []struct {
			Address string `json:"address"`
			Size    int    `json:"size"`
			Guard   bool   `json:"is_likely_guard_page"`
			Type    string `json:"access_type"`
		} `json:"memory_accesses"`
		IPUpdate *struct {
			Address string `json:"address"`
		} `json:"instruction_pointer_update"`
		BitFlips []struct {
			Address  string  `json:"address"`
			Register *string `json:"source_register"`
			Details  struct {
				NonCanonical bool   `json:"was_non_canonical"`
				Null         bool   `json:"is_null"`
				Low          bool   `json:"was_low"`
				Nearby       uint32 `json:"nearby_registers"`
				Poison       bool   `json:"poison_registers"`
			} `json:"details"`
			Confidence float64 `json:"confidence"`
		} `json:"possible_bit_flips"`
		Inconsistencies []string `json:"crash_inconsistencies"`
	} `json:"crash_info"`
	Threads []struct {
		LastError *string `json:"last_error_value"`
	} `json:"threads"`
}

// TestCorpus compares every field with rust-minidump's answer.
func TestCorpus(t *testing.T) {
	answers, _ := filepath.Glob(filepath.Join(corpus, "*/expected/*.rust.json"))
	if len(answers) == 0 {
		t.Skipf("no corpus at %s", corpus)
	}
	compared := 0
	for _, answer := range answers {
		data, err := os.ReadFile(answer)
		if err != nil {
			t.Fatal(err)
		}
		var want expected
		if json.Unmarshal(data, &want) != nil {
			continue // the other program refused the dump
		}
		name := strings.TrimSuffix(filepath.Base(answer), ".rust.json")
		dump := dumpOf(filepath.Dir(filepath.Dir(answer)), name)
		if dump == "" {
			t.Errorf("%s: no dump of that name", name)
			continue
		}
		t.Run(name, func(t *testing.T) { compare(t, dump, &want) })
		compared++
	}
	t.Logf("%d dumps compared", compared)
}

// dumpOf finds the dump that an answer is about: folder__name, or name, for
// some with other symbols.
func dumpOf(dir, name string) string {
	group, base, found := strings.Cut(name, "__")
	if !found {
		group, base = "", name
	}
	for _, g := range []string{group, "breakpad", ""} {
		path := filepath.Join(dir, "dumps", g, base+".dmp")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

func compare(t *testing.T, dump string, want *expected) {
	in, threads := input(t, dump)
	a := crash.Analyze(in)
	w := &want.CrashInfo
	if in.Exception == nil {
		if w.Type != nil {
			t.Errorf("no exception; want %s", *w.Type)
		}
		return
	}
	digits := 2 * in.Arch.Word
	addr := func(v uint64) string { return fmt.Sprintf("0x%0*x", digits, v) }
	check := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("reason", a.Reason, deref(w.Type))
	check("address", addr(a.Address), deref(w.Address))
	for i, th := range threads {
		if i < len(want.Threads) && want.Threads[i].LastError != nil {
			check("last error", th, *want.Threads[i].LastError)
		}
	}
	check("inconsistencies", fmt.Sprint(a.Inconsistencies), fmt.Sprint(w.Inconsistencies))
	if in.Arch != &cpu.ARM64 && in.Arch != &cpu.RISCV64 { // it does not look there
		compareFlips(check, a, want, addr)
	}
	if w.Instruction == nil {
		return // the other program decodes one CPU only
	}
	check("instruction", a.Instruction, *w.Instruction)
	compareAccesses(check, a, want, addr)
}

func compareAccesses(check func(string, any, any), a *crash.Analysis, want *expected, addr func(uint64) string) {
	w := &want.CrashInfo
	check("number of accesses", len(a.Accesses), len(w.Accesses))
	for i := range min(len(a.Accesses), len(w.Accesses)) {
		got, want := a.Accesses[i], w.Accesses[i]
		check("access address", addr(got.Address), want.Address)
		check("access size", got.Size, want.Size)
		check("access guard", got.LikelyGuard, want.Guard)
		if want.Type != "" { // it knows the kind for some instructions only
			check("access kind", got.Kind.String(), want.Type)
		}
	}
	check("ip update", a.IPUpdate != nil, w.IPUpdate != nil)
	if a.IPUpdate != nil && w.IPUpdate != nil {
		check("ip update", addr(a.IPUpdate.Address), w.IPUpdate.Address)
	}
	adjusted := "null"
	if adj := a.Adjusted; adj != nil && adj.Null {
		adjusted = fmt.Sprintf(`{"kind":"null-pointer","offset":%q}`, addr(adj.Value))
	} else if adj != nil {
		adjusted = fmt.Sprintf(`{"kind":"non-canonical","address":%q}`, addr(adj.Value))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, w.AdjustedRaw); err != nil {
		compact.WriteString(err.Error())
	}
	check("adjusted address", adjusted, compact.String())
}

func compareFlips(check func(string, any, any), a *crash.Analysis, want *expected, addr func(uint64) string) {
	w := want.CrashInfo.BitFlips
	check("number of bit flips", len(a.BitFlips), len(w))
	for i := range min(len(a.BitFlips), len(w)) {
		g := a.BitFlips[i]
		check("flip address", addr(g.Address), w[i].Address)
		check("flip register", g.Register, deref(w[i].Register))
		check("flip confidence", float64(g.Confidence), w[i].Confidence)
		d := w[i].Details
		check("flip details", []any{g.NonCanonical, g.Null, g.Low, g.NearbyRegisters, g.Poison},
			[]any{d.NonCanonical, d.Null, d.Low, d.Nearby, d.Poison})
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// input reads a dump as package analyze does, and the threads' last errors.
func input(t *testing.T, path string) (*crash.Input, map[int]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	sys, err := f.SystemInfo()
	if sys == nil {
		t.Fatal(err)
	}
	in := &crash.Input{OS: process.OS(osWord(sys.Platform)), Arch: sys.Processor.Arch(), Decode: disasm.Decode, ThreadIndex: -1}
	memory, _ := f.Memory()
	in.Memory = memory
	in.Regions = regions(f)
	mods, _ := f.Modules()
	in.Modules = module.NewMap(mods)
	in.Unloaded, _ = f.UnloadedModules()
	if e, _ := f.Exception(); e != nil {
		in.Exception = &crash.Exception{Code: e.Code, Flags: e.Flags, Address: e.Address, Params: e.Parameters}
		if c, _ := f.Context(e.Context, sys); c.Arch != nil {
			in.Regs = &c.Regs
		}
	}
	last := map[int]string{}
	threads, _ := f.Threads()
	for i, th := range threads {
		if v, ok := memory.Word(th.TEB+13*uint64(in.Arch.Word), 4); ok {
			last[i] = crash.LastError(uint32(v))
		}
	}
	return in, last
}

func osWord(p minidump.Platform) string {
	switch {
	case p.IsWindows():
		return "windows"
	case p == minidump.PlatformMac:
		return "mac"
	case p == minidump.PlatformIOS:
		return "ios"
	case p == minidump.PlatformAndroid:
		return "android"
	case p == minidump.PlatformLinux:
		return "linux"
	}
	return ""
}

func regions(f *minidump.File) []process.Region {
	var out []process.Region
	add := func(start, size uint64, access string) {
		if size > 0 {
			out = append(out, process.Region{Start: start, Last: start + size - 1, Access: access})
		}
	}
	infos, _ := f.MemoryInfo()
	for i := range infos {
		add(infos[i].Base, infos[i].Size, infos[i].Access())
	}
	if len(infos) == 0 {
		maps, _ := f.LinuxMaps()
		for _, m := range maps {
			add(m.Base, m.End-m.Base, m.Access)
		}
	}
	return out
}
