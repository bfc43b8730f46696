package pe

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// info is an UNWIND_INFO: version and flags, size of the prolog, frame
// register and its offset in 16 bytes, codes in slots of two bytes.
func info(version, flags, prolog, frame byte, codes ...byte) *asm.Section {
	s := asm.At(0).U8(version|flags<<3, prolog, byte(len(codes)/2), frame).Bytes(codes)
	return s.Align(4)
}

// at is the rules at an offset into a function with this code and record, or
// what is wrong.
func at(t *testing.T, functionCode []byte, record *asm.Section, off uint64) (string, bool) {
	t.Helper()
	f := open(t, amd64Image(t, functionCode, record.Build(t)))
	cf, ok := f.CallFrame(text + 0x10 + off)
	if !ok {
		return strings.Join(f.Notes(), "; "), false
	}
	return strings.TrimSuffix(strings.TrimSuffix(unwind.RuleText(cf.Rules), " $rdi: $rdi"), " $rsi: $rsi"), cf.Signal
}

// nops is code that does nothing.
func nops(n int) []byte { return bytes.Repeat([]byte{0x90}, n) }

func TestAMD64Codes(t *testing.T) {
	tests := []struct {
		name   string
		record *asm.Section
		want   string
		signal bool
	}{
		{name: "nothing", record: info(1, 0, 0, 0), want: ".cfa: $rsp 8 + .ra: .cfa -8 + ^"},
		{name: "push", record: info(1, 0, 2, 0, 2, 3<<4), want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^"},
		{name: "push of what need not be kept", record: info(1, 0, 2, 0, 2, 1<<4), want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^"},
		{name: "small", record: info(1, 0, 4, 0, 4, 2|15<<4), want: ".cfa: $rsp 136 + .ra: .cfa -8 + ^"},
		{name: "large, in words", record: info(1, 0, 7, 0, 7, 1, 0xff, 0xff), want: ".cfa: $rsp 524288 + .ra: .cfa -8 + ^"},
		{name: "large, in bytes", record: info(1, 0, 7, 0, 7, 1|1<<4, 8, 0, 0, 0xf0), want: ".cfa: $rsp 4026531856 + .ra: .cfa -8 + ^"},
		{name: "frame register", record: info(1, 0, 8, 5|3<<4, 8, 3, 4, 2|9<<4, 1, 5<<4), want: ".cfa: $rbp 48 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{name: "saved by the frame register", record: info(1, 0, 12, 5|1<<4, 12, 4|3<<4, 2, 0, 8, 3, 4, 2|3<<4, 1, 5<<4),
			want: ".cfa: $rbp 32 + .ra: .cfa -8 + ^ $rbx: .cfa -32 + ^ $rbp: .cfa -16 + ^", signal: false},
		{name: "saved", record: info(1, 0, 8, 0, 8, 4|12<<4, 3, 0, 4, 2), want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $r12: .cfa 8 + ^"},
		{name: "saved far", record: info(1, 0, 8, 0, 8, 5|15<<4, 8, 0, 1, 0, 4, 2), want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $r15: .cfa 65528 + ^"},
		{name: "vector registers", record: info(1, 0, 9, 0, 9, 8|6<<4, 1, 0, 8, 9|7<<4, 0, 0, 1, 0, 7, 6, 0, 0, 6, 7, 0, 0, 0, 0, 4, 2),
			want: ".cfa: $rsp 16 + .ra: .cfa -8 + ^", signal: false},
		{name: "interrupted", record: info(1, 0, 5, 0, 5, 2, 1, 3<<4, 0, 10),
			want: ".cfa: $rsp 40 + ^ .ra: $rsp 16 + ^ $rbx: $rsp 8 + ^ $eflags: $rsp 32 + ^", signal: true},
		{name: "interrupted with an error code", record: info(1, 0, 1, 0, 1, 0<<4, 0, 10|1<<4),
			want: ".cfa: $rsp 40 + ^ .ra: $rsp 16 + ^ $rax: $rsp ^ $eflags: $rsp 32 + ^", signal: true},
	}
	for _, tt := range tests {
		got, signal := at(t, nops(0x40), tt.record, 0x20)
		if got != tt.want || signal != tt.signal {
			t.Errorf("%s:\n got %s %v\nwant %s", tt.name, got, signal, tt.want)
		}
	}
}

func TestAMD64Damaged(t *testing.T) {
	const of = "pe: unwind codes of function 0x1010"
	tests := []struct {
		name   string
		record *asm.Section
		want   string
	}{
		{"version 0", info(0, 0, 0, 0), of + " at 0x604: version 0 is neither 1 nor 2"},
		{"version 3", info(3, 0, 0, 0), of + " at 0x604: version 3, for registers of APX, is not read: its layout is not final"},
		{"unknown operation", info(1, 0, 2, 0, 2, 11), of + " at 0x606: operation 11 is not known"},
		{"cut operation", info(1, 0, 2, 0, 2, 1), of + " at 0x606: need 2 bytes, have 0"},
		{"codes cut", asm.At(0).U8(1, 0, 200, 0).Zeros(0x10), of + " at 0x604: need 400 bytes, have 16"},
		{"rsp pushed", info(1, 0, 2, 0, 2, 4<<4), of + ": rsp is popped"},
		{"rsp saved", info(1, 0, 2, 0, 2, 4|4<<4, 0, 0), of + ": rsp is saved"},
		{"rsp as frame register", info(1, 0, 2, 4, 2, 3), of + ": rsp is the frame register"},
		{"no frame register", info(1, 0, 2, 0, 2, 3), of + ": no frame register to set"},
		{"frame register restored first", info(1, 0, 2, 5, 2, 5<<4, 1, 3), of + ": frame register $rbp is restored before it is used"},
		{"behind a machine frame", info(1, 0, 2, 0, 2, 10, 1, 2), of + ": codes behind a machine frame"},
	}
	for _, tt := range tests {
		if got, _ := at(t, nops(0x40), tt.record, 0x20); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestAMD64Epilogs2 has epilogs that the record tells: 3 bytes from the first
// pop on, at the end and 0x20 bytes before it.
//
//	5b      pop rbx
//	41 5c   pop r12
//	c3      ret
func TestAMD64Epilogs2(t *testing.T) {
	record := info(2, 0, 8, 0, 4, 6|1<<4, 0x20, 6, 8, 2|3<<4, 4, 3<<4, 3, 12<<4)
	body := ".cfa: $rsp 56 + .ra: .cfa -8 + ^ $rbx: .cfa -24 + ^ $r12: .cfa -16 + ^"
	popped := map[uint64]string{
		0: ".cfa: $rsp 24 + .ra: .cfa -8 + ^ $rbx: .cfa -24 + ^ $r12: .cfa -16 + ^",
		1: ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $r12: .cfa -16 + ^",
		3: ".cfa: $rsp 8 + .ra: .cfa -8 + ^",
	}
	for _, start := range []uint64{0x40 - 0x20, 0x40 - 4} {
		for off, want := range popped {
			if got, _ := at(t, nops(0x40), record, start+off); got != want {
				t.Errorf("%#x: %s, want %s", start+off, got, want)
			}
		}
	}
	for _, off := range []uint64{0x1f, 0x24, 0x3b} {
		if got, _ := at(t, nops(0x40), record, off); got != body {
			t.Errorf("%#x: %s, want %s", off, got, body)
		}
	}
	// Of version 2 code says nothing: this is a constant that looks like ret.
	if got, _ := at(t, bytes.Repeat([]byte{0xc3}, 0x40), record, 0x30); got != body {
		t.Errorf("ret: %s", got)
	}
}

// TestAMD64Epilogs2Odd pops flags, and returns from an interrupt.
func TestAMD64Epilogs2Odd(t *testing.T) {
	tests := []struct {
		name   string
		record *asm.Section
		off    uint64
		want   string
	}{
		{"flags", info(2, 0, 8, 0, 3, 6|1<<4, 0, 6, 4, 3<<4, 2, 2), 0x3d, ".cfa: $rsp 24 + .ra: .cfa -8 + ^ $rbx: .cfa -24 + ^"},
		{"flags are next", info(2, 0, 8, 0, 3, 6|1<<4, 0, 6, 4, 3<<4, 2, 2), 0x3e, ".cfa: $rsp 16 + .ra: .cfa -8 + ^"},
		{"flags are popped", info(2, 0, 8, 0, 3, 6|1<<4, 0, 6, 4, 3<<4, 2, 2), 0x3f, ".cfa: $rsp 8 + .ra: .cfa -8 + ^"},
		{"iretq", info(2, 0, 8, 0, 3, 6|1<<4, 0, 6, 4, 3<<4, 0, 10), 0x3e, ".cfa: $rsp 24 + ^ .ra: $rsp ^ $eflags: $rsp 16 + ^"},
		{"no push", info(2, 0, 8, 0, 1, 6|1<<4, 0, 6, 4, 2|3<<4), 0x3f, ".cfa: $rsp 8 + .ra: .cfa -8 + ^"},
		{"something else", info(2, 0, 8, 0, 3, 6|1<<4, 0, 6, 4, 3<<4, 3, 2|1<<4, 2, 5<<4), 0x3d,
			"pe: epilog of function 0x1010: operation 2 is behind the pushes"},
		{"pushes of the parent", chained(t, 2, 0, []byte{4, 6 | 1<<4, 0, 6}, info(2, 0, 8, 0, 1, 3<<4)), 0x3c, ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^"},
	}
	for _, tt := range tests {
		if got, _ := at(t, nops(0x40), tt.record, tt.off); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// chained is a record, followed by the one of the function that it is a part of.
func chained(t *testing.T, version, frame byte, codes []byte, parent *asm.Section) *asm.Section {
	child := info(version, flagChained, 0, frame, codes...)
	return child.U32(text, text+8, xdata+uint32(child.Here())+12).Bytes(parent.Build(t))
}

func TestAMD64Chained(t *testing.T) {
	parent := func() *asm.Section { return info(1, 0, 8, 0, 8, 2|3<<4, 4, 5<<4) }
	tests := []struct {
		name   string
		record *asm.Section
		off    uint64
		want   string
	}{
		{"both", chained(t, 1, 0, []byte{4, 4 | 3<<4, 1, 0}, parent()), 0x20, ".cfa: $rsp 48 + .ra: .cfa -8 + ^ $rbx: .cfa -40 + ^ $rbp: .cfa -16 + ^"},
		{"before the save", chained(t, 1, 0, []byte{4, 4 | 3<<4, 1, 0}, parent()), 3, ".cfa: $rsp 48 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{"frame register of the parent", chained(t, 1, 0, nil, info(1, 0, 8, 5, 8, 3, 4, 2|3<<4, 2, 5<<4)), 0x20, ".cfa: $rbp 48 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^"},
		{"in a circle", info(1, flagChained, 0, 0).U32(text, text+8, xdata), 0x20,
			"pe: unwind codes of function 0x1010: more than 32 records are chained"},
		{"cut", asm.At(0).U8(1|flagChained<<3, 0, 0, 0, 1, 2, 3), 0x20, "pe: unwind codes of function 0x1010 at 0x604: need 4 bytes, have 3"},
		{"nowhere", info(1, flagChained, 0, 0).U32(text, text+8, 0x7000), 0x20, "pe: unwind codes of function 0x1000 at 0x7000: this address is not in the file"},
	}
	for _, tt := range tests {
		if got, _ := at(t, nops(0x40), tt.record, tt.off); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestAMD64Indirect has an entry that stands for another.
func TestAMD64Indirect(t *testing.T) {
	im := newImage(machineAMD64).
		section(t, ".text", code, asm.At(text).Bytes(nops(0x40))).
		section(t, ".xdata", readOnly, info(1, 0, 2, 0, 2, 3<<4)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x20, xdata, text+0x20, text+0x40, pdata+1)).
		dir(dirException, pdata, 24)
	im.sections[1].rva = xdata
	cf, ok := open(t, im.build(t)).CallFrame(text + 0x30)
	if want := ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^ $rsi: $rsi $rdi: $rdi"; !ok || unwind.RuleText(cf.Rules) != want {
		t.Errorf("%s, %v", unwind.RuleText(cf.Rules), ok)
	}
}

// TestAMD64NoEpilog has code that looks like an epilog, or like none, in the
// body of a function that has pushed rbx and taken 0x20 bytes.
func TestAMD64NoEpilog(t *testing.T) {
	const (
		whole    = ".cfa: $rsp 48 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^"
		released = ".cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^"
		done     = ".cfa: $rsp 8 + .ra: .cfa -8 + ^"
	)
	tests := []struct {
		name string
		code []byte // at 0x10
		off  uint64
		want string
	}{
		{"jump out of the middle", []byte{0xe9, 0x80, 0xff, 0xff, 0xff}, 0x10, whole},
		{"jump behind a pop", []byte{0x5b, 0xe9, 0xda, 0xff, 0xff, 0xff}, 0x11, done},
		{"jump inside of the function behind a pop", []byte{0x5b, 0xeb, 0x10}, 0x11, whole},
		{"jump to itself behind a pop", []byte{0x5b, 0xeb, 0xed}, 0x11, done},
		{"jump to what is no code", []byte{0x5b, 0xe9, 0, 0, 0, 0x10}, 0x11, whole},
		{"import behind nothing", []byte{0xff, 0x25, 0, 0, 0, 0}, 0x10, whole},
		{"import behind a pop", []byte{0x5b, 0xff, 0x25, 0, 0, 0, 0}, 0x11, done},
		{"switch", []byte{0x5b, 0xff, 0xe0}, 0x11, whole},
		{"tail call through a register", []byte{0x48, 0xff, 0xe0}, 0x10, done},
		{"switch through r8: jmp r8", []byte{0x5b, 0x41, 0xff, 0xe0}, 0x11, whole},
		{"tail call through r8: rex.W jmp r8", []byte{0x49, 0xff, 0xe0}, 0x10, done},
		{"tail call through memory: rex.W jmp [rax+8]", []byte{0x48, 0xff, 0x60, 8}, 0x10, done},
		{"import with bnd behind a pop", []byte{0x5b, 0xf2, 0xff, 0x25, 0, 0, 0, 0}, 0x11, done},
		{"leave, which Windows does not know", []byte{0xc9, 0x5b, 0xc3}, 0x10, whole},
		{"ret with bytes to pop", []byte{0xc2, 0x10, 0}, 0x10, ".cfa: $rsp 24 + .ra: .cfa -24 + ^"},
		{"pop rsp", []byte{0x5c, 0xc3}, 0x10, whole},
		{"the end of a call: call [rax+58h]; ret", []byte{0xff, 0x50, 0x58, 0xc3}, 0x12, whole},
		{"ret behind it", []byte{0xff, 0x50, 0x58, 0xc3}, 0x13, done},
		{"the end of a call: call -100h; and eax, imm", []byte{0x5b, 0xe8, 0, 0xff, 0xff, 0xff, 0x25, 0, 0, 0, 0}, 0x15, whole},
		{"lea from another register", []byte{0x48, 0x8d, 0x65, 0, 0x5b, 0xc3}, 0x10, whole},
		{"the release is not there any more", []byte{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3}, 0x14, released},
	}
	for _, tt := range tests {
		c := nops(0x40)
		copy(c[0x10:], tt.code)
		if got, _ := at(t, c, info(1, 0, 5, 0, 5, 2|3<<4, 1, 3<<4), tt.off); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestAMD64NoRules asks where there can be none.
func TestAMD64NoRules(t *testing.T) {
	f := open(t, amd64Image(t, nops(0x40), info(1, 0, 0, 0).Build(t)))
	if cf, ok := f.CallFrame(text + 5); !ok || cf.From != "the lack of unwind codes" || cf.Start != text || cf.Size != 0x10 {
		t.Errorf("leaf: %+v, %v", cf, ok)
	}
	for _, rel := range []uint64{0, 0x400, xdata, text + 0x1000, 1 << 40, ^uint64(0)} {
		if cf, ok := f.CallFrame(rel); ok {
			t.Errorf("%#x: %+v", rel, cf)
		}
	}
	without := newImage(machineAMD64).section(t, ".text", code, asm.At(text).Zeros(0x40)).build(t)
	if cf, ok := open(t, without).CallFrame(text); ok {
		t.Errorf("no table: %+v", cf)
	}
}

// TestAMD64Version3 has a function with a record of version 3, that of
// push r16; push rbx; sub rsp, 32, a part of it that is chained to that record,
// and one with a record of version 1, which is not concerned.
func TestAMD64Version3(t *testing.T) {
	records := asm.At(xdata).Mark("v3").
		U8(3, 7, 5, 3|1<<5).       // size of the prolog, words of payload, 3 operations and 1 epilog
		U8(7, 3, 2).               // where the operations of the prolog are
		U8(3<<3).U16(0x18).        // the epilog: 3 operations, 0x18 bytes behind the beginning
		U16(0).U8(6, 0, 4, 5).     // they are the prolog's: from 0 on, its last instruction is at 6
		U8(0x38, 3<<3|4, 16<<3|4). // alloc 32, push rbx, push r16
		Align(4).
		Mark("part").U8(1|flagChained<<3, 0, 0, 0).U32(text+0x10, text+0x40, xdata).
		Mark("v1").U8(1, 4, 1, 0, 4, 0x32, 0, 0)
	im := newImage(machineAMD64).section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).section(t, ".xdata", readOnly, records).
		section(t, ".pdata", readOnly, asm.At(pdata).
			U32(text+0x10, text+0x40, uint32(records.Addr("v3"))).
			U32(text+0x40, text+0x60, uint32(records.Addr("part"))).
			U32(text+0x60, text+0x80, uint32(records.Addr("v1")))).
		dir(dirException, pdata, 36)
	f := open(t, im.build(t))
	for rel := uint64(text + 0x10); rel < text+0x60; rel++ {
		if cf, ok := f.CallFrame(rel); ok {
			t.Fatalf("%#x: %+v", rel, cf)
		}
	}
	cf, _ := f.CallFrame(text + 0x70)
	if got := unwind.RuleText(cf.Rules); !strings.HasPrefix(got, ".cfa: $rsp 40 +") {
		t.Errorf("version 1: %s", got)
	}
	if n := len(tables(t, f)); n != 1 {
		t.Errorf("%d tables, want that of version 1", n)
	}
	want := []string{"pe: unwind codes of function 0x1010 at 0x604: version 3, for registers of APX, is not read: its layout is not final"}
	if got := f.Notes(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAMD64LeafThatCalls has code without an entry, which a leaf would be.
func TestAMD64LeafThatCalls(t *testing.T) {
	c := asm.At(text).Bytes([]byte{0xe8, 0x10, 0, 0, 0, 0xff, 0xd0, 0x90}).Bytes(nops(0x20))
	f := open(t, newImage(machineAMD64).section(t, ".text", code, c).section(t, ".xdata", readOnly, asm.At(xdata).U32(1)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(text+0x10, text+0x20, xdata)).dir(dirException, pdata, 12).build(t))
	for rel, want := range map[uint64]bool{text: true, text + 4: false, text + 6: false, text + 7: true} {
		if _, ok := f.CallFrame(rel); ok != want {
			t.Errorf("%#x: %v", rel, ok)
		}
	}
}

// overlapAt is the note on entries that overlap.
func overlapAt(first string) string {
	return "pe: exception directory at 0x800: entries overlap, the first at " + first + ": of those that cover an address the last to begin is used"
}

// TestAMD64Owners has an entry whose end lies, with functions inside it: they
// keep their entries.
func TestAMD64Owners(t *testing.T) {
	const outer, inner, last = text, text + 0x40, text + 0x80
	f := open(t, newImage(machineAMD64).section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).
		section(t, ".xdata", readOnly, asm.At(xdata).U32(1)).
		section(t, ".pdata", readOnly, asm.At(pdata).U32(outer, text+0xa0, xdata, inner, inner+0x10, xdata, last, last+0x10, xdata)).
		dir(dirException, pdata, 36).build(t))
	for rel, want := range map[uint64]uint64{
		outer: outer, inner - 1: outer, inner: inner, inner + 0xf: inner, inner + 0x10: outer, last: last, last + 0x10: outer, text + 0xa0: text + 0xa0,
	} {
		if cf, ok := f.CallFrame(rel); !ok || cf.Start != want {
			t.Errorf("%#x: %+v, %v, want rules from %#x on", rel, cf, ok, want)
		}
	}
	var starts []uint64
	for _, table := range tables(t, f) {
		starts = append(starts, table.Start)
	}
	if !slices.Equal(starts, []uint64{outer, inner, last}) {
		t.Errorf("listed are %#x", starts)
	}
}

// TestAMD64Tables has entries that contradict each other or the image.
func TestAMD64Tables(t *testing.T) {
	build := func(size uint32, words ...uint32) *File {
		return open(t, newImage(machineAMD64).section(t, ".text", code, asm.At(text).Bytes(nops(0x100))).
			section(t, ".xdata", readOnly, asm.At(xdata).U32(1)).
			section(t, ".pdata", readOnly, asm.At(pdata).U32(words...)).dir(dirException, pdata, size).build(t))
	}
	tests := []struct {
		name  string
		f     *File
		rules []uint64
		none  []uint64
		notes []string
	}{
		{"unsorted", build(24, text+0x40, text+0x80, xdata, text, text+0x40, xdata), []uint64{text, text + 0x3f, text + 0x40, text + 0x90}, nil, nil},
		{"twice", build(24, text, text+0x40, xdata, text, text+0x40, xdata), []uint64{text, text + 0x50}, nil, nil},
		{"dropped by the linker", build(24, 0, 0, xdata, text, text+0x40, xdata), []uint64{text, text + 0x50}, nil, nil},
		{"overlapping", build(36, text, text+0x41, xdata, text+0x40, text+0x80, xdata, text+0x80, text+0x90, xdata),
			[]uint64{text, text + 0x40, text + 0x7f, text + 0x80, text + 0x95}, nil, []string{overlapAt("0x1040")}},
		{"twice, of two sizes", build(24, text, text+0x20, xdata, text, text+0x40, xdata), []uint64{text, text + 0x30, text + 0x50}, nil, []string{overlapAt("0x1000")}},
		{"twice, with two records", build(24, text, text+0x20, xdata, text, text+0x20, xdata+4), []uint64{text + 0x50}, []uint64{text, text + 0x1f},
			[]string{"pe: exception directory at 0x800: 1 entries are about the code of another one, with other rules: it has none"}},
		{"backwards", build(24, text+0x20, text, xdata, text+0x40, text+0x50, xdata), []uint64{text + 0x40}, []uint64{text, text + 0x20, text + 0x60},
			[]string{"pe: exception directory at 0x800: function 0x1020 with its end at 0x1000 is not code of the image"}},
		{"cut", build(0x400, text, text+0x40, xdata), []uint64{text}, []uint64{text + 0x50},
			[]string{"pe: exception directory at 0x800: 1024 bytes reach beyond the 12 of the section"}},
	}
	for _, tt := range tests {
		for _, rel := range append(slices.Clone(tt.rules), tt.none...) {
			if _, ok := tt.f.CallFrame(rel); ok != slices.Contains(tt.rules, rel) {
				t.Errorf("%s: %#x: %v", tt.name, rel, ok)
			}
		}
		if got := tt.f.Notes(); !slices.Equal(got, tt.notes) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.notes)
		}
	}
}

// TestAMD64Hybrid has ARM64EC code beside x64 code: what no entry covers may
// be of the other kind.
func TestAMD64Hybrid(t *testing.T) {
	for pointer, want := range map[uint64]bool{0: true, 0x1_8000_5000: false} {
		im := newImage(machineAMD64).
			section(t, ".text", code, asm.At(text).Bytes(nops(0x40))).
			section(t, ".xdata", readOnly, asm.At(xdata).U32(1)).
			section(t, ".pdata", readOnly, asm.At(pdata).U32(text, text+0x20, xdata)).
			section(t, ".rdata", readOnly, asm.At(rdata).U32(0x140).Zeros(196).U64(pointer).Zeros(0x70)).
			dir(dirException, pdata, 12).dir(dirLoad, rdata, 0x140)
		if _, ok := open(t, im.build(t)).CallFrame(text + 0x30); ok != want {
			t.Errorf("%#x: %v", pointer, ok)
		}
	}
}
