package unwind

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// What the rules recover, register by register.
func TestCallFrameRules(t *testing.T) {
	const top = 0x8000_0000
	tests := []struct {
		name  string
		rules string
		want  map[string]uint64 // of the caller
		lost  []string
		err   string // instead: why there is no caller
	}{
		{
			name:  ".cfa is the caller's rsp; callee-saved registers stay",
			rules: ".cfa: $rsp 16 + .ra: .cfa 8 - ^",
			want:  map[string]uint64{"rsp": top + 16, "rip": image + 0x210, "rbx": 0xb, "rbp": 0xbb, "r15": 0xf},
			lost:  []string{"rax"},
		},
		{
			name:  "a register may be in memory, computed, or moved",
			rules: ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbx: .cfa 16 - ^ $rbp: $rsp 3 * $r12: $rbx",
			want:  map[string]uint64{"rbx": 0x77, "rbp": 3 * top, "r12": 0xb},
		},
		{
			name:  "names without $",
			rules: ".cfa: rsp 16 + .ra: .cfa 8 - ^ rbx: .cfa 16 - ^",
			want:  map[string]uint64{"rsp": top + 16, "rbx": 0x77},
		},
		{
			name:  "an explicit rsp comes before .cfa",
			rules: ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rsp: .cfa 32 +",
			want:  map[string]uint64{"rsp": top + 48},
		},
		{
			name:  ".undef loses a register; Breakpad keeps the callee's value",
			rules: ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbx: .undef",
			lost:  []string{"rbx"},
		},
		{
			name:  "so does a rule that fails",
			rules: ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbx: $rax 0 / $rbp: 5 ^",
			lost:  []string{"rbx", "rbp"},
		},
		{
			name:  "no .ra",
			rules: ".cfa: $rsp 16 +",
			err:   "memory_ends",
		},
		{
			name:  ".cfa from a register that is not known",
			rules: ".cfa: $r9 16 + .ra: .cfa 8 - ^",
			err:   "memory_ends",
		},
		{
			name:  ".ra: .undef is the end",
			rules: ".cfa: $rsp 16 + .ra: .undef",
			err:   "undefined",
		},
		{
			name:  "a caller below its callee",
			rules: ".cfa: $rsp 64 - .ra: $rsp 8 + ^",
			err:   "no_progress 0x80000000 0x7fffffc0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := picture{
				arch: &cpu.AMD64, os: "linux",
				regs:    map[string]uint64{"rip": image + 0x110, "rsp": top, "rbx": 0xb, "rbp": 0xbb, "r15": 0xf, "rax": 0xa},
				stack:   asm.At(top).U64(0x77, image+0x210).Zeros(0x40),
				symbols: symbols{frames: []CallFrame{cfi(0x100, tt.rules)}, functions: []Function{fn(0x200, "f")}},
			}
			if tt.err != "" {
				p.symbols.functions = []Function{fn(0x100, "f")} // so that no scan succeeds
			}
			stack := Walk(p.input(t))
			if tt.err != "" {
				if len(stack.Frames) != 1 || !strings.HasPrefix(endText(stack.End), tt.err) {
					t.Fatalf("%d frames, end %q, want %q", len(stack.Frames), endText(stack.End), tt.err)
				}
				return
			}
			if len(stack.Frames) < 2 || stack.Frames[1].Trust != CFI {
				t.Fatalf("no caller: %v", stack.End)
			}
			regs := stack.Frames[1].Regs
			for name, want := range tt.want {
				reg, _ := cpu.AMD64.Reg(name)
				if got, ok := regs.Get(reg); !ok || got != want {
					t.Errorf("%s = %#x (known: %v), want %#x", name, got, ok, want)
				}
			}
			for _, name := range tt.lost {
				reg, _ := cpu.AMD64.Reg(name)
				if got, ok := regs.Get(reg); ok {
					t.Errorf("%s = %#x, want it lost", name, got)
				}
			}
		})
	}
}

// 32-bit CPUs compute with 32 bits. rust-minidump's 64-bit arithmetic fails here.
func TestRulesWrapAt32Bits(t *testing.T) {
	for _, arch := range []*cpu.Arch{&cpu.X86, &cpu.ARM, &cpu.MIPS} {
		t.Run(arch.Name, func(t *testing.T) {
			p := picture{
				arch: arch, os: "linux",
				regs:  map[string]uint64{arch.RegName(arch.PC): image + 0x110, arch.RegName(arch.SP): 0x1000, arch.RegName(arch.FP): 0},
				stack: asm.At(0x1000).U32(0, image+0x210).Zeros(0x40),
				symbols: symbols{frames: []CallFrame{cfi(0x100, ".cfa: "+arch.RegName(arch.SP)+
					" 4294967295 + 9 + .ra: .cfa 4 - ^")}},
			}
			stack := Walk(p.input(t))
			if len(stack.Frames) < 2 || stack.Frames[1].ReturnAddress != image+0x210 || stack.Frames[1].Trust != CFI {
				t.Fatalf("%+v", stack)
			}
			if sp := stack.Frames[1].Regs.Value(arch.SP); sp != 0x1008 {
				t.Errorf("sp = %#x", sp)
			}
		})
	}
}

