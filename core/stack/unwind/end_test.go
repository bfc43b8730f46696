package unwind

import (
	"cmp"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// guesses marks the guesses of a stack: a scanned frame, and all behind it.
func guesses(stack *Stack) string {
	text := ""
	for _, f := range stack.Frames {
		if f.Guess {
			text += "?"
		} else {
			text += "."
		}
	}
	return text
}

// startAt200 names functions at 0x100 to 0x400 of which the one at 0x200 is where threads begin.
func startAt200(frames ...CallFrame) symbols {
	return symbols{functions: []Function{fn(0x100, "f"), fn(0x200, "_start"), fn(0x300, "g"), fn(0x400, "h")}, frames: frames}
}

const (
	leaves  = ".cfa: $rsp 8 + .ra: .cfa 8 - ^"               // the return address is on top of the stack
	chained = ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbp: $rsp ^" // rbp is saved below it
)

// How walks end, and what proves that they are complete.
func TestEnds(t *testing.T) {
	regs := func(rip, rbp uint64) map[string]uint64 {
		return map[string]uint64{"rip": rip, "rsp": 0x1000, "rbp": rbp}
	}
	tests := []struct {
		name string
		picture
		guesses  string
		complete bool
	}{
		{name: "rbp is 0: that is no record, and a scan goes on", picture: picture{
			regs:    regs(image+0x110, 0),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(1, image+0x310, 2, image+0x410).Zeros(8),
			want:    []string{"0x40000110 context", "0x4000030f scan", "0x4000040f scan"},
			end:     "memory_ends 0x1028",
		}, guesses: ".??"},
		{name: "a record of zeros ends the walk on macOS: what lies below is not scanned for", picture: picture{
			os:      "mac",
			regs:    regs(image+0x110, 0x1018),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(5, image+0x310, 7).U64(0, 0).Zeros(8 * 50),
			want:    []string{"0x40000110 context"},
			end:     "chain_end",
		}, guesses: "."},
		{name: "elsewhere rbp may hold anything", picture: picture{
			os:      "linux",
			regs:    regs(image+0x110, 0x1018),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(5, image+0x310, 7).U64(0, 0).Zeros(8 * 50),
			want:    []string{"0x40000110 context", "0x4000030f scan"},
			end:     "chain_end",
		}, guesses: ".?"},
		{name: "on Windows behind a record, too", picture: picture{
			os:      "windows",
			regs:    regs(image+0x110, 0x1010),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(1, 2).Ref("up").U64(image+0x310).Zeros(16).Mark("up").U64(0, 0, image+0x410, 0),
			want:    []string{"0x40000110 context", "0x4000030f frame_pointer", "0x4000040f scan"},
			end:     "memory_ends 0x1050",
		}, guesses: "..?"},
		{name: "a record that leads outside of every module is none", picture: picture{
			os:      "windows",
			regs:    regs(image+0x110, 0x1010),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(1, 2).Ref("up").U64(0x1f8_0000_1fbf).Mark("up").U64(5, 6, image+0x410, 0),
			want:    []string{"0x40000110 context", "0x4000040f scan"},
			end:     "memory_ends 0x1040",
		}, guesses: ".?"},
		{name: "unless the chain leads back to one", picture: picture{
			os:      "windows",
			regs:    regs(image+0x110, 0x1010),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(1, 2).Ref("up").U64(0x1f8_0000_1fbf).Mark("up").U64(5, image+0x410, 7),
			want:    []string{"0x40000110 context", "0x1f800001fbe frame_pointer", "0x4000040f scan"},
			end:     "memory_ends 0x1038",
		}, guesses: "..?"},
		{name: "rules of a guessed function that lead outside", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x300, leaves)),
			stack:   asm.At(0x1000).U64(image+0x310, 0x1dd_b5ab_47ff, image+0x410, 0),
			want:    []string{"0x40000110 context", "0x4000040f scan"},
			end:     "memory_ends 0x1020",
		}, guesses: ".?"},
		{name: "so does one further up, which proves nothing", picture: picture{
			regs:    regs(image+0x110, 0x1000),
			symbols: startAt200(),
			stack:   asm.At(0x1000).Ref("up").U64(image+0x310).Mark("up").U64(0, 0, image+0x410, 0),
			want:    []string{"0x40000110 context", "0x4000030f frame_pointer"},
			end:     "chain_end",
		}, guesses: ".."},
		{name: "zeros behind a guess end nothing: a scan goes on", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(image+0x310, 0, 0, image+0x410, 0),
			want:    []string{"0x40000110 context", "0x4000030f scan", "0x4000040f scan"},
			end:     "memory_ends 0x1028",
		}, guesses: ".??"},
		{name: "rules find the return address 0", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x100, leaves)),
			stack:   asm.At(0x1000).U64(0, image+0x310),
			want:    []string{"0x40000110 context"},
			end:     "zero_return",
		}, guesses: ".", complete: true},
		{name: "rules find it behind a guess", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x300, leaves)),
			stack:   asm.At(0x1000).U64(image+0x310, 0, image+0x410).Zeros(8 * 50),
			want:    []string{"0x40000110 context", "0x4000030f scan"},
			end:     "guessed_zero",
		}, guesses: ".?"},
		{name: "rules find it behind a guess, by a frame pointer that the scan kept", picture: picture{
			regs:    regs(image+0x110, 0x1040),
			symbols: startAt200(cfi(0x300, ".cfa: $rbp 16 + .ra: .cfa 8 - ^")),
			stack:   asm.At(0x1000).U64(5, image+0x310, 6, image+0x410).Zeros(8 * 50),
			want:    []string{"0x40000110 context", "0x4000030f scan", "0x4000040f scan"},
			end:     "chain_end",
		}, guesses: ".??"},
		{name: "rules without a caller", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x100, leaves), cfi(0x300, ".cfa: $rsp .ra: .undef")),
			stack:   asm.At(0x1000).U64(image+0x310, image+0x410),
			want:    []string{"0x40000110 context", "0x4000030f cfi"},
			end:     "undefined",
		}, guesses: "..", complete: true},
		{name: "rules lead to where threads begin", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x100, leaves)),
			stack:   asm.At(0x1000).U64(image+0x210, image+0x410),
			want:    []string{"0x40000110 context", "0x4000020f cfi"},
			end:     "thread_start _start",
		}, guesses: "..", complete: true},
		{name: "a frame record leads there", picture: picture{
			regs:    regs(image+0x110, 0x1000),
			symbols: startAt200(),
			stack:   asm.At(0x1000).Ref("up").U64(image+0x210).Mark("up").U64(0x1040, image+0x410).Zeros(0x40),
			want:    []string{"0x40000110 context", "0x4000020f frame_pointer"},
			end:     "thread_start _start",
		}, guesses: "..", complete: true},
		{name: "a scan leads there: nothing is behind it, but that is a guess", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(),
			stack:   asm.At(0x1000).U64(image+0x210, image+0x410),
			want:    []string{"0x40000110 context", "0x4000020f scan"},
			end:     "guessed_start _start",
		}, guesses: ".?"},
		{name: "rules behind a scan lead there", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x300, leaves)),
			stack:   asm.At(0x1000).U64(image+0x310, image+0x210, image+0x410),
			want:    []string{"0x40000110 context", "0x4000030f scan", "0x4000020f cfi"},
			end:     "guessed_start _start",
		}, guesses: ".??"},
		{name: "rules and records behind a guess are guesses", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x300, chained)),
			stack: asm.At(0x1000).U64(5, image+0x310).
				Ref("record").U64(image+0x410).
				Mark("record").Ref("up").U64(image+0x120).
				Mark("up").U64(0, 0).Zeros(8 * 50),
			want: []string{"0x40000110 context", "0x4000030f scan", "0x4000040f cfi", "0x4000011f frame_pointer"},
			end:  "chain_end",
		}, guesses: ".???"},
		{name: "rules that do not advance", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x100, leaves), cfi(0x300, ".cfa: $rsp .ra: $rsp 8 - ^")),
			stack:   asm.At(0x1000).U64(image+0x310, image+0x310, image+0x410),
			want:    []string{"0x40000110 context", "0x4000030f cfi"},
			end:     "no_progress 0x1008 0x1008",
		}, guesses: ".."},
		{name: "no code is at so low an address", picture: picture{
			regs:    regs(image+0x110, 1),
			symbols: startAt200(cfi(0x100, leaves)),
			stack:   asm.At(0x1000).U64(0x77).Zeros(8 * 200),
			want:    []string{"0x40000110 context"},
			end:     "no_code 0x77",
		}, guesses: "."},
		{name: "the stack pointer is not known", picture: picture{
			regs: map[string]uint64{"rip": image + 0x110},
			want: []string{"0x40000110 context"},
			end:  "no_stack",
		}, guesses: "."},
		{name: "the program counter is not known", picture: picture{
			regs: map[string]uint64{"rsp": 0x1000},
			end:  "no_pc",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.arch, tt.os = &cpu.AMD64, cmp.Or(tt.os, "linux")
			stack := tt.check(t)
			if got := guesses(&stack); got != tt.guesses {
				t.Errorf("guesses %q, want %q", got, tt.guesses)
			}
			if got := stack.End.Kind.Complete(); got != tt.complete {
				t.Errorf("complete: %v", got)
			}
		})
	}
}

