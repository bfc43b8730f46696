package cfi

import (
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
)

// lost is how a symbol file writes a value that is not known.
const lost = ".undef"

// at asks for an address and describes the answer.
func at(table *Table, rel uint64) string {
	frame, ok := table.CallFrame(rel)
	if !ok {
		return "none"
	}
	return unwind.RuleText(frame.Rules)
}

// TestInstructions runs each instruction behind one that moves to 0x1004, in
// a function of 16 bytes at 0x1000.
func TestInstructions(t *testing.T) {
	const same = ".cfa: $rsp 8 + .ra: .cfa -8 + ^"
	tests := []struct {
		name    string
		program []byte
		want    string // at 0x1004
		note    string
	}{
		{name: "nop", program: []byte{0}, want: same},
		{name: "offset", program: []byte{0x83, 2}, want: same + " $rbx: .cfa -16 + ^"},
		{name: "offset_extended", program: []byte{0x05, 3, 2}, want: same + " $rbx: .cfa -16 + ^"},
		{name: "offset_extended_sf", program: []byte{0x11, 3, 0x7e}, want: same + " $rbx: .cfa 16 + ^"},
		{name: "GNU_negative_offset_extended", program: []byte{0x2f, 3, 2}, want: same + " $rbx: .cfa 16 + ^"},
		{name: "val_offset", program: []byte{0x14, 3, 2}, want: same + " $rbx: .cfa -16 +"},
		{name: "val_offset_sf", program: []byte{0x15, 3, 0x7e}, want: same + " $rbx: .cfa 16 +"},
		{name: "register", program: []byte{0x09, 3, 0}, want: same + " $rbx: $rax"},
		{name: "register without a name", program: []byte{0x09, 3, 99}, want: same + " $rbx: .undef"},
		{name: "a register without a name is saved", program: []byte{0x05, 99, 2}, want: same},
		{name: "undefined", program: []byte{0x07, 3}, want: same + " $rbx: .undef"},
		{name: "same_value", program: []byte{0x08, 3}, want: same + " $rbx: $rbx"},
		{name: "restore", program: []byte{0x83, 2, 0xc3}, want: same},
		{name: "restore_extended", program: []byte{0x05, 3, 2, 0x06, 3}, want: same},
		{name: "restore to the CIE's", program: []byte{0x07, 16, 0xd0}, want: same},
		{name: "def_cfa", program: []byte{0x0c, 6, 16}, want: ".cfa: $rbp 16 + .ra: .cfa -8 + ^"},
		{name: "def_cfa_sf", program: []byte{0x12, 6, 0x7e}, want: ".cfa: $rbp 16 + .ra: .cfa -8 + ^"},
		{name: "def_cfa_register", program: []byte{0x0d, 6}, want: ".cfa: $rbp 8 + .ra: .cfa -8 + ^"},
		{name: "def_cfa_offset", program: []byte{0x0e, 0x90, 1}, want: ".cfa: $rsp 144 + .ra: .cfa -8 + ^"},
		{name: "def_cfa_offset_sf", program: []byte{0x13, 0x7e}, want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^"},
		{name: "remember and restore", program: []byte{0x0a, 0x0e, 99, 0x83, 2, 0x0b}, want: same},
		{name: "nested", program: []byte{0x0a, 0x83, 2, 0x0a, 0x0e, 99, 0x0b, 0x0e, 24}, want: ".cfa: $rsp 24 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^"},
		{name: "GNU_args_size", program: []byte{0x2e, 0x80, 1}, want: same},
		{name: "undefined return address", program: []byte{0x07, 16}, want: ".cfa: $rsp 8 + .ra: .undef"},
		{name: "return address in a register", program: []byte{0x09, 16, 2}, want: ".cfa: $rsp 8 + .ra: $rcx"},
		{name: "return address in one without a name", program: []byte{0x09, 16, 99}, want: "none"},
		{name: "def_cfa of a register without a name", program: []byte{0x0c, 99, 8}, want: "none"},
		{name: "expression", program: []byte{0x10, 3, 2, 0x76, 0x70}, want: same + " $rbx: $rbp -16 + ^"},
		{name: "val_expression", program: []byte{0x16, 3, 4, 0x23, 8, 0x35, 0x22}, want: same + " $rbx: .cfa 8 + 5 +"},
		{name: "def_cfa_expression", program: []byte{0x0f, 3, 0x76, 0x70, 0x06}, want: ".cfa: $rbp -16 + ^ .ra: .cfa -8 + ^"},
		{name: "an expression that calls", program: []byte{0x10, 3, 3, 0x98, 0, 0}, want: same + " $rbx: .undef"},
		{name: "a CFA that calls", program: []byte{0x0f, 3, 0x98, 0, 0}, want: "none"},
		{name: "a return address that calls", program: []byte{0x16, 16, 3, 0x98, 0, 0}, want: "none"},
		{name: "an empty CFA", program: []byte{0x0f, 0}, want: "none"},

		{name: "unknown", program: []byte{0x17}, want: "none", note: "cfi: .eh_frame FDE at 0x28: the instruction 0x17 is not known"},
		{name: "another CPU's", program: []byte{0x2d}, want: "none", note: "cfi: .eh_frame FDE at 0x28: the instruction 0x2d is not one of amd64"},
		{name: "nothing to restore", program: []byte{0x0b}, want: "none", note: "cfi: .eh_frame FDE at 0x28: no state is remembered"},
		{name: "offset of an expression", program: []byte{0x0f, 1, 0x57, 0x0e, 8}, want: "none", note: "cfi: .eh_frame FDE at 0x2b: the CFA is not in a register, and gets the offset 8"},
		{name: "back", program: join([]byte{0x01}, []byte{0, 0, 0, 0}), want: "none", note: "cfi: .eh_frame FDE at 0x28: the address 0x0 is below 0x401004"},
		{name: "an expression that is too long", program: []byte{0x0f, 9}, want: "none", note: "cfi: .eh_frame FDE at 0x28: an expression of 9 bytes, and 0 are left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := ehFrame(0x50_0000)
			cie := f.cie(amd64CIE(0x03)) // absolute, 4 bytes
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0, 0x44}, tt.program)
			table := mustOpen(t, amd64(t, f))
			if got := at(table, 0x1004); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := strings.Join(table.Notes(), "; "); got != tt.note {
				t.Errorf("notes %q, want %q", got, tt.note)
			}
			if got := at(table, 0x1003); got != same {
				t.Errorf("before: %s", got)
			}
		})
	}
}

