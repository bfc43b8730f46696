package unwind

import (
	"fmt"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// A handler at 0x110 returns to a trampoline at 0x900, behind which the kernel
// has saved the registers of the interrupted function at 0x310, whose own
// caller is at 0x410.
func TestSignalFrames(t *testing.T) {
	const (
		trampolineAt = image + 0x900
		interrupted  = image + 0x310
		fault        = 0x5000 // the interrupted stack
	)
	handler := func(rule string) []CallFrame {
		return []CallFrame{cfi(0x100, rule), cfi(0x300, ".cfa: FP .ra: .undef")}
	}
	tests := []struct {
		name  string
		arch  *cpu.Arch
		rule  string // of the handler: its frame is two words
		frame *asm.Section
		sp    string
	}{
		{
			name: "amd64", arch: &cpu.AMD64, rule: ".cfa: $rsp 16 + .ra: .cfa 8 - ^",
			frame: asm.At(0x1000).U64(0, trampolineAt).
				Zeros(40).                         // uc_flags, uc_link, uc_stack
				U64(8, 9, 10, 11, 12, 13, 14, 15). // r8 to r15
				U64(1, 2, 0x6000, 3, 4, 5, 6).     // rdi rsi rbp rbx rdx rax rcx
				U64(fault, interrupted, 0x246).Zeros(0x100),
		},
		{
			name: "x86, rt", arch: &cpu.X86, rule: ".cfa: $esp 8 + .ra: .cfa 4 - ^ $ebp: 5",
			frame: asm.At(0x1000).U32(0, trampolineAt).
				U32(11).Ref32("info").Ref32("uc").
				Mark("info").Zeros(128).
				Mark("uc").Zeros(20).
				U32(0, 0, 0, 0). // gs fs es ds
				U32(7, 6, 0x6000, fault, 3, 4, 2, 1).
				U32(14, 4, interrupted, 0x73, 0x246, fault, 0x7b).Zeros(0x40),
		},
		{
			name: "arm64", arch: &cpu.ARM64, rule: ".cfa: sp 16 + .ra: .cfa 8 - ^ x29: 5",
			frame: regsFrom(asm.At(0x1000).U64(0, trampolineAt).Zeros(128+176+8), 29).
				U64(0x6000, interrupted, fault, interrupted, 0).Zeros(0x40),
		},
		{
			name: "arm", arch: &cpu.ARM, rule: ".cfa: sp 8 + .ra: .cfa 4 - ^ r11: 5",
			frame: asm.At(0x1000).U32(0, trampolineAt).Zeros(128+20+12).
				U32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x6000, 12, fault, interrupted, interrupted, 0).Zeros(0x40),
		},
		{
			name: "riscv64", arch: &cpu.RISCV64, rule: ".cfa: sp 16 + .ra: .cfa 8 - ^ s0: 5",
			frame: regsFrom(asm.At(0x1000).U64(0, trampolineAt).Zeros(128+176).
				U64(interrupted, 1, fault, 3, 4, 5, 6, 7, 0x6000), 23).Zeros(0x40),
		},
		{
			name: "mips", arch: &cpu.MIPS, rule: ".cfa: $sp 8 + .ra: .cfa 4 - ^ $fp: 5",
			frame: regsFrom(regsFrom(asm.At(0x1000).U32(0, trampolineAt).Zeros(24+128+24).
				U32(0, 0).U64(interrupted), 29).
				U64(fault, 0x6000), 1).Zeros(0x40),
		},
	}
	names := map[string]string{
		"amd64": "__restore_rt", "x86, rt": "__restore_rt", "arm64": "__kernel_rt_sigreturn",
		"arm": "__default_rt_sa_restorer", "riscv64": "__vdso_rt_sigreturn", "mips": "__vdso_rt_sigreturn",
	}
	for _, tt := range tests {
		fp, sp := tt.arch.RegName(tt.arch.FP), tt.arch.RegName(tt.arch.SP)
		p := picture{
			arch: tt.arch, os: "linux", stack: tt.frame,
			regs:    map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x110, sp: 0x1000, fp: 5},
			symbols: symbols{frames: handler(tt.rule)},
			want:    []string{"0x40000110 context", "0x40000900 cfi", "0x40000310 cfi"},
			end:     "undefined",
		}
		check := func(t *testing.T) {
			stack := p.check(t)
			if len(stack.Frames) != 3 {
				return
			}
			last := stack.Frames[2]
			if last.FoundBy != BySignal {
				t.Errorf("found by %q", last.FoundBy)
			}
			if got := last.Regs.Value(tt.arch.FP); got != 0x6000 {
				t.Errorf("%s = %#x", fp, got)
			}
			if got := last.Regs.Value(tt.arch.SP); got != fault {
				t.Errorf("%s = %#x", sp, got)
			}
		}
		t.Run(tt.name+" by name", func(t *testing.T) {
			p.symbols.functions = []Function{fn(0x100, "handler"), {Name: names[tt.name], Start: 0x900, Size: 9}, fn(0x300, "f")}
			check(t)
		})
		t.Run(tt.name+" by code", func(t *testing.T) {
			p.symbols.functions = nil
			p.code = asm.At(trampolineAt)
			for _, tr := range targetOf(tt.arch).trampolines {
				if tr.code != nil && len(tr.names) > 0 && tr.names[0] == names[tt.name] {
					p.code.U32(tr.code...)
				}
			}
			check(t)
		})
	}
}

