package text

import (
	"strings"

	"crashglass/core/machine/cpu"
)

// Registers reads pairs of names and hexadecimal values from a line into regs: "x0  0000007a2c1fe8e0  x1 …",
// "rax: 0x10 rbx: 0x20", "rax = 0x10". It returns the number of registers that the CPU has.
func Registers(line string, arch *cpu.Arch, regs *cpu.Regs) (n int) {
	words := strings.Fields(strings.NewReplacer(":", " ", "=", " ", ",", " ").Replace(line))
	for i := 0; i+1 < len(words); i++ {
		reg, known := arch.Reg(strings.ToLower(words[i]))
		v, number := IsHex(words[i+1])
		if known && number {
			regs.Set(reg, v&arch.Mask())
			n++
			i++
		}
	}
	return n
}
