package isa_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/arch/arm/armasm"
	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/ppc64/ppc64asm"
	"golang.org/x/arch/riscv64/riscv64asm"
	"golang.org/x/arch/x86/x86asm"

	"crashglass/core/machine/isa"
	"crashglass/core/testkit/sample"
)

// An oracle decodes an instruction completely.
type oracle func(code []byte) (flow isa.Flow, size int, ok bool)

// TestFlowsAsInArch compares flows with those of golang.org/x/arch over random
// words. Every other one has the high bits of a branch.
func TestFlowsAsInArch(t *testing.T) {
	for _, tt := range []struct {
		set    *isa.Set
		answer oracle
		high   []byte // in the last byte
	}{
		{isa.ARM64, arm64Oracle, []byte{0x14, 0x94, 0x54, 0x35, 0xb7, 0xd4, 0xd5, 0xd6, 0xd7, 0}},
		{isa.ARM, armOracle, []byte{0xe1, 0xe8, 0xe4, 0xea, 0xeb, 0x0a, 0xe0, 0xe3}},
		{isa.PPC64.BigEndian(false), ppcOracle, []byte{0x40, 0x48, 0x4c, 0x4e, 0x7f}},
		{isa.RISCV64, riscvOracle, nil},
		{isa.AMD64, x86Oracle(64), nil},
		{isa.X86, x86Oracle(32), nil},
	} {
		r := rand.New(rand.NewPCG(1, uint64(tt.set.Min)))
		decided := map[isa.Flow]int{}
		for range sample.Of(100_000) {
			code := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, r.Uint64()), r.Uint64())
			shape(r, tt.set, tt.high, code)
			want, size, ok := tt.answer(code)
			got := tt.set.Decode(code, 0x1000)
			if !ok || got.Flow == isa.Unknown {
				continue
			}
			decided[got.Flow]++
			if got.Flow != want || got.Size != size {
				t.Errorf("%s: % x: flow %d of %d bytes, want %d of %d", tt.set.Name, code[:max(size, got.Size)], got.Flow, got.Size, want, size)
			}
		}
		if len(decided) < 4 {
			t.Errorf("%s: %v", tt.set.Name, decided)
		}
	}
}

// shape makes branches frequent.
func shape(r *rand.Rand, s *isa.Set, high, code []byte) {
	if len(high) > 0 && r.IntN(2) == 0 {
		code[3] = high[r.IntN(len(high))]
	}
	switch s {
	case isa.X86, isa.AMD64:
		first := []byte{0xc3, 0xc2, 0xe8, 0xe9, 0xeb, 0xff, 0x0f, 0x74, 0xe3, 0x50, 0x58, 0x48, 0x8f, 0xf2, 0xf3, 0x3e}
		code[0] = first[r.IntN(len(first))]
		if r.IntN(2) == 0 {
			code[1] = first[r.IntN(len(first))]
		}
		if code[0] == 0x48 && r.IntN(2) == 0 {
			code[1] = []byte{0x89, 0x8b, 0x8d, 0x81, 0x83}[r.IntN(5)]
		}
	case isa.ARM64: // registers that are fixed in most
		if r.IntN(2) == 0 {
			code[2] |= 0x1f
			code[1] &= 0x0f
		}
	}
}

func arm64Oracle(code []byte) (isa.Flow, int, bool) {
	i, err := arm64asm.Decode(code)
	if err != nil {
		return 0, 0, false
	}
	flow := isa.Next
	switch i.Op {
	case arm64asm.B:
		flow = isa.Jump
		if cond, ok := i.Args[0].(arm64asm.Cond); ok && cond.Value < 14 {
			flow = isa.CondBranch
		}
	case arm64asm.BL, arm64asm.BLR:
		flow = isa.Call
	case arm64asm.CBZ, arm64asm.CBNZ, arm64asm.TBZ, arm64asm.TBNZ:
		flow = isa.CondBranch
	case arm64asm.BR:
		flow = isa.JumpReg
	case arm64asm.RET:
		flow = isa.JumpReg
		if i.Args[0] == arm64asm.Arg(arm64asm.X30) || i.Args[0] == nil {
			flow = isa.Return
		}
	case arm64asm.ERET:
		flow = isa.Return
	case arm64asm.BRK, arm64asm.HLT:
		flow = isa.Trap
	}
	return flow, 4, true
}

// TestStackAsInArch compares which instructions change sp.
func TestStackAsInArch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	changed := 0
	for range 300_000 {
		w := r.Uint32()
		switch r.IntN(3) {
		case 0:
			w |= 0x1f // the destination
		case 1:
			w |= 0x3e0 // the address
		}
		code := binary.LittleEndian.AppendUint32(nil, w)
		i, err := arm64asm.Decode(code)
		if err != nil {
			continue
		}
		e := isa.ARM64.Decode(code, 0).Stack
		got := e.Kind == isa.Moves || e.Kind == isa.SetsSP || e.Kind == isa.Unreadable || e.Move != 0
		want := changesSP(i)
		if same := e.Move == 0 && (e.Kind == isa.Stores || e.Kind == isa.Loads || e.Kind == isa.Moves); got != want && !same {
			t.Errorf("%08x: %v: %+v, changes sp: %v", w, i, e, want)
		}
		if want {
			changed++
		}
	}
	if changed < 1000 {
		t.Errorf("%d changes", changed)
	}
}

