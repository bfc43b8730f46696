package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// arm64Stack is two frame records, as three nested functions leave them.
//
//	0x1000: record of the innermost or of its caller -> 0x1100
//	0x1100: outermost record, fp 0
func arm64Stack(ra1, ra2 uint64) *asm.Section {
	s := asm.At(0x1000).
		Mark("rec1").Ref("rec2").U64(ra1).
		Zeros(0xf0).
		Mark("rec2").U64(0).U64(ra2)
	return s.Zeros(0x40)
}

var arm64Names = symbols{functions: []Function{fn(0x100, "inner"), fn(0x200, "middle"), fn(0x300, "outer"), fn(0x400, "main")}}

// The frame pointer step from the innermost frame has to tell a leaf, whose
// caller is in lr, from a function with a record of its own.
func TestARM64LeafOrNot(t *testing.T) {
	tests := []struct {
		name string
		lr   uint64
		want []string
		end  string
	}{
		{
			name: "leaf: lr is the caller, the record is the caller's",
			lr:   image + 0x210,
			want: []string{"0x40000110 context", "0x4000020c frame_pointer", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
		{
			name: "lr was left by a call in this function",
			lr:   image + 0x108,
			want: []string{"0x40000110 context", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
		{
			name: "lr was stored and is still there",
			lr:   image + 0x310,
			want: []string{"0x40000110 context", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
		{
			name: "lr holds no code address",
			lr:   0x1234_5678,
			want: []string{"0x40000110 context", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
		{
			name: "lr is misaligned",
			lr:   image + 0x211,
			want: []string{"0x40000110 context", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
		{
			name: "lr is 0, where Breakpad stops",
			lr:   0,
			want: []string{"0x40000110 context", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			picture{
				arch: &cpu.ARM64, os: "linux", symbols: arm64Names,
				regs:  map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "fp": 0x1000, "lr": tt.lr},
				stack: arm64Stack(image+0x310, image+0x410),
				want:  tt.want, end: "chain_end",
			}.check(t)
		})
	}
}

// With fp = 0 there is no record, which proves nothing: code that keeps no frame
// pointers may have put a 0 there. lr is the caller where it can be, and then
// the stack is scanned, with results that are called guesses.
func TestARM64NoFramePointer(t *testing.T) {
	stack := asm.At(0x1000).U64(image + 0x310).Zeros(0x40)
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names, stack: stack,
		regs: map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "fp": 0, "lr": image + 0x210},
		want: []string{"0x40000110 context", "0x4000020c frame_pointer", "0x4000030c scan"},
		end:  "memory_ends 0x1048",
	}.check(t)
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names, stack: stack,
		regs: map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "fp": 0, "lr": 0},
		want: []string{"0x40000110 context", "0x4000030c scan"},
		end:  "memory_ends 0x1048",
	}.check(t)
}

// Pointer authentication codes stand above the highest address of any module.
func TestARM64PointerAuthentication(t *testing.T) {
	const pac = 0x00ab_0000_0000_0000
	t.Run("in frame records and lr", func(t *testing.T) {
		picture{
			arch: &cpu.ARM64, os: "ios", symbols: arm64Names,
			regs:  map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "fp": 0x1000, "lr": pac | image + 0x210},
			stack: arm64Stack(pac|image+0x310, pac|image+0x410),
			want: []string{"0x40000110 context", "0x4000020c frame_pointer",
				"0x4000030c frame_pointer", "0x4000040c frame_pointer"},
			end: "chain_end",
		}.check(t)
	})
	t.Run("in a scan", func(t *testing.T) {
		picture{
			arch: &cpu.ARM64, os: "ios", symbols: arm64Names,
			regs:  map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "fp": 8},
			stack: asm.At(0x1000).U64(5, pac|image+0x310, 0),
			want:  []string{"0x40000110 context", "0x4000030c scan"},
			end:   "memory_ends 0x1018",
		}.check(t)
	})
	t.Run("what is in no module stays as it is", func(t *testing.T) {
		w := newWalk(picture{arch: &cpu.ARM64}.input(t))
		if got := w.strip(pac | 0x1234); got != pac|0x1234 {
			t.Errorf("stripped to %#x", got)
		}
	})
}

// After call frame information lr is unknown; the record says where to go on.
// Breakpad stops in most of these.
func TestARM64FramePointerAfterCFI(t *testing.T) {
	names := arm64Names
	names.frames = []CallFrame{cfi(0x100, ".cfa: sp 16 + .ra: .cfa 8 - ^")}
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: names,
		regs: map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "fp": 0x1000, "lr": image + 0x108},
		stack: asm.At(0xff0).U64(0, image+0x210).Append(
			arm64Stack(image+0x310, image+0x410)),
		want: []string{"0x40000110 context", "0x4000020c cfi", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		end:  "chain_end",
	}.check(t)
}

// RISC-V's psABI puts the record below s0, Breakpad expects it at s0.
func TestRISCVFrameRecords(t *testing.T) {
	names := symbols{functions: arm64Names.functions}
	t.Run("psABI", func(t *testing.T) {
		picture{
			arch: &cpu.RISCV64, os: "linux", symbols: names,
			regs: map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "s0": 0x1010, "ra": image + 0x108},
			stack: asm.At(0xff0).
				U64(1, 2).Ref("s1").U64(image+0x310). // record below 0x1010
				Zeros(0x40).
				U64(0, 0).Mark("s1").U64(0, 0),
			want: []string{"0x40000110 context", "0x4000030c frame_pointer"},
			end:  "chain_end",
		}.check(t)
	})
	t.Run("as on arm64", func(t *testing.T) {
		picture{
			arch: &cpu.RISCV64, os: "linux", symbols: names,
			regs:  map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "s0": 0x1000, "ra": image + 0x210},
			stack: asm.At(0xff0).U64(1, 2).Append(arm64Stack(image+0x310, image+0x410)),
			want: []string{"0x40000110 context", "0x4000020c frame_pointer",
				"0x4000030c frame_pointer", "0x4000040c frame_pointer"},
			end: "chain_end",
		}.check(t)
	})
}

