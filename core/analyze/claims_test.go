package analyze

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/sample"
)

// A claim is a word of a verdict's headline, with the proof that the report must have. It does not
// use package crash: the proof is looked up in the report's public fields.
type claim struct {
	word  *regexp.Regexp
	proof func(r *report.Report) bool
}

var claims = []claim{
	{regexp.MustCompile(`(?i)^write to|null pointer write|, a null pointer write`), func(r *report.Report) bool {
		return accesses(r, "write") || reason(r, "_WRITE") || reason(r, "GUARD_PAGE")
	}},
	{regexp.MustCompile(`(?i)^read from|null pointer read`), func(r *report.Report) bool {
		return accesses(r, "read") || reason(r, "_READ") || reason(r, "GUARD_PAGE")
	}},
	{regexp.MustCompile(`(?i)null pointer`), func(r *report.Report) bool { return lowAddress(r) }},
	{regexp.MustCompile(`(?i)was sent|arrived`), func(r *report.Report) bool { return sent(r) }},
	{regexp.MustCompile(`(?i)abort|SIGABRT`), func(r *report.Report) bool {
		return reason(r, "SIGABRT") || reason(r, "FATAL_APP_EXIT") || machSignal(r) == 6 || onStack(r, "abort|terminate|raise|fail|assert|panic|throw|fatal")
	}},
	{regexp.MustCompile(`(?i)stack overflow`), func(r *report.Report) bool {
		return reason(r, "STACK_OVERFLOW") || nearStack(r)
	}},
	{regexp.MustCompile(`(?i)non-canonical`), func(r *report.Report) bool {
		return slices.ContainsFunc(addresses(r), func(a uint64) bool { return a >= 1<<47 && a < 0xffff_8000_0000_0000 })
	}},
	{regexp.MustCompile(`(?i)division by zero`), func(r *report.Report) bool {
		return reason(r, "DIV") || wrapped(r) == 3 || strings.Contains(value(r.CrashInfo.Instruction), "div")
	}},
	{regexp.MustCompile(`(?i)compiler trap|breakpoint|undefined behaviour trapped`), func(r *report.Report) bool {
		return reason(r, "SIGILL|SIGTRAP|BREAKPOINT|BAD_INSTRUCTION|ILLEGAL_INSTRUCTION") || wrapped(r) == 2 || wrapped(r) == 6
	}},
	{regexp.MustCompile(`(?i)illegal instruction|refused by the cpu`), func(r *report.Report) bool {
		return reason(r, "SIGILL|BAD_INSTRUCTION|ILLEGAL_INSTRUCTION") || wrapped(r) == 2
	}},
	{regexp.MustCompile(`(?i)unmapped address`), func(r *report.Report) bool {
		return reason(r, "MAPERR|INVALID_ADDRESS") || slices.ContainsFunc(addresses(r), func(a uint64) bool { return !mapped(r, a) })
	}},
	{regexp.MustCompile(`(?i)write to read-only`), func(r *report.Report) bool {
		return accesses(r, "write") || reason(r, "_WRITE")
	}},
	{regexp.MustCompile(`(?i)on request`), func(r *report.Report) bool {
		return r.CrashInfo.Type == nil || reason(r, "DUMP_REQUESTED|Simulated|unknown 0x406d1388|unknown 0x43507378|DBG_PRINTEXCEPTION|WAKE_SYSTEM_DEBUGGER|NONCONTINUABLE_EXCEPTION")
	}},
	{regexp.MustCompile(`(?i)truncated|damaged|cannot be read`), func(r *report.Report) bool {
		return len(r.Notes) > 0 || slices.ContainsFunc(r.Streams, func(s report.Stream) bool { return s.Error != nil })
	}},
	{regexp.MustCompile(`(?i)^no threads`), func(r *report.Report) bool { return len(r.Threads) == 0 }},
	{regexp.MustCompile(`(?i)freed memory|uninitialised memory|beyond an allocation|text used as a pointer`), func(r *report.Report) bool {
		return len(addresses(r)) > 0
	}},
}

