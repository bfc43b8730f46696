package unwind

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// Where the shadow stack of these tests is.
const shadowAt = 0x9000

// Three calls: main at 0x310 called outer, whose call is at 0x210, and the innermost function is at 0x110.
func TestShadowStack(t *testing.T) {
	calls := func() *asm.Section { return asm.At(shadowAt).U64(image+0x210, image+0x310) }
	regs := map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 5, "rbx": 6}
	rules := symbols{frames: []CallFrame{
		cfi(0x100, ".cfa: $rsp 32 + .ra: .cfa 8 - ^ $rbx: .cfa 16 - ^"), cfi(0x200, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"),
	}}
	three := []string{"0x40000110 context", "0x4000020f cfi", "0x4000030f cfi"}
	for _, c := range []struct {
		name string
		picture
	}{
		{"without rules, with words of earlier calls", picture{
			stack:  asm.At(0x1000).U64(image+0x450, 1, image+0x210, image+0x550, 2, image+0x310, image+0x650),
			shadow: calls(), want: three, end: "shadow_end 0x9010",
			caller: map[string]uint64{"rip": image + 0x210, "rsp": 0x1018}, grandcaller: map[string]uint64{"rip": image + 0x310, "rsp": 0x1030},
			says: "the shadow stack has the return address 0x40000210 at 0x9000",
		}},
		{"rules confirmed", picture{
			stack:  asm.At(0x1000).U64(1, 2, 7, image+0x210, 3, image+0x310),
			shadow: calls(), symbols: rules, want: three, end: "shadow_end 0x9010",
			caller: map[string]uint64{"rip": image + 0x210, "rsp": 0x1020, "rbx": 7, "rbp": 5}, grandcaller: map[string]uint64{"rip": image + 0x310, "rsp": 0x1030, "rbx": 7, "rbp": 5},
		}},
		{"rules that lead elsewhere", picture{
			stack:  asm.At(0x1000).U64(1, image+0x210, 7, image+0x650, 3, image+0x310),
			shadow: calls(), symbols: symbols{frames: rules.frames[:1]}, want: three, end: "shadow_end 0x9010",
			caller: map[string]uint64{"rip": image + 0x210, "rsp": 0x1010}, says: "the shadow stack has",
		}},
		{"not captured", picture{
			stack:  asm.At(0x1000).U64(1, 2),
			shadow: calls(), want: three, end: "shadow_end 0x9010",
			caller: map[string]uint64{"rip": image + 0x210}, grandcaller: map[string]uint64{"rip": image + 0x310},
		}},
		{"no call", picture{stack: asm.At(0x1000).U64(image + 0x450), shadow: asm.At(shadowAt), want: three[:1], end: "shadow_end 0x9000"}},
		{"words that are no code", picture{
			stack:  asm.At(0x1000).U64(image+0x210, 0x7000_0000),
			shadow: asm.At(shadowAt).U64(0x7000_0000, image+0x310),
			want:   []string{"0x40000110 context", "0x4000020f scan"}, end: "memory_ends 0x1010",
		}},
		{"switched to another stack", picture{
			stack:  asm.At(0x1000).U64(image+0x210, image+0x310),
			shadow: asm.At(shadowAt).U64(image+0x210, shadowAt+16|1, image+0x450),
			want:   []string{"0x40000110 context", "0x4000020f cfi", "0x4000030f scan"}, end: "not_captured 0x1010",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.picture
			p.arch, p.os, p.regs = &cpu.AMD64, "linux", regs
			for _, f := range p.check(t).Frames {
				if f.Overwritten != nil {
					t.Errorf("frame at %#x: overwritten %v", f.Instruction, *f.Overwritten)
				}
				if f.Guess != (f.Trust == Scan) {
					t.Errorf("frame at %#x: guess %t", f.Instruction, f.Guess)
				}
			}
		})
	}
}

// A return address that was overwritten is the shadow stack's, and the stack's is evidence.
func TestShadowOverwritten(t *testing.T) {
	p := picture{
		arch: &cpu.AMD64, os: "linux", regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000},
		stack:  asm.At(0x1000).U64(0x4141414141414141, 0x4141414141414141, 0x4141414141414141, 3, image+0x310),
		shadow: asm.At(shadowAt).U64(image+0x210, image+0x310),
		symbols: symbols{frames: []CallFrame{
			cfi(0x100, ".cfa: $rsp 24 + .ra: .cfa 8 - ^"), cfi(0x200, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"),
		}},
		want: []string{"0x40000110 context", "0x4000020f cfi", "0x4000030f cfi"}, end: "shadow_end 0x9010",
		caller: map[string]uint64{"rip": image + 0x210, "rsp": 0x1018}, grandcaller: map[string]uint64{"rip": image + 0x310, "rsp": 0x1028},
	}
	frames := p.check(t).Frames
	if o := frames[1].Overwritten; o == nil || *o != (Overwrite{0x1010, 0x4141414141414141}) || frames[1].FoundBy != ByShadow {
		t.Errorf("%v, by %v", o, frames[1].FoundBy)
	}
	if frames[2].Overwritten != nil {
		t.Errorf("%v", frames[2].Overwritten)
	}
}

