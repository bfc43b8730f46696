package cpu

import "testing"

func TestMemOpAddress(t *testing.T) {
	var regs Regs
	regs.Set(RAX, 0x1000)
	regs.Set(RCX, 0xffff_ffff_ffff_fff0)
	fs := func(name string) (uint64, bool) { return 0x7000, name == "fs" }
	tests := []struct {
		name string
		m    MemOp
		want uint64
		ok   bool
	}{
		{name: "base", m: MemOp{Base: RAX, Index: None}, want: 0x1000, ok: true},
		{name: "base and offset", m: MemOp{Base: RAX, Index: None, Disp: -8}, want: 0xff8, ok: true},
		{name: "index without a scale", m: MemOp{Base: RAX, Index: RCX}, want: 0xff0, ok: true},
		{name: "scaled index", m: MemOp{Base: RAX, Index: RCX, Scale: 4}, want: 0xfc0, ok: true},
		{name: "index without its upper half", m: MemOp{Base: RAX, Index: RCX, Extend: 4}, want: 0x1_0000_0ff0, ok: true},
		{name: "index with the sign of its lower half", m: MemOp{Base: RAX, Index: RCX, Extend: -4}, want: 0xff0, ok: true},
		{name: "index that is subtracted", m: MemOp{Base: RAX, Index: RCX, Minus: true}, want: 0x1010, ok: true},
		{name: "absolute", m: MemOp{Base: None, Index: None, Disp: 0x45}, want: 0x45, ok: true},
		{name: "relative to the program counter", m: MemOp{Base: RIP, Index: None, PCRel: true, Next: 0x5000, Disp: 0x10}, want: 0x5010, ok: true},
		{name: "32-bit address", m: MemOp{Base: RCX, Index: None, Width: 4}, want: 0xffff_fff0, ok: true},
		{name: "segment", m: MemOp{Base: None, Index: None, Disp: 0x28, Segment: "fs"}, want: 0x7028, ok: true},
		{name: "another segment", m: MemOp{Base: None, Index: None, Segment: "gs"}, want: 0},
		{name: "unknown base", m: MemOp{Base: RBX, Index: None}, want: 0},
		{name: "unknown index", m: MemOp{Base: RAX, Index: RBX}, want: 0},
		{name: "many addresses", m: MemOp{Base: RAX, Index: None, Unknown: true}, want: 0},
	}
	for _, tt := range tests {
		if got, ok := tt.m.Address(&AMD64, &regs, fs); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %#x, %v; want %#x, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
	m := MemOp{Base: RAX, Index: None, Segment: "fs"}
	if _, ok := m.Address(&AMD64, &regs, nil); ok {
		t.Error("an address in a segment whose base is unknown")
	}
	wide := MemOp{Base: RCX, Index: None}
	if got, _ := wide.Address(&ARM, &regs, nil); got != 0xffff_fff0 {
		t.Errorf("on 32 bits: %#x", got)
	}
}

func TestAccessString(t *testing.T) {
	for a, want := range map[Access]string{NoAccess: "", Read: "read", Write: "write", Read | Write: "readwrite"} {
		if got := a.String(); got != want {
			t.Errorf("%d: %q, want %q", a, got, want)
		}
	}
}
