package unwind

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// A wholeFunction is a function at 0x100, from its first instruction to its last. At each of them
// the walk must restore every register of the caller.
type wholeFunction struct {
	name  string
	arch  *cpu.Arch
	cpsr  uint64
	words string            // the frame, upwards: names of what is saved where, and of other places
	fp    map[string]string // registers that point to a place in the frame once they have changed
	kept  string            // a callee-saved register that the function leaves alone
	other string            // a register that calls destroy
	steps []functionStep
}

// A functionStep is an instruction. In front of it the stack pointer is at sp,
// and saved names the registers that have been saved, with a * those that have
// changed since. An instruction without sp is a delay slot.
type functionStep struct{ sp, saved, code string }

var wholeFunctions = []wholeFunction{
	{
		name: "amd64, rbp", arch: &cpu.AMD64, kept: "r12", other: "rax",
		words: "locals . . rbx rbp ra caller", fp: map[string]string{"rbp": "rbp"},
		steps: []functionStep{
			{"ra", "", "f3 0f 1e fa  endbr64"},
			{"ra", "", "55  push rbp"},
			{"rbp", "rbp", "48 89 e5  mov rbp, rsp"},
			{"rbp", "rbp*", "53  push rbx"},
			{"rbx", "rbp* rbx", "48 83 ec 18  sub rsp, 24"},
			{"locals", "rbp* rbx*", "ff d0  call rax"},
			{"locals", "rbp* rbx*", "48 8b 5d f8  mov rbx, [rbp-8]"},
			{"locals", "rbp* rbx", "c9  leave"},
			{"ra", "rbp rbx", "c3  ret"},
		},
	},
	{
		name: "amd64, rsp", arch: &cpu.AMD64, kept: "rbp", other: "rax",
		words: "locals rbx r12 ra caller",
		steps: []functionStep{
			{"ra", "", "41 54  push r12"},
			{"r12", "r12", "53  push rbx"},
			{"rbx", "r12 rbx", "48 83 ec 08  sub rsp, 8"},
			{"locals", "r12 rbx", "ff d0  call rax"},
			{"locals", "r12* rbx*", "48 83 c4 08  add rsp, 8"},
			{"rbx", "r12* rbx*", "5b  pop rbx"},
			{"r12", "r12* rbx", "41 5c  pop r12"},
			{"ra", "r12 rbx", "c3  ret"},
		},
	},
	{
		name: "x86, ebp, arguments", arch: &cpu.X86, kept: "edi", other: "eax",
		words: "locals . esi ebp ra caller . .", fp: map[string]string{"ebp": "ebp"},
		steps: []functionStep{
			{"ra", "", "55  push ebp"},
			{"ebp", "ebp", "89 e5  mov ebp, esp"},
			{"ebp", "ebp*", "56  push esi"},
			{"esi", "ebp* esi", "83 ec 08  sub esp, 8"},
			{"locals", "ebp* esi*", "ff d0  call eax"},
			{"locals", "ebp* esi*", "8d 65 fc  lea esp, [ebp-4]"},
			{"esi", "ebp* esi*", "5e  pop esi"},
			{"ebp", "ebp* esi", "5d  pop ebp"},
			{"ra", "ebp esi", "c2 08 00  ret 8"},
		},
	},
	{
		name: "x86, leave", arch: &cpu.X86, kept: "ebx", other: "eax",
		words: "locals . ebp ra caller", fp: map[string]string{"ebp": "ebp"},
		steps: []functionStep{
			{"ra", "", "55  push ebp"},
			{"ebp", "ebp", "89 e5  mov ebp, esp"},
			{"ebp", "ebp*", "83 ec 08  sub esp, 8"},
			{"locals", "ebp*", "ff d0  call eax"},
			{"locals", "ebp*", "c9  leave"},
			{"ra", "ebp", "c3  ret"},
		},
	},
	{
		name: "arm64, signed, pre-index", arch: &cpu.ARM64, kept: "x21", other: "x0",
		words: "fp lr x19 x20 caller", fp: map[string]string{"fp": "fp"},
		steps: []functionStep{
			{"caller", "", "d503233f  paciasp"},
			{"caller", "", "a9be7bfd  stp x29, x30, [sp, #-32]!"},
			{"fp", "fp lr", "910003fd  mov x29, sp"},
			{"fp", "fp* lr", "a90153f3  stp x19, x20, [sp, #16]"},
			{"fp", "fp* lr x19* x20*", "d63f0100  blr x8"},
			{"fp", "fp* lr* x19* x20*", "a94153f3  ldp x19, x20, [sp, #16]"},
			{"fp", "fp* lr* x19 x20", "a8c27bfd  ldp x29, x30, [sp], #32"},
			{"caller", "fp lr x19 x20", "d50323bf  autiasp"},
			{"caller", "fp lr x19 x20", "d65f03c0  ret"},
		},
	},
	{
		name: "arm64, tail call", arch: &cpu.ARM64, kept: "x21", other: "x0",
		words: "locals . . x19 fp lr caller", fp: map[string]string{"fp": "fp"},
		steps: []functionStep{
			{"caller", "", "d100c3ff  sub sp, sp, #48"},
			{"locals", "", "a9027bfd  stp x29, x30, [sp, #32]"},
			{"locals", "fp lr", "910083fd  add x29, sp, #32"},
			{"locals", "fp* lr", "f9000ff3  str x19, [sp, #24]"},
			{"locals", "fp* lr x19*", "d63f0100  blr x8"},
			{"locals", "fp* lr* x19*", "f9400ff3  ldr x19, [sp, #24]"},
			{"locals", "fp* lr* x19", "a9427bfd  ldp x29, x30, [sp, #32]"},
			{"locals", "fp lr x19", "9100c3ff  add sp, sp, #48"},
			{"caller", "fp lr x19", "140001c0  b 0x820"},
		},
	},
	{
		name: "arm", arch: &cpu.ARM, kept: "r5", other: "r0",
		words: "locals r4 r11 lr caller", fp: map[string]string{"r11": "lr"},
		steps: []functionStep{
			{"caller", "", "e92d4810  push {r4, r11, lr}"},
			{"r4", "r4 r11 lr", "e28db008  add r11, sp, #8"},
			{"r4", "r4 r11* lr", "e24dd004  sub sp, sp, #4"},
			{"locals", "r4* r11* lr", "e12fff33  blx r3"},
			{"locals", "r4* r11* lr*", "e24bd008  sub sp, r11, #8"},
			{"r4", "r4* r11* lr*", "e8bd8810  pop {r4, r11, pc}"},
		},
	},
	{
		name: "thumb", arch: &cpu.ARM, cpsr: thumbBit, kept: "r5", other: "r0",
		words: "locals . r4 r7 lr caller", fp: map[string]string{"r7": "r7"},
		steps: []functionStep{
			{"caller", "", "b590  push {r4, r7, lr}"},
			{"r4", "r4 r7 lr", "af01  add r7, sp, #4"},
			{"r4", "r4 r7* lr", "b082  sub sp, #8"},
			{"locals", "r4* r7* lr", "4798  blx r3"},
			{"locals", "r4* r7* lr*", "b002  add sp, #8"},
			{"r4", "r4* r7* lr*", "bd90  pop {r4, r7, pc}"},
		},
	},
	{
		name: "riscv64, compressed", arch: &cpu.RISCV64, kept: "s2", other: "a0",
		words: "locals s1 s0 ra caller", fp: map[string]string{"s0": "caller"},
		steps: []functionStep{
			{"caller", "", "1101  addi sp, sp, -32"},
			{"locals", "", "ec06  sd ra, 24(sp)"},
			{"locals", "ra", "e822  sd s0, 16(sp)"},
			{"locals", "ra s0", "e426  sd s1, 8(sp)"},
			{"locals", "ra s0 s1", "1000  addi s0, sp, 32"},
			{"locals", "ra s0* s1*", "9782  jalr a5"},
			{"locals", "ra* s0* s1*", "60e2  ld ra, 24(sp)"},
			{"locals", "ra s0* s1*", "6442  ld s0, 16(sp)"},
			{"locals", "ra s0 s1*", "64a2  ld s1, 8(sp)"},
			{"locals", "ra s0 s1", "6105  addi sp, sp, 32"},
			{"caller", "ra s0 s1", "8082  ret"},
		},
	},
	{
		name: "riscv, compressed", arch: &cpu.RISCV, kept: "s1", other: "a0",
		words: "locals . s0 ra caller",
		steps: []functionStep{
			{"caller", "", "1141  addi sp, sp, -16"},
			{"locals", "", "c606  sw ra, 12(sp)"},
			{"locals", "ra", "c422  sw s0, 8(sp)"},
			{"locals", "ra s0*", "9782  jalr a5"},
			{"locals", "ra* s0*", "40b2  lw ra, 12(sp)"},
			{"locals", "ra s0*", "4422  lw s0, 8(sp)"},
			{"locals", "ra s0", "0141  addi sp, sp, 16"},
			{"caller", "ra s0", "8082  ret"},
		},
	},
	{
		name: "mips", arch: &cpu.MIPS, kept: "s1", other: "v0",
		words: "locals . . . . . s0 ra caller",
		steps: []functionStep{
			{"caller", "", "27bdffe0  addiu sp, sp, -32"},
			{"locals", "", "afbf001c  sw ra, 28(sp)"},
			{"locals", "ra", "afb00018  sw s0, 24(sp)"},
			{"locals", "ra s0*", "0320f809  jalr t9"},
			{"", "", "00000000  nop"},
			{"locals", "ra* s0*", "8fbf001c  lw ra, 28(sp)"},
			{"locals", "ra s0*", "8fb00018  lw s0, 24(sp)"},
			{"locals", "ra s0", "03e00008  jr ra"},
			{"", "", "27bd0020  addiu sp, sp, 32"},
		},
	},
	{
		name: "mips64", arch: &cpu.MIPS64, kept: "gp", other: "v0",
		words: "locals . s0 ra caller",
		steps: []functionStep{
			{"caller", "", "67bdffe0  daddiu sp, sp, -32"},
			{"locals", "", "ffbf0018  sd ra, 24(sp)"},
			{"locals", "ra", "ffb00010  sd s0, 16(sp)"},
			{"locals", "ra s0*", "0320f809  jalr t9"},
			{"", "", "00000000  nop"},
			{"locals", "ra* s0*", "dfbf0018  ld ra, 24(sp)"},
			{"locals", "ra s0*", "dfb00010  ld s0, 16(sp)"},
			{"locals", "ra s0", "03e00008  jr ra"},
			{"", "", "67bd0020  daddiu sp, sp, 32"},
		},
	},
	{
		name: "ppc", arch: &cpu.PPC, kept: "r30", other: "r3",
		words: "chain . . . . . . r31 caller lr",
		steps: []functionStep{
			{"caller", "", "7c0802a6  mflr r0"},
			{"caller", "r0", "9421ffe0  stwu r1, -32(r1)"},
			{"chain", "r0 chain", "90010024  stw r0, 36(r1)"},
			{"chain", "chain lr", "93e1001c  stw r31, 28(r1)"},
			{"chain", "chain lr r31*", "4e800421  bctrl"},
			{"chain", "chain lr* r31*", "80010024  lwz r0, 36(r1)"},
			{"chain", "chain lr* r31* r0", "83e1001c  lwz r31, 28(r1)"},
			{"chain", "chain lr* r31 r0", "38210020  addi r1, r1, 32"},
			{"caller", "chain lr* r31 r0", "7c0803a6  mtlr r0"},
			{"caller", "chain lr r31 r0", "4e800020  blr"},
		},
	},
	{
		name: "ppc64", arch: &cpu.PPC64, kept: "r30", other: "r3",
		words: "chain . . . . . . r31 caller . lr",
		steps: []functionStep{
			{"caller", "", "7c0802a6  mflr r0"},
			{"caller", "r0", "f8010010  std r0, 16(r1)"},
			{"caller", "lr", "f821ffc1  stdu r1, -64(r1)"},
			{"chain", "chain lr", "fbe10038  std r31, 56(r1)"},
			{"chain", "chain lr r31*", "4e800421  bctrl"},
			{"chain", "chain lr* r31*", "38210040  addi r1, r1, 64"},
			{"caller", "chain lr* r31*", "e8010010  ld r0, 16(r1)"},
			{"caller", "chain lr* r31* r0", "ebe1fff8  ld r31, -8(r1)"},
			{"caller", "chain lr* r31 r0", "7c0803a6  mtlr r0"},
			{"caller", "chain lr r31 r0", "4e800020  blr"},
		},
	},
}

