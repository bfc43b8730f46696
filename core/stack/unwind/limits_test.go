package unwind

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

// Evidence costs nothing without a request: a walk of 64 frames allocates only its frames, and
// nothing for each method.
func TestEvidenceIsFreeWhenOff(t *testing.T) {
	stack := asm.At(0x1000)
	for i := range 64 {
		stack.U64(uint64(i)).U64(image + 0x210 + uint64(i%3)*0x100)
	}
	rules := ".cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbx: .cfa 16 - ^"
	p := picture{
		arch: &cpu.AMD64, os: "linux", stack: stack,
		regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 5},
		symbols: symbols{
			functions: []Function{fn(0x100, "a"), fn(0x200, "b"), fn(0x300, "c"), fn(0x400, "d")},
			frames:    []CallFrame{cfi(0x100, rules), cfi(0x200, rules), cfi(0x300, rules), cfi(0x400, rules)},
		},
	}
	in := p.input(t)
	if n := len(Walk(in).Frames); n != 65 {
		t.Fatalf("%d frames", n)
	}
	// The frames grow by doubling, and nothing else is allocated.
	if n := testing.AllocsPerRun(20, func() { Walk(in) }); n > 10 {
		t.Errorf("%v allocations for 65 frames", n)
	}
	in.Explain = true
	for i, f := range Walk(in).Frames[1:] {
		last := f.Evidence[len(f.Evidence)-1]
		if last.Result != Accepted || len(last.Reads) == 0 {
			t.Errorf("frame %d: %+v", i+1, last)
		}
	}
}

// So it is with every method: frame records, back chains, scans, a link
// register, code that is followed.
func TestNothingButFramesIsAllocated(t *testing.T) {
	for _, tt := range []struct {
		name string
		arch *cpu.Arch
		os   process.OS
		add  func(s *asm.Section, i int) // appends frame i
		regs map[string]uint64
		code *asm.Section
	}{
		{name: "frame records of arm64", arch: &cpu.ARM64, os: "linux", add: record, regs: map[string]uint64{"fp": 0x1000}},
		{name: "frame records of amd64", arch: &cpu.AMD64, os: "linux", add: record, regs: map[string]uint64{"rbp": 0x1000}},
		{name: "frame records of Windows", arch: &cpu.AMD64, os: "windows", add: record, regs: map[string]uint64{"rbp": 0x1000, "rsp": 0xff0}},
		{name: "frame records of arm", arch: &cpu.ARM, os: "linux", add: record32, regs: map[string]uint64{"fp": 0x1000}},
		{name: "frame records of x86", arch: &cpu.X86, os: "linux", add: record32, regs: map[string]uint64{"ebp": 0x1000}},
		{name: "back chains", arch: &cpu.PPC64, os: "linux", add: func(s *asm.Section, i int) {
			s.U64(s.Here()+24, 0, image+0x210)
		}},
		{name: "scans", arch: &cpu.AMD64, os: "linux", add: func(s *asm.Section, i int) { s.U64(uint64(i), image+0x210) }},
		{name: "scans of mips", arch: &cpu.MIPS, os: "linux", add: func(s *asm.Section, i int) {
			s.U32(0, 0, 0, 0, uint32(i), image+0x210)
		}},
		{name: "a link register", arch: &cpu.ARM64, os: "linux", add: record, regs: map[string]uint64{"fp": 0x1000, "lr": image + 0x310}},
		{name: "a leaf's code", arch: &cpu.ARM64, os: "linux", add: record, regs: map[string]uint64{"fp": 0x1000, "lr": image + 0x310},
			code: listing(image+0x100, "d503201f  nop", "d503201f  nop", "d503201f  nop", "d503201f  nop", "d503201f  nop")},
		{name: "a call before the link register", arch: &cpu.RISCV64, os: "linux", add: record, regs: map[string]uint64{"s0": 0x1000, "ra": image + 0x310},
			code: listing(image+0x30c, "df5ff0ef  jal ra, 0x100")},
		{name: "a return address on top of the stack", arch: &cpu.AMD64, os: "linux", add: record,
			regs: map[string]uint64{"rip": image + 0x100, "rsp": 0x1008, "rbp": 0x1000}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stack := asm.At(0x1000)
			for i := range 64 {
				tt.add(stack, i)
			}
			p := picture{arch: tt.arch, os: tt.os, stack: stack.Zeros(0x40), code: tt.code, symbols: symbols{functions: arm64Names.functions}}
			p.regs = map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x110, tt.arch.RegName(tt.arch.SP): 0x1000}
			maps.Copy(p.regs, tt.regs)
			in := p.input(t)
			if n := len(Walk(in).Frames); n < 60 {
				t.Fatalf("%d frames", n)
			}
			if n := testing.AllocsPerRun(20, func() { Walk(in) }); n > 10 {
				t.Errorf("%v allocations for 65 frames", n)
			}
		})
	}
}