// arm's r11 chains, of three layouts: how a library without call frame
// information is crossed.
func TestARMFrameChains(t *testing.T) {
	names := symbols{functions: arm64Names.functions}
	tests := []struct {
		name  string
		stack *asm.Section
	}{
		{
			name: "fp at the saved fp",
			stack: asm.At(0x1000).U32(1, 2).
				Mark("fp").Ref32("up").U32(image+0x210).
				U32(7, image+0x110, 9). // a stale return address that a scan would take
				Mark("up").U32(0, image+0x310, 0, 0),
		},
		{
			name: "fp at the saved lr",
			stack: asm.At(0x1000).U32(1, 2).
				Ref32("up").Mark("fp").U32(image+0x210).
				U32(7, image+0x110, 9).
				U32(0).Mark("up").U32(image+0x310, 0, 0),
		},
		{
			name: "APCS, fp at the saved pc",
			stack: asm.At(0x1000).U32(1, 2).
				Ref32("up").Ref32("sp1").U32(image+0x210).Mark("fp").U32(image+0x10c).
				Mark("sp1").U32(7, image+0x110, 9).
				U32(0).Ref32("sp2").U32(image+0x310).Mark("up").U32(image+0x20c).
				Mark("sp2").U32(0, 0),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stack := picture{
				arch: &cpu.ARM, os: "linux", symbols: names, stack: tt.stack,
				regs: map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "fp": tt.stack.Addr("fp")},
				want: []string{"0x40000110 context", "0x4000020e frame_pointer", "0x4000030e frame_pointer"},
				end:  "chain_end",
			}.check(t)
			if len(stack.Frames) > 1 && stack.Frames[1].FoundBy != ByFramePointer {
				t.Errorf("found by %q", stack.Frames[1].FoundBy)
			}
		})
	}
}

// iOS on 32-bit arm chains r7, with the same question about lr as arm64.
func TestIOSFramePointer(t *testing.T) {
	names := symbols{functions: arm64Names.functions}
	for _, tt := range []struct {
		name string
		lr   uint64
		want []string
	}{
		{"leaf", image + 0x210, []string{"0x40000110 context", "0x4000020e frame_pointer", "0x4000030e frame_pointer", "0x4000040e frame_pointer"}},
		{"not a leaf", image + 0x108, []string{"0x40000110 context", "0x4000030e frame_pointer", "0x4000040e frame_pointer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			picture{
				arch: &cpu.ARM, os: "ios", symbols: names,
				regs: map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "r7": 0x1000, "lr": tt.lr},
				stack: asm.At(0x1000).Ref32("up").U32(image+0x310).Zeros(0x20).
					Mark("up").U32(0, image+0x410).Zeros(0x20),
				want: tt.want, end: "chain_end",
			}.check(t)
		})
	}
}

// A call through a bad pointer left its return address in the link register.
// rust-minidump follows the frame pointer, which is still the caller's, and
// loses the caller.
func TestCallToNowhereByLinkRegister(t *testing.T) {
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names,
		regs:  map[string]uint64{"pc": 0x10, "sp": 0xff0, "fp": 0x1000, "lr": image + 0x210},
		stack: arm64Stack(image+0x310, image+0x410),
		want:  []string{"0x10 context", "0x4000020c leaf", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		end:   "chain_end",
	}.check(t)
}

// Call frame information comes before r7 on iOS, too; Breakpad ignores it there.
func TestIOSCallFrameInformationFirst(t *testing.T) {
	names := symbols{functions: arm64Names.functions, frames: []CallFrame{cfi(0x100, ".cfa: sp 8 + .ra: .cfa 4 - ^")}}
	picture{
		arch: &cpu.ARM, os: "ios", symbols: names,
		regs:  map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "r7": 0x1000, "lr": image + 0x310},
		stack: asm.At(0xff0).U32(1, image+0x210, 2, 3).U32(0, image+0x410).Zeros(0x20),
		want:  []string{"0x40000110 context", "0x4000020e cfi", "0x4000040e frame_pointer"},
		end:   "chain_end",
	}.check(t)
}
