package macho

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// permutationNumber is the other way round: from the registers to the number,
// as compilers compute it (LLVM's X86AsmBackend.cpp has six cases of it).
func permutationNumber(regs []int) (number int) {
	for i, reg := range regs {
		digit := reg - 1
		for _, before := range regs[:i] {
			if before < reg {
				digit--
			}
		}
		number = number*(6-i) + digit
	}
	return number
}

// arrangements are all ways to choose n of six registers.
func arrangements(n int) (out [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range arrangements(n - 1) {
		for reg := 1; reg <= 6; reg++ {
			if !slices.Contains(shorter, reg) {
				out = append(out, append(slices.Clone(shorter), reg))
			}
		}
	}
	return out
}

func TestPermutation(t *testing.T) {
	for n := range 7 {
		seen := map[int]bool{}
		for _, want := range arrangements(n) {
			number := permutationNumber(want)
			if seen[number] || number > 0x3ff {
				t.Fatalf("%v: number %d again", want, number)
			}
			seen[number] = true
			if got, ok := permutation(n, number); !ok || !slices.Equal(got, want) {
				t.Errorf("%d registers, number %d: %v, %v, want %v", n, number, got, ok, want)
			}
		}
		if _, ok := permutation(n, 1023); ok && n > 0 {
			t.Errorf("%d registers have a number 1023", n)
		}
	}
	if _, ok := permutation(7, 0); ok {
		t.Error("seven registers of six")
	}
}

// A intelFunction is made up: which registers it pushes, and what it subtracts.
type intelFunction struct {
	x        *intel
	arch     *cpu.Arch
	framed   bool
	pushes   []string
	locals   int64
	indirect bool
}

// codes are the numbers of registers in push and pop.
var codes = map[string]byte{"$rbx": 3, "$rbp": 5, "$r12": 12, "$r13": 13, "$r14": 14, "$r15": 15, "$ebx": 3, "$ebp": 5, "$esi": 6, "$edi": 7}

func (fn *intelFunction) one(base byte, reg string, do func(*machine, string)) step {
	n := codes[reg]
	code := []byte{base + n&7}
	if n >= 8 {
		code = []byte{0x41, base + n&7}
	}
	name := fn.arch.RegName(must(fn.arch.Reg(reg)))
	return step{code, func(m *machine) { do(m, name) }}
}

func must(r cpu.Reg, ok bool) cpu.Reg {
	if !ok {
		panic("no such register")
	}
	return r
}

func (fn *intelFunction) push(reg string) step {
	return fn.one(0x50, reg, func(m *machine, name string) { m.push(m.regs[name]) })
}

func (fn *intelFunction) pop(reg string) step {
	return fn.one(0x58, reg, func(m *machine, name string) { m.pop(name) })
}

// wide puts a REX prefix in front in 64-bit code.
func (fn *intelFunction) wide(code ...byte) []byte {
	if fn.x.word == 8 {
		return append([]byte{0x48}, code...)
	}
	return code
}

func (fn *intelFunction) adjust(op byte, n int64) step {
	do := func(m *machine) { m.move(n) }
	if op == 0xec {
		do = func(m *machine) { m.move(-n) }
	}
	if n < 128 && !fn.indirect {
		return step{fn.wide(0x83, op, byte(n)), do}
	}
	return step{append(fn.wide(0x81, op), le32(n)...), do}
}

// steps are the whole function: it spoils what it has saved, and returns.
func (fn *intelFunction) steps() (out []step) {
	fp := fn.arch.RegName(fn.arch.FP)
	sp := fn.arch.RegName(fn.arch.SP)
	if fn.framed {
		out = append(out, fn.push(fn.x.fp), step{fn.wide(0x89, 0xe5), func(m *machine) { m.regs[fp] = m.regs[sp] }})
	}
	for _, reg := range fn.pushes {
		out = append(out, fn.push(reg))
	}
	if fn.locals > 0 {
		out = append(out, fn.adjust(0xec, fn.locals))
	}
	for _, reg := range fn.pushes {
		name := fn.arch.RegName(must(fn.arch.Reg(reg)))
		out = append(out, step{[]byte{0x0f, 0xa2}, func(m *machine) { m.clobber(name) }}) // cpuid
	}
	out = append(out, step{[]byte{0x0f, 0xa2}, func(*machine) {}})
	if fn.locals > 0 {
		out = append(out, fn.adjust(0xc4, fn.locals))
	}
	for _, reg := range slices.Backward(fn.pushes) {
		out = append(out, fn.pop(reg))
	}
	if fn.framed {
		out = append(out, fn.pop(fn.x.fp))
	}
	return append(out, step{[]byte{0xc3}, nil})
}

// encoding is what a compiler writes into __unwind_info for it.
func (fn *intelFunction) encoding() uint32 {
	numbers := make([]int, 0, len(fn.pushes))
	for _, reg := range slices.Backward(fn.pushes) { // the last push has the lowest address
		numbers = append(numbers, slices.Index(fn.x.regs, reg))
	}
	if fn.framed {
		e := uint32(intelFrame | len(numbers)<<16)
		for i, n := range numbers {
			e |= uint32(n) << (3 * i)
		}
		return e
	}
	total := fn.locals/fn.x.word + int64(len(numbers)) + 1
	e := uint32(intelImmediate | len(numbers)<<10 | permutationNumber(numbers))
	if !fn.indirect {
		return e | uint32(total)<<16
	}
	at := len(fn.wide()) + 2 // the operand of the subtraction
	for _, reg := range fn.pushes {
		at += len(fn.push(reg).code)
	}
	return e&^modeMask | intelIndirect | uint32(at)<<16 | uint32(1+len(numbers))<<13
}

func randomIntel(r *rand.Rand, x *intel, arch *cpu.Arch) *intelFunction {
	fn := &intelFunction{x: x, arch: arch, framed: r.IntN(2) == 0}
	regs := []string{}
	for reg := range codes {
		if slices.Contains(x.regs, reg) && !(fn.framed && reg == x.fp) && slices.Contains(keptBy(x), reg) {
			regs = append(regs, reg)
		}
	}
	slices.Sort(regs)
	r.Shuffle(len(regs), func(i, j int) { regs[i], regs[j] = regs[j], regs[i] })
	fn.pushes = regs[:r.IntN(min(len(regs), 5)+1)]
	fn.locals = x.word * int64(r.IntN(12))
	if !fn.framed && len(fn.pushes) > 0 && r.IntN(3) == 0 {
		fn.indirect, fn.locals = true, x.word*int64(100+r.IntN(5000))
	}
	return fn
}

func keptBy(x *intel) (out []string) {
	for _, reg := range x.pushed {
		out = append(out, reg)
	}
	return out
}

// TestIntelFunctions runs made-up functions, and unwinds them at every
// instruction: in the first ones, in the body, and in the last ones.
func TestIntelFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for i := range 400 {
		x, arch := &intelAMD64, &cpu.AMD64
		if i%2 == 1 {
			x, arch = &intelX86, &cpu.X86
		}
		fn := randomIntel(r, x, arch)
		code, at := program(fn.steps())
		m := &testImage{cpu: cpuAMD64, sub: 3, kind: 2, code: append(bytes.Repeat([]byte{0x90}, 32), code...),
			unwind: unwindInfoOf(t, uint32(0x1020+len(code)), 0x1000, 0, 0x1020, fn.encoding()), starts: asm.ULEB(0x1000, 0x20, 0)}
		if i%2 == 1 {
			m.cpu, m.thin32 = cpuX86, true
		}
		runFunction(t, fmt.Sprintf("%+v", *fn), m.open(t), arch, fn.steps(), at, func(m *machine) { m.push(0xcafe) }, stackTop)
	}
}