// TestAdvance moves in each way; a row holds up to the next one.
func TestAdvance(t *testing.T) {
	tests := []struct {
		name string
		move func(f *frames) []byte
	}{
		{"advance_loc", func(*frames) []byte { return []byte{0x44} }},
		{"advance_loc1", func(*frames) []byte { return []byte{2, 4} }},
		{"advance_loc2", func(*frames) []byte { return []byte{3, 4, 0} }},
		{"advance_loc4", func(*frames) []byte { return []byte{4, 4, 0, 0, 0} }},
		{"MIPS_advance_loc8", func(*frames) []byte { return []byte{0x1d, 4, 0, 0, 0, 0, 0, 0, 0} }},
		{"set_loc", func(f *frames) []byte { return append([]byte{1}, f.u32(0x40_1004)...) }},
		{"in two steps", func(*frames) []byte { return []byte{0x41, 0x43} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := ehFrame(0x50_0000)
			cie := f.cie(amd64CIE(0x03))
			f.fde(cie, f.u32(0x40_1000, 16), []byte{0}, tt.move(f), []byte{0x0e, 16, 0x44, 0x0e, 24})
			table := mustOpen(t, amd64(t, f))
			for rel, want := range map[uint64]string{
				0xfff: "none", 0x1000: "$rsp 8 +", 0x1003: "$rsp 8 +", 0x1004: "$rsp 16 +", 0x1007: "$rsp 16 +",
				0x1008: "$rsp 24 +", 0x100f: "$rsp 24 +", 0x1010: "none", 1 << 40: "none", ^uint64(0): "none",
			} {
				got, _, _ := strings.Cut(strings.TrimPrefix(at(table, rel), ".cfa: "), " .ra:")
				if got != want {
					t.Errorf("%#x: %s, want %s", rel, got, want)
				}
			}
		})
	}
}

