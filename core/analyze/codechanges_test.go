package analyze

import (
	"cmp"
	"encoding/binary"
	enchex "encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/symbolsource"
)

// Where the tests' modules are. The program's code begins at codeStart, with a function every 64 bytes.
const (
	codeBase  = 0x40_0000
	codeStart = 0x1000
	codeSize  = 0x1000
	edrBase   = 0x60_0000
	strayBase = 0x50_0000 // memory of no module
)

// shipped is the program's file: each function is the same code, and of bytes from 0x800 on only the first word is known after the loader has changed
// them. It counts what is read.
type shipped struct {
	symbolsource.Bare
	code  []byte
	parts []symbolize.Range
	read  *int
}

func (s shipped) CodeParts() []symbolize.Range { return s.parts }

func (s shipped) ReadImage(rel uint64, p []byte) int {
	if rel-codeStart >= uint64(len(s.code)) {
		return 0
	}
	end := uint64(len(s.code))
	switch at := rel - codeStart; {
	case at >= 0x800 && at < 0x808:
		return 0
	case at < 0x800:
		end = 0x800
	}
	n := copy(p, s.code[rel-codeStart:end])
	*s.read += n
	return n
}

func (s shipped) ReadLoaded(base, rel uint64, p []byte) int {
	if rel == codeStart+0x800 && len(p) >= 4 {
		word := binary.LittleEndian.Uint32(s.code[0x800:])
		return copy(p, binary.LittleEndian.AppendUint32(nil, word+uint32(base-codeBase)))
	}
	return s.ReadImage(rel, p)
}

type everySixtyFour struct{ symbolize.Source }

func (everySixtyFour) Locate(rel uint64) (symbolize.Location, bool) {
	start := rel &^ 63
	return symbolize.Location{Function: fmt.Sprintf("f%x", start), Start: start, Size: 64}, true
}
func (everySixtyFour) Function(uint64) (unwind.Function, bool)   { return unwind.Function{}, false }
func (everySixtyFour) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }
func (everySixtyFour) WinFrame(uint64) (unwind.WinFrame, bool)   { return unwind.WinFrame{}, false }
func (everySixtyFour) HasNames() bool                            { return true }
func (everySixtyFour) HasCode() bool                             { return true }

// A patched is a process with changes of its code: hex digits by address. All other captured code is the file's.
type patched struct {
	arch     *cpu.Arch
	function string // the code of each function
	changes  map[uint64]string
	pc       uint64
	captured []process.Range
	with     func(a *analysis, p *process.Process, s *shipped)
	report   *report.Report // may be nil
}