// runFunction calls a function that begins at 0x1020.
func runFunction(t *testing.T, what string, f *File, arch *cpu.Arch, steps []step, at []int, call func(*machine), cfa uint64) {
	t.Helper()
	caller, m := newMachine(arch), newMachine(arch)
	call(m)
	for i, s := range steps {
		cf, ok := f.CallFrame(uint64(0x1020 + at[i]))
		if !ok {
			t.Fatalf("%s: no rules at instruction %d; notes %q", what, i, f.Notes())
		}
		if err := m.callerOf(cf.Rules, caller, 0xcafe, cfa); err != nil {
			t.Fatalf("%s: instruction %d: %+v: %v", what, i, cf, err)
		}
		if s.do != nil {
			s.do(m)
		}
	}
}

// A jump out of a function ends it, but only if there is no frame any more.
func TestIntelJumps(t *testing.T) {
	for _, tt := range []struct {
		name string
		code []byte // from 0x1020 on, with a frame of rbp and rbx
		at   uint64
		cfa  string
	}{
		{"to another function", []byte{0x5b, 0x5d, 0xe9, 0xd9, 0xff, 0xff, 0xff}, 2, "$rsp 8 +"},
		{"before it", []byte{0x5b, 0x5d, 0xe9, 0xd9, 0xff, 0xff, 0xff}, 0, "$rsp 24 +"},
		{"to a cold part", []byte{0x90, 0x90, 0xe9, 0xd9, 0xff, 0xff, 0xff}, 2, "$rbp 16 +"},
		{"in the function", []byte{0x5b, 0x5d, 0xeb, 0xfc}, 2, "$rbp 16 +"},
		{"to nowhere", []byte{0x5b, 0x5d, 0xe9, 0, 0, 0, 0x7f}, 2, "$rbp 16 +"},
		{"of another register", []byte{0x90, 0x58, 0xc3, 0x90}, 1, "$rbp 16 +"},
		{"of a register that is not saved", []byte{0x90, 0x41, 0x5c, 0xc3}, 1, "$rbp 16 +"},
		{"behind a call", []byte{0xe8, 0xdb, 0xff, 0xff, 0xff, 0x5b, 0x5d, 0xc3}, 4, "$rbp 16 +"},
	} {
		code := append(bytes.Repeat([]byte{0x90}, 32), tt.code...)
		m := &testImage{cpu: cpuAMD64, sub: 3, kind: 2, code: code, starts: asm.ULEB(0x1000, 0x20, 0),
			unwind: unwindInfoOf(t, uint32(0x1000+len(code)), 0x1000, 0, 0x1020, 0x0101_0001)}
		cf, ok := m.open(t).CallFrame(0x1020 + tt.at)
		if !ok || cf.Rules[0].Text() != tt.cfa {
			t.Errorf("%s: %+v, %v, want %s", tt.name, cf, ok, tt.cfa)
		}
	}
}