// sentences are the claims of details and evidence. The dump's memory is a second witness.
var sentences = []struct {
	word  *regexp.Regexp
	proof func(r *report.Report, byteAt func(uint64) int) bool
}{
	{regexp.MustCompile(`no debugger`), func(*report.Report, func(uint64) int) bool { return false }},
	{regexp.MustCompile(`^A breakpoint instruction ran`), func(r *report.Report, byteAt func(uint64) int) bool {
		frames := crashedFrames(r)
		if compiled(`^(int|brk|bkpt|udf|ebreak|c\.ebreak)`).MatchString(value(r.CrashInfo.Instruction)) || len(frames) == 0 {
			return true
		}
		pc, _ := strconv.ParseUint(string(frames[0].Offset), 0, 64)
		return !slices.Contains([]string{"x86", "amd64"}, value(r.SystemInfo.CPU)) || slices.Contains([]int{0xcc, 0xf1, 3}, byteAt(pc-1))
	}},
	{regexp.MustCompile(`[Ss]o low an address|Nothing is ever mapped`), func(r *report.Report, _ func(uint64) int) bool {
		return lowAddress(r) && !reason(r, "GUARD_PAGE|IN_PAGE|ACCERR")
	}},
	{regexp.MustCompile(`(^|\D)0 KiB of it`), func(*report.Report, func(uint64) int) bool { return false }},
	{regexp.MustCompile(`^The program (accessed|read|wrote)`), func(r *report.Report, _ func(uint64) int) bool {
		at, _ := strconv.ParseUint(string(value(r.CrashInfo.Address)), 0, 64)
		return !reason(r, "^SIG") || value(r.CrashInfo.Flags) != "0x00000000" || len(r.CrashInfo.MemoryAccesses) > 0 || uint32(at) == 0 || uint32(at) > 4<<20
	}},
}

// unprovedSentences lists the sentences of a verdict that the dump denies.
func unprovedSentences(r *report.Report, data []byte) []string {
	var memory *process.Memory
	if f, err := minidump.Open(source(data)); err == nil {
		memory, _ = f.Memory()
	}
	byteAt := func(addr uint64) int {
		if v, ok := memory.Word(addr, 1); memory != nil && ok {
			return int(v)
		}
		return -1
	}
	said := []string{r.Verdict.Detail, value(r.CrashInfo.Note)}
	for _, b := range r.Verdict.Badges {
		said = append(said, b.Evidence...)
	}
	var out []string
	for _, s := range sentences {
		if i := slices.IndexFunc(said, s.word.MatchString); i >= 0 && !s.proof(r, byteAt) {
			out = append(out, "the dump does not prove "+strconv.Quote(said[i]))
		}
	}
	return out
}

// claimed remembers the claims of a headline: thousands of mutated dumps share a few headlines.
var claimed sync.Map

// claimsOf returns the claims that a headline makes.
func claimsOf(what string) []claim {
	if known, ok := claimed.Load(what); ok {
		return known.([]claim)
	}
	made := slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return !c.word.MatchString(what) })
	claimed.Store(what, made)
	return made
}

// unproved lists the claims of a verdict without proof.
func unproved(r *report.Report) []string {
	var out []string
	v := &r.Verdict
	for _, c := range claimsOf(v.What) {
		if !c.proof(r) {
			out = append(out, "the report does not prove "+strconv.Quote(v.What)+": "+c.word.String())
		}
	}
	if v.What == "" {
		out = append(out, "nothing is said")
	}
	if !v.Crashed && v.Where != nil {
		out = append(out, "a place without a crash")
	}
	if v.At != nil && v.Where == nil || v.Guess && v.Where == nil {
		out = append(out, "a source line or a doubt without a place")
	}
	if v.Where != nil && !named(r, *v.Where, v.Guess) {
		out = append(out, "the place is no frame of the crashing thread: "+*v.Where)
	}
	for i, b := range v.Badges {
		if b.Kind == "cause" && (i > 0 || !v.Crashed) || len(b.Evidence) == 0 {
			out = append(out, "a cause that is not first, not of a crash, or without evidence: "+b.Text)
		}
	}
	return out
}

var patterns sync.Map

