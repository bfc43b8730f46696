package pe

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// hybridImage reads an image of testdata/hybrid, whose make.sh says how it was made.
func hybridImage(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/hybrid/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHybridHalves lists the entries of both CPUs, by the CPU of their code, and the names of functions: exports point to x64 code, which
// stands for a function of ARM64EC.
func TestHybridHalves(t *testing.T) {
	for name, want := range map[string]string{
		"arm64ec.dll": "1060 ec f, 10b4 ec callback, 10ec ec cross, 110c ec, 1138 ec, 1180 ec, 11c8 ec, 1210 ec, 1258 ec, 1280 ec, 2010 x64; 4 names",
		"arm64x.dll": "1054 arm f, 10a4 arm callback, 10c4 arm cross, 10e8 arm, 2060 ec f, 20b4 ec callback, 20ec ec cross, 210c ec, 2138 ec, 2180 ec, " +
			"21c8 ec, 2210 ec, 2258 ec, 2280 ec, 3010 x64; 8 names",
	} {
		f := open(t, hybridImage(t, name))
		var got []string
		for _, e := range f.functions().entries {
			kind, rel := "x64", uint64(e.begin)
			switch {
			case f.isEC(rel):
				kind = "ec"
			case f.isARM(rel):
				kind = "arm"
			}
			fn, _, _ := f.functionAt(rel)
			got = append(got, strings.TrimSpace(fmt.Sprintf("%x %s %s", rel, kind, fn.Name)))
		}
		leaves := 0
		for _, s := range f.names().sorted {
			if fn, ok := f.Function(uint64(s.rva)); ok && !strings.HasPrefix(f.nameOf(s), "Ordinal") && f.isARM(fn.Start) {
				leaves++
			}
		}
		if text := fmt.Sprintf("%s; %d names", strings.Join(got, ", "), leaves); text != want {
			t.Errorf("%s:\n got %s\nwant %s", name, text, want)
		}
		everywhere(t, f)
	}
	if got := open(t, hybridImage(t, "arm64ec.dll")).Module().Arch + " " + open(t, hybridImage(t, "arm64x.dll")).Module().Arch; got != "amd64 " {
		t.Errorf("CPUs %q: ARM64X is a program of each", got)
	}
}

// TestHybridCodes compares the unwind codes of ARM64EC with what llvm-readobj says of the object file, whose functions have the same order.
// It cannot read the image: entries of both CPUs are in one section.
func TestHybridCodes(t *testing.T) {
	f := open(t, hybridImage(t, "arm64ec.dll"))
	var ec []entry
	for _, e := range f.functions().entries {
		if f.isEC(uint64(e.begin)) {
			ec = append(ec, e)
		}
	}
	n := 0
	out := regexp.MustCompile(`Function: .*`).ReplaceAllStringFunc(string(hybridImage(t, "arm64ec.txt")), func(string) string {
		n++
		return fmt.Sprintf("Function: 0x%X", f.h.imageBase+uint64(ec[n-1].begin))
	})
	f.functions().entries = ec
	compareARM64(t, f, regexp.MustCompile(`\bq([0-9])`).ReplaceAllString(out, "d$1"))
}

// TestHybridWalk walks through both halves: cross calls x64 code by an exit thunk, which calls leaf by an entry thunk. Each frame has its own way
// to its caller, and the context is that of x64.
func TestHybridWalk(t *testing.T) {
	for name, at := range map[string]uint64{"arm64ec.dll": 0, "arm64x.dll": 0x1000} {
		for _, data := range [][]byte{hybridImage(t, name), asLoaded(t, hybridImage(t, name))} {
			f := open(t, data)
			const base, stack = 0x7ff0_0000_0000, 0x10_0000
			code := base + at
			s := asm.At(stack)
			s.Zeros(0xa0).U64(stack+0x160, code+0x2028). // entry thunk: x29, and x30 as x64's call left it
									Zeros(0x78).U64(0x66, 0x77, code+0x1270). // x64part: rdi, rsi, and the return address that calling x64 pushed
									Zeros(0x20).U64(0x55, code+0x12a0).       // exit thunk: x29, x30
									U64(code+0x10f4, 0).                      // the thunk that chose it: x30
									U64(0, 0)                                 // cross: x30, the end
			memory := s.Build(t)
			var regs cpu.Regs
			for reg, v := range map[cpu.Reg]uint64{cpu.RIP: code + 0x1008, cpu.RSP: stack, cpu.RBP: stack + 0xa0} {
				regs.Set(reg, v)
			}
			walked := unwind.Walk(unwind.Input{
				Arch: &cpu.AMD64, OS: "windows", Regs: regs, Memory: words{stack, memory},
				Modules: module.NewMap([]module.Module{{Base: base, Size: 0xa000}}),
				Rules:   func(*module.Module) unwind.Rules { return f },
				Float: func(name string) ([]byte, bool) {
					return asm.At(0).U64(code+0x1158, 0).Build(t)[:10], name == "$st0"
				},
			})
			var got []string
			for _, fr := range walked.Frames {
				got = append(got, fmt.Sprintf("%x %s", fr.ReturnAddress-code, fr.FoundBy))
			}
			want := "1008 context, 1158 CFI, 2028 CFI, 1270 CFI, 12a0 CFI, 10f4 CFI"
			if text := strings.Join(got, ", "); text != want || walked.End.Kind != unwind.ZeroReturn {
				t.Errorf("%s:\n got %s, %v\nwant %s", name, text, walked.End.Kind, want)
			}
			last := &walked.Frames[len(walked.Frames)-1].Regs
			if rdi, rsi, rbp := last.Value(cpu.RDI), last.Value(cpu.RSI), last.Value(cpu.RBP); rdi != 0x66 || rsi != 0x77 || rbp != 0x55 {
				t.Errorf("%s: cross has rdi %#x, rsi %#x and rbp %#x", name, rdi, rsi, rbp)
			}
		}
	}
}

// asLoaded is an image as a program of x64 has it in memory: Windows applies the changes of ARM64X.
func asLoaded(t testing.TB, data []byte) []byte {
	f := open(t, data)
	out := append([]byte(nil), data...)
	h := f.hybrid()
	if f.h.machine == machineAMD64 {
		return out
	}
	dirs := out[f.h.dirsAt:]
	copy(dirs[8*dirException:], asm.At(0).U32(h.second.rva, h.second.size).Build(t))
	copy(dirs[8*dirExport:], asm.At(0).U32(h.exports.rva, h.exports.size).Build(t))
	copy(out[strings.Index(string(out), "PE\x00\x00")+4:], asm.At(0).U16(machineAMD64).Build(t))
	return out
}

// words is memory from an address on.
type words struct {
	base uint64
	data []byte
}

func (w words) Word(addr uint64, size int) (uint64, bool) {
	at := addr - w.base
	if at > uint64(len(w.data)) || uint64(size) > uint64(len(w.data))-at {
		return 0, false
	}
	c := bin.NewCursor("", 0, w.data[at:])
	if size == 4 {
		return uint64(c.U32()), true
	}
	return c.U64(), true
}

// TestHybridContext has the code with which ntdll tells of a context of x64 on the stack.
func TestHybridContext(t *testing.T) {
	got, _, notes := armAt(t, 0, []byte{0xeb, 0xe4}, 13)
	want := ".cfa: sp 152 + ^ .ra: sp 248 + ^ x0: sp 128 + ^ x1: sp 136 + ^ x2: sp 184 + ^ x3: sp 192 + ^ x4: sp 200 + ^ x5: sp 208 + ^ x8: sp 120 + ^ " +
		"x19: sp 216 + ^ x20: sp 224 + ^ x21: sp 232 + ^ x22: sp 240 + ^ x25: sp 168 + ^ x26: sp 176 + ^ x27: sp 144 + ^ x29: sp 160 + ^ x30: sp 288 + ^"
	if got != want || len(notes) > 0 {
		t.Errorf("%s, %q", got, notes)
	}
	rules := asX64([]unwind.Rule{{Reg: unwind.CFA, From: unwind.At("x29", 16)}, {Reg: "x28", From: unwind.Word("sp", 8)}, {Reg: "x27", From: unwind.Word("sp", 8)}})
	if text := unwind.RuleText(rules); text != ".cfa: $rbp 16 + $rbx: $rsp 8 + ^ $rsi: $rsi $rdi: $rdi" {
		t.Errorf("as x64 %s: a context of x64 has no x28", text)
	}
}

// TestHybridDamaged changes each word of the tables of hybrid images, and cuts the images: nothing panics, and no rule is about the other
// CPU's code.
func TestHybridDamaged(t *testing.T) {
	for _, name := range []string{"arm64ec.dll", "arm64x.dll"} {
		data := hybridImage(t, name)
		for at := 0x1e00; at < len(data); at += 4 {
			for _, v := range []byte{0xff, 0x80, 0x01} {
				was := data[at+3]
				data[at+3] ^= v
				f := open(t, data)
				for rel := uint64(0x1000); rel < 0x5000; rel += 0x3c {
					if cf, ok := f.CallFrame(rel); ok && cf.Foreign != f.isEC(rel) {
						t.Fatalf("%s %#x: %#x", name, at, rel)
					}
					f.Function(rel)
				}
				data[at+3] = was
			}
		}
	}
}