const notSaved = 0xdead

// savedValue returns the caller's value of the register that is saved at a place.
func (f *wholeFunction) savedValue(place int) uint64 { return 0x5a00 + uint64(place) }

// frame lays out the frame. A register that is not saved yet is not on the stack.
func (f *wholeFunction) frame(step functionStep) *asm.Section {
	s := asm.At(0x1000)
	saved := strings.Fields(strings.ReplaceAll(step.saved, "*", ""))
	for i, name := range strings.Fields(f.words) {
		if name != "." {
			s.Mark(name)
		}
		v := uint64(notSaved)
		switch {
		case name == "ra" && f.arch.LR == cpu.None, f.isLink(name) && slices.Contains(saved, name):
			v = f.returnAddress()
		case name == "chain" && slices.Contains(saved, name):
			s.RefN(f.arch.Word, "caller")
			continue
		case slices.Contains(saved, name):
			v = f.savedValue(i)
		}
		s.Word(f.arch.Word, v)
	}
	return s.Zeros(0x100)
}

func (f *wholeFunction) isLink(name string) bool { return name == f.arch.RegName(f.arch.LR) }

func (f *wholeFunction) returnAddress() uint64 { return image + 0x210 | f.cpsr/thumbBit }

// at draws the function where it has executed some of its instructions.
func (f *wholeFunction) at(executed int) picture {
	var lines []string
	for _, s := range f.steps {
		lines = append(lines, s.code)
	}
	arch, step := f.arch, f.steps[executed]
	p := picture{
		arch: arch, os: "linux", stack: f.frame(step), symbols: arm64Names,
		code: listing(image+0x100, lines...).Zeros(4), // a walk reads words
	}
	pc := listing(image+0x100, lines[:executed]...).Here()
	p.regs = map[string]uint64{arch.RegName(arch.PC): pc, arch.RegName(arch.SP): p.stack.Addr(step.sp), f.kept: keptValue, f.other: 0xbad}
	p.caller = map[string]uint64{arch.RegName(arch.PC): f.returnAddress(), arch.RegName(arch.SP): p.stack.Addr("caller"), f.kept: keptValue}
	if arch.LR != cpu.None {
		p.regs[arch.RegName(arch.LR)] = f.returnAddress()
	}
	if arch == &cpu.ARM {
		p.regs["cpsr"] = f.cpsr
	}
	for i, name := range strings.Fields(f.words) {
		if reg, ok := arch.Reg(name); ok && arch.CalleeSaved.Has(reg) {
			p.regs[name], p.caller[name] = f.savedValue(i), f.savedValue(i)
		}
	}
	f.change(&p, step.saved)
	return p
}

