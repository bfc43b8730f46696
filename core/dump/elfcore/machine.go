package elfcore

import (
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
)

// A machine describes how cores store a CPU's registers, and where a context has them.
type machine struct {
	number uint16 // e_machine
	layout *cpu.Layout
	groups uint32 // of the context's flags: the groups that are always filled in

	// registers are the words of elf_gregset_t in their order, "-" for one that a context does not
	// have.
	registers string

	// callAt is the word of elf_gregset_t with the number of the system call, or
	// -1 for none (orig_rax, orig_eax); 0 where the registers have it.
	callAt int

	parts []notePiece // of the context, from other notes

	swapped bool // si_code comes before si_errno

	// What only writing needs: the words of elf_gregset_t, the size of the note that has the floating point registers, and whether
	// numbers of users in struct elf_prpsinfo have two bytes.
	words, floats int
	shortUsers    bool
}

// A notePiece is a piece of a note that is copied to a context. Its offset in NT_PRSTATUS counts
// from the registers on.
type notePiece struct {
	note           uint32
	from, to, size int
	groups         uint32
}

func (m *machine) word() int { return m.layout.Arch.Word }

// Sources: Linux, arch/*/include/asm/elf.h (elf_gregset_t, ELF_CORE_COPY_REGS, ELF_NGREG)
// and arch/*/include/uapi/asm/ptrace.h; of mips arch/mips/include/uapi/asm/reg.h;
// of contexts package cpu's, and Breakpad's minidump_cpu_*.h for the parts.
var machines = []machine{
	{
		number: 3, layout: &cpu.ContextX86, words: 17, floats: 512, shortUsers: true, groups: 0x7,
		registers: "ebx ecx edx esi edi ebp eax - - - - - eip - eflags esp -", callAt: 11,
		parts: []notePiece{
			{noteX86FX, 0, 204, 512, 0x20},
			{noteStatus, 7 * 4, 152, 2, 0}, {noteStatus, 8 * 4, 148, 2, 0}, {noteStatus, 9 * 4, 144, 2, 0}, {noteStatus, 10 * 4, 140, 2, 0}, // ds es fs gs
			{noteStatus, 13 * 4, 188, 2, 0}, {noteStatus, 16 * 4, 200, 2, 0}, // cs ss
		},
	},
	{
		number: 62, layout: &cpu.ContextAMD64, words: 27, floats: 512, groups: 0x7,
		registers: "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi - rip - eflags rsp -", callAt: 15,
		parts: []notePiece{
			{noteFloat, 0, 256, 512, 0x8}, {noteFloat, 24, 52, 4, 0}, // and MXCSR in its own place
			{noteStatus, 17 * 8, 56, 2, 0}, {noteStatus, 20 * 8, 66, 2, 0}, // cs ss
			{noteStatus, 23 * 8, 58, 2, 0}, {noteStatus, 24 * 8, 60, 2, 0}, {noteStatus, 25 * 8, 62, 2, 0}, {noteStatus, 26 * 8, 64, 2, 0}, // ds es fs gs
		},
	},
	{
		number: 40, layout: &cpu.ContextARM, words: 18, floats: 260, shortUsers: true, groups: 0x2,
		registers: cpu.Numbered("r", 13) + "sp lr pc cpsr",
		parts:     []notePiece{{noteARMVFP, 0, 80, 256, 0x4}, {noteARMVFP, 256, 72, 4, 0}},
	},
	{
		number: 183, layout: &cpu.ContextARM64, words: 34, floats: 528, groups: 0x3,
		registers: cpu.Numbered("x", 31) + "sp pc cpsr",
		parts:     []notePiece{{noteFloat, 0, 272, 512, 0x4}, {noteFloat, 512, 788, 4, 0}, {noteFloat, 516, 784, 4, 0}},
	},
	{
		number: 243, layout: &cpu.ContextRISCV, words: 32, groups: 0x3,
		registers: "pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6",
	},
	{
		number: 243, layout: &cpu.ContextRISCV64, words: 32, floats: 264, groups: 0x3,
		registers: "pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6",
		parts:     []notePiece{{noteFloat, 0, 264, 256, 0x4}, {noteFloat, 256, 520, 4, 0}},
	},
	{
		number: 8, layout: &cpu.ContextMIPS, words: 45, groups: 0x2, swapped: true,
		registers: "- - - - - - " + mipsRegisters,
	},
	{
		number: 8, layout: &cpu.ContextMIPS64, words: 45, groups: 0x2, swapped: true,
		registers: mipsRegisters,
	},
	{
		number: 20, layout: &cpu.ContextPPC, words: 48, groups: 0x1,
		registers: ppcRegisters,
	},
	{
		number: 21, layout: &cpu.ContextPPC64, words: 48, groups: 0x1,
		registers: ppcRegisters,
	},
	{
		number: 2, layout: &cpu.ContextSPARC, words: 38, shortUsers: true, groups: 0x1,
		registers: sparcRegisters,
	},
	{
		number: 18, layout: &cpu.ContextSPARC, words: 38, shortUsers: true, groups: 0x1,
		registers: sparcRegisters,
	},
}

