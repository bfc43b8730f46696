package unwind

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// Frame 0 is at the edges of its function. Its caller is at 0x210; a frame record or a scan would
// find 0x310 instead. The caller's stack pointer and frame pointer are unchanged, or those of the
// record.
func TestFunctionEdges(t *testing.T) {
	const nop = 0xd503201f // of arm64
	tests := []struct {
		name string
		arch *cpu.Arch
		at   uint64 // of pc in the function at 0x100
		regs map[string]uint64
		code *asm.Section
		want string // of frame 1
	}{
		{"amd64: first instruction", &cpu.AMD64, 0, nil, nil, "0x4000020f leaf"},
		{"amd64: inside", &cpu.AMD64, 8, nil, nil, "0x4000030f frame_pointer"},
		{"amd64: ret", &cpu.AMD64, 8, nil,
			asm.At(image+0x100).Zeros(8).U8(0xc3, 0, 0, 0), "0x4000020f leaf"},
		{"amd64: rep ret", &cpu.AMD64, 8, nil,
			asm.At(image+0x100).Zeros(8).U8(0xf3, 0xc3, 0, 0), "0x4000020f leaf"},
		{"x86: first instruction", &cpu.X86, 0, nil, nil, "0x4000020f leaf"},
		{"x86: ret 8", &cpu.X86, 8, nil,
			asm.At(image+0x100).Zeros(8).U8(0xc2, 8, 0, 0), "0x4000020f leaf"},
		{"arm64: first instruction", &cpu.ARM64, 0, nil, nil, "0x4000020c leaf"},
		{"arm64: a leaf, by its code", &cpu.ARM64, 8, nil,
			asm.At(image+0x100).U32(nop, nop, nop), "0x4000020c leaf"},
		{"arm64: it has called, by its code", &cpu.ARM64, 8, nil,
			asm.At(image+0x100).U32(0xa9bf7bfd, 0x94000010, nop), "0x4000030c frame_pointer"},
		{"arm64: ret", &cpu.ARM64, 8, nil,
			asm.At(image+0x100).U32(0xa9bf7bfd, nop, 0xd65f03c0), "0x4000020c leaf"},
		{"arm64: blr x8", &cpu.ARM64, 8, nil,
			asm.At(image+0x100).U32(nop, 0xd63f0100, nop), "0x4000030c frame_pointer"},
		{"arm: a leaf", &cpu.ARM, 4, nil,
			asm.At(image+0x100).U32(0xe1a00000, 0xe1a00000), "0x4000020e leaf"},
		{"arm: bl", &cpu.ARM, 8, nil,
			asm.At(image+0x100).U32(0xe92d4800, 0xeb000010, 0xe1a00000), "0x4000030e frame_pointer"},
		{"thumb: a leaf", &cpu.ARM, 4, map[string]uint64{"cpsr": thumbBit},
			asm.At(image+0x100).U16(0xbf00, 0xbf00, 0xbf00, 0xbf00), "0x4000020e leaf"},
		{"thumb: blx r3", &cpu.ARM, 4, map[string]uint64{"cpsr": thumbBit},
			asm.At(image+0x100).U16(0xb580, 0x4798, 0xbf00, 0xbf00), "0x4000030e frame_pointer"},
		{"thumb: bl", &cpu.ARM, 6, map[string]uint64{"cpsr": thumbBit},
			asm.At(image+0x100).U16(0xb580, 0xf000, 0xf810, 0xbf00), "0x4000030e frame_pointer"},
		{"thumb: wide instructions that are no calls", &cpu.ARM, 6, map[string]uint64{"cpsr": thumbBit},
			asm.At(image+0x100).U16(0xf04f, 0x0800, 0xbf00, 0xbf00), "0x4000020e leaf"},
		{"thumb: a wide push, of which the stack has nothing", &cpu.ARM, 6, map[string]uint64{"cpsr": thumbBit},
			asm.At(image+0x100).U16(0xe92d, 0x4010, 0xbf00, 0xbf00), "0x4000020e leaf, sp unknown"},
		{"riscv64: a leaf", &cpu.RISCV64, 4, nil,
			asm.At(image+0x100).U16(0x0001, 0x0001, 0x0001, 0x0001), "0x4000020c leaf"},
		{"riscv64: jal", &cpu.RISCV64, 8, nil,
			asm.At(image+0x100).U32(0x00113423, 0x010000ef, 0x13), "0x4000030c frame_pointer"},
		{"riscv64: c.jalr a5", &cpu.RISCV64, 4, nil,
			asm.At(image+0x100).U16(0x1141, 0x9782, 0x0001, 0x0001), "0x4000030c frame_pointer"},
		{"riscv64: ret", &cpu.RISCV64, 4, nil,
			asm.At(image+0x100).U16(0xe406, 0x0001, 0x8082, 0), "0x4000020c leaf"},
		{"mips: a leaf", &cpu.MIPS, 4, nil,
			asm.At(image+0x100).U32(0, 0), "0x40000208 leaf"},
		{"mips: jal", &cpu.MIPS, 8, nil,
			asm.At(image+0x100).U32(0xafbf001c, 0x0c000010, 0), "0x40000308 scan"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			word := tt.arch.Word
			p := picture{arch: tt.arch, os: "linux", code: tt.code, symbols: symbols{functions: arm64Names.functions}}
			// On CPUs with a link register nothing is on top of the stack.
			p.stack = asm.At(0x1000)
			if tt.arch.LR == cpu.None {
				p.stack.Word(word, image+0x210)
			} else {
				p.stack.Word(word, 1)
			}
			p.stack.Mark("fp").RefN(word, "up").Word(word, image+0x310).
				Mark("up").Word(word, 0, 0).Zeros(0x200)
			p.regs = map[string]uint64{
				tt.arch.RegName(tt.arch.PC): image + 0x100 + tt.at,
				tt.arch.RegName(tt.arch.SP): 0x1000,
				tt.arch.RegName(tt.arch.FP): p.stack.Addr("fp"),
			}
			if tt.arch.LR != cpu.None {
				p.regs[tt.arch.RegName(tt.arch.LR)] = image + 0x210
			}
			for name, v := range tt.regs {
				p.regs[name] = v
			}
			stack := Walk(p.input(t))
			if len(stack.Frames) < 2 {
				t.Fatalf("no caller: %s", endText(stack.End))
			}
			f := stack.Frames[1]
			want, moved := strings.CutSuffix(tt.want, ", sp unknown")
			if got := hexTrust(f); got != want {
				t.Errorf("frame 1 is %s, want %s", got, want)
			}
			p.caller = map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x310, tt.arch.RegName(tt.arch.SP): p.stack.Addr("up"), tt.arch.RegName(tt.arch.FP): p.stack.Addr("up")}
			if f.Trust == Leaf {
				p.caller = map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x210, tt.arch.RegName(tt.arch.SP): 0x1000, tt.arch.RegName(tt.arch.FP): p.stack.Addr("fp")}
				if tt.arch.LR == cpu.None {
					p.caller[tt.arch.RegName(tt.arch.SP)] += uint64(word)
				}
			}
			if moved {
				delete(p.caller, tt.arch.RegName(tt.arch.SP))
			}
			p.checkRegisters(t, &stack)
		})
	}
}

