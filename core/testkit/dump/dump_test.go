package dump

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestBuild reads a small dump back by hand.
func TestBuild(t *testing.T) {
	b := New().Time(7).Flags(0x2).System(AMD64, Linux, "x")
	b.Thread(Thread{ID: 9, StackBase: 0x8000, Stack: []byte("stack")})
	b.Thread(Thread{ID: 10})
	b.Memory64(0x1000, []byte("abc")).Memory64(0x2000, []byte("de"))
	b.Entry(0x99, 5, 6)
	data := b.Build(t)

	u32 := func(off int) int { return int(binary.LittleEndian.Uint32(data[off:])) }
	if string(data[:4]) != "MDMP" || u32(8) != 4 || u32(20) != 7 || u32(24) != 2 {
		t.Fatalf("header % x", data[:32])
	}
	dir := u32(12)
	entry := func(i int) (kind, size, at int) { return u32(dir + 12*i), u32(dir + 12*i + 4), u32(dir + 12*i + 8) }

	if kind, size, at := entry(0); kind != 7 || size != 56 || !bytes.HasPrefix(data[u32(at+24):], []byte("\x02\x00\x00\x00x\x00\x00\x00")) {
		t.Errorf("system info: type %d, %d bytes", kind, size)
	}
	if kind, size, at := entry(1); kind != 3 || size != 4+2*48 || u32(at) != 2 || u32(at+4) != 9 ||
		u32(at+36) != 5 || !bytes.HasPrefix(data[u32(at+40):], []byte("stack")) || u32(at+52) != 10 {
		t.Errorf("thread list: type %d, %d bytes, % x", kind, size, data[at:at+size])
	}
	if kind, size, at := entry(2); kind != 9 || size != 16+2*16 || u32(at) != 2 || !bytes.HasPrefix(data[u32(at+8):], []byte("abcde")) {
		t.Errorf("64-bit memory list: type %d, %d bytes, % x", kind, size, data[at:at+size])
	}
	if kind, size, at := entry(3); kind != 0x99 || size != 5 || at != 6 {
		t.Errorf("raw entry %#x %d %d", kind, size, at)
	}
}

func TestBigEndian(t *testing.T) {
	data := New().BigEndian().Breakpad(1, 2).Build(t)
	if string(data[:4]) != "PMDM" || binary.BigEndian.Uint32(data[32:]) != 0x47670001 {
		t.Errorf("% x", data)
	}
}

// TestContext checks the sizes against those of the structures in C, and one
// register of each against its known offset.
func TestContext(t *testing.T) {
	tests := []struct {
		processor uint16
		size      int
		reg       string
		at        int
	}{
		{X86, 716, "eip", 184},
		{AMD64, 1232, "rip", 248},
		{ARM, 368, "pc", 64},
		{ARM64, 912, "pc", 264},
		{ARM64Old, 796, "pc", 264},
		{MIPS, 600, "pc", 312},
		{MIPS64, 600, "sp", 240},
		{PPC, 1004, "lr", 148},
		{PPC64, 1160, "r1", 32},
		{SPARC, 584, "pc", 272},
		{RISCV, 268, "t6", 132},
		{RISCV64, 528, "pc", 8},
	}
	for _, tt := range tests {
		data := New().Context(t, tt.processor, map[string]uint64{tt.reg: 0x1234_5678})
		if len(data) != tt.size {
			t.Errorf("%#x: %d bytes, want %d", tt.processor, len(data), tt.size)
		} else if v := binary.LittleEndian.Uint32(data[tt.at:]); v != 0x1234_5678 {
			t.Errorf("%#x: %s is %#x", tt.processor, tt.reg, v)
		}
	}
}
