package disasm

import (
	"bytes"

	"golang.org/x/arch/x86/x86asm"
)

// x86Trap decodes instructions that compilers emit and that golang.org/x/arch v0.32.0 does not
// decode, or decodes with a wrong length and no error: endbr64 and endbr32 (golang/go issue 35865;
// in front of every function of a Linux built since 2020), rdsspd and rdsspq, the other hint nops
// of 0F 1C to 0F 1E, adcx and adox, rdrand and rdseed, rdpkru and wrpkru. The answer's name is the
// mnemonic.
func x86Trap(code []byte, mode int) (in x86asm.Inst, name string, ok bool) {
	n, p := x86Prefixes(code, mode)
	rest := code[n:]
	if len(rest) < 3 || rest[0] != 0x0f {
		return in, "", false
	}
	switch {
	case rest[1] == 0x1e && p.repeat == 0xf3 && (rest[2] == 0xfa || rest[2] == 0xfb):
		name := "endbr64"
		if rest[2] == 0xfb {
			name = "endbr32"
		}
		return x86Plain(mode, n+3), name, true
	case rest[1] == 0x1e && p.repeat == 0xf3 && rest[2]&0xf8 == 0xc8: // of shadow stacks (CET)
		name := "rdsspd"
		if p.rex&8 != 0 {
			name = "rdsspq"
		}
		in := x86Plain(mode, n+3)
		in.Args[0] = p.general(rest[2])
		return in, name, true
	case rest[1] >= 0x1c && rest[1] <= 0x1e:
		nop := bytes.Clone(code)
		nop[n+2] &^= 0x38 // of the nops of 0F 1F only the first is known
		return x86Like(nop, mode, n, 2, x86asm.NOP, 0x0f, 0x1f)
	case rest[1]&0xfc == 0x20 && rest[2] < 0xc0:
		// mov of control and debug registers has no form in memory: the CPU ignores mod (SDM, volume
		// 2, "MOV—Move to/from Control Registers").
		plain := bytes.Clone(code)
		plain[n+2] |= 0xc0
		in, err := x86asm.Decode(plain, mode)
		return in, "mov", err == nil && in.Op == x86asm.MOV
	// Memory protection keys.
	case rest[1] == 0x01 && (rest[2] == 0xee || rest[2] == 0xef):
		return x86Plain(mode, n+3), [...]string{"rdpkru", "wrpkru"}[rest[2]-0xee], true
	case rest[1] == 0xc7 && rest[2] >= 0xf0 && p.repeat == 0:
		in := x86Plain(mode, n+3)
		in.Args[0] = p.general(rest[2])
		return in, [...]string{"rdrand", "rdseed"}[rest[2]>>3&1], true
	// Additions with carry, of bignum code; as imul they have a register and an operand.
	case rest[1] == 0x38 && rest[2] == 0xf6 && (p.operand || p.repeat == 0xf3):
		in, _, ok := x86Like(code, mode, n, 3, x86asm.IMUL, 0x0f, 0xaf)
		if p.repeat == 0xf3 {
			return in, "adox", ok
		}
		return in, "adcx", ok
	}
	return in, "", false
}

// prefixes are the prefixes of an instruction that matter to x86Trap.
type prefixes struct {
	operand bool // 66
	repeat  byte // f2 or f3
	rex     byte
	mode    int
}

// x86Prefixes reads the prefixes of code and returns how many bytes they take.
func x86Prefixes(code []byte, mode int) (int, prefixes) {
	p := prefixes{mode: mode}
	for i, b := range code {
		switch {
		case b == 0x66:
			p.operand = true
		case b == 0xf2 || b == 0xf3:
			p.repeat = b
		case b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0x64 || b == 0x65 || b == 0x67:
		case mode == 64 && b&0xf0 == 0x40:
			p.rex = b // the last prefix, always
			return i + 1, p
		default:
			return i, p
		}
	}
	return len(code), p
}

// general returns the general register in the low bits of a ModRM byte.
func (p prefixes) general(modrm byte) x86asm.Reg {
	n := x86asm.Reg(modrm&7 | p.rex&1<<3)
	switch {
	case p.rex&8 != 0:
		return x86asm.RAX + n
	case p.operand:
		return x86asm.AX + n
	}
	return x86asm.EAX + n
}

// x86Plain returns an instruction without accesses to memory.
func x86Plain(mode, length int) x86asm.Inst {
	return x86asm.Inst{Op: x86asm.NOP, Mode: mode, AddrSize: mode, DataSize: 32, Len: length}
}

// x86Like decodes code after it has replaced the opcode of skip bytes at n by one with the same
// operands that the decoder knows. It removes prefixes that are part of the replaced opcode, and
// keeps segment, address size and REX.
func x86Like(code []byte, mode, n, skip int, want x86asm.Op, opcode ...byte) (x86asm.Inst, string, bool) {
	var other []byte
	for _, b := range code[:n] {
		if b != 0x66 && b != 0xf3 && b != 0xf2 {
			other = append(other, b)
		}
	}
	dropped := n - len(other)
	other = append(append(other, opcode...), code[n+skip:]...)
	in, err := x86asm.Decode(other, mode)
	if err != nil || in.Op != want {
		return in, "", false
	}
	in.Len += dropped + skip - len(opcode)
	if in.Len > len(code) {
		return in, "", false
	}
	return in, x86Name(in.Op), true
}