// changesSP reports whether sp is the destination, or an address with write-back.
func changesSP(i arm64asm.Inst) bool {
	for _, arg := range i.Args {
		mem, ok := arg.(arm64asm.MemImmediate)
		if ok && mem.Base == arm64asm.RegSP(arm64asm.SP) && (mem.Mode == arm64asm.AddrPreIndex || mem.Mode == arm64asm.AddrPostIndex || mem.Mode == arm64asm.AddrPostReg) {
			return true
		}
	}
	switch i.Op {
	case arm64asm.CMP, arm64asm.CMN, arm64asm.TST: // they only read it
		return false
	}
	return i.Args[0] == arm64asm.Arg(arm64asm.RegSP(arm64asm.SP)) || i.Args[0] == arm64asm.Arg(arm64asm.RegSP(arm64asm.WSP))
}

// armOracle knows the branches, but not other instructions that write pc.
func armOracle(code []byte) (isa.Flow, int, bool) {
	i, err := armasm.Decode(code, armasm.ModeARM)
	if err != nil {
		return 0, 0, false
	}
	name, cond, _ := strings.Cut(i.Op.String(), ".")
	flow := isa.Unknown
	switch name {
	case "B":
		flow = isa.Jump
	case "BX", "BXJ":
		flow = isa.JumpReg
		if i.Args[0] == armasm.Arg(armasm.LR) && name == "BX" {
			flow = isa.Return
		}
	case "BL", "BLX":
		return isa.Call, 4, true
	case "BKPT":
		flow = isa.Trap
	}
	if flow.Leaves() && cond != "" && flow != isa.Trap {
		flow = isa.CondBranch
	}
	return flow, 4, flow != isa.Unknown
}

func ppcOracle(code []byte) (isa.Flow, int, bool) {
	i, err := ppc64asm.Decode(code, binary.LittleEndian)
	if err != nil || i.Len != 4 {
		return 0, 0, false
	}
	name := i.Op.String()
	always := name == "b" || name == "ba"
	if bo, ok := i.Args[0].(ppc64asm.Imm); ok && strings.HasPrefix(name, "bc") {
		always = bo&0x14 == 0x14
	}
	through := strings.HasPrefix(name, "bclr") || strings.HasPrefix(name, "bcctr") || strings.HasPrefix(name, "bctar")
	switch {
	case slices.Contains([]string{"bl", "bla", "bcl", "bcla", "bclrl", "bcctrl", "bctarl"}, name):
		return isa.Call, 4, true
	case !always && (name == "bc" || name == "bca" || through):
		return isa.CondBranch, 4, true
	case name == "bclr", name == "rfid", name == "hrfid":
		return isa.Return, 4, true
	case through:
		return isa.JumpReg, 4, true
	case always:
		return isa.Jump, 4, true
	}
	return isa.Next, 4, name != "tw" && name != "rfebb" && name != "rfscv"
}

func riscvOracle(code []byte) (isa.Flow, int, bool) {
	i, err := riscv64asm.Decode(code)
	if err != nil || code[0] == 0 && code[1] == 0 { // c.unimp, for which it has no name
		return 0, 0, false
	}
	link := i.Args[0] != riscv64asm.Arg(riscv64asm.X0)
	flow := isa.Next
	switch i.Op {
	case riscv64asm.JAL:
		flow = isa.Jump
	case riscv64asm.JALR:
		flow = isa.JumpReg
		if to, ok := i.Args[1].(riscv64asm.RegOffset); ok && to.OfsReg == riscv64asm.X1 && to.Ofs.Imm == 0 {
			flow = isa.Return
		}
	case riscv64asm.BEQ, riscv64asm.BNE, riscv64asm.BLT, riscv64asm.BGE, riscv64asm.BLTU, riscv64asm.BGEU:
		flow = isa.CondBranch
	case riscv64asm.EBREAK:
		flow = isa.Trap
	}
	if flow.Leaves() && flow != isa.Trap && link {
		flow = isa.Call
	}
	return flow, i.Len, true
}

// x86Oracle does not count some prefixes, and reads notrack as a segment.
func x86Oracle(mode int) oracle {
	return func(code []byte) (isa.Flow, int, bool) {
		i, err := x86asm.Decode(code, mode)
		if err != nil || i.Prefix[0] != 0 && i.Len == 1 {
			return 0, 0, false
		}
		flow := isa.Next
		name := i.Op.String()
		switch {
		case i.Op == x86asm.CALL, i.Op == x86asm.LCALL:
			flow = isa.Call
		case i.Op == x86asm.RET, i.Op == x86asm.LRET, strings.HasPrefix(name, "IRET"):
			flow = isa.Return
		case i.Op == x86asm.JMP, i.Op == x86asm.LJMP:
			switch i.Args[0].(type) {
			case x86asm.Mem:
				flow = isa.JumpMem
			case x86asm.Reg:
				flow = isa.JumpReg
			default:
				flow = isa.Jump
			}
		case name[0] == 'J', strings.HasPrefix(name, "LOOP"):
			flow = isa.CondBranch
		case i.Op == x86asm.UD2, i.Op == x86asm.UD1, i.Op == x86asm.HLT, i.Op == x86asm.ICEBP:
			flow = isa.Trap
		case i.Op == x86asm.INT:
			return 0, 0, false
		}
		return flow, i.Len, true
	}
}
