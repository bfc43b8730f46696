package main

import (
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
				var got []string
				for line := range strings.Lines(out) {
					if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 7 && f[0] == "0" {
						got = append(got, f[2]+" "+f[6])
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q, want %q\n%s%s", got, want, out, errs)
				}
			})
		}
	}
}
