package analyze

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/symbolsource"
)

// code64 begins two bytes before the function, with the end of a longer instruction. Decoding from
// there gives wrong boundaries.
var code64 = []byte{
	0x0f, 0xb6, // half of a movzx
	0x55,             // 402: push rbp
	0x48, 0x89, 0xe5, // 403: mov rbp, rsp
	0xe8, 0xf5, 0x00, 0x00, 0x00, // 406: call 0x400500
	0x8b, 0x00, // 40b: mov eax, [rax]
	0x5d, // 40d: pop rbp
	0xc3, // 40e: ret
	0x06, // 40f: nothing in 64-bit mode
}

func listingOf(t *testing.T, machine uint16, base uint64, code []byte, syms Symbols, addr uint64, before, after int) Code {
	t.Helper()
	b := dump.New().System(machine, dump.Linux, "")
	b.Memory(base, asm.At(base).Bytes(code).Build(t))
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return s.Disassemble(syms, addr, before, after)
}

func listingText(c Code) (out []string) {
	for _, l := range c.Lines {
		text := fmt.Sprintf("%s %s %s", l.Address[len(l.Address)-3:], l.Bytes, l.Text)
		if l.Function != nil && l.Line != nil {
			text += fmt.Sprintf(" (%s:%d)", *l.Function, *l.Line)
		}
		out = append(out, text)
	}
	return out
}

func TestDisassemble(t *testing.T) {
	all := []string{
		"402 55 push rbp", "403 4889e5 mov rbp, rsp", "406 e8f5000000 call 0x400500 <app + 0x500>",
		"40b 8b00 mov eax, dword [rax]", "40d 5d pop rbp", "40e c3 ret",
	}
	tests := []struct {
		name          string
		addr          uint64
		before, after int
		want          []string
	}{
		{"nothing around it", 0x40_040b, 0, 0, all[3:4]},
		{"what leads to it", 0x40_040b, 2, 1, all[1:5]},
		{"ends before what is no instruction", 0x40_040d, 1, 50, all[3:]},
		{"no instruction at all", 0x40_040f, 0, 9, []string{"40f 06 "}},
		{"not captured", 0x40_0800, 9, 9, nil},
		{"the first address", 0, 9, 9, nil},
		{"negative counts", 0x40_040b, -1, -5, all[3:4]},
	}
	for _, tt := range tests {
		got := listingText(listingOf(t, dump.AMD64, 0x40_0400, code64, nil, tt.addr, tt.before, tt.after))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// If symbols have the start of a function, nothing before it is listed.
// A target has the name of its code: with a mark if that is not proved, and none behind the end of a symbol.
func TestTargetNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		loc  symbolize.Location
		want string
	}{
		{"a function", symbolize.Location{Function: "f", Start: 0x4f0}, "f + 0x10"},
		{"the start of a symbol", symbolize.Location{Function: "f", Start: 0x500, Public: true}, "f"},
		{"behind a symbol", symbolize.Location{Function: "f", Start: 0x4f0, Public: true}, "~ f + 0x10"},
		{"behind the end of a symbol", symbolize.Location{Function: "f", Start: 0x4f0, Public: true, Stated: 8}, "app + 0x500"},
		{"a section", symbolize.Location{Function: ".text", Start: 0x500}, "app + 0x500"},
	} {
		tt.loc.Size = 0x100 // of what the source finds
		c := listingOf(t, dump.AMD64, 0x40_0400, code64, fakeSymbols{"app": {tt.loc}}, 0x40_0406, 0, 0)
		if want := "call 0x400500 <" + tt.want + ">"; len(c.Lines) != 1 || c.Lines[0].Text != want {
			t.Errorf("%s: %q, want %q", tt.name, listingText(c), want)
		}
	}
}

func TestDisassembleFunction(t *testing.T) {
	syms := fakeSymbols{"app": {{Function: "f", Start: 0x402, Size: 0xd, File: "f.c", Line: 7, Inlines: []symbolize.Inline{{Function: "in", File: "in.c", Line: 3}}}}}
	code := listingOf(t, dump.AMD64, 0x40_0400, code64, syms, 0x40_040b, 20, 0)
	want := []string{"402 55 push rbp (in:3)", "403 4889e5 mov rbp, rsp (in:3)", "406 e8f5000000 call 0x400500 <app + 0x500> (in:3)", "40b 8b00 mov eax, dword [rax] (in:3)"}
	if got := listingText(code); !slices.Equal(got, want) || !code.Sure {
		t.Errorf("sure %v\n got %q\nwant %q", code.Sure, got, want)
	}
}

// For any bytes a listing has a line at its address, or no lines at all.
func TestDisassembleHitsTheAddress(t *testing.T) {
	for at := range len(code64) {
		addr := 0x40_0400 + uint64(at)
		code := listingOf(t, dump.AMD64, 0x40_0400, code64, nil, addr, 10, 3)
		hit := slices.ContainsFunc(code.Lines, func(l CodeLine) bool { return string(l.Address) == fmt.Sprintf("0x%016x", addr) })
		if !hit {
			t.Errorf("%#x: %q", addr, listingText(code))
		}
	}
}

func TestDisassembleFixedSize(t *testing.T) {
	code := []byte{0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x40, 0xf9}
	got := listingOf(t, dump.ARM64, 0x40_0400, code, nil, 0x40_0408, 2, 2)
	want := []string{"400 fd7bbfa9 stp x29, x30, [sp, #-16]!", "404 fd030091 mov x29, sp", "408 000040f9 ldr x0, [x0]"}
	if text := listingText(got); !slices.Equal(text, want) || !got.Sure {
		t.Errorf("sure %v: %q", got.Sure, text)
	}
}

// foreignSource has rules of ARM64 code from 0x500 on.
type foreignSource struct{ fakeSource }

func (foreignSource) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return unwind.CallFrame{Start: rel, Size: 1, Foreign: rel >= 0x500}, true
}

// ARM64 code of Windows in a program of x64 is listed as such, and no instruction of it is the cause of a crash.
func TestDisassembleForeign(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Windows, "")
	b.Memory(0x40_04fc, asm.At(0x40_04fc).U8(0x8b, 0x00, 0x90, 0xc3).U32(0xf940_0000, 0xd65f_03c0).Build(t)) // mov eax, [rax]; nop; ret; ldr x0, [x0]; ret
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: `C:\app.exe`})
	b.Thread(dump.Thread{ID: 1, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0500, "rsp": 0x1000})})
	b.Exception(dump.Exception{Thread: 1, Code: 0xc0000005, Address: 0x40_0500, Parameters: []uint64{0, 0x10}, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0500})})
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	syms := SymbolsFunc(func(*module.Module) (Source, report.Symbols) {
		return symbolsource.Bare{Source: foreignSource{}}, report.Symbols{State: "matched"}
	})
	want := []string{"500 000040f9 ldr x0, [x0]", "504 c0035fd6 ret"}
	if got := listingText(s.Disassemble(syms, 0x40_0500, 0, 5)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want = []string{"4fc 8b00 mov eax, dword [rax]", "4fe 90 nop"}
	if got := listingText(s.Disassemble(syms, 0x40_04fc, 0, 1)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r, err := s.Report(syms, Options{}); err != nil || r.CrashInfo.Instruction != nil {
		t.Errorf("the instruction is %v, %v", r.CrashInfo.Instruction, err)
	}
}
