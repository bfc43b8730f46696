package kerneldump

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// At are registers at an instruction and a stack pointer.
func At(a *cpu.Arch, pc, sp uint64) cpu.Regs {
	var r cpu.Regs
	r.Set(a.PC, pc)
	r.Set(a.SP, sp)
	return r
}

// High is an address of the kernel.
func High(a *cpu.Arch, v uint64) uint64 {
	if a.Word == 4 {
		return 0x8000_0000 + v
	}
	return 0xffff_8000_0000_0000 + v
}

// SmallDump is a triage dump with two drivers, an unloaded one, a stack and a block of memory.
func SmallDump(t testing.TB, l *cpu.Layout) []byte {
	a := l.Arch
	d := Dump{
		Layout: l, Type: 4, Code: 0x9f, Parameters: [4]uint64{3, High(a, 0x1000), High(a, 0x2000), High(a, 0x3000)},
		Regs: At(a, High(a, 0x10010), High(a, 0x5000)),
	}
	d.Body = Triage(t, a, []Driver{
		{Name: "ntoskrnl.exe", Base: High(a, 0x1_0000), Size: 0x8000, Time: 0x5f00_0001}, {Name: "widget.sys", Base: High(a, 0x3_0000), Size: 0x2000, Sum: 7, Time: 2},
	}, []Driver{{Name: "old.sys", Base: High(a, 0x5_0000), Size: 0x1000}},
		Range{Base: High(a, 0x5000), Data: []byte("the stack of the kernel")}, Range{Base: High(a, 0x1000), Data: []byte("a device object")})
	return d.Build()
}

// Samples are small dumps of each kind.
func Samples(t testing.TB) (out [][]byte) {
	a := &cpu.AMD64
	m := NewMemory(Four)
	m.Write(High(a, 0x5000), 0x110, []byte("stack"))
	d := Dump{Layout: &cpu.ContextAMD64, Type: 1, Code: 0xd1, Root: m.Root, Modules: High(a, 0x5000), Regs: At(a, 1, High(a, 0x5000))}
	d.Runs, d.Body = m.Full()
	out = append(out, d.Build())
	d.Type, d.Runs, d.Body = 5, nil, m.Bitmap(0x2000)
	out = append(out, d.Build())
	d.Type, d.Body = 10, m.Ranges(0x2000)
	return append(out, d.Build(), SmallDump(t, &cpu.ContextAMD64), SmallDump(t, &cpu.ContextX86))
}

// SMBIOS is the tag of the firmware's tables.
var SMBIOS = [4]uint32{0xbc5c008f, 0x44d71e3a, 0xf6868d98, 0x58674c88}

// Tagged is data that a driver adds behind a dump: 16 bytes of the header of all such data (DUMP_BLOB_FILE_HEADER of ntiodump.h), and a part
// with its own header (DUMP_BLOB_HEADER).
func Tagged(tag [4]uint32, data []byte) []byte {
	out := append([]byte("DumpBlob"), 0x10, 0, 0, 0, 0, 0, 0, 0)
	for _, v := range []uint32{0x20, tag[0], tag[1], tag[2], tag[3], uint32(len(data)), 0, 0} {
		out = le.AppendUint32(out, v)
	}
	return append(out, data...)
}
