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
		{"base", MemOp{Base: RAX, Index: None}, 0x1000, true},
		{"base and offset", MemOp{Base: RAX, Index: None, Disp: -8}, 0xff8, true},
		{"index without a scale", MemOp{Base: RAX, Index: RCX}, 0xff0, true},
		{"scaled index", MemOp{Base: RAX, Index: RCX, Scale: 4}, 0xfc0, true},
		{"index without its upper half", MemOp{Base: RAX, Index: RCX, Extend: 4}, 0x1_0000_0ff0, true},
		{"index with the sign of its lower half", MemOp{Base: RAX, Index: RCX, Extend: -4}, 0xff0, true},
		{"index that is subtracted", MemOp{Base: RAX, Index: RCX, Minus: true}, 0x1010, true},
		{"absolute", MemOp{Base: None, Index: None, Disp: 0x45}, 0x45, true},
		{"relative to the program counter", MemOp{Base: RIP, Index: None, PCRel: true, Next: 0x5000, Disp: 0x10}, 0x5010, true},
		{"32-bit address", MemOp{Base: RCX, Index: None, Width: 4}, 0xffff_fff0, true},
		{"segment", MemOp{Base: None, Index: None, Disp: 0x28, Segment: "fs"}, 0x7028, true},
		{"another segment", MemOp{Base: None, Index: None, Segment: "gs"}, 0, false},
		{"unknown base", MemOp{Base: RBX, Index: None}, 0, false},
		{"unknown index", MemOp{Base: RAX, Index: RBX}, 0, false},
		{"many addresses", MemOp{Base: RAX, Index: None, Unknown: true}, 0, false},
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
