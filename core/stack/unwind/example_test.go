package unwind_test

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
)

// memory is a stack at an address.
type memory struct {
	base uint64
	data []byte
}

func (m memory) Word(addr uint64, size int) (uint64, bool) {
	off := addr - m.base
	if off > uint64(len(m.data)) || uint64(len(m.data))-off < uint64(size) {
		return 0, false
	}
	if size == 4 {
		return uint64(binary.LittleEndian.Uint32(m.data[off:])), true
	}
	return binary.LittleEndian.Uint64(m.data[off:]), true
}

// rules knows one function, which pushes nothing and calls from 16 bytes of stack.
type rules struct{}

func (rules) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	if rel-0x100 >= 0x100 {
		return unwind.CallFrame{}, false
	}
	return unwind.CallFrame{Start: 0x100, Size: 0x100, Rules: []unwind.Rule{
		{Reg: unwind.CFA, From: unwind.At("$rsp", 16)},
		{Reg: unwind.RA, From: unwind.Word(unwind.CFA, -8)},
	}}, true
}

func (rules) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }
func (rules) HasNames() bool                          { return true }
func (rules) HasCode() bool                           { return false }

func (rules) Function(uint64) (unwind.Function, bool) { return unwind.Function{}, false }

// A stack is walked from registers, memory and rules alone: no dump is needed.
func ExampleWalk() {
	stack := binary.LittleEndian.AppendUint64(nil, 7)                 // a local
	stack = binary.LittleEndian.AppendUint64(stack, 0x5500_0000_0210) // the return address
	stack = append(stack, make([]byte, 8)...)

	in := unwind.Input{
		Arch:    &cpu.AMD64,
		OS:      "linux",
		Memory:  memory{0x7fff_0000, stack},
		Modules: module.NewMap([]module.Module{{Base: 0x5500_0000_0000, Size: 0x1000}}),
		Rules:   func(*module.Module) unwind.Rules { return rules{} },
	}
	in.Regs.Set(cpu.RIP, 0x5500_0000_0110)
	in.Regs.Set(cpu.RSP, 0x7fff_0000)

	result := unwind.Walk(in)
	for _, f := range result.Frames {
		fmt.Printf("%#x %s\n", f.Instruction, f.FoundBy)
	}
	fmt.Printf("%s %#x\n", result.End.Kind, result.End.Address)
	// Output:
	// 0x550000000110 context
	// 0x55000000020f CFI
	// memory_ends 0x7fff0018
}