// record appends a frame record that the next one follows.
func record(s *asm.Section, i int) { s.U64(s.Here()+16, image+0x210) }

func record32(s *asm.Section, i int) { s.U32(uint32(s.Here())+8, image+0x210) }

// Evidence is bounded, however deep the stack is.
func TestEvidenceIsBounded(t *testing.T) {
	stack := asm.At(0x1000)
	for range 20_000 {
		stack.U64(image + 0x210)
	}
	p := picture{
		arch: &cpu.AMD64, os: "linux", stack: stack,
		regs:    map[string]uint64{"rip": image + 0x210, "rsp": 0x1000, "rbp": 5},
		symbols: symbols{functions: []Function{fn(0x200, "b")}, frames: []CallFrame{cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^")}},
	}
	in := p.input(t)
	in.Explain = true
	total := 0
	for _, f := range Walk(in).Frames {
		for _, s := range f.Evidence {
			total += 16 * len(s.Reads)
			for _, line := range s.Text {
				total += len(line)
			}
		}
	}
	if total > MaxEvidence+1000 {
		t.Errorf("%d bytes of evidence", total)
	}
}

// A stack without end is cut at the limit, and says so.
func TestFrameLimit(t *testing.T) {
	stack := asm.At(0x1000)
	for range MaxFrames + 10 {
		stack.U64(image + 0x210)
	}
	p := picture{
		arch: &cpu.AMD64, os: "linux", stack: stack,
		regs:    map[string]uint64{"rip": image + 0x210, "rsp": 0x1000, "rbp": 5},
		symbols: symbols{frames: []CallFrame{cfi(0x200, ".cfa: $rsp 8 + .ra: .cfa 8 - ^")}},
	}
	in := p.input(t)
	got := Walk(in)
	if len(got.Frames) != MaxFrames || endText(got.End) != "frame_limit 0x10000" {
		t.Errorf("%d frames, end %q", len(got.Frames), endText(got.End))
	}
	in.Frames = 5
	got = Walk(in)
	if len(got.Frames) != 5 || endText(got.End) != "frame_limit 0x5" {
		t.Errorf("%d frames, end %q", len(got.Frames), endText(got.End))
	}
}

// A stack has at most maxScanned guesses: memory in which every word looks like a return address is
// noise.
func TestScanLimit(t *testing.T) {
	stack := asm.At(0x1000)
	for range maxScanned + 100 {
		stack.U64(image + 0x210)
	}
	p := picture{
		arch: &cpu.AMD64, os: "linux", stack: stack,
		regs: map[string]uint64{"rip": image + 0x210, "rsp": 0x1000, "rbp": 5},
	}
	if n := len(Walk(p.input(t)).Frames); n != maxScanned+1 {
		t.Errorf("%d frames, want %d", n, maxScanned+1)
	}
}

// The bits of a fuzzed walk's input.
const (
	noMemory = 1 << iota
	rangedMemory
	executableCode
	notExecutableCode
	unknownCode
	explained
)

// surround gives a walk what some of its input can answer.
func surround(in *Input, how uint8) {
	switch {
	case how&noMemory != 0:
		in.Memory = nil
	case how&rangedMemory != 0:
		in.Memory = ranged{in.Memory.(captured)}
	}
	if how&(executableCode|notExecutableCode|unknownCode) != 0 {
		in.Executable = func(uint64) (bool, bool) { return how&executableCode != 0, how&unknownCode == 0 }
	}
	in.Explain = how&explained != 0
}

// A walk without memory has one frame on every CPU, or two with a valid link register.
func TestNoMemory(t *testing.T) {
	for _, arch := range cpu.All() {
		for _, os := range []process.OS{"linux", "windows", "ios", ""} {
			t.Run(arch.Name+" "+string(os), func(t *testing.T) {
				p := picture{arch: arch, os: os, symbols: arm64Names, regs: map[string]uint64{}}
				for _, name := range arch.Regs {
					p.regs[name] = 0x1000
				}
				for _, at := range []uint64{0x100, 0x110, 0x9000} { // the first instruction, another, no function
					p.regs[arch.RegName(arch.PC)] = image + at
					in := p.input(t)
					in.Memory = nil
					stack := Walk(in)
					if len(stack.Frames) != 1 || stack.Reads != 0 || stack.End.Kind.Complete() {
						t.Errorf("%d frames, %d reads, end %q", len(stack.Frames), stack.Reads, endText(stack.End))
					}
				}
			})
		}
	}
}

// Every register may be unknown or anything, and memory may be anything.
func FuzzWalk(f *testing.F) {
	f.Add(uint8(0), uint8(0), "linux", uint64(image+0x110), uint64(0x1000), uint64(0x1010), []byte("stack"), []byte("code"))
	f.Add(uint8(1), uint8(0), "windows", uint64(0), ^uint64(0)-3, ^uint64(0), []byte{0x10, 2, 0, 0x40}, []byte(nil))
	for i, arch := range cpu.All() {
		stack := asm.At(0x1000).Word(arch.Word, 1, image+0x210, 0x1020, image+0x220, 0, image+0x310, 0x1000, image+0x110).Build(f)
		for _, how := range []uint8{0, noMemory, rangedMemory, executableCode, notExecutableCode, unknownCode, explained | rangedMemory} {
			f.Add(uint8(i), how, "linux", uint64(image+0x110), uint64(0x1000), uint64(0x1010), stack, []byte(nil))
			f.Add(uint8(i), how, "windows", uint64(image+0x310), uint64(0x1000), uint64(0x1000), stack, []byte(nil))
		}
	}
	for _, c := range wholeFunctions {
		p := c.at(len(c.steps) / 2)
		which := slices.Index(cpu.All(), c.arch)
		f.Add(uint8(which), uint8(0), "linux", p.regs[c.arch.RegName(c.arch.PC)], p.regs[c.arch.RegName(c.arch.SP)], uint64(0x1000), p.stack.Build(f), p.code.Build(f))
	}
	f.Fuzz(func(t *testing.T, which, how uint8, os string, pc, sp, fp uint64, data, code []byte) {
		arch := cpu.All()[int(which)%len(cpu.All())]
		p := picture{arch: arch, os: process.OS(os), stack: asm.At(sp).Bytes(data), code: asm.At(image + 0x100).Bytes(code), symbols: symbols{
			functions: []Function{fn(0x100, "a"), fn(0x200, "__restore_rt")},
			frames:    []CallFrame{cfi(0x100, ".cfa: sp 8 + .ra: .cfa 8 - ^")},
			win:       []WinFrame{fpo(0x200, 8, 8, 8), frameData(0x300, standardFrame)},
		}}
		in := p.input(t)
		surround(&in, how)
		in.Regs.Set(arch.PC, pc&arch.Mask())
		in.Regs.Set(arch.SP, sp&arch.Mask())
		in.Regs.Set(arch.FP, fp&arch.Mask())
		stack := Walk(in)
		if len(stack.Frames) == 0 || endText(stack.End) == "" {
			t.Errorf("%d frames, end %q", len(stack.Frames), endText(stack.End))
		}
		// Each frame but those of a signal lies above the one before, so that
		// there are no more of them than bytes of memory; each costs a bounded
		// number of reads.
		if n := len(stack.Frames); n > len(data)+maxSignals+2 {
			t.Errorf("%d frames of %d bytes", n, len(data))
		}
		limit := len(stack.Frames) * maxReads
		for _, f := range stack.Frames {
			if f.Interrupted {
				limit += maxCodeReads
			}
		}
		if stack.Reads > limit {
			t.Errorf("%d reads for %d frames", stack.Reads, len(stack.Frames))
		}
	})
}

// maxReads is the most words that are read to find one frame: two scans of
// mipsFrameBytes with the words below, and what the methods before it need.
const maxReads = 4*mipsFrameBytes/4 + 6*longScanWords

// maxCodeReads is the most that are read to decide by code: an instruction takes
// up to four, code is followed from the function's beginning twice, by two
// kinds of rules, and from two return addresses and two calls.
const maxCodeReads = 4 * (4*maxPrologue + 4*maxEpilogue + 4*maxFlow)

// dpcStack is a stack of the kernel's deferred calls above that of the thread, as far as addresses go.
const dpcStack = stackTop + 0x10_0000

// A deferred call of the kernel ends on the stack of the thread that it interrupted, also when that lies below. So does no program's stack.
func TestDeferredCall(t *testing.T) {
	for _, tt := range []struct {
		name, switches string
		arch           *cpu.Arch
		frame          string // the register with the old stack pointer
		kernel         bool
		end            string
		frames         int
	}{
		{name: "x64", arch: &cpu.AMD64, frame: "rbp", switches: ".cfa: $rbp 16 + .ra: .cfa 8 - ^ $rbp: $rbp ^", kernel: true, frames: 4, end: "undefined"},
		{name: "arm64", arch: &cpu.ARM64, frame: "fp", switches: ".cfa: x29 16 + .ra: .cfa 8 - ^ x29: x29 ^", kernel: true, frames: 4, end: "undefined"},
		{name: "a program", arch: &cpu.AMD64, frame: "rbp", switches: ".cfa: $rbp 16 + .ra: .cfa 8 - ^ $rbp: $rbp ^", frames: 2, end: "no_progress"},
		{name: "by the stack pointer", arch: &cpu.AMD64, frame: "rbp", switches: ".cfa: $rsp 1048336 - .ra: .cfa 8 - ^", kernel: true, frames: 2, end: "no_progress"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules := []CallFrame{cfi(0x000, fmt.Sprintf(".cfa: %s 16 + .ra: .cfa 8 - ^", tt.arch.RegName(tt.arch.SP))), cfi(0x100, tt.switches),
				cfi(0x200, fmt.Sprintf(".cfa: %s 32 + .ra: .cfa 8 - ^", tt.arch.RegName(tt.arch.SP))), cfi(0x300, ".cfa: $rsp .ra: .undef")}
			p := picture{
				arch: tt.arch, os: "windows", ranges: true, symbols: symbols{frames: rules, functions: []Function{fn(0, "a"), fn(0x100, "b"), fn(0x200, "c"), fn(0x300, "d")}},
				regs: map[string]uint64{tt.arch.RegName(tt.arch.PC): image + 0x10, tt.arch.RegName(tt.arch.SP): dpcStack, tt.frame: stackTop + 0xf0},
				code: asm.At(dpcStack).U64(0, image+0x110).Zeros(0x20), stack: asm.At(stackTop).Zeros(0xf0).U64(0, image+0x210, 0, 0, 0, image+0x310).Zeros(0x40),
			}
			in := p.plain(t)
			in.Kernel = tt.kernel
			s := Walk(in)
			if end := endText(s.End); len(s.Frames) != tt.frames || !strings.HasPrefix(end, tt.end) {
				t.Errorf("%d frames, %s", len(s.Frames), end)
			}
		})
	}
}

// Stacks that lead to each other end the walk.
func TestStacksInARing(t *testing.T) {
	p := picture{
		arch: &cpu.AMD64, os: "windows", ranges: true, symbols: symbols{functions: []Function{fn(0, "a")}, frames: []CallFrame{cfi(0, ".cfa: $rbp 16 + .ra: .cfa 8 - ^ $rbp: $rbp ^")}},
		regs: map[string]uint64{"rip": image + 0x10, "rsp": dpcStack, "rbp": dpcStack + 0x10},
		code: asm.At(dpcStack).Zeros(0x10).U64(stackTop, image+0x20).Zeros(0x20), stack: asm.At(stackTop).U64(dpcStack+0x10, image+0x30).Zeros(0x40),
	}
	in := p.plain(t)
	in.Kernel = true
	if s := Walk(in); len(s.Frames) > 3*maxSignals {
		t.Errorf("%d frames", len(s.Frames))
	}
}

// Stacks of goroutines lie beside each other. A scan ends where its stack does, and finds nothing of the next one.
func TestScanEndsAtTop(t *testing.T) {
	p := picture{arch: &cpu.AMD64, os: "linux", stack: asm.At(0x1000).U64(1, image+0x210, 2, image+0x310, 3, image+0x410).Zeros(0x40),
		regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000}, symbols: symbols{functions: arm64Names.functions}}
	in := p.input(t)
	for _, tt := range []struct {
		name   string
		top    uint64
		frames int
		end    EndKind
	}{
		{"unknown", 0, 4, MemoryEnds},
		{"behind the second return address", 0x1020, 3, NoReturn},
		{"at the second return address", 0x1018, 2, NoReturn},
		{"below the stack pointer", 0x800, 1, NoReturn},
	} {
		in.Top = tt.top
		if got := Walk(in); len(got.Frames) != tt.frames || got.End.Kind != tt.end {
			t.Errorf("top %s: %d frames, %+v; want %d", tt.name, len(got.Frames), got.End, tt.frames)
		}
	}
}
