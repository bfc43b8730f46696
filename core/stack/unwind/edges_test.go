package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// call of the function has left behind.
func TestReturnThatLoadsIsNoReturnByLink(t *testing.T) {
	const nop = 0xe1a00000
	picture{
		arch: &cpu.ARM, os: "linux", symbols: arm64Names,
		regs: map[string]uint64{"pc": image + 0x11c, "sp": 0x1000, "fp": 0x1010, "lr": image + 0x118},
		code: asm.At(image+0x100).U32(
			0xe1a0c00d, // mov ip, sp
			0xe92dd810, // push {r4, fp, ip, lr, pc}
			0xe24cb004, // sub fp, ip, #4
			0xea000000, // b: nothing is followed past it
			nop,
			0xeb000010, // bl
			nop,        // lr
			0xe89da810, // pc: ldm sp, {r4, fp, sp, pc}
		),
		stack: asm.At(0x1000).
			U32(4, 0x1020, 0x1014, image+0x210, image+0x10c). // r4, fp, sp, lr, pc
			Zeros(0xc).
			U32(0, image+0x310).
			Zeros(0x40),
		want: []string{"0x4000011c context", "0x4000020e frame_pointer", "0x4000030e frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// still have called: pc is in a loop, and the call is behind it.
func TestCallBehindPCInALoop(t *testing.T) {
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: symbols{functions: arm64Names.functions},
		regs: map[string]uint64{"pc": image + 0x10c, "sp": 0x1000, "fp": 0x1000, "lr": image + 0x114},
		code: asm.At(image+0x100).U32(
			0xa9bf7bfd, // stp x29, x30, [sp, #-16]!
			0x910003fd, // mov x29, sp
			0x14000003, // b to the loop's condition
			0xd503201f, // pc: the loop
			0x94000040, // bl
			0xb5ffffc0, // lr: cbnz x0, pc
			0xa8c17bfd, // ldp x29, x30, [sp], #16
			0xd65f03c0, // ret
		),
		stack: asm.At(0x1000).
			Mark("fp").Ref("up").U64(image+0x210).
			Mark("up").U64(0, image+0x310).Zeros(0x40),
		want: []string{"0x4000010c context", "0x4000020c frame_pointer", "0x4000030c frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// Functions of amd64 may begin anywhere.
func TestFunctionAtAnOddAddress(t *testing.T) {
	picture{
		arch: &cpu.AMD64, os: "linux",
		symbols: symbols{functions: []Function{{Name: "inner", Start: 0x101, Size: 0x40}, fn(0x200, "middle")}},
		regs:    map[string]uint64{"rip": image + 0x102, "rsp": 0x1000, "rbp": 1},
		code:    asm.At(image+0x100).U8(0xc3, 0x53, 0x0f, 0x05).Zeros(8), // ret of another function; push rbx; pc
		stack:   asm.At(0x1000).U64(image+0x310, image+0x210).Zeros(0x40),
		want:    []string{"0x40000102 context", "0x4000020f cfi"},
		end:     "memory_ends 0x1050",
	}.check(t)
}

// So may what its handlers return to: musl's does.
func TestTrampolineAtAnOddAddress(t *testing.T) {
	saved := asm.At(0x1000).U64(image+0x201). // the handler returns there
							Zeros(40+8*10).           // up to rbp of the saved registers
							U64(1).Zeros(8*4).        // up to rsp
							U64(0x1200, image+0x310). // rsp, rip
							Zeros(0x300)
	picture{
		arch: &cpu.AMD64, os: "linux", symbols: symbols{functions: []Function{fn(0x100, "handler"), {Name: "neighbour", Start: 0x1f0, Size: 0x40}}},
		regs:  map[string]uint64{"rip": image + 0x100, "rsp": 0x1000},
		code:  asm.At(image+0x201).U8(0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05).Zeros(8), // mov rax, 15; syscall
		stack: saved,
		want:  []string{"0x40000100 context", "0x40000201 leaf", "0x40000310 cfi"},
		end:   "memory_ends 0x13b8",
	}.check(t)
}

// A callee of x86 may take its arguments off the stack.
func TestCalleeTakesItsArguments(t *testing.T) {
	picture{
		arch: &cpu.X86, os: "windows", symbols: arm64Names,
		regs: map[string]uint64{"eip": image + 0x10c, "esp": 0x1000, "ebp": 0x1000},
		code: asm.At(image+0x100).U8(
			0x55,       // push ebp
			0x89, 0xe5, // mov ebp, esp
			0x6a, 4, // push 4
			0x6a, 8, // push 8
			0xe8, 0, 1, 0, 0, // call of a function that ends in ret 8
			0x8b, 0, 0x90, 0x90, // pc: mov eax, [eax]
		),
		stack: asm.At(0x1000).
			Ref32("up").U32(image+0x210).
			U32(image+0x310, image+0x410). // a local, and a handler's address
			Mark("up").U32(0, image+0x310).Zeros(0x40),
		want: []string{"0x4000010c context", "0x4000020f frame_pointer", "0x4000030f frame_pointer"},
		end:  "memory_ends 0x1058",
	}.check(t)
}

// return, and the function behind it has no name.
func TestCodeBehindACallThatDoesNotReturn(t *testing.T) {
	picture{
		arch: &cpu.ARM64, os: "linux",
		symbols: symbols{functions: []Function{
			{Name: "exported", Start: 0x100, Size: 0x100, Public: true}, fn(0x200, "middle"), fn(0x300, "outer"),
		}},
		regs: map[string]uint64{"pc": image + 0x118, "sp": 0x1000, "fp": 0x1010, "lr": image + 0x120},
		code: asm.At(image+0x100).U32(
			0xa9bf7bfd, // stp x29, x30, [sp, #-16]!
			0x910003fd, // mov x29, sp
			0x94000040, // bl abort
			0xd10083ff, // sub sp, sp, #32: another function
			0xa9017bfd, // stp x29, x30, [sp, #16]
			0x910043fd, // add x29, sp, #16
			0xd503201f, // pc
			0x94000040, // bl
			0x17fffffe, // b pc
		),
		stack: asm.At(0x1000).Zeros(0x10).
			Mark("fp").Ref("up").U64(image+0x210).
			Mark("up").U64(0, image+0x310).Zeros(0x40),
		want: []string{"0x40000118 context", "0x4000020c frame_pointer", "0x4000030c frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// part comes back so. A jump to a cold part does, too.
func TestJumpBetweenPartsOfAFunction(t *testing.T) {
	names := symbols{functions: []Function{
		fn(0x100, "inner"), fn(0x200, "middle"), fn(0x300, "outer"), fn(0x480, "inner [clone .cold]"),
	}}
	for _, tt := range []struct {
		name string
		pc   uint64
		code []uint32
	}{
		{"back from a cold part", 0x480, []uint32{0xd503201f, 0x17ffff20}}, // nop; b inner+4
		{"to a cold part", 0x120, []uint32{0xd503201f, 0x140000d7}},        // nop; b
	} {
		t.Run(tt.name, func(t *testing.T) {
			stack := Walk(picture{
				arch: &cpu.ARM64, os: "linux", symbols: names,
				// lr was left by a call of inner.
				regs:  map[string]uint64{"pc": image + tt.pc, "sp": 0x1000, "fp": 0x1000, "lr": image + 0x118},
				code:  asm.At(image + tt.pc).U32(tt.code...),
				stack: asm.At(0x1000).Mark("fp").Ref("up").U64(image+0x210).Mark("up").U64(0, image+0x310).Zeros(0x40),
			}.input(t))
			if len(stack.Frames) < 2 || hexTrust(stack.Frames[1]) != "0x4000020c frame_pointer" {
				t.Errorf("%v", stack.Frames)
			}
		})
	}
}

// PowerPC loads its link register through another register.
func TestPPCEpilogue(t *testing.T) {
	stack := asm.At(0x1000).
		Mark("back").Ref("up").Zeros(0x28).
		Mark("up").Ref("top").U64(0, image+0x210).Zeros(0x18).
		Mark("top").U64(0, 0, image+0x310).Zeros(0x40)
	for _, tt := range []struct {
		name, sp string
		pc       uint64
		want     []string
	}{
		{"whole", "back", 0x110, []string{"0x40000110 context", "0x40000208 cfi", "0x40000308 frame_pointer"}},
		{"undone", "up", 0x114, []string{"0x40000114 context", "0x40000208 cfi", "0x40000308 frame_pointer"}},
		{"loaded", "up", 0x118, []string{"0x40000118 context", "0x40000208 cfi", "0x40000308 frame_pointer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			picture{
				arch: &cpu.PPC64, os: "linux", symbols: arm64Names,
				// lr was left by a call of this function.
				regs: map[string]uint64{"srr0": image + tt.pc, "r1": stack.Addr(tt.sp), "lr": image + 0x108, "r0": image + 0x210},
				code: asm.At(image+0x100).U32(
					0x7c0802a6, // mflr r0
					0xf8010010, // std r0, 16(r1)
					0x48001001, // bl
					0x60000000, // nop
					0x38210030, // addi r1, r1, 48
					0xe8010010, // ld r0, 16(r1)
					0x7c0803a6, // mtlr r0
					0x4e800020, // blr
				),
				stack: stack,
				want:  tt.want,
				end:   "zero_return",
			}.check(t)
		})
	}
}

// Functions may end in a jump to an outlined epilogue. If the return address has not been loaded on
// the way, the jump proves nothing about lr.
func TestJumpToAnOutlinedEpilogue(t *testing.T) {
	picture{
		arch: &cpu.ARM64, os: "linux",
		symbols: symbols{functions: []Function{fn(0x100, "inner"), fn(0x200, "middle"), fn(0x300, "outer"), fn(0x400, "OUTLINED_FUNCTION_3")}},
		regs:    map[string]uint64{"pc": image + 0x120, "sp": 0x1000, "fp": 0x1000, "lr": image + 0x118},
		code:    asm.At(image+0x120).U32(0xd503201f, 0x140000b7), // nop; b OUTLINED_FUNCTION_3
		stack: asm.At(0x1000).
			Mark("fp").Ref("up").U64(image+0x210).
			Mark("up").U64(0, image+0x310).Zeros(0x40),
		want: []string{"0x40000120 context", "0x4000020c frame_pointer", "0x4000030c frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// Code in executable memory is not nowhere: a JIT's function may have moved the stack pointer.
func TestCodeOfAJITIsNotNowhere(t *testing.T) {
	in := picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names,
		regs: map[string]uint64{"pc": 0x7000_0010, "sp": 0x1000, "fp": 0x1040, "lr": image + 0x210, "x19": 7},
		stack: asm.At(0x1000).Zeros(0x40).
			Mark("fp").U64(0, image+0x310).Zeros(0x40),
	}.input(t)
	in.Executable = func(uint64) (bool, bool) { return true, true }
	f := Walk(in).Frames[1]
	if hexTrust(f) != "0x4000020c frame_pointer" || f.Regs.Known().Has(cpu.A64SP) {
		t.Errorf("%s, known are %b", hexTrust(f), f.Regs.Known())
	}
}

// The frame pointer of iOS on ARM is r7. A scan restores r7, not r11.
func TestScanOnIOSFindsR7(t *testing.T) {
	picture{
		arch: &cpu.ARM, os: "ios",
		regs: map[string]uint64{"pc": image + 0x120, "sp": 0x1000},
		stack: asm.At(0x1000).U32(1).
			Ref32("up").U32(image+0x210).Zeros(4).
			Mark("up").U32(0, image+0x310).Zeros(0x40),
		want: []string{"0x40000120 context", "0x4000020e scan", "0x4000030e frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// Every second frame of this stack has a link register of its own, and follows a long piece of
// code.
func TestManyFramesFollowCode(t *testing.T) {
	code := asm.At(image+0x100).
		U32(0xd503201f, 0x94000800).            // bl long, from 0x104: returns to A, which has rules
		Zeros(0xf8).U32(0xd503201f, 0xd63f0100) // blr x8: returns to B, which has none
	stack := asm.At(0x1000)
	for range MaxFrames {
		stack.U64(image+0x208, image+0x108)
	}
	in := picture{
		arch: &cpu.ARM64, os: "linux", code: code, stack: stack,
		symbols: symbols{nameless: true, frames: []CallFrame{{Start: 0x100, Size: 0x100, Rules: cfi(0, ".cfa: sp 16 + .ra: .cfa -16 + ^ lr: .cfa -8 + ^").Rules}}},
		regs:    map[string]uint64{"pc": image + 0x108, "sp": 0x1000, "fp": 0},
	}.input(t)
	long := asm.At(image + 0x2104)
	for range 4 * maxFlow {
		long.U32(0xd503201f)
	}
	in.Memory = append(in.Memory.(captured), piece{long.Base(), long.Build(t)})
	if s := Walk(in); len(s.Frames) != MaxFrames || s.Reads > 32*MaxFrames {
		t.Errorf("%d words read for %d frames", s.Reads, len(s.Frames))
	}
}

// A system call that does not return may be the end of a function (exit_group). pc is then where another begins, whose rules say nothing about the frame.
func TestSyscallAtTheEndOfAFunction(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rcx   uint64 // the instruction leaves pc there
		code  byte   // of the instruction before pc
		next  uint64 // the function behind
		wants []string
	}{
		{"a system call", image + 0x200, 0x05, 0x200, []string{"0x400001fe context", "0x4000030f cfi"}},
		{"before padding", image + 0x200, 0x05, 0x500, []string{"0x400001fe context", "0x4000030f cfi"}},
		{"another instruction", image + 0x200, 0x0b, 0x200, []string{"0x40000200 context", "0x4000040f cfi"}},
		{"another address in rcx", image + 0x300, 0x05, 0x200, []string{"0x40000200 context", "0x4000040f cfi"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			picture{
				arch: &cpu.AMD64, os: "linux",
				symbols: symbols{functions: []Function{fn(0x100, "leave"), fn(tt.next, "other"), fn(0x300, "outer"), fn(0x400, "stray")}, frames: []CallFrame{
					cfi(0x100, ".cfa: $rsp 24 + .ra: .cfa 8 - ^"), cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"),
					cfi(0x300, ".cfa: $rsp 8 + .ra: 0"), cfi(0x400, ".cfa: $rsp 8 + .ra: 0"),
				}},
				regs:  map[string]uint64{"rip": image + 0x200, "rsp": 0x1000, "rcx": tt.rcx},
				code:  asm.At(image+0x1f8).U8(0xb8, 0xe7, 0, 0, 0, 0x90, 0x0f, tt.code).Zeros(8), // mov eax, 231
				stack: asm.At(0x1000).U64(image+0x410, 1, image+0x310).Zeros(0x40),
				want:  tt.wants,
				end:   "zero_return",
			}.check(t)
		})
	}
}