// Every CPU: registers are recovered through several frames, and the walk
// ends, completely, where .ra is undefined.
func TestRegistersThroughFrames(t *testing.T) {
	for _, arch := range cpu.All() {
		if arch.Name == "ppc" || arch.Name == "ppc64" || arch.Name == "sparc" {
			continue // no call frame information there
		}
		t.Run(arch.Name, func(t *testing.T) {
			saved := arch.FP // any callee-saved register will do
			sp, reg := arch.RegName(arch.SP), arch.RegName(saved)
			word := uint64(arch.Word)
			stack := asm.At(0x1000).
				Word(arch.Word, 0x5a5a, image+0x210). // frame 0: the saved register, the return address
				Word(arch.Word, image+0x310).         // frame 1: the return address
				Zeros(0x40)
			size := map[int]string{4: "4", 8: "8"}[arch.Word]
			rules := symbols{frames: []CallFrame{
				cfi(0x100, ".cfa: "+sp+" "+size+" 2 * + .ra: .cfa "+size+" - ^ "+reg+": .cfa "+size+" 2 * - ^"),
				cfi(0x200, ".cfa: "+sp+" "+size+" + .ra: .cfa "+size+" - ^"),
				cfi(0x300, ".cfa: "+sp+" .ra: .undef"),
			}}
			p := picture{arch: arch, os: "linux", stack: stack, symbols: rules,
				regs: map[string]uint64{arch.RegName(arch.PC): image + 0x110, sp: 0x1000, reg: 1}}
			got := Walk(p.input(t))
			if len(got.Frames) != 3 || !got.End.Kind.Complete() {
				t.Fatalf("%d frames, end %+v", len(got.Frames), got.End)
			}
			last := got.Frames[2]
			if v, ok := last.Regs.Get(saved); !ok || v != 0x5a5a {
				t.Errorf("%s = %#x (known: %v)", reg, v, ok)
			}
			if v := last.Regs.Value(arch.SP); v != 0x1000+3*word {
				t.Errorf("sp = %#x", v)
			}
		})
	}
}

// Evidence shows each method in the order tried, the rules, the steps of their
// evaluation and the words read.
func TestEvidence(t *testing.T) {
	const top = 0x8000_0000
	p := picture{
		arch: &cpu.AMD64, os: "linux",
		regs:  map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": 5},
		stack: asm.At(top).U64(1, image+0x210).Zeros(0x10),
		symbols: symbols{functions: []Function{fn(0x200, "f")},
			frames: []CallFrame{cfi(0x100, ".cfa: $rsp 16 + .ra: .cfa 8 - ^")}},
	}
	in := p.input(t)
	in.Explain = true
	stack := Walk(in)
	step := stack.Frames[1].Evidence[0]
	want := strings.Join([]string{
		".cfa: $rsp 16 +",
		"    0x80000000 + 0x10 = 0x80000010",
		".ra: .cfa -8 + ^",
		"    0x80000010 - 0x8 = 0x80000008",
		"    [0x80000008] = 0x40000210",
		"pc 0x40000210, sp 0x80000010",
	}, "\n")
	if got := strings.Join(step.Text, "\n"); got != want || step.Result != Accepted || step.Method != CallFrameInfo {
		t.Errorf("%s: %s:\n%s\nwant\n%s", step.Method, step.Result, got, want)
	}
	if len(step.Reads) != 1 || step.Reads[0] != (Read{top + 8, image + 0x210, 0, Used}) {
		t.Errorf("reads %v", step.Reads)
	}
	var methods []string
	for _, s := range stack.End.Evidence {
		methods = append(methods, s.Method.String()+": "+s.Result.String())
	}
	if got := strings.Join(methods, ", "); got != "call frame information: none, frame pointer: none, stack scan: none" {
		t.Errorf("at the end: %s", got)
	}
}

// Code of a module that was unloaded is walked by that module's rules, which
// rust-minidump does not ask for.
func TestUnloadedModule(t *testing.T) {
	const top = 0x8000_0000
	p := picture{
		arch: &cpu.AMD64, os: "linux",
		regs:  map[string]uint64{"rip": 0x7000_0110, "rsp": top, "rbp": 5},
		stack: asm.At(top).U64(image+0x610, image+0x210).Zeros(0x10),
		symbols: symbols{functions: []Function{fn(0x200, "f")},
			frames: []CallFrame{cfi(0x100, ".cfa: $rsp 16 + .ra: .cfa 8 - ^")}},
	}
	in := p.input(t)
	gone := module.Module{Base: 0x7000_0000, Size: 0x1000, CodeFile: "gone.so"}
	in.Unloaded = func(addr uint64) *module.Module {
		if gone.Contains(addr) {
			return &gone
		}
		return nil
	}
	stack := Walk(in)
	if len(stack.Frames) < 2 || stack.Frames[0].Module != &gone || hexTrust(stack.Frames[1]) != "0x4000020f cfi" {
		t.Errorf("%+v", stack)
	}
}
