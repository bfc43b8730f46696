package unwind

import (
	"crashglass/core/cpu"
	"crashglass/core/isa"
)

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
	ladder: []method{
		{SignalFrames, bySavedContext},
		{CallFrameInfo, byCFI},
		{FunctionCode, byEntry},
		{Nowhere, byReturnOnTop},
		{LinkRegister, byLinkRegister},
		{FramePointers, byFrameRecord},
		{StackScan, byScan},
	},
	isa:       isa.ARM64,
	canonical: func(addr uint64) bool { return addr <= 0x000f_ffff_ffff_ffff }, // programs use at most 52 bits
	signed:    true,
	records: []records{
		{os: "windows", reg: cpu.A64FP, layouts: a64Record, loose: true},
		{reg: cpu.A64FP, layouts: a64Record},
	},
	trustsLink:  everywhere,
	vectors:     arm64Vectors,
	trampolines: arm64Trampolines,
}
