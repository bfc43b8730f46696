package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

func init() { targets = append(targets, &riscv, &riscv64) }

var riscv = target{
	Arch:       &cpu.RISCV,
	ladder:     linkLadder,
	isa:        isa.RISCV32,
	records:    riscvRecords,
	trustsLink: everywhere,
}

var riscv64 = target{
	Arch:        &cpu.RISCV64,
	vectors:     vectorSet{"f", 8, []int{8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}}, // fs0 to fs11 of the psABI
	ladder:      linkLadder,
	isa:         isa.RISCV64,
	records:     riscvRecords,
	trustsLink:  everywhere,
	trampolines: riscv64Trampolines,
}

// riscvRecords are the psABI's frame record, which lies below s0, and the one
// that Breakpad expects above it, as on arm64; stacks of that shape exist too:
//
//	ra  = *(s0-w)    ra  = *(s0+w)
//	fp' = *(s0-2w)   fp' = *(s0)
//	sp' =   s0       sp' =   s0+2w
//
// where w is the size of a word. A record with a return address and a frame pointer has precedence
// over one with only a return address.
var riscvRecords = []records{{reg: cpu.RVS0, layouts: []recordLayout{
	{fp: -2, ra: -1, sp: 0, check: anUpLink},
	{fp: 0, ra: 1, sp: 2, check: anAddress},
	{fp: -2, ra: -1, sp: 0, check: aLink},
	{fp: 0, ra: 1, sp: 2},
}}}