func (c patched) list(t *testing.T) (out []report.CodeChange, read int) {
	t.Helper()
	unhex := func(text string) []byte {
		data, err := enchex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	s := shipped{code: make([]byte, codeSize), parts: []symbolize.Range{{Start: codeStart, Size: codeSize}}, read: &read}
	s.Source = everySixtyFour{}
	for at := 0; at < codeSize; at += 64 {
		copy(s.code[at:], unhex(c.function))
	}
	const strayOff, size = codeSize, codeSize + 0x1000
	file := append(slices.Clone(s.code), make([]byte, size-codeSize)...)
	for at, text := range c.changes {
		off := at - codeBase - codeStart
		if at >= strayBase {
			off = at - strayBase + strayOff
		}
		copy(file[off:], unhex(text))
	}
	if c.captured == nil {
		c.captured = []process.Range{
			{Base: codeBase + codeStart, Location: process.Location{Size: codeSize}}, {Base: strayBase, Location: process.Location{RVA: strayOff, Size: 0x1000}}}
	}
	mods := []module.Module{{Base: codeBase, Size: 0x1000_0000 - codeBase, CodeFile: "/app"}, {Base: 0x1000_0000 + edrBase, Size: 0x1_0000, CodeFile: "/edr.so"}}
	mods[0].Size = 0x8000
	mods[1].Base = edrBase
	p := &process.Process{Arch: c.arch, Modules: mods, Memory: process.NewMemory(process.NewPager(source(file)), false, c.captured, func(error) {})}
	a := &analysis{Session: &Session{p: p, modules: module.NewMap(mods), width: 8}, walked: map[int][]unwind.Frame{}, modules: module.NewMap(mods)}
	a.budget = a.Session.budget()
	a.walked[0] = []unwind.Frame{{Frame: process.Frame{Instruction: c.pc}}}
	a.lookup = newLookup(SymbolsFunc(func(*module.Module) (Source, report.Symbols) { return s, report.Symbols{State: report.SymbolsMatched} }))
	a.images = a.lookup
	if c.with != nil {
		c.with(a, p, &s)
	}
	a.lookup.of(&a.modules.Modules()[0])
	out, _ = CompareCode(a, cmp.Or(c.report, &report.Report{}))
	return out, read
}

// told is a change in short: its kind, address, bytes of memory, and where it leads.
func told(list []report.CodeChange) string {
	var out []string
	for _, c := range list {
		text := fmt.Sprintf("%s %s %s", c.Kind, strings.TrimLeft(string(c.Address)[2:], "0"), c.Captured)
		if c.Target != nil {
			text += fmt.Sprintf(" to %#x of %s", c.Target.Number(), report.Text(c.TargetModule))
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// What a change of code is. Functions begin with push rbp; mov rbp, rsp; sub rsp, 0x80; mov edi, 0x12345678; call.
func TestCodeChanges(t *testing.T) {
	const (
		function = "55 48 89 e5 48 81 ec 80 00 00 00 bf 78 56 34 12 e8 00 00 00 00 c9 c3"
		f        = codeBase + codeStart + 0x40
		arm64    = "fd 7b bf a9 fd 03 00 91 00 00 80 52 c0 03 5f d6"
		x86      = "8b ff 55 8b ec 83 ec 40 c9 c3"
		nops     = "0f 1f 44 00 00 55 48 89 e5 c9 c3"
	)
	many := map[uint64]string{}
	for i := range uint64(5) {
		many[f+64*i+1] = "49"
	}
	tests := []struct {
		name string
		c    patched
		want string
	}{
		{"nothing", patched{}, ""},
		{"one bit", patched{changes: map[uint64]string{f + 0x11: "10"}}, "flipped_bit 401051 10"},
		{"one bit, and a hook", patched{changes: map[uint64]string{f + 0x11: "10", f + 64: "e9 7b ff 1f 00"}}, "flipped_bit 401051 10, hook 401080 e97bff1f00 to 0x601000 of edr.so"},
		{"two bits of a byte, elsewhere", patched{changes: map[uint64]string{f + 0x11: "18"}}, ""},
		{"two bits at the instruction that failed", patched{pc: f + 0x10, changes: map[uint64]string{f + 0x11: "18"}}, "other 401051 18"},
		{"one bit where more is changed", patched{changes: map[uint64]string{f + 0x11: "10", f + 0x80: "90 90 90 90"}}, ""},
		{"five flipped bits are another file", patched{changes: many}, ""},
		{"what the loader changes", patched{changes: map[uint64]string{codeBase + codeStart + 0x800: "55 48 89 e5 9a bc de f0"}}, ""},
		{"one bit of what the loader changes", patched{changes: map[uint64]string{codeBase + codeStart + 0x800: "55 49 89 e5 9a bc de f0"}}, "flipped_bit 401801 49"},
		{"jmp rel32", patched{changes: map[uint64]string{f: "e9 bb ff 1f 00"}}, "hook 401040 e9bbff1f00 to 0x601000 of edr.so"},
		{"jmp rel32 behind push", patched{changes: map[uint64]string{f + 1: "e9 ba ff 1f 00"}}, "hook 401041 e9baff1f00 to 0x601000 of edr.so"},
		{"in the middle of a function it is none", patched{changes: map[uint64]string{f + 0x20: "e9 9b ff 1f 00"}}, ""},
		{"jmp [rip]", patched{changes: map[uint64]string{f: "ff 25 00 00 00 00 00 10 60 00 00 00 00 00"}}, "hook 401040 ff25000000000010600000000000 to 0x601000 of edr.so"},
		{"mov rax; jmp rax", patched{changes: map[uint64]string{f: "48 b8 00 10 60 00 00 00 00 00 ff e0"}}, "hook 401040 48b80010600000000000ffe0 to 0x601000 of edr.so"},
		{"push; ret", patched{changes: map[uint64]string{f: "68 00 10 60 00 c3"}}, "hook 401040 6800106000c3 to 0x601000 of edr.so"},
		{"through a trampoline", patched{changes: map[uint64]string{f: "e9 bb ef 0f 00", strayBase: "ff 25 00 00 00 00 34 12 60 00 00 00 00 00"}}, "hook 401040 e9bbef0f00 to 0x601234 of edr.so"},
		{"into memory of no module", patched{changes: map[uint64]string{f: "e9 bb ef 0f 00", strayBase: "55 c3"}}, "hook 401040 e9bbef0f00 to 0x500000 of "},
		{"into the same module: incremental linking", patched{changes: map[uint64]string{f: "e9 bb 00 00 00"}}, ""},
		{"int3", patched{changes: map[uint64]string{f: "cc"}}, "breakpoint 401040 cc"},
		{"a flipped bit that looks like int3 in the middle of an instruction", patched{changes: map[uint64]string{f + 6: "cc"}}, "flipped_bit 401046 cc"},
		{"int3 at the beginning of an instruction", patched{changes: map[uint64]string{f + 4: "cc"}}, "breakpoint 401044 cc"},
		{"x86: hot patch", patched{arch: &cpu.X86, function: x86, changes: map[uint64]string{f - 5: "e9 c0 ff 1f 00", f: "eb f9"}}, "hook 401040 ebf9 to 0x601000 of edr.so"},
		{"x86: mov eax; jmp eax", patched{arch: &cpu.X86, function: x86, changes: map[uint64]string{f: "b8 00 10 60 00 ff e0"}}, "hook 401040 b800106000ffe0 to 0x601000 of edr.so"},
		{"arm64: b", patched{arch: &cpu.ARM64, function: arm64, changes: map[uint64]string{f: "f0 ff 07 14"}}, "hook 401040 f0ff0714 to 0x601000 of edr.so"},
		{"arm64: ldr x17; br x17", patched{arch: &cpu.ARM64, function: arm64, changes: map[uint64]string{f: "51 00 00 58 20 02 1f d6 00 10 60 00 00 00 00 00"}},
			"hook 401040 5100005820021fd60010600000000000 to 0x601000 of edr.so"},
		{"arm64: brk", patched{arch: &cpu.ARM64, function: arm64, changes: map[uint64]string{f: "00 00 20 d4"}}, "breakpoint 401040 000020d4"},
		{"room for a tracer", patched{function: nops, changes: map[uint64]string{f: "e8 bb ff 1f 00"}, pc: f}, ""},
		{"the dump does not identify the build", patched{changes: map[uint64]string{f + 0x11: "10"}, with: func(a *analysis, _ *process.Process, _ *shipped) {
			a.modules.Modules()[0].ByName = true
		}}, ""},
		{"a file of another build", patched{changes: map[uint64]string{f + 0x11: "10"}, with: func(a *analysis, _ *process.Process, s *shipped) {
			a.lookup = newLookup(SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
				return *s, report.Symbols{State: report.SymbolsWrongBuild}
			}))
			a.images = a.lookup
		}}, ""},
		{"a file that is changed where it runs", patched{changes: map[uint64]string{f + 0x11: "10"}, with: func(_ *analysis, _ *process.Process, s *shipped) { s.parts = nil }}, ""},
		{"of a file with thousands of sections only the first ones are compared", patched{changes: map[uint64]string{f + 0x11: "10"}, with: func(_ *analysis, _ *process.Process, s *shipped) {
			s.parts = append(make([]symbolize.Range, mostParts), s.parts...)
		}}, ""},
		{"Windows' kernel", patched{changes: map[uint64]string{f + 0x11: "10"}, with: func(_ *analysis, p *process.Process, _ *shipped) {
			p.Event = &process.Event{Kind: process.BugCheck}
		}}, ""},
	}
	for _, tt := range tests {
		if tt.c.function == "" {
			tt.c.function = function
		}
		if tt.c.arch == nil {
			tt.c.arch = &cpu.AMD64
		}
		list, _ := tt.c.list(t)
		if got := told(list); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Of a file only that is read which the dump has, although the file is large.
func TestComparedBytes(t *testing.T) {
	list, read := patched{
		arch: &cpu.AMD64, function: "55 c3", captured: []process.Range{{Base: codeBase + codeStart + 0x100, Location: process.Location{RVA: 0x100, Size: 256}}},
		changes: map[uint64]string{codeBase + codeStart + 0x141: "c2"}, with: func(a *analysis, _ *process.Process, s *shipped) {
			a.modules.Modules()[0].Size, s.parts[0].Size = 1<<40, 1<<40
		},
	}.list(t)
	if told(list) != "flipped_bit 401141 c2" || read != 256 {
		t.Errorf("%s, %d bytes read", told(list), read)
	}
}

// Threads that all wait at one place do not use up what may be compared.
func TestComparedOnce(t *testing.T) {
	waiting := report.FrameOf(&process.Frame{Instruction: codeBase + codeStart + 0x100})
	waiting.ModuleIndex = new(int)
	thread := report.Thread{Frames: []report.Frame{waiting}}
	r := &report.Report{Threads: slices.Repeat([]report.Thread{thread}, 2*mostCompared/codeSize)}
	list, read := patched{
		arch: &cpu.AMD64, function: "55 c3", changes: map[uint64]string{codeBase + codeStart + 0xfc1: "c2"}, report: r,
	}.list(t)
	if told(list) != "flipped_bit 401fc1 c2" || read > 4*codeSize {
		t.Errorf("%s, %d bytes read", told(list), read)
	}
}
