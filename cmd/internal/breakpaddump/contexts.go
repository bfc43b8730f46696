package breakpaddump

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
)

// A contextForm lists the rows of a CPU's context.
type contextForm struct {
	title string
	rows  []contextRow
	end   string // a line end, where an empty line follows
}

// contexts has the form of each CPU; names and widths differ. Source: dump_context.cc,
// DumpContext::Print.
var contexts = map[*cpu.Arch]contextForm{
	&cpu.X86: {"MDRawContextX86", slices.Concat(
		named(28, "context_flags dr0 dr1 dr2 dr3 dr6 dr7"),
		named(28, "float_save.control_word float_save.status_word float_save.tag_word float_save.error_offset"),
		named(28, "float_save.error_selector float_save.data_offset float_save.data_selector"),
		called(28, "float_save.register_area[80]", "float_save.register_area"),
		named(28, "float_save.cr0_npx_state gs fs es ds edi esi ebx edx ecx eax ebp eip cs eflags esp ss"),
		called(28, "extended_registers[512]", "extended_registers"),
	), "\n"},
	&cpu.AMD64: {"MDRawContextAMD64", slices.Concat(
		named(13, "p1_home p2_home p3_home p4_home p5_home p6_home context_flags mx_csr cs ds es fs gs ss eflags"),
		named(13, "dr0 dr1 dr2 dr3 dr6 dr7 rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15 rip"),
	), "\n"},
	&cpu.ARM: {"MDRawContextARM", slices.Concat(
		named(20, "context_flags r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10"),
		called(20, "r11", "fp"),
		named(20, "r12 sp lr pc cpsr"),
		called(20, "float_save.fpscr", "fpscr"),
		array(20, "float_save.regs[%2d]", "float_registers", 0, 32, 8),
		array(20, "float_save.extra[%2d]", "extra", 0, 8, 4),
	), ""},
	&cpu.ARM64: {"MDRawContextARM64", slices.Concat(
		named(19, "context_flags"),
		registers(20, "iregs[%2d]", &cpu.ARM64, 0, 33),
		named(19, "cpsr"),
		called(19, "float_save.fpsr", "fpsr"),
		called(19, "float_save.fpcr", "fpcr"),
		array(30, "float_save.regs[%2d]", "float_registers", 0, 32, 16),
	), ""},
	&cpu.MIPS:   {"MDRawContextMIPS", mipsRows(&cpu.MIPS), ""},
	&cpu.MIPS64: {"MDRawContextMIPS", mipsRows(&cpu.MIPS64), ""},
	&cpu.PPC:    {"MDRawContextPPC", ppcRows(&cpu.PPC, "cr xer lr ctr mq vrsave"), "\n"},
	&cpu.PPC64:  {"MDRawContextPPC64", ppcRows(&cpu.PPC64, "cr xer lr ctr vrsave"), "\n"},
	&cpu.SPARC: {"MDRawContextSPARC", slices.Concat(
		named(19, "context_flags"),
		registers(19, "g_r[%2d]", &cpu.SPARC, 0, 32),
		named(19, "ccr pc npc y asi fprs"),
		array(19, "float_save.regs[%2d]", "float_save", 0, 32, 8),
		array(19, "float_save.filler", "float_save", 256, 1, 8),
		array(19, "float_save.fsr", "float_save", 264, 1, 8),
	), ""},
	&cpu.RISCV:   {"MDRawContextRISCV", riscvRows(&cpu.RISCV), ""},
	&cpu.RISCV64: {"MDRawContextRISCV64", riscvRows(&cpu.RISCV64), ""},
}

// ppcRows returns the rows of a PowerPC context. The last ones are of MDFloatingSaveAreaPPC, and the valid bits of
// MDVectorSaveAreaPPC.
func ppcRows(arch *cpu.Arch, special string) []contextRow {
	return slices.Concat(
		named(24, "context_flags srr0 srr1"),
		registers(24, "gpr[%2d]", arch, cpu.PPCSRR0+2, 32),
		named(24, special),
		array(24, "float_save.fpregs[%2d]", "float_save", 0, 32, 8),
		array(24, "float_save.fpscr", "float_save", 260, 1, 4),
		array(24, "vector_save.save_vrvalid", "vector_save", 544, 1, 4),
	)
}

