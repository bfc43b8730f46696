package waits

import (
	"encoding/binary"
	"slices"

	"crashglass/core/cpu"
)

// codeWindow is the number of bytes in front of a system call that are examined. glibc loads the
// number within the last 20.
const codeWindow = 48

// loaded returns the number that the code in front of an x86 or amd64 system call loads into eax,
// which now has the result. Programs of i386 call the vDSO, and load the number before that call.
func (l *look) loaded(behind bool) (uint64, bool) {
	end := l.Regs.Value(l.Arch.PC)
	if behind {
		end -= 2
	}
	if v, ok := l.loadedAt(end); ok || l.Arch != &cpu.X86 || len(l.Frames) < 2 {
		return v, ok
	}
	end = l.Frames[1].Return - uint64(len(gsCall))
	if !slices.Equal(l.bytes(end, len(gsCall)), gsCall) {
		return 0, false
	}
	return l.loadedAt(end)
}

// gsCall is "call *%gs:0x10", with which glibc and musl enter the kernel.
var gsCall = []byte{0x65, 0xff, 0x15, 0x10, 0, 0, 0}

// loadedAt looks for the last "mov eax, number" before end. All instructions from there to end must
// be sequential and leave eax unchanged.
func (l *look) loadedAt(end uint64) (uint64, bool) {
	code := l.before(end, codeWindow)
	start := end - uint64(len(code))
	for at := len(code) - 5; at >= 0; at-- {
		prefixed := at > 0 && l.Arch == &cpu.AMD64 && code[at-1]&0xf0 == 0x40
		if code[at] != 0xb8 || prefixed || !l.straight(code[at+5:], start+uint64(at)+5) {
			continue
		}
		v := uint64(binary.LittleEndian.Uint32(code[at+1:]))
		l.prove(Evidence{Kind: Code, Address: start + uint64(at), Value: v, Meaning: CallNumber})
		return v, true
	}
	return 0, false
}

// keepers are instructions that change only their first operand, and never jump.
var keepers = []string{"mov", "movzx", "movsxd", "lea", "xor", "and", "or", "add", "sub", "shl", "shr", "cmp", "test", "push", "nop"}

// straight reports whether code runs sequentially to its end and leaves eax unchanged.
func (l *look) straight(code []byte, addr uint64) bool {
	for len(code) > 0 {
		if l.Decode == nil {
			return false
		}
		inst, ok := l.Decode(l.Arch, code, addr)
		if !ok || !slices.Contains(keepers, inst.Mnemonic) || l.changesA(&inst) {
			return false
		}
		code, addr = code[inst.Len:], addr+uint64(inst.Len)
	}
	return true
}

// changesA reports whether an instruction's first operand is rax or a part of it.
func (l *look) changesA(inst *cpu.Inst) bool {
	a, _ := l.Arch.Reg(conventions[l.Arch].number)
	return len(inst.Operands) > 0 && inst.Operands[0].Kind == cpu.Register && inst.Operands[0].Reg == a &&
		inst.Mnemonic != "cmp" && inst.Mnemonic != "test" && inst.Mnemonic != "push"
}

// before reads up to n bytes that end at an address.
func (l *look) before(end uint64, n int) []byte {
	out := make([]byte, 0, n)
	for i := range uint64(n) {
		v, ok := l.word(end-1-i, 1)
		if !ok {
			break
		}
		out = append(out, byte(v))
	}
	slices.Reverse(out)
	return out
}

// bytes reads n bytes, or none.
func (l *look) bytes(addr uint64, n int) []byte {
	if out := l.before(addr+uint64(n), n); len(out) == n {
		return out
	}
	return nil
}
