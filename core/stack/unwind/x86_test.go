package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

const stackTop = 0x0012_0000

// frameData is a STACK WIN record of type 4 for 0x100 bytes.
func frameData(start uint64, program string) WinFrame {
	return WinFrame{Start: start, Size: 0x100, FrameData: true, Program: program}
}

// fpo is a STACK WIN record of type 0 for 0x100 bytes.
func fpo(start uint64, params, saved, locals uint32) WinFrame {
	return WinFrame{Start: start, Size: 0x100, ParamSize: params, SavedRegs: saved, Locals: locals}
}

const standardFrame = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + ="

func TestStackWin(t *testing.T) {
	tests := []struct {
		name string
		picture
		ebp uint64 // of the last frame, when not 0
	}{
		{name: "a standard frame", picture: picture{
			symbols: symbols{win: []WinFrame{frameData(0x100, standardFrame)}},
			regs:    map[string]uint64{"ebp": stackTop + 8},
			stack: asm.At(stackTop).U32(1, 2).
				Ref32("ebp1").U32(image+0x210).
				Mark("ebp1").U32(0, 0).Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f cfi"},
			end:  "chain_end",
		}},
		{name: "FPO: sizes say where the return address is", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 8, 4)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, 3, image+0x210).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "memory_ends 0x120050",
		}},
		{name: "FPO: the callee's parameters lie below its saved registers", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 12, 0, 0), fpo(0x200, 0, 4, 0)}},
			regs:    map[string]uint64{"ebp": 0},
			stack: asm.At(stackTop).U32(image+0x210). // frame 0
									U32(0xa1, 0xa2, 0xa3). // its parameters
									U32(7, image+0x310).   // frame 1: a saved register
									Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f cfi", "0x4000030f cfi"},
			end:  "memory_ends 0x120058",
		}},
		{name: "the parameters of a frame further down do not count; Breakpad's do", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 12, 0, 0), fpo(0x200, 4, 0, 0), fpo(0x300, 0, 0, 0)}},
			regs:    map[string]uint64{"ebp": 0},
			stack: asm.At(stackTop).U32(image+0x210).
				U32(0xa1, 0xa2, 0xa3, image+0x310).
				U32(0xb1, image+0x410). // one parameter, not three
				U32(1, 2, 3, image+0x510).
				Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f cfi", "0x4000030f cfi", "0x4000040f cfi", "0x4000050f scan"},
			end:  "memory_ends 0x12006c",
		}},
		{name: "FPO that uses ebp: it is at the top of the saved registers", picture: picture{
			symbols: symbols{win: []WinFrame{{Start: 0x100, Size: 0x100, SavedRegs: 12, AllocatesEBP: true}}},
			regs:    map[string]uint64{"ebp": 5},
			stack:   asm.At(stackTop).U32(1).Ref32("ebp1").U32(3, image+0x210).Mark("ebp1").Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "chain_end",
		}},
		{name: ".raSearchStart moves up to a return address", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 0, 0)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, 3, image+0x210).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "memory_ends 0x120050",
		}},
		{name: "further up it is a scan from there", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 0, 0)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(1, 2, 3, 4, 5, image+0x210).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f cfi_scan"},
			end:     "memory_ends 0x120058",
		}},
		{name: "the address of the stub itself is left over on top of the stack", picture: picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 0, 0)}},
			regs:    map[string]uint64{"ebp": 0},
			stack:   asm.At(stackTop).U32(image+0x110, image+0x210).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "memory_ends 0x120048",
		}},
		{name: "an aligned stack: .raSearchStart comes from ebp", picture: picture{
			symbols: symbols{win: []WinFrame{frameData(0x100,
				"$T1 .raSearch = $T0 $T1 4 - 8 @ = $ebp $T1 4 - ^ = $eip $T1 ^ = $esp $T1 4 + =")}},
			regs: map[string]uint64{"ebp": stackTop + 0x10},
			stack: asm.At(stackTop).U32(image+0x610, 2, 3, 4).
				Ref32("ebp1").U32(image + 0x210).Mark("ebp1").Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f cfi"},
			end:  "chain_end",
		}},
		{name: "a program that fails is replaced by a scan", picture: picture{
			symbols: symbols{win: []WinFrame{frameData(0x100, "$eip 5 ^ = $esp 9 =")}},
			regs:    map[string]uint64{"ebp": stackTop},
			stack:   asm.At(stackTop).U32(1, 2, image+0x210).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f scan"},
			end:     "memory_ends 0x12004c",
		}},
		{name: "frame pointers without any record", picture: picture{
			regs: map[string]uint64{"ebp": stackTop + 8},
			stack: asm.At(stackTop).U32(1, 2).
				Ref32("ebp1").U32(image+0x210).
				Mark("ebp1").U32(0, 0).Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f frame_pointer"},
			end:  "chain_end",
		}},
		{name: "a scan takes ebp from below the return address", picture: picture{
			regs: map[string]uint64{"ebp": 1},
			stack: asm.At(stackTop).U32(1, 2).
				Ref32("ebp1").U32(image+0x210).U32(7).
				Mark("ebp1").U32(0, image+0x310).Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f scan", "0x4000030f frame_pointer"},
			end:  "memory_ends 0x12005c",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch, tt.os = &cpu.X86, "windows"
			tt.regs["eip"], tt.regs["esp"] = image+0x110, stackTop
			tt.symbols.functions = []Function{
				fn(0x100, "a"), fn(0x200, "b"), fn(0x300, "c"), fn(0x400, "d"), fn(0x500, "e"),
			}
			tt.check(t)
		})
	}
}
