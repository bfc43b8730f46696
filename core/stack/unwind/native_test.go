package unwind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// Rules of a signal frame, such as glibc's for __restore_rt, find the interrupted frame. Its pc is
// exact, so the rules at that very instruction apply: 0x300, the first of its function, has other
// rules than 0x2ff.
func TestSignalFrameByRules(t *testing.T) {
	restore := cfi(0x200, ".cfa: $rsp 16 + ^ .ra: $rsp 24 + ^ $rsp: $rsp 16 + ^ $rbp: $rsp 32 + ^")
	restore.Signal, restore.From = true, ".eh_frame"
	first := cfi(0x300, ".cfa: $rsp 8 + .ra: .cfa 8 - ^")
	before := cfi(0x280, ".cfa: $rsp 1000 + .ra: .cfa 8 - ^")
	before.Size = 0x80
	restore.Size = 0x80
	p := picture{
		arch: &cpu.AMD64, os: "linux",
		regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 1},
		stack: asm.At(0x1000).
			U64(image+0x210).                  // the handler returns to the trampoline
			U64(0, 0, 0x2000, image+0x300, 7). // rsp, rip and rbp of what was interrupted
			Zeros(0x40),
		code: asm.At(0x2000).U64(image+0x410, 0, 0),
		symbols: symbols{frames: []CallFrame{
			cfi(0x100, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), restore, before, first, cfi(0x400, ".cfa: $rsp .ra: .undef"),
		}},
		want: []string{"0x40000110 context", "0x4000020f cfi", "0x40000300 cfi", "0x4000040f cfi"},
		end:  "undefined",
	}
	p.check(t)

	in := p.input(t)
	in.Explain = true
	stack := Walk(in)
	if text := strings.Join(stack.Frames[2].Evidence[0].Text, "\n"); !strings.HasPrefix(text, "rules from .eh_frame\n") {
		t.Errorf("evidence %q does not say where the rules are from", text)
	}
	rbp, _ := cpu.AMD64.Reg("rbp")
	if v, _ := stack.Frames[2].Regs.Get(rbp); v != 7 {
		t.Errorf("rbp of what was interrupted is %#x, want 7", v)
	}
}

// Signal frames may lead anywhere, and so in circles.
func TestSignalFramesInCircles(t *testing.T) {
	loop := cfi(0x100, ".cfa: $rsp .ra: $rip")
	loop.Signal = true
	stack := Walk(picture{
		arch: &cpu.AMD64, os: "linux",
		regs:    map[string]uint64{"rip": image + 0x110, "rsp": 0x1000},
		stack:   asm.At(0x1000).Zeros(0x40),
		symbols: symbols{frames: []CallFrame{loop}, functions: []Function{fn(0x100, "loop")}},
	}.input(t))
	if n := len(stack.Frames); n != maxSignals+1 {
		t.Errorf("%d frames, want %d", n, maxSignals+1)
	}
}

// Exact rules are right at a function's first instruction, where its caller's
// frame record would be taken for its own.
func TestRulesAtAFunctionsEntry(t *testing.T) {
	entry := cfi(0x100, ".cfa: sp 0 + .ra: x30")
	entry.From = ".eh_frame"
	picture{
		arch: &cpu.ARM64, os: "linux",
		regs:    map[string]uint64{"pc": image + 0x100, "sp": 0x1000, "fp": 0x1000, "lr": image + 0x210},
		stack:   arm64Stack(image+0x310, image+0x410),
		symbols: symbols{frames: []CallFrame{entry}, functions: arm64Names.functions},
		want:    []string{"0x40000100 context", "0x4000020c cfi", "0x4000030c frame_pointer", "0x4000040c frame_pointer"},
		end:     "chain_end",
	}.check(t)
}

