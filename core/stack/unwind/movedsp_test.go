package unwind

import (
	"fmt"
	"maps"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// A movedSP is a leaf at 0x100 that has made room on the stack, saved two
// registers there and changed the first. The call before 0x210 called it.
//
//	0x1000         sp: locals, none of them an address of code
//	0x1000+at      what its caller had in the saved registers
//	0x1000+frame   the caller's frame: its caller's first saved register, 7,
//	               the frame record {0, 0x310}
type movedSP struct {
	name  string
	arch  *cpu.Arch
	cpsr  uint64
	code  []string
	call  string // the instruction before 0x210
	far   string // the same for a call of the library at 0x100
	plain string // an instruction that does nothing to the stack
	frame int
	at    int
	saved [2]string
	kept  string // a callee-saved register that it leaves alone
	other string // a register that calls destroy
}

var movedSPs = []movedSP{
	{
		name: "arm64", arch: &cpu.ARM64, frame: 32, at: 16, saved: [2]string{"x19", "x20"}, kept: "x21", other: "x0",
		code: []string{
			"d10083ff  sub sp, sp, #32",
			"a90153f3  stp x19, x20, [sp, #16]",
			"=> aa0003f3  mov x19, x0",
			"8b0002a0  add x0, x21, x0",
		},
		call: "97ffffbd  bl 0x100", far: "94003fbd  bl library+0x100", plain: "91000400  add x0, x0, #1",
	},
	{
		name: "arm", arch: &cpu.ARM, frame: 16, at: 8, saved: [2]string{"r4", "r5"}, kept: "r6", other: "r0",
		code: []string{
			"e92d0030  push {r4, r5}",
			"e24dd008  sub sp, sp, #8",
			"e1a04000  mov r4, r0",
			"=> e0860000  add r0, r6, r0",
		},
		call: "ebffffbb  bl 0x100", far: "eb003fbb  bl library+0x100", plain: "e2800001  add r0, r0, #1",
	},
	{
		name: "thumb", arch: &cpu.ARM, cpsr: thumbBit, frame: 16, at: 8, saved: [2]string{"r4", "r5"}, kept: "r6", other: "r0",
		code: []string{
			"b430  push {r4, r5}",
			"b082  sub sp, #8",
			"4604  mov r4, r0",
			"=> 1830  adds r0, r6, r0",
		},
		call: "f7ff ff78  bl 0x100", far: "f00f ff78  bl library+0x100", plain: "3001  adds r0, #1",
	},
	{
		name: "mips", arch: &cpu.MIPS, frame: 32, at: 24, saved: [2]string{"s0", "s1"}, kept: "s2", other: "a0",
		code: []string{
			"27bdffe0  addiu sp, sp, -32",
			"afb00018  sw s0, 24(sp)",
			"afb1001c  sw s1, 28(sp)",
			"00808025  move s0, a0",
			"=> 02441021  addu v0, s2, a0",
		},
		call: "0c000040  jal 0x100", far: "0c004040  jal library+0x100", plain: "24820001  addiu v0, a0, 1",
	},
	{
		name: "mips64", arch: &cpu.MIPS64, frame: 32, at: 16, saved: [2]string{"s0", "s1"}, kept: "gp", other: "a0",
		code: []string{
			"67bdffe0  daddiu sp, sp, -32",
			"ffb00010  sd s0, 16(sp)",
			"ffb10018  sd s1, 24(sp)",
			"=> 00808025  move s0, a0",
		},
		call: "0c000040  jal 0x100", far: "0c004040  jal library+0x100", plain: "64820001  daddiu v0, a0, 1",
	},
	{
		name: "riscv", arch: &cpu.RISCV, frame: 32, at: 24, saved: [2]string{"s1", "s2"}, kept: "s3", other: "a0",
		code: []string{
			"1101  addi sp, sp, -32",
			"cc26  sw s1, 24(sp)",
			"ce4a  sw s2, 28(sp)",
			"=> 84aa  mv s1, a0",
		},
		call: "ef5ff0ef  jal ra, 0x100", far: "6f50f0ef  jal ra, library+0x100", plain: "0505  addi a0, a0, 1",
	},
	{
		name: "riscv64", arch: &cpu.RISCV64, frame: 32, at: 16, saved: [2]string{"s1", "s2"}, kept: "s3", other: "a0",
		code: []string{
			"1101  addi sp, sp, -32",
			"e826  sd s1, 16(sp)",
			"ec4a  sd s2, 24(sp)",
			"84aa  mv s1, a0",
			"=> 954e  add a0, a0, s3",
		},
		call: "ef5ff0ef  jal ra, 0x100", far: "6f50f0ef  jal ra, library+0x100", plain: "0505  addi a0, a0, 1",
	},
}

// grand and saved are what the caller's caller and the caller had in registers.
const (
	savedFirst, savedSecond = 0x5a11, 0x5a22
	grandFirst              = 0x6b11
	keptValue               = 0x7c33
)

// picture draws the leaf.
func (m movedSP) picture() picture {
	stack := asm.At(0x1000).Zeros(m.at).Word(m.arch.Word, savedFirst, savedSecond).Zeros(m.frame - m.at - 2*m.arch.Word)
	return m.above(stack)
}

// above draws the caller's frame above its callee's. lr has the lowest bit for Thumb.
func (m movedSP) above(stack *asm.Section) picture {
	arch, word := m.arch, m.arch.Word
	sp, fp := arch.RegName(arch.SP), arch.RegName(arch.FP)
	thumb := m.cpsr / thumbBit
	stack.Mark("caller").Word(word, grandFirst, 7).
		Mark("record").Word(word, 0, image+0x310|thumb).
		Mark("top").Zeros(0x40)
	record := stack.Addr("record")
	if arch == &cpu.RISCV || arch == &cpu.RISCV64 {
		record = stack.Addr("top")
	}
	p := picture{
		arch: arch, os: "linux", stack: stack,
		regs: map[string]uint64{
			arch.RegName(arch.PC): image + 0x100, sp: 0x1000, fp: record, arch.RegName(arch.LR): image + 0x210 | thumb,
			m.saved[0]: 0xbad, m.saved[1]: savedSecond, m.kept: keptValue, m.other: 0xbad,
		},
		symbols: symbols{functions: arm64Names.functions, frames: []CallFrame{
			cfi(0x200, fmt.Sprintf(".cfa: %s %d + .ra: .cfa %d - ^ %s: .cfa %d - ^ %s: .cfa %d - ^", sp, 4*word, word, fp, 2*word, m.saved[0], 4*word)),
			cfi(0x300, ".cfa: "+sp+" .ra: .undef"),
		}},
	}
	if arch == &cpu.ARM {
		p.regs["cpsr"] = m.cpsr
	}
	return p
}

// grandcaller is what the rules of the caller restore from its frame.
func (m movedSP) grandcaller(p *picture) map[string]uint64 {
	regs := maps.Clone(p.caller)
	maps.Copy(regs, map[string]uint64{
		m.arch.RegName(m.arch.PC): image + 0x310 | m.cpsr/thumbBit, m.arch.RegName(m.arch.SP): p.stack.Addr("top"),
		m.arch.RegName(m.arch.FP): 0, m.saved[0]: grandFirst,
	})
	return regs
}

// instruction is "pc trust" for a return address.
func instruction(arch *cpu.Arch, at uint64, trust Trust) string {
	return hexTrust(Frame{Frame: process.Frame{Instruction: image + at - arch.CallSize}, Trust: trust})
}

// Captured code shows how far a leaf has moved the stack pointer and where it
// has saved registers: the caller has all of them as they were.
func TestLeafThatMovedSP(t *testing.T) {
	for _, m := range movedSPs {
		t.Run(m.name, func(t *testing.T) {
			p, arch, thumb := m.picture(), m.arch, m.cpsr/thumbBit
			p.code = listing(image+0x100, m.code...)
			p.regs[arch.RegName(arch.PC)] = p.code.Addr("pc")
			caller := p.stack.Addr("caller")
			p.caller = map[string]uint64{
				arch.RegName(arch.PC): image + 0x210 | thumb, arch.RegName(arch.SP): caller, arch.RegName(arch.FP): p.regs[arch.RegName(arch.FP)],
				m.saved[0]: savedFirst, m.saved[1]: savedSecond, m.kept: keptValue,
			}
			p.grandcaller = m.grandcaller(&p)
			first := hexTrust(Frame{Frame: process.Frame{Instruction: p.code.Addr("pc")}, Trust: Context})
			p.want = []string{first, instruction(arch, 0x210|thumb, CFI), instruction(arch, 0x310|thumb, CFI)}
			p.end = "undefined"
			p.check(t)
		})
	}
}

// If the leaf's code was not captured, the call before the link register proves the return address,
// but nothing proves the caller's stack pointer: the caller's rules do not use the leaf's.
func TestLeafThatMovedSPUnseen(t *testing.T) {
	for _, m := range movedSPs {
		t.Run(m.name, func(t *testing.T) {
			p, arch, thumb := m.picture(), m.arch, m.cpsr/thumbBit
			p.regs[arch.RegName(arch.PC)] = image + 0x110
			p.code = listing(image+0x20c, m.call)
			above, end := FramePointer, Undefined
			p.caller = map[string]uint64{arch.RegName(arch.PC): image + 0x210 | thumb}
			if arch == &cpu.MIPS || arch == &cpu.MIPS64 { // no records, but a delay slot
				p.code = listing(image+0x208, m.call, "00000000  nop")
				above, end = Scan, GuessedUndefined
			} else {
				p.caller[arch.RegName(arch.FP)] = p.regs[arch.RegName(arch.FP)]
			}
			p.want = []string{"0x40000110 context", instruction(arch, 0x210|thumb, FramePointer), instruction(arch, 0x310|thumb, above)}
			p.end = end.String()
			p.says = "whether the leaf has moved the stack pointer is not known"
			p.check(t)
		})
	}
}

// A function of a library without symbols was called from code with rules, and
// has not touched the stack. Its stack pointer and its registers are the
// caller's, as the caller's rules show by leading on from there.
func TestLeafOfALibrary(t *testing.T) {
	for _, m := range movedSPs {
		t.Run(m.name, func(t *testing.T) {
			p, arch, thumb := m.above(asm.At(0x1000)), m.arch, m.cpsr/thumbBit
			p.library = listing(library+0x100, m.plain, m.plain, "=> "+m.plain)
			p.code = listing(image+0x20c, m.far)
			if arch == &cpu.MIPS || arch == &cpu.MIPS64 {
				p.code = listing(image+0x208, m.far, "00000000  nop")
			}
			p.regs[arch.RegName(arch.PC)] = p.library.Addr("pc")
			p.regs[m.saved[0]] = savedFirst
			p.caller = map[string]uint64{
				arch.RegName(arch.PC): image + 0x210 | thumb, arch.RegName(arch.SP): 0x1000, arch.RegName(arch.FP): p.regs[arch.RegName(arch.FP)],
				m.saved[0]: savedFirst, m.saved[1]: savedSecond, m.kept: keptValue,
			}
			p.grandcaller = m.grandcaller(&p)
			first := hexTrust(Frame{Frame: process.Frame{Instruction: p.library.Addr("pc")}, Trust: Context})
			p.want = []string{first, instruction(arch, 0x210|thumb, FramePointer), instruction(arch, 0x310|thumb, CFI)}
			p.end = "undefined"
			p.says = "the caller's rules lead on from this stack pointer"
			p.check(t)
		})
	}
}

// A leaf of PowerPC stores the back chain as it makes room. The caller's frame
// is at 0x1020 or 0x1040, and the link register of its function in the next one.
func TestPPCLeafThatMovedSP(t *testing.T) {
	tests := []struct {
		name  string
		arch  *cpu.Arch
		code  []string
		stack *asm.Section
	}{
		{
			name: "ppc", arch: &cpu.PPC,
			code: []string{
				"9421ffe0  stwu r1, -32(r1)",
				"93c10018  stw r30, 24(r1)",
				"93e1001c  stw r31, 28(r1)",
				"7c7f1b78  mr r31, r3",
				"=> 60000000  nop",
			},
			stack: asm.At(0x1000).Ref32("caller").Zeros(20).U32(savedFirst, savedSecond).
				Mark("caller").Ref32("grandcaller").Zeros(12).
				Mark("grandcaller").U32(0, image+0x310, 0),
		},
		{
			name: "ppc64", arch: &cpu.PPC64,
			code: []string{
				"f821ffc1  stdu r1, -64(r1)",
				"fbc10030  std r30, 48(r1)",
				"fbe10038  std r31, 56(r1)",
				"=> 7c7f1b78  mr r31, r3",
			},
			stack: asm.At(0x1000).Ref("caller").Zeros(40).U64(savedFirst, savedSecond).
				Mark("caller").Ref("grandcaller").Zeros(24).
				Mark("grandcaller").U64(0, 0, image+0x310),
		},
	}
	for _, tt := range tests {
		p := picture{
			arch: tt.arch, os: "linux", stack: tt.stack, code: listing(image+0x100, tt.code...), symbols: arm64Names,
			regs: map[string]uint64{"r1": 0x1000, "lr": image + 0x210, "r30": savedFirst, "r31": 0xbad, "r29": keptValue, "r3": 0xbad},
		}
		p.regs["srr0"] = p.code.Addr("pc")
		t.Run(tt.name, func(t *testing.T) {
			p.caller = map[string]uint64{
				"srr0": image + 0x210, "r1": tt.stack.Addr("caller"), "r30": savedFirst, "r31": savedSecond, "r29": keptValue,
			}
			p.grandcaller = map[string]uint64{"srr0": image + 0x310, "r1": tt.stack.Addr("grandcaller")}
			first := hexTrust(Frame{Frame: process.Frame{Instruction: p.code.Addr("pc")}, Trust: Context})
			p.want = []string{first, instruction(tt.arch, 0x210, CFI), instruction(tt.arch, 0x310, FramePointer)}
			p.end = "zero_return"
			p.check(t)
		})
		t.Run(tt.name+" unseen", func(t *testing.T) {
			p.code = listing(image+0x20c, "4bfffef5  bl 0x100")
			p.regs["srr0"] = image + 0x110
			p.caller, p.grandcaller = map[string]uint64{"srr0": image + 0x210}, nil
			p.want = []string{"0x40000110 context", instruction(tt.arch, 0x210, FramePointer)}
			p.end = "no_return 0x1000"
			p.says = "whether the leaf has moved the stack pointer is not known"
			p.check(t)
		})
	}
}
