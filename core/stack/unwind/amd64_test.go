package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

func TestAMD64(t *testing.T) {
	const top = 0x8000_0000
	chain := func() *asm.Section {
		return asm.At(top).
			U64(0xdead, 0xbeef). // locals of frame 0
			Mark("rbp0").Ref("rbp1").
			U64(image + 0x210). // return address into frame 1
			U64(0xfeed).        // a local of frame 1
			Mark("rbp1").U64(0).
			U64(0).
			Zeros(0x40)
	}
	tests := []struct {
		name string
		picture
	}{
		{"frame pointers", picture{
			os:    "linux",
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": top + 0x10},
			stack: chain(),
			want:  []string{"0x40000110 context", "0x4000020f frame_pointer"},
			end:   "chain_end",
		}},
		{"rbp = -1 is no frame pointer", picture{
			os:    "linux",
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": ^uint64(0)},
			stack: chain(),
			want:  []string{"0x40000110 context", "0x4000020f scan"},
			end:   "memory_ends 0x80000078",
		}},
		{"a frame record below rsp: Breakpad ends there", picture{
			os:    "linux",
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": top + 0x10, "rbp": top},
			stack: asm.At(top).U64(top+0x40, image+0x310, 0, image+0x210).Zeros(0x80),
			want:  []string{"0x40000110 context", "0x4000020f scan"},
			end:   "memory_ends 0x800000a0",
		}},
		{"Windows leaf: the return address is on top", picture{
			os:    "windows",
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": 7, "rbx": 5},
			stack: asm.At(top).U64(image+0x210, 0, 0, 0),
			want:  []string{"0x40000110 context", "0x4000020f leaf"},
			end:   "memory_ends 0x80000020",
		}},
		{"Windows: rbp 0x20 below the saved one", picture{
			os:   "windows",
			regs: map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": top + 0x20},
			stack: asm.At(top).U64(1, 2, 3, 4, 5, 6, 7, 8).
				Ref("rbp1").U64(image+0x210).
				U64(1, 2).Mark("rbp1").U64(0, 0).Zeros(0x40),
			want: []string{"0x40000110 context", "0x4000020f frame_pointer"},
			end:  "chain_end",
		}},
		{"a call through a null pointer", picture{
			os:    "linux",
			regs:  map[string]uint64{"rip": 0, "rsp": top, "rbp": top + 0x10},
			stack: asm.At(top).U64(image+0x210, 5).U64(top+0x100, image+0x310).Zeros(0x40),
			code:  asm.At(image+0x200).Zeros(14).U8(0xff, 0xd0, 0, 0), // call rax
			want:  []string{"0x0 context", "0x4000020f leaf", "0x4000030f scan"},
			end:   "memory_ends 0x80000060",
		}},
		{"the word on top is no return address", picture{
			os:    "linux",
			regs:  map[string]uint64{"rip": 0, "rsp": top, "rbp": top + 0x10},
			stack: asm.At(top).U64(image+0x210, 5).U64(top+0x20, image+0x310).U64(0, 0, 0),
			code:  asm.At(image + 0x200).Zeros(32),
			want:  []string{"0x0 context", "0x4000030f frame_pointer"},
			end:   "chain_end",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch = &cpu.AMD64
			tt.check(t)
		})
	}
}

// What a scan may take, and how far it looks.
func TestAMD64Scan(t *testing.T) {
	const top = 0x8000_0000
	names := symbols{functions: []Function{fn(0x100, "inner"), fn(0x200, "outer")}}
	at := func(words int, ra uint64) *asm.Section {
		return asm.At(top).Zeros(8 * words).U64(ra).Zeros(8 * 200)
	}
	tests := []struct {
		name string
		picture
	}{
		{"161 words from the innermost frame", picture{
			stack: at(160, image+0x210),
			want:  []string{"0x40000110 context", "0x4000020f scan"},
			end:   "no_return 0x80000508",
		}},
		{"162 are too many", picture{
			stack: at(161, image+0x210),
			want:  []string{"0x40000110 context"},
			end:   "no_return 0x80000000",
		}},
		{"41 words from a scanned frame", picture{
			stack: asm.At(top).U64(image + 0x210).Zeros(8 * 40).U64(image + 0x220).Zeros(8 * 200),
			want:  []string{"0x40000110 context", "0x4000020f scan", "0x4000021f scan"},
			end:   "no_return 0x80000150",
		}},
		{"42 are too many", picture{
			stack: asm.At(top).U64(image + 0x210).Zeros(8 * 41).U64(image + 0x220).Zeros(8 * 200),
			want:  []string{"0x40000110 context", "0x4000020f scan"},
			end:   "no_return 0x80000008",
		}},
		{"161 again from a frame found by call frame information", picture{
			symbols: symbols{functions: names.functions, frames: []CallFrame{cfi(0x100, ".cfa: $rsp 8 + .ra: .cfa 8 - ^")}},
			stack:   asm.At(top).U64(image + 0x210).Zeros(8 * 160).U64(image + 0x220).Zeros(8 * 200),
			want:    []string{"0x40000110 context", "0x4000020f cfi", "0x4000021f scan"},
			end:     "no_return 0x80000510",
		}},
		{"not between functions", picture{
			stack: asm.At(top).U64(image+0x1234, image+0x220).Zeros(8 * 200),
			want:  []string{"0x40000110 context", "0x4000021f scan"},
			end:   "no_return 0x80000010",
		}},
		{"behind the last instruction of a function that called what never returns", picture{
			stack: asm.At(top).U64(image + 0x300).Zeros(8 * 200),
			want:  []string{"0x40000110 context", "0x400002ff scan"},
			end:   "no_return 0x80000008",
		}},
		{"a symbol file without names rejects nothing", picture{
			symbols: symbols{nameless: true},
			stack:   asm.At(top).U64(image + 0x1234).Zeros(8 * 200),
			want:    []string{"0x40000110 context", "0x40001233 scan"},
			end:     "no_return 0x80000008",
		}},
		{"not in the header of a file, whatever symbols say", picture{
			symbols: symbols{functions: append([]Function{fn(0, "dropped")}, names.functions...)},
			stack:   asm.At(top).U64(image+0x34, image+0x40, image+0x220).Zeros(8 * 200),
			want:    []string{"0x40000110 context", "0x4000021f scan"},
			end:     "no_return 0x80000018",
		}},
		{"right behind the header", picture{
			symbols: symbols{functions: append([]Function{fn(0, "first")}, names.functions...)},
			stack:   asm.At(top).U64(image + 0x41).Zeros(8 * 200),
			want:    []string{"0x40000110 context", "0x40000040 scan"},
			end:     "no_return 0x80000008",
		}},
		{"no stack", picture{
			want: []string{"0x40000110 context"},
			end:  "not_captured 0x80000000",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch, tt.os = &cpu.AMD64, "linux"
			tt.regs = map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": 1}
			if !tt.symbols.any() {
				tt.symbols = names
			}
			tt.check(t)
		})
	}
}