// A frame pointer that leads out of the stack is none, even if its target looks like a record.
// Memory without known runs counts as one stack.
func TestFramePointerToTheHeap(t *testing.T) {
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		os   process.OS
		fp   string
		s0   int // how far above the record the frame pointer is
	}{
		{"amd64", &cpu.AMD64, "linux", "rbp", 0},
		{"amd64, Windows", &cpu.AMD64, "windows", "rbp", 0},
		{"x86", &cpu.X86, "linux", "ebp", 0},
		{"arm64", &cpu.ARM64, "linux", "fp", 0},
		{"arm64, Windows", &cpu.ARM64, "windows", "fp", 0},
		{"arm", &cpu.ARM, "linux", "fp", 0},
		{"arm, iOS", &cpu.ARM, "ios", "r7", 0},
		{"riscv", &cpu.RISCV, "linux", "s0", 8},
		{"riscv64", &cpu.RISCV64, "linux", "s0", 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			heap := asm.At(0x8000).RefN(tt.arch.Word, "end").Word(tt.arch.Word, image+0x310).Zeros(0x20).
				Mark("end").Word(tt.arch.Word, 0, 0).Zeros(0x20)
			if tt.s0 != 0 {
				heap = asm.At(0x8000).RefN(tt.arch.Word, "end").Word(tt.arch.Word, image+0x310).Zeros(0x20).Mark("end").Zeros(0x20)
			}
			p := picture{
				arch: tt.arch, os: tt.os, ranges: true, code: heap, symbols: arm64Names,
				regs: map[string]uint64{
					tt.arch.RegName(tt.arch.PC): image + 0x110, tt.arch.RegName(tt.arch.SP): 0x1000, tt.fp: 0x8000 + uint64(tt.s0),
				},
				stack: asm.At(0x1000).Word(tt.arch.Word, 1, 2, 3, image+0x210).Zeros(0x400),
			}
			in := p.input(t)
			in.Frames = 2
			if stack := Walk(in); len(stack.Frames) < 2 || stack.Frames[1].ReturnAddress != image+0x210 || !stack.Frames[1].Guess {
				t.Errorf("frame 1 is not the scan's: %+v", stack)
			}
			p.ranges = false
			in = p.input(t)
			in.Frames = 2
			if stack := Walk(in); len(stack.Frames) < 2 || stack.Frames[1].ReturnAddress != image+0x310 || stack.Frames[1].Guess {
				t.Errorf("frame 1 is not the record's: %+v", stack)
			}
		})
	}
}