// TestIntelTailCalls has tail calls through registers and memory, and what
// looks like one.
func TestIntelTailCalls(t *testing.T) {
	const (
		framed    = 0x0101_0001             // push rbp; mov rbp, rsp; push rbx; push rax
		pushed    = 0x0208_0000 | 2<<10 | 2 // push r14; push rbx; sub rsp, 0x28
		frameless = intelImmediate | 4<<16  // sub rsp, 0x18
		body      = "$rbp 16 +"
	)
	for _, tt := range []struct {
		name     string
		encoding uint32
		code     string            // from 0x1020 on, behind two nops
		cfa      map[uint64]string // by the offset in it
	}{
		{"pop rbx; pop rbp; jmp rax", framed, "\x5b\x5d\xff\xe0", map[uint64]string{0: "$rsp 24 +", 1: "$rsp 16 +", 2: "$rsp 8 +"}},
		{"pop rbx; pop rbp; jmp r11", framed, "\x5b\x5d\x41\xff\xe3", map[uint64]string{0: "$rsp 24 +", 1: "$rsp 16 +", 2: "$rsp 8 +"}},
		{"pop rbx; pop rbp; jmp [rip+20h]", framed, "\x5b\x5d\xff\x25\x20\x00\x00\x00", map[uint64]string{0: "$rsp 24 +", 1: "$rsp 16 +", 2: "$rsp 8 +"}},
		{"pop rbx; pop rbp; jmp [rax+8]", framed, "\x5b\x5d\xff\x60\x08", map[uint64]string{0: "$rsp 24 +", 1: "$rsp 16 +", 2: "$rsp 8 +"}},
		{"pop rbx; pop rbp; jmp [rax+rcx*8]", framed, "\x5b\x5d\xff\x24\xc8", map[uint64]string{0: "$rsp 24 +", 1: "$rsp 16 +", 2: "$rsp 8 +"}},
		{"leave; jmp rax", framed, "\xc9\xff\xe0", map[uint64]string{0: body, 1: "$rsp 8 +"}},
		{"leave; jmp 1000h", framed, "\xc9\xe9\xd8\xff\xff\xff", map[uint64]string{0: body, 1: "$rsp 8 +"}},
		{"a switch: jmp rax", framed, "\x90\x90\xff\xe0", map[uint64]string{2: body}},
		{"a switch: jmp [rax*8+1000h]", framed, "\x90\x90\xff\x24\xc5\x00\x10\x00\x00", map[uint64]string{2: body}},
		{"a switch behind add rsp, 8", framed, "\x48\x83\xc4\x08\xff\xe0", map[uint64]string{0: body, 4: body}},
		{"a switch behind pop rbx", framed, "\x5b\xff\xe0", map[uint64]string{0: body, 1: body}},
		{"add rsp, 28h; pop rbx; pop r14; jmp rax", pushed, "\x48\x83\xc4\x28\x5b\x41\x5e\xff\xe0",
			map[uint64]string{0: "$rsp 64 +", 4: "$rsp 24 +", 5: "$rsp 16 +", 7: "$rsp 8 +"}},
		{"add rsp, 18h; jmp rax", frameless, "\x48\x83\xc4\x18\xff\xe0", map[uint64]string{0: "$rsp 32 +", 4: "$rsp 8 +"}},
		{"add rsp, 8; jmp rax: not all of the frame", frameless, "\x48\x83\xc4\x08\xff\xe0", map[uint64]string{0: "$rsp 32 +", 4: "$rsp 32 +"}},
		{"the end of call [rbx+5bh]; pop rbp; ret", framed, "\xff\x53\x5b\x5d\xc3", map[uint64]string{2: body, 3: "$rsp 16 +"}},
	} {
		code := append(bytes.Repeat([]byte{0x90}, 34), tt.code...)
		m := &testImage{cpu: cpuAMD64, sub: 3, kind: 2, code: code, starts: asm.ULEB(0x1000, 0x20, 0),
			unwind: unwindInfoOf(t, uint32(0x1000+len(code)), 0x1000, 0, 0x1020, tt.encoding)}
		f := m.open(t)
		for off, cfa := range tt.cfa {
			if cf, ok := f.CallFrame(0x1022 + off); !ok || cf.Rules[0].Text() != cfa {
				t.Errorf("%s: at %d: %+v, %v, want %s", tt.name, off, cf, ok, cfa)
			}
		}
	}
}