// Rules that hold at calls only: the innermost frame is in a function that
// pushes {r4, lr} and makes room for eight bytes. Its caller is at 0x210.
func TestRulesAtCalls(t *testing.T) {
	a32 := func() *asm.Section {
		return asm.At(image + 0x100).
			U32(0xe92d4010). // push {r4, lr}
			U32(0xe24dd008). // sub sp, sp, #8
			U32(0xe1a04000). // mov r4, r0
			U32(0xeb000010). // bl
			U32(0xe5940000). // ldr r0, [r4]
			U32(0xeb000010). // bl
			U32(0xe28dd008). // add sp, sp, #8
			U32(0xe8bd8010). // pop {r4, pc}
			Zeros(16)
	}
	saved, ra := uint64(0x44), uint64(image+0x210)
	tests := []struct {
		pc    uint64
		stack []uint32 // from sp on
		lr    uint64
		code  *asm.Section
		by    Way
	}{
		{0x100, []uint32{1, 2, 3, 4}, ra, a32(), ByLink},                                     // nothing is pushed
		{0x104, []uint32{uint32(saved), uint32(ra)}, ra, a32(), ByCode},                      // {r4, lr} is
		{0x108, []uint32{1, 2, uint32(saved), uint32(ra)}, ra, a32(), ByCode},                // the frame is made
		{0x110, []uint32{1, 2, uint32(saved), uint32(ra)}, image + 0x110, a32(), ByCode},     // behind a call
		{0x118, []uint32{1, 2, uint32(saved), uint32(ra)}, image + 0x118, a32(), ByCode},     // before the epilogue
		{0x11c, []uint32{uint32(saved), uint32(ra)}, image + 0x118, a32(), ByCode},           // in it
		{0x110, []uint32{1, 2, uint32(saved), uint32(ra)}, image + 0x110, nil, ByCFI},        // no code
		{0x104, []uint32{uint32(saved), uint32(ra), 5, 6, 7, 8}, image + 0x210, nil, ByScan}, // the rules lead nowhere
		{0x100, []uint32{1, 2, uint32(saved), image + 0x310}, image + 0x210, nil, ByLink},    // the first instruction needs no code
		{0x11c, []uint32{uint32(saved), uint32(ra), 1, 2}, image + 0x118, asm.At(image + 0x11c). // only its last instruction
														U32(0xe8bd8010), ByCode},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%#x %s", tt.pc, tt.by), func(t *testing.T) {
			rules := cfi(0x100, ".cfa: sp 16 + .ra: .cfa -4 + ^ r4: .cfa -8 + ^")
			rules.AtCalls, rules.From = true, ".ARM.exidx"
			r4 := uint64(0x99)
			if tt.pc == 0x100 || tt.pc == 0x104 {
				r4 = saved // not changed yet
			}
			p := picture{
				arch: &cpu.ARM, os: "linux", code: tt.code,
				regs:    map[string]uint64{"pc": image + tt.pc, "sp": 0x1000, "lr": tt.lr, "r4": r4, "cpsr": 0},
				stack:   asm.At(0x1000).U32(tt.stack...).Zeros(64),
				symbols: symbols{frames: []CallFrame{rules}, functions: []Function{fn(0x100, "f"), fn(0x200, "g"), fn(0x300, "h")}},
			}
			stack := Walk(p.input(t))
			if len(stack.Frames) < 2 {
				t.Fatalf("no caller: %s", endText(stack.End))
			}
			f := stack.Frames[1]
			if f.FoundBy != tt.by || f.ReturnAddress != ra {
				t.Errorf("the caller is %#x by %s, want %#x by %s", f.ReturnAddress, f.FoundBy, ra, tt.by)
			}
			p.caller = map[string]uint64{"pc": ra, "sp": 0x1000, "r4": saved}
			if at := slices.Index(tt.stack, uint32(ra)); at >= 0 {
				p.caller["sp"] += 4 * uint64(at+1)
			}
			if f.Trust == Scan {
				delete(p.caller, "r4")
			}
			p.checkRegisters(t, &stack)
		})
	}
}
