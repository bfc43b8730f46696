package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// goStack is the stack of a goroutine; the thread's own lies elsewhere.
const goStack = 0x6000_0000

// systemstack continues on the goroutine's stack, by the frame record that its callee saved.
func TestGoSystemStack(t *testing.T) {
	rules := []CallFrame{cfi(0x000, ".cfa: $rsp 32 + .ra: .cfa 8 - ^"), cfi(0x100, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"),
		cfi(0x200, ".cfa: $rsp 24 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")}
	for _, tt := range []struct {
		name, function string
		record         uint64
		want           []string
		end            string
	}{
		{"switched", "runtime.systemstack.abi0", goStack, []string{"0x40000010 context", "0x4000010f cfi", "0x4000020f cfi", "0x4000030f cfi"}, "undefined"},
		{"another function", "runtime.mcall", goStack, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}, "undefined"},
		{"on the thread's stack already", "runtime.systemstack", stackTop + 0x40, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}, "undefined"},
		{"no record", "runtime.systemstack", 0x7000_0000, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}, "undefined"},
		{"no return address in it", "runtime.systemstack", goStack + 0x20, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}, "undefined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			picture{
				arch: &cpu.AMD64, os: "linux", ranges: true,
				symbols: symbols{frames: rules, functions: []Function{fn(0, "runtime.fatalthrow.func1"), fn(0x100, tt.function), fn(0x200, "runtime.throw"), fn(0x300, "main.work")}},
				regs:    map[string]uint64{"rip": image + 0x10, "rsp": stackTop},
				stack: asm.At(stackTop).U64(0, 0, tt.record, image+0x110, // of fatalthrow.func1: rbp and the return address
					0, image+0x340).U64(0, 0, 0, image+0x350).Zeros(0x20),
				code: asm.At(goStack).U64(goStack+0x30, image+0x210, 0, 0, image+0x310, 0, 0).Zeros(0x20),
				want: tt.want, end: tt.end,
			}.check(t)
		})
	}
}

// asmcgocall continues where it was called: on the goroutine's stack, whose end it has kept the distance from, or on the thread's.
func TestGoCallOfC(t *testing.T) {
	const g = goStack + 0x40
	rules := []CallFrame{cfi(0x000, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x100, ".cfa: $rsp 24 + .ra: .cfa 8 - ^"),
		cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")}
	whole := []string{"0x40000010 context", "0x4000010f cfi", "0x4000020f cfi", "0x4000030f cfi"}
	none := []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}
	for _, tt := range []struct {
		name  string
		saved []uint64
		want  []string
	}{
		{"with a frame pointer", []uint64{0x40, g}, whole},
		{"without one", []uint64{0x38, g}, whole},
		{"before Go 1.22", []uint64{1, 1, 1, 1, 1, 0x40, g}, whole},
		{"on the thread's stack", []uint64{stackTop + 0x50, 0, 0, 0, 0, 0, 0, 0, image + 0x210, image + 0x310, 0, 0}, whole},
		{"beyond the stack", []uint64{0x100, g}, none},
		{"no goroutine", []uint64{0x40, 0x7000_0000}, none},
		{"far away on the thread's stack", []uint64{stackTop + 0x110, 0}, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := asm.At(goStack).U64(0, image+0x210, image+0x310, 0, 0, 0, 0, 0). // the end of the goroutine's stack
													U64(goStack, goStack+0x40).Zeros(0x20) // g
			stack := asm.At(stackTop).U64(0, image+0x110).U64(tt.saved...)
			if len(tt.saved) < 12 {
				stack.U64(image+0x340, 0)
			}
			picture{
				arch: &cpu.AMD64, os: "linux", ranges: true,
				symbols: symbols{frames: rules, functions: []Function{fn(0, "cfunction"), fn(0x100, "runtime.asmcgocall.abi0"), fn(0x200, "main.call"), fn(0x300, "main.main")}},
				regs:    map[string]uint64{"rip": image + 0x10, "rsp": stackTop},
				stack:   stack.Zeros(0x120), code: memory, want: tt.want, end: "undefined",
			}.check(t)
		})
	}
}

// A callback from C returns to the first instruction of the function that stands for the stack that Go left for C, which is not behind a call: the function in
// front of it has other rules. Elsewhere a return address at the beginning of a function belongs to the one in front.
func TestGoCallback(t *testing.T) {
	rules := []CallFrame{cfi(0x000, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x100, ".cfa: $rsp 24 + .ra: .cfa 8 - ^"),
		cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")}
	for function, want := range map[string][]string{
		"runtime.systemstack_switch.abi0": {"0x40000010 context", "0x40000200 cfi", "0x4000030f cfi"},
		"main.other":                      {"0x40000010 context", "0x400001ff cfi", "0x4000033f cfi"},
	} {
		picture{
			arch: &cpu.AMD64, os: "linux",
			symbols: symbols{frames: rules, functions: []Function{fn(0, "runtime.cgocallback.abi0"), fn(0x100, "runtime.mcall"), fn(0x200, function), fn(0x300, "main.call")}},
			regs:    map[string]uint64{"rip": image + 0x10, "rsp": stackTop},
			stack:   asm.At(stackTop).U64(0, image+0x200, image+0x310, 0, image+0x340, 0).Zeros(0x20), want: want, end: "undefined",
		}.check(t)
	}
}

// morestack continues with the registers that it saved of the goroutine, which the thread's m names.
func TestGoMoreStack(t *testing.T) {
	const g0, m, g = goStack, goStack + 0x100, goStack + 0x200
	rules := []CallFrame{cfi(0x000, ".cfa: $rsp 16 + .ra: .cfa 8 - ^"), cfi(0x100, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"),
		cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^"), cfi(0x300, ".cfa: $rsp .ra: .undef")}
	for _, tt := range []struct {
		name    string
		g0, own uint64
		want    []string
	}{
		{"saved", g0, g, []string{"0x40000010 context", "0x4000010f cfi", "0x4000020f cfi", "0x4000030f cfi"}},
		{"m names another thread", g0 + 8, g, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}},
		{"no goroutine names itself", g0, g + 8, []string{"0x40000010 context", "0x4000010f cfi", "0x4000033f cfi"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := asm.At(goStack).Zeros(goM).U64(m).Zeros(0x100-goM-8). // g0
											U64(tt.g0, 0, 0, 0, g).Zeros(0x100-40).                                              // m
											Zeros(goM).U64(m, goStack+0x300, image+0x210, tt.own, 0, 0, 0).Zeros(0x100-goM-7*8). // g
											U64(image+0x310, 0, 0).Zeros(0x20)                                                   // its stack
			picture{
				arch: &cpu.AMD64, os: "linux", ranges: true,
				symbols: symbols{frames: rules, functions: []Function{fn(0, "runtime.newstack"), fn(0x100, "runtime.morestack.abi0"), fn(0x200, "main.recurse"), fn(0x300, "main.main")}},
				regs:    map[string]uint64{"rip": image + 0x10, "rsp": stackTop, "r14": g0},
				stack:   asm.At(stackTop).U64(0, image+0x110, image+0x340, 0).Zeros(0x20),
				code:    memory, want: tt.want, end: "undefined",
			}.check(t)
		})
	}
}