// A function that has stored its return address and called nothing yet has
// both a record and a good link register: they are one caller, not two.
func TestLinkRegisterAndRecordAgree(t *testing.T) {
	const nop = 0xd503201f
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names,
		regs:  map[string]uint64{"pc": image + 0x108, "sp": 0x1000, "fp": 0x1000, "lr": image + 0x210},
		stack: arm64Stack(image+0x210, image+0x310),
		code:  asm.At(image+0x100).U32(0xa9bf7bfd, nop, nop),
		want:  []string{"0x40000108 context", "0x4000020c cfi", "0x4000030c frame_pointer"},
		end:   "chain_end",
	}.check(t)
}

// After a leaf that the code proves, its caller's frame record is the one
// that the frame pointer points to.
func TestWalkGoesOnAfterALeaf(t *testing.T) {
	for _, arch := range []*cpu.Arch{&cpu.ARM64, &cpu.RISCV64} {
		word := arch.Word
		stack := asm.At(0x1000).Word(word, 1).
			Mark("fp").RefN(word, "up").Word(word, image+0x310).
			Mark("up").Word(word, 0, 0).Zeros(0x40)
		picture{
			arch: arch, os: "linux", stack: stack, symbols: symbols{functions: arm64Names.functions},
			regs: map[string]uint64{
				arch.RegName(arch.PC): image + 0x100, arch.RegName(arch.SP): 0x1000,
				arch.RegName(arch.FP): stack.Addr("fp"), arch.RegName(arch.LR): image + 0x210,
			},
			want: []string{"0x40000100 context", "0x4000020c leaf", "0x4000030c frame_pointer"},
			end:  "chain_end",
		}.check(t)
	}
}

// A function without unwind rules called another: its code shows the registers that it saved. The
// symbol has its size.
func TestCallerCode(t *testing.T) {
	p := picture{
		arch: &cpu.RISCV64, os: "linux",
		regs:  map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "ra": image + 0x20c},
		stack: asm.At(0x1000).U64(7, 8, 0, image+0x310).U64(0, 0),
		code: asm.At(image+0x200).
			U16(0x1101, 0xec06). // addi sp, sp, -32; sd ra, 24(sp)
			U32(0x13, 0xef),     // nop; jal ra, 0: the call
		symbols: symbols{
			functions: []Function{fn(0x100, "leaf"), {Name: "abort", Start: 0x200, Public: true, Stated: 0x40}, fn(0x300, "main")},
			frames:    []CallFrame{cfi(0x100, ".cfa: sp .ra: ra"), cfi(0x300, ".cfa: sp .ra: .undef")},
		},
		want: []string{"0x40000110 context", "0x40000208 cfi", "0x4000030c cfi"},
		end:  "undefined",
	}
	p.check(t)
	p.symbols.functions[1].Stated = 8 // the function ends before the call
	p.want, p.end = []string{"0x40000110 context", "0x40000208 cfi", "0x4000030c scan"}, "guessed_undefined"
	p.check(t)
}
