package analyze

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/kerneldump"
)

// kernelReport is the report of a small dump: the kernel reports a fault of widget.sys, whose registers are in a context record.
func kernelReport(t *testing.T) *report.Report {
	t.Helper()
	a := &cpu.AMD64
	nt, widget, sp := kerneldump.High(a, 0x10_0000), kerneldump.High(a, 0x40_0000), kerneldump.High(a, 0x5000)
	fault := kerneldump.At(a, widget+0x1010, sp+0x2000)
	context := cpu.ContextAMD64.Encode(&fault, 0xf, binary.LittleEndian)
	stack := asm.At(sp).U64(nt+0x2000).Zeros(0x18).U64(widget+0x1010, nt+0x666).Align(16).Mark("context").Bytes(context).Zeros(0x3000)
	data := stack.Build(t)
	binary.LittleEndian.PutUint64(data[0x2010:], widget+0x1500) // found by scanning
	d := kerneldump.Dump{Layout: &cpu.ContextAMD64, Type: 4, Code: 0x3b, Regs: kerneldump.At(a, nt+0x1000, sp)}
	d.Parameters = [4]uint64{0xc000_0005, widget + 0x1010, stack.Addr("context")}
	d.Body = kerneldump.Triage(t, a, []kerneldump.Driver{{Name: "ntoskrnl.exe", Base: nt, Size: 0x10_0000}, {Name: "widget.sys", Base: widget, Size: 0x1_0000}},
		nil, kerneldump.Range{Base: sp, Data: data})
	file := d.Build()
	all, err := OpenAll(bin.NewSource(bytes.NewReader(file), int64(len(file))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := all[0].Report(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The stack continues at the registers of the fault. Neither the parameters of the bug check nor what lies between are frames.
func TestKernelStack(t *testing.T) {
	r := kernelReport(t)
	var got []string
	for _, f := range r.Threads[0].Frames {
		guess := ""
		if f.Guess {
			guess = "?"
		}
		got = append(got, strings.TrimPrefix(string(*f.ModuleOffset), "0x000000000000")+" "+*f.Module+guess)
	}
	want := "1000 ntoskrnl.exe, 1fff ntoskrnl.exe, 1010 widget.sys, 14ff widget.sys?"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("%s, want %s", all, want)
	}
	if v := r.Verdict; *v.Where != "widget.sys + 0x1010" || v.Guess || !v.Crashed || v.Finding != report.FindingBugCheck {
		t.Errorf("verdict %+v", v)
	}
	if len(r.NextSteps) == 0 || r.NextSteps[0].Kind != report.UpdateDriver || r.NextSteps[0].File != "widget.sys" {
		t.Errorf("steps %+v", r.NextSteps)
	}
	if sig := *r.Signature; sig != "SYSTEM_SERVICE_EXCEPTION | widget.sys@0x1010" {
		t.Errorf("signature %s", sig)
	}
}

// Every output has the bug check, its parameters and the step.
func TestKernelOutputs(t *testing.T) {
	r := kernelReport(t)
	for name, write := range map[string]func(io.Writer, *report.Report, render.Options) error{"text": render.Text, "markdown": render.Markdown, "html": render.HTML} {
		var text strings.Builder
		if err := write(&text, r, render.Options{}); err != nil {
			t.Fatal(err)
		}
		out := text.String()
		for _, words := range []string{"SYSTEM_SERVICE_EXCEPTION", "STATUS_ACCESS_VIOLATION", "widget.sys", "Update the driver"} {
			if !strings.Contains(out, words) {
				t.Errorf("%s lacks %q", name, words)
			}
		}
	}
}

// Frame records of arm64 are followed in the kernel, too, also through signed return addresses.
func TestKernelARM64(t *testing.T) {
	a := &cpu.ARM64
	nt, widget, sp := kerneldump.High(a, 0x10_0000), kerneldump.High(a, 0x40_0000), kerneldump.High(a, 0x5000)
	signed := (widget + 0x1500) &^ (0x5a << 48)
	stack := asm.At(sp).Zeros(0x20).Mark("one").Ref("two").U64(signed).Zeros(0x30).Mark("two").U64(0, nt+0x2400).Zeros(0x100)
	regs := kerneldump.At(a, nt+0x1000, sp)
	data := stack.Build(t)
	regs.Set(cpu.A64FP, stack.Addr("one"))
	d := kerneldump.Dump{Layout: &cpu.ContextARM64, Type: 4, Code: 0x9f, Parameters: [4]uint64{3}, Regs: regs}
	d.Body = kerneldump.Triage(t, a, []kerneldump.Driver{{Name: "ntoskrnl.exe", Base: nt, Size: 0x10_0000}, {Name: "widget.sys", Base: widget, Size: 0x1_0000}},
		nil, kerneldump.Range{Base: sp, Data: data})
	file := d.Build()
	all, err := OpenAll(bin.NewSource(bytes.NewReader(file), int64(len(file))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := all[0].Report(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Threads[0].Frames; len(f) < 3 || *f[1].Module != "widget.sys" || f[1].Guess || *f[2].Module != "ntoskrnl.exe" {
		t.Errorf("%d frames: %+v", len(f), f)
	}
}
