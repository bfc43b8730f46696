package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// A deferred call (DPC) runs on a stack of its own. Behind it comes the stack of the thread that it interrupted: by the frame register of
// the function that switched, and on x64 by the machine frame of the interrupt. The thread's stack lies below the other, and above it.
func TestDeferredCallsInDumps(t *testing.T) {
	const alloc, code = kerneldump.Alloc40, 0x1000 + kerneldump.Returns
	for name, l := range map[string]*cpu.Layout{"x64": &cpu.ContextAMD64, "arm64": &cpu.ContextARM64} {
		for place, threadAt := range map[string]uint64{"below": 0x60_0000, "above": 0x160_0000} {
			t.Run(name+" "+place, func(t *testing.T) {
				a := l.Arch
				nt, widget := kerneldump.High(a, 0x10_0000), kerneldump.High(a, 0x40_0000)
				dpc, thread := asm.At(kerneldump.High(a, 0xa0_0000)), asm.At(kerneldump.High(a, threadAt))
				at := func(n uint64) uint64 { return nt + code + n*0x100 } // of a function of the kernel
				regs := kerneldump.At(a, at(0), dpc.Base())
				if a == &cpu.AMD64 {
					dpc.Zeros(0x28).U64(at(1)).Zeros(0x28).U64(at(2)).Zeros(0x40)
					thread.Zeros(0x100).Mark("frame").U64(0x77, at(3)).Zeros(0x28).U64(at(4), widget+code, 0x10, 0x246).Ref("interrupted").U64(0x18).Zeros(0x40)
					thread.Mark("interrupted").Zeros(0x28).U64(at(5)).Zeros(0x28).U64(0).Zeros(0x40)
					thread.Build(t)
					regs.Set(cpu.RBP, thread.Addr("frame"))
				} else {
					thread.Zeros(0x100).Mark("frame").Ref("outer").U64(at(3)).Zeros(0x40).Mark("outer").Ref("widget").U64(widget + code).Zeros(0x20)
					thread.Mark("widget").Ref("last").U64(at(5)).Zeros(0x20).Mark("last").U64(0, 0).Zeros(0x40)
					thread.Build(t)
					dpc.Zeros(0x20).Mark("one").Ref("two").U64(at(1)).Zeros(0x20).Mark("two").U64(thread.Addr("frame"), at(2)).Zeros(0x40)
					regs.Set(cpu.A64FP, dpc.Base()+0x20)
				}
				m := kerneldump.NewMemory(map[*cpu.Arch]kerneldump.Shape{&cpu.AMD64: kerneldump.Four, &cpu.ARM64: kerneldump.Arm}[a])
				m.Write(nt, 0x200, kerneldump.Image(t, a, kerneldump.Unwind{Codes: []uint16{alloc}}, kerneldump.Unwind{Codes: []uint16{alloc}},
					kerneldump.Unwind{Codes: []uint16{kerneldump.PushRBP, kerneldump.SetFrame}, Frame: kerneldump.RBP}, kerneldump.Unwind{Codes: []uint16{alloc}},
					kerneldump.Unwind{Codes: []uint16{kerneldump.MachineFrame}}, kerneldump.Unwind{Codes: []uint16{alloc}}))
				m.Write(widget, 0x300, kerneldump.Image(t, a, kerneldump.Unwind{Codes: []uint16{alloc}}))
				m.Write(dpc.Base(), 0x400, dpc.Build(t))
				m.Write(thread.Base(), 0x410, thread.Build(t))
				d := kerneldump.Dump{Layout: l, Type: 1, Code: 0x133, Parameters: [4]uint64{0, 0x501, 0x500}, Regs: regs, Root: m.Root}
				d.Modules = m.List(t, a, kerneldump.Driver{Name: "ntoskrnl.exe", Base: nt, Size: 0x4000}, kerneldump.Driver{Name: "widget.sys", Base: widget, Size: 0x4000})
				d.Runs, d.Body = m.Full()
				out, errs, _ := crashglass("walk", "-no-local", "-format", "machine", file(t, t.TempDir(), "dpc.dmp", d.Build()))
				want := []string{"ntoskrnl.exe 0x1020", "ntoskrnl.exe 0x1120", "ntoskrnl.exe 0x1220", "ntoskrnl.exe 0x1320", "ntoskrnl.exe 0x1420", "widget.sys 0x1020", "ntoskrnl.exe 0x1520"}
				if a == &cpu.ARM64 { // the interrupt is a call there
					want = []string{"ntoskrnl.exe 0x1020", "ntoskrnl.exe 0x111c", "ntoskrnl.exe 0x121c", "ntoskrnl.exe 0x131c", "widget.sys 0x101c", "ntoskrnl.exe 0x151c"}
				}
				if got := machineFrames(out); !slices.Equal(got, want) {
					t.Errorf("%q, want %q\n%s%s", got, want, out, errs)
				}
			})
		}
	}
}