// compiled remembers the patterns of the proofs.
func compiled(pattern string) *regexp.Regexp {
	known, ok := patterns.Load(pattern)
	if !ok {
		known, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return known.(*regexp.Regexp)
}

// reason reports whether the operating system's word matches.
func reason(r *report.Report, pattern string) bool {
	return r.CrashInfo.Type != nil && compiled(pattern).MatchString(*r.CrashInfo.Type)
}

// accesses reports whether the instruction has an access of that kind.
func accesses(r *report.Report, kind string) bool {
	return slices.ContainsFunc(r.CrashInfo.MemoryAccesses, func(a report.Access) bool { return strings.Contains(a.AccessType, kind) })
}

// addresses returns all possible addresses of a crash: those of the record, LLDB's description and
// the instruction, its target, and the program counter.
func addresses(r *report.Report) []uint64 {
	var out []uint64
	add := func(a *report.Address) {
		if a != nil {
			v, _ := strconv.ParseUint(string(*a), 0, 64)
			out = append(out, v)
		}
	}
	c := &r.CrashInfo
	add(c.Address)
	for i := range c.MemoryAccesses {
		add(&c.MemoryAccesses[i].Address)
	}
	if c.InstructionPointerUpdate != nil {
		add(&c.InstructionPointerUpdate.Address)
	}
	for i := range c.Parameters {
		add(&c.Parameters[i])
	}
	if text := lldb(r); text != "" {
		if _, rest, ok := strings.Cut(text, "fault address=0x"); ok {
			end := strings.IndexFunc(rest, func(c rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", c) })
			v, _ := strconv.ParseUint(rest[:max(end, 0)], 16, 64)
			out = append(out, v)
		}
	}
	return out
}

// lowAddress reports whether one of them is below 64 KiB, or as far in front of 0.
func lowAddress(r *report.Report) bool {
	mask := ^uint64(0)
	if r.SystemInfo.PointerWidth == 4 {
		mask = 0xffff_ffff
	}
	return slices.ContainsFunc(addresses(r), func(a uint64) bool { return a < 1<<16 || mask-a < 1<<16 })
}

// mapped reports whether an address is in a region that allows something.
func mapped(r *report.Report, at uint64) bool {
	return slices.ContainsFunc(r.MemoryRegions, func(g report.Region) bool {
		base, _ := strconv.ParseUint(string(g.Base), 0, 64)
		size, _ := strconv.ParseUint(string(g.Size), 0, 64)
		return at-base < size && strings.ContainsAny(g.Protection, "rwx")
	})
}

// sent reports whether a signal can have been sent: by its si_code, because that is unknown, or
// because the processor never raises the signal.
func sent(r *report.Report) bool {
	if machSignal(r) != 0 || reason(r, "EXC_SOFTWARE") || reason(r, "EXC_BREAKPOINT") {
		return true
	}
	flags, _ := strconv.ParseUint(string(value(r.CrashInfo.Flags)), 0, 64)
	fault := reason(r, "^SIG(SEGV|BUS|ILL|FPE|TRAP)") // mips has other numbers, and names from the common table
	return !fault || flags == 0 || int32(flags) < 0 || lldb(r) != ""
}

// wrapped is the Mach exception in the code of an EXC_CRASH: 2 is
// EXC_BAD_INSTRUCTION, 3 EXC_ARITHMETIC, 6 EXC_BREAKPOINT. Source: XNU's
// bsd/kern/kern_exit.c, proc_prepareexit.
func wrapped(r *report.Report) uint64 {
	p := r.CrashInfo.Parameters
	if len(p) < 2 || p[0] != "0x000000000000000a" {
		return 0
	}
	code, _ := strconv.ParseUint(string(p[1]), 0, 64)
	return code >> 20 & 0xf
}

// machSignal is the signal in an EXC_CRASH.
func machSignal(r *report.Report) uint64 {
	p := r.CrashInfo.Parameters
	if len(p) < 2 {
		flags, _ := strconv.ParseUint(string(value(r.CrashInfo.Flags)), 0, 64)
		return flags >> 24 & 0xff
	}
	code, _ := strconv.ParseUint(string(p[1]), 0, 64)
	return code >> 24 & 0xff
}

// lldb is LLDB's description, where the parameters hold one.
func lldb(r *report.Report) string {
	if value(r.CrashInfo.Flags) != "0x4c4c4442" {
		return ""
	}
	var raw []byte
	for _, p := range r.CrashInfo.Parameters {
		v, _ := strconv.ParseUint(string(p), 0, 64)
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	return string(raw) + "?"
}

// onStack reports whether a function of the crashing thread matches.
func onStack(r *report.Report, pattern string) bool {
	return slices.ContainsFunc(crashedFrames(r), func(f report.Frame) bool {
		names := []string{value(f.Function)}
		for _, in := range f.Inlines {
			names = append(names, value(in.Function))
		}
		return compiled("(?i)" + pattern).MatchString(strings.Join(names, " "))
	})
}

// nearStack reports whether an address is near the stack pointer.
func nearStack(r *report.Report) bool {
	frames := crashedFrames(r)
	if len(frames) == 0 {
		return false
	}
	for _, reg := range frames[0].Registers {
		v, _ := strconv.ParseUint(string(reg.Value), 0, 64)
		if !slices.Contains([]string{"rsp", "esp", "sp", "r13", "r1", "g_r14", "o6"}, reg.Name) {
			continue
		}
		if slices.ContainsFunc(addresses(r), func(a uint64) bool { return max(a, v)-min(a, v) <= 1<<17 }) {
			return true
		}
	}
	return false
}

func crashedFrames(r *report.Report) []report.Frame {
	i := value(r.CrashInfo.CrashingThread)
	if i < 0 || i >= len(r.Threads) {
		return nil
	}
	return r.Threads[i].Frames
}

// named reports whether a place is a frame of the crashing thread, with the same uncertainty.
func named(r *report.Report, where string, guess bool) bool {
	return slices.ContainsFunc(crashedFrames(r), func(f report.Frame) bool {
		if f.Guess != guess {
			return false
		}
		offset, _ := strconv.ParseUint(string(value(f.ModuleOffset)), 0, 64)
		names := []string{value(f.Function), value(f.Module) + " + 0x" + strconv.FormatUint(offset, 16), string(f.Offset)}
		at, _ := strconv.ParseUint(string(f.Offset), 0, 64)
		names = append(names, "0x"+strconv.FormatUint(at, 16))
		for _, in := range f.Inlines {
			names = append(names, value(in.Function))
		}
		for _, u := range f.Unloaded {
			names = append(names, u.Module[strings.LastIndexAny(u.Module, `/\`)+1:]+" (unloaded)")
		}
		return slices.Contains(names, where)
	})
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// claimSeeds are dumps of each system, with code at the program counter.
func claimSeeds(t *testing.T) [][]byte {
	linux := linuxDump(t)
	linux.Memory(0x40_0110, []byte{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x0f, 0x05, 0x89, 0x00, 0x0f, 0x0b}) // syscall; mov [rax], eax; ud2
	windows := windowsDump(t)
	windows.Memory(0x40_0118, []byte{0xc7, 0x00, 5, 0, 0, 0, 0xcc}) // mov dword [eax], 5; int3
	return [][]byte{linux.Build(t), windows.Build(t), macCrash(t).Build(t), dump.Everything(t).Build(t), damaged(t).Build(t),
		plain(t, dump.Linux, dump.Exception{Code: 5, Flags: 1, Address: 0x40_0118}).Build(t),
		plain(t, dump.Linux, dump.Exception{Code: 11, Address: 0x1234}).Build(t),
		plain(t, dump.Windows, dump.Exception{Code: 0x8000_0003, Address: 0x40_0118}).Build(t),
		plain(t, dump.Windows, dump.Exception{Code: 0x8000_0001, Address: 0x40_0118, Parameters: []uint64{1, 0x5000}}).Build(t),
		plain(t, dump.Windows, dump.Exception{Code: 0xc000_00fd, Address: 0x40_0118, Parameters: []uint64{1, 0x7fff_0000}}).Build(t),
	}
}

// plain is an exception at code that cannot have raised it, with the beginning of a stack.
func plain(t *testing.T, system uint32, e dump.Exception) *dump.Builder {
	b := dump.New().System(dump.AMD64, system, "")
	e.Context = b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0118, "rsp": 0x7fff_0000})
	e.Thread = 1
	b.Thread(dump.Thread{ID: 1, StackBase: 0x7fff_0000, Stack: make([]byte, 64), Context: e.Context})
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "app"})
	if e.Code != 11 {
		b.Memory(0x40_0110, []byte{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90})
	}
	b.Exception(e)
	return b
}

// macCrash is an abort on macOS, as Crashpad writes it.
func macCrash(t *testing.T) *dump.Builder {
	b := dump.New().System(dump.AMD64, 0x8101, "")
	context := b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x7fff_0100, "rsp": 0x10_0000})
	b.Thread(dump.Thread{ID: 1, StackBase: 0x10_0000, Stack: make([]byte, 64), Context: context})
	b.Module(dump.Module{Base: 0x1_0000_0000, Size: 0x1000, Name: "/Applications/App.app/Contents/MacOS/App"})
	b.Module(dump.Module{Base: 0x7fff_0000, Size: 0x1000, Name: "/usr/lib/system/libsystem_kernel.dylib"})
	b.Exception(dump.Exception{Thread: 1, Address: 0x7fff_0100, Parameters: []uint64{10, 6 << 24, 0}, Context: context})
	return b
}

// FuzzClaims: for any bytes of a dump, the verdict has no claim without proof in the report.
func FuzzClaims(f *testing.F) {
	f.Add(uint8(0), uint32(0), []byte(nil), uint32(0), []byte(nil))
	f.Add(uint8(0), uint32(800), []byte{11, 0, 0, 0, 0, 0, 0, 0}, uint32(1200), []byte{0xff})
	f.Add(uint8(2), uint32(700), []byte{6}, uint32(64), []byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, which uint8, at uint32, patch []byte, at2 uint32, patch2 []byte) {
		seeds := claimSeeds(t)
		data := slices.Clone(seeds[int(which)%len(seeds)])
		copy(data[int(at)%len(data):], patch)
		copy(data[int(at2)%len(data):], patch2)
		r, err := Dump(source(data), symbols, Options{})
		if err != nil {
			return
		}
		for _, u := range append(unproved(r), unprovedSentences(r, data)...) {
			t.Error(u)
		}
	})
}

// For any value of each byte of the exception stream, its context and the system info, the report
// proves the verdict.
func TestClaimsOfMutatedDumps(t *testing.T) {
	t.Parallel()
	for i, seed := range claimSeeds(t) {
		proved(t, fmt.Sprintf("seed %d", i), seed)
		for at := 0; at < min(len(seed), 4096); at += (1 + len(seed)/1500) * sample.Step() {
			for _, b := range []byte{0, 1, 5, 6, 8, 11, 0x80, 0xff} {
				if b == seed[at] {
					continue
				}
				data := slices.Clone(seed)
				data[at] = b
				proved(t, fmt.Sprintf("seed %d, byte %#x is %#x", i, at, b), data)
			}
		}
	}
}

// proved checks the verdict of a dump that may be too damaged for a report.
func proved(t *testing.T, what string, data []byte) {
	t.Helper()
	r, err := Dump(source(data), symbols, Options{Threads: Crashing()})
	if err != nil {
		return
	}
	for _, u := range append(unproved(r), unprovedSentences(r, data)...) {
		t.Errorf("%s: %s", what, u)
	}
}

// The predicate finds each kind of false claim.
func TestUnproved(t *testing.T) {
	frame := report.Frame{Function: ptr("work"), Registers: report.Registers{{Name: "rsp", Value: "0x7fff0000"}}}
	tests := []struct {
		what, reason string
		address      report.Address
		access       string
	}{
		{"Null pointer write", "SIGSEGV / SEGV_MAPERR", "0x8", "read"},
		{"Null pointer read", "SIGSEGV / SEGV_MAPERR", "0x123456", "read"},
		{"SIGSEGV was sent by process 5; this thread was waiting", "SIGSEGV / SEGV_MAPERR", "0x5", ""},
		{"abort() called", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
		{"Stack overflow", "SIGSEGV / SEGV_MAPERR", "0x8", "write"},
		{"Read from a non-canonical address", "SIGSEGV / SI_KERNEL", "0x0", "read"},
		{"Division by zero", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
		{"Compiler trap", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
		{"No crash: the dump was written on request", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
		{"The dump is truncated", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
		{"No threads in this dump", "SIGSEGV / SEGV_MAPERR", "0x0", ""},
	}
	for _, tt := range tests {
		r := &report.Report{Threads: []report.Thread{{Frames: []report.Frame{frame}}}}
		r.CrashInfo = report.CrashInfo{Type: &tt.reason, Address: &tt.address, CrashingThread: ptr(0), Flags: ptr(report.Address("0x1"))}
		if tt.access != "" {
			r.CrashInfo.MemoryAccesses = []report.Access{{Address: tt.address, AccessType: tt.access}}
		}
		r.Verdict = report.Verdict{What: tt.what, Crashed: true}
		if len(unproved(r)) != 1 {
			t.Errorf("%s, %s at %s: %q", tt.what, tt.reason, tt.address, unproved(r))
		}
	}
	r := &report.Report{Verdict: report.Verdict{What: "x", Where: ptr("elsewhere"), Crashed: true}}
	if len(unproved(r)) != 1 {
		t.Errorf("a place that is no frame: %q", unproved(r))
	}
}

// The same holds for all dumps of real programs, and for synthetic ones.
func TestClaimsOfCorpus(t *testing.T) {
	const corpus = "../../../shared/corpus"
	seen := 0
	for _, pattern := range []string{"public/dumps/*/*.dmp", "real/dumps/*.dmp", "vars/dumps/*.dmp", "vectors/*/dump.dmp"} {
		files, _ := filepath.Glob(filepath.Join(corpus, pattern))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Dump(source(data), nil, Options{Threads: Crashing()})
			if err != nil {
				continue
			}
			seen++
			for _, u := range unproved(r) {
				t.Errorf("%s: %s", file, u)
			}
		}
	}
	if seen == 0 {
		t.Skipf("no corpus at %s", corpus)
	}
}
