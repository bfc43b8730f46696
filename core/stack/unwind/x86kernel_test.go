package unwind

import (
	"bytes"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// callers is code of functions of 256 bytes, each of which has a call in front of returned.
func callers() *asm.Section {
	code := bytes.Repeat([]byte{0x90}, 0x800)
	for at := 0; at < len(code); at += 0x100 {
		copy(code[at+returned-5:], []byte{0xe8, 0, 0xff, 0xff, 0xff})
	}
	return asm.At(library).Bytes(code)
}

const returned = 0x20

// Where a deferred call of 32-bit Windows begins and what it interrupted.
const (
	dpcTop     = dpcStack + 0x1000
	threadLow  = stackTop
	threadHigh = stackTop + 0x1000
	pushed     = threadLow + 0x40 // the stack pointer of KiDispatchInterrupt
	trapped    = threadLow + 0x60 // KTRAP_FRAME
	goesOn     = trapped + 0x74
)

// inDeferred is KiDispatchInterrupt on the stack of deferred calls, which took the other stack from that of a thread.
func inDeferred(t *testing.T, saved uint64, words ...uint32) Input {
	stack := asm.At(threadLow).Zeros(pushed - threadLow).U32(words...)
	stack.Zeros(int(trapped - stack.Here()))
	stack.U32(goesOn+0x10, library+0x410, 0xbadb0d00).Zeros(0x54-0xc).U32(0xd1, 0x51, 0xb1, goesOn+0x10, 0, library+0x410, 0x1230_0008, 0x246)
	stack.Zeros(0x10).U32(0, library+0x500+returned).Zeros(0x40)
	p := picture{
		arch: &cpu.X86, os: "windows", ranges: true,
		regs:  map[string]uint64{"eip": library + 0x200 + returned, "esp": dpcTop - 4, "ebp": trapped, "ebx": 0xb0, "esi": 0x50, "edi": 0xd0},
		stack: stack, code: asm.At(dpcTop - 0x20).Zeros(0x1c).U32(uint32(saved)), library: callers(),
	}
	in := p.plain(t)
	in.Kernel, in.Called = true, true
	in.Deferred = []process.DPCStack{{Top: 0x7000}, {Top: dpcTop, Low: threadLow, High: threadHigh}}
	return in
}

// A deferred call of 32-bit Windows ends on the stack of the thread that it interrupted, and the registers of the interrupted code are in
// its trap frame. Pointers that cannot be right end the walk.
func TestDeferredCallOfX86(t *testing.T) {
	const handlers, dispatch = 0xffff_ffff, library + 0x300 + returned
	for _, tt := range []struct {
		name   string
		saved  uint64
		words  []uint32
		caller string // its registers; "" for none
		end    string
	}{
		{name: "Windows", saved: pushed, words: []uint32{handlers, trapped, dispatch}, caller: "eip 0x40010320, esp 0x12004c, ebp 0x120060, esi 0x50, edi 0xd0"},
		{name: "ReactOS", saved: pushed, words: []uint32{dispatch}, caller: "eip 0x40010320, esp 0x120044, ebp 0x120060, ebx 0xb0, esi 0x50, edi 0xd0"},
		{name: "below the thread's stack", saved: threadLow - 4, words: []uint32{handlers, trapped, dispatch}, end: "no_return 0x220ffc"},
		{name: "above the thread's stack", saved: threadHigh, words: []uint32{handlers, trapped, dispatch}, end: "no_return 0x220ffc"},
		{name: "no word", saved: pushed + 2, words: []uint32{handlers, trapped, dispatch}, end: "no_return 0x220ffc"},
		{name: "not captured", saved: threadHigh - 0x100, words: []uint32{handlers, trapped, dispatch}, end: "no_return 0x220ffc"},
		{name: "not behind a call", saved: pushed, words: []uint32{handlers, trapped, dispatch + 4}, end: "no_return 0x220ffc"},
		{name: "no code", saved: pushed, words: []uint32{handlers, trapped, 0x77}, end: "no_return 0x220ffc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := inDeferred(t, tt.saved, tt.words...)
			s := Walk(in)
			if tt.caller == "" {
				if end := endText(s.End); len(s.Frames) != 1 || end != tt.end {
					t.Errorf("%d frames, %s", len(s.Frames), end)
				}
				return
			}
			if len(s.Frames) < 4 {
				t.Fatalf("%d frames, %s", len(s.Frames), endText(s.End))
			}
			want := []string{tt.caller, "eip 0x40010410, esp 0x1200d4, ebp 0x1200e4, ebx 0xb1, esi 0x51, edi 0xd1, eflags 0x246", "eip 0x40010520, esp 0x1200ec, ebp 0x0"}
			for i, want := range want {
				f := &s.Frames[1+i]
				if got := known(in.Arch, &f.Regs); got != want || f.Guess || f.Interrupted != (i == 1) {
					t.Errorf("frame %d: %s\nwant %s; guess %t, interrupted %t", 1+i, got, want, f.Guess, f.Interrupted)
				}
			}
		})
	}
}

// Stacks that lead to each other end the walk.
func TestDeferredCallsInARing(t *testing.T) {
	const handlers, dispatch = 0xffff_ffff, library + 0x300 + returned
	in := inDeferred(t, pushed, handlers, trapped, dispatch, dpcTop-0x10)
	in.Deferred[0] = process.DPCStack{Top: pushed + 0x10, Low: dpcTop - 0x20, High: dpcTop}
	copy(in.Memory.(ranged).captured[1].data[0x10:], asm.At(0).U32(handlers, trapped, dispatch).Build(t))
	if s := Walk(in); len(s.Frames) != maxSignals+1 || endText(s.End) != "no_return 0x220ffc" {
		t.Errorf("%d frames, %s", len(s.Frames), endText(s.End))
	}
}

// What is no trap frame of the kernel is followed as the frame record that it may be.
func TestTrapFrameOfX86(t *testing.T) {
	for _, tt := range []struct {
		name   string
		at     int
		value  byte
		change func(in *Input)
	}{
		{name: "intact"},
		{name: "without the mark", at: 8, value: 1},
		{name: "a program was interrupted", at: 0x6c, value: 0x1b},
		{name: "another copy of eip", at: 0x68, value: 0x11},
		{name: "a program", change: func(in *Input) { in.Kernel = false }},
		{name: "below the stack pointer", change: func(in *Input) { in.Regs.Set(cpu.ESP, trapped+4) }},
	} {
		in := inDeferred(t, pushed)
		in.Regs.Set(cpu.ESP, pushed)
		data := in.Memory.(ranged).captured[0].data[trapped-threadLow:]
		if tt.value != 0 {
			data[tt.at] = tt.value
		}
		if tt.change != nil {
			tt.change(&in)
		}
		s := Walk(in)
		if len(s.Frames) < 2 || s.Frames[1].Interrupted != (tt.name == "intact") {
			t.Errorf("%s: %+v, %s", tt.name, s.Frames, endText(s.End))
		}
	}
}
