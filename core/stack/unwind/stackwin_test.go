package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// Registers beside the three that every record gives: a program assigns them, and a
// function without a frame hands ebx through.
func TestStackWinRegisters(t *testing.T) {
	const saves = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + = $ebx $T0 4 - ^ = $esi $T0 8 - ^ = $edi 7 ="
	for _, tt := range []struct {
		name string
		picture
	}{
		{"a program assigns them", picture{
			symbols: symbols{win: []WinFrame{frameData(0x100, saves)}},
			regs:    map[string]uint64{"ebp": stackTop + 8},
			stack:   asm.At(stackTop).U32(0x51, 0xb1).Ref32("up").U32(image + 0x210).Mark("up").Zeros(0x20),
			caller:  map[string]uint64{"eip": image + 0x210, "esp": stackTop + 16, "ebp": stackTop + 16, "ebx": 0xb1, "esi": 0x51, "edi": 7},
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "chain_end",
		}},
		{"a program that assigns none of them", picture{
			symbols: symbols{win: []WinFrame{frameData(0x100, standardFrame)}},
			regs:    map[string]uint64{"ebp": stackTop + 8, "ebx": 0xb0, "esi": 0x50},
			stack:   asm.At(stackTop).U32(1, 2).Ref32("up").U32(image + 0x210).Mark("up").Zeros(0x20),
			caller:  map[string]uint64{"eip": image + 0x210, "esp": stackTop + 16, "ebp": stackTop + 16},
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "chain_end",
		}},
		{"a function without a frame keeps ebx and ebp", picture{
			symbols: symbols{win: []WinFrame{fpo(0x100, 0, 0, 4)}},
			regs:    map[string]uint64{"ebp": stackTop + 8, "ebx": 0xb0, "esi": 0x50},
			stack:   asm.At(stackTop).U32(1, image+0x210, 0, 0).Zeros(0x20),
			caller:  map[string]uint64{"eip": image + 0x210, "esp": stackTop + 8, "ebp": stackTop + 8, "ebx": 0xb0},
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "chain_end",
		}},
		{"one that uses ebp keeps none", picture{
			symbols: symbols{win: []WinFrame{{Start: 0x100, Size: 0x100, SavedRegs: 4, AllocatesEBP: true}}},
			regs:    map[string]uint64{"ebp": 5, "ebx": 0xb0},
			stack:   asm.At(stackTop - 4).Ref32("up").U32(1).U32(image + 0x210).Mark("up").Zeros(0x20),
			caller:  map[string]uint64{"eip": image + 0x210, "esp": stackTop + 8, "ebp": stackTop + 8},
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "chain_end",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch, tt.os = &cpu.X86, "windows"
			tt.regs["eip"], tt.regs["esp"] = image+0x110, stackTop
			tt.symbols.functions = []Function{fn(0x100, "a"), fn(0x200, "b")}
			tt.check(t)
		})
	}
}

// A program that cannot be used is replaced by a scan from esp, and so is one that
// finds no return address or no stack pointer.
func TestStackWinProgramsThatFail(t *testing.T) {
	for _, program := range []string{"", "$eip", "$eip 5 =", "$esp 5 =", "$eip $nothing ^ = $esp 9 =", "$eip 4 ^ = $esp 9 ="} {
		t.Run(program, func(t *testing.T) {
			rec := frameData(0x100, program)
			want := "0x4000020f scan"
			if program == "" {
				want = "0x4000020f cfi" // its sizes stand for it
			}
			picture{
				arch: &cpu.X86, os: "windows",
				symbols: symbols{win: []WinFrame{rec}, functions: []Function{fn(0x100, "a"), fn(0x200, "b")}},
				regs:    map[string]uint64{"eip": image + 0x110, "esp": stackTop, "ebp": stackTop + 0x20},
				stack:   asm.At(stackTop).U32(1, 2, image+0x210).Zeros(0x40),
				want:    []string{"0x40000110 context", want},
				end:     "chain_end",
			}.check(t)
		})
	}
}
