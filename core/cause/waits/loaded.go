package waits

import (
	"encoding/binary"
	"slices"

	"crashglass/core/machine/cpu"
)

// codeWindow is the number of bytes in front of a system call that are examined. glibc loads the
// number within the last 20.
const codeWindow = 48

// loaded returns the number that the code in front of an x86 or amd64 system call loads into eax,
// which now has the result. Programs of i386 call the vDSO, and load the number before that call.
func (x *examination) loaded(behind bool) (uint64, bool) {
	end := x.Regs.Value(x.Arch.PC)
	if behind {
		end -= 2
	}
	if v, ok := x.loadedAt(end); ok || !x.Arch.Is386() || len(x.Frames) < 2 {
		return v, ok
	}
	end = x.Frames[1].Walked().ReturnAddress - uint64(len(gsCall))
	if !slices.Equal(x.bytes(end, len(gsCall)), gsCall) {
		return 0, false
	}
	return x.loadedAt(end)
}

// gsCall is "call *%gs:0x10", with which glibc and musl enter the kernel.
var gsCall = []byte{0x65, 0xff, 0x15, 0x10, 0, 0, 0}

// loadedAt searches for the last "mov eax, number" before end. All instructions from there to end must
// be sequential and leave eax unchanged.
func (x *examination) loadedAt(end uint64) (uint64, bool) {
	code := x.before(end, codeWindow)
	start := end - uint64(len(code))
	for at := len(code) - 5; at >= 0; at-- {
		prefixed := at > 0 && x.Arch.IsAMD64() && code[at-1]&0xf0 == 0x40
		if code[at] != 0xb8 || prefixed || !x.straight(code[at+5:], start+uint64(at)+5) {
			continue
		}
		v := uint64(binary.LittleEndian.Uint32(code[at+1:]))
		x.prove(Evidence{Kind: Code, Address: start + uint64(at), Value: v, Meaning: CallNumber})
		return v, true
	}
	return 0, false
}

// keepers are instructions that change only their first operand, and never jump.
var keepers = []string{"mov", "movzx", "movsxd", "lea", "xor", "and", "or", "add", "sub", "shl", "shr", "cmp", "test", "push", "nop"}

// straight reports whether code runs sequentially to its end and leaves eax unchanged.
func (x *examination) straight(code []byte, addr uint64) bool {
	for len(code) > 0 {
		if x.Decode == nil {
			return false
		}
		inst, ok := x.Decode(x.Arch, code, addr)
		if !ok || !slices.Contains(keepers, inst.Mnemonic) || x.changesA(&inst) {
			return false
		}
		code, addr = code[inst.Len:], addr+uint64(inst.Len)
	}
	return true
}

// changesA reports whether an instruction's first operand is rax or a part of it.
func (x *examination) changesA(inst *cpu.Inst) bool {
	a, _ := x.Arch.Reg(cpu.LinuxCalls(x.Arch).Number)
	return len(inst.Operands) > 0 && inst.Operands[0].Kind == cpu.Register && inst.Operands[0].Reg == a &&
		inst.Mnemonic != "cmp" && inst.Mnemonic != "test" && inst.Mnemonic != "push"
}

// before reads up to n bytes that end at an address.
func (x *examination) before(end uint64, n int) []byte {
	out := make([]byte, 0, n)
	for i := range uint64(n) {
		v, ok := x.word(end-1-i, 1)
		if !ok {
			break
		}
		out = append(out, byte(v))
	}
	slices.Reverse(out)
	return out
}

// bytes reads n bytes, or none.
func (x *examination) bytes(addr uint64, n int) []byte {
	if out := x.before(addr+uint64(n), n); len(out) == n {
		return out
	}
	return nil
}
