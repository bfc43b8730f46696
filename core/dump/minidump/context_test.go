package minidump

import (
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// withFlags makes a context whose flags are other than its CPU's.
func withFlags(t *testing.T, b *dump.Builder, processor uint16, flags uint64) []byte {
	return b.Context(t, processor, map[string]uint64{"flags": flags})
}

func TestDecodeContext(t *testing.T) {
	le := dump.New()
	amd64 := le.Context(t, dump.AMD64, map[string]uint64{"rip": 0x1234, "rsp": 0x5678})
	sys := func(p Processor) *SystemInfo { return &SystemInfo{Processor: p} }
	tests := []struct {
		name  string
		data  []byte
		sys   *SystemInfo
		arch  *cpu.Arch
		notes []string
		err   string
	}{
		{name: "as expected", data: amd64, sys: sys(ProcessorAMD64), arch: &cpu.AMD64},
		{name: "no system info", data: amd64, arch: &cpu.AMD64},
		{name: "extended state behind it", data: append(slices.Clone(amd64), make([]byte, 2000)...), sys: sys(ProcessorAMD64), arch: &cpu.AMD64},
		{
			name: "short, as LLDB writes them", data: amd64[:720], sys: sys(ProcessorAMD64), arch: &cpu.AMD64,
			notes: []string{"the context has 720 bytes instead of the 1232 of CONTEXT_AMD64; 18 of its 18 registers are there"},
		},
		{
			name: "cut", data: amd64[:200], sys: sys(ProcessorAMD64), arch: &cpu.AMD64,
			notes: []string{"the context has 200 bytes instead of the 1232 of CONTEXT_AMD64; 11 of its 18 registers are there"},
		},
		{
			name: "of another CPU", data: amd64, sys: sys(ProcessorX86), arch: &cpu.AMD64,
			notes: []string{"the context is one of amd64, the system info says x86"},
		},
		{name: "x86 on amd64", data: le.Context(t, dump.X86, nil), sys: sys(ProcessorX86On64), arch: &cpu.X86},
		{name: "x86 without extended registers", data: le.Context(t, dump.X86, nil)[:204], sys: sys(ProcessorX86), arch: &cpu.X86,
			notes: []string{"the context has 204 bytes instead of the 716 of CONTEXT_X86; 10 of its 10 registers are there"}},
		{name: "old arm64 where the new is expected", data: le.Context(t, dump.ARM64Old, nil), sys: sys(ProcessorARM64), arch: &cpu.ARM64},
		{name: "new arm64 where the old is expected", data: le.Context(t, dump.ARM64, nil), sys: sys(ProcessorARM64Old), arch: &cpu.ARM64},
		{name: "arm of Windows", data: withFlags(t, le, dump.ARM, 0x20000f), sys: sys(ProcessorARM), arch: &cpu.ARM,
			notes: []string{"the context has 368 bytes instead of the 416 of CONTEXT_ARM of Windows; 17 of its 17 registers are there"}},
		{name: "silent flags", data: withFlags(t, le, dump.ARM, 3), sys: sys(ProcessorARM), arch: &cpu.ARM},
		{name: "further bits of Windows", data: withFlags(t, le, dump.AMD64, 0x5810_001f), sys: sys(ProcessorAMD64), arch: &cpu.AMD64},
		{name: "no CPU in the flags", data: withFlags(t, le, dump.ARM, 3), err: "flags 0x3 name no known CPU"},
		{name: "unknown CPU", data: withFlags(t, le, dump.ARM, 0x1200), sys: sys(ProcessorARM), err: "flags 0x1200 name neither arm (0x40000000) nor another CPU"},
		{name: "too short for flags", data: []byte{1, 2}, err: "2 bytes are too few to have flags"},
		{name: "too short for amd64's flags", data: make([]byte, 50), sys: sys(ProcessorAMD64), err: "50 bytes are too few to have flags"},
		{name: "system info of an unknown CPU", data: amd64, sys: sys(0x77), arch: &cpu.AMD64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, err := DecodeContext(tt.data, build(t, le).Order(), tt.sys)
			expect.Error(t, err, tt.err)
			if ctx.Arch != tt.arch || !slices.Equal(ctx.Notes, tt.notes) {
				t.Errorf("arch %v, notes %q", ctx.Arch, ctx.Notes)
			}
			if ctx.Arch == &cpu.AMD64 && len(tt.data) >= 256 {
				if pc := ctx.Regs.Value(cpu.RIP); pc != 0x1234 && tt.name != "further bits of Windows" {
					t.Errorf("rip is %#x", pc)
				}
			}
		})
	}
}

