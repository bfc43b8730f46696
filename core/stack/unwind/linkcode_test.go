package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// A linkCPU has the code to judge a link register: a function at 0x200 that has called and
// branched, and calls to compare.
type linkCPU struct {
	name  string
	arch  *cpu.Arch
	os    process.OS
	cpsr  uint64
	fp    string
	s0    bool // the frame record lies below the frame pointer
	lr    uint64
	code  []string
	calls linkCalls
}

// linkCalls are calls in front of 0x210 and of 0x310.
type linkCalls struct{ at210to100, at210to400, at210through, at310to100, at310to200 string }

var linkCPUs = []linkCPU{
	{
		name: "arm64, Windows", arch: &cpu.ARM64, os: "windows", fp: "fp", lr: 0x20c,
		code: []string{
			"a9be7bfd  stp x29, x30, [sp, #-32]!",
			"910003fd  mov x29, sp",
			"9400017e  bl 0x800",
			"34000080  cbz w0, 0x21c",
			"52800020  mov w0, #1",
			"a8c27bfd  ldp x29, x30, [sp], #32",
			"d65f03c0  ret",
			"=> f9400008  ldr x8, [x0]",
			"d63f0100  blr x8",
		},
		calls: linkCalls{"97ffffbd  bl 0x100", "9400007d  bl 0x400", "d63f0100  blr x8", "97ffff7d  bl 0x100", "97ffffbd  bl 0x200"},
	},
	{
		name: "arm, iOS", arch: &cpu.ARM, os: "ios", fp: "r7", lr: 0x20c,
		code: []string{
			"e92d4080  push {r7, lr}",
			"e1a0700d  mov r7, sp",
			"eb00017c  bl 0x800",
			"e3500000  cmp r0, #0",
			"0a000001  beq 0x21c",
			"e3a00001  mov r0, #1",
			"e8bd8080  pop {r7, pc}",
			"=> e5903000  ldr r3, [r0]",
			"e12fff33  blx r3",
		},
		calls: linkCalls{"ebffffbb  bl 0x100", "eb00007b  bl 0x400", "e12fff33  blx r3", "ebffff7b  bl 0x100", "ebffffbb  bl 0x200"},
	},
	{
		name: "thumb, iOS", arch: &cpu.ARM, os: "ios", cpsr: thumbBit, fp: "r7", lr: 0x208,
		code: []string{
			"b580  push {r7, lr}",
			"466f  mov r7, sp",
			"f000 fafc  bl 0x800",
			"b108  cbz r0, 0x20e",
			"2001  movs r0, #1",
			"bd80  pop {r7, pc}",
			"=> 6803  ldr r3, [r0]",
			"4798  blx r3",
		},
		calls: linkCalls{"f7ff ff78  bl 0x100", "f000 f8f8  bl 0x400", "bf00 4798  nop; blx r3", "f7ff fef8  bl 0x100", "f7ff ff78  bl 0x200"},
	},
	{
		name: "riscv64", arch: &cpu.RISCV64, os: "linux", fp: "s0", s0: true, lr: 0x20c,
		code: []string{
			"1141  addi sp, sp, -16",
			"e406  sd ra, 8(sp)",
			"e022  sd s0, 0(sp)",
			"0800  addi s0, sp, 16",
			"5f8000ef  jal ra, 0x800",
			"c511  beqz a0, 0x218",
			"4505  li a0, 1",
			"60a2  ld ra, 8(sp)",
			"6402  ld s0, 0(sp)",
			"0141  addi sp, sp, 16",
			"8082  ret",
			"=> 611c  ld a5, 0(a0)",
			"9782  jalr a5",
		},
		calls: linkCalls{"ef5ff0ef  jal ra, 0x100", "1f4000ef  jal ra, 0x400", "000780e7  jalr ra, a5", "df5ff0ef  jal ra, 0x100", "ef5ff0ef  jal ra, 0x200"},
	},
}

