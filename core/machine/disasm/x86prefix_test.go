package disasm

import (
	"fmt"
	"testing"

	"crashglass/core/machine/cpu"
)

// Instructions of x86Trap behind each prefix, in both modes: mnemonic and length as objdump 2.40 has
// them. 40 to 4f are REX in 64-bit mode only. cldemote is a nop for CPUs without it.
func TestPrefixesOfTraps(t *testing.T) {
	for _, row := range []struct{ code, amd64, x86 string }{
		{"26 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"2e f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"36 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"3e f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"64 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"65 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"67 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"f2 f3 0f 1e fa", "endbr64 5", "endbr64 5"},
		{"66 f3 0f 1e fb", "endbr32 5", "endbr32 5"},
		{"f3 0f 1e c8", "rdsspd 4", "rdsspd 4"},
		{"f3 48 0f 1e c9", "rdsspq 5", "dec 2"},
		{"f3 41 0f 1e c8", "rdsspd 5", "inc 2"},
		{"0f c7 f0", "rdrand 3", "rdrand 3"},
		{"48 0f c7 f9", "rdseed 4", "dec 1"},
		{"64 66 0f 38 f6 00", "adcx 6", "adcx 6"},
		{"65 f3 0f 38 f6 00", "adox 6", "adox 6"},
		{"67 f3 48 0f 38 f6 00", "adox 7", "dec 3"},
		{"0f 01 ee", "rdpkru 3", "rdpkru 3"},
		{"0f 01 ef", "wrpkru 3", "wrpkru 3"},
		{"0f 1c c0", "nop 3", "nop 3"},
		{"0f 1d 00", "nop 3", "nop 3"},
		{"65 0f 1c 44 24 08", "nop 6", "nop 6"}, // cldemote
		{"0f 20 c0", "mov 3", "mov 3"},
		{"0f 22 60", "mov 3", "mov 3"}, // a form in memory does not exist
		{"44 0f 20 c0", "mov 4", "inc 1"},
	} {
		code := unhex(t, row.code)
		for arch, want := range map[*cpu.Arch]string{&cpu.AMD64: row.amd64, &cpu.X86: row.x86} {
			inst, ok := Decode(arch, code, 0)
			if got := fmt.Sprint(inst.Mnemonic, " ", inst.Len); !ok || got != want {
				t.Errorf("%s on %s: %s, %v, want %s", row.code, arch.Name, got, ok, want)
			}
		}
	}
}
