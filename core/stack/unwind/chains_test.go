package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

func TestPPCBackChain(t *testing.T) {
	picture{ // as on macOS, and as Breakpad expects it everywhere
		arch: &cpu.PPC, os: "mac",
		regs: map[string]uint64{"srr0": image + 0x110, "r1": 0x1000},
		stack: asm.At(0x1000).Ref32("f1").U32(0, 0).
			Mark("f1").Ref32("f2").U32(0x77, image+0x210).
			Mark("f2").U32(0, 0, image+0x310),
		want:        []string{"0x40000110 context", "0x4000020c frame_pointer", "0x4000030c frame_pointer"},
		caller:      map[string]uint64{"srr0": image + 0x210, "r1": 0x100c},
		grandcaller: map[string]uint64{"srr0": image + 0x310, "r1": 0x1018},
		end:         "zero_return",
	}.check(t)
	picture{
		arch: &cpu.PPC, os: "linux",
		regs: map[string]uint64{"srr0": image + 0x110, "r1": 0x1000},
		stack: asm.At(0x1000).Ref32("f1").U32(0, 0).
			Mark("f1").Ref32("f2").U32(image+0x210, 0).
			Mark("f2").U32(0, image+0x310, 0),
		want:        []string{"0x40000110 context", "0x4000020c frame_pointer", "0x4000030c frame_pointer"},
		caller:      map[string]uint64{"srr0": image + 0x210, "r1": 0x100c},
		grandcaller: map[string]uint64{"srr0": image + 0x310, "r1": 0x1018},
		end:         "zero_return",
	}.check(t)
	picture{
		arch: &cpu.PPC, os: "linux",
		regs:  map[string]uint64{"srr0": image + 0x110, "r1": 0x1000},
		stack: asm.At(0x1000).U32(0xff0, 0, 0, 0),
		want:  []string{"0x40000110 context"},
		end:   "no_return 0x1000",
	}.check(t)
}

func TestPPC64BackChain(t *testing.T) {
	picture{
		arch: &cpu.PPC64, os: "mac",
		regs: map[string]uint64{"srr0": image + 0x110, "r1": 0x1000},
		stack: asm.At(0x1000).Ref("f1").U64(0, 0).
			Mark("f1").Ref("f2").U64(0, image+0x210).
			Mark("f2").U64(0, 0, 1),
		want:   []string{"0x40000110 context", "0x40000208 frame_pointer"},
		caller: map[string]uint64{"srr0": image + 0x210, "r1": 0x1018},
		end:    "zero_return",
	}.check(t)
}

func TestSPARCWindows(t *testing.T) {
	window := func(s *asm.Section, label, up string, i7 uint32) *asm.Section {
		s.Mark(label).Zeros(56)
		if up == "" {
			return s.U32(0, i7)
		}
		return s.Ref32(up).U32(i7)
	}
	s := asm.At(0x1000).Zeros(64)
	window(s, "f1", "f2", image+0x210)
	window(s, "f2", "", 0)
	picture{
		arch: &cpu.SPARC, os: "solaris", stack: s,
		regs:   map[string]uint64{"pc": image + 0x110, "sp": 0x1000, "fp": s.Addr("f1")},
		want:   []string{"0x40000110 context", "0x40000210 frame_pointer"},
		caller: map[string]uint64{"pc": image + 0x218, "sp": s.Addr("f1"), "fp": s.Addr("f2")},
		end:    "zero_return",
	}.check(t)
}