// The kernel marks a signal on the shadow stack, and a handler's caller was interrupted: no return address is its pc.
func TestShadowSignals(t *testing.T) {
	const trampolineAt, interrupted, fault = image + 0x900, image + 0x310, 0x1200
	for _, tt := range []struct {
		arch   *cpu.Arch
		name   string
		rule   string
		frame  *asm.Section
		shadow *asm.Section
	}{
		{&cpu.AMD64, "__restore_rt", ".cfa: $rsp 16 + .ra: .cfa 8 - ^",
			asm.At(0x1000).U64(0, trampolineAt).Zeros(40).U64(8, 9, 10, 11, 12, 13, 14, 15).U64(1, 2, 0x6000, 3, 4, 5, 6).
				U64(fault, interrupted, 0x246).Zeros(0x1200-0x10b8).U64(7, image+0x410),
			asm.At(shadowAt).U64(trampolineAt, shadowAt+16|savedBit, image+0x410)},
		{&cpu.ARM64, "__kernel_rt_sigreturn", ".cfa: sp 16 + .ra: .cfa 8 - ^",
			regsFrom(asm.At(0x1000).U64(0, trampolineAt).Zeros(128+176+8), 29).U64(0x6000, interrupted, 0x1258, interrupted, 0).U64(7, image+0x410).Zeros(0x40),
			asm.At(shadowAt).U64(trampolineAt, shadowAt, image+0x410)},
	} {
		sp := tt.arch.RegName(tt.arch.SP)
		picture{
			arch: tt.arch, os: "linux", stack: tt.frame, shadow: tt.shadow,
			regs: map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x110, sp: 0x1000},
			symbols: symbols{
				functions: []Function{fn(0x100, "handler"), {Name: tt.name, Start: 0x900, Size: 9}, fn(0x300, "f"), fn(0x400, "g")},
				frames:    []CallFrame{cfi(0x100, tt.rule)},
			},
			want: []string{"0x40000110 context", "0x40000900 cfi", "0x40000310 cfi", fmt.Sprintf("%#x", image+0x410-tt.arch.CallSize) + " cfi"},
			end:  "shadow_end 0x9018",
		}.check(t)
	}
}

// The search for return addresses is bounded for a whole walk: a shadow stack of words that are not on the stack costs no more.
func TestShadowSearchIsBounded(t *testing.T) {
	shadow := asm.At(0x100_0000)
	for i := range uint64(2000) {
		shadow.U64(image + 0x210 + i)
	}
	p := picture{arch: &cpu.AMD64, os: "linux", shadow: shadow, stack: asm.At(0x1000).Zeros(0x10_0000), regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000}}
	stack := Walk(p.plain(t))
	if len(stack.Frames) != 2001 || stack.Reads > 4*mostSearched {
		t.Errorf("%d frames, %d reads", len(stack.Frames), stack.Reads)
	}
}

// A return leaves its word below the pointer. The list ends at the first word that no call has pushed, and has a limit.
func TestReturned(t *testing.T) {
	const tokenAt = shadowAt + 8
	many := asm.At(shadowAt)
	for range maxReturned + 4 {
		many.U64(image + 0x650)
	}
	for _, c := range []struct {
		name   string
		shadow *asm.Section
		above  uint64 // bytes of calls that have not returned
		want   []uint64
	}{
		{"a token behind two", asm.At(shadowAt).U64(image+0x310, (tokenAt+8)|1, image+0x450, image+0x550, image+0x210), 8, []uint64{image + 0x550, image + 0x450}},
		{"no code", asm.At(shadowAt).U64(image+0x310, 7, image+0x210), 8, nil},
		{"the end of the captured memory", asm.At(shadowAt).U64(image + 0x310), 0, []uint64{image + 0x310}},
		{"many", many, 8, slices.Repeat([]uint64{image + 0x650}, maxReturned)},
	} {
		in := picture{arch: &cpu.AMD64, os: "linux", stack: asm.At(0x1000), shadow: c.shadow, regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000}}.plain(t)
		in.Shadow.Pointer = in.Shadow.End - c.above
		var got []uint64
		for _, f := range in.Returned() {
			if got = append(got, f.ReturnAddress); f.Instruction != f.ReturnAddress-1 || f.Module == nil || f.Guess {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
		in.Shadow = Shadow{}
		if list := in.Returned(); list != nil {
			t.Errorf("%s: without a shadow stack %v", c.name, list)
		}
	}
}