func TestIntelRefuses(t *testing.T) {
	for _, tt := range []struct {
		name     string
		encoding uint32
	}{
		{"no rules", 0}, {"mode 5", 0x0500_0000},
		{"more registers than the frame has room for", 0x0101_0011},
		{"a register twice", 0x0102_0009}, {"register 7", 0x0101_0007}, {"the frame pointer as a register", 0x0101_0006},
		{"a stack too small for its registers", 0x0201_0000 | 2<<10}, {"no such order", 0x0208_0000 | 1<<10 | 700}, {"7 registers", 0x0210_0000 | 7<<10},
		{"the size beyond the code", 0x03ff_0000},
		{"DWARF that is not there", 0x0400_0010},
	} {
		m := someImage(t)
		m.unwind = unwindInfoOf(t, 0x1060, 0x1000, 0, 0x1040, tt.encoding)
		if cf, ok := m.open(t).CallFrame(0x1050); ok {
			t.Errorf("%s: %+v", tt.name, cf)
		}
	}
}

func TestStubs(t *testing.T) {
	for _, tt := range []struct {
		m   testImage
		at  uint64
		cfa string
	}{
		{testImage{cpu: cpuAMD64, stubs: make([]byte, 12)}, 0x1806, "$rsp 8 +"},
		{testImage{cpu: cpuAMD64, helper: make([]byte, 36)}, 0x1c00, "$rsp 16 +"},
		{testImage{cpu: cpuAMD64, helper: make([]byte, 36)}, 0x1c09, "$rsp 24 +"},
		{testImage{cpu: cpuAMD64, helper: make([]byte, 36)}, 0x1c10, "$rsp 8 +"},
		{testImage{cpu: cpuAMD64, helper: make([]byte, 36)}, 0x1c1f, "$rsp 16 +"},
		{testImage{cpu: cpuX86, thin32: true, helper: make([]byte, 32)}, 0x1c05, "$esp 12 +"},
		{testImage{cpu: cpuX86, thin32: true, helper: make([]byte, 32)}, 0x1c0c, "$esp 4 +"},
		{testImage{cpu: cpuARM64, helper: make([]byte, 36)}, 0x1c08, "sp 0 +"},
		{testImage{cpu: cpuARM64, helper: make([]byte, 36)}, 0x1c0c, "sp 16 +"},
		{testImage{cpu: cpuARM64, helper: make([]byte, 36)}, 0x1c18, "sp 0 +"},
	} {
		cf, ok := tt.m.open(t).CallFrame(tt.at)
		if !ok || cf.Rules[0].Text() != tt.cfa || cf.From != fromStubs {
			t.Errorf("%s at %#x: %+v, %v, want %s", tt.m.open(t).CPU(), tt.at, cf, ok, tt.cfa)
		}
	}
}