// A record that points to itself leads nowhere. Where code may keep anything in
// the frame pointer, a scan goes on.
func TestRecordsInCircles(t *testing.T) {
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		os   process.OS
		fp   string
		want string
		end  string
	}{
		{"arm64", &cpu.ARM64, "linux", "fp", "0x4000030c frame_pointer", "no_progress 0x1010 0x1010"},
		{"arm64, Windows", &cpu.ARM64, "windows", "fp", "0x4000030c frame_pointer", "memory_ends 0x1030"},
		{"arm, iOS", &cpu.ARM, "ios", "r7", "0x4000030e frame_pointer", "no_progress 0x1008 0x1008"},
		{"riscv64", &cpu.RISCV64, "linux", "s0", "0x4000030c frame_pointer", "no_progress 0x1010 0x1010"},
		{"x86", &cpu.X86, "linux", "ebp", "0x4000030f frame_pointer", "no_progress 0x1008 0x1008"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			word := tt.arch.Word
			picture{
				arch: tt.arch, os: tt.os, symbols: arm64Names,
				stack: asm.At(0x1000).Mark("record").RefN(word, "record").Word(word, image+0x310).Zeros(0x20),
				regs: map[string]uint64{
					tt.arch.RegName(tt.arch.PC): image + 0x110, tt.arch.RegName(tt.arch.SP): 0x1000, tt.fp: 0x1000,
				},
				want: []string{"0x40000110 context", tt.want}, end: tt.end,
			}.check(t)
		})
	}
}