// TestContextOfEveryCPU reads the context of each CPU from a dump, in its byte order.
func TestContextOfEveryCPU(t *testing.T) {
	tests := []struct {
		processor uint16
		big       bool
		pc        string
	}{
		{processor: dump.X86, pc: "eip"}, {processor: dump.AMD64, pc: "rip"}, {processor: dump.ARM, pc: "pc"}, {processor: dump.ARM64, pc: "pc"},
		{processor: dump.ARM64Old, pc: "pc"}, {processor: dump.MIPS, big: true, pc: "pc"}, {processor: dump.MIPS64, pc: "pc"}, {processor: dump.PPC, big: true, pc: "srr0"},
		{processor: dump.PPC64, big: true, pc: "srr0"}, {processor: dump.SPARC, big: true, pc: "pc"}, {processor: dump.RISCV, pc: "pc"}, {processor: dump.RISCV64, pc: "pc"},
	}
	for _, tt := range tests {
		b := dump.New()
		if tt.big {
			b.BigEndian()
		}
		b.System(tt.processor, dump.Linux, "").
			Thread(dump.Thread{ID: 1, Context: b.Context(t, tt.processor, map[string]uint64{tt.pc: 0x1234_5678})})
		f := build(t, b)
		threads, _ := f.Threads()
		sys, _ := f.SystemInfo()
		for _, s := range []*SystemInfo{sys, nil} {
			ctx, err := f.Context(threads[0].Context, s)
			if err != nil || ctx.Arch != sys.Processor.Arch() || len(ctx.Notes) > 0 {
				t.Errorf("%s: %v, %v, %q", sys.Processor, ctx.Arch, err, ctx.Notes)
				continue
			}
			if pc := ctx.Regs.Value(ctx.Arch.PC); pc != 0x1234_5678 {
				t.Errorf("%s: pc is %#x", sys.Processor, pc)
			}
		}
	}
}

// The context of a file keeps registers and no bytes. A question for a register of floating point reads
// the bytes again.
func TestContextKeepsNoBytes(t *testing.T) {
	b := dump.New()
	context := b.Context(t, dump.AMD64, map[string]uint64{"rip": 7})
	binary.LittleEndian.PutUint32(context[48:], 0x10_000f) // with CONTEXT_FLOATING_POINT
	context[256+160+32] = 9                                // of xmm2
	data := b.Stream(0x99, asm.At(0).Bytes(context)).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := f.Context(Location{RVA: 44, Size: uint64(len(context))}, nil)
	if err != nil || ctx.Regs.Value(cpu.RIP) != 7 || ctx.data != nil {
		t.Errorf("rip %d, %d bytes: %v", ctx.Regs.Value(cpu.RIP), len(ctx.data), err)
	}
	if v, ok := ctx.Float("$xmm2"); !ok || v[0] != 9 {
		t.Errorf("xmm2 is % x, %t", v, ok)
	}
}

func TestContextLocation(t *testing.T) {
	b := dump.New()
	context := b.Context(t, dump.X86, map[string]uint64{"eip": 7})
	data := b.Stream(0x99, asm.At(0).Bytes(context[:200])).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := f.Context(Location{RVA: 44, Size: 716}, nil)
	if err != nil {
		t.Fatal(err)
	}
	notes := []string{
		"the context has 200 bytes instead of the 716 of CONTEXT_X86; 10 of its 10 registers are there",
		"context at 0x2c: 716 bytes reach beyond the end of the file at 0xf4",
	}
	if ctx.Regs.Value(cpu.EIP) != 7 || !slices.Equal(ctx.Notes, notes) {
		t.Errorf("cut by the end of the file: %q", ctx.Notes)
	}
	_, err = f.Context(Location{RVA: 9999, Size: 716}, nil)
	expect.Error(t, err, "minidump: context at 0x270f: lies beyond the end of the file at 0xf4")
	_, err = f.Context(Location{RVA: 44}, nil)
	expect.Error(t, err, "minidump: context at 0x2c: is empty")
	_, err = f.Context(Location{RVA: 200, Size: 8}, nil)
	expect.Error(t, err, "minidump: context at 0xc8: flags 0x0 name no known CPU")
}
