package unwind

import "crashglass/core/cpu"

// ladders are the methods of each CPU, best first. They are described in the
// CPU's own file.
var ladders = map[string][]method{
	"x86":     x86Ladder,
	"amd64":   amd64Ladder,
	"arm":     armLadder,
	"arm64":   arm64Ladder,
	"mips":    mipsLadder,
	"mips64":  mipsLadder,
	"ppc":     ppcLadder,
	"ppc64":   ppc64Ladder,
	"sparc":   sparcLadder,
	"riscv":   riscvLadder,
	"riscv64": riscvLadder,
}

// The methods that every CPU can use.
var (
	callFrameInfo = method{"call frame information", byCFI}
	stackScan     = method{"stack scan", byScan}
)

func targetOf(arch *cpu.Arch) target {
	return target{Arch: arch, ladder: ladders[arch.Name]}
}
