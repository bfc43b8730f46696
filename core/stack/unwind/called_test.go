package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// A scan in a library without symbols examines where the calls before return addresses lead. The
// program has calls of its own function at 0x200, and through a word that has an address in the
// library.
func TestScanFollowsCalls(t *testing.T) {
	const top = 0x1000
	direct := []byte{0x90, 0x90, 0x90, 0xe8, 0xfb, 0, 0, 0}  // at 0x100: call 0x200
	through := []byte{0x90, 0x90, 0xff, 0x15, 0xfb, 1, 0, 0} // at 0x108: call [0x308]
	const stale, right, outer = image + 0x105, image + 0x10d, image + 0x400
	tests := []struct {
		name  string
		code  []byte // at 0x200
		word  uint64 // at 0x308
		stack *asm.Section
		want  string // the first caller
	}{
		{"left over", []byte{0x90, 0xc3}, library + 0x900, asm.At(top).U64(7, stale, 8, right), "0x4000010c scan"},
		{"a tail call", []byte{0x90, 0xe9, 0, 1, 0, 0}, library + 0x900, asm.At(top).U64(7, stale, 8, right), "0x40000104 scan"},
		{"a virtual tail call, and a call from right here", []byte{0xff, 0xe0}, library + 0x900, asm.At(top).U64(7, stale, 8, right), "0x4000010c scan"},
		{"a virtual tail call, and a call of another function", []byte{0xff, 0xe0}, library + 0x2000, asm.At(top).U64(7, stale, 8, right), "0x40000104 scan"},
		{"a virtual tail call alone", []byte{0xff, 0xe0}, 0, asm.At(top).U64(7, stale, 8, 0), "0x40000104 scan"},
		{"no instruction", []byte{0x06}, library + 0x900, asm.At(top).U64(7, stale, 8, right), "0x40000104 scan"},
		{"far above, of another library", []byte{0x90, 0xc3}, library + 0x1_0900, asm.At(top).Bytes(make([]byte, 8*500)).U64(outer, right), "0x4000010c scan"},
		{"far above", []byte{0x90, 0xc3}, library + 0x900, asm.At(top).Bytes(make([]byte, 8*500)).U64(outer, right), "0x4000010c scan"},
	}
	for _, tt := range tests {
		code := asm.At(image + 0xfd).Bytes(direct).Bytes(through).Bytes(make([]byte, 0x200-0x10d)).Bytes(tt.code).Bytes(make([]byte, 0x108-len(tt.code))).U64(tt.word)
		in := picture{
			arch: &cpu.AMD64, os: "linux", code: code, library: asm.At(library + 0x10).Bytes([]byte{0x90}), stack: tt.stack,
			symbols: symbols{functions: []Function{
				{Name: "f", Start: 0x80, Size: 0x100}, {Name: "t", Start: 0x200, Size: uint64(max(len(tt.code), 1))}, {Name: "g", Start: 0x300, Size: 0x200},
			}},
			regs: map[string]uint64{"rip": library + 0x910, "rsp": top, "rbp": 1},
		}.input(t)
		in.Modules = module.NewMap([]module.Module{{Base: image, Size: 0x1_0000}, {Base: library, Size: 0x1_0000}, {Base: library + 0x1_0000, Size: 0x1_0000}})
		in.Frames, in.Decode = 2, disasm.Decode
		stack := Walk(in)
		if len(stack.Frames) < 2 {
			t.Errorf("%s: no caller: %s", tt.name, endText(stack.End))
		} else if got := hexTrust(stack.Frames[1]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A frame pointer that points to itself is that of no frame: the word below the return address is.
func TestScanKnowsControlBlocks(t *testing.T) {
	const top = 0x1000
	for _, tt := range [][2]uint64{{0x1030, 0x1020}, {0x1040, 0x1030}} {
		self, want := tt[0], tt[1]
		in := picture{
			arch: &cpu.AMD64, os: "linux", symbols: symbols{functions: []Function{fn(0x100, "f"), fn(0x200, "g")}},
			regs:    map[string]uint64{"rip": library + 0x10, "rsp": top, "rbp": 0x1030},
			stack:   asm.At(top).U64(7, 0x1020, image+0x110, 8, 0x1030, image+0x210, self, 0),
			library: asm.At(library + 0x10).Bytes([]byte{0x90}),
		}.input(t)
		in.Frames = 2
		stack := Walk(in)
		if got := stack.Frames[1].Regs.Value(cpu.AMD64.FP); got != want {
			t.Errorf("%#x at the frame pointer: the caller's is %#x, want %#x", self, got, want)
		}
	}
}
