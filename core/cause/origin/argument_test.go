package origin

import (
	"encoding/hex"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/values/variables"
)

// TestArgument has functions that end in a call, which passes a text, a number, and something else.
func TestArgument(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		handlers   bool
		want       uint64
		found      bool
	}{
		{name: "address", code: "488d3df9000000 e800000000", want: base + 0x100, found: true},                      // lea rdi, [rip + 0xf9]; call
		{name: "absolute", code: "bf00104000 e800000000", want: 0x401000, found: true},                             // mov edi, 0x401000
		{name: "copy", code: "488d05f9000000 4889c7 e800000000", want: base + 0x100, found: true},                  // lea rax, [rip + 0xf9]; mov rdi, rax
		{name: "behind a branch", code: "85f6 7401 90 488d3df9000000 e800000000", want: base + 0x105, found: true}, // test esi, esi; je; nop
		{name: "two ways", code: "bf01000000 85f6 7405 bf02000000 e800000000"},                                     // mov edi, 1; test; je; mov edi, 2
		{name: "argument of its own", code: "90 e800000000"},
		{name: "beside a handler", code: "e800000000 bf00104000 e800000000", handlers: true, want: 0x401000, found: true},
		{name: "address beside a handler", code: "e800000000 488d3df9000000 e800000000", handlers: true, want: base + 0x105, found: true},
		{name: "copy beside a handler", code: "e800000000 bb00104000 4889df e800000000", handlers: true}, // mov ebx, 0x401000; mov rdi, rbx
		{name: "beside a jump table", code: "ffe0 bf00104000 e800000000"},                                // jmp rax
		{name: "load", code: "488b3df9000000 e800000000"},                                                // mov rdi, [rip + 0xf9]
	} {
		code, err := hex.DecodeString(strings.ReplaceAll(tt.code, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		in := &Input{
			Arch: &cpu.AMD64, Decode: disasm.Decode,
			Code: func(addr uint64, p []byte) int { return copy(p, code[min(addr-base, uint64(len(code))):]) },
			Word: func(uint64) (uint64, bool) { return 0, false },
			Frames: []Frame{
				{PC: base + 0x1000, Start: base + 0x1000, End: base + 0x1010, Calls: true},
				{PC: base + uint64(len(code)), Start: base, End: base + uint64(len(code)), Calls: true, Handlers: tt.handlers},
			},
		}
		if got, found := Argument(in, cpu.RDI); got != tt.want || found != tt.found {
			t.Errorf("%s: %#x, %v, want %#x, %v", tt.name, got, found, tt.want, tt.found)
		}
	}
}

// A load from an element of a variable outside of functions is named by its address, which the code has.
func TestElementOfStatic(t *testing.T) {
	code, err := hex.DecodeString("4863ff488d05f6000000488b04f88b00") // movsxd rdi, edi; lea rax, [rip + 0xf6]; mov rax, [rax + rdi*8]; mov eax, [rax]
	if err != nil {
		t.Fatal(err)
	}
	f := Frame{PC: base + 14, Start: base, End: base + uint64(len(code)), Entry: true}
	f.Regs.Set(cpu.RAX, 0)
	f.Regs.Set(cpu.RDI, 1)
	var searched uint64
	f.Static = func(addr uint64) (variables.Part, string) {
		searched = addr
		return variables.Part{}, "a rule"
	}
	in := &Input{
		Arch: &cpu.AMD64, Decode: disasm.Decode,
		Code:   func(addr uint64, p []byte) int { return copy(p, code[min(addr-base, uint64(len(code))):]) },
		Word:   func(uint64) (uint64, bool) { return 0, true },
		Frames: []Frame{f},
	}
	got := Trace(in, cpu.RAX)
	if len(got) != 2 || searched != base+0x108 || got[0].Rule != "a rule" || got[0].Memory != base+0x108 || got[1].Value != base+0x100 || !got[1].Known {
		t.Errorf("%+v", got)
	}
}
