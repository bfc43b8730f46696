package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
	"crashglass/core/process"
)

func init() { targets = append(targets, &arm64) }

// a64Record is the frame record of AAPCS64, section 6.4.6:
//
//	ra  = *(fp+8)
//	fp' = *(fp)
//	sp' =   fp+16
//
// On Windows functions need not make one.
var a64Record = []recordLayout{{fp: 0, ra: 1, sp: 2}}

var arm64 = target{
	Arch: &cpu.ARM64,

	// Procedure Call Standard for the Arm 64-bit Architecture, section 6.1.2.
	vectors: vectorSet{"v", 8, []int{8, 9, 10, 11, 12, 13, 14, 15}},

	ladder: []method{
		{SignalFrames, bySavedContext},
		{CallFrameInfo, byCFI},
		{FunctionCode, byEntry},
		{Nowhere, byReturnOnTop},
		{LinkRegister, byLinkRegister},
		{FramePointers, byFrameRecord},
		{StackScan, byScan},
	},
	isa:    isa.ARM64,
	signed: true,
	records: []records{
		{os: process.Windows, reg: cpu.A64FP, layouts: a64Record, loose: true},
		{reg: cpu.A64FP, layouts: a64Record},
	},
	trustsLink:  everywhere,
	trampolines: arm64Trampolines,
}
