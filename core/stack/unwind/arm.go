package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
	"crashglass/core/process"
)

func init() { targets = append(targets, &arm) }

var arm = target{
	Arch:        &cpu.ARM,
	ladder:      linkLadder,
	isa:         isa.ARM,
	thumb:       isa.Thumb,
	setsLink:    true, // mov lr, pc; bx r3, before ARMv5
	records:     armRecords,
	trustsLink:  process.OS.IsIOS,
	trampolines: armTrampolines,
}

// armRecords: on iOS r7 is the frame pointer in ARM and Thumb code. Elsewhere
// compilers make two frame layouts. GCC and Clang push {fp, lr} and leave fp at
// one of the two words; the old APCS pushes {fp, ip, lr, pc} and leaves fp at
// the saved pc:
//
//	iOS, r7               ra = *(r7+4)   r7' = *(r7)      sp' = r7+8
//	fp at the saved fp    ra = *(fp+4)   fp' = *(fp)      sp' = fp+8
//	fp at the saved lr    ra = *(fp)     fp' = *(fp-4)    sp' = fp+4
//	APCS                  ra = *(fp-4)   fp' = *(fp-12)   sp' = *(fp-8)
//
// r11 is an ordinary register in code without frame pointers, so each link is checked: the return
// address must be plausible, and the next frame pointer must be above this one. This method crosses
// a libc without call frame information, where Breakpad and rust-minidump scan.
var armRecords = []records{
	{os: process.IOS, reg: cpu.ARMR7, layouts: []recordLayout{{fp: 0, ra: 1, sp: 2}}},
	{reg: cpu.ARMFP, layouts: []recordLayout{
		{fp: 0, ra: 1, sp: 2, check: aLink},
		{fp: -1, ra: 0, sp: 1, check: aLink},
		{fp: -3, ra: -1, sp: -2, spSaved: true, check: aLink},
	}},
}