// regsFrom appends n registers of eight bytes.
func regsFrom(s *asm.Section, n int) *asm.Section {
	for i := range n {
		s.U64(uint64(0x100 + i))
	}
	return s
}

// Windows calls KiUserExceptionDispatcher with a CONTEXT on top of the stack.
func TestWindowsExceptionDispatch(t *testing.T) {
	context := func(flags uint32) *asm.Section {
		return asm.At(0x1000).U64(0, image+0x220).
			Zeros(0x30).U32(flags).Zeros(0x78-0x34).
			U64(1, 2, 3, 4, 0x5000, 0x6000, 6, 7).
			U64(8, 9, 10, 11, 12, 13, 14, 15).
			U64(image + 0x310).Zeros(0x400)
	}
	p := picture{
		arch: &cpu.AMD64, os: "windows", stack: context(0x10_001f),
		regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 5},
		symbols: symbols{
			functions: []Function{fn(0x100, "RtlDispatchException"), fn(0x200, "KiUserExceptionDispatcher"), fn(0x300, "f")},
			frames:    []CallFrame{cfi(0x100, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")},
		},
		want: []string{"0x40000110 context", "0x4000021f cfi", "0x40000310 cfi"},
		end:  "undefined",
	}
	p.check(t)

	p.stack = context(7) // no CONTEXT there
	p.want = []string{"0x40000110 context", "0x4000021f cfi", "0x4000030f scan"}
	p.end = "guessed_undefined"
	p.check(t)
}

// Memory can be made so that a saved context leads back to its own trampoline.
func TestSignalFramesEnd(t *testing.T) {
	p := picture{
		arch: &cpu.AMD64, os: "linux",
		regs: map[string]uint64{"rip": image + 0x900, "rsp": 0x1000, "rbp": 5},
		stack: asm.At(0x1000).Zeros(40).U64(8, 9, 10, 11, 12, 13, 14, 15).
			U64(1, 2, 3, 4, 5, 6, 7).U64(0x1000, image+0x900, 0),
		symbols: symbols{functions: []Function{{Name: "__restore_rt", Start: 0x900, Size: 9}}},
	}
	if n := len(Walk(p.input(t)).Frames); n != maxSignals+1 {
		t.Errorf("%d frames, want %d", n, maxSignals+1)
	}
}

// The registers of PowerPC are where a pointer in the frame says. A handler has
// no call frame information, and its back chain leads to the trampoline's frame.
func TestPPCSignalFrames(t *testing.T) {
	saved := func(word func(s *asm.Section, v ...uint64) *asm.Section) func(s *asm.Section) *asm.Section {
		return func(s *asm.Section) *asm.Section {
			s.Mark("regs")
			for i := range uint64(38) {
				word(s, map[uint64]uint64{1: 0x5000, 32: image + 0x310, 36: image + 0x410}[i])
			}
			return s.Zeros(0x20)
		}
	}
	regs32 := saved(func(s *asm.Section, v ...uint64) *asm.Section { return s.U32(uint32(v[0])) })
	regs64 := saved(func(s *asm.Section, v ...uint64) *asm.Section { return s.U64(v...) })
	for _, tt := range []struct {
		name  string
		arch  *cpu.Arch
		at    string // where the frame of the trampoline is
		code  []uint32
		stack *asm.Section // from the handler's frame on
	}{
		{"ppc, rt", &cpu.PPC, "0x40000900", []uint32{0x380000ac, 0x44000002},
			regs32(asm.At(0x1000).Ref32("frame").U32(0).Mark("frame").U32(0, image+0x900).Zeros(64 + 16 + 128 + 48 - 8).Ref32("regs"))},
		{"ppc", &cpu.PPC, "0x40000900", []uint32{0x38000077, 0x44000002},
			regs32(asm.At(0x1000).Ref32("frame").U32(0).Mark("frame").U32(0, image+0x900).Zeros(64 + 28 - 8).Ref32("regs"))},
		{"ppc64", &cpu.PPC64, "0x400008f8", []uint32{0x38210080, 0x380000ac, 0x44000002},
			regs64(asm.At(0x1000).Ref("frame").U64(0).Mark("frame").U64(0, 0, image+0x900).Zeros(128 + 168 + 56 - 24).Ref("regs"))},
		{"ppc64 of QEMU", &cpu.PPC64, "0x40000900", []uint32{0x380000ac, 0x44000002},
			regs64(asm.At(0x1000).Ref("frame").U64(0).Mark("frame").U64(0, 0, image+0x900).Zeros(144 + 168 + 56 - 24).Ref("regs"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stack := picture{
				arch: tt.arch, os: "linux", stack: tt.stack, code: asm.At(image + 0x900).U32(tt.code...),
				regs: map[string]uint64{"srr0": image + 0x110, "r1": 0x1000},
				want: []string{"0x40000110 context", tt.at + " frame_pointer", "0x40000310 cfi"},
				end:  "not_captured 0x5000",
			}.check(t)
			if last := stack.Frames[len(stack.Frames)-1]; last.FoundBy != BySignal || last.Regs.Value(cpu.PPCR1) != 0x5000 || last.Regs.Value(cpu.PPCLR) != image+0x410 {
				t.Errorf("found by %q, r1 %#x, lr %#x", last.FoundBy, last.Regs.Value(cpu.PPCR1), last.Regs.Value(cpu.PPCLR))
			}
		})
	}
}

// Go's runtime pushes the pc of a fault as the return address of sigpanic. It can be the first
// address of a function, and then the function in front of it did nothing.
func TestInjectedCalls(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"runtime.sigpanic", "0x40000200 cfi"}, {"runtime.asyncPreempt.abi0", "0x40000200 cfi"}, {"runtime.debugCallV2", "0x40000200 cfi"},
		{"runtime.panicmem", "0x400001ff cfi"},
	} {
		rules := []CallFrame{cfi(0x000, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x100, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")}
		picture{
			arch: &cpu.AMD64, os: "linux",
			symbols: symbols{frames: rules, functions: []Function{fn(0x000, tt.name), fn(0x100, "before"), fn(0x200, "load"), fn(0x300, "main")}},
			regs:    map[string]uint64{"rip": image + 0x10, "rsp": stackTop},
			stack:   asm.At(stackTop).U64(0, image+0x200, image+0x310).Zeros(0x20),
			want:    []string{"0x40000010 context", tt.want, "0x4000030f cfi"},
			end:     "undefined",
		}.check(t)
	}
}

// On CPUs with a link register, Go's runtime also stores its value on the stack of the interrupted
// function: below its stack pointer, where the function has stored nothing if it is a leaf.
func TestInjectedCallsByLinkRegister(t *testing.T) {
	for _, tt := range []struct {
		arch   *cpu.Arch
		size   int // of what the runtime puts on the stack
		pc, sp string
		lr     string
	}{
		{&cpu.ARM64, 16, "pc", "sp", "x30"}, {&cpu.ARM, 4, "pc", "sp", "lr"}, {&cpu.RISCV64, 8, "pc", "sp", "ra"},
		{&cpu.MIPS, 4, "pc", "sp", "ra"}, {&cpu.MIPS64, 8, "pc", "sp", "ra"},
	} {
		t.Run(tt.arch.Name, func(t *testing.T) {
			word := tt.arch.Word
			rules := []CallFrame{cfi(0, fmt.Sprintf(".cfa: %s 32 + .ra: .cfa 32 - ^", tt.sp)), cfi(0x200, fmt.Sprintf(".cfa: %s .ra: %s", tt.sp, tt.lr)),
				cfi(0x300, fmt.Sprintf(".cfa: %s 16 + .ra: .cfa 16 - ^", tt.sp)), cfi(0x400, fmt.Sprintf(".cfa: %s .ra: .undef", tt.sp))}
			stack := asm.At(stackTop).Word(word, image+0x204).Zeros(32-word).
				Word(word, image+0x310).Zeros(tt.size-word).
				Word(word, image+0x410).Zeros(0x40)
			back := tt.arch.CallSize
			picture{
				arch: tt.arch, os: "linux",
				symbols: symbols{frames: rules, functions: []Function{fn(0, "runtime.sigpanic"), fn(0x200, "leaf"), fn(0x300, "caller"), fn(0x400, "main")}},
				regs:    map[string]uint64{tt.pc: image + 0x10, tt.sp: stackTop},
				stack:   stack,
				want:    []string{"0x40000010 context", "0x40000204 cfi", fmt.Sprintf("%#x cfi", image+0x310-back), fmt.Sprintf("%#x cfi", image+0x410-back)},
				end:     "undefined",
			}.check(t)
		})
	}
}

// The parameters of the function that Windows enters for an exception are not on the stack of the
// interrupted function.
func TestInterruptedCallee(t *testing.T) {
	dispatcher := fpo(0x100, 0, 0, 0)
	dispatcher.ParamSize = 8
	picture{
		arch: &cpu.X86, os: "windows",
		symbols: symbols{win: []WinFrame{dispatcher, fpo(0x300, 0, 0, 0)},
			functions: []Function{fn(0x100, "KiUserExceptionDispatcher@8"), fn(0x300, "leaf"), fn(0x400, "caller"), fn(0x500, "stale")}},
		regs: map[string]uint64{"eip": image + 0x110, "esp": stackTop, "ebp": 5},
		stack: asm.At(stackTop).U32(0).Ref32("context").Mark("context").U32(0x1_003f).Zeros(0x9c-4).
			U32(7, 6, 3, 2, 1, 0, 0x6000, image+0x310, 0x23, 0x246, stackTop+0x100, 0x2b).Zeros(0x100-8-0xcc).
			U32(image+0x410, 0, image+0x510, 0).Zeros(0x40),
		want: []string{"0x40000110 context", "0x40000310 cfi", "0x4000040f cfi", "0x4000050f scan"},
		end:  "memory_ends 0x120150",
	}.check(t)
}