// On Windows __RtlUserThreadStart is called by _RtlUserThreadStart, 0x1b bytes
// behind its beginning. Both begin threads, and both are on the stack.
func TestBothThreadStarts(t *testing.T) {
	names := []Function{fn(0x100, "f"), fn(0x200, "__RtlUserThreadStart"), fn(0x300, "_RtlUserThreadStart"), fn(0x400, "g")}
	chain := func(above uint64) *asm.Section {
		return asm.At(stackTop).
			Mark("ebp0").Ref32("ebp1").U32(image+0x210).
			Mark("ebp1").Ref32("ebp2").U32(image+0x31b).
			Mark("ebp2").U32(0, uint32(above)).Zeros(0x40)
	}
	p := picture{
		arch: &cpu.X86, os: "windows",
		regs: map[string]uint64{"eip": image + 0x110, "esp": stackTop, "ebp": stackTop},
		end:  "thread_start _RtlUserThreadStart",
	}
	t.Run("by frame pointers", func(t *testing.T) {
		p := p
		p.symbols, p.stack = symbols{functions: names}, chain(0)
		p.want = []string{"0x40000110 context", "0x4000020f frame_pointer", "0x4000031a frame_pointer"}
		p.check(t)
	})
	t.Run("by STACK WIN", func(t *testing.T) {
		p := p
		p.symbols, p.stack = symbols{functions: names, win: []WinFrame{frameData(0x100, standardFrame), frameData(0x200, standardFrame)}}, chain(0)
		p.want = []string{"0x40000110 context", "0x4000020f cfi", "0x4000031a cfi"}
		p.check(t)
	})
	t.Run("nothing behind the outer one counts", func(t *testing.T) {
		p := p
		p.symbols, p.stack = symbols{functions: names}, chain(image+0x410)
		p.want = []string{"0x40000110 context", "0x4000020f frame_pointer", "0x4000031a frame_pointer"}
		p.check(t)
	})
	t.Run("nor anything but the outer one behind the inner one", func(t *testing.T) {
		p := p
		p.symbols, p.end = symbols{functions: names}, "thread_start __RtlUserThreadStart"
		p.stack = asm.At(stackTop).Ref32("ebp1").U32(image+0x210).Mark("ebp1").U32(stackTop+0x40, image+0x410).Zeros(0x60)
		p.want = []string{"0x40000110 context", "0x4000020f frame_pointer"}
		p.check(t)
	})
}

// Behind the frame of glibc's function that calls main, a scan finds _start and nothing else.
func TestNothingCallsLibcStartMain(t *testing.T) {
	for _, name := range []string{"__libc_start_main", "__libc_start_main@@GLIBC_2.34", "__libc_start_main_impl"} {
		names := symbols{functions: []Function{fn(0x100, name), fn(0x200, "_start"), fn(0x300, "stale"), fn(0x400, "main")}}
		for _, tt := range []struct {
			stack *asm.Section
			want  []string
			end   string
		}{
			{asm.At(0x1000).U64(image+0x110, image+0x310, image+0x320).Zeros(8 * 200), nil, "no_return 0x1008"},
			{asm.At(0x1000).U64(image+0x110, image+0x310, image+0x210).Zeros(8 * 200), []string{"0x4000020f scan"}, "guessed_start _start"},
		} {
			picture{
				arch: &cpu.AMD64, os: "linux", symbols: names,
				regs: map[string]uint64{"rip": image + 0x410, "rsp": 0x1000, "rbp": 1}, stack: tt.stack,
				want: append([]string{"0x40000410 context", "0x4000010f scan"}, tt.want...), end: tt.end,
			}.check(t)
		}
	}
}
