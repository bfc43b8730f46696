package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Registers fill lines of 80 columns, as in minidump_stackwalk: four to a line
// with 32 bits, two with 64.
func TestRegisterColumns(t *testing.T) {
	list := func(width, n int) report.Registers {
		var out report.Registers
		for i := range n {
			out = append(out, report.Register{Name: fmt.Sprintf("r%d", i), Value: report.Addr(uint64(i), width)})
		}
		return out
	}
	tests := []struct {
		regs report.Registers
		want string
	}{
		{nil, ""},
		{list(4, 5), "     r0 = 0x00000000    r1 = 0x00000001    r2 = 0x00000002    r3 = 0x00000003\n     r4 = 0x00000004\n"},
		{list(8, 3), "     r0 = 0x0000000000000000    r1 = 0x0000000000000001\n     r2 = 0x0000000000000002\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		x := texter{newPrinter(&b), &report.Report{}, Options{}}
		x.registers(tt.regs)
		if err := x.flush(); err != nil || b.String() != tt.want {
			t.Errorf("registers\n got %q\nwant %q (%v)", b.String(), tt.want, err)
		}
	}
}

func TestBitFlips(t *testing.T) {
	flip := func(at uint64, confidence *float64) report.BitFlip {
		return report.BitFlip{Address: *addr(at), Confidence: confidence}
	}
	got := bitFlips([]report.BitFlip{flip(3, nil), flip(2, ptr(0.5)), flip(1, ptr(0.5)), flip(4, ptr(0.9))})
	want := []string{
		"0x0000000000000004 (0.900)", "0x0000000000000001 (0.500)", "0x0000000000000002 (0.500)", "0x0000000000000003 (0.000)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("bitFlips\n got %q\nwant %q", got, want)
	}
}

// The text says that an instruction crashed only if one did.
func TestInstructionWords(t *testing.T) {
	tests := []struct {
		info report.CrashInfo
		want string
	}{
		{report.CrashInfo{}, ""},
		{report.CrashInfo{Instruction: ptr("mov edi, ebx")}, "Crashing instruction: `mov edi, ebx`\nNo memory accessed by instruction\n"},
		{report.CrashInfo{Instruction: ptr("mov edi, ebx"), NoAddress: ptr("sent by process 7")}, "Instruction at the program counter: `mov edi, ebx`\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		x := texter{newPrinter(&b), &report.Report{}, Options{}}
		x.instruction(&tt.info)
		if err := x.flush(); err != nil || b.String() != tt.want {
			t.Errorf("instruction\n got %q\nwant %q (%v)", b.String(), tt.want, err)
		}
	}
}

func TestFoundBy(t *testing.T) {
	tests := []struct {
		frame report.Frame
		want  string
	}{
		{report.Frame{Trust: "context", FoundBy: "context"}, "given as instruction pointer in context"},
		{report.Frame{Trust: "cfi", FoundBy: "STACK WIN"}, "call frame info"},
		{report.Frame{Trust: "cfi_scan", FoundBy: "scan"}, "call frame info with scanning"},
		{report.Frame{Trust: "frame_pointer", FoundBy: "link reg"}, "link register"},
		{report.Frame{Trust: "cfi", FoundBy: "something new"}, "something new"},
		{report.Frame{Trust: "leaf"}, "leaf"},
	}
	for _, tt := range tests {
		if got := foundBy(&tt.frame); got != tt.want {
			t.Errorf("foundBy(%s, %s) = %q, want %q", tt.frame.Trust, tt.frame.FoundBy, got, tt.want)
		}
	}
}

// The last line of a stack says whether it is complete.
func TestEndLines(t *testing.T) {
	tests := []struct {
		end  report.End
		want string
	}{
		{report.End{}, "\nThread 0 - tid: 1\n"},
		{report.End{Complete: true}, "\nThread 0 - tid: 1\n    End of stack\n"},
		{report.End{Complete: true, Reason: "why"}, "\nThread 0 - tid: 1\n    End of stack: why\n"},
		{report.End{Reason: "why"}, "\nThread 0 - tid: 1\n    Cut short: why\n"},
		{report.End{Complete: true, Kind: "zero_return"}, "\nThread 0 - tid: 1\n    End of stack: the return address is 0\n"},
		{report.End{Kind: "no_stack"}, "\nThread 0 - tid: 1\n    Cut short: the stack pointer is not known\n"},
		{report.End{Kind: report.NotWalked}, "\n1 other thread is left out\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		x := texter{newPrinter(&b), &report.Report{Threads: []report.Thread{{ID: 1, End: tt.end}}}, Options{}}
		x.threads()
		if err := x.flush(); err != nil || b.String() != tt.want {
			t.Errorf("%+v: %q, want %q (%v)", tt.end, b.String(), tt.want, err)
		}
	}
}

// A stack in an issue cannot end its fence, whatever functions are called.
func TestMarkdownFence(t *testing.T) {
	r := sample()
	r.Threads[1].Frames[1].Function = ptr("````\n# heading\n@everyone")
	var b strings.Builder
	if err := Markdown(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	open, end := strings.Index(out, "\n`````text\n"), strings.LastIndex(out, "\n`````\n")
	inside := strings.Index(out, "@everyone")
	if open < 0 || end < 0 || inside < open || inside > end {
		t.Errorf("the stack is not inside a fence of five backticks:\n%s", out)
	}
	if strings.Contains(out, "\n# heading") {
		t.Error("a function's name begins a line")
	}
}

// A value with the separator of a table's columns is shown as it is: cmark-gfm
// takes "\|" in code for the separator, marked for two characters.
func TestMarkdownFacts(t *testing.T) {
	r := &report.Report{CrashInfo: report.CrashInfo{Assertion: ptr("a | b || c")}}
	var b strings.Builder
	if err := Markdown(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "- **Assertion:** `a | b || c`\n"; !strings.Contains(b.String(), want) {
		t.Errorf("output has no %q:\n%s", want, b.String())
	}
}

// A microdump does not have the number of its thread, and an old one has no reason.
func TestMicrodumpText(t *testing.T) {
	r := &report.Report{Threads: []report.Thread{{Crashed: true}}, CrashInfo: report.CrashInfo{CrashingThread: ptr(0)}}
	r.Dump.Kind, r.Verdict.Crashed, r.Verdict.What = "microdump", true, "Crash of an unknown kind"
	for name, tt := range map[string]struct {
		write func(io.Writer, *report.Report, Options) error
		want  []string
	}{
		"text":     {Text, []string{"What happened: Crash of an unknown kind\n\n", "\nCrash reason:  unknown\n", "\nThread 0 (crashed)\n"}},
		"markdown": {Markdown, []string{"### Crash of an unknown kind\n", "\n**Thread 0 crashed**\n"}},
	} {
		var b strings.Builder
		if err := tt.write(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: output has no %q:\n%s", name, want, b.String())
			}
		}
	}
}

// LLDB leaves out the number of processors, and writes uninitialized memory as the name of their
// vendor.
func TestIllegibleCPU(t *testing.T) {
	r := &report.Report{}
	r.SystemInfo.CPUInfo, r.SystemInfo.CPUCount = ptr("0#\ufffd+\x1b[1m family 0"), ptr(uint32(0))
	var b strings.Builder
	if err := Text(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "CPU: unknown\n\n"; !strings.Contains(b.String(), want) {
		t.Errorf("output has no %q:\n%s", want, b.String())
	}
}

// Without an exception the verdict depends on the reason: "No crash" would be wrong for a dump
// whose exception is lost.
func TestNoException(t *testing.T) {
	lost := report.Verdict{What: "The exception cannot be read"}
	for _, tt := range []struct {
		verdict report.Verdict
		want    bool
	}{{verdict: lost}, {verdict: report.Verdict{}, want: true}} {
		var b strings.Builder
		if err := Text(&b, &report.Report{Verdict: tt.verdict}, Options{}); err != nil || strings.Contains(b.String(), "No crash\n") != tt.want {
			t.Errorf("%q: want %v (%v)\n%s", tt.verdict.What, tt.want, err, b.String())
		}
		b.Reset()
		if err := Markdown(&b, &report.Report{Verdict: tt.verdict}, Options{}); err != nil || strings.Contains(b.String(), "The thread that crashed") {
			t.Errorf("%q: a thread crashed (%v)\n%s", tt.verdict.What, err, b.String())
		}
	}
}

// A CPU with a model of zeros does not exist.
func TestModel(t *testing.T) {
	for in, want := range map[string]string{
		"family 0 model 0 stepping 0": "", "ARMv0": "", "GenuineIntel family 0 model 0 stepping 0": "GenuineIntel",
		"GenuineIntel family 6 model 42 stepping 7": "GenuineIntel family 6 model 42 stepping 7",
	} {
		got := ""
		if m := model(&report.Report{SystemInfo: report.SystemInfo{CPUInfo: &in}}); m != nil {
			got = *m
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// LLDB does not set the system's version, nor the CPU's model.
func TestVersionOfLLDB(t *testing.T) {
	number, lldb, crashpad := "32.0.1", "LLDB", "Crashpad"
	for writer, want := range map[*string]bool{&lldb: false, &crashpad: true, nil: true} {
		r := &report.Report{Dump: report.Dump{Writer: writer}, SystemInfo: report.SystemInfo{OSVersion: &number, CPUInfo: &number}}
		for form, write := range map[string]func(io.Writer) error{
			"text":     func(w io.Writer) error { return Text(w, r, Options{}) },
			"markdown": func(w io.Writer) error { return Markdown(w, r, Options{}) },
			"html":     func(w io.Writer) error { return HTML(w, r, Options{}) },
		} {
			var out strings.Builder
			if err := write(&out); err != nil || strings.Contains(out.String(), number) != want {
				t.Errorf("%s by %s: %v: %s", form, report.Text(writer), err, out.String())
			}
		}
	}
}