// mipsRegisters are EF_R0 to EF_CP0_EPC; on 32 bits six words are before them.
const mipsRegisters = "zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp fp ra lo hi pc"

// sparcRegisters are those of 32 bits, up to npc; y, wim and tbr follow. Source:
// Linux, arch/sparc/kernel/ptrace_32.c, genregs32_get; gdb, sparc-linux-tdep.c,
// sparc32_linux_core_gregset.
var sparcRegisters = cpu.Numbered("g", 8) + cpu.Numbered("o", 8) + cpu.Numbered("l", 8) + cpu.Numbered("i", 8) + "- pc npc"

var ppcRegisters = cpu.Numbered("r", 32) + "srr0 srr1 - ctr lr xer cr"

// otherMachines are CPUs of Linux whose stacks Crashglass cannot walk. Source: Linux,
// include/uapi/linux/elf-em.h.
var otherMachines = map[uint16]string{
	4: "m68k", 15: "parisc", 22: "s390", 42: "sh", 43: "sparc64", 50: "ia64", 92: "openrisc", 93: "arc",
	94: "xtensa", 164: "hexagon", 189: "microblaze", 195: "arc", 252: "csky", 258: "loongarch", 0x9026: "alpha",
}

// findMachine finds a CPU by its number and the size of its addresses, or
// returns nil.
func findMachine(number uint16, word int) *machine {
	for i := range machines {
		if m := &machines[i]; m.number == number && m.word() == word {
			return m
		}
	}
	return nil
}

// mipsABI2 is EF_MIPS_ABI2 of the header's flags, which n32 has. Source: Linux,
// arch/mips/include/asm/elf.h.
const mipsABI2 = 0x20

// mixedABI returns the name of an ABI with registers of 8 bytes and addresses of 4, or "".
func (c *core) mixedABI() string {
	switch {
	case c.word != 4:
	case c.head.machine == 62:
		return "x32"
	case c.head.machine == 8 && c.head.flags&mipsABI2 != 0:
		return "n32"
	}
	return ""
}

func (c *core) unknownMachine() error {
	if abi := c.mixedABI(); abi != "" {
		return &bin.Error{What: "header", Off: 18, Why: fmt.Sprintf("this is a core of the %s ABI, whose stacks cannot be walked: open it with gdb", abi)}
	}
	name := otherMachines[c.head.machine]
	if name == "" {
		name = "unknown"
	}
	return &bin.Error{What: "header", Off: 18, Why: fmt.Sprintf("machine %d (%s) with addresses of %d bytes is none whose stacks can be walked", c.head.machine, name, c.word)}
}

func (m *machine) decode(c *bin.Cursor) cpu.Regs {
	var regs cpu.Regs
	for name := range strings.FieldsSeq(m.registers) {
		v := address(c, m.word())
		if c.Err() != nil {
			break
		}
		if r, ok := m.layout.Arch.Reg(name); ok {
			regs.Set(r, v)
		}
	}
	return regs
}

// context is a thread's registers as a minidump has them, or none.
func (c *core) context(t *thread) []byte {
	if t.regs.Known() == 0 {
		return nil
	}
	groups := c.machine.groups
	for _, p := range c.machine.parts {
		if len(t.state[p.note]) >= p.from+p.size {
			groups |= p.groups
		}
	}
	data := c.machine.layout.Encode(&t.regs, groups, c.order)
	for _, p := range c.machine.parts {
		if state := t.state[p.note]; len(state) >= p.from+p.size {
			copy(data[p.to:p.to+p.size], state[p.from:])
		}
	}
	return minidump.WithExtended(c.machine.layout, data, upperHalves(t.state[noteXState]), c.shadow(t))
}

// Offsets in an XSAVE area in a note: the mask of its components, the mask of those in use, and the
// upper halves of ymm.
//
// Sources: Linux, arch/x86/include/asm/user.h (USER_XSTATE_XCR0_WORD and what is
// above it); Intel SDM, volume 1, section 13.4.
const (
	xsaveEnabled = 464
	xsaveInUse   = 512
	xsaveUpper   = 576
	xsaveEnd     = xsaveUpper + 256
	xsaveYMM     = 1 << 2
)

// A component that is not in use has its initial value, 0.
func upperHalves(area []byte) []byte {
	if len(area) < xsaveEnd || area[xsaveEnabled]&xsaveYMM == 0 {
		return nil
	}
	if area[xsaveInUse]&xsaveYMM == 0 {
		return make([]byte, xsaveEnd-xsaveUpper)
	}
	return area[xsaveUpper:xsaveEnd]
}
