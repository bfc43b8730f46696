package crash

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// found lists the findings of a scene with their confidences; the cause has an exclamation mark.
func found(t *testing.T, s *scene) string {
	t.Helper()
	if s.Exception != nil {
		said(t, s)
	}
	var out []string
	for _, f := range Analyze(s.Input).Findings {
		mark := ""
		if f.Cause {
			mark = "!"
		}
		out = append(out, fmt.Sprintf("%s%s %.2f", f.Kind, mark, f.Confidence))
	}
	return strings.Join(out, ", ")
}

// store is a write of four bytes to an address that Linux refused, load a read of eight.
func store(t *testing.T, addr uint64) *scene {
	return crashAt(t, movStore).reg(cpu.RAX, addr).fault(addr)
}

func load(t *testing.T, addr uint64) *scene {
	return crashAt(t, movLoad).reg(cpu.RBX, addr-0x10).fault(addr)
}

// on puts a scene on another CPU, with its instruction.
func (s *scene) on(arch *cpu.Arch) *scene {
	decode := s.Decode
	s.of(arch)
	s.Decode = decode
	return s
}

// flipsOf lists the candidates of a scene: address, register, and what supports or weakens them.
func flipsOf(s *scene) string {
	var out []string
	for _, b := range Analyze(s.Input).BitFlips {
		text := hex(b.Address)
		if b.Register != "" {
			text += " by " + b.Register
		}
		if b.NearbyRegisters > 0 {
			text += fmt.Sprintf(" near %d", b.NearbyRegisters)
		}
		for name, is := range map[string]bool{" null": b.Null && !b.Low, " low null": b.Low, " non-canonical": b.NonCanonical, " poison": b.Poison} {
			if is {
				text += name
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// Which addresses are one bit away from a bad one. The rules are rust-minidump's: see
// minidump-processor/src/processor.rs, check_for_bitflips.
func TestFlipCandidates(t *testing.T) {
	const flipped = heapBase + 0x10 | 1<<40
	arm := func(code string, base uint64) *scene {
		return crashAt(t, code).on(&cpu.ARM64).reg(0, base).fault(base + 0x10)
	}
	const ldr = "01 08 40 f9" // ldr x1, [x0, #16]
	tests := []struct {
		name string
		s    *scene
		want string
	}{
		{"a bit of the address, and so of the register", store(t, flipped), "0x600010, 0x600010 by rax"},
		{"no bit of two", store(t, flipped|1<<39), ""},
		{"the access begins in front of the reported address", load(t, flipped).fault(flipped + 4), "0x600010, 0x600000 by rbx"},
		{"the reported address is behind the access: only the register counts", load(t, flipped).fault(flipped + 8), "0x600018, 0x600000 by rbx"},
		{"the reported address is in front of it", load(t, flipped).fault(flipped - 1), "0x60000f, 0x600000 by rbx"},
		{"the last byte behind the heap, of four", store(t, heapBase+0xffff+3), ""},
		{"one byte further: another element was meant", store(t, heapBase+0xffff+4), "0x600003, 0x600003 by rax"},
		{"three bytes in front of the heap", store(t, heapBase-3), ""},
		{"Windows says write, so that code is no candidate", crashAt(t, movStore).reg(cpu.RAX, appBase|1<<40).windows(1, appBase|1<<40), ""},
		{"Windows says read, and code is one", crashAt(t, movLoad).reg(cpu.RBX, appBase|1<<40).windows(0, appBase+0x10|1<<40), "0x400010 near 1, 0x400000 by rbx near 1"},
		{"Windows says read, and the stack is one", crashAt(t, movLoad).reg(cpu.RBX, stackLow|1<<20).windows(0, stackLow+0x10|1<<20), "0x7ffd00000010 near 1, 0x7ffd00000000 by rbx near 1"},
		{"a null pointer with an offset", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10), ""},
		{"a low number, one bit away from null", crashAt(t, movLoad).reg(cpu.RBX, 0x1ff0).fault(0x2000), "0x0 low null, 0x402000 near 1, 0x401ff0 by rbx near 1"},
		{"a higher number", crashAt(t, "").fault(0x4000), "0x0 null, 0x404000"},
		{"of a non-canonical address only the upper bits", crashAt(t, movStore).reg(cpu.RAX, heapBase|1<<60).gpf(), "0x600000 non-canonical, 0x600000 by rax non-canonical"},
		{"a lower bit of one", crashAt(t, movStore).reg(cpu.RAX, heapBase|3<<60).gpf(), ""},
		{"a high bit of an address that is reported", crashAt(t, "").fault(heapBase | 1<<50), ""},
		{"bit 47 of it", crashAt(t, "").fault(heapBase | 1<<47), "0x600000"},
		{"a crash of an unknown kind", crashAt(t, "").with(func(in *Input) { in.Exception = &Exception{Unknown: true} }), ""},
		{"arm64: the tag in the upper byte is no flipped bit", arm(ldr, heapBase|1<<40|0xb4<<56), "0x600010, 0x600000 by x0"},
		{"arm64 without its instruction", arm("", heapBase|1<<40), ""},
		{"riscv64: ld a0, 16(a1)", crashAt(t, "03 b5 05 01").on(&cpu.RISCV64).reg(11, heapBase|1<<40).fault(heapBase + 0x10 | 1<<40), "0x600010, 0x600000 by a1"},
		{"riscv64 without its instruction", crashAt(t, "").on(&cpu.RISCV64).fault(heapBase | 1<<40), ""},
		{"mips64, whose code is not decoded: any bit", crashAt(t, "").on(&cpu.MIPS64).fault(heapBase | 1<<63), "0x600000"},
		{"x86: nearly every address has neighbours", crashAt(t, "").on(&cpu.X86).fault(heapBase | 1<<25), ""},
	}
	for _, tt := range tests {
		if got := flipsOf(tt.s); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Near a mapping an access is probably an overrun, whose address is one bit away from the mapping by chance. The values are those of
// rust-minidump's tests.
func TestFlipOffByOne(t *testing.T) {
	for elements, want := range map[float32]float32{0: 0, 1: 0, 10: 0.37796447, 64: 1, 100: 1} {
		if got := offByOne(elements); got != want {
			t.Errorf("%v elements: %v, want %v", elements, got, want)
		}
	}
	const end = heapBase + 0xffff
	for distance, want := range map[uint64]float32{4: 0, 40: 0.09449112, 256: 0.25} {
		flips := Analyze(store(t, end+distance).Input).BitFlips
		if len(flips) == 0 {
			t.Fatalf("%d bytes behind the heap: none", distance)
		}
		if got := flips[0].Confidence; got != want {
			t.Errorf("%d bytes behind the heap: %v, want %v", distance, got, want)
		}
	}
}

// Registers support a candidate if they are at most a page away from it.
func TestFlipSupport(t *testing.T) {
	const good = heapBase + 0x4000
	flipped := func() *scene { return store(t, good|1<<40) }
	tests := []struct {
		name string
		s    *scene
		want uint32
	}{
		{"none", flipped(), 0},
		{"one at the same address", flipped().reg(cpu.RDI, good), 1},
		{"one a page above", flipped().reg(cpu.RDI, good+0x1000), 1},
		{"one a byte further", flipped().reg(cpu.RDI, good+0x1001), 0},
		{"one a page below", flipped().reg(cpu.RDI, good-0x1000), 1},
		{"one a byte further below", flipped().reg(cpu.RDI, good-0x1001), 0},
		{"two", flipped().reg(cpu.RDI, good).reg(cpu.RSI, good+8), 2},
		{"the flags are no pointer", flipped().reg(cpu.RFLAGS, good), 0},
		{"near null are many numbers", crashAt(t, "").fault(0x4000).reg(cpu.RDI, 8), 0},
	}
	for _, tt := range tests {
		b := Analyze(tt.s.Input).BitFlips
		if len(b) == 0 || b[0].NearbyRegisters != tt.want {
			t.Errorf("%s: %+v, want %d", tt.name, b, tt.want)
		}
	}
}

// The flags register of each CPU is none of its pointers.
func TestFlagsOf(t *testing.T) {
	for arch, want := range map[*cpu.Arch]string{&cpu.AMD64: "eflags", &cpu.X86: "eflags", &cpu.ARM64: "cpsr", &cpu.ARM: "cpsr", &cpu.MIPS: "", &cpu.RISCV64: ""} {
		got := ""
		if r := arch.Flags(); r != cpu.None {
			got = arch.RegName(r)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", arch.Name, got, want)
		}
	}
}

// Poison in any register halves the confidence in a flipped bit: bytes of one kind in all eight
// places. Source: minidump-processor/src/op_analysis.rs, is_repeated_poison.
func TestFlipPoison(t *testing.T) {
	for value, want := range map[uint64]bool{
		0xe5e5_e5e5_e5e5_e5e5: true, 0x2b2b_2b2b_2b2b_2b2b: true, 0xe5e5_e5e5: false, 0xe5e5_e5e5_e5e5_e5e4: false, 0: false, 0x4141_4141_4141_4141: false,
	} {
		b := Analyze(store(t, heapBase|1<<40).reg(cpu.RDX, value).Input).BitFlips
		if len(b) == 0 || b[0].Poison != want {
			t.Errorf("%#x: %+v, want %v", value, b, want)
		}
	}
	if !slices.IsSorted(poisonBytes[:]) {
		t.Error("poisonBytes is not sorted")
	}
}

// A flipped bit is reported only with support, and only if nothing else explains the address.
func TestFlipFinding(t *testing.T) {
	const good = heapBase + 0x10
	near := func(s *scene) *scene { return s.reg(cpu.RDI, good+0x20) }
	guard := func(s *scene) *scene {
		s.Regions = slices.Insert(s.Regions, 2, process.Region{Start: 0x100_0060_0000, Last: 0x100_006f_ffff})
		return s
	}
	tests := []struct {
		name string
		s    *scene
		want string
	}{
		{"with a register beside it", near(store(t, good|1<<40)), "unmapped! 1.00, bit_flip 0.62"},
		{"without one", store(t, good|1<<40), "unmapped! 1.00"},
		{"the program counter alone is no support", store(t, codeAddr+0x100|1<<40), "unmapped! 1.00"},
		{"with another register it is", store(t, codeAddr+0x100|1<<40).reg(cpu.RDI, codeAddr), "unmapped! 1.00, bit_flip 0.66"},
		{"poison in a register", near(store(t, good|1<<40)).reg(cpu.RSI, 0xe5e5_e5e5_e5e5_e5e5), "unmapped! 1.00"},
		{"the registers hold poison where the pointer should be", near(store(t, 0xe5e5_e5e5_e5e5_e5e5)).gpf(), "poison! 0.90"},
		{"a non-canonical address needs no register", crashAt(t, movStore).reg(cpu.RAX, good|1<<60).gpf(), "non_canonical! 0.95, bit_flip 0.92"},
		{"unless a register holds poison", crashAt(t, movStore).reg(cpu.RAX, good|1<<60).reg(cpu.RSI, 0xe5e5_e5e5_e5e5_e5e5).gpf(), "non_canonical! 0.95"},
		{"memory without access: only Windows tells what was refused", near(guard(store(t, good|1<<40))), "inaccessible! 1.00"},
		{"the same on Windows", near(guard(store(t, good|1<<40).windows(1, good|1<<40))), "inaccessible! 1.00, bit_flip 0.62"},
		{"the kernel tells of memory tags", near(store(t, good|1<<40)).raise("linux", sigBUS, busBroken).fault(good | 1<<40), "broken_memory! 1.00"},
		{"a jump to a wrong address", crashAt(t, "").reg(cpu.RIP, good|1<<40).reg(cpu.RDI, good).fault(good | 1<<40), "bad_jump! 0.95, bit_flip 0.62"},
		{"a signal that was sent", near(store(t, good|1<<40)).raise("linux", sigSEGV, siTkill), "signal_from_outside! 1.00"},
	}
	for _, tt := range tests {
		if got := found(t, tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The evidence names what is one bit away, and from what.
func TestFlipEvidence(t *testing.T) {
	const large = "48 8b 83 00 20 00 00" // mov rax, qword [rbx + 0x2000]
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the address", "The address is one bit away from 0x600010, in [heap]. Registers with values close to that: 1.", store(t, heapBase+0x10|1<<40).reg(cpu.RDI, heapBase)},
		{"a register, which another one supports", "Register rbx is one bit away from 0x600000, in [heap]. Registers with values close to that: 1.",
			crashAt(t, large).reg(cpu.RBX, heapBase|1<<40).reg(cpu.RDI, heapBase).fault(heapBase + 0x2000 | 1<<40)},
		{"a module", "The address is one bit away from 0x401100, in app. Registers with values close to that: 2.", store(t, codeAddr+0x100|1<<40).reg(cpu.RDI, codeAddr)},
		{"null", "The address is one bit away from 0x0, which is null.", crashAt(t, movStore).reg(cpu.RAX, 1<<60).gpf()},
	}
	for _, tt := range tests {
		got := ""
		for _, f := range Analyze(tt.s.Input).Findings {
			if f.Kind == BitFlipped {
				got = strings.Join(f.Evidence, " ")
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