// picture draws two frame records: one of the innermost function or of its
// caller, with the return address 0x310, and the outermost, with 0x410.
func (c linkCPU) picture() picture {
	arch, thumb := c.arch, c.cpsr/thumbBit
	stack := asm.At(0x1000).Mark("record").RefN(arch.Word, "up").Word(arch.Word, image+0x310|thumb).
		Mark("above").Zeros(2*arch.Word).
		Mark("up").Word(arch.Word, 0, image+0x410|thumb).Zeros(0x40)
	fp := stack.Addr("record")
	if c.s0 {
		fp = stack.Addr("above")
		stack = asm.At(0x1000).RefN(arch.Word, "up").Word(arch.Word, image+0x310).
			Mark("above").Zeros(2*arch.Word).
			Word(arch.Word, 0, image+0x410).Mark("up").Zeros(0x40)
	}
	p := picture{
		arch: arch, os: c.os, stack: stack,
		regs: map[string]uint64{arch.RegName(arch.SP): 0x1000, c.fp: fp, arch.RegName(arch.LR): image + c.lr | thumb},
		end:  "chain_end",
	}
	if arch == &cpu.ARM {
		p.regs["cpsr"] = c.cpsr
	}
	return p
}

// byRecord is what the record at the frame pointer proves of the caller.
func (c linkCPU) byRecord(p *picture) map[string]uint64 {
	return map[string]uint64{
		c.arch.RegName(c.arch.PC): image + 0x310 | c.cpsr/thumbBit,
		c.arch.RegName(c.arch.SP): p.stack.Addr("above"), c.fp: p.stack.Addr("up"),
	}
}

// byLink is what the link register proves of the caller: nothing but the
// frame pointer is known to be the caller's.
func (c linkCPU) byLink(p *picture) map[string]uint64 {
	return map[string]uint64{c.arch.RegName(c.arch.PC): image + 0x210 | c.cpsr/thumbBit, c.fp: p.regs[c.fp]}
}

// frames writes the innermost frame and callers found by convention.
func (c linkCPU) frames(p *picture, callers ...uint64) []string {
	text := []string{hexTrust(Frame{Frame: process.Frame{Instruction: p.regs[c.arch.RegName(c.arch.PC)]}, Trust: Context})}
	for _, at := range callers {
		text = append(text, instruction(c.arch, at|c.cpsr/thumbBit, FramePointer))
	}
	return text
}

// A virtual call crashes behind a branch behind another call. There are no
// symbols: only the code behind the link register, which leads to the pc, shows
// that the call there has returned. The link register would be a second frame
// of the same function.
func TestLinkRegisterLeftByACall(t *testing.T) {
	for _, c := range linkCPUs {
		t.Run(c.name, func(t *testing.T) {
			p := c.picture()
			p.code = listing(image+0x200, c.code...)
			p.regs[c.arch.RegName(c.arch.PC)] = p.code.Addr("pc")
			p.caller = c.byRecord(&p)
			p.want = c.frames(&p, 0x310, 0x410)
			p.says = "the code behind the link register"
			p.check(t)
		})
	}
}

// Symbols tell the same: the link register is in the pc's own function.
func TestLinkRegisterInItsOwnFunction(t *testing.T) {
	for _, c := range linkCPUs {
		t.Run(c.name, func(t *testing.T) {
			p := c.picture()
			p.symbols = arm64Names
			p.regs[c.arch.RegName(c.arch.PC)] = image + 0x21c
			p.caller = c.byRecord(&p)
			p.want = c.frames(&p, 0x310, 0x410)
			p.check(t)
		})
	}
}

// The frame record may be the innermost function's or its caller's: the calls
// in front of both return addresses tell which function they have called.
func TestCallsTellLinkRegisterFromRecord(t *testing.T) {
	const (
		lrWins     = "the call before the link register"
		recordWins = "the call before the frame record's return address"
	)
	for _, c := range linkCPUs {
		for _, tt := range []struct {
			name, at210, at310 string
			says               string
		}{
			{"the link register's calls this function", c.calls.at210to100, c.calls.at310to200, lrWins},
			{"the record's calls this function", c.calls.at210to400, c.calls.at310to100, recordWins},
			{"the link register's calls any function", c.calls.at210through, c.calls.at310to100, recordWins},
		} {
			t.Run(c.name+": "+tt.name, func(t *testing.T) {
				p := c.picture()
				p.symbols = arm64Names
				p.regs[c.arch.RegName(c.arch.PC)] = image + 0x110
				p.regs[c.arch.RegName(c.arch.LR)] = image + 0x210 | c.cpsr/thumbBit
				p.code = listing(image+0x20c, tt.at210).Zeros(0xfc).Append(listing(image+0x30c, tt.at310))
				p.says = tt.says
				if tt.says == lrWins {
					p.caller, p.want = c.byLink(&p), c.frames(&p, 0x210, 0x310, 0x410)
				} else {
					p.caller, p.want = c.byRecord(&p), c.frames(&p, 0x310, 0x410)
				}
				p.check(t)
			})
		}
	}
}