// mipsRows returns the rows of MDRawContextMIPS, which both widths share.
func mipsRows(arch *cpu.Arch) []contextRow {
	return slices.Concat(
		named(20, "context_flags"),
		registers(19, "iregs[%2d]", arch, 0, 32),
		called(20, "mdhi", "hi"),
		called(20, "mdlo", "lo"), // the original writes mdhi again
		called(18, "hi[0]", "hi1"), called(18, "lo[0]", "lo1"),
		called(18, "hi[1]", "hi2"), called(18, "lo[1]", "lo2"),
		called(18, "hi[2]", "hi3"), called(18, "lo[2]", "lo3"),
		named(20, "dsp_control"),
		called(20, "epc", "pc"),
		named(20, "badvaddr status cause"),
		array(19, "float_save.regs[%2d]", "float_registers", 0, 32, 8),
		called(20, "float_save.fpcsr", "fpcsr"),
		called(20, "float_save.fir", "fir"),
	)
}

// riscvRows returns the rows of both widths. Registers beyond the general ones are not written.
func riscvRows(arch *cpu.Arch) []contextRow {
	return slices.Concat(named(20, "context_flags"), named(13, strings.Join(arch.Regs, " ")))
}

// The width is that of the label, as the format strings of the original have it.
func named(width int, names string) (rows []contextRow) {
	for name := range strings.FieldsSeq(names) {
		rows = append(rows, contextRow{label: name, width: width, name: name})
	}
	return rows
}

// called returns a row whose label is not the register's name.
func called(width int, label, name string) []contextRow {
	return []contextRow{{label: label, width: width, name: name}}
}

// registers returns numbered rows, in the order of the CPU.
func registers(width int, label string, arch *cpu.Arch, first cpu.Reg, n int) (rows []contextRow) {
	for i := range n {
		rows = append(rows, contextRow{label: fmt.Sprintf(label, i), width: width, name: arch.RegName(first + cpu.Reg(i))})
	}
	return rows
}

// A label without a formatting verb belongs to a single element.
func array(width int, label, name string, at, n, step int) (rows []contextRow) {
	for i := range n {
		numbered := label
		if n > 1 {
			numbered = fmt.Sprintf(label, i)
		}
		rows = append(rows, contextRow{numbered, width, name, at + i*step, step})
	}
	return rows
}

type contextRow struct {
	label string
	width int    // of the label
	name  string // the register, or the part as package minidump names it

	// For an element of an array: its offset in the part, and its width. An element of 16 bytes is
	// written as two numbers, the higher one first.
	at, step int
}

func (p *printer) context(loc minidump.Location, sys *minidump.SystemInfo) {
	ctx, _ := p.f.Context(loc, sys) // crashglass dump says why it is missing
	form, known := contexts[ctx.Arch]
	if !known {
		p.text("  (no context)\n\n")
		return
	}
	parts := newParts(&ctx, p.f.Order())
	p.printf("\n%s\n", form.title)
	for _, r := range form.rows {
		if value := parts.value(r); value != "" { // a truncated context does not have all rows
			p.printf("  %-*s = 0x%s\n", r.width, r.label, value)
		}
	}
	p.text(form.end)
}

type parts struct {
	numbers map[string]uint64
	blobs   map[string][]byte
	order   binary.ByteOrder
}

func newParts(ctx *minidump.Context, order binary.ByteOrder) *parts {
	c := &parts{map[string]uint64{}, map[string][]byte{}, order}
	for reg, v := range ctx.Regs.All() {
		c.numbers[ctx.Arch.RegName(reg)] = v
	}
	state, blobs := ctx.Rest(order)
	for _, r := range state {
		c.numbers[r.Name] = r.Value
	}
	for _, b := range blobs {
		c.blobs[b.Name] = b.Data
	}
	return c
}

// value returns a row's value in digits, or "".
func (c *parts) value(r contextRow) string {
	if v, ok := c.numbers[r.name]; ok {
		return fmt.Sprintf("%x", v)
	}
	data := c.blobs[r.name]
	switch {
	case r.step == 0:
		return fmt.Sprintf("%x", data)
	case r.at+r.step > len(data):
		return ""
	}
	switch data = data[r.at:]; r.step {
	case 4:
		return fmt.Sprintf("%x", c.order.Uint32(data))
	case 8:
		return fmt.Sprintf("%x", c.order.Uint64(data))
	}
	return fmt.Sprintf("%x%x", c.order.Uint64(data[8:]), c.order.Uint64(data))
}
