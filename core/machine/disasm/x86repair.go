package disasm

import (
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// args returns the operands as the text has them: without those that are part of the mnemonic, and
// with st(0), which the decoder leaves out.
func (x *x86Inst) args() []x86asm.Arg {
	var args []x86asm.Arg
	for _, a := range x.Args {
		if a == nil {
			break
		}
		args = append(args, a)
	}
	switch {
	case x86ST0[x.name] && len(args) == 1:
		return []x86asm.Arg{x86asm.F0, args[0]}
	case x86ST0Last[x.name] && len(args) == 1:
		return append(args, x86asm.F0)
	case x.name == "scas" && len(args) == 2:
		return []x86asm.Arg{args[1], args[0]}
	case x.Op == x86asm.XCHG && len(args) == 2 && isReg(args[0]) && x.Opcode>>24 > 0x90 && x.Opcode>>24 < 0x98:
		return []x86asm.Arg{args[1], args[0]} // the form with the accumulator
	case x.Op == x86asm.XLATB:
		return nil
	case x.Op == x86asm.ICEBP:
		return []x86asm.Arg{x86asm.Imm(1)}
	case x86XMM0[x.name] && len(args) == 3: // xmm0 is understood
		return args[:2]
	}
	return args
}

// x86XMM0 are the instructions with xmm0 as a third operand that nothing encodes.
var x86XMM0 = set("sha256rnds2 blendvps blendvpd pblendvb")

func isReg(a x86asm.Arg) bool {
	_, ok := a.(x86asm.Reg)
	return ok
}

// repair corrects instructions that the decoder decodes with the right length but wrong operands.
// Each case was found in compiled code.
func (x *x86Inst) repair() {
	// movq between a general and a vector register is movd with a REX.W prefix, which the decoder
	// ignores.
	if x.Op == x86asm.MOVD && x.hasREXW() {
		x.name, x.MemBytes = "movq", 8
	}
	for i, arg := range x.shown {
		switch a := arg.(type) {
		case x86asm.Reg:
			if x.name == "movq" && a >= x86asm.EAX && a <= x86asm.R15L {
				x.shown[i] = a - x86asm.EAX + x86asm.RAX
			}
		case x86asm.Mem:
			x.shown[i] = x.repairMem(a)
		}
	}
}

// repairMem corrects a displacement that lost its sign, and a base that the decoder dropped.
func (x *x86Inst) repairMem(m x86asm.Mem) x86asm.Mem {
	if !x.fullAddress() {
		m.Disp = int64(int32(m.Disp)) // four bytes come without their sign
	}
	if m.Index == 0 {
		m.Scale = 0 // a SIB byte without an index
	}
	if m.Base == 0 && m.Index == 0 && x.vexPCRel() {
		m.Base = x86asm.RIP
	}
	return m
}

// hasREXW reports whether a REX prefix selects operands of 64 bits.
func (x *x86Inst) hasREXW() bool {
	return slices.ContainsFunc(x.Prefix[:], func(p x86asm.Prefix) bool { return p.IsREX() && p&x86asm.PrefixREXW != 0 })
}

// fullAddress: only these four forms of mov hold a complete address.
func (x *x86Inst) fullAddress() bool { return x.Op == x86asm.MOV && x.Opcode>>24&^3 == 0xa0 }

// vex is the offset behind a VEX or EVEX prefix, or 0.
func (x *x86Inst) vex() int {
	for i, b := range x.code {
		if x.arch.Word == 4 && i+1 < len(x.code) && x.code[i+1] < 0xc0 {
			return 0 // lds, les or bound
		}
		switch b {
		case 0xc5:
			return i + 2
		case 0xc4:
			return i + 3
		case 0x62:
			return i + 4
		case 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x67: // prefixes that may come first
			continue
		}
		return 0
	}
	return 0
}

// vexPCRel reports whether an instruction with a VEX or EVEX prefix addresses
// memory relative to rip, which the decoder takes for an absolute address.
func (x *x86Inst) vexPCRel() bool {
	modrm := x.vex() + 1
	return x.arch.Word == 8 && modrm > 1 && modrm < len(x.code) && x.code[modrm]&0xc7 == 5
}

func (x *x86Inst) memSize() int {
	switch x.Op {
	case x86asm.LEA: // as large as the register
		return x.DataSize / 8
	case x86asm.FBLD, x86asm.FBSTP:
		return 10
	case x86asm.FLD, x86asm.FSTP:
		if x.Opcode>>24 == 0xdb {
			return 10
		}
	case x86asm.CLFLUSH:
		return 64
	case x86asm.LFS, x86asm.LGS, x86asm.LSS, x86asm.LES, x86asm.LDS, x86asm.LCALL, x86asm.LJMP:
		return x.DataSize/8 + 2 // an address and a segment
	case x86asm.LGDT, x86asm.LIDT, x86asm.SGDT, x86asm.SIDT:
		return x.arch.Word + 2 // an address and a limit
	}
	if strings.HasPrefix(x.name, "prefetch") {
		return 64
	}
	if x86String[x.name] && x.MemBytes == 0 {
		op := x.Op.String()
		return map[byte]int{'B': 1, 'W': 2, 'D': 4, 'Q': 8}[op[len(op)-1]]
	}
	return x.MemBytes
}
