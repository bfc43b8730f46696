package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// clangFrame is what LLVM writes for a function without a frame pointer.
const clangFrame = "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + ="

// savedEBP is the same, with the caller's ebp below the return address.
const savedEBP = clangFrame + " $ebp $T0 4 - ^ ="

// TestVirtualFrame has the virtual frames of the frames of a stack; 0 is none.
func TestVirtualFrame(t *testing.T) {
	sized := func(start uint64, program string, locals uint32) WinFrame {
		r := frameData(start, program)
		r.Locals = locals
		return r
	}
	tests := []struct {
		name string
		picture
		want []uint64
	}{
		{"a frame pointer", picture{
			symbols: symbols{win: []WinFrame{frameData(0x100, standardFrame)}},
			regs:    map[string]uint64{"ebp": stackTop + 8},
			stack:   asm.At(stackTop).U32(1, 2).Ref32("ebp1").U32(image+0x210).Mark("ebp1").U32(0, 0).Zeros(0x40),
		}, []uint64{stackTop + 8, 0}},
		{"the return address is where the sizes say", picture{
			symbols: symbols{win: []WinFrame{sized(0x100, clangFrame, 8)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, image+0x210).Zeros(0x40),
		}, []uint64{stackTop + 8, 0}},
		{"it had to be searched for", picture{
			symbols: symbols{win: []WinFrame{sized(0x100, clangFrame, 4)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, image+0x210).Zeros(0x40),
		}, []uint64{0, 0}},
		{"FPO has no program", picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 0, 8)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, image+0x210).Zeros(0x40),
		}, []uint64{0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch = &cpu.X86
			tt.regs["eip"], tt.regs["esp"] = image+0x110, stackTop
			in := tt.input(t)
			stack := Walk(in)
			for i, want := range tt.want {
				if got, ok := in.VirtualFrame(stack.Frames, i); got != want || ok != (want != 0) {
					t.Errorf("frame %d: %#x, %v, want %#x", i, got, ok, want)
				}
			}
		})
	}
}

// TestSearchedRegister has code that uses ebp for a number. What the program
// finds is no frame pointer, and another word is taken for it.
func TestSearchedRegister(t *testing.T) {
	for _, tt := range []struct {
		saved uint32
		want  bool
	}{{saved: 6, want: true}, {saved: stackTop + 0x20}} {
		r := frameData(0x100, savedEBP)
		r.SavedRegs = 8
		p := picture{
			symbols: symbols{win: []WinFrame{r}}, regs: map[string]uint64{"ebp": 0, "eip": image + 0x110, "esp": stackTop},
			stack: asm.At(stackTop).U32(stackTop+0x10, tt.saved, image+0x210).Zeros(0x40),
		}
		p.arch = &cpu.X86
		stack := Walk(p.input(t))
		if len(stack.Frames) < 2 || stack.Frames[1].Searched.Has(cpu.EBP) != tt.want {
			t.Errorf("saved %#x: %+v", tt.saved, stack.Frames)
		}
	}
}
