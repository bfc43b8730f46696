package crash

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

func TestAccesses(t *testing.T) {
	tests := []struct {
		name, code, want string
	}{
		{"store", movStore, "[write 0x600000/4]"},
		{"call of a register", callReg, "[write 0x7ffd00000ff8/8] to 0x600000"},
		{"call of memory", "ff 10", "[read 0x600000/8 write 0x7ffd00000ff8/8] to 0x1234"},
		{"return", ret, "[read 0x7ffd00001000/8] to 0x5678"},
		{"no memory", "48 3d 00 f0 ff ff", "[]"},
		{"direct call", "e8 00 00 00 00", "[write 0x7ffd00000ff8/8]"},
		{"a register that is not known", "4d 8b 00", "unknown"},
		{"a segment", "64 48 8b 04 25 28 00 00 00", "unknown"},
		{"no instruction", "ff ff", "unknown"},
		{"nothing captured", "", "unknown"},
	}
	for _, tt := range tests {
		s := crashAt(t, tt.code).reg(cpu.RAX, heapBase).put(heapBase, 0x1234).put(stackLow+0x1000, 0x5678)
		a := Analyze(s.Input)
		got := "unknown"
		if a.Accesses != nil {
			var list []string
			for _, acc := range a.Accesses {
				list = append(list, fmt.Sprintf("%v %#x/%d", acc.Kind, acc.Address, acc.Size))
			}
			got = fmt.Sprint(list)
		}
		if a.IPUpdate != nil {
			got += fmt.Sprintf(" to %#x", a.IPUpdate.Address)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSegment: on Windows gs holds the thread environment block.
func TestSegment(t *testing.T) {
	s := crashAt(t, "65 48 8b 04 25 30 00 00 00").windows(0, 0x30)
	s.TEB = 0x5000
	if a := Analyze(s.Input); len(a.Accesses) != 1 || a.Accesses[0].Address != 0x5030 {
		t.Errorf("gs: %+v", a.Accesses)
	}
	s = crashAt(t, "64 48 8b 04 25 30 00 00 00").windows(0, 0x30) // fs is no such thing on amd64
	s.TEB = 0x5000
	if a := Analyze(s.Input); a.Accesses != nil {
		t.Errorf("fs: %+v", a.Accesses)
	}
}

func TestAdjusted(t *testing.T) {
	tests := []struct {
		name string
		s    *scene
		want string
	}{
		{"null base", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(0x10), "null 0x10"},
		{"null base, large index", crashAt(t, "48 c7 04 08 41 41 41 41").reg(cpu.RAX, 0).reg(cpu.RCX, 0xfefe_fefe_fefe_fefe).gpf(), "null 0xfefefefefefefefe"},
		{"call of null", crashAt(t, callReg).reg(cpu.RAX, 0).fault(0), "null 0x0"},
		{"non-canonical", crashAt(t, movStore).reg(cpu.RAX, 0x8000_0000_0000).gpf(), "address 0x800000000000"},
		{"non-canonical on Windows", crashAt(t, movStore).reg(cpu.RAX, 0x8000_0000_0000).windows(0, ^uint64(0)), "address 0x800000000000"},
		{"non-canonical on macOS", crashAt(t, movStore).reg(cpu.RAX, 0x8000_0000_0000).raise("mac", excBadAccess, i386GPFault), "address 0x800000000000"},
		{"non-canonical, not reported so", crashAt(t, movStore).reg(cpu.RAX, 0x8000_0000_0000).windows(1, ^uint64(0)), "none"},
		{"absolute", crashAt(t, "8b 04 25 00 00 00 00").fault(0), "none"},
		{"a good address", crashAt(t, movStore).reg(cpu.RAX, heapBase).fault(heapBase), "none"},
	}
	for _, tt := range tests {
		got := "none"
		if adj := Analyze(tt.s.Input).Adjusted; adj != nil && adj.Null {
			got = fmt.Sprintf("null %#x", adj.Value)
		} else if adj != nil {
			got = fmt.Sprintf("address %#x", adj.Value)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestInconsistencies(t *testing.T) {
	const (
		missing = "crashing_access_not_found_in_memory_accesses"
		allowed = "access_violation_when_access_allowed"
	)
	stack := crashAt(t, "48 89 c8").raise("windows", stackOverflow, 0)
	tests := []struct {
		name string
		s    *scene
		want []string
	}{
		{"consistent", crashAt(t, movStore).reg(cpu.RAX, 0x1000).windows(1, 0x1000), nil},
		{"another address", crashAt(t, movStore).reg(cpu.RAX, 0x1000).windows(1, 0x2000), []string{missing}},
		{"read instead of write", crashAt(t, movStore).reg(cpu.RAX, 0x1000).windows(0, 0x1000), []string{missing}},
		{"the last byte", crashAt(t, movStore).reg(cpu.RAX, 0x1000).windows(1, 0x1003), nil},
		{"behind the last byte", crashAt(t, movStore).reg(cpu.RAX, 0x1000).windows(1, 0x1004), []string{missing}},
		{"around the end of the address space", crashAt(t, movStore).reg(cpu.RAX, math.MaxUint64-1).windows(1, 1), nil},
		{"allowed", crashAt(t, movStore).reg(cpu.RAX, heapBase).windows(1, heapBase), []string{allowed}},
		{"executing elsewhere", crashAt(t, movStore).reg(cpu.RAX, 0).windows(8, 0x5000), []string{missing}},
		{"no division", crashAt(t, movStore).reg(cpu.RAX, 0).raise("windows", intDivideByZero, 0), []string{"int_div_by_zero_not_possible"}},
		{"no division on Linux", crashAt(t, movStore).reg(cpu.RAX, 0).raise("linux", sigFPE, fpeIntDiv), []string{"int_div_by_zero_not_possible"}},
		{"a division", crashAt(t, "f7 f9").raise("linux", sigFPE, fpeIntDiv), nil},
		{"not privileged", crashAt(t, movStore).reg(cpu.RAX, 0).raise("windows", privInstruction, 0), []string{"priv_instruction_crash_without_priv_instruction"}},
		{"privileged", crashAt(t, "f4").raise("windows", privInstruction, 0), nil},
		{"not non-canonical", crashAt(t, movStore).reg(cpu.RAX, heapBase).windows(0, math.MaxUint64), []string{"non_canonical_address_falsely_reported"}},
		{"really -1", crashAt(t, "8a 03").reg(cpu.RBX, math.MaxUint64).windows(0, math.MaxUint64), nil},
		{"a stack overflow without access", stack, []string{missing}},
		{"an instruction that is not judged", crashAt(t, "f7 38").reg(cpu.RAX, 0x1000).windows(0, 0x2000), nil},
		{"a jump on condition", crashAt(t, "74 00").windows(0, math.MaxUint64), nil},
		{"32 bits", func() *scene { s := crashAt(t, movStore); s.Arch = &cpu.X86; return s.windows(1, 0x2000) }(), nil},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Inconsistencies; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if !slices.IsSorted(derivableNames) {
		t.Error("derivableNames is not sorted")
	}
}

func TestGuardPage(t *testing.T) {
	guard := process.Region{Start: heapBase - 0x1000, Last: heapBase - 1}
	tests := []struct {
		name string
		g    process.Region
		want bool
	}{
		{name: "beside the heap", g: guard, want: true},
		{name: "with a permission", g: process.Region{Start: guard.Start, Last: guard.Last, Access: "r--"}},
		{name: "too large", g: process.Region{Start: heapBase - 0x8001, Last: heapBase - 1}},
		{name: "as large as may be", g: process.Region{Start: heapBase - 0x8000, Last: heapBase - 1}, want: true},
		{name: "not beside anything", g: process.Region{Start: heapBase - 0x2000, Last: heapBase - 0x1001}},
	}
	for _, tt := range tests {
		s := crashAt(t, movStore).reg(cpu.RAX, tt.g.Start+8).fault(tt.g.Start + 8)
		s.Regions = slices.Insert(s.Regions, 1, tt.g)
		a := Analyze(s.Input)
		if got := a.Accesses[0].LikelyGuard; got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestBitFlips(t *testing.T) {
	// One bit of a pointer into the heap is wrong; another register still
	// points beside it.
	s := crashAt(t, movStore).reg(cpu.RAX, heapBase+0x10|1<<40).reg(cpu.RDI, heapBase+0x20).fault(heapBase + 0x10 | 1<<40)
	a := Analyze(s.Input)
	want := BitFlip{Address: heapBase + 0x10, NearbyRegisters: 1, Confidence: 0.625}
	if len(a.BitFlips) != 2 || a.BitFlips[0] != want {
		t.Fatalf("%+v, want twice %+v", a.BitFlips, want)
	}
	want.Register = "rax"
	if a.BitFlips[1] != want {
		t.Errorf("%+v, want %+v", a.BitFlips[1], want)
	}
	if i := slices.IndexFunc(a.Findings, func(f Finding) bool { return f.Kind == BitFlipped }); i < 0 || a.Findings[i].Cause {
		t.Errorf("findings %+v", a.Findings)
	}

	// Poison in a register halves it.
	a = Analyze(s.reg(cpu.RSI, 0xe5e5_e5e5_e5e5_e5e5).Input)
	if got := a.BitFlips[0].Confidence; got != 0.3125 {
		t.Errorf("with poison %v, want 0.3125", got)
	}

	none := []*scene{
		crashAt(t, movStore).reg(cpu.RAX, heapBase).fault(heapBase),                           // mapped
		crashAt(t, movStore).reg(cpu.RAX, heapBase+0x1_0000).fault(heapBase + 0x1_0000),       // one too far
		crashAt(t, movStore).reg(cpu.RAX, 0),                                                  // null
		func() *scene { s := crashAt(t, ""); s.Arch = &cpu.X86; return s.fault(1 << 20) }(),   // 32 bits
		func() *scene { s := crashAt(t, ""); s.Arch = &cpu.ARM64; return s.fault(1 << 20) }(), // no instruction
	}
	for i, s := range none {
		if got := Analyze(s.Input).BitFlips; got != nil {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

// TestBitFlipConfidence: the values are rust-minidump's, as 32-bit numbers.
func TestBitFlipConfidence(t *testing.T) {
	tests := []struct {
		b    BitFlip
		want string
	}{
		{BitFlip{}, "0.25"},
		{BitFlip{NonCanonical: true}, "0.92499995"},
		{BitFlip{Null: true}, "0.625"},
		{BitFlip{Null: true, Low: true}, "0.4375"},
		{BitFlip{NearbyRegisters: 1}, "0.625"},
		{BitFlip{NearbyRegisters: 2}, "0.6625"},
		{BitFlip{NearbyRegisters: 3}, "0.70000005"},
		{BitFlip{NearbyRegisters: 9}, "0.73749995"},
		{BitFlip{NearbyRegisters: 1, Poison: true}, "0.3125"},
		{BitFlip{NonCanonical: true, Null: true}, "0.9625"},
		{BitFlip{NonCanonical: true, NearbyRegisters: 4}, "0.97375"},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(tt.b.confidence()); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.b, got, tt.want)
		}
	}
	b := BitFlip{NearbyRegisters: 2}
	if got := float64(b.confidence()); got != 0.6625000238418579 {
		t.Errorf("two registers: %v, want 0.6625000238418579", got)
	}
}

func TestPoisonTable(t *testing.T) {
	seen := map[uint32]bool{}
	for _, p := range poisons() {
		if seen[p.value] || poisonTexts[p.state] == "" {
			t.Errorf("%#x: twice, or without a text for %q", p.value, p.state)
		}
		seen[p.value] = true
	}
	tests := []struct {
		v, reach uint64
		word     int
		want     string
		whole    bool
	}{
		{v: 0xdddd_dddd, reach: 0, word: 4, want: freed, whole: true},
		{v: 0xdddd_dddd, reach: 0, word: 8, want: freed},
		{v: 0xffff_ffff_dddd_dddd, reach: 0, word: 8, want: freed},
		{v: 0xdddd_dddd_dddd_dde0, reach: 16, word: 8, want: freed, whole: true},
		{v: 0xdddd_dddd_dddd_dde0, reach: 0, word: 8, want: ""},
		{v: 0xbaad_f00d_baad_f00d, reach: 0, word: 8, want: uninitialised, whole: true},
		{v: 0x1234, reach: 0x1000, word: 8, want: ""},
	}
	for _, tt := range tests {
		p, whole := findPoison(tt.v, tt.word, tt.reach)
		got := ""
		if p != nil {
			got = p.state
		}
		if got != tt.want || whole != tt.whole {
			t.Errorf("%#x: %q, %v; want %q, %v", tt.v, got, whole, tt.want, tt.whole)
		}
	}
}

func TestParameters(t *testing.T) {
	s := crashAt(t, "").raise("windows", inPageError, 0, 1, 0x5000, 0xc000009c)
	want := []Parameter{{1, "write"}, {0x5000, "address"}, {0xc000009c, "STATUS_DEVICE_DATA_ERROR"}}
	if got := Analyze(s.Input).Parameters; !slices.Equal(got, want) {
		t.Errorf("in-page error: %v, want %v", got, want)
	}
	s = crashAt(t, "").raise("mac", excBadAccess, 1, 1, 1, 0x10, 7)
	want = []Parameter{{1, "Mach exception"}, {1, "code"}, {0x10, "subcode"}, {7, ""}}
	if got := Analyze(s.Input).Parameters; !slices.Equal(got, want) {
		t.Errorf("Mach: %v, want %v", got, want)
	}
	many := crashAt(t, "").raise("windows", 1, 0, make([]uint64, 100)...)
	if got := len(Analyze(many.Input).Parameters); got != 15 {
		t.Errorf("%d parameters", got)
	}
}

func TestThumb(t *testing.T) {
	s := crashAt(t, "00 00 91 e5")
	s.Arch, s.Regs = &cpu.ARM, &cpu.Regs{}
	s.reg(cpu.ARMPC, codeAddr).reg(1, 0).reg(cpu.ARMCPSR, 0x10)
	if a := Analyze(s.Input); a.Instruction != "ldr r0, [r1]" {
		t.Errorf("ARM: %q", a.Instruction)
	}
	if a := Analyze(s.reg(cpu.ARMCPSR, 0x30).Input); a.Instruction != "" {
		t.Errorf("Thumb: %q", a.Instruction)
	}
}