// TestRegisters looks at CPUs whose registers and defaults differ. The
// function saves its frame pointer or what is register 8.
func TestRegisters(t *testing.T) {
	tests := []struct {
		arch    string
		word    int
		ra      byte
		program []byte
		want    string
	}{
		{"x86", 4, 8, []byte{0x0c, 4, 4, 0x88, 1, 0x85, 2}, ".cfa: $esp 4 + .ra: .cfa -4 + ^ $ebp: .cfa -8 + ^"},
		{"amd64", 8, 16, []byte{0x0c, 7, 8, 0x90, 1, 0x8f, 2}, ".cfa: $rsp 8 + .ra: .cfa -8 + ^ $r15: .cfa -16 + ^"},
		{"arm", 4, 14, []byte{0x0c, 13, 0, 0x8b, 2}, ".cfa: sp 0 + .ra: lr r11: .cfa -8 + ^"},
		{"arm64", 8, 30, []byte{0x0c, 31, 0, 0x9d, 2, 0x2d}, ".cfa: sp 0 + .ra: x30 x29: .cfa -16 + ^"},
		{"arm64", 8, 15, []byte{0x0c, 31, 0}, ".cfa: sp 0 + .ra: x15"},
		{"arm64", 8, 30, []byte{0x0c, 31, 0, 0x05, 72, 2}, ".cfa: sp 0 + .ra: x30 v8: .cfa -16 + ^"},
		{"mips", 4, 31, []byte{0x0d, 29, 0x9e, 1, 0x9f, 2}, ".cfa: $sp 0 + .ra: .cfa -8 + ^ $fp: .cfa -4 + ^"},
		{"mips64", 8, 31, []byte{0x0d, 29, 0x9c, 1}, ".cfa: $sp 0 + .ra: $ra $gp: .cfa -8 + ^"},
		{"riscv64", 8, 1, []byte{0x0d, 2, 0x88, 2}, ".cfa: sp 0 + .ra: ra s0: .cfa -16 + ^"},
		{"riscv", 4, 1, []byte{0x0d, 2, 0x9b, 2}, ".cfa: sp 0 + .ra: ra s11: .cfa -8 + ^"},
		{"ppc", 4, 65, []byte{0x0c, 1, 16, 0x11, 65, 0x7f, 0x9f, 1}, ".cfa: r1 16 + .ra: .cfa 4 + ^ r31: .cfa -4 + ^"},
		{"ppc64", 8, 65, []byte{0x0c, 1, 0}, ".cfa: r1 0 + .ra: lr"},
		{"sparc", 4, 15, []byte{0x0c, 14, 0}, ".cfa: o6 0 + .ra: o7 8 +"},
		{"sparc", 4, 15, []byte{0x0c, 30, 0, 0x09, 15, 31}, ".cfa: i6 0 + .ra: i7 8 +"},
	}
	for _, tt := range tests {
		t.Run(tt.arch, func(t *testing.T) {
			f := debugFrame()
			align := byte(0x7c)
			if tt.word == 8 {
				align = 0x78
			}
			cie := f.cie([]byte{3, 0, 1, align, tt.ra}, tt.program)
			word := func(v uint32) []byte {
				if tt.word == 8 {
					return f.u64(uint64(v))
				}
				return f.u32(v)
			}
			f.fde(cie, word(0x1000), word(16))
			s := Sections{DebugFrame: Section{Data: source(f.s.Build(t))}, Arch: tt.arch, Word: tt.word}
			table := mustOpen(t, s)
			if got := at(table, 0x1000); got != tt.want || len(table.Notes()) > 0 {
				t.Errorf("%s, want %s; notes %q", got, tt.want, table.Notes())
			}
		})
	}
}

// SPARC's window_save saves the locals and ins at the CFA.
func TestWindow(t *testing.T) {
	f := debugFrame()
	f.order = bigEndian
	f.s.BigEndian()
	cie := f.cie([]byte{3, 0, 1, 0x7c, 15, 0x0c, 14, 0})
	f.fde(cie, f.u32(0x1000, 16), []byte{0x2d})
	table := mustOpen(t, Sections{DebugFrame: Section{Data: source(f.s.Build(t))}, Arch: "sparc", Word: 4, Order: bigEndian})
	got := at(table, 0x1000)
	if !strings.HasPrefix(got, ".cfa: o6 0 + .ra: o7 8 + l0: .cfa ^ l1: .cfa 4 + ^") || !strings.HasSuffix(got, "i7: .cfa 60 + ^") {
		t.Error(got)
	}
}

// On Macs, __eh_frame has esp and ebp the other way round.
func TestMacRegisters(t *testing.T) {
	f := ehFrame(0x5000)
	cie := f.cie([]byte{1, 0, 1, 0x7c, 8, 0x0c, 5, 4, 0x88, 1, 0x84, 2})
	f.fde(cie, f.u32(0x1000, 16))
	s := Sections{EHFrame: Section{Data: source(f.s.Build(t)), Addr: 0x5000}, Arch: "x86", Word: 4, Mac: true}
	if got, want := at(mustOpen(t, s), 0x1000), ".cfa: $esp 4 + .ra: .cfa -4 + ^ $ebp: .cfa -8 + ^"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