func TestMIPSScan(t *testing.T) {
	names := symbols{functions: arm64Names.functions}
	t.Run("a word with a plausible fp below it comes first", func(t *testing.T) {
		picture{
			arch: &cpu.MIPS, os: "android", symbols: names,
			regs: map[string]uint64{"pc": image + 0x110, "sp": 0x1000},
			stack: asm.At(0x1000).U32(5, image+0x410, 6, 0x1040).
				U32(image + 0x210).
				Zeros(0x40),
			want:   []string{"0x40000110 context", "0x40000208 scan"},
			caller: map[string]uint64{"pc": image + 0x210, "sp": 0x1014, "fp": 0x1040},
			end:    "memory_ends 0x1054",
		}.check(t)
	})
	t.Run("any return address otherwise", func(t *testing.T) {
		picture{
			arch: &cpu.MIPS, os: "android", symbols: names,
			regs:   map[string]uint64{"pc": image + 0x110, "sp": 0x1000},
			stack:  asm.At(0x1000).U32(5, 6, 7, image+0x410).Zeros(0x600),
			want:   []string{"0x40000110 context", "0x40000408 scan"},
			caller: map[string]uint64{"pc": image + 0x410, "sp": 0x1010},
			end:    "no_return 0x1010",
		}.check(t)
	})
	t.Run("the argument words of a caller are skipped", func(t *testing.T) {
		picture{
			arch: &cpu.MIPS, os: "android", symbols: names,
			regs: map[string]uint64{"pc": image + 0x110, "sp": 0x1000},
			stack: asm.At(0x1000).U32(0x1008, image+0x210).
				U32(1, 2, 3, image+0x410). // arguments of frame 0
				U32(0, image+0x310).Zeros(0x600),
			want:        []string{"0x40000110 context", "0x40000208 scan", "0x40000308 scan"},
			caller:      map[string]uint64{"pc": image + 0x210, "sp": 0x1008, "fp": 0x1008},
			grandcaller: map[string]uint64{"pc": image + 0x310, "sp": 0x1020},
			end:         "no_return 0x1020",
		}.check(t)
	})
	t.Run("mips64: the call and its delay slot are 8 bytes; Breakpad goes back 16", func(t *testing.T) {
		picture{
			arch: &cpu.MIPS64, os: "android", symbols: names,
			regs:   map[string]uint64{"pc": image + 0x110, "sp": 0x1000},
			stack:  asm.At(0x1000).U64(0x1010, image+0x210).Zeros(0x600),
			want:   []string{"0x40000110 context", "0x40000208 scan"},
			caller: map[string]uint64{"pc": image + 0x210, "sp": 0x1010, "fp": 0x1010},
			end:    "no_return 0x1010",
		}.check(t)
	})
	t.Run("ra = 0 is the end; Breakpad adds a frame at 0xfffffff8", func(t *testing.T) {
		names := names
		names.frames = []CallFrame{cfi(0x100, ".cfa: $sp 8 + .ra: .cfa 4 - ^")}
		picture{
			arch: &cpu.MIPS, os: "android", symbols: names,
			regs:  map[string]uint64{"pc": image + 0x110, "sp": 0x1000},
			stack: asm.At(0x1000).U32(0, 0).Zeros(0x40),
			want:  []string{"0x40000110 context"},
			end:   "zero_return",
		}.check(t)
	})
}

// A pointer below a scanned return address is the saved frame pointer if a chain of frame records leads on from there, not if it points to
// words of which one is an address of code.
func TestScanOfSavedFramePointer(t *testing.T) {
	for _, tt := range []struct {
		next uint64
		want []string
	}{
		{0x9999, []string{"0x40000110 context", "0x4000020f scan", "0x4000030f scan", "0x4000040f scan"}},
		{0x1050, []string{"0x40000110 context", "0x4000020f scan", "0x4000040f frame_pointer"}},
	} {
		picture{
			arch: &cpu.AMD64, os: "linux", symbols: symbols{functions: arm64Names.functions}, ranges: true,
			regs: map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 5},
			stack: asm.At(0x1000).U64(0x1030, image+0x210).
				U64(1, image+0x310, 2, 3).
				U64(tt.next, image+0x410).Zeros(0x10).U64(7, 8).Zeros(0x20),
			want: tt.want,
			end:  "memory_ends 0x1080",
		}.check(t)
	}
}

