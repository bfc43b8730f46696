package pe

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// packedWord is the second word of a packed entry of a function.
func packedWord(size int, regF, regI, homes, cr, frame uint32) uint32 {
	return armPacked | uint32(size)<<2 | regF<<13 | regI<<16 | homes<<20 | cr<<21 | frame/16<<23
}

// TestARM64Packed has canonical prologs and epilogs as "Packed unwind data"
// describes them, one per line of its table.
func TestARM64Packed(t *testing.T) {
	homes := "stp x0,x1,[sp,#%]; stp x2,x3,[sp,#%]; stp x4,x5,[sp,#%]; stp x6,x7,[sp,#%]"
	at := func(offs ...string) string {
		s := homes
		for _, o := range offs {
			s = strings.Replace(s, "%", o, 1)
		}
		return s
	}
	tests := []struct {
		name                         string
		regF, regI, homes, cr, frame uint32
		prolog, epilog               string
	}{
		{"locals alone", 0, 0, 0, 0, 32, "sub sp,sp,#32", "add sp,sp,#32; ret"},
		{"two registers", 0, 2, 0, 0, 16, "stp x19,x20,[sp,#-16]!", "ldp x19,x20,[sp],#16; ret"},
		{"one register", 0, 1, 0, 0, 48, "str x19,[sp,#-16]!; sub sp,sp,#32", "add sp,sp,#32; ldr x19,[sp],#16; ret"},
		{"three registers", 0, 3, 0, 0, 32, "stp x19,x20,[sp,#-32]!; str x21,[sp,#16]", "ldr x21,[sp,#16]; ldp x19,x20,[sp],#32; ret"},
		{"lr alone", 0, 0, 0, 1, 32, "str x30,[sp,#-16]!; sub sp,sp,#16", "add sp,sp,#16; ldr x30,[sp],#16; ret"},
		{"lr behind an even number", 0, 2, 0, 1, 32, "stp x19,x20,[sp,#-32]!; str x30,[sp,#16]", "ldr x30,[sp,#16]; ldp x19,x20,[sp],#32; ret"},
		{"lr with an odd one", 0, 3, 0, 1, 32, "stp x19,x20,[sp,#-32]!; stp x21,x30,[sp,#16]", "ldp x21,x30,[sp,#16]; ldp x19,x20,[sp],#32; ret"},
		{"lr with x19, which cannot push", 0, 1, 0, 1, 16, "sub sp,sp,#16; stp x19,x30,[sp]", "ldp x19,x30,[sp]; add sp,sp,#16; ret"},
		{"vector registers alone", 1, 0, 0, 0, 16, "stp d8,d9,[sp,#-16]!", "ldp d8,d9,[sp],#16; ret"},
		{"an odd number of them", 2, 1, 0, 0, 32, "str x19,[sp,#-32]!; stp d8,d9,[sp,#8]; str d10,[sp,#24]", "ldr d10,[sp,#24]; ldp d8,d9,[sp,#8]; ldr x19,[sp],#32; ret"},
		{"chained", 0, 2, 0, 3, 48, "stp x19,x20,[sp,#-16]!; stp x29,x30,[sp,#-32]!; mov x29,sp", "ldp x29,x30,[sp],#32; ldp x19,x20,[sp],#16; ret"},
		{"chained and signed", 0, 0, 0, 2, 32, "pacibsp; stp x29,x30,[sp,#-32]!; mov x29,sp", "ldp x29,x30,[sp],#32; autibsp; ret"},
		{"chained, 512 bytes", 0, 0, 0, 3, 512, "stp x29,x30,[sp,#-512]!; mov x29,sp", "ldp x29,x30,[sp],#512; ret"},
		{"chained, more", 0, 1, 0, 3, 2080, "str x19,[sp,#-16]!; sub sp,sp,#2064; stp x29,x30,[sp]; mov x29,sp", "ldp x29,x30,[sp]; add sp,sp,#2064; ldr x19,[sp],#16; ret"},
		{"more than one instruction can take", 0, 0, 0, 0, 5008, "sub sp,sp,#4080; sub sp,sp,#928", "add sp,sp,#928; add sp,sp,#4080; ret"},
		{"homed arguments", 0, 2, 1, 3, 112, "stp x19,x20,[sp,#-80]!; " + at("16", "32", "48", "64") + "; stp x29,x30,[sp,#-32]!; mov x29,sp",
			"ldp x29,x30,[sp],#32; ldp x19,x20,[sp],#80; ret"},
		{"homed arguments and no register", 0, 0, 1, 3, 96, "stp x29,x30,[sp,#-96]!; mov x29,sp; " + at("32", "48", "64", "80"), "ldp x29,x30,[sp],#96; ret"},
	}
	for _, tt := range tests {
		p := armProgram{prolog: strings.Split(tt.prolog, "; "), epilog: strings.Split(tt.epilog, "; ")}
		p.packed = packedWord(p.size()/4, tt.regF, tt.regI, tt.homes, tt.cr, tt.frame)
		if err := p.run(t); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// armAt is the rules at an instruction of a function of 16 with these codes,
// and whether what they lead to was interrupted.
func armAt(t *testing.T, header uint32, codes []byte, n uint64) (string, bool, []string) {
	t.Helper()
	words := uint32(len(codes)+3) / 4
	p := armProgram{prolog: make([]string, 13), record: asm.At(0).U32(header | 16 | words<<27).Bytes(codes).Align(4).Build(t)}
	f := p.file(t)
	cf, ok := f.CallFrame(text + 0x10 + 4*n)
	if !ok {
		return "", false, f.Notes()
	}
	return unwind.RuleText(cf.Rules), cf.Signal, f.Notes()
}

// TestARM64Codes has what compilers do not make of every function.
func TestARM64Codes(t *testing.T) {
	const oneInHeader = 1 << 21
	tests := []struct {
		name   string
		header uint32
		codes  []byte
		at     uint64
		want   string
		signal bool
	}{
		{name: "nothing", header: 0, codes: []byte{0xe4}, at: 5, want: ".cfa: sp 0 + .ra: x30"},
		{name: "a part without a prolog", header: 0, codes: []byte{0xe5, 0xe1, 0x81, 0xe4}, at: 0, want: ".cfa: x29 16 + .ra: .cfa -8 + ^ x29: .cfa -16 + ^"},
		{name: "and with an epilog", header: oneInHeader | 1<<22, codes: []byte{0xe5, 0xe1, 0x81, 0xe4}, at: 14, want: ".cfa: sp 16 + .ra: .cfa -8 + ^ x29: .cfa -16 + ^"},
		{name: "shrink wrapping", header: 0, codes: []byte{0xc8, 0x82, 0xe5, 0xe1, 0x9f, 0xe4}, at: 0, want: ".cfa: x29 256 + .ra: .cfa -248 + ^ x29: .cfa -256 + ^"},
		{name: "shrink wrapping, behind the save", header: 0, codes: []byte{0xc8, 0x82, 0xe5, 0xe1, 0x9f, 0xe4}, at: 1,
			want: ".cfa: x29 256 + .ra: .cfa -248 + ^ x21: sp 16 + ^ x22: sp 24 + ^ x29: .cfa -256 + ^", signal: false},
		{name: "an instruction of the future", header: 0, codes: []byte{0xf9, 1, 2, 0x01, 0xe4}, at: 1, want: ".cfa: sp 16 + .ra: x30"},
		{name: "pairs behind x28 are vectors", header: 0, codes: []byte{0xe6, 0xca, 0x01, 0x02, 0xe4}, at: 3, want: ".cfa: sp 32 + .ra: x30 x27: .cfa -24 + ^ x28: .cfa -16 + ^"},
		{name: "save_any_reg with a push", header: 0, codes: []byte{0xe7, 0x20 | 30, 0x01, 0xe4}, at: 2, want: ".cfa: sp 32 + .ra: .cfa -32 + ^"},
		{name: "save_any_reg of d and q", header: 0, codes: []byte{0xe7, 0x09, 0x42, 0xe7, 0x48, 0x83, 0xe4}, at: 5, want: ".cfa: sp 0 + .ra: x30"},
		{name: "a machine frame", header: 0, codes: []byte{0x02, 0xe9, 0xe4}, at: 3, want: ".cfa: sp 32 + ^ .ra: sp 40 + ^", signal: true},
		{name: "the caller was interrupted", header: 0, codes: []byte{0x01, 0xec, 0xe4}, at: 4, want: ".cfa: sp 16 + .ra: x30", signal: true},
	}
	for _, tt := range tests {
		got, signal, notes := armAt(t, tt.header, tt.codes, tt.at)
		if got != tt.want || signal != tt.signal {
			t.Errorf("%s:\n got %s %v %q\nwant %s", tt.name, got, signal, notes, tt.want)
		}
	}
}

// TestARM64Context takes all registers from what the kernel has saved.
func TestARM64Context(t *testing.T) {
	for code, want := range map[byte][]string{
		0xe8: {".cfa: sp 152 + ^", ".ra: sp 328 + ^", "x0: sp 160 + ^", "x18: sp 304 + ^", "x29: sp 320 + ^", "x30: sp 312 + ^"},
		0xea: {".cfa: sp 256 + ^", ".ra: sp 264 + ^", "x0: sp 8 + ^", "x28: sp 232 + ^", "x29: sp 240 + ^", "x30: sp 248 + ^"},
	} {
		got, signal, notes := armAt(t, 0, []byte{code, 0xe4}, 0)
		for _, rule := range want {
			if !strings.Contains(got+" ", rule+" ") || !signal {
				t.Errorf("%#x: %s is not in %s %q", code, rule, got, notes)
			}
		}
	}
}

// TestARM64Damaged has records that contradict themselves: no rules, and a
// note that says where.
func TestARM64Damaged(t *testing.T) {
	tests := []struct {
		name   string
		header uint32
		codes  []byte
		want   string
	}{
		{"version", 1 << 18, []byte{0xe4}, "unwind record of function 0x1010 at 0x600: version 1 is not 0"},
		{"no end", 0, []byte{1, 1, 1, 1}, "unwind record of function 0x1010: codes at 0x604: no end in 4 bytes"},
		{"cut code", 0, []byte{1, 1, 1, 0xc8}, "unwind record of function 0x1010: codes at 0x607: code 0xc8 needs 2 bytes, have 1"},
		{"unknown code", 0, []byte{0xf1, 0xe4}, "unwind record of function 0x1010: codes at 0x604: code 0xf1 is not known"},
		{"no such register", 0, []byte{0xcb, 0xc0, 0xe4}, "unwind record of function 0x1010: codes at 0x604: code 0xcbc0 saves registers that do not exist"},
		{"no such lr pair", 0, []byte{0xd7, 0xc0, 0xe4}, "unwind record of function 0x1010: codes at 0x604: code 0xd7c0 saves registers that do not exist"},
		{"save_any_reg of nothing", 0, []byte{0xe7, 0x01, 0xc0, 0xe4}, "unwind record of function 0x1010: codes at 0x604: code 0xe701c0 saves registers that do not exist"},
		{"save_next alone", 0, []byte{0xe6, 0x01, 0xe4}, "unwind record of function 0x1010: save_next without a pair before it"},
		{"behind a context", 0, []byte{0xea, 0x01, 0xe4}, "unwind record of function 0x1010: codes behind a saved context"},
		{"fp restored twice", 0, []byte{0x81, 0xe1, 0xe4}, "unwind record of function 0x1010: frame register x29 is restored before it is used"},
		{"epilog longer than the code", 1 << 21, append(make([]byte, 20), 0xe4), "unwind record of function 0x1010: an epilog of 21 instructions in 16"},
		{"more epilogs than instructions", 17 << 22, []byte{0xe4}, "unwind record of function 0x1010 at 0x600: 17 epilogs in 16 instructions"},
	}
	for _, tt := range tests {
		got, _, notes := armAt(t, tt.header, tt.codes, 13)
		if got != "" || len(notes) != 1 || notes[0] != "pe: "+tt.want {
			t.Errorf("%s: %s\n got %q\nwant %q", tt.name, got, notes, tt.want)
		}
	}
}

func TestARM64PackedDamaged(t *testing.T) {
	tests := []struct {
		word uint32
		want string
	}{
		{packedWord(16, 0, 11, 0, 0, 96), "pe: unwind record of function 0x1010: 11 registers from x19 on"},
		{packedWord(16, 0, 4, 0, 0, 16), "pe: unwind record of function 0x1010: 32 bytes of registers in a frame of 16"},
		{packedWord(16, 0, 2, 0, 3, 16), "pe: unwind record of function 0x1010: no room for fp and lr in a frame of 16"},
		{packedWord(1, 0, 2, 0, 0, 16), "pe: unwind record of function 0x1010: an epilog of 2 instructions in 1"},
		{16<<2 | 3, "pe: unwind record of function 0x1010: flag 3 is reserved"},
	}
	for _, tt := range tests {
		p := armProgram{prolog: make([]string, 13), packed: tt.word}
		f := p.file(t)
		if cf, ok := f.CallFrame(text + 0x10); ok || len(f.Notes()) != 1 || f.Notes()[0] != tt.want {
			t.Errorf("%#x: %v %q, want %q", tt.word, cf, f.Notes(), tt.want)
		}
	}
}

// TestARM64Owners has an entry whose size lies, with a function inside it, and
// one whose record is not in the file.
func TestARM64Owners(t *testing.T) {
	const outer, inner, lost = text, text + 0x20, text + 0x80
	f := open(t, newImage(machineARM64).section(t, ".text", code, asm.At(text).Zeros(0x100)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(outer, packedWord(16, 0, 2, 0, 0, 16), inner, packedWord(4, 0, 2, 0, 0, 16), lost, 0x9_0000)).
		dir(dirException, pdata, 24).build(t))
	for rel, want := range map[uint64]uint64{outer: outer, inner: inner, inner + 0xc: inner, inner + 0x10: outer, text + 0x40: text + 0x40, lost: 0} {
		if cf, ok := f.CallFrame(rel); ok != (want > 0) || cf.Start != want {
			t.Errorf("%#x: %+v, %v, want rules from %#x on", rel, cf, ok, want)
		}
	}
	want := []string{"pe: exception directory at 0x600: entries overlap, the first at 0x1020: of those that cover an address the last to begin is used",
		"pe: unwind record of function 0x1080 at 0x90000: this address is not in the file"}
	if got := f.Notes(); !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// TestARM64Fragment has no prolog and no epilog of its own.
func TestARM64Fragment(t *testing.T) {
	p := armProgram{prolog: make([]string, 13), packed: packedWord(16, 0, 2, 0, 3, 48)&^3 | armFragment}
	f := p.file(t)
	for n := range uint64(16) {
		cf, _ := f.CallFrame(text + 0x10 + 4*n)
		if got, want := unwind.RuleText(cf.Rules), ".cfa: x29 48 + .ra: .cfa -40 + ^ x29: .cfa -48 + ^ x19: .cfa -16 + ^ x20: .cfa -8 + ^"; got != want {
			t.Errorf("instruction %d: %s, want %s", n, got, want)
		}
	}
}

// TestARM64Leaf asks for code without an entry.
func TestARM64Leaf(t *testing.T) {
	p := armProgram{prolog: make([]string, 13), packed: packedWord(16, 0, 2, 0, 0, 16)}
	f := p.file(t)
	cf, ok := f.CallFrame(text + 0x10 + 4*16)
	if !ok || unwind.RuleText(cf.Rules) != ".cfa: sp 0 + .ra: x30" || cf.Start != text+0x10+4*16 || cf.From != "the lack of unwind codes" {
		t.Errorf("%+v, %v", cf, ok)
	}
	for _, call := range []uint32{0x9400_1234, 0x97ff_ffff, 0xd63f_0100, 0xd63f_091f, 0xd73f_0820} {
		im := newImage(machineARM64).
			section(t, ".text", code, asm.At(text).U32(0xd503201f, call, 0xd503201f)).
			section(t, ".pdata", readOnly, asm.At(pdata).U32(text+8, packedWord(1, 0, 0, 0, 0, 0))).
			dir(dirException, pdata, 8)
		f := open(t, im.build(t))
		if _, ok := f.CallFrame(text); !ok {
			t.Error("no rules for nop")
		}
		if cf, ok := f.CallFrame(text + 4); ok {
			t.Errorf("%#x calls, and has rules %v", call, cf.Rules)
		}
	}
}
