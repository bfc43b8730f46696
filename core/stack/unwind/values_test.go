package unwind

import (
	"fmt"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// Two rules are equal when they are of one register and written the same way.
func TestEqualRules(t *testing.T) {
	rule := Rule{"$rbx", Word(CFA, -8)}
	for _, tt := range []struct {
		other Rule
		want  bool
	}{
		{other: Rule{"$rbx", Word(CFA, -8)}, want: true},
		{other: Rule{"$rbp", Word(CFA, -8)}},
		{other: Rule{"$rbx", Word(CFA, -16)}},
		{other: Rule{"$rbx", At(CFA, -8)}},
		{other: Rule{"$rbx", ParseValue("$a $b +")}},
	} {
		if got := rule.Equal(tt.other); got != tt.want {
			t.Errorf("%s and %s: %t", rule, tt.other, got)
		}
	}
}

// The letters at the ends of the alphabet begin names of registers; what lies beside
// them in ASCII does not.
func TestNamesOfRegisters(t *testing.T) {
	for _, word := range []string{"a0", "A0", "zero", "ZERO", "$1", ".cfa"} {
		if v := ParseValue(word); v.Base != word {
			t.Errorf("%q is no register: %+v", word, v)
		}
	}
	for _, word := range []string{"@", "`a", "[a", "{a", "$", "1a", ".ra", "aé"} {
		if v := ParseValue(word); v.Base != "" {
			t.Errorf("%q is the register %q", word, v.Base)
		}
	}
}

// Several rules are one record, with a blank between them.
func TestRuleText(t *testing.T) {
	rules := []Rule{{CFA, At("$rsp", 0)}, {RA, Word(CFA, -8)}, {"$rbx", Value{}}}
	if got, want := RuleText(rules), ".cfa: $rsp 0 + .ra: .cfa -8 + ^ $rbx: .undef"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := RuleText(nil); got != "" {
		t.Errorf("%q", got)
	}
}

// A row that lacks a register's rule gives the register back to the caller. The CFA
// and the return address are no registers, and keep what they had.
func TestDiffOfWhatIsGone(t *testing.T) {
	before := []Rule{{CFA, At("$rsp", 8)}, {RA, Word(CFA, -8)}, {"$rbx", Word(CFA, -16)}}
	if got, want := RuleText(Diff(nil, before, nil)), "$rbx: $rbx"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// At the limit a rule of a register that has one still changes it.
func TestApplyAtTheLimit(t *testing.T) {
	rules := []Rule{{CFA, At("$rsp", 8)}, {"$rbx", Word(CFA, -16)}}
	row := []Rule{{"rbx", Word(CFA, -24)}, {"$rbp", Word(CFA, -32)}, {"$r12", Word(CFA, -40)}}
	if got, want := RuleText(Apply(rules, row, 3)), ".cfa: $rsp 8 + rbx: .cfa -24 + ^ $rbp: .cfa -32 + ^"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where threads begin depends on the system: programs elsewhere have functions called
// "start" of their own.
func TestOutermostFunctions(t *testing.T) {
	for name, systems := range map[string][]string{
		"start":          {"mac", "ios"},
		"thread_start":   {"mac", "ios"},
		"start_wqthread": {"mac", "ios"},
		"_start":         {"mac", "ios", "linux", "windows", ""},
		"main":           nil,
		"":               nil,
	} {
		want := map[string]bool{}
		for _, os := range systems {
			want[os] = true
		}
		for _, os := range []process.OS{"mac", "ios", "linux", "windows", ""} {
			w := &walk{in: Input{OS: os}}
			if got := w.isOutermost(name); got != want[string(os)] {
				t.Errorf("%q on %q: %t", name, os, got)
			}
		}
	}
}

// A linker symbol is believed to be the start of a thread for 256 bytes, a function
// with a size up to its end.
func TestStartOfAThreadByALinkerSymbol(t *testing.T) {
	for _, tt := range []struct {
		fn   Function
		at   uint64
		want string
	}{
		{Function{Name: "_start", Start: 0x200, Public: true}, 0x201, "thread_start _start"},
		{Function{Name: "_start", Start: 0x200, Size: 0x400}, 0x5ff, "thread_start _start"},
	} {
		picture{
			arch: &cpu.AMD64, os: "linux",
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 5},
			stack: asm.At(0x1000).U64(image + tt.at),
			symbols: symbols{functions: []Function{fn(0x100, "f"), tt.fn},
				frames: []CallFrame{cfi(0x100, ".cfa: $rsp 8 + .ra: .cfa 8 - ^")}},
			want: []string{"0x40000110 context", fmt.Sprintf("%#x cfi", image+tt.at-1)},
			end:  tt.want,
		}.check(t)
	}
}

// What can be a return address, without symbols: an address in a module behind its
// headers, where an instruction may begin and code may be executed.
func TestPlausibleAddresses(t *testing.T) {
	executable := func(addr uint64) (bool, bool) { return addr < image+0x8000, addr != image+0x8fff }
	for _, tt := range []struct {
		arch *cpu.Arch
		addr uint64
		want bool
	}{
		{arch: &cpu.AMD64, addr: image + imageHeader + 1, want: true},
		{arch: &cpu.AMD64, addr: image + imageHeader}, // right behind the header
		{arch: &cpu.AMD64, addr: image},
		{arch: &cpu.AMD64, addr: image + 0x8000, want: true},
		{arch: &cpu.AMD64, addr: image + 0x8001},             // not executable
		{arch: &cpu.AMD64, addr: image + 0x9000, want: true}, // not known
		{arch: &cpu.AMD64, addr: image + 0x1_0000},
		{arch: &cpu.AMD64, addr: 0},
		{arch: &cpu.ARM64, addr: image + 0x102},
		{arch: &cpu.ARM64, addr: image + 0x104, want: true},
		{arch: &cpu.MIPS, addr: image + 0x102},
	} {
		w := newWalk(Input{Arch: tt.arch, OS: "linux", Executable: executable,
			Modules: module.NewMap([]module.Module{{Base: image, Size: 0x1_0000}})})
		if got := w.plausible(tt.addr); got != tt.want {
			t.Errorf("%s: %#x is plausible: %t", tt.arch.Name, tt.addr, got)
		}
	}
}

// Where nothing tells the virtual frame, there is none: other CPUs, frames that are
// not there, code without records, and programs that found another caller.
func TestNoVirtualFrame(t *testing.T) {
	p := picture{
		arch: &cpu.X86, os: "windows",
		regs:    map[string]uint64{"eip": image + 0x110, "esp": stackTop, "ebp": stackTop + 8},
		symbols: symbols{win: []WinFrame{frameData(0x100, standardFrame)}},
		stack:   asm.At(stackTop).U32(1, 2).Ref32("up").U32(image+0x210).Mark("up").U32(0, 0).Zeros(0x40),
	}
	in := p.plain(t)
	frames := Walk(in).Frames
	changed := func(change func(f []Frame)) []Frame {
		list := append([]Frame{}, frames...)
		change(list)
		return list
	}
	for _, tt := range []struct {
		name   string
		arch   *cpu.Arch
		frames []Frame
		i      int
		want   bool
	}{
		{name: "there", arch: &cpu.X86, frames: frames, i: 0, want: true},
		{name: "the last frame that was found", arch: &cpu.X86, frames: frames[:1], i: 0, want: true},
		{name: "no CPU", frames: frames, i: 0},
		{name: "a CPU without such records", arch: &cpu.AMD64, frames: frames, i: 0},
		{name: "no such frame", arch: &cpu.X86, frames: frames, i: 2},
		{name: "no record", arch: &cpu.X86, frames: frames, i: 1},
		{name: "no stack pointer", arch: &cpu.X86, frames: changed(func(f []Frame) { f[0].Regs.Forget(cpu.ESP) }), i: 0},
		{name: "no frame pointer", arch: &cpu.X86, frames: changed(func(f []Frame) { f[0].Regs.Forget(cpu.EBP) }), i: 0},
		{name: "a frame pointer that was searched for", arch: &cpu.X86, frames: changed(func(f []Frame) { f[0].Searched = cpu.SetOf(cpu.EBP) }), i: 0},
		{name: "another caller", arch: &cpu.X86, frames: changed(func(f []Frame) { f[1].ReturnAddress += 4 }), i: 0},
		{name: "another stack pointer", arch: &cpu.X86, frames: changed(func(f []Frame) { f[1].Regs.Set(cpu.ESP, stackTop+20) }), i: 0},
	} {
		in.Arch = tt.arch
		if got, ok := in.VirtualFrame(tt.frames, tt.i); ok != tt.want || ok && got != stackTop+8 {
			t.Errorf("%s: %#x, %t", tt.name, got, ok)
		}
	}
}