// On 32-bit Windows the processor's control block says where its stack of deferred calls begins. At its top is the stack pointer of the thread, on
// which the trap frame of the interrupt has the interrupted code's registers. A dump for sharing says the same.
func TestDeferredCallsOfX86InDumps(t *testing.T) {
	a := &cpu.X86
	const code, active, thread, initial, before = 0x1000 + kerneldump.Returns, 0x200, 4, 0x28, 0x2a
	nt, widget, top := kerneldump.High(a, 0x10_0000), kerneldump.High(a, 0x40_0000), kerneldump.High(a, 0xa0_2000)
	at := func(n uint64) uint32 { return uint32(nt + code + n*0x100) } // of a function of the kernel
	dpc, stack := asm.At(top-0x80), asm.At(kerneldump.High(a, 0x60_0000))
	stack.Zeros(0x100).Mark("saved").U32(0xffff_ffff).Ref32("trap").U32(at(3)).Zeros(0x20)
	stack.Mark("trap").Ref32("frame").U32(uint32(widget)+0x1050, 0xbadb0d00).Zeros(0x54-0xc).U32(1, 2, 3).Ref32("frame").U32(0, uint32(widget)+0x1050, 8, 0x246)
	stack.Zeros(0x10).Mark("frame").U32(0, at(5)).Zeros(0x40)
	stack.Build(t)
	dpc.Zeros(0x20).Mark("inner").Ref32("outer").U32(at(1)).Zeros(0x4c).Mark("outer").U32(uint32(stack.Addr("trap")), at(2), uint32(stack.Addr("saved"))).Build(t)
	regs := kerneldump.At(a, nt+code, dpc.Base())
	regs.Set(cpu.EBP, dpc.Addr("inner"))

	kd := asm.At(kerneldump.High(a, 0x70_0000)).Zeros(0x10).Text("KDBG").U32(0x380).Zeros(0x200).Ref("blocks").Zeros(0x29e - 0x220)
	kd.U16(initial).Zeros(0x2b2-0x2a0).U16(active, thread).Zeros(0x338 - 0x2b6).U16(8).Align(16).Mark("blocks").Ref32("block").U32(0)
	kd.Mark("block").U32(0).Ref32("thread").Zeros(active - before - 8).U32(uint32(top)).Zeros(0x80)
	kd.Mark("thread").Zeros(initial).U32(uint32(stack.Base()+0x1000), uint32(stack.Base()))
	image := kerneldump.Image(t, a, make([]kerneldump.Unwind, 6)...)
	m := kerneldump.NewMemory(kerneldump.PAE)
	m.Write(nt, 0x200, image)
	m.Write(widget, 0x300, image)
	m.Write(dpc.Base(), 0x400, dpc.Build(t))
	m.Write(stack.Base(), 0x410, stack.Build(t))
	m.Write(kd.Base(), 0x420, kd.Build(t))
	d := kerneldump.Dump{Layout: &cpu.ContextX86, Type: 1, Code: 0x133, Regs: regs, Root: m.Root, PAE: true, Debugger: kd.Base()}
	d.Modules = m.List(t, a, kerneldump.Driver{Name: "ntkrnlpa.exe", Base: nt, Size: 0x4000}, kerneldump.Driver{Name: "widget.sys", Base: widget, Size: 0x4000})
	d.Runs, d.Body = m.Full()
	name := file(t, t.TempDir(), "dpc.dmp", d.Build())
	shared := filepath.Join(t.TempDir(), "shared.dmp")
	if _, errs, code := crashglass("sanitize", "-o", shared, name); code != 0 {
		t.Fatal(errs)
	}
	want := []string{"ntkrnlpa.exe 0x1020", "ntkrnlpa.exe 0x1120", "ntkrnlpa.exe 0x1220", "ntkrnlpa.exe 0x1320", "widget.sys 0x1050", "ntkrnlpa.exe 0x1520"}
	for _, name := range []string{name, shared} {
		out, errs, _ := crashglass("walk", "-no-local", "-format", "machine", name)
		if got := machineFrames(out); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q\n%s%s", name, got, want, out, errs)
		}
	}
}

// machineFrames are the modules and offsets of the first thread's frames.
func machineFrames(out string) (list []string) {
	for line := range strings.Lines(out) {
		if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 7 && f[0] == "0" {
			list = append(list, f[2]+" "+f[6])
		}
	}
	return list
}