// change gives registers the values that the function has put there.
func (f *wholeFunction) change(p *picture, saved string) {
	for _, name := range strings.Fields(saved) {
		if name == "r0" { // PowerPC stores and loads lr by way of r0
			p.regs[name] = f.returnAddress()
		}
		name, changed := strings.CutSuffix(name, "*")
		switch place := f.fp[name]; {
		case !changed:
		case f.isLink(name): // the call has left its return address there
			p.regs[name] = image + 0x118 | f.cpsr/thumbBit
		case place != "":
			p.regs[name] = p.stack.Addr(place)
		default:
			p.regs[name] = 0xbad
		}
	}
}

// The caller is found at every instruction of a function, by its code, with
// every register.
func TestEveryInstruction(t *testing.T) {
	for _, f := range wholeFunctions {
		for i, s := range f.steps {
			if s.sp == "" {
				continue
			}
			t.Run(f.name+": "+s.code, func(t *testing.T) {
				p := f.at(i)
				in := p.input(t)
				in.Frames = 2
				stack := Walk(in)
				if len(stack.Frames) < 2 {
					t.Fatalf("no caller: %s", endText(stack.End))
				}
				p.checkRegisters(t, &stack)
				if way := stack.Frames[1].FoundBy; way != ByCode && way != ByLink && way != ByLeaf {
					t.Errorf("found by %s", way)
				}
			})
		}
	}
}

// A linker symbol has no size, and still tells where its function begins.
// Nothing has happened there yet, and no code is needed.
func TestFirstInstructionOfALinkerSymbol(t *testing.T) {
	for _, f := range wholeFunctions {
		t.Run(f.name, func(t *testing.T) {
			p := f.at(0)
			p.code = nil
			p.symbols = symbols{functions: []Function{{Name: "f", Start: 0x100, Public: true}, fn(0x200, "g")}}
			in := p.input(t)
			in.Frames = 2
			stack := Walk(in)
			if len(stack.Frames) < 2 {
				t.Fatalf("no caller: %s", endText(stack.End))
			}
			p.checkRegisters(t, &stack)
		})
	}
}
