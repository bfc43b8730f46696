package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// TestClues scans a stack whose first word that could be a return address is one, or is passed over for the next. The program's first
// module has addresses that are characters of ASCII, the second addresses of UTF-16.
func TestClues(t *testing.T) {
	const (
		ascii = 0x7263_3a74 // "t:cr"
		utf16 = 0x0062_0061 // "ab"
		other = 0x7263_0409
		size  = 0x1000
	)
	page := func(words ...uint32) *asm.Section { // up to the end of a page
		s := asm.At(0x1_0000).U32(words...)
		return s.Zeros(size - 4*len(words))
	}
	far := make([]uint32, farWords+1)
	far[farWords] = other &^ 7
	near := append(append([]uint32{}, far[1:]...), 0)
	for _, tt := range []struct {
		name  string
		os    process.OS
		stack *asm.Section
		want  uint64
	}{
		{"text", "windows", page(0x6873_6172, ascii, 0, other), other},
		{"text behind it", "windows", page(0, ascii, 0x6873_6172, other), other},
		{"a word of text alone", "windows", page(0, ascii, 0, other), ascii},
		{"beside the end of a text", "windows", page(0x0068_7361, ascii, 0, other), ascii},
		{"UTF-16", "windows", page(0x0064_0063, utf16, 0, other), other},
		{"UTF-16 alone", "windows", page(1, utf16, 0, other), utf16},
		{"where no frame ends", "linux", page(0, ascii, 0, other), other},
		{"where frames end", "linux", page(0, 0, 0, ascii, other), ascii},
		{"not up to the end of a page", "linux", asm.At(0x1_0000).U32(0, ascii, 0, other, 0), ascii},
		{"a multiple of 8", "windows", page(other&^7, ascii), other &^ 7},
		{"a multiple of 8 far above", "windows", page(append(far, 0, other)...), other},
		{"a multiple of 8 less far above", "windows", page(append(near, other)...), other &^ 7},
	} {
		in := Input{Arch: &cpu.X86, OS: tt.os, Frames: 2, Memory: ranged{captured{piece{tt.stack.Base(), tt.stack.Build(t)}}},
			Modules: module.NewMap([]module.Module{{Base: ascii &^ 0xffff, Size: 0x1_0000}, {Base: utf16 &^ 0xffff, Size: 0x1_0000}})}
		in.Regs = registers(t, in.Arch, map[string]uint64{"eip": ascii&^0xffff + 0x110, "esp": tt.stack.Base(), "ebp": 1})
		stack := Walk(in)
		if len(stack.Frames) < 2 || stack.Frames[1].ReturnAddress != tt.want {
			t.Errorf("%s: %d frames, want %#x", tt.name, len(stack.Frames), tt.want)
		}
	}
}

// TestCluesOfRules has words in functions whose rules lead on, lead away, and lead nowhere because they need an unknown register.
func TestCluesOfRules(t *testing.T) {
	const byRBP = ".cfa: $rbp 16 + .ra: .cfa 8 - ^"
	for _, tt := range []struct {
		name, rules string
		up          uint64
		want        string
	}{
		{"lead to a return address", leaves, image + 0x120, "0x4000030f scan"},
		{"lead to data", leaves, 5, "0x4000040f scan"},
		{"lead to the end", leaves, 0, "0x4000030f scan"},
		{"need another register", byRBP, 5, "0x4000030f scan"},
	} {
		in := picture{
			arch: &cpu.AMD64, os: "linux", symbols: startAt200(cfi(0x300, tt.rules)),
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 1},
			stack: asm.At(0x1000).U64(image+0x310, tt.up, image+0x410, 0),
		}.input(t)
		in.Frames = 2
		stack := Walk(in)
		if len(stack.Frames) < 2 || hexTrust(stack.Frames[1]) != tt.want {
			t.Errorf("rules %s: %d frames, want %s", tt.name, len(stack.Frames), tt.want)
		}
	}
}

// A word that stands between frames of two modules many times is a saved register: no call leads to both. The return address of a recursion leads to one.
func TestCluesOfRepeats(t *testing.T) {
	const first, second = 0x1000_0000, 0x2000_0000
	mods := module.NewMap([]module.Module{{Base: first, Size: 0x1_0000}, {Base: second, Size: 0x1_0000}})
	const again = first + 0x121
	for _, tt := range []struct {
		name  string
		other uint64 // the module of every second callee
		want  int    // frames that have the word
	}{
		{"callees of two modules", second, repeats},
		{"callees of one module", first, 10},
	} {
		stack := asm.At(0x1_0000)
		for i := range uint64(10) {
			stack.U64(first+0x203+i*16, again, tt.other+0x303+i*16, again)
		}
		in := Input{Arch: &cpu.AMD64, OS: "linux", Memory: captured{piece{stack.Base(), stack.Build(t)}}, Modules: mods,
			Regs: registers(t, &cpu.AMD64, map[string]uint64{"rip": first + 0x110, "rsp": stack.Base(), "rbp": 1})}
		have := 0
		for _, f := range Walk(in).Frames {
			if f.ReturnAddress == again {
				have++
			}
		}
		if tt.other == first {
			have /= 2
		}
		if have != tt.want {
			t.Errorf("%s: %d frames have the word, want %d", tt.name, have, tt.want)
		}
	}
}
