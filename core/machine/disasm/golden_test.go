package disasm

import (
	"os"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// TestGolden reads testdata: code, text and accesses, one instruction of each
// shape that was found in programs. The texts of amd64 are yaxpeax-x86's, the
// mnemonics and addresses of arm64 were compared with LLVM's; registers have
// the values of testRows.
func TestGolden(t *testing.T) {
	for _, arch := range []*cpu.Arch{&cpu.AMD64, &cpu.ARM64} {
		data, err := os.ReadFile("testdata/" + arch.Name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var regs cpu.Regs
		for i := range arch.Regs {
			regs.Set(cpu.Reg(i), 0x10000*uint64(i+1))
		}
		for line := range strings.Lines(string(data)) {
			row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(row) != 3 {
				t.Fatalf("%s: %q has %d columns", arch.Name, line, len(row))
			}
			code := unhex(t, row[0])
			inst, ok := Decode(arch, code, 0x1000)
			if !ok || inst.Len != len(code) || inst.Text != row[1] {
				t.Errorf("%s %s: %q of %d bytes, want %q", arch.Name, row[0], inst.Text, inst.Len, row[1])
			}
			if got := accesses(&inst, arch, &regs); got != row[2] {
				t.Errorf("%s %s: %q, want %q", arch.Name, row[1], got, row[2])
			}
			checkTruncated(t, arch, code, &inst)
		}
	}
}

// checkTruncated: a truncated instruction is none, or a shorter one, because some beginnings are
// instructions of their own.
func checkTruncated(t *testing.T, arch *cpu.Arch, code []byte, whole *cpu.Inst) {
	t.Helper()
	for n := range code {
		if inst, ok := Decode(arch, code[:n], 0x1000); ok && inst.Len > n {
			t.Errorf("%s %s: %d of %d bytes are %q of %d", arch.Name, whole.Text, n, len(code), inst.Text, inst.Len)
		}
	}
}

// TestPrefixes: a prefix only adds its length to an instruction.
func TestPrefixes(t *testing.T) {
	for _, row := range amd64Texts[:20] {
		code := unhex(t, row.code)
		inst, ok := Decode(&cpu.AMD64, append([]byte{0x3e}, code...), 0x1000)
		if !ok || inst.Len != len(code)+1 {
			t.Errorf("%s behind a prefix: %d bytes, %v", row.text, inst.Len, ok)
		}
	}
}
