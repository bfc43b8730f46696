package minidump

import (
	"encoding/binary"

	"crashglass/core/machine/cpu"
)

// A contextField is a field of a context that is no register of package cpu.
type contextField struct {
	name      string
	at, width int // a width above 8 is a block of bytes
}

// parts lists, by layout, the fields of contexts that are no registers of package cpu, in the order
// of the structures.
//
// Source: winnt.h, CONTEXT of each CPU; Breakpad's minidump_cpu_*.h.
var parts = map[*cpu.Layout][]contextField{
	&cpu.ContextX86: {
		{"context_flags", 0, 4},
		{"dr0", 4, 4}, {"dr1", 8, 4}, {"dr2", 12, 4}, {"dr3", 16, 4}, {"dr6", 20, 4}, {"dr7", 24, 4},
		{"float_save.control_word", 28, 4}, {"float_save.status_word", 32, 4}, {"float_save.tag_word", 36, 4},
		{"float_save.error_offset", 40, 4}, {"float_save.error_selector", 44, 4},
		{"float_save.data_offset", 48, 4}, {"float_save.data_selector", 52, 4},
		{"float_save.register_area", 56, 80}, {"float_save.cr0_npx_state", 136, 4},
		{"gs", 140, 4}, {"fs", 144, 4}, {"es", 148, 4}, {"ds", 152, 4}, {"cs", 188, 4}, {"ss", 200, 4},
		{"extended_registers", 204, 512},
	},
	&cpu.ContextAMD64: {
		{"p1_home", 0, 8}, {"p2_home", 8, 8}, {"p3_home", 16, 8}, {"p4_home", 24, 8}, {"p5_home", 32, 8}, {"p6_home", 40, 8},
		{"context_flags", 48, 4}, {"mx_csr", 52, 4},
		{"cs", 56, 2}, {"ds", 58, 2}, {"es", 60, 2}, {"fs", 62, 2}, {"gs", 64, 2}, {"ss", 66, 2},
		{"dr0", 72, 8}, {"dr1", 80, 8}, {"dr2", 88, 8}, {"dr3", 96, 8}, {"dr6", 104, 8}, {"dr7", 112, 8},
		{"float_save", 256, 512}, {"vector_registers", 768, 416},
		{"vector_control", 1184, 8}, {"debug_control", 1192, 8},
		{"last_branch_to_rip", 1200, 8}, {"last_branch_from_rip", 1208, 8},
		{"last_exception_to_rip", 1216, 8}, {"last_exception_from_rip", 1224, 8},
	},
	&cpu.ContextARM64: {
		{"context_flags", 0, 4}, {"float_registers", 272, 512}, {"fpcr", 784, 4}, {"fpsr", 788, 4},
		{"breakpoint_control", 792, 32}, {"breakpoint_value", 824, 64},
		{"watchpoint_control", 888, 8}, {"watchpoint_value", 896, 16},
	},
	&cpu.ContextARM64Old: {{"context_flags", 0, 8}, {"fpsr", 276, 4}, {"fpcr", 280, 4}, {"float_registers", 284, 512}},
	&cpu.ContextARM:      {{"context_flags", 0, 4}, {"fpscr", 72, 8}, {"float_registers", 80, 256}, {"extra", 336, 32}},
	&cpu.ContextARMWindows: {
		{"context_flags", 0, 4}, {"fpscr", 72, 4}, {"float_registers", 80, 256},
		{"breakpoint_value", 336, 32}, {"breakpoint_control", 368, 32}, {"watchpoint_value", 400, 4}, {"watchpoint_control", 404, 4},
	},
	&cpu.ContextMIPS:    mipsParts,
	&cpu.ContextMIPS64:  mipsParts,
	&cpu.ContextPPC:     {{"context_flags", 0, 4}, {"mq", 156, 4}, {"float_save", 164, 264}, {"vector_save", 428, 576}},
	&cpu.ContextPPC64:   {{"context_flags", 0, 8}, {"float_save", 320, 264}, {"vector_save", 584, 576}},
	&cpu.ContextSPARC:   {{"context_flags", 0, 4}, {"y", 288, 8}, {"asi", 296, 8}, {"fprs", 304, 8}, {"float_save", 312, 272}},
	&cpu.ContextRISCV:   {{"context_flags", 0, 4}, {"version", 4, 4}, {"float_registers", 136, 128}, {"fcsr", 264, 4}},
	&cpu.ContextRISCV64: {{"context_flags", 0, 4}, {"version", 4, 4}, {"float_registers", 264, 256}, {"fcsr", 520, 4}},
}

var mipsParts = []contextField{
	{"context_flags", 0, 4}, {"hi1", 280, 4}, {"hi2", 284, 4}, {"hi3", 288, 4}, {"lo1", 292, 4}, {"lo2", 296, 4}, {"lo3", 300, 4},
	{"dsp_control", 304, 4}, {"badvaddr", 320, 8}, {"status", 328, 4}, {"cause", 332, 4},
	{"float_registers", 336, 256}, {"fpcsr", 592, 4}, {"fir", 596, 4},
}

// Rest returns the fields of a context other than its registers, up to the context's end.
func (c *Context) Rest(order binary.ByteOrder) (state []Register, blobs []Blob) {
	whole := c.bytes()
	for _, p := range parts[c.layout] {
		if p.at+p.width > len(whole) {
			continue
		}
		data := whole[p.at : p.at+p.width]
		switch p.width {
		case 2:
			state = append(state, Register{p.name, uint64(order.Uint16(data))})
		case 4:
			state = append(state, Register{p.name, uint64(order.Uint32(data))})
		case 8:
			state = append(state, Register{p.name, order.Uint64(data)})
		default:
			blobs = append(blobs, Blob{p.name, data})
		}
	}
	return state, blobs
}