// A frame record leads to a function that uses the frame pointer for something else, which is on its stack. The words there are a record if they are
// the last one of the chain, or lead to code or to another record.
func TestStrayRecord(t *testing.T) {
	for _, tt := range []struct {
		name     string
		next, ra uint64 // the words at the frame pointer
		way      string // how the caller is found, at 0x7000 or, by a scan, at image + 0x310
	}{
		{"neither code nor a record", 0x99, 0x7000, "scan"},
		{"no code can be there", 0x99, 0x22, "scan"},
		{"no code can be there, with another record", 0x1080, 0x22, "scan"},
		{"a record below", 0x1000, 0x7000, "scan"},
		{"code of no module, with another record", 0x1080, 0x7000, "frame_pointer"},
		{"code of no module, and the end of the chain", 0, 0x7000, "frame_pointer"},
	} {
		for _, arch := range []*cpu.Arch{&cpu.ARM64, &cpu.RISCV64} {
			word := uint64(arch.Word)
			put := func(s *asm.Section, words ...uint64) *asm.Section {
				for _, w := range words {
					s.Word(arch.Word, w)
				}
				return s
			}
			stack := put(asm.At(0x1000), 0x1000+6*word, image+0x210)
			stack = put(stack, 1, image+0x310, 2, 3)
			stack = put(stack, tt.next, tt.ra)
			for stack.Here() < 0x1100 {
				put(stack, 0)
			}
			in := picture{arch: arch, os: "linux", stack: stack, regs: map[string]uint64{
				arch.RegName(arch.PC): image + 0x110, arch.RegName(arch.SP): 0x1000, arch.RegName(arch.FP): 0x1000,
			}}.plain(t)
			got := Walk(in)
			want := uint64(0x7000)
			if tt.way == "scan" {
				want = image + 0x310
			}
			if len(got.Frames) < 3 || got.Frames[1].ReturnAddress != image+0x210 || got.Frames[2].ReturnAddress != want || got.Frames[2].Trust.String() != tt.way {
				t.Errorf("%s of %s: %d frames, end %s", tt.name, arch.Name, len(got.Frames), endText(got.End))
				for _, f := range got.Frames {
					t.Logf("%#x %s", f.ReturnAddress, f.Trust)
				}
			}
		}
	}
}

// The record that a guess led to is none if its return address is outside of every module, although another record follows. A JIT's frames lead back
// to a module.
func TestStrayRecordOfGuess(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ra, up uint64 // the return addresses of the record and of the next one
		want   uint64
	}{
		{"both outside of every module", 0x7000, 0x7100, image + 0x410},
		{"no code can be there", 0x22, image + 0x510, image + 0x410},
		{"a JIT's code", 0x7000, image + 0x510, 0x7000},
		{"a module's code", image + 0x510, 0x7100, image + 0x510},
	} {
		for _, arch := range []*cpu.Arch{&cpu.X86, &cpu.AMD64, &cpu.ARM64, &cpu.RISCV64} {
			stack := asm.At(0x1000)
			put := func(words ...uint64) {
				for _, w := range words {
					stack.Word(arch.Word, w)
				}
			}
			word := uint64(arch.Word)
			put(1, 2, 0x1000+8*word, image+0x310) // a scan finds this word, with the frame pointer below it
			put(3, image+0x410, 4, 5)
			put(0x1000+12*word, tt.ra, 6, 7)
			put(0x1000+16*word, tt.up, 8, 9)
			put(0, 0, 0, 0)
			in := picture{arch: arch, os: "linux", stack: stack, regs: map[string]uint64{
				arch.RegName(arch.PC): image + 0x110, arch.RegName(arch.SP): 0x1000, arch.RegName(arch.FP): 1,
			}}.plain(t)
			got, want := Walk(in), tt.want
			if want == 0x7000 && arch != &cpu.X86 {
				want = image + 0x410 // a scan does not take such a record's place for the frame pointer
			}
			if len(got.Frames) < 3 || got.Frames[1].ReturnAddress != image+0x310 || got.Frames[2].ReturnAddress != want {
				t.Errorf("%s of %s: %d frames, end %s", tt.name, arch.Name, len(got.Frames), endText(got.End))
				for _, f := range got.Frames {
					t.Logf("%#x %s", f.ReturnAddress, f.Trust)
				}
			}
		}
	}
}

// A scan skips the saved return address of a function that a frame record led to, but not those of
// its recursive calls.
func TestScanOfRecursion(t *testing.T) {
	picture{
		arch: &cpu.ARM64, os: "linux", symbols: arm64Names,
		regs: map[string]uint64{"pc": image + 0x110, "sp": 0xff0, "fp": 0x1000, "lr": image + 0x1_0000},
		stack: asm.At(0xff0).U64(1, 2).
			U64(3, image+0x210).       // the record: middle has used fp for a 3
			U64(4, image+0x210, 5, 6). // its own
			U64(image+0x210, 7).       // middle calls middle
			U64(image + 0x310).
			Zeros(0x10),
		want: []string{"0x40000110 context", "0x4000020c frame_pointer", "0x4000020c scan", "0x4000030c scan"},
		end:  "memory_ends 0x1058",
	}.check(t)
}
